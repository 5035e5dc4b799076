"""`cilkc dag` of a program with threads of Cilk-1: the dag as the paper draws it (PPoPP'95, figure 1).

A thread is a circle, and the threads of one procedure, each the successor of one before it, are in a row. A
procedure is below its spawner. There are three kinds of edges: down to a spawned thread, to the right to a
successor, and back to the thread that gets a value. The program runs once on one worker, with its units counted, and
its runtime writes what happened (rt/extensions/cilk1/record.c). A procedure of Cilk-5 that a thread calls is a thread
with the procedure's work, as long as its span. Work and critical path of the whole program are those of `cilkc
profile`.
"""

import html
import json
import os
import sys

from cilkc_driver import console

from . import instrumented, profile_threads
from .profile_model import percent, ratio

WIDE, HIGH, RADIUS = 64, 84, 12
MOST = 400
FIELDS = ("name", "file", "line", "spawner", "successor", "level", "spawned", "start", "length", "ran", "work")


class Threads:
    """The recorded dag: nodes (0 is the caller), sends, the critical path, procedures."""

    def __init__(self, recorded, counted):
        """counted: the table of the same run, as `cilkc profile` has it."""
        self.nodes = [dict(zip(FIELDS, row)) for row in recorded["nodes"]]
        self.sends = [dict(zip(("from", "to", "slot", "at"), row)) for row in recorded["sends"]]
        self.left_out = recorded["left_out"]
        self.drawn = sum(n["work"] for n in self.nodes)
        self.drawn_span = max((n["start"] + n["length"] for n in self.nodes), default=0)
        # of the whole program; mixed: procedures of Cilk-5 are a part of it
        self.mixed = profile_threads.of_all(counted)
        self.work, self.span, self.computations = counted["work"], counted["span"], counted["computations"]
        self.critical = self.path()
        self.rows = self.procedures()

    def path(self):
        """The numbers of the threads on the critical path, the first one first; and its edges."""
        last = max(range(len(self.nodes)), key=lambda i: self.nodes[i]["start"] + self.nodes[i]["length"], default=0)
        before = {}
        for send in self.sends:
            if send["at"] == self.nodes[send["to"]]["start"]:
                before[send["to"]] = send["from"]
        found = [last]
        while found[-1] and len(found) <= len(self.nodes):
            node = self.nodes[found[-1]]
            spawner = node["spawner"]
            found.append(before.get(found[-1], spawner if spawner < len(self.nodes) else 0))
        return found[::-1]

    def procedures(self):
        """{first thread: [it and its successors]}, in the order of their spawns."""
        rows, first = {}, {}
        for i, node in enumerate(self.nodes):
            head = first.get(node["spawner"], node["spawner"]) if node["successor"] else i
            first[i] = head
            rows.setdefault(head, []).append(i)
        self.first = first
        return rows


def run(session, files, name):
    """session: dag.Session, with nothing built; files: [(file, kind)]. The exit status."""
    program, made, table = session.temp.file(name), session.temp.file("dag"), session.temp.file("threads")
    if not instrumented.build(session.flags, program, ["-cilk-span=count"]):
        return instrumented.NOT_RUN
    status = instrumented.execute(program, session.arguments,
                                  {"CILK_THREAD_DAG": made, "CILK_THREADS": table, "CILK_NPROC": "1"},
                                  instrumented.Input().open(session.temp), 2 if session.settings["json"] else None)
    recorded, counted = instrumented.read_report(made), instrumented.read_report(table)
    if recorded is None or len(recorded["nodes"]) < 2 or not counted or not counted["computations"]:
        console.message("error", instrumented.how_it_ended(status)
                        + ", and no thread of Cilk-1 ran to the end of a computation: there is no dag")
        return status or 1
    with instrumented.reading(made):
        dag = Threads(recorded, counted)
        title = " ".join([name] + session.arguments)
        most = session.settings["strands"] or MOST
        for file, kind in files:
            instrumented.write_file(file,
                                    {"svg": svg, "dot": dot, "html": page, "json": as_text}[kind](dag, title, most))
    if session.settings["json"]:
        json.dump(as_json(dag, [file for file, _ in files], status), sys.stdout, indent=1)
        print()
    else:
        print(tables(dag, files, most))
    sys.stdout.flush()
    return status


# ---- the picture ----

def placed(dag, most):
    """{thread: (x, y)} of the first `most` threads that have a spawner in the picture; the width and the height."""
    shown = set(sorted(range(1, len(dag.nodes)), key=lambda i: (dag.nodes[i]["level"], i))[:most])
    shown = {i for i in shown if dag.nodes[i]["name"] != "the caller" or dag.nodes[i]["line"]}
    rows = {head: [i for i in row if i in shown] for head, row in dag.rows.items() if head in shown}
    below = {}
    for head in rows:
        spawner = dag.nodes[head]["spawner"]
        below.setdefault(dag.first.get(spawner, 0) if spawner in shown else 0, []).append(head)
    wide: dict[int, int] = {}
    order, todo = [], list(reversed(below.get(0, [])))
    while todo:
        order.append(todo.pop())
        todo += reversed(below.get(order[-1], []))

    def width(head):
        total = 0
        for child in below.get(head, []):
            total += wide[child]
        return total

    for head in reversed(order):
        wide[head] = max(len(rows[head]), width(head))
    at, left = {}, {}
    x = 0.0
    for head in below.get(0, []):
        left[head] = x
        x += wide[head]
    depth = {}
    for head in order:
        spawner = dag.nodes[head]["spawner"]
        depth[head] = depth[dag.first[spawner]] + 1 if spawner in shown else 0
        begin = left[head] + (wide[head] - len(rows[head])) / 2
        for k, i in enumerate(rows[head]):
            at[i] = ((begin + k + 0.5) * WIDE, (depth[head] + 0.5) * HIGH)
        inside = left[head] + (wide[head] - width(head)) / 2
        for child in below.get(head, []):
            left[child] = inside
            inside += wide[child]
    return at, rows, max(x, 1) * WIDE, (max(depth.values(), default=0) + 1) * HIGH


def svg(dag, title, most):
    at, rows, width, height = placed(dag, most)
    critical = set(dag.critical)
    steps = set(zip(dag.critical, dag.critical[1:]))
    size = (width, height + 24)
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 -24 %d %d" font-family="sans-serif" font-size="9">'
        % (size + size), "<title>%s</title>" % html.escape(title),
        '<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>',
        '<text x="4" y="-10" font-size="11">%s: %d threads, work %s, critical path %s units (red)</text>'
        % (html.escape(title), len(dag.nodes) - 1, "{:,}".format(dag.drawn), "{:,}".format(dag.drawn_span))
    ]
    for row in rows.values():
        if row:
            (x, y), (last, _) = at[row[0]], at[row[-1]]
            out.append('<rect x="%.0f" y="%.0f" width="%.0f" height="%d" rx="14" fill="#f3f3f3" stroke="#bbb"/>'
                       % (x - 26, y - 22, last - x + 52, 50))

    def line(a, b, style, bend=0):
        (x1, y1), (x2, y2) = at[a], at[b]
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1)
        dx, dy = (x2 - x1) / length * RADIUS, (y2 - y1) / length * RADIUS
        colour = "#c00" if (a, b) in steps else "#444"
        out.append('<path d="M%.0f %.0fQ%.0f %.0f %.0f %.0f" fill="none" stroke="%s" %s marker-end="url(#a)"/>'
                   % (x1 + dx, y1 + dy, (x1 + x2) / 2 + bend, (y1 + y2) / 2, x2 - dx, y2 - dy, colour, style))
    for i in at:
        if dag.nodes[i]["spawner"] in at:
            line(dag.nodes[i]["spawner"], i, "")
    for send in dag.sends:
        if send["from"] in at and send["to"] in at:
            line(send["from"], send["to"], 'stroke-dasharray="4 3"', 18)
    for i, (x, y) in at.items():
        node = dag.nodes[i]
        out.append(
            '<circle cx="%.0f" cy="%.0f" r="%d" fill="%s" stroke="%s"><title>%s</title></circle><text x="%.0f" y="%.0f" text-anchor="middle">%s</text>'
            % (x, y, RADIUS, "white" if node["ran"] else "#fc8", "#c00" if i in critical else "#444",
               html.escape(words(node)), x, y + 24, html.escape(node["name"]))
        )
    return "\n".join(out) + "\n</svg>\n"


def words(node):
    where = "%s (%s:%d)" % (node["name"], os.path.basename(node["file"]), node["line"])
    return where + (", %s units long, from %s on" % ("{:,}".format(node["length"]), "{:,}".format(node["start"]))
                    if node["ran"] else ", never ran: an argument is missing")


def dot(dag, title, most):
    at, rows, _, _ = placed(dag, most)
    steps = set(zip(dag.critical, dag.critical[1:]))
    out = ["digraph %s {" % json.dumps(title), "  node [shape=circle];"]
    for head, row in rows.items():
        out.append("  subgraph cluster_%d { %s }"
                   % (head, " ".join("t%d [label=%s];" % (i, json.dumps(dag.nodes[i]["name"])) for i in row)))
    edges = [(dag.nodes[i]["spawner"], i, "") for i in at] + [
        (s["from"], s["to"], "style=dashed,constraint=false,label=%s" % json.dumps(s["slot"])) for s in dag.sends
    ]
    for a, b, style in edges:
        if a in at and b in at:
            out.append(
                "  t%d -> t%d [%s];" % (a, b, ",".join(x for x in (style, "color=red" if (a, b) in steps else "") if x))
            )
    return "\n".join(out) + "\n}\n"


def page(dag, title, most):
    return '<!DOCTYPE html>\n<meta charset="utf-8"><title>%s</title>\n<body style="overflow:auto">\n%s</body>\n' % (
        html.escape(title), svg(dag, title, most)
    )


# ---- data and tables ----

def as_json(dag, files, status):
    return {"work": dag.work, "span": dag.span, "parallelism": ratio(dag.work, dag.span),
            "drawn": {"work": dag.drawn, "span": dag.drawn_span}, "unit": "units", "threads": len(dag.nodes) - 1,
            "left_out": dag.left_out,
            "edges": {"spawn": sum(1 for n in dag.nodes[1:] if not n["successor"]),
                      "successor": sum(1 for n in dag.nodes[1:] if n["successor"]),
                      "send": len(dag.sends)}, "critical_path": dag.critical, "nodes": dag.nodes, "sends": dag.sends,
            "files": files, "status": status}


def as_text(dag, title, most):
    return json.dumps(as_json(dag, [], 0), indent=1) + "\n"


def tables(dag, files, most):
    data = as_json(dag, [], 0)
    lines = [
        "",
        *(
            "%-22s %14s" % (name, value)
            for name, value in (
                ("work", "{:,}".format(dag.work)),
                ("critical path", "{:,}".format(dag.span)),
                ("parallelism", "%.2f" % data["parallelism"]),
                ("threads", "{:,}".format(data["threads"])),
                ("edges: spawns", "{:,}".format(data["edges"]["spawn"])),
                ("edges: successors", "{:,}".format(data["edges"]["successor"])),
                ("edges: sends", "{:,}".format(data["edges"]["send"])),
            )
        ),
        "",
    ]
    if dag.mixed:
        lines += [
            "Procedures of Cilk-5 have a part in that. The threads, with the procedures that they call, have a work of "
            "%s and a critical path of %s%s: the picture shows these"
            % ("{:,}".format(dag.drawn), "{:,}".format(dag.drawn_span),
               ", the longest of %d computations" % dag.computations if dag.computations > 1 else ""), ""
        ]
    sums = {}
    for i, after in zip(dag.critical, [*dag.critical[1:], None]):
        node = dag.nodes[i]
        if not node["line"]:
            continue
        row = sums.setdefault((node["name"], node["file"], node["line"]), [0, 0])
        row[0] += 1
        # up to the edge that the path takes
        row[1] += node["length"] if after is None else dag.nodes[after]["start"] - node["start"]
    lines.append("On the critical path%s:" % (" of the threads" if dag.mixed else ""))
    for (name, file, line), (n, length) in sorted(sums.items(), key=lambda item: -item[1][1]):
        lines.append("  %7s  %6d of  %s  %s"
                     % (percent(ratio(length, dag.drawn_span)), n, name, "%s:%d" % (os.path.basename(file), line)))
    lines.append("")
    lines += ["%s: %s" % (file,
                          {"svg": "a picture", "dot": "for GraphViz: dot -Tpdf", "html": "open it in a browser",
                           "json": "the dag as data"}[kind]) for file, kind in files]
    if data["threads"] > most and any(kind != "json" for _, kind in files):
        lines.append("The picture has the first %d of %d threads; --strands N draws more" % (most, data["threads"]))
    if dag.left_out:
        lines.append(
            "%d threads more were not recorded: work and critical path have them, the picture and the lists do not"
            % dag.left_out
        )
    return "\n".join(lines)
