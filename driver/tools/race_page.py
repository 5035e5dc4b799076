"""`cilkc race --html`: what was found as a page, with the lines of the text in question."""

from html import escape

from . import race_picture, race_text

STYLE = """
body { font: 14px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #1d2733; background: #ffffff }
h1 { font-size: 1.4em } h2 { font-size: 1.05em; margin-top: 2em; color: #b3261e }
h2.note { color: #2b6ca3 } pre { background: #f2f4f7; padding: 8px 12px; overflow-x: auto }
h1, h2, p, div { overflow-wrap: anywhere }
.place { font-weight: 600; margin-top: 1em } .path { color: #66727f; margin-left: 2em } .hint { color: #1c7c3c } b.line { font-weight: 700 }
svg.picture { display: block; width: 100%; max-width: 640px; font: 13px system-ui, sans-serif } .picture rect { fill: #f2f4f7; stroke: #66727f }
.picture line { stroke: #66727f } .picture path { fill: #66727f } .picture text { fill: currentColor; text-anchor: middle }
.picture .strong { font-weight: 600 } .picture .cell { fill: #fde7e5; stroke: #b3261e } .more { color: #1c7c3c; font-weight: 600 }
@media (prefers-color-scheme: dark) { body { color: #e8edf3; background: #131920 }
  pre { background: #1d2530 } h2 { color: #ff8a80 } h2.note { color: #82b8ea } .hint, .more { color: #7fd69a }
  .picture rect { fill: #1d2530 } .picture .cell { fill: #4a1f1d; stroke: #ff8a80 } }
"""


AROUND = 2          # lines that a page shows before and after an access


def lines_around(place):
    try:
        with open(place["file"], encoding="utf-8", errors="replace") as file:
            text = file.read().splitlines()
    except OSError:
        return ""
    first = max(0, place["line"] - 1 - AROUND)
    rows = []
    for number, line in enumerate(text[first:place["line"] + AROUND], first + 1):
        row = escape("%6d  %s" % (number, line))
        rows.append('<b class="line">%s</b>' % row if number == place["line"] else row)
    return "<pre>%s</pre>" % "\n".join(rows)


def finding(report, row):
    kind, text = race_text.title(row)
    out = ["<h2%s>%s: %s</h2>" % ("" if report.counts(row) else ' class="note"', escape(kind), escape(text))]
    out.append(race_picture.picture(row))
    if row["type"] == "race":
        out += ['<p class="parallel">%s</p>' % escape(line.strip()) for line in race_text.parallel_lines(row)]
    for access in (row["first"], row["second"]):
        out.append('<div class="place">%s: %s in %s</div>'
                   % (escape(race_text.where(access)), escape(access["kind"]), escape(access["procedure"])))
        out.append(lines_around(access))
        out += ['<div class="path">%s</div>' % escape(line) for line in race_text.folded(access["path"])]
    if row["why"]:
        out.append("<p>%s</p>" % escape(row["why"]))
    if row["hint"]:
        out.append('<p class="hint">%s</p>' % escape(row["hint"]))
    out.append(race_picture.fix(row))
    return "\n".join(out)


def text(report):
    title = escape(race_text.summary(report))
    body = "\n".join(["<p>%s</p>" % escape(caveat) for _, caveat in race_text.caveats(report.data())]
                     + [finding(report, row) for row in report.races + report.notes])
    return document(title, body)


def document(title, body):
    """title and body: HTML."""
    head = '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">' + (
        '<meta name="viewport" content="width=device-width"><title>%s</title><style>%s</style></head>' % (title, STYLE)
    )
    return "%s<body><h1>%s</h1>\n%s\n</body></html>\n" % (head, title, body)
