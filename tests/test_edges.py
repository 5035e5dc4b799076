"""The edges of the runtime (tests/edges/*.cilk): how programs end, fork, locks, threads of others, what the machine allows.

Each program is built with both spawn strategies and run on 1, 2 and 4 workers. Comments say what must come out:
    // EXIT: n       the exit status (default 0)
    // OUT: text     a line of stdout; all of them together are all of it
    // ERR: regex    found in stderr; without any, stderr is empty
    // NPROC: n ...  other numbers of workers
    // TIMES: n      so many runs of each, for what only chance brings about
    // OPTIONS: ...  options of the runtime
    // ENV: A=b ...
"""

import re

import pytest

from conftest import CILKC, Notes, command, compiled, files

STRATEGIES = ("eager", "lazy")


def note(text, name):
    return re.findall(r"^// %s: ?(.*)$" % name, text, re.M)


def words(text, name, default=()):
    return [word for line in note(text, name) for word in line.split()] or list(default)


def check(program, text, options, status, folder):
    env = dict(word.split("=", 1) for word in words(text, "ENV"))
    for _ in range(int(words(text, "TIMES", "1")[0])):
        result = command([program] + options + words(text, "OPTIONS") + words(text, "ARGS"), cwd=folder, timeout=60, env=env)
        assert result.status == status, "expected status %d\n%s" % (status, result)
        assert result.out == "".join(line + "\n" for line in note(text, "OUT")), str(result)
        if not note(text, "ERR"):
            assert result.err == "", str(result)
        for pattern in note(text, "ERR"):
            assert re.search(pattern, result.err, re.M), "no %r\n%s" % (pattern, result)


@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("path", files("tests/edges/*.cilk"))
def test_edge(path, spawn, tmp_path):
    text = path.read_text()
    program = tmp_path / "program"
    compiled([CILKC, "-O2", "--spawn=" + spawn, path] + words(text, "FLAGS") + ["-o", program])
    for nproc in words(text, "NPROC", ("1", "2", "4")):
        check(program, text, ["--nproc", nproc], Notes(path).exit or 0, tmp_path)
