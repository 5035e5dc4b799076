#!/usr/bin/env python3
"""Changes one line of a sample, and compares `cilkc prove` with the race detector on small inputs of it.

    prove_mutants.py FIRST-LAST [--sample NAME] [--limit 60] [--keep FOLDER]

Of each changed program that the detector calls racy, neither the whole nor the procedure that spawns one strand of the
race and has called both may be proved; and an input that the command shows must race again. Programs that leave their
objects, which the proof assumes they do not, are found by the sanitizers. The mutants of a sample are in an order of a
seed; number k of the list is the next one of the next sample. Each line says what came out, and the last one counts.
The exit status is 1 if a verdict was wrong.
"""

import argparse
import collections
import itertools
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "driver"), str(ROOT / "tests")]
import prove_programs  # noqa: E402
from cilkc_driver import disk  # noqa: E402
from prove import detect, prover, solver, witness  # noqa: E402

SEED = 57
INPUTS = {
    "blockedmul": ["64"],
    "cilksort": ["3000", "200"],
    "fft": ["512", "64"],
    "fib": ["9", "25"],
    "heat": ["70 2", "9 1"],
    "hello": ["5"],
    "inlets": ["3000"],
    "knapsack": ["12 2", "20 1"],
    "knary": ["4 3 2", "4 3 0"],
    "locks": ["6 1500"],
    "loop": ["3000", "500"],
    "lu": ["40", "17"],
    "matmul": ["40", "9 20 30"],
    "mergesort": ["5000", "7"],
    "notempmul": ["64"],
    "nqueens": ["8", "5"],
    "parallel": ["500"],
    "pipeline": ["20 3 5"],
    "queens": ["8 2"],
    "race-fixed": ["3000"],
    "search": ["5000 400"],
    "strassen": ["128"],
    "wavefront": ["100 10"],
}
WORSE = (
    (r"/ 4\b", "/ 3"),
    (r"(?<= )<(?= )", "<="),
    (r"(?<= )>=(?= )", ">"),
    (r"(?<= )<=(?= )", "<"),
    (r"(\w+\()([^(),]+), ([^(),]+)(?=[,)])", r"\1\3, \2"),
    (r"(\w+\([^(),]+, )([^(),]+), ([^(),]+)(?=[,)])", r"\1\3, \2"),
    (r"(\w+\([^(),]+, [^(),]+, )([^(),]+), ([^(),]+)(?=[,)])", r"\1\3, \2"),
    (r" \+ [\w.>-]+(?=[,)\]])", ""),
    (r" - 1\b", ""),
    (r"\+ 1\b", "+ 2"),
    (r"= 0\b", "= 1"),
    (r"\bspawn (?=\w+\()", ""),
    (r" \+= ", " = "),
    (r"(\w+)\+\+\)", r"\1 += 2)"),
    (r"^(\s+)((?:const )?(?:long|int|double|size_t|unsigned|struct \w+) \**\w+(?: = [^,;]+)?;)", r"\1static \2"),
    (r"\bif \((.*)\)(?= \{|$)", "if (1)"),
    (r"(.*\bspawn .*;)$", r"\1 \1"),
    (r"\babort;", ";"),
    (r"Cilk_(un)?lock\([^;]*\);", ";"),
    (r"\btouch [^;]*;", ";"),
)
SPAWN = re.compile(r"\bspawn \w+\((.*)\)")
PARALLEL = re.compile(r"\b(spawn|sync|touch|abort|Cilk_\w*lock)\b")


def changed_lines(line):
    """What a line may become."""
    for pattern, new in (*prove_programs.CHANGES, *WORSE):
        for match in re.finditer(pattern, line):
            yield line[: match.start()] + match.expand(new) + line[match.end() :]
    spawn = SPAWN.search(line)
    if spawn is None:
        return
    words = [word.strip() for word in spawn.group(1).split(",")]
    for k, other in itertools.permutations(range(len(words)), 2):
        changed = [words[other] if n == k else word for n, word in enumerate(words)]
        yield line[: spawn.start(1)] + ", ".join(changed) + line[spawn.end(1) :]


def mutants(name):
    """[(line, text)] in an order of the seed, those of lines that spawn or wait before others. A sync also changes places
    with a line beside it. main, which reads numbers and checks results, is left as it is."""
    lines = (ROOT / "samples" / (name + ".cilk")).read_text().split("\n")
    found = {}
    end = next(k for k, line in enumerate(lines) if line.startswith("cilk int main"))
    for k, line in enumerate(lines[:end]):
        if not line.startswith(" ") or '"' in line or line.lstrip().startswith(("*", "//", "/*")):
            continue
        for changed in changed_lines(line):
            found["\n".join([*lines[:k], changed, *lines[k + 1 :]])] = k + 1
        if line.strip() == "sync;":
            for low in (k - 1, k):
                found["\n".join([*lines[:low], lines[low + 1], lines[low], *lines[low + 2 :]])] = k + 1
    found.pop("\n".join(lines), None)
    every = [(line, text) for text, line in found.items()]
    random.Random("%d %s" % (SEED, name)).shuffle(every)
    return sorted(every, key=lambda one: not PARALLEL.search(lines[one[0] - 1]))


def listed(names=None):
    """(name, line, text) of all samples in turn, endless as the longest of them."""
    rows = [[(name, *one) for one in mutants(name)] for name in sorted(names or INPUTS)]
    return [one for row in itertools.zip_longest(*rows) for one in row if one is not None]


class Outcome:
    """word: what came out; wrong: the procedures (or "all") that are proved although they race."""

    def __init__(self, word, wrong=(), arguments=None, seconds=0.0):
        self.word, self.wrong, self.arguments, self.seconds = word, list(wrong), arguments, seconds


def races_of(detector, name):
    """Rows of the report of the first small input that races."""
    for words in INPUTS[name]:
        if detector.suspects(words.split()):
            rows = [row for row in detector.races(words.split()) if row["type"] in detect.COUNTED]
            if rows:
                return rows
    return []


def procedures_of(rows):
    """Those that spawn one strand of a race, and have called both."""
    for row in rows:
        callers = [{one["procedure"], *(call["procedure"] for call in one["path"])} for one in row["accesses"]]
        if row.get("spawn") and all(row["spawn"]["procedure"] in names for names in callers):
            yield row["spawn"]["procedure"]


def leaves_objects(name, path, temp):
    program = temp.file("sanitized")
    build = [str(ROOT / "cilkc"), "build", "-w", "-fsanitize=address,undefined", str(path), "-o", program]
    for words in (build, *[[program, "--nproc", "1", *one.split()] for one in INPUTS[name]]):
        done = detect.run(words, limit=60)
        if done is not None and ("runtime error" in done.stderr or "AddressSanitizer" in done.stderr):
            return True
    return False


def judge(name, path, temp, limit):
    cilkc = str(ROOT / "cilkc")
    words = [cilkc, "emit", "--stage", "tree", "--json", "-w", str(path)]
    tree = subprocess.run(words, capture_output=True, text=True)
    if tree.returncode != 0:
        return Outcome("no program")
    detector = detect.Detector([str(path)], temp)
    rows = races_of(detector, name)
    if not rows:
        return Outcome("no race seen")
    begun = time.monotonic()
    solver.deadline = begun + limit
    try:
        result = prover.prove([tree.stdout])
    finally:
        solver.deadline = None
    seconds = time.monotonic() - begun
    racy = set(procedures_of(rows))
    wrong = racy & {one.function.name for one in result.procedures if one.function and one.proved}
    if (result.proved or wrong) and leaves_objects(name, path, temp):
        return Outcome("leaves objects", (), None, seconds)
    if result.proved or wrong:
        return Outcome("WRONG", wrong or ["all"], None, seconds)
    found = witness.witness(detector, result.analysis, result.procedures, lambda text: None)
    if found is None:
        return Outcome("not decided", (), None, seconds)
    again = detector.races(found[0])
    return Outcome("race" if again else "WRONG", () if again else ["input"], found[0], seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("numbers")
    parser.add_argument("--sample", action="append")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--keep", help="where programs with a wrong verdict are left")
    words = parser.parse_args()
    first, _, last = words.numbers.partition("-")
    counts: "collections.Counter[str]" = collections.Counter()
    for k, (name, line, text) in enumerate(listed(words.sample)[int(first) - 1 : int(last or first)], int(first)):
        folder = Path(words.keep or tempfile.gettempdir())
        path = folder / ("mutant-%s-%d.cilk" % (name, k))
        path.write_text(text)
        temp = disk.TempDir()
        try:
            one = judge(name, path, temp, words.limit)
        finally:
            temp.clean()
        counts[one.word] += 1
        said = " ".join(one.wrong or one.arguments or ())
        print("%4d %-11s line %-4d %-12s %5.1f s  %s" % (k, name, line, one.word, one.seconds, said), flush=True)
        if one.word != "WRONG":
            path.unlink()
    print(", ".join("%d %s" % (number, word) for word, number in counts.most_common()))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
