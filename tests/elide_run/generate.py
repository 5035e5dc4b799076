"""A Cilk program with inlets for every type that C has: as the child's result, as a further argument, and as what the
inlet captures. An inlet captures the type plain, through a pointer, in arrays of fixed and of variable length, static.

programs() gives {name: text}.  By hand: python3 tests/elide_run/generate.py FOLDER writes them all.
"""

import sys
from pathlib import Path

# name: (declaration before, type, a value made of the int n, what to print of x as printf arguments)
INTEGERS = (
    "char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, "
    "unsigned long long, _Bool, __int128, unsigned __int128"
).split(", ")
TYPES = {
    name.replace(" ", "-").replace("_", ""): ("", name, "(%s)(n * 7 - 3)" % name, '"%lld", (long long)(x)')
    for name in INTEGERS
}
for _row in """
enum | enum colour { RED = 1, GREEN, BLUE }; | enum colour | n % 3 ? RED : BLUE | "%d", (int)(x)
enum-nameless | typedef enum { LOW = -1, HIGH = 1 } level; | level | n % 2 ? LOW : HIGH | "%d", (int)(x)
float | - | float | (float)n / 2 | "%g", (double)(x)
double | - | double | n * 0.25 | "%g", (x)
long-double | - | long double | n * 0.125L | "%Lg", (x)
float-complex | #include <complex.h> | float _Complex | n + 2.0f * I | "%g %g", (double)crealf(x), (double)cimagf(x)
double-complex | #include <complex.h> | double _Complex | n + 2.0 * I | "%g %g", creal(x), cimag(x)
pointer | static int cells[16]; | int * | &cells[n % 16] | "%d", (x) ? (int)((x) - cells) : -1
pointer-to-const | - | const char * | "abcdefghijklmnop" + n % 16 | "%s", (x)
pointer-to-void | static int cells[16]; | void * | &cells[n % 16] | "%d", (x) ? (int)((int *)(x) - cells) : -1
pointer-to-pointer | static int cells[16], *to[2] = {cells, cells + 5}; | int ** | to + n % 2
    | "%d", (x) ? (int)(*(x) - cells) : -1
pointer-to-array | static int grid[4][3]; | PLACE(int (*, )[3]) | &grid[n % 4] | "%d", (x) ? (int)((x) - grid) : -1
pointer-to-function | static int one(int i) { return i; } static int two(int i) { return 2 * i; }
    | PLACE(int (*, )(int)) | n % 2 ? one : two | "%d", (x) ? (x)(5) : 0
struct | struct mixed { char c; double d; int list[3]; }; | struct mixed
    | (struct mixed){(char)n, n / 2.0, {n, n + 1, n + 2}} | "%d %g %d", (x).c, (x).d, (x).list[2]
struct-small | typedef struct { short a, b; } pair; | pair | (pair){(short)n, 1} | "%d %d", (x).a, (x).b
struct-large | struct large { long all[40]; }; | struct large | (struct large){{n, 1, [39] = n}}
    | "%ld %ld", (x).all[0], (x).all[39]
struct-bits | struct bits { unsigned low : 5; signed high : 9; }; | struct bits | (struct bits){(unsigned)n & 31, -n}
    | "%d %d", (x).low, (x).high
union | union number { int i; double d; char bytes[12]; }; | union number | (union number){.i = n} | "%d", (x).i
vector | typedef int four __attribute__((vector_size(16))); | four | (four){n, n + 1, n + 2, n + 3}
    | "%d %d", (x)[0], (x)[3]
""".strip().replace("\n    |", " |").split("\n"):
    _name, *_row = _row.split(" | ")
    TYPES[_name] = ("" if _row[0] == "-" else _row[0], *_row[1:])

PROGRAM = """\
#include <stdio.h>
#include <string.h>
{before}
typedef {typedef};
#define SHOW(x) (printf({show}), printf("; "))

static T make(int n) {{ return {make}; }}
cilk T child(int n) {{ return make(n); }}
cilk void nothing(int *p) {{ *p += 1; }}

cilk int go(int n, int k)
{{
    int calls = 0, i, j;
    {d_plain};
    {d_other};
    {d_to} = &other;
    {d_line} = {{make(1), make(2), make(3)}};
    {d_plane};
    {d_cube};
    {d_vla};
    {d_vla2};
    {d_vla3};
    static {d_kept};
    const {d_fixed} = make(9);

    inlet void take({d_r}) {{ plain = r; line[calls++ % 3] = r; kept = r; }}
    inlet void more({d_r}, int i, {d_extra}, double weight)
    {{
        {d_mine} = r;
        plane[i % 2][1] = mine;
        cube[1][i % 2][i % 3] = extra;
        vla[i % n] = r;
        vla2[i % n][i % k] = mine;
        vla3[1][i % n][i % k] = extra;
        *to = weight > 0 ? mine : fixed;
        calls += (int)(sizeof vla2 / sizeof vla2[0]);
    }}
    inlet void came({d_extra}) {{ other = extra; calls++; }}

    memset(plane, 0, sizeof plane);
    memset(cube, 0, sizeof cube);
    memset(vla, 0, sizeof vla);
    memset(vla2, 0, sizeof vla2);
    memset(vla3, 0, sizeof vla3);
    plain = other = make(0);
    take(spawn child(n));
    sync;
    SHOW(plain); SHOW(line[0]); SHOW(kept);
    for (i = 0; i < 5; i++) {{
        more(spawn child(i), i, make(i + 1), i - 2.5);
        sync;
    }}
    SHOW(other);
    came(spawn nothing(&calls), make(4));
    sync;
    SHOW(other); SHOW(fixed);
    {{
        {d_plain};                /* another one; the inlet has the outer */
        {d_inner} = make(6);
        inlet void within({d_r}) {{ plain = r; inner = plain; }}
        within(spawn child(11));
        sync;
        SHOW(plain); SHOW(inner);
    }}
    SHOW(plain);
    printf("\\n");
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++) {{
            SHOW(plane[i % 2][j % 2]); SHOW(cube[1][i][j]);
        }}
    for (i = 0; i < n; i++) {{
        SHOW(vla[i]);
        for (j = 0; j < k; j++) {{
            SHOW(vla2[i][j]); SHOW(vla3[1][i][j]);
        }}
    }}
    printf("\\n%d\\n", calls);
    return calls;
}}

cilk int main(void) {{ int r; r = spawn go(4, 3); sync; return r == 0; }}
"""


def place(pattern, name):
    """A declaration of `name` with a type; those that surround the name are written PLACE(before, after)."""
    if pattern.startswith("PLACE("):
        before, after = pattern[6:-1].split(", ", 1)
        return before + name + after
    return pattern + ("" if pattern.endswith("*") else " ") + name


VARIABLES = (
    "plain other *to line[3] plane[2][2] cube[2][2][3] vla[n] vla2[n][k] vla3[2][n][k] kept fixed r extra mine inner"
).split()


def programs():
    made = {}
    for spelled in (False, True):              # by a typedef, and with the type written out at each place
        for name, (before, pattern, make, show) in TYPES.items():
            if spelled and " " not in pattern:                # a word is no different written out
                continue

            def declare(inner, pattern=pattern, spelled=spelled):
                return place(pattern, inner) if spelled else "T " + inner

            fields = dict(before=before, typedef=place(pattern, "T"), show=show, make=make)
            for inner in VARIABLES:
                fields["d_" + inner.strip("*").split("[")[0]] = declare(inner)
            if pattern.endswith(("*", ")")):
                fields["d_fixed"] = "T fixed"                # `const` in front would be the pointee's
            made["%s%s" % (name, "-written" if spelled else "")] = PROGRAM.format(**fields)
    return made


# Each arithmetic type as the child's result meets each as the inlet's parameter.
ARITHMETIC = [*INTEGERS[:9], "_Bool", "float", "double", "long double", "__int128", "enum colour"]


def conversions():
    lines = ["#include <stdio.h>", "enum colour { RED, GREEN, BLUE };"]
    for i, t in enumerate(ARITHMETIC):
        lines.append("cilk %s child%d(int n) { return (%s)n; }" % (t, i, t))
    lines += ["cilk int main(void)", "{", "    double sum = 0;"]
    for i, t in enumerate(ARITHMETIC):
        lines.append(
            "    inlet void take%d(%s r, double more) { sum = sum * 1.0009765625 + (double)r + more; }" % (i, t)
        )
    for i in range(len(ARITHMETIC)):
        for j in range(len(ARITHMETIC)):
            lines.append("    take%d(spawn child%d(%d), %d); sync;" % (i, j, (i * 7 + j) % 100, j))
    lines += ['    printf("%.10g\\n", sum);', "    return 0;", "}", ""]
    return {"conversions": "\n".join(lines)}


if __name__ == "__main__":
    for name, text in {**programs(), **conversions()}.items():
        (Path(sys.argv[1]) / (name + ".cilk")).write_text(text)
