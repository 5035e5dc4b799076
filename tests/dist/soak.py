#!/usr/bin/env python3
"""Ranks with late messages, killed ranks and changed messages: tests/dist/soak.py delays|kills|messages [--times N]
[--seed S] [--seconds T] [--nice N].

delays    six programs with 4 ranks, and every message late by chance: right answers
kills     the same with ranks killed at random times; --times is how many ranks
messages  changed messages, --times of them: errors, never a crash

Prints what it did, and what went wrong; status 1 then."""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ranks import PROGRAMS, build_mutated, built, expected, messages, run       # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("delays", "kills", "messages"))
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nice", type=int, default=10)
    options = parser.parse_args()
    os.nice(options.nice)
    rng, until = random.Random(options.seed), time.monotonic() + options.seconds
    done = wrong = runs = 0
    right = {}
    with tempfile.TemporaryDirectory() as folder:
        mutated = build_mutated(folder) if options.what == "messages" else None
        while done < options.times and time.monotonic() < until:
            runs += 1
            if mutated:
                problem, _ = messages(mutated, 5000, options.seed + runs)
                done += 5000
            else:
                name = sorted(PROGRAMS)[runs % len(PROGRAMS)]
                long = options.what == "kills"
                arguments = PROGRAMS[name][long]
                program = built(name, folder, "--spawn=" + rng.choice(("eager", "lazy")))
                if name not in right:
                    right[name] = expected(program, arguments)
                kills = [(rng.random() * 0.05, rng.randrange(3)) for _ in range(rng.randint(1, 3))] if long else ()
                result = run(
                    program, arguments, 4, rng.choice((1, 1, 2)), kills, 0 if long else rng.choice((0, 100, 1000, 5000))
                )
                done += result[3] if long else 1
                problem = None if result[:2] == (0, right[name]) else "%s %s: %s" % (program.name, arguments, result)
            if problem:
                wrong += 1
                print(problem, flush=True)
    print("%s: %d, in %d runs, %d wrong" % (options.what, done, runs, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
