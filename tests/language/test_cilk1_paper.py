"""Programs in the style of the paper (PPoPP'95, section 2): they compile without a warning, and print what the same
program in C prints."""

import pytest

from conftest import CILKC, STRATEGIES, command, compiled, files

pytestmark = pytest.mark.tier("check")

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"
SUM = "thread sum (cont int k, int x, int y)\n{\n  send_argument (k, x+y);\n}\n"
MAIN = "cilk int main(void) { int r; r = spawn %s; sync; printf(\"%%d\\n\", r); return 0; }\n"
# The compiler rightly warns that a continuation of these may get lost: it is in a table, or a thread uses it on one
# path only.
DROPPED = ("lcs",)
# The text, and what it prints.
PROGRAMS = {
    "figure-3": ("""\
thread sum (cont int k, int x, int y);
thread fib (cont int k, int n)
{
  if (n<2)
    send_argument (k, n)  ;
  else
  {
    cont int x, y;
    spawn_next sum (k, ?x, ?y);
    spawn fib (x, n-1);
    spawn fib (y, n-2);
  }
}
""" + SUM + MAIN % "fib(12)", "144\n"),
    "tail-call": (SUM + """\
thread fib (cont int k, int n)
{
  if (n < 2) { send_argument (k, n); return; }
  cont int x, y;
  spawn_next sum (k, ?x, ?y);
  spawn fib (x, n-1);
  tail_call fib (y, n-2);
}
""" + MAIN % "fib(12)", "144\n"),
    "call": (SUM + """\
thread fib (cont int k, int n)
{
  if (n < 2)
    send_argument (k, n);
  else {
    cont int x, y;
    spawn_next sum (k, ?x, ?y);
    spawn fib (x, n-1);
    call fib (y, n-2);
  }
}
""" + MAIN % "fib(12)", "144\n"),
    "main-thread": ("""\
thread done (cont int k, int n) { printf("%d\\n", n); send_argument (k, 0); }
thread twice (cont int k, int n) { send_argument (k, 2*n); }
thread main (cont int k, int argc, char *argv[])
{
  cont int n;
  spawn_next done (k, ?n);
  spawn twice (n, argc + (argv[0] == NULL));
}
""", "2\n"),
    "no-continuation": ("""\
static int seen;
thread leaf (int n, cont int k) { seen += n; send_argument (k, 0); }
thread both (cont int k, int a, int b) { send_argument (k, seen + a + b); }
thread top (cont int k)
{
  cont int a, b;
  spawn_next both (k, ?a, ?b);
  spawn leaf (1, a) @ 0;
  spawn leaf (2, b) @ 0;
}
""" + MAIN % "top()", "3\n"),
    "continuation-in-struct": (SUM + """\
struct request { cont int reply; int n; };
thread serve (struct request r) { send_argument (r.reply, r.n * r.n); }
thread top (cont int k)
{
  struct request a, b;
  a.n = 3;
  b.n = 4;
  spawn_next sum (k, ?a.reply, ?b.reply);
  spawn serve (a);
  spawn serve (b);
}
""" + MAIN % "top()", "25\n"),
    "continuation-in-array": ("""\
thread four (cont int k, int a, int b, int c, int d) { send_argument (k, 1000*a + 100*b + 10*c + d); }
thread id (cont int k, int n) { send_argument (k, n); }
thread top (cont int k)
{
  cont int part[4];
  int i;
  spawn_next four (k, ?part[0], ?part[1], ?part[2], ?part[3]);
  for (i = 0; i < 4; i++)
    spawn id (part[i], i + 1);
}
""" + MAIN % "top()", "1234\n"),
    "pointer-to-continuation": (SUM + """\
static void both (cont int *p, int n) { (void)p; (void)n; }
thread id (cont int k, int n) { send_argument (k, n); }
thread top (cont int k)
{
  cont int *c = malloc (2 * sizeof (cont int));
  spawn_next sum (k, ?c[0], ?c[1]);
  both (c, 2);
  spawn id (*c, 20);
  spawn id (*(c + 1), 22);
  free (c);
}
""" + MAIN % "top()", "42\n"),
    "queens": ("""\
thread add (cont int k, int x, int rest) { send_argument (k, x + rest); }
thread place (cont int k, int n, int row, unsigned cols, unsigned left, unsigned right)
{
  int c;
  if (row == n) {
    send_argument (k, 1);
    return;
  }
  for (c = 0; c < n; c++) {
    unsigned bit = 1u << c;
    if (!((cols | left | right) & bit)) {
      cont int x, rest;
      spawn_next add (k, ?x, ?rest);
      spawn place (x, n, row + 1, cols | bit, (left | bit) << 1, (right | bit) >> 1);
      k = rest;
    }
  }
  send_argument (k, 0);
}
""" + MAIN % "place(6, 0, 0, 0, 0)", "4\n"),
    "series": ("""\
thread walk (cont long k, int n, long so_far, int x)
{
  so_far += x;
  if (n == 0)
    send_argument (k, so_far);
  else {
    cont int step;
    spawn_next walk (k, n - 1, so_far, ?step);
    send_argument (step, n);
  }
}
cilk int main (void) { long r; r = spawn walk (100, 0, 0); sync; printf ("%ld\\n", r); return 0; }
""", "5050\n"),
    "pointers": ("""\
struct tree { int value; struct tree *left, *right; };
thread three (cont int k, int value, int a, int b) { send_argument (k, value + a + b); }
thread total (cont int k, struct tree *t)
{
  if (!t)
    send_argument (k, 0);
  else {
    cont int a, b;
    spawn_next three (k, t->value, ?a, ?b);
    spawn total (a, t->left);
    spawn total (b, t->right);
  }
}
static struct tree l = {1, NULL, NULL}, r = {2, NULL, NULL}, t = {4, &l, &r};
""" + MAIN % "total(&t)", "7\n"),
    "strings": ("""\
thread show (cont int k, char *a, const char *b) { send_argument (k, printf ("%s%s\\n", a, b)); }
thread word (cont(const char *) k, int n) { send_argument (k, n ? "world" : "moon"); }
thread top (cont int k)
{
  cont(const char *) b;
  static char hello[] = "hello ";
  spawn_next show (k, hello, ?b);
  spawn word (b, 1);
}
cilk int main (void) { int n; n = spawn top (); sync; return n != 12; }
""", "hello world\n"),
    "doubles": ("""\
thread average (cont double k, double x, double y) { send_argument (k, (x + y) / 2); }
thread half (cont double k, float f) { send_argument (k, f / 2); }
thread top (cont double k) { cont double x, y; spawn_next average (k, ?x, ?y); spawn half (x, 3); spawn half (y, 5.0); }
cilk int main (void) { double d; d = spawn top (); sync; printf ("%.2f\\n", d); return 0; }
""", "2.00\n"),
    "structs": ("""\
typedef struct { double re, im; } complex_t;
thread times (cont complex_t k, complex_t a, complex_t b)
{
  complex_t c = { a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re };
  send_argument (k, c);
}
thread unit (cont(complex_t) k) { send_argument (k, ((complex_t){0, 1})); }
thread square (cont complex_t k)
{
  cont complex_t a, b;
  spawn_next times (k, ?a, ?b);
  spawn unit (a);
  spawn unit (b);
}
cilk int main (void) { complex_t c; c = spawn square (); sync; printf ("%g %g\\n", c.re, c.im); return 0; }
""", "-1 0\n"),
    "continuation-of-continuation": ("""\
thread meet (cont int there, int n) { send_argument (there, n + 1); }
thread id (cont int k, int n) { send_argument (k, n); }
thread give (cont(cont int) to, cont int k) { send_argument (to, k); }
thread top (cont int k)
{
  cont(cont int) where;
  cont int n;
  spawn_next meet (?where, ?n);
  spawn id (n, 6);
  spawn give (where, k);
}
""" + MAIN % "top()", "7\n"),
    "mutual": ("""\
thread odd (cont int k, unsigned n);
thread even (cont int k, unsigned n) { if (n == 0) send_argument (k, 1); else tail_call odd (k, n - 1); }
thread odd (cont int k, unsigned n) { if (n == 0) send_argument (k, 0); else tail_call even (k, n - 1); }
""" + MAIN % "even(100001)", "0\n"),
    "successor-without-holes": ("""\
thread last (cont int k, int n) { send_argument (k, n); }
thread first (cont int k, int n) { spawn_next last (k, n * 3); }
""" + MAIN % "first(5)", "15\n"),
    "procedure-below": (SUM + """\
cilk int fact (int n) { int x; if (n < 2) return 1; x = spawn fact (n - 1); sync; return n * x; }
cilk void nothing (int n) { (void)n; }
thread after (cont int k, int zero) { spawn fact (k, 5 + zero); }
thread top (cont int k)
{
  cont int x, y, z;
  spawn_next sum (k, ?x, ?y);
  spawn fact (x, 4);
  spawn_next after (y, ?z);
  spawn nothing (z, 9);
}
""" + MAIN % "top()", "144\n"),
    "global-continuation": ("""\
static cont int answer;
thread keep (cont int k, int n) { send_argument (k, n); }
thread later (cont int go, int n) { send_argument (answer, n); send_argument (go, 0); }
thread end (cont int k, int n, int zero) { send_argument (k, n + zero); }
thread top (cont int k) { cont int z; spawn_next end (k, ?answer, ?z); spawn later (z, 11); }
""" + MAIN % "top()", "11\n"),
    "where-it-runs": ("""\
thread here (cont int k) { send_argument (k, Self >= 0 && Self < Cilk_active_size); }
thread top (cont int k) { spawn here (k) @ (Self + 1); }
""" + MAIN % "top()", "1\n"),
    "array-argument": ("""\
thread add (cont int k, int x, int rest) { send_argument (k, x + rest); }
thread total (cont int k, int a[], int n)
{
  if (n == 1)
    send_argument (k, a[0]);
  else {
    cont int x, y;
    int half = n / 2;
    spawn_next add (k, ?x, ?y);
    spawn total (x, a, half);
    spawn total (y, a + half, n - half);
  }
}
static int numbers[] = {1, 2, 3, 4, 5, 6, 7};
""" + MAIN % "total(numbers, 7)", "28\n"),
    "labels-and-loops": (SUM + """\
thread collatz (cont int k, unsigned n, int steps)
{
again:
  if (n == 1) {
    send_argument (k, steps);
    return;
  }
  switch (n % 2) {
  case 0: n /= 2; break;
  default: n = 3 * n + 1;
  }
  if (++steps % 8) goto again;
  spawn_next collatz (k, n, steps);
}
""" + MAIN % "collatz(27, 0)", "111\n"),
    "same-thread-twice": (SUM + """\
static thread id (cont int k, int n);
thread quad (cont int k, int n)
{
  cont int a, b, c, d, e, f;
  spawn_next sum (k, ?a, ?b);
  spawn_next sum (a, ?c, ?d); spawn_next sum (b, ?e, ?f);
  spawn id (c, n); spawn id (d, n);
  spawn id (e, n); spawn id (f, n);
}
static thread id (cont int k, int n) { send_argument (k, n); }
""" + MAIN % "quad(25)", "100\n"),
}


@pytest.mark.sample(6, "test", 2)
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_program(name, tmp_path):
    text, printed = PROGRAMS[name]
    (tmp_path / "p.cilk1").write_text(HEAD + text)
    for flags in (["-O0"], ["-O2"], ["--serial"]):
        built = compiled([CILKC, "-Wall", *flags, "p.cilk1", "-o", "p"], cwd=tmp_path)
        assert "warning" not in built.err or name == "global-continuation", str(built)
        for nproc in ("1", "3"):
            result = command([tmp_path / "p", "--nproc", nproc])
            assert (result.status, result.out) == (0, printed), "%s: %s" % (flags, result)
    compiled([CILKC, "elide", "p.cilk1", "-o", "p.c"], cwd=tmp_path)
    compiled(["gcc", "-std=gnu17", "-Wall", "-Werror", "-O1", "p.c", "-o", "c"], cwd=tmp_path)
    result = command([tmp_path / "c"])
    assert (result.status, result.out) == (0, printed), str(result)


CLASSICS = files("tests/cilk1/*.cilk1")


@pytest.mark.sample(6, "test", 2)
@pytest.mark.parametrize("path", CLASSICS)
def test_classic(path, tmp_path):
    """Programs of their time, each in a file beside what it prints: by threads, by both strategies, by the runtime for
    one processor and as C."""
    printed = path.with_suffix(".expected").read_text()
    for flags in (["-O0"], *(["-O2", "--spawn=" + spawn] for spawn in STRATEGIES), ["--serial"]):
        built = compiled([CILKC, "-Wall", "-Wno-unused", *flags, path, "-lm", "-o", "p"], cwd=tmp_path)
        assert "warning" not in built.err or path.stem in DROPPED, str(built)
        for nproc, force in (("1", "off"), ("2", "random"), ("4", "off")):
            result = command([tmp_path / "p", "--nproc", nproc, "--force-steal", force])
            assert (result.status, result.out) == (0, printed), "%s: %s" % (flags, result)
    compiled([CILKC, "elide", path, "-o", "p.c"], cwd=tmp_path)
    compiled(["gcc", "-std=gnu17", "-w", "-O1", "p.c", "-lm", "-o", "c"], cwd=tmp_path)
    result = command([tmp_path / "c"])
    assert (result.status, result.out) == (0, printed), str(result)
