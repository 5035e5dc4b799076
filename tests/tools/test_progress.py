"""The progress of long work: a moving line with the time left on a terminal, which is gone in the end; plain lines
elsewhere; nothing where work is short."""

import re
import subprocess
import sys
import time

import pytest

from conftest import CILKC, ROOT, on_a_terminal

pytestmark = pytest.mark.tier("check")


@pytest.fixture(autouse=True)
def wanted(monkeypatch):
    monkeypatch.setenv("CILKC_PROGRESS", "1")


STEPS = """
import sys, time
sys.path.insert(0, %r)
from tools import progress
progress.SHOWN_AFTER, progress.LINE_AFTER = 0.1, 0.1
p = progress.Progress("cilkc thing", [1, 1, 2])
for name in ("first", "second", "third"):
    with p.step(name):
        time.sleep(0.5)
print("end", p.done, p.left())
"""


def test_steps_on_a_terminal():
    text = on_a_terminal([sys.executable, "-c", STEPS % str(ROOT / "driver")])
    assert "cilkc thing: first (1 of 3)" in text and "cilkc thing: third (3 of 3)" in text
    assert re.search(r"about \d+ s left", text), text
    assert text.rstrip().endswith("end 3 0.0")
    last = text[:text.rindex("end 3")]
    assert last.rstrip("\r\n").endswith(("\x1b[2K", "\x1b[?25h", "\x1b[1A")) or "\x1b[2K" in last[-40:], repr(
        last[-80:]
    )


def test_steps_in_a_pipe():
    result = subprocess.run(
        [sys.executable, "-c", STEPS % str(ROOT / "driver")], capture_output=True, text=True, timeout=300
    )
    assert result.stdout == "end 3 0.0\n"
    assert re.fullmatch(
        r"cilkc thing: second \(2 of 3\), about \d+ s left\ncilkc thing: third \(3 of 3\), about \d+ s left\n",
        result.stderr,
    ), result.stderr


def test_without_progress_nothing_depends_on_time(monkeypatch):
    monkeypatch.setenv("CILKC_PROGRESS", "0")
    words = [sys.executable, "-c", STEPS % str(ROOT / "driver")]
    result = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert (result.stdout, result.stderr) == ("end 3 0.0\n", "")
    assert on_a_terminal(words).rstrip() == "end 3 0.0"


def test_short_work_shows_nothing(tmp_path):
    (tmp_path / "p.cilk").write_text("cilk void f(void) { }\ncilk int main(void) { spawn f(); sync; return 0; }\n")
    begin = time.monotonic()
    result = subprocess.run([str(CILKC), "race", str(tmp_path / "p.cilk")], capture_output=True, text=True, timeout=300)
    if time.monotonic() - begin < 10:
        assert result.stderr == "cilkc race: no races on this input\n"


LONG = """#include <time.h>
cilk void f(void) { struct timespec t = {2, 0}; nanosleep(&t, 0); }
cilk int main(void) { int s; spawn f(); s = SYNCHED; sync; return s & 0; }
"""


def test_a_tool_that_runs_a_program_again_shows_the_second_run(tmp_path):
    """The first run has the terminal for itself."""
    (tmp_path / "p.cilk").write_text(LONG)
    text = on_a_terminal([str(CILKC), "race", str(tmp_path / "p.cilk")])
    assert "SYNCHED is 0 (2 of 2)" in text and "running" not in text and "no races" in text, text
