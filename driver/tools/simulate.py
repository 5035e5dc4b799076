"""`cilkc simulate`: a program on more processors than there are, the columns of the Cilk-1 paper side by side.

A program of Cilk-1 is built and run on virtual processors (--simulate of its runtime). Of one of Cilk-5 the dag is
recorded in a serial run, as for `cilkc dag`; player.c then plays it as threads of Cilk-1, whose lengths are the units
counted in its strands, through the same runtime. So both are scheduled by the code that real workers run.
"""

import contextlib
import json
import os
import signal

from cilkc_driver import console, home, parts
from cilkc_driver.console import Stop
from cilkc_driver.options import natural

from . import dag_model, instrumented, progress
from .agreed import KIND, MARK

MOST = 4096
MOST_SPAWNS, MOST_SECONDS = 1_000_000, 60       # of what other tools have played
ROWS = (
    ("T_1", lambda r: r["T1"]),
    ("T_inf", lambda r: r["Tinf"]),
    ("T_1/T_inf", lambda r: ratio(r["T1"], r["Tinf"])),
    ("threads", lambda r: r["threads"]),
    ("T_P", lambda r: r["TP"]),
    ("T_1/P + T_inf", lambda r: r["T1"] / r["P"] + r["Tinf"]),
    ("T_1/T_P", lambda r: ratio(r["T1"], r["TP"])),
    ("space/proc", lambda r: r["space"]),
    ("requests/proc", lambda r: r["requests"] / r["P"]),
    ("steals/proc", lambda r: r["steals"] / r["P"]),
)


def ratio(a, b):
    return a / b if b else 0


def number(x):
    return str(x) if isinstance(x, int) else "%.6g" % x


def table(lines):
    """Text: a column for each number of processors."""
    columns = [["P", *(name for name, _ in ROWS)]] + [[str(line["P"]), *(number(value(line)) for _, value in ROWS)]
                                                      for line in lines]
    widths = [max(map(len, column)) for column in columns]
    return "\n".join(
        "  ".join([columns[0][i].ljust(widths[0])] + [c[i].rjust(w) for c, w in zip(columns[1:], widths[1:])])
        for i in range(len(columns[0]))
    )


def processors(text):
    numbers = [natural(word) for word in text.split(",")]
    if not all(number and number <= MOST for number in numbers):
        raise Stop("-P %s: expected numbers of processors from 1 to %d: 8,32,256" % (text, MOST), 2)
    return numbers


class Ended(Stop):
    """The program came to no end from which something can be simulated."""


def main(words, settings):
    def attempt(temp):
        try:
            return run(words, settings, temp)
        except Ended as ended:
            console.message(ended.kind, ended.message)
            return ended.status

    return instrumented.session(attempt, instrumented.NOT_RUN)


def run(words, settings, temp):
    flags, arguments = instrumented.split(words)
    numbers = processors(settings["processors"])
    options = instrumented.check(flags, "cilkc simulate")
    program, file = temp.file("program"), temp.file("simulation")
    cilk5, dag, stdin = procedures_alone(options), None, instrumented.Input()
    if not instrumented.build(flags, program,
                              ["-cilk-tool=profile"] if cilk5 else ["-cilk-span=count"] if settings["counted"] else []):
        return instrumented.NOT_RUN
    aside = 2 if settings["json"] else None     # stdout is JSON alone
    if settings["root"] and not cilk5:
        raise Stop("--root is for procedures of Cilk-5 and OpenCilk: threads have no part of a dag that is recorded")
    if cilk5:
        program, arguments, dag = player(program, arguments, temp, stdin, aside, root=settings["root"])
    words = ["--simulate", ",".join(map(str, numbers)),
             *(["--simulate-costs", settings["costs"]] if settings["costs"] else [])]
    with open(temp.file("messages"), "w+b") as messages:
        status = instrumented.execute(program, words + arguments, {"CILK_SIMULATION": file}, stdin.open(temp),
                                      stdout=aside, stderr=messages.fileno(), many=True)
        messages.seek(0)
        said = messages.read().decode(errors="replace").strip()
    if status or not os.path.exists(file):
        raise Ended(said or instrumented.how_it_ended(status) + ", and without a computation of Cilk-1", status or 1)
    lines = read_lines(file)
    if dag:
        bounded_below(lines, dag)
        for line in lines:
            line["section"] = dag.section
    text_of_all = (
        "\n" + table(lines) + "\n\n(times in %s)" % lines[0]["unit"] + fitted(lines) + bounded(lines) + mixed(lines) + timed(dag)
    )
    print(json.dumps(lines, indent=1) if settings["json"] else text_of_all)
    return 0


def read_lines(file):
    """What the runs wrote, a dictionary for each."""
    with open(file) as text, instrumented.reading(file):
        return [json.loads(line) for line in text]


def timed(dag):
    section = dag and dag.section
    return ("\nThe timed section has T_1 = %d, T_inf = %d, T_1/T_inf = %s; --root PROCEDURE plays a part of the program"
            % (section["work"], section["span"], number(ratio(section["work"], section["span"]))) if section else "")


def fit(lines):
    """c1 and c_inf of T_P = c1 T_1/P + c_inf T_inf, with the least squares of the relative errors; None where the
    numbers do not distinguish the two."""
    rows = [(line["T1"] / line["P"] / line["TP"], line["Tinf"] / line["TP"]) for line in lines if line["TP"]]
    aa, bb, ab = (sum(x * y for x, y in pairs)
                  for pairs in ([(a, a) for a, _ in rows], [(b, b) for _, b in rows], rows))
    det = aa * bb - ab * ab
    if len(rows) < 3 or det <= 1e-9 * aa * bb:
        return None
    a, b = sum(a for a, _ in rows), sum(b for _, b in rows)
    return (a * bb - b * ab) / det, (b * aa - a * ab) / det


def fitted(lines):
    found = fit(lines)
    return "\nT_P = %.3f T_1/P + %.3f T_inf fits these best" % found if found else ""


def mixed(lines):
    """Procedures of Cilk-5 that call threads run between the simulated computations; those that threads call are
    played by their work and span."""
    n, called = lines[0].get("computations", 1), lines[0].get("procedures", 0)
    return (
        "\n%d calls of procedures of Cilk-5 by threads are played as strands with their work and span: T_1 and T_inf are exact, T_P is that of such strands"
        % called if called else ""
    ) + (
        "\nThese are the sums of %d computations of threads, one after the other. They do not include what procedures of Cilk-5 do besides, and in parallel"
        % n if n > 1 else ""
    )


def bounded(lines):
    """Were there ever more closures than P times what one processor needs? (Section 6 of the paper: not if the program
    is fully strict.)"""
    one = next((line["space"] for line in lines if line["P"] == 1), None)
    if one is None or len(lines) < 2:
        return ""
    over = [line for line in lines if line["total_space"] > one * line["P"]]
    return "\n" + (
        "\n".join(
            "S_P <= S_1 P does not hold on %d processors: %d closures, S_1 = %d" % (line["P"], line["total_space"], one)
            for line in over
        )
        or "S_P <= S_1 P in all of these runs (S_1 = %d closures)" % one
    )


def procedures_alone(options):
    """Is this a program of Cilk-5, or OpenCilk? One with threads of Cilk-1 runs on virtual processors itself, whatever
    else is in it; so does C, with threads written by hand."""
    names = [source.name for source in options.inputs]
    return (any(name.endswith(".cilk") for name in names) or "-fopencilk" in options.cilk1) and not any(
        name.endswith(".cilk1") for name in names
    )


def play_dag(program, arguments, numbers, steal, temp, stdin, limit):
    """A program built for `cilkc profile` on so many virtual processors: a dictionary for each, or nothing where that
    takes more than `limit` seconds."""
    file = temp.file("simulation")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        play, words, dag = player(program, arguments, temp, stdin, nowhere, nowhere)
        status = instrumented.execute(
            play, ["--simulate", ",".join(map(str, numbers)), "--simulate-costs", "steal=%d" % max(1, steal), *words],
            {"CILK_SIMULATION": file}, (os.open(os.devnull, os.O_RDONLY), None), nowhere, nowhere, limit
        )
        return [] if status else bounded_below(read_lines(file), dag)
    except (OSError, Stop):
        return []
    finally:
        os.close(nowhere)


def simulate(program, arguments, profile, numbers, stdin, temp):
    """[(P, speedup)] of a program that was profiled; nothing where that would take too long."""
    if profile.status or not 0 < profile.spawns <= MOST_SPAWNS:
        return []
    rows = play_dag(program, arguments, numbers, profile.burden, temp, stdin, MOST_SECONDS)
    return [(row["P"], row["T1"] / row["TP"]) for row in rows if row["TP"]]


def bounded_below(rows, dag):
    """T_inf is the dag's, and no run is shorter. The path of the player's threads is kept beside it: it does not know
    that inlets of one instance, or sections under one lock, wait for each other."""
    for row in rows:
        row["played_Tinf"], row["Tinf"] = row["Tinf"], dag.least
        row["TP"] = max(row["TP"], row["Tinf"])
    return rows


def player(program, arguments, temp, stdin, stdout=None, stderr=None, root=None):
    """The program that plays what `program` does, its arguments, and the dag. root: a procedure, whose largest instance
    is played."""
    made, source = temp.file("dag"), temp.file("play.dag")
    report = temp.file("report")
    with progress.serial_run("cilkc simulate") if stderr is None else contextlib.nullcontext():
        status = instrumented.execute(program, arguments,
                                      {"CILK_PROFILE_DAG": made, "CILK_PROFILE_DAG_LOCKS": "1",
                                       "CILK_PROFILE_REPORT": report}, stdin.open(temp), stdout, stderr)
    recorded, counts = instrumented.read_report(made, status), instrumented.read_report(report, status)
    if (recorded is None or counts is None) and status == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    if recorded is None or counts is None:
        raise Ended(instrumented.how_it_ended(status) + ": no dag was recorded", status or 1)
    with open(source, "w") as out:
        with instrumented.reading(made):
            dag = dag_model.Dag(recorded, counts)
            if root:
                dag.begin_at(root)
            out.write(play_text(dag))
    play = home.library("player")
    if not parts.need(play):
        raise Stop("the player of dags is not built (%s): run 'make' in %s" % (play, home.HOME), instrumented.NOT_RUN)
    return play, [source], dag


# of player.c: a strand, and then a section under a lock; a strand that ends with a lock, or releases one
LOCKED, TAKE, RELEASE = (len(vars(KIND)) + n for n in range(3))


# so often in the whole run, at most, a processor that waits looks whether the lock is free
LOOKS = 1 << 14


def played_steps(dag, record):
    """The rows of a record, in which neighbours that are alike are one."""
    rows: list[list[int]] = []
    steps, at = record.steps, 0
    while at < len(steps):
        s = steps[at]
        row = [s.kind, s.units, s.count, bool(s.mark & MARK.FOLDED) + 2 * dag.alone(s.site), s.record, s.work,
               s.span, s.delivery, s.up, s.ago, s.spans]
        if s.kind == KIND.LOCK and (steps[at + 1].kind, steps[at + 1].up) == (KIND.UNLOCK, s.up):
            at += 1
            row = [LOCKED, s.units, 1, 0, s.up, steps[at].units, 0, 0, 0, 0, 0]
        elif s.kind in (KIND.LOCK, KIND.UNLOCK):
            row = [TAKE if s.kind == KIND.LOCK else RELEASE, s.units, 1, 0, s.up, 0, 0, 0, 0, 0, 0]
        at += 1
        last = rows[-1] if rows else None
        if (
            last
            and row[0] == last[0] == LOCKED
            and row[4] == last[4]
            and last[1] == row[1] * last[2]
            and last[5] == row[5] * last[2]
        ):
            last[1], last[2], last[5] = last[1] + row[1], last[2] + 1, last[5] + row[5]
        else:
            rows.append(row)
    return rows


def play_text(dag):
    """What player.c reads: how many locks, after how many units to look at one again, whether futures are touched;
    records, their steps.

    A record is gated whose children's results are taken one at a time."""
    locks = 1 + max((s.up for record in dag.records for s in record.steps if s.kind == KIND.LOCK), default=-1)
    lines = ["%d %d %d" % (locks, 1 + dag.whole_work // LOOKS, dag.jumps), "%d %d" % (dag.root, len(dag.records))]
    for record in dag.records:
        rows = played_steps(dag, record)
        lines.append("%d %d"
                     % (len(rows),
                        any(s.kind == KIND.SPAWN and s.delivery and dag.alone(s.site) for s in record.steps)))
        lines += [" ".join(map(str, row)) for row in rows]
    return "\n".join(lines) + "\n"
