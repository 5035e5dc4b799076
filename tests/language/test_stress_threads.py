"""tests/stress/threads.py: random programs of Cilk-1, alone and mixed with Cilk-5, at several numbers of workers and
forced-steal modes.

`make test` tries a few seeds; CILKC_STRESS_THREADS=2000 tries that many, CILKC_STRESS_THREADS=200:900 those from 200
up to 900. Programs are compiled in batches, which are several in one; a line of output belongs to each.
"""

import os
import re

import pytest

from conftest import CILKC, TESTS, command, compiled, module_of, no_internal_error

pytestmark = pytest.mark.tier("test")

generate = module_of(TESTS / "stress" / "threads.py")
BATCH = 25


def batches():
    low, _, high = os.environ.get("CILKC_STRESS_THREADS", "1:21").rpartition(":")
    first, end = int(low or 1), int(high) + (not low)
    return [(at, min(at + BATCH, end)) for at in range(first, end, BATCH)]


def answers(first, end, mixed, folder):
    elision = folder / "elision.c"
    elision.write_text(generate.programs(range(first, end), elision=True, mixed=mixed))
    compiled(["gcc", "-w", "-O1", elision, "-o", folder / "elision"])
    result = command([folder / "elision"])
    assert result.status == 0, str(result)
    return result.out.splitlines()


def built(first, end, mixed, folder, *flags):
    source = folder / "program.cilk1"
    source.write_text(generate.programs(range(first, end), mixed=mixed))
    result = command([CILKC, "-w", *flags, source, "-o", folder / "program"], timeout=600)
    no_internal_error(result)
    assert result.status == 0, str(result)
    return folder / "program"


def compare(program, expected, first, what, *options):
    result = command([program, *options], timeout=600)
    assert result.status == 0, "%s %s\n%s" % (what, " ".join(map(str, options)), result)
    wrong = [first + i for i, pair in enumerate(zip(result.out.splitlines(), expected)) if pair[0] != pair[1]]
    assert result.out.splitlines() == expected, "threads.py %s, %s %s: not the elision's output; seeds %s" % (
        what, "", " ".join(map(str, options)), wrong
    )
    return result


@pytest.mark.parametrize("mixed", (False, True), ids=("threads", "mixed"))
@pytest.mark.parametrize("first, end", batches())
def test_equals_elision(first, end, mixed, tmp_path):
    level = "-O%d" % (first // BATCH % 4) if end > 21 else "-O2"
    expected = answers(first, end, mixed, tmp_path)
    program = built(first, end, mixed, tmp_path, level)
    what = "%d %d%s %s" % (first, end, " --mixed" if mixed else "", level)
    for nproc in (1, 2, 4):
        for force in ("off", "random", "always"):
            compare(program, expected, first, what, "--nproc", nproc, "--seed", first, "--force-steal", force)
    compare(program, expected, first, what, "--nproc", 4, "--post", "owner")


def test_programs_are_worth_it(tmp_path):
    """They steal, send between workers and have all forms: else they prove nothing."""
    text = generate.programs(range(1, 21))
    for form in (r"spawn_next", r"tail_call", r" @ ", r"\?between", r"struct s\d+_group", r"\?v\[",
                 r"send_argument\(c"):
        assert re.search(form, text), form
    program = built(1, 21, False, tmp_path, "-O2")
    report = command([program, "--nproc", "2", "--force-steal", "random", "--stats", "2"]).err
    assert (
        int(re.search(r"Threads .* (\d+)$", report, re.M).group(1)) > 20000
        and int(re.search(r"Thr. steals .* (\d+)$", report, re.M).group(1)) > 100
    ), report
    assert "cilk" in generate.programs(range(1, 21), mixed=True).split("cilk int main")[0]


@pytest.mark.sample(4, "all")
@pytest.mark.parametrize("sanitizer", ("thread", "address,undefined"))
@pytest.mark.parametrize("mixed", (False, True), ids=("threads", "mixed"))
def test_sanitizers_are_silent(sanitizer, mixed, tmp_path):
    first, end = batches()[0]
    expected = answers(first, end, mixed, tmp_path)
    program = built(first, end, mixed, tmp_path, "-O1", "-g", "-fsanitize=" + sanitizer)
    # thieves in nested roots look at what they leave: one run in four meets the owner there
    for nproc, force in ((1, "random"), (2, "off"), *[(4, "off")] * 6):
        result = compare(program, expected, first, sanitizer, "--nproc", nproc, "--force-steal", force)
        assert "Sanitizer" not in result.err and "runtime error" not in result.err, str(result)
