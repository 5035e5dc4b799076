#!/usr/bin/env python3
"""Fuzzes what the tools read of a run: reports of profiles, dags, memory and threads, traces, races.

    readers.py --make FOLDER                                    writes the files that runs of some samples make, as a
    corpus readers.py [-max_total_time=S] [-seed=N] ... FOLDER...      mutates them, until SIGUSR1 or the time is
    over; what is worth keeping goes into the first folder readers.py FILE
     reads FILE

The first line of an input names its kind (KINDS). A run may have been killed while it wrote, or have written over
its own report: a reader then gives nothing, or ends with a message (Stop). Any other exception, or PATIENCE seconds
of processor time, is a finding. Bytes, numbers, words and lines are changed, and where it is JSON its values. An
input that runs a line of the models which none has run before is kept. Options, and what is printed, are
libFuzzer's, so that run.py starts both in the same way.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "driver"))

from cilkc_driver.console import Stop                                             # noqa: E402
from tools import dag_model, instrumented, memory, profile_model, race, trace   # noqa: E402

PATIENCE = 60
BETWEEN = b"\n#\n"                       # two reports in one input
MODELS = {
    str(ROOT / "driver/tools" / name)
    for name in ("dag_model.py", "profile_model.py", "memory.py", "race.py", "trace_model.py", "trace.py",
                 "instrumented.py")
}


# ---- the kinds: how a run writes such a file, what reads it

def read_profile(names):
    first, second = instrumented.read_report(names[0]), instrumented.read_report(names[-1])
    if first is not None:
        with instrumented.reading(names[0]):
            profile_model.Profile(first, second, 4).verdict()


def read_dag(names):
    made, counts = instrumented.read_report(names[0]), instrumented.read_report(names[-1])
    if made is not None and counts is not None:
        with instrumented.reading(names[0]):
            dag = dag_model.Dag(made, counts)
            dag_model.hidden(dag_model.tree(dag, 200))
            dag_model.critical_path(dag)


def read_memory(names):
    report = instrumented.read_report(names[0])
    if report is not None:
        with instrumented.reading(names[0]):
            memory.Memory(report)


def read_trace(names):
    trace.Session.read(names[0])


def read_races(names):
    race.Report(names[0], 0, "note")


# kind: (reader, what `cilkc` compiles with, the variables that name the files)
KINDS = {
    b"profile": (read_profile, ["-cilk-tool=profile"], ["CILK_PROFILE_REPORT"]),
    b"dag": (read_dag, ["-cilk-tool=profile"], ["CILK_PROFILE_DAG", "CILK_PROFILE_REPORT"]),
    b"memory": (read_memory, ["-cilk-tool=memory"], ["CILK_MEMORY_REPORT"]),
    b"trace": (read_trace, ["-cilk-trace"], ["CILK_TRACE"]),
    b"races": (read_races, ["-cilk-tool=race", "-DCILK_RACE=1"], ["CILK_RACE_REPORT"]),
}
SAMPLES = [("fib", ["6"]), ("inlets", ["20"]), ("queens", ["4"])]


def make(folder):
    folder.mkdir(parents=True)
    sources = [
        (ROOT / "samples" / (name + ".cilk"), words)
        for name, words in SAMPLES
        if (ROOT / "samples" / (name + ".cilk")).exists()
    ]
    sources += [(path, []) for path in sorted((ROOT / "tests/race").glob("*.cilk"))[:6]]
    program = folder / "program"
    for kind, (_, flags, variables) in KINDS.items():
        for source, words in sources:
            if subprocess.run(
                [ROOT / "cilkc", "-w", *flags, source, "-o", program], stderr=subprocess.DEVNULL
            ).returncode:
                continue
            files = [folder / ("report-%d" % i) for i in range(len(variables))]
            environment = dict(
                os.environ,
                CILK_NPROC="2",
                CILK_MEMORY_WORKERS="1,2",
                CILK_MEMORY_THRESHOLD="0",
                CILK_PROFILE_DECISIONS=str(folder / "decisions"),
                CILK_PROFILE_BURDEN="1000",
                **{variable: str(file) for variable, file in zip(variables, files)},
            )
            subprocess.run(
                [program, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60
            )
            if all(file.exists() for file in files):
                (folder / ("%s-%s" % (kind.decode(), source.stem))).write_bytes(
                    kind + b"\n" + BETWEEN.join(file.read_bytes() for file in files)
                )
            for file in [*files, folder / "decisions"]:
                file.unlink(missing_ok=True)
    program.unlink(missing_ok=True)


# ---- one input

class Endless(Exception):
    pass


def one(data, names):
    kind, _, rest = data.partition(b"\n")
    if kind not in KINDS:
        return
    texts = rest.split(BETWEEN, 1)
    for name, text in zip(names, texts):
        with open(name, "wb") as file:
            file.write(text)
    try:
        KINDS[kind][0](names[:len(texts)])
    except Stop:
        pass


class Lines:
    """Which lines of the models have run."""

    def __init__(self):
        self.seen = set()
        self.new = False

    def call(self, frame, _, __):
        return self.line if frame.f_code.co_filename in MODELS else None

    def line(self, frame, event, _):
        at = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and at not in self.seen:
            self.seen.add(at)
            self.new = True
        return self.line


# ---- mutations

NUMBERS = [b"0", b"-1", b"1", b"2", b"7", b"255", b"4096", b"65536", b"2147483648", b"18446744073709551615", b"1e308",
           b"1e999", b"NaN", b"0x10", b"null", b"true", b'""', b"[]", b"{}", b"[[]]"]


def values(tree, path=()):
    """The places in a JSON value."""
    yield path
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from values(value, (*path, key))


def change_json(text, choose):
    tree = json.loads(text)
    for _ in range(choose.randint(1, 3)):
        path = choose.choice(list(values(tree)))
        if not path:
            continue
        holder = tree
        for key in path[:-1]:
            holder = holder[key]
        what = choose.random()
        if what < 0.2:
            del holder[path[-1]]
        elif what < 0.7:
            holder[path[-1]] = choose.choice(
                [0, -1, 1, 3, 10**6, 2**64, 1.5, None, True, "", "x", [], {}, [[]], [0, 1]]
            )
        else:
            other = choose.choice(list(values(tree)))
            value = tree
            for key in other:
                value = value[key]
            holder[path[-1]] = json.loads(json.dumps(value))
    return json.dumps(tree).encode()


def mutated(data, other, choose):
    kind, _, rest = data.partition(b"\n")
    if choose.random() < 0.5 and kind not in (b"trace", b"races"):
        texts = rest.split(BETWEEN, 1)
        i = choose.randrange(len(texts))
        try:
            texts[i] = change_json(texts[i], choose)
            return kind + b"\n" + BETWEEN.join(texts)
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(rest) + 1)
        what = choose.randrange(7)
        if what == 0:
            rest = rest[:at]
        elif what == 1:
            rest = rest[:at] + bytes([choose.randrange(256)]) + rest[at + 1:]
        elif what == 2:
            rest = rest[:at] + rest[at + choose.randint(1, 40):]
        elif what == 3:
            words = list(re.finditer(rb"-?\d+|\"[^\"]*\"|\w+", rest))
            if words:
                word = choose.choice(words)
                rest = rest[:word.start()] + choose.choice([*NUMBERS, choose.choice(words)[0]]) + rest[word.end():]
        elif what == 4:
            lines = rest.splitlines(True)
            if lines:
                lines.insert(choose.randrange(len(lines)), choose.choice(lines))
                rest = b"".join(lines)
        elif what == 5:
            lines = rest.splitlines(True)
            choose.shuffle(lines)
            rest = b"".join(lines)
        else:
            begin = choose.randrange(len(other) + 1)
            rest = rest[:at] + other[begin:begin + choose.randint(1, 60)] + rest[at:]
    return kind + b"\n" + rest


def fuzz(folders, seconds, seed, prefix):
    choose, lines, stop = random.Random(seed), Lines(), []
    signal.signal(signal.SIGUSR1, lambda *_: stop.append(True))

    def late(*_):
        raise Endless("%d seconds of processor time" % PATIENCE)

    signal.signal(signal.SIGPROF, late)
    corpus = [path.read_bytes() for folder in folders for path in sorted(folder.iterdir()) if path.is_file()]
    inputs, until, first = 0, time.time() + seconds, len(corpus)
    names = [str(Path(os.environ.get("FUZZ_FOLDER") or "/tmp") / ("report-%d-%d" % (os.getpid(), i))) for i in range(2)]
    found = 0
    sys.settrace(lines.call)
    while not stop and time.time() < until and corpus and not found:
        data = corpus[inputs] if inputs < first else mutated(choose.choice(corpus), choose.choice(corpus), choose)
        inputs += 1
        lines.new = False
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            one(data, names)
        except Exception:                # of whatever kind: it is what this looks for
            found += 1
            traceback.print_exc()
            file = "%scrash-%d-%d" % (prefix, seed, inputs)
            Path(file).write_bytes(data)
            print("Test unit written to %s" % file, file=sys.stderr)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if lines.new and len(data) < 100000:
            corpus.append(data)
            (folders[0] / ("%08x" % (hash(data) & 0xffffffff))).write_bytes(data)
    sys.settrace(None)
    for name in names:
        Path(name).unlink(missing_ok=True)
    print("stat::number_of_executed_units: %d" % inputs, file=sys.stderr)
    return 1 if found else 0


def main(words):
    if words[:1] == ["--make"]:
        make(Path(words[1]))
        return 0
    given = dict(word[1:].split("=", 1) for word in words if word.startswith("-") and "=" in word)
    places = [Path(word) for word in words if not word.startswith("-")]
    if len(places) == 1 and places[0].is_file():
        one(places[0].read_bytes(), ["/tmp/report-%d-%d" % (os.getpid(), i) for i in range(2)])
        return 0
    if not places:
        sys.exit(__doc__)
    return fuzz(places, float(given.get("max_total_time", 1e9)), int(given.get("seed", 1)),
                given.get("artifact_prefix", "readers-"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
