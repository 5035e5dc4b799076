"""`cilkc profile` of threads of Cilk-1: exact units, each thread's part, the same on any number of workers."""

import json

import pytest

from conftest import CILKC, ROOT, command

pytestmark = pytest.mark.tier("check")

SAMPLES = ROOT / "samples"


def profile(file, *words, env=None):
    result = command([CILKC, "profile", "--json", file, "--", *words], env=env, timeout=300)
    assert result.status == 0, str(result)
    return json.loads(result.out[result.out.index("{\n"):])


def rows(found):
    return {t["name"]: t for t in found["threads"]}


def test_parts_are_the_whole_and_threads_are_counted():
    found = profile(SAMPLES / "cilk1-queens.cilk1", "8", "3")
    threads = rows(found)
    assert set(threads) == {"queens", "add"} and found["unit"] == "units" and found["computations"] == 1
    assert sum(t["work"] for t in threads.values()) <= found["work"] <= 1.01 * sum(t["work"] for t in threads.values())
    # a waiting add for each placement but the first
    assert threads["queens"]["calls"] == threads["add"]["calls"] + 1
    assert 0 < threads["add"]["longest"] <= found["span"] < found["work"]


@pytest.mark.parametrize("nproc", ("2", "4"))
def test_it_does_not_depend_on_the_workers(nproc):
    """The critical path, too: closures carry it along. Which of them are sent to from elsewhere is different in each
    run."""
    one, more = (
        profile(SAMPLES / "cilk1-knary.cilk1", "5", "4", "1", "100", env={"CILK_NPROC": n}) for n in ("1", nproc)
    )
    assert (one["work"], one["span"], rows(one)) == (more["work"], more["span"], rows(more))


CHAIN = r"""
static int work(int n) { volatile int i; for (i = 0; i < n; i++) ; return n; }
thread join(cont int k, int x, int y) { send_argument(k, x + y); }
thread piece(cont int k, int n) { send_argument(k, work(n)); }
thread main(cont int k, int argc, char *argv[])
{
    cont int x, y;
    spawn_next join(k, ?x, ?y);
    spawn piece(x, 1000);
    spawn piece(y, 3000);
}
"""


def test_the_longer_child_is_the_critical_path(tmp_path):
    (tmp_path / "chain.cilk1").write_text(CHAIN)
    result = command([CILKC, "profile", "--json", "chain.cilk1"], cwd=tmp_path, timeout=300)
    assert result.status == 4000 % 256, str(result)
    found = json.loads(result.out[result.out.index("{\n"):])
    piece = rows(found)["piece"]
    assert piece["calls"] == 2 and piece["longest"] == pytest.approx(0.75 * piece["work"], rel=0.02)
    assert piece["longest"] < found["span"] < 1.05 * piece["longest"] and found["status"] == result.status


def test_the_table_and_what_it_refuses():
    result = command(
        [CILKC, "profile", "--top", "1", SAMPLES / "cilk1-ray.cilk1", "-lm", "--", "20", "20"], timeout=300
    )
    assert result.status == 0 and "critical path" in result.out and "(and 1 more; --top N)" in result.out, str(result)
    refused = command([CILKC, "profile", "--sweep", SAMPLES / "cilk1-ray.cilk1", "-lm"], timeout=300)
    assert refused.status != 0 and "is for procedures of Cilk-5" in refused.err and "Traceback" not in refused.err, str(
        refused
    )


MIXED = r"""
static long spin(int n) { volatile int i; for (i = 0; i < 2000; i++) ; return n; }
thread add(cont long k, long a, long b) { send_argument(k, a + b); }
thread leaf(cont long k, int n) { send_argument(k, spin(n)); }
cilk long f5(int n) { long a, b; if (n < 2) return spin(n); a = spawn f5(n - 1); b = spawn f5(n - 2); sync; return a + b; }
thread both(cont long k, int n) { cont long a, b; spawn_next add(k, ?a, ?b); spawn f5(a, n); spawn f5(b, n); }
cilk long leaves(int n) { long a, b; if (n < 2) { a = spawn leaf(n); sync; return a; } a = spawn leaves(n - 1); b = spawn leaves(n - 2); sync; return a + b; }
cilk int main(void) { long a; a = spawn WHICH; sync; return a != WANT; }
"""


@pytest.mark.parametrize("nproc", ("1", "4"))
@pytest.mark.parametrize("which, want, leaves, parallel", [("both(9)", 68, 110, 25), ("leaves(9)", 34, 55, 12), ("f5(9)", 34, 55, 12)])
def test_procedures_and_threads(which, want, leaves, parallel, nproc, tmp_path):
    """Threads that call procedures, and the reverse: the work is that of all leaves, and they run beside each other.
    The third one is the measure: no thread is in it."""
    (tmp_path / "mixed.cilk1").write_text(MIXED.replace("WHICH", which).replace("WANT", str(want)))
    if which.startswith("f5"):
        (tmp_path / "mixed.cilk1").write_text(
            (tmp_path / "mixed.cilk1")
            .read_text()
            .replace("spawn f5(9); sync;", "spawn leaf(1); sync; a = spawn f5(9); sync;")
        )
    result = command([CILKC, "profile", "--json", "mixed.cilk1"], cwd=tmp_path, env={"CILK_NPROC": nproc}, timeout=300)
    assert result.status == 0, str(result)
    found = json.loads(result.out[result.out.index("{\n"):])
    assert found["work"] > 2000 * leaves and found["work"] / found["span"] > parallel * 0.4, found
    lines = (tmp_path / "mixed.cilk1").read_text().splitlines()
    assert all(lines[row["line"] - 1].startswith("thread ") for row in found["threads"]), found["threads"]
    if which.startswith("both"):        # the parts are the whole
        parts = sum(row["work"] for row in found["threads"])
        assert found["procedures_work"] + parts == found["work"] and parts < found["work"] / 100, found
