"""`cilkc step`: a run on a page, with values. They are compared with what the program itself prints at the same place,
under other schedules and levels; the page is read in a browser."""

import json
import re

import pytest

from conftest import CILKC, ROOT, command
from pages import shown

pytestmark = pytest.mark.tier("check")

SUM = """#include <stdio.h>
static int total;
cilk void add(int n)
{
    if (n == 0)
        return;
    total += n;
    spawn add(n - 1);
    sync;
}
cilk int main(void)
{
    spawn add(3);
    spawn add(4);
    sync;
    printf("%d\\n", total);
    return 0;
}
"""
# What it prints is what the page must have for the step that prints it.
PRINTS = """#include <stdio.h>
#include <stdlib.h>
struct node { int value; double half; struct node *next; };
static struct node *first;
static int table[6];
static unsigned char small;
static struct { short a; unsigned b : 3; int c : 5; } bits;
static void show(int k) { long square = (long)k * k; printf("k=%d square=%ld\\n", k, square); }
cilk int work(int n, double w)
{
    int x, y;
    if (n < 2) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = n;
        fresh->half = w / 2;
        fresh->next = first;
        first = fresh;
        small += 100;
        return n;
    }
    x = spawn work(n - 1, w + 0.25);
    y = spawn work(n - 2, w - 0.25);
    sync;
    table[n] = x + y;
    bits.a = -n; bits.b = n; bits.c = -n;
    printf("n=%d w=%g x=%d y=%d table=%d,%d,%d small=%d bits=%d,%d,%d\\n",
           n, w, x, y, table[1], table[2], table[3], small, bits.a, bits.b, bits.c);
    show(x + y);
    return x + y;
}
cilk int main(void)
{
    int r;
    r = spawn work(5, 1.5);
    sync;
    int many[3] = {r, r + 1, -r};
    printf("r=%d many=%d,%d,%d\\n", r, many[0], many[1], many[2]);
    return 0;
}
"""
OPENCILK = PRINTS.replace("cilk int main", "int main").replace("cilk int work", "int work").replace(
    "spawn", "cilk_spawn").replace("sync;", "cilk_sync;").replace("<stdlib.h>", "<stdlib.h>\n#include <cilk/cilk.h>")


def stepped(folder, text, *options, status=0, name="p.cilk", arguments=()):
    (folder / name).write_text(text)
    result = command([CILKC, "step", "-w", "-o", "p.html", *options, name, "--", *arguments], cwd=folder, timeout=120)
    assert result.status == status and "Traceback" not in result.err, str(result)
    return data_of(folder / "p.html"), result


def data_of(page):
    text = re.search(r'id="data">(.*?)</script>', page.read_text(), re.S)[1]
    return json.loads(text)


def patched(old, change):
    if not change:
        return old
    if change[0] < 0:
        return [patched(one, inner) for one, inner in zip(old, change[1])]
    return old[:change[0]] + change[2] + (old[len(old) - change[1]:] if change[1] else [])


def states(data):
    """(step, its lists, leaves, frames) of each step."""
    lists, leaves, frames = {"stacks": [], "pending": [], "deques": [], "waiting": [], "locks": []}, {}, {}
    for step in data["steps"]:
        for name in lists:
            lists[name] = patched(lists[name], step.get(name))
        leaves.update(zip(step.get("c", [])[::2], step.get("c", [])[1::2]))
        if "frames" in step:
            frames[step["frames"][0]] = step["frames"][1]
        yield step, dict(lists), leaves, frames


def values(data, lists, leaves, frames, step):
    """name -> text of the innermost frame of the running worker and of global variables; arrays and records as lists."""
    def of(shape):
        if isinstance(shape, int):
            return leaves.get(shape, "?")
        return [of(one) for one in shape.get("a") or [m[1] for m in shape["m"]]]
    found = {v["n"]: of(v["s"]) for v in data["variables"] if v["o"] == -1}
    instance = lists["stacks"][step["w"]][-1]
    return {**found, **{data["variables"][k]["n"]: of(data["variables"][k]["s"]) for k in frames[instance][-1][1]}}


def compared(data, racy=()):
    """How many printed values are those of the page at the step that prints. racy: another worker may change them after
    they are read, and before that step."""
    lines, count = data["facts"]["output"].splitlines(), 0
    for step, lists, leaves, frames in states(data):
        if data["texts"][step["says"]].find("is about to call printf") < 0:
            continue
        line, here = lines.pop(0), values(data, lists, leaves, frames, step)
        for name, text in (word.split("=") for word in line.split()):
            if name in racy:
                continue
            wanted, got = text.split(","), here[name]
            if name == "table":
                got = got[1:4]
            assert wanted == ([got] if isinstance(got, str) else got), (line, name, here)
            count += 1
    assert not lines
    return count


@pytest.mark.parametrize("level", ["-O0", "-O2"], ids=["O0", "O2"])
@pytest.mark.parametrize("schedule", [[], ["-P", "1"], ["--seed", "1"], ["--seed", "7", "-P", "3"]],
                         ids=["shared", "alone", "drawn", "three"])
def test_values_are_those_that_the_program_prints(schedule, level, tmp_path):
    data, result = stepped(tmp_path, PRINTS, level, *schedule)
    racy = ("small", "table", "bits") if "--seed" in schedule else ()
    assert compared(data, racy) > 35 and data["facts"]["output"] == result.out
    assert schedule == ["-P", "1"] or data["facts"]["steals"] > 0


def test_values_in_opencilks_spelling(tmp_path):
    data, _ = stepped(tmp_path, OPENCILK, "-fopencilk", "--seed", "3", name="p.c")
    assert compared(data, ("small", "table", "bits")) > 35


def test_what_is_about_to_happen_and_what_has(tmp_path):
    data, _ = stepped(tmp_path, SUM, "-P", "2", "--schedule", "5=1")
    says = [data["texts"][s["says"]] for s in data["steps"]]
    assert says[4] == "worker 0 is about to write total (0 → 3), line 7 of add"
    done = [data["texts"][s["done"]] for s in data["steps"]]
    assert done[4] == "worker 0 wrote total (0 → 3)" and done[3] == "worker 0 read total (0)"
    # the worker is stopped there while the other one writes
    assert [w.partition(",")[0] for w in done if w.startswith("worker 1 wrote")][0] == "worker 1 wrote total (0 → 4)"
    assert data["why"] == ("worker 0 read total = 0 on line 7 before worker 1 wrote 10 there on line 7; worker 0 then "
                           "wrote 3, so what worker 1 had written was lost")


def test_a_receiver_waits_for_its_child(tmp_path):
    data, _ = stepped(tmp_path, PRINTS, "-P", "1")
    grey = {}
    for step, lists, leaves, frames in states(data):
        for instance in lists["stacks"][0]:
            for number in frames.get(instance, [["", []]])[0][1]:
                variable = data["variables"][number]
                if variable["n"] == "x" and leaves.get(variable["s"], "?") == "?" and number in lists["pending"]:
                    grey[number] = step["line"]
                elif variable["n"] == "x" and number in grey:
                    assert leaves[variable["s"]] != "?" or number in lists["pending"]
    assert len(grey) == 7               # of the instances of work that spawn
    assert {v.get("label") for v in data["instances"]} >= {"work(5, 1.5)", "work(4, 1.75)", "work(3, 1.25)"}


def test_structures_on_the_heap_are_linked(tmp_path):
    data, _ = stepped(tmp_path, PRINTS, "-P", "1")
    *_, (_, _, leaves, _) = states(data)
    objects = {k: v for k, v in enumerate(data["variables"]) if v["o"] == -2}
    at = next(leaves[v["s"]] for v in data["variables"] if v["n"] == "first")
    found = []
    while at != "NULL":
        members = dict(objects[int(at.partition("#")[2])]["s"]["m"])
        found.append(leaves[members["value"]])
        at = leaves[members["next"]]
    assert found == ["1", "0", "1", "0", "1", "1", "0", "1"]          # the leaves of fib's tree, the newest first


@pytest.mark.parametrize("text,said", [
    ("cilk int f(int n)\n{\n    int x, y;\n    if (n < 2)\n        return n;\n    x = spawn f(n - 1);\n    y = spawn f(n - 2);\n"
     "    return x + y;\n}\ncilk int main(void)\n{\n    int r;\n    r = spawn f(4);\n    sync;\n    return r == 3;\n}\n",
     "uses x on line 8 while f("),
    ("#include <cilk.h>\nstatic int money;\nstatic Cilk_lockvar lock;\ncilk void pay(int n)\n{\n    int had;\n    Cilk_lock(lock);\n"
     "    had = money;\n    Cilk_unlock(lock);\n    Cilk_lock(lock);\n    money = had + n;\n    Cilk_unlock(lock);\n}\n"
     "cilk int main(void)\n{\n    Cilk_lock_init(lock);\n    spawn pay(10);\n    spawn pay(20);\n    sync;\n    return money != 30;\n}\n",
     "worker 0 read money = 0 on line 8 before worker 1 wrote 20 there on line 11; worker 0 then wrote money = 10 on line "
     "11, still going by the old value"),
    ("#include <stdio.h>\ncilk int f(int n)\n{\n    return n;\n}\ncilk int main(void)\n{\n    int r;\n    r = spawn f(1);\n"
     "    r = spawn f(2);\n    sync;\n    return r != 2;\n}\n", "r gets the results of f(1) and f(2)"),
    ("#include <stdio.h>\ncilk void say(int n)\n{\n    printf(\"%d\\n\", n);\n}\ncilk int main(void)\n{\n    spawn say(1);\n"
     "    spawn say(2);\n    sync;\n    return 0;\n}\n",
     "called printf on line 4 before worker 0 called printf on line 4; without parallelism it is the other way round"),
], ids=["no-sync", "stale", "receiver", "print"])
def test_explore_says_why(text, said, tmp_path):
    (tmp_path / "p.cilk").write_text(text)
    result = command([CILKC, "explore", "-w", "--json", "--no-page", "p.cilk"], cwd=tmp_path, timeout=120)
    assert result.status == 1 and said in json.loads(result.out)["why"], str(result)


def test_a_right_program_is_not_blamed(tmp_path):
    for seed in range(4):
        data, _ = stepped(tmp_path, PRINTS.replace("fresh->next = first", "fresh->next = NULL"), "--seed", str(seed))
        assert "sync is missing" not in data["why"]


def test_the_page_in_a_browser(tmp_path):
    data, _ = stepped(tmp_path, PRINTS, "--seed", "1")
    page = tmp_path / "p.html"
    step = next(i for i, s in enumerate(data["steps"]) if i > 30 and "c" in s)
    text = shown(page, "#step=%d" % data["steps"][step]["n"])
    assert 'data-step="%d"' % step in text and 'class="name">table = <' in text and "work(5, 1.5)" in text
    assert re.search(r'class="value[^"]* changed"', text) and re.search(r'class="variable pending"', text)
    assert 'data-step="0"' in shown(page, "#step=100000")
    text = shown(page, "#step=%d" % data["steps"][-1]["n"])
    assert 'class="value pointer">→node' in text and "many=" in text


def test_five_thousand_steps_fit_and_end_the_run(tmp_path):
    """What would take hours, and return 3."""
    text = PRINTS.replace("work(5,", "work(90,").replace("table[6]", "table[100]").replace("return 0", "return 3")
    data, result = stepped(tmp_path, text)
    assert len(data["steps"]) == 5000 and (tmp_path / "p.html").stat().st_size < 2_000_000
    assert "shows 5000 points, after which the run was ended" in result.err and "CILK_EXPLORE" not in result.err
    assert data["facts"]["what"] == "" and result.out.startswith("n=2 ") and len(result.out.splitlines()) > 50


FUTURES = """#include <stdio.h>
cilk int start(int n) { return 10 * n; }
cilk int stage(future int *in, int k)
{
    int v = touch *in;
    return v + k;
}
cilk int main(void)
{
    future int a = spawn start(4);
    future int b = spawn stage(&a, 1);
    future int c[2];
    c[0] = spawn stage(&b, 2);
    c[1] = spawn stage(&c[0], 3);
    int r = touch c[1];
    sync;
    printf("a=%d b=%d c=%d,%d r=%d\\n", touch a, touch b, touch c[0], touch c[1], r);
    return 0;
}
"""


@pytest.mark.parametrize("schedule", ["1=0", "3=1"], ids=["filled", "waits"])
def test_a_future_has_a_value_when_its_child_has_returned(schedule, tmp_path):
    """By 3=1 each stage is begun before there is a value for it, and waits with the frame of main below it."""
    data, _ = stepped(tmp_path, FUTURES, "--schedule", schedule)
    assert compared(data) == 4
    waiting, touches = 0, []
    for step, lists, leaves, _ in states(data):
        full = {v["n"]: leaves.get(v["s"], "?") for v in data["variables"] if v["n"] in ("a", "b")}
        waits = [data["instances"][i]["name"] for i in lists["waiting"]]
        waiting = max(waiting, len(waits))
        touches.append(data["texts"][step["says"]].startswith("worker 1 is about to wait for a future"))
        assert not waits.count("stage") or schedule == "3=1" and full.get("b", "?") in ("?", "41")
    assert sum(touches) == waiting - (schedule == "3=1") == (3 if schedule == "3=1" else 0)
    assert {v["name"] for v in data["instances"]} == {"main", "start", "stage"}


def test_a_record_is_repeated(tmp_path):
    (tmp_path / "p.cilk").write_text(PRINTS)
    command([CILKC, "build", "-w", "-O2", "-cilk-explore", "--spawn=eager", "p.cilk", "-o", "p"], cwd=tmp_path)
    run = command(["./p", "--nproc", "2", "--sched=record:r.rec"], cwd=tmp_path)
    assert run.status == 0
    data, _ = stepped(tmp_path, PRINTS, "--from", "r.rec")
    assert compared(data, ("small", "table", "bits")) > 35


HEAP = """#include <stdio.h>
#include <stdlib.h>
#include <cilk.h>
struct pair { int first, second; };
static struct pair *pair;
static Cilk_lockvar lock;
cilk void set(int n)
{
    Cilk_lock(lock);
    pair->first = n;
    Cilk_unlock(lock);
}
cilk int main(void)
{
    Cilk_lock_init(lock);
    pair = malloc(sizeof *pair);
    printf("one\\n");
    spawn set(7);
    sync;
    printf("two\\n");
    pair->second = 8;
    printf("three\\n");
    return 0;
}
"""


def heap_steps(folder):
    data, _ = stepped(folder, HEAP, "-P", "1")
    return data, [(data["texts"][s["says"]], data["texts"][s["done"]], s.get("out"), lists, dict(leaves))
                  for s, lists, leaves, _ in states(data)]


def test_what_is_not_written_in_a_block_has_no_value(tmp_path):
    data, steps = heap_steps(tmp_path)
    first, second = next([m[1] for m in v["s"]["m"]] for v in data["variables"] if v["o"] == -2)
    pairs = [tuple(leaves.get(k, "?") for k in (first, second)) for *_, leaves in steps]
    assert list(dict.fromkeys(pairs)) == [("?", "?"), ("7", "?"), ("7", "8")]
    done = [text for _, text, *_ in steps]
    assert any("(? → 7)" in text for text in done) and any("(? → 8)" in text for text in done), done


def test_the_output_so_far(tmp_path):
    _, steps = heap_steps(tmp_path)
    printed, seen = 0, []
    for says, _, out, *_ in steps:
        printed = out or printed
        seen += [(says.partition(",")[0], printed)] if "printf" in says else []
    assert [n for _, n in seen] == [0, len("one\n"), len("one\ntwo\n")]


def test_a_lock_has_a_holder_until_it_is_released(tmp_path):
    _, steps = heap_steps(tmp_path)
    held = [(says, [(name, worker) for name, worker, *_ in lists["locks"]]) for says, _, _, lists, _ in steps]
    assert any("about to write pair->first" in says and locks == [("lock", 0)] for says, locks in held), held
    assert all(not locks for says, locks in held if "pair->second" in says or "acquire" in says)


def test_a_deadlock_ends_and_names_its_locks(tmp_path):
    text = ("#include <cilk.h>\nstatic Cilk_lockvar lock;\ncilk void f(void)\n{\n    Cilk_lock(lock);\n}\n"
            "cilk int main(void)\n{\n    Cilk_lock_init(lock);\n    spawn f();\n    spawn f();\n    sync;\n    return 0;\n}\n")
    data, result = stepped(tmp_path, text, status=1)
    assert "waits on line 5 for `lock`" in data["facts"]["what"] and "waits on line 5 for `lock`" in result.err
    *_, (_, lists, _, _) = states(data)
    assert [name for name, *_ in lists["locks"]] == ["lock"]


def test_the_frame_that_touches_is_where_a_popped_one_is(tmp_path):
    """Else what the deque held before, perhaps freed by now, is taken for the frame that returns."""
    made = command([CILKC, "step", "--seed", "1", ROOT / "samples" / "pipeline.cilk", "-o", "p.html"], cwd=tmp_path)
    assert "shows 5000 points" in made.err and "killed" not in made.err, str(made)
