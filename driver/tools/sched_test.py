"""`cilkc sched-test`: is a scheduler right? It runs small programs, one for each thing that the runtime does, under a
scheduler of the user's.

Each program is built with both spawn strategies, with -cilk-debug, and with the scheduler. It runs on 1, 2 and 4
workers, with forced steals, and in orders that pct draws from seeds. Its output must be that of its serial form, or
what the program prints where it checks itself. A run that hangs is ended as soon as the runtime says which fiber the
scheduler withholds (rt/core/fibers/custody.c), or after a time. The programs are those of the test suite: tests/
in the source tree, programs/ in an installation.
"""

import concurrent.futures
import errno
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

from cilkc_driver import flags, home
from cilkc_driver.console import Stop

from . import instrumented

# Program, what it is about, arguments, what it prints (None: what its serial form prints), whether it also runs with
# forced steals and one worker at a time (pct).
PROGRAMS = (
    ("run/tree-of-structs", "spawns and syncs", "", None, True),
    ("run/deep-recursion", "recursion", "", None, True),
    ("run/stress-random-tree", "an irregular tree", "", None, True),
    ("run/sync-anywhere", "syncs in all places", "", None, True),
    ("run/inlet-several", "inlets", "", None, True),
    ("run/inlet-recursive-minimax", "inlets that abort", "", None, True),
    ("run/inlet-writes-seen-by-procedure", "what inlets write", "", None, True),
    ("run/opassign-many-children", "results that are added up", "", None, True),
    ("run/abort-in-procedure", "abort", "", None, True),
    ("run/abort-nested", "abort within abort", "", None, True),
    ("run/abort-spares-relatives", "abort and the rest", "", None, True),
    ("run/future-of-another", "futures", "", None, True),
    ("run/future-in-loop", "futures in a loop", "", None, True),
    ("run/future-abort", "futures and abort", "", None, True),
    ("run/library-locks", "Cilk_lock", "", None, True),
    ("run/main-cilk-exit", "Cilk_exit", "", None, True),
    ("run/storage-cilk-alloca", "Cilk_alloca", "", None, True),
    ("run/par-sort", "parallel loops", "", None, True),
    ("run/par-reduce", "reductions", "", None, True),
    ("run/c-main-export", "calls from C", "", None, True),
    ("run/c-main-nested-export", "calls from C within calls from C", "", None, True),
    ("run/c-main-two-contexts", "two contexts", "", None, True),
    ("sched/started", "Cilk_start, Cilk_wait, Cilk_cancel", "2", "done\n", True),
    ("sched/nested", "Cilk_with", "3 2", "done\n", True),
    ("sched/engines", "Cilk_engine", "steal 1 8", "done\n", True),
    ("sched/locals", "storage of computations", "4", "done\n", True),
    ("sched/blocking", "system calls that wait", "7 4", "576\n", False),
)
HANGS_FOR = 3.0             # seconds that a run goes on after the runtime has named the scheduler
WORST = ("right", "wrong output", "crash", "hang")


class Case:
    """A program, built with one strategy."""

    def __init__(self, row, spawn):
        self.name, _, words, self.expected, self.orders = row
        self.spawn, self.arguments, self.program = spawn, words.split(), ""
        self.path = source(self.name)
        self.status = 0


def source(name):
    for folder in ("tests", "programs"):
        path = os.path.join(home.HOME, folder, name + ".cilk")
        if os.path.isfile(path):
            return path
    raise Stop("the program %s is missing: is this installation complete?" % name, 2)


def notes(path, key):
    """Words of a comment that steers a test, such as `// FLAGS: -lm`."""
    with open(path, encoding="utf-8", errors="replace") as file:
        head = "".join(line for _, line in zip(range(100), file))
    return [word for line in re.findall(r"^\s*(?://|/\*)\s*%s:(.*?)(?:\*/)?$" % key, head, re.M)
            for word in shlex.split(line)]


def compile_files(words):
    """None, or what the compiler says."""
    done = instrumented.run_command([os.path.join(home.HOME, "cilkc"), *words], stdin=subprocess.DEVNULL,
                                 stderr=subprocess.STDOUT)
    return done.stdout or "the compiler fails" if done.returncode else None


def ways(case, spec, runs):
    """The options of each run."""
    yield from (["--sched=" + spec, "--nproc", n] for n in "124")
    if case.orders:
        yield ["--sched=" + spec, "--nproc", "1", "--force-steal", "always"]
        yield from (["--sched=" + spec, "--nproc", n, "--force-steal", "random", "--seed", "7"] for n in "124")
        yield from (["--sched=" + spec, "--sched=pct:%d:%d" % (seed, 2 + seed % 2)] for seed in range(1, runs + 1))


def end(process, how):
    try:
        os.killpg(process.pid, how)
    except ProcessLookupError:
        pass


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def run(command, folder, timeout):
    """(verdict of the run itself or None, status, output, messages)."""
    out_name, err_name = os.path.join(folder, "out"), os.path.join(folder, "err")
    with open(out_name, "wb") as out, open(err_name, "wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder,
                                   start_new_session=True, env={**os.environ, "CILK_PROCESSORS": "64"})
        begun, named, hangs = time.monotonic(), 0.0, False
        try:
            while not hangs:
                try:
                    process.wait(0.1 if time.monotonic() - begun > 0.3 else 0.01)
                    break
                except subprocess.TimeoutExpired:
                    now = time.monotonic()
                if not named and re.search(rb"Cilk: .*[Ss]cheduler '", contents(err_name)):
                    named = now
                hangs = now - begun > timeout or bool(named and now - named > HANGS_FOR)
            if hangs:
                # the runtime reports what each worker does, then ends the process
                end(process, signal.SIGQUIT)
                try:
                    process.wait(2)
                except subprocess.TimeoutExpired:
                    pass
        finally:
            end(process, signal.SIGKILL)                # and what it has started
            process.wait()
    return hangs, process.returncode, contents(out_name), contents(err_name).decode("utf-8", "replace")


def verdict(case, hangs, status, out):
    if hangs:
        return "hang"
    if status != case.status:
        return "crash"
    return "right" if out == case.expected else "wrong output"


def shown(case, scheduler, words):
    files = [case.path] + ([scheduler] if scheduler else [])
    return "cilkc build -O1 -cilk-debug --spawn=%s %s -o p && ./p %s" % (
        case.spawn, " ".join(map(shlex.quote, files)), " ".join(words)
    )


def examine(case, job):
    """All runs of one case, up to the first that is not right: (number of runs, failure or None)."""
    folder = job.temp.file("%s-%s" % (case.name.replace("/", "-"), case.spawn))
    os.makedirs(folder)
    flags = notes(case.path, "FLAGS")
    case.program = os.path.join(folder, "p")
    message = compile_files(["-O1", "-w", "-cilk-debug", "--spawn=" + case.spawn, case.path, *job.objects, *flags, "-o",
                        case.program])
    if message is None and case.expected is None:
        serial = os.path.join(folder, "serial")
        message = compile_files(["-O1", "-w", "--serial", case.path, *flags, "-o", serial])
        if message is None:
            _, case.status, case.expected, _ = run([serial, *case.arguments], folder, job.timeout)
    elif isinstance(case.expected, str):
        case.expected = case.expected.encode()
    if message is not None:
        raise Stop("%s does not compile:\n%s" % (case.path, message), 2)
    count = 0
    for words in ways(case, job.spec, job.runs):
        if job.stopped:
            break
        hangs, status, out, err = run([case.program, *words, *case.arguments], folder, job.timeout)
        count += 1
        what = verdict(case, hangs, status, out)
        if what != "right":
            return count, {"verdict": what, "status": status, "command": shown(case, job.file, words + case.arguments),
                           "message": err.strip()[:4000]}
    return count, None


class Job:
    """What all cases have in common."""

    def __init__(self, words, settings, temp):
        self.temp, self.runs, self.timeout, self.stopped = temp, settings["runs"], settings["timeout"], False
        files = [word for word in words if not word.startswith("-") and word.endswith((".c", ".o", ".a", ".cilk"))]
        self.file = files[0] if files else None
        if self.file and not os.path.isfile(self.file):
            why = errno.EISDIR if os.path.isdir(self.file) else errno.ENOENT
            raise Stop("%s: %s" % (self.file, os.strerror(why)), 2)
        if not self.file and not settings["scheduler"]:
            raise Stop("expected a file with a scheduler, or --scheduler NAME", 2)
        self.objects = self.translate(list(words))
        self.spec = self.choose_scheduler(settings["scheduler"])

    def translate(self, words):
        """The scheduler's files, compiled once."""
        made, flags = [], [word for word in words if word.startswith("-")]
        for number, word in enumerate(word for word in words if not word.startswith("-")):
            if not word.endswith((".c", ".cilk")):
                made.append(os.path.abspath(word))
                continue
            target = self.temp.file("scheduler-%d.o" % number)
            message = compile_files(["-O1", "-g", "-cilk-debug", *flags, "-c", word, "-o", target])
            if message is not None:
                raise Stop("%s does not compile:\n%s" % (word, message), 2)
            made.append(target)
        return made

    def choose_scheduler(self, wanted):
        """What is to follow --sched=: the one scheduler that the files bring, or the one that was asked for."""
        program, text = self.temp.file("list"), self.temp.file("list.cilk")
        with open(text, "w") as file:
            file.write("cilk int main(void) { return 0; }\n")
        message = compile_files(["-cilk-debug", text, *self.objects, "-o", program])
        program_too = "%s is a program: it defines main, and a scheduler's file has none" % self.file
        if message is not None:
            whole = re.search("multiple definition of .(main|main.fast|cilk_main_root)'", message)
            raise Stop(program_too if whole else "the scheduler cannot be linked:\n%s" % message, 2)
        listed = subprocess.run([program, "--sched=list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace", check=False)
        names = [line.split()[0] for line in listed.stdout.splitlines()]
        own = names[:len(names) - 1 - names[::-1].index("steal")] if "steal" in names else []
        if not names:
            said = listed.stderr.strip()                    # nothing, where a main of C takes the other one's place
            raise Stop("the scheduler is rejected: %s" % said if said else program_too, 2)
        if not wanted and not own:
            raise Stop("%s brings no scheduler along: CILK_SCHEDULER(object) makes one known" % self.file, 2)
        if not wanted and len(own) > 1:
            raise Stop("%s brings several schedulers along: --scheduler says which (%s)" % (self.file, ", ".join(own)),
                       2)
        spec = wanted or own[0]
        # A scheduler that hangs here is left to the programs, which report where.
        folder = self.temp.file("tried")
        os.makedirs(folder)
        _, _, _, message = run([program, "--sched=" + spec], folder, min(5, self.timeout))
        if "Bad option argument" in message:
            raise Stop("--scheduler %s: %s" % (spec, message.partition("-sched: ")[2].splitlines()[0]), 2)
        return spec


def select(names):
    if not names:
        return PROGRAMS
    known = {row[0].partition("/")[2]: row for row in PROGRAMS}
    wanted = [name for name in names.split(",") if name]
    for name in wanted:
        if name not in known:
            import difflib
            close = difflib.get_close_matches(name, known, 1)
            raise Stop("there is no program '%s'%s; --list shows them"
                       % (name, "; did you mean '%s'?" % close[0] if close else ""), 2)
    return [known[name] for name in wanted]


class Counter:
    """How far it has come, on a terminal: one line at its bottom."""

    def __init__(self, whole):
        self.whole, self.done, self.shown = whole, 0, os.isatty(2)

    def show(self, name):
        if self.shown:
            sys.stderr.write("\r\033[Ksched-test: %d of %d, %s" % (self.done, self.whole, name))
            sys.stderr.flush()

    def clear(self):
        if self.shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def ending(status):
    return "status %d" % status if status >= 0 else "ended by %s" % signal.Signals(-status).name


def report(row, results, as_json):
    """One program's line, and what its first failure is."""
    failures = [failure for _, failure in results if failure]
    worst = max((failure["verdict"] for failure in failures), key=WORST.index, default="right")
    if not as_json:
        print("%-36s %-14s %s" % (row[0].partition("/")[2], worst, row[1]))
        for failure in failures[:1]:
            for line in failure["message"].splitlines()[:6] or ["(no message; %s)" % ending(failure["status"])]:
                print("    " + line)
            print("    to repeat it: " + failure["command"])
        sys.stdout.flush()
    return {"name": row[0].partition("/")[2], "about": row[1], "verdict": worst,
            "runs": sum(count for count, _ in results), "failures": failures}


def test(words, settings, temp):
    rows = select(settings["programs"])
    job = Job(words, settings, temp)
    as_json, entries = settings["json"], []
    counter, lock = Counter(len(flags.USUAL_STRATEGIES) * len(rows)), threading.Lock()
    with concurrent.futures.ThreadPoolExecutor(settings["jobs"] or os.cpu_count() or 1) as pool:
        def one(row, spawn):
            result = examine(Case(row, spawn), job)
            with lock:
                counter.done += 1
                counter.show(row[0].partition("/")[2])
            return result
        try:
            spawns = sorted(flags.USUAL_STRATEGIES, key=lambda name: name != flags.DEFAULT_STRATEGY)  # the default first
            waiting = [(row, [pool.submit(one, row, spawn) for spawn in spawns]) for row in rows]
            for row, parts in waiting:
                results = [future.result() for future in parts]
                with lock:
                    counter.clear()
                    entries.append(report(row, results, as_json))
        except BaseException:
            job.stopped = True
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    bad = [entry for entry in entries if entry["verdict"] != "right"]
    if as_json:
        print(json.dumps({"scheduler": job.spec, "right": not bad, "programs": entries}, indent=1))
    else:
        print("scheduler '%s': %d of %d programs right, %d runs"
              % (job.spec, len(entries) - len(bad), len(entries), sum(entry["runs"] for entry in entries)))
    return 1 if bad else 0


def main(words, settings):
    if settings["list"]:
        for row in PROGRAMS:
            print("%-36s %s" % (row[0].partition("/")[2], row[1]))
        return 0
    return instrumented.session(lambda temp: test(words, settings, temp), 2)
