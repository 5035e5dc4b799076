"""`python3 -m bench.opencilk`: programs in OpenCilk's spelling against their Cilk-5 forms, their elisions, and other
libraries' sums.

The programs of bench/opencilk are one text in both spellings (spelling.h). Compared are instructions on one worker,
by callgrind, which no load of the machine changes; and times, whose programs run in turn (measure.py), as medians.
The loop and the sum run beside the elision of the same compiler and beside OpenMP, oneTBB and Rayon; on one thread,
their processor time is measured, too. A table of figures comes first: what is wanted, and what was measured.
--publish replaces sections of pages by their titles below: the report's (docs/benchmarks.md), the figures'
(docs/opencilk.md).
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess

from . import sections
from .build import BUILD, CILKC, CLANG, CXX, GCC, Builder
from .cases import HERE, STRATEGIES
from .measure import Job, interleave

TITLE = "## OpenCilk's spelling"
FIGURES = "## Speed"
FOLDER = os.path.join(HERE, "opencilk")
PLACE = """`python3 -m bench.opencilk` prints these figures, and the tables that they come from
([benchmarks.md](benchmarks.md#opencilks-spelling)). T1 and T2 are times on one and on two workers; `loop` is 10^8
iterations of one store to a byte, and `sum` a sum of 10^8 numbers through a reducer."""
# name: arguments for instructions, for times
KERNELS = {
    "fib": ("27", "37"),
    "nqueens": ("9", "12"),
    "matmul": ("192", "1024"),
    "cilksort": ("60000", "5000000"),
    "heat": ("200 20", "1000 100"),
}
LOOPS = {"loop": "100000000", "sum": "100000000"}


def instructions(program, arguments, env):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program,
                           *arguments.split()], capture_output=True, text=True, env=dict(os.environ, **env))
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if found and done.returncode == 0 else None


def table(head, rows):
    return "\n".join("| %s |" % " | ".join(row) for row in [head, ["---"] * len(head), *rows]) + "\n"


class Report:
    def __init__(self, builder, rounds):
        self.builder, self.rounds = builder, rounds
        self.figures, self.counted, self.timed = [], [], []

    def source(self, name):
        return os.path.join(FOLDER, name + ".c")

    def make(self, label, name, words, suffix=".c"):
        source = self.source(name)
        if suffix != ".c":                  # words of Cilk-5 are keywords in files of that name
            copy = os.path.join(self.builder.folder, name + suffix)
            shutil.copy(source, copy)       # with the time of the source
            os.utime(copy, (os.path.getatime(source), os.path.getmtime(source)))
            source = copy
        return self.builder.make("opencilk-%s-%s" % (name, label), words + [source],
                                 [source, os.path.join(FOLDER, "spelling.h"), *self.builder.tools])

    def both(self, name, spawn):
        """The program in the two spellings."""
        common = [CILKC, "-w", "-O3", "--spawn=" + spawn]
        return (self.make("opencilk-" + spawn, name, [*common, "-fopencilk"]),
                self.make("cilk5-" + spawn, name, [*common, "-DCILK5", "-I", FOLDER], ".cilk"))

    def kernels(self):
        rows, jobs = [], {}
        for name, (small, large) in KERNELS.items():
            row = [name]
            for spawn in STRATEGIES:
                ours, five = self.both(name, spawn)
                a, b = instructions(ours, small, {"CILK_NWORKERS": "1"}), instructions(five, small, {"CILK_NPROC": "1"})
                row += ["%.4f" % (a / b)] if a and b else ["-"]
                self.counted += row[-1:]
                if spawn == "lazy":
                    jobs[name] = interleave([Job("opencilk", [ours, *large.split()], {"CILK_NWORKERS": "1"}),
                                              Job("cilk5", [five, *large.split()], {"CILK_NPROC": "1"})], self.rounds)
            rows.append(row + [ratio(*jobs[name])])
            self.timed.append(rows[-1][-1])
        return table(["program", *("instructions, " + spawn for spawn in STRATEGIES), "time, lazy"], rows)

    def loops(self):
        rows = []
        for name, n in LOOPS.items():
            parallel, serial = (self.make("lazy", name, [CILKC, "-w", "-O3", "-fopencilk"]),
                                self.make("own", name, [CILKC, "-w", "-O3", "-DSERIAL"]))
            jobs = [Job("elision", [serial, n])] + [Job("cilkc %d" % p, [parallel, n], {"CILK_NWORKERS": str(p)})
                                                    for p in (1, 2)]
            if name == "sum":
                jobs += self.peers(n)
            # One thread's processor time hardly depends on what else the machine does.
            clock = self.builder.cpu_clock()
            busy = [Job(job.variant, job.words, dict(job.env, LD_PRELOAD=clock)) if clock and alone(job) else None
                    for job in jobs]
            interleave(jobs + [job for job in busy if job], self.rounds)
            self.figure(name, jobs)
            for job, its in zip(jobs, busy):
                wall, processor = middle(job), middle(its)
                rows.append([name, job.variant, milliseconds(wall) if wall else job.problem or "-",
                             part(wall, middle(jobs[0])), milliseconds(processor), part(processor, middle(busy[0]))])
        return table(["program", "variant, threads", "median, ms", "of the elision", "processor, ms", "of the elision"], rows)

    def figure(self, name, jobs):
        """jobs: the elision, cilkc on one worker and on two, then other libraries on one thread and on two."""
        one, two = jobs[1:3]
        bound = " (memory bounds it)" if name == "loop" else ""
        self.figures += [[name + ": T1 over the elision", "at most 1.05", ratio(one, jobs[0])],
                         [name + ": T1 over T2" + bound, "at least 1.9", ratio(one, two)]]
        for p, ours in enumerate((one, two)):
            others = [job for job in jobs[3 + p :: 2] if job.times]
            if others:
                best = min(others, key=middle)
                row = ["%s: %s over cilkc %d" % (name, best.variant, p + 1), "above 1", ratio(best, ours)]
                self.figures.append(row)

    def summary(self):
        forms = ", ".join(KERNELS) + " over their Cilk-5 forms, "
        rows = [[forms + what, "0.98 to 1.02", spread(found)]
                for what, found in (("instructions", self.counted), ("time", self.timed))]
        return table(["figure", "wanted", "measured"], self.figures + rows)

    def peers(self, n):
        jobs = []
        for label, compiler in (("OpenMP gcc", GCC), ("OpenMP clang", CLANG)):
            program = compiler and self.make("omp-" + label.split()[1], "sum",
                                             [compiler, "-w", "-O3", "-fopenmp", "-DOPENMP"])
            jobs += [Job("%s %d" % (label, p), [program, n], {"OMP_NUM_THREADS": str(p)}) for p in (1, 2) if program]
        source = os.path.join(FOLDER, "sum_onetbb.cpp")
        program = CXX and self.builder.make("opencilk-sum-onetbb", [CXX, "-w", "-O3", "-std=c++17", source, "-ltbb"],
                                            [source])
        jobs += [Job("oneTBB %d" % p, [program, n], {"PEER_WORKERS": str(p)}) for p in (1, 2) if program]
        rayon = self.builder.rayon()
        return jobs + [Job("Rayon %d" % p, [rayon, "sum", n], {"RAYON_NUM_THREADS": str(p)}) for p in (1, 2) if rayon]


def spread(ratios):
    known = sorted(float(x) for x in ratios if x != "-")
    return "%.3f to %.3f" % (known[0], known[-1]) if known else "-"


def alone(job):
    return not job.variant.endswith(" 2")


def middle(job):
    return statistics.median(job.times) if job and job.times else None


def milliseconds(seconds):
    return "%.1f" % (1000 * seconds) if seconds else ""


def part(value, whole):
    return "%.2f" % (value / whole) if value and whole else ""


def ratio(job, other):
    return (
        "%.3f" % statistics.median(a / b for a, b in zip(job.times, other.times)) if job.times and other.times else "-"
    )


def publish(page, written):
    """Those of the sections that the page has."""
    with open(page, encoding="utf-8") as file:
        known = sections.divide(file.read())
    sections.publish(page, "\n".join(text for title, text in written.items() if title.removeprefix("## ") in known))


def main():
    parser = argparse.ArgumentParser(prog="python3 -m bench.opencilk")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--publish", metavar="PAGE", nargs="+", default=[])
    options = parser.parse_args()
    builder = Builder(os.path.join(BUILD, "bench"))
    report = Report(builder, options.rounds)
    load = os.getloadavg()[0]
    kernels, loops = report.kernels(), report.loops()
    busy = ": the machine was busy, so times are rough" if load > 0.5 else ""
    end = "Medians of %d rounds, in which the programs ran in turn;\n%d processors, load %.1f at the beginning%s.\n" % (
        options.rounds, os.cpu_count() or 1, load, busy)
    for what, why in builder.missing.items():
        end += "Left out: %s: %s.\n" % (what, why)
    first = "Instructions and times of each program in OpenCilk's spelling, divided by those of its Cilk-5 form, on one worker:"
    second = "10^8 iterations of one store to a byte (`loop`), and a sum of 10^8 numbers through a reducer (`sum`):"
    written = {TITLE: "\n\n".join([TITLE, first, kernels + "\n" + second, loops + "\n" + end]),
               FIGURES: "\n\n".join([FIGURES, PLACE, report.summary() + "\n" + end])}
    print("\n".join(written.values()))
    for page in options.publish:
        publish(page, written)


if __name__ == "__main__":
    main()
