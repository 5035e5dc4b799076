#!/usr/bin/env python3
"""Fuzzes the compiler, stage by stage, what the runtime reads, and what the tools read, for a while; a log keeps the
processor time.

    tests/fuzz/run.py --hours 2              two hours of processor time, the same for each stage, in turns of minutes
    tests/fuzz/run.py --stages sema,elide    these only
    tests/fuzz/run.py --minimise             the least of the corpus that covers as much
    tests/fuzz/run.py --keep                 the log, into tests/fuzz/log.jsonl
    tests/fuzz/run.py --summary              the sums of the logs, by stage

Stages are those of front_stages.cpp and of run_time.c (libFuzzer, guided by coverage), and of readers.py. What is
worth keeping is in BUILD/corpus/STAGE, and begins with what seeds.py makes of the tests. What crashes, takes minutes,
or makes the sanitizers report is in BUILD/found; the log (BUILD/log.jsonl) has the one command that repeats it, and so
does the terminal. Exit status 1: there was one.
"""

import argparse
import dataclasses
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import seeds

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build-fuzz"
LOG = BUILD / "log.jsonl"
KEPT = ROOT / "tests/fuzz/log.jsonl"     # the log of all runs
CC = os.environ.get("FUZZ_CC", "clang-19")
FLAGS = ["-std=gnu17", "-O1", "-g", "-w", "-Irt/core", "-Irt/extensions", "-I.", "-Istdlib", "-pthread"]
CHOSEN = ("main.c", "abi_tags.c")           # what the linker chooses for a program made by the compiler
TURN = 300                               # seconds of processor time, at most, before it is another stage's turn
FINDINGS = 5                             # in one turn; then it is another stage's


@dataclasses.dataclass
class Stage:
    name: str
    program: str
    most: int                            # bytes of an input
    seeds: str                           # a folder of BUILD/seeds

    @property
    def command(self):
        if self.program.endswith(".py"):
            return [sys.executable, str(ROOT / "tests/fuzz" / self.program)]
        return [str(BUILD / self.program)]


STAGES = [
    Stage(name, "fuzz/front_stages", 2 * seeds.MOST if folder == "two" else seeds.MOST, folder)
    for name, folder in (
        ("lex", "one"),
        ("parse", "one"),
        ("sema", "two"),
        ("codegen", "one"),
        ("elide", "two"),
        ("show", "one"),
    )
]
STAGES += [Stage("options", "fuzz/front_stages", 600, "words"), Stage("record", "run_time", 4000, "record"),
           Stage("arguments", "run_time", 600, "arguments"), Stage("readers", "readers.py", 100000, "reports")]


def build():
    """What the runtime reads; the front end's part is made by `make fuzz`."""
    (BUILD / "obj/rt").mkdir(parents=True, exist_ok=True)
    made = []
    for path in sorted(
        path
        for wing in ("core", "extensions")
        for path in ROOT.glob("rt/%s/*/*.c" % wing)
        if path.name not in CHOSEN
    ):
        made.append(BUILD / "obj/rt" / (path.relative_to(ROOT).as_posix().replace("/", "_") + ".o"))
        subprocess.run(
            [CC, *FLAGS, "-fsanitize=fuzzer-no-link,address,undefined", "-c", path, "-o", made[-1]],
            cwd=ROOT,
            check=True,
        )
    subprocess.run(
        [CC, *FLAGS, "-fsanitize=fuzzer,address,undefined", "tests/fuzz/run_time.c", *made,
         "-Wl,--wrap=cilk_fatal,--wrap=fork", "-ldl", "-lm", "-o", BUILD / "run_time"],
        cwd=ROOT,
        check=True,
    )


def make_seeds():
    place = BUILD / "seeds"
    seeds.programs(place)
    if not (place / "words").exists():
        seeds.options(place / "words", BUILD / "gen/cilkc1_options.inc")
    if not (place / "arguments").exists():
        shutil.copytree(ROOT / "tests/fuzz/corpus/arguments", place / "arguments")
    if not (place / "record").exists():
        program = BUILD / "recorded"
        subprocess.run([ROOT / "cilkc", "-O1", "tests/sched/recorded.cilk", "-o", program], cwd=ROOT, check=True)
        (place / "record").mkdir()
        for n in (2, 4):
            subprocess.run(
                [program, "--nproc", "3", "--sched=record:%s" % (place / "record" / ("of-%d" % n)), str(n)],
                stdout=subprocess.DEVNULL,
                check=True,
            )
    if not (place / "reports").exists():
        subprocess.run(
            [sys.executable, ROOT / "tests/fuzz/readers.py", "--make", place / "reports"], cwd=ROOT, check=True
        )


def environment(stage):
    written = BUILD / "written" / stage.name
    written.mkdir(parents=True, exist_ok=True)
    # What a program declares may be larger than any memory: that is an error of its own, and no report.
    return dict(os.environ, FUZZ_STAGE="options" if stage.name == "arguments" else stage.name, FUZZ_FOLDER=str(written),
                ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1", UBSAN_OPTIONS="print_stacktrace=1")


def used(pid):
    """Seconds of processor time of a process that is there."""
    fields = Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def once(stage, seconds, seed):
    """One process; ends by itself when it finds something, or when its processor time is over: (seconds, inputs,
    files)."""
    corpus, found = BUILD / "corpus" / stage.name, BUILD / "found"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    words = stage.command + ["-max_len=%d" % stage.most, "-timeout=600", "-report_slow_units=600", "-rss_limit_mb=6000",
                             "-print_final_stats=1", "-seed=%d" % seed, "-close_fd_mask=1",
                             "-artifact_prefix=%s/%s-" % (found, stage.name), str(corpus)]
    if not any(corpus.iterdir()):
        words.append(str(BUILD / "seeds" / stage.seeds))
    output = BUILD / ("%s.out" % stage.name)
    cpu = 0.0
    with output.open("w") as out:
        child = subprocess.Popen(words, cwd=ROOT, env=environment(stage), stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            while child.poll() is None:
                time.sleep(0.2)
                try:
                    cpu = max(cpu, used(child.pid))
                except (OSError, IndexError):
                    continue
                if cpu >= seconds:
                    child.send_signal(signal.SIGUSR1)      # it ends after this input
                    time.sleep(0.5)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
    said = output.read_text(errors="replace")
    runs = re.findall(r"^stat::number_of_executed_units: (\d+)|^#(\d+)\s", said, re.M)
    files = re.findall(r"written to (\S+)", said)
    # The signal that ends it may come again while it ends.
    if not files and child.returncode not in (0, -signal.SIGKILL, -signal.SIGUSR1):
        kept = found / ("%s-ended-%d.txt" % (stage.name, int(time.time())))
        shutil.copy(output, kept)
        files = [str(kept)]
    return cpu, int(runs[-1][0] or runs[-1][1]) if runs else 0, files


def repeat(stage, file):
    """The one command."""
    settings = environment(stage)
    names = ("FUZZ_STAGE", "ASAN_OPTIONS")
    return " ".join(
        ["%s=%s" % (name, settings[name]) for name in names] + [shlex.quote(word) for word in stage.command + [file]]
    )


def turn(stage, seconds):
    cpu, inputs, found = 0.0, 0, []
    while cpu < seconds and len(found) < FINDINGS:
        more, many, files = once(stage, seconds - cpu, int(time.time()) % 10 ** 9)
        cpu, inputs, found = cpu + more, inputs + many, found + files
        if not files:
            break
    row = {
        "at": time.strftime("%Y-%m-%d %H:%M"),
        "stage": stage.name,
        "cpu": round(cpu, 1),
        "inputs": inputs,
        "found": found,
        "repeat": [repeat(stage, file) for file in found],
    }
    with LOG.open("a") as log:
        print(json.dumps(row), file=log)
    print("%(stage)-9s %(inputs)9d inputs, %(cpu).0f s of processor time, found: %(found)s" % row, flush=True)
    for command in row["repeat"]:
        print("    " + command, flush=True)
    return cpu, found


def minimise(stage):
    """libFuzzer's merge: of all that is there, seeds included, the least that covers as much."""
    corpus, less = BUILD / "corpus" / stage.name, BUILD / "corpus" / (stage.name + ".less")
    if stage.program.endswith(".py") or not corpus.exists():
        return
    shutil.rmtree(less, ignore_errors=True)
    less.mkdir()
    before = len(list(corpus.iterdir()))
    words = ["-merge=1", "-max_len=%d" % stage.most, "-timeout=600", "-rss_limit_mb=6000", str(less), str(corpus),
             str(BUILD / "seeds" / stage.seeds)]
    done = subprocess.run(
        stage.command + words, cwd=ROOT, env=environment(stage), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    after = len(list(less.iterdir()))
    if done.returncode == 0 and after:
        shutil.rmtree(corpus)
        less.rename(corpus)
    print("%-9s %d inputs and the seeds: %d stay" % (stage.name, before, after))


def keep_log():
    """What the log has and the kept one has not."""
    known = set(KEPT.read_text().splitlines()) if KEPT.exists() else set()
    with KEPT.open("a") as out:
        for row in rows_of(LOG):
            line = json.dumps({key: value for key, value in row.items() if value != [] or key == "found"})
            if line not in known:
                print(line, file=out)


def rows_of(log):
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def summary():
    rows = {(row["at"], row["stage"], row["inputs"]): row for row in rows_of(KEPT) + rows_of(LOG)}.values()
    print("| stage | inputs | processor time, s | found |\n|---|---:|---:|---:|")
    for name in [stage.name for stage in STAGES] + ["all"]:
        these = [row for row in rows if name in (row["stage"], "all")]
        print(
            "| %s | %d | %.0f | %d |"
            % (
                name,
                sum(row["inputs"] for row in these),
                sum(row["cpu"] for row in these),
                sum(len(row["found"]) for row in these),
            )
        )


def main():
    names = [stage.name for stage in STAGES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.02)
    parser.add_argument("--stages", type=lambda text: text.split(","), default=names, help="of " + ", ".join(names))
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if set(options.stages) - set(names):
        parser.error("no such stage: " + " ".join(sorted(set(options.stages) - set(names))))
    chosen = [stage for stage in STAGES if stage.name in options.stages]
    if options.summary:
        summary()
        return 0
    if options.minimise or options.keep:
        for stage in chosen if options.minimise else []:
            minimise(stage)
        if options.keep:
            keep_log()
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))      # what runs then is ended, too
    build()
    make_seeds()
    left = {stage.name: max(1.0, options.hours * 3600 / len(chosen)) for stage in chosen}
    bad = False
    while left:
        for stage in [stage for stage in chosen if stage.name in left]:
            cpu, found = turn(stage, min(TURN, left[stage.name]))
            bad = bad or bool(found)
            left[stage.name] -= max(cpu, 1.0)
            if left[stage.name] <= 0:
                del left[stage.name]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
