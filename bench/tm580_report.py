"""What `cilkc bench --tm580` writes of what it measured: the memo's tables with its figures beside ours, the starvation
table, and its chart."""

import os
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

TITLE = "# Indolent and sedative closure creation\n"
BEGIN = "## Tables 1 and 2\n"            # what is before it in docs/tm580.md was written by hand, and stays
MOST_MS = 2


def percent(x):
    return "-" if x is None else "%.0f" % x


def over(row, base, what):
    return (
        None if row is None or base is None or not row[what] or not base[what] else 100 * (row[what] / base[what] - 1)
    )


def table(head, rows):
    return ("\n".join(["| %s |" % " | ".join(head), "|%s" % ("---|" * len(head)),
                       *("| %s |" % " | ".join(row) for row in rows)]) + "\n")


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
    return table(["compiler", "instructions a call", "T_S (s)", "indolent, first spawn", "sedative, first spawn",
                  "indolent, both", "sedative, both"], out)


def ours(rows):
    levels = dict.fromkeys(key.split(" ", 2)[1] for key in rows if key.startswith("cilkc "))
    clang = next((key.split(" ", 1)[0] for key in rows if key.startswith("clang")), None)
    out = []
    for level in levels:
        base = rows.get("%s %s elision" % (clang, level))
        out.append(
            ["cilkc " + level,
             *("%.1f, %s" % (rows[key]["instructions"], two(rows[key], base))
               for key in ("cilkc %s %s" % (level, name) for name in ("eager", "indolent", "sedative", "lazy")))]
        )
    return table(["", "eager", "indolent", "sedative", "lazy"], out)


def time_of(ns):
    return "%g us" % (ns / 1e3) if ns < 1e6 else "%g ms" % (ns / 1e6)


def starvation(rows):
    out = []
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    for setting in dict.fromkeys((row["shape"], row["workers"], row["length"]) for row in rows):
        found = {row["strategy"]: row for row in rows if (row["shape"], row["workers"], row["length"]) == setting}
        out.append([setting[0], str(setting[1]), time_of(setting[2]),
                    *("%.2f / %.2f, %.2f" % (found[s]["first"] / 1e3, found[s]["all"] / 1e3, found[s]["waste"])
                      for s in strategies)])
    return table(["shape", "P", "leaf", *strategies], out)


def later_than_eager(rows):
    """By strategy: how much later its first steals came than eager's, in ms, and where; the latest first."""
    eager = {(row["shape"], row["workers"], row["length"]): row["first"] for row in rows if row["strategy"] == "eager"}
    late = {}
    for row in rows:
        key = (row["shape"], row["workers"], row["length"])
        if row["strategy"] != "eager":
            where = "%s, P = %d, leaves of %s" % (key[0], key[1], time_of(key[2]))
            late.setdefault(row["strategy"], []).append(((row["first"] - eager[key]) / 1e3, where))
    return {strategy: sorted(found, reverse=True) for strategy, found in late.items()}


def wrapped(paragraph):
    """Prose at most 120 columns wide; tables, lists, code and headings as they are."""
    prose = paragraph.strip()[:1].isalpha() and not paragraph.startswith("    ")
    return textwrap.fill(" ".join(paragraph.split()), 120, break_on_hyphens=False) if prose else paragraph


def report(found):
    m, rows = found["machine"], found["tables"]
    lines = [
        BEGIN, "fib(%d), %s, %s, %s. *Instructions a call* and *T_S*, the time, are those of the plain C program. "
        "In each later column: overhead over this program in %%, by counted instructions / by processor time (the least of %d runs)."
        % (found["n"], m["cpu"], m["gcc"], m["clang"], found["rounds"]),
        "*First spawn*: only the first of the two spawns has tests, as in the memo's figures 7 and 8.\n",
        by_hand(rows),
        "gcc -O2 and -O3 inline the recursion of the plain program and of those with tests, to different depths, so an overhead there says little about tests.",
        "Of times only ratios count: the processor clock of a virtual machine need not be that of a real one.\n",
        "The memo's own figures for gcc -O2: overheads in %, by time; only the first spawn has tests.\n",
        table(["machine", "indolent", "sedative", "Cilk-5"],
              [[name, *(("%g" % x if x is not None else "-") for x in row)] for name, row in PAPER.items()]),
        "Our own clones, which can be stolen: instructions a call, then overhead over clang's plain program of the same level, as above.\n",
        ours(rows), "## Starvation\n",
        "A binary tree of leaves of one length. *tree*: the tree begins the computation; *later*: the tree comes after `fib(24)`, in fine mode.",
        "Times count from the beginning of the tree. In each column: ms until the first leaf began on a second worker /",
        "until one had begun on every worker, and the waste: P T_P / work - 1.", "Medians of %d runs."
        % found["rounds"],
        "Leaves of 100 us or more sleep, so P may exceed the %d processors; this is oversubscription, not simulation. Shorter leaves spin, at P = %d only.\n"
        % (m["cores"], m["cores"]), starvation(found["starvation"]),
        "![Time to the first steal](tm580-starvation.png)\n" if plot.available else "",
        "The largest delay of a first steal, compared with eager:\n"
    ]
    for name, late in later_than_eager(found["starvation"]).items():
        over_it = sum(ms > MOST_MS for ms, _ in late)
        lines.append(
            "* %s: %.2f ms (%s); more than %d ms in %d of %d rows" % (name, *late[0], MOST_MS, over_it, len(late))
        )
    load = m["load"][0]
    if load > 0.5:
        lines.append(
            "\nThe machine was not idle (load %.1f): times and waste may be too large; counted instructions are exact."
            % load
        )
    return "\n\n".join(map(wrapped, "\n".join(lines).split("\n\n"))) + "\n"


def write(found, path):
    """The measured part; what the file has before that stays."""
    before = TITLE + "\n"
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            before, begin, _ = file.read().partition(BEGIN)
        if not begin:
            raise ValueError("%s has no heading `%s'" % (path, BEGIN.strip()))
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + report(found))


def chart(found, folder):
    if not plot.available:
        return
    from matplotlib import pyplot
    rows = found["starvation"]
    workers = sorted({row["workers"] for row in rows})
    # shape, label, value, scale
    kinds = [
        ("tree", "tree: first steal (ms)", lambda row: max(row["first"], 1) / 1e3, "log"),
        ("later", "later: first steal (ms)", lambda row: max(row["first"], 1) / 1e3, "log"),
        ("tree", "tree: waste, P T_P / work - 1", lambda row: row["waste"], "linear"),
        ("later", "later: waste", lambda row: row["waste"], "linear"),
    ]
    axes: Any
    figure, axes = pyplot.subplots(len(kinds), len(workers), figsize=(3.4 * len(workers), 3 * len(kinds)), sharex=True,
                                   squeeze=False)
    for column, p in enumerate(workers):
        for place, (shape, label, value, scale) in enumerate(kinds):
            axis = axes[place][column]
            for strategy, colour in COLOURS.items():
                line = sorted((row["length"] / 1e6, value(row)) for row in rows
                              if (row["workers"], row["strategy"], row["shape"]) == (p, strategy, shape))
                axis.plot(*zip(*line), "o-", color=colour, label=strategy, markersize=3)
            axis.set(xscale="log", yscale=scale)
            if column == 0:
                axis.set_ylabel(label)
        axes[0][column].set_title("P = %d" % p)
        axes[-1][column].set_xlabel("length of a leaf (ms)")
    axes[0][0].legend(frameon=False, fontsize=8)
    plot.save(figure, folder, "tm580-starvation", ["png"])
