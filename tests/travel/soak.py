#!/usr/bin/env python3
"""Kills, resizes and damaged images without end: tests/travel/soak.py kills|resizes|images [--times N] [--seed S] [--seconds T].

kills     samples and everything.cilk are killed at random times and restarted at 1, 2 and 4 workers; each comes to the end that a plain run has
resizes   elastic.cilk: 200 changes of the number of workers a run
images    an image with bits, bytes or pieces changed, cut off or doubled: a message, never a crash or a run

Prints what it did, and what went wrong; status 1 then."""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from killed import run_with_kills                           # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {"queens": (["22", "20"], 4), "cilksort": (["1000000"], None), "matmul": (["512"], None), "knapsack": (["44"], None), "everything": (["14", "12"], None)}
MASK = (1 << 64) - 1


def build(name, strategy, folder):
    path = ROOT / "samples" / (name + ".cilk")
    path = path if path.exists() else ROOT / "tests" / "travel" / (name + ".cilk")
    out = folder / ("%s-%s" % (name, strategy))
    if not out.exists():
        subprocess.run([str(ROOT / "cilkc"), "-O2", "-include", "cilk-malloc.h", "--spawn=" + strategy, str(path), "-o", str(out)], check=True)
    return out


def last_line(text):
    return text.strip().splitlines()[-1] if text.strip() else ""


class Kills:
    def __init__(self, folder, rng):
        self.folder, self.rng, self.killed, self.restarts, self.ends = folder, rng, 0, 0, {}

    def once(self):
        name, strategy = self.rng.choice(sorted(PROGRAMS)), self.rng.choice(("eager", "lazy"))
        arguments, first = PROGRAMS[name]
        program, image = build(name, strategy, self.folder), self.folder / "image"
        if program not in self.ends:
            self.ends[program] = last_line(subprocess.run([program, "--nproc", "2", *arguments], capture_output=True, text=True, check=True).stdout)
        image.unlink(missing_ok=True)
        status, out, err, killed, restarts = run_with_kills(program, arguments, image, self.rng, self.rng.randint(1, 12), first=first)
        self.killed += killed
        self.restarts += restarts
        for left in self.folder.glob("image.*.new"):        # of those that were killed while they wrote
            left.unlink()
        if status or last_line(out) != self.ends[program]:
            return "%s: status %d, %r instead of %r\n%s" % (program.name, status, last_line(out), self.ends[program], err)
        return None

    def report(self):
        return "%d processes killed, %d restarts" % (self.killed, self.restarts)


class Resizes:
    def __init__(self, folder, rng):
        self.folder, self.rng = folder, rng

    def once(self):
        program = build("elastic", self.rng.choice(("eager", "lazy")), self.folder)
        words = [str(program), "--elastic", str(self.rng.choice((2, 4, 7))), "--nproc", str(self.rng.choice((1, 2))), "200", str(self.rng.randrange(1 << 30))]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        return None if (done.returncode, done.stdout, done.stderr) == (0, "200 0 200 51200\n", "") else "%s: %s" % (words, done)

    def report(self):
        return "200 changes each"


class Images:
    def __init__(self, folder, rng):
        self.folder, self.rng, self.refused = folder, rng, 0
        self.program, image = build("everything", "lazy", folder), folder / "good"
        subprocess.run([self.program, "--nproc", "2", "--checkpoint", image, "--every", "2ms", "12", "40"], check=True, capture_output=True)
        self.good = image.read_bytes()

    def mutant(self):
        rng, data = self.rng, bytearray(self.good)
        for _ in range(rng.choice((1, 1, 1, 4, 30))):
            at = rng.randrange(len(data))
            kind = rng.randrange(5)
            if kind == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 1:
                data[at] = rng.randrange(256)
            elif kind == 2:
                del data[at:at + rng.randrange(1, 5000)]
            elif kind == 3:
                data[at:at] = data[at:at + rng.randrange(1, 500)]
            else:
                data[at // 8 * 8:at // 8 * 8 + 8] = rng.choice((0, MASK, 1 << 63, len(data))).to_bytes(8, "little")
            if len(data) < 64:
                break
        return data

    def once(self):
        data, bad = self.mutant(), self.folder / "bad"
        if bytes(data) == self.good:
            return None
        bad.write_bytes(data)
        done = subprocess.run([self.program, "--restart", bad], capture_output=True, text=True, timeout=300)
        if done.returncode == 1 and done.stderr.startswith("--restart ") and not done.stdout:
            self.refused += 1
            return None
        return "status %d, %r, %r" % (done.returncode, done.stdout, done.stderr)

    def report(self):
        return "%d refused, of %d bytes" % (self.refused, len(self.good))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("kills", "resizes", "images"))
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        job = {"kills": Kills, "resizes": Resizes, "images": Images}[options.what](Path(folder), random.Random(options.seed))
        until, done = time.monotonic() + options.seconds, 0
        while done < options.times and time.monotonic() < until:
            problem = job.once()
            done += 1
            if problem:
                wrong += 1
                print(problem, flush=True)
    print("%s: %d runs, %d wrong; %s" % (options.what, done, wrong, job.report()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
