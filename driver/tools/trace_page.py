"""A trace as a page that needs nothing else: the data as arrays of numbers, drawn on a canvas by trace.js in trace.html
beside this file."""

import json

from . import source, template
from . import trace_model as model
from . import trace_text


def make(trace, name, command, limit):
    """(text, {category: (kept, all)})"""
    def states():
        for w in trace.workers:
            for begin, end, state, place in w.slices:
                yield "%d,%d,%d,%d,%d" % (w.number, begin, end - begin, state, place)

    def spawned():
        for w in trace.workers:
            for begin, end, place, many in w.spawned:
                yield "%d,%d,%d,%d,%d" % (w.number, begin, end - begin, place, many)

    def locks():
        for w in trace.workers:
            for begin, end in w.locks:
                yield "%d,%d,%d" % (w.number, begin, end - begin)

    def steals():
        for t, victim, thief, place in trace.steals:
            yield "%d,%d,%d,%d" % (t, victim, thief, place)

    def instants():
        for w in trace.workers:
            for t, kind, place in w.instants:
                yield "%d,%d,%d,%d" % (w.number, t, kind, place)

    def waits():
        for item in trace.resumed:
            yield "%d,%d,%d,%d,%d,%d" % item

    categories = model.categories(spawns=spawned, states=states, steals=steals, events=instants, suspended=waits,
                                  locks=locks)
    text = template.page("trace", name + ": trace")
    facts = trace_text.as_json(trace)
    facts.update(name=name, command=command, stateNames=model.STATES, eventNames=model.NAMES, lost=trace.lost,
                 places=[[p.file, p.line, p.procedure, p.child, source.context(p.file, p.line)] for p in trace.places],
                 buckets=[[round(x, 3) for x in row] for row in trace.buckets()])
    fixed = len(text) + len(json.dumps(facts)) + 4096
    made, kept = model.thin_categories(categories, limit - fixed)
    facts["thinned"] = {n: [k, a] for n, (k, a) in kept.items() if k < a}
    data = json.dumps(facts)[:-1] + "".join(',"%s":[%s]' % (n, ",".join(texts)) for n, texts in made.items()) + "}"
    return template.filled(text, data), kept
