"""What all tests share: the compiler under test, running programs, and the comments that tests carry.

Tests are found by globbing; nobody registers anything:
    tests/run/*.cilk          run at --nproc 1, 2, 4; output equals that of the elision compiled by gcc
    tests/c/*.c               plain C; exit status 0, and output equal to that of gcc's build
    tests/errors/*            `// ERROR: code` at the line, or `// ERROR: line:col code` anywhere
    tests/check/*             `// RUN: words` and `// CHECK: text`, `// CHECK-NOT: text`
    tests/elide/*.cilk        the elision equals NAME.expected.c beside it
    tests/programs/*/         a directory is a program: expected-stdout.txt, expected-exit-code.txt
Comments in a test (first 100 lines):  // ARGS: words   // FLAGS: words   // STDIN: text   // NONDET   // EXIT: n
                                       // REQUIRES: program
Options of ours:  --rewrite writes the golden files anew;  --tsan, --aarch64 run what is marked so.
"""

import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
CILKC = str(ROOT / "cilkc")
BUILD = Path(os.environ.get("CILKC_BUILD") or ROOT / "build")
if not BUILD.is_absolute():
    BUILD = ROOT / BUILD
STRATEGIES = re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M)
UNDER_ASAN = "address" in os.environ.get("SANITIZE", "")     # make check-asan: the compiler has other needs of memory
COMPILE_TIMEOUT = 300
RUN_TIMEOUT = 120


# A shell starts what it runs in the background with the first two ignored, nohup with the third, and programs inherit that: they shall end by them all the same.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)


def pytest_addoption(parser):
    parser.addoption("--rewrite", action="store_true", help="write the golden files anew from what comes out")
    parser.addoption("--tsan", action="store_true", help="also run the tests under ThreadSanitizer")
    parser.addoption("--aarch64", action="store_true", help="also run programs for AArch64 under qemu")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than about ten seconds")
    config.addinivalue_line("markers", "aarch64: runs programs under qemu-aarch64; only with --aarch64")
    config.addinivalue_line("markers", "tsan: runs programs under ThreadSanitizer; only with --tsan")
    os.environ["CILKC_BUILD"] = str(BUILD)
    # Colours and a user's own settings must not change what tests see.
    for name in ("CILK_NPROC", "CILKC_TRACEBACK", "CPATH", "C_INCLUDE_PATH", "MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    os.environ["NO_COLOR"] = "1"
    os.environ["LC_ALL"] = "C.UTF-8"


def pytest_collection_modifyitems(config, items):
    for name in ("tsan", "aarch64"):
        if not config.getoption("--" + name):
            for item in items:
                if item.get_closest_marker(name):
                    item.add_marker(pytest.mark.skip(reason="runs with --%s (make check-%s)" % (name, name)))


def pytest_sessionstart(session):
    """`pytest tests` alone builds what is missing; `make test` has done so before."""
    if os.environ.get("CILKC_TEST_BUILT") or hasattr(session.config, "workerinput"):
        return
    done = subprocess.run(["make", "-s", "BUILD=%s" % os.path.relpath(BUILD, ROOT), "build"], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        pytest.exit("the build failed:\n" + done.stdout[-4000:], returncode=1)


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
    environment = dict(os.environ, **(env or {}))
    try:
        done = subprocess.run(words, cwd=cwd, input=stdin if stdin is not None else b"", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired as late:
        pytest.fail("no end after %d s: %s\n%s" % (timeout, " ".join(words), (late.stderr or b"").decode("utf-8", "replace")))
    return Result(words, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def compiled(words, cwd=None, **keywords):
    """Runs a compiler, which must succeed."""
    keywords.setdefault("timeout", COMPILE_TIMEOUT)
    result = command(words, cwd=cwd, **keywords)
    assert result.status == 0, str(result)
    return result


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


def maker(folder):
    """make(name, strategy, *flags): the program of tests/sched/NAME.cilk, compiled once into folder."""
    made = {}

    def make(name, strategy, *flags):
        key = (name, strategy) + flags
        if key not in made:
            made[key] = folder / "-".join(key)
            built = command([CILKC, "-O2", "--spawn=" + strategy, TESTS / "sched" / (name + ".cilk"), "-o", made[key], *flags])
            assert built.status == 0 and built.err == "", str(built)
        return made[key]
    return make


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
