#!/usr/bin/env python3
"""Fuzzes what the runtime reads, guided by coverage (libFuzzer), for a while; a log keeps the processor time.

    tests/fuzz/run.py --hours 0.5            half an hour of processor time, the same for each stage
    tests/fuzz/run.py --summary              what stands in the log, by stage

Stages are those of run_time.c. What libFuzzer finds worth keeping lies in BUILD/corpus/STAGE, and begins with tests/fuzz/corpus/STAGE and a record that is made here; an input that
crashes or hangs lies in BUILD as STAGE-crash-... and is repeated by FUZZ_STAGE=STAGE BUILD/run_time FILE. Exit status 1: there was one.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build-fuzz"
LOG = BUILD / "log.jsonl"
STAGES = {"record": 4000, "options": 600}                    # bytes of an input, at most
CC = os.environ.get("FUZZ_CC", "clang-19")
FLAGS = ["-std=gnu17", "-O1", "-g", "-w", "-Irt", "-I.", "-Istdlib", "-pthread"]
CHOSEN = ("main.c", "agree.c")                               # what the linker chooses for a program made by the compiler


def build():
    (BUILD / "obj").mkdir(parents=True, exist_ok=True)
    made = []
    for path in sorted(path for folder in ("rt", "rt/sched", "rt/cilk1") for path in (ROOT / folder).glob("*.c") if path.name not in CHOSEN):
        made.append(BUILD / "obj" / (path.relative_to(ROOT).as_posix().replace("/", "_") + ".o"))
        subprocess.run([CC, *FLAGS, "-fsanitize=fuzzer-no-link,address,undefined", "-c", path, "-o", made[-1]], cwd=ROOT, check=True)
    subprocess.run([CC, *FLAGS, "-fsanitize=fuzzer,address,undefined", "tests/fuzz/run_time.c", *made, "-Wl,--wrap=cilk_fatal", "-ldl", "-lm", "-o", BUILD / "run_time"],
                   cwd=ROOT, check=True)


def seeds(stage, corpus):
    corpus.mkdir(parents=True, exist_ok=True)
    for path in (ROOT / "tests/fuzz/corpus" / stage).glob("*"):
        shutil.copy(path, corpus)
    if stage == "record":
        program = BUILD / "recorded"
        subprocess.run([ROOT / "cilkc", "-O1", "tests/sched/recorded.cilk", "-o", program], cwd=ROOT, check=True)
        for n in (2, 4):
            subprocess.run([program, "--nproc", "3", "--sched=record:%s" % (corpus / ("of-%d" % n)), str(n)], stdout=subprocess.DEVNULL, check=True)


def fuzz(stage, seconds):
    corpus = BUILD / "corpus" / stage
    seeds(stage, corpus)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [BUILD / "run_time", "-max_total_time=%d" % seconds, "-max_len=%d" % STAGES[stage], "-detect_leaks=0", "-timeout=20", "-close_fd_mask=3",
             "-artifact_prefix=%s/%s-" % (BUILD, stage), corpus]
    done = subprocess.run(words, env=dict(os.environ, FUZZ_STAGE=stage), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    runs = re.findall(r"^(?:Done (\d+) runs|#(\d+)\s)", done.stdout, re.M)
    row = {"at": time.strftime("%Y-%m-%d %H:%M"), "stage": stage, "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
           "inputs": int(runs[-1][0] or runs[-1][1]) if runs else 0, "found": re.findall(r"written to (\S+)", done.stdout)}
    with LOG.open("a") as log:
        print(json.dumps(row), file=log)
    print("%(stage)-8s %(inputs)9d inputs, %(cpu).0f s of processor time, found: %(found)s" % row, flush=True)
    return row["found"] or done.returncode


def summary():
    rows = [json.loads(line) for line in LOG.read_text().splitlines()] if LOG.exists() else []
    for stage in STAGES:
        these = [row for row in rows if row["stage"] == stage]
        print("%-8s %9d inputs, %.0f s of processor time, %d found" % (stage, sum(row["inputs"] for row in these), sum(row["cpu"] for row in these),
                                                                      sum(len(row["found"]) for row in these)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.01)
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.summary:
        summary()
        return 0
    build()
    bad = [stage for stage in STAGES if fuzz(stage, max(1, options.hours * 3600 / len(STAGES)))]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
