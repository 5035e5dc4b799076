"""`cilkc step --serve` and `--tui`: another worker goes next, on the page and in the terminal."""

import importlib.util
import os
import re
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

from conftest import CILKC, command
from pages import browser
from test_step import PRINTS, SUM

from cilkc_driver import disk
from cilkc_driver.console import Stop
from play import steps
from tools import step, step_tui, step_view

pytestmark = pytest.mark.tier("check")

SETTINGS = {"schedule": "", "seed": None, "record": None, "workers": 2, "steps": 5000, "timeout": 10.0}
LOST = "6"              # what SUM prints where worker 1 goes next after point 5


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """(a program that can be run by any schedule, its run without a switch), by the text of the program."""
    folder, made, temp = tmp_path_factory.mktemp("step"), {}, disk.TempDir()

    def of(text):
        if text not in made:
            name = folder / ("p%d.cilk" % len(made))
            name.write_text(text)
            stepping = step.Stepping(["-w", str(name)], dict(SETTINGS, schedule="1=0"), temp)
            made[text] = stepping, stepping.first()
        return made[text]
    yield of
    temp.clean()


def test_another_worker_goes_next(ran):
    stepping, shown = ran(SUM)
    other = stepping.by(shown.choose(5, 1))
    assert other.switches == [(1, 0), (5, 1)] and other.choose(5, 0) == [(1, 0), (5, 0)] and other.choose(3, 1)[1:] == [(3, 1)]
    before, after = ([(s.number, s.worker, s.sentence()) for s in one.story.steps[:5]] for one in (shown, other))
    assert [row[:2] for row in before] == [row[:2] for row in after] and other.story.steps[5].worker == 1
    assert shown.outcome.out == b"16\n" and other.outcome.out.decode().strip() == LOST


class Clicking(steps.Server):
    """Its first page clicks a worker."""

    def shown(self, listed):
        click = "<script>if (location.hash === '#step=5') document.querySelector('.choose').click()</script></body>"
        return super().shown(listed) if listed is not None else super().shown(None).replace("</body>", click)


def test_a_click_asks_the_server_for_another_run(ran, tmp_path):
    server = Clicking(0, *ran(SUM))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        text = browser(server.address + "#step=5", tmp_path, "--virtual-time-budget=20000").out
        assert 'data-step="5"' in text and "worker 1 runs" in text, text[-3000:]
        for path, status in (("/?token=x", 403), ("/", 403), ("/x", 404), ("/?token=%s&schedule=5" % server.door.token, 400),
                             ("/?token=%s&schedule=5=9" % server.door.token, 400)):
            with pytest.raises(urllib.error.HTTPError) as error:
                urllib.request.urlopen(server.address.partition("/?")[0] + path)
            assert error.value.code == status
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    (tmp_path / "p.cilk").write_text(SUM)
    process = subprocess.Popen([CILKC, "step", "--serve", "-w", "p.cilk"], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        address = re.search(r"http\S+", process.stdout.readline())[0]
        with urllib.request.urlopen(address, timeout=100) as answer:
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            assert '"switches":[[' in answer.read().decode()
    finally:
        process.terminate()
    assert process.wait(100) == 0 and os.listdir(tmp_path) == ["p.cilk"]


ERRNO = """#include <errno.h>
#include <stdio.h>
static int total;
cilk void add(int n) { total += n; }
cilk int main(void)
{
    errno = 0;
    spawn add(1);
    total += 2;
    int found = errno;
    sync;
    printf("%d\\n", found);
    return 0;
}
"""


def test_errno_is_the_programs(ran, tmp_path):
    """stdout is a pipe, whose place cannot be asked for."""
    program = ran(ERRNO)[0].runs.program
    environment = {"CILK_EXPLORE": str(tmp_path / "log"), "CILK_EXPLORE_POINTS": "1-100"}
    result = command([program, "--sched=turns:1"], env=environment)
    assert result.out == "0\n" and "mem\t" in (tmp_path / "log").read_text()


def played(ran, text, keys):
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput
    player = step_tui.Player(*ran(text))
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys + "q")
        player.application().run()
    return player


RIGHT, LEFT, SHIFT_RIGHT = "\x1b[C", "\x1b[D", "\x1b[1;2C"


@pytest.mark.parametrize("keys,number", [
    (RIGHT * 4, 5), (RIGHT * 4 + LEFT, 4), ("\x1b[F" + LEFT, -1), ("/14\r", 0), ("/total\r", 0), ("/q\r", 1),
], ids=["right", "left", "end", "line", "variable", "nothing"])
def test_keys_of_the_terminal(ran, keys, number):
    player = played(ran, SUM, keys)
    if keys.startswith("/14"):
        assert player.step.line == 14 and player.view.at
    elif keys.startswith("/total"):
        assert player.view.variable(0) == ("fresh", "total = 3")
    else:
        assert player.step.number == (number if number > 0 else player.steps[-2].number)


def test_a_digit_lets_a_worker_go_next(ran):
    player = played(ran, SUM, RIGHT * 4 + "1")
    assert player.step.worker == 1 and player.shown.outcome.out.decode().strip() == LOST
    assert "what worker 1 had written was lost" in "".join(text for _, text in player.top())
    player = played(ran, SUM, RIGHT * 4 + "1" + SHIFT_RIGHT + "0")
    assert player.step.worker in (0, 1) and player.view.at > 5


def test_a_step_as_text(ran):
    shown = ran(PRINTS)[1]
    view, seen = step_view.View(shown.story), set()
    for i in range(len(shown.story.steps)):
        at = view.go(i)
        seen.update((style, text) for line in view.variables(at) for style, text in line)
        seen.update(view.workers(at))
    texts = {text for _, text in seen}
    assert {"work(5, 1.5)", "in show() ", "square = 25", "many = [5, 6, -5]", "x = 3", "bits = {a = -5, b = 5, c = -5}"} <= texts
    assert ("pending", "x = ?") in seen and ("fresh", "small = 44") in seen and ("head", "on the heap") in seen
    assert any(text.startswith("node 1 = {value = 1, half = 1.25") for text in texts) and "first = →node 2" in texts
    assert "worker 0 runs: main() → work(5, 1.5); deque: main:34" in texts
    end = view.go(len(shown.story.steps) - 1)
    first, again = list(view.variables(end)), step_view.View(shown.story)
    assert view.go(0) is shown.story.steps[0] and list(again.variables(again.go(end.index))) == first


def test_what_is_refused(tmp_path, monkeypatch):
    (tmp_path / "p.cilk").write_text(SUM)
    for words, said in ((["--tui"], "--tui plays the run in a terminal, which this is not"),
                        (["--serve", "-o", "x.html"], "--serve writes no page"),
                        (["--serve", "--tui"], "it cannot be used with -o and --tui")):
        result = command([CILKC, "step", *words, "p.cilk"], cwd=tmp_path)
        assert result.status in (2, 125) and said in result.err, str(result)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Stop, match="pip install prompt_toolkit==" + step_tui.PINNED):
        step_tui.check()
