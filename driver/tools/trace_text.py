"""A trace as a table for people (rich on a terminal, plain columns elsewhere), and JSON."""

from . import profile_text
from . import trace_model as model


def as_json(trace):
    return {"seconds": trace.duration / 1e9, "utilisation": trace.utilisation, "processor_seconds": trace.processor,
            "complete": trace.complete, "lost": trace.lost,
            "workers": [{"worker": w.number, "utilisation": w.busy / trace.duration, "running": w.busy / 1e9,
                         "searching": w.time[model.SEARCHING] / 1e9, "sleeping": w.time[model.SLEEPING] / 1e9,
                         "waiting_for_locks": sum(e - b for b, e in w.locks) / 1e9, "steals": w.counts["steal"],
                         "stolen_from": sum(1 for s in trace.steals if s[1] == w.number),
                         "releases": w.counts["release"], "suspended": w.counts["suspend"],
                         "waits_for_futures": w.counts["touch"], "inlets": w.counts["inlet"],
                         "aborts": w.counts["abort"], "sleeps": w.sleeps, "spawns": w.spawns} for w in trace.workers]}


def table(trace):
    """The summary on stdout."""
    facts = as_json(trace)
    percent = lambda x: "%.1f %%" % (100 * x)  # noqa: E731
    futures = any(w["waits_for_futures"] for w in facts["workers"])
    waits = {"waits for futures": "waits_for_futures"} if futures else {}
    counts = {"steals": "steals", "stolen from it": "stolen_from", "releases": "releases", "suspended": "suspended"}
    counts |= waits | {name: name for name in ("inlets", "aborts", "sleeps")}
    columns = ("worker", "utilisation", "searching", "sleeping", "locks", *counts)

    def row(title, w, share):
        times = [w["utilisation"]] + [share(w[name]) for name in ("searching", "sleeping", "waiting_for_locks")]
        return tuple([title] + [percent(x) for x in times] + ["{:,}".format(w[name]) for name in counts.values()])

    seconds = max(1e-9, facts["seconds"])
    rows = [row("%d" % w["worker"], w, lambda x: x / seconds) for w in facts["workers"]]
    if len(rows) > 1:
        every = {name: sum(w[name] for w in facts["workers"]) for name in facts["workers"][0]}
        every["utilisation"] = facts["utilisation"]
        rows.append(row("all", every, lambda x: x / seconds / len(facts["workers"])))
    profile_text.table(profile_text.terminal(), "Workers in %s" % time(seconds), columns, rows)


def crowded(trace):
    """Utilisation is time by the clock. Where the workers had processors for much less of it, other programs or other
    workers had them: a sentence, or nothing."""
    running = sum(w.busy for w in trace.workers) / 1e9
    if running < 0.01 or trace.processor >= 0.8 * running:
        return ""
    return (
        "the workers ran for %s together by the clock, and had a processor for %s of it: %d workers take turns on the processors that are there, or other programs have them"
        % (time(running), time(trace.processor), len(trace.workers))
    )


def time(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return "%.3g %s" % (seconds / unit, name)
    return "%.0f ns" % (seconds * 1e9)


def thinned(name, kept):
    """What a file has not: a sentence, or nothing."""
    less = ["%s %d of %d" % (what, few, many) for what, (few, many) in kept.items() if few < many]
    return "%s was thinned evenly to stay below its limit: it has of %s" % (name, ", of ".join(less)) if less else ""
