"""What runs a tool for an editor: `cilkc race` and `cilkc profile`, as messages and as measures of procedures, and
`cilkc prove`, as hints.

A profile is kept beside the source as NAME.profile.json, which `cilkc profile --json` writes too: the last one is
shown until there is another.
"""

import json
import os
import signal
import subprocess

from lsprotocol import types

from tools import instrumented

from .compiler import command

LIMIT = 120             # seconds for one run
PROOF = 20              # seconds for a proof
KEPT = 50               # texts whose proofs are kept


def number(n):
    for unit, word in ((10**9, "billion"), (10**6, "million")):
        if n >= unit:
            return "%.3g %s" % (n / unit, word)
    return "{:,}".format(int(n))


def profile_name(path):
    return os.path.splitext(path)[0] + ".profile.json"


class Measures:
    """The last profile of a file; nothing where there is none, or none that can be read."""

    def __init__(self, path):
        self.of, self.places = {}, []       # texts of procedures; (file, line, text) where most of the span is
        name = profile_name(path)
        try:
            if os.path.isfile(name):        # from a pipe nothing may ever come
                with open(name) as file:
                    self.read(json.load(file))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            self.of, self.places = {}, []

    def read(self, made):
        for row in made["procedures"]:
            whole = row["inclusive"]
            self.of[row["procedure"]] = "last profile: work %s, span %s, parallelism %.3g, %s instances" % (
                number(whole["work"]),
                number(whole["span"]),
                whole["parallelism"],
                number(row["instances"]),
            )
        span = made["span"]
        for row in made["sites"][:5]:
            share = row["work_on_span"] / span if span else 0
            if share >= 0.1:
                text = "%.0f %% of the span is here (%s instructions of %s)"
                text %= 100 * share, number(row["work_on_span"]), number(span)
                self.places.append((row["file"], row["line"], text))

    def of_procedure(self, name):
        return ["", self.of[name]] if name in self.of else []


class Failed(Exception):
    """The program could not be run; the text says why."""


running = {}            # tools, and the file that each runs
proved = {}             # (path, flags, lines): what was printed of it


def end(path=None):
    """Ends the tools that run this file, or any; they end their programs."""
    for process, of in list(running.items()):
        if path in (None, of):
            process.terminate()


def result_of(words, path):
    """JSON that a tool prints."""
    with subprocess.Popen(command(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=os.path.dirname(path), start_new_session=True,
                          preexec_fn=instrumented.ends_with_us(signal.SIGTERM)) as process:
        running[process] = path
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.terminate()
            raise Failed("it took more than %d s" % LIMIT)
        finally:
            del running[process]
    text = out.decode("utf-8", "replace")
    try:
        return json.loads(text[text.index("{"):])
    except ValueError:
        last = err.decode("utf-8", "replace").strip().splitlines()
        errors = [line for line in last if "error:" in line]
        raise Failed((errors or last or ["it ended with status %d" % process.returncode])[0])


def races(path, flags, arguments, texts):
    """Diagnostics for what `cilkc race` finds, by file."""
    made = result_of(["race", "--json", *flags, path, "--", *arguments], path)
    found = {}
    for one in made.get("races", []):
        first, second = one["accesses"][0], one["accesses"][-1]
        for here, there in ((first, second), (second, first)):
            text = texts(here["file"])
            start = text.position(here["line"], here["column"] or 1)
            end = types.Position(start.line, start.character + max(len(here.get("text") or ""), 1))
            related = [
                types.DiagnosticRelatedInformation(location(texts, there),
                                                   "the %s in %s" % (there["kind"], there["procedure"]))
            ]
            related += [types.DiagnosticRelatedInformation(location(texts, step), step["text"])
                        for step in here["path"]]
            message = "determinacy race on '%s': this %s runs in parallel with the %s at line %d" % (
                one["object"], here["kind"], there["kind"], there["line"]
            )
            if one.get("hint"):
                message += "\n" + one["hint"]
            rows = found.setdefault(here["file"], [])
            if not any(row.range.start == start and row.message == message for row in rows):
                rows.append(types.Diagnostic(types.Range(start, end), message, severity=types.DiagnosticSeverity.Error,
                                             code="race", source="cilkc race", related_information=related))
    return found


def location(texts, place):
    from .answers import uri_of
    at = texts(place["file"]).position(place["line"], place["column"] or 1)
    return types.Location(uri_of(place["file"]),
                          types.Range(at, types.Position(at.line, at.character + max(len(place.get("text") or ""), 1))))


def proofs(path, flags, arguments, texts):
    """What `cilkc prove` says of each procedure. The same text is not proved twice."""
    key = path, tuple(flags), tuple(texts(path).lines)
    if key not in proved:
        while len(proved) >= KEPT:
            del proved[next(iter(proved))]
        proved[key] = result_of(["prove", "--json", "--no-inputs", "--timeout", str(PROOF), "-w", *flags, path], path)
    return proved[key], {}


def profile(path, flags, arguments, texts):
    """Runs it, keeps the profile; hints at the lines that hold the span, by file."""
    made = result_of(["profile", "--json", *flags, path, "--", *arguments], path)
    name = profile_name(path)
    with open(name + ".new", "w") as file:
        json.dump(made, file, indent=1)
    os.replace(name + ".new", name)
    found = {}
    for file_name, line, words in Measures(path).places:
        text = texts(file_name).line(line - 1)
        start = len(text) - len(text.lstrip())
        where = types.Range(types.Position(line - 1, start),
                            types.Position(line - 1, max(len(text.rstrip()), start + 1)))
        found.setdefault(file_name, []).append(
            types.Diagnostic(where, words, severity=types.DiagnosticSeverity.Information, code="profile",
                             source="cilkc profile")
        )
    return made, found
