"""Random small programs for the tests of `cilkc prove`, many procedures in one file: parts of arrays, strides, guards,
recursion, a sync here or there. Each procedure has an array of its own, so that a race tells whose it is. And one-line
changes of programs."""

import random
import re

SPACE, ORIGIN = 3000, 1000  # of an array; where the indices begin

HEAD = """#include <stdlib.h>
"""


def halves(name, r):
    """A range is halved until it is short."""

    def off(*others):
        return r.choice((0, 0, 0, 0, *others))

    least = r.choice((6, 7, 8))
    step, rest = r.choice((1, 1, 2)), r.choice((0, 0, 1))
    index = "%d * i + %d" % (step, rest)
    other = "%s + %d" % (index, off(1, -1))
    between = r.choice(("", "", "", "sync;", "a[middle] = 1;"))
    return """
cilk void %s(int *a, int low, int high)
{
    int i, middle;
    if (high - low < %d) {
        for (i = low; i %s high; i++)
            a[%s] = a[%s] + 1;
        return;
    }
    middle = low + (high - low) / %d%s;
    spawn %s(a, low%s, middle);
    %s
    spawn %s(a, middle%s, high);
    sync;
}
""" % (
        name,
        least,
        r.choice(("<", "<", "<", "<=")),
        index,
        other,
        r.choice((2, 2, 3)),
        signed(off(1, -1)),
        name,
        signed(off(1)),
        between,
        name,
        signed(off(1, -1)),
    )


def signed(number):
    return " %s %d" % ("+" if number > 0 else "-", abs(number)) if number else ""


def rounds(name, r):
    """A loop spawns a child for each block."""
    width, length = r.choice((2, 3, 4)), r.choice((1, 2, 3, 4))
    guard = r.choice(("", "", "if (i % 2 == 0) "))
    after = r.choice(("", "", "a[low] = 0;", "sync; a[low] = 0;"))
    return """
cilk void %s_part(int *a, int from, int to)
{
    for (; from < to; from++)
        a[from] = from;
}
cilk void %s(int *a, int low, int high)
{
    int i;
    for (i = low; i < high; i++) {
        %sspawn %s_part(a, %d * i, %d * i + %d);
        %s
    }
    %s
    sync;
}
""" % (name, name, guard, name, width, width, length, r.choice(("", "", "", "sync;")), after)


def rows(name, r):
    """Blocks of a matrix whose rows have any length."""
    half = r.choice(("n / 2", "n / 2", "n / 2", "n / 3"))
    rest = r.choice(("n - h", "n - h", "n - h", "h + 1"))
    by_rows = r.choice((True, False))
    second = "a + h * ld" if by_rows else "a + h"
    first_size = ("h, m" if by_rows else "n, h2").replace("h2", "m / 2")
    second_size = ("%s, m" % rest) if by_rows else "n, m - m / 2"
    shift = "" if by_rows else "h = m / 2;"
    return """
cilk void %s_block(int *a, int ld, int n, int m)
{
    int i, j;
    if (n + m < 6) {
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                a[i * ld + j] = i + j;
    } else {
        int h = %s;
        %s
        spawn %s_block(a, ld, %s);
        %s
        spawn %s_block(%s%s, ld, %s);
        sync;
    }
}
cilk void %s(int *a, int low, int high)
{
    int n = high - low;
    spawn %s_block(a + low, %s, n, %s);
    sync;
}
""" % (
        name,
        half,
        shift,
        name,
        first_size,
        r.choice(("", "", "sync;")),
        name,
        second,
        signed(r.choice((0, 0, -1))),
        second_size,
        name,
        name,
        r.choice(("n + 1", "n", "n")),
        r.choice(("n", "n", "n + 1")),
    )


def results(name, r):
    """Results of children, and what is done before they are there."""
    early = r.choice(("", "", "x++;", "sync;", "a[low] = x;"))
    op = r.choice(("=", "+="))
    return """
cilk int %s_count(int *a, int low, int high)
{
    int x = 0, y = 0;
    if (high - low < 3)
        return %s;
    x %s spawn %s_count(a, low, (low + high) / 2);
    %s
    y %s spawn %s_count(a, (low + high) / 2%s, high);
    sync;
    return x + y;
}
cilk void %s(int *a, int low, int high)
{
    int x;
    x = spawn %s_count(a, low, high);
    sync;
    a[low] = x;
}
""" % (
        name,
        r.choice(("a[low]", "a[low]++", "a[high] = 1")),
        op,
        name,
        early,
        op,
        name,
        signed(r.choice((0, 0, 1))),
        name,
        name,
    )


FORMS = (halves, rounds, rows, results)
MAIN = """
cilk int main(int argc, char **argv)
{
    int n, most = argc > 1 ? atoi(argv[1]) : %d;
    for (n = 0; n <= most; n++) {
%s    }
    return 0;
}
"""


def program(seed, number):
    """(text, {name of an array: (first line, last line) of the procedures that use it})"""
    r = random.Random(seed)
    parts, calls, arrays = [HEAD], "", {}
    for k in range(number):
        form = r.choice(FORMS)
        name = "p%d" % k
        first = len("".join(parts).splitlines()) + 1
        parts.append("int of_%s[%d];\n" % (name, SPACE) + form(name, r))
        arrays["of_" + name] = (first, len("".join(parts).splitlines()))
        calls += "        spawn %s(of_%s + %d, 0, n);\n        sync;\n" % (name, name, ORIGIN)
    return "".join(parts) + MAIN % (20, calls), arrays


# ---- one-line changes

CHANGES = (
    (r"\bsync;", ";"),
    (r"/ 2\b", "/ 3"),
    (r"/ 2\b", "/ 2 + 1"),
    (r"([<>])(?= \w+; )", r"\1="),
    (r"(spawn \w+\()(\w+), (\w+)", r"\1\3, \2"),
    (r" - (?=\w+\))", " + "),
    (r" \+ (?=\w+[,)])", " - "),
    (r"(\w+) - (\w+)\)", r"\1)"),
    (r"\+ 1\b", "+ 0"),
    (r"\* (?=(ld|n|width|m)\b)", "+ "),
)


def mutants(text):
    """Each text that a change of a single line makes, inside of functions."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.startswith(" ") or '"' in line:
            continue
        for pattern, new in CHANGES:
            for match in re.finditer(pattern, line):
                changed = line[: match.start()] + match.expand(new) + line[match.end() :]
                if changed != line:
                    yield number + 1, "\n".join([*lines[:number], changed, *lines[number + 1 :]])
