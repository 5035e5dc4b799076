"""Objects compiled with different strategies or -cilk flags do not link, and the message names them."""

import pytest

from conftest import CILKC, command, compiled


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


def test_other_link_errors_stay(objects):
    (objects / "u.c").write_text("int nowhere(void); int main(void) { return nowhere(); }\n")
    result = link(objects, "u.c")
    assert result.status == 1 and "nowhere" in result.err and "different" not in result.err
