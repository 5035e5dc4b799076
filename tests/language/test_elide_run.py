"""Every elision is compiled by gcc and run: it must print what `cilkc --serial` and the parallel program on one worker
print.

The programs: tests/elide_run/*.cilk (statements and inlets that are hard to write in C), generated ones with inlets
for every type (tests/elide_run/generate.py), and all of tests/run and samples/.  Each is elided three ways: with our
header, --standalone, --gnu. The first two groups are made to compile without a warning under -Wall -Wextra, and so
must their elisions. Of the third group each program is tried in one way, which a hash of its name chooses; the tier
`all` tries it in each.
"""

import pytest

from conftest import CILKC, ROOT, TESTS, Notes, command, compiled, files, module_of, program_of, reference
from tiers import chosen, crossed

pytestmark = pytest.mark.tier("check")
GENERATED = module_of(TESTS / "elide_run" / "generate.py")
# What a leftover word, or a missing one, brings about; other warnings of tests/run are about what those tests
# are for.
OURS = ["-Werror=empty-body", "-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types",
        "-Werror=int-conversion", "-Werror=unused-value", "-Werror=dangling-else"]
WAYS: "dict[str, tuple[list, list]]" = {
    "header": ([], ["-std=gnu17", "-I", ROOT / "stdlib"]),
    "standalone": (["--standalone"], ["-std=gnu17"]),
    "gnu": (["--gnu", "--standalone"], ["-std=gnu17"]),
}


def compare(path, folder, warnings, strict_c=False, serial=True):
    notes = Notes(path)
    notes.need()
    said = {}
    for way, (options, flags) in WAYS.items():
        text, program = folder / (way + ".c"), folder / way
        compiled([CILKC, "elide"] + options + [path, "-o", text])
        flags = flags + ["-I", path.parent]
        if strict_c and way == "standalone":
            flags[flags.index("-std=gnu17")] = "-std=c17"
        if way == "gnu" and strict_c:
            flags = flags + ["-Wno-trampolines"]
        built = compiled(["gcc", "-O1", "-g0"] + flags + warnings + [text, "-o", program, "-lm", "-lpthread"])
        if strict_c:
            assert "warning:" not in built.err, str(built)
        said[way] = command([program] + notes.args, stdin=notes.stdin, cwd=folder)
    if serial:
        for way, flags, options in (("serial", ["--serial"], []), ("parallel", [], ["--nproc", "1"])):
            program = folder / way
            compiled([CILKC, "-O1", path] + flags + notes.flags + ["-o", program])
            said[way] = command([program] + options + notes.args, stdin=notes.stdin, cwd=folder)
    first = said["standalone"]
    for way, result in said.items():
        assert result.status == first.status, "%s against the standalone elision:\n%s\n%s" % (way, result, first)
        if not notes.nondet:
            assert result.out == first.out, "%s against the standalone elision:\n%s\n%s" % (way, result, first)
    return first


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", files("tests/elide_run/*.cilk"))
def test_constructs(path, tmp_path):
    assert compare(path, tmp_path, ["-Wall", "-Wextra"], strict_c=True).out


@pytest.mark.sample(24, "test", 6)
@pytest.mark.parametrize("name", sorted(GENERATED.programs()) + sorted(GENERATED.conversions()))
def test_inlets_with_every_type(name, tmp_path):
    path = tmp_path / (name + ".cilk")
    path.write_text({**GENERATED.programs(), **GENERATED.conversions()}[name])
    assert compare(path, tmp_path, ["-Wall", "-Wextra"], strict_c=True).out


def alone(parameter):
    """Programs of one file: C files that call Cilk have no elision of their own."""
    path = parameter.values[0]
    return not Notes(path).also and not path.with_suffix(".expected").exists()


def ways():
    """In the tier `check` one program in four."""
    for parameter in files("tests/run/*.cilk", "samples/*.cilk"):
        if alone(parameter):
            first = "check" if chosen("quarter of " + parameter.id, range(4)) == 0 else "test"
            yield from crossed([parameter], [*WAYS, "serial", "parallel"], first, "all")


@pytest.mark.sample(4, "test", 6)
@pytest.mark.parametrize("path, way", ways())
def test_programs(path, way, tmp_path):
    notes = Notes(path)
    notes.need()
    program = tmp_path / "program"
    if way in WAYS:
        options, flags = WAYS[way]
        compiled([CILKC, "elide"] + options + [path, "-o", tmp_path / "elision.c"])
        compiled(
            ["gcc", "-O1", "-g0", *flags, "-I", path.parent, "-Wno-all", *OURS, tmp_path / "elision.c", "-o", program,
             "-lm", "-lpthread"]
        )
    else:
        program = program_of(path, "-O1", *(["--serial"] if way == "serial" else []))
    result = command(
        [program] + (["--nproc", "1"] if way == "parallel" else []) + notes.args, stdin=notes.stdin, cwd=tmp_path
    )
    status, out = reference(path)
    assert result.status == status and (notes.nondet or result.out == out), (
        "%s against the standalone elision:\n%s\n%s" % (way, result, out)
    )


@pytest.mark.parametrize("name", ["c-main-export", "c-main-many-arguments", "c-main-many-calls", "c-main-nested-export", "export_without_declaration"])
def test_c_that_calls_procedures(name, tmp_path):
    """In the elision a context is nothing, and a procedure's C function calls it."""
    path = TESTS / "run" / (name + ".cilk")
    (tmp_path / "elision.c").write_text(compiled([CILKC, "elide", path]).out)
    compiled(
        ["gcc", "-std=gnu17", "-I", ROOT / "stdlib", "-Wno-all", *OURS, "elision.c", "-o", "elision", "-lm"],
        cwd=tmp_path,
    )
    assert command([tmp_path / "elision"]).out == path.with_suffix(".expected").read_text()
