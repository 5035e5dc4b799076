"""Plain C: tests/c/*.c compiled by cilkc at -O0 and -O2 must exit with 0 and print what gcc's build at -O2 prints.

tests/c/*/ are programs of several files; files named *.gcc.c in them are compiled by gcc and linked with ours.
"""

import json

import built as cache
import pytest

from conftest import CILKC, Notes, command, compiled, files, folders, no_internal_error
from tiers import crossed

pytestmark = pytest.mark.tier("check")


def libraries(path):
    return [] if path.stem.endswith("-without-lm") else ["-lm"]


def printed_by_gcc(path):
    """What gcc's build prints. None where gcc does not build it, and where each run prints something else."""
    notes = Notes(path)

    def make(folder):
        built = command(["gcc", "-O2", "-w", path] + notes.flags + ["-o", folder / "program"] + libraries(path), timeout=300)
        out = None
        if built.status == 0 and not notes.nondet:
            out = command([folder / "program"] + notes.args, stdin=notes.stdin, cwd=folder).out
        (folder / "out.json").write_text(json.dumps(out))
    return json.loads((cache.kept(["printed by gcc"], [path], make) / "out.json").read_text())


@pytest.mark.sample(4, "test", 3)
@pytest.mark.parametrize("path, level", crossed(files("tests/c/*.c"), ["-O0", "-O2"], one_in=6))
def test_like_gcc(path, level, tmp_path):
    notes = Notes(path)
    notes.need()
    ours = tmp_path / "ours"
    built = command([CILKC, level, "-w", path] + notes.flags + ["-o", ours] + libraries(path), timeout=300)
    no_internal_error(built)
    assert built.status == 0, str(built)
    result = command([ours] + notes.args, stdin=notes.stdin, cwd=tmp_path)
    assert result.status == (notes.exit or 0), str(result)
    expected = printed_by_gcc(path)
    assert expected in (None, result.out), "gcc's build prints\n%s\nours\n%s" % (expected, result)


@pytest.mark.parametrize("folder, level", crossed(folders("tests/c/*"), ["-O0", "-O2"]))
def test_programs(folder, level, tmp_path):
    objects = []
    for source in sorted(folder.glob("*.c")):
        made = tmp_path / (source.name + ".o")
        compiler = ["gcc"] if source.name.endswith(".gcc.c") else [CILKC]
        compiled(compiler + [level, "-w", "-I", folder, "-c", source, "-o", made])
        objects.append(made)
    program = tmp_path / "program"
    compiled([CILKC] + objects + ["-o", program, "-lm"])
    result = command([program], cwd=tmp_path)
    assert result.status == 0, str(result)
    golden = folder / "expected-stdout.txt"
    if golden.exists():
        assert result.out == golden.read_text(), str(result)
