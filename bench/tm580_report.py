"""What `cilkc bench --tm580` writes of what it measured: the memo's tables with its figures beside ours, the starvation
table, and its chart."""

import textwrap
from typing import Any

from . import plot

# The memo's tables 1 and 2 with gcc -O2: overhead in % of the indolent fib, of the sedative one, of Cilk-5.
PAPER = {
    "Alpha, 477 MHz": (111, 57, 520),
    "MIPS, 195 MHz": (23, -3.6, 120),
    "Pentium, 120 MHz": (59, 24, 330),
    "PowerPC, 166 MHz": (35, 10, None),
    "UltraSparc-I, 143 MHz": (28, 52, None),
    "UltraSparc-I, 167 MHz": (39, 53, 230),
}
COLOURS = {"eager": "#c2571a", "indolent": "#7a5195", "sedative": "#b0882c", "lazy": "#1f6f8b"}

HEAD = """# Indolent and sedative closure creation

Strumpfen's memo *Indolent Closure Creation* (MIT/LCS/TM-580, 1998) is where cilkc's lazy strategy comes from. It
measures fast clones of `fib` that were written by hand, and says what it does not know: whether thieves starve. This
page repeats its two tables, and measures that. It is made by

    cilkc bench --tm580 --publish docs

## The four strategies

| `--spawn=` | around a spawn | closures are made |
|---|---|---|
| `eager` | the frame is pushed and popped | before each spawn |
| `indolent` | one test of the flag before it, one after it | when a thief has found nothing, at the next test *before* a spawn |
| `sedative` | one test of the flag after it | when a thief has found nothing, at the next test *after* a spawn |
| `lazy` | one test after it, one before a first spawn; recursion and leaves are inlined | as both; in *coarse* mode for no thief, too |

In all but `eager` a thief that finds nothing raises the flag of each worker. The victim answers at its next test. It
saves the frames of its stack, youngest first, in closures, and goes on with the youngest in its slow clone. After a
call, an indolent frame only looks whether its child was released. We have one flag for both of the memo's; the
instructions are the same, a compare and a branch. `indolent` and `sedative` are for comparison: use `lazy`.

## What comes out

* **The cost** is what the memo says: a sedative spawn costs a test, an indolent one two. Counted against clang's plain
  program, that is 8 % and 22 % with tests at one spawn of `fib`, and 50 % and 77 % at both. Our own clones of the two
  cost little more than those by hand, though they can be stolen. The lazy strategy costs less than none: it saves
  calls.
* **The open question** has an answer: thieves starve, for as long as a leaf takes. A worker that was asked too late for
  its last test has its frames on its stack until the leaf is done. Of leaves of 100 ms, the first steal comes after 100
  ms with either. A spawn with the test before it is no better here: it, too, only answers a thief that has asked
  already.
* **Coarse mode** closes the gap where a computation begins with long leaves (*tree*). Where they come after a
  fine-grained phase (*later*), a worker is coarse again for 16 tests at each new place of a slow clone: after a sync,
  and where a thief goes on. What is left is stated in `rt/steal/lazy.c`: a thief waits for one leaf if a frame in fine
  mode meets it, or a place of the last millisecond.
"""


def percent(x):
    return "-" if x is None else "%.0f" % x


def over(row, base, what):
    return (
        None if row is None or base is None or not row[what] or not base[what] else 100 * (row[what] / base[what] - 1)
    )


def table(head, rows):
    return (
        "\n".join(
            ["| %s |" % " | ".join(head), "|%s" % ("---|" * len(head)), *("| %s |" % " | ".join(row) for row in rows)]
        )
        + "\n"
    )


def two(row, base):
    """Overhead by instructions and by time."""
    return "%s / %s" % (percent(over(row, base, "instructions")), percent(over(row, base, "seconds")))


def by_hand(rows):
    out, versions = [], ("indolent, 1 spawn", "sedative, 1 spawn", "indolent", "sedative")
    for compiler, level in dict.fromkeys(tuple(key.split(" ", 2)[:2]) for key in rows if not key.startswith("cilkc ")):
        row = {name: rows.get("%s %s %s" % (compiler, level, name)) for name in ("elision", *versions)}
        base = row["elision"]
        out.append([compiler + " " + level, "%.1f" % base["instructions"], "%.3f" % base["seconds"],
                    *(two(row[name], base) for name in versions)])
    return table(
        [
            "compiler",
            "instructions a call",
            "T_S (s)",
            "indolent, first spawn",
            "sedative, first spawn",
            "indolent, both",
            "sedative, both",
        ],
        out,
    )


def ours(rows):
    levels = dict.fromkeys(key.split(" ", 2)[1] for key in rows if key.startswith("cilkc "))
    clang = next((key.split(" ", 1)[0] for key in rows if key.startswith("clang")), None)
    out = []
    for level in levels:
        base = rows.get("%s %s elision" % (clang, level))
        out.append(
            [
                "cilkc " + level,
                *(
                    "%.1f, %s" % (rows[key]["instructions"], two(rows[key], base))
                    for key in ("cilkc %s %s" % (level, name) for name in ("eager", "indolent", "sedative", "lazy"))
                ),
            ]
        )
    return table(["", "eager", "indolent", "sedative", "lazy"], out)


def time_of(ns):
    return "%g us" % (ns / 1e3) if ns < 1e6 else "%g ms" % (ns / 1e6)


def starvation(rows):
    out = []
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    for setting in dict.fromkeys((row["shape"], row["workers"], row["length"]) for row in rows):
        found = {row["strategy"]: row for row in rows if (row["shape"], row["workers"], row["length"]) == setting}
        out.append(
            [
                setting[0],
                str(setting[1]),
                time_of(setting[2]),
                *(
                    "%.2f / %.2f, %.2f" % (found[s]["first"] / 1e3, found[s]["all"] / 1e3, found[s]["waste"])
                    for s in strategies
                ),
            ]
        )
    return table(["shape", "P", "leaf", *strategies], out)


def later_than_eager(rows):
    """By strategy: the most that its first steal came later than eager's, in ms, and where."""
    eager = {(row["shape"], row["workers"], row["length"]): row["first"] for row in rows if row["strategy"] == "eager"}
    worst = {}
    for row in rows:
        key = (row["shape"], row["workers"], row["length"])
        late = (row["first"] - eager[key]) / 1e3
        if row["strategy"] != "eager" and late > worst.get(row["strategy"], (float("-inf"),))[0]:
            worst[row["strategy"]] = (late, "%s, P = %d, leaves of %s" % (key[0], key[1], time_of(key[2])))
    return worst


def wrapped(paragraph):
    """Prose at most 120 columns wide; tables, lists, code and headings as they are."""
    prose = paragraph.strip()[:1].isalpha() and not paragraph.startswith("    ")
    return textwrap.fill(" ".join(paragraph.split()), 120, break_on_hyphens=False) if prose else paragraph


def report(found):
    m, rows = found["machine"], found["tables"]
    lines = [
        HEAD,
        "## Tables 1 and 2\n",
        "fib(%d), %s, %s, %s. In each column: overhead over the plain C program in %%, by counted instructions / by processor time (the least of %d runs)."
        % (found["n"], m["cpu"], m["gcc"], m["clang"], found["rounds"]),
        "*First spawn*: only the first of the two spawns has tests, as in the memo's figures 7 and 8.\n",
        by_hand(rows),
        "gcc's levels 2 and 3 inline the recursion, of the plain program and of those with tests to different depths. So an overhead there says little about tests.",
        "Of times only ratios count: the processor clock of a virtual machine need not be that of a real one.\n",
        "The memo's own figures, gcc -O2, by time:\n",
        table(
            ["machine", "indolent", "sedative", "Cilk-5"],
            [[name, *(("%g" % x if x is not None else "-") for x in row)] for name, row in PAPER.items()],
        ),
        "Our own clones, which can be stolen: instructions a call, then overhead over clang's plain program of the same level, as above.\n",
        ours(rows),
        "## Starvation\n",
        "A binary tree of leaves of one length. *tree*: it begins the computation; *later*: after `fib(24)`, in fine mode. In each column: ms until",
        "the first leaf began on a second worker / until one had begun on every worker, and the waste: P T_P / work - 1. Medians of %d runs."
        % found["rounds"],
        "Leaves from 100 us on sleep, so P may exceed the %d processors; this is oversubscription, not simulation. Shorter leaves spin, at P = %d only.\n"
        % (m["cores"], m["cores"]),
        starvation(found["starvation"]),
        "![Time to the first steal](tm580-starvation.png)\n" if plot.available else "",
        "The most that a first steal came later than eager's:\n",
    ]
    for name, (late, where) in later_than_eager(found["starvation"]).items():
        lines.append("* %s: %.2f ms (%s)" % (name, late, where))
    load = m["load"][0]
    if load > 0.5:
        lines.append(
            "\nThe machine was not idle (load %.1f): times and waste are too large by chance; counted instructions are exact."
            % load
        )
    return "\n\n".join(map(wrapped, "\n".join(lines).split("\n\n"))) + "\n"


def chart(found, folder):
    if not plot.available:
        return
    from matplotlib import pyplot
    rows = [row for row in found["starvation"] if row["shape"] == "tree"]
    workers = sorted({row["workers"] for row in rows})
    axes: Any
    figure, axes = pyplot.subplots(2, len(workers), figsize=(3.4 * len(workers), 6), sharex=True, squeeze=False)
    for column, p in enumerate(workers):
        for strategy in COLOURS:
            line = sorted(
                (row for row in rows if row["workers"] == p and row["strategy"] == strategy),
                key=lambda row: row["length"],
            )
            lengths = [row["length"] / 1e6 for row in line]
            axes[0][column].plot(
                lengths,
                [max(row["first"], 1) / 1e3 for row in line],
                "o-",
                color=COLOURS[strategy],
                label=strategy,
                markersize=3,
            )
            axes[1][column].plot(
                lengths, [row["waste"] for row in line], "o-", color=COLOURS[strategy], label=strategy, markersize=3
            )
        axes[0][column].set(xscale="log", yscale="log", title="P = %d" % p)
        axes[1][column].set(xscale="log", xlabel="length of a leaf (ms)")
    axes[0][0].set_ylabel("time to the first steal (ms)")
    axes[1][0].set_ylabel("waste: P T_P / work - 1")
    axes[0][0].legend(frameon=False, fontsize=8)
    plot.save(figure, folder, "tm580-starvation", ["png"])
