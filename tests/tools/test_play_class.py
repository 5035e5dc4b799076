"""`cilkc play --class`: who is admitted, whose turn it is, links to programs, and a class of visitors at once, hostile
ones among them."""

import http.client
import json
import os
import random
import re
import subprocess
import threading
import time

import pytest

from conftest import CILKC, command
from pages import browser

from play import shares, turns

pytestmark = pytest.mark.tier("test")

ORIGIN = "http://class.example:8080"
HELLO = '#include <stdio.h>\ncilk int main(int argc, char **argv) { printf("hello %s\\n", argv[1]); return 0; }\n'


class Site:
    def __init__(self, *words, origin=ORIGIN):
        self.process = subprocess.Popen(
            [CILKC, "play", "--class", "--origin", origin, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        assert "listens on 127.0.0.1:" in line, line + self.process.stderr.read()
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])

    def ask(self, method, path, body=None, **headers):
        """(status, headers, text), as a proxy passes a request on."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        try:
            client.request(method, path, None if body is None else json.dumps(body),
                           {"Host": ORIGIN.partition("//")[2], **{name.replace("_", "-"): value for name, value in headers.items()}})
            answer = client.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            client.close()

    def visit(self):
        """The cookie of a new visitor."""
        status, headers, page = self.ask("GET", "/")
        assert status == 200 and "cilkc play" in page
        return headers["Set-Cookie"].partition(";")[0]

    def do(self, cookie, text, *arguments, action="run"):
        body = {"action": action, "text": text, "language": "cilk", "arguments": arguments, "ticket": "t"}
        return self.ask("POST", "/do", body, X_Token="class", Cookie=cookie)

    def close(self):
        self.process.terminate()
        assert self.process.wait(300) == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = Site("--shares", str(tmp_path_factory.mktemp("site") / "shares"), "--jobs", "2")
    yield made
    made.close()


def test_a_visitor_runs_a_program(site):
    status, headers, _ = site.ask("GET", "/")
    assert re.search(r"HttpOnly; SameSite=Strict", headers["Set-Cookie"]) and "Secure" not in headers["Set-Cookie"]
    status, _, text = site.do(site.visit(), HELLO, "class")
    assert status == 200 and json.loads(text)["out"] == "hello class\n"


@pytest.mark.parametrize("headers, expected", [
    ({}, 403),                                                      # no header of ours: another site's form
    ({"X_Token": "class"}, 403),                                    # no cookie
    ({"X_Token": "class", "Cookie": "cilkc-visitor=me.0123456789"}, 403),
    ({"X_Token": "class", "Cookie": "GOOD", "Origin": "https://evil.example"}, 403),
    ({"X_Token": "class", "Cookie": "GOOD", "Host": "127.0.0.1"}, 421),
    ({"X_Token": "class", "Cookie": "GOOD", "Origin": ORIGIN}, 200),
])
def test_who_is_admitted(site, headers, expected):
    headers = {name: site.visit() if value == "GOOD" else value for name, value in headers.items()}
    assert site.ask("POST", "/place", {"ticket": "x"}, **headers)[0] == expected


def test_a_link_leads_to_the_program(site, tmp_path):
    program = {"text": HELLO + "// <b>", "language": "cilk", "arguments": ["one", "2"]}
    cookie = site.visit()
    answers = [site.ask("POST", "/share", program, X_Token="class", Cookie=cookie) for _ in range(2)]
    names = {json.loads(text)["name"] for status, _, text in answers if status == 200}
    assert len(names) == 1
    page = site.ask("GET", "/?s=" + names.pop())[2]
    assert json.dumps(program["text"])[1:-1].replace("<", "\\u003c") in page and '"one 2"' in page
    for odd in ("../../etc/passwd", "a" * 24, "%00", "x" * 5000):
        status, _, page = site.ask("GET", "/?s=" + odd)
        assert status == 200 and '"missing": true' in page and "root:" not in page
    assert site.ask("POST", "/share", {"text": 1}, X_Token="class", Cookie=cookie)[0] == 400


def test_a_name_that_the_proxy_gives_is_the_visitor():
    named = Site("--visitor-header", "X-User")
    try:
        status, headers, _ = named.ask("GET", "/")
        assert status == 200 and headers["Set-Cookie"] is None
        assert named.ask("POST", "/place", {}, X_Token="class")[0] == 403
        assert named.ask("POST", "/place", {}, X_Token="class", X_User="ann")[0] == 200
    finally:
        named.close()


@pytest.mark.parametrize("words, said", [(["--class"], "--class needs --origin"), (["--origin", "http://x"], "--origin is for --class"),
                                         (["--class", "--origin", "x"], "an address like")])
def test_options_that_do_not_belong_together(words, said):
    made = command([CILKC, "play", *words])
    assert made.status == 2 and said in made.err


# ---- whose turn it is -----------------------------------------------------------------------------------------------

def order(asked, at_once=1):
    """In which order requests begin that ask one after the other while another one runs; and the places foretold."""
    queue, began, lock, hold = turns.Turns(at_once, of_one=50), [], threading.Lock(), threading.Event()

    def run(visitor, ticket):
        with queue.turn(visitor, ticket, lambda: False):
            with lock:
                began.append((visitor, ticket))
            if visitor == "first":
                hold.wait()

    threads = [threading.Thread(target=run, args=one, daemon=True) for one in [("first", i) for i in range(at_once)] + asked]
    for i, thread in enumerate(threads):
        thread.start()
        while len(began) + sum(map(len, queue.waiting.values())) <= i and thread.is_alive():
            time.sleep(0.001)
    places = [queue.place(*one) for one in asked]
    hold.set()
    for thread in threads:
        thread.join()
    return began[at_once:], places


def test_visitors_take_turns():
    asked = [("greedy", i) for i in range(6)] + [("ann", 0), ("ann", 1), ("bob", 0)]
    began, places = order(asked)
    assert began == [("greedy", 0), ("ann", 0), ("bob", 0), ("greedy", 1), ("ann", 1)] + [("greedy", i) for i in range(2, 6)]
    assert [began.index(one) for one in asked] == places


def test_in_a_random_class_each_waits_for_a_fair_turn_at_most():
    random.seed(7)
    asked = [(random.choice(["greedy"] * 6 + ["a", "b", "c", "d"]), i) for i in range(40)]
    began, _ = order(asked)
    for visitor, ticket in asked:
        own = [one for one in began if one[0] == visitor]
        rank = own.index((visitor, ticket))                 # at most so many of each other visitor come before
        before = began[: began.index((visitor, ticket))]
        assert all(sum(1 for one in before if one[0] == other) <= rank + 1 for other in {v for v, _ in asked} - {visitor})


def test_too_many_of_one_are_refused_and_who_goes_leaves_the_queue():
    queue, hold = turns.Turns(1, of_one=2), threading.Event()

    def run(ticket, gone):
        try:
            with queue.turn("v", ticket, gone):
                hold.wait()
        except turns.Gone:
            pass

    leaves = threading.Event()
    threads = [threading.Thread(target=run, args=(i, leaves.is_set if i == 2 else lambda: False), daemon=True) for i in range(3)]
    for i, thread in enumerate(threads):
        thread.start()
        while queue.running.get("v", 0) + len(queue.waiting.get("v", ())) <= i:
            time.sleep(0.001)
    with pytest.raises(turns.Full):
        with queue.turn("v", 9, lambda: True):
            pass
    leaves.set()
    threads[2].join()
    assert queue.place("v", 1) == 0 and queue.place("v", 2) is None
    hold.set()
    for thread in threads:
        thread.join()
    assert queue.free == 1 and not queue.waiting and not queue.running


def test_old_programs_go_first(tmp_path, monkeypatch):
    kept = shares.Shares(str(tmp_path / "s"), days=10)
    names = [kept.put(b"%d" % i * 100) for i in range(4)]
    now = time.time()
    for i, name in enumerate(names):
        os.utime(tmp_path / "s" / name, (now - 86400 * [11, 9, 8, 1][i],) * 2)
    assert [kept.get(name) is None for name in names] == [True, False, False, False]
    monkeypatch.setattr(shares, "MOST_BYTES", 250)
    kept.tidy()
    assert [kept.get(name) is None for name in names] == [True, True, False, False] and not (tmp_path / "s" / names[0]).exists()
    assert kept.put(b"3" * 100) == names[3]


# ---- a class at once ------------------------------------------------------------------------------------------------

HOSTILE = [
    'cilk int main(void) { while (1) ; return 0; }',
    '#include <stdio.h>\ncilk int main(void) { while (1) puts("line"); return 0; }',
    '#include <unistd.h>\ncilk int main(void) { while (1) fork(); return 0; }',
    '#include <stdlib.h>\n#include <string.h>\nchar *volatile p;\ncilk int main(void) { while ((p = malloc(1 << 24))) memset(p, 1, 1 << 24); return 0; }',
    '#include <signal.h>\ncilk int main(void) { kill(-1, SIGKILL); return 0; }',
    '#include "/etc/shadow"\n',
]


@pytest.mark.waits
@pytest.mark.parametrize("visitors", [12, pytest.param(140, marks=pytest.mark.tier("all"))])
def test_a_class_with_hostile_visitors(visitors):
    """Each honest visitor gets the right answer; whoever floods the server is refused; the server outlives all."""
    busy = Site("--jobs", "2", "--seconds", "2")
    wrong, refused = [], []

    def honest(i):
        try:
            cookie = busy.visit()
            status, _, text = busy.do(cookie, HELLO, "visitor%d" % i)
            if status != 200 or json.loads(text)["out"] != "hello visitor%d\n" % i:
                wrong.append((i, status, text))
        except Exception as error:                          # a thread's exception would be lost
            wrong.append((i, 0, repr(error)))

    def hostile(i):
        status, _, text = busy.do(busy.visit(), HOSTILE[i % len(HOSTILE)])
        if status != 200 or "root:" in text:
            wrong.append((i, status, text))

    def flood(cookie):
        refused.append(busy.do(cookie, HELLO)[0])

    greedy = busy.visit()
    threads = [threading.Thread(target=flood, args=(greedy,)) for _ in range(30)]
    threads += [threading.Thread(target=hostile, args=(i,)) for i in range(len(HOSTILE))]
    threads += [threading.Thread(target=honest, args=(i,)) for i in range(visitors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]
    assert 429 in refused and set(refused) <= {200, 429}
    busy.close()


def test_the_page_of_a_class(tmp_path):
    """Served under its own name, as a browser sees it: the program of a link, one place for an error, an underline."""
    from test_play import Played
    (tmp_path / "mine.cilk").write_text("cilk int main(void) {\n    return missing;\n}\n")
    play = Played("mine.cilk", cwd=tmp_path)
    try:
        made = browser(play.address, tmp_path, "--virtual-time-budget=60000", "--window-size=1500,1000")
    finally:
        play.close()
    assert "CONSOLE" not in made.err, made.err
    assert re.search(r'<span class="[^"]*bad-text">missing</span>', made.out)
    shown = re.sub(r"<script.*?</script>", "", made.out, flags=re.S)
    assert shown.count("undeclared") == 1 and "It does not compile: see the messages" in shown
