"""`cilkc play`: the server's answers, refusals, what a program may do, and the page in a browser."""

import json
import os
import re
import socket
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

from conftest import CILKC, ROOT, command
from pages import DESK, PHONE, browser, widths
from tiers import tier

from grade import cell, sandbox
from play import server, work

pytestmark = pytest.mark.tier("test")

EXAMPLES = sorted((ROOT / "driver" / "play" / "examples").iterdir())
LANGUAGES = {".cilk": "cilk", ".cilk1": "cilk1", ".c": "c"}
HELLO = '#include <stdio.h>\ncilk int main(int argc, char **argv) { printf("hello %s\\n", argv[1]); return 3; }\n'


class Played:
    def __init__(self, *words, cwd=None):
        self.process = subprocess.Popen(
            [CILKC, "play", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd
        )
        line = self.process.stdout.readline()
        assert "open http://127.0.0.1:" in line, line + self.process.stderr.read()
        self.address = re.search(r"http\S+", line)[0]
        self.base, _, self.token = self.address.partition("/?token=")

    def request(self, path, body=None, **headers):
        """(status, headers, text) of a request."""
        asked = urllib.request.Request(
            self.base + path,
            None if body is None else body.encode(),
            {name.replace("_", "-"): value for name, value in headers.items()},
        )
        try:
            with urllib.request.urlopen(asked, timeout=300) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read().decode()

    def do(self, action, text, *arguments, language="cilk"):
        status, _, answer = self.request(
            "/do",
            json.dumps({"action": action, "text": text, "language": language, "arguments": arguments}),
            X_Token=self.token,
        )
        assert status == 200, answer
        return json.loads(answer)

    def close(self):
        self.process.terminate()
        assert self.process.wait(300) == 0


@pytest.fixture(scope="module")
def play(tmp_path_factory):
    made = Played(cwd=tmp_path_factory.mktemp("play"))
    yield made
    made.close()


def test_a_program_runs_with_its_arguments(play):
    made = play.do("run", HELLO, "you there")
    assert made["out"] == "hello you there\n" and made["status"] == 3 and not made["note"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_each_example_runs(play, path):
    text = path.read_text()
    made = play.do("run", text, "--nproc", "2", language=LANGUAGES[path.suffix])
    assert made["status"] == 0 and made["out"], made
    elided = play.do("elide", text, language=LANGUAGES[path.suffix])
    assert elided["status"] == 0 and not re.search(r"^    .*\bspawn\b", re.sub(r"//.*", "", elided["out"]), re.M)


def test_views(play):
    fib = (ROOT / "driver/play/examples/fib.cilk").read_text()
    assert "slow clone" in play.do("clones", fib)["out"]
    dag = play.do("dag", fib)
    assert dag["kind"] == "svg" and dag["out"].lstrip().startswith(("<?xml", "<svg"))
    race = play.do("race", (ROOT / "driver/play/examples/race.cilk").read_text())
    status, headers, page = play.request(race["page"])
    assert status == 200 and "total" in page and headers["Content-Security-Policy"].startswith("sandbox allow-scripts;")
    assert play.request(race["page"], Host="evil.example")[0] == 404


def test_messages_have_places(play):
    (one,) = play.do("check", "cilk int main(void)\n{\n    return x;\n}\n")["out"]
    assert one["locations"][0]["caret"]["line"] == 3 and "'x' undeclared" in one["message"]
    made = play.do("run", "cilk int main(void) { return x; }")
    assert made["status"] == 125 and "undeclared" in made["err"] and "/tmp/" not in made["err"]


@pytest.mark.parametrize("headers", [{}, {"X_Token": "wrong"}, {"X_Token": "TOKEN", "Host": "evil.example"}])
def test_others_are_refused(play, headers):
    headers = {name: value.replace("TOKEN", play.token) for name, value in headers.items()}
    status, _, text = play.request(
        "/do", json.dumps({"action": "run", "text": HELLO, "language": "cilk", "arguments": []}), **headers
    )
    assert status in (403, 421) and "hello" not in text


def test_the_page_needs_the_token(play):
    assert play.request("/")[0] == 403 and play.request("/?token=x")[0] == 403
    assert play.request("/?token=" + play.token, Host="evil.example:80")[0] == 421
    assert play.request("/made/guess")[0] == 404 and play.request("/../etc/passwd")[0] == 404


@pytest.mark.parametrize("body", ["", "[]", "{", "{}", "[" * 200000, '{"action":' * 100000,
                                  '{"action": ["run"], "text": "", "language": "cilk", "arguments": []}',
                                  '{"action": "run", "text": "", "language": {}, "arguments": []}',
                                  '{"action": "rm", "text": "", "language": "cilk", "arguments": []}',
                                  '{"action": "run", "text": 1, "language": "cilk", "arguments": []}',
                                  '{"action": "run", "text": "", "language": "../x", "arguments": []}',
                                  json.dumps({"action": "run", "text": "x" * 300000, "language": "cilk", "arguments": []})])
def test_what_is_no_request_is_refused(play, body):
    assert play.request("/do", body, X_Token=play.token)[0] == 400


def test_an_address_that_is_none_is_refused(play):
    with socket.create_connection(("127.0.0.1", int(play.base.rpartition(":")[2]))) as client:
        client.sendall(b"GET http://[::1 HTTP/1.1\r\n\r\n")
        assert b" 400 " in client.makefile("rb").readline()


def test_nothing_runs_for_a_client_that_is_gone(monkeypatch):
    """One request waits for its turn while its client goes; the next one's client stays."""
    ran, closed, seen = [], threading.Event(), threading.Semaphore(0)

    def run(place, words, limits, unwanted):
        ran.append(words[-1])
        raise work.Wrong("no more is asked")

    class Waiting(work.Work):
        def do(self, *words):
            closed.wait()
            try:
                return super().do(*words)
            finally:
                seen.release()

    kind = Waiting(sandbox.Bare())
    monkeypatch.setattr(kind.cell, "run", run)
    made = server.Server(0, kind, None)
    threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
    try:
        for name in ("goes", "stays"):
            body = json.dumps({"action": "run", "text": "", "language": "c", "arguments": [name]})
            client = socket.create_connection(("127.0.0.1", made.server_port))
            head = "POST /do HTTP/1.1\r\nHost: localhost:%d\r\nX-Token: %s\r\nContent-Length: %d\r\n\r\n"
            client.sendall((head % (made.server_port, made.door.token, len(body)) + body).encode())
            if name == "goes":
                client.close()
            closed.set()
            assert seen.acquire(timeout=60)
    finally:
        client.close()
        made.shutdown()
        made.server_close()
        kind.close()
    assert ran == ["stays"]


def test_a_program_ends_with_its_client(monkeypatch):
    """It would run for hours, and its limit of time is as long."""
    ended, seen = [], threading.Event()

    class Watched(work.Work):
        def do(self, *words):
            try:
                return super().do(*words)
            except work.Wrong as wrong:
                ended.append((str(wrong), self.cell.running.copy()))
                raise
            finally:
                seen.set()

    monkeypatch.setattr(work, "LIMITS", work.LIMITS.but(time=10000))
    monkeypatch.setitem(work.ACTIONS, "run", ("text", "sleep 9000 & sleep 9000"))
    kind = Watched(sandbox.choose(list(sandbox.KINDS), [], cell.works))
    made = server.Server(0, kind, None)
    threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
    try:
        body = json.dumps({"action": "run", "text": "", "language": "c", "arguments": []})
        head = "POST /do HTTP/1.1\r\nHost: localhost:%d\r\nX-Token: %s\r\nContent-Length: %d\r\n\r\n"
        with socket.create_connection(("127.0.0.1", made.server_port)) as client:
            client.sendall((head % (made.server_port, made.door.token, len(body)) + body).encode())
            while not any(b"sleep" in comm_of(pid) for pid in cell.family(os.getpid())):
                assert not seen.wait(0.02), ended
        assert seen.wait(60)
    finally:
        kind.close()
        made.shutdown()
        made.server_close()
    assert ended == [(work.GONE, set())]
    assert not any(b"sleep" in comm_of(pid) for pid in cell.family(os.getpid()))


def comm_of(pid):
    try:
        with open("/proc/%d/comm" % pid, "rb") as file:
            return file.read()
    except OSError:
        return b""


def test_a_program_has_no_files_and_no_network(play, tmp_path):
    (tmp_path / "secret").write_text("SECRET")
    program = """#include <stdio.h>
#include <unistd.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
cilk int main(int argc, char **argv)
{
    char text[100] = "";
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(%s)};
    FILE *file = fopen(argv[1], "r");
    if (file) fgets(text, 100, file);
    at.sin_addr.s_addr = inet_addr("127.0.0.1");
    printf("file %%s, connect %%d\\n", file ? text : "none", connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at));
    return 0;
}
""" % play.base.rpartition(":")[2]
    assert play.do("run", program, str(tmp_path / "secret"))["out"] == "file none, connect -1\n"


@pytest.mark.waits
def test_limits_end_a_program(play):
    made = play.do("run", "cilk int main(void) { while (1) ; return 0; }")
    assert "more than" in made["note"], made
    made = play.do("run", '#include <stdio.h>\ncilk int main(void) { while (1) puts("line"); return 0; }')
    assert "printed more than" in made["note"]
    made = play.do(
        "run",
        "#include <stdlib.h>\n#include <string.h>\n"
        "char *volatile last;\ncilk int main(void) { while ((last = malloc(1 << 24))) memset(last, 1, 1 << 24); return 0; }",
    )
    assert "of memory" in made["note"], made
    made = play.do(
        "run",
        "#include <unistd.h>\ncilk int main(void) { for (int i = 0; i < 100; i++) if (!fork()) sleep(9); sleep(9); return 0; }",
    )
    assert "processes" in made["note"], made


def test_the_page_shows_a_program_and_its_views(tmp_path):
    (tmp_path / "mine.cilk").write_text('#include <stdio.h>\n// </script><b>bold</b>\ncilk void w(void) { }\n'
                                        'cilk int main(void) { spawn w(); sync; printf("<b>out</b>\\n"); return y; }\n')
    play = Played("mine.cilk", cwd=tmp_path)
    try:
        result = browser(play.address, tmp_path, "--virtual-time-budget=60000", "--window-size=1500,1000")
        assert "CONSOLE" not in result.err, result.err
        dom = result.out
        assert 'data-checked=' in dom and "line 4: 'y' undeclared" in dom and '<span class="bad">4</span>' in dom
        (tmp_path / "mine.cilk").write_text((tmp_path / "mine.cilk").read_text().replace("return y", "return 0"))
    finally:
        play.close()
    play = Played("mine.cilk", cwd=tmp_path)
    try:
        result = browser(play.address, tmp_path, "--virtual-time-budget=60000", "--window-size=1500,1000")
        assert "CONSOLE" not in result.err, result.err
        dom = result.out
        assert 'data-pending="0"' in dom and "<pre>&lt;b&gt;out&lt;/b&gt;\n</pre>" in dom and "<b>bold</b>" not in dom
        assert re.search(r'<img src="blob:[^"]*"', dom) and 'src="/made/' in dom and "w(); ;" in dom
    finally:
        play.close()


def test_files_that_cannot_be_opened(tmp_path):
    for name, words in (("none.cilk", "No such file"), ("x.txt", "is expected")):
        made = command([CILKC, "play", name], cwd=tmp_path)
        assert made.status and words in made.err


STEPS = sorted(path.name for path in (ROOT / "docs/tutorial").iterdir() if path.is_dir())


@pytest.mark.parametrize("name", [pytest.param(name, marks=tier("test" if name == "9-lock" else "all")) for name in STEPS])
def test_a_step_of_the_tutorial_takes_its_solution_alone(play, name):
    for program, is_right in (("solution", True), ("starter", False)):
        request = {"action": "check-step", "step": name, "language": "cilk", "arguments": [],
                   "text": (ROOT / "docs/tutorial" / name / (program + ".cilk")).read_text()}
        status, _, answer = play.request("/do", json.dumps(request), X_Token=play.token)
        checks = json.loads(answer)["out"]
        assert status == 200 and len(checks) > 1 and all(one["text"] for one in checks), answer
        assert all(one["good"] for one in checks) == is_right, (program, checks)
        assert "/tmp/" not in answer, answer


def test_the_tutorial_is_on_the_page_and_in_the_manual(play, tmp_path):
    """The list of the manual has the titles of the steps. A step's program is loaded, and what others have not."""
    listed = re.findall(r"^(\d+)\. \[(.*)\]\((.*)/step\.md\)$", (ROOT / "docs/tutorial/README.md").read_text(), re.M)
    assert [name for _, _, name in listed] == sorted(STEPS, key=lambda name: int(name.split("-")[0])) and len(STEPS) == 10
    for number, title, name in listed:
        text = (ROOT / "docs/tutorial" / name / "step.md").read_text()
        assert text.startswith("# %s. %s\n" % (number, title)) and "<summary>Hint</summary>" in text
    result = browser(play.address + "#tutorial=3", tmp_path, "--virtual-time-budget=60000")
    assert "CONSOLE" not in result.err, result.err
    assert '<section id="lesson">' in result.out and "found++" in result.out and "Solution</summary>" in result.out


def test_a_step_that_is_none_is_refused(play):
    for step in ("../labs/1-spawn", "", None, ["1-spawn"]):
        body = json.dumps({"action": "check-step", "step": step, "text": "", "language": "cilk", "arguments": []})
        assert play.request("/do", body, X_Token=play.token)[0] == 400


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_page_fits(play, width, tmp_path):
    (tmp_path / "page.html").write_text(play.request("/?token=" + play.token)[2])
    wide = widths([tmp_path / "page.html"], width, tmp_path)
    assert max(wide.values()) <= width, wide
