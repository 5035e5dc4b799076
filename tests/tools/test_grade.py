"""`cilkc grade`: verdicts on honest submissions, what attacks do to the grader and its neighbours (nothing), and runs
that go on where they stopped.

grade/honest and grade/hostile hold the submissions, grade/SPEC.toml and grade/HOSTILE.toml what is asked of them.
HERE and PORT in the text of an attack become the folder of the specification and the port of a server that this test
runs.
"""

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest

from conftest import CILKC, ROOT, TESTS, command, eventually, need
from cilkc_driver import home
from cilkc_driver.console import Stop
from grade import cell, sandbox

pytestmark = pytest.mark.tier("check")

GRADE = TESTS / "grade"
LIMIT = 600


@pytest.fixture
def course(tmp_path):
    """A folder with the specifications, the key, and room for submissions in s/; temporary files in tmp/."""
    (tmp_path / "s").mkdir()
    (tmp_path / "tmp").mkdir()
    for path in GRADE.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    return tmp_path


def needs_root(kind):
    if kind == "users" and os.getuid() != 0:
        pytest.skip("only root can change users")


def put(course, name, text, **words):
    for key, value in words.items():
        text = text.replace(key, str(value))
    (course / "s" / name).write_text(text)


def grade(course, *words, env=None):
    return command(
        [CILKC, "grade", *words], cwd=course, timeout=LIMIT, env=dict({"TMPDIR": str(course / "tmp")}, **(env or {}))
    )


def graded(course, *words, **keywords):
    """{submission: result}"""
    result = grade(course, "--format", "json", *words, **keywords)
    assert result.status == 0, str(result)
    rows = json.loads(result.out)["submissions"]
    for row in rows:
        row["by"] = {check["name"]: check for check in row["checks"]}
    return {row["submission"]: row for row in rows}


def scores(row):
    return {check["name"]: check["score"] for check in row["checks"]}


FULL = {"compile": 1, "output": 4, "elision": 2, "race": 2, "parallelism": 2, "forbidden": 1, "required": 2}
NOTHING = {"compile": 0, "output": 0, "elision": 0, "race": 0, "parallelism": 0}
# What differs from the full points, and a piece of the text of each check that loses some.
HONEST: "dict[str, tuple[dict, dict]]" = {
    "good": ({}, {}),
    "folder": ({}, {}),
    "warns": ({"compile": 0.5}, {"compile": "1 warning"}),
    "wrong": ({"output": 4 / 3}, {"output": "line 1 of the output is '6799', and should be '6765'"}),
    "status": ({"output": 0}, {"output": "status 3"}),
    "racy": ({"compile": 0.5, "race": 0}, {"race": "1 race"}),
    "unsynced": ({"compile": 0.5, "race": 0}, {"race": "2 races"}),
    "serial": ({"parallelism": 0, "required": 0}, {"parallelism": "cannot be measured"}),
    "crash": ({"output": 0, "elision": 0, "race": 0, "parallelism": 0}, {"output": "SIGSEGV"}),
    "broken": (NOTHING, {"compile": "does not compile"}),
    "threads": ({"forbidden": 0}, {"forbidden": "'pthread_create' (fib.cilk:"}),
    "line": ({"forbidden": 0}, {"forbidden": "#line hides text in fib.cilk"}),
}


@pytest.mark.tier("test")
@pytest.mark.waits
def test_verdicts_on_honest_submissions(course):
    for path in (GRADE / "honest").iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy)(path, course / "s" / path.name)
    results = graded(course, "SPEC.toml", *sorted("s/" + name for name in os.listdir(course / "s")))
    assert sorted(results) == sorted(HONEST)
    wrong = []
    for name, (less, texts) in HONEST.items():
        row = results[name]
        expected = {key: pytest.approx(value, abs=0.01) for key, value in dict(FULL, **less).items()}
        if name == "line":
            expected["required"] = row["by"]["required"]["score"]
        for key in ("output", "elision", "parallelism") if name == "unsynced" else ():     # it races, so these may come out either way
            expected[key] = row["by"][key]["score"]
        if scores(row) != expected or row["score"] != pytest.approx(sum(scores(row).values())) or row["incidents"]:
            wrong.append("%s: %s, not %s; %s" % (name, scores(row), expected, row["incidents"]))
        wrong += [
            "%s, %s: %s" % (name, key, row["by"][key]["text"])
            for key, text in texts.items()
            if text not in row["by"][key]["text"]
        ]
    assert not wrong, "\n".join(wrong)
    assert "it hides text with #line" in results["line"]["remarks"][0]
    assert "should be" in (course / "SPEC.grade" / "wrong.txt").read_text()
    assert "whose result it gets, has not returned: a sync is missing" in (course / "SPEC.grade" / "unsynced.txt").read_text()
    assert "missing" not in (course / "SPEC.grade" / "serial.txt").read_text()           # of a hidden check
    table = grade(course, "-q", "SPEC.toml", "s/good.cilk", "s/wrong.cilk").out
    assert "14/14" in table and "11.33/14" in table, table


# By attack: the points, the incident if a limit ended it, a piece of the remarks.
HOSTILE = {
    "good": (2, None, ""),
    "endless": (1, "time", ""),
    "fork-bomb": (1, "processes|memory", "starts processes: fork"),     # which of the limits comes first
    "disk": (1, "disk", ""),
    "files": (1, "files", ""),
    "floods": (1, "output", ""),
    "memory": (1, "memory", ""),
    "kills-parent": (1, "lost", "sends signals: kill"),
    "kills-all": (1, "lost", "sends signals: kill"),
    "reads": (2, None, "names files outside of its folder"),
    "network": (2, None, "opens the network: socket, connect"),
    "handles": (2, None, ""),
    "stays": (2, None, "starts processes: fork"),
    "escapes": (1, None, ""),
    "hole": (1, "disk", ""),
    "claims-limit": (1, None, ""),
    "embeds-key": (0, None, "includes files outside"),
    "includes-key": (0, None, "includes files outside"),
    "includes-zero": (0, "memory", "includes files outside"),
    "assembles": (0, "", "assembly"),           # by time or by memory
    "macro-bomb": (0, "", ""),
    "hidden-memory": (1, "memory", ""),
    "stops-all": (1, "time", "sends signals: kill"),
    "locks-folder": (2, None, ""),
    "ptraces": (2, None, "looks into other processes: ptrace"),
    "includes-itself": (0, "", ""),             # by time or by memory
}


def state(folder):
    """What attacks may not change."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "HOSTILE.grade" not in path.parts
    }


def strangers(course):
    """Processes of sandboxes that have something of this folder mounted, or are about to mount it."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as command_line, open("/proc/%s/mountinfo" % pid, "rb") as mounts:
                text = command_line.read()
                if os.fsencode(course / "tmp") in text + mounts.read():
                    found.append((pid, text[:200]))
        except OSError:
            pass
    return found


def attack(course, names, *words):
    """Grades these attacks; (results, whether the server was reached)."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        shutil.copy(GRADE / "honest" / "good.cilk", course / "s")
        for name in names:
            if name != "good":
                put(
                    course,
                    name + ".cilk",
                    (GRADE / "hostile" / (name + ".cilk")).read_text(),
                    HERE=course,
                    PORT=server.getsockname()[1],
                )
        before = state(course)
        results = graded(course, *words, "HOSTILE.toml", *("s/%s.cilk" % name for name in names))
        assert state(course) == before
        assert os.listdir(course / "tmp") == [] and strangers(course) == []
        with pytest.raises(TimeoutError):
            server.accept()
    return results


def check_attacks(results, **other):
    wrong = []
    for name, row in results.items():
        points, incident, remark = other.get(name, HOSTILE[name])
        got = "|".join(sorted({kind for kind, _ in row["incidents"]}))
        if (
            row["score"] != points
            or not (got if incident == "" else got in incident.split("|") if incident else not got)
            or remark not in "; ".join(row["remarks"])
        ):
            wrong.append(json.dumps(row, indent=1))
    assert not wrong, "\n".join(wrong)


@pytest.mark.tier("test")
@pytest.mark.waits
def test_attacks_are_reported_and_harm_nothing(course):
    need("bwrap")
    assert sorted(HOSTILE) == sorted(["good"] + [path.stem for path in (GRADE / "hostile").glob("*.cilk")])
    results = attack(course, sorted(HOSTILE), "--sandbox", "bubblewrap")
    check_attacks(results)
    assert "\x1b" not in (course / "HOSTILE.grade" / "escapes.txt").read_text()
    assert r"\x1b[2J" in results["escapes"]["by"]["output"]["text"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("names", [
    ["good", "reads", "network", "kills-all"],
    pytest.param(["fork-bomb", "disk", "hole", "files", "kills-parent", "stays", "memory"], marks=pytest.mark.tier("test")),
], ids=["rights", "limits"])
@pytest.mark.parametrize("kind", ["namespaces", "users"])
def test_attacks_without_bubblewrap(course, names, kind):
    needs_root(kind)
    check_attacks(attack(course, names, "--sandbox", kind))


@pytest.mark.tier("all")
@pytest.mark.waits
def test_attacks_on_a_grader_that_only_changes_users(course):
    needs_root("users")
    results = attack(course, sorted(HOSTILE), "--sandbox", "users")
    check_attacks(results, **{"hidden-memory": (2, None, "")})      # there is no such memory


EVASIONS = {
    "race-off": (
        "    calls = calls + 1;",
        "#pragma cilk race off\n    calls = calls + 1;\n#pragma cilk race on",
        "it can hide races from the race detector: fib.cilk",
    ),
    "no-race": (
        "cilk int fib",
        "__attribute__((cilk_no_race)) cilk int fib",
        "it can hide races from the race detector: fib.cilk",
    ),
    "asks": (
        "    r = spawn",
        '    if (getenv("CILK_RACE_REPORT"))\n        return 0;\n    r = spawn',
        "it can see which tool runs it: getenv",
    ),
    "leaves": (
        "    return 0;\n}",
        "    fflush(stdout);\n    _Exit(0);\n}",
        "it can end before a tool has counted: _Exit",
    ),
}


ALONE = "static int alone(int n) { return n < 2 ? n : alone(n - 1) + alone(n - 2); }\n"
BURN = """cilk void burn(int n)
{
    if (n == 0) {
        for (volatile int i = 0; i < 3000; i++)
            ;
        return;
    }
    spawn burn(n - 1);
    spawn burn(n - 1);
    sync;
}

"""
BODY = """    int x, y;
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    return x + y;
"""
# Submissions that no check but one should see through: what they are made of, changes of it, this check, its words.
CHEATS = {
    "serial": ("good", [("cilk int main", ALONE + "cilk int main"),
                        ("    r = spawn", "    if (Cilk_active_size > 1) {\n        printf(\"%d\\n\", alone(wanted(argc, argv)));\n"
                                          "        return 0;\n    }\n    r = spawn")],
               "parallelism", "on 2 workers it has 1 strand, on one 7984"),
    "dummy": ("good", [("cilk int fib", ALONE + BURN + "cilk int fib"),
                       (BODY, "    spawn burn(8);\n    sync;\n    return alone(n);\n")],
              "parallelism", "times the work of the reference, at most 10 times is allowed"),
    "pragma": ("racy", [EVASIONS["race-off"][:2]], "race", "1 race"),
    "attribute": ("racy", [EVASIONS["no-race"][:2]], "race", "1 race"),
}


@pytest.mark.tier("test")
def test_cheats_lose_the_points_that_they_are_for(course):
    """With `pragmas = "heed"` and `strands = "vary"` they keep them: it is these keys that see them."""
    for name, (base, changes, _, _) in CHEATS.items():
        text = (GRADE / "honest" / (base + ".cilk")).read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        put(course, name + ".cilk", text)
    files = ["s/%s.cilk" % name for name in CHEATS]
    results = graded(course, "SPEC.toml", *files)
    for name, (_, _, check, words) in CHEATS.items():
        row = results[name]
        assert row["by"][check]["score"] == 0 and words in row["by"][check]["text"], (name, row)
        lost = {key for key, score in scores(row).items() if score != FULL[key]} - {"compile"}
        assert lost == {check}, (name, row)
    assert results["serial"]["remarks"] == ["it can see on how many workers it runs: __cilk_active_size"]
    spec = (course / "SPEC.toml").read_text().replace('root = "fib"', 'root = "fib"\nstrands = "vary"\nwork-at-most = 1000')
    (course / "SPEC.toml").write_text('pragmas = "heed"\n' + spec)
    results = graded(course, "SPEC.toml", *files)
    assert all(results[name]["by"][check]["score"] == 2 for name, (_, _, check, _) in CHEATS.items()), results


def test_what_deceives_the_tools_is_remarked_on(course):
    """Such a submission may keep the points of a check. The teacher sees why."""
    racy = (GRADE / "honest" / "racy.cilk").read_text()
    for name, (old, new, _) in EVASIONS.items():
        assert old in racy
        put(course, name + ".cilk", racy.replace(old, new))
    results = graded(course, "HOSTILE.toml", *("s/%s.cilk" % name for name in EVASIONS))
    assert {name: row["remarks"] for name, row in results.items()} == {
        name: [remark] for name, (_, _, remark) in EVASIONS.items()
    }


def test_a_link_names_no_file_of_somebody_else(course):
    """Neither a submission that is a link, nor a link in its folder, nor a pipe."""
    put(course, "good.cilk", (GRADE / "honest" / "good.cilk").read_text())
    (course / "s" / "thief.cilk").symlink_to(course / "key.cilk")
    folder = course / "s" / "folder"
    folder.mkdir()
    (folder / "fib.cilk").symlink_to(course / "key.cilk")
    pipe = course / "s" / "pipe"
    pipe.mkdir()
    shutil.copy(course / "s" / "good.cilk", pipe / "fib.cilk")
    os.mkfifo(pipe / "x.cilk")
    (course / "s" / "packed.zip").write_bytes(b"PK\3\4" + bytes(60))
    results = graded(course, "HOSTILE.toml", "s/thief.cilk", "s/folder", "s/pipe", "s/packed.zip")
    assert "cannot be read: it is a symbolic link" in results["thief"]["failed"] and results["thief"]["score"] == 0
    assert results["folder"]["failed"] == "fib.cilk is not a regular file"
    assert results["packed"]["failed"] == "packed.zip is an archive, and has to be unpacked"
    assert results["pipe"]["score"] == 2 and results["pipe"]["remarks"] == ["x.cilk is left out: it is not a regular file"]


def test_names_of_files_are_no_flags(course):
    long = course / "s" / ("x" * 250 + ".cilk")
    shutil.copy(GRADE / "honest" / "good.cilk", long)
    folder = course / "s" / "folder"
    folder.mkdir()
    shutil.copy(GRADE / "honest" / "good.cilk", folder / "fib.cilk")
    (folder / "-o x.cilk").write_text("int unused_here;\n")
    (folder / "$(echo x).c").write_text("int nor_here;\n")
    results = graded(course, "HOSTILE.toml", "s/folder", long)
    assert results["folder"]["score"] == results["x" * 250]["score"] == 2


@pytest.mark.tier("all")
def test_odd_folders_and_texts_end_nothing(course):
    """Control characters of a text reach no report. What a folder has in the place of a given file is not taken. Deep
    and huge folders end neither the grader nor its patience."""
    text = (GRADE / "honest" / "good.cilk").read_text()
    put(course, "escapes.cilk", text + 'char *s = "\x1b[2J\x07;\n\x1b[2J;\n')
    hidden, place = course / "s" / "hides", course / "s" / "place"
    for folder in (hidden, place, course / "s" / "huge", course / "s" / "deep"):
        folder.mkdir()
        (folder / "fib.cilk").write_text(text)
    (place / "given.h").mkdir()
    (place / "given.h" / "x").write_text("")
    (hidden / "tab\t.h").write_text("int forbidden_here;\n")
    (hidden / "fib.cilk").write_text('#define NAME "/proc/self/cwd/tab\t.h"\n#include NAME\n' + text)
    for number in range(600):
        with open(course / "s" / "huge" / ("f%d" % number), "w") as file:
            file.truncate(1 << 40)
    (course / "s" / "deep" / "\x1b[2J").symlink_to("/")
    inside = os.open(course / "s" / "deep", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deep", dir_fd=inside)
        outside, inside = inside, os.open("deep", os.O_RDONLY, dir_fd=inside)
        os.close(outside)
    os.close(inside)
    spec = (course / "HOSTILE.toml").read_text()
    words = '[[check]]\nkind = "forbidden"\nwords = ["forbidden_here"]\npoints = 1\n'
    (course / "HOSTILE.toml").write_text(spec + "\n" + words)
    results = graded(course, "HOSTILE.toml", *("s/" + name for name in ("escapes.cilk", "hides", "place", "huge", "deep")))
    subprocess.run(["rm", "-rf", course / "s" / "deep"], check=True)      # too deep for Python
    assert {name: row["score"] for name, row in results.items()} == {
        "escapes": 1, "hides": 2, "place": 3, "huge": 0, "deep": 3
    }
    assert results["huge"]["failed"] == "it has more than 500 files"
    assert results["deep"]["remarks"][0] == r"\x1b[2J is left out: it is not a regular file"
    for path in (course / "HOSTILE.grade").iterdir():
        assert all(c.isprintable() or c == "\n" for c in path.read_text()), path


WAITS = """#include "given.h"
static Cilk_lockvar guard;
cilk int main(void)
{
    Cilk_lock_init(guard);
    Cilk_lock(guard);
    Cilk_lock(guard);
    puts("55");
    return 0;
}
"""


@pytest.mark.tier("all")
def test_the_report_names_the_lock_of_a_program_that_waits_for_itself(course):
    """By the race detector, which stops it, and where it runs until its time is over."""
    put(course, "waits.cilk", WAITS)
    checks = '[[check]]\nkind = "race"\npoints = 1\n'
    spec = (course / "HOSTILE.toml").read_text()
    (course / "HOSTILE.toml").write_text(spec + "\n" + checks)
    row = graded(course, "HOSTILE.toml", "s/waits.cilk")["waits"]
    assert scores(row) == {"compile": 0, "output": 0, "race": 0} and row["incidents"] == [["time", "while it ran"]]
    assert "waits for the lock" in row["by"]["output"]["detail"]
    assert row["by"]["race"]["text"].endswith(
        "fib.cilk:7: Cilk_lock(guard): the lock is already held: this deadlocks. It was acquired on line 6, by `Cilk_lock(guard)` in main, and not released"
    )


# ---- the store ------------------------------------------------------------------------------------------------------

@pytest.mark.tier("test")
def test_points_for_what_is_proved(course):
    checks = '[[check]]\nkind = "prove"\npoints = 4\npartial = true\n'
    (course / "PROVE.toml").write_text('submission = ["program.cilk"]\n' + checks)
    text = """int a[4], b[4];
cilk void put(int *p) { *p = 1; }
cilk void apart(void) { spawn put(a); spawn put(a + 1); sync; }
cilk int main(int argc, char **argv)
{
    spawn apart();
    sync;
    spawn put(b);
    spawn put(b + OTHER);
    sync;
    return 0;
}
"""
    put(course, "right.cilk", text, OTHER="2")
    put(course, "wrong.cilk", text, OTHER="(argc > 1)")
    rows = graded(course, "PROVE.toml", "s/right.cilk", "s/wrong.cilk")
    assert scores(rows["right"]) == {"prove": 4} and scores(rows["wrong"]) == {"prove": 2}, rows
    assert "1 of 2 procedures proved" in rows["wrong"]["by"]["prove"]["text"]


def test_opencilk_spelling_has_an_elision_and_schedules(tmp_path):
    """A key in a .c file answers by its elision, and seeded schedules reach a program whose words all go to main: the one
    that a wrong order of joining needs is not left to chance."""
    lab = ROOT / "docs" / "labs" / "11-index"
    (tmp_path / "solution.c").write_text((lab / "solution.c").read_text())
    (tmp_path / "wrong.c").write_text((lab / "wrong-order.c").read_text())
    (tmp_path / "SPEC.toml").write_text("""
title = "t"
submission = ["index.c"]
reference = ["solution.c"]
flags = ["-O2", "-fopencilk"]
[[check]]
kind = "output"
points = 1
nproc = [1]
args = ["300"]
[[check]]
kind = "elision"
points = 1
nproc = [1]
args = ["300"]
schedules = 3
""")
    done = command([CILKC, "grade", "-q", "--format", "json", "SPEC.toml", "solution.c", "wrong.c"], cwd=tmp_path)
    assert done.status == 0, str(done)
    checks = [[check["score"] for check in row["checks"]] for row in json.loads(done.out)["submissions"]]
    assert checks == [[1, 1], [1, 0]], str(done)


def test_a_result_is_used_again_until_something_changes(course):
    for name in ("good", "wrong"):
        shutil.copy(GRADE / "honest" / (name + ".cilk"), course / "s")
    words = ["HOSTILE.toml", "s/good.cilk", "s/wrong.cilk"]
    first = grade(course, *words)
    assert first.status == 0 and "from the store" not in first.err, str(first)
    second = grade(course, *words)
    assert second.err.count("(from the store)") == 2 and second.out == first.out, str(second)
    put(course, "wrong.cilk", (GRADE / "honest" / "good.cilk").read_text())
    third = grade(course, *words)
    assert third.err.count("(from the store)") == 1, str(third)
    assert grade(course, "--again", *words).err.count("(from the store)") == 0
    (course / "key.cilk").write_text((course / "key.cilk").read_text() + "\n")
    assert grade(course, *words).err.count("(from the store)") == 0
    (course / "FILE.toml").write_text(
        'submission = ["fib.cilk"]\nfiles = ["given.h"]\n[[check]]\nkind = "output"\npoints = 1\nargs = ["10"]\nexpect-file = "right.txt"\n'
    )
    for text, points in (("55\n", 1), ("56\n", 0)):
        (course / "right.txt").write_text(text)
        assert graded(course, "FILE.toml", "s/good.cilk")["good"]["score"] == points
    (course / "HOSTILE.grade" / "good.json").write_text("{")
    assert grade(course, *words).err.count("(from the store)") == 1


def test_an_interrupted_run_goes_on(course):
    shutil.copy(GRADE / "honest" / "good.cilk", course / "s")
    put(course, "slow.cilk", (GRADE / "hostile" / "endless.cilk").read_text())
    text = (course / "HOSTILE.toml").read_text().replace("time = 3\n", "time = 300\n")
    (course / "LONG.toml").write_text(text)
    words = [CILKC, "grade", "-j", "1", "LONG.toml", "s/good.cilk", "s/slow.cilk"]
    process = subprocess.Popen(words, cwd=course, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, TMPDIR=str(course / "tmp")))
    line = process.stderr.readline()
    assert "1 of 2: good 2/2" in line, line
    eventually(lambda: strangers(course), "the endless one does not run")
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM and "1 of 2 submissions are graded" in err and out == "", (
        process.returncode,
        err,
    )
    assert strangers(course) == [] and os.listdir(course / "tmp") == []
    assert sorted(os.listdir(course / "LONG.grade")) == ["good.json", "good.txt"]


# ---- the sandbox ----------------------------------------------------------------------------------------------------

def test_without_a_sandbox_it_refuses(course, monkeypatch):
    shutil.copy(GRADE / "honest" / "good.cilk", course / "s")
    result = grade(course, "--sandbox", "bubblewrap", "HOSTILE.toml", "s/good.cilk", env={"PATH": str(course)})
    assert (
        result.status == 2
        and "there is no sandbox on this machine (bubblewrap: bwrap is not installed)" in result.err
        and "--no-sandbox" in result.err
    ), str(result)
    assert not (course / "HOSTILE.grade").exists()
    home.set_home(str(ROOT))
    with pytest.raises(Stop, match="bubblewrap: no; namespaces: no"):
        sandbox.choose(["bubblewrap", "namespaces"], [], lambda kind: "no")


def test_in_a_chroot_it_says_what_to_do(tmp_path, monkeypatch):
    """In a chroot the kernel lists no mount at the root; everywhere else it lists one."""
    assert not sandbox.in_chroot()
    mounts = tmp_path / "mountinfo"
    mounts.write_text("".join(line for line in open("/proc/self/mountinfo") if line.split()[4] != "/"))
    assert sandbox.in_chroot(mounts) and not sandbox.in_chroot(tmp_path / "missing")
    monkeypatch.setattr(sandbox, "in_chroot", lambda: True)
    with pytest.raises(Stop, match="this is a chroot.*\n.*container.*--no-sandbox"):
        sandbox.choose(["namespaces"], [], lambda kind: None)


@pytest.mark.tier("test")
def test_no_sandbox_on_request(course):
    shutil.copy(GRADE / "honest" / "good.cilk", course / "s")
    for name in ("floods", "endless"):
        put(course, name + ".cilk", (GRADE / "hostile" / (name + ".cilk")).read_text())
    results = graded(course, "--no-sandbox", "HOSTILE.toml", "s/good.cilk", "s/floods.cilk", "s/endless.cilk")
    assert {name: (row["score"], [kind for kind, _ in row["incidents"]]) for name, row in results.items()} == {
        "good": (2, []), "floods": (1, ["output"]), "endless": (1, ["time"])}
    assert os.listdir(course / "tmp") == []


SHELL = {
    "nothing is visible": ("ls /home /root /work /etc/passwd /submission /cilkc 2>/dev/null; ls /tmp", "work\n"),
    "no network": ("cat /proc/net/dev | grep -vc 'lo:\\||'", "0\n"),
    "its processes only": ("ls /proc | grep -c '^[0-9]*$' | awk '{ print ($1 < 9) }'", "1\n"),
    "nothing is writable": (
        "for d in / /usr /dev /proc /sys /etc; do touch $d/x 2>/dev/null && echo $d; done; touch /tmp/x && echo tmp",
        "tmp\n",
    ),
    "it has no rights": (
        "test $(id -u) != 0 && grep -E 'CapEff|CapPrm|CapAmb' /proc/self/status | grep -vc 0000000000000000; grep NoNewPrivs /proc/self/status",
        "0\nNoNewPrivs:\t1\n",
    ),
    "no core files": ("ulimit -c", "0\n"),
}
SOCKETS = "exec python3 -c 'import socket\nfor kind in 1, 2, 10, 16:\n  try: socket.socket(kind)\n  except OSError as error: print(error.errno)'"
# Where there are no namespaces: what is the same, by another text or another result.
SHELL_OF_USERS = {
    "nothing is visible": ("ls /home /root /work /tmp 2>/dev/null; cat /etc/passwd 2>/dev/null", ""),
    "no network": (SOCKETS, "13\n" * 4),
    "its processes only": ("cat /proc/1/environ /proc/1/maps 2>&1 | grep -vc denied; kill -0 1 2>/dev/null || echo none", "0\nnone\n"),
    "nothing is writable": (SHELL["nothing is writable"][0], ""),
}


@pytest.mark.parametrize("kind", sorted(sandbox.KINDS))
def test_what_is_inside(kind):
    needs_root(kind)
    home.set_home(str(ROOT))
    made = sandbox.KINDS[kind]()
    limits = cell.Limits(time=20, memory=1 << 28, processes=16, disk=1 << 20, files=100, output=1 << 16)
    wrong = []
    for name, (script, expected) in (SHELL | SHELL_OF_USERS if kind == "users" else SHELL).items():
        outcome = cell.Cell(made).run(sandbox.Place(), ["/bin/sh", "-c", script], limits)
        if outcome.out.decode() != expected or outcome.incident:
            wrong.append("%s: %r, not %r; %s %r" % (name, outcome.out, expected, outcome.incident, outcome.err))
    assert not wrong, "\n".join(wrong)


def test_without_landlock_folders_have_to_be_closed(tmp_path):
    needs_root("users")
    script = "import json, sys, users; users.fence = lambda plan: False; users.start(json.loads(sys.argv[1]), ['/bin/echo', 'runs'])"
    closed, folder = tmp_path / "key", tempfile.mkdtemp(dir="/tmp")
    plan = {"uid": 1_900_000_001, "folder": folder, "give": [], "closed": [str(closed), "/usr/share"]}

    def start(**changes):
        return command(["python3", "-c", script, json.dumps(dict(plan, **changes))], cwd=ROOT / "driver/grade")
    try:
        closed.mkdir(0o700)
        assert "other users can look into /usr/share: chmod go-rwx /usr/share" in start().err
        result = start(closed=[str(closed)])
        assert (result.status, result.out) == (0, "runs\n"), str(result)
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("kind", sorted({*sandbox.KINDS} - {"users"}))
def test_names_of_the_host_are_not_in_the_words_of_processes(kind, tmp_path):
    """What is bound is a folder of the host; each process inside can read the words of all others."""
    home.set_home(str(ROOT))
    limits = cell.Limits(time=20, memory=1 << 28, processes=16, disk=1 << 20, files=100, output=1 << 16)
    script = "cat /proc/[0-9]*/cmdline; ls /proc/self/fd"
    place = sandbox.Place([(str(tmp_path), "/submission")])
    outcome = cell.Cell(sandbox.KINDS[kind]()).run(place, ["/bin/sh", "-c", script], limits)
    assert outcome.fine and b"/inner.py" in outcome.out, outcome.out
    assert os.fsencode(tmp_path) not in outcome.out and b"/usr" + b"\0/usr" not in outcome.out


FORKS = "exec python3 -c 'import os, time\nfor i in range(99):\n  try:\n    os.fork() or time.sleep(9)\n  except OSError: pass\ntime.sleep(9)'"


@pytest.mark.parametrize("script, incident", [
    ("exec sleep 100", "time"), ("yes | head -c 10000000", "output"), ("kill -9 $PPID; sleep 1", "lost"), ("cat /dev/zero > x", "disk"), (FORKS, "processes"),
    ("i=0; while [ $i -lt 200 ]; do i=$((i+1)); : > f$i; done", "files"), ("exec python3 -c 'x = bytearray(1 << 28); import time; time.sleep(9)'", "memory"), ("true", None),
])
@pytest.mark.parametrize("kind, cgroups", [("namespaces", True), ("namespaces", False), ("users", False)])
def test_limits(script, incident, kind, cgroups):
    """With control groups, where this machine lets us make some, and by watching."""
    needs_root(kind)
    home.set_home(str(ROOT))
    limits = cell.Limits(time=2 if incident == "time" else 60, memory=1 << 27, processes=6, disk=1 << 20, files=100, output=1 << 16)
    outcome = cell.Cell(sandbox.KINDS[kind](), cgroups).run(sandbox.Place(), ["/bin/sh", "-c", script], limits)
    assert outcome.incident == incident, (outcome.describe(limits), outcome.err)
