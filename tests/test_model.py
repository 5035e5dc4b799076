"""The models of the runtime's protocols (rt/model) hold, and their mutations do not."""

import sys

import pytest

from conftest import ROOT, command, module_of, need


RUN = ROOT / "rt" / "model" / "run.py"


@pytest.fixture
def runner():
    return module_of(RUN)


def test_a_search_that_is_cut_off_proves_nothing(runner):
    """A limit of depth or of memory ends a search without an error: that is no success."""
    need("spin", "cc")
    model = ROOT / "rt" / "model" / "release.pml"
    assert runner.search(model)[0] == "ok"
    assert runner.search(model, "LATE")[0] == "fails"
    assert "cut off" in runner.search(model, depth=10)[0]
    assert "cut off" in runner.search(ROOT / "rt" / "model" / "sync.pml", limits=["-DMEMLIM=1"])[0]


def test_without_spin_nothing_is_claimed(tmp_path):
    result = command([sys.executable, RUN], env={"PATH": str(tmp_path)})
    assert result.status == 2 and "nothing is checked" in result.err, str(result)


def test_every_mutation_is_tried_and_told(runner):
    """What the runner tries are the names in the model's text, and the model's head says what each takes out."""
    models = sorted(RUN.parent.glob("*.pml"))
    assert len(models) >= 4
    for model in models:
        head = model.read_text().partition("*/")[0]
        found = runner.mutations(model)
        assert found and [name for name in found if "-D" + name not in head] == [], model.name
    assert len(runner.mutations(RUN.parent / "sync.pml")) == 8


@pytest.mark.slow
def test_models():
    need("spin", "cc")
    result = command([sys.executable, RUN], timeout=600)
    assert result.status == 0, str(result)
