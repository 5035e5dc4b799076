"""The table of weakenings of the runtime (tests/mutants) fits the code and the tests. The weakenings themselves are
tried by `make mutants`."""

import re

import pytest

from conftest import MODULES, ROOT, TESTS, module_of

pytestmark = pytest.mark.tier("check")

RUN = module_of(TESTS / "mutants" / "run.py")
MUTANTS = RUN.table()
SCENARIOS = {
    name
    for path in (TESTS / "rt" / "steps").glob("*.c")
    for name in re.findall(r"^SCENARIO\((\w+)\)", path.read_text(), re.M)
}


def is_test(name):
    if "::" not in name:
        return name in SCENARIOS
    file, test = name.split("::")
    return re.search(r"^def %s\(" % test.partition("[")[0], MODULES[file].read_text(), re.M) is not None


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_it_fits(mutant):
    """Its place is there once, and it changes something."""
    text = (ROOT / mutant.path).read_text()
    assert mutant.edits and mutant.applied(text) != text
    assert bool(mutant.killers) != bool(mutant.survives)
    assert [name for name in mutant.killers if not is_test(name)] == []


def test_names_are_unique():
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS) > 40


def test_what_models_take_out_is_there():
    """The column `model`: at least forty, each a mutation that its model knows."""
    runner, weak = module_of(ROOT / "rt" / "model" / "run.py"), module_of(ROOT / "rt" / "model" / "weak.py")
    for mutant in MUTANTS:
        for name in mutant.models:
            file, mutation = name.split()
            if file.endswith(".pml"):
                assert mutation in runner.mutations(ROOT / "rt" / "model" / file), name
            else:
                assert mutation in weak.parse((ROOT / "rt" / "model" / "weak" / file).read_text()).mutants, name
    assert sum(bool(mutant.models) for mutant in MUTANTS) >= 40


def test_places_do_not_depend_on_the_layout():
    """Comments, blanks and line ends are no tokens; a place that is gone or is there twice is an error."""
    places = RUN.draw.Source
    text = "int f(int n)\n{\n  if (n  /* few */ < 2)\n    return g(n);\n  return 0;\n}\nint g(int n) { return n < 2; }\n"
    begin, end = places("a.c", text).find("f", "if (n < 2) return")
    assert text[begin:end].split()[0] == "if" and text[begin:end].endswith("return")
    assert text[slice(*places("a.c", text).find("g", "n < 2"))] == "n < 2"
    for function, tokens in ((None, "n < 2"), ("f", "n < 3"), ("h", "n")):
        with pytest.raises(LookupError):
            places("a.c", text).find(function, tokens)
    python = "def f(n):\n    if n < 2:  # few\n        return g(n)\n    return 0\n\n\ndef g(n):\n    return n < 2\n"
    assert python[slice(*places("a.py", python).find("g", "n < 2"))] == "n < 2"


def test_a_seed_repeats_its_draws():
    """Each changes its file, in a function of its own room."""
    drawn, again = ([(one.path, one.mechanism) for one in RUN.draw.draw(60, 5)] for _ in range(2))
    assert drawn == again and len(set(drawn)) == 60
    for one in RUN.draw.draw(60, 6, ["steal"]):
        text = (ROOT / one.path).read_text()
        assert one.path.startswith("rt/core/steal/") and one.killers and one.applied(text) != text
