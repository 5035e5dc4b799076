"""The readable reports: one submission in full, and the table of all."""

from . import similar
from .cell import WORDS
from .compare import one_line

WIDEST = 14             # of a column in the table
INCIDENTS = {
    name: text.replace("more than %g s", "more time than allowed")
    .replace("more than %s of memory", "more memory than allowed")
    .replace("more than %d processes", "more processes than allowed")
    .replace("more than %s to files", "more to files than allowed")
    .replace("more than %d files", "more files than allowed")
    .replace("printed more than %s", "printed more than allowed")
    for name, text in WORDS.items()
}


def points(value):
    return "%g" % round(value, 2)


def score_text(row):
    if row["score"] is None:
        return "  -/%s" % points(row["points"])
    return "%s/%s" % (points(row["score"]), points(row["points"]))


def alarms(result):
    """What a teacher wants to look at."""
    return ["%s, %s" % (INCIDENTS[name], when) for name, when in result["incidents"]] + result["remarks"]


def one(result):
    lines = ["%s: %s" % (result["submission"], one_line(result["title"])),
             "%s of %s points" % (points(result["score"]), points(result["max"])), ""]
    if result["failed"]:
        lines += ["It was not graded: %s." % result["failed"], ""]
    for row in result["checks"]:
        mark = (
            "-" if row["score"] is None else "ok" if row["score"] == row["points"] else "part" if row["score"] else "NO"
        )
        hidden = row["hidden"] and mark not in ("ok", "-")
        lines.append("%-4s %7s  %s%s" % (mark, score_text(row), row["name"], "" if hidden else ": " + row["text"]))
        if row["detail"] and not hidden and mark != "ok":
            lines += ["        " + line for line in row["detail"].split("\n")]
    if alarms(result):
        lines += ["", "Remarks:"] + ["  " + text for text in alarms(result)]
    return "\n".join(lines) + "\n"


def shortened(text, width=WIDEST):
    return text if len(text) <= width else text[:width - 2] + ".."


def table(results, title, folder):
    """All submissions, a line each; then what needs a look."""
    names = [row["name"] for row in max(results, key=lambda result: len(result["checks"]))["checks"]] if results else []
    heads = ["submission", "score", *map(shortened, names)]
    rows = [[result["submission"], "%s/%s" % (points(result["score"]), points(result["max"])),
             *map(score_text, result["checks"])] for result in results]
    rows = [row + [""] * (len(heads) - len(row)) for row in rows]
    widths = [max(len(row[i].strip()) for row in [heads, *rows]) for i in range(len(heads))]
    lines = [one_line(title), ""]
    for row in [heads, *rows]:
        lines.append(
            (
                "  ".join(
                    [row[0].ljust(widths[0])] + [cell.strip().rjust(width) for cell, width in zip(row[1:], widths[1:])]
                )
            ).rstrip()
        )
    alarmed = [(result["submission"], text) for result in results
               for text in ([result["failed"]] if result["failed"] else []) + alarms(result)]
    if alarmed:
        lines += ["", "Look at these:"] + ["  %s: %s" % pair for pair in alarmed]
    alike = similar.sentences(results)
    if alike:
        lines += ["", "Similar:"] + ["  " + text for text in alike]
    if any(row["score"] is None for result in results for row in result["checks"]):
        lines += ["", "-: not measured on this machine; these points are not in the maximum"]
    return "\n".join(lines + ["", "A report for each submission is in %s." % folder]) + "\n"
