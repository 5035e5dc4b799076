#!/usr/bin/env python3
"""Runs Cilk programs for hours under injected faults, and keeps a log in which each failure has the one command that
repeats it.

    tests/soak/run.py --hours 0.5              drawn by chance; --seed N draws the same again, --jobs N runs N at a
                                               time
    tests/soak/run.py --only malloc,stall      these kinds of runs
    tests/soak/run.py --goal 10000             until each kind's class has been injected so often, the log's runs
                                               included
    tests/soak/run.py --summary                the table of the whole log

Each run is one point of the matrix: program x strategy x number of workers x forced steals x faults (docs/trust.md).
Programs are samples, those of tests/run, and random ones by tests/stress. Runs with faults have the checked runtime,
those without faults the release one. The output must be the elision's. Where the system refuses memory or threads, a
clear message and status 1 are right as well; since one fault ends such a run, most of them are short ones by the
hundred (refusals.cilk). Exit status 1: something failed.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import random
import re
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
BUILD = Path(os.environ.get("CILKC_BUILD") or ROOT / "build")
if not BUILD.is_absolute():
    BUILD = ROOT / BUILD
PLACE = BUILD / "soak"
STRATEGIES = re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M)
CLASSES = re.findall(r'^CILK_FAULT_CLASS\(\w+, *"(\w+)"', (ROOT / "rt/core/base/fault.def").read_text(), re.M)
WORKERS = (1, 2, 3, 4, 8, 16, 64)
PATIENCE = 180                            # seconds for one run: a hang
REFUSED = re.compile(
    r"^(global|\d+): fatal error: (?:out of memory|no memory for|cannot create (?:worker|the thread)|out of thread)", re.M
)

# kind: (how often, faults, a message and status 1 are right)
KINDS = {
    "bulk": (18, None, False),
    "none": (6, "", False),
    "delay": (6, "delay:1/{few}", False),
    "yield": (6, "yield:1/{few}", False),
    "signal": (6, "signal:1/{some}", False),
    "stall": (5, "stall:1/{rare}", False),
    "steal": (8, "steal:1/{often}", False),
    "release": (8, "release:1/{often}", False),
    "membarrier": (12, "membarrier:1/2,delay:1/1000", False),
    "futex": (6, "futex:1/2", False),
    "all": (
        12,
        "delay:1/{some},yield:1/{some},signal:1/{some},stall:1/200000,steal:1/{some},release:1/{some},membarrier:1/3,futex:1/3",
        False,
    ),
    "malloc": (30, "malloc:at={soon}", True),
    "mmap": (30, "mmap:1/{half}", True),
    "thread": (30, "thread:at={first}", True),
}
# Refusals in short runs, %d being drawn by each; so many of them at a time.
SHORT = {
    "malloc": ("at=%d", "at=%d", "1/100", "1/1000"),
    "mmap": ("1/2", "1/3", "1/8", "at=%d", "every=2"),
    "thread": ("1/3", "1/6", "at=2"),
}
MANY = 100
# What strikes where workers run out of work and steal again, so mostly in bursts.cilk on many workers; by which
# strategy, where only one has such places.
BURSTS = {"membarrier": "eager", "futex": None}
# Many spawns, or many steals, in one run, with the release runtime: arguments of samples/fib.cilk and options.
BULK = [("38", []), ("36", []), ("27", ["--force-steal", "random"]), ("25", ["--force-steal", "always"])]


@dataclasses.dataclass
class Program:
    name: str
    source: str                           # a shell command that writes it, or its path
    args: "list[str]"
    flags: "list[str]"
    expected: "tuple[int, str] | None" = None


def run(words, timeout=300, env=None, cwd=None):
    """(status, out, err); the status of a hang is 'hang'. The whole group is ended."""
    child = subprocess.Popen(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=dict(os.environ, **(env or {})),
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = child.communicate(timeout=timeout)
        return child.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 3)           # SIGQUIT: the runtime says what its workers do
        try:
            out, err = child.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            out, err = child.communicate()
        return "hang", out, err


class Programs:
    """What can be run; compiled when it is drawn for the first time."""

    def __init__(self, variety):
        from conftest import Notes
        self.variety = variety
        self.known = {}
        self.lock = threading.Lock()
        for path in [
            path for folder in ("samples", "tests/run", "tests/soak") for path in sorted((ROOT / folder).glob("*.cilk"))
        ]:
            notes = Notes(path)
            plain = not (
                notes.nondet or notes.also or notes.requires or notes.stdin or path.with_suffix(".expected").exists()
            )
            if plain:
                name = path.parent.name + "-" + path.stem
                self.known[name] = Program(name, str(path.relative_to(ROOT)), notes.args, notes.flags)
        self.refusals = self.known.pop("soak-refusals")
        self.names = sorted(self.known)

    def draw(self, choose):
        chance = choose.random()
        if chance < 0.35:                 # where all classes have many places
            return self.known["soak-bursts"]
        if chance < 0.6:
            seed = choose.randrange(self.variety)
            return Program("random-%d" % seed, "tests/stress/generate.py %d" % seed, [], [])
        return self.known[choose.choice(self.names)]

    def source(self, program):
        """(command that makes the source, or none; its path)"""
        if program.source.endswith(".cilk"):
            return None, program.source
        path = PLACE / (program.name + ".cilk")
        return "python3 %s > %s" % (program.source, path.relative_to(ROOT)), str(path.relative_to(ROOT))

    def compiled(self, program, strategy, checked, level):
        """(path, shell command that makes it); raises where it does not compile."""
        name = "%s.%s.%s%s" % (program.name, strategy, "checked" if checked else "release", level)
        out = PLACE / name
        make, path = self.source(program)
        words = (
            ["./cilkc", level]
            + (["-cilk-debug"] if checked else [])
            + ["--spawn=" + strategy, path]
            + program.flags
            + ["-o", str(out.relative_to(ROOT))]
        )
        text = (make + " && " if make else "") + " ".join(map(shlex.quote, words))
        with self.lock:
            if not out.exists() or out.stat().st_mtime < self.made_by(program):
                if make:
                    subprocess.run(make, shell=True, check=True, cwd=ROOT)
                status, _, err = run(words, cwd=ROOT)
                if status != 0:
                    raise RuntimeError(text + "\n" + err)
        return out, text

    @staticmethod
    def made_by(program):
        """When the newest of the files was written that a compiled program depends on: what an earlier compiler or
        generator has left is not an answer."""
        files = (
            [ROOT / program.source]
            if program.source.endswith(".cilk")
            else list((ROOT / "tests" / "stress").glob("*.py"))
        )
        return max(path.stat().st_mtime for path in [BUILD / "cilkc1", *(BUILD / "lib").glob("*.a"), *files])

    def right(self, program):
        """(status, output) of the elision by gcc."""
        with self.lock:
            if program.expected is None:
                elision = PLACE / (program.name + ".elision")
                text = elision.with_suffix(".elision.c")
                if program.source.endswith(".cilk"):
                    subprocess.run(
                        [ROOT / "cilkc", "elide", "--standalone", program.source, "-o", text],
                        check=True,
                        cwd=ROOT,
                        stderr=subprocess.DEVNULL,
                    )
                else:
                    text.write_text(subprocess.run(
                        ["python3"] + program.source.split() + ["--elision"],
                        check=True,
                        cwd=ROOT,
                        stdout=subprocess.PIPE,
                        text=True,
                    ).stdout)
                subprocess.run(["gcc", "-std=gnu17", "-O1", "-w", text, "-o", elision, "-lm", "-lpthread"], check=True)
                status, out, _ = run([elision] + program.args)
                program.expected = status, out
        return program.expected


def injections(log):
    """{class: [places, faults]} of all runs that wrote into it."""
    found: "dict[str, list[int]]" = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        name, places, struck = line.split()
        row = found.setdefault(name, [0, 0])
        row[0] += int(places)
        row[1] += int(struck)
    return found


class Soak:
    def __init__(self, options):
        self.options = options
        self.programs = Programs(options.variety)
        self.choose = random.Random(options.seed)
        self.lock = threading.Lock()
        self.number = 0
        self.failures = 0
        PLACE.mkdir(parents=True, exist_ok=True)
        self.injected: "collections.Counter[str]" = collections.Counter()
        if Path(options.log).exists():
            for line in Path(options.log).read_text().splitlines():
                self.count(json.loads(line))
        self.log = open(options.log, "a")

    def count(self, row):
        for name, (_, struck) in row["injected"].items():
            self.injected[name] += struck

    def kinds(self):
        """Those that are still to be drawn."""
        chosen = self.options.only or list(KINDS)
        return [kind for kind in chosen if self.injected[kind] < self.options.goal] if self.options.goal else chosen

    def faults(self, kind, choose):
        spec = KINDS[kind][1]
        values = {
            "often": choose.choice((2, 5, 50)),
            "few": choose.choice((20, 100, 1000)),
            "some": choose.choice((200, 1000, 5000)),
            "rare": choose.choice((5000, 50000)),
            "soon": choose.randrange(1, 20),
            "first": choose.randrange(1, 5),
            "half": choose.choice((1, 2, 3, 8)),
        }
        return spec.format(**values) if spec else spec

    def short(self, kind, choose):
        """A hundred short runs, as a row of the log."""
        strategy, level, seed = choose.choice(STRATEGIES), choose.choice(("-O2", "-O0")), choose.randrange(10 ** 6)
        path, made = self.programs.compiled(self.programs.refusals, strategy, True, level)
        counts = PLACE / ("counts-%d" % threading.get_ident())
        counts.unlink(missing_ok=True)
        words = [str(path.relative_to(ROOT)), kind, choose.choice(SHORT[kind]), str(MANY), str(seed), str(counts)]
        began = time.time()
        status, out, err = run(words, timeout=60 * MANY, cwd=ROOT)
        found = {name: int(n) for name, n in re.findall(r"(\w+) (\d+)", out)}
        bad = [name for name in ("wrong", "crash", "hang") if found.get(name)] + (
            ["crash"] if status not in (0, 1) else []
        )
        row = {
            "kind": kind,
            "program": "refusals",
            "strategy": strategy,
            "nproc": 0,
            "outcome": bad[0] if bad else "right",
            "many": found,
            "seconds": round(time.time() - began, 2),
            "steals": 0,
            "spawns": 0,
            "injected": injections(counts),
        }
        if bad:
            row.update(
                command="%s && %s" % (made, shlex.join(words)), status=str(status), out=out[-2000:], err=err[-4000:]
            )
        return row

    def once(self, kind, choose):
        """One run, as a row of the log; or many short ones."""
        if kind in SHORT and choose.random() < 0.8:
            return self.short(kind, choose)
        strategy, nproc = choose.choice(STRATEGIES), choose.choice(WORKERS)
        refusals = KINDS[kind][2]
        force = choose.choice(("off", "off", "random", "always"))
        bursts = False
        if kind == "bulk":
            args, options = choose.choice(BULK)
            program = dataclasses.replace(
                self.programs.known["samples-fib"], args=[args], name="fib-" + args, expected=None
            )
            spec, checked = None, False
        else:
            bursts = kind in BURSTS and choose.random() < 0.85
            program = self.programs.known["soak-bursts"] if bursts else self.programs.draw(choose)
            if kind == "stall" and program.name == "soak-bursts":   # all of them would take minutes
                program = dataclasses.replace(program, args=["5", "14"], name="soak-bursts-few", expected=None)
            options = [] if force == "off" or kind == "release" else ["--force-steal", force]
            spec, checked = self.faults(kind, choose), kind != "none"
        if refusals:
            nproc = choose.choice((2, 4, 8))
        if bursts:
            strategy, nproc, force = BURSTS[kind] or strategy, choose.choice((8, 16, 64)), "off"
        level = choose.choice(("-O2", "-O2", "-O0")) if kind != "bulk" else "-O2"
        path, made = self.programs.compiled(program, strategy, checked, level)
        want = self.programs.right(program)
        seed = choose.randrange(10 ** 6)
        crowd = "64" if bursts else choose.choice(("64", ""))
        env = {"CILK_PROCESSORS": crowd} if crowd else {}
        counts = PLACE / ("counts-%d" % threading.get_ident())
        if spec:
            env["CILK_FAULT"] = "%s,seed=%d" % (spec, seed)
        words = (
            [str(path.relative_to(ROOT)), "--nproc", str(nproc), "--seed", str(seed), "--stats", "2"]
            + options
            + program.args
        )
        command = "%s && %s" % (
            made,
            " ".join(["%s=%s" % pair for pair in env.items()] + [shlex.quote(word) for word in words]),
        )
        if spec:
            env["CILK_FAULT"] += ",log=%s" % counts
        counts.unlink(missing_ok=True)
        began = time.time()
        status, out, err = run(words, timeout=PATIENCE, env=env, cwd=ROOT)
        seconds = time.time() - began
        if (status, out) == want:
            outcome = "right"
        elif refusals and status == 1 and REFUSED.search(err):
            outcome = "refused"
        else:
            outcome = "hang" if status == "hang" else "wrong" if status in (0, want[0]) else "crash"
        steals = re.search(r"^ *Steals .*?(\d+)$", err, re.M)
        row = {
            "kind": kind,
            "program": program.name,
            "strategy": strategy,
            "nproc": nproc,
            "outcome": outcome,
            "seconds": round(seconds, 2),
            "steals": int(steals[1]) if steals and outcome == "right" else 0,
            "spawns": self.spawns(program) if outcome == "right" else 0,
            "injected": injections(counts),
        }
        if outcome not in ("right", "refused"):
            row.update(command=command, status=str(status), out=out[-2000:], err=err[-4000:])
        return row

    counted: "dict[str, int]" = {}

    def spawns(self, program):
        """How many spawns a run has: with every pop taken for stolen, on one worker, and nothing inlined, there are as
        many steals. Those of fib follow from its recursion."""
        key = program.name
        if key.startswith("fib-"):
            a, b = 0, 0                   # spawns of fib(k - 1), fib(k)
            for _ in range(2, int(program.args[0]) + 1):
                a, b = b, a + b + 2
            return b
        if key not in self.counted:
            path, _ = self.programs.compiled(program, "eager", True, "-O0")
            _, _, err = run([path, "--nproc", "1", "--force-steal", "always", "--stats", "2"] + program.args)
            steals = re.search(r"^ *Steals .*?(\d+)$", err, re.M)
            self.counted[key] = int(steals[1]) if steals else 0
        return self.counted[key]

    def work(self, until):
        while time.time() < until:
            with self.lock:
                self.number += 1
                choose = random.Random("%d %d" % (self.options.seed, self.number))
                number = self.number
                kinds = self.kinds()
            if not kinds:
                return
            kind = choose.choices(kinds, [KINDS[k][0] for k in kinds])[0]
            try:
                row = self.once(kind, choose)
            except (RuntimeError, subprocess.CalledProcessError) as wrong:
                row = {
                    "kind": kind,
                    "program": "?",
                    "strategy": "?",
                    "nproc": 0,
                    "outcome": "not compiled",
                    "seconds": 0,
                    "steals": 0,
                    "spawns": 0,
                    "injected": {},
                    "command": str(wrong),
                }
            row["draw"] = "%d/%d" % (self.options.seed, number)
            with self.lock:
                self.log.write(json.dumps(row) + "\n")
                self.log.flush()
                self.count(row)
                if row["outcome"] not in ("right", "refused"):
                    self.failures += 1
                    print("%s: %s\n    %s" % (row["outcome"], row["program"], row["command"]), flush=True)

    def go(self):
        until = time.time() + self.options.hours * 3600
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(self.work, until) for _ in range(self.options.jobs)]:
                done.result()
        self.log.close()
        return self.failures


def summary(log):
    """Tables of outcomes by kind, and of injections by class."""
    rows = [json.loads(line) for line in Path(log).read_text().splitlines()]
    outcomes = ["right", "refused", "wrong", "crash", "hang", "not compiled"]
    print("| runs | " + " | ".join(outcomes) + " | spawns | steals | seconds |\n|---|" + "---:|" * (len(outcomes) + 3))
    for kind in [k for k in KINDS if any(row["kind"] == k for row in rows)] + ["all of them"]:
        these = [row for row in rows if kind in (row["kind"], "all of them")]
        print(
            "| %s | %s | %.3g | %.3g | %d |"
            % (
                kind,
                " | ".join(
                    str(sum(row["many"].get(o, 0) if "many" in row else row["outcome"] == o for row in these))
                    for o in outcomes
                ),
                sum(row["spawns"] for row in these),
                sum(row["steals"] for row in these),
                sum(row["seconds"] for row in these),
            )
        )
    print("\n| class | places | injected |\n|---|---:|---:|")
    for name in CLASSES:
        pairs = [row["injected"][name] for row in rows if name in row["injected"]]
        print("| %s | %d | %d |" % (name, sum(p for p, _ in pairs), sum(s for _, s in pairs)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=lambda text: text.split(","), help="kinds: " + ", ".join(KINDS))
    parser.add_argument(
        "--goal", type=int, help="injections of each class; kinds that have as many are not drawn any more"
    )
    parser.add_argument(
        "--variety",
        type=int,
        default=10**6,
        help="how many random programs there are to draw from: few are compiled once",
    )
    parser.add_argument("--log", default=str(PLACE / "log.jsonl"))
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.only and set(options.only) - set(KINDS):
        parser.error("no such kind: " + " ".join(sorted(set(options.only) - set(KINDS))))
    if options.goal and set(options.only or KINDS) - set(CLASSES):
        parser.error(
            "--goal is for the kinds that are classes of faults: --only "
            + ",".join(kind for kind in KINDS if kind in CLASSES)
        )
    if not options.hours > 0:
        parser.error("--hours: how long?")
    failures = 0 if options.summary else Soak(options).go()
    if not Path(options.log).exists():
        parser.error("there is no log yet: " + options.log)
    summary(options.log)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
