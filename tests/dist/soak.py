#!/usr/bin/env python3
"""Ranks with late messages, killed ranks and changed messages: tests/dist/soak.py [delays] [mpi] [kills] [messages]
[--times N] [--seed S] [--seconds T] [--nice N] [--log FILE].

delays    six programs with 4 ranks; messages are late and come twice, by chance: right answers (1,000 runs)
mpi       the same with ranks of MPI (1,000 runs)
kills     ranks are killed at random times: right answers (200 ranks)
messages  changed messages, under sanitizers: errors, never a crash (100,000 messages)

Without a name: all four. Each run is a line of the log. What a log has counts, so a soak that was ended goes on.
Prints what it does, and what went wrong; status 1 then."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from ranks import BUILD, PROGRAMS, build_mutated, built, expected, messages, run       # noqa: E402

TIMES = {"delays": 1000, "mpi": 1000, "kills": 200, "messages": 100000}
RANKS, A_TIME = 4, 5000                   # messages of one process, at most


class Soak:
    def __init__(self, folder, rng, seed):
        self.folder, self.rng, self.seed, self.right, self.mutated, self.runs = folder, rng, seed, {}, None, 0

    def ranks(self, part):
        """(how much of what is counted, program, None or what is wrong)."""
        name, long = sorted(PROGRAMS)[self.runs % len(PROGRAMS)], part == "kills"
        arguments, transport = PROGRAMS[name][long], "mpi" if part == "mpi" else "local"
        strategy = self.rng.choice(("eager", "lazy"))
        program = built(name, self.folder, "--spawn=" + strategy, transport=transport)
        if (name, long) not in self.right:
            local = built(name, self.folder, "--spawn=" + strategy)
            self.right[name, long] = expected(local, arguments)
        kills = [(self.rng.random() * 0.05, self.rng.randrange(3)) for _ in range(self.rng.randint(1, 3))] if long else ()
        nproc = self.rng.choice((1, 1, 2))
        delay, twice = (0, 0) if long else (self.rng.choice((0, 100, 1000, 5000)), self.rng.choice((0, 0, 2, 10)))
        result = run(program, arguments, RANKS, nproc, kills, delay, twice, transport)
        good = result[:2] == (0, self.right[name, long])
        return result[3] if long else 1, program.name, None if good else "%s, %d workers, delay %d, twice %d: %s" % (
            arguments, nproc, delay, twice, result
        )

    def messages(self):
        if not self.mutated:
            libraries = [str(BUILD / "lib" / name) for name in ("libcilkdist-asan.a", "libcilkrt-asan.a")]
            subprocess.run(["make", "-s", "BUILD=%s" % BUILD, *libraries], cwd=HERE.parents[1], check=True)
            self.mutated = build_mutated(self.folder, "-asan")
        problem, _, delivered, _ = messages(self.mutated, A_TIME, self.seed + self.runs)
        return delivered, self.mutated.name, problem

    def once(self, part):
        self.runs += 1
        return self.messages() if part == "messages" else self.ranks(part)


def counted(log):
    """{part: (counted, runs, wrong)} of what was done before."""
    done = {part: [0, 0, 0] for part in TIMES}
    for line in log.read_text().splitlines() if log.exists() else ():
        one = json.loads(line)
        for i, n in enumerate((one["n"], 1, one["wrong"] is not None)):
            done[one["part"]][i] += n
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(TIMES))
    parser.add_argument("--times", type=int)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nice", type=int, default=10)
    parser.add_argument("--log", type=Path, default=BUILD / "soak" / "ranks.jsonl")
    options = parser.parse_args()
    if set(options.parts) - set(TIMES):
        parser.error("the parts are " + ", ".join(TIMES))
    os.nice(options.nice)
    options.log.parent.mkdir(parents=True, exist_ok=True)
    done, until, shown = counted(options.log), time.monotonic() + options.seconds, time.monotonic()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, open(options.log, "a", encoding="utf-8") as log:
        for part in options.parts or TIMES:
            wanted, count = options.times or TIMES[part], done[part]
            soak = Soak(folder, random.Random("%d %s %d" % (options.seed, part, count[1])), options.seed)
            soak.runs = count[1]
            while count[0] < wanted and time.monotonic() < until:
                n, program, problem = soak.once(part)
                for i, more in enumerate((n, 1, problem is not None)):
                    count[i] += more
                json.dump({"part": part, "n": n, "program": program, "wrong": problem}, log)
                log.write("\n")
                log.flush()
                if problem:
                    wrong += 1
                    print("%s: %s" % (program, problem), flush=True)
                if time.monotonic() - shown > 20:
                    shown = time.monotonic()
                    print("  %s: %d of %d, in %d runs, %d wrong" % (part, count[0], wanted, *count[1:]), flush=True)
            print("%s: %d, in %d runs, %d wrong" % (part, *count), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
