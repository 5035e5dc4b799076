"""The results in the forms of other systems. Each writer takes results and returns text.

`SINGLE`: forms of which one document holds one submission. tests/tools/test_grade_formats.py checks all against their
schemas.
"""

import base64
import csv
import io
import json
import re
from xml.sax.saxutils import quoteattr, escape

from . import page, report

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def passed(row):
    return row["score"] is not None and row["score"] == row["points"]


def message(row):
    """For students: nothing of a hidden check."""
    if row["hidden"] and not passed(row):
        return "this check is hidden"
    return row["text"] + ("\n" + row["detail"] if row["detail"] and not passed(row) else "")


def summary(result):
    lines = ["It was not graded: %s." % result["failed"]] if result["failed"] else []
    return "\n".join(lines + report.alarms(result))


def as_json(results, title):
    return json.dumps({"title": title, "submissions": results}, indent=1) + "\n"


def as_csv(results, title):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [row["name"] for row in max(results, key=lambda result: len(result["checks"]))["checks"]] if results else []
    writer.writerow(["submission", "score", "max", *names, "remarks"])
    for result in results:
        scores = ["" if row["score"] is None else report.points(row["score"]) for row in result["checks"]] + [""] * (
            len(names) - len(result["checks"])
        )
        writer.writerow([harmless(result["submission"]), report.points(result["score"]), report.points(result["max"]),
                         *scores, harmless("; ".join(summary(result).split("\n")))])
    return out.getvalue()


def harmless(text):
    """No formula for a spreadsheet."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def xml(text):
    return escape(NOT_XML.sub("?", text))


def attribute(text):
    return quoteattr(NOT_XML.sub("?", text))


def as_junit(results, title):
    rows = [row for result in results for row in result["checks"]]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name=%s tests="%d" failures="%d" skipped="%d">'
             % (attribute(title), len(rows), failures(rows), skipped(rows))]
    for result in results:
        rows = result["checks"]
        lines.append('  <testsuite name=%s tests="%d" failures="%d" errors="%d" skipped="%d" time="%.3f">'
                     % (attribute(result["submission"]), len(rows), failures(rows), 1 if result["failed"] else 0,
                        skipped(rows), result["seconds"]))
        for row in rows:
            lines.append('    <testcase classname=%s name=%s time="%.3f">'
                         % (attribute(result["submission"]), attribute(row["name"]), row["seconds"]))
            if row["score"] is None:
                lines.append("      <skipped message=%s/>" % attribute(row["text"]))
            elif not passed(row):
                lines.append("      <failure message=%s>%s</failure>"
                             % (attribute(row["text"]), xml("%s points\n%s" % (report.score_text(row), row["detail"]))))
            lines.append("    </testcase>")
        if summary(result):
            lines.append("    <system-err>%s</system-err>" % xml(summary(result)))
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def failures(rows):
    return sum(1 for row in rows if row["score"] is not None and not passed(row))


def skipped(rows):
    return sum(1 for row in rows if row["score"] is None)


def as_gradescope(result, title):
    tests = []
    for number, row in enumerate(result["checks"], 1):
        test = {
            "name": row["name"],
            "number": str(number),
            "output": row["text"] + ("\n" + row["detail"] if row["detail"] and not passed(row) else ""),
            "visibility": "hidden" if row["hidden"] else "visible",
        }
        if row["score"] is not None:
            test.update(score=row["score"], max_score=row["points"], status="passed" if passed(row) else "failed")
        tests.append(test)
    document = {"score": result["score"], "execution_time": round(result["seconds"], 1), "output": summary(result),
                "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}
    return json.dumps(document, indent=1) + "\n"


def as_prairielearn(result, title):
    tests = [{"name": row["name"], "points": row["score"] or 0, "max_points": row["points"], "message": message(row)}
             for row in result["checks"] if row["score"] is not None]
    document = {
        "gradable": not result["failed"],
        "score": result["score"] / result["max"] if result["max"] else 0.0,
        "message": summary(result),
        "tests": tests,
    }
    if result["failed"]:
        document["format_errors"] = [result["failed"]]
    return json.dumps(document, indent=1) + "\n"


def as_autolab(result, title):
    """The report, and as the last line the scores. The names of the checks are the problems."""
    return (
        report.one(result)
        + json.dumps({"scores": {row["name"]: row["score"] for row in result["checks"] if row["score"] is not None}})
        + "\n"
    )


def as_github(result, title):
    """What a grader of GitHub Classroom gives to its reporter: it wants this in base64, which `--format github-base64`
    writes."""
    tests = [
        {
            "name": row["name"],
            "status": "pass" if passed(row) else "fail",
            "score": row["score"],
            "message": None if passed(row) else message(row),
            "test_code": row["kind"],
            "filename": "",
            "line_no": 0,
            "duration": round(row["seconds"] * 1000),
        }
        for row in result["checks"]
        if row["score"] is not None
    ]
    status = "error" if result["failed"] else "pass" if all(test["status"] == "pass" for test in tests) else "fail"
    return json.dumps({"version": 1, "status": status, "max_score": result["max"], "tests": tests}, indent=1) + "\n"


def as_github_base64(result, title):
    return base64.b64encode(as_github(result, title).encode()).decode() + "\n"


ALL = {"json": as_json, "csv": as_csv, "junit": as_junit, "html": page.as_html}
SINGLE = {"gradescope": as_gradescope, "prairielearn": as_prairielearn, "autolab": as_autolab, "github": as_github,
          "github-base64": as_github_base64}
ENDS = {"autolab": ".txt", "github-base64": ".b64"}         # of the files; .json otherwise
