"""The forms that `cilkc grade --format` writes, against what the systems that read them ask for; specifications with
errors; comparisons of outputs."""

import base64
import copy
import csv
import datetime
import functools
import io
import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import CILKC, ROOT, TESTS, command
from cilkc_driver.console import Stop
from grade import checks, compare, formats, main, report, run, similar, spec, store, workshop
from pages import shown

pytestmark = pytest.mark.tier("check")


def row(name, points, score, **more):
    return dict(
        {
            "name": name,
            "kind": "output",
            "points": points,
            "score": score,
            "text": 'a <text> & "more"',
            "detail": "line\x1b\n]]>",
            "hidden": False,
            "seconds": 0.5,
        },
        **more,
    )


def result(name="anna", failed=None, **more):
    rows = [row("compile", 1, 1), row("output", 4, 1.5), row("secret", 2, 0, hidden=True, text="the secret"),
            row("speed", 3, None, text="not measured: one processor")]
    return dict(
        {
            "submission": name,
            "title": "Lab",
            "key": "",
            "failed": failed,
            "checks": rows,
            "remarks": ["it starts processes: fork"],
            "incidents": [["time", "while it ran"]],
            "score": 2.5,
            "max": 7,
            "seconds": 1.25,
        },
        **more,
    )


# ---- shapes: {key: type}, with "?" after a key that may be missing; a list holds the shape of its items, a tuple the
# allowed values

NUMBER = (int, float)
VISIBILITY = ("hidden", "after_due_date", "after_published", "visible")
GRADESCOPE = {
    "score": NUMBER,
    "execution_time?": NUMBER,
    "output?": str,
    "visibility?": VISIBILITY,
    "stdout_visibility?": VISIBILITY,
    "extra_data?": dict,
    "tests?": [{
        "name?": str,
        "number?": str,
        "score?": NUMBER,
        "max_score?": NUMBER,
        "status?": ("passed", "failed"),
        "output?": str,
        "tags?": list,
        "visibility?": VISIBILITY,
        "extra_data?": dict,
    }],
}
PRAIRIELEARN = {
    "gradable": bool,
    "score": NUMBER,
    "message?": str,
    "output?": str,
    "images?": list,
    "format_errors?": [str],
    "tests?": [{
        "name": str,
        "description?": str,
        "points": NUMBER,
        "max_points": NUMBER,
        "message?": str,
        "output?": str,
        "images?": list,
    }],
}
GITHUB = {
    "version": int,
    "status": ("pass", "fail", "error"),
    "max_score": NUMBER,
    "tests": [{
        "name": str,
        "status": ("pass", "fail", "error"),
        "score": NUMBER,
        "message": (str, type(None)),
        "test_code": str,
        "filename": str,
        "line_no": int,
        "duration": int,
    }],
}


def mismatch(value, shape, where="the document"):
    """The first place where a value has not this shape, or None."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return "%s is not an object" % where
        keys = {key.rstrip("?"): key for key in shape}
        for key in value:
            if key not in keys:
                return "%s has the unknown key %s" % (where, key)
        for plain, key in keys.items():
            if plain not in value and not key.endswith("?"):
                return "%s lacks %s" % (where, plain)
            wrong = mismatch(value[plain], shape[key], "%s.%s" % (where, plain)) if plain in value else None
            if wrong:
                return wrong
        return None
    if isinstance(shape, list):
        if not isinstance(value, list):
            return "%s is not a list" % where
        return next(
            filter(None, (mismatch(item, shape[0], "%s[%d]" % (where, i)) for i, item in enumerate(value))), None
        )
    if isinstance(shape, tuple) and isinstance(shape[0], str):
        return None if value in shape else "%s is %r" % (where, value)
    return (
        None
        if isinstance(value, shape) and not (shape == NUMBER and isinstance(value, bool))
        else "%s is %r" % (where, value)
    )


def test_the_shapes_find_mistakes():
    assert mismatch({"score": 1, "tests": [{"status": "pass"}]}, GRADESCOPE) == "the document.tests[0].status is 'pass'"
    assert mismatch({"gradable": True}, PRAIRIELEARN) == "the document lacks score"
    assert mismatch({"score": 1, "scores": 2}, GRADESCOPE) == "the document has the unknown key scores"
    assert mismatch({"score": True}, GRADESCOPE) == "the document.score is True"


def test_gradescope():
    document = json.loads(formats.as_gradescope(result(), "Lab"))
    assert mismatch(document, GRADESCOPE) is None
    assert document["score"] == 2.5 and [test.get("score") for test in document["tests"]] == [1, 1.5, 0, None]
    assert [test["visibility"] for test in document["tests"]] == ["visible", "visible", "hidden", "visible"]
    assert [test.get("status") for test in document["tests"]] == ["passed", "failed", "failed", None]


def test_prairielearn():
    document = json.loads(formats.as_prairielearn(result(), "Lab"))
    assert (
        mismatch(document, PRAIRIELEARN) is None
        and document["score"] == pytest.approx(2.5 / 7)
        and 0 <= document["score"] <= 1
    )
    assert sum(test["max_points"] for test in document["tests"]) == 7 and "the secret" not in json.dumps(document)
    bad = json.loads(formats.as_prairielearn(result(failed="the file is missing", score=0), "Lab"))
    assert (
        mismatch(bad, PRAIRIELEARN) is None
        and bad["gradable"] is False
        and bad["format_errors"] == ["the file is missing"]
    )


def test_autolab():
    """The last line is the scores, as numbers by problem."""
    text = formats.as_autolab(result(), "Lab")
    last = json.loads(text.rstrip("\n").split("\n")[-1])
    assert (
        last == {"scores": {"compile": 1, "output": 1.5, "secret": 0}}
        and text.endswith("\n")
        and "the secret" not in text
    )


def test_github():
    document = json.loads(formats.as_github(result(), "Lab"))
    assert (
        mismatch(document, GITHUB) is None and document["status"] == "fail" and "the secret" not in json.dumps(document)
    )
    assert sum(test["score"] for test in document["tests"]) == 2.5 and document["max_score"] == 7
    assert json.loads(base64.b64decode(formats.as_github_base64(result(), "Lab"))) == document
    assert json.loads(formats.as_github(result(failed="x"), "Lab"))["status"] == "error"
    whole = result(checks=[row("compile", 1, 1)])
    assert json.loads(formats.as_github(whole, "Lab"))["status"] == "pass"


def test_junit():
    """Well-formed, though outputs hold what XML does not allow; the counts are those of the cases."""
    tree = ElementTree.fromstring(formats.as_junit([result(), result("bob")], "Lab & more"))
    suites = tree.findall("testsuite")
    assert (
        tree.tag == "testsuites"
        and tree.get("name") == "Lab & more"
        and [suite.get("name") for suite in suites] == ["anna", "bob"]
    )
    for element in [tree, *suites]:
        cases = list(element.iter("testcase"))
        assert element.get("tests") == str(len(cases))
        assert element.get("failures") == str(len(list(element.iter("failure")))) == str(2 * len(cases) // 4)
        assert element.get("skipped") == str(len(list(element.iter("skipped")))) == str(len(cases) // 4)
    assert "fork" in "".join(suites[0].itertext())


def test_a_class_as_a_page(tmp_path):
    rows = [result("<b>anna</b>"), result("bob", checks=[row("compile", 1, 1), row("output", 4, 0)], remarks=[], incidents=[])]
    page = tmp_path / "class.html"
    page.write_text(formats.ALL["html"](rows, "Lab <1>"))
    text = shown(page)
    assert "<b>anna" not in text and "Lab &lt;1&gt;" in text and "<details><summary>bob</summary>" in text
    cells = r'<td>output</td><td class="n">0</td><td class="n">1</td><td class="n">1</td>.*2 × a &lt;text&gt;'
    assert re.search(cells, text), text
    assert "<li>&lt;b&gt;anna&lt;/b&gt;: it starts processes: fork</li>" in text and "bob: it" not in text
    page.write_text(formats.ALL["html"](rows[:1], "Lab"))
    assert "Checks" not in shown(page) and "the secret" not in shown(page)


def tokens_of(text):
    kinds = {"spawn": "Spawn", "return": "Return", "if": "If", "sync": "Sync"}
    return [("p.cilk", 1, kinds.get(word, "Identifier" if word[0].isalpha() else "IntLiteral" if word.isdigit() else "Sign"), word)
            for word in re.findall(r"\w+|[^\w\s]", text)]


def test_similar_submissions_are_named():
    """Other names and numbers change nothing; other text does; what most of a class has says nothing."""
    mine = (ROOT / "samples" / "queens.cilk").read_text()
    renamed = re.sub(r"\b(?!(?:spawn|sync|if|return)\b)([a-z]+)\b", r"my_\1", mine).replace("2", "17")
    other = (ROOT / "samples" / "heat.cilk").read_text()
    rows = [{"submission": name, "fingerprints": similar.fingerprints(tokens_of(text))}
            for name, text in (("a", mine), ("b", renamed), ("c", other))]
    assert [pair[1:] for pair in similar.pairs(rows)] == [("a", "b")] and similar.pairs(rows)[0][0] == 1
    assert similar.sentences(rows) == ["a and b: 100 % of the shorter text is in both, names apart"]
    whole_class = [dict(rows[0], submission=str(n)) for n in range(5)] + rows[2:]
    assert similar.pairs(whole_class) == [] and similar.fingerprints([]) == ""


def test_an_autograder_for_gradescope(tmp_path):
    """Its scripts run with the folder of the test in place of /autograder."""
    work, source = tmp_path / "work", tmp_path / "autograder" / "source"
    shutil.copytree(TESTS / "grade", work, ignore=shutil.ignore_patterns("h*"))
    (tmp_path / "cilkc.deb").write_bytes(b"x" * 100)
    words = ["SPEC.toml", "--gradescope", "a.zip", "--package", str(tmp_path / "cilkc.deb")]
    assert command([CILKC, "grade", *words], cwd=work).status == 0
    first = (work / "a.zip").read_bytes()
    assert command([CILKC, "grade", *words], cwd=work).status == 0 and (work / "a.zip").read_bytes() == first
    with zipfile.ZipFile(work / "a.zip") as archive:
        assert sorted(archive.namelist()) == ["SPEC.toml", "cilkc.deb", "given.h", "key.cilk", "run_autograder", "setup.sh"]
        assert all(archive.getinfo(name).external_attr >> 16 == 0o100755 for name in ("run_autograder", "setup.sh"))
        archive.extractall(source)
    assert "apt-get install -y bubblewrap ./cilkc.deb" in (source / "setup.sh").read_text()
    for name in ("submission", "results"):
        (source.parent / name).mkdir()
    shutil.copy(TESTS / "grade" / "honest" / "wrong.cilk", source.parent / "submission" / "fib.cilk")
    script = (source / "run_autograder").read_text().replace("/autograder", str(source.parent)).replace("/tmp/store", str(tmp_path / "store"))
    done = command(["sh", "-c", script], env={"PATH": "%s:%s" % (os.path.dirname(CILKC), os.environ["PATH"])})
    assert done.status == 0, str(done)
    made = json.loads((source.parent / "results" / "results.json").read_text())
    assert mismatch(made, GRADESCOPE) is None
    assert {test["name"]: test["status"] for test in made["tests"]}["output"] == "failed"
    for wrong, said in ((["--package", "SPEC.toml"], "--package belongs"), (words[1:3] + ["--package", "SPEC.toml"], ".deb or .whl")):
        refused = command([CILKC, "grade", "SPEC.toml", *wrong], cwd=work)
        assert refused.status == 2 and said in refused.err, str(refused)


def test_csv():
    rows = list(csv.reader(io.StringIO(formats.as_csv([result(), result("=1+1"), result("+x,y")], "Lab"))))
    assert rows[0] == ["submission", "score", "max", "compile", "output", "secret", "speed", "remarks"]
    assert rows[1][:7] == ["anna", "2.5", "7", "1", "1.5", "0", ""] and [line[0] for line in rows[2:]] == [
        "'=1+1",
        "'+x,y",
    ]
    assert all(len(line) == 8 for line in rows)


def test_reports():
    one = report.one(result())
    assert (
        "2.5 of 7 points" in one
        and "the secret" not in one
        and "not measured: one processor" in one
        and "took more time than allowed, while it ran" in one
    )
    table = report.table([result(), result("bob", remarks=[], incidents=[])], "Lab", "x.grade")
    assert "anna: it starts processes: fork" in table and "bob:" not in table and "not in the maximum" in table


@pytest.mark.tier("test")
def test_every_form_of_the_command(tmp_path):
    """Through the command: one submission to stdout, several into a folder, and those that need one are refused without
    it."""
    for name in ("SPEC.toml", "HOSTILE.toml", "given.h", "key.cilk"):
        shutil.copy(TESTS / "grade" / name, tmp_path)
    for name in ("good", "wrong"):
        shutil.copy(TESTS / "grade" / "honest" / (name + ".cilk"), tmp_path)

    def grade(*words, status=0):
        done = command([CILKC, "grade", "-q", *words], cwd=tmp_path, timeout=300)
        assert done.status == status, str(done)
        return done
    both = ["HOSTILE.toml", "good.cilk", "wrong.cilk"]
    grade("--junit", "junit.xml", *both)
    assert len(list(ElementTree.parse(tmp_path / "junit.xml").iter("testsuite"))) == 2
    for form in formats.SINGLE:
        one = grade("--format", form, "HOSTILE.toml", "good.cilk").out
        assert one == formats.SINGLE[form](json.loads((tmp_path / "HOSTILE.grade" / "good.json").read_text()), "")
        refused = grade("--format", form, *both, status=2)
        assert "-o FOLDER" in refused.err and refused.out == ""
        grade("--format", form, "-o", form, *both)
        assert (tmp_path / form / ("good" + formats.ENDS.get(form, ".json"))).read_text() == one and len(
            os.listdir(tmp_path / form)
        ) == 2
    for form in formats.ALL:
        grade("--format", form, "-o", form + ".out", *both)
        assert (tmp_path / (form + ".out")).read_text() == grade("--format", form, *both).out != ""


# ---- specifications with errors -------------------------------------------------------------------------------------

START = 'submission = ["a.cilk"]\n'
CHECK = '[[check]]\nkind = "compile"\npoints = 1\n'


@pytest.mark.parametrize("text, said", [
    ("x = ", "Invalid value"),
    ("", "the key 'submission' is missing"),
    (START, "the key 'check' is missing"),
    (START + "titel = 'x'\n" + CHECK, "unknown key 'titel'; did you mean 'title'?"),
    (START + '[[check]]\nkind = "ouput"\npoints = 1\n', "did you mean 'output'?"),
    (START + "[[check]]\npoints = 1\n", "the kind is None"),
    (START + '[[check]]\nkind = "compile"\n', 'check 1 ("compile"): the key \'points\' is missing'),
    (START + CHECK.replace("1", "-1"), "a number of 0 or more"),
    (START + CHECK.replace("1", "true"), "a number of 0 or more"),
    (START + CHECK + CHECK, "two checks have the name 'compile'"),
    ('submission = ["../a"]\n' + CHECK, "below the folder"),
    ('submission = ["/etc/passwd"]\n' + CHECK, "below the folder"),
    ("submission = 'a'\n" + CHECK, "a list is expected"),
    (START + "reference = ['no.cilk']\n" + CHECK, "the file 'no.cilk' does not exist"),
    (START + '[limits]\nmemory = "2X"\n' + CHECK, "a size is expected"),
    (START + "[limits]\ntime = 0\n" + CHECK, "a number of seconds"),
    (START + "[limits]\ntime = 1e11\n" + CHECK, "a number of seconds"),
    (START + "[limits]\ntools-time = 86401\n" + CHECK, "a number of seconds"),
    (START + '[limits]\nmemory = "%s"\n' % ("9" * 5000) + CHECK, "a size is expected"),
    (START + '[limits]\ndisk = "8589934592G"\n' + CHECK, "a size is expected"),
    (START + '[limits]\ndisk = "１２G"\n' + CHECK, "a size is expected"),
    (START + '[[check]]\nkind = "parallelism"\npoints = 1\nat-least = 0\n', "a number above 0"),
    (START + "[limits]\ntyme = 1\n" + CHECK, "did you mean 'time'?"),
    (START + '[[check]]\nkind = "output"\npoints = 1\n', "there is no `reference`"),
    (START + '[[check]]\nkind = "parallelism"\npoints = 1\n', "'at-least' is missing"),
    (
        START + '[[check]]\nkind = "parallelism"\npoints = 1\nat-least = 2\nroot = "f"\nburdened = true\n',
        "`root` and `burdened` exclude each other",
    ),
    (START + '[[check]]\nkind = "output"\npoints = 1\nargs = ["1"]\nexpect = "x"\n[[check.case]]\nexpect = "y"\n', "exclude each other"),
    (START + '[[check]]\nkind = "output"\npoints = 1\nexpect = "x"\nignore = "("\n', "not a regular expression"),
    (START + '[[check]]\nkind = "output"\npoints = 1\nargs = "1"\nexpect = "x"\n', "a list of strings"),
    (START + '[[check]]\nkind = "output"\npoints = 1\nexpect = "x"\nnproc = 0\n', "numbers of workers"),
    (START + '[[check]]\nkind = "race"\npoints = 1\nexpect = "x"\n', "unknown key 'expect'"),
    (START + "check = 3\n", "[[check]]"),
    (START + "check = []\n", "there is no [[check]]"),
    ('submission = ["a\\u0000b"]\n' + CHECK, "a string has a zero byte"),
    *(
        (START + '[[check]]\nkind = "%s"\npoints = 1\n%s = 100001\n' % row, "a whole number of at most 100000")
        for row in [("scheduler", "runs"), ("speedup", "runs"), ("overhead", "runs"), ("elision", "schedules")]
    ),
    (START + "[limits]\nmemory = 0x10000000000000000\n" + CHECK, "a whole number has more than 64 bits"),
])
def test_errors_in_specifications(text, said, tmp_path):
    path = tmp_path / "SPEC.toml"
    path.write_text(text)
    with pytest.raises(Stop) as stop:
        spec.read(str(path), checks.KINDS)
    assert (
        said in stop.value.message and stop.value.status == 2 and "SPEC.toml" in stop.value.message
    ), stop.value.message


def test_an_input_is_a_regular_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "SPEC.toml"
    path.write_text(START + '[[check]]\nkind = "output"\npoints = 1\nexpect-file = "pipe"\n')
    with pytest.raises(Stop) as stop:
        spec.read(str(path), checks.KINDS).fingerprint()
    assert "pipe is not a regular file" in stop.value.message


def test_files_below_many_folders_are_left_out(tmp_path):
    """Python removes a folder by recursion."""
    folder, at = tmp_path / "deep", os.open(tmp_path, os.O_RDONLY)
    for depth in range(1200):
        name = "d" if depth else "deep"
        os.mkdir(name, dir_fd=at)
        outside, at = at, os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(outside)
    os.close(os.open("x.cilk", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)
    (folder / "d" / "x.cilk").write_text("")
    found, remarks = workshop.regular_files(str(folder))
    assert [name for name, _ in found] == ["d/x.cilk"]
    assert len(remarks) == 1 and remarks[0].endswith("d is left out: it is in more than 100 folders")
    subprocess.run(["rm", "-rf", folder], check=True)       # too deep for Python


ODD = (True, -1, float("nan"), 10**400, "", "x\0y", "../x", [], [[]], {}, [1], ["\ud800"], [{}], datetime.date(2020, 1, 1))


def places(value, path=()):
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*path, key))


def changed(data, path, value):
    made = copy.deepcopy(data)
    at = functools.reduce(lambda inner, key: inner[key], path[:-1], made)
    at[path[-1]] = value
    return made


def test_a_value_of_another_kind_is_no_traceback():
    """Each value of a specification, replaced by each odd one: it is taken, or refused in words."""
    name = TESTS / "grade/SPEC.toml"
    data, refused = tomllib.loads(name.read_text()), 0
    for path in list(places(data))[1:]:
        for value in ODD:
            try:
                spec.Spec(str(name), changed(data, path, value), checks.KINDS).fingerprint()
            except Stop as stop:
                assert stop.status == 2 and stop.message, (path, value)
                refused += 1
    assert refused > 400


def test_wrong_usage(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    shutil.copytree(TESTS / "grade", tmp_path / "g")
    (tmp_path / "a").mkdir()
    shutil.copy(tmp_path / "g/honest/good.cilk", tmp_path / "a/good.cilk")
    for words, said in (
        (["none.toml", "x"], "none.toml: No such file"),
        (["g/SPEC.toml", "none.cilk"], "none.cilk: No such file"),
        (["g/SPEC.toml", "g/honest/good.cilk", "a/good.cilk"], "two submissions are called good"),
        (["g/key.cilk", "a/good.cilk"], "key.cilk: "),
        (["pipe.toml", "a/good.cilk"], "pipe.toml is not a regular file"),
        (["g/SPEC.toml", "a/good.cilk", "--junit", "none/x.xml"], "none/x.xml cannot be written"),
        (["g/SPEC.toml", "a/good.cilk", "-o", "none/x.txt"], "none/x.txt cannot be written"),
    ):
        done = command([CILKC, "grade", *words], cwd=tmp_path)
        assert done.status == 2 and said in done.err and "Traceback" not in done.err, str(done)
    assert command([CILKC, "grade", "g/SPEC.toml"], cwd=tmp_path).out == "g/SPEC.toml: 7 checks, 14 points\n"
    assert sorted(os.listdir(tmp_path)) == ["a", "g", "pipe.toml"]


# ----
# parts ------------------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("row, wanted, got, difference", [
    ({}, b"a \nb\n\n", b"a\nb", None),
    ({"compare": "exact"}, b"a\n", b"a \n", "line 1 of the output is 'a ', and should be 'a'"),
    ({"compare": "words"}, b"a  b\n", b"a\nb", None),
    ({"compare": "numbers"}, b"1.0000001 x", b"1 x", None),
    ({"compare": "numbers", "tolerance": 0.1}, b"10", b"10.5", None),
    ({"compare": "numbers"}, b"10 x", b"10 y", "word 2 of the output is 'y', and should be 'x'"),
    ({"compare": "numbers"}, b"1", b"nan", "word 1 of the output is 'nan', and should be '1'"),
    ({}, b"a\nb", b"a", "the output has 1 lines, and should have 2; 'b' is missing"),
    ({}, b"a", b"a\nb\n", "the output has 2 lines, and should have 1; the first too many is 'b'"),
    ({"ignore": __import__("re").compile(b"^time")}, b"a\ntime 3\nb", b"a\ntime 5\nb", None),
    ({}, b"a", b"\x1b[2Jb\xff", "line 1 of the output is '\\x1b[2Jb�', and should be 'a'"),
])
def test_comparisons(row, wanted, got, difference):
    assert compare.Comparison(row).difference(wanted, got) == difference


def test_of_a_hidden_check_the_expected_output_is_not_shown():
    comparison = compare.Comparison({})
    assert "secret" not in comparison.difference(b"secret", b"x", hidden=True) + comparison.difference(
        b"x\nsecret", b"x", hidden=True
    )


def test_names_of_submissions(tmp_path):
    class Read:
        submission = ["fib.cilk"]
    for name in ("anna/fib.cilk", "bob.cilk", "carl/x.cilk"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    paths = [str(tmp_path / name) for name in ("anna/fib.cilk", "bob.cilk", "carl")]
    assert [name for name, _ in main.list_submissions(paths, Read)] == ["anna", "bob", "carl"]
    assert re.fullmatch(r"_\.\._etc_x_y-[0-9a-f]{12}", store.file_part("../../etc/x y"))
    assert store.file_part("Zoë-2.b") == "Zoë-2.b" and store.file_part("...")[0] == "_"


def test_names_that_differ_in_odd_characters_are_two_submissions(tmp_path):
    """On the terminal, and in the store."""
    class Read:
        submission = ["fib.cilk"]
    odd = [b"a b", b"a_b", b"a:b", b"a\nb", b"a\\nb", b"a\tb", b"a\x01b", b"a\xffb", b"a\xfeb", b"a?b", b".a b"]
    paths = [os.path.join(os.fsencode(tmp_path), name) for name in odd]
    for path in paths:
        os.mkdir(path)
    names = [name for name, _ in main.list_submissions(map(os.fsdecode, paths), Read)]
    assert len(set(names)) == len(odd) and all(name.isprintable() for name in names), names
    files = {store.file_part(name) for name in names}
    assert len(files) == len(odd) and all(re.fullmatch(r"\w[\w.+-]*", name) for name in files), files


def test_long_names_have_short_files():
    long = {store.file_part(letter * number + end) for letter in "xü" for number in (120, 250) for end in "ab"}
    assert len(long) == 8 and max(len(name.encode()) for name in long) <= 200


def test_timed_checks_have_the_machine_alone():
    """No check runs beside one that measures time."""
    import threading
    import time
    turns, inside, seen = run.Turns(), [], []

    def work(alone):
        for _ in range(50):
            with turns.exclusive() if alone else turns.shared():
                inside.append(alone)
                time.sleep(0.001)                       # so that others come meanwhile, if they may
                seen.append((alone, list(inside)))
                inside.remove(alone)
            time.sleep(0.002 * alone)                   # and these get a turn
    threads = [threading.Thread(target=work, args=(n == 0,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (
        len(seen) == 200
        and all(there == [True] for alone, there in seen if alone)
        and not any(True in there for alone, there in seen if not alone)
    )
