"""Why a schedule fails, or what went wrong though the result is right: one sentence, from the order of the accesses
of a story (step_story.py).

A step is a point that a worker has reached; what is done there happens when the worker goes on, right before its next
step. So the order of accesses is that of these next steps.
"""

import re

from . import source


NEAR = 100              # accesses of one place that are compared with a later one


class Done:
    """An access, and when it was."""

    def __init__(self, step, when):
        self.step, self.when = step, when
        self.worker, self.memory, self.writes = step.worker, step.memory, step.kind != "read"


def accesses(story):
    """The accesses of each place in the memory, in their order."""
    following, made = {}, {}
    for i in range(len(story.steps) - 1, -1, -1):
        step = story.steps[i]
        known = step.memory not in ("(nil)", "0x0") and step.worker in following
        if known and step.kind in ("read", "write", "atomic"):
            made.setdefault(step.memory, []).append(Done(step, following[step.worker]))
        following[step.worker] = i
    for list_ in made.values():
        list_.sort(key=lambda done: done.when)
    return made


def sentence(story, failed):
    """failed: the run is known to be wrong, so that an order other than the elision's is worth a sentence."""
    return story.deadlock() or lost_update(story) or early(story) or failed and (twice(story) or order(story)) or ""


def lost_update(story):
    """A worker writes what it has made of a value that another one has changed since it was read."""
    found = []
    for list_ in accesses(story).values():
        last: "dict[int, int]" = {}         # access of each worker
        for k, write in enumerate(list_):
            at = last.get(write.worker, k)
            last[write.worker] = k
            if write.step.kind != "write" or at == k or list_[at].writes or list_[at].step.instance != write.step.instance:
                continue
            between = [done for done in list_[at + 1:k] if done.writes]
            if between:
                found.append((write.when, list_[at].step, between[-1].step, write.step))
    if not found:
        return ""
    _, read, other, write = min(found, key=lambda one: one[0])
    same = read.line == write.line
    return "worker %d read %s%s on line %d before worker %d wrote %s there on line %d; %s" % (
        read.worker, read.text, value(read.value, " = "), read.line, other.worker,
        value(other.later) or "it", other.line,
        "worker %d then wrote %s, so what worker %d had written was lost"
        % (write.worker, value(write.later) or "its own value", other.worker)
        if same else
        "worker %d then wrote %s%s on line %d, still going by the old value"
        % (write.worker, write.text, value(write.later, " = "), write.line)
    )


def value(text, before=""):
    return before + text.partition("#")[0] if text and text != "?" else ""


# Strings, and comments as far as one line shows them.
NO_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|//.*|/\*.*?(?:\*/|$)|^\s*\*.*')


def early(story):
    """A variable is named while a child still has to deliver its value."""
    for child, worker, file, line in story.named:
        text = NO_CODE.sub("", (source.lines(file)[line - 1:line] or [""])[0])
        receiver = story.receiver_of[child][1]
        if "spawn" in text:                 # what comes after the last one on the line
            text = text.rpartition("spawn")[2].partition(";")[2]
        if re.search(r"\b%s(?!\w)" % re.escape(receiver), text.partition("sync")[0]):
            made = story.instances[child]
            return (
                "worker %d uses %s on line %d while %s, whose result it gets, has not returned: a sync is missing"
                % (worker, receiver, line, made.get("label", made["call"]))
            )
    return ""


def twice(story):
    """Two children at a time deliver to one variable."""
    for first, second in story.clashes:
        names = [story.instances[i].get("label", story.instances[i]["call"]) for i in (first, second)]
        return "%s gets the results of %s and %s, which run at the same time: the one that returns last decides" % (
            story.receiver_of[second][1], *names
        )
    return ""


def order(story):
    """Two accesses of one place in another order than in the elision, one of which writes."""
    found = []
    for list_ in [*accesses(story).values(), prints(story)]:
        for k, later in enumerate(list_):
            for before in list_[max(0, k - NEAR):k]:
                if before.worker != later.worker and (before.writes or later.writes) and comes_first(
                        story, later.step, before.step):
                    found.append((later.when, before.step, later.step))
                    break
    if not found:
        return ""
    _, before, later = min(found, key=lambda one: one[0])
    words = [("worker %d " % s.worker) + s.does(True) + " on line %d" % s.line for s in (before, later)]
    return "%s before %s; without parallelism it is the other way round" % (words[0], words[1])


PRINTING = re.compile(r"(printf|puts|putchar)\b")


def prints(story):
    made = [Done(s, i) for i, s in enumerate(story.steps) if s.kind == "call" and PRINTING.match(s.text)]
    for done in made:
        done.writes = True
    return made


def path(story, step):
    """When each instance from the root to the step's is left for the next one, or does the step."""
    at, when, made = step.instance, step.index, {}
    while at >= 0:
        made[at] = when
        at, when = story.instances[at]["parent"], story.instances[at]["born"]
    return made


def comes_first(story, one, other):
    """Is this the order of the elision? In an instance both run one after the other, so that is where they part."""
    mine, others = path(story, one), path(story, other)
    common = next((i for i in mine if i in others), None)
    return common is not None and mine[common] < others[common]
