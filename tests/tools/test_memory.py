"""`cilkc memory`: the marks are those of an exhaustive search through the schedules of small random programs, and of
closed forms; they name the lines that allocate."""

import json
import os
import random
import re
import subprocess

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command
from pages import shown

pytestmark = pytest.mark.tier("check")

WORKERS = "1-4"


def memory(path, *options, arguments=(), status=0, cwd=None, nproc=WORKERS):
    result = command(
        [CILKC, "memory", "--json", "--no-measure", "--nproc", nproc, *options, path, "--", *map(str, arguments)],
        cwd=cwd,
    )
    assert result.status == status, str(result)
    return json.loads(result.out), result


def marks(m, what="bytes"):
    return {row["workers"]: row[what] for row in m["marks"]}


# ---- against all schedules of small programs

ALLOC, FREE, SPAWN, SYNC = range(4)


def random_program(seed):
    """[ops of each instance]: (ALLOC, slot, bytes), (FREE, slot), (SPAWN, instance), (SYNC,). Slots are global; the FREE
    of a slot comes after its ALLOC."""
    chance = random.Random(seed)
    count = chance.randrange(3, 7)
    programs = [[] for _ in range(count)]
    children = [[] for _ in range(count)]
    for i in range(1, count):
        children[chance.randrange(max(0, i - 3), i)].append(i)
    slots = [0]

    def fill(i, given):
        """The slots that are allocated when it is done; `given`: blocks of its parent's that it may free."""
        ops, mine, out = programs[i], given, []
        for child in children[i] + [None]:
            for _ in range(chance.randrange(0, 3)):
                if mine and chance.random() < 0.45:
                    ops.append((FREE, mine.pop(chance.randrange(len(mine)))))
                else:
                    slots[0] += 1
                    ops.append((ALLOC, slots[0], 100 * chance.randrange(1, 60)))
                    mine.append(slots[0])
            if child is not None:
                ops.append((SPAWN, child))
                handed = [slot for slot in mine if chance.random() < 0.4]
                mine = [slot for slot in mine if slot not in handed]
                out += fill(child, handed)
                if chance.random() < 0.3:
                    ops.append((SYNC,))
                    mine, out = mine + out, []
        ops.append((SYNC,))
        mine, out = mine + out, []
        while mine and chance.random() < 0.75:
            ops.append((FREE, mine.pop(chance.randrange(len(mine)))))
        return mine
    fill(0, [])
    return programs, slots[0]


def text_of(programs, slots):
    bodies = []
    for i, ops in enumerate(programs):
        lines = []
        for op in ops:
            lines.append(
                {ALLOC: "s[%d] = malloc(%d);", FREE: "free(s[%d]);", SPAWN: "spawn f%d();", SYNC: "sync;"}[op[0]]
                % tuple(op[1:])
            )
        bodies.append("static cilk void f%d(void) {\n  %s\n}\n" % (i, "\n  ".join(lines)))
    return (
        "#include <stdlib.h>\nstatic void *volatile s[%d];\n" % (slots + 1)
        + "".join("static cilk void f%d(void);\n" % i for i in range(len(programs)))
        + "".join(bodies)
        + "cilk int main(void) { spawn f0(); sync; return 0; }\n"
    )


def worst(programs, workers, closures):
    """The most memory of any state that a scheduler can bring about: by trying all of them.

    A state: for each instance where it is in its text, and whether a worker is on it. A worker goes on in its
    strand. Where a worker meets a spawn it goes on with the child or with the continuation. Where a worker meets a
    sync or the end it goes on with whatever is ready. An idle worker takes whatever is ready. An instance that has
    begun and has not ended has a worker on it or below it: a worker leaves an instance only if another worker is in
    there.
    """
    size = {op[1]: op[2] for ops in programs for op in ops if op[0] == ALLOC}
    parent, children = {}, {i: [] for i in range(len(programs))}
    for i, ops in enumerate(programs):
        for op in ops:
            if op[0] == SPAWN:
                parent[op[1]] = i
                children[i].append(op[1])
    NEW, DONE = -1, 99
    start = (tuple([0] + [NEW] * (len(programs) - 1)), frozenset([0]), closures[0])

    def spawned(i, where):
        return [op[1] for op in programs[i][:where] if op[0] == SPAWN]

    def busy(at, on, i):
        return i in on or any(busy(at, on, c) for c in children[i] if at[c] not in (NEW, DONE))

    def ready(at, on):
        """Instances that a worker may take up: children that were spawned, and continuations."""
        found = []
        for i, where in enumerate(at):
            if i in on or where == DONE:
                continue
            if where == NEW:
                up = parent.get(i)
                if up is not None and at[up] not in (NEW,) and (at[up] == DONE or i in spawned(up, at[up])):
                    found.append(i)
            elif where < len(programs[i]) and programs[i][where][0] == SYNC:
                if all(at[c] == DONE for c in spawned(i, where)):
                    found.append(i)
            else:
                found.append(i)
        return found

    def legal(at, on):
        return len(on) <= workers and all(where in (NEW, DONE) or busy(at, on, i) for i, where in enumerate(at))

    most, seen, todo = closures[0], {start[:2]}, [start]
    while todo:
        at, on, bytes_ = todo.pop()
        most = max(most, bytes_)

        def reach(new_at, new_on, new_bytes):
            if legal(new_at, new_on) and (new_at, new_on) not in seen:
                seen.add((new_at, new_on))
                todo.append((new_at, new_on, new_bytes))

        def take(at, on, bytes_, i):
            """A worker takes up what is ready."""
            if at[i] == NEW:
                begun = list(at)
                begun[i] = 0
                return tuple(begun), on | {i}, bytes_ + closures[i]
            if at[i] < len(programs[i]) and programs[i][at[i]][0] == SYNC:
                passed = list(at)
                passed[i] += 1
                return tuple(passed), on | {i}, bytes_
            return at, on | {i}, bytes_

        if len(on) < workers:
            for i in ready(at, on):
                reach(*take(at, on, bytes_, i))
        for i in on:
            now = list(at)
            if at[i] == len(programs[i]):
                now[i] = DONE
                left, gone = on - {i}, bytes_ - closures[i]
            else:
                op = programs[i][at[i]]
                if op[0] in (ALLOC, FREE):
                    now[i] += 1
                    reach(tuple(now), on, bytes_ + (size[op[1]] if op[0] == ALLOC else -size[op[1]]))
                    continue
                if op[0] == SPAWN:
                    now[i] += 1
                left, gone = on - {i}, bytes_
            then = tuple(now)
            most = max(most, gone if then[0] != DONE else 0)
            for j in ready(then, left):
                reach(*take(then, left, gone, j))
            reach(then, left, gone)
    return most


@pytest.mark.sample(4, "test", 2)
@pytest.mark.parametrize("seed", range(1, 41))
def test_marks_are_those_of_all_schedules(seed, tmp_path):
    programs, slots = random_program(seed)
    (tmp_path / "p.cilk").write_text(text_of(programs, slots))
    m, _ = memory("p.cilk", "--threshold", "4000", cwd=tmp_path)
    closures = {g["procedure"]: g["bytes"] // g["blocks"] for g in m["allocations"] if g["what"] == "closures"}
    assert all(n > 0 for n in closures.values()) and len(closures) == len(programs) + 1
    found = marks(m)
    expected = {
        p: closures["main"] + worst(programs, p, [closures["f%d" % i] for i in range(len(programs))])
        for p in range(1, 5)
    }
    assert found == expected
    # The heap has marks of its own: those of a program whose closures have no bytes.
    assert marks(m, "heap") == {p: worst(programs, p, [0] * len(programs)) for p in range(1, 5)}
    # What a mark is made up of is all of it; the approximate answers do not contradict the exact ones.
    for row in m["marks"]:
        assert sum(s["bytes"] for s in row["sites"]) == row["bytes"]
        assert sum(s["bytes"] for s in row["sites"] if s["what"] == "closures") == row["closures"]
        assert row["bytes"] - row["closures"] <= row["heap"] <= row["bytes"]
    for a in m["threshold"]["answers"]:
        assert {
            "never more": found[a["workers"]] <= 4000,
            "more than half": found[a["workers"]] > 2000,
            "not known": True,
        }[a["answer"]]


def test_the_search_itself():
    """It knows what is plain: two children at once need two workers, and one that is done keeps what it did not
    free."""
    both = [[(SPAWN, 1), (SPAWN, 2), (SYNC,)], [(ALLOC, 1, 10), (FREE, 1)], [(ALLOC, 2, 20), (FREE, 2)]]
    assert [worst(both, p, [0, 0, 0]) for p in (1, 2, 3)] == [20, 30, 30]
    kept = [[(SPAWN, 1), (SPAWN, 2), (SYNC,)], [(ALLOC, 1, 10)], [(ALLOC, 2, 20), (FREE, 2)]]
    assert worst(kept, 1, [0, 0, 0]) == 30


# ---- closed forms

def test_children_beside_each_other(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <stdlib.h>
static cilk void work(size_t n) { char *p = malloc(n); p[0] = 1; free(p); }
cilk int main(void) {
  int i;
  char *base = malloc(1000);
  for (i = 0; i < 8; i++) spawn work(1 << 20);
  sync;
  free(base);
  return 0;
}
""")
    m, _ = memory("p.cilk", cwd=tmp_path, nproc="1,2,4,8,16")
    assert marks(m, "heap") == {p: 1000 + min(p, 8) * (1 << 20) for p in (1, 2, 4, 8, 16)}
    top = m["marks"][-1]["sites"][0]
    assert (top["line"], top["procedure"], top["what"], top["bytes"]) == (2, "work", "malloc", 8 << 20)
    assert m["left_at_exit"]["bytes"] == 0 and m["serial"]["heap"] == 1000 + (1 << 20)


@pytest.mark.parametrize("depth", [1, 5, 10])
def test_a_tree_of_temporaries(depth, tmp_path):
    """Each level keeps n bytes while its two halves run: a chain on one worker; on p of them, the largest part of the
    tree with p leaves."""
    (tmp_path / "p.cilk").write_text("""#include <stdlib.h>
static cilk void half(int n) {
  char *p = malloc(1 << n);
  p[0] = 1;
  if (n) { spawn half(n - 1); spawn half(n - 1); sync; }
  free(p);
}
cilk int main(int argc, char **argv) { spawn half(atoi(argv[1])); sync; return 0; }
""")
    m, _ = memory("p.cilk", arguments=[depth], cwd=tmp_path, nproc="1,2,3,4,7,8")

    def most(n, p):
        if p == 0:
            return 0
        return (1 << n) + (max(most(n - 1, i) + most(n - 1, p - i) for i in range(p // 2 + 1)) if n else 0)
    assert marks(m, "heap") == {p: most(depth, p) for p in (1, 2, 3, 4, 7, 8)}


def test_every_allocator_counts_what_was_asked_for(tmp_path):
    (tmp_path / "p.cilk").write_text(
        """#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static cilk void frames(int n) { char *p = Cilk_alloca(n); char a[n]; p[0] = a[0] = 1; }
cilk int main(void) {
  void *v, *(*allocate)(size_t) = malloc, (*give)(void *) = free;
  char *a = malloc(100), *b = calloc(10, 20), *c = aligned_alloc(64, 640), *d = strdup("12345"), *e, *line = NULL;
  size_t room = 0;
  a = realloc(a, 1000);
  if (posix_memalign(&v, 64, 3000)) return 1;
  if (asprintf(&e, "%d", 123456) != 6) return 1;
  if (getline(&line, &room, stdin) != 6 || realloc(line, (size_t)-1 / 2) || reallocarray(line, (size_t)-1, 2)) return 1;
  free(allocate(7));
  spawn frames(5000);
  sync;
  give(a); free(b); free(c); free(d); free(v); free(e); free(line); free(NULL);
  return 0;
}
""".replace(
            "*(*allocate)(size_t) = malloc, (*give)(void *) = free;",
            "*(*allocate)(size_t) = malloc;\n  void (*give)(void *) = free;",
        )
    )
    made = subprocess.run(
        [CILKC, "memory", "--json", "--no-measure", "-w", "p.cilk"],
        cwd=tmp_path,
        input="hello\n",
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
    )
    m = json.loads(made.stdout)
    got = {g["what"]: g["bytes"] for g in m["allocations"] if g["what"] not in ("closures", "malloc", "realloc")}
    assert got.pop("getline") >= 7
    assert got == {
        "calloc": 200,
        "aligned_alloc": 640,
        "strdup": 6,
        "posix_memalign": 3000,
        "asprintf": 7,
        "a call by address": 7,
        "Cilk_alloca": 5000,
        "variable-length array": 5000,
    }
    assert m["left_at_exit"]["bytes"] == 0
    room = [g["bytes"] for g in m["allocations"] if g["what"] == "getline"][0]
    assert m["serial"]["heap"] == 1000 + 200 + 640 + 6 + 3000 + 7 + room + 10000


def test_what_outlives_its_procedure_is_reported(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <stdlib.h>
static char *kept[10];
static cilk void leak(int i) { kept[i] = malloc(500); }
cilk int main(void) { int i; for (i = 0; i < 10; i++) spawn leak(i); sync; for (i = 0; i < 9; i++) free(kept[i]); return 0; }
""")
    m, _ = memory("p.cilk", cwd=tmp_path)
    assert set(marks(m, "heap").values()) == {5000} and m["left_at_exit"]["bytes"] == 500
    text = command([CILKC, "memory", "p.cilk"], cwd=tmp_path)
    assert re.search(r"Not freed.*\n.*\n +500  p\.cilk:3  leak", text.out), str(text)


def test_a_bound_that_fewer_workers_exceed_is_reported(tmp_path):
    """A child frees what its parent allocated. So the parent alone may have all ten blocks, on any number of workers."""
    (tmp_path / "p.cilk").write_text("""#include <stdlib.h>
static cilk void drop(char *p) { free(p); }
cilk int main(void) { int i; for (i = 0; i < 10; i++) spawn drop(malloc(100000)); sync; return 0; }
""")
    words = "blocks outlive the procedures that allocate them"
    for workers, said in (
        ("2,16", ". 2 workers may need more than 2 times the serial run's: %s." % words),
        ("2,4", ". That is more than 4 times the serial run's: %s." % words),
        ("1,16", ". One worker may need more than the serial run's: %s." % words),
        ("16", "(99.9 %)."),
    ):
        text = command([CILKC, "memory", "-P", workers, "p.cilk"], cwd=tmp_path)
        assert text.out.rstrip().endswith(said), str(text)


def test_inlets_calls_from_c_and_the_path_of_the_child(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <stdlib.h>
static cilk int child(int n) { char *p = malloc(1000); p[0] = 1; free(p); return n; }
static cilk int all(void) {
  int sum = 0, i;
  char *block;
  inlet void add(int n) { char *q = malloc(300); q[0] = 1; sum += n; free(q); }
  for (i = 0; i < 3; i++) add(spawn child(i));
  sync;
  block = malloc(10);
  free(block);
  return sum;
}
cilk int main(void) { int s; s = spawn all(); sync; return s != 3; }
""")
    m, _ = memory("p.cilk", cwd=tmp_path)
    assert marks(m, "heap") == {1: 1000, 2: 2000, 3: 3000, 4: 3000}


CALLS = """#include <stdlib.h>
static void block(int n) { char *p = malloc(1000 * n); *(volatile char *)p = 1; free(p); }
static void two(int n) { cilk_spawn block(n); block(n); cilk_sync; }
static int sum(int n) { cilk_spawn block(n); return n; }
int main(void) { %s cilk_sync; return 0; }
"""


@pytest.mark.parametrize(
    "text, heap",
    [
        ("two(1); two(2); two(3);", [3, 6, 6]),
        ("cilk_spawn block(4); two(1); two(3);", [4, 7, 10]),
        ("int n = sum(2) + sum(3); if (n != 5) return 1;", [3, 3, 3]),
        ("cilk_spawn two(3); sum(2); cilk_spawn block(1);", [3, 6, 8]),
    ],
)
def test_a_call_that_is_waited_for_is_beside_no_later_one(text, heap, tmp_path):
    (tmp_path / "p.c").write_text(CALLS % text)
    m, _ = memory("p.c", "-fopencilk", cwd=tmp_path, nproc="1-3")
    assert marks(m, "heap") == {p: 1000 * n for p, n in enumerate(heap, 1)}


@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_every_level_says_the_same(level, tmp_path):
    programs, slots = random_program(7)
    (tmp_path / "p.cilk").write_text(text_of(programs, slots))
    first, second = memory("p.cilk", cwd=tmp_path)[0], memory("p.cilk", level, cwd=tmp_path)[0]
    assert first == second
    again = memory("p.cilk", "--spawn=eager", cwd=tmp_path)[0]
    assert marks(again, "heap") == marks(first, "heap")


def test_more_lines_than_groups(tmp_path):
    lines = "\n".join("  p[%d] = malloc(%d);" % (i, 10 + i) for i in range(60))
    (tmp_path / "p.cilk").write_text(
        "#include <stdlib.h>\nstatic void *p[60];\ncilk int main(void) {\n%s\n  return 0;\n}\n" % lines
    )
    m, _ = memory("p.cilk", cwd=tmp_path)
    assert (
        m["marks"][0]["heap"]
        == sum(10 + i for i in range(60))
        == sum(s["bytes"] for s in m["marks"][0]["sites"]) - m["marks"][0]["closures"]
    )
    assert any(s["what"] == "other lines" for s in m["marks"][0]["sites"])


def test_the_heap_is_measured_in_parallel(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <stdio.h>
#include <stdlib.h>
static cilk void work(int n) { char *p = malloc(100000); p[0] = 1; if (n) { spawn work(n - 1); spawn work(n - 1); sync; } free(p); }
cilk int main(void) { spawn work(8); sync; puts("done"); return 0; }
""")
    for strategy in STRATEGIES:
        result = command(
            [CILKC, "memory", "--json", "--nproc", "1,2,64", "--spawn=" + strategy, "p.cilk"], cwd=tmp_path
        )
        m = json.loads(result.out)
        assert result.err == "done\n"
        measured = marks(m, "measured_heap")
        assert measured[1] == 900000 == marks(m, "heap")[1] and measured[64] is None
        if len(os.sched_getaffinity(0)) >= 2:
            assert 900000 <= measured[2] <= marks(m, "heap")[2]


@pytest.mark.parametrize("name", ["strassen", "blockedmul", "cholesky", "fib", "knapsack", "inlets", "parallel", "queens"])
def test_samples(name):
    path = ROOT / "samples" / (name + ".cilk")
    words = re.search(r"^// ARGS: (.*)$", path.read_text(), re.M)
    m, _ = memory(path, arguments=words.group(1).split() if words else [], nproc="1,2,8")
    found = [row["bytes"] for row in m["marks"]]
    assert found == sorted(found) and found[0] >= m["serial"]["bytes"] > 0


def test_threshold(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "#include <stdlib.h>\nstatic cilk void work(void) { char *p = malloc(1000); p[0] = 1; free(p); }\n"
        "cilk int main(void) { int i; for (i = 0; i < 100; i++) spawn work(); sync; return 0; }\n"
    )
    for size, answers in (
        ("100000", ["never more"] * 4),
        ("900", ["more than half"] * 4),
        ("2200", ["more than half"] * 4),
        ("2800", ["never more"] + ["more than half"] * 3),
    ):
        m, _ = memory("p.cilk", "--threshold", size, cwd=tmp_path)
        assert [a["answer"] for a in m["threshold"]["answers"]] == answers, size
    text = command([CILKC, "memory", "p.cilk", "--threshold", "900"], cwd=tmp_path).out
    assert "Against 900 bytes" in text and "may be more than half of that" in text


KIDS = "int i; for (i = 0; i < 3; i++) spawn kid(); sync;"
SPAWNED = """static cilk void f(void) { free(block); %s }
cilk int main(void) { block = malloc(10000); spawn f(); sync; return 0; }
""" % KIDS
CALLED = """static CilkContext *context;
cilk void g(void) { %s }
extern void EXPORT(g)(CilkContext *const), EXPORT(f)(CilkContext *const);
static void call(void) { EXPORT(g)(context); }
cilk void f(void) { free(block); call(); }
int main(int argc, char **argv) {
  context = Cilk_init(&argc, argv);
  block = malloc(10000);
  EXPORT(f)(context);
  Cilk_terminate(context);
  return 0;
}
""" % KIDS


@pytest.mark.parametrize("rest", [SPAWNED, CALLED], ids=["spawned", "called"])
def test_a_past_that_has_freed_more_than_it_allocated_leaves_the_approximate_question_open(rest, tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <cilk.h>
#include <stdlib.h>
static void *block;
static cilk void kid(void) { char *p = malloc(20000); p[0] = 1; free(p); }
""" + rest)
    m, _ = memory("p.cilk", "--threshold", "29000", cwd=tmp_path)
    assert [a["answer"] for a in m["threshold"]["answers"]] == [
        "not known", "not known", "more than half", "more than half"
    ]
    assert marks(m, "heap") == {1: 20000, 2: 40000, 3: 60000, 4: 60000}


# ---- what goes wrong

def source(tmp_path, text):
    (tmp_path / "p.cilk").write_text(text)
    return "p.cilk"


def test_a_program_that_ends_by_exit(tmp_path):
    m, _ = memory(
        source(
            tmp_path,
            "#include <stdlib.h>\nstatic cilk void f(int n) { char *p = malloc(100); p[0] = 1; if (n == 0) exit(3); spawn f(n - 1); sync; free(p); }\n"
            "cilk int main(void) { spawn f(5); sync; return 0; }\n",
        ),
        status=3,
        cwd=tmp_path,
    )
    assert m["status"] == 3 and m["marks"][0]["heap"] == 600 and m["left_at_exit"]["heap"] == 600
    assert [p.name for p in tmp_path.iterdir()] == ["p.cilk"]


def test_frees_that_are_wrong_are_the_librarys_to_judge(tmp_path):
    result = command(
        [
            CILKC,
            "memory",
            source(
                tmp_path,
                "#include <stdlib.h>\nstatic int x;\ncilk int main(void) { int *p = &x; free(p + 1); return 0; }\n",
            ),
            "-w",
        ],
        cwd=tmp_path,
    )
    assert result.status == 134 and "SIGABRT ended the program" in result.err


def test_a_deep_chain(tmp_path):
    source(
        tmp_path,
        "#include <stdlib.h>\nstatic cilk void f(int n) { char *p = malloc(10); p[0] = 1; if (n > 1) { spawn f(n - 1); sync; } free(p); }\n"
        "cilk int main(void) { spawn f(20000); sync; return 0; }\n",
    )
    m, _ = memory("p.cilk", cwd=tmp_path, nproc="1,1024")
    assert marks(m, "heap") == {1: 200000, 1024: 200000}


def test_a_program_without_cilk_and_plain_columns(tmp_path):
    (tmp_path / "p.c").write_text(
        "#include <stdlib.h>\nint main(void) { char *p = malloc(10); p[0] = 1; free(p); return 4; }\n"
    )
    result = command([CILKC, "memory", "p.c"], cwd=tmp_path)
    assert (
        result.status == 4 and re.search(r"^ +1 +10 +0 +10 +1\.00", result.out, re.M) and "\x1b" not in result.out
    ), str(result)


# ---- the page ----

def test_the_page_works_alone(tmp_path):
    """In a browser without a network and without complaints: the curve, a dot for each number of workers, the bars, the
    tables."""
    result = command(
        [CILKC, "memory", ROOT / "samples/strassen.cilk", "--nproc", "1-4,8", "--html", "m.html", "--", "128"],
        cwd=tmp_path,
    )
    assert result.status == 0, str(result)
    assert "<script" not in (tmp_path / "m.html").read_text()
    text = shown(tmp_path / "m.html")
    assert text.count('class="dot"') == 5 and text.count('class="curve"') == 1
    assert "What 8 workers may have then" in text
    assert 1 <= text.count('class="cross"') <= 5 and "strassen.cilk:" in text


def test_files_by_o(cilkc, tmp_path):
    """-o makes what the name says. The page explains what is there."""
    fib = ROOT / "samples" / "fib.cilk"
    result = cilkc("memory", "--no-measure", "-P", "1,2", "-o", "m.html", "-o", "m.svg", "-o", "m.json", fib, "--", "8")
    assert result.status == 0, str(result)
    page = (tmp_path / "m.html").read_text()
    assert (
        page.startswith("<!DOCTYPE html>")
        and "crosses" not in page
        and (tmp_path / "m.svg").read_text().startswith("<svg")
    )
    assert json.loads((tmp_path / "m.json").read_text())["marks"]
