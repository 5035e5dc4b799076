"""Sizes of variably modified types: a pointer to such a type, made in some way, in an expression around it, and what is
asked about its type. The sizes that C gives are computed here, and compared with gcc's.

gcc leaves the size of an arm that is not evaluated unset (`no ? (int (*)[n])p : 0`): those shapes are compared with the
computed sizes alone. Their side effects are not counted, since C does not say whether those sizes are evaluated."""

import math
import re

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("check")

VALUES = {"N": 5, "M": 7}
SIZES = {"char": 1, "int": 4, "double": 8}
DIMENSIONS = ["[N]", "[N][3]", "[3][N]", "[N][M]", "[2][N][M]"]
MADE = {                                            # what precedes it, and the pointer; %e is the element, %d the dimensions
    "cast": ("", "(%e (*)%d)buf"),
    "null": ("", "(%e (*)%d)0"),
    "variable": ("%e (*p)%d = (void *)buf; n++;", "p"),
    "object": ("%e v%d; n++;", "&v"),
    "typedef": ("typedef %e T%d; n += 3; m += 2;", "(T *)buf"),
    "type": ("", "(__typeof__(%e %d) *)buf"),
    "literal": ("", "(%e (*)%d){(void *)buf}"),
    "element": ("", "((%e (*[2])%d){(void *)buf, (void *)buf})[1]"),
    "pointer": ("%e (**p)%d = (void *)&bufp;", "*p"),
    "array": ("%e (*p[2])%d; p[1] = (void *)buf;", "p[1]"),
    "function": ("%e (*(*f)(void))%d = (void *)give;", "f()"),
}
SKIPS = {                                                        # an arm is not evaluated
    "0 then": "(0 ? %s : 0)", "1 else": "(1 ? 0 : %s)", "no then": "(no ? %s : 0)", "yes else": "(yes ? (void *)0 : %s)",
    "no of both": "(no ? %s : %s)", "no typeof": "(no ? (__typeof__(%s))0 : 0)",
}
AROUND = {
    "plain": "%s", "comma": "(0, %s)", "1 then": "(1 ? %s : 0)", "0 else": "(0 ? 0 : %s)", "yes then": "(yes ? %s : 0)",
    "no else": "(no ? (void *)0 : %s)", "generic": "_Generic(0, int: %s, default: 0)",
    "choose": "__builtin_choose_expr(1, %s, 0)", "statement": "({ %s; })", "auto": "({ __auto_type q = %s; q; })",
    "typeof": "(__typeof__(%s))buf", "deref": "&*%s", "index": "&(%s)[0]", "elvis": "(%s ?: 0)",
    "yes of both": "(yes ? %s : %s)", **SKIPS,
}
ASKED = {
    "size": "r = sizeof *(%s);",
    "row": "r = sizeof (*(%s))[0];",
    "step": "r = (size_t)((%s) + 1) - (size_t)(%s);",
    "object": "__typeof__(*(%s)) o; r = sizeof o;",
    "declared": "__typeof__(%s) o; r = sizeof *o;",
    "auto": "__auto_type o = %s; r = sizeof *o;",
    "type": "r = sizeof(__typeof__(*(%s)));",
    "typedef": "typedef __typeof__(*(%s)) U; n += 9; r = sizeof(U);",
}
HEAD = """#include <stddef.h>
#include <stdio.h>
static char buf[1 << 12], *bufp = buf;
static int ticks;
static volatile int no = 0, yes = 1;
static void *give(void) { return buf; }
static int tick(int n) { return ticks++, n; }
__attribute__((noinline)) static void scribble(void) { volatile char a[4000]; for (int i = 0; i < 4000; i++) a[i] = 1; }
"""


def shapes():
    """(name, body, size, whether an arm is skipped) of each."""
    k = 0
    for made, (before, pointer) in MADE.items():
        for asked, question in ASKED.items():
            for i, inner in enumerate(AROUND):
                k += 1
                outer = list(AROUND)[(i * 5 + k) % len(AROUND)] if k % 3 else "plain"
                element, dimensions = list(SIZES)[k % 3], DIMENSIONS[k % 5]
                size = [int(d) if d.isdigit() else VALUES[d] for d in re.findall(r"\w+", dimensions)]
                total = SIZES[element] * math.prod(size[1:] if asked == "row" else size)
                text = dimensions.replace("N", "tick(n)" if k % 2 else "n").replace("M", "m")
                expression = pointer
                for form in (inner, outer):
                    expression = AROUND[form].replace("%s", expression)
                body = (before + " " + question.replace("%s", expression)).replace("%e", element).replace("%d", text)
                yield "%s, %s, %s: %s" % (made, inner, outer, body), body, total, bool({inner, outer} & set(SKIPS))


def answers(compiler, table, folder):
    """(size, number of side effects) of each shape."""
    text = [HEAD]
    for i, (_, body, _, _) in enumerate(table):
        text.append("static void f%d(int n, int m) { size_t r; %s printf(\"%%zu %%d\\n\", r, ticks); }" % (i, body))
    text.append("int main(void) {")
    text += ["  ticks = 0; scribble(); f%d(%d, %d);" % (i, *VALUES.values()) for i in range(len(table))]
    (folder / "shapes.c").write_text("\n".join([*text, "}\n"]))
    compiled([compiler, "-w", "-O0", folder / "shapes.c", "-o", folder / "shapes"])
    return [tuple(map(int, line.split())) for line in command([folder / "shapes"], timeout=60).out.splitlines()]


def test_variably_modified_types_have_their_sizes(tmp_path):
    table = list(shapes())
    assert len(table) > 1500
    ours = answers(CILKC, table, tmp_path)
    wrong = [(name, got[0], size) for (name, _, size, _), got in zip(table, ours) if got[0] != size]
    assert not wrong, "%d, such as %s" % (len(wrong), wrong[:5])
    assert len(ours) == len(table)

    evaluated = [(shape, got) for shape, got in zip(table, ours) if not shape[3]]
    assert len(evaluated) > 500
    theirs = answers("gcc", [shape for shape, _ in evaluated], tmp_path)
    unlike = [(shape[0], got, gccs) for (shape, got), gccs in zip(evaluated, theirs) if got != gccs]
    assert not unlike and len(theirs) == len(evaluated), "%d, such as %s" % (len(unlike), unlike[:5])
