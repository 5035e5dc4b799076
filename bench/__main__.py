"""`python3 -m bench`, also `make bench` and `cilkc bench`: measures, then writes report.md, results.json and charts."""

import argparse
import fnmatch
import json
import os
import sys

from . import ending, knary, machine, micro, plot, ranks, report, schedulers, sections, table4, tm580
from .arguments import whole
from .build import BUILD, CILKC, Builder
from .cases import HERE, STRATEGIES, all_cases
from .measure import Job, interleave, say

PARTS = ("micro", "model")
# At most this many seconds on one case: rounds beyond the second are dropped.
PER_CASE = {"full": 90, "quick": 4, "tiny": 4}
ROUNDS = {"full": 7, "quick": 3, "tiny": 1}


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="cilkc bench", description="Measure cilkc's programs against the elision and against peers. "
        "Programs of one case run in turn; the report gives medians, and ratios with their quartiles."
    )
    parser.add_argument("--quick", action="store_true",
                        help="small sizes, few rounds: under three minutes on two idle cores")
    parser.add_argument("--tiny", action="store_true", help="sizes that measure nothing: for tests of this program")
    parser.add_argument("--filter", nargs="+", metavar="NAME",
                        help="only these cases (patterns as in the shell), and `micro` or `model`; see --list")
    parser.add_argument("--rounds", type=whole(1), metavar="N", help="how often each program runs (7; 3 with --quick)")
    parser.add_argument("--workers", type=whole(1, 1024), metavar="P",
                        help="workers of the parallel runs (2; 1 leaves them out)")
    parser.add_argument("--user-time", action="store_true",
                        help="measure runs on one worker in processor time: for a machine that is not idle")
    parser.add_argument("--no-peers", action="store_true", help="leave out OpenMP, oneTBB and Rayon")
    parser.add_argument("-o", "--output", metavar="DIR",
                        help="where results go (default: bench/ in the build directory)")
    parser.add_argument("--publish", metavar="FILE", help="put the report into FILE, too, and keep its other sections")
    parser.add_argument("--from", dest="source", metavar="JSON",
                        help="measure nothing: make the report and charts from earlier results")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--table4", action="store_true",
                        help="Table 4 of the Cilk-1 paper instead, with simulated processors; see --table4 --help")
    parser.add_argument(
        "--tm580", action="store_true",
        help="the tables of the memo on indolent closure creation instead, and how long thieves starve; see --tm580 --help"
    )
    parser.add_argument(
        "--table-schedulers", action="store_true",
        help="table 1 and the cancellation figures of the schedulers' paper instead; see --table-schedulers --help"
    )
    parser.add_argument(
        "--ranks", action="store_true",
        help="requests, steals and bytes of ranks instead, and two ranks against one; see --ranks --help"
    )
    return parser, parser.parse_args(words)


def choose(parser, options):
    """(cases, parts) that the filter lets through."""
    cases, patterns = all_cases(), options.filter
    if patterns:
        for pattern in patterns:
            if not fnmatch.filter([case.name for case in cases] + list(PARTS), pattern):
                parser.error("no case is called '%s'; --list shows their names" % pattern)
        cases = [case for case in cases if any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns)]
    if options.no_peers:
        cases = [case for case in cases if not case.peer]
    return cases, [part for part in PARTS
                   if not patterns or any(fnmatch.fnmatch(part, pattern) for pattern in patterns)]


def jobs_of(case, size, programs, peers, workers, clock):
    """The variants of one case as jobs. `clock` is the preloaded library of --user-time, or None."""
    words = case.sizes[size]
    preload, measured = ({"LD_PRELOAD": clock}, "processor") if clock else ({}, "wall")
    single = {"env": preload, "clock": measured}
    jobs = [Job(variant, [programs[variant], *words], **single) for variant in ("gcc", "clang", "own")
            if variant in programs]
    for spawn in STRATEGIES:
        if spawn in programs:
            jobs.append(Job(spawn + "1", [programs[spawn], "--nproc", 1, *words], **single))
            if workers > 1:
                jobs.append(Job("%s%d" % (spawn, workers), [programs[spawn], "--nproc", workers, *words]))
    for label, (program, before) in (peers.get(case.peer) or {}).items():
        for p in sorted({1, workers}):
            environment, kind = (preload, measured) if p == 1 else ({}, "wall")
            env = dict(environment, OMP_NUM_THREADS=str(p), PEER_WORKERS=str(p), RAYON_NUM_THREADS=str(p))
            jobs.append(Job("%s-%d" % (label, p), [program, *before, *words], env, kind))
    return jobs


def write(data, folder, publish):
    if plot.available:
        data["charts"] = report.draw(data, folder)
    data["targets"] = report.targets(data)
    text = report.markdown(data)
    with open(os.path.join(folder, "results.json"), "w") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
    with open(os.path.join(folder, "report.md"), "w") as file:
        file.write(text)
    if publish:
        sections.publish(publish, text)
    say("\nresults: %s"
        % ", ".join(os.path.relpath(os.path.join(folder, name))
                    for name in ["report.md", "results.json", *data["charts"]]))
    if not plot.available:
        say(
            "matplotlib is not installed, so there are no charts: `make bench` installs it (driver/requirements-bench.txt)"
        )
    if publish:
        say("report also in %s" % publish)


def measure(options, cases, parts, folder, size):
    workers = options.workers or min(2, machine.cores())
    rounds = options.rounds or ROUNDS[size]
    data = report.start({"size": size, "rounds": rounds, "workers": workers, "user_time": options.user_time,
                         "filter": options.filter})
    if data["warning"]:
        say("warning: " + data["warning"])
    builder = Builder(folder)
    say("compiling")
    programs = builder.all_versions(cases, machine.cores())
    peers = (
        builder.peers(sorted({case.peer for case in cases if case.peer})) if any(case.peer for case in cases) else {}
    )
    clock = builder.cpu_clock() if options.user_time else None
    reasons = dict(builder.missing)
    for what, why in reasons.items():
        say("  %s: %s" % (what, why))
    for case in cases:
        jobs = interleave(jobs_of(case, size, programs[case.name], peers, workers, clock), rounds, PER_CASE[size])
        one = report.case_data(case, size, jobs, workers)
        one["section"] = None if case.peer else micro.section(builder, case, size)
        data["cases"].append(one)
        ratios = "  ".join("%s %.2f" % (key, one["ratios"][key]["median"])
                           for key in ("lazy1/gcc", "lazy1/clang", "lazy1/own", "eager1/clang",
                                       "lazy1/lazy%d" % workers, *("%s-1/lazy1" % p for p in report.PEERS))
                           if key in one["ratios"])
        say("  %-14s %s" % (case.name, ratios))
        for problem in one["problems"]:
            say("  %-14s problem: %s" % ("", problem))
    if "micro" in parts:
        say("single operations")
        data["micro"] = micro.all_of_it(builder, size, {"LD_PRELOAD": clock} if clock else {}, workers)
    if "model" in parts and workers > 1:
        say("knary and the model")
        source = os.path.join(HERE, "programs", "knary_empty.cilk")
        made = {spawn: builder.cilk("program-knary_empty-" + spawn, source, "--spawn=" + spawn) for spawn in STRATEGIES}
        data["knary"] = knary.model({spawn: program for spawn, program in made.items() if program}, size, workers)
    for what, why in builder.missing.items():
        if what not in reasons:
            say("  %s: %s" % (what, why))
    data["missing"] = builder.missing
    return data


def results(file, parser):
    """What an earlier run wrote."""
    try:
        data = json.load(file)
        report.markdown(dict(data, charts=[], targets=report.targets(data)))
        if data["format"] == 1:
            return data
    except (ValueError, LookupError, TypeError, AttributeError):
        pass
    parser.error("%s holds no results of this program" % file.name)


def main(words=None):
    words = sys.argv[1:] if words is None else list(words)
    if "--table4" in words:
        return table4.main([word for word in words if word != "--table4"])
    if "--tm580" in words:
        return tm580.main([word for word in words if word != "--tm580"])
    if "--table-schedulers" in words:
        return schedulers.main([word for word in words if word != "--table-schedulers"])
    if "--ranks" in words:
        return ranks.main([word for word in words if word != "--ranks"])
    parser, options = arguments(words)
    cases, parts = choose(parser, options)
    if options.list:
        for case in cases:
            print("%-14s %-12s %s" % (case.name, case.group, " ".join(case.sizes["full"])))
        print("\n".join(parts))
        return 0
    folder = os.path.abspath(options.output or os.path.join(BUILD, "bench"))
    size = "tiny" if options.tiny else "quick" if options.quick else "full"
    if options.source:
        with open(options.source) as file:
            data = results(file, parser)
    elif not os.access(os.path.join(BUILD, "cilkc1"), os.X_OK):
        parser.error("the compiler is not built: run make (%s looks for it in %s)" % (os.path.basename(CILKC), BUILD))
    os.makedirs(folder, exist_ok=True)
    if not options.source:
        data = measure(options, cases, parts, folder, size)
    write(data, folder, options.publish)
    return 1 if any(case["problems"] or not case["variants"] for case in data["cases"]) else 0


if __name__ == "__main__":
    sys.exit(ending.guard(main))
