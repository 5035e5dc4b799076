"""Parts of the runtime that `make` alone leaves out are built when first needed: once, whole or not at all.

The tree here has a Makefile that takes its time and counts its runs. `make` itself is asked with -n what it would do.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from cilkc_driver import home
from conftest import BUILD, ROOT, command, eventually
from grade import cell, sandbox
from play import work

pytestmark = pytest.mark.tier("test")

PART = "libcilkrt-debug.a"
MAKEFILE = """\
build/lib/%.a:
\t@mkdir -p build/lib && echo $(CC) $(ORIGIN) >> runs
\t@while [ -e hold ]; do sleep 0.05; done
\t@echo whole > $@.new && mv $@.new $@
"""
ASK = """\
import sys
sys.path.insert(0, %r)
from cilkc_driver import console, home, parts
home.set_home(%r)
try:
    print(parts.need(home.library(%r)))
except console.Stop as stop:
    print(stop)
"""


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "build" / "lib").mkdir(parents=True)
    (tmp_path / "build" / ".made-with").write_text("CC=gcc -m64\n")
    return tmp_path


def ask(tree, **env):
    code = ASK % (str(ROOT / "driver"), str(tree), PART)
    env = {k: v for k, v in os.environ.items() if k not in ("CILKC_BUILD", "MAKEFLAGS", "MAKELEVEL")} | env
    return subprocess.Popen(
        [sys.executable, "-B", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )


def answer(process):
    out, err = process.communicate(timeout=60)
    return out.strip(), err


def test_two_processes_at_once_build_a_part_once(tree):
    (tree / "hold").touch()
    both = [ask(tree), ask(tree)]
    eventually((tree / "runs").exists, "nothing is built")
    time.sleep(0.3)             # the other one reaches the lock
    (tree / "hold").unlink()
    answers = [answer(p) for p in both]
    assert [out for out, _ in answers] == ["True", "True"]
    assert sorted(err for _, err in answers) == ["", "cilkc: building lib/%s (once)\n" % PART]
    assert (tree / "runs").read_text() == "gcc -m64\n"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_process_leaves_a_whole_part_or_none(tree, how):
    (tree / "hold").touch()
    first = ask(tree)
    eventually((tree / "runs").exists, "nothing is built")
    first.send_signal(how)
    first.wait()
    assert not (tree / "build" / "lib" / PART).exists()
    second = ask(tree)
    time.sleep(0.3)
    assert len((tree / "runs").read_text().splitlines()) == 1, "the make that goes on lost its lock"
    (tree / "hold").unlink()
    assert answer(second)[0] == "True"
    assert (tree / "build" / "lib" / PART).read_text() == "whole\n"


def test_the_callers_own_make_does_not_change_how_a_part_is_built(tree):
    assert answer(ask(tree, CC="cilkc", MAKEFLAGS=" -- CC=cilkc ORIGIN=theirs", MAKELEVEL="1"))[0] == "True"
    assert (tree / "runs").read_text() == "gcc -m64\n"


def test_where_nothing_can_be_written_the_command_to_type_is_named(tree):
    (tree / "build" / ".parts.lock").mkdir()
    out, err = answer(ask(tree))
    assert "cannot be built" in out and "run 'make rt' in %s" % tree in out and err == ""


def test_a_part_that_does_not_build_is_an_error_with_makes_message(tree):
    (tree / "Makefile").write_text("build/lib/%.a:\n\t@echo no room >&2; exit 1\n")
    out, err = answer(ask(tree))
    assert out == "lib/%s cannot be built: run 'make rt' in %s" % (PART, tree) and "no room" in err


def test_an_installed_tree_builds_nothing(tree):
    (tree / "Makefile").unlink()
    assert answer(ask(tree)) == ("False", "")


def test_make_alone_builds_what_programs_need(tmp_path):
    def steps(*goals):
        folder = os.path.relpath(tmp_path / "b", ROOT)
        words = ["make", "-n", "-s", "-C", str(ROOT), "BUILD=" + folder, *goals]
        env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
        return subprocess.run(words, stdout=subprocess.PIPE, text=True, env=env, check=True).stdout

    alone = steps()
    assert "lib/libcilkrt.a" in alone and "/cilkc1" in alone
    assert not any("libcilkrt-" in line or "linux-gnu-gcc" in line for line in alone.splitlines())
    assert "lib/libcilkrt-debug.a" in steps("build")


# Libraries come from the build that is tested; `make` puts them in place when they are asked for.
LENDING = "build/lib/%%:\n\t@cp -p $(wildcard $(addprefix %s/lib/,$* $(basename $*).o)) build/lib\n" % BUILD
CHECKS = {
    "race": (["libcilkrace.a", "libcilkrt-debug.a", "libcilkrt-debug.o", "libcilkrt-trace.a", "libcilkrt-trace.o"],
             'args = ["4"]'),
    "parallelism": (["libcilkprofile.a", "libcilkrace.a", "player"], 'args = ["4"]\nat-least = 1'),
    "grain": (["libcilkprofile.a", "libcilkrace.a", "player"], 'args = ["4"]\nat-least = 1'),
    "output": ([], 'args = ["4"]\nexpect = "3\\n"'),
}


@pytest.fixture
def made_alone(tmp_path):
    """The tree after `make` alone: no library of a tool is there."""
    tree = tmp_path / "tree"
    (tree / "build" / "lib").mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in ("cilkc", "build", "Makefile"):
            (tree / path.name).symlink_to(path)
    shutil.copy(ROOT / "cilkc", tree)
    (tree / "Makefile").write_text(LENDING)
    (tree / "build" / ".made-with").write_text("")
    (tree / "build" / "cilkc1").symlink_to(BUILD / "cilkc1")
    for name in ("libcilkrt.a", "libcilkrt.o"):
        shutil.copy2(BUILD / "lib" / name, tree / "build" / "lib")
    return tree


def built(tree):
    return sorted({path.name for path in (tree / "build" / "lib").iterdir()} - {"libcilkrt.a", "libcilkrt.o"})


def test_what_the_tools_of_play_need_is_built_before_the_sandbox(made_alone, monkeypatch):
    monkeypatch.setenv("CILKC_BUILD", "")
    home.set_home(made_alone)
    try:
        made = work.Work(sandbox.choose(list(sandbox.KINDS), [], cell.works))
        text = "cilk int main(void) { return 0; }"
        request = {"text": text, "language": "cilk", "arguments": []}
        for action in work.ACTIONS:
            answer = made.do({"action": action, **request}, lambda: False)
            assert answer["status"] == 0 and not answer["note"], answer
    finally:
        home.set_home(ROOT)
    assert built(made_alone) == ["libcilkprofile.a", "libcilkrace.a", "libcilkrt-debug.a", "libcilkrt-debug.o",
                                 "libcilkrt-trace.a", "libcilkrt-trace.o", "player"]


@pytest.mark.parametrize("kind", CHECKS)
def test_what_a_check_of_grade_needs_is_built_before_the_sandbox(made_alone, tmp_path, kind):
    parts, keys = CHECKS[kind]
    (tmp_path / "SPEC.toml").write_text(
        'submission = ["fib.cilk"]\n[[check]]\nkind = "%s"\npoints = 1\n%s\n' % (kind, keys)
    )
    (tmp_path / "fib.cilk").write_text(
        "int printf(const char *, ...);\n"
        "cilk int fib(int n) { int x, y; if (n < 2) return n;\n"
        "  x = spawn fib(n - 1); y = spawn fib(n - 2); sync; return x + y; }\n"
        "cilk int main(int argc, char **argv)\n"
        '{ int r; r = spawn fib(argv[1][0] - \'0\'); sync; printf("%d\\n", r); return 0; }\n'
    )
    done = command([made_alone / "cilkc", "grade", "-q", "--format", "json", "SPEC.toml", "fib.cilk"],
                   cwd=tmp_path, env={"CILKC_BUILD": ""})
    assert done.status == 0, str(done)
    (row,) = json.loads(done.out)["submissions"]
    assert row["score"] == 1, row
    assert built(made_alone) == parts
