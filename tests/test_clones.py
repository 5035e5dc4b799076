"""`cilkc emit --stage clones`: golden texts, and that every sample can be shown."""

import re

import pytest

from conftest import CILKC, TESTS, command, compiled, files

STRATEGIES = ["eager", "lazy"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("path", files("tests/clones/*.cilk"))
def test_golden(path, strategy, rewrite):
    shown = compiled([CILKC, "emit", "--stage", "clones", "--spawn=" + strategy, path]).out
    golden = path.with_suffix("." + strategy + ".txt")
    if rewrite:
        golden.write_text(shown)
    assert shown == golden.read_text()


@pytest.mark.parametrize("path", files("samples/*.cilk"))
def test_samples_can_be_shown(path):
    shown = compiled([CILKC, "emit", "--stage", "clones", path]).out
    text = re.sub(r'//.*|"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*[\s\S]*?\*/', "", shown)
    assert text.count("{") == text.count("}") and "<anonymous>" not in shown and "spawn " not in text
    labels = set(re.findall(r"goto (L[0-9]+);", text))
    assert labels <= set(re.findall(r"^ *(L[0-9]+):;", text, re.M))


def test_errors_of_the_program_are_told(tmp_path):
    (tmp_path / "bad.cilk").write_text("cilk int f(void) { return x; }\n")
    result = command([CILKC, "emit", "--stage", "clones", "bad.cilk"], cwd=tmp_path)
    assert result.status == 1 and "bad.cilk:1" in result.err and result.out == ""


def test_fib_is_the_papers_figure():
    """What Figure 3 of PLDI'98 shows, in its order."""
    text = (TESTS / "clones" / "fib.eager.txt").read_text()
    at = 0
    for step in ("allocate closure", "initialize closure", "save live, dirty vars", "save PC", "push closure", "do C call", "pop closure",
                 "closure stolen", "sync is free!", "free closure"):
        at = text.index(step, at)
