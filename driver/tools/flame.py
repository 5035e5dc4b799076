"""The flame graph of the logical spawn tree: a box for each context, as wide as its work with all that it spawned, on
top of what spawned it; the colour is how much of it is on the critical path. Contexts are the program's: main, what
it spawns, and so on, recursion folded; no frame of the runtime is among them.

svg() gives a picture, html() a page that holds it, with zoom and search; neither needs anything from elsewhere.
"""

from html import escape

from . import profile_text, source
from .profile_model import figure, percent, ratio

WIDTH, ROW, EDGE = 1180, 20, 10
LEAST = 0.5         # pixels: what is narrower is not drawn


class Box:
    def __init__(self, context, x, width, depth):
        self.context, self.x, self.width, self.depth = context, x, width, depth


def boxes(root):
    """All boxes, the root's first. A context's own work is to the right of what it spawned."""
    made, todo = [], [(root, 0.0, float(WIDTH), 0)]
    while todo:
        context, x, width, depth = todo.pop()
        made.append(Box(context, x, width, depth))
        for child in sorted(context.children, key=lambda c: (-c.work, c.procedure, c.line)):
            inner = width * child.work / context.work if context.work else 0.0
            if inner >= LEAST:
                todo.append((child, x, inner, depth + 1))
            x += inner
    return made


def colour(share):
    """From pale yellow, off the critical path, to dark red, all on it. Text on it stays readable."""
    share = min(1.0, max(0.0, share)) ** 0.5
    low, high = (255, 238, 190), (214, 69, 48)
    return "#%02x%02x%02x" % tuple(round(a + (b - a) * share) for a, b in zip(low, high))


def name_of(context, profile):
    return context.procedure or "the program"


def text_beside(context, profile):
    """The text beside a box."""
    where = ", spawned at " + source.place(context.file, context.line) if context.above > 0 else ""
    return "%s%s: %s instance%s, work %s (%s), alone %s; %s of the span, alone %s" % (
        name_of(context, profile), where, "{:,}".format(context.instances), "" if context.instances == 1 else "s",
        "{:,}".format(context.work), percent(ratio(context.work, profile.work)), "{:,}".format(context.local),
        percent(profile.share(context.on_span)), percent(profile.share(context.local_on_span))
    )


def svg(profile, title, page=False):
    all_boxes = boxes(profile.root)
    depth = max(box.depth for box in all_boxes) + 1
    height = depth * ROW + 70
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" role="img">'
        % (WIDTH + 2 * EDGE, height, WIDTH + 2 * EDGE, height), "<title>%s</title>" % escape(title),
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="%d" y="20" font-size="14" font-weight="bold">%s</text>' % (EDGE, escape(title)),
        '<text x="%d" y="38" fill="#555555">width: work; colour: share of the critical path in it</text>' % EDGE
    ]
    for i in range(60):
        out.append(
            '<rect x="%g" y="26" width="2.1" height="12" fill="%s"/>' % (WIDTH + EDGE - 190 + 2 * i, colour(i / 59))
        )
    out.append(
        '<text x="%d" y="36" text-anchor="end" fill="#555555">none</text><text x="%d" y="36" fill="#555555">all of it</text>'
        % (WIDTH + EDGE - 196, WIDTH + EDGE - 64)
    )
    for box in all_boxes:
        c = box.context
        share = ratio(c.on_span, profile.span) if profile.same else 0.0
        y = height - 12 - (box.depth + 1) * ROW
        label = name_of(c, profile)
        room = int((box.width - 6) / 6.8)
        shown = label if len(label) <= room else label[:room - 1] + "…" if room >= 3 else ""
        out.append('<g class="box" data-x="%.3f" data-w="%.3f" data-d="%d" data-n="%s"><title>%s</title>'
                   % (box.x, box.width, box.depth, escape(label), escape(text_beside(c, profile)))
                   + '<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="#ffffff"/>'
                   % (EDGE + box.x, y, max(0.4, box.width - 0.3), ROW - 1, colour(share))
                   + '<text x="%.2f" y="%d">%s</text></g>' % (EDGE + box.x + 3, y + 14, escape(shown)))
    out.append("</svg>\n")
    return "\n".join(out)


STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 24px auto; max-width: 1200px; padding: 0 12px; color: #1c1c1c; background: #ffffff }
h1 { font-size: 20px } h2 { font-size: 16px; margin-top: 28px }
table { border-collapse: collapse } th, td { padding: 3px 12px 3px 0; text-align: right; white-space: nowrap } th { border-bottom: 1px solid #999999; font-weight: 600 }
td.t, th.t { text-align: left } code { font: 13px ui-monospace, monospace } .sentence { font-size: 16px; padding: 10px 14px; background: #f3f1ea; border-left: 4px solid #d64530 }
svg { max-width: 100%; height: auto } g.box { cursor: pointer } g.found rect { stroke: #1c1c1c }
.bar { display: inline-block; height: 10px; background: #d64530; vertical-align: middle }
#note { min-height: 1.5em; color: #333333 } p { overflow-wrap: anywhere }
@media (max-width: 800px) { table { display: block; overflow-x: auto } }
@media (prefers-color-scheme: dark) {
  body { color: #e8edf3; background: #131920 } .sentence { background: #232c38 } #note { color: #a9b5c4 } th { border-color: #5b6776 }
  svg { background: #ffffff }
}
"""

SCRIPT = """
const all = [...document.querySelectorAll('g.box')], width = %d, edge = %d, note = document.getElementById('note');
function show(x, w, depth) {
  for (const g of all) {
    const gx = +g.dataset.x, gw = +g.dataset.w, gd = +g.dataset.d, above = gd < depth;
    const inside = gx + gw > x + 1e-6 && gx < x + w - 1e-6;
    g.style.display = inside ? '' : 'none';
    if (!inside) continue;
    const left = above ? 0 : (gx - x) / w * width, wide = above ? width : gw / w * width;
    const r = g.querySelector('rect'), t = g.querySelector('text'), n = g.dataset.n, room = Math.floor((wide - 6) / 6.8);
    r.setAttribute('x', edge + left); r.setAttribute('width', Math.max(0.4, wide - 0.3)); r.setAttribute('opacity', above ? 0.5 : 1);
    t.setAttribute('x', edge + left + 3); t.textContent = n.length <= room ? n : room >= 3 ? n.slice(0, room - 1) + '\\u2026' : '';
  }
}
for (const g of all) {
  g.addEventListener('click', () => show(+g.dataset.x, +g.dataset.w, +g.dataset.d));
  g.addEventListener('mouseover', () => { note.textContent = g.querySelector('title').textContent; });
}
document.getElementById('find').addEventListener('input', e => {
  for (const g of all) g.classList.toggle('found', e.target.value !== '' && g.dataset.n.includes(e.target.value));
});
document.getElementById('all').addEventListener('click', () => show(0, width, 0));
"""


def html(profile, title, sweep=None):
    """The page: the sentence, the flame graph, the tables, and the sweep where it was made."""
    p = profile
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        "<title>%s</title><style>%s</style></head><body>" % (escape(title), STYLE), "<h1>%s</h1>" % escape(title),
        '<p class="sentence">%s</p>' % escape(p.verdict()[1]),
        "<table><tr><th>work</th><th>span</th><th>parallelism</th><th>burdened span</th><th>burdened parallelism</th><th>spawns</th></tr>"
        "<tr>%s</tr></table>"
        % "".join("<td>%s</td>" % cell
                  for cell in ("{:,}".format(p.work), "{:,}".format(p.span), figure(p.parallelism),
                               "{:,}".format(p.burdened_span), figure(p.burdened_parallelism),
                               "{:,}".format(p.spawns))), "<h2>Where the work is, and the critical path</h2>",
        '<p>Click a box to enlarge it. <button id="all">all</button> <input id="find" placeholder="find a procedure"></p><p id="note"></p>',
        svg(p, title, True)
    ]
    rows = [("span", "", "work", "line", "procedure", "")]
    for l in p.all_lines[:40]:
        share = p.share(l.on_span) if p.same else 0.0
        rows.append((percent(share) if p.same else "?",
                     '<span class="bar" style="width:%dpx"></span>' % round(120 * share),
                     percent(ratio(l.work, p.work)), escape(l.place), escape(l.procedure),
                     "<code>%s</code>" % escape(profile_text.source(l))))
    parts += ["<h2>Lines, by their share of the span</h2>", grid(rows, (1, 3, 4, 5))]
    if p.locks:
        locks = [("work", "", "sections", "line", "procedure", "")]
        for lock in p.locks[:20]:
            locks.append(("{:,}".format(lock.work), percent(ratio(lock.work, p.work)), "{:,}".format(lock.sections),
                          escape(lock.place), escape(lock.procedure),
                          "<code>%s</code>" % escape(profile_text.source(lock))))
        parts += ["<h2>Locks: what is done under each, one section after the other</h2>", grid(locks, (3, 4, 5))]
    if p.what_if:
        changes = [("change", "parallelism", "line", "")]
        for w in p.what_if:
            changes.append(
                (
                    escape(w.kind),
                    figure(w.parallelism),
                    escape(w.place),
                    "<code>%s</code>" % escape(profile_text.source(w)),
                )
            )
        parts += ["<h2>What if</h2>", grid(changes, (0, 2, 3))]
    if sweep:
        parts += ["<h2>Speedup</h2>", sweep]
    parts += ["<script>%s</script>" % (SCRIPT % (WIDTH, EDGE)), "</body></html>\n"]
    return "\n".join(parts)


def grid(rows, left):
    def line(cells, tag):
        return "<tr>%s</tr>" % "".join("<%s%s>%s</%s>" % (tag, ' class="t"' if i in left else "", cell, tag)
                                       for i, cell in enumerate(cells))

    return "<table>%s</table>" % "".join(line(row, "td" if i else "th") for i, row in enumerate(rows))
