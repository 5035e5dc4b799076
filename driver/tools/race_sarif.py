"""`cilkc race --sarif`: what was found as SARIF 2.1.0, which editors and code hosts show beside the text."""

import json

from . import race_text

RULES = {
    "race": "Parallel accesses to one place, one of them a write",
    "early": "The result of a child is used before the sync that waits for it",
    "unordered": "Results are combined in a way that depends on which child returns first",
    "held": "A lock is held over a spawn or sync",
    "inversion": "Two locks are acquired in both orders",
    "split": "An atomic object is read and written in two steps",
    "unjoined": "A reducer is used by its own address before its views are joined",
    "sequence": "Parallel strands draw from one sequence of random numbers",
    "view": "A reducer is read while children that may update it are still running",
}


def location(place, message=""):
    region = {"startLine": max(1, place["line"]), "startColumn": max(1, place["column"])}
    made = {"physicalLocation": {"artifactLocation": {"uri": place["file"]}, "region": region}}
    return dict(made, message={"text": message}) if message else made


def result(report, row):
    kind, text = race_text.title(row)
    return {"ruleId": row["type"], "level": "error" if report.counts(row) else "note",
            "message": {"text": "%s: %s%s" % (kind, text, ". " + row["hint"] if row["hint"] else "")},
            "locations": [location(row["second"])],
            "relatedLocations": [location(row["first"], "the other access: %s" % row["first"]["kind"])]
            + [location(row[name], "the spawn") for name in ("spawn", "sibling") if name in row]}


def text(report):
    rules = [{"id": name, "shortDescription": {"text": what}} for name, what in RULES.items()]
    run = {
        "tool": {"driver": {"name": "cilkc race", "rules": rules}},
        "invocations": [{"executionSuccessful": not report.failed,
                         "toolExecutionNotifications": [{"level": kind, "message": {"text": caveat}}
                                                        for kind, caveat in race_text.caveats(report.data())]}],
        "results": [result(report, row) for row in report.rows],
    }
    return document(run)


def document(run):
    return (json.dumps({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]},
                       indent=1) + "\n")
