"""`cilkc bench --table4`: Table 4 of the Cilk-1 paper (PPoPP'95), on this machine and on simulated ones.

T_serial is the time of the serial C program that does the same computation (table4_sources.py), compiled by gcc -O2;
T_1 that of the threads on one worker: both are processor time, the least of some runs. T_2 is real time. T_inf,
space, requests and steals come from the runtime's simulator. The simulator runs the same pools on virtual processors,
with lengths of threads that it measures in that run. So T_P is compared with T_1/P + T_inf of the same run, and what
was simulated for P = 1 and 2 with what was real. The threads of fib are shorter than a look at the clock: they are
simulated in counted units, each of T_1 divided by their number.

What a request to steal costs is in the proportion of the paper's machine: there a processor that had nothing to run
(T_P - T_1/P of knary(10,4,1), knary(10,5,2) and fib) needed some 50 us for each. knary ran 1/120 of its time there
in ours, so it is 0.4 us; for fib, the twelve threads that fit in there.

Then knary in many shapes, in counted units, which are the same on every machine: T_P = c1 T_1/P + c_inf T_inf is
fitted to them, and the figures show it and what requests and steals grow with. That no run needs more closures than
P times what one processor does is checked in every one of them. What is written is table4_report.py's.
"""

import argparse
import json
import os
import re
import subprocess
from collections import namedtuple

from . import table4_report, table4_sources
from .arguments import costs, several, whole
from .build import BUILD, CILKC, GCC
from .cases import HERE
from .measure import say
from .knary import fit

SAMPLES = os.path.join(os.path.dirname(HERE), "samples")
# `paper` is the column of the paper's table; arguments; those of --quick.
# counted: its threads are shorter than what it takes to look at the clock.
Case = namedtuple("Case", "name paper sample args quick counted", defaults=(False,))
CASES = [
    Case("fib(33)", "fib(33)", "fib", ("33", "tail"), ("22", "tail"), True),
    Case("queens(15)", "queens(15)", "queens", ("15", "5"), ("10", "2")),
    Case("pfold(3,3,3)", "pfold(3,3,4)", "pfold", ("3", "3", "3", "8"), ("2", "3", "3", "6")),
    Case("ray(500,500)", "ray(500,500)", "ray", ("500", "500"), ("60", "60")),
    Case("knary(10,5,2)", "knary(10,5,2)", "knary", ("10", "5", "2"), ("6", "5", "2")),
    Case("knary(10,4,1)", "knary(10,4,1)", "knary", ("10", "4", "1"), ("6", "4", "1")),
    Case("jamboree(10,16)", "*Socrates", "jamboree", ("10", "16"), ("8", "4")),
]
# knary(n, k, r) of the model: from parallelism 1 to thousands. Those of one n and k have the same work; those with r =
# 0 nearly the same critical path.
SHAPES = [
    (7, 4, 0),
    (7, 4, 1),
    (7, 4, 2),
    (7, 4, 3),
    (4, 4, 0),
    (5, 4, 0),
    (6, 4, 0),
    (8, 4, 0),
    (6, 4, 1),
    (8, 4, 1),
    (6, 4, 2),
    (5, 5, 2),
    (5, 6, 1),
    (10, 2, 1),
    (11, 2, 0),
]
STEPS = 1000


def make(out, words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        say("  %s: does not compile: %s" % (os.path.basename(out), done.stdout.strip().splitlines()[-1:] or ""))
        return None
    return out


def build(name, sample, folder, *flags):
    """The sample with a clock around its computation."""
    out = os.path.join(folder, "table4-" + name)
    with open(os.path.join(SAMPLES, "cilk1-%s.cilk1" % sample)) as text:
        timed = table4_sources.timed(text.read())
    with open(out + ".cilk1", "w") as made:
        made.write(timed)
    return make(out, [CILKC, "build", "-O2", "-w", *flags, out + ".cilk1", "-lm", "-o", out])


def build_serial(sample, folder):
    """The serial C program, or None."""
    out = os.path.join(folder, "table4-serial-" + sample)
    with open(os.path.join(SAMPLES, "cilk1-%s.cilk1" % sample)) as text:
        made = table4_sources.serial(sample, text.read())
    if made is None or not GCC:
        return None
    with open(out + ".c", "w") as file:
        file.write(made)
    return make(out, [GCC, "-O2", "-w", out + ".c", "-lm", "-o", out])


def run(program, args, options, env=None, limit=600):
    done = subprocess.run([program, *options, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=limit, check=False, env={**os.environ, **(env or {})})
    if done.returncode:
        raise OSError("%s %s ended with %d: %s"
                      % (os.path.basename(program), " ".join(options), done.returncode, done.stderr.strip()[-300:]))
    return done.stdout


def seconds(text, what):
    found = re.search(r"^%s: ([0-9.]+) s$" % what, text, re.M)
    if not found:
        raise OSError("it did not say its time (%s)" % what)
    return float(found.group(1))


def real(program, args, rounds, serial):
    """{serial, 1, 2: the least time}"""
    times: dict = {"serial": [], 1: [], 2: []}
    for _ in range(rounds):
        if serial:
            times["serial"].append(seconds(run(serial, args, []), "cpu"))
        times[1].append(seconds(run(program, args, ["--nproc", "1"]), "cpu"))
        times[2].append(seconds(run(program, args, ["--nproc", "2"]), "time"))
    return {of: min(t) for of, t in times.items() if t}


def simulate(program, args, numbers, folder, costs):
    file = os.path.join(folder, "table4.simulation")
    if os.path.exists(file):
        os.unlink(file)
    run(program, args, ["--simulate", ",".join(map(str, numbers)), *(["--simulate-costs", costs] if costs else [])],
        {"CILK_SIMULATION": file})
    with open(file) as lines:
        return [json.loads(line) for line in lines]


COSTS = "steal=400,send=200"                    # ns
COUNTED = {"steal": 12, "send": 6}              # threads


def units(costs, unit, thread):
    """--costs as given, in ns, or those of the paper's proportion; in units."""
    if not costs:
        return {name: n * thread for name, n in COUNTED.items()}
    return {name: float(value) * 1e-9 / unit for name, _, value in (word.partition("=") for word in costs.split(","))}


def quietest(program, args, numbers, folder, costs, rounds):
    """The run with the shortest critical path on each number of processors. What the system took from this process
    made some thread of the others long."""
    every = [simulate(program, args, numbers, folder, costs) for _ in range(rounds)]
    return [min(lines, key=lambda line: line["Tinf"]) for lines in zip(*every)]


def simulate_in_seconds(case, args, numbers, folder, costs, t1):
    """In seconds, though the simulation counts: T_1 is the real one."""
    program = build(case.sample + "-counted", case.sample, folder, "-cilk-span=count")
    if not program:
        return []
    one = simulate(program, args, [1], folder, None)[0]
    unit = t1 / one["T1"]
    wanted = units(costs, unit, one["T1"] / one["threads"])
    lines = simulate(program, args, numbers, folder,
                      ",".join("%s=%d" % (name, max(1, round(value))) for name, value in wanted.items()))
    return [{**line, "unit": "s", **{name: line[name] * unit for name in ("T1", "Tinf", "TP")}} for line in lines]


def model(folder, numbers, costs, quick):
    """Runs of knary in many shapes; c1 and c_inf over those with P > 1."""
    program = build("model", "knary", folder, "-cilk-span=count")
    runs = []
    for n, k, r in SHAPES[:5] if quick else SHAPES:
        for line in simulate(program, [str(x) for x in (n, k, r, STEPS)], numbers, folder, costs) if program else []:
            runs.append({**line, "shape": [n, k, r]})
    return runs, fit([(run["T1"] / run["P"], run["Tinf"], run["TP"]) for run in runs if run["P"] > 1])


def space_of(name, lines):
    """What is wrong with the space that these runs needed, the first of them on one processor."""
    one = lines[0]["space"]
    return [
        "%s on %d processors: %d closures, more than %d times the %d of one"
        % (name, line["P"], line["total_space"], line["P"], one)
        for line in lines
        if line["total_space"] > one * line["P"]
    ]


def arguments(words):
    parser = argparse.ArgumentParser(prog="cilkc bench --table4",
                                     description="Table 4 of the Cilk-1 paper, with simulated processors.")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--rounds", type=whole(1), default=3, metavar="N", help="of each run")
    parser.add_argument("--processors", dest="numbers", type=several(1), default="8,32,256", metavar="P,...",
                        help="simulated ones")
    parser.add_argument("--costs", type=costs, metavar="LIST", help="as --simulate-costs of the programs (%s)" % COSTS)
    parser.add_argument("--filter", nargs="+", metavar="NAME",
                        choices=sorted({case.sample for case in CASES} | {"model"}),
                        help="only these programs (fib, queens, ..), or model")
    parser.add_argument("--again", action="store_true",
                        help="measure nothing: write the report and the figures of what was measured before")
    parser.add_argument("-o", "--output", metavar="DIR",
                        help="where results go (default: bench/ in the build directory)")
    return parser.parse_args(words)


def measure(options, folder):
    """Everything that is measured, and what went wrong."""
    results: dict = {}
    problems: list = []

    def wanted(sample):
        return not options.filter or sample in options.filter

    for case in CASES:
        if not wanted(case.sample):
            continue
        args = case.quick if options.quick else case.args
        program = build(case.sample, case.sample, folder)
        rounds = 1 if options.quick else options.rounds
        times: dict = {}
        try:
            times = real(program, args, rounds, build_serial(case.sample, folder)) if program else {}
            numbers = sorted({1, 2, *options.numbers})
            lines = ([] if not times else simulate_in_seconds(case, args, numbers, folder, options.costs, times[1]) if case.counted
                     else quietest(program, args, numbers, folder, options.costs or COSTS, rounds))
        except (OSError, subprocess.TimeoutExpired) as problem:
            say("  %s: %s" % (case.name, problem))
            lines = []
        if not lines:
            problems.append("%s could not be measured" % case.name)
            continue
        problems += space_of(case.name, lines)
        results[case.name] = {"paper": case.paper, "args": list(args), "real": {str(of): t for of, t in times.items()},
                              "simulated": lines}
        say("  %-14s T_1 %.3g s, %d threads" % (case.name, times[1], lines[0]["threads"]))
    runs, found = (
        model(folder, sorted({1, 2, *options.numbers}), options.costs, options.quick) if wanted("model") else ([], None)
    )
    for shape in {tuple(run["shape"]) for run in runs}:
        problems += space_of("knary(%d,%d,%d)" % shape, [run for run in runs if tuple(run["shape"]) == shape])
    return {"programs": results, "numbers": options.numbers, "model": runs, "fit": found, "problems": problems}


def main(words):
    options = arguments(words)
    folder = options.output or os.path.join(BUILD, "bench")
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, "table4.json")
    if options.again:
        with open(file) as before:
            found = json.load(before)
    else:
        found = measure(options, folder)
        with open(file, "w") as out:
            json.dump(found, out, indent=1)
    text = table4_report.report(found)
    with open(os.path.join(folder, "table4.md"), "w") as out:
        out.write(text)
    files = table4_report.draw(folder, found)
    say("\n" + text + "\n" + ", ".join(os.path.join(folder, name) for name in ["table4.md", "table4.json", *files]))
    return 1 if found["problems"] else 0
