"""What a request asks for, in the sandbox of `cilkc grade`: the program's text goes in, the bytes of a result come
out."""

import json
import os
import shutil
import tempfile

from grade import cell, sandbox
from grade.workshop import NEEDED, TOOLCHAIN, provide, toolchain

from . import turns, tutorial

MOST_TEXT = 1 << 18         # characters of a program
GONE = "the client is gone"
AT_ONCE = 3                 # requests that run; further ones wait for their turn
LIMITS = cell.Limits(time=20, memory=1 << 30, processes=64, disk=64 << 20, files=400, output=8 << 20)
SUFFIXES = {"cilk": "prog.cilk", "cilk1": "prog.cilk1", "c": "prog.c"}

# For sh: $0 is cilkc, $F the file, $L the flags of its language, "$@" the program's arguments. `text`: what it prints
# is shown as text; `svg` and `html`: as a picture or a page, which the tool wrote to a file; what the program and the
# tool printed goes to stderr then.
TO_FILE = '"$0" %s ${TMPDIR:-/tmp}/made.html "$F" $L -lm -- "$@" >&2; status=$?; cat ${TMPDIR:-/tmp}/made.html 2>/dev/null; exit $status'
ACTIONS = {
    "run": ("text", '"$0" run -Wall $L "$F" -lm -- "$@"'),
    "check": ("json", '"$0" check --json -Wall $L "$F"'),
    "elide": ("text", '"$0" elide $L "$F"'),
    "clones": ("text", '"$0" emit --stage clones $L "$F"'),
    "dag": (
        "svg",
        '"$0" dag -o ${TMPDIR:-/tmp}/made.svg "$F" $L -lm -- "$@" >&2; status=$?; cat ${TMPDIR:-/tmp}/made.svg 2>/dev/null; exit $status',
    ),
    "trace": ("html", TO_FILE % "trace --html"),
    "profile": ("html", TO_FILE % "profile --html"),
    "race": ("html", TO_FILE % "race --html"),
    "step": ("html", TO_FILE % "step -o"),
    "explore": ("html", TO_FILE % "explore --time 6 -o"),
}


class Wrong(Exception):
    """A request that names no action or language, or is too long."""


def is_program(request):
    text, language, arguments = (request.get(name) for name in ("text", "language", "arguments"))
    return (
        isinstance(text, str)
        and isinstance(language, str)
        and language in SUFFIXES
        and isinstance(arguments, list)
        and all(isinstance(word, str) and "\0" not in word and len(word) < 1000 for word in arguments)
        and len(arguments) <= 100
    )


def check_length(text):
    if len(text) > MOST_TEXT:
        raise Wrong("the program is longer than %d characters" % MOST_TEXT)


def shared(request):
    """The bytes that a share link leads to: what the page loads in place of an example."""
    if not is_program(request):
        raise Wrong("this is not a request of the page")
    check_length(request["text"])
    name = "shared" + os.path.splitext(SUFFIXES[request["language"]])[1]
    return json.dumps([name, request["text"], " ".join(request["arguments"])[:1000]]).encode()


class Watched:
    """A cell whose runs end when the client goes."""

    def __init__(self, cell, gone):
        self.cell, self.gone = cell, gone

    def run(self, place, words, limits, stdin=b""):
        outcome = self.cell.run(place, words, limits, stdin, unwanted=self.gone)
        if outcome.incident == "unwanted":
            raise Wrong(GONE)
        return outcome


class Work:
    def __init__(self, kind, at_once=AT_ONCE, limits=None):
        self.cell, self.turns, self.limits = cell.Cell(kind), turns.Turns(at_once), limits

    def close(self):
        self.cell.close()

    def do(self, request, gone, visitor=""):
        """{kind, status, out, err, note} of an action on a text. Nothing runs, or goes on, for a client that is
        `gone()`."""
        action, limits = request.get("action"), self.limits or LIMITS
        if action == "check-step" and request.get("step") in tutorial.names() and is_program(request):
            check_length(request["text"])
            with self.turns.turn(visitor, request.get("ticket"), gone):
                made = tutorial.check(request["step"], request["text"], Watched(self.cell, gone))
            return {"kind": "checks", "status": 0, "out": made, "err": "", "note": ""}
        if not isinstance(action, str) or action not in ACTIONS or not is_program(request):
            raise Wrong("this is not a request of the page")
        text, language, arguments = request["text"], request["language"], request["arguments"]
        check_length(text)
        kind, script = ACTIONS[action]
        name = SUFFIXES[language]
        script = "F=%s; L='%s'; export CILKC_TRACEBACK=; %s" % (name, "-fopencilk" if language == "c" else "", script)
        provide(NEEDED.get(action, ()))
        folder = tempfile.mkdtemp(prefix="cilkc-play-")
        try:
            os.chmod(folder, 0o755)
            with open(os.path.join(folder, name), "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            place = sandbox.Place([*toolchain(), (folder, "/submission")], ["/submission"])
            with self.turns.turn(visitor, request.get("ticket"), gone):
                if gone():
                    raise Wrong(GONE)
                words = ["/bin/sh", "-c", script, TOOLCHAIN + "/cilkc", *arguments]
                outcome = self.cell.run(place, words, limits, unwanted=gone)
                if outcome.incident == "unwanted":
                    raise Wrong(GONE)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        out, err = (data.decode("utf-8", "replace").replace(sandbox.FOLDER + "/", "")
                    for data in (outcome.out, outcome.err))
        note = ("" if outcome.fine or (outcome.status is not None and not outcome.incident and not outcome.signal)
                else outcome.describe(limits))
        if kind == "json":
            try:
                out = json.loads(out)
            except ValueError:
                out = []
        return {"kind": kind, "status": outcome.status, "out": out, "err": err, "note": note}
