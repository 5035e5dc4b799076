"""How a thread of Cilk-1 gets its arguments and when it runs: any signature, any size, one worker's order; and values
that are sent to closures that have all their arguments."""

import re

import pytest

from conftest import CILKC, PUSHING, STRATEGIES, TESTS, command, compiled, module_of

pytestmark = pytest.mark.tier("test")

generate = module_of(TESTS / "stress" / "signatures.py")

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"


def made(tmp_path, text, *flags):
    (tmp_path / "p.cilk1").write_text(text)
    compiled([CILKC, "-w", *flags, "p.cilk1", "-o", "p"], cwd=tmp_path)
    return tmp_path / "p"


def by_gcc(tmp_path, text):
    (tmp_path / "p.cilk1").write_text(text)
    compiled([CILKC, "elide", "-w", "p.cilk1", "-o", "p.c"], cwd=tmp_path)
    compiled(["gcc", "-w", "-std=gnu17", "-O1", "p.c", "-o", "c"], cwd=tmp_path)
    result = command([tmp_path / "c"])
    assert result.status == 0, str(result)
    return result.out


@pytest.mark.parametrize("kind, seed, workers", [("signatures", 2, "14"), ("order", 3, "1"), ("order", 5, "1"), ("order", 7, "1")])
def test_random(kind, seed, workers, tmp_path):
    """What one worker does it does in the same order with and without calls: last in, first out, at the deepest level
    (PPoPP'95, section 3)."""
    text = getattr(generate, kind)(seed)
    printed = by_gcc(tmp_path, text)
    for flags in (["-O0"], ["-O2"], ["-O0", "-cilk-debug"]):
        program = made(tmp_path, text, *flags)
        for nproc in workers:
            result = command([program, "--nproc", nproc])
            assert (result.status, result.out) == (0, printed), "%s: %s" % (flags, result)


WIDE = ("q", "qq", "lq", "ql", "llq", "lql", "qll", "d", "dd", "ld", "dl", "lld", "dll", "lldd", "dldl", "lllld", "qd",
        "dq", "lqd", "dqd")


def wide_arguments():
    """For each row a thread with such parameters (l long, q __int128, d long double). Each thread is called by spawn,
    by a tail call and with its last argument sent."""
    types = {"l": "long", "q": "__int128", "d": "long double"}
    text = [HEAD, "thread plus(cont long k, long a, long b) { send_argument(k, 3 * a + b); }"]
    text += ["thread send%s(cont(%s) k, long s) { send_argument(k, (%s)s * 3); }" % (c, t, t) for c, t in types.items()]
    for n, kinds in enumerate(WIDE):
        names = ["p%d" % i for i in range(len(kinds))]
        params = ", ".join("%s %s" % (types[c], name) for c, name in zip(kinds, names))
        values = ["(%s)(n + %d)%s" % (types[c], i, " << 66" if c == "q" else "") for i, c in enumerate(kinds)]
        number = " ".join(
            "x = x * 31 + (long)(%s%s);" % (name, " >> 60" if c == "q" else "") for c, name in zip(kinds, names)
        )
        text.append("thread work%d(cont long k, %s) { long x = 0; %s send_argument(k, x); }" % (n, params, number))
        text.append("thread tail%d(cont long k, long n) { tail_call work%d(k, %s); }" % (n, n, ", ".join(values)))
        text.append("thread sent%d(cont long k, long n) { cont(%s) h; spawn_next work%d(k, %s); spawn send%s(h, n); }"
                    % (n, types[kinds[-1]], n, ", ".join(values[:-1] + ["?h"]), kinds[-1]))
        text.append(
            "thread all%d(cont long k, long n) { cont long a, b, c, d; spawn_next plus(k, ?a, ?b); spawn_next plus(b, ?c, ?d); "
            "spawn tail%d(a, n); spawn sent%d(c, n); spawn work%d(d, %s); }" % (n, n, n, n, ", ".join(values))
        )
    calls = " ".join(
        '{ long r; r = spawn all%d(%d); sync; printf("%%ld\\n", r); }' % (n, n + 1) for n in range(len(WIDE))
    )
    return "\n".join(text) + "\ncilk int main(void) { %s return 0; }\n" % calls


def test_wide_arguments(tmp_path):
    """LLVM's convention for tail calls loses such arguments where they go on the stack: threads take them from
    memory."""
    printed = by_gcc(tmp_path, wide_arguments())
    for flags in (["-O0"], ["-O2"]):
        result = command([made(tmp_path, wide_arguments(), *flags), "--nproc", "2"])
        assert (result.status, result.out) == (0, printed), "%s: %s" % (flags, result)


LARGE = """\
#define OF(n, bytes) \\
struct s##n { char c[bytes]; }; \\
thread use##n(cont long k, struct s##n s, int with) { \\
  long bad = 0; for (long i = 0; i < bytes; i++) bad += s.c[i] != (char)with; send_argument(k, bad); } \\
thread top##n(cont long k, int times) { \\
  cont long a, b; struct s##n *p = malloc(sizeof *p); memset(p, times, sizeof *p); \\
  spawn_next add(k, ?a, ?b); spawn use##n(a, *p, times); memset(p, 99, sizeof *p); free(p); \\
  if (times) spawn top##n(b, times - 1); else send_argument(b, 0); }
#define RUN(n, times) { long x; x = spawn top##n(times); sync; wrong += x; }
thread add(cont long k, long a, long b) { send_argument(k, a + b); }
OF(1, 900) OF(2, 945) OF(3, 1025) OF(4, 5000) OF(5, 60000) OF(6, 300000) OF(7, 8 << 20)
cilk int main(void)
{
  long wrong = 0;
  RUN(1, 300) RUN(2, 300) RUN(3, 300) RUN(4, 300) RUN(5, 100) RUN(6, 20) RUN(7, 3)
  printf("%ld\\n", wrong);
  return 0;
}
"""


def test_large_closures(tmp_path):
    """The thread reads its arguments before their memory is somebody else's, whatever their size."""
    for flags in (["-O0"], ["-O2"], ["-O2", "-fsanitize=address"]):
        program = made(tmp_path, HEAD + LARGE, *flags)
        for nproc in ("1", "4"):
            result = command([program, "--nproc", nproc])
            assert (result.status, result.out) == (0, "0\n"), "%s: %s" % (flags, result)


TO_ITS_END = """\
#include <cilk-lib.cilkh>
Cilk_lockvar m;
int n, inside, cleaned;
static void leave(int *p) { cleaned += *p; }
thread two(cont int k, int a, int b) { send_argument(k, a + b); }
thread child(cont int k) { Cilk_lock(m); n++; Cilk_unlock(m); if (inside) n += 1000; send_argument(k, n + 10 * cleaned); }
thread locked(cont int k)  { Cilk_lock(m); n++; spawn child(k); n++; Cilk_unlock(m); }
thread marked(cont int k)  { inside = 1; cont int x, y; spawn_next two(k, ?x, ?y); spawn child(x); spawn child(y); inside = 0; }
thread jumps(cont int k)   { inside = 1; spawn child(k); inside = 0; }
thread early(cont int k)   { inside = 1; if (n) { spawn child(k); inside = 0; return; } inside = 0; spawn child(k); }
thread cleans(cont int k)  { int one __attribute__((cleanup(leave))) = 1; cont int x, y; spawn_next two(k, ?x, ?y); spawn child(x); spawn child(y); }
thread changes(cont int k) { cont int x, y, z; spawn_next two(k, ?x, ?y); z = x; spawn child(z); z = y; spawn child(z); z = k; }
thread goes(cont int k)    { cont int x, y; spawn_next two(k, ?x, ?y); spawn child(x); n = 10; tail_call child(y); }
#define RUN(t) { int x; n = inside = cleaned = 0; x = spawn t(); sync; printf(#t " %d\\n", x); }
cilk int main(void)
{
  Cilk_lock_init(m);
  RUN(locked) RUN(marked) RUN(jumps) RUN(early) RUN(cleans) RUN(changes) RUN(goes)
  return 0;
}
"""
PRINTED = "locked 3\nmarked 3\njumps 1\nearly 1\ncleans 23\nchanges 3\ngoes 23\n"


def test_to_its_end(tmp_path):
    """A thread runs to its end before its worker begins another one, and what it spawns has the values of that
    moment."""
    for flags in (["-O0"], ["-O1"], ["-O2"], ["-O3", "--spawn=eager"]):
        result = command([made(tmp_path, HEAD + TO_ITS_END, *flags), "--nproc", "1"])
        assert (result.status, result.out) == (0, PRINTED), "%s: %s" % (flags, result)


DEAD = """\
thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
thread one(cont int k) { send_argument(k, 1); }
thread never(cont int k) { (void)k; }
thread of_three(cont int k, int x, int y, int z) { send_argument(k, x + y + z); }
thread late(cont int x, int n) { if (n) spawn_next late(x, n - 1); else send_argument(x, 9); }
"""
RESULT = "the caller of this computation already has its result"
# The body of `top`; what the program says, and what it says with -cilk-debug.
WRONG = {
    "result-twice": ("spawn one(k); spawn one(k);", RESULT, RESULT),
    "dead": (
        "cont int x, y; spawn_next sum(k, ?x, ?y); send_argument(x, 1); send_argument(y, 2); spawn late(x, 100);",
        "dead continuation: the call of sum",
        "argument 2 (x) of a call of sum",
    ),
    "unset": (
        "cont int x; spawn one(x); send_argument(k, 1);",
        "a continuation that refers to nothing",
        "a continuation that refers to nothing",
    ),
    "slot-twice": (
        "cont int x, y; spawn_next sum(k, ?x, ?y); spawn one(x); spawn one(x); spawn never(y);",
        "sum (p.cilk1:4) still waits for an argument, and another one was sent twice",
        "argument 2 (x) of a call of sum (p.cilk1:4), which was sent before",
    ),
    "later-slot-twice": (
        "cont int x, y; spawn_next sum(k, ?x, ?y); spawn one(y); spawn one(y); spawn never(x);",
        "a call of sum (p.cilk1:4) in which an argument was sent before",
        "argument 3 (y) of a call of sum (p.cilk1:4), which was sent before",
    ),
    "slot-twice-of-three": (
        "cont int x, y, z; spawn_next of_three(k, ?x, ?y, ?z); spawn one(z); spawn one(x); spawn one(x); spawn never(y);",
        "of_three (p.cilk1:7)",
        "argument 2 (x) of a call of of_three (p.cilk1:7), which was sent before",
    ),
    "deadlock": (
        "cont int x, y; spawn_next sum(k, ?x, ?y); spawn one(x); spawn never(y);",
        "sum (p.cilk1:4) still waits for argument 3 (y)",
        "sum (p.cilk1:4) still waits for argument 3 (y)",
    ),
}


@pytest.mark.parametrize("name", sorted(WRONG))
def test_wrong(name, tmp_path):
    body, says, debugging = WRONG[name]
    text = (
        HEAD
        + DEAD
        + "thread top(cont int k) { %s }\ncilk int main(void) { int d; d = spawn top(); sync; return d; }\n" % body
    )
    for flags, wanted in ((["-O0"], says), (["-O2"], says), (["-cilk-debug"], debugging)):
        program = made(tmp_path, text, *flags)
        for nproc in ("1", "4") if wanted else ():
            result = command([program, "--nproc", nproc])
            dead = (
                result.status == 1 and "dead continuation" in result.err and name == "result-twice"
            )  # its memory may be another's by then
            assert result.status == 1 and wanted in result.err or dead, "%s: %s" % (flags, result)


def test_closures_that_wait_when_the_result_is_there(tmp_path):
    """The release build gives them back without a word; the debug build counts them."""
    text = HEAD + DEAD + """
thread top(cont int k)
{
    for (int i = 0; i < 5; i++) { cont int x, y; spawn_next sum(k, ?x, ?y); spawn never(x); spawn never(y); }
    send_argument(k, 7);
}
cilk int main(void) { int d; d = spawn top(); sync; return d; }
"""
    assert command([made(tmp_path, text, "-O2"), "--nproc", "2"]).status == 7
    result = command([made(tmp_path, text, "-cilk-debug"), "--nproc", "2"])
    assert result.status == 1 and "top has sent its result, but 5 calls of threads still wait" in result.err, str(result)


QUIET = """#include <stdio.h>
static cont int kept;
static int there;
thread keeps(cont int k) { kept = k; __atomic_store_n(&there, 1, __ATOMIC_SEQ_CST); }
thread never(cont int k) { (void)k; }
thread sends(cont int k)
{
  while (!__atomic_load_n(&there, __ATOMIC_SEQ_CST))
    ;
  send_argument(kept, 5);
  send_argument(k, 1);
}
cilk int waits(int n) { int r; r = spawn never(); sync; return r + n; }
thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
thread calls(cont int k) { cont int x, y; spawn_next sum(k, ?x, ?y); spawn waits(x, 1); spawn keeps(y); }
cilk int main(void) { int x, y; %s sync; printf("%%d %%d\\n", x, y); return 0; }
"""


def built(tmp_path, body, strategy, *flags):
    (tmp_path / "p.cilk1").write_text(QUIET % body)
    compiled([CILKC, "-w", "--spawn=" + strategy, *flags, "p.cilk1", "-o", "p"], cwd=tmp_path)
    return tmp_path / "p"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("flags", [(), ("-O2", "-cilk-debug")])
def test_another_computation_sends_the_result(tmp_path, strategy, flags):
    """`keeps` has nothing left to run before `sends` begins. The frame of main goes on with `sends` where a thief can
    have it, or on the one worker, from below."""
    program = built(tmp_path, "x = spawn keeps(); y = spawn sends();", strategy, *flags)
    for workers in (1,) * (strategy in PUSHING) + (2, 4):
        for _ in range(3):
            result = command([program, "--nproc", workers], timeout=300)
            assert (result.status, result.out, result.err) == (0, "5 1\n", ""), str(result)


@pytest.mark.parametrize("body, names", [("x = spawn never(); y = spawn keeps();", "never|keeps"), ("x = spawn calls(); y = 0;", "never"),
                                         ("y = 0; x = spawn waits(2);", "never")])
def test_a_result_without_a_sender(tmp_path, body, names):
    """Several computations are quiet; a procedure that a thread has called waits for one; a procedure does. And the
    same in a replay."""
    program = built(tmp_path, body, "eager")
    for words in (
        ["--nproc", 1],
        ["--nproc", 2],
        ["--nproc", 4],
        ["--sched=replay:1:2"],
        ["--nproc", 2, "--force-steal", "always"],
        ["--nproc", 2, "--force-steal", "never"],
    ):
        result = command([program, *words], timeout=300)
        assert result.status == 1 and re.search(
            r"fatal error: (%s) cannot go on: nothing is left to run, but its result was not sent" % names, result.err
        ), str(result)


def test_a_computation_that_waits_for_a_later_one_gets_the_reason(tmp_path):
    """On one worker the later one never begins. With thieves the program may end as it was meant to."""
    (tmp_path / "p.cilk1").write_text("""#include <stdio.h>
static cont int kept;
thread keep(cont int k) { kept = k; }
thread send(cont int k) { send_argument(kept, 5); send_argument(k, 1); }
cilk int main(void) { int d, e; e = spawn keep(); d = spawn send(); sync; printf("%d %d\\n", d, e); return 0; }
""")
    compiled([CILKC, "-w", "p.cilk1", "-o", "p"], cwd=tmp_path)
    result = command(["./p", "--nproc", "1"], cwd=tmp_path, timeout=300)
    assert result.status == 1 and result.out == "", str(result)
    assert (
        "keep cannot go on" in result.err
        and "is for a computation that begins later. Without a thief a procedure goes on when" in result.err
    ), str(result)


LATER = """#include <stdio.h>
static cont int kept;
thread last(cont int k, long a, long b, long c, long d, long e, long f, int x) { send_argument(k, x + (int)(a + b + c + d + e + f)); }
thread first(cont int k) { cont int x; spawn_next last(k, 1, 2, 3, 4, 5, 6, ?x); kept = x; send_argument(x, 1); }
thread second(cont int k) { send_argument(kept, 2); send_argument(k, 3); }
cilk int main(void) { int a, b; a = spawn first(); sync; printf("%d\\n", a); fflush(stdout); b = spawn second(); sync; return b; }
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_continuation_of_a_computation_that_is_over(tmp_path, workers):
    """The memory of the closure was given back when the computation ended: no pool that is gone is looked at."""
    result = command([made(tmp_path, LATER), "--nproc", workers])
    assert result.status == 1 and result.out == "22\n", str(result)
    assert (
        "send_argument through a dead continuation: the call to which it refers began long ago" in result.err
    ), str(result)
