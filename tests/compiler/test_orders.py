"""Which memory orders generated code gives its accesses to the deque. On a processor that is stronger no run shows a
weaker order; the models (rt/model/weak) need all of these orders."""

import re

import pytest

from conftest import CILKC, STRATEGIES, compiled

pytestmark = pytest.mark.tier("check")

PROGRAM = """\
cilk int fib(int n)
{
  int x, y;
  if (n < 2) return n;
  x = spawn fib(n - 1);
  y = spawn fib(n - 2);
  sync;
  return x + y;
}
"""
TAIL, EXC, FLAG = (
    r"ptr @cilk_self",
    r"ptr getelementptr inbounds \(i8, ptr @cilk_self, i64 256\)",
    r"ptr getelementptr inbounds \(i8, ptr @cilk_self, i64 320\)",
)


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def clone(request, tmp_path_factory):
    """A clone's instructions that have to do with the deque, or call a procedure, one word each."""
    folder = tmp_path_factory.mktemp("orders")
    (folder / "fib.cilk").write_text(PROGRAM)
    kinds = [
        ("push-or-pop", r"store atomic ptr %\S+, " + TAIL + " release"),
        ("exchange", r"= atomicrmw xchg " + TAIL + r", ptr %\S+ seq_cst"),
        ("tail", r"store (atomic )?ptr %\S+, " + TAIL),
        ("tail", r"atomicrmw \w+ " + TAIL),
        ("exc", r"= load atomic ptr, " + EXC + " monotonic"),
        ("exc-sc", r"= load atomic ptr, " + EXC + " seq_cst"),
        ("exc-plain", r"= load .*" + EXC),
        ("fence", r"fence syncscope\(\"singlethread\"\) seq_cst"),
        ("test", r"= load atomic i32, " + FLAG),
        ("call", r"call i32 @fib.fast"),
    ]

    def of(strategy, name):
        text = compiled(
            [CILKC, "emit", "--stage", "ir", request.param, "-g0", "--spawn=" + strategy, "-fno-inline", "fib.cilk"],
            cwd=folder,
        ).out
        body = re.search(r"^define [^\n]* @fib\.%s\(.*?^}" % name, text, re.M | re.S)[0]
        return [next((kind for kind, form in kinds if re.search(form, line)), None) for line in body.splitlines()]

    def found(strategy, name):
        return [word for word in of(strategy, name) if word]

    return found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_push_releases(clone, strategy):
    """T is stored with release order, by pops of fast clones, too: a thief may read it from either, and sees the slots
    that were saved before."""
    words = clone(strategy, "slow") + clone(strategy, "fast")
    assert "push-or-pop" in words and "tail" not in words, words


def test_the_pop_of_a_fast_clone(clone):
    """T, then E, and the compiler keeps them apart."""
    words = clone("eager", "fast")
    assert (
        " ".join(words).count("push-or-pop call push-or-pop fence exc") == words.count("call") >= 2
        and "exc-sc" not in words
    ), words


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_pop_of_a_slow_clone_is_fenced(clone, strategy):
    """So thieves need no heavy fence for its entry."""
    words = clone(strategy, "slow")
    assert " ".join(words).count("call exchange exc-sc") == words.count("call") >= 1 and "exc" not in words, words


def test_a_lazy_clone_tests_at_each_spawn(clone):
    """Before the first one, and after each: else thieves wait until it is over. It pushes nothing, so it pops
    nothing."""
    words = [word for word in clone("lazy", "fast") if word != "fence"]
    assert set(words) == {"test", "call"} and words.count("test") > words.count("call") >= 2, words
    assert "test" not in clone("eager", "fast")
