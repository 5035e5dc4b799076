"""A run step by step (step_story.py) as a page that needs nothing else (step.html, step.js): that of `cilkc step`, and
of the failing schedule of `cilkc explore`. A step has only what differs from the step before it; the script adds up."""

import json

from . import source, template

CARRIED = ("deques", "stacks", "waiting", "pending", "locks")       # of a step, until one says otherwise


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
            value = getattr(s, name)
            if before is None or value != getattr(before, name):
                row[name] = value
        for name, value in (("note", s.note and text(s.note)), ("before", [text(e) for e in s.before]), ("c", s.changes),
                            ("born", s.born), ("freed", s.freed), ("frames", s.frames), ("out", s.printed)):
            if value or value == 0 and name == "note" and s.note:
                row[name] = value
        steps.append(row)
        before = s
    data = {"title": title, "facts": facts, "workers": story.workers, "after": story.after,
            "instances": story.instances, "turns": story.turns(), "why": story.why(),
            "variables": [v.data() for v in story.values.variables],
            "sources": [{"name": name,
                         "lines": [source.printable(line.expandtabs(4).rstrip(), 200) for line in source.lines(name)]}
                        for name in names],
            "steps": steps, "texts": list(texts)}
    page = template.page("step", "%s: %s" % (title, facts["page_title"]))
    return template.filled(page, json.dumps(data, separators=(",", ":")))
