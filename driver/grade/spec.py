"""SPEC.toml: what is graded, the limits, and the checks with their points. docs/grading.md describes the keys.

`read` returns a Spec, or stops with one message that names the place: the table, the key, and what is allowed there.
"""

import difflib
import hashlib
import os
import re

from cilkc_driver.console import Stop
from cilkc_driver.options import natural

from .cell import Limits

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LIMITS = {"time": 10.0, "memory": 1 << 29, "processes": 64, "disk": 1 << 26, "files": 1000, "output": 1 << 20}
TOOLS = {"tools-time": 60.0, "tools-memory": 1 << 30}       # of the compiler and of cilkc's tools
LARGEST_OUTPUT = 1 << 28                                    # of a compiler: the program
MOST_RUNS = 100000                                          # what `cilkc sched-test --runs` takes


def wrong(where, text):
    raise Stop("%s: %s" % (where, text), 2)


# ---- values: each takes (value, where) and returns what is meant ----------------------------------------------------

def text(value, where):
    if not isinstance(value, str):
        wrong(where, "a string is expected")
    return value


def words(value, where):
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        wrong(where, "a list of strings is expected: [\"10\", \"x\"]")
    return value


def number(value, where):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
        wrong(where, "a number of 0 or more is expected")
    return value


def positive(value, where):
    if number(value, where) == 0:
        wrong(where, "a number above 0 is expected")
    return value


def seconds(value, where):
    if not 0.1 <= number(value, where) <= 86400:        # the range of the tools' --timeout
        wrong(where, "a number of seconds from 0.1 to 86400 is expected")
    return value


def whole(value, where):
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
        wrong(where, "a whole number is expected")
    return value


def runs(value, where):
    if whole(value, where) > MOST_RUNS:
        wrong(where, "a whole number of at most %d is expected" % MOST_RUNS)
    return value


def yes_or_no(value, where):
    if not isinstance(value, bool):
        wrong(where, "true or false is expected")
    return value


def size(value, where):
    match = re.fullmatch(r"(\d+)([KMG]?)B?", str(value))
    made = (natural(match[1]) or 0) * UNITS[match[2]] if match else 0
    if 0 < made < 1 << 63:                            # what limits and file systems can count
        return made
    wrong(where, "a size is expected: 65536, \"64K\", \"512M\", \"2G\"")


def workers(value, where):
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(n, int) and 1 <= n <= 1024 for n in values):
        wrong(where, "numbers of workers are expected: 2, or [1, 2, 4]")
    return values


def pattern(value, where):
    try:
        return re.compile(text(value, where).encode())
    except re.error as error:
        wrong(where, "this is not a regular expression: %s" % error)


def one_of(*allowed):
    def check(value, where):
        if value not in allowed:
            wrong(where, "one of %s is expected" % ", ".join(allowed))
        return value
    return check


def file_name(value, where):
    if not isinstance(value, str) or not value or os.path.isabs(value) or ".." in value.split("/"):
        wrong(where, "the name of a file below the folder of the specification is expected")
    return value


def list_of(kind):
    def check(value, where):
        if not isinstance(value, list) or not value:
            wrong(where, "a list is expected")
        return [kind(item, where) for item in value]
    return check


LIMIT_KEYS = {"time": seconds, "memory": size, "processes": whole, "disk": size, "files": whole, "output": size,
              "tools-time": seconds, "tools-memory": size}
TOP_KEYS = {"title": text, "submission": list_of(file_name), "files": list_of(file_name),
            "reference": list_of(file_name), "flags": words, "limits": dict, "check": list, "allow": words,
            "pragmas": one_of("ignore", "heed")}


def table(value, keys, where, required=()):
    """A table of these keys, checked."""
    if not isinstance(value, dict):
        wrong(where, "a table is expected")
    made = {}
    for key, item in value.items():
        if key not in keys:
            close = difflib.get_close_matches(key, keys, n=1)
            wrong(where, "unknown key '%s'; %s"
                  % (key, "did you mean '%s'?" % close[0] if close else "allowed are " + ", ".join(sorted(keys))))
        made[key] = item if keys[key] in (dict, list) else keys[key](item, "%s, %s" % (where, key))
    for key in required:
        if key not in made:
            wrong(where, "the key '%s' is missing" % key)
    return made


class Spec:
    """folder: of the specification; all its files are below."""

    def __init__(self, path, data, kinds):
        self.path, self.folder = path, os.path.dirname(os.path.abspath(path))
        where = os.path.basename(path)
        top = table(data, TOP_KEYS, where, ("submission", "check"))
        self.title = top.get("title", where)
        self.submission, self.files, self.reference = top["submission"], top.get("files", []), top.get("reference", [])
        self.flags, self.allow = top.get("flags", ["-O2"]), top.get("allow", [])
        # of `cilkc race`: a submission does not say itself where it has no races
        self.race_flags = [] if top.get("pragmas") == "heed" else ["-fno-cilk-race-pragmas"]
        for name in self.files + self.reference:
            if not os.path.isfile(os.path.join(self.folder, name)):
                wrong(where, "the file '%s' does not exist" % name)
        self.read_limits(top.get("limits", {}), where + ", limits")
        if not isinstance(top["check"], list):
            wrong(where, "checks are tables that begin with [[check]]")
        self.checks = [self.read_check(row, position, where, kinds) for position, row in enumerate(top["check"], 1)]
        if not self.checks:
            wrong(where, "there is no [[check]]")
        names = [check.name for check in self.checks]
        for name in names:
            if names.count(name) > 1:
                wrong(where, "two checks have the name '%s'; give one of them another `name`" % name)

    def read_limits(self, value, where):
        limits = table(value, LIMIT_KEYS, where)
        self.limits = Limits(**{name: limits.get(name, LIMITS[name]) for name in LIMITS})
        tools = {name: limits.get(name, TOOLS[name]) for name in TOOLS}
        # Tools write programs and reports, and start many programs of their own.
        self.tool_limits = self.limits.but(
            time=tools["tools-time"], memory=tools["tools-memory"], disk=max(LARGEST_OUTPUT, self.limits["disk"]),
            files=max(1000, self.limits["files"]), processes=max(256, self.limits["processes"]), output=LARGEST_OUTPUT
        )

    def read_check(self, row, position, where, kinds):
        where = "%s, check %d" % (where, position)
        kind = row.get("kind") if isinstance(row, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            close = difflib.get_close_matches(str(kind), kinds, n=1)
            wrong(where, "the kind is %r; %s"
                  % (kind, "did you mean '%s'?" % close[0] if close else "there are " + ", ".join(sorted(kinds))))
        made = kinds[kind]
        keys = {"kind": text, "name": text, "points": number, "partial": yes_or_no, "hidden": yes_or_no, **made.keys}
        return made(self, table(row, keys, '%s ("%s")' % (where, kind), ("points", *made.required)),
                    '%s ("%s")' % (where, kind))

    def read_file(self, name, where):
        path = os.path.join(self.folder, file_name(name, where))
        try:
            if os.path.exists(path) and not os.path.isfile(path):
                wrong(where, "%s is not a regular file" % name)
            with open(path, "rb") as file:
                return file.read()
        except OSError as error:
            wrong(where, "%s: %s" % (name, error.strerror))

    def fingerprint(self):
        """A digest of all files below the folder on which the verdicts depend: the specification, and each file that
        it may name."""
        digest = hashlib.sha256()
        with open(self.path, "rb") as file:
            digest.update(file.read())
        for check in self.checks:
            for name in check.files():
                digest.update(name.encode() + b"\0" + self.read_file(name, name))
        for name in self.files + self.reference:
            digest.update(name.encode() + b"\0" + self.read_file(name, name))
        return digest.hexdigest()



def possible(value):
    """Refuses what no file, argument or limit can be."""
    if isinstance(value, (dict, list)):
        for item in [*value, *(value.values() if isinstance(value, dict) else ())]:
            possible(item)
    elif isinstance(value, str) and "\0" in value:
        raise ValueError("a string has a zero byte")
    elif isinstance(value, int) and not -1 << 63 <= value < 1 << 63:
        raise ValueError("a whole number has more than 64 bits")


def read(path, kinds):
    """kinds: {name: class of check}"""
    try:
        import tomllib
    except ImportError:
        raise Stop("cilkc grade needs Python 3.11 or newer, to read %s" % path, 2)
    if os.path.exists(path) and not os.path.isdir(path) and not os.path.isfile(path):
        raise Stop("%s is not a regular file" % path, 2)        # it is read more than once
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        possible(data)
    except OSError as error:
        raise Stop("%s: %s" % (path, error.strerror), 2)
    except (ValueError, RecursionError) as error:
        raise Stop("%s: %s" % (path, error), 2)
    return Spec(path, data, kinds)
