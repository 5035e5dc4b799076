"""`cilkc prove`: no program that races is proved, and those that it is for are.

The race detector is the independent truth: programs of tests/race with the races that it finds there, random programs
(prove_programs.py, and prove_grammar.py by prove_compare.py) with what the detector finds on all inputs up to a bound,
changed samples (prove_mutants.py) on small inputs. PROVE_PROGRAMS=1000 and PROVE_MUTANTS=300 try that many in the tier
`all`, `python tests/prove_compare.py 1-1000` as many of the grammar's, `python tests/prove_mutants.py 1-900` of all
samples.
"""

import json
import os
import subprocess
import sys

import prove_compare
import prove_mutants
import prove_programs
import pytest
import test_race

from conftest import CILKC, ROOT, command
from tiers import tier

pytestmark = pytest.mark.tier("test")

sys.path.insert(0, str(ROOT / "driver"))
from cilkc_driver import console, disk  # noqa: E402
from prove import apart, detect, loops, main, pairs, prover, report, solver  # noqa: E402

PROGRAMS = int(os.environ.get("PROVE_PROGRAMS", 60))
MUTANTS = int(os.environ.get("PROVE_MUTANTS", 20))
EACH = 20  # procedures of a random program


def tree(path, *flags):
    result = command([CILKC, "emit", "--stage", "tree", "--json", "-w", *flags, path])
    assert result.status == 0, result.err
    return result.out


def proved(path, *flags):
    return prover.prove([tree(path, *flags)]).proved


def written(folder, text):
    path = folder / "program.cilk"
    path.write_text(text)
    return path


def detected(path, *arguments):
    """Rows of the race detector's report that count."""
    done = subprocess.run(
        [CILKC, "race", "--json", "-w", str(path), "--", *arguments], capture_output=True, text=True, timeout=300
    )
    return json.loads(done.stdout)["races"] if done.stdout else []


# ---- programs with known truth

RACY = [path for path in test_race.PROGRAMS if test_race.counts(test_race.announced(path)[0])]


@pytest.mark.sample(6, "test", 3)
@pytest.mark.parametrize("path", RACY, ids=lambda path: path.stem)
def test_no_procedure_that_races_is_proved(path):
    """A program of tests/race has many procedures. The one that spawns one strand of a race, and has
    called both, is not proved."""
    _, arguments, stdin = test_race.announced(path)
    report = json.loads(test_race.detect(path, "-w", arguments=arguments, stdin=stdin).stdout)
    racy = {
        row["spawn"]["procedure"] for row in report["races"] if row["type"] in detect.COUNTED and row.get("spawn")
        and all(row["spawn"]["procedure"] in callers(access) for access in row["accesses"])
    }
    result = prover.prove([tree(path)])
    assert not result.proved
    assert not racy & {procedure.function.name for procedure in result.procedures if procedure.proved}


def callers(access):
    return {access["procedure"], *(call["procedure"] for call in access["path"])}


OWN = sorted(path for path in (ROOT / "tests/prove").iterdir() if path.suffix in (".c", ".cilk"))


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_programs_of_our_own(path):
    """Each program of tests/prove races, as `cilkc race` says, but those whose names begin with `free-`. (Of
    lock-of-each-call and self-from-another-beginning it does not say so: it runs them on one worker, where there is
    one Self, and the locks of calls one after the other are at one address.)"""
    flags = ["-fopencilk"] if path.suffix == ".c" else []
    assert proved(path, *flags) == path.stem.startswith("free-")


SAMPLES = "fib hello inlets knary loop mergesort nqueens race-fixed search".split()
LARGER = "fft heat knapsack matmul queens".split()


@pytest.mark.parametrize("name", SAMPLES + [pytest.param(name, marks=tier("all")) for name in LARGER])
def test_sample_is_proved(name):
    assert proved(ROOT / "samples" / (name + ".cilk"))


# ---- random programs and changed samples


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=tier("test" if n < 3 else "all")) for n in range(max(1, PROGRAMS // EACH))]
)
def test_random_procedures(tmp_path, seed):
    text, arrays = prove_programs.program(seed, EACH)
    path = written(tmp_path, text)
    result = prover.prove([tree(path)])
    racy = {access["line"] for row in detected(path) for access in row["accesses"]}
    wrong = [
        procedure.function.name
        for procedure in result.procedures
        for first, last in arrays.values()
        if procedure.proved
        and first <= procedure.function.line <= last
        and all_proved(result, first, last)
        and any(first <= line <= last for line in racy)
    ]
    assert not wrong, text
    assert any(procedure.proved for procedure in result.procedures)


@pytest.mark.sample(4, "all")
@pytest.mark.parametrize("seed", range(36))
def test_random_procedures_of_a_grammar(tmp_path, seed):
    outcome = prove_compare.compare(seed, 8, CILKC, tmp_path)
    assert outcome.ran and not outcome.wrong


def test_the_grammar_has_both_kinds(tmp_path):
    outcomes = [prove_compare.compare(seed, 8, CILKC, tmp_path) for seed in (1, 2)]
    assert any(one.proved for one in outcomes) and any(one.racy for one in outcomes)


def all_proved(result, first, last):
    return all(p.proved for p in result.procedures if first <= (p.function.line or 0) <= last)


CHANGED = "fib heat knary loop mergesort nqueens".split()


def changes():
    for number, (name, line, text) in enumerate(prove_mutants.listed(CHANGED)[:MUTANTS]):
        yield pytest.param(name, text, id="%s-%d-%d" % (name, line, number), marks=tier("test" if number < 4 else "all"))


@pytest.mark.parametrize("name, text", changes())
def test_changed_sample_that_races_is_not_proved(tmp_path, name, text):
    temp = disk.TempDir()
    try:
        assert prove_mutants.judge(name, written(tmp_path, text), temp, 120).word != "WRONG"
    finally:
        temp.clean()


# ---- the prover itself, with a check taken out

HALVES = """
cilk void fill(int *a, int low, int high)
{
    int i, middle = low + (high - low) / 2;
    if (high - low < 100) {
        for (i = low; i <= high; i++)
            a[i] = i;
        return;
    }
    spawn fill(a, low, middle);
    spawn fill(a, middle, high);
    sync;
}
int space[1000];
cilk int main(void) { spawn fill(space, 0, 999); sync; return 0; }
"""
SAME = """
cilk void put(int *a) { *a = 1; }
cilk void both(int *a, int *b) { spawn put(a); spawn put(b); sync; }
int x;
cilk int main(void) { spawn both(&x, &x); sync; return x; }
"""
ROUNDS = """
int a[100];
cilk void put(int i) { a[i / 2] = i; }
cilk int main(int argc, char **argv) { int i; for (i = 0; i < argc; i++) spawn put(i); sync; return a[0]; }
"""
EARLY = """
cilk int one(void) { return 1; }
cilk int main(void) { int x; x = spawn one(); if (x) return 2; sync; return x; }
"""


@pytest.mark.parametrize("text", [HALVES, SAME, ROUNDS, EARLY])
def test_races_that_the_next_tests_count_on(tmp_path, text):
    assert not proved(written(tmp_path, text))


@pytest.mark.parametrize(
    "text, where, name, instead",
    [
        (HALVES, pairs.Pairs, "compare", lambda self, *_: None),
        (SAME, apart.Apart, "fails", lambda self, *_: None),
        (ROUNDS, loops.Loop, "earlier_children", lambda self: ((), {})),
        (EARLY, pairs.Pairs, "early", lambda self: None),
    ],
    ids=["compare", "fails", "earlier", "early"],
)
def test_each_check_is_needed(tmp_path, monkeypatch, text, where, name, instead):
    """With the check taken out, a racy program is proved: the test above would fail."""
    monkeypatch.setattr(where, name, instead)
    assert proved(written(tmp_path, text))


NOT_MODELLED = {
    "goto": "again: spawn put(0); if (argc > 5) goto again;",
    "assembly": 'spawn put(0); __asm__ volatile("" ::: "memory");',
    "a call through a pointer": "spawn put(0); table[argc](1);",
    "no body": "spawn put(0); elsewhere(a);",
    "setjmp": "spawn put(0); if (_setjmp(0)) return 1;",
}


@pytest.mark.parametrize("name", NOT_MODELLED)
def test_what_is_not_modelled_is_not_decided(tmp_path, name):
    text = """int a[9];
extern void elsewhere(int *); extern int _setjmp(void *) __attribute__((returns_twice));
void (*table[9])(int);
cilk void put(int i) { a[i] = 1; }
cilk int main(int argc, char **argv) { %s sync; return 0; }
""" % NOT_MODELLED[name]
    assert not proved(written(tmp_path, text))


TOUCHES = """int table[9];
extern %(cilk)s void fill(int *to, int n) __attribute__((cilk_touches("%(says)s")));
%(body)s
cilk void both(int *a) { %(calls)s }
cilk int main(void) { int a[9]; spawn both(a); sync; return 0; }
"""
SAID = [
    ("writes #1[#2]", "", "spawn fill(a, 3); spawn fill(a + 3, 3); sync;", True),
    ("writes #1[#2]", "", "spawn fill(a, 3); spawn fill(a + 2, 3); sync;", False),
    ("reads #1[2 * #2]", "", "spawn fill(a, 3); a[6] = 1; sync;", True),
    ("reads #1[2 * #2]", "", "spawn fill(a, 3); a[5] = 1; sync;", False),
    ("writes *#1", "", "spawn fill(a, 3); a[1] = 1; sync;", True),
    ("writes *#1", "", "spawn fill(a, 3); a[0] = 1; sync;", False),
    ("writes table, reads *#1", "", "spawn fill(a, 3); table[2]++; sync;", False),
    ("nothing", "", "spawn fill(a, 3); table[2]++; a[0] = 1; sync;", True),
    ("scribbles #1", "", "spawn fill(a, 3); sync;", False),
    ("writes #3[#2]", "", "spawn fill(a, 3); sync;", False),
    ("writes #1[#2]", "cilk void fill(int *to, int n) { while (n-- > 0) to[n] = n; }", "spawn fill(a, 3); sync;", True),
    ("writes #1[#2]", "cilk void fill(int *to, int n) { while (n-- >= 0) to[n + 1] = n; }", "spawn fill(a, 3); sync;", False),
    ("reads #1[#2]", "cilk void fill(int *to, int n) { while (n-- > 0) to[n] = n; }", "spawn fill(a, 3); sync;", False),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("says, body, calls, wanted", SAID, ids=range(len(SAID)))
def test_an_attribute_says_what_is_touched(tmp_path, says, body, calls, wanted):
    """It is believed where there is no body, and has to be so where there is one."""
    text = TOUCHES % {"cilk": "cilk", "says": says, "body": body, "calls": calls}
    assert proved(written(tmp_path, text)) == wanted


def test_an_attribute_of_a_c_function(tmp_path):
    text = TOUCHES % {"cilk": "", "says": "writes #1[#2]", "body": "cilk void put(int *p) { *p = 1; }", "calls":
                      "spawn put(a + 3); fill(a, %d); sync;"}
    assert proved(written(tmp_path, text % 3)) and not proved(written(tmp_path, text % 4))


# ---- the command


def test_command(tmp_path):
    path = written(tmp_path, HALVES.replace("<=", "<"))
    result = command([CILKC, "prove", path])
    assert result.status == report.STATUS[report.PROVED]
    assert "fill: proved, 1 pair\n" in result.out and "free of determinacy races on every input" in result.out
    path = written(tmp_path, HALVES)
    result = command([CILKC, "prove", "--json", path], timeout=300)
    data = json.loads(result.out)
    assert result.status == report.STATUS[report.RACE] and data["verdict"] == report.RACE
    assert {access["line"] for row in data["races"] for access in row["accesses"]} == {7}
    result = command([CILKC, "prove", "--no-inputs", path])
    assert result.status == report.STATUS[report.UNDECIDED] and "not decided" in result.out


def test_the_text_names_what_was_found():
    """A deadlock is not called a race, a pair of lines is shown once, and reducers are no line 0."""
    pair = [{"line": 4}, {"line": 7}]
    data: dict = {"verdict": report.RACE, "files": ["p.cilk"], "procedures": [], "input": [], "races": []}
    data["races"] = [{"type": "inversion", "accesses": pair}] * 2
    assert report.text(data).splitlines()[:-1] == [
        "p.cilk: a deadlock, on the input: no arguments", "  deadlock: locks that are acquired in both orders: lines 4 and 7"
    ]
    data["races"] = [{"type": "early", "accesses": pair}, {"type": "race", "accesses": pair}]
    assert report.text(data).splitlines()[:-1] == [
        "p.cilk: a race, on the input: no arguments",
        "  use of a result that may not have arrived: lines 4 and 7", "  race: lines 4 and 7",
    ]
    data["procedures"] = [{"file": "p.cilk", "line": 1, "name": "main", "verdict": report.UNDECIDED, "pairs": 0,
                           "findings": [{"kind": "unknown", "line": 0, "why": "reducers"}]}]
    assert report.text(data).splitlines()[1] == "    reducers"


def test_reducers_are_named_once(tmp_path):
    path = tmp_path / "sum.c"
    path.write_text(
        "#include <cilk/cilk.h>\nstatic void zero(void *v) { *(long *)v = 0; }\n"
        "static void plus(void *l, void *r) { *(long *)l += *(long *)r; }\n"
        "int main(void)\n{\n    long cilk_reducer(zero, plus) s = 0;\n"
        "    cilk_for (int i = 0; i < 9; i++) s += i;\n    return s - 36;\n}\n"
    )
    done = command([CILKC, "prove", "--no-inputs", "-fopencilk", path])
    assert done.status == 3 and "line 0" not in done.out and "__builtin" not in done.out, done.out
    assert done.out.count("main: not decided") == 1, done.out


def test_race_says_whether_it_is_proved(tmp_path):
    """An input without a race says nothing about others."""
    text = "int a[9]; cilk void put(int i) { a[i] = i; } " \
        "cilk int main(int argc, char **argv) { spawn put(%s); spawn put(2); sync; return 0; }\n"
    for index, said in (("1", "proves it for every input"), ("argc > 5 ? 2 : 1", "does not decide it for every input")):
        result = command([CILKC, "race", "--prove", "-w", written(tmp_path, text % index)])
        assert result.status == 0 and "no races on this input" in result.err and said in result.err, result.err


@tier("all")
def test_a_library_that_races_has_a_main_that_shows_it(tmp_path):
    """No number is tried that leaves the arrays of this main."""
    library, main = HALVES.replace("< 100", "< %d").split("int space")[0], tmp_path / "main.cilk"
    path = written(tmp_path, library % 100)
    result = command([CILKC, "prove", "--json", path], timeout=300)
    assert result.status == report.STATUS[report.RACE], str(result)
    main.write_text(json.loads(result.out)["driver"])
    done = command([CILKC, "race", "--json", "-w", path, main])
    assert done.status == 1 and {one["line"] for row in json.loads(done.out)["races"] for one in row["accesses"]} == {7}
    result = command([CILKC, "prove", "--json", written(tmp_path, library % 9000)], timeout=300)
    assert result.status == report.STATUS[report.UNDECIDED], str(result)


def test_files_of_the_result(tmp_path):
    path = written(tmp_path, HALVES)
    for kind in ("json", "sarif", "html"):
        assert command([CILKC, "prove", "--no-inputs", "-o", tmp_path / ("made." + kind), path]).status == 3
    findings = [row for one in json.loads((tmp_path / "made.json").read_text())["procedures"] for row in one["findings"]]
    (run,) = json.loads((tmp_path / "made.sarif").read_text())["runs"]
    assert len(run["results"]) == len(findings) > 0
    for row, made in zip(findings, run["results"]):
        (place,) = made["locations"]
        assert made["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        assert place["physicalLocation"]["region"]["startLine"] == row["accesses"][0]["line"]
        assert place["physicalLocation"]["artifactLocation"]["uri"] == str(path)
    page = (tmp_path / "made.html").read_text()
    assert "fill: not decided" in page and '<b class="line">     7  ' in page
    assert command([CILKC, "prove", "-o", tmp_path / "made.txt", path]).status == 2


def test_a_sync_that_cures(tmp_path):
    path = written(
        tmp_path,
        """int x;
cilk void put(int k) { x = k; }
cilk int main(void)
{
    spawn put(1);
    spawn put(2);
    sync;
    return x;
}
""",
    )
    result = command([CILKC, "prove", "--json", "--no-inputs", "--fix", path])
    (edit,) = json.loads(result.out)["fix"]["edits"]
    assert edit == {"file": str(path), "line": 6, "remove": [], "insert": ["    sync;"]}
    assert "sync;" not in path.read_text().split("spawn put(2)")[0]
    result = command([CILKC, "prove", "--no-inputs", "--fix", path])
    assert "this cures it, proved" in result.out and "program.cilk:6:\n  +    sync;\n" in result.out


CURES = {
    "atomic": (
        "int x;\ncilk void add(int n)\n{\n    x += work(n);\n}\n"
        "cilk int main(void)\n{\n    spawn add(1);\n    spawn add(2);\n    sync;\n    return x;\n}\n",
        {4: ["    __atomic_fetch_add(&x, work(n), __ATOMIC_RELAXED);"]},
    ),
    "decrement": (
        "int x;\ncilk void less(void)\n{\n    if (work(1))\n    x--;\n}\n"
        "cilk int main(void)\n{\n    spawn less();\n    spawn less();\n    sync;\n    return x;\n}\n",
        {5: ["    __atomic_fetch_add(&x, -1, __ATOMIC_RELAXED);"]},
    ),
    "range": (HALVES, {6: ["        for (i = low; i < high; i++)"]}),
    "two": (
        "int x, y;\ncilk void put(int *p)\n{\n    *p = 1;\n}\ncilk int main(void)\n{\n    int a;\n    spawn put(&x);\n"
        "    a = x;\n    spawn put(&y);\n    a += y;\n    sync;\n    return a;\n}\n",
        {10: ["    sync;"], 12: ["    sync;"]},
    ),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", CURES)
def test_edits_that_cure(tmp_path, name):
    """What is offered is proved, and does what the program does on one worker."""
    text, wanted = CURES[name]
    if "work(" in text:
        text = "int work(int n) { int i; for (i = 1; i < 1000; i++) n += i % n; return n; } " + text
    path = written(tmp_path, text)
    words = [CILKC, "prove", "-w", "--no-inputs", "--fix", "-o", tmp_path / "made.sarif", "--json", path]
    edits = json.loads(command(words).out)["fix"]["edits"]
    assert {row["line"]: row["insert"] for row in edits} == wanted
    lines = text.split("\n")
    for row in reversed(edits):
        assert lines[row["line"] - 1 :][: len(row["remove"])] == row["remove"]
        lines[row["line"] - 1 : row["line"] - 1 + len(row["remove"])] = row["insert"]
    assert proved(written(tmp_path, "\n".join(lines))) and not detected(path)
    (run,) = json.loads((tmp_path / "made.sarif").read_text())["runs"]
    (fix,) = [fix for one in run["results"] for fix in one.get("fixes", ())]
    (change,) = fix["artifactChanges"]
    assert [one["deletedRegion"]["startLine"] for one in change["replacements"]] == [row["line"] for row in edits]


def test_command_says_what_is_wrong(tmp_path):
    assert command([CILKC, "prove"]).status == 2
    path = written(tmp_path, "cilk int main(void) { return }\n")
    assert command([CILKC, "prove", path]).status == 2
    path = written(tmp_path, HALVES.replace("<=", "<"))
    result = command([CILKC, "prove", "--no-inputs", "--timeout", "0.1", path])
    assert result.status in (0, 3)


def test_without_z3(tmp_path, monkeypatch):
    monkeypatch.setattr(solver, "z3", None)
    with pytest.raises(console.Stop, match="pip install z3-solver==") as stop:
        main.run([str(written(tmp_path, HALVES))], {}, None)
    assert stop.value.status == 2


def test_several_files(tmp_path):
    (tmp_path / "one.cilk").write_text("extern int x; cilk void put(void) { x = 1; }\n")
    (tmp_path / "two.cilk").write_text(
        "int x; extern cilk void put(void); cilk int main(void) { spawn put(); sync; return x; }\n"
    )
    words = [CILKC, "prove", "--no-inputs", "one.cilk", "two.cilk"]
    assert command(words, cwd=tmp_path).status == 0
    (tmp_path / "two.cilk").write_text(
        "int x; extern cilk void put(void); cilk int main(void) { spawn put(); x = 2; sync; return x; }\n"
    )
    assert command(words, cwd=tmp_path).status == 3
