"""`cilkc see`: one page with the source and the pages of all tools; a line that is chosen is found in each of them."""

import json
import re

import pytest

from conftest import CILKC, ROOT, command
from pages import DESK, PHONE, shown, widths

pytestmark = pytest.mark.tier("check")

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static int total;
cilk int fib(int n)
{
  int x, y;
  if (n < 2)
    return n;
  x = spawn fib(n - 1);
  total++;
  y = spawn fib(n - 2);
  sync;
  return x + y;
}
cilk int main(int argc, char **argv)
{
  int x, n;
  char *p = malloc(1000);
  if (scanf("%d", &n) != 1)
    return 3;
  x = spawn fib(n);
  sync;
  printf("%d %d\\n", x, argc);
  free(p);
  return 0;
}
"""
SPAWN, RACY = 9, 10


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("see")
    (folder / "p.cilk").write_text(PROGRAM)
    result = command([CILKC, "see", "--json", "-w", "p.cilk", "--", "one"], cwd=folder, stdin=b"9\n", timeout=300)
    assert result.status == 0 and "Traceback" not in result.err, str(result)
    return folder, json.loads(result.out)


def parts_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])


def test_all_tools_are_on_the_page(made):
    folder, report = made
    assert report["parts"] == ["dag", "memory", "profile", "race", "trace"] and not report["missing"], report
    lines = report["lines"]["p.cilk"]
    assert sum(row["work"] for row in lines.values()) == pytest.approx(1, abs=0.01)
    assert lines[str(RACY)]["race"] == RACY and any(
        "1000 bytes" in text for row in lines.values() for text in row["texts"]
    ), lines


def test_a_chosen_line_is_found_in_each_tool(made):
    folder, _ = made
    page, patience = folder / "p.see.html", "--virtual-time-budget=8000"
    text = shown(page, "#line=%d&tab=dag" % SPAWN, patience)
    assert 'data-loaded="5"' in text and 'data-picked="%d"' % SPAWN in text, text[:2000]
    hits = dict(re.findall(r"(\w+):(\d+)", re.search(r'data-hits="([^"]*)"', text).group(1)))
    assert (
        int(hits["dag"]) > 0
        and int(hits["profile"]) > 0
        and int(hits["race"]) > 0
        and set(hits) == {"dag", "trace", "profile", "race", "memory"}
    ), hits
    text = shown(page, "#line=%d" % RACY, patience)
    assert "race on total" in text and '<span class="ko">spawn</span>' in text
    said = re.search(r'<ul id="verdicts">(.*?)</ul>', text)[1].split("</li>")
    assert len(said) > 4 and any("1 race" in row and "Next: " in row and ">show</button>" in row for row in said), said


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_pages_fit(made, width):
    folder, _ = made
    page = (folder / "p.see.html").read_text()
    pages = {part["id"]: part["page"] for part in parts_of(page)["parts"]}
    assert len(pages) == 5 and all('name="viewport"' in text for text in pages.values())
    for name, text in dict(pages, see=page).items():
        (folder / (name + ".html")).write_text(text)
    wide = widths([folder / (name + ".html") for name in (*pages, "see")], width, folder)
    assert max(wide.values()) <= width, wide


def test_a_tab_is_chosen_by_its_label_too(made):
    folder, _ = made
    for tab in ("time", "trace"):
        assert re.search(r'<button id="tab-trace"[^>]*class="on"', shown(folder / "p.see.html", "#tab=" + tab)), tab


def test_a_run_that_is_too_short_to_be_parallel_is_called_so(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "driver"))
    from tools import see as tool
    worker = {"spawns": 10, "steals": 0}
    short = {"seconds": 0.0001, "workers": [worker, dict(worker, spawns=0)]}
    assert tool.too_short(short)
    for other in (dict(short, seconds=1), dict(short, workers=[worker]), dict(short, workers=[worker, dict(worker, steals=1)])):
        assert not tool.too_short(other)


def test_what_does_not_compile_leaves_no_page(tmp_path):
    (tmp_path / "p.cilk").write_text("cilk int main(void) { return x; }\n")
    result = command([CILKC, "see", "p.cilk"], cwd=tmp_path)
    assert result.status == 125 and "'x'" in result.err and not list(tmp_path.glob("*.html")), str(result)


def test_what_the_race_detector_did_not_see_is_named(tmp_path):
    (tmp_path / "p.cilk").write_text("void f(void);\ncilk int main(void) { f(); return 3; }\n")
    (tmp_path / "c.c").write_text("void f(void) { }\n")
    command(["cc", "-c", "c.c"], cwd=tmp_path)
    without = [word for part in ("profile", "dag", "trace", "memory") for word in ("--without", part)]
    result = command([CILKC, "see", *without, "p.cilk", "c.o"], cwd=tmp_path, timeout=300)
    assert result.status == 0 and result.out.split("\n")[:3] == [
        "not complete: the program ended with status 3 (up to there: no races)",
        "compiled without the detector: c.o; what is done to memory there is not seen",
        "the program ended with status 3; there may be races that were not seen",
    ], str(result)


# What a child does -> what the page says first.
NO_END = {
    "crash": ("*(volatile int *)n = 1;", r"Cilk runtime system: a null pointer is followed in the serial run .*p\.cilk:5\."),
    "lock": ("Cilk_lock(l); Cilk_lock(l);", r"p\.cilk:3: Cilk_lock\(l\): race detector: fatal error: the lock is already held.*"),
}


@pytest.mark.parametrize("how", NO_END)
def test_a_program_without_an_end_is_run_once_and_shown(how, tmp_path):
    """The race detector sees the lock; the other tools would wait for it."""
    body, sentence = NO_END[how]
    (tmp_path / "p.cilk").write_text(
        "static int *volatile n; static Cilk_lockvar l;\ncilk void f(void)\n{ %s }\n"
        "cilk int main(void) {\n  spawn f(); sync; return 0; }\n" % body
    )
    result = command([CILKC, "see", "p.cilk"], cwd=tmp_path, timeout=300)
    assert result.status == 1 and re.fullmatch(sentence, result.out.split("\n")[0]), str(result)
    assert "internal error" not in result.err and (tmp_path / "p.see.html").exists(), str(result)
    data = parts_of((tmp_path / "p.see.html").read_text())
    assert [part["id"] for part in data["parts"]] == ["race"] and set(data["missing"].values()) == {"not run"}, data["missing"]
    other = command([CILKC, "see", "--without", "race", "p.cilk"], cwd=tmp_path, timeout=300)
    assert other.status == 125 and "no tool could show the program: Cilk runtime system: " in other.err, str(other)
