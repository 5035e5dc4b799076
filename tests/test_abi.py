"""Calls across compilers: random signatures (tests/abi/generate.py), a fixed set of seeds; each half compiled by cilkc and the other by gcc."""

import sys

import pytest

from conftest import CILKC, TESTS

sys.path.insert(0, str(TESTS / "abi"))
from generate import mixed  # noqa: E402


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_mixed(seed, tmp_path):
    error = mixed(tmp_path, seed, 12, [CILKC], ["gcc"])
    assert error is None, error
