"""Right programs that wait by spinning: `cilkc explore` finds nothing in them, and neither does `cilkc race`. Each kind
of loop is at each place; what is in the loop, the spelling and the level take turns."""

import json

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("test")

SCHEDULES = 40          # one switch at each place of such a program, and as many others

# Each enters a section in which one worker at a time may be. PAUSE is where the loop waits, L is the word.
LOCKS = {
    "exchange": "while (atomic_exchange(&L, 1)) PAUSE",
    "exchange-explicit": "while (atomic_exchange_explicit(&L, 1, memory_order_acquire) == 1) PAUSE",
    "weak-reset": "int e = 0; while (!atomic_compare_exchange_weak(&L, &e, 1)) { e = 0; PAUSE }",
    "strong-in-loop": "for (;;) { int e = 0; if (atomic_compare_exchange_strong(&L, &e, 1)) break; PAUSE }",
    "strong-do": "int e; do { e = 0; PAUSE } while (!atomic_compare_exchange_strong(&L, &e, 1));",
    "weak-explicit":
        "int e = 0; while (!atomic_compare_exchange_weak_explicit(&L, &e, 1, memory_order_acquire, memory_order_relaxed))"
        " { PAUSE e = 0; }",
    "test-first": "for (;;) { while (atomic_load(&L)) PAUSE if (!atomic_exchange(&L, 1)) break; }",
    "test-after": "while (atomic_exchange(&L, 1)) while (atomic_load_explicit(&L, memory_order_relaxed)) PAUSE",
    "load-then-compare":
        "for (;;) { int v = atomic_load(&L); if (v == 0 && atomic_compare_exchange_strong(&L, &v, 1)) break; PAUSE }",
    "builtin-exchange": "while (__atomic_exchange_n((int *)&L, 1, __ATOMIC_ACQUIRE)) PAUSE",
    "sync-builtin": "while (__sync_lock_test_and_set((int *)&L, 1)) PAUSE",
    "sync-compare": "while (__sync_val_compare_and_swap((int *)&L, 0, 1) != 0) PAUSE",
    "ticket": "int mine = atomic_fetch_add(&next, 1); while (atomic_load(&serving) != mine) PAUSE",
    "doubling": "int wait = 1; while (atomic_exchange(&L, 1)) { for (int i = 0; i < wait; i++) PAUSE if (wait < 16) wait *= 2; }",
    "counted": "while (atomic_exchange(&L, 1)) { atomic_fetch_add(&attempts, 1); PAUSE }",
    "random": "while (atomic_exchange(&L, 1)) { seed = seed * 1103515245u + 12345u; PAUSE }",
    "through-a-pointer": "int e = 0; while (!taken(&L, &e)) PAUSE",
    "turn-of-two": "atomic_store(&wants[me], 1); atomic_store(&turn, 1 - me);"
        " while (atomic_load(&wants[1 - me]) && atomic_load(&turn) != me) PAUSE",
}
UNSEEN = {"turn-of-two"}       # `cilkc race` takes a lock that is made of reads and writes for none
UNLOCKS = {"ticket": "atomic_fetch_add(&serving, 1);", "turn-of-two": "atomic_store(&wants[me], 0);"}

# Each waits until another child has set the word.
FLAGS = {
    "load": "while (!atomic_load(&L)) PAUSE",
    "load-explicit": "for (;;) { int v = atomic_load_explicit(&L, memory_order_acquire); if (v) break; PAUSE }",
    "plain": "while (!L) PAUSE",
    "builtin": "int v; do { __atomic_load((int *)&L, &v, __ATOMIC_ACQUIRE); PAUSE } while (!v);",
    "moves-on": "int e = 1; while (!atomic_compare_exchange_weak(&L, &e, 2)) { e = 1; PAUSE }",
    "exchanged-back": "while (atomic_exchange(&turn, 0) == 0 && !atomic_load(&L)) PAUSE",
}

PAUSES = (";", "sched_yield();", "usleep(1);", "nanosleep(&(struct timespec){ 0, 10 }, 0);", "thrd_yield();", "_mm_pause();")
PLACES = ("procedure", "function", "address")

HEAD = """#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <immintrin.h>
#else
#define _mm_pause() ((void)0)
#endif
static atomic_int word, next, serving, attempts, turn, wants[2];
static _Atomic unsigned seed;
static int taken(atomic_int *l, int *e) { *e = 0; return atomic_compare_exchange_strong(l, e, 1); }
"""


def cases():
    made = []
    for table in (LOCKS, FLAGS):
        for name in table:
            for place in PLACES:
                made.append((name, place, PAUSES[len(made) % 6], (len(made) // 6) % 2, "-O%d" % (len(made) // 2 % 2)))
    return made


def program(name, place, pause, opencilk):
    """Two children that add to n under the lock, or the second of which adds after the first. For `cilkc race`
    a flag orders nothing, so n is atomic there."""
    wait = (LOCKS.get(name) or FLAGS[name]).replace("PAUSE", pause)
    word = "(*l)" if place == "address" else "word"
    wait = wait.replace("&L", "l" if place == "address" else "&word").replace("L", word)
    parameters = "int me" + (", atomic_int *l" if place == "address" else "")
    passed = "me" + (", &word" if place == "address" else "")
    helper, enter = "", wait
    if place != "procedure":
        helper, enter = "static void waits(%s) { (void)me; %s }\n" % (parameters, wait), "waits(%s);" % passed
    procedure = "static void %s" if opencilk else "static cilk void %s"
    if name in LOCKS:
        leave = UNLOCKS.get(name, "atomic_store(&word, 0);")
        texts = [procedure % "first(int me) { %s n += me + 1; %s }" % (enter, leave)]
        calls = ["first(0);", "first(1);"]
    else:
        texts = [
            procedure % "first(int me) { n = me + 1; atomic_store(&word, 1); }",
            procedure % "second(int me) { %s n += me + 1; }" % enter,
        ]
        calls = ["first(0);", "second(1);"]
    spawn, sync, main = ("cilk_spawn", "cilk_sync", "int") if opencilk else ("spawn", "sync", "cilk int")
    spawns = " ".join("%s %s" % (spawn, call) for call in calls)
    texts.append('%s main(void) { %s %s; printf("%%d\\n", n); return n != 3; }\n' % (main, spawns, sync))
    return HEAD + "static %s n;\n" % ("int" if name in LOCKS else "atomic_int") + helper + "\n".join(texts)


def test_there_are_enough():
    assert len(cases()) >= 60 and {pause for _, _, pause, _, _ in cases()} == set(PAUSES)


@pytest.mark.sample(8, "all")
@pytest.mark.parametrize("name,place,pause,opencilk,level", cases(), ids=lambda value: str(value).strip(";"))
def test_a_right_program_that_spins_is_left_alone(name, place, pause, opencilk, level, tmp_path):
    file, flags = ("p.c", ["-fopencilk"]) if opencilk else ("p.cilk", [])
    (tmp_path / file).write_text(program(name, place, pause, opencilk))
    words = [CILKC, "explore", "--json", "--schedules", str(SCHEDULES), "-w", level, *flags, file]
    result = command(words, cwd=tmp_path, timeout=300)
    assert result.status == 0 and json.loads(result.out)["schedules"] == SCHEDULES, str(result)
    if name in UNSEEN:
        return
    result = command([CILKC, "race", "-w", level, *flags, file], cwd=tmp_path)
    assert result.status == 0 and result.out == "3\n", str(result)
