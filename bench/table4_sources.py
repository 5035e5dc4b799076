"""The programs of table 4: each sample of Cilk-1 with a clock around its computation, and the serial C program that
T_serial is the time of.

The serial program is made of the sample's own C functions, without its threads, and a main of its own. gcc -O2
compiles the serial program. Where a sample has no function that does all of the work (fib, knary, ray), it is here.
Both print `cpu: X s` and `time: X s`; processor time is what efficiency is taken from, since other processes do not
add to it.
"""

import re

CLOCK = r"""
#include <stdio.h>
#include <time.h>
static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double clock_cpu, clock_wall;
static void clock_begins(void) { clock_cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID), clock_wall = clock_of(CLOCK_MONOTONIC); }
static void clock_ends(void)
{
    printf("cpu: %f s\ntime: %f s\n", clock_of(CLOCK_PROCESS_CPUTIME_ID) - clock_cpu, clock_of(CLOCK_MONOTONIC) - clock_wall);
}
"""

MAIN = r"""%s
%s
%s
int main(int argc, char *argv[])
{
    long value;
    %s
    clock_begins();
    value = %s;
    clock_ends();
    printf("%%ld\n", value);
    return 0;
}
"""

# name: (functions, what is done before the clock starts, the expression)
SERIAL = {
    "fib": ("static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }", "int n = atoi(argv[1]);",
            "fib(n)"),
    "queens": ("", "size = atoi(argv[1]); all = (1u << size) - 1;", "serial(0, 0, 0)"),
    "pfold": ("", "nx = atoi(argv[1]), ny = atoi(argv[2]), nz = atoi(argv[3]); places = nx * ny * nz; grid();",
              "serial(1, 0, places - 1)"),
    "knary": (
        """static long nodes(int n)
{
    volatile int i;
    long sum = 1;
    int j;
    for (i = 0; i < work; i++)
        ;
    for (j = 0; n > 1 && j < degree; j++)
        sum += nodes(n - 1);
    return sum;
}""",
        "int n = atoi(argv[1]); degree = atoi(argv[2]), series = atoi(argv[3]); if (argc > 4) work = atoi(argv[4]);",
        "nodes(n)",
    ),
    "ray": (
        """static long area(int x0, int y0, int x1, int y1)
{
    if (x1 - x0 <= 1 && y1 - y0 <= 1)
        return x0 < x1 && y0 < y1 ? picture[y0 * width + x0] = (unsigned char)pixel(x0, y0) : 0;
    int x = x0 + (x1 - x0 + 1) / 2, y = y0 + (y1 - y0 + 1) / 2;
    return area(x0, y0, x, y) + (x < x1 ? area(x, y0, x1, y) : 0) + (y < y1 ? area(x0, y, x, y1) : 0) + (x < x1 && y < y1 ? area(x, y, x1, y1) : 0);
}""",
        "width = atoi(argv[1]), height = atoi(argv[2]); picture = malloc((size_t)width * height);",
        "area(0, 0, width, height)",
    ),
    # The computation of a single worker, as a recursion: each move is tested, and searched again where the test
    # fails. (Plain alpha-beta does more here: see the docs.)
    "jamboree": (
        """static int scout(struct position p, int depth, int alpha, int beta)
{
    int i, best;
    if (depth <= BOTTOM || moves == 1)
        return serial(p, depth, alpha, beta);
    best = -scout(next(p, 0), depth - 1, -beta, -alpha);
    if (best > alpha)
        alpha = best;
    for (i = 1; i < moves && best < beta; i++) {
        struct position below = next(p, i);
        int value = -scout(below, depth - 1, -alpha - 1, -alpha);
        if (value > alpha && value < beta)
            value = -scout(below, depth - 1, -beta, -alpha);
        if (value > best)
            best = value;
        if (best > alpha)
            alpha = best;
    }
    return best;
}""",
        "moves = atoi(argv[2]);",
        "scout((struct position){1, 0}, atoi(argv[1]), -INFINITE, INFINITE)",
    ),
}


def definitions(text, words):
    """The spans of what is declared or defined at top level with one of these words in front."""
    for found in re.finditer(r"^(?:%s)\b[^;{]*(;|\{)" % "|".join(words), text, re.M):
        end = found.end() if found.group(1) == ";" else text.index("\n}", found.end()) + 2
        yield found.start(), end


def serial(name, text):
    """C, or None."""
    if name not in SERIAL:
        return None
    for start, end in reversed(list(definitions(text, ("thread", "cilk")))):
        text = text[:start] + text[end:]
    functions, before, value = SERIAL[name]
    return MAIN % (CLOCK, text, functions, before, value)


def timed(text):
    """The sample, whose first spawn in main is timed."""
    start = text.index("cilk int main")
    body, n = re.subn(r"\n( +)(\w+ = spawn [^;]*;\s+sync;)", r"\n\1clock_begins();\n\1\2\n\1clock_ends();",
                      text[start:])
    return CLOCK + text[:start] + body if n else text
