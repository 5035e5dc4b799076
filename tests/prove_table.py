#!/usr/bin/env python3
"""What `cilkc prove` decides, as a table: the samples, the procedures of tests/race by what the
detector finds in them, the programs of tests/prove.

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

LIMIT = 60  # seconds of a proof


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
    """(proved, not decided, all)"""
    paths = sorted((ROOT / "samples").glob("*.cilk"))
    proved = sum(prove(path).proved for path in paths)
    return proved, len(paths) - proved, len(paths)


def own(free):
    paths = [p for p in (ROOT / "tests/prove").iterdir() if p.suffix in (".c", ".cilk")]
    paths = [path for path in paths if path.stem.startswith("free-") == free]
    proved = sum(prove(path).proved for path in paths)
    return proved, len(paths) - proved, len(paths)


def families(names, whys):
    """The same of procedures of tests/race that spawn and are free of races. Threads of Cilk-1 are left out."""
    proved = number = 0
    for path in test_race.PROGRAMS:
        if path.suffix == ".cilk1" or (names and path.stem not in names):
            continue
        racy = procedures_that_race(path)
        for procedure in prove(path).procedures:
            if procedure.function is None or procedure.function.name in racy:
                continue
            number, proved = number + 1, proved + procedure.proved
            if not procedure.proved:
                whys[procedure.conflicts[0].why].append("%s in %s" % (procedure.function.name, path.stem))
    return proved, number - proved, number


def table(rows):
    lines = ["| | proved | not decided | all |", "|---|---:|---:|---:|"]
    return "\n".join(lines + ["| %s | %d | %d | %d |" % (name, *numbers) for name, numbers in rows])


def main(names):
    whys: "dict[str, list[str]]" = collections.defaultdict(list)
    rows = [("procedures of tests/race that are free of races", families(names, whys))]
    if not names:
        rows = [
            ("[samples](../samples/README.md); one of them races", samples()),
            *rows,
            ("programs of tests/prove that are free of races", own(True)),
            ("programs of tests/prove that race", own(False)),
        ]
    print(table(rows))
    for why, places in sorted(whys.items(), key=lambda item: -len(item[1])):
        print("%4d  %s: %s" % (len(places), why, ", ".join(places[:4])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
