"""The dag as a page that needs nothing else: the records as data, drawn by dag.js in dag.html beside this file; boxes
open and close."""

import json

from . import source, template
from .dag_draw import STYLE


def make(dag, title, most, limit):
    """The text. `most`: strands shown at the start; `limit`: bytes, for which the records with the least work are left
    out."""
    text = template.page("dag", title + ": dag", STYLE)
    facts = {"title": title, "work": dag.work, "span": dag.span, "instances": dag.instances, "strands": dag.strands,
             "spawns": dag.spawns, "threshold": dag.threshold, "most": most, "jumps": dag.jumps,
             "procedures": [[p[0], p[1], p[2]] for p in dag.procedures], "alone": [s[4] for s in dag.sites],
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
                     [s.row(kept.get(s.record, -1)) for s in r.steps]])
    facts["left_out"] = len(dag.records) - len(kept)
    facts["records"] = rows
    return template.filled(text, json.dumps(facts, separators=(",", ":")))
