#!/usr/bin/env python3
"""Random programs by the thousand: each is compiled at three levels, and must print what gcc's build of it prints.

    tests/stress/batch.py --kind c,cilk --count 100      so many of each kind, after the last seed that was tried
    tests/stress/batch.py --kind cilk --seeds 17-20      these
    tests/stress/batch.py --summary                      how many are in the log, and in done.json
    tests/stress/batch.py --carry                        what is in the log, into done.json

Kinds: `c`, programs of csmith; `cilk`, those of generate.py, ten in one, by each strategy and on 1, 2 and 4 workers,
with and without forced steals. A seed that was tried is not tried again: BUILD/random/log.jsonl has a line for each
or for ten, and done.json, beside this file, the last seed and the outcomes of before. Programs are preprocessed once, and
then go through cilkc1 alone, so that many can be tried. One that differs stays in BUILD/random/found with the
commands that repeat it. Exit status 1: there was one.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / (os.environ.get("CILKC_BUILD") or "build")
PLACE = BUILD / "random"
LOG = PLACE / "log.jsonl"
DONE = Path(__file__).with_name("done.json")
STRATEGIES = re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M)
LEVELS = ("-O0", "-O2", "-O3")
WORKERS = (1, 2, 4)
STEALS = ("never", "random", "always")
INCLUDE = next(
    (p for p in ("/usr/include/csmith", "/usr/local/include/csmith") if Path(p).is_dir()), "/usr/include/csmith"
)
# Small programs: of two of half the size one learns more than of one.
CSMITH = ["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "4", "--max-expr-complexity", "8",
          "--max-array-dim", "2", "--max-array-len-per-dim", "6", "--max-struct-fields", "6", "--max-union-fields", "4"]
RUNNING: "set[int]" = set()
OUTCOMES = ("same", "differs", "crash", "hang", "not compiled", "endless")


class Wrong(Exception):
    def __init__(self, outcome, words, said=""):
        super().__init__(outcome)
        self.outcome, self.words, self.said = outcome, words, said


def run(words, place, timeout, **keywords):
    """(status, output); raises where it takes longer."""
    child = subprocess.Popen(
        [str(word) for word in words],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        stdin=keywords.pop("stdin", subprocess.DEVNULL),
        **keywords,
    )
    RUNNING.add(child.pid)
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.communicate()
        raise Wrong("hang", words)
    finally:
        RUNNING.discard(child.pid)
    return child.returncode, out, err


def end_all(*_):
    """Killed: nothing that was begun runs on."""
    for pid in list(RUNNING):
        try:
            os.killpg(pid, 9)
        except ProcessLookupError:
            pass
    os._exit(143)


class Compiler:
    """The driver's own commands, so that a program is preprocessed once and a runtime linked without more ado:
    `cilkc -###` says them."""

    def __init__(self):
        self.known = {}
        self.lock = threading.Lock()

    def commands(self, place, suffix, flags):
        key = suffix, tuple(flags)
        with self.lock:
            if key not in self.known:
                done = subprocess.run(
                    [ROOT / "cilkc", "-###", *flags, "program" + suffix, "-o", "program"],
                    cwd=place,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=True,
                    env=dict(os.environ, CILKC_BUILD=str(BUILD)),
                )
                lines = [shlex.split(line) for line in done.stdout.splitlines() if line.startswith(" ")]
                self.known[key] = lines
            return self.known[key]

    def preprocessed(self, place, suffix, flags):
        cpp = self.commands(place, suffix, flags)[0]
        status, _, err = run(cpp + ["-o", "program.i"], place, 60)
        if status:
            raise Wrong("not compiled", cpp, err)

    def built(self, place, suffix, flags, name):
        """The program `name` from program.i."""
        _, compiler, link = self.commands(place, suffix, flags)
        words = [name + ".o" if word.endswith("0.o") else "program.i" if word == "-" else word for word in compiler]
        status, _, err = run(words, place, 300)
        if status:
            raise Wrong("not compiled", words, err)
        words = [
            name + ".o" if word.endswith("0.o") else name if i and link[i - 1] == "-o" else word
            for i, word in enumerate(link)
        ] + ["-s"]
        status, _, err = run(words, place, 100)
        if status:
            raise Wrong("not compiled", words, err)
        return [str(place / name)]


COMPILER = Compiler()


def reference(place, source, *flags):
    """What gcc's build prints; a program that has no end is of no use."""
    words = ["gcc", "-w", *flags, source, "-o", "reference", "-lm"]
    status, _, err = run(words, place, 120)
    if status:
        raise Wrong("endless" if source == "program.c" else "not compiled", words, err)
    try:
        status, out, _ = run(["./reference"], place, 2 if source == "program.c" else 60)
    except Wrong as wrong:
        raise Wrong("endless", wrong.words)
    if status < 0:
        raise Wrong("endless", ["./reference"])
    return status, out


def compare(words, place, expected, seconds=120):
    status, out, err = run(words, place, seconds)
    if (status, out) != expected:
        raise Wrong(
            "differs" if status == expected[0] else "crash",
            words,
            "status %d, expected %d\n%s\n%s" % (status, expected[0], out[-1000:], err[-2000:]),
        )


def of_csmith(seed, _, place):
    with open(place / "program.c", "w") as file:
        subprocess.run(["csmith", "--seed", str(seed), *CSMITH], stdout=file, check=True, timeout=60, cwd=place)
    expected = reference(place, "program.c", "-O0", "-I", INCLUDE)
    flags = ["-w", "-I", INCLUDE]
    COMPILER.preprocessed(place, ".c", flags)
    for level in LEVELS:
        compare(COMPILER.built(place, ".c", [level] + flags, "ours" + level), place, expected)


def on_workers(place, suffix, seed, expected, strategies):
    COMPILER.preprocessed(place, suffix, [])
    for i, strategy in enumerate(strategies):
        for j, level in enumerate(LEVELS):
            program = COMPILER.built(place, suffix, [level, "--spawn=" + strategy], strategy + level)
            for k, nproc in enumerate(WORKERS):
                compare(
                    [*program, "--nproc", str(nproc), "--seed", str(seed), "--force-steal",
                     STEALS[(seed + i + j + k) % len(STEALS)]],
                    place,
                    expected,
                )


def of_generate(first, last, place):
    for name, more in (("program.cilk", []), ("elision.c", ["--elision"])):
        with open(place / name, "w") as file:
            subprocess.run(
                [sys.executable, ROOT / "tests/stress/generate.py", "%d-%d" % (first, last), *more],
                check=True,
                stdout=file,
            )
    on_workers(place, ".cilk", first, reference(place, "elision.c", "-O1"), STRATEGIES)


# kind: (how many programs are compiled as one, what tries those from one seed to another)
KINDS = {"c": (1, of_csmith), "cilk": (10, of_generate)}


def try_some(kind, first, last):
    """The rows of the log. Where one of several is wrong, each is tried alone."""
    place = PLACE / ("%s-%d-%d" % (kind, first, last))
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    began = time.time()
    row = {"kind": kind, "first": first, "last": last, "outcome": "same"}
    try:
        KINDS[kind][1](first, last, place)
    except Wrong as wrong:
        if last > first:
            rows = [row for seed in range(first, last + 1) for row in try_some(kind, seed, seed)]
            if any(row["outcome"] not in ("same", "endless") for row in rows):
                shutil.rmtree(place)
                return rows
        row["outcome"] = wrong.outcome
        if wrong.outcome != "endless":
            kept = PLACE / "found" / place.name
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(exist_ok=True)
            place.rename(kept)
            again = "tests/stress/batch.py --kind %s --seeds %d-%d" % (kind, first, last)
            at = shlex.join(str(word) for word in wrong.words)
            (kept / "how.txt").write_text("%s\n%s\n\n%s\n" % (again, at, wrong.said))
            row.update(command=again, at=at, said=wrong.said[-2000:])
            print("%s: %s %d-%d\n    %s\n    %s" % (wrong.outcome, kind, first, last, again, at), flush=True)
    shutil.rmtree(place, ignore_errors=True)
    row["seconds"] = round(time.time() - began, 1)
    return [row]


# ---- what was tried

def logged():
    return [json.loads(line) for line in LOG.read_text().splitlines()] if LOG.exists() else []


def carried():
    """{kind: [the last seed tried, {outcome: how many}]} of done.json and of the log."""
    done = json.loads(DONE.read_text())
    found = {kind: [done[kind][0], collections.Counter(done[kind][1])] for kind in KINDS}
    before = {kind: last for kind, (last, _) in found.items()}
    for row in logged():
        if row["first"] > before[row["kind"]]:              # else it was carried, or tried again
            known = found[row["kind"]]
            known[0] = max(known[0], row["last"])
            known[1][row["outcome"]] += row["last"] - row["first"] + 1
    return found


def carry():
    DONE.write_text(json.dumps(carried(), sort_keys=True) + "\n")


def summary():
    print("| kind | " + " | ".join(OUTCOMES) + " |\n|---|" + "---:|" * len(OUTCOMES))
    for kind, (_, counts) in carried().items():
        print("| %s | %s |" % (kind, " | ".join(str(counts[outcome]) for outcome in OUTCOMES)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", type=lambda text: text.split(","), default=list(KINDS), help="of " + ", ".join(KINDS))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seeds", help="FIRST-LAST: these, tried or not")
    parser.add_argument("--hours", type=float, default=1e9, help="begin none after that")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--carry", action="store_true")
    options = parser.parse_args()
    if set(options.kind) - set(KINDS):
        parser.error("no such kind: " + " ".join(sorted(set(options.kind) - set(KINDS))))
    if options.carry or options.summary:
        if options.carry:
            carry()
        summary()
        return 0
    signal.signal(signal.SIGTERM, end_all)
    PLACE.mkdir(parents=True, exist_ok=True)
    known = carried()
    todo = []
    for kind in options.kind:
        begin = known[kind][0] + 1
        begin, end = map(int, options.seeds.split("-")) if options.seeds else (begin, begin + options.count - 1)
        step = KINDS[kind][0]
        todo += [
            ((at - begin) / (end - begin + 1), kind, at, min(at + step - 1, end)) for at in range(begin, end + 1, step)
        ]
    todo.sort()                             # of all kinds, in turn
    until = time.time() + options.hours * 3600
    lock, bad = threading.Lock(), 0

    def one(what):
        nonlocal bad
        if time.time() > until:
            return
        rows = try_some(*what[1:])
        with lock, LOG.open("a") as log:
            for row in rows:
                bad += row["outcome"] not in ("same", "endless")
                print(json.dumps(row), file=log)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, todo))
    summary()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
