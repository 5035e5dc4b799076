"""What a page shows of a race beside its text: the two strands with the cell that both use, and a fix as a diff."""

import difflib
import re
from html import escape

from . import race_report, source

WIDE = 38           # characters that fit into a box
BOX = '<rect x="%d" y="%d" width="%d" height="%d" rx="6"/>'
TEXT = '<text x="%d" y="%d"%s>%s</text>'
# Where a hint puts a `sync;`: before which line of the file of the access or of the spawn.
SYNC = re.compile(r"`((?:cilk_)?sync;)` (?:between the spawn at line \d+ and (?:the call `[^`]*` on )?line|before the \w+ at line) (\d+)")


def cut(text, most=WIDE):
    return escape(text if len(text) <= most else text[:most - 3] + "...")


def strand(x, began, access):
    """A box: how the strand began, what it does."""
    return (BOX % (x, 72, 300, 48) + TEXT % (x + 150, 92, "", cut(began))
            + TEXT % (x + 150, 110, ' class="strong"', cut("%s: line %d" % (access["procedure"], access["line"]))))


def arrow(x, access):
    """From a strand to the cell where it writes, from the cell where it reads."""
    down = access["kind"] != "read"
    begin, end = ((x, 120), (320 + (x - 320) // 4, 160))[::1 if down else -1]
    return ('<line x1="%d" y1="%d" x2="%d" y2="%d" marker-end="url(#tip)"/>' % (*begin, *end)
            + TEXT % ((x + 320) // 2 + (-64 if x < 320 else 64), 146, "", "writes" if down else "reads"))


def picture(row):
    """The spawn that makes two strands of one, the accesses, and the cell; as SVG."""
    if row["type"] not in ("race", "early") or "spawn" not in row:
        return ""
    spawn, sibling = row["spawn"], row.get("sibling")
    other = sibling if sibling and sibling != spawn else None
    right = "%s, line %d" % (other["text"], other["line"]) if other else "%s goes on after the spawn" % spawn["procedure"]
    parts = ['<svg class="picture" viewBox="0 0 640 204" role="img" aria-label="two strands that use one cell">',
             '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
             '<path d="M0 0 L8 4 L0 8 z"/></marker></defs>',
             BOX % (240, 8, 160, 28), TEXT % (320, 27, ' class="strong"', cut(spawn["procedure"], 20)),
             '<line x1="280" y1="36" x2="172" y2="70" marker-end="url(#tip)"/>',
             '<line x1="360" y1="36" x2="468" y2="70" marker-end="url(#tip)"/>',
             strand(10, "%s, line %d" % (spawn["text"], spawn["line"]), row["first"]), strand(330, right, row["second"]),
             arrow(160, row["first"]), arrow(480, row["second"]),
             '<rect class="cell" x="220" y="164" width="200" height="32"/>',
             TEXT % (320, 185, ' class="strong"', cut(race_report.object_name(row) or "memory", 24)), "</svg>"]
    return "".join(parts)


def fix(row):
    """A diff of the `sync;` that the hint names; empty where there is none, or where a line more would not be a statement
    of the same block."""
    found = SYNC.search(row["hint"] or "")
    if not found:
        return ""
    at, name = int(found[2]), (row.get("sibling") or row["second"])["file"]
    old = list(source.lines(name))
    before = next((line.strip() for line in reversed(old[:at - 1]) if line.strip()), "")
    if not 0 < at <= len(old) or re.search(r"(\)|\belse|\bdo)$", before):
        return ""
    indent = old[at - 1][:len(old[at - 1]) - len(old[at - 1].lstrip())]
    new = old[:at - 1] + [indent + found[1]] + old[at - 1:]
    says = ("This removes the race, and lets the two run one after the other:" if "one after the other" in row["hint"]
            else "One change that removes it:")
    rows = list(difflib.unified_diff(old, new, name, name, n=2, lineterm=""))
    return "<p>%s</p><pre>%s</pre>" % (says, "\n".join(
        '<span class="%s">%s</span>' % ("more", escape(line)) if line.startswith("+") and number > 1 else escape(line)
        for number, line in enumerate(rows)))
