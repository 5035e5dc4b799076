"""A trace in the Trace Event Format, which Perfetto and Chrome read: a track for each worker.

What a worker is doing are complete events (X); those of one track are within each other or one after the other. A
steal is a flow arrow (s, f) from the victim's track to the thief's; closures that wait are asynchronous (b, e); busy
workers are a counter (C).
"""

import json

from . import trace_model as model

PID = 1


def make(trace, name, limit):
    """(text, {category: (kept, all)})"""
    def us(ns):
        return "%.3f" % (ns / 1000)

    def quoted(text):
        return json.dumps(text)

    def args(place, more=""):
        p = trace.places[place]
        words = ['"line":%s' % quoted(p.text)] if p.text else []
        return '"args":{%s}' % ",".join(words + ([more] if more else []))

    def complete(tid, begin, end, title, category, rest):
        return '{"ph":"X","pid":%d,"tid":%d,"ts":%s,"dur":%.3f,"name":%s,"cat":"%s",%s}' % (
            PID, tid, us(begin), round(end / 1000, 3) - round(begin / 1000, 3), quoted(title), category, rest)

    def states():
        for w in trace.workers:
            for begin, end, state, place in w.slices:
                title = trace.places[place].procedure if state == model.RUNNING and place else model.STATES[state]
                yield complete(w.number, begin, end, title, "state", args(place))

    def spawned():
        for w in trace.workers:
            for begin, end, place, many in w.spawned:
                p = trace.places[place]
                yield complete(w.number, begin, end, p.child or "spawn in " + p.procedure, "spawn",
                               args(place, '"spawns":%d' % many))

    def locks():
        for w in trace.workers:
            for begin, end in w.locks:
                yield complete(w.number, begin, end, "waiting for a lock", "lock", '"args":{}')

    def steals():
        for number, (t, victim, thief, place) in enumerate(trace.steals):
            same = '"pid":%d,"name":"steal","cat":"steal","id":%d,"ts":%s' % (PID, number, us(t))
            yield '{"ph":"s",%s,"tid":%d,%s},\n{"ph":"f","bp":"e",%s,"tid":%d,"args":{}}' % (
                same, victim, args(place), same, thief
            )

    def instants():
        for w in trace.workers:
            for t, kind, place in w.instants:
                yield '{"ph":"i","s":"t","pid":%d,"tid":%d,"ts":%s,"name":"%s","cat":"event",%s}' % (
                    PID, w.number, us(t), model.NAMES[kind], args(place)
                )

    def waits():
        for number, (begin, worker, end, other, place, future) in enumerate(trace.resumed):
            same = '"pid":%d,"cat":"suspended","id":%d,"name":%s' % (
                PID, number,
                quoted(("waiting for a future: " if future else "suspended: ") + trace.places[place].procedure)
            )
            yield '{"ph":"b",%s,"tid":%d,"ts":%s,%s},\n{"ph":"e",%s,"tid":%d,"ts":%s,"args":{}}' % (
                same, worker, us(begin), args(place), same, other, us(end)
            )

    head = ['{"ph":"M","pid":%d,"name":"process_name","args":{"name":%s}}' % (PID, quoted(name))]
    for w in trace.workers:
        head.append(
            '{"ph":"M","pid":%d,"tid":%d,"name":"thread_name","args":{"name":"worker %d"}}' % (PID, w.number, w.number)
        )
        head.append('{"ph":"M","pid":%d,"tid":%d,"name":"thread_sort_index","args":{"sort_index":%d}}'
                    % (PID, w.number, w.number))
    for i, busy in enumerate(map(sum, zip(*trace.buckets()))):
        head.append('{"ph":"C","pid":%d,"ts":%s,"name":"busy workers","args":{"workers":%.3f}}'
                    % (PID, us(i * trace.duration / model.BUCKETS), busy))
    categories = model.categories(spawns=spawned, states=states, steals=steals, events=instants, suspended=waits,
                                  locks=locks)
    made, kept = model.thin_categories(categories, limit - sum(map(len, head)) - 4096 - 100 * len(head))
    events = head + [text for texts in made.values() for text in texts]
    facts = json.dumps({"tool": "cilkc trace", "program": name, "lost": trace.lost, "complete": trace.complete,
                       "thinned": {n: {"kept": k, "of": a} for n, (k, a) in kept.items() if k < a}})
    return '{"displayTimeUnit":"ns","otherData":%s,"traceEvents":[\n%s\n]}\n' % (facts, ",\n".join(events)), kept
