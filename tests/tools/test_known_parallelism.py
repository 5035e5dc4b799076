"""Programs whose work, span and schedules are known in closed form: `cilkc profile` and `cilkc simulate` report them.

A unit is work(1000), so that what spawns and loops cost besides is a few hundredths. TIMES are greedy schedules,
with steals that cost nothing.
"""

import json

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("all")

UNIT = 4012
WORK = "static volatile long sink;\nstatic void work(long n) { for (long i = 0; i < n; i++) sink = i; }\n"
CILK = "#include <cilk/cilk.h>\n" + WORK

# By file: text, work, the least time (span, or what excludes each other), times on P processors.
PROGRAMS: "dict[str, tuple[str, float, float, dict[int, float]]]" = {
    "loop.cilk": (
        WORK
        + "cilk void child(void) { work(1000); }\ncilk int main(void) { for (int i = 0; i < 32; i++) spawn child(); sync; return 0; }\n",
        32,
        1,
        {8: 4, 16: 2},
    ),
    "halves.cilk": (
        WORK
        + "cilk void part(int n) { if (n == 1) { work(1000); return; } spawn part(n / 2); spawn part(n - n / 2); sync; work(1000 * n); }\n"
        "cilk int main(void) { spawn part(16); sync; return 0; }\n",
        16 * 5,
        31,
        {16: 31},
    ),
    "rounds.cilk": (
        WORK + "cilk void child(void) { work(1000); }\n"
        "cilk int main(void) { for (int k = 0; k < 5; k++) { for (int i = 0; i < 8; i++) spawn child(); sync; } return 0; }\n",
        40,
        5,
        {4: 10, 8: 5},
    ),
    "own-strands.cilk": (
        WORK + "cilk void child(void) { work(1000); }\n"
        "cilk int main(void) { spawn child(); work(3000); spawn child(); work(500); sync; work(500); return 0; }\n",
        6,
        4.5,
        {2: 4.5},
    ),
    "chain.cilk": (
        WORK
        + "cilk void link(int n) { work(1000); if (n) spawn link(n - 1); work(1000); sync; }\ncilk int main(void) { spawn link(9); sync; return 0; }\n",
        20,
        11,
        {8: 11},
    ),
    "inlets.cilk": (
        WORK + "cilk int child(void) { work(3000); return 1; }\ncilk int main(void)\n{\n    int s = 0;\n"
        "    inlet void take(int x) { s += x; for (long i = 0; i < 1000; i++) sink = i; }\n"
        "    for (int i = 0; i < 8; i++) take(spawn child());\n    sync;\n    return s != 8;\n}\n",
        32,
        11,
        {8: 11},
    ),
    "lock.cilk": (
        "#include <pthread.h>\n" + WORK + "static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void alone(void) { pthread_mutex_lock(&l); work(1000); pthread_mutex_unlock(&l); }\n"
        "cilk void child(void) { work(1000); alone(); }\ncilk int main(void) { for (int i = 0; i < 16; i++) spawn child(); sync; return 0; }\n",
        32,
        16,
        {16: 17},
    ),
    "lock-taken-again.cilk": (
        "#include <pthread.h>\n" + WORK + "static pthread_mutex_t l;\n"
        "static void inner(void) { pthread_mutex_lock(&l); work(1000); pthread_mutex_unlock(&l); }\n"
        "cilk void child(void) { pthread_mutex_lock(&l); inner(); pthread_mutex_unlock(&l); work(1000); }\n"
        "cilk int main(void)\n{\n    pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);\n"
        "    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);\n    pthread_mutex_init(&l, &a);\n"
        "    for (int i = 0; i < 8; i++) spawn child();\n    sync;\n    return 0;\n}\n",
        16,
        8,
        {8: 9},
    ),
    "spin-lock.cilk": (
        "#include <pthread.h>\n" + WORK + "static pthread_spinlock_t l;\n"
        "cilk void child(void) { work(1000); pthread_spin_lock(&l); work(1000); pthread_spin_unlock(&l); }\n"
        "cilk int main(void) { pthread_spin_init(&l, 0); for (int i = 0; i < 16; i++) spawn child(); sync; return 0; }\n",
        32,
        16,
        {16: 17},
    ),
    "grains.c": (
        CILK
        + "int main(void)\n{\n#pragma cilk grainsize 4\n    cilk_for (int i = 0; i < 64; i++) work(1000);\n    return 0;\n}\n",
        64,
        4,
        {16: 4},
    ),
    "reducer.c": (
        CILK
        + "static void zero(void *v) { *(long *)v = 0; }\nstatic void plus(void *a, void *b) { *(long *)a += *(long *)b; }\nint main(void)\n{\n"
        "    long cilk_reducer(zero, plus) s = 0;\n#pragma cilk grainsize 2\n    cilk_for (int i = 0; i < 32; i++) { work(1000); s += i; }\n"
        "    return s != 496;\n}\n",
        32,
        2,
        {16: 2},
    ),
    "waited-calls.c": (
        CILK
        + "void part(int n)\n{\n    if (n == 1) { work(1000); return; }\n    cilk_spawn part(n / 2);\n    part(n / 2);\n    work(1000);\n    cilk_sync;\n}\n"
        "int main(void) { part(8); part(8); return 0; }\n",
        2 * 15,
        2 * 4,
        {16: 2 * 4},
    ),
    "wavefront.cilk": (
        WORK
        + "cilk int cell(future int *above, future int *left) { if (above) touch *above; if (left) touch *left; work(1000); return 1; }\n"
        "cilk int main(void)\n{\n    future int done[6][6];\n    for (int i = 0; i < 6; i++)\n        for (int j = 0; j < 6; j++)\n"
        "            done[i][j] = spawn cell(i ? &done[i - 1][j] : 0, j ? &done[i][j - 1] : 0);\n    sync;\n    return 0;\n}\n",
        36,
        11,
        {6: 11, 36: 11},
    ),
    "pipeline.cilk1": (
        WORK
        + """
enum { STAGES = 4, ITEMS = 8 };
thread end(cont int k, int x) { send_argument(k, 0); }
thread both(cont int k, int a, int b) { send_argument(k, 0); }
/* Items from here on, at this stage, after the item before has left it. Each item's stages are threads; the next item begins a stage later. */
thread stage(cont int k, int s, int more)
{
    work(1000);
    if (s + 1 < STAGES && more > 1 && s == 0) {
        cont int x, y;
        spawn_next both(k, ?x, ?y);
        spawn stage(x, s + 1, 0);
        spawn stage(y, 0, more - 1);
    } else if (s + 1 < STAGES)
        spawn stage(k, s + 1, 0);
    else
        send_argument(k, 0);
}
thread main(cont int k, int argc, char *argv[]) { cont int x; spawn_next end(k, ?x); spawn stage(x, 0, ITEMS); }
""",
        32,
        8 + 4 - 1,
        {4: 11, 8: 11},
    ),
}


def answer(*words):
    result = command([CILKC, *words], timeout=300)
    assert result.status == 0, str(result)
    return json.loads(result.out[min(i for i in (result.out.find("[\n"), result.out.find("{")) if i >= 0):])


def flags(name):
    return ["-fopencilk"] if name.endswith(".c") else []


def near(units):
    return pytest.approx(units * UNIT, rel=0.06, abs=0.08 * UNIT)


@pytest.mark.parametrize("name", PROGRAMS)
def test_work_and_span_are_reported(tmp_path, name):
    text, work, least, _ = PROGRAMS[name]
    (tmp_path / name).write_text(text)
    found = answer("profile", "--json", "--no-what-if", *flags(name), tmp_path / name)
    assert found["work"] == near(work) and found["work"] / found["parallelism"] == near(least), found


@pytest.mark.parametrize("name", PROGRAMS)
def test_schedules_take_their_time(tmp_path, name):
    text, work, least, times = PROGRAMS[name]
    (tmp_path / name).write_text(text)
    counted = ["--counted"] if name.endswith(".cilk1") else []
    for row in answer("simulate", "--json", *counted, "--costs", "steal=1,send=0", "-P",
                      ",".join(map(str, (1, *times))), *flags(name), tmp_path / name):
        assert row["TP"] == near(work if row["P"] == 1 else times[row["P"]]), row
        assert row["T1"] == near(work) and row["Tinf"] == near(least)
