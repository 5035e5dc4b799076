#!/usr/bin/env python3
"""Kills, resizes and damaged images without end: tests/travel/soak.py kills|resizes|images [--times N] [--seed S]
[--seconds T] [--programs NAME ...] [--slow] [--from PROCESSOR] [--views] [--sanitize].

kills     samples and everything.cilk are killed at random times and restarted at 1, 2 and 16 workers; each comes to
          the end that a plain run has. Checkpoints are 10 ms apart, and a kill follows one of them soon. --slow: they
          are a second apart, and a kill comes at any time in the first two seconds of a process
resizes   elastic.cilk: 200 changes of the number of workers a run
images    thousands of images that were damaged, most of them with a right checksum again (images.c): --inspect has a
          message, and does not crash. --from s390x: images of that processor, under qemu. --views: images with views
          of reducers. --sanitize: the runtime that reads them is compiled for AddressSanitizer and UBSan, in
          build-sanitize

Prints what it did, and what went wrong; status 1 then."""

import argparse
import fcntl
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from killed import run_with_kills                           # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = {
    "queens": (["22", "20"], 16),
    "cilksort": (["1000000"], None),
    "matmul": (["512"], None),
    "knapsack": (["44"], 16),
    "everything": (["14", "12"], None),
    "gather": (["60", "9"], 2),
}
SLOW = {"queens": ["22", "100"], "cilksort": ["4000000"], "matmul": ["1024"], "knapsack": ["44", "200"]}


def build(name, strategy, folder, level="-O2", *more, env=None):
    path = ROOT / "samples" / (name + ".cilk")
    path = path if path.exists() else ROOT / "tests" / "travel" / (name + ".cilk")
    out = folder / "-".join([name, strategy, level.strip("-"), *(word.strip("-=") for word in more if "/" not in word)])
    if not out.exists():
        sources = [str(path), *(str(HERE / other) if other.endswith(".c") else other for other in more)]
        subprocess.run(
            [str(ROOT / "cilkc"), level, "-include", "cilk-malloc.h", "--spawn=" + strategy, *sources, "-o", str(out)],
            check=True,
            env=dict(os.environ, **(env or {})),
        )
    return out


def sanitized_runtime():
    """A build directory: the runtime as it is released, with the checks of the sanitizers in it."""
    folder, built = ROOT / "build-sanitize", Path(os.environ.get("CILKC_BUILD") or ROOT / "build").resolve()
    folder.mkdir(exist_ok=True)
    # no red zones around constants, which the reader looks through for strings
    extra = "RT_EXTRA=-fsanitize=address,undefined --param asan-globals=0 -fno-omit-frame-pointer -w"
    words = ["make", "-s", "BUILD=build-sanitize", extra, "build-sanitize/lib/libcilkrt.a"]
    with open(folder / ".lock", "w") as lock:               # pytest's other processes make it, too
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "cilkc1").exists():
            (folder / "cilkc1").symlink_to(built / "cilkc1")
        subprocess.run(words, cwd=ROOT, check=True)
    return folder


def last_line(text):
    return text.strip().splitlines()[-1] if text.strip() else ""


class Kills:
    def __init__(self, folder, rng, options):
        self.folder, self.rng, self.programs = folder, rng, sorted(options.programs)
        self.slow = options.slow
        self.killed, self.restarts, self.ends = 0, 0, {}

    def once(self):
        name, strategy = self.rng.choice(self.programs), self.rng.choice(("eager", "lazy"))
        arguments, first = PROGRAMS[name]
        kills, how = self.rng.randint(1, 12), {}
        if self.slow:
            arguments, how = SLOW.get(name, arguments), {"every": "1s", "seconds": 2}
            kills *= 3
        program, image = build(name, strategy, self.folder), self.folder / "image"
        if program not in self.ends:
            self.ends[program] = last_line(
                subprocess.run([program, "--nproc", "2", *arguments], capture_output=True, text=True, check=True).stdout
            )
        image.unlink(missing_ok=True)
        status, out, err, killed, restarts = run_with_kills(
            program, arguments, image, self.rng, kills, workers=(1, 2, 16), first=first, **how
        )
        self.killed += killed
        self.restarts += restarts
        for left in self.folder.glob("image.*.new"):        # of those that were killed while they wrote
            left.unlink()
        if status or last_line(out) != self.ends[program]:
            return "%s: status %d, %r instead of %r\n%s" % (
                program.name, status, last_line(out), self.ends[program], err
            )
        return None

    def report(self):
        return "%d processes killed, %d restarts" % (self.killed, self.restarts)


class Resizes:
    def __init__(self, folder, rng, _):
        self.folder, self.rng = folder, rng

    def once(self):
        program = build("elastic", self.rng.choice(("eager", "lazy")), self.folder)
        words = [str(program), "--elastic", str(self.rng.choice((2, 4, 7))), "--nproc", str(self.rng.choice((1, 2))),
                 "200", str(self.rng.randrange(1 << 30))]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        return (
            None
            if (done.returncode, done.stdout, done.stderr) == (0, "200 0 200 51200\n", "")
            else "%s: %s" % (words, done)
        )

    def report(self):
        return "200 changes each"


class Images:
    """A thousand at once: images.c, which the program has, makes and judges them. The images are of two moments."""

    def __init__(self, folder, rng, options):
        self.folder, self.rng, self.refused, self.accepted, self.size = folder, rng, 0, 0, 0
        self.env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0")
        name, arguments = ("gather", [("3", "5"), ("4", "4")]) if options.views else ("everything", [("11", "60"), ("9", "90")])
        writer, more, env = [build(name, "lazy", folder, "-O2", "images.c")], ["images.c"], {}
        if options.sanitize:
            env = {"CILKC_BUILD": str(sanitized_runtime())}
            more += ["-DWATCHED", "-Wl,--wrap=mmap", "-lasan", "-lubsan"]
        self.programs = [build(name, "lazy", folder, level, *more, env=env) for level in ("-O2", "-O1")]
        if options.source:
            target = "--target=%s-linux-gnu" % options.source
            writer = ["qemu-" + options.source, "-L", "/usr/%s-linux-gnu" % options.source]
            writer.append(build("everything", "lazy", folder, "-O2", "images.c", target))
            arguments = [("9", "6"), ("8", "9")]
        self.goods = [folder / "good", folder / "other"]
        for good, words in zip(self.goods, arguments):
            while not good.exists():                    # a run may be at its end before its first checkpoint
                every = ["--nproc", "2", "--checkpoint", good, "--every", "2ms"]
                subprocess.run([*writer, *every, *words], check=True, capture_output=True)

    def once(self):
        program, bad = self.rng.choice(self.programs), self.folder / "bad"
        good, other = self.goods if self.rng.random() < 0.8 else reversed(self.goods)
        done = subprocess.run(
            [program, "--inspect", bad],
            capture_output=True,
            text=True,
            errors="replace",
            env=dict(self.env, IMAGES="%s %s %s 1000 %d" % (good, other, bad, self.rng.randrange(1 << 40))),
        )
        found = re.search(r"^(\d+) refused, (\d+) accepted, (\d+) wrong, of (\d+) bytes$", done.stdout, re.M)
        if found:
            self.refused, self.accepted, self.size = (
                self.refused + int(found[1]),
                self.accepted + int(found[2]),
                int(found[4]),
            )
        for kept in self.folder.glob("bad.[0-9]*"):
            shutil.copy(kept, "/tmp/%s-%s" % (program.name, kept.name))
        return (
            None if found and done.returncode == 0 else "status %d, %s %s" % (done.returncode, done.stdout, done.stderr)
        )

    def report(self):
        return "1000 images each: %d refused, %d accepted, of %d bytes" % (self.refused, self.accepted, self.size)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("kills", "resizes", "images"))
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="source", metavar="PROCESSOR", help="of images")
    parser.add_argument("--views", action="store_true", help="of images")
    parser.add_argument("--sanitize", action="store_true", help="of images")
    parser.add_argument("--slow", action="store_true", help="of kills")
    parser.add_argument("--programs", nargs="+", choices=sorted(PROGRAMS), default=sorted(PROGRAMS), help="of kills")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        job = {"kills": Kills, "resizes": Resizes, "images": Images}[options.what](
            Path(folder), random.Random(options.seed), options
        )
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
