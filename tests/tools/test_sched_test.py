"""`cilkc sched-test`: schedulers with an error are found and named, right ones pass; what it prints, and its status."""

import json
import re

import pytest

from conftest import CILKC, ROOT, command, compiled

pytestmark = pytest.mark.tier("test")

HERE = ROOT / "tests" / "sched"


def sched_test(*words, **keywords):
    return command([CILKC, "sched-test", "--timeout", "30", "--runs", "1", *words], timeout=300, **keywords)


@pytest.mark.parametrize("name,program,verdict,message", [
    ("loses", "tree-of-structs", "hang", "scheduler 'loses' has "),
    ("twice", "c-main-nested-export", "crash", "scheduler 'twice' returned a fiber that "),
    ("leaves", "tree-of-structs", "hang", "in which no worker ran anything. Scheduler 'leaves' must take them: next() of that worker by Cilk_deque_get"),
    ("first", "c-main-nested-export", "hang", "it stops its search at a fiber for which Cilk_may_run is false"),
    ("crashes", "tree-of-structs", "crash", "Cilk: scheduler 'crashes' crashes in find()"),
    ("blocks", "tree-of-structs", "hang", "is in ready() of scheduler 'blocks' for "),
    ("searches", "tree-of-structs", "hang", "the computation is over, but worker N is in find() of scheduler 'searches' for "),
])
def test_errors_are_found(name, program, verdict, message, tmp_path):
    seconds = ["--timeout", "3"] if name in ("blocks", "searches") else []
    result = sched_test(*seconds, HERE / "wrong" / (name + ".c"), "--programs", program, env={"TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []
    lines = result.out.splitlines()
    assert result.status == 1 and lines[0].split()[:2] == [program, verdict], str(result)
    assert message in re.sub(r"worker \d", "worker N", result.out), str(result)
    assert re.search(
        r"to repeat it: cilkc build -O1 -cilk-debug --spawn=(lazy|eager) .*%s.c -o p && ./p --sched=%s " % (name, name),
        result.out,
    ), str(result)
    assert lines[-1].startswith("scheduler '%s': 0 of 1 programs right, " % name) and "\r" not in result.err, str(
        result
    )


def test_a_fiber_is_not_returned_from_a_queue_that_has_it(tmp_path):
    """The fiber that is handed out twice has come back and waits in the queue: with it there twice the queue would be a
    circle, and the search would not end."""
    compiled([CILKC, "-O1", "-w", "-cilk-debug", "--spawn=eager", HERE.parent / "run/many-children.cilk", HERE / "wrong/twice.c", "-o", "p"], cwd=tmp_path)
    result = command(["timeout", "60", "./p", "--sched=twice", "--nproc", "1", "--force-steal", "always"], cwd=tmp_path, timeout=300)
    assert "scheduler 'twice' returned a fiber that is still on a Cilk_queue" in result.err and result.status == 1, str(
        result
    )


def test_a_lost_fiber_is_named_where_a_seed_decides(tmp_path):
    """There the clock hardly moves while all workers are idle: their turns count."""
    compiled([CILKC, "-O1", "-w", "-cilk-debug", HERE.parent / "run/tree-of-structs.cilk", HERE / "wrong/loses.c", "-o", "p"], cwd=tmp_path)
    result = command(["timeout", "-s", "QUIT", "4", "./p", "--sched=loses", "--sched=pct:1:2", "--force-steal", "always"], cwd=tmp_path, timeout=100)
    assert "Cilk: scheduler 'loses' has " in result.err, str(result)


@pytest.mark.parametrize(
    "how,name", [("Cilk_start(", "leaf"), ('Cilk_with("steal", 1, ', "Cilk_with")], ids=["procedure", "seat"]
)
def test_a_lost_fiber_may_be_a_computation(how, name, tmp_path):
    """It has no line: the worker of a nested scheduler is at none, and a procedure is at its begin."""
    (tmp_path / "p.cilk").write_text("""#include <cilk-start.h>
cilk int leaf(int n) { return n; }
extern int EXPORT(leaf)(CilkContext *const, int);
cilk int main(void) { int r; Cilk_wait(%sleaf, 7), &r); return r; }
""" % how)
    words = [CILKC, "-O1", "-w", "-cilk-debug", "p.cilk", HERE / "wrong/starts.c", "-o", "p"]
    compiled(words, cwd=tmp_path)
    words = ["timeout", "-s", "QUIT", "4", "./p", "--sched=starts", "--sched=pct:1:2"]
    result = command(words, cwd=tmp_path, timeout=100)
    lost = "scheduler 'starts' has 1 fiber, 1 of which could run, .* One is %s \\(CILK_WHY_STARTED\\): " % name
    assert re.search(lost, result.err), str(result)


@pytest.mark.tier("all")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["favourite", "edf", "near"])
def test_right_ones_pass(name):
    result = sched_test(HERE / (name + ".c"))
    assert result.status == 0 and len(re.findall(r" right +", result.out)) > 25, str(result)


def test_json_and_a_scheduler_of_the_runtime():
    result = sched_test("--scheduler", "roundrobin:50us", "--programs", "inlet-several,started", "--json")
    found = json.loads(result.out)
    assert result.status == 0 and found["scheduler"] == "roundrobin:50us" and found["right"], str(result)
    assert [(entry["name"], entry["verdict"]) for entry in found["programs"]] == [
        ("inlet-several", "right"),
        ("started", "right"),
    ]


@pytest.mark.parametrize("words,message", [
    (["absent.c"], "absent.c: No such file or directory"),
    (["folder.c"], "folder.c: Is a directory"),
    ([], "expected a file with a scheduler, or --scheduler NAME"),
    (["none.c"], "none.c brings no scheduler along: CILK_SCHEDULER(object) makes one known"),
    (["bad.c"], "bad.c does not compile"),
    (["whole.cilk"], "whole.cilk is a program: it defines main, and a scheduler's file has none"),
    (["whole.c"], "whole.c is a program: it defines main, and a scheduler's file has none"),
    (["--scheduler", "gong"], "there is no scheduler 'gong'"),
    (["--scheduler", "gang", "--programs", "inlet-severel"], "there is no program 'inlet-severel'; did you mean 'inlet-several'?"),
])
def test_what_cannot_be_tested(tmp_path, words, message):
    (tmp_path / "none.c").write_text("int unused;\n")
    (tmp_path / "folder.c").mkdir()
    (tmp_path / "bad.c").write_text("int f( {\n")
    (tmp_path / "whole.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "whole.cilk").write_text("cilk int main(void) { return 0; }\n")
    result = sched_test(*words, cwd=tmp_path)
    assert result.status == 2 and message in result.err and result.out == "" and "Traceback" not in result.err, str(
        result
    )


@pytest.mark.waits
def test_a_build_without_checks_says_that_nothing_runs(tmp_path):
    """Nothing but a note, for the scheduler may wait for something of its own. Programs under the runtime's schedulers
    never get it."""
    compiled([CILKC, "-O1", ROOT / "samples/fib.cilk", HERE / "wrong/loses.c", "-o", "fib"], cwd=tmp_path)
    result = command(
        ["timeout", "-k", "1", "15", "./fib", "--sched=loses", "--nproc", "2", "--force-steal", "random", "20"],
        cwd=tmp_path,
        timeout=300,
    )
    assert (
        result.status != 0
        and result.err.count("has scheduler 'loses' lost a fiber? A build with -cilk-debug says which") == 1
    ), str(result)
