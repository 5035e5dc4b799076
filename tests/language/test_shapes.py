"""Random procedures over every shape of control flow, against their elision compiled by gcc (tests/shapes).

A sample with fixed seeds; `make shapes SHAPES=1-20000` compares more, at all levels.
"""

import sys

import pytest

from conftest import STRATEGIES, TESTS

pytestmark = pytest.mark.tier("test")

sys.path.insert(0, str(TESTS / "shapes"))
import batch  # noqa: E402


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("level, first, last", [("0", 1, 60), ("2", 1, 30)])
def test_shapes_equal_their_elision(level, first, last, strategy, tmp_path):
    assert list(batch.compare(first, last, tmp_path, levels=level, strategies=[strategy])) == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_jump_back_past_a_variable_with_a_cleanup_function(strategy, tmp_path):
    """Beside an array of variable size, which has no cleanup of its own in a slow clone."""
    assert list(batch.compare(664, 664, tmp_path, levels="0", strategies=[strategy])) == []


def test_shapes_whose_first_arm_passes_by_the_leaf_end(tmp_path):
    """Their first arm goes on below with n < 1, where they must not spawn: an elision that does not end fails here."""
    for seed in (730, 13308):
        (tmp_path / str(seed)).mkdir()
        assert len(batch.Program(seed, seed, tmp_path / str(seed), "cilkc", (), ()).want) == 1
