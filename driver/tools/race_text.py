"""How `cilkc race` shows what was found to people: in colours on terminals, else as plain lines. All goes to stderr,
stdout is the program's."""

import itertools
import re
from collections import Counter

from cilkc_driver import console

MOST_FRAMES = 8         # of a path: what is between its ends is counted
MOST_NOTES = 10


def described(row):
    o = row["object"]
    if o["kind"] == "global" and o["file"] == "<libc>":
        return "%s, which the C library keeps for the whole program" % o["name"]
    if o["kind"] == "global":
        return "global '%s' (%s:%d)" % (o["name"], o["file"], o["line"])
    if o["kind"] == "local":
        return "local '%s' of %s (%s:%d)" % (o["name"], o["procedure"], o["file"], o["line"])
    if o["kind"] == "heap":
        a = o.get("allocated")
        return "a heap block of %d bytes%s" % (
            o["size"], ", allocated by %s at %s:%d" % (a["procedure"], a["file"], a["line"]) if a else ""
        )
    if o["kind"] == "automatic":
        a = o["allocated"]
        return "memory of `%s` in %s (%s:%d)" % (a["text"], a["procedure"], a["file"], a["line"])
    return "memory of unknown origin"


def where(p):
    return "%s:%d:%d" % (p["file"], p["line"], p["column"])


def folded(path):
    """Lines of a path, the innermost spawn first: equal neighbours as one, and what is between the ends of a long path
    as numbers."""
    groups = []
    for _, same in itertools.groupby(reversed(path), key=lambda p: (where(p), p["procedure"])):
        frames = list(same)
        groups.append((frames[0], len(frames)))

    def line(frame, times):
        return "spawned at %s by %s: %s%s" % (
            where(frame),
            frame["procedure"],
            frame["text"],
            " (x%d)" % times if times > 1 else "",
        )

    if len(groups) <= MOST_FRAMES:
        return [line(*group) for group in groups]
    ends = MOST_FRAMES // 2 - 1
    between = Counter()
    for frame, times in groups[ends:-ends]:
        between["%s:%d" % (frame["file"], frame["line"])] += times
    text = ", ".join("%s (x%d)" % item for item in between.most_common(4)) + (", ..." if len(between) > 4 else "")
    return ([line(*group) for group in groups[:ends]] + ["%d more spawns: %s" % (sum(between.values()), text)]
            + [line(*group) for group in groups[-ends:]])


def accesses_of(row):
    for name, access in (("first", row["first"]), ("then", row["second"])):
        how = "delivery (%s)" % access["kind"] if access["delivery"] else access["kind"]
        if access["called"] and re.match(r"(free|realloc|reallocarray|Cilk_free)\b", access["text"]):
            how = "freed"
        which = " (iteration %d)" % access["iteration"] if "iteration" in access else ""
        yield ("access", "  %-5s %s: %s in %s%s%s"
               % (name, where(access), how, access["procedure"], which,
                  ": " + access["text"] if access["text"] else ""))
        for line in folded(access["path"]):
            yield "path", "        " + line


def part_of(row):
    return ", byte %d of %d" % (row["object"]["offset"], row["object"]["size"]) if row["object"]["offset"] else ""


def parallel_lines(row):
    if "spawn" in row:
        text = "  parallel because of the spawn at %s" % where(row["spawn"])
        if "sibling" in row and where(row["sibling"]) != where(row["spawn"]):
            text += " and the one at %s" % where(row["sibling"])
        yield text


def race_lines(row):
    yield from accesses_of(row)
    for line in parallel_lines(row):
        yield "path", line


def early_lines(row):
    first, second = row["first"], row["second"]
    if "spawn" in row:
        yield "access", "  the child is spawned at %s: %s" % (where(row["spawn"]), row["spawn"]["text"])
    yield ("access", "  its result %s at %s: %s"
           % ("is stored" if first["kind"] == "write" else "is used", where(first), first["text"]))
    yield ("access", "  before that, perhaps: %s: %s in %s: %s"
           % (where(second), second["kind"], second["procedure"], second["text"]))
    for line in folded(second["path"]):
        yield "path", "        " + line


# By type: a title, and what follows.
def title(row):
    what = described(row) + part_of(row)
    if row["type"] == "race":
        return "race", what
    if row["type"] == "early":
        return "early", what + (
            " is changed" if row["second"]["kind"] == "write" else " is read"
        ) + " before the child's result has arrived"
    if row["type"] == "held":
        return "lock", what + " is held over a " + ("sync" if where(row["first"]) == where(row["second"]) else "spawn")
    if row["type"] == "inversion":
        return "deadlock", what + " and another lock are acquired in both orders by code that may run at the same time"
    if row["type"] == "split":
        return "atomic", what + " is updated in two steps, a read and a write, while parallel code writes it"
    if row["type"] == "sequence":
        return "random", "parallel calls of %s draw from one sequence: each run may give other numbers" % (
            row["second"]["text"].partition("(")[0] or "rand")
    if row["type"] == "unjoined":
        return "reducer", what + " is used by its own address while updates are still in views of it: they are missing here"
    if row["type"] == "view":
        return "view", what + " is read while children that may update it are still running: the value depends on the schedule"
    return "order", what + " depends on which child returns first"


def held_lines(row):
    first, second = row["first"], row["second"]
    yield "access", "  it is acquired at %s in %s" % (where(first), first["procedure"])
    if where(first) != where(second):
        yield "access", "  and held at %s: %s" % (where(second), second["text"])


def inversion_lines(row):
    for access, under in zip((row["first"], row["second"]), row["under"]):
        yield (
            "access",
            "  %s: acquired in %s, under the lock that was acquired at %s"
            % (where(access), access["procedure"], where(under)),
        )
        for line in folded(access["path"]):
            yield "path", "        " + line


def unjoined_lines(row):
    access = row["second"]
    yield "access", "  at    %s: %s in %s: %s" % (where(access), access["kind"], access["procedure"], access["text"])
    for line in folded(access["path"]):
        yield "path", "        " + line


LINES = {"race": race_lines, "early": early_lines, "unordered": accesses_of, "held": held_lines,
         "inversion": inversion_lines, "split": accesses_of, "view": accesses_of, "unjoined": unjoined_lines,
         "sequence": accesses_of}


def lines_of(number, row):
    """(style, text) of each line."""
    kind, text = title(row)
    yield "bold", "%s %d: %s" % (kind, number, text)
    yield from LINES[row["type"]](row)
    if row["why"]:
        yield "access", "  why:  " + row["why"]
    if row["hint"]:
        yield "hint", "  hint: " + row["hint"]


def note_lines(row):
    kind, text = title(row)
    first, second = row["first"], row["second"]
    places = where(first) if where(first) == where(second) else "%s and %s" % (where(first), where(second))
    yield "note", "note: %s: %s, at %s: %s" % (kind, text, places, second["text"])
    if row["hint"]:
        yield "hint", "  hint: " + row["hint"]


STYLES = {"bold": "bold red", "note": "bold cyan", "access": "", "path": "dim", "hint": "green"}


def number_of(count, one, many):
    return "no " + many if not count else "1 " + one if count == 1 else "%d %s" % (count, many)


SUMMARY = (
    ("race", "race", "races"),
    ("early", "use of a result that may not have arrived yet", "uses of results that may not have arrived yet"),
    ("unordered", "result that depends on the order of returns", "results that depend on the order of returns"),
    ("held", "lock held over a spawn or sync", "locks held over spawns or syncs"),
    ("inversion", "pair of locks in both orders", "pairs of locks in both orders"),
    ("unjoined", "reducer used before its views are joined", "reducers used before their views are joined"),
)


def summary(report):
    number = Counter(row["type"] for row in report.races)
    parts = [number_of(number[what], one, many) for what, one, many in SUMMARY
             if number[what] or (what == "race" and not report.races)]
    notes = ", " + number_of(len(report.notes), "note", "notes") if report.notes else ""
    said = verdict(", ".join(parts) + notes, bool(report.races), report.failed)
    return "cilkc race: " + said + of_every_input(report.proof)


def of_every_input(proof):
    """proof: what `cilkc prove --json` printed, or None."""
    if proof is None:
        return ""
    if proof["verdict"] == "proved":
        return ", and `cilkc prove` proves it for every input"
    return "; `cilkc prove` does not decide it for every input"


def verdict(text, any_found, failed):
    """text: what was found, in words. A run that failed shows no absence of races."""
    if not failed:
        return text + " on this input"
    if any_found:
        return "%s before the program %s" % (text, failed)
    return "not complete: the program %s (up to there: %s)" % (failed, text)


def caveats(data):
    """(kind, text) of what else there may be. data: the report as JSON has it."""
    if data.get("unseen"):
        yield (
            "note",
            "compiled without the detector: %s; what is done to memory there is not seen" % ", ".join(data["unseen"]),
        )
    for thread in data.get("threads", [])[:3]:
        yield (
            "note",
            "the program makes a thread at %s:%d: what such threads do is not seen" % (thread["file"], thread["line"]),
        )
    for row in data.get("decisions", [])[:MOST_NOTES]:
        stored, decides = row["stored"], row["decides"]
        yield (
            "note",
            "speculation: `%s` at %s:%d, which an inlet with an abort set on line %d, decided that %s. On other schedules "
            "it runs, and what it does was not looked at: `cilkc explore` tries them"
            % (
                decides["text"],
                decides["file"],
                decides["line"],
                stored["line"],
                "the spawn at line %d did not happen" % row["skipped"] if "skipped" in row else "nothing more was spawned",
            ),
        )
    if data.get("failed"):
        yield "error", "the program %s; there may be races that were not seen" % data["failed"]


def all_lines(report):
    for number, row in enumerate(report.races, 1):
        yield from lines_of(number, row)
        yield "", ""
    for row in report.notes[:MOST_NOTES]:
        yield from note_lines(row)
    if len(report.notes) > MOST_NOTES:
        yield "note", "note: %d more such notes; --json has them all" % (len(report.notes) - MOST_NOTES)
    if report.notes:
        yield "", ""
    yield "bold" if report.races else "hint", summary(report)


def show(report):
    if console.colour_of(None) == "never":
        console.write_stderr(("\n".join(line for _, line in all_lines(report)) + "\n").encode("utf-8", "surrogateescape"))
        return
    from rich.console import Console
    from rich.text import Text
    shown = Console(stderr=True, highlight=False, soft_wrap=True)
    for style, line in all_lines(report):
        shown.print(Text(line, style=STYLES.get(style, "")))
