"""`cilkc bench --table4`: Table 4 of the Cilk-1 paper (PPoPP'95), on this machine and on simulated ones.

T_serial is the time of the serial C program, compiled by gcc -O2, of table4_sources.py (or of the C function in the same program: `serial: X s`), T_1 that of the
threads on one worker, both processor time and the least of some runs (`cpu: X s`); T_2 is real time. T_inf, space, requests and steals come from the runtime's simulator,
which runs the same pools on virtual processors. Its lengths of threads are measured in that run, so T_P is compared with T_1/P + T_inf of the same run. Then the model
T_P = c1 T_1/P + c_inf T_inf is fitted to knary over its shapes and processors; figures show it, and what requests and steals grow with.
"""

import argparse
import json
import os
import re
import subprocess

from . import plot, table4_sources
from .build import BUILD, CILKC, GCC
from .cases import HERE
from .knary import fit

ROOT = os.path.dirname(HERE)
THREADS = os.path.join(ROOT, "tests", "rt", "cilk1")
# name: (source, arguments, arguments with --quick)
CASES = {
    "fib": (os.path.join(THREADS, "fib.c"), ("33",), ("22",)),
    "knary-5-2": (os.path.join(THREADS, "knary.c"), ("8", "5", "2", "4000"), ("5", "5", "2", "2000")),
    "knary-4-1": (os.path.join(THREADS, "knary.c"), ("8", "4", "1", "4000"), ("5", "4", "1", "2000")),
}
SAMPLES = {"fib": (("35", "fib"), ("22", "fib")), "queens": (("15", "5"), ("10", "2")), "pfold": (("3", "3", "3", "8"), ("2", "3", "3", "6")),
           "ray": (("500", "500"), ("60", "60")),
           "knary": (("10", "4", "1"), ("6", "4", "1")), "jamboree": (("15", "6"), ("8", "4"))}
SHAPES = [(7, 4, 0), (6, 4, 1), (6, 4, 2), (5, 5, 2), (6, 4, 3), (5, 6, 1), (9, 2, 1), (10, 2, 0)]


def say(text):
    print(text, flush=True)


def cases(quick):
    found = {name: (source, small if quick else full) for name, (source, full, small) in CASES.items()}
    folder = os.path.join(ROOT, "samples")
    for file in sorted(os.listdir(folder)):
        stem, end = os.path.splitext(file)
        if end == ".cilk1":
            args = SAMPLES.get(stem.removeprefix("cilk1-"), ((), ()))
            found[file] = os.path.join(folder, file), args[1 if quick else 0]
    return found


def build(name, source, folder):
    out = os.path.join(folder, "table4-" + name)
    if source.endswith(".cilk1"):
        with open(source) as text:
            timed = table4_sources.timed(text.read())
        with open(out + ".cilk1", "w") as made:
            made.write(timed)
        words = [CILKC, "build", "-O2", "-w", out + ".cilk1", "-lm", "-o", out]
    else:
        words = [GCC or "cc", "-O2", "-std=gnu17", "-w", "-DFAST", "-I" + ROOT, "-pthread", source, os.path.join(BUILD, "lib", "libcilkrt.a"), "-o", out]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        say("  %s: does not compile: %s" % (name, done.stdout.strip().splitlines()[-1:] or ""))
        return None
    return out


def build_serial(name, source, folder):
    """The serial C program, or None."""
    out = os.path.join(folder, "table4-serial-" + name)
    with open(source) as text:
        made = table4_sources.serial(os.path.basename(source).removeprefix("cilk1-").removesuffix(".cilk1"), text.read()) if source.endswith(".cilk1") else None
    if made is None or not GCC:
        return None
    with open(out + ".c", "w") as file:
        file.write(made)
    done = subprocess.run([GCC, "-O2", "-w", out + ".c", "-lm", "-o", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return out if done.returncode == 0 else None


def run(program, args, options, env=None, limit=600):
    done = subprocess.run([program, *options, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=limit, check=False,
                          env={**os.environ, **(env or {})})
    if done.returncode:
        raise OSError("%s %s ended with %d: %s" % (os.path.basename(program), " ".join(options), done.returncode, done.stderr.strip()[-300:]))
    return done


def seconds(text, what):
    found = re.search(r"^%s: ([0-9.]+) s$" % what, text, re.M)
    return float(found.group(1)) if found else None


def wall(report):
    found = re.search(r"Wall-clock running time .*= ([0-9.]+) (us|ms|s)$", report, re.M)
    return float(found.group(1)) * {"us": 1e-6, "ms": 1e-3, "s": 1.0}[found.group(2)] if found else None


def real(program, args, workers, rounds, alone_program=None):
    """{P: time}, serial time or None."""
    times: dict = {p: [] for p in workers}
    serial = []
    for _ in range(rounds):
        if alone_program:
            serial.append(seconds(run(alone_program, args, []).stdout, "cpu"))
        for p in workers:
            done = run(program, args, ["--nproc", str(p), "--stats", "2"])
            took = (p == 1 and seconds(done.stdout, "cpu")) or seconds(done.stdout, "time") or wall(done.stderr)
            alone = seconds(done.stdout, "serial")
            if took is not None:
                times[p].append(took)
            if alone is not None:
                serial.append(alone)
    return {p: min(t) for p, t in times.items() if t}, min(serial) if serial else None


def simulated(program, args, numbers, folder, costs):
    file = os.path.join(folder, "table4.simulation")
    if os.path.exists(file):
        os.unlink(file)
    run(program, args, ["--simulate", ",".join(map(str, numbers)), *(["--simulate-costs", costs] if costs else [])], {"CILK_SIMULATION": file})
    with open(file) as lines:
        return [json.loads(line) for line in lines]


def number(x, digits=3):
    if x is None:
        return "-"
    return "%d" % x if isinstance(x, int) else "%.*g" % (digits, x) if abs(x) < 100 else "%.0f" % x


def table(results, numbers):
    """The paper's rows, a column for each program."""
    names = list(results)
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]

    def row(what, value):
        lines.append("| %s | %s |" % (what, " | ".join(number(value(results[name])) for name in names)))

    row("T_serial (s)", lambda r: r["serial"])
    row("T_1 (s)", lambda r: r["real"].get(1))
    row("T_serial/T_1", lambda r: r["serial"] / r["real"][1] if r["serial"] and r["real"].get(1) else None)
    row("T_1 simulated (s)", lambda r: r["one"]["T1"])
    row("T_inf (s)", lambda r: r["one"]["Tinf"])
    row("T_1/T_inf", lambda r: r["one"]["T1"] / r["one"]["Tinf"] if r["one"]["Tinf"] else None)
    row("threads", lambda r: r["one"]["threads"])
    row("thread length (us)", lambda r: r["one"]["T1"] / r["one"]["threads"] * 1e6)
    row("T_2 (s), real", lambda r: r["real"].get(2))
    for p in numbers:
        lines.append("| **P = %d, simulated** |%s" % (p, " |" * len(names)))

        def of(r, p=p):
            return next(line for line in r["simulated"] if line["P"] == p)

        row("T_P (s)", lambda r: of(r)["TP"])
        row("T_1/P + T_inf (s)", lambda r, p=p: of(r)["T1"] / p + of(r)["Tinf"])
        row("T_1/T_P", lambda r: of(r)["T1"] / of(r)["TP"])
        row("T_1/(P T_P)", lambda r, p=p: of(r)["T1"] / of(r)["TP"] / p)
        row("space/proc", lambda r: of(r)["space"])
        row("requests/proc", lambda r, p=p: of(r)["requests"] / p)
        row("steals/proc", lambda r, p=p: of(r)["steals"] / p)
    return "\n".join(lines) + "\n"


def model(folder, numbers, costs, quick):
    """Runs of knary in many shapes; c1 and c_inf over those with P > 1."""
    program = build("knary-model", CASES["knary-4-1"][0], folder)
    runs = []
    for n, k, r in SHAPES[:4] if quick else SHAPES:
        for line in simulated(program, [str(x) for x in (n, k, r, 1000 if quick else 4000)], numbers, folder, costs) if program else []:
            runs.append({**line, "shape": [n, k, r]})
    return runs, fit([(run["T1"] / run["P"], run["Tinf"], run["TP"]) for run in runs if run["P"] > 1])


def draw(folder, runs, found):
    if not plot.available or not runs or not found:
        return []
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 5))
    axes.loglog([r["P"] * r["Tinf"] / r["T1"] for r in runs], [r["Tinf"] / r["TP"] for r in runs], "+", color="#1f6f8b", label="knary, simulated")
    xs = [10 ** (i / 20) for i in range(-60, 61)]
    axes.loglog(xs, [1 / (found["c1"] / x + found["c_inf"]) for x in xs], color="#c2571a", lw=1, label="c1 = %.3f, c_inf = %.3f" % (found["c1"], found["c_inf"]))
    axes.loglog(xs, [min(x, 1) for x in xs], color="#888888", lw=0.8, ls="--", label="linear speedup; critical path")
    axes.set_xlabel("machine size: P / (T_1/T_inf)")
    axes.set_ylabel("speedup: (T_1/T_P) / (T_1/T_inf)")
    axes.legend(frameon=False, fontsize=8)
    files = plot.save(figure, folder, "table4-model")
    figure, both = pyplot.subplots(1, 2, figsize=(9, 4))
    for axes, by, label in ((both[0], "Tinf", "T_inf (s)"), (both[1], "T1", "T_1 (s)")):
        for what, colour in (("requests", "#1f6f8b"), ("steals", "#c2571a")):
            axes.loglog([r[by] for r in runs if r["P"] > 1], [max(r[what] / r["P"], 0.01) for r in runs if r["P"] > 1], "+", color=colour, label=what + "/proc")
        axes.set_xlabel(label)
        axes.legend(frameon=False, fontsize=8)
    return files + plot.save(figure, folder, "table4-requests")


def main(words):
    parser = argparse.ArgumentParser(prog="cilkc bench --table4", description="Table 4 of the Cilk-1 paper, with simulated processors.")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of the real runs")
    parser.add_argument("--processors", default="8,32,256", metavar="P,...", help="simulated ones")
    parser.add_argument("--costs", metavar="LIST", help="as --simulate-costs of the programs")
    parser.add_argument("--filter", nargs="+", metavar="NAME", help="only these programs")
    parser.add_argument("-o", "--output", metavar="DIR", help="where results go (default: bench/ in the build directory)")
    options = parser.parse_args(words)
    try:
        numbers = [int(word) for word in options.processors.split(",")]
    except ValueError:
        parser.error("--processors needs numbers with commas between them")
    folder = options.output or os.path.join(BUILD, "bench")
    os.makedirs(folder, exist_ok=True)
    results, failed = {}, False
    for name, (source, args) in cases(options.quick).items():
        if options.filter and name not in options.filter:
            continue
        program = build(name, source, folder)
        if not program:
            failed = True
            continue
        try:
            times, serial = real(program, args, (1, 2), 1 if options.quick else options.rounds, build_serial(name, source, folder))
            lines = simulated(program, args, [1, *numbers], folder, options.costs)
        except (OSError, subprocess.TimeoutExpired) as problem:
            say("  %s: %s" % (name, problem))
            failed = True
            continue
        results[name] = {"args": list(args), "real": times, "serial": serial, "one": lines[0], "simulated": lines[1:]}
        say("  %-12s T_1 %s s, %d threads" % (name, number(times.get(1)), lines[0]["threads"]))
    runs, found = ([], None) if options.filter else model(folder, [1, *numbers], options.costs, options.quick)
    text = "# Table 4\n\n" + table(results, numbers) if results else ""
    if found:
        text += "\nknary, simulated, %d runs: T_P = %.3f T_1/P + %.3f T_inf\n" % (len([r for r in runs if r["P"] > 1]), found["c1"], found["c_inf"])
    files = draw(folder, runs, found)
    with open(os.path.join(folder, "table4.md"), "w") as out:
        out.write(text)
    with open(os.path.join(folder, "table4.json"), "w") as out:
        json.dump({"programs": results, "model": runs, "fit": found}, out, indent=1)
    say("\n" + text + "\n" + ", ".join(os.path.join(folder, name) for name in ["table4.md", "table4.json", *files]))
    return 1 if failed else 0
