"""`cilkc profile` of a program with threads of Cilk-1: work, critical path and what each thread has of the work.

The program is built with units counted (-cilk-span=count) and runs once, as it is, on its workers. The units are those
of profiles of Cilk-5, and the same in each run on any number of workers: closures carry the time stamps of the paper's
section 4. Its runtime writes the table (rt/extensions/cilk1/tally.c). Procedures of Cilk-5 may have more than a
hundredth of the work, or call threads more than once. Then work and critical path are those of the whole program, and
the procedures' part is a row of the table.
"""

import json
import os
import sys

from cilkc_driver import console
from cilkc_driver.console import Stop

from . import instrumented
from .profile_model import percent, ratio

ROWS = 12
NOT_THEIRS = ("csv", "sweep", "svg", "html")
ENDINGS = (".cilk1", ".cilk1i")


def has_threads(options):
    return any(source.name.endswith(ENDINGS) for source in options.inputs)


def run(session):
    """session: profile.Session, with nothing built. The exit status."""
    for name in NOT_THEIRS:
        if session.settings.get(name):
            raise Stop(
                "--%s is for procedures of Cilk-5: of threads `cilkc profile` reports work, critical path and each thread's part"
                % name
            )
    program, report = session.temp.file("program"), session.temp.file("threads")
    if not instrumented.build(session.flags, program, ["-cilk-span=count"]):
        return instrumented.NOT_RUN
    status = instrumented.execute(program, session.arguments, {"CILK_THREADS": report},
                                  session.input.open(session.temp), 2 if session.machine else None, None)
    found = instrumented.read_report(report)
    if not found or not found["computations"]:
        console.message("error", instrumented.how_it_ended(status)
                        + ", and no thread of Cilk-1 ran to the end of a computation: nothing was measured. "
                        "Procedures of Cilk-5 alone are measured in a .cilk file")
        return status or 1
    mixed = of_all(found)
    threads = sorted(found["threads"], key=lambda t: (-t["work"], t["name"]))
    if session.settings["json"]:
        json.dump(
            {
                "work": found["work"],
                "span": found["span"],
                "parallelism": ratio(found["work"], found["span"]),
                "unit": found["unit"],
                "computations": found["computations"],
                "procedures_work": found["work"] - sum(t["work"] for t in threads) if mixed else 0,
                "threads": threads,
                "status": status,
            },
            sys.stdout,
            indent=1,
        )
        print()
    else:
        print(text(found, threads, session.settings["top"] or ROWS, mixed))
    sys.stdout.flush()
    return status


def of_all(found):
    """Makes work and span of a table those of the whole program, where procedures of Cilk-5 have a part in them."""
    mixed = (found["procedures"] > 0
             or found["computations"] > 1
             or found["all_work"] - found["work"] > found["all_work"] / 100)
    if mixed:
        found["work"], found["span"] = found["all_work"], found["all_span"]
    return mixed


def text(found, threads, top, mixed):
    calls = sum(t["calls"] for t in threads)
    lines = ["", "work          %14s %s" % ("{:,}".format(found["work"]), found["unit"]),
             "critical path %14s" % "{:,}".format(found["span"]),
             "parallelism   %14.1f" % ratio(found["work"], found["span"]), "threads       %14s, on average %.1f %s long"
             % ("{:,}".format(calls), ratio(sum(t["work"] for t in threads) if mixed else found["work"], calls),
                found["unit"]), ""]
    rows = [("thread", "where", "runs", "work", "", "on average", "longest")]
    for t in threads[:top]:
        rows.append((t["name"], "%s:%d" % (os.path.basename(t["file"]), t["line"]), "{:,}".format(t["calls"]),
                     "{:,}".format(t["work"]), percent(ratio(t["work"], found["work"])),
                     "%.1f" % ratio(t["work"], t["calls"]), "{:,}".format(t["longest"])))
    if mixed:
        rest = found["work"] - sum(t["work"] for t in threads)
        rows.append(("procedures of Cilk-5", "", "", "{:,}".format(rest), percent(ratio(rest, found["work"])), "", ""))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines += ["  ".join(cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
              for row in rows]
    if len(threads) > top:
        lines.append("(and %d more; --top N)" % (len(threads) - top))
    return "\n".join(lines)
