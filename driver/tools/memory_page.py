"""`cilkc memory --html`: the sentence, the curve of the marks over the number of workers beside what was measured, the
bars of what allocates, and the tables. No script: titles explain what the pointer rests on."""

from html import escape

from . import memory_draw, memory_text, source
from .memory_draw import size, step_of
from .profile_model import percent

WIDTH, HEIGHT, LEFT, TOP = 640, 260, 90, 20

STYLE = """
body { font: 14px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #1d2733; background: #ffffff }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 2em } .sentence { font-size: 1.1em }
table { border-collapse: collapse } th, td { padding: 2px 12px 2px 0; text-align: right; border-bottom: 1px solid #d5dbe3 } th { font-weight: 600 } .t { text-align: left }
svg { max-width: 100%; height: auto } .curve { fill: none; stroke: #3b6fb6; stroke-width: 2.5 } .dot { fill: #3b6fb6 } .heap { fill: none; stroke: #d98032; stroke-width: 2 }
.cross { stroke: #d98032; stroke-width: 2.5; fill: none } .bound { stroke: #98a4b3; stroke-dasharray: 5 4; fill: none }
p { overflow-wrap: anywhere } @media (max-width: 800px) { table { display: block; overflow-x: auto } }
@media (prefers-color-scheme: dark) { body { color: #e8edf3; background: #131920 } th, td { border-color: #354152 } }
"""


def curve(memory):
    """The marks over the number of workers: those of all, and the heap's; P times the serial run's as a dashed line;
    crosses are heaps that were measured."""
    points = [(p, row[0], memory.heaps.get(p, 0)) for p, row in memory.marks]
    most_p = max(p for p, _, _ in points)
    most = max([total for _, total, _ in points] + list(memory.measured.values()) + [1])
    serial = memory.serial[0]

    def x(p):
        return LEFT + (WIDTH - LEFT - 20) * (p - 1) / max(1, most_p - 1)

    def y(n):
        return TOP + HEIGHT * (1 - n / most)

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui, sans-serif" font-size="12" role="img">'
        % (WIDTH, TOP + HEIGHT + 50, WIDTH, TOP + HEIGHT + 50),
        "<title>the largest memory by the number of workers</title>", "<style>%s</style>" % memory_draw.STYLE,
        '<rect class="paper" width="100%" height="100%"/>'
    ]
    step = step_of(most)
    for k in range(int(most // step) + 1):
        out.append('<path class="grid" d="M%d %.1fH%d"/><text class="quiet" x="%d" y="%.1f" text-anchor="end">%s</text>'
                   % (LEFT, y(k * step), WIDTH - 20, LEFT - 8, y(k * step) + 4, size(k * step)))
    last = min(float(most_p), most / serial if serial else 1.0)
    if serial and last > 1:
        out.append('<path class="bound" d="M%.1f %.1fL%.1f %.1f"><title>P times the serial run: %s bytes</title></path>'
                   % (x(1), y(serial), x(last), y(serial * last), "{:,}".format(serial)))
    for name, which in (("heap", 2), ("curve", 1)):
        out.append('<path class="%s" d="M%s"/>'
                   % (name, "L".join("%.1f %.1f" % (x(point[0]), y(point[which])) for point in points)))
    for p, total, heap in points:
        out.append(
            '<g><title>%d workers: at most %s bytes, and %s of heap</title><circle class="dot" cx="%.1f" cy="%.1f" r="5"/></g>'
            % (p, "{:,}".format(total), "{:,}".format(heap), x(p), y(total))
        )
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x(p), TOP + HEIGHT + 18, p))
    for p, heap in sorted(memory.measured.items()):
        out.append(
            '<g><title>heap measured on %d workers: %s bytes</title><path class="cross" d="M%.1f %.1fl10 10m0 -10l-10 10"/></g>'
            % (p, "{:,}".format(heap), x(p) - 5, y(heap) - 5)
        )
    out.append('<text class="quiet" x="%d" y="%d" text-anchor="middle">workers</text></svg>'
               % ((LEFT + WIDTH) / 2, TOP + HEIGHT + 40))
    return "\n".join(out)


def grid(columns, rows, left=()):
    def line(cells, tag):
        return "<tr>%s</tr>" % "".join(
            "<%s%s>%s</%s>" % (tag, ' class="t"' if i in left else "", escape(str(cell)), tag)
            for i, cell in enumerate(cells)
        )

    return "<table>%s</table>" % "".join([line(columns, "th")] + [line(row, "td") for row in rows])


def make(memory, title):
    commas = "{:,}".format
    p, row = memory.marks[-1]
    parts = [(commas(n), percent(n / row[0]) if row[0] else "", source.place(g.file, g.line) if g.file else "",
              g.procedure, g.what) for n, g in memory.parts(row)[:200]]
    kept = [(commas(n), source.place(g.file, g.line) if g.file else "", g.procedure, g.what)
            for n, g in memory.parts(memory.left) if g.kind != "procedure"][:200]
    body = ["<h1>%s</h1>" % escape(title), '<p class="sentence">%s</p>' % escape(memory_text.sentence(memory)),
            "<h2>The largest memory over all schedules, by number of workers</h2>", curve(memory),
            "<p>Blue: heap and closures. Orange: the heap%s.%s</p>"
            % ("; crosses: what it had in runs of the program" if memory.measured else "",
               " Dashed: P times the serial run." if memory.serial[0] else ""), grid(*memory_text.marks(memory))]
    if memory.waiting:
        body.append("<p>%s</p>" % escape(memory_text.bounds(memory)))
    if memory.threshold:
        body += ["<h2>Against %s bytes</h2>" % commas(memory.threshold),
                 grid(("workers", ""), memory_text.answers(memory), (1,))]
    body += ["<h2>What allocates</h2>", memory_draw.svg(memory, title), "<h2>What %d workers may have then</h2>" % p,
             grid(("bytes", "share", "line", "procedure", ""), parts, (2, 3, 4))]
    if kept:
        body += ["<h2>Not freed when the program ended</h2>", grid(("bytes", "line", "procedure", ""), kept, (1, 2, 3))]
    return "\n".join(
        ["<!DOCTYPE html>",
         '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">',
         "<title>%s</title><style>%s</style></head><body>" % (escape(title), STYLE), *body, "</body></html>\n"]
    )
