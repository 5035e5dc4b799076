#!/usr/bin/env python3
"""Takes mechanisms out, one at a time, and sees whether the tests notice. The mechanisms are those of the runtime, of
what generated code does with it, and of the command's tools (the tables: *.mut; rows.py explains them).

    tests/mutants/run.py [ID...]          the named killers of these mutants, or of all
    tests/mutants/run.py --suite [ID...]  every test that runs Cilk programs, whatever the table says
    tests/mutants/run.py --times 5        each killer five times, with and without the mutant: one that fails by luck
                                          is found out
    tests/mutants/run.py --part 2/8       the second of eight parts of the table
    tests/mutants/run.py --tier test      only killers that `make test` runs, too
    tests/mutants/run.py --list           the table;  --table: as docs/trust.md shows it, with what dies in which
                                          model
    tests/mutants/run.py --tiers          how many rows have a killer in each tier
    tests/mutants/run.py --draw 50 --seed 7 [--rooms steal,protocol]
                                          fifty changes of the runtime drawn by chance (draw.py), and the share that dies

A copy of rt/ and of its objects, and of codegen/ once a row needs it, is in a folder of BUILD; the
project's own Makefile builds there, so a mutant costs the files that it changes. A row of driver/ or stdlib/ has a copy of
all that is no build: its tests run there. Before a mutant is tried its
killers run with the runtime as it is, each once in all: what fails there as well proves nothing. So the rows of a
run that was stopped hold, too. Prints killed or survived, by which test, after how long; at the end how many did
what. Exit status 1 if a mutant does not do what the table says, or a killer fails without any mutant.
"""

import argparse
import atexit
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = map(str, Path(__file__).resolve().parents[:2])
import draw  # noqa: E402
from rows import COMPILER, table  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CILKC_BUILD") or ROOT / "build")
if not BUILD.is_absolute():
    BUILD = ROOT / BUILD
FLAVOURS = ("release", "debug")
NOT_COPIED = ("build*", ".git", ".venv", ".deps", ".*_cache", "__pycache__")
LIBS = {"release": "libcilkrt.a", "debug": "libcilkrt-debug.a"}
MODULES = {path.name: path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/*/test_*.py")}
SUITE = ["test_steps.py", "test_rt.py", "test_scheduler.py", "test_run.py"]
# seconds for one run of pytest, and for each test named: on a busy machine, too. A test that hangs ends by itself
# before
LIMIT = 300, 120
SUITE_LIMIT = 3600
TRIES = 30                                     # of a row that dies by luck, which has to die once
TIERS = "check", "test"                        # of the modules of a drawn mutant's room, in this order
OF_PROCESSORS = {"test_travel_unlike.py": ["--s390x"]}      # whose tests are skipped otherwise


class Tree:
    """A place to build mutants: links to what stays, copies of what changes."""

    def __init__(self, flavours=FLAVOURS):
        self.flavours = flavours
        self.root = Path(tempfile.mkdtemp(prefix="mutants-", dir=BUILD))
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.build = self.root / "build"
        self.build.mkdir(parents=True)
        for name in ("Makefile", ".deps", "driver", "stdlib", "tests"):
            (self.root / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "rt", self.root / "rt")
        for flavour in flavours:
            shutil.copytree(BUILD / "rt" / flavour, self.build / "rt" / flavour)
        shutil.copytree(BUILD / "lib", self.build / "lib", symlinks=True)
        for name in (".flags", ".rtflags"):
            if (BUILD / name).exists():
                shutil.copy2(BUILD / name, self.build / name)
        (self.build / "cilkc1").symlink_to(BUILD / "cilkc1")
        self.make()

    def add_compiler(self):
        """The compiler is built here, too: of its objects those of codegen/ and frontend/ alone."""
        if (self.root / "codegen").exists():
            return
        for name in ("codegen", "frontend"):  # copies: make looks for sources by find, which does not go through links
            shutil.copytree(ROOT / name, self.root / name)
        (self.root / "grammar").symlink_to(ROOT / "grammar")
        (self.build / "obj").mkdir()
        for path in (BUILD / "obj").iterdir():
            if path.name + "/" in COMPILER:
                shutil.copytree(path, self.build / "obj" / path.name)
            else:
                (self.build / "obj" / path.name).symlink_to(path)
        shutil.rmtree(self.build / "gen", ignore_errors=True)       # make, as it was started for the runtime
        (self.build / "gen").symlink_to(BUILD / "gen")
        (self.build / "cilkc1").unlink()
        shutil.copy2(BUILD / "cilkc1", self.build / "cilkc1")

    def add_driver(self):
        """The folder in which the command is a copy, and the tests that call it."""
        whole = self.root / "whole"
        if not whole.exists():
            shutil.copytree(ROOT, whole, symlinks=True, ignore=shutil.ignore_patterns(*NOT_COPIED))
            for name in (".venv", ".deps"):
                (whole / name).symlink_to(ROOT / name)
        return whole

    def forget(self, mutant):
        """make knows no users of a header where the objects of an archive were not copied."""
        if mutant.path.endswith(".h"):
            for target in mutant.targets(ROOT) or ():
                (self.root / target).unlink(missing_ok=True)

    def make(self, targets=None):
        """Without targets the runtime."""
        words = ["make", "-s", "BUILD=build"] + (targets or ["build/lib/" + LIBS[flavour] for flavour in self.flavours])
        done = subprocess.run(words, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:                   # warnings are to be expected
            raise RuntimeError(done.stdout)


PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
NO_TESTS = 5                                   # pytest's status


def failures(build, words, limit, tier="all", root=ROOT):
    """The tests that fail with the runtime of that build, as pytest names them after the file."""
    words = PYTEST + ["--tier=" + tier, "--tb=no", "-rfE"] + words
    env = dict(os.environ, CILKC_BUILD=str(build), CILKC_TEST_BUILT="1")
    env.update(PYTHONDONTWRITEBYTECODE="1", CILKC_TEST_PATIENCE="40")
    child = subprocess.Popen(words, cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        said, _ = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        return ["no end after %d s" % limit]
    finally:
        with contextlib.suppress(ProcessLookupError):
            # what the tests run, too: a program that spins would slow all that come after
            os.killpg(child.pid, signal.SIGKILL)
    failed = re.findall(r"^(?:FAILED|ERROR) \S*?::(\S+)", said, re.M)
    if child.returncode == NO_TESTS and tier != "all":
        return []
    if child.returncode not in (0, 1) or bool(failed) != bool(child.returncode):
        raise RuntimeError(said)
    return failed


def selections(killers):
    """pytest's words for these killers, one run for each file of tests, and how many tests are named.
    FILE.py::TEST[BEGIN]: those whose parameters begin so."""
    of = {}
    for name in killers:
        file, _, test = name.rpartition("::")
        of.setdefault(file or "test_steps.py", []).append(test.rstrip("]"))
    for file, tests in of.items():
        # the first one that hangs will do
        more = ["-x"] * (len(tests) == 1) + OF_PROCESSORS.get(file, [])
        yield [MODULES[file], "-k", " or ".join(tests), *more], len(tests)


def kills(killer, failed):
    """test_scenario[file-name-flavour] is a scenario's."""
    test = killer.rpartition("::")[2]
    scenario = re.fullmatch(r"test_scenario\[\w+-(\w+)-\w+\]", failed)
    return scenario[1] == test if scenario else failed.startswith(test.rstrip("]"))


def quiet(killers, failed):
    """Those that are not among the failed. Without an end it is unknown which one it was."""
    if any(one.startswith("no end") for one in failed):
        return []
    return [name for name in killers if not any(kills(name, one) for one in failed)]


def collect(tier, killers):
    """The tests that this tier selects in the files of the killers, as pytest names them after the file."""
    files = sorted({MODULES[name.rpartition("::")[0] or "test_steps.py"] for name in killers})
    env = dict(os.environ, CILKC_TEST_BUILT="1")
    words = PYTEST + ["--collect-only", "--tier=" + tier, *files]
    said = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\S*?::(\S.*)$", said, re.M)


def with_killer(tier, mutants):
    """Those that a test of this tier is to kill."""
    tests = collect(tier, [name for mutant in mutants for name in mutant.killers])
    there = {name for mutant in mutants for name in mutant.killers if any(kills(name, test) for test in tests)}
    return [mutant for mutant in mutants if there & set(mutant.killers)]


def markdown(mutants):
    lines = ["| taken out | in | dies in the model | dies in the test |", "|---|---|---|---|"]
    for mutant in mutants:
        tests = ", ".join("`%s`" % name for name in mutant.killers) or "survives: " + mutant.survives
        lines.append(
            "| %s | `%s` | %s | %s |"
            % (
                mutant.mechanism,
                mutant.path,
                ", ".join("`%s`" % name for name in mutant.models),
                tests.replace("|", "\\|"),
            )
        )
    return "\n".join(lines)


def try_drawn(count, seed, rooms, tier):
    """Tries mutants drawn by chance until a test fails; the exit status is 0: a survivor is a question, not an error."""
    tree, sound = Tree(), {}

    def notice(words, which):
        """The first test that fails with the mutant, and does not without it."""
        failed = failures(tree.build, ["-x", *words], LIMIT[0], which)
        if failed and (*words, which) not in sound:
            sound[*words, which] = not failures(BUILD, ["-x", *words], LIMIT[0], which)
        return failed[0] if failed and sound[*words, which] else ""

    results = {"killed": 0, "survived": 0, "no build": 0}
    for mutant in draw.draw(count, seed, rooms):
        path, began, by = tree.root / mutant.path, time.time(), ""
        original = path.read_text()
        try:
            path.write_text(mutant.applied(original))
            tree.make(mutant.targets(ROOT))
            near = [(words, tier) for words, _ in selections(mutant.killers)]
            by = next(filter(None, (notice(*run) for run in [*near, *((mutant.modules, of) for of in TIERS)])), "")
            result = "killed" if by else "survived"
        except RuntimeError:
            result = "no build"
        finally:
            path.write_text(original)
            tree.make(mutant.targets(ROOT))
        results[result] += 1
        print("%-9s %4d s  %s, %s  %s" % (result, time.time() - began, mutant.path, mutant.mechanism, by), flush=True)
    tried = results["killed"] + results["survived"]
    print("%d of %d died (%d did not compile)" % (results["killed"], tried, results["no build"]))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--suite", action="store_true")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N parts of the table")
    parser.add_argument("--tier", choices=("check", "test", "all"), default="all")
    parser.add_argument("--tiers", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--draw", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default="", help="with --draw: rooms of rt/, separated by commas")
    options = parser.parse_args()
    for number in (signal.SIGHUP, signal.SIGTERM):      # a signal ends the tests' programs, too, as Ctrl-C does
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    if options.draw:
        return try_drawn(options.draw, options.seed, list(filter(None, options.rooms.split(","))), options.tier)
    mutants = [mutant for mutant in table() if not options.ids or mutant.id in options.ids]
    unknown = set(options.ids) - {mutant.id for mutant in mutants}
    if unknown:
        parser.error("no such mutant: " + " ".join(sorted(unknown)))
    part, parts = map(int, options.part.split("/"))
    mutants = mutants[part - 1::parts]
    if options.table:
        print(markdown(mutants))
        return 0
    if options.tiers:
        for tier in ("check", "test", "all"):
            print("%-6s %d" % (tier, len(with_killer(tier, mutants))))
        return 0
    if options.list:
        for mutant in mutants:
            print("%-46s %-11s %s" % (mutant.id, mutant.path, mutant.mechanism))
        return 0

    tree = Tree()
    bad = killed = survivors = 0
    sound, unsound = set(), set()             # killers that pass, and that fail, with the runtime as it is

    def row(name, result, seconds, text):
        print("%-46s %-9s %4d s  %s" % (name, result, seconds, text), flush=True)

    def try_it(build, killers, root=ROOT):
        """Runs them once: the names of those that failed, and how long it took."""
        began = time.time()
        if options.suite:
            failed = failures(build, ["-x"] + [MODULES[name] for name in SUITE], SUITE_LIMIT, options.tier, root)
        else:
            failed = [
                name
                for words, tests in selections(killers)
                for name in failures(build, words, LIMIT[0] + LIMIT[1] * tests, options.tier, root)
            ]
        return sorted(set(failed)), time.time() - began

    def as_it_is(killers):
        """Those not yet seen with the runtime as it is."""
        fresh = [name for name in killers if name not in sound | unsound]
        for _ in range(options.times if fresh else 0):
            names, seconds = try_it(BUILD, fresh)
            row("(nothing taken out)", "fails" if names else "passes", seconds, " ".join(names or fresh))
            ended = not any(name.startswith("no end") for name in names)
            unsound.update(set(fresh) - set(quiet(fresh, names) if ended else ()))
        sound.update(set(fresh) - unsound)

    for mutant in mutants:
        if mutant.survives and not options.suite:
            row(mutant.id, "survives", 0, mutant.survives)
            survivors += 1
            continue
        if not options.suite:
            as_it_is(mutant.killers)
        original = (ROOT / mutant.path).read_text()
        if mutant.compiler:
            tree.add_compiler()
        root = tree.add_driver() if mutant.driver else ROOT
        path = root / mutant.path if mutant.driver else tree.root / mutant.path
        try:
            path.write_text(mutant.applied(original))
            tree.forget(mutant)
            if not mutant.driver:
                tree.make(mutant.targets(ROOT))
            missed = False
            for _ in range(TRIES if mutant.luck else options.times):
                names, seconds = try_it(tree.build, mutant.killers, root)
                row(mutant.id, "killed" if names else "survived", seconds, " ".join(names))
                missing = quiet(mutant.killers, names)
                if not options.suite and missing and not mutant.luck:
                    print("    not killed by " + " ".join(missing), flush=True)
                    missed = True
                missed = (missed or not names and not mutant.survives) and not (mutant.luck and names)
                if mutant.luck and names:
                    break
            killed += not missed
            bad += missed
        except (RuntimeError, LookupError) as error:   # this row no longer fits the code
            row(mutant.id, "no build", 0, "")
            print(error, flush=True)
            bad += 1
        finally:
            path.write_text(original)
            tree.forget(mutant)
            if mutant.targets(ROOT):                # the next row's may be the runtime's
                tree.make(mutant.targets(ROOT))
    print(
        "%d of %d die as the table says; %d survive, as it says.  With nothing taken out %d tests pass, %d fail%s"
        % (killed, len(mutants), survivors, len(sound), len(unsound),
           ": " + " ".join(sorted(unsound)) if unsound else "")
    )
    return 1 if bad or unsound else 0


if __name__ == "__main__":
    sys.exit(main())
