"""Calls across compilers: random signatures (tests/abi/generate.py), a fixed set of seeds; each half compiled by cilkc and the other by gcc."""

import pytest

from conftest import CILKC, TESTS, module_of

mixed = module_of(TESTS / "abi" / "generate.py").mixed


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_mixed(seed, tmp_path):
    error = mixed(tmp_path, seed, 12, [CILKC], ["gcc"])
    assert error is None, error
