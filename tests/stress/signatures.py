"""Random programs of Cilk-1, which print one number: threads of any signature (signatures), and the order in which one
worker runs threads (order).

Both are right where `cilkc elide` and gcc print the same: the elision's scheduler is another one, and passes
arguments in structs.
    python3 tests/stress/signatures.py signatures|order SEED
"""

import random
import sys

# A type, a value of it made of the int `s`, and a number made of the value `v`.
TYPES = (
    ("char", "(char)(s % 100)", "v"),
    ("short", "(short)(s * 3)", "v"),
    ("int", "s * 5", "v"),
    ("long", "s * 7000000007L", "v"),
    ("_Bool", "s & 1", "v"),
    ("float", "s / 4.0f", "(long)(v * 4)"),
    ("double", "s / 8.0", "(long)(v * 8)"),
    ("long double", "s / 16.0L", "(long)(v * 16)"),
    ("__int128", "((__int128)s << 70) + s", "(long)(v >> 70) * 3 + (long)v"),
    ("unsigned __int128", "((unsigned __int128)s << 65) + 1", "(long)(v >> 65) + (long)v"),
    ("_Complex float", "s + 2.0fi", "(long)__real v * 3 + (long)__imag v"),
    ("_Complex double", "s - 3.0i", "(long)__real v * 5 + (long)__imag v"),
    ("_Complex long double", "s + 5.0Li", "(long)__real v * 7 + (long)__imag v"),
    ("int *", "&cell[s & 15]", "*v"),
    ("struct three", "{{(char)s, 1, 2}}", "v.c[0] * 3 + v.c[1] + v.c[2]"),
    ("struct mixed", "{s / 2.0, s}", "(long)(v.d * 2) + v.i"),
    ("struct large", "{s, s + 1, s + 2, s + 3}", "v.a + v.b * 3 + v.c * 5 + v.d * 7"),
    ("struct floats", "{s, s + 1}", "(long)v.x + (long)v.y * 3"),
    ("struct wide", "{1, (__int128)s << 64}", "v.c + (long)(v.i >> 64)"),
    ("struct long_one", "{s + 0.5L}", "(long)(v.x * 2)"),
    ("struct page", "{{s, s + 1}, s}", "v.n[0] + v.n[1] * 3 + v.last"),
    ("struct empty", "{}", "3 + 0 * sizeof v"),
    ("four", "{s, s + 1, s + 2, s + 3}", "v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7"),
    ("eight", "{s, 1, 2, 3, 4, 5, 6, s + 7}", "v[0] + v[7] * 3"),
    ("two", "{s, s + 1}", "(long)v[0] + (long)v[1] * 3"),
)
HEAD = """\
#include <stdio.h>
static int cell[16] = {1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256};
struct three { char c[3]; };
struct mixed { double d; int i; };
struct large { long a, b, c, d; };
struct floats { float x, y; };
struct wide { char c; __int128 i; };
struct long_one { long double x; };
struct page { int n[300]; int last; };
struct empty { };
typedef int four __attribute__((vector_size(16)));
typedef int eight __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));
"""


def signatures(seed, threads=24):
    """Each thread makes a number of its parameters. Some of these are there, some are sent, and some threads run by a
    tail call."""
    r = random.Random(seed)
    text = [HEAD]
    for i, (name, value, number) in enumerate(TYPES):
        assigned = "%s v = %s;" % (name, value)
        text.append(
            "static %s make%d(int s) { %s return v; }\nstatic long number%d(%s v) { return %s; }\nthread send%d(cont(%s) k, int s) { send_argument(k, make%d(s)); }"
            % (name, i, assigned, i, name, number, i, name, i)
        )
    text.append("thread plus(cont long k, long a, long b) { send_argument(k, 3 * a + b); }")
    for t in range(threads):
        kinds = [r.randrange(len(TYPES)) for _ in range(r.choice((1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 17, 25, 40)))]
        if r.random() < 0.3:                                  # many of one kind: they go past the registers
            kinds = [r.choice(kinds) for _ in kinds]
        params = ", ".join("%s p%d" % (TYPES[k][0], i) for i, k in enumerate(kinds))
        numbers = " ".join("x = x * 31 + number%d(p%d);" % (k, i) for i, k in enumerate(kinds))
        text.append(
            "thread work%d(cont long k, %s)\n{\n  long x = 0;\n  %s\n  send_argument(k, x);\n}" % (t, params, numbers)
        )
        given = ", ".join("make%d(s + %d)" % (k, i) for i, k in enumerate(kinds))
        text.append("thread tail%d(cont long k, int s) { tail_call work%d(k, %s); }" % (t, t, given))
        holes = [r.random() < 0.4 for _ in kinds]
        conts = " ".join("cont(%s) h%d;" % (TYPES[k][0], i) for i, k in enumerate(kinds) if holes[i])
        sent = ", ".join("?h%d" % i if holes[i] else "make%d(s + %d)" % (k, i) for i, k in enumerate(kinds))
        sends = []
        for i, k in enumerate(kinds):
            if holes[i]:
                sends.append(
                    "spawn send%d(h%d, s + %d);" % (k, i, i)
                    if r.random() < 0.5
                    else "send_argument(h%d, make%d(s + %d));" % (i, k, i)
                )
        text.append("thread sent%d(cont long k, int s)\n{\n  %s\n  %s work%d(k, %s);\n  %s\n}"
                    % (t, conts, r.choice(("spawn", "spawn_next")), t, sent, " ".join(sends)))
    parts = ["%s%d" % (r.choice(("tail", "sent", "sent")), t) for t in range(threads)]
    text.append("thread top(cont long k, int n)\n{\n  cont long a, b;")
    for part in parts:
        text.append("  spawn_next plus(k, ?a, ?b); spawn %s(a, n + %d); k = b;" % (part, r.randrange(40)))
    text.append(
        '  send_argument(k, 1);\n}\ncilk int main(void) { long r; r = spawn top(1); sync; printf("%ld\\n", r); return 0; }'
    )
    return "\n".join(text) + "\n"


def order(seed, threads=10):
    """Each thread adds its number to a hash, does something of all that threads do, in any order, and adds to the hash
    again."""
    r = random.Random(seed)
    text = ["#include <stdio.h>", "static unsigned long hash; static int left = %d;" % r.choice((30, 200, 1000)),
            "static void mark(int n) { hash = hash * 1000003 + n; }", "cilk int proc(int n);",
            "thread join(cont int k, int a, int b) { mark(1000); send_argument(k, a * 3 + b); }",
            "thread shift(cont int k, int a) { mark(2000); send_argument(k, a + 1); }"]
    for t in range(threads):
        text.append("thread t%d(cont int k, int n);" % t)

    def child():
        return "t%d" % r.randrange(threads)

    def ends():
        """How a thread comes to an end; it has k and must pass it on."""
        return r.choice(
            (
                "send_argument(k, n);",
                "{ cont int x, y; spawn_next join(k, ?x, ?y); spawn %s(x, n + 1); spawn %s(y, n + 2); }"
                % (child(), child()),
                "{ cont int x, y; spawn_next join(k, ?x, ?y); spawn %s(x, n + 1); mark(n); spawn %s(y, n + 2); }"
                % (child(), child()),
                "{ cont int x, y; spawn join(k, ?x, ?y); spawn %s(x, n + 1); send_argument(y, n); }" % child(),
                "{ cont int x, y; spawn join(k, ?x, ?y); send_argument(y, n); spawn %s(x, n + 1); }" % child(),
                "{ cont int x, y, z; spawn_next join(k, ?x, ?y); spawn join(y, ?z, n); spawn %s(x, 1); spawn %s(z, 2); n++; }"
                % (child(), child()),
                "{ cont int x; spawn_next shift(k, ?x); tail_call %s(x, n + 1); }" % child(),
                "{ cont int x, y; spawn_next join(k, ?x, ?y); spawn %s(x, n + 1); n += 2; tail_call %s(y, n); }"
                % (child(), child()),
                "{ cont int x, y, z; spawn_next join(k, ?x, ?y); spawn_next join(y, ?y, ?z); spawn %s(x, 1); spawn %s(y, n); tail_call %s(z, 3); }"
                % (child(), child(), child()),
                "{ cont int x; spawn_next shift(k, ?x); if (n & 1) spawn %s(x, 3); else spawn %s(x, 4); }"
                % (child(), child()),
                "{ cont int x, y; int i; spawn_next join(k, ?x, ?y); for (i = 0; i < 3; i++) { cont int u, v; spawn_next join(x, ?u, ?v); spawn %s(u, i); x = v; }"
                " spawn %s(x, 5); send_argument(y, 1); }" % (child(), child()),
                "{ cont int x, y; spawn_next join(k, ?x, ?y); spawn proc(x, n); spawn %s(y, n); }" % child(),
                "{ cont int x, y; spawn_next join(k, ?x, ?y); spawn %s(y, n); spawn proc(x, n); }" % child(),
                "spawn_next %s(k, n + 1);" % child(),
                "spawn %s(k, n + 1);" % child(),
                "spawn shift(k, n);",
            )
        )

    for t in range(threads):
        text.append(
            "thread t%d(cont int k, int n)\n{\n  mark(%d + n %% 7);\n  if (left-- <= 0) send_argument(k, n);\n  else if (n & 2) %s\n  else %s\n}"
            % (t, 10 * t, ends(), ends())
        )
    text += ["cilk int proc(int n) { mark(3000 + n % 5); return n; }",
             "cilk int main(void) { int r; r = spawn t0(1); sync; printf(\"%d %lx\\n\", r, hash); return 0; }"]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    print({"signatures": signatures, "order": order}[sys.argv[1]](int(sys.argv[2])), end="")
