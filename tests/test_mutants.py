"""The table of weakenings of the runtime (tests/mutants) fits the code and the tests. The weakenings themselves are
tried by `make mutants`."""

import re

import pytest

from conftest import ROOT, TESTS, module_of

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
    return re.search(r"^def %s\(" % test.partition("[")[0], (TESTS / file).read_text(), re.M) is not None


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
