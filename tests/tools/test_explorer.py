"""editors/compiler-explorer: the wrapper compiles in each language, the demangler knows the names that the compiler
makes, the properties name both."""

import re

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("check")

FOLDER = ROOT / "editors" / "compiler-explorer"
EXAMPLES = ROOT / "driver" / "play" / "examples"
LABEL = re.compile(r"^([A-Za-z_][\w.]*):", re.M)


def assembly(folder, name, *options):
    (folder / "example.c").write_text((EXAMPLES / name).read_text())
    made = command(
        [FOLDER / "cilkc-explorer", "-g", "-o", "out.s", "-masm=intel", "-fno-verbose-asm", "-S",
         "-fdiagnostics-color=always", *options, "example.c"],
        cwd=folder,
        env={"CILKC": str(CILKC)},
    )
    assert made.status == 0, str(made)
    text = (folder / "out.s").read_text()
    # the site finds the lines of the source by its own name
    assert '"example.c"' in text and "example.cilk" not in text
    assert not list(folder.glob("example.cilk*"))
    return text


@pytest.mark.parametrize("name, options, wanted", [
    ("fib.cilk", ["-O1", "--spawn=eager"], ["fib [fast clone]", "fib [slow clone]", "fib [delivery at entry 2]", "fib [signature]"]),
    ("fib.cilk", ["-O1"], ["fib [fast clone]", "fib [slow clone]"]),
    ("threads.cilk1", ["-O1", "--cilk1"], ["fib [thread]", "fib [thread, from its closure]"]),
    ("opencilk.c", ["-O1", "--opencilk"], ["fib [slow clone]"])])
def test_clones_have_readable_names(tmp_path, name, options, wanted):
    labels = [label for label in LABEL.findall(assembly(tmp_path, name, *options)) if not label.startswith(".L")]
    made = command([FOLDER / "cilkc-demangle"], stdin="".join(label + "\n" for label in labels).encode())
    lines = made.out.splitlines()
    assert len(lines) == len(labels) and set(wanted) <= set(lines)
    assert [line for line in lines if re.match(r"(fib|main)\.(?!for)", line)] == []


def test_messages_name_the_file_of_the_site(tmp_path):
    (tmp_path / "example.c").write_text("cilk int f(void) { return x; }\n")
    made = command(
        [FOLDER / "cilkc-explorer", "-S", "-o", "out.s", "example.c"], cwd=tmp_path, env={"CILKC": str(CILKC)}
    )
    assert made.status == 1 and made.err.startswith("example.c:1:27: error: 'x' undeclared")


def test_other_names_stay(tmp_path):
    text = "main\nfib.c\n.Lfib.slow\n_ZN3foo3barEv\nx.fast.y\ncall fib.slow@PLT\n"
    made = command([FOLDER / "cilkc-demangle"], stdin=text.encode())
    assert made.out == text.replace("fib.slow@", "fib [slow clone]@")


def test_the_properties_name_the_files():
    text = (FOLDER / "c.local.properties").read_text()
    rows = dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))
    for name in ("exe", "demangler"):
        assert (FOLDER / rows["group.cilkc." + name].rpartition("/")[2]).exists()
    for compiler in rows["group.cilkc.compilers"].split(":"):
        assert rows["compiler.%s.name" % compiler]
