"""All messages of one call as one document: JSON in gcc's form, or SARIF 2.1.0.

Input: what would have gone to stderr, piece by piece (console.write_stderr): arrays of cilkc1, which makes JSON by
itself, and lines of the preprocessor, the linker and this driver. Output: one document, on stderr or where the
command says; nothing else is written. Imported only by calls that ask for it.

A line that has the shape `file:line:column: kind: text` is a diagnostic; what follows it indented shows the source,
which the reader has. What a tool says that has no such shape becomes a note of its message.
"""

import json
import os
import re

from . import console

from . import home

from . import processes

LOCATED = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>fatal error|internal error|error|warning|note|remark): (?P<text>.*)"
)
UNLOCATED = re.compile(r"(?P<tool>[\w./+-]+): (?P<kind>fatal error|internal error|error|warning|note): (?P<text>.*)")
LINKER = re.compile(r"(?:.*/)?(?P<tool>ld|ld\.\w+|mold|lld|collect2)(?:\.\w+)?: (?P<text>.*)")
LINKER_ERRORS = ("undefined reference to", "multiple definition of", "cannot find", "undefined symbol",
                 "undefined hidden symbol")
FLAG = re.compile(r" \[(-W[\w+=-]+)\]$")
REPORTED_ELSEWHERE = re.compile(
    r"In file included from |  +from |compilation terminated\.|\d+ (?:warnings?|errors?)\b.* generated\.|.*: In function |.*: (?:At top level|in function)"
)


class Report(console.Messages):
    def __init__(self, form):
        self.form = form            # json or sarif
        self.entries = []           # as gcc has them
        self.loose = []             # lines that wait for the message which they belong to

    # ---- what comes in
    def take(self, data):
        text = data.decode("utf-8", "replace")
        while text:
            if text.lstrip().startswith("["):
                try:
                    start = len(text) - len(text.lstrip())
                    made, end = json.JSONDecoder().raw_decode(text, start)
                    if isinstance(made, list) and all(isinstance(e, dict) and "kind" in e for e in made):
                        self.entries += made
                        text = text[end:].lstrip("\n")
                        continue
                except ValueError:
                    pass
            line, _, text = text.partition("\n")
            self.line(line)

    def line(self, line):
        line = line.rstrip("\r")
        found = LOCATED.fullmatch(line)
        if found:
            self.located(found)
            return
        found = UNLOCATED.fullmatch(line)
        if found:
            tool = os.path.basename(found["tool"])
            self.unlocated(found["kind"], found["text"] if tool == "cilkc" else "%s: %s" % (tool, found["text"]))
            return
        if not line.strip() or REPORTED_ELSEWHERE.match(line):
            return
        if any(words in line for words in LINKER_ERRORS):
            place = re.match(r"(?:.*/ld[\w.]*: )?([^:()]+):(\d+): (.*)", line)
            if place:
                self.entries.append(entry("error", place[3], place[1], int(place[2])))
            else:
                self.unlocated("error", line)
            return
        if line[:1] in " \t":
            last = self.entries[-1] if self.entries else None
            if last is not None and not last["locations"] and not self.loose:
                last["children"].append(entry("note", line.strip()))
            return                      # else the source line below a message, its caret
        found = LINKER.fullmatch(line)
        self.loose.append(found["text"] if found else line)

    def located(self, found):
        text, option = found["text"], None
        flag = FLAG.search(text)
        if flag:
            text, option = text[:flag.start()], flag[1]
        made = entry(found["kind"], text, found["file"], int(found["line"]), int(found["column"] or 0))
        if option:
            made["option"] = option
            made["code"] = option.removeprefix("-Werror=").removeprefix("-W")
        if found["kind"] == "note" and self.entries and self.entries[-1]["locations"]:
            self.entries[-1]["children"].append(made)
        else:
            self.entries.append(made)

    def unlocated(self, kind, text):
        made = entry(kind, text)
        made["children"] = [entry("note", line) for line in self.loose]
        self.loose = []
        self.entries.append(made)

    # ---- what goes out
    def finish(self, status):
        """Writes the document."""
        if self.loose:
            self.unlocated("error" if status else "note", self.loose.pop(0))
        if self.form == "sarif":
            document = sarif(self.entries, status)
            data = json.dumps(document, indent=2) + "\n"
        else:
            data = "[%s]\n" % ",\n ".join(json.dumps(e, ensure_ascii=False) for e in self.entries)
        write = console.put if self.where == 1 else console.write_all
        write(self.where, data.encode("utf-8", "surrogateescape"))


def entry(kind, text, file=None, line=0, column=0):
    locations = []
    if file is not None:
        locations = [
            {"caret": {"file": file, "line": line, "column": column, "byte-column": column, "display-column": column}}
        ]
    return {"kind": kind, "message": text, "column-origin": 1, "locations": locations, "fixits": [], "children": []}


# ---------------------------------------------------------------- SARIF

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"error": "error", "fatal error": "error", "internal error": "error", "warning": "warning", "note": "note",
          "remark": "note"}
SAFE = "/~-._"


def uri_of(path):
    from urllib.parse import quote
    return quote(os.fsencode(path), safe=SAFE)


class Sources:
    """The texts of files, for columns: SARIF counts characters, we count bytes."""

    def __init__(self):
        self.lines = {}

    def line(self, file, number):
        if file not in self.lines:
            try:
                with open(file, "rb") as opened:
                    self.lines[file] = opened.read().split(b"\n")
            except OSError:
                self.lines[file] = []
        lines = self.lines[file]
        return lines[number - 1] if 0 < number <= len(lines) else None

    def column(self, place):
        """In characters, from 1; 0: not known."""
        line = self.line(place["file"], place["line"])
        column = place.get("byte-column") or place.get("column") or 0
        return len(line[:column - 1].decode("utf-8", "replace")) + 1 if line is not None and column > 0 else column


class Sarif:
    def __init__(self):
        self.sources, self.files, self.rules = Sources(), [], {}

    def file(self, name):
        if name not in self.files:
            self.files.append(name)
        place = {"uri": ("file://" if os.path.isabs(name) else "") + uri_of(name), "index": self.files.index(name)}
        if not os.path.isabs(name):
            place["uriBaseId"] = "PWD"
        return place

    def region(self, first, last=None, after=None):
        """From `first` to the character `last`, or to before `after`."""
        made = {"startLine": first["line"]}
        column = self.sources.column(first)
        if column:
            made["startColumn"] = column
        if last and last["line"] >= first["line"]:
            end = dict(last, **{"byte-column": (last.get("byte-column") or last["column"]) + 1})
            made["endLine"], made["endColumn"] = last["line"], max(self.sources.column(end), 1)
        elif after and column:
            made["endLine"], made["endColumn"] = after["line"], max(self.sources.column(after), 1)
        return made

    def physical(self, location):
        caret = location["caret"]
        first, last = location.get("start") or caret, location.get("finish")
        made = {"artifactLocation": self.file(caret["file"]), "region": self.region(first, last)}
        text = self.sources.line(caret["file"], caret["line"])
        if text is not None and len(text) < 2000:
            made["contextRegion"] = {"startLine": caret["line"],
                                     "snippet": {"text": text.decode("utf-8", "replace") + "\n"}}
        return made

    def related(self, found):
        """The further ranges and the notes, each with its text."""
        made = [{"physicalLocation": self.physical(place)} for place in found["locations"][1:] if usable(place)]
        for note in found["children"]:
            one: "dict" = {"message": {"text": note["message"]}}
            places = [place for place in note["locations"] if usable(place)]
            if places:
                one["physicalLocation"] = self.physical(places[0])
            made.append(one)
        return [dict(one, id=number) for number, one in enumerate(made, 1)]

    def rule(self, code, kind):
        if code not in self.rules:
            rule = {"id": code, "defaultConfiguration": {"level": LEVELS.get(kind, "warning")}}
            status, text = processes.output_of([home.cilkc1(), "--explain=" + code])
            if status == 0 and text.strip():
                rule["help"] = {"text": text.strip()}
            self.rules[code] = rule
        return list(self.rules).index(code)

    def fixes(self, found):
        """What the message and its notes say to write."""
        made = []
        for source in [found] + found["children"]:
            changes = {}
            for fix in source.get("fixits", []):
                if fix["start"]["line"] and fix["start"]["file"]:
                    changes.setdefault(fix["start"]["file"], []).append(
                        {"deletedRegion": self.region(fix["start"], after=fix["next"]),
                         "insertedContent": {"text": fix["string"]}}
                    )
            if changes:
                made.append({"description": {"text": source["message"]},
                             "artifactChanges": [{"artifactLocation": self.file(file), "replacements": changes[file]}
                                                 for file in changes]})
        return made

    def result(self, found):
        made: "dict" = {"level": LEVELS.get(found["kind"], "error"), "message": {"text": found["message"]}}
        if found.get("code"):
            made["ruleIndex"] = self.rule(found["code"], found["kind"])
            made["ruleId"] = found["code"]
        places = [place for place in found["locations"] if usable(place)]
        if places:
            made["locations"] = [{"physicalLocation": self.physical(places[0])}]
        for name, value in (("relatedLocations", self.related(found)), ("fixes", self.fixes(found))):
            if value:
                made[name] = value
        return made


def usable(place):
    return bool(place["caret"]["file"]) and place["caret"]["line"] > 0


def sarif(entries, status):
    made = Sarif()
    results = [made.result(found) for found in entries]
    folder = "file://" + uri_of(os.getcwd().rstrip("/")) + "/"
    run = {
        "tool": {"driver": {"name": "cilkc", "version": home.VERSION, "rules": list(made.rules.values())}},
        "invocations": [{"executionSuccessful": status == 0, "exitCode": status, "workingDirectory": {"uri": folder}}],
        "originalUriBaseIds": {"PWD": {"uri": folder}},
        "artifacts": [{"location": {k: v for k, v in made.file(name).items() if k != "index"}} for name in made.files],
        "columnKind": "unicodeCodePoints", "results": results
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
