"""Threads of Cilk-1 by themselves: programs with threads written by hand in C (tests/rt/cilk1), linked with each flavour of the runtime."""

import itertools
import re
import shutil

import pytest

from conftest import BUILD, ROOT, command

HERE = ROOT / "tests" / "rt" / "cilk1"
FLAGS = {"": ["-O2"], "-debug": ["-O1"],
         "-tsan": ["-O1", "-fsanitize=thread"], "-asan": ["-O1", "-fsanitize=address,undefined"]}
FORCE = ("off", "always", "random", "never")
POST = ("sender", "owner")
ARGS = {"fib": ["15", "20"]}


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """program(name, flavour, *options) is the path of that executable; each is linked once."""
    made = {}
    folder = tmp_path_factory.mktemp("cilk1")

    def make(name, flavour="", *options):
        key = name, flavour, options
        if key not in made:
            out = folder / ("%s%s-%d" % (name, flavour, len(made)))
            words = (["ccache"] if shutil.which("ccache") else []) + ["cc", "-std=gnu17", "-g", "-Wall", "-Wextra", "-I%s" % ROOT, "-pthread"]
            done = command(words + FLAGS[flavour] + [*options, "-c", HERE / (name + ".c"), "-o", str(out) + ".o"])
            assert done.status == 0 and done.err == "", str(done)
            done = command(["cc", "-pthread", *FLAGS[flavour], str(out) + ".o", BUILD / "lib" / ("libcilkrt%s.a" % flavour), "-o", out])
            assert done.status == 0, str(done)
            made[key] = out
        return made[key]

    return make


def run(words, **more):
    result = command(words, **more)
    assert result.status == 0, str(result)
    assert "WARNING: ThreadSanitizer" not in result.err and "runtime error" not in result.err, str(result)
    return result


def row(report, name):
    """The last number of a row of --stats: the total."""
    found = re.search(r"^ *%s .*?(\d+)$" % name, report, re.M)
    return int(found.group(1)) if found else 0


@pytest.mark.parametrize("name, fast, force", itertools.product(ARGS, (True, False), FORCE))
def test_right_result(program, name, fast, force):
    built = program(name, "", *(["-DFAST"] if fast else []))
    for nproc, post in itertools.product((1, 2, 4), POST):
        run([built, "--nproc", nproc, "--force-steal", force, "--post", post, *ARGS[name]])


@pytest.mark.parametrize("flavour, name", itertools.product(("-debug", "-asan", "-tsan"), ARGS))
def test_right_result_in_checked_builds(program, flavour, name):
    for nproc, force, post in itertools.product((1, 2, 4), ("off", "random"), POST):
        run([program(name, flavour), "--nproc", nproc, "--force-steal", force, "--post", post, *ARGS[name]])


@pytest.mark.parametrize("nproc", (1, 2, 4))
def test_threads_are_counted_as_the_paper_counts_them(program, nproc):
    assert row(run([program("fib"), "--nproc", nproc, "--stats", "2", "33"]).err, "Threads") == 17108660
