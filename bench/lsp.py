"""`python3 -m bench.lsp [FILE]`: how long an editor waits for the messages of `cilkc lsp`, and what that costs.

The editor here is a few lines of JSON, so that nothing but the server is measured. Without a FILE the text has 1,000
lines of procedures, and one mistake. A round starts a server, opens the text, and changes it once. Processor time is
that of the server and of what it has started and waited for; the machine need not be idle for it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from typing import Any, Callable

from .build import CILKC

LINES = 1000
HEAD = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>", ""]
PROCEDURE = """struct node%d { int value; struct node%d *left, *right; double weights[8]; };
cilk int walk%d(struct node%d *t, int n)
{
    int x, y, tries = 0;
    if (n < 2 || t == NULL) return n;
    x = spawn walk%d(t->left, n - 1);
    y = spawn walk%d(t->right, n - 2);
    tries++;
    sync;
    for (int k = 0; k < 8; k++)
        t->weights[k] = t->value * 1.5 + k;
    if (strlen("abc") > 2)
        printf("%%d %%f\\n", tries, t->weights[3]);
    return x + y + 0 * tries;
}
"""
TICK = 1000 / os.sysconf("SC_CLK_TCK")      # milliseconds
METHOD = "textDocument/publishDiagnostics"


def text() -> str:
    lines, number = list(HEAD), 0
    while len(lines) < LINES - 1:
        lines += (PROCEDURE % ((number,) * 6)).splitlines()
        number += 1
    return "\n".join([*lines[: LINES - 1], "int last = undeclared;", ""])


class Editor:
    def __init__(self) -> None:
        self.server = subprocess.Popen([CILKC, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        assert self.server.stdin
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def read(self, wanted: Callable[[Any], bool]) -> Any:
        assert self.server.stdout
        while True:
            length = 0
            for line in iter(self.server.stdout.readline, b"\r\n"):
                name, _, value = line.partition(b":")
                if not line:
                    raise SystemExit("bench.lsp: the server has ended")
                if name.lower() == b"content-length":
                    length = int(value)
            message = json.loads(self.server.stdout.read(length))
            if wanted(message):
                return message

    def used(self) -> float:
        """Milliseconds of processor time."""
        with open("/proc/%d/stat" % self.server.pid) as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:15])) * TICK

    def time_answer(self, act: Callable[[], None], wanted: Callable[[Any], bool]) -> tuple[float, float]:
        """Wall clock and processor time, in milliseconds, from a message to its answer."""
        began, used = time.monotonic(), self.used()
        act()
        self.read(wanted)
        return (time.monotonic() - began) * 1000, self.used() - used


def one_round(source: str, folder: str) -> list[tuple[float, float]]:
    editor, uri = Editor(), "file://%s/bench.cilk" % folder
    document = {"uri": uri, "languageId": "cilk", "version": 1, "text": source}
    change = {"textDocument": {"uri": uri, "version": 2},
              "contentChanges": [{"text": source + "int more = missing;\n"}]}

    def published(message: Any) -> bool:
        return message.get("method") == METHOD
    begin = {"processId": None, "rootUri": None, "capabilities": {}}
    times = [editor.time_answer(lambda: editor.send("initialize", begin, 1), lambda message: message.get("id") == 1)]
    editor.send("initialized", {})
    time.sleep(1)       # the driver of the first compilation has started then
    times.append(editor.time_answer(lambda: editor.send("textDocument/didOpen", {"textDocument": document}), published))
    time.sleep(1)
    times.append(editor.time_answer(lambda: editor.send("textDocument/didChange", change), published))
    editor.send("shutdown", None, 2)
    editor.read(lambda message: message.get("id") == 2)
    editor.send("exit", None)
    editor.server.wait()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.lsp", description="How long an editor waits for cilkc lsp.")
    parser.add_argument("file", nargs="?", metavar="FILE", help="the text (default: 1,000 lines made up)")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="how many servers are started (9)")
    options = parser.parse_args()
    source = text()
    if options.file:
        with open(options.file) as file:
            source = file.read()
    with tempfile.TemporaryDirectory() as folder:
        rounds = [one_round(source, folder) for _ in range(options.rounds)]
    print("%d lines, medians of %d rounds; load average %.1f" % (source.count("\n"), len(rounds), os.getloadavg()[0]))
    print("%-34s %8s %8s %14s" % ("milliseconds", "wall", "least", "processor"))
    for place, name in enumerate(("start to the answer of initialize", "open to messages", "change to messages")):
        walls = [one[place][0] for one in rounds]
        used = statistics.median(one[place][1] for one in rounds)
        print("%-34s %8.0f %8.0f %14.0f" % (name, statistics.median(walls), min(walls), used))


if __name__ == "__main__":
    main()
