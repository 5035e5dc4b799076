"""Why a schedule fails, or what went wrong where nobody noticed: one sentence, from the order of the accesses of a
story (step_story.py).

A step is a point that a worker has reached; what is done there happens when the worker goes on, right before its next
step. So the order of accesses is that of these next steps.
"""

import re

from . import source


class Done:
    """An access, and when it was."""

    def __init__(self, step, when):
        self.step, self.when = step, when
        self.worker, self.memory, self.writes = step.worker, step.memory, step.kind != "read"


def accesses(story):
    """Of each place in the memory, in their order."""
    following, made = {}, {}
    for i in range(len(story.steps) - 1, -1, -1):
        step = story.steps[i]
        if step.kind in ("read", "write", "atomic") and step.memory not in ("(nil)", "0x0") and step.worker in following:
            made.setdefault(step.memory, []).append(Done(step, following[step.worker]))
        following[step.worker] = i
    for list_ in made.values():
        list_.sort(key=lambda done: done.when)
    return made


def sentence(story):
    return story.deadlock() or lost_update(story) or early(story) or ""


def lost_update(story):
    """A worker writes what it has made of a value that another one has changed since it was read."""
    found = []
    for list_ in accesses(story).values():
        for k, write in enumerate(list_):
            if write.step.kind != "write":
                continue
            own = [j for j in range(k) if list_[j].worker == write.worker]
            read = own[-1] if own else None
            if read is None or list_[read].writes or list_[read].step.instance != write.step.instance:
                continue
            between = [done for done in list_[read + 1:k] if done.writes]
            if between:
                found.append((write.when, list_[read].step, between[-1].step, write.step))
    if not found:
        return ""
    _, read, other, write = min(found, key=lambda one: one[0])
    same = read.line == write.line
    return "worker %d read %s%s on line %d before worker %d wrote %s there on line %d; %s" % (
        read.worker, read.text, value(read.value, " = "), read.line, other.worker,
        value(other.later) or "it", other.line,
        "worker %d then wrote %s, so what worker %d had written was lost" % (write.worker, value(write.later) or "its own value", other.worker)
        if same else
        "worker %d still decided by the old value when it wrote %s%s on line %d"
        % (write.worker, write.text, value(write.later, " = "), write.line)
    )


def value(text, before=""):
    return before + text.partition("#")[0] if text and text != "?" else ""


def early(story):
    """A variable is named while a child still has to deliver its value."""
    children = {}
    for step in story.steps:
        children.update((number, child) for child, number in step.receiving)
        for number in step.pending:
            variable = story.values.variables[number]
            text = (source.lines(step.file)[step.line - 1:step.line] or [""])[0].partition("//")[0]
            if variable.owner != step.instance or "spawn" in text or step.kind in ("return", "begin"):
                continue
            if re.search(r"\b%s\b" % re.escape(variable.name), text):
                child = story.instances[children[number]] if number in children else None
                return "worker %d uses %s on line %d while %s, whose result it gets, has not returned: a sync is missing" % (
                    step.worker, variable.name, step.line, child.get("label", child["call"]) if child else "a child"
                )
    return ""
