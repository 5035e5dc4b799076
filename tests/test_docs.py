"""What README.md and docs/ show must be true: their programs compile and run, the codes and commands they name exist."""

import re

import pytest

from conftest import BUILD, ROOT, command

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + sorted((ROOT / "docs").glob("*.md"))
FIB = "cilk int fib(int n)\n{\n    int x, y;\n    if (n < 2) return n;\n    x = spawn fib(n - 1);\n    y = spawn fib(n - 2);\n" \
      "    sync;\n    return x + y;\n}\n"


def blocks(path):
    return re.findall(r"^```c\n(.*?)^```$", path.read_text(), re.M | re.S)


def test_readme_tour(cilkc, tmp_path):
    (tmp_path / "fib.cilk").write_text(blocks(ROOT / "README.md")[0])
    built = cilkc("-O2", "-Wall", "fib.cilk", "-o", "fib")
    assert built.status == 0 and built.err == "", str(built)
    assert command([tmp_path / "fib", "--nproc", "2", "20"]).out == "6765\n"
    assert command([tmp_path / "fib"]).out == "832040\n"
    assert cilkc("run", "fib.cilk", "--", "10").out == "55\n"


def test_calling_cilk_from_c(cilkc, tmp_path):
    (tmp_path / "main.c").write_text(blocks(ROOT / "docs" / "library.md")[0])
    (tmp_path / "fib.cilk").write_text(FIB)
    built = cilkc("main.c", "fib.cilk", "-o", "program")
    assert built.status == 0 and built.err == "", str(built)
    assert command([tmp_path / "program", "--nproc", "2"]).status == 0


def test_parallel_library(cilkc, tmp_path):
    """The programs of docs/parallel.md, and that its table names what the headers have."""
    page = ROOT / "docs" / "parallel.md"
    for number, (text, out) in enumerate(zip(blocks(page), ("3.32834e+08\n", "1\n"))):
        name = "p%d" % number
        (tmp_path / (name + ".cilk")).write_text(text)
        built = cilkc("-O2", "-Wall", name + ".cilk", "-o", name)
        assert built.status == 0 and built.err == "", str(built)
        for nproc in ("1", "2", "4"):
            result = command([tmp_path / name, "--nproc", nproc])
            assert (result.status, result.out) == (0, out), str(result)
    headers = "".join(path.read_text() for path in (ROOT / "stdlib" / "par").glob("*.cilkh"))
    for name in re.findall(r"\b(par_[a-z_]+)\(", page.read_text()):
        assert re.search(r"\b%s\(" % name, headers), name


def test_message_example(cilkc, tmp_path):
    """The message that docs/command.md quotes is what the compiler prints for such a program."""
    quoted = re.search(r"^    (prog\.cilk:.*\])$", (ROOT / "docs" / "command.md").read_text(), re.M).group(1)
    (tmp_path / "prog.cilk").write_text(FIB + "cilk int main(void)\n{\n    int r = 0;\n    r = fib(3);\n    return r;\n}\n")
    result = cilkc("check", "prog.cilk")
    assert result.err.splitlines()[0] == quoted, str(result)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_codes_exist(page):
    for code in re.findall(r"cilkc explain ([a-z][a-z-]+)", page.read_text()):
        assert command([BUILD / "cilkc1", "--explain=" + code]).status == 0, code


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target
