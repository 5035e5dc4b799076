"""System calls that wait (<cilk-blocking.h>), workers' processors (--pin-proc), and storage of computations."""

import itertools
import os

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command

pytestmark = pytest.mark.tier("check")

HERE = ROOT / "tests" / "sched"


def build(folder, strategy, source, *flags):
    program = folder / "program"
    built = command([CILKC, "-O2", "--spawn=" + strategy, source, "-o", program] + list(flags))
    assert built.status == 0 and built.err == "", str(built)
    return program


@pytest.mark.sample(4)
@pytest.mark.parametrize("strategy,flags", itertools.product(STRATEGIES, ((), ("-cilk-debug",))))
def test_others_go_on_while_readers_wait(tmp_path, strategy, flags):
    """What the readers wait for is written by what comes after them, also on one worker; more of them than there are
    workers, in any case."""
    program = build(tmp_path, strategy, HERE / "blocking.cilk", *flags)
    for workers, readers, scheduler in itertools.product(
        (1, 2, 4), (1, 7, 40), ("steal", "central", "roundrobin:1ms", "gang")
    ):
        result = command([program, "--nproc", workers, "--sched=" + scheduler, readers, 10])
        assert result.status == 0 and result.out == "1440\n" and result.err == "", str(result)


def test_the_elision_blocks(tmp_path):
    (tmp_path / "p.cilk").write_text("""#include <cilk-blocking.h>
#include <stdio.h>
cilk int main(void)
{
  int n = 0;
  Cilk_blocking { n = 5; }
  printf("%d\\n", n);
  return 0;
}
""")
    assert command([CILKC, "elide", "p.cilk", "-o", "p.c"], cwd=tmp_path).status == 0
    built = command([CILKC, "--cc=gcc", "p.c", "-o", "q"], cwd=tmp_path)
    assert built.status == 0 and command(["./q"], cwd=tmp_path).out == "5\n", str(built)
    assert command([build(tmp_path, "lazy", tmp_path / "p.cilk"), "--nproc", "1"]).out == "5\n"


def test_an_end_without_a_beginning(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "#include <cilk-blocking.h>\ncilk int main(void) { Cilk_blocking_end(); return 0; }\n"
    )
    result = command([build(tmp_path, "lazy", tmp_path / "p.cilk")])
    assert result.status != 0 and "Cilk_blocking_end without Cilk_blocking_begin" in result.err, str(result)


AFFINITY = """#include <dirent.h>
#include <stdio.h>
#include <string.h>
cilk int main(void)
{
  DIR *tasks = opendir("/proc/self/task");
  char path[300], line[300];
  for (struct dirent *d; (d = readdir(tasks));) {
    snprintf(path, sizeof path, "/proc/self/task/%s/status", d->d_name);
    FILE *f = d->d_name[0] == '.' ? 0 : fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
      if (strncmp(line, "Cpus_allowed_list:", 18) == 0)
        printf("%s", line + 19);
    if (f)
      fclose(f);
  }
  return 0;
}
"""


def test_each_worker_has_a_processor_of_its_own(tmp_path):
    (tmp_path / "p.cilk").write_text(AFFINITY)
    program = build(tmp_path, "lazy", tmp_path / "p.cilk")
    usable = sorted(os.sched_getaffinity(0))[:8]
    mask = sum(1 << i for i in usable)
    for workers in (1, 2, 4):
        result = command([program, "--pin-proc", "%x" % mask, "--nproc", workers])
        found = sorted(result.out.split())
        expected = [str(usable[i % len(usable)]) for i in range(workers)]
        free = [line for line in found if line not in {str(i) for i in usable}]     # the thread that called main
        assert result.status == 0 and len(found) == workers + 1, str(result)
        for line in free[:1] or [str(usable[0])]:
            found.remove(line)
        assert found == sorted(expected), str(result)


@pytest.mark.skipif((os.cpu_count() or 0) > 63, reason="the mask names a processor that this machine has")
def test_a_processor_that_is_not_there_is_named_once(tmp_path):
    (tmp_path / "p.cilk").write_text(AFFINITY)
    result = command([build(tmp_path, "lazy", tmp_path / "p.cilk"), "--pin-proc", "8000000000000000", "--nproc", "3"])
    assert result.status == 0 and result.err == "0: warning: --pin-proc: there is no processor 63\n", str(result)


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy,scheduler,workers", itertools.product(STRATEGIES, ("steal", "central", "roundrobin:50us"), (1, 2, 4)))
def test_storage_is_inherited(tmp_path, strategy, scheduler, workers):
    program = build(tmp_path, strategy, HERE / "locals.cilk", "-cilk-debug")
    result = command([program, "--sched=" + scheduler, "--nproc", workers, 20])
    assert result.status == 0 and result.out == "done\n" and result.err == "", str(result)
