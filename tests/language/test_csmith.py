"""Random C programs of csmith, a fixed set of seeds: cilkc's builds print the checksum that gcc's build prints.

CSMITH_SEEDS=first-last runs others, by hand: CSMITH_SEEDS=1000-1999 .venv/bin/python -m pytest tests/language/test_csmith.py
"""

import os
import subprocess
from pathlib import Path

import pytest

from conftest import CILKC, command, compiled, need, no_internal_error

pytestmark = pytest.mark.tier("check")

FIRST, LAST = map(int, os.environ.get("CSMITH_SEEDS", "1-12").split("-"))
INCLUDE = next((p for p in ("/usr/include/csmith", "/usr/local/include/csmith") if Path(p).is_dir()), None)


@pytest.mark.sample(12, "test", 3)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_checksum(seed, tmp_path):
    need("csmith")
    assert INCLUDE, "libcsmith-dev is not installed"
    source = tmp_path / "random.c"
    with open(source, "w") as file:
        subprocess.run(["csmith", "--seed", str(seed)], stdout=file, check=True, timeout=300, cwd=tmp_path)
    compiled(["gcc", "-O1", "-w", "-I", INCLUDE, source, "-o", tmp_path / "reference"])
    try:
        expected = subprocess.run([tmp_path / "reference"], stdout=subprocess.PIPE, timeout=10).stdout.decode()
    except subprocess.TimeoutExpired:
        pytest.skip("this program does not end within ten seconds")
    for level in ("-O0", "-O2"):
        built = command([CILKC, level, "-w", "-I", INCLUDE, source, "-o", tmp_path / "ours"], timeout=300)
        no_internal_error(built)
        assert built.status == 0, str(built)
        result = command([tmp_path / "ours"], timeout=300)
        assert result.out == expected, "%s: gcc's build prints %s\n%s" % (level, expected, result)
