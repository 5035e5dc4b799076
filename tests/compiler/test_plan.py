"""`cilkc emit --stage plan`: the plan of the clones. Code is generated from nothing else, so these golden texts
describe the clones themselves."""

import re

import pytest

from conftest import CILKC, STRATEGIES, compare_strategies, compiled, files

pytestmark = pytest.mark.tier("check")


def plan(path, *words, cwd=None):
    return compiled([CILKC, "emit", "--stage", "plan", "-w", *words, path], cwd=cwd).out


@pytest.mark.parametrize("path", files("tests/plan/*.cilk"))
def test_golden(path, rewrite):
    compare_strategies(path, rewrite, lambda strategy: plan(path, "-O2", "--spawn=" + strategy))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_has_no_value_is_not_saved(strategy, tmp_path):
    """Neither in the plan nor in the code: before the first spawn of `x = spawn f(); y = spawn f();` the closure gets
    no value of x and y."""
    (tmp_path / "t.cilk").write_text(
        "cilk int f(int);\ncilk int g(int n) {\n  int x, y;\n  x = spawn f(n);\n  y = spawn f(n);\n  sync;\n  return x + y;\n}\n"
    )
    lines = [l for l in plan("t.cilk", "--spawn=" + strategy, cwd=tmp_path).split("\n") if "after spawn" in l]
    saved = [re.search(r"save ([\w ]+)", l).group(1) for l in lines]
    assert saved == ["n", "x"], lines
    ir = compiled([CILKC, "-O0", "-S", "-emit-llvm", "--spawn=" + strategy, "t.cilk", "-o", "-"], cwd=tmp_path).out
    body = ir[ir.index("@g.fast("):]
    body = body[:body.index("\n}")]
    y = re.search(r"(%y\S*) = alloca", body).group(1)
    # the sum; where frames are released: the save after its delivery
    assert len(re.findall(r"load i32, ptr %s\b" % re.escape(y), body)) == 1 + ("@cilk_rt_release_frame" in body)


def test_automatic_initialisation_gives_a_value(tmp_path):
    (tmp_path / "t.cilk").write_text(
        "cilk int f(int);\ncilk int g(int n) {\n  int x;\n  x = spawn f(n);\n  sync;\n  return x;\n}\n"
    )
    assert "save x;" in plan("t.cilk", "--spawn=eager", "-ftrivial-auto-var-init=zero", cwd=tmp_path)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_with_very_many_spawns_nothing_is_saved(strategy, tmp_path):
    """Then nothing is saved anywhere: all that is live across a spawn stays in the closure."""
    lines = "".join("  v%d = spawn f(n + %d);\n" % (i, i) for i in range(300))
    names = ", ".join("v%d" % i for i in range(300))
    (tmp_path / "t.cilk").write_text(
        "cilk int f(int);\ncilk int g(int n) {\n  int %s;\n%s  sync;\n  return v0 + v299;\n}\n" % (names, lines)
    )
    text = plan("t.cilk", "--spawn=" + strategy, cwd=tmp_path)
    assert ", large" in text and "save nothing" in text and not re.search(r"save (?!nothing)", text)


def test_the_plan_is_a_function_of_its_options(tmp_path):
    (tmp_path / "t.cilk").write_text(
        "cilk int f(int n) {\n  int x;\n  if (n < 2) return n;\n  x = spawn f(n - 1);\n  sync;\n  return x;\n}\n"
    )
    assert "levels of copies" in plan("t.cilk", "-O2", cwd=tmp_path) and "leaf in place" in plan(
        "t.cilk", "-O2", cwd=tmp_path
    )
    assert "levels" not in plan("t.cilk", "-O2", "-fno-inline-recursion", cwd=tmp_path)
    assert "leaf in place" not in plan("t.cilk", "-O2", "-fno-inline-leaves", cwd=tmp_path)
    for words in (["-O0"], ["-O2", "-cilk-profile"], ["-Os"]):
        text = plan("t.cilk", *words, cwd=tmp_path)
        assert "levels" not in text and "leaf in place" not in text, text
