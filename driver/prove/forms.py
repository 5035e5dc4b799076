"""The result in files: JSON, SARIF for editors and code hosts, a page with the lines in question."""

import json
from html import escape

from cilkc_driver.console import Stop
from tools import race_page, race_sarif

from . import report

RULES = {
    "race": "It is not shown that two parallel accesses are apart",
    "early": "It is not shown that the result of a child is there before it is used",
    "unordered": "Two results may be stored in one place, in either order",
    "unknown": "A construct that is not modelled",
}


def of(name):
    """The form that the name of a file asks for."""
    kind = (name or "x.json").rpartition(".")[2]
    if kind not in FORMS:
        raise Stop("-o %s: a name that ends in .html, .sarif or .json" % name, 2)
    return FORMS[kind]


def as_json(data):
    return json.dumps(data, indent=1) + "\n"


def places(procedure, row):
    """The lines that a finding is about."""
    return row.get("accesses") or [{"file": procedure["file"], "line": row["line"]}]


# ---- SARIF


def location(place, message=""):
    return race_sarif.location({"file": place["file"], "line": place["line"], "column": 1}, message)


def sarif(data):
    results = [
        {
            "ruleId": row["kind"],
            "level": "warning",
            "message": {"text": "%s: not decided: %s" % (procedure["name"], report.sentence(row))},
            "locations": [location(places(procedure, row)[0])],
            "relatedLocations": [location(place, "the other access") for place in places(procedure, row)[1:]],
        }
        for procedure in data["procedures"]
        for row in procedure["findings"]
    ]
    for row in data.get("races", ()):
        first, second = (
            {"file": one.get("file") or data["files"][0], "line": one["line"]} for one in row["accesses"]
        )
        words = " ".join(data["input"]) or "no arguments"
        results.append(
            {
                "ruleId": "race",
                "level": "error",
                "message": {"text": "%s, on the input: %s" % (report.shown_race(row), words)},
                "locations": [location(second)],
                "relatedLocations": [location(first, "the other access")],
            }
        )
    if data.get("fix") and results:
        results[-1]["fixes"] = [fix_of(data["fix"])]
    rules = [{"id": name, "shortDescription": {"text": what}} for name, what in RULES.items()]
    return race_sarif.document({"tool": {"driver": {"name": "cilkc prove", "rules": rules}}, "results": results})


def fix_of(fix):
    files = {}
    for row in fix["edits"]:
        text = "".join(line + "\n" for line in row["insert"])
        region = {"startLine": row["line"], "startColumn": 1, "endLine": row["line"] + len(row["remove"]), "endColumn": 1}
        files.setdefault(row["file"], []).append({"deletedRegion": region, "insertedContent": {"text": text}})
    return {
        "description": {"text": "; ".join(dict.fromkeys(fix["what"]))},
        "artifactChanges": [
            {"artifactLocation": race_sarif.location({"file": file, "line": 1, "column": 1})["physicalLocation"]["artifactLocation"],
             "replacements": rows}
            for file, rows in files.items()
        ],
    }


# ---- the page


def page(data):
    first, *rest = report.sentences(data)
    body = ["<p>%s</p>" % escape(line.strip()) for line in rest]
    fix = report.fix_of(data)
    body += ["<pre>%s</pre>" % escape("\n".join(fix))] if fix else []
    for procedure in data["procedures"]:
        proved = procedure["verdict"] == report.PROVED
        words = "%s:%d: %s: %s" % tuple(procedure[key] for key in ("file", "line", "name", "verdict"))
        body.append("<h2%s>%s</h2>" % (' class="note"' if proved else "", escape(words)))
        for row in procedure["findings"]:
            body.append('<div class="place">%s</div>' % escape(report.sentence(row)))
            body += [race_page.lines_around(place) for place in places(procedure, row)]
    return race_page.document(escape(first), "\n".join(body))


FORMS = {"json": as_json, "sarif": sarif, "html": page}
