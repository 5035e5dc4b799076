"""tests/programs/*/: a directory is a test.  All its .cilk and .c files make one program (*.gcc.c compiled by gcc).

expected-stdout.txt and expected-exit-code.txt (0 without it) say what it must do; args.txt and flags.txt hold words.
"""

import shlex

import pytest

from conftest import CILKC, command, compiled, folders

pytestmark = pytest.mark.tier("check")


def words(path):
    return shlex.split(path.read_text()) if path.exists() else []


@pytest.mark.sample(3)
@pytest.mark.parametrize("nproc", [1, 2, 4])
@pytest.mark.parametrize("folder", folders("tests/programs/*"))
def test_program(folder, nproc, tmp_path, rewrite):
    objects = []
    flags = words(folder / "flags.txt")
    for source in sorted(list(folder.glob("*.cilk")) + list(folder.glob("*.c"))):
        made = tmp_path / (source.name + ".o")
        compiler = ["gcc"] if source.name.endswith(".gcc.c") else [CILKC] + flags
        compiled(compiler + ["-O2", "-I", folder, "-c", source, "-o", made])
        objects.append(made)
    program = tmp_path / "program"
    compiled([CILKC] + flags + objects + ["-o", program, "-lm"])
    result = command([program, "--nproc", str(nproc)] + words(folder / "args.txt"), cwd=tmp_path)
    golden, status = folder / "expected-stdout.txt", folder / "expected-exit-code.txt"
    if rewrite:
        golden.write_text(result.out)
        status.write_text("%d\n" % result.status)
    assert result.status == (int(status.read_text()) if status.exists() else 0), str(result)
    if golden.exists():
        assert result.out == golden.read_text(), str(result)
