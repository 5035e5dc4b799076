"""Calls across compilers: random signatures (tests/abi/generate.py), a fixed set of seeds; each half compiled by cilkc
and the other by gcc."""

import pytest

from conftest import CILKC, TESTS, command, module_of

pytestmark = pytest.mark.tier("check")

mixed = module_of(TESTS / "abi" / "generate.py").mixed


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_mixed(seed, tmp_path):
    error = mixed(tmp_path, seed, 12, [CILKC], ["gcc"])
    assert error is None, error


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", [21, 22])
def test_very_many_parameters(seed, tmp_path):
    """Those that are passed on the stack are one block for LLVM, from 64 of them on (codegen/core/passing.h); they lie
    where gcc has them."""
    error = mixed(tmp_path, seed, 4, [CILKC], ["gcc"], lengths=(80, 100, 150, 200))
    assert error is None, error


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("source", sorted((TESTS / "abi").glob("*.c")), ids=lambda path: path.stem)
def test_halves(source, level, tmp_path):
    """Programs in two halves (with and without -DCALLEE): both by cilkc, one by each compiler, both by gcc: all exit
    with 0 and print the same."""
    said = set()
    for one in (CILKC, "gcc"):
        for other in (CILKC, "gcc"):
            for words in (
                [one, level, "-DCALLEE", "-c", source, "-o", tmp_path / "a.o"],
                [other, level, "-c", source, "-o", tmp_path / "b.o"],
                ["gcc", tmp_path / "a.o", tmp_path / "b.o", "-o", tmp_path / "both"],
            ):
                done = command(words)
                assert done.status == 0, str(done)
            done = command([tmp_path / "both"])
            assert done.status == 0, f"callee by {one}, caller by {other}: {done}"
            said.add(done.out)
    assert len(said) == 1, said
