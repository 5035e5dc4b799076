"""`cilkc dap`: the session that a client had (dap/session.jsonl: Visual Studio Code's own client for tests), records and
replays, and messages that are wrong."""

import json
import os
import subprocess

import pytest

from conftest import CILKC, ROOT, need
from test_gdb import CHAIN, line
from tools.dap_wire import Wire

pytestmark = pytest.mark.tier("all")

SESSION = ROOT / "tests" / "tools" / "dap" / "session.jsonl"
AWAITED = {"setBreakpoints": "initialized", "threads": "stopped", "disconnect": "terminated"}   # before that request


class Client:
    def __init__(self, folder):
        need("gdb")
        self.adapter = subprocess.Popen([CILKC, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=folder)
        self.wire = Wire(self.adapter.stdout.fileno(), self.adapter.stdin.fileno())
        self.events, self.output = {}, ""

    def read(self):
        message = self.wire.read()
        assert message is not None, self.adapter.communicate()
        if message["type"] == "event":
            self.events[message["event"]] = message["body"]
            if message["event"] == "output":
                self.output += message["body"]["output"]
        return message

    def wait(self, event):
        while event not in self.events:
            self.read()
        return self.events.pop(event)

    def ask(self, command, **arguments):
        """The answer's body, or its message."""
        self.wire.write("request", command=command, arguments=arguments)
        return self.answer(command)

    def answer(self, command):
        while True:
            message = self.read()
            if message["type"] == "response" and message["command"] == command:
                return message["body"] if message["success"] else message["message"]

    def begin(self, program, *breakpoints, **launch):
        self.ask("initialize", adapterID="cilk")
        assert self.ask("launch", program=str(program), **launch) == {}
        self.wait("initialized")
        found = self.ask("setBreakpoints", source={"path": str(program)}, breakpoints=list(breakpoints))
        self.ask("configurationDone")
        return found

    def run(self):
        code = self.wait("exited")["exitCode"]
        self.wait("terminated")
        self.ask("disconnect")
        return code, self.close()

    def close(self):
        self.adapter.stdin.close()
        errors = self.adapter.stderr.read().decode()
        return self.adapter.wait(60), errors


@pytest.fixture
def client(tmp_path):
    (tmp_path / "chain.cilk").write_text(CHAIN)
    made = Client(tmp_path)
    yield made
    made.adapter.kill()
    made.adapter.wait()


def test_the_session_of_a_client(client, tmp_path):
    """The stop is where all are suspended; what there is at that place follows from the text of the program."""
    answers, thread = [], None
    for text in SESSION.read_text().replace("FILE", str(tmp_path / "chain.cilk")).splitlines():
        request = json.loads(text)
        awaited = client.wait(AWAITED[request["command"]]) if request["command"] in AWAITED else {}
        thread = awaited.get("threadId", thread)
        arguments = request.get("arguments", {})
        if "threadId" in arguments:                     # which one it is is the runtime's choice
            arguments["threadId"] = thread
        if request["command"] == "setBreakpoints":
            arguments["breakpoints"][0]["line"] = line("ALL SUSPENDED")
        answers.append((request["command"], client.ask(request["command"], **arguments)))
    assert [name for name, body in answers if isinstance(body, str)] == []
    points = dict(answers)["setBreakpoints"]["breakpoints"]
    assert points[0]["verified"] and points[0]["line"] == line("ALL SUSPENDED") and not points[1]["verified"]
    names = [one["name"] for one in dict(answers)["threads"]["threads"]]
    assert any(name.startswith("worker 0: level at") for name in names) and any("worker 1" in name for name in names)
    frames = dict(answers)["stackTrace"]["stackFrames"]
    assert [frame["line"] for frame in frames] == [line("ALL SUSPENDED")] + [line("WAITS")] * 3 + [line("MAIN SPAWNS") + 1]
    assert frames[0]["name"] == "level  [worker 0]" and "a[depth & 1] = spawn" in frames[1]["name"]
    assert all(frame["name"].endswith("[suspended]") for frame in frames[1:])
    assert {frame["source"]["path"] for frame in frames} == {str(tmp_path / "chain.cilk")}
    values = [{one["name"]: one["value"] for one in body["variables"]} for name, body in answers if name == "variables"]
    assert values[0]["a"] == "{0, -1}" and values[1]["depth"] == "0" and '"array"' in values[1]["name"]
    assert values[2]["inner"] == "1001" and values[2]["got"] == "100" and '"inlet"' in values[3]["name"]
    assert [body["result"] for name, body in answers if name == "evaluate"] == ["1", "2"]
    assert client.output == "4708\n"
    assert client.wait("exited")["exitCode"] == 0 and client.close()[0] == 0


def test_a_run_is_recorded_and_repeated(client, tmp_path):
    program = tmp_path / "sum.cilk"
    program.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\ncilk int sum(int n) {\n  int x, y;\n  if (n < 2)\n    return n;\n"
        '  x = spawn sum(n / 2);\n  y = spawn sum(n - n / 2);\n  sync;\n  return x + y;\n}\nstruct two { int a; char b[3]; };\n'
        'cilk int main(int argc, char **argv) {\n  struct two t = { 7, "ab" };\n  struct two *p = &t;\n  int r;\n'
        '  r = spawn sum(atoi(argv[1]));\n  sync;\n  printf("%s %d\\n", getenv("WORD"), r + p->a);\n  return 3;\n}\n'
    )
    client.begin(program, nproc=2, record="run", args=["200"], env={"WORD": "it's \"so\""})
    assert client.run() == (3, (0, "")) and "it's \"so\" 207\n" in client.output
    again = Client(tmp_path)
    found = again.begin(program, {"line": 10, "condition": "n == 50"}, {"line": 19}, {"line": 5, "hitCondition": "9"},
                        {"line": 6, "condition": "no such ("},
                        nproc=2, replay="run", args=["200"], env={"WORD": "it's \"so\""}, stopOnEntry=True)
    assert [one["verified"] for one in found["breakpoints"]] == [True, True, True, False]
    stop = again.wait("stopped")
    assert stop["reason"] == "entry"
    again.ask("setBreakpoints", source={"path": str(program)}, breakpoints=[{"line": 10, "condition": "n == 50"}])
    assert again.ask("next", threadId=stop["threadId"]) == {} and again.wait("stopped")["reason"] == "step"
    again.ask("continue", threadId=stop["threadId"])
    stop = again.wait("stopped")
    frame = again.ask("stackTrace", threadId=stop["threadId"], levels=1)["stackFrames"][0]
    assert stop["reason"] == "breakpoint" and frame["line"] == 10
    assert again.ask("evaluate", expression="x + y", frameId=frame["id"])["result"] == "50"
    assert "worker" in again.ask("evaluate", expression="info cilk-workers", context="repl")["result"]
    again.ask("setBreakpoints", source={"path": str(program)}, breakpoints=[{"line": 19}])
    again.ask("continue", threadId=stop["threadId"])
    stop = again.wait("stopped")
    frame = again.ask("stackTrace", threadId=stop["threadId"])["stackFrames"][0]
    local = again.ask("variables", variablesReference=again.ask("scopes", frameId=frame["id"])["scopes"][0]["variablesReference"])
    pointer = next(one for one in local["variables"] if one["name"] == "p")
    target = again.ask("variables", variablesReference=pointer["variablesReference"])["variables"][0]
    members = again.ask("variables", variablesReference=target["variablesReference"])["variables"]
    assert [(one["name"], one["value"]) for one in members] == [("a", "7"), ("b", '"ab"')]
    again.ask("continue", threadId=stop["threadId"])
    assert again.run() == (3, (0, "")) and "it's \"so\" 207\n" in again.output


def test_a_suspended_procedure_is_a_thread(client, tmp_path):
    """`user` waits for a future that is no child of its own: it is in no worker's stack."""
    program = tmp_path / "future.cilk"
    program.write_text(
        "#include <unistd.h>\nvolatile int marks;\ncilk int slow(void) {\n  while (!marks)\n    usleep(1000);\n"
        "  usleep(500000);\n  return 5;\n}\ncilk int user(future int *f, int depth) {\n  int x;\n"
        "  __sync_fetch_and_add(&marks, 1);\n  x = touch *f;\n  return x + depth;\n}\ncilk int main(void) {\n"
        "  future int f;\n  int r;\n  f = spawn slow();\n  r = spawn user(&f, 3);\n  sync;\n  return r;\n}\n"
    )
    client.begin(program, {"line": 7}, nproc=2, flags=["-w"])
    client.wait("stopped")
    thread = next(one["id"] for one in client.ask("threads")["threads"] if one["name"] == "user: suspended")
    frames = client.ask("stackTrace", threadId=thread)["stackFrames"]
    assert [(frame["name"].split()[0], frame["line"]) for frame in frames] == [("user", 12), ("main", 20)]
    assert client.ask("evaluate", expression="depth * 2", frameId=frames[0]["id"])["result"] == "6"
    assert client.ask("next", threadId=thread) == "the procedure runs on no thread"
    client.ask("continue", threadId=thread)
    assert client.run() == (8, (0, ""))


def test_a_program_that_runs_can_be_paused(client, tmp_path):
    (tmp_path / "long.cilk").write_text("#include <stdio.h>\n#include <unistd.h>\ncilk int main(void) {\n"
                                         '  puts("begins");\n  for (;;)\n    usleep(1000);\n}\n')
    client.begin(tmp_path / "long.cilk", nproc=1)
    client.wait("output")
    assert client.ask("stackTrace", threadId=1) == "the program runs"
    assert client.ask("pause", threadId=1) == {}
    stop = client.wait("stopped")
    assert stop["reason"] == "pause"
    frames = client.ask("stackTrace", threadId=stop["threadId"])["stackFrames"]
    assert frames[-1]["name"].startswith("main") and frames[-1]["line"] in (4, 5, 6)     # `puts` may not have returned
    process = int(client.ask("evaluate", expression="info proc", context="repl")["result"].split()[1])
    client.ask("continue", threadId=stop["threadId"])
    assert client.close() == (0, "")                    # the client goes: so does the program, though it runs
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_wrong_messages_are_answered_by_errors(client, tmp_path):
    """All in one session, which goes on after each; a header that is none ends it with a message."""
    (tmp_path / "wrong.cilk").write_text("cilk int main(void) { return x; }\n")
    for command, arguments, words in (
        ("threads", {}, "no program was launched"),
        ("configurationDone", {}, "no program was launched"),
        ("pause", {}, "no program was launched"),
        ("launch", {}, "'program' is missing"),
        ("launch", {"program": "/no/such/file"}, "does not exist"),
        ("launch", {"program": "wrong.cilk"}, "undeclared"),
        ("launch", {"program": "chain.cilk", "args": [1]}, "'args'"),
        ("launch", {"program": "chain.cilk", "cwd": "/no/such"}, "folder"),
        ("launch", {"program": "chain.cilk", "env": {"A": "b\nshell touch made"}}, "newlines"),
        ("launch", {"program": "chain.cilk", "record": "a", "replay": "b"}, "exclude"),
        ("launch", {"program": "chain.cilk", "nproc": "two"}, "'nproc'"),
        ("launch", {"program": "chain.cilk", "replay": {}}, "'replay'"),
        ("launch", {"program": "chain.cilk"}, None),
        ("launch", {"program": "chain.cilk"}, "already"),
        ("stackTrace", {"threadId": 1}, "does not run"),
        ("setBreakpoints", {"source": 1}, "'source'"),
        ("setBreakpoints", {"source": {"path": "chain.cilk"}, "breakpoints": [1]}, "not an object"),
        ("setBreakpoints", {"source": {"path": "chain.cilk"}, "breakpoints": [{"line": True}]}, "'line'"),
        ("setFunctionBreakpoints", {"breakpoints": [{"name": "main"}, {"name": "no such"}]}, None),
        ("__init__", {}, "no request"),
        ("noSuchRequest", {}, "no request"),
        ("configurationDone", {}, None),
        ("variables", {"variablesReference": 10**30}, "there are no variables"),
        ("scopes", {"frameId": -1}, "there is no frame"),
        ("stackTrace", {"threadId": 10**30}, "no thread"),
        ("stackTrace", {"threadId": 77}, "there is no thread 77"),
        ("next", {"threadId": "1"}, "'threadId'"),
        ("evaluate", {"expression": "1 +"}, "syntax error"),
        ("evaluate", {}, "'expression'"),
    ):
        said = client.ask(command, **arguments)
        if words is None:
            assert isinstance(said, dict), said
            if command == "configurationDone":
                client.wait("stopped")
        else:
            assert isinstance(said, str) and words in said, (command, arguments, said)
    assert not (tmp_path / "made").exists()
    for text in (b"{", b"[1]", b'"x"', b"[" * 100000, b"\xff", b'{"type": "response"}', b'{"type": "request", "seq": []}'):
        client.adapter.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        client.adapter.stdin.flush()
        client.events.pop("output", None)
        assert "cilkc dap: " in client.wait("output")["output"], text[:40]
    client.adapter.stdin.write(b"GET / HTTP/1.1\r\n\r\n")
    status, errors = client.close()
    assert status == 1 and "not a header" in errors
