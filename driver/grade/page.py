"""The results of a class, or of one submission, as a page that needs nothing else."""

from collections import Counter

from tools import template
from tools.source import html

from . import report, similar

STYLE = """
body { font: 14px/1.5 system-ui, sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 80em; color: #1d2733; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1.05em; margin-top: 1.6em } .wide { overflow-x: auto }
table { border-collapse: collapse } th, td { padding: 3px 10px; border-bottom: 1px solid #d5dbe3; text-align: left; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } .full { color: #1c7c3c } .part { color: #a15c00 } .none { color: #b3261e }
pre { background: #f2f4f7; padding: 8px 12px; overflow-x: auto; font: 12px/1.45 ui-monospace, monospace } details { margin: 4px 0 } p, li, td { overflow-wrap: anywhere }
summary { cursor: pointer } .bar { display: inline-block; height: 9px; background: #1c7c3c } .bar.part { background: #d28b26 } .bar.none { background: #b3261e }
@media (prefers-color-scheme: dark) { body { color: #e8edf3; background: #131920 } pre { background: #1d2530 } th, td { border-color: #354152 }
  .full { color: #7fd69a } .part { color: #f0a566 } .none { color: #ff8a80 } }
"""
BAR = 120               # pixels
FREQUENT = 5            # reasons that are listed for each check


def grade_of(row):
    if row["score"] is None:
        return ""
    return "full" if row["score"] == row["points"] else "part" if row["score"] else "none"


def check_rows(results):
    """For each check: how many have it, and the most frequent reasons of those who lost points."""
    names = [row["name"] for row in max(results, key=lambda result: len(result["checks"]))["checks"]]
    for name in names:
        rows = [row for result in results for row in result["checks"] if row["name"] == name]
        marks = Counter(map(grade_of, rows))
        total = max(1, sum(marks[mark] for mark in ("full", "part", "none")))
        bars = "".join('<span class="bar %s" style="width:%dpx" title="%d"></span>' % (mark, BAR * marks[mark] / total, marks[mark])
                       for mark in ("full", "part", "none") if marks[mark])
        reasons = Counter(row["text"] for row in rows if grade_of(row) in ("part", "none")).most_common(FREQUENT)
        yield "<tr><td>%s</td>%s<td>%s</td><td>%s</td></tr>" % (
            html(name), "".join('<td class="n">%d</td>' % marks[mark] for mark in ("full", "part", "none")), bars,
            "<br>".join("%d &times; %s" % (count, html(text)) for text, count in reasons))


def score_rows(results, names):
    for result in results:
        by = {row["name"]: row for row in result["checks"]}
        cells = "".join('<td class="n %s">%s</td>' % (grade_of(by[name]), report.score_text(by[name]).strip())
                        if name in by else "<td></td>" for name in names)
        yield '<tr><td>%s</td><td class="n">%s/%s</td>%s</tr>' % (
            html(result["submission"]), report.points(result["score"]), report.points(result["max"]), cells)


def as_html(results, title):
    body = ["<h1>%s</h1>" % html(title)]
    if len(results) > 1:
        names = [row["name"] for row in max(results, key=lambda result: len(result["checks"]))["checks"]]
        body += ["<h2>Checks</h2>", '<div class="wide"><table><tr><th>check</th><th class="n">full</th><th class="n">part</th>'
                 '<th class="n">none</th><th></th><th>why points were lost</th></tr>', *check_rows(results), "</table></div>"]
        look = [(result["submission"], text) for result in results
                for text in ([result["failed"]] if result["failed"] else []) + report.alarms(result)]
        if look or similar.pairs(results):
            body += ["<h2>Look at these</h2>", "<ul>", *("<li>%s: %s</li>" % (html(name), html(text)) for name, text in look),
                     *("<li>%s</li>" % html(text) for text in similar.sentences(results)), "</ul>"]
        body += ["<h2>Submissions</h2>", '<div class="wide"><table><tr><th>submission</th><th class="n">score</th>',
                 *('<th class="n">%s</th>' % html(name) for name in names), "</tr>", *score_rows(results, names), "</table></div>"]
    for result in results:
        body.append("<details%s><summary>%s</summary><pre>%s</pre></details>" % (
            "" if len(results) > 1 else " open", html(result["submission"]), html(report.one(result))))
    head = template.HEAD % ("light dark", html(title))
    return head + "<style>%s</style>\n</head>\n<body>\n%s\n</body>\n</html>\n" % (STYLE, "\n".join(body))
