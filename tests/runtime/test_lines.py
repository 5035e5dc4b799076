"""bench.lines: the directory counts what a protocol of coherent caches would, and the runtime touches few remote lines
on many virtual processors. Nothing here depends on the machine: time is virtual, and a run repeats itself."""

import json

import pytest

from conftest import ROOT, command
from bench import lines

pytestmark = pytest.mark.tier("all")

OWN = ROOT / "bench" / "lines"

# Each line says what it should be: `name expected counted`.
DIRECTORY = r"""
#include "lines.h"
#include <pthread.h>
#include <stdio.h>

void lines_spawn(void) {}

#define PLAIN __attribute__((no_sanitize("thread")))
static char room[4][64] __attribute__((aligned(64)));
static processor *p[4];

PLAIN static unsigned long remote(void (*f)(void))
{
  unsigned long before = lines_count.remote;
  f();
  lines_me = p[0];
  return lines_count.remote - before;
}
PLAIN static void touch(int player, int line, int offset, bool write)
{
  lines_me = p[player];
  lines_touch(&room[line][offset], 4, write, (void *)room);
}
static void first_touches(void) { for (int i = 0; i < 4; i++) touch(0, i, 0, true); }
static void own(void) { for (int i = 0; i < 100; i++) touch(0, 0, 0, i & 1); }
static void in_turns(void) { for (int i = 0; i < 100; i++) touch(1 + i % 2, 0, 0, true); }
static void readers(void) { touch(1, 1, 0, true); for (int i = 0; i < 30; i++) touch(1 + i % 3, 1, 0, false); }
static void write_over_readers(void) { touch(1, 1, 0, true); touch(1, 1, 0, true); }
static void one_line_two_words(void) { for (int i = 0; i < 100; i++) touch(i % 2, 2, 8 * (i % 2), true); }
static void read_then_write(void) { for (int i = 0; i < 10; i++) { touch(i % 2, 2, 0, false); touch(i % 2, 2, 0, true); } }
PLAIN static void over_the_edge(void) { lines_me = p[3]; lines_touch(&room[2][62], 4, true, (void *)room); }

/* Instrumented: threads that wait for each other by a word. */
static int word __attribute__((aligned(64))), sum;
static void *add(void *unused)
{
  for (int i = 0; i < 50; i++) {
    while (__atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE) != 0)
      ;
    sum++;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    lines_work(500);
  }
  return unused;
}

PLAIN int main(void)
{
  pthread_t t[4];
  p[0] = lines_me;
  for (int i = 1; i < 4; i++)
    p[i] = lines_new();
  printf("first %d %lu\n", 0, remote(first_touches));
  printf("own %d %lu\n", 0, remote(own));
  printf("in-turns %d %lu\n", 100, remote(in_turns));
  printf("readers %d %lu\n", 1 + 2, remote(readers));
  printf("write-over-readers %d %lu\n", 1, remote(write_over_readers));
  printf("one-line-two-words %d %lu\n", 99, remote(one_line_two_words));
  printf("read-then-write %d %lu\n", 20, remote(read_then_write));
  printf("over-the-edge %d %lu\n", 2, remote(over_the_edge));
  lines_begin();
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  printf("sum %d %lu\n", 200, (unsigned long)sum);
  printf("locks %d %lu\n", 200, (unsigned long)lines_count.locks);
  printf("work %d %lu\n", 4 * 50 * 500, (unsigned long)lines_count.work_ns);
  return 0;
}

void *cilk_steal(void *a, void *b, void *c) { return (void)a, (void)b, c; }
void cilk_spin_wait(uint32_t *lock) { (void)lock; }
"""


def test_the_directory_counts_what_caches_would(tmp_path):
    source, program = tmp_path / "directory.c", tmp_path / "directory"
    source.write_text(DIRECTORY)
    objects = []
    for part in lines.PARTS:
        if part != "generated":
            objects.append(tmp_path / (part + ".o"))
            done = command(
                ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-fno-stack-protector", "-c", OWN / (part + ".c"), "-o",
                 objects[-1]]
            )
            assert done.status == 0, str(done)
    done = command(["gcc", "-O1", "-fsanitize=thread", "-I", OWN, "-c", source, "-o", tmp_path / "main.o"])
    assert done.status == 0, str(done)
    done = command(
        ["gcc", "-no-pie", tmp_path / "main.o", *objects, *lines.wraps(lines.OF_SYSTEM + lines.OF_RUNTIME), "-pthread",
         "-o", program]
    )
    assert done.status == 0, str(done)
    done = command([program])
    assert done.status == 0, str(done)
    said = [line.split() for line in done.out.splitlines()]
    assert len(said) == 11
    assert [line for line in said if line[1] != line[2]] == []


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    return tmp_path_factory.mktemp("build")


@pytest.fixture(scope="module")
def version(build):
    return lines.Version(str(ROOT), str(build / "lines" / "now"))


@pytest.mark.parametrize("strategy", lines.STRATEGIES)
def test_a_run_repeats_itself(version, strategy):
    once, again = (version.run(strategy, 16, ["tree", "8", "4000", "1"]) for _ in range(2))
    assert json.dumps(once) == json.dumps(again)
    assert once["steals"] > 0 and once["work_ns"] == 256 * 4000 + 255 * 50


@pytest.mark.parametrize("strategy", lines.STRATEGIES)
def test_workers_do_not_queue_for_the_pool_of_closures(version, strategy):
    """When each closure went there by itself, 64 workers found its lock taken 70 times for each steal (lazy; eager:
    three times)."""
    counts = version.run(strategy, 64, ["tree", "12", "4000", "1"])
    assert counts["steals"] > 64
    assert counts["lock_waits"] < 2 * counts["steals"]
    assert counts["remote"] < 200 * counts["steals"]


@pytest.mark.parametrize("strategy", lines.STRATEGIES)
def test_idle_workers_together_wake_up_once_a_period(version, strategy):
    """While one works alone: the watcher's sleeps, of 20 us to 1 ms."""
    counts = version.run(strategy, 256, ["serial", "10", "1000", "10000"])
    assert counts["steals"] == 0
    assert 0 < counts["wakeups"] < 60
    assert counts["idle_remote"] < 40 * counts["idle"]


def test_hundreds_of_workers_are_called_while_there_is_work(version):
    """One searcher at a time called 117 of 256 in that time; and where all entered the census in a loop, they shared
    the work by 22 at most."""
    runs = [version.run(strategy, 256, ["tree", "17", "4000", "1"]) for strategy in lines.STRATEGIES]
    assert sum(counts["idle"] for counts in runs) < 240
    assert all(counts["work_ns"] > 60 * counts["ns"] for counts in runs)


def test_tables(version, build, tmp_path, monkeypatch, capsys):
    assert version.tree == str(ROOT)
    monkeypatch.setattr(lines, "OUT", str(build))
    assert lines.main(["--quick", "--workers", "2,8", "--phase", "serial", "--where", "1"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row.split("|")[1:3] for row in rows if row.split("|")[1].strip() in lines.STRATEGIES] == [
        [" lazy ", " 2 "],
        [" lazy ", " 8 "],
        [" eager ", " 2 "],
        [" eager ", " 8 "],
    ]
    with pytest.raises(SystemExit):
        lines.main(["--workers", "0"])
    with pytest.raises(SystemExit, match="is not a checkout"):
        lines.main(["--before", str(tmp_path)])
