#!/usr/bin/env python3
"""What `cilkc prove` decides, as tables: the samples with their processor time, the race-free procedures of tests/race
by family, the programs of tests/prove.

    prove_table.py [NAME...]

NAMEs are programs of tests/race: what is not decided in them is listed with
its reason, the commonest first.
"""

import collections
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "driver"), str(ROOT / "tests"), str(ROOT / "tests/tools")]
import test_race  # noqa: E402
from prove import detect, prover, solver  # noqa: E402

LIMIT = 240  # seconds of a proof, on a machine that may be busy


def prove(path):
    flags = ["-fopencilk"] if path.suffix == ".c" else []
    words = [ROOT / "cilkc", "emit", "--stage", "tree", "--json", "-w", *flags, path]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    solver.deadline = time.monotonic() + LIMIT
    try:
        return prover.prove([text])
    finally:
        solver.deadline = None


def procedures_that_race(path):
    """Those that spawn a strand of a race, and those on the way to one of its accesses."""
    _, arguments, stdin = test_race.announced(path)
    rows = json.loads(test_race.detect(path, "-w", arguments=arguments, stdin=stdin).stdout)["races"]
    racy = set()
    for row in rows:
        if row["type"] in detect.COUNTED:
            for access in row["accesses"]:
                racy |= {access["procedure"], *(call["procedure"] for call in access["path"])}
            racy |= {row["spawn"]["procedure"]} if row.get("spawn") else set()
    return racy


def samples():
    """Rows of the samples: (name, verdict, seconds, assumptions)."""
    rows = []
    for path in sorted((ROOT / "samples").glob("*.cilk")):
        begun, result = time.process_time(), prove(path)
        verdict = "proved" if result.proved else "not decided"
        rows.append((path.stem, verdict, "%.1f" % (time.process_time() - begun), len(result.assumptions)))
    return rows


def own():
    """[(name, numbers)] of the programs of tests/prove. Those that race: with an input that `cilkc race` confirms."""
    free, racy = [0, 0, 0], [0, 0, 0]
    for path in sorted((ROOT / "tests/prove").iterdir()):
        flags = ["-fopencilk"] if path.suffix == ".c" else []
        if path.suffix not in (".c", ".cilk"):
            continue
        done = subprocess.run([ROOT / "cilkc", "prove", "-w", *flags, path], capture_output=True)
        count = free if path.stem.startswith("free-") else racy
        count[{0: 0, 1: 1}.get(done.returncode, 2)] += 1
    return [("race-free programs of tests/prove", free), ("racy programs of tests/prove", racy)]


def families(names, whys):
    """{first word of a program's name: [proved, race, not decided]} of procedures of tests/race that spawn and are free
    of races. Threads of Cilk-1 are left out."""
    found = {}
    for path in test_race.PROGRAMS:
        if path.suffix == ".cilk1" or (names and path.stem not in names):
            continue
        racy = procedures_that_race(path)
        numbers = found.setdefault(path.stem.split("-")[0], [0, 0, 0])
        for procedure in prove(path).procedures:
            if procedure.function is None or procedure.function.name in racy:
                continue
            numbers[0 if procedure.proved else 2] += 1
            if not procedure.proved:
                whys[procedure.conflicts[0].why].append("%s in %s" % (procedure.function.name, path.stem))
    return found


def table(heads, rows):
    lines = ["| %s |" % " | ".join(heads), "|---|" + "---:|" * (len(heads) - 1)]
    return "\n".join(lines + ["| %s |" % " | ".join(map(str, row)) for row in rows])


def main(names):
    whys: "dict[str, list[str]]" = collections.defaultdict(list)
    if not names:
        print(table(("sample", "verdict", "seconds", "assumptions"), samples()), flush=True)
    found = families(names, whys)
    rows = [("procedures of tests/race: " + name, numbers) for name, numbers in sorted(found.items())]
    rows.append(("all of them", [sum(numbers[k] for numbers in found.values()) for k in range(3)]))
    if not names:
        rows += own()
    print(table(("", "proved", "race, with an input", "not decided", "all"),
                [(name, *numbers, sum(numbers)) for name, numbers in rows]))
    for why, places in sorted(whys.items(), key=lambda item: -len(item[1])):
        print("%4d  %s: %s" % (len(places), why, ", ".join(places[:4])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
