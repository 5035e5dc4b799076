"""`cilkc emit --stage clones`: golden texts, and that every sample can be shown."""

import re

import pytest

from conftest import CILKC, EXPERIMENTAL, STRATEGIES, TESTS, command, compare_strategies, compiled, files, golden_of

pytestmark = pytest.mark.tier("check")


@pytest.mark.parametrize("path", files("tests/clones/*.cilk"))
def test_golden(path, rewrite):
    compare_strategies(
        path, rewrite, lambda strategy: compiled([CILKC, "emit", "--stage", "clones", "--spawn=" + strategy, path]).out
    )


def test_calls_of_opencilk_are_shown_by_the_name_of_what_they_call(tmp_path):
    (tmp_path / "calls.c").write_text("int f(int n) { return n < 2 ? n : 1 + f(n - 1) + f(n - 2); cilk_spawn f(n); }\n")
    shown = compiled([CILKC, "emit", "--stage", "clones", "-fopencilk", "calls.c"], cwd=tmp_path).out
    assert re.search(r"= f_fast\(n - 1\);", shown) and set(re.findall(r"[\w)]+_fast\(", shown)) == {"f_fast("}, shown


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", files("samples/*.cilk"))
def test_samples_can_be_shown(path):
    shown = compiled([CILKC, "emit", "--stage", "clones", path]).out
    text = re.sub(r'//.*|"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*[\s\S]*?\*/', "", shown)
    assert text.count("{") == text.count("}") and "<anonymous>" not in shown and "spawn " not in text
    labels = set(re.findall(r"goto (L[0-9]+);", text))
    assert labels <= set(re.findall(r"^ *(L[0-9]+):;", text, re.M))


def test_one_procedure(tmp_path):
    (tmp_path / "two.cilk").write_text(
        "cilk int one(int n) { return n; }\ncilk int two(int n) { int x; x = spawn one(n); sync; return x; }\n"
    )
    shown = compiled([CILKC, "emit", "--stage", "clones", "--procedure", "two", "two.cilk"], cwd=tmp_path).out
    assert "struct two_closure" in shown and "struct one_closure" not in shown
    result = command([CILKC, "emit", "--stage", "clones", "--procedure", "three", "two.cilk"], cwd=tmp_path)
    assert (
        result.status == 1 and "no cilk procedure 'three'" in result.err and "two.cilk" in result.err and not result.out
    ), str(result)
    assert command([CILKC, "emit", "--stage", "ast", "--procedure", "two", "two.cilk"], cwd=tmp_path).status == 2


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_members_have_names_of_their_own(strategy, tmp_path):
    """A variable called like what every closure has: the value's slot, the header, the entry."""
    (tmp_path / "f.cilk").write_text(
        "cilk int f(int entry) { int result, header; result = spawn f(entry - 1); header = spawn f(entry - 2); sync; return result + header; }\n"
    )
    shown = compiled([CILKC, "emit", "--stage", "clones", "--spawn=" + strategy, "f.cilk"], cwd=tmp_path).out
    members = re.findall(r"(\w+);", re.sub(r"//.*", "", shown[shown.index("struct f_closure"):shown.index("};")]))
    assert len(members) == 5 and len(set(members)) == 5, members
    assert "f->result = f->result_ + f->header_;" in shown and "f->entry_ = entry;" in shown


def test_errors_of_the_program_are_reported(tmp_path):
    (tmp_path / "bad.cilk").write_text("cilk int f(void) { return x; }\n")
    result = command([CILKC, "emit", "--stage", "clones", "bad.cilk"], cwd=tmp_path)
    assert result.status == 1 and "bad.cilk:1" in result.err and result.out == ""


def test_fib_is_the_papers_figure():
    """What Figure 3 of PLDI'98 shows, in its order."""
    text = golden_of(TESTS / "clones" / "fib.cilk", "eager")
    at = 0
    for step in ("allocate closure", "initialize closure", "save live, dirty vars", "save PC", "push closure",
                 "do C call", "pop closure", "closure stolen", "sync is free!", "free closure"):
        at = text.index(step, at)


# A step that has a trace in what is shown, and its trace in the code.
TRACES = {
    "tail": (r" push\(| if \(pop\(", r"store atomic ptr %\S+, ptr @cilk_self release|xchg ptr @cilk_self,"),
    "call": (r" fib_fast\(", r"call i32 @fib\.fast\("),
    "test": (r"if \(self->release\)", r"load atomic i32, "),
    "ask": (r"switch \(release\(", r"@cilk_rt_release\("),
    "release": (r"= release_frame\(", r"@cilk_rt_release_frame\("),
    "sync": (r"if \(sync\(", r"@cilk_rt_sync\("),
}


@pytest.mark.parametrize("clone", ("fast", "slow"))
@pytest.mark.parametrize("strategy", STRATEGIES + EXPERIMENTAL)
def test_a_clone_does_what_is_shown_in_that_order(strategy, clone):
    path = TESTS / "clones" / "fib.cilk"
    shown = compiled([CILKC, "emit", "--stage", "clones", "--spawn=" + strategy, path]).out
    code = compiled([CILKC, "emit", "--stage", "ir", "-O0", "--spawn=" + strategy, path]).out

    def steps(text, head, of):
        body = re.search(r"^%s[^\n]*\n(.*?)^}" % head, text, re.M | re.S)[1]
        return [step for line in body.splitlines() for step in TRACES if re.search(TRACES[step][of], line)]

    found = steps(shown, r"\w+ fib_%s\(" % clone, 0)
    assert found == steps(code, r"define [^\n]*@fib\.%s\(" % clone, 1) and found.count("call") == 2, found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_inlet_costs_what_an_assignment_costs(strategy, tmp_path):
    """The fast clone with an explicit inlet is as long as the one with `+=`: no closure of its own, leaves and
    recursion inlined alike."""
    def length(deliver):
        (tmp_path / "fib.cilk").write_text("cilk int fib(int n) {\n  int x = 0;\n  inlet void add(int r) { x += r; }\n"
                                           "  if (n < 2) return n;\n  %s\n  sync;\n  return x;\n}\n" % deliver)
        text = compiled(
            [CILKC, "-O2", "-S", "--spawn=" + strategy, "-Wno-all", "fib.cilk", "-o", "-"], cwd=tmp_path
        ).out
        body = text[text.index("\nfib.fast:"):text.index(".size\tfib.fast")]
        return sum(line.startswith("\t") and not line.startswith("\t.") for line in body.splitlines())

    plain, inlet = (
        length("x += spawn fib(n - 1); x += spawn fib(n - 2);"),
        length("add(spawn fib(n - 1)); add(spawn fib(n - 2));"),
    )
    assert inlet <= plain * 1.05, "%d instructions, %d with +=" % (inlet, plain)


def addresses(flags, tmp_path):
    """{function: its address} of an object made with `flags`."""
    (tmp_path / "place.cilk").write_text(
        "int one(void) { return 1; }\ncilk int two(int n) { int x; if (n < 2) return n; x = spawn two(n - 1); sync; return x; }\n"
        "int three(void) { return 3; }\ncilk int four(int n) { int x; x = spawn two(n); sync; return x + 1; }\n"
    )
    compiled([CILKC, "-c", *flags, "place.cilk", "-o", "place.o"], cwd=tmp_path)
    found = [line.split() for line in command(["nm", "place.o"], cwd=tmp_path).out.splitlines()]
    return {name: int(at, 16) for at, kind, name in (words for words in found if len(words) == 3) if kind in "tT"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_fast_clones_begin_a_line_of_the_instruction_cache(strategy, tmp_path):
    for level, least in (("-O2", 64), ("-O3", 64), ("-Os", 1), ("-O0", 1)):
        at = addresses([level, "--spawn=" + strategy], tmp_path)
        assert {"two.fast", "four.fast"} <= at.keys() and all(
            at[name] % least == 0 for name in ("two.fast", "four.fast")
        ), (level, at)


def test_functions_are_aligned_as_falign_functions_asks(tmp_path):
    for flag, least in (
        ("-falign-functions=32", 32),
        ("-falign-functions=100:7", 128),
        ("-falign-functions", 16),
        ("-falign-functions=0", 16),
    ):
        at = addresses(["-O2", flag], tmp_path)
        assert all(at[name] % least == 0 for name in ("one", "two.fast", "three", "four.fast")), (flag, at)
    for flag in ("-fno-align-functions", "-falign-functions=1"):       # the user's word counts for fast clones, too
        at = addresses(["-O2", flag], tmp_path)
        assert any(at[name] % 64 for name in ("one", "two.fast", "three", "four.fast")), (flag, at)
