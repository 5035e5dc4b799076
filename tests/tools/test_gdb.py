"""gdb's commands for Cilk (driver/tools/gdb_cilk.py, `cilkc debug`): in a stolen frame, from another worker, of
suspended procedures, on core files."""

import os
import re
import shutil

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled, need

pytestmark = pytest.mark.tier("check")

SCRIPT = ROOT / "driver/tools/gdb_cilk.py"

# Each level's continuation is stolen while the level below it waits; in the end all wait at their syncs for level 0.
CHAIN = """#include <stdio.h>
#include <unistd.h>
#define DEPTH 3
volatile int marks;
__attribute__((noinline)) void here(int marks) { __asm__ volatile("" :: "r"(marks)); }
cilk int level(int depth, const char *name)
{
  int a[2] = { depth, -1 }, got = 100 * depth, x;
  inlet void add(int r, int weight) { got += r * weight; }
  if (depth == 0) {
    while (marks < DEPTH)
      usleep(1000);
    usleep(500000);
    here(marks);                        // ALL SUSPENDED
    return 1;
  }
  usleep(5000);
  if (depth == 2)
    add(spawn level(depth - 1, "inlet"), depth);
  else
    a[depth & 1] = spawn level(depth - 1, "array");
  {
    int inner = depth + 1000;
    __sync_fetch_and_add(&marks, 1);    // STOLEN
    sync;                               // WAITS
    got += inner + a[1];
  }
  x = got;
  return x;
}
cilk int main(void)
{
  int r = 77;
  r = spawn level(DEPTH, "top");        // MAIN SPAWNS
  sync;
  printf("%d\\n", r);
  return 0;
}
"""


def line(mark):
    return next(n for n, text in enumerate(CHAIN.split("\n"), 1) if "// " + mark in text)


def gdb(program, *commands, extra=()):
    need("gdb")
    words = ["gdb", "-nx", "-q", "-batch", "-iex", "add-auto-load-safe-path " + str(SCRIPT)]
    for c in commands:
        words += ["-ex", c]
    return command(words + [program, *extra]).out


@pytest.fixture(scope="module", params=STRATEGIES)
def program(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gdb")
    (folder / "chain.cilk").write_text(CHAIN)
    compiled([CILKC, "-O0", "-g", "--spawn=" + request.param, "chain.cilk", "-o", "chain"], cwd=folder)
    return folder / "chain"


def after(out, title):
    return out[out.index("== " + title):].split("\n== ")[0] + "\n"


def rows(text):
    """[(procedure and arguments, line, notes)] of `cilk bt`, which shows none of the runtime's functions."""
    assert not re.search(r"^#\d+ .* at \S*rt/", text, re.M), text
    return re.findall(r"^#\d+ +(\w+ \(.*\)) at \S*chain\.cilk:(\d+)(.*)$", text, re.M)


def test_in_a_stolen_frame(program):
    """The frame itself, which runs elsewhere than its child; its ancestors, wherever they are; main. Lines, arguments,
    locals of all of them. The script is loaded by itself."""
    out = gdb(program, "break %d if depth == 1" % line("STOLEN"), "run --nproc 2", "echo == bt\\n", "cilk bt",
              "echo == plain\\n", "bt 1", "echo == workers\\n", "info cilk-workers", "echo == frame\\n", "cilk frame 0",
              "info locals")
    found = rows(after(out, "bt"))
    names = [name for name, _, _ in found]
    assert names[0] == 'level (depth=1, name=%s)' % names[0].split("name=")[1][:-1] and '"inlet"' in names[0], out
    assert [n.split(",")[0] for n in names] == ["level (depth=1", "level (depth=2", "level (depth=3", "main ()"], out
    assert '"array"' in names[1] and '"top"' in names[2], out
    assert int(found[0][1]) == line("STOLEN"), out
    for (_, where, notes), text in zip(
        found[1:3], ('add(spawn level(depth - 1, "inlet"), depth)', 'a[depth & 1] = spawn level(depth - 1, "array")')
    ):
        assert line("STOLEN") <= int(where) <= line("WAITS") and "spawned at line" in notes and text in notes, out
    assert (
        'r = spawn level(DEPTH, "top")' in found[3][2] and "spawned at line %d" % line("MAIN SPAWNS") in found[3][2]
    ), out
    bt = after(out, "bt")
    for shown in ("got = 100\n", "got = 200\n", "got = 300\n", "inner = 1001\n", "inner = 1002\n", "inner = 1003\n",
                  "a = {3, -1}", "r = 77\n"):
        assert shown in bt, "%s not in %s" % (shown, out)
    workers = after(out, "workers")
    assert "(was stolen or resumed)" in workers and re.search(r"^\* +\d", workers, re.M) and "level at" in workers, out
    assert "inner = 1001" in after(out, "frame"), out


def suspended(program, *commands, extra=()):
    return gdb(program, "break %d" % line("ALL SUSPENDED"), "run --nproc 2", *commands, extra=extra)


def test_print_in_a_suspended_procedure(program):
    """After `cilk frame N` names are those of that procedure, of which no stack has a frame; another selection ends
    that. Members, strings and formats are not names."""
    out = suspended(program, "cilk bt", "cilk frame 2", "echo == there\\n", "print depth", "p/x a[0] + got",
                    "print *&a[1]", "print marks", 'print sizeof("depth")', "up", "down", "echo == back\\n",
                    "print depth", "cilk frame 3", "print inner + depth", "frame 0", "print depth", "cilk frame 3",
                    "cilk frame 0", "p depth")
    values = lambda title: re.findall(r"^\$\d+ = (.*)$", after(out, title), re.M)  # noqa: E731
    assert values("there")[:5] == ["2", "0xca", "-1", "3", "6"], out
    assert values("back") == ["0", "1006", "0", "0"], out


LOOK = ("echo == bt\\n", "cilk bt", "echo == closures\\n", "cilk closures", "echo == one\\n", "cilk closure 1",
        "echo == two\\n", "cilk closure 2", "echo == last\\n", "cilk bt -s closure 1", "echo == worker\\n",
        "cilk bt -s worker 1")


def check_suspended(out):
    found = rows(after(out, "bt"))
    assert [n.split(",")[0] for n, _, _ in found] == [
        "level (depth=0", "level (depth=1", "level (depth=2", "level (depth=3", "main ()"
    ], out
    assert [int(where) for _, where, _ in found][1:4] == [line("WAITS")] * 3 and all(
        "suspended" in notes for _, _, notes in found[1:]
    ), out
    assert all("got = %d\n" % n in after(out, "bt") for n in (100, 200, 300)) and "inner = 1002" in after(
        out, "bt"
    ), out
    closures = after(out, "closures")
    assert [re.search(r"(main|level) \((depth=\d)?", text)[0] for text in closures.split("\n")[1:5]] == [
        "main (", "level (depth=3", "level (depth=2", "level (depth=1"
    ], out
    assert "result goes to a[1]" in after(out, "one") and "level, suspended" in after(out, "one"), out
    assert "result goes to r" in after(out, "one") and "result goes to the inlet" in after(out, "two"), out
    assert [n.split(",")[0] for n, _, _ in rows(after(out, "last"))] == ["level (depth=3", "main ()"], out


def test_suspended(program):
    out = suspended(program, *LOOK)
    check_suspended(out)


@pytest.mark.sample(2)
def test_core_file(program, tmp_path):
    """The same without a process."""
    core = tmp_path / "core"
    out = suspended(program, "generate-core-file %s" % core, "kill")
    assert core.exists(), out
    check_suspended(gdb(program, *LOOK, extra=[core]))


def test_optimized(tmp_path):
    """-O2 -g: procedures and lines are there, whatever has become of locals."""
    (tmp_path / "chain.cilk").write_text(CHAIN)
    compiled([CILKC, "-O2", "-g", "chain.cilk", "-o", "chain"], cwd=tmp_path)
    out = gdb(tmp_path / "chain", "break here", "run --nproc 2", "echo == bt\\n", "cilk bt -s")
    assert [n.split(" ")[0] for n, _, _ in rows(after(out, "bt"))] == [
        "here", "level", "level", "level", "level", "main"
    ], out


STOLEN = """#include <stdio.h>
volatile int sink;
__attribute__((noinline)) void here(int k) { sink = k; }
cilk int leaf(int n) { return n * 2; }
cilk int walk(int n, int scale)
{
  int a, b, left = n * scale, three[3] = { n, n + 1, n + 2 };
  a = spawn leaf(n);
  b = spawn leaf(left);
  here(left);
  sync;
  here(a + b);
  return a + b + left + three[2] + scale;
}
cilk int main(void) { int r; r = spawn walk(5, 7); sync; printf("%d\\n", r); return 0; }
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_optimized_slow_clone(tmp_path, level, strategy):
    """Receivers and arrays lie in the closure, where a debugger finds them in optimised code, too; what is wanted again
    it finds in its register."""
    (tmp_path / "stolen.cilk").write_text(STOLEN)
    compiled([CILKC, level, "-g", "--spawn=" + strategy, "stolen.cilk", "-o", "stolen"], cwd=tmp_path)
    out = gdb(tmp_path / "stolen", "break here", "run --nproc 1 --force-steal always", "up", "info args", "info locals")
    for line in ("scale = 7", "a = 10", "b = 70", "left = 35", "three = {5, 6, 7}"):
        assert re.search("^" + re.escape(line) + "$", out, re.M), out


INLETS = """#include <stdio.h>
#include <unistd.h>
volatile int waiting;
void here(int n) { (void)n; }
cilk int child(int n) { while (!waiting) usleep(1000); usleep(400000); return n; }
cilk int sum(int n)
{
  int total = 5;
  inlet void add(int r) { total += r; here(r); }
  add(spawn child(n));
  waiting = 1;
  sync;
  return total;
}
cilk int main(void) { int r = 8; r = spawn sum(3); sync; printf("%d\\n", r); return 0; }
"""


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_in_an_inlet_for_a_suspended_parent(spawn, tmp_path):
    """It runs on a child's worker, and belongs to the parent, which is on no stack."""
    (tmp_path / "chain.cilk").write_text(INLETS)
    compiled([CILKC, "-O0", "-g", "--spawn=" + spawn, "chain.cilk", "-o", "chain"], cwd=tmp_path)
    out = gdb(tmp_path / "chain", "break here", "run --nproc 2", "echo == bt\\n", "cilk bt")
    names = [n.split(" ")[0] for n, _, _ in rows(after(out, "bt"))]
    assert names[0] == "here" and names[-2:] == ["sum", "main"] and "child" not in names, out
    assert "inlet, run by worker" in out and "total = 8" in after(out, "bt") and "n=3" in out, out


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_a_call_from_c_inside(spawn, tmp_path):
    """Below a computation that C began on a worker, the C function and the computation around it follow."""
    (tmp_path / "chain.cilk").write_text("""#include <stdio.h>
#include <cilk-lib.h>
void here(int n) { (void)n; }
cilk int deep(int n) { here(n); return n; }
cilk int inside(int n) { int r; r = spawn deep(n + 1); sync; return r; }
int through_c(int n) { int c = n * 10; return EXPORT(inside)(NULL, c); }
cilk int outside(int n) { int r; r = through_c(n); return r; }
cilk int main(void) { int r; r = spawn outside(4); sync; printf("%d\\n", r); return 0; }
""")
    compiled([CILKC, "-O0", "-g", "--spawn=" + spawn, "chain.cilk", "-o", "chain"], cwd=tmp_path)
    out = gdb(tmp_path / "chain", "break here", "run --nproc 1", "echo == bt\\n", "cilk bt")
    assert [n.split(" ")[0] for n, _, _ in rows(after(out, "bt"))] == [
        "here", "deep", "inside", "through_c", "outside", "main"
    ], out
    assert "c = 40" in out and "n=41" in out and "n=4)" in out, out


THREADS = """\
#include <stdio.h>
struct big { char c[3000]; };
__attribute__((noinline)) void here(int n) { __asm__ volatile("" :: "r"(n)); }
thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
thread eat(cont int k, struct big b, int z) { send_argument(k, b.c[0] + z); }
thread leaf(cont int k, int n) { send_argument(k, n); }
thread stop(cont int k) { here(1); send_argument(k, 1); }
thread top(cont int k, int n)
{
  cont int x, y, z, u, v;
  struct big b = {{3}};
  spawn_next sum(k, ?x, ?y);
  if (n == 0) {
    spawn_next eat(y, b, ?z);
    spawn_next sum(x, ?u, ?v);
    spawn leaf(z, 4);
    spawn leaf(u, 5) @ 0;
    spawn stop(v);
  } else {
    spawn leaf(y, n);
    spawn top(x, n - 1);
  }
}
cilk int main(void) { int r; r = spawn top(1); sync; printf("%d\\n", r); return 0; }
"""


def test_closures_of_threads(tmp_path):
    """The closures of Cilk-1 on one worker, in the order in which they will run: ready, placed, then those that wait,
    of any size. After the last value there is none."""
    (tmp_path / "threads.cilk1").write_text(THREADS)
    compiled([CILKC, "-O0", "-g", "threads.cilk1", "-o", "threads"], cwd=tmp_path)
    out = gdb(tmp_path / "threads", "break here", "break printf", "run --nproc 1", "echo == closures\\n",
              "cilk closures", "continue", "echo == end\\n", "cilk closures")
    found = re.findall(
        r"^ +0x[0-9a-f]+  (\w+)(?: at threads.cilk1:(\d+))?  level (\d+); (.*), worker 0$",
        after(out, "closures").replace("placed on", "placed,"),
        re.M,
    )
    lines = {
        name: str(number)
        for number, text in enumerate(THREADS.split("\n"), 1)
        for name in re.findall(r"^thread (\w+)", text)
    }
    ready = [
        ("leaf", lines["leaf"], "2", "ready"),
        ("leaf", lines["leaf"], "1", "ready"),
        ("leaf", lines["leaf"], "2", "ready, placed"),
    ]
    waiting = [
        ("sum", lines["sum"], "0", "waits for x, y"),
        ("sum", lines["sum"], "1", "waits for x, y"),
        ("sum", lines["sum"], "1", "waits for x, y"),
        ("eat", lines["eat"], "1", "waits for z"),
    ]
    assert found[:3] == ready and sorted(found[3:]) == sorted(waiting), out
    assert "the caller  level 0; waits for the result, worker 0" in after(out, "closures"), out
    assert "level" not in after(out, "end"), out


def test_the_command(tmp_path):
    """`cilkc debug` builds, starts gdb with the script, hands on the arguments; what was built goes."""
    (tmp_path / "chain.cilk").write_text(CHAIN)
    need("gdb")
    out = command(
        [CILKC, "debug", "--batch", "-ex", "break here", "-ex", "run", "-ex", "cilk bt -s", "-ex", "show args",
         "chain.cilk", "--", "--nproc", "2"],
        cwd=tmp_path,
        env={"TMPDIR": str(tmp_path)},
    )
    assert (
        [n.split(" ")[0] for n, _, _ in rows(out.out)] == ["here"] + ["level"] * 4 + ["main"]
        and "--nproc 2" in out.out
        and out.status == 0
    ), str(out)
    assert os.listdir(tmp_path) == ["chain.cilk"]
    out = command([CILKC, "debug", "--script"])
    assert out.out == "%s\n" % SCRIPT and out.status == 0, str(out)


def test_wrong_use_of_the_command(tmp_path):
    (tmp_path / "bad.cilk").write_text("cilk int main(void) { return x; }\n")
    (tmp_path / "good.cilk").write_text("cilk int main(void) { return 0; }\n")
    result = command([CILKC, "debug", "bad.cilk"], cwd=tmp_path)
    assert result.status == 125 and "undeclared" in result.err, str(result)
    result = command([CILKC, "debug"], cwd=tmp_path)
    assert result.status == 125 and "FILE" in result.err, str(result)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in os.listdir("/usr/bin"):
        if name != "gdb":
            os.symlink("/usr/bin/" + name, tools / name)
    result = command([shutil.which("python3"), CILKC, "debug", "good.cilk"], cwd=tmp_path, env={"PATH": str(tools)})
    assert result.status == 125 and "gdb is not installed" in result.err, str(result)


def test_outside_of_a_computation(program):
    """Reported in a sentence."""
    out = command(
        ["gdb", "-nx", "-q", "-batch", "-iex", "add-auto-load-safe-path " + str(SCRIPT), "-ex", "info cilk-workers",
         "-ex", "break main", "-ex", "cilk closures", program]
    )
    assert "No worker runs" in out.err and "Traceback" not in out.out + out.err, str(out)
