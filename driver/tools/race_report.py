"""What runs of a program under the race detector found: the kinds, each pair of lines once, hints, JSON.

What was found is a dictionary as the detector writes it (rt/tools/race/report.c): its type, the object, two accesses,
the spawns that make them parallel.
"""

import json
import re
import os
import signal

from cilkc_driver import home

from . import instrumented, source

# By the detector's type: does it count for the exit status? A note does not.
COUNTS = {"race": True, "early": True, "unordered": False, "held": True, "inversion": True, "split": False,
          "view": False, "unjoined": True, "sequence": False}


MOST_LINES = 40         # from a decision to the spawn that it is about


def as_written(row):
    """What a function's loops and waited calls became has the function's own name (frontend/sema/opencilk/outline.cpp
    adds to it)."""
    if isinstance(row.get("procedure"), str):
        row["procedure"] = re.sub(r"(\.[a-z]+\.[0-9]+)+$", "", row["procedure"])
    return row


class Report:
    def __init__(self, path, status, order):
        """order: what deliveries that do not commute are: "note", "error", "off"."""
        self.rows = []
        self.memory = self.found = 0
        self.synched_asked = False
        self.unseen, self.proof = [], None
        self.workers = 0        # on which it ran, where that was not the serial form
        self.threads = []
        self.decisions = []     # by which a result kept code from running
        # atomic operations that were taken for those of a lock, wrongly: races may have been missed
        self.no_locks = []
        self.order = order
        self.ended = ended = False
        try:
            with open(path, encoding="utf-8", errors="replace") as file, instrumented.reading(path):
                for line in file:
                    try:
                        row = json.loads(line, object_hook=as_written)
                    except ValueError:
                        continue            # the program was killed while it wrote
                    if not isinstance(row, dict):
                        raise ValueError("no race: %s" % line.strip()[:40])
                    if "end" in row:
                        ended = True
                        self.synched_asked, self.found, self.memory = row["synched"], row["found"], row["memory"]
                    elif "no_locks" in row:
                        self.no_locks = ["%d %d %s" % (at["line"], at["column"], at["file"]) for at in row["no_locks"]]
                    elif "thread" in row:
                        if row["thread"] not in self.threads:
                            self.threads.append(row["thread"])
                    elif "decision" in row:
                        if row["decision"] not in self.decisions:
                            self.decisions.append(row["decision"])
                    else:
                        self.rows.append(row)
        except OSError:
            pass
        self.ended, self.failed = ended, None
        if status > 128 and not ended:
            try:
                self.failed = "was ended by " + signal.Signals(status - 128).name
            except ValueError:
                self.failed = "ended with status %d" % status
        elif status:
            self.failed = "ended with status %d" % status
        elif not ended:
            self.failed = "ended without the detector's knowledge"

    def add(self, other):
        self.rows += other.rows
        self.failed = self.failed or (other.failed and other.failed + " in the second run, where SYNCHED is 0")

    def settle(self):
        """Each pair of lines and object once: where there are several accesses in them, the pair that writes most."""
        kept = {}
        for row in self.rows:
            if row["type"] == "unordered" and self.order == "off":
                continue
            lines = sorted((a["file"], a["line"], a["procedure"]) for a in (row["first"], row["second"]))
            key = (row["type"], tuple(lines), "" if row["type"] == "inversion" else object_name(row))
            writes = (row["first"]["kind"] == "write") + (row["second"]["kind"] == "write")
            if key not in kept or writes > kept[key][0]:
                kept[key] = (writes, dict(row))
        self.rows = [row for _, row in kept.values()]
        for row in self.rows:
            row["hint"], row["why"] = HINTS[row["type"]](row), why(row)

    def counts(self, row):
        return COUNTS[row["type"]] or (row["type"] == "unordered" and self.order == "error")

    @property
    def races(self):
        return [row for row in self.rows if self.counts(row)]

    @property
    def notes(self):
        return [row for row in self.rows if not self.counts(row)]

    def data(self):
        more = {"failed": self.failed, "unended": not self.ended, "unseen": self.unseen, "threads": self.threads,
                "workers": self.workers, "proof": self.proof,
                "decisions": [as_decision(row) for row in self.decisions],
                "notes": [as_data(row) for row in self.notes]}
        return dict({"races": [as_data(row) for row in self.races]},
                    **{name: value for name, value in more.items() if value})


def place(p):
    return {name: p[name] for name in ("file", "line", "column", "procedure", "text")}


def as_decision(row):
    """skipped: the line of the next spawn after the decision, which did not happen."""
    data = {name: place(row[name]) for name in ("stored", "decides")}
    text = source.lines(row["decides"]["file"])
    for number in range(row["decides"]["line"], min(len(text), row["decides"]["line"] + MOST_LINES) + 1):
        line = text[number - 1][row["decides"]["column"] if number == row["decides"]["line"] else 0:]
        if re.search(r"\b(spawn|cilk_spawn)\b", line):
            return dict(data, skipped=number)
        if line.startswith("}"):
            break
    return data


def as_data(row):
    def access(a):
        names = ("file", "line", "column", "kind", "procedure", "text", "delivery")
        more = {"iteration": a["iteration"]} if "iteration" in a else {}
        return {**{name: a[name] for name in names}, "path": [place(p) for p in a["path"]], **more}

    o = row["object"]
    data = {"type": row["type"], "object": object_name(row), "kind": o["kind"], "offset": o["offset"],
            "accesses": [access(row["first"]), access(row["second"])], "hint": row["hint"], "why": row["why"]}
    data.update((name, place(row[name])) for name in ("spawn", "sibling") if name in row)
    data.update(("object_" + name, o[name]) for name in ("file", "line") if name in o)
    if "under" in row:
        data["under"] = [place(p) for p in row["under"]]
    if "allocated" in o:
        data["allocated"] = place(o["allocated"])
    return data


def object_name(row):
    o = row["object"]
    if "name" in o:
        return o["name"]
    if o["kind"] == "automatic":
        return "`%s`" % o["allocated"]["text"]
    if "allocated" in o:
        return "heap block from %s:%d" % (o["allocated"]["file"], o["allocated"]["line"])
    return "memory" if row["second"]["called"] else row["second"]["text"] or "memory"


# ---- what may happen ----

def why(row):
    """One sentence on an order in which it goes wrong. `first` comes first in the serial program."""
    first, second = row["first"], row["second"]
    if row["type"] != "race" or any(a["called"] or a["delivery"] for a in (first, second)):
        return ""
    same = first["text"] == second["text"] and second["text"]
    name = element(row) or same or row["object"].get("name") or "the same memory"
    lines = ["line %d" % a["line"] for a in (first, second)]
    back = [a["kind"] == "write" and reads_itself(a) for a in (first, second)]
    if all(back):
        each = "%s reads %s and writes it back" % (lines[0], name) if lines[0] == lines[1] else \
            "%s and %s each read %s and write it back" % (*lines, name)
        return "%s: if two workers read it before either of them writes, one of the two updates is lost" % each
    if first["kind"] == second["kind"]:
        if any(back) and lines[0] != lines[1]:
            one = back.index(True)
            return "%s reads %s and writes it back: what %s writes in between is lost" % (lines[one], name, lines[1 - one])
        return "the worker that writes last decides the value of %s" % name
    if first["kind"] == "write":
        return "%s may read %s before %s has written it" % (lines[1], name, lines[0])
    return "%s may write %s before %s has read it" % (lines[1], name, lines[0])


# ---- what to write instead ----

def place_key(p):
    return p["file"], p["line"], p["column"]


def in_library(p):
    """Text of cilkc's own headers, in which the user writes no `sync`."""
    return os.path.abspath(p["file"]).startswith(os.path.abspath(home.stdlib_dir()) + os.sep)


def before(p, q):
    return p["file"] == q["file"] and (p["line"], p["column"]) < (q["line"], q["column"])


def is_call(p):
    """Is it a call of a function that spawns, not a spawn? OpenCilk's calls are children that are waited for at once."""
    text = source.lines(p["file"])[p["line"] - 1:p["line"]]
    words = re.findall(r"\w+", text[0][:p["column"] - 1]) if text else []
    return is_opencilk(p) and not p["text"].startswith(("cilk_", "_Cilk_")) and not (words and "spawn" in words[-1])


def sync_before(p, also=""):
    """A `sync;` that makes what is spawned or called here wait."""
    what = "call" if is_call(p) else "spawn"
    if also:
        return "`sync;` on line %d before `%s` (column %d)" % (p["line"], p["text"], p["column"])
    return "`sync;` before the %s at line %d" % (what, p["line"])


def sync_between(spawn, later):
    """Both are places. Where they share a line the columns distinguish them, and in different files the file is
    named. What is an argument of the spawn is read before the spawn, in the next round of a loop."""
    if spawn["file"] != later["file"]:
        return "`sync;` between the spawn at %s:%d and %s:%d" % (
            spawn["file"],
            spawn["line"],
            later["file"],
            later["line"],
        )
    inside = spawn["line"] == later["line"] and 0 <= later["column"] - spawn["column"] < len(spawn["text"])
    if inside and spawn["procedure"] == later["procedure"]:
        return "the spawn at line %d is in a loop, and its next iteration uses this: `sync;` before that" % spawn["line"]
    if before(later, spawn):
        return "the spawn at line %d comes before this in the loop: `sync;` between the two" % spawn["line"]
    if spawn["line"] == later["line"]:
        return "`sync;` on line %d, between `%s` (column %d) and `%s` (column %d)" % (
            spawn["line"],
            spawn["text"],
            spawn["column"],
            later["text"],
            later["column"],
        )
    return "`sync;` between the spawn at line %d and line %d" % (spawn["line"], later["line"])


def sync_between_calls(spawn, row):
    """The same where the later access may be in a function that the parent calls: the `sync;` is in the parent."""
    if "calling" in row:
        call = row["calling"]
        if call["line"] == spawn["line"] or before(call, spawn):
            return sync_between(spawn, call)
        return "`sync;` between the spawn at line %d and the call `%s` on line %d" % (spawn["line"], call["text"], call["line"])
    if row["second"]["procedure"] != spawn["procedure"]:
        return "`sync;` between the spawn at line %d and the call that leads to line %d" % (spawn["line"], row["second"]["line"])
    return sync_between(spawn, row["second"])


# ---- what meets where ----

# Functions of the library with one state for the whole program, and what has a state of the caller's.
REENTRANT = {"strtok": "strtok_r", "localtime": "localtime_r", "gmtime": "gmtime_r", "ctime": "ctime_r",
             "asctime": "asctime_r", "drand48": "erand48", "lrand48": "nrand48", "mrand48": "jrand48",
             "getpwnam": "getpwnam_r", "getpwuid": "getpwuid_r", "getgrnam": "getgrnam_r", "getgrgid": "getgrgid_r",
             "hsearch": "hsearch_r", "mblen": "mbrlen", "mbtowc": "mbrtowc", "wctomb": "wcrtomb"}


def one_state(row):
    if row["object"].get("file") != "<libc>":
        return ""
    names = [a["text"].partition("(")[0].strip() for a in (row["second"], row["first"])]
    own = [name for name in names if name in REENTRANT]
    if not own:
        return ""
    return "%s has one state for the whole program: use %s, with a state for each child" % (own[0], REENTRANT[own[0]])


def arguments(text):
    """Those of a call: `fill(a, n / 2)` -> ["a", "n / 2"]."""
    depth, parts = 0, [""]
    for c in text[text.find("(") + 1:text.rfind(")")]:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def element(row):
    """`a[7]`, where that is how the place is written."""
    o, match = row["object"], re.fullmatch(r"(\w+)\[[^][]*\]", row["second"]["text"])
    if match and o.get("name") == match.group(1) and o["width"] and not o["offset"] % o["width"]:
        return "%s[%d]" % (match.group(1), o["offset"] // o["width"])
    return ""


def is_element(access):
    return "[" in access["text"] or access["text"].startswith("*")


def is_update(access):
    """`a[k]++`, `a[k] += x`: what children do to a table of all, more than to parts of their own."""
    text = "".join(source.lines(access["file"])[access["line"] - 1:access["line"]])
    at = access["column"] - 1
    after = text[at + len(access["text"]):]
    return bool(re.match(r"\s*(\+\+|--|(<<|>>|[-+*/%|&^])=)", after)) or text[:at].rstrip().endswith(("++", "--"))


def reads_itself(access):
    """`x += n`, or `x = x + n`."""
    text = "".join(source.lines(access["file"])[access["line"] - 1:access["line"]])[access["column"] - 1:]
    name = access["text"]
    value = text[len(name):].partition("=")[2].partition(";")[0]
    return is_update(access) or bool(name and re.search(r"(?<![\w.>])%s(?!\w)" % re.escape(name), value))


def parts_that_overlap(row):
    """The bound that ends one child's part begins the other's, and both have that element."""
    first, second, spawn, later = row["first"], row["second"], row["spawn"], row["sibling"]
    if not (is_element(first) and is_element(second)) or is_update(first) or is_update(second):
        return ""
    one, other = arguments(spawn["text"]), arguments(later["text"])
    shared = [a for i, a in enumerate(one) for k, b in enumerate(other) if a == b and i != k and not a.isdigit()]
    if spawn["text"].partition("(")[0] != later["text"].partition("(")[0] or not shared:
        return ""
    return "`%s` and `%s` both use %s. If `%s` is to end the one part and begin the other, check the bounds: the last element of one part is the first of the next" % (
        spawn["text"], later["text"], element(row) or "`%s` there" % second["text"], shared[0])


def one_buffer(row):
    """Two calls of one procedure are given the same array, to write to."""
    second, one, other = row["second"], row["spawn"]["text"], row["sibling"]["text"]
    if one.partition("(")[0] != other.partition("(")[0] or not is_element(second) or is_update(second):
        return ""
    names = second["text"].partition("[")[0], object_name(row)
    given = [a for a, b in zip(arguments(one), arguments(other)) if a == b and a in names]
    if not given:
        return ""
    return "`%s` and `%s` get the same `%s`: give each child a part of its own, or `sync;` between the two" % (one, other, given[0])


def neighbours(row):
    """A stencil in place: an element is read while a parallel strand, of the same loop or recursion, writes it."""
    first, second = row["first"], row["second"]
    if not (is_element(first) and is_element(second)) or first["kind"] == second["kind"]:
        return ""
    names = [a["text"].partition("[")[0] for a in (first, second)]
    if names[0] != names[1] or first["text"] == second["text"] or first["procedure"] != second["procedure"]:
        return ""
    return "`%s` is read while a parallel strand writes it as `%s`: write the new values into another array, or `sync;` between the two steps" % (
        (first if first["kind"] == "read" else second)["text"], (first if first["kind"] == "write" else second)["text"])


# OpenCilk's spelling has no inlets.
SPELLING = [
    ("`sync;`", "`cilk_sync;`"),
    ("let the children return their parts and add them up in `x += spawn ...` or an inlet", "make it a reducer"),
    (
        "let the children return their parts, to be combined in `x += spawn ...` or an inlet",
        "make what they update a reducer",
    ),
]


def is_opencilk(spawn):
    return spawn["file"].endswith(".c") or bool(re.search(r"\bcilk_(spawn|for)\b", spawn["text"]))


def spelled(row, hint):
    for ours, theirs in SPELLING if row.get("spawn") and is_opencilk(row["spawn"]) else ():
        hint = hint.replace(ours, theirs)
    return hint


def late_initialisation(row):
    if any(re.search(r"\bCilk_lock_init\b", text) for access in (row["first"], row["second"])
           for _, text in source.context(access["file"], access["line"], 0)):
        return "a lock is initialised while others may use it: initialise each lock once, before the first spawn"
    return ""


def race_hint(row):
    hint = spelled(row, late_initialisation(row) or one_state(row) or missing_lock(row) or missing_order(row))
    if (
        hint
        and row["first"]["atomics"]
        and row["second"]["atomics"]
        and not (row["first"]["locked"] or row["second"]["locked"])
    ):
        taken = row.get("taken")
        by = f", on line {taken['line']} by `{taken['text']}`," if taken else ","
        hint += f". Or is this under a lock that the program makes of atomic operations{by} and that is not recognised? Use Cilk_lock, or write `#pragma cilk race off` around it"
    if hint and (row["first"]["volatile"] or row["second"]["volatile"]):
        hint += ". `volatile` does not help: it orders no accesses of parallel strands"
    return hint


def missing_lock(row):
    """Where at least one of the two accesses is under a lock, or both procedures take one elsewhere."""
    both = row["first"], row["second"]
    with_lock = [a for a in both if a["locked"]]
    if any(a["delivery"] for a in both):
        return ""
    if not with_lock:
        elsewhere = all(a["locking"] for a in both)
        return "neither is under a lock, though both procedures use one: hold the same lock around both" if elsewhere else ""
    if len(with_lock) == 2:
        return "both are under locks, but not under a common one: use one lock for both"
    without = row["first"] if row["second"]["locked"] else row["second"]
    return "the %s at line %d is under a lock, the %s at line %d is not: hold the same lock there" % (
        with_lock[0]["kind"], with_lock[0]["line"], without["kind"], without["line"])


def missing_order(row):
    first, second, spawn = row["first"], row["second"], row.get("spawn")
    if not spawn:
        return ""
    name = object_name(row)
    if row.get("cilk1"):
        return (
            "nothing orders the two threads: have one send a value to a `spawn_next` that starts the other or does its part, or send %s as a value"
            % name
        )
    if in_library(spawn):
        return (
            "what the library runs in parallel conflicts here: give each its own %s, let each return its part (par_sum, par_reduce), or use a lock"
            % name
        )
    if first["delivery"] or second["delivery"]:
        giver = row["spawn"] if first["delivery"] else row.get("sibling", row["spawn"])
        return (
            "the result of the spawn at line %d arrives while others use %s: `sync;` first, or let the children return what they do to it"
            % (giver["line"], name)
        )
    later = row.get("sibling")
    if row.get("future"):
        where = later or row.get("calling") or second
        return "`touch` the future of the child that is spawned at line %d before line %d uses %s; or `sync;`" % (
            spawn["line"], second["line"] if later else where["line"], name)
    if not later:
        return neighbours(row) or sync_between_calls(spawn, row)
    apart = parts_that_overlap(row) or neighbours(row)
    if apart:
        return apart
    if place_key(later) != place_key(spawn) and one_buffer(row):
        return one_buffer(row)
    if place_key(later) == place_key(spawn):
        if is_element(second) and not is_update(second):
            return "two of the children access %s: give each its own elements" % (element(row) or "the same `%s`" % second["text"])
        return (
            "give each child its own %s, or let the children return their parts and add them up in `x += spawn ...` or an inlet"
            % name
        )
    before_it = sync_before(later, also=later["file"] == spawn["file"] and later["line"] == spawn["line"])
    parts = "let the children return their parts, to be combined in `x += spawn ...` or an inlet"
    if place_key(first) == place_key(second):
        return parts + f"; with {before_it} they would run one after the other"
    return before_it + "; or " + parts


def early_hint(row):
    spawn, second = row.get("spawn"), row["second"]
    if not spawn:
        return ""
    if second["line"] == spawn["line"] and 0 < second["column"] - spawn["column"] < len(spawn["text"]):
        return spelled(row, (
            "the next child gets `%s`, which an outstanding child may still change. If any value will do, because the children only "
            "speculate, say so by __attribute__((cilk_speculative)) of %s; otherwise `sync;` in each iteration of the loop"
        ) % (second["text"], second["procedure"]))
    return spelled(row, sync_between_calls(spawn, row))


def unordered_hint(row):
    if row["first"]["floating"] or row["second"]["floating"]:
        return "sums of floating-point numbers depend on the order: keep the parts and add them up after the `sync`, if the last bits matter"
    if row["second"]["text"].startswith(("spawn", "cilk_spawn")):
        return spelled(row, "more than one child sets %s: give each spawn a variable of its own, and combine them after the `sync;`" % object_name(row))
    return "the child that returns first goes first: make the inlet independent of that (a sum, a maximum), or keep the parts until after the `sync`"


def held_hint(row):
    return "release the lock before the spawn or sync and reacquire it after: the procedure may continue on another worker there, and the children wait for the lock"


def inversion_hint(row):
    return "acquire the locks in the same order everywhere (by address, or by number), or use one lock for both"


def split_hint(row):
    return "what another strand writes between the read and the write is lost: write `x += y` or `x++`, which are one step, or use atomic_compare_exchange_weak"


def view_hint(row):
    return "read the reducer after the sync, or before the first spawn"


def sequence_hint(row):
    return "where the numbers should be the same in each run, give each strand a generator of its own: rand_r, erand48, or <cilk/cilk_api.h>'s __cilkrts_get_dprand"


def unjoined_hint(row):
    if row["object"]["kind"] != "heap":
        return "use the reducer by its name, or do this after the sync, which joins the views"
    return (
        "if the reducer was made after a spawn, register it when it has its value, by `__cilkrts_reducer_register`, and "
        "unregister it when its children have joined; otherwise do this after the sync"
    )


HINTS = {"race": race_hint, "early": early_hint, "unordered": unordered_hint, "held": held_hint,
         "inversion": inversion_hint, "split": split_hint, "view": view_hint, "unjoined": unjoined_hint,
         "sequence": sequence_hint}
