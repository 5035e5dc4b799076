"""A run step by step (step_story.py) as a page that needs nothing else (step.html, step.js): that of `cilkc step`, and
of the failing schedule of `cilkc explore`. A step has only what differs from the step before it; the script adds up."""

import json

from . import source, template

CARRIED = ("deques", "stacks", "waiting", "pending", "locks")       # of a step, until one says otherwise


def changed(old, new):
    """[equal entries at the begin, at the end, what is between]: how one list becomes the other; None where they are
    equal. A list of lists of the same length: [-1, for each]."""
    if old == new:
        return None
    if len(old) == len(new) and all(isinstance(one, list) for one in old + new):
        return [-1, [changed(a, b) for a, b in zip(old, new)]]
    begin = end = 0
    most = min(len(old), len(new))
    while begin < most and old[begin] == new[begin]:
        begin += 1
    while end < most - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    return [begin, end, new[begin:len(new) - end]]


def make(story, title, facts, files):
    names = [name for name in dict.fromkeys(list(files) + [s.file for s in story.steps])
             if source.lines(name) and (name in files or not name.startswith("/usr/"))]
    texts: "dict[str, int]" = {}

    def text(words):
        return texts.setdefault(words, len(texts))

    steps, before = [], None
    for s in story.steps:
        row = {"n": s.number, "w": s.worker, "kind": s.kind, "file": names.index(s.file) if s.file in names else -1,
               "line": s.line, "says": text(s.sentence()), "done": text(s.finished())}
        for name in CARRIED:
            change = changed(getattr(before, name) if before else [], getattr(s, name))
            if change:
                row[name] = change
        if s.note:
            row["note"] = text(s.note)
        for name, value in (("before", [text(e) for e in s.before]), ("c", s.changes), ("born", s.born),
                            ("freed", s.freed), ("frames", s.frames), ("out", s.printed)):
            if value:
                row[name] = value
        steps.append(row)
        before = s
    data = {"title": title, "facts": facts, "workers": story.workers, "after": story.after,
            "instances": story.instances, "turns": story.turns(),
            "why": "" if facts["what"] and story.deadlock() else story.why(bool(facts["what"])),
            "variables": [v.data() for v in story.values.variables],
            "sources": [{"name": name,
                         "lines": [source.printable(line.expandtabs(4).rstrip(), 200) for line in source.lines(name)]}
                        for name in names],
            "steps": steps, "texts": list(texts)}
    page = template.page("step", "%s: %s" % (title, facts["page_title"]))
    return template.filled(page, json.dumps(data, separators=(",", ":")))
