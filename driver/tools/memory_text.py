"""What `cilkc memory` found: tables for people, JSON for programs."""

from . import profile_text, source
from .profile_model import figure, percent, units

ANSWERS = {-1: "never more than that", 1: "may be more than half of that", 0: "not known: ask for the exact mark"}
WORDS = {-1: "never more", 1: "more than half", 0: "not known"}


COLUMNS = ("workers", "bytes at most", "closures in that", "heap at most", "times the serial run")


def marks(memory):
    """The columns and the rows of the first table."""
    rows = []
    for p, row in [*memory.marks, ("serial run", memory.serial)]:
        heap = memory.heaps.get(p) if p != "serial run" else memory.serial_heap
        rows.append((p, units(row[0]), units(row[0] - memory.heap(row)), "" if heap is None else units(heap),
                     figure(row[0] / memory.serial[0]) if memory.serial[0] and p != "serial run" else "1.00",
                     units(memory.measured[p]) if p in memory.measured else ""))
    measured = bool(memory.measured)
    return COLUMNS + ("heap measured",) * measured, [row if measured else row[:-1] for row in rows]


def place(g):
    return {"file": g.file, "line": g.line, "column": g.column, "procedure": g.procedure, "what": g.what}


def sites(memory, row):
    return [dict(place(g), bytes=n) for n, g in memory.parts(row)]


def as_json(memory):
    def row_json(row, heap):
        return {
            "bytes": row[0],
            "heap": heap,
            "closures": row[0] - memory.heap(row),
            "sites": sites(memory, row),
        }

    made = {"unit": "bytes", "status": memory.status, "instances": memory.instances, "spawns": memory.spawns,
            "waiting": memory.waiting,
            "marks": [dict(row_json(row, memory.heaps.get(p)), workers=p, measured_heap=memory.measured.get(p),
                           bound=p not in memory.open) for p, row in memory.marks],
            "serial": row_json(memory.serial, memory.serial_heap),
            "left_at_exit": row_json(memory.left, memory.heap(memory.left)),
            "allocations": [dict(place(g), blocks=g.blocks, bytes=g.bytes) for g in memory.groups]}
    if memory.threshold:
        made["threshold"] = {"bytes": memory.threshold,
                             "answers": [{"workers": p, "answer": WORDS[a]} for p, a in sorted(memory.answers.items())]}
    return made


def show(memory, top):
    console = profile_text.terminal()
    profile_text.table(console, "The largest memory over all schedules", *marks(memory))
    if memory.waiting:
        print(bounds(memory))
    if memory.threshold:
        profile_text.table(console, "Against %s bytes" % units(memory.threshold), ("workers", ""), answers(memory))
    p, row = memory.marks[-1]
    parts = memory.parts(row)
    profile_text.table(console, "What %s worker%s may have then" % (units(p), "" if p == 1 else "s"),
                       ("bytes", "share", "line", "procedure", ""),
                       [(units(n), percent(n / row[0]) if row[0] else "",
                         source.place(g.file, g.line) if g.file else "", g.procedure, g.what) for n, g in parts[:top]])
    if len(parts) > top:
        print("  and %d more" % (len(parts) - top))
    left = [(n, g) for n, g in memory.parts(memory.left) if g.kind != "procedure"]
    profile_text.table(console, "Not freed when the program ended", ("bytes", "line", "procedure", ""),
                       [(units(n), source.place(g.file, g.line) if g.file else "", g.procedure, g.what)
                        for n, g in left[:top]])
    print()
    print(sentence(memory))


def bounds(memory):
    """What touches of futures do to the marks."""
    text = "%s procedure%s futures of others and may wait without a worker" % (
        units(memory.waiting), " touches" if memory.waiting == 1 else "s touch"
    )
    bound = "these are bounds, which no schedule has to reach."
    if not memory.open:
        return "%s: %s" % (text, bound)
    least = min(memory.open)
    first = "" if least == memory.marks[0][0] else " For fewer workers " + bound
    return "%s. Together with %s they are too many to be followed: the memory may be larger than the table says.%s" % (
        text, "%s or more workers" % units(least) if first else "the workers", first
    )


def answers(memory):
    """[(workers, what to say)]. Beside futures there may be no exact mark to ask for."""
    return [(p, WORDS[a] if a == 0 and memory.waiting else ANSWERS[a]) for p, a in sorted(memory.answers.items())]


def sentence(memory):
    p, row = memory.marks[-1]
    many = "%s workers" % units(p) if p > 1 else "One worker"
    if not row[0]:
        return "%s need no memory that was counted." % many
    times = row[0] / memory.serial[0] if memory.serial[0] else 1.0
    n, g = memory.parts(row)[0]
    where = ("the closures of %s" % g.procedure if g.kind == "procedure" else source.place(g.file, g.line) if g.file
             else g.what)
    text = "%s may need %s bytes, %s times the serial run's; the largest part is of %s (%s)" % (
        many, units(row[0]), figure(times), where, percent(n / row[0])
    )
    beyond = [p for p, row in memory.marks if memory.serial[0] and row[0] / memory.serial[0] > p * 1.001]
    if beyond:
        most = beyond[-1]
        text += ". %s more than %s%s" % (
            "That is" if most == p else "One worker may need" if most == 1 else "%d workers may need" % most,
            "the serial run's" if most == 1 else "%d times the serial run's" % most,
            "" if memory.waiting else ": blocks outlive the procedures that allocate them",
        )
    return text + "."
