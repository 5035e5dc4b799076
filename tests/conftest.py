"""What all tests share: the compiler under test, running programs, and the comments that tests carry.

Tests are found by globbing; no list registers them. Modules are in folders by what they test, and no two have one name,
so tables name a module without its folder (MODULES has its path). tests/README.md lists the folders, the comments that
steer a test, and the tiers. tiers.py selects a tier and counts what the tests cost; built.py keeps compiled programs for all
tests and runs.
Options of ours:  --tier=check|test|all;  --costs;  --seconds=N;  --rewrite updates the golden files;  --tsan, --aarch64,
                  --s390x run what is marked so.
"""

import difflib
import importlib.util
import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import built as cache
import pytest
import tiers

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
MODULES = {path.name: path for path in sorted(TESTS.glob("*/test_*.py"))}
CILKC = str(ROOT / "cilkc")
# The runtime and its extensions: a file of theirs names a header by its room.
RT_WINGS = [ROOT / "rt" / "core", ROOT / "rt" / "extensions"]
RT_INCLUDES = ["-I%s" % folder for folder in (*RT_WINGS, ROOT, ROOT / "stdlib")]
BUILD = Path(os.environ.get("CILKC_BUILD") or ROOT / "build")
if not BUILD.is_absolute():
    BUILD = ROOT / BUILD
_ROWS = dict(re.findall(r'^STRATEGY\(\w+, "(\w+)",([^"]*)', (ROOT / "frontend/plan/strategies.def").read_text(), re.M))
EXPERIMENTAL = [name for name, row in _ROWS.items() if "Experimental" in row]
STRATEGIES = [name for name in _ROWS if name not in EXPERIMENTAL]
PUSHING = [name for name, row in _ROWS.items() if row.split(",")[0].strip() == "Eager"]     # their spawns push a frame
UNDER_ASAN = "address" in os.environ.get("SANITIZE", "")     # make check-asan: the compiler has other needs of memory
COMPILE_TIMEOUT = 300
RUN_TIMEOUT = 300
# seconds after which no command goes on; fewer where runs hang (tests/mutants)
PATIENCE = float(os.environ.get("CILKC_TEST_PATIENCE", "inf"))
# Fibonacci numbers, for programs that are about something else
FIB = """\
cilk int fib(int n) { int x, y; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }
"""
FIB_THREADS = """\
thread sum(cont int k, int x, int y) { send_argument(k, x + y); }
thread fib(cont int k, int n)
{
    cont int x, y;
    if (n < 2) { send_argument(k, n); return; }
    spawn_next sum(k, ?x, ?y);
    spawn fib(x, n - 1);
    spawn fib(y, n - 2);
}
"""


# A shell starts what it runs in the background with the first two ignored, nohup with the third, and programs inherit
# that. These signals must still end a program.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)


def runtime_sources(*suffixes):
    """The files of the runtime itself: of the core and its extensions."""
    return sorted(path for wing in RT_WINGS for path in wing.glob("*/*") if path.suffix in (suffixes or (".c", ".h")))


def in_runtime(path):
    """A file of the runtime by its room."""
    return "/".join(path.relative_to(ROOT / "rt").parts[1:])


def pytest_addoption(parser):
    parser.addoption("--rewrite", action="store_true", help="write what comes out to the golden files")
    parser.addoption(
        "--tier",
        choices=tiers.TIERS,
        default=tiers.DEFAULT,
        help="the tests of this tier and those before it (default: %s)" % tiers.DEFAULT,
    )
    parser.addoption("--seconds", type=int, help="then skip the tests that have not begun")
    parser.addoption("--costs", action="store_true", help="list what each module costs")
    parser.addoption("--tsan", action="store_true", help="also run the tests under ThreadSanitizer")
    for processor in ("aarch64", "s390x"):
        parser.addoption("--" + processor, action="store_true", help="also run programs for it under qemu")


def pytest_configure(config):
    config.addinivalue_line("markers", "tier(name): check, test or all (tests/tiers.py); each module has one")
    config.addinivalue_line(
        "markers",
        "sample(n, rest, m): one case in n keeps its tier, one in m of the others is in `rest`, or `test` (tests/tiers.py)",
    )
    config.addinivalue_line("markers", "slow: takes more than about ten seconds")
    config.addinivalue_line("markers", "waits: takes long, begins before the others (tests/tiers.py)")
    for processor in ("aarch64", "s390x"):
        config.addinivalue_line(
            "markers",
            '%s: runs programs under qemu-%s; only with --%s, but for %s("too")' % ((processor,) * 4),
        )
    config.addinivalue_line("markers", "tsan: runs programs under ThreadSanitizer; only with --tsan")
    os.environ["CILKC_BUILD"] = str(BUILD)
    os.environ["CILKC_VERIFY"] = "1"                         # as --verify-clones, in each compilation
    # Colours and a user's own settings must not change what tests see.
    for name in ("CILK_NPROC", "CILKC_TRACEBACK", "CPATH", "C_INCLUDE_PATH", "MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    os.environ["NO_COLOR"] = "1"
    os.environ["CILKC_PROGRESS"] = "0"                       # on a busy machine tools would print more
    os.environ["LC_ALL"] = "C.UTF-8"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    tiers.select(config, items)                             # of those that -k and -m leave
    for name in ("tsan", "aarch64", "s390x"):
        if not config.getoption("--" + name):
            for item in items:
                mark = item.get_closest_marker(name)
                if mark and not mark.args:
                    item.add_marker(pytest.mark.skip(reason="runs with --%s (make check-%s)" % (name, name)))


def pytest_sessionstart(session):
    """`pytest tests` alone builds what is missing; `make test` has done so before."""
    if hasattr(session.config, "workerinput"):
        return
    if not os.environ.get("CILKC_TEST_BUILT"):
        done = subprocess.run(["make", "-s", "BUILD=%s" % os.path.relpath(BUILD, ROOT), "build"], cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            pytest.exit("the build failed:\n" + done.stdout[-4000:], returncode=1)
    cache.start(BUILD)
    tiers.TALLY.processes = 0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    tiers.begin(item)
    tiers.stop_after(item.config.getoption("--seconds"))
    if tiers.tier_of(item) is None:
        pytest.fail(tiers.NO_TIER % item.path.name, pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    if call.when == "teardown":
        tiers.end(item)


def pytest_runtest_logreport(report):
    tiers.add(report)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workerinput"):
        session.config.workeroutput["tally"] = tiers.TALLY.processes, tiers.TALLY.shared


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """A worker of xdist has ended."""
    tiers.merge(getattr(node, "workeroutput", {}).get("tally"))


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    yield
    if tiers.report(terminalreporter, config):
        terminalreporter._session.exitstatus = 1


class Result:
    """What a command did: status, out, err (text), as a test compares them."""

    def __init__(self, command, status, out, err):
        self.command, self.status, self.out, self.err = command, status, out, err

    def __str__(self):
        return "$ %s\nstatus %s\n--- stdout\n%s\n--- stderr\n%s" % (
            " ".join(map(shlex.quote, self.command)), self.status, self.out[-6000:], self.err[-6000:])


# Tests that want workers in each other's way: on few processors most of many workers would sleep.
CROWDED = {"test_run", "test_stress", "test_rt", "test_tsan", "test_shared", "test_programs"}


@pytest.fixture(autouse=True)
def crowd(request, monkeypatch):
    if request.module.__name__ in CROWDED:
        monkeypatch.setenv("CILK_PROCESSORS", "64")


def command(words, cwd=None, stdin=None, timeout=RUN_TIMEOUT, env=None):
    """Runs a command; a hang is a failure with the output so far."""
    words = [str(word) for word in words]
    environment, timeout = dict(os.environ, **(env or {})), min(timeout, PATIENCE)
    try:
        done = subprocess.run(words, cwd=cwd, input=stdin if stdin is not None else b"", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired as late:
        pytest.fail(
            "no end after %d s: %s\n%s" % (timeout, " ".join(words), (late.stderr or b"").decode("utf-8", "replace"))
        )
    return Result(
        words, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


def compiled(words, cwd=None, **keywords):
    """Runs a compiler, which must succeed."""
    keywords.setdefault("timeout", COMPILE_TIMEOUT)
    return ok(command(words, cwd=cwd, **keywords))


def ok(result):
    assert result.status == 0, str(result)
    return result


def eventually(condition, what):
    """Waits until a condition holds; two minutes end a hang."""
    for _ in range(2400):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(what)


def built(words, timeout=COMPILE_TIMEOUT):
    """The program that a compiler makes of these words (without -o). Compiled once for all tests and runs; do not write
    to it or beside it."""
    def make(folder):
        result = command(list(words) + ["-o", folder / "program"], timeout=timeout)
        no_internal_error(result)
        assert result.status == 0, str(result)
    return cache.kept(words, cache.sources_of(words), make) / "program"


def elision_of(path, *flags):
    """The program's elision (`elide --standalone`), compiled by gcc: the same for all tests that compare with it."""
    def make(folder):
        compiled([CILKC, "elide", "--standalone", path, "-o", folder / "elision.c"])
        compiled(["gcc", "-std=gnu17", "-O1", "-w", *flags, folder / "elision.c", "-o", folder / "program", "-lm",
                  "-lpthread"])

    return cache.kept(["elision", *flags], [path], make) / "program"


WRONG = re.compile(r"\b[1-9]\d* wrong\b")      # what a program prints that counts its own mistakes


def reference(path):
    """(exit status, stdout) that a Cilk program must give: NAME.expected, or else what its elision does."""
    notes = Notes(path)
    golden = (
        TESTS / "samples" / (path.stem + ".expected")
        if path.parent.name == "samples"
        else path.with_suffix(".expected")
    )
    if golden.exists():
        return notes.exit or 0, golden.read_text()

    def make(folder):
        result = command([elision_of(path)] + notes.args, stdin=notes.stdin, cwd=folder)
        (folder / "reference.json").write_text(json.dumps([result.status, result.out]))
    status, out = json.loads((cache.kept(["reference"], [path], make) / "reference.json").read_text())
    # The library is in both: what the program itself finds wrong would be the same in both.
    assert not WRONG.search(out), "the elision of %s: %s" % (path, WRONG.search(out)[0])
    return (notes.exit if notes.exit is not None else status), out


def program_of(path, *words):
    """The Cilk program of a test, compiled with these words, its own flags and its further sources."""
    notes = Notes(path)
    notes.need()
    return built([CILKC, *words, path, *(path.parent / name for name in notes.also), *notes.flags])


@pytest.fixture
def cilkc(tmp_path):
    """cilkc(word, ...) runs the command in the test's own folder and returns a Result."""
    def call(*words, **keywords):
        keywords.setdefault("cwd", tmp_path)
        keywords.setdefault("timeout", COMPILE_TIMEOUT)
        return command([CILKC] + list(words), **keywords)
    return call


@pytest.fixture
def rewrite(request):
    return request.config.getoption("--rewrite")


def golden_of(path, strategy):
    """What NAME.txt has for a strategy. It is a diff, of whole texts, from what the first one prints to the second."""
    lines = path.with_suffix(".txt").read_text().splitlines(True)
    return "".join(line[2:] for line in lines if line[0] in (" ", "-+"[STRATEGIES.index(strategy)]))


def compare_strategies(path, rewrite, text_of):
    texts = [text_of(strategy) for strategy in STRATEGIES]
    if rewrite:
        diff = difflib.ndiff(*(text.splitlines(True) for text in texts))
        path.with_suffix(".txt").write_text("".join(line for line in diff if line[0] != "?"))
    assert texts == [golden_of(path, strategy) for strategy in STRATEGIES]


def need(*programs):
    """What a test runs beside ourselves. A missing tool is a failure: a test that is skipped proves nothing."""
    for name in programs:
        if not shutil.which(name):
            pytest.fail("%s is not installed: make test-tools installs what the tests need" % name)


class Notes:
    """The comments that steer a test; see the top of this file."""

    def __init__(self, path):
        self.path = path
        text = Path(path).read_text("utf-8", "replace")
        head = "\n".join(text.splitlines()[:100])
        self.text = text
        self.args = self.words(head, "ARGS")
        self.flags = self.words(head, "FLAGS")
        self.requires = self.words(head, "REQUIRES")
        self.also = self.words(head, "ALSO")
        stdin = re.search(r"^\s*(?://|/\*)\s*STDIN: (.*?)(?:\*/)?$", head, re.M)
        self.stdin = stdin.group(1).encode().decode("unicode_escape").encode() if stdin else None
        self.nondet = re.search(r"^\s*(?://|/\*)\s*NONDET\b", head, re.M) is not None
        status = re.search(r"^\s*(?://|/\*)\s*EXIT: (-?\d+)", head, re.M)
        self.exit = int(status.group(1)) if status else None

    @staticmethod
    def words(head, key):
        found = re.findall(r"^\s*(?://|/\*)\s*%s:(.*?)(?:\*/)?$" % key, head, re.M)
        return [word for line in found for word in shlex.split(line)]

    def need(self):
        need(*self.requires)


def files(*patterns):
    """pytest parameters for all files that match, named by their path."""
    found = sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())
    assert found, "no test matches " + " ".join(patterns)       # a test over nothing would pass
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in found]


def folders(pattern):
    found = sorted(path for path in ROOT.glob(pattern) if path.is_dir() and not path.name.startswith((".", "_")))
    assert found, "no test matches " + pattern
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in found]


def maker(folder, source="sched", *others):
    """make(name, strategy, *flags): the program of tests/SOURCE/NAME.cilk and others, compiled once into folder."""
    made = {}

    def make(name, strategy, *flags):
        key = (name, strategy) + flags
        if key not in made:
            made[key] = folder / "-".join(key)
            text = TESTS / source / (name + ".cilk")
            built = command([CILKC, "-O2", "--spawn=" + strategy, text, *others, "-o", made[key], *flags])
            assert built.status == 0 and built.err == "", str(built)
        return made[key]
    return make


def on_a_terminal(words, status=0, **env):
    """What it writes to a terminal."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment.update(TERM="xterm", COLUMNS="100", **env)
    master, slave = pty.openpty()
    process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    text = b""
    while True:
        try:
            text += os.read(master, 65536)
        except OSError:             # its other end is closed
            break
    os.close(master)
    assert process.wait(300) == status, text
    return text.decode("utf-8", "replace")


def in_all_forms(text, expected, folder):
    """The program prints that in parallel, with --serial, and as its elision compiled by gcc."""
    (folder / "p.cilk").write_text(text)
    for build in ([CILKC, "p.cilk", "-o", "p"], [CILKC, "--serial", "p.cilk", "-o", "p"]):
        compiled(build, cwd=folder)
        result = command(["./p"], cwd=folder)
        assert result.status == 0 and result.out == expected, str(result)
    compiled([CILKC, "elide", "p.cilk", "-o", "p.c"], cwd=folder)
    compiled([CILKC, "--cc=gcc", "p.c", "-o", "q"], cwd=folder)
    result = command(["./q"], cwd=folder)
    assert result.status == 0 and result.out == expected, str(result)


def module_of(path):
    """A Python file of some test folder as a module; named by its path, since several are called generate.py."""
    name = "_".join(path.relative_to(ROOT).with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def no_internal_error(result):
    assert result.status not in (70, 134, 139, -6, -11), str(result)
    assert "internal error" not in result.err and "Traceback" not in result.err, str(result)
