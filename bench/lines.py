"""`python3 -m bench.lines`: the cache lines that change hands, wake-ups and locks of the runtime on 2 to 512 workers,
counted on virtual processors.

A machine of two cores cannot show what hundreds of workers do to each other, but it can count it.  The runtime of a
checkout is compiled with `-fsanitize=thread`, and linked not with ThreadSanitizer but with `lines/`. There all workers
run on one thread of the system, in virtual time, and every access is looked up in a directory of cache lines.  So a
run repeats itself exactly, and its figures do not depend on the machine.  `--before DIR` counts an earlier checkout
as well (one that has been set up and built); cells are then `before -> now`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, NoReturn

from .build import BUILD, GCC
from .cases import HERE, ROOT

OWN = os.path.join(HERE, "lines")
OUT = BUILD
PARTS = ("processors", "directory", "access", "system", "count", "generated")
# What system.c has a __wrap_ for. The runtime's own functions are already bound when its archive is made.
OF_SYSTEM = ("syscall", "clock_gettime", "nanosleep", "sched_yield", "sched_getaffinity", "pthread_mutex_lock",
             "pthread_mutex_unlock", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_signal",
             "pthread_cond_broadcast", "pthread_once", "pthread_create", "pthread_join")
OF_RUNTIME = ("cilk_steal", "cilk_spin_wait")
STRATEGIES = ("lazy", "eager")

Counts = dict[str, Any]


def fail(text: str) -> NoReturn:
    raise SystemExit("bench.lines: " + text)


def check_output(words: list[str], **environment: str) -> str:
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "CILK_"))}
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600, check=False,
                          env={**variables, **environment})
    if done.returncode:
        fail("%s: ended with %d: %s" % (" ".join(words), done.returncode, (done.stderr or done.stdout).strip()[-500:]))
    return done.stdout


def wraps(names: tuple[str, ...]) -> list[str]:
    return ["-Wl,--wrap=" + name for name in names]


class Version:
    """The programs of one checkout."""

    def __init__(self, tree: str, folder: str) -> None:
        self.tree, self.folder = tree, folder
        self.compiler = BUILD if tree == ROOT else os.path.join(tree, "build")
        if not (os.path.exists(os.path.join(tree, ".deps", "config.mk"))
                and os.path.exists(os.path.join(self.compiler, "cilkc1"))):
            fail("%s is not a checkout in which `make` was run" % tree)
        os.makedirs(folder, exist_ok=True)
        self.archive = os.path.join(folder, "lib", "libcilkrt.a")
        extra = "-fsanitize=thread -Wno-tsan -include %s" % shlex.quote(os.path.join(OWN, "pause.h"))
        with tempfile.TemporaryDirectory() as short:         # make takes no blanks in the name of what it builds
            build = os.path.join(short, "build")
            os.symlink(os.path.abspath(folder), build)
            check_output(["make", "-s", "-C", tree, "BUILD=" + build, "CC=" + " ".join([str(GCC), *wraps(OF_RUNTIME)]),
                     "RT_EXTRA=" + extra, os.path.join(build, "lib", "libcilkrt.a")])
        self.programs = {strategy: self.build(strategy) for strategy in STRATEGIES}

    def build(self, strategy: str) -> str:
        program = os.path.join(self.folder, "phases-" + strategy)
        headers = os.path.join(self.tree, "rt", "core")        # an earlier checkout has all its rooms in rt/
        if not os.path.exists(headers):
            headers = os.path.dirname(headers)
        objects = []
        for part in PARTS:
            objects.append(os.path.join(self.folder, "%s-%s.o" % (part, strategy)))
            define = ["-DLINES_LAZY"] if strategy == "lazy" else []
            check_output([str(GCC), "-O2", "-g", "-Wall", "-Wextra", "-fno-stack-protector", *define,
                     "-I" + headers, "-c", os.path.join(OWN, part + ".c"), "-o", objects[-1]])
        check_output([os.path.join(self.tree, "cilkc"), "-O2", "--spawn=" + strategy, "-c", os.path.join(OWN, "phases.cilk"),
                 "-o", program + ".o"], CILKC_BUILD=self.compiler)
        check_output([str(GCC), "-no-pie", "-g", program + ".o", *objects, *wraps(OF_SYSTEM + OF_RUNTIME), self.archive,
                 "-pthread", "-lm", "-o", program])
        return program

    def run(self, strategy: str, workers: int, words: list[str]) -> Counts:
        out = os.path.join(self.folder, "counts.json")
        if os.path.exists(out):
            os.remove(out)
        # Addresses decide which things share a line: they are the same each time.
        check_output(["setarch", "-R", self.programs[strategy], "--nproc", str(workers), *words], LINES_OUT=out,
                LINES_WORKERS=str(workers))
        with open(out, encoding="utf-8") as file:
            return json.load(file)

    def where(self, strategy: str, counts: Counts, most: int) -> list[str]:
        """The places in the runtime that touch most remote lines, inlined functions innermost first."""
        places = sorted(counts["places"], key=lambda place: -place[1])[:most]
        rows = []
        for address, remote, queued in places:
            said = check_output(["addr2line", "-e", self.programs[strategy], "-f", "-s", "-i", hex(address - 1)]).split("\n")
            chain = ["%s %s" % (said[i], said[i + 1].split(" ")[0]) for i in range(0, len(said) - 1, 2)]
            rows.append("| %s | %d | %d |" % (", in ".join(chain), remote, queued))
        return rows


def per(counts: Counts, what: str, unit: str) -> float:
    return counts[what] / counts[unit] if counts[unit] else 0.0


@dataclass
class Phase:
    name: str
    title: str
    words: list[str]
    quick: list[str]
    columns: list[tuple[str, Callable[[Counts], float]]]


def per_second(counts: Counts, what: str) -> float:
    return per(counts, what, "ns") * 1e9


SPEED: tuple[str, Callable[[Counts], float]] = ("speed-up", lambda c: per(c, "work_ns", "ns"))
REMOTE: tuple[str, Callable[[Counts], float]] = ("remote lines per steal", lambda c: per(c, "remote", "steals"))
THIEF: tuple[str, Callable[[Counts], float]] = ("of them the thief's", lambda c: per(c, "remote_steals", "steals"))
PHASES = [
    Phase("tree", "A full tree of leaves of 4 us (65,536 of them)", ["tree", "16", "4000", "1"],
          ["tree", "10", "4000", "1"],
          [SPEED, ("steals", lambda c: c["steals"]), REMOTE, THIEF,
           ("ns queued for lines per steal", lambda c: per(c, "queued_ns", "steals")),
           ("locks per steal", lambda c: per(c, "locks", "steals")),
           ("found taken", lambda c: per(c, "lock_waits", "steals")),
           ("interrupts per steal", lambda c: per(c, "interrupts", "steals"))]),
    Phase(
        "fold",
        "Eight leaves of 20 us at a time (50 times)",
        ["fold", "3", "20000", "50"],
        ["fold", "3", "20000", "5"],
        [
            SPEED,
            ("steals", lambda c: c["steals"]),
            REMOTE,
            ("probes per steal", lambda c: per(c, "attempts", "steals")),
            ("ns queued for lines per steal", lambda c: per(c, "queued_ns", "steals")),
            ("interrupts per steal", lambda c: per(c, "interrupts", "steals")),
            ("wake-ups per second", lambda c: per_second(c, "wakeups")),
        ],
    ),
    Phase(
        "serial",
        "One worker alone, after a tree (for 20 ms)",
        ["serial", "14", "1000", "20000"],
        ["serial", "8", "1000", "2000"],
        [
            ("wake-ups per second", lambda c: per_second(c, "wakeups")),
            ("probes per second", lambda c: per_second(c, "attempts")),
            ("remote lines per second of all idle", lambda c: per_second(c, "idle_remote")),
            ("of the one that works", lambda c: (c["remote"] - c["idle_remote"]) * 1e9 / c["ns"]),
        ],
    ),
]


def cell(value: float) -> str:
    return "%.1f" % value if value < 100 and value != int(value) else "{:,}".format(round(value))


def arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m bench.lines",
                                     description="Remote cache lines, wake-ups and locks on many virtual processors.")
    parser.add_argument("--before", metavar="DIR", help="an earlier checkout, to be counted as well")
    parser.add_argument("--workers", default="2,8,64,512", metavar="N,...", help="numbers of workers (2,8,64,512)")
    parser.add_argument("--phase", choices=[phase.name for phase in PHASES], help="only this phase")
    parser.add_argument("--spawn", choices=STRATEGIES, help="only this strategy")
    parser.add_argument("--where", type=int, default=0, metavar="N",
                        help="also the N places in the code with most remote lines, of each run")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    options = parser.parse_args(words)
    options.counts = [int(word) for word in options.workers.split(",") if word.isdigit() and 2 <= int(word) <= 1000]
    if len(options.counts) != len(options.workers.split(",")):
        parser.error("--workers needs numbers from 2 to 1000")
    return options


def main(words: list[str]) -> int:
    options = arguments(words)
    if platform.machine() != "x86_64" or GCC is None:
        fail("needs gcc and an x86-64 processor")
    versions = [Version(ROOT, os.path.join(OUT, "lines", "now"))]
    if options.before:
        versions.insert(0, Version(os.path.abspath(options.before), os.path.join(OUT, "lines", "before")))
    for phase in PHASES:
        if options.phase not in (None, phase.name):
            continue
        print("\n%s:\n\n| | workers | %s |\n|---|---:|%s"
              % (phase.title, " | ".join(name for name, _ in phase.columns), "---:|" * len(phase.columns)))
        places = []
        for strategy in STRATEGIES:
            for workers in options.counts if options.spawn in (None, strategy) else []:
                runs = [version.run(strategy, workers, phase.quick if options.quick else phase.words)
                        for version in versions]
                print("| %s | %d | %s |"
                      % (strategy, workers,
                         " | ".join(" -> ".join(cell(f(counts)) for counts in runs) for _, f in phase.columns)),
                      flush=True)
                for version, counts in zip(versions, runs):
                    if options.where:
                        places += ["", "%s, %d workers, %s:" % (strategy, workers, version.tree), "",
                                   "| place | remote | ns queued |", "|---|---:|---:|",
                                   *version.where(strategy, counts, options.where)]
        print("\n".join(places))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
