"""All messages of a call as one document, JSON or SARIF 2.1.0: those of the preprocessor, of ours, of the linker and of
the driver; nothing else on that stream."""

import json
import re

import pytest

from conftest import ROOT

pytestmark = pytest.mark.tier("check")

WARNS = '#include <stdio.h>\ncilk int g(int n) { return n; }\ncilk int main(void) {\n  int x;\n  x = spawn g(1);\n  printf("%d", x);\n  sync;\n  return x;\n}\n'
WRONG = "int count;\n/* ünï */ int f(void) { return cuont; }\nint h(int a) { return a +* ; }\n"
HEADERLESS = "#include \"no-such.h\"\nint x;\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (
        ("warns.cilk", WARNS),
        ("wrong.c", WRONG),
        ("headerless.c", HEADERLESS),
        ("good one.c", "int good(void) { return 0; }\n"),
        ("undefined.c", "int missing(void);\nint main(void) { return missing(); }\n"),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def message(entries, words):
    found = [e for e in entries if words in e["message"]]
    assert len(found) == 1, entries
    return found[0]


def test_json_on_stdout(cilkc, files):
    result = cilkc("check", "--json", "warns.cilk", "wrong.c", "headerless.c", "good one.c", "not there.c")
    assert result.status == 1 and result.err == "", str(result)
    entries = json.loads(result.out)
    read = message(entries, "is read before a sync")
    assert (read["kind"], read["code"], read["option"]) == ("warning", "receiver-read", "-Wreceiver-read")
    caret = read["locations"][0]["caret"]
    assert (caret["file"], caret["line"], caret["column"]) == ("warns.cilk", 6, 16)
    note = read["children"][0]
    assert (
        note["kind"] == "note"
        and note["locations"][0]["caret"]["line"] == 5
        and note["locations"][0]["finish"]["column"] == 16
    ), read
    caret = message(entries, "'cuont' undeclared")["locations"][0]["caret"]
    assert caret["line"] == 2 and caret["byte-column"] == caret["display-column"] + 2, caret
    header = message(entries, "no-such.h")
    assert (
        header["kind"] == "fatal error"
        and header["locations"][0]["caret"]["line"] == 1
        and header["locations"][0]["caret"]["file"] == "headerless.c"
    )
    assert message(entries, "not there.c: No such file")["locations"] == []


def test_nothing_to_say(cilkc, files):
    result = cilkc("check", "--json", "good one.c")
    assert result.status == 0 and json.loads(result.out) == [] and result.err == "", str(result)
    result = cilkc("check", "--sarif", "good one.c")
    document = json.loads(result.out)
    assert (
        result.status == 0
        and document["runs"][0]["results"] == []
        and document["runs"][0]["invocations"][0]["executionSuccessful"] is True
    ), str(result)


def test_a_suggestion_is_written_where_it_belongs(cilkc, files):
    """The text with all fixes applied compiles."""
    entries = json.loads(cilkc("check", "--json", "wrong.c").out)
    fix = message(entries, "'cuont' undeclared")
    fix = (fix["fixits"] + [f for note in fix["children"] for f in note["fixits"]])[0]
    lines = WRONG.encode().split(b"\n")
    row = lines[fix["start"]["line"] - 1]
    assert (
        row[fix["start"]["byte-column"] - 1 : fix["next"]["byte-column"] - 1] == b"cuont" and fix["string"] == "count"
    ), fix


@pytest.mark.parametrize("form", ["json", "sarif", "json-stderr", "sarif-stderr"])
def test_builds_write_it_to_stderr(form, cilkc, files):
    result = cilkc("-fdiagnostics-format=" + form, "-c", "warns.cilk", "wrong.c")
    assert result.status == 1 and result.out == "", str(result)
    assert "cuont" in json.dumps(json.loads(result.err))
    result = cilkc("-fdiagnostics-format=" + form, "undefined.c", "-o", "program")
    text = json.dumps(json.loads(result.err))
    assert result.status == 1 and "undefined reference to `missing'" in text, str(result)
    result = cilkc("-fdiagnostics-format=" + form, "-no-such-flag", "wrong.c")
    assert result.status == 2 and "no-such-flag" in json.dumps(json.loads(result.err)), str(result)


def test_text(cilkc, files):
    result = cilkc("-fdiagnostics-format=json", "-fdiagnostics-format=text", "-c", "wrong.c")
    assert "wrong.c:2:34: error: 'cuont' undeclared" in result.err, str(result)


def test_both_is_wrong(cilkc, files):
    result = cilkc("check", "--json", "--sarif", "wrong.c")
    assert result.status == 2 and "exclude" in result.err, str(result)


# ---------------------------------------------------------------- SARIF: what its schema demands of the parts that we
# use

def keys(thing, needed, allowed):
    assert set(needed) <= set(thing) <= set(needed) | set(allowed), thing


def check_uri(uri):
    assert re.fullmatch(r"[A-Za-z0-9._~:/%-]+", uri), uri


def check_place(place, run):
    keys(place, ["uri"], ["uriBaseId", "index"])
    check_uri(place["uri"])
    assert place.get("uriBaseId", "PWD") in run["originalUriBaseIds"]
    if "index" in place:
        artifact = run["artifacts"][place["index"]]
        assert artifact["location"]["uri"] == place["uri"]


def check_region(region):
    keys(region, ["startLine"], ["startColumn", "endLine", "endColumn", "snippet"])
    assert all(isinstance(v, int) and v >= 1 for k, v in region.items() if k != "snippet"), region
    assert (region.get("endLine", region["startLine"]), region.get("endColumn", 10**9)) >= (
        region["startLine"],
        region.get("startColumn", 1),
    ), region
    if "snippet" in region:
        keys(region["snippet"], ["text"], [])


def check_location(location, run):
    keys(location, [], ["id", "physicalLocation", "message"])
    if "message" in location:
        keys(location["message"], ["text"], [])
    if "physicalLocation" in location:
        physical = location["physicalLocation"]
        keys(physical, ["artifactLocation", "region"], ["contextRegion"])
        check_place(physical["artifactLocation"], run)
        check_region(physical["region"])
        check_region(physical.get("contextRegion", {"startLine": 1}))


def check_sarif(document):
    keys(document, ["version", "runs"], ["$schema"])
    assert document["version"] == "2.1.0" and len(document["runs"]) == 1
    run = document["runs"][0]
    keys(run, ["tool", "results"], ["invocations", "originalUriBaseIds", "artifacts", "columnKind"])
    driver = run["tool"]["driver"]
    keys(driver, ["name"], ["version", "rules"])
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for rule in driver["rules"]:
        keys(rule, ["id"], ["defaultConfiguration", "help"])
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        assert rule["id"] == "normalized=" or rule["help"]["text"]          # a warning of the preprocessor has no page
    for base in run["originalUriBaseIds"].values():
        check_uri(base["uri"])
        assert base["uri"].endswith("/")
    assert run["columnKind"] == "unicodeCodePoints"
    for call in run["invocations"]:
        keys(call, ["executionSuccessful"], ["exitCode", "workingDirectory"])
    for result in run["results"]:
        keys(result, ["message"], ["level", "ruleId", "ruleIndex", "locations", "relatedLocations", "fixes"])
        assert result["level"] in ("none", "note", "warning", "error")
        if "ruleId" in result:
            assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result.get("locations", []) + result.get("relatedLocations", []):
            check_location(location, run)
        ids = [location["id"] for location in result.get("relatedLocations", [])]
        assert len(set(ids)) == len(ids)
        for fix in result.get("fixes", []):
            keys(fix, ["artifactChanges"], ["description"])
            for change in fix["artifactChanges"]:
                keys(change, ["artifactLocation", "replacements"], [])
                check_place(change["artifactLocation"], run)
                for replacement in change["replacements"]:
                    keys(replacement, ["deletedRegion"], ["insertedContent"])
                    check_region(replacement["deletedRegion"])
    return run


def test_sarif(cilkc, files):
    result = cilkc("check", "--sarif", "warns.cilk", "wrong.c", "headerless.c", "good one.c", "not there.c")
    assert result.status == 1 and result.err == "", str(result)
    run = check_sarif(json.loads(result.out))
    assert run["invocations"][0]["exitCode"] == 1
    found = {r["message"]["text"]: r for r in run["results"]}
    wrong = (
        found["'cuont' undeclared; did you mean 'count'?"]
        if "'cuont' undeclared; did you mean 'count'?" in found
        else found["'cuont' undeclared"]
    )
    region = wrong["locations"][0]["physicalLocation"]["region"]
    column = WRONG.split("\n")[1].index("cuont") + 1              # in characters, as columnKind says
    assert region == {"startLine": 2, "startColumn": column, "endLine": 2, "endColumn": column + 5}, region
    change = wrong["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change == {"deletedRegion": region, "insertedContent": {"text": "count"}}, wrong
    read = next(r for r in run["results"] if r.get("ruleId") == "receiver-read")
    assert read["level"] == "warning" and read["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert next(r for r in run["results"] if "not there.c" in r["message"]["text"]).get("locations") is None


def test_every_wrong_program_of_the_tests(cilkc):
    """A sample of tests/errors in one call: both forms hold together whatever the text looks like."""
    names = sorted(str(path) for path in (ROOT / "tests/errors").iterdir() if path.suffix in (".c", ".cilk"))[::9]
    result = cilkc("check", "--sarif", *names)
    run = check_sarif(json.loads(result.out))
    entries = json.loads(cilkc("check", "--json", *names).out)
    assert len(entries) == len(run["results"]) >= len(names) // 2
