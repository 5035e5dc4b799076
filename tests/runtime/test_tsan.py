"""The run tests again under ThreadSanitizer, runtime and program instrumented: no race is reported, and no two locks
that are taken in both orders."""

import pytest

from conftest import BUILD, CILKC, ROOT, RT_INCLUDES, STRATEGIES, Notes, command, compiled, files, maker

pytestmark = pytest.mark.tier("test")


def run_under_tsan(path, spawn, folder):
    notes = Notes(path)
    if notes.nondet:
        pytest.skip("races on purpose")
    program = folder / "program"
    also = [path.parent / name for name in notes.also]
    compiled([CILKC, "-O1", "-g", "-fsanitize=thread", "--spawn=" + spawn, path] + also + notes.flags + ["-o", program])
    result = command([program, "--nproc", "4"] + notes.args, stdin=notes.stdin, cwd=folder,
                     env={"TSAN_OPTIONS": "exitcode=66:allocator_may_return_null=1"}, timeout=600)
    assert result.status != 66 and "WARNING: ThreadSanitizer" not in result.err, str(result)


@pytest.mark.tsan
@pytest.mark.parametrize("path", files("tests/run/*.cilk"))
@pytest.mark.parametrize("spawn", STRATEGIES)
def test_no_race(path, spawn, tmp_path):
    run_under_tsan(path, spawn, tmp_path)


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_owners_have_entries_back_after_a_thief_has_looked(spawn, tmp_path):
    """Without --tsan, too: no other test sees that order."""
    run_under_tsan(ROOT / "tests/run/c-main-entries-that-are-left.cilk", spawn, tmp_path)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return maker(tmp_path_factory.mktemp("tsan"))


# Programs of tests/sched that start, cancel, pause, wait in system calls; and what records that
# or chooses its order.
SCHED = [
    ("started", 3),
    ("started", 3, "--sched=record:r"),
    ("started", 1, "slices", "--sched=roundrobin"),
    ("deadlines",),
    ("deadlines", "--sched=record:r"),
    ("recorded", 9),
    ("recorded", 9, "--sched=record:r"),
    ("recorded", "--sched=replay:3:2", 9),
    ("nested", 4, 8),
    ("barrier", "gang", 20),
    ("engines", "steal", 2, 12),
    ("waits", "steal", 1, 9),
    ("blocking", 2, 20),
]


@pytest.mark.tsan
@pytest.mark.parametrize("words", SCHED, ids=lambda words: "-".join(map(str, words)))
@pytest.mark.parametrize("spawn", STRATEGIES)
def test_no_race_between_computations(program, words, spawn, tmp_path):
    result = command(
        [program(words[0], spawn, "-g", "-fsanitize=thread"), "--nproc", 4, *words[1:]],
        cwd=tmp_path,
        env={"TSAN_OPTIONS": "exitcode=66"},
        timeout=600,
    )
    assert result.status == 0 and "WARNING: ThreadSanitizer" not in result.err, str(result)


ABBA = """#include "rt/core/base/spin.h"
static uint32_t a, b;
int main(void)
{
  cilk_spin_lock(&a), cilk_spin_lock(&b), cilk_spin_unlock(&b), cilk_spin_unlock(&a);
  cilk_spin_lock(&b), cilk_spin_trylock(&a), cilk_spin_unlock(&a), cilk_spin_unlock(&b);
  cilk_spin_lock(&b), cilk_spin_lock(&a), cilk_spin_unlock(&a), cilk_spin_unlock(&b);
  return 0;
}
"""


@pytest.mark.tsan
def test_locks_of_the_runtime_are_looked_at(tmp_path):
    """Two that are taken in both orders are reported, though nothing stopped; one that is only tried is none of
    them."""
    for name, text, status in (
        ("both", ABBA, 66),
        (
            "tried",
            "".join(line for line in ABBA.splitlines(True) if "cilk_spin_lock(&b), cilk_spin_lock(&a)" not in line),
            0,
        ),
    ):
        (tmp_path / "p.c").write_text(text)
        flags = ["-std=gnu17", "-g", "-O1", "-fsanitize=thread", "-DCILK_TSAN", *RT_INCLUDES]
        compiled(["cc", *flags, "p.c", BUILD / "lib" / "libcilkrt-tsan.a", "-o", name], cwd=tmp_path)
        result = command([tmp_path / name], env={"TSAN_OPTIONS": "exitcode=66"})
        assert result.status == status and ("lock-order-inversion" in result.err) == (status == 66), str(result)
