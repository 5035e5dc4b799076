"""Objects compiled with different strategies or -cilk flags do not link, and the message names them."""

import re

import pytest

from conftest import BUILD, CILKC, ROOT, command, compiled

TABLE = (ROOT / "rt" / "agree.def").read_text()
ROWS = re.findall(r'^CILK_AGREE\((\w+), (\w+), "([^"]*)", ([a-z ]+)\)$', TABLE, re.M)
FLAVOURS = re.findall(r"^CILK_FLAVOUR\((\w+),", TABLE, re.M)


def rows_of(name):
    return re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend" / "plan" / name).read_text(), re.M)


# Modes with the property AnyRuntime are the business of objects alone.
MODES = re.findall(r'^MODE\(\w+, "(\w+)", (?!.*AnyRuntime)', (ROOT / "frontend" / "plan" / "modes.def").read_text(), re.M)


def test_the_runtime_knows_every_strategy_and_mode():
    wanted = {("spawn", strategy): "--spawn=" + strategy for strategy in rows_of("strategies.def")}
    for mode in MODES:
        flag = "-cilk-span=count" if mode == "units" else "-cilk-" + mode
        wanted |= {(mode, "on"): flag, (mode, "off"): "without " + flag}
    assert len(wanted) >= 10 and {(group, value): text for group, value, text, _ in ROWS} == wanted


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_each_archive_has_its_members(flavour):
    archive = BUILD / "lib" / ("libcilkrt%s.a" % ("" if flavour == "release" else "-" + flavour))
    members = set(command(["ar", "t", archive]).out.split())
    assert members - {"main.c.o", archive.stem + ".o"} == {
        "agree_%s_%s.o" % (group, value) for group, value, _, where in ROWS if where == "all" or flavour in where.split()}


@pytest.fixture
def objects(tmp_path):
    (tmp_path / "g.cilk").write_text("cilk int g(int n) { int x; if (n < 2) return n; x = spawn g(n - 1); sync; return x; }\n")
    (tmp_path / "m.cilk").write_text("cilk int g(int n);\ncilk int main(void) { int x; x = spawn g(3); sync; return x - 1; }\n")
    for name, flags in (("g-eager.o", ["--spawn=eager"]), ("g-lazy.o", ["--spawn=lazy"]), ("g-span.o", ["--spawn=lazy", "-cilk-span"])):
        compiled([CILKC, "-c", tmp_path / "g.cilk", "-o", tmp_path / name] + flags)
    return tmp_path


def link(folder, *words):
    return command([CILKC, *words, "-o", "x"], cwd=folder)


def test_strategies(objects):
    assert link(objects, "--spawn=lazy", "m.cilk", "g-lazy.o").status == 0
    result = link(objects, "--spawn=lazy", "m.cilk", "g-eager.o")
    assert result.status == 1
    assert result.err.splitlines() == ["cilkc: error: objects with different spawn strategies cannot be linked together:",
                                       "  m.cilk: compiled with --spawn=lazy", "  g-eager.o: compiled with --spawn=eager"]
    command(["ar", "rcs", "libg.a", "g-eager.o"], cwd=objects)
    assert "  libg.a: compiled with --spawn=eager" in link(objects, "--spawn=lazy", "m.cilk", "libg.a").err


def test_build_flags(objects):
    assert link(objects, "--spawn=lazy", "-cilk-span", "m.cilk", "g-span.o").status == 0
    for flags in ([], ["-cilk-debug"]):
        result = link(objects, "--spawn=lazy", *flags, "m.cilk", "g-span.o")
        assert result.status == 1 and "cilkc: error: objects compiled and linked with different -cilk flags" in result.err
        assert "  g-span.o: compiled with -cilk-profile -cilk-span" in result.err and "m.cilk: " in result.err


def test_a_link_needs_no_flag_that_changes_nothing_in_the_runtime(objects):
    """-cilk-span is the objects' matter; -cilk-debug is the runtime's, too."""
    compiled([CILKC, "--spawn=lazy", "-cilk-span", "-c", "m.cilk", "-o", "m-span.o"], cwd=objects)
    assert link(objects, "m-span.o", "g-span.o").status == 0
    compiled([CILKC, "--spawn=lazy", "-cilk-debug", "-c", "m.cilk", "g.cilk"], cwd=objects)
    assert link(objects, "-cilk-debug", "m.o", "g.o").status == 0
    result = link(objects, "m.o", "g.o")
    assert result.status == 1 and "this link: without -cilk-debug" in result.err and "m.o: compiled with -cilk-debug\n" in result.err, str(result)


def test_units_of_the_span(objects):
    """Counted and timed: the totals would be sums of both."""
    for name, flag in (("g-timed.o", "-cilk-span=time"), ("g-counted.o", "-cilk-span=count")):
        compiled([CILKC, "--spawn=lazy", flag, "-c", "g.cilk", "-o", name], cwd=objects)
    assert link(objects, "--spawn=lazy", "-cilk-span=count", "m.cilk", "g-counted.o").status == 0
    assert link(objects, "--spawn=lazy", "-cilk-span=time", "m.cilk", "g-timed.o").status == 0
    for flag, other in (("-cilk-span=count", "g-timed.o"), ("-cilk-span=time", "g-counted.o")):
        result = link(objects, "--spawn=lazy", flag, "m.cilk", other)
        assert result.status == 1 and "different -cilk flags" in result.err and "-cilk-span=count" in result.err, str(result)


def test_other_link_errors_stay(objects):
    (objects / "u.c").write_text("int nowhere(void); int main(void) { return nowhere(); }\n")
    result = link(objects, "u.c")
    assert result.status == 1 and "nowhere" in result.err and "different" not in result.err
