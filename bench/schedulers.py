"""`cilkc bench --table-schedulers`: table 1 of the scheduling framework's paper (ICFP'08) and its figures of
cancellation, on this machine.

Table 1: T_seq is the time of the elision by the same compiler, as there (`--serial`). T_1 and T_P are those of the
Cilk program under the scheduler that the paper used. All are medians of rounds in turn, and what the programs print
themselves (`time: X s`). Cancellation: the time from the first solution of n-queens(20) to the end of the wait; and
the same by canceled fiber (the runtime's counter Abort/Slow). The cost of supporting cancellation: fib with a handle
that could be cancelled, and without; the generated code is the same.
"""

import argparse
import json
import os
import re
import subprocess

from . import ending
from .arguments import whole
from .build import BUILD, CILKC
from .cases import HERE, ROOT
from .measure import median, say

OWN, SAMPLES = os.path.join(HERE, "schedulers"), os.path.join(ROOT, "samples")
# name: (source, arguments, arguments with --quick, scheduler, the paper's T_seq, T_1, T_8, c_1, T_1/T_8, T_seq/T_8)
CASES = {
    "raytracer": (os.path.join(OWN, "raytracer.cilk"), ["1024"], ["128"], "gang",
                  (9.579, 10.211, 1.337, 1.066, 7.639, 7.167)),
    "barnes": (os.path.join(SAMPLES, "barnes.cilk"), ["30000", "1"], ["1000", "1"], "steal",
               (2.864, 2.737, 0.605, 0.955, 4.526, 4.737)),
    "cilksort": (os.path.join(SAMPLES, "cilksort.cilk"), ["262144"], ["20000"], "steal",
                 (1.296, 1.290, 0.174, 0.995, 7.397, 7.431)),
    "bitonic": (os.path.join(OWN, "bitonic.cilk"), ["262144"], ["16384"], "steal",
                (4.751, 4.694, 0.685, 0.988, 6.857, 6.940)),
    "fib": (os.path.join(HERE, "programs", "fib_int.cilk"), ["29"], ["20"], "steal",
            (0.038, 0.639, 2.556, 16.911, 0.033, 0.015)),
}
PAPER_SUPPORT = 2.5
WORKERS = (1, 2, 4, 8)


def check_run(words, **keywords):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=300, check=False, **keywords)
    if done.returncode:
        raise OSError("%s: ended with %d: %s"
                      % (" ".join(map(str, words)), done.returncode, (done.stderr or done.stdout).strip()[-300:]))
    return done


def seconds(words):
    done = check_run(words)
    found = re.search(r"^time: ([0-9.]+) s", done.stdout + done.stderr, re.M)
    if not found:
        raise OSError("%s: prints no line `time: ... s`" % words[0])
    return float(found.group(1))


def build(name, source, folder):
    """(sequential program, Cilk program)"""
    out = os.path.join(folder, "schedulers-" + name)
    check_run([CILKC, "-O3", source, "-o", out])
    check_run([CILKC, "--serial", "-O3", source, "-o", out + "-seq"])
    return out + "-seq", out


def table(folder, quick, rounds, workers, only):
    rows = {}
    for name, (source, full, small, scheduler, paper) in CASES.items():
        if only and name != only:
            continue
        serial, program = build(name, source, folder)
        args = small if quick else full
        times = {"seq": [], "1": [], "P": []}
        for _ in range(rounds):
            times["seq"].append(seconds([serial, *args]))
            times["1"].append(seconds([program, "--nproc", "1", "--sched=" + scheduler, *args]))
            times["P"].append(seconds([program, "--nproc", workers, "--sched=" + scheduler, *args]))
        seq, one, many = (median(times[key]) for key in ("seq", "1", "P"))
        rows[name] = {"scheduler": scheduler, "seq": seq, "1": one, "P": many, "paper": paper}
    return rows


def aborted(statistics):
    """The total of the row Abort/Slow."""
    found = re.findall(r"^\s*Abort/Slow\s.*?(\d+)\s*$", statistics, re.M)
    return int(found[-1]) if found else 0


def support(folder, quick, rounds):
    """T_1 of fib with a handle, to that of a call of it."""
    program = os.path.join(folder, "schedulers-support")
    check_run([CILKC, "-O3", os.path.join(OWN, "support.cilk"), "-o", program])
    times = [[seconds([program, "--nproc", "1", "20" if quick else "38", mode]) for mode in ("0", "1")]
             for _ in range(rounds)]
    return median([handle / call for call, handle in times])


def cancellation(folder, quick, rounds):
    program = os.path.join(folder, "schedulers-cancel")
    check_run([CILKC, "-O3", os.path.join(OWN, "cancel.cilk"), "-o", program])
    rows = {}
    for workers in WORKERS:
        done = check_run([program, "--nproc", workers, "--stats", "6", "10" if quick else "20", rounds])
        times = [float(line) for line in done.stdout.split()]
        fibers = aborted(done.stderr)
        rows[workers] = {
            "us": median(times),
            "least": min(times),
            "most": max(times),
            "fibers": fibers / rounds,
            "us_per_fiber": sum(times) / fibers if fibers else None,
        }
    return rows


def ratio(a, b):
    return "%.3f" % (a / b) if b else "-"


def report(rows, cancelled, cost, workers):
    lines = [
        "| program | scheduler | T_seq | T_1 | T_%d | c_1 = T_1/T_seq | T_1/T_%d | T_seq/T_%d | the paper's T_seq, T_1, T_8 | c_1 | T_1/T_8 | T_seq/T_8 |"
        % (workers, workers, workers), "|---|---|---|---|---|---|---|---|---|---|---|---|"
    ]
    for name, row in rows.items():
        p = row["paper"]
        lines.append(
            "| %s | %s | %.4f | %.4f | %.4f | %s | %s | %s | %.3f, %.3f, %.3f | %.3f | %.3f | %.3f |"
            % (
                name,
                row["scheduler"],
                row["seq"],
                row["1"],
                row["P"],
                ratio(row["1"], row["seq"]),
                ratio(row["1"], row["P"]),
                ratio(row["seq"], row["P"]),
                *p,
            )
        )
    if cancelled:
        lines += ["", "| workers | time to cancel, us | least .. most | fibers cancelled | us per fiber |",
                  "|---|---|---|---|---|"]
        for n, row in cancelled.items():
            per = "%.3f" % row["us_per_fiber"] if row["us_per_fiber"] is not None else "-"
            lines.append("| %d | %.1f | %.1f .. %.1f | %.1f | %s |"
                         % (n, row["us"], row["least"], row["most"], row["fibers"], per))
    if cost:
        lines += [
            "",
            "The cost of supporting cancellation: %.3f (T_1 of fib with a handle, to that of a call; the paper: %.1f times the overhead)."
            % (cost, PAPER_SUPPORT),
        ]
    return "\n".join(lines) + "\n"


def main(words):
    parser = argparse.ArgumentParser(prog="cilkc bench --table-schedulers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default=os.path.join(BUILD, "bench"), metavar="DIR")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--rounds", type=whole(1), metavar="N")
    parser.add_argument("--workers", type=whole(1, 1024), metavar="N", help="P of T_P (default: the processors)")
    parser.add_argument("--filter", default="", choices=["", "cancel", *CASES], metavar="NAME")
    o = parser.parse_args(words)
    workers = o.workers or len(os.sched_getaffinity(0))
    folder = os.path.join(o.output, "bin")
    os.makedirs(folder, exist_ok=True)
    try:
        rows = ({} if o.filter == "cancel" else table(folder, o.quick, o.rounds or (1 if o.quick else 5), workers,
                                                      o.filter))
        cancelled = cancellation(folder, o.quick, o.rounds or 20) if o.filter in ("", "cancel") else {}
        cost = support(folder, o.quick, o.rounds or 5) if o.filter in ("", "cancel") else 0
    except OSError as problem:
        ending.report(problem)
        return 1
    text = report(rows, cancelled, cost, workers)
    say(text)
    with open(os.path.join(o.output, "schedulers.md"), "w", encoding="utf-8") as f:
        f.write(text)
    with open(os.path.join(o.output, "schedulers.json"), "w", encoding="utf-8") as f:
        json.dump({"workers": workers, "table": rows, "cancellation": cancelled, "support": cost}, f, indent=1)
    return 0
