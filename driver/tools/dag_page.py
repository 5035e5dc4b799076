"""The dag as a page that needs nothing else: the records as data, drawn by dag.js in dag.html beside this file; boxes
open and close."""

import json

from . import source, template
from .agreed import KIND, MARK
from .dag_draw import STYLE

# A step for the page is a row of numbers and a name: what it is true of, as bits, then these, by its kind.
FACTS = ("is_strand", "on", "passed", "delivers")
EACH = "kind facts mark units count times spawned "
CHILD = (EACH + "site procedure record work span instances strands inlet").split()
COLUMNS = {KIND.SPAWN: CHILD, KIND.CALL: CHILD, KIND.TOUCH: (EACH + "site procedure up ago inlet").split()}
OTHERS = (EACH + "inlet").split()


def row(step, record):
    """The cells of a step; those at the end that are 0 are left out."""
    more = {"facts": sum(getattr(step, name) << bit for bit, name in enumerate(FACTS)), "record": record}
    cells = [more[name] if name in more else getattr(step, name) for name in COLUMNS.get(step.kind, OTHERS)]
    while cells[-1] in (0, ""):
        cells.pop()
    return cells


def make(dag, title, most, limit):
    """The text. `most`: strands shown at the start; `limit`: bytes, for which the records with the least work are left
    out."""
    text = template.page("dag", title + ": dag", STYLE)
    facts = {"title": title, "work": dag.work, "span": dag.span, "instances": dag.instances, "strands": dag.strands,
             "spawns": dag.spawns, "threshold": dag.threshold, "most": most, "jumps": dag.jumps,
             "procedures": [[p[0], p[1], p[2]] for p in dag.procedures], "bits": {**vars(KIND), **vars(MARK)},
             "true": FACTS, "columns": [COLUMNS.get(kind, OTHERS) for kind in vars(KIND).values()],
             "sites": [[s[0], s[1], s[2], s[3], source.context(s[0], s[1])] for s in dag.sites]}
    room = limit - len(text) - len(json.dumps(facts)) - 1000
    order = sorted(range(len(dag.records)), key=lambda i: (i != dag.root, -dag.records[i].work, -i))
    kept, used = {}, 0
    for i in order:
        used += 60 * len(dag.records[i].steps) + 60
        if used > room and kept:
            break
        kept[i] = len(kept)
    rows = []
    for i in kept:
        r = dag.records[i]
        rows.append([r.procedure, r.work, r.span, r.instances, r.strands,
                     [row(step, kept.get(step.record, -1)) for step in dag.steps(i)]])
    facts["left_out"] = len(dag.records) - len(kept)
    facts["records"] = rows
    return template.filled(text, json.dumps(facts, separators=(",", ":")))
