"""Objects compiled with different strategies or -cilk flags do not link, and the message names them."""

import itertools
import re

import pytest

from cilkc_driver.abi_tags import FORMS
from conftest import BUILD, CILKC, ROOT, command, compiled

pytestmark = pytest.mark.tier("test")

TABLE = (ROOT / "rt" / "core" / "abi_tags.def").read_text()
ROWS = re.findall(r'^CILK_ABI_TAG\((\w+), (\w+), "([^"]*)", ([a-z ]+)\)$', TABLE, re.M)
FLAVOURS = re.findall(r"^CILK_FLAVOUR\((\w+),", TABLE, re.M)


def rows_of(name):
    return re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend" / "plan" / name).read_text(), re.M)


# Modes with the property AnyRuntime are the business of objects alone.
MODES = re.findall(
    r'^MODE\(\w+, "(\w+)", (?!.*AnyRuntime)', (ROOT / "frontend" / "plan" / "modes.def").read_text(), re.M
)


def test_the_runtime_knows_every_strategy_and_mode():
    forms = re.findall(r'^MODE\(\w+, "(\w+)", .*OwnForm', (ROOT / "frontend" / "plan" / "modes.def").read_text(), re.M)
    assert set(FORMS) == {"parallel", "serial", *forms}
    given = {("form", value): text for group, value, text, _ in ROWS if group == "form"}
    assert {value for _, value in given} == set(FORMS)
    wanted = given | {("spawn", strategy): "--spawn=" + strategy for strategy in rows_of("strategies.def")}
    for mode in MODES:
        flag = "-cilk-span=count" if mode == "units" else "-cilk-" + mode
        wanted |= {(mode, "on"): flag, (mode, "off"): "without " + flag}
    assert len(wanted) >= 10 and {(group, value): text for group, value, text, _ in ROWS} == wanted


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_each_archive_has_its_members(flavour):
    archive = BUILD / "lib" / ("libcilkrt%s.a" % ("" if flavour == "release" else "-" + flavour))
    members = set(command(["ar", "t", archive]).out.split())
    assert members - {"main.c.o", "crash.c.o", "pedigree.c.o", "param.c.o", archive.stem + ".o"} == {
        "abi_tag_%s_%s.o" % (group, value)
        for group, value, _, where in ROWS
        if where == "all" or flavour in where.split()
    }


@pytest.fixture
def objects(tmp_path):
    (tmp_path / "g.cilk").write_text(
        "cilk int g(int n) { int x; if (n < 2) return n; x = spawn g(n - 1); sync; return x; }\n"
    )
    (tmp_path / "m.cilk").write_text(
        "cilk int g(int n);\ncilk int main(void) { int x; x = spawn g(3); sync; return x - 1; }\n"
    )
    for name, flags in (
        ("g-eager.o", ["--spawn=eager"]),
        ("g-lazy.o", ["--spawn=lazy"]),
        ("g-span.o", ["--spawn=lazy", "-cilk-span"]),
    ):
        compiled([CILKC, "-c", tmp_path / "g.cilk", "-o", tmp_path / name] + flags)
    return tmp_path


def link(folder, *words):
    return command([CILKC, *words, "-o", "x"], cwd=folder)


def test_strategies(objects):
    assert link(objects, "--spawn=lazy", "m.cilk", "g-lazy.o").status == 0
    result = link(objects, "--spawn=lazy", "m.cilk", "g-eager.o")
    assert result.status == 1
    assert result.err.splitlines() == [
        "cilkc: error: objects with different spawn strategies cannot be linked together:",
        "  m.cilk: compiled with --spawn=lazy",
        "  g-eager.o: compiled with --spawn=eager",
    ]
    command(["ar", "rcs", "libg.a", "g-eager.o"], cwd=objects)
    assert "  libg.a: compiled with --spawn=eager" in link(objects, "--spawn=lazy", "m.cilk", "libg.a").err


def test_build_flags(objects):
    assert link(objects, "--spawn=lazy", "-cilk-span", "m.cilk", "g-span.o").status == 0
    for flags in ([], ["-cilk-debug"]):
        result = link(objects, "--spawn=lazy", *flags, "m.cilk", "g-span.o")
        assert (
            result.status == 1 and "cilkc: error: objects compiled and linked with different -cilk flags" in result.err
        )
        assert "  g-span.o: compiled with -cilk-profile -cilk-span" in result.err and "m.cilk: " in result.err


def test_a_link_needs_no_flag_that_changes_nothing_in_the_runtime(objects):
    """-cilk-span is the objects' matter; -cilk-debug is the runtime's, too."""
    compiled([CILKC, "--spawn=lazy", "-cilk-span", "-c", "m.cilk", "-o", "m-span.o"], cwd=objects)
    assert link(objects, "m-span.o", "g-span.o").status == 0
    compiled([CILKC, "--spawn=lazy", "-cilk-debug", "-c", "m.cilk", "g.cilk"], cwd=objects)
    assert link(objects, "-cilk-debug", "m.o", "g.o").status == 0
    result = link(objects, "m.o", "g.o")
    assert (
        result.status == 1
        and "this link: without -cilk-debug" in result.err
        and "m.o: compiled with -cilk-debug\n" in result.err
    ), str(result)


def test_units_of_the_span(objects):
    """Counted and timed: the totals would be sums of both."""
    for name, flag in (("g-timed.o", "-cilk-span=time"), ("g-counted.o", "-cilk-span=count")):
        compiled([CILKC, "--spawn=lazy", flag, "-c", "g.cilk", "-o", name], cwd=objects)
    assert link(objects, "--spawn=lazy", "-cilk-span=count", "m.cilk", "g-counted.o").status == 0
    assert link(objects, "--spawn=lazy", "-cilk-span=time", "m.cilk", "g-timed.o").status == 0
    for flag, other in (("-cilk-span=count", "g-timed.o"), ("-cilk-span=time", "g-counted.o")):
        result = link(objects, "--spawn=lazy", flag, "m.cilk", other)
        assert result.status == 1 and "different -cilk flags" in result.err and "-cilk-span=count" in result.err, str(
            result
        )


CHILD = "extern int x; cilk void add(int n) { x += n; }\n"
PARENT = "int x; cilk void add(int);\ncilk int main(void) { spawn add(1); sync; spawn add(2); sync; return x - 3; }\n"
WAYS = {
    "parallel": [],
    "serial": ["--serial"],
    "count": ["-cilk-tool=profile"],
    "race": ["-cilk-tool=race"],
    "memory": ["-cilk-tool=memory"],
}


@pytest.mark.parametrize("way", WAYS)
def test_forms_of_code(way, tmp_path):
    """Parallel code, the serial form, and those of tools: each with its like only. A tool says so, too."""
    (tmp_path / "child.cilk").write_text(CHILD)
    (tmp_path / "parent.cilk").write_text(PARENT)
    for other, flags in WAYS.items():
        compiled([CILKC, *flags, "-c", "child.cilk", "-o", other + ".o"], cwd=tmp_path)
    for other in WAYS:
        result = link(tmp_path, *WAYS[way], "parent.cilk", other + ".o")
        if other == way:
            assert result.status == 0 and command([tmp_path / "x"]).status == 0, str(result)
            continue
        assert result.status == 1 and result.err.splitlines() == [
            "cilkc: error: objects compiled for different ways to run cannot be linked together:",
            "  parent.cilk: compiled " + FORMS[way], "  %s.o: compiled %s" % (other, FORMS[other])], str(result)


def test_a_tool_refuses_objects_that_it_cannot_see_into(tmp_path):
    (tmp_path / "child.cilk").write_text(CHILD)
    (tmp_path / "parent.cilk").write_text(PARENT)
    compiled([CILKC, "-c", "child.cilk"], cwd=tmp_path)
    for tool, status in (("race", 2), ("profile", 125), ("dag", 125), ("memory", 125)):
        result = command([CILKC, tool, "parent.cilk", "child.o"], cwd=tmp_path)
        assert result.status == status and "  child.o: compiled for parallel runs" in result.err, str(result)


def test_c_code_of_a_tool(tmp_path):
    """C has no form, but what a tool put into it has."""
    (tmp_path / "child.c").write_text("extern int x; void add(int n) { x += n; }\n")
    (tmp_path / "parent.cilk").write_text("int x; void add(int);\ncilk int main(void) { add(3); return x - 3; }\n")
    compiled([CILKC, "-cilk-tool=race", "-c", "child.c"], cwd=tmp_path)
    result = link(tmp_path, "parent.cilk", "child.o")
    assert result.status == 1 and "  child.o: compiled for cilkc race" in result.err, str(result)


def test_a_library_of_another_form_is_refused_when_it_is_loaded(tmp_path):
    (tmp_path / "child.cilk").write_text("int x; cilk void add(int n) { x += n; }\n")
    (tmp_path / "parent.cilk").write_text(
        '#include <dlfcn.h>\n#include <stdio.h>\ncilk int main(void) { void *l = dlopen("./libchild.so", RTLD_NOW); if (!l) puts(dlerror()); return l == NULL; }\n'
    )
    compiled([CILKC, "parent.cilk", "-o", "x"], cwd=tmp_path)
    compiled([CILKC, "-shared", "-fPIC", "child.cilk", "-o", "libchild.so"], cwd=tmp_path)
    assert command(["./x"], cwd=tmp_path).status == 0
    compiled([CILKC, "--serial", "-shared", "-fPIC", "child.cilk", "-o", "libchild.so"], cwd=tmp_path)
    result = command(["./x"], cwd=tmp_path)
    assert result.status != 0 and "--serial" in result.err and "must be compiled alike" in result.err, str(result)


GROUPS = {}
for _group, _value, _text, _where in ROWS:
    GROUPS.setdefault(_group, []).append(_value)


@pytest.mark.sample(6, "test", 4)
@pytest.mark.parametrize("flavour", ("release", "debug", "trace"))
@pytest.mark.parametrize("group", GROUPS)
def test_the_linker_refuses_two_values_of_a_property(group, flavour, tmp_path):
    """Without the driver, which says it better: objects refer to a symbol for each value. What the flavour is not made
    for does not link alone."""
    archive = BUILD / "lib" / ("libcilkrt%s.a" % ("" if flavour == "release" else "-" + flavour))
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    for value in GROUPS[group]:
        (tmp_path / (value + ".c")).write_text(
            "extern const char cilk_%s_%s; const char *%s(void) { return &cilk_%s_%s; }\n"
            % (group, value, value + "_is", group, value)
        )
    compiled(["cc", "-c", "main.c"] + [value + ".c" for value in GROUPS[group]], cwd=tmp_path)

    def linked(*values):
        return command(
            ["cc", "main.o", *(value + ".o" for value in values), archive, "-pthread", "-o", "x"], cwd=tmp_path
        )

    made = [value for name, value, _, where in ROWS if name == group and (where == "all" or flavour in where.split())]
    for value in GROUPS[group]:
        result = linked(value)
        assert (result.status == 0) == (value in made) and (
            value in made or "cilk_%s_%s" % (group, value) in result.err
        ), str(result)
    for one, other in itertools.combinations(GROUPS[group], 2):
        result = linked(one, other)
        expected = (
            "cilk_error_objects_disagree_on_" + group
            if {one, other} <= set(made)
            else "cilk_%s_%s" % (group, one if other in made else other)
        )
        assert result.status != 0 and expected in result.err, str(result)


@pytest.mark.parametrize("mode", MODES)
def test_objects_of_each_mode_and_without_it(mode, objects):
    """Compiled by cilkc: with the mode and without it do not link, whichever of them has it."""
    flag = {"units": "-cilk-span=count"}.get(mode, "-cilk-" + mode)
    for name, flags in (("off", []), ("on", [flag])):
        (objects / name).mkdir()
        compiled([CILKC, "--spawn=lazy", *flags, "-c", "../g.cilk", "../m.cilk"], cwd=objects / name)
    for one, other in (("on", "off"), ("off", "on")):
        result = link(objects, "--spawn=lazy", flag, one + "/m.o", other + "/g.o")
        assert (
            result.status == 1
            and (
                "cilkc: error: objects compiled and linked with different -cilk flags" in result.err
                or mode == "pedigree"
            )
            and flag in result.err
        ), str(result)
    result = link(objects, "--spawn=lazy", flag, "on/m.o", "on/g.o")
    assert result.status == 0 and command(["./x"], cwd=objects).status == 0, str(result)


def test_other_link_errors_stay(objects):
    (objects / "u.c").write_text("int nowhere(void); int main(void) { return nowhere(); }\n")
    result = link(objects, "u.c")
    assert result.status == 1 and "nowhere" in result.err and "different" not in result.err
