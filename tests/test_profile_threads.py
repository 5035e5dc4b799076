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
    assert threads["queens"]["calls"] == threads["add"]["calls"] + 1             # a waiting add for each placement but the first
    assert 0 < threads["add"]["longest"] <= found["span"] < found["work"]


@pytest.mark.parametrize("nproc", ("2", "4"))
def test_it_does_not_depend_on_the_workers(nproc):
    """The critical path, too: closures carry it along. Which of them are sent to from elsewhere is different in each run."""
    one, more = (profile(SAMPLES / "cilk1-knary.cilk1", "5", "4", "1", "100", env={"CILK_NPROC": n}) for n in ("1", nproc))
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
    result = command([CILKC, "profile", "--top", "1", SAMPLES / "cilk1-ray.cilk1", "-lm", "--", "20", "20"], timeout=300)
    assert result.status == 0 and "critical path" in result.out and "(and 1 more; --top N)" in result.out, str(result)
    refused = command([CILKC, "profile", "--sweep", SAMPLES / "cilk1-ray.cilk1", "-lm"], timeout=300)
    assert refused.status != 0 and "is for procedures of Cilk-5" in refused.err and "Traceback" not in refused.err, str(refused)
