"""The dag as a picture in the form of the papers: a procedure is a rounded box, its strands are circles in it; spawns
lead down, successors to the right, returns up.

Layout: an instance's strands are in a row, each child is below the strand that spawned it, so that a spawn's edge
goes straight down; the next strand is to the right of all that is below. The page has the same layout in
JavaScript (dag.js), where boxes open and close.
"""

from html import escape

from . import dag_model as model
from . import source
from .agreed import KIND, MARK
from .profile_model import figure

RADIUS, SLOT, PAD, TITLE, ROW, GAP, MARGIN, CLOSED = 12, 40, 8, 17, 52, 34, 16, 40
LETTER, BOLD, SMALL = 6.4, 7.3, 5.7       # widths of a letter, about


def short(n):
    """A number that has room in a circle."""
    for unit, size in (("", 1), ("k", 10 ** 3), ("M", 10 ** 6), ("G", 10 ** 9), ("T", 10 ** 12), ("P", 10 ** 15)):
        if n < 1000 * size:
            return "%d%s" % (n // size, unit) if n >= 10 * size or size == 1 else "%.1f%s" % (n / size, unit)
    return "%.0e" % n


def label(box):
    """The text of a closed box, in two lines."""
    many = " ×%s" % short(box.count) if box.count > 1 else ""
    inner = ", %s in it" % short(box.instances) if box.instances > box.count else ""
    return box.name + many + inner, "work %s  span %s" % (short(box.work), short(box.span))


def layout(root):
    """Sets x, y, width, height of all boxes and strands; the size of the picture."""
    order = list(model.boxes(root))
    for box in reversed(order):             # children first: how wide each is
        if not box.open:
            box.width, box.height = (max(SLOT, BOLD * len(label(box)[0]) + 2 * PAD,
                                         SMALL * len(label(box)[1]) + 2 * PAD), CLOSED)
            box.reach = box.width
            continue
        x, right = 0.0, 0.0
        for item in box.items:
            if item.step.is_strand or item.child:
                item.x = x + SLOT / 2
                right = item.x + SLOT / 2
            reach = item.child.reach + PAD if item.child else 0.0
            box.reach = max(box.reach, x + reach)
            x += max(SLOT, reach) if item.step.is_strand else 0
        box.width = max(right, SLOT / 2 + (RADIUS + 5 if right <= SLOT else 7)
                        + BOLD * (len(box.name) + (6 if box.count > 1 else 0)) + PAD)
        box.height = ROW
        box.reach = max(box.reach, box.width)
    bottom = 0.0
    root.x, root.y = MARGIN, MARGIN
    for box in order:
        bottom = max(bottom, box.y + box.height)
        for item in box.items:
            item.x += box.x
            item.y = box.y + TITLE + RADIUS + 5
            if item.child:
                item.child.x, item.child.y = item.x - SLOT / 2, box.y + ROW + GAP
    return root.reach + 2 * MARGIN, bottom + MARGIN


def place_of_name(box):
    """Beside the only strand, or above the others: between the edges that come and go."""
    if sum(item.step.is_strand for item in box.items) == 1:
        return box.x + SLOT / 2 + RADIUS + 5, box.y + TITLE + RADIUS + 9
    return box.x + SLOT / 2 + 7, box.y + 13


def ends(box):
    """Where edges from and to it meet it: ((x, y) of its begin, of its end)."""
    if not box.open:
        return (box.x + SLOT / 2, box.y), (box.x + box.width - 12, box.y)
    strands = [item for item in box.items if item.step.is_strand]
    return (strands[0].x, strands[0].y - RADIUS), (strands[-1].x + 8, strands[-1].y - RADIUS + 3)


def edges(box, jumps=False):
    """[(kind, from, to, on the critical path, step)] in an open box; points, or items for successors."""
    out, waiting, spawned = [], [], []
    last: "model.Item | None" = None
    touching: "model.Item | None" = None
    for item in box.items:
        if item.step.is_strand:
            if last is not None and last.step.kind != KIND.CALL:
                kept = last.on_path and item.on_path and not (last.child and last.child.on_path)
                out.append(("successor", last, item, kept, last.step))
            for back in waiting:
                # Where touches let the path jump, it comes back from a child only if the sync waited for that.
                came = not jumps or (
                    item.on_path and (back.step.kind == KIND.CALL or bool(back.step.mark & MARK.CRITICAL))
                )
                out.append(("return", back.child, item, back.delivers or (back.child.on_path and box.on_path and came),
                            back.step))
            waiting = []
            if touching:
                child = model.touched(box, touching.step)
                if child:
                    out.append(("touch", child, item, bool(touching.step.mark & MARK.WAITS) and item.on_path,
                                touching.step))
                touching = None
        if item.child:
            out.append(("call" if item.step.kind == KIND.CALL else "spawn", item, item.child,
                        item.child.on_path and (item.on_path or not jumps), item.step))
        if item.step.is_strand:
            last = item
        if item.step.kind == KIND.TOUCH:
            touching = item
        if item.step.kind == KIND.CALL:
            waiting.append(item)
        elif item.step.kind == KIND.SPAWN:
            spawned.append(item)
        elif item.step.kind == KIND.SYNC:
            waiting, spawned = spawned, []
    return out


def box_text(box, dag):
    where = ", spawned at " + source.place(*dag.sites[box.site][:2]) if box.site >= 0 else ""
    many = ("%s spawns, %s" % ("{:,}".format(box.count), "the longest of them drawn" if box.folded else "all equal")
            if box.count > 1 else "one instance")
    below = "with all below: {:,} instances, {:,} strands, work {:,}, span {:,}".format(
        box.instances, box.strands, box.work, box.span
    )
    return "%s%s: %s; %s%s%s" % (box.name, where, many, below, "; on the critical path" if box.on_path else "",
                                 "; an abort would end it" if box.aborted else "")


def strand_text(item):
    step = item.step
    text = "{:,} instructions".format(step.units)
    if step.count > 1 and step.kind in (KIND.SPAWN, KIND.CALL):
        text += " in {:,} strands".format(step.count)
    if item.on_path:
        text += ", on the critical path"
    if step.mark & MARK.INLET:
        text += ", calls the inlet %s" % step.inlet
    if step.mark & MARK.ABORTS:
        text += ", aborts"
    if step.kind == KIND.TOUCH:
        text += ", then touches a future" + (", for which it waits" if step.mark & MARK.WAITS else "")
    return text


STYLE = """
.box { fill: #f4f6f9; stroke: #7a8798 } .box.closed { fill: #e6ebf2 } .box.on { stroke: #c8372d; stroke-width: 1.8 }
.box.ended { stroke-dasharray: 4 3; fill: #f3eefa; stroke: #8a63c4 }
.strand { fill: #fff; stroke: #4a5666 } .strand.on { fill: #fbd9d3; stroke: #c8372d; stroke-width: 1.8 } .strand.aborts { stroke: #6d3fb5; stroke-width: 2.6 }
.edge { fill: none; stroke: #6f7c8d; stroke-width: 1.2 } .edge.return { stroke: #9aa5b3 } .edge.call { stroke-dasharray: 2 3 }
.edge.touch { stroke: #0e8f9c; stroke-dasharray: 6 3 } .edge.on { stroke: #c8372d; stroke-width: 2.4 }
.head { fill: #6f7c8d } .head.on { fill: #c8372d } .inlet { fill: #2c8a6e } text { fill: #1d2733 } .quiet { fill: #5b6776 } .paper { fill: #ffffff }
@media (prefers-color-scheme: dark) {
.box { fill: #202833; stroke: #8492a5 } .box.closed { fill: #2b3543 } .box.on { stroke: #ff7d6e } .box.ended { fill: #2b2440; stroke: #b796ec }
.strand { fill: #10151c; stroke: #a9b5c4 } .strand.on { fill: #5c2620; stroke: #ff7d6e } .strand.aborts { stroke: #c7a8fb }
.edge { stroke: #93a1b3 } .edge.return { stroke: #66748a } .edge.touch { stroke: #4fc3cf }
.edge.on { stroke: #ff7d6e } .head { fill: #93a1b3 } .head.on { fill: #ff7d6e } .inlet { fill: #5fd0ae } text { fill: #e8edf3 } .quiet { fill: #a9b5c4 } .paper { fill: #131920 } }
"""


def classes(*words):
    return " ".join(word for word in words if word)


def svg(dag, root, title, note):
    width, height = layout(root)
    top = 66
    width = max(width, 2 * MARGIN + LETTER * 1.15 * max(len(title), len(note) * 0.9), 560)
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="11" role="img">'
        % (width, height + top, width, height + top),
        "<title>%s</title>" % escape(title),
        "<style>%s</style>" % STYLE,
        "<defs>%s</defs>"
        % "".join(
            '<marker id="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="%d" markerHeight="%d" markerUnits="userSpaceOnUse" orient="auto">'
            '<path class="%s" d="M0 1 8 4 0 7z"/></marker>' % (name, size, size, what)
            for name, size, what in (("a", 7, "head"), ("b", 9, "head on"))
        ),
        '<rect class="paper" width="100%" height="100%"/>',
        '<text x="%d" y="24" font-size="15" font-weight="bold">%s</text>' % (MARGIN, escape(title)),
        '<text class="quiet" x="%d" y="42" font-size="12">%s</text>' % (MARGIN, escape(note)),
        '<text class="quiet" x="%d" y="58">box: procedure · circle: strand, with its instructions · red: critical path%s</text>'
        % (MARGIN, " · dashed: a touch, from the end of the future's child" if dag.jumps else ""),
        '<g transform="translate(0 %d)">' % top,
    ]
    everything = list(model.boxes(root))
    for box in everything:
        what = classes("box", "" if box.open else "closed", "on" if box.on_path else "", "ended" if box.aborted else "")
        out.append('<g><title>%s</title>' % escape(box_text(box, dag)))
        if box.count > 1:
            out.append('<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="11"/>'
                       % (what, box.x + 4, box.y + 4, box.width, box.height))
        out.append('<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="11"/>'
                   % (what, box.x, box.y, box.width, box.height))
        if box.open:
            many = " ×%s" % short(box.count) if box.count > 1 else ""
            out.append('<text x="%.1f" y="%.1f" font-weight="600">%s</text></g>'
                       % (*place_of_name(box), escape(box.name + many)))
        else:
            first, second = label(box)
            out.append(
                '<text x="%.1f" y="%.1f" font-weight="600">%s</text><text class="quiet" x="%.1f" y="%.1f" font-size="10">%s</text></g>'
                % (box.x + PAD, box.y + 16, escape(first), box.x + PAD, box.y + 31, escape(second))
            )
    for box in everything:
        for kind, a, b, on, step in edges(box, dag.jumps) if box.open else ():
            end = ' marker-end="url(#%s)"' % ("b" if on else "a")
            if kind == "successor":
                path = "M%.1f %.1fH%.1f" % (a.x + RADIUS, a.y, b.x - RADIUS)
            elif kind == "touch":
                (_, (x, y)) = ends(a)
                path = "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" % (
                    x, y, x + 10, y - 26, b.x - 12, b.y - 40, b.x - 3, b.y - RADIUS
                )
            elif kind == "return":
                (_, (x, y)) = ends(a)
                path = "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" % (
                    x, y, x, a.y - 30, b.x, b.y + ROW - TITLE + 26, b.x, b.y + RADIUS
                )
            else:
                ((x, y), _) = ends(b)
                path = "M%.1f %.1fL%.1f %.1f" % (a.x, a.y + RADIUS, x, y)
            out.append('<path class="%s" d="%s"%s/>' % (classes("edge", kind, "on" if on else ""), path, end))
            if kind == "return" and step.mark & (MARK.INLET_BACK | MARK.ABORTS_BACK):
                ((_, _), (x, y)) = ends(a)
                out.append('<g><title>%s</title><path class="inlet" d="M%.1f %.1fl6 6-6 6-6-6z"/></g>'
                           % (escape("the inlet %s%s" % (step.inlet,
                                                         ", which aborts" if step.mark & MARK.ABORTS_BACK else "")), x,
                              a.y - 17))
                out.append('<text x="%.1f" y="%.1f" font-size="10">%s</text>'
                           % (x + 9, a.y - 7,
                              escape(step.inlet + (" aborts" if step.mark & MARK.ABORTS_BACK else ""))))
    for box in everything:
        for item in box.items:
            if item.step.times > 1:
                out.append('<text class="quiet" x="%.1f" y="%.1f" font-size="10">%s blocks like this</text>'
                           % (max(item.x - RADIUS, box.x + SLOT + BOLD * (len(box.name) + 2)), box.y + 13,
                              "{:,}".format(item.step.times)))
            if not item.step.is_strand:
                continue
            what = classes("strand", "on" if item.on_path else "", "aborts" if item.step.mark & MARK.ABORTS else "")
            out.append(
                '<g><title>%s</title><circle class="%s" cx="%.1f" cy="%.1f" r="%d"/><text x="%.1f" y="%.1f" font-size="9" text-anchor="middle">%s</text></g>'
                % (escape(strand_text(item)), what, item.x, item.y, RADIUS, item.x, item.y + 3, short(item.step.units))
            )
    out.append("</g></svg>\n")
    return "\n".join(out)


def dot(dag, root, title, note):
    """For GraphViz: `dot -Tpdf`. Open procedures are clusters."""
    def quoted(text):
        return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

    out = ["// %s" % title.replace("\n", " "), "// %s" % note, "digraph dag {",
           '  graph [fontname="sans-serif", label=%s, labelloc=t, labeljust=l];' % quoted(title + "\n" + note),
           '  node [fontname="sans-serif", fontsize=10]; edge [fontname="sans-serif", fontsize=9, arrowsize=0.6];']
    everything = list(model.boxes(root))
    names, first, last = {}, {}, {}
    for n, box in enumerate(everything):
        colour = 'color="#c8372d"' if box.on_path else 'color="#7a8798"'
        dashed = ",dashed" if box.aborted else ""
        if not box.open:
            first[id(box)] = last[id(box)] = "b%d" % n
            out.append('  b%d [shape=box, style="rounded,filled%s", fillcolor="#e6ebf2", %s, label=%s];'
                       % (n, dashed, colour, quoted("\n".join(label(box)))))
            continue
        many = " ×%s" % short(box.count) if box.count > 1 else ""
        out.append('  subgraph cluster_%d { style="rounded,filled%s"; fillcolor="#f4f6f9"; %s; label=%s;'
                   % (n, dashed, colour, quoted(box.name + many)))
        strands = [item for item in box.items if item.step.is_strand]
        for k, item in enumerate(strands):
            names[id(item)] = "s%d_%d" % (n, k)
            on = ', fillcolor="#fbd9d3", color="#c8372d", penwidth=2' if item.on_path else ', fillcolor="#ffffff"'
            times = "\n×%s" % short(item.step.count) if item.step.count > 1 else ""
            out.append("    s%d_%d [shape=circle, style=filled%s, label=%s];"
                       % (n, k, on, quoted(short(item.step.units) + times)))
        out.append("    { rank=same; %s }" % " ".join(names[id(item)] + ";" for item in strands))
        out.append("  }")
        first[id(box)], last[id(box)] = names[id(strands[0])], names[id(strands[-1])]
    for box in everything:
        for kind, a, b, on, step in edges(box, dag.jumps) if box.open else ():
            red = ['color="#c8372d"', "penwidth=2"] if on else []
            if kind == "successor":
                words, ends_ = [], (names[id(a)], names[id(b)])
            elif kind == "touch":
                words, ends_ = (["constraint=false", "style=dashed"] + ([] if on else ['color="#0e8f9c"']),
                                (last[id(a)], names[id(b)]))
            elif kind == "return":
                inlet = (["label=" + quoted(step.inlet + (" aborts" if step.mark & MARK.ABORTS_BACK else ""))]
                         if step.inlet else [])
                words, ends_ = (["constraint=false"] + inlet + ([] if on else ['color="#9aa5b3"']),
                                (last[id(a)], names[id(b)]))
            else:
                words, ends_ = ["style=dotted"] if kind == "call" else [], (names[id(a)], first[id(b)])
            out.append("  %s -> %s%s;" % (*ends_, " [%s]" % ", ".join(words + red) if words + red else ""))
    out.append("}\n")
    return "\n".join(out)


def noted(dag, root):
    """One line: the numbers, and how much of the dag is in the picture."""
    text = "work {:,}, span {:,}, parallelism {} (instructions); {:,} strands in {:,} instances".format(
        dag.work, dag.span, figure(dag.work / dag.span if dag.span else 1.0), dag.strands, dag.instances)
    closed, inside = model.hidden(root)
    if closed:
        text += "; {:,} instances are in {:,} closed boxes".format(inside, closed)
    return text
