"""The marks as a picture: a bar for each number of workers, made up of what allocates; the heap that was measured as a
line across it."""

from html import escape

from . import source

HEIGHT, BAR, GAP, LEFT, TOP = 300, 64, 30, 90, 62
COLOURS = ("#3b6fb6", "#d98032", "#3f9a7a", "#b3487a", "#7a63b8", "#8a7a3c")
MOST = len(COLOURS)

STYLE = """
.paper { fill: #ffffff } text { fill: #1d2733 } .quiet { fill: #5b6776 } .grid { stroke: #d5dbe3 } .rest { fill: #98a4b3 } .measured { stroke: #1d2733; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) { .paper { fill: #131920 } text { fill: #e8edf3 } .quiet { fill: #a9b5c4 } .grid { stroke: #354152 } .rest { fill: #66748a }
.measured { stroke: #e8edf3 } }
"""


def size(n):
    """1.5 MiB"""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if n < 1024 or unit == "TiB":
            return "%.3g %s" % (n, unit) if n < 1000 else "%.0f %s" % (n, unit)
        n /= 1024.0
    return ""


def step_of(most):
    """Between two lines of the grid: 1, 2 or 5 times a power of ten, or of two in larger units."""
    unit = 1
    while most / unit >= 1024:
        unit *= 1024
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        if most / (step * unit) <= 6:
            return step * unit
    return 1000 * unit


def svg(memory, title):
    most = max([row[0] for _, row in memory.marks] + [1])
    groups = [g for _, g in memory.parts(max((row for _, row in memory.marks), key=lambda row: row[0]))][:MOST]
    names = ["%s %s" % (source.place(g.file, g.line) if g.kind == "site" else g.procedure, g.what) for g in groups]
    plot = LEFT + len(memory.marks) * (BAR + GAP) + GAP
    width, height = plot + 40 + max(190, int(6.6 * max([len(name) for name in names] + [0]))), TOP + HEIGHT + 60
    width = max(width, 60 + int(8.2 * len(title)))
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" role="img">'
        % (width, height, width, height), "<title>%s</title>" % escape(title), "<style>%s</style>" % STYLE,
        '<rect class="paper" width="100%" height="100%"/>',
        '<text x="16" y="24" font-size="15" font-weight="bold">%s</text>' % escape(title),
        '<text class="quiet" x="16" y="42">the largest memory over all schedules, by number of workers</text>'
    ]
    scale, step = HEIGHT / most, step_of(most)
    for k in range(int(most // step) + 1):
        y = TOP + HEIGHT - k * step * scale
        out.append('<path class="grid" d="M%d %.1fH%d"/><text class="quiet" x="%d" y="%.1f" text-anchor="end">%s</text>'
                   % (LEFT, y, plot, LEFT - 8, y + 4, size(k * step)))
    for i, (p, row) in enumerate(memory.marks):
        x, y = LEFT + GAP + i * (BAR + GAP), float(TOP + HEIGHT)
        left = row[0]
        for g, colour, name in list(zip(groups, COLOURS, names)) + [(None, "", "all else")]:
            n = left if g is None else max(0, row[1 + memory.groups.index(g)])
            left -= n if g is not None else 0
            if n > 0:
                y -= n * scale
                paint = 'class="rest"' if g is None else 'fill="%s"' % colour
                out.append('<g><title>%s: %s bytes</title><rect %s x="%d" y="%.1f" width="%d" height="%.1f"/></g>'
                           % (escape(name), "{:,}".format(n), paint, x, y, BAR, n * scale))
        out.append('<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>' % (x + BAR / 2, y - 6, size(row[0])))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x + BAR / 2, TOP + HEIGHT + 18, p))
        if p in memory.measured:
            at = TOP + HEIGHT - memory.measured[p] * scale
            out.append('<g><title>heap measured: %s bytes</title><path class="measured" d="M%d %.1fH%d"/></g>'
                       % ("{:,}".format(memory.measured[p]), x - 6, at, x + BAR + 6))
    out.append('<text class="quiet" x="%.1f" y="%d" text-anchor="middle">workers</text>'
               % ((LEFT + plot) / 2, TOP + HEIGHT + 38))
    entries = [('fill="%s"' % colour, name) for colour, name in zip(COLOURS, names)] + (
        [('class="rest"', "all else")] if len(memory.groups) > MOST else []
    )
    for i, (paint, name) in enumerate(entries):
        out.append('<rect %s x="%d" y="%d" width="12" height="12"/><text x="%d" y="%d">%s</text>'
                   % (paint, plot + 14, TOP + 20 * i, plot + 32, TOP + 11 + 20 * i, escape(name)))
    if memory.measured:
        y = TOP + 20 * len(entries) + 6
        out.append('<path class="measured" d="M%d %dH%d"/><text x="%d" y="%d">heap measured</text>'
                   % (plot + 10, y, plot + 28, plot + 32, y + 5))
    out.append("</svg>\n")
    return "\n".join(out)
