"""The sources as ruff, mypy and clang-format see them: `make lint` has nothing to say."""

import os

from conftest import BUILD, ROOT, command


def test_lint():
    result = command(["make", "-s", "BUILD=" + os.path.relpath(BUILD, ROOT), "lint"], cwd=ROOT, timeout=600)
    assert result.status == 0 and result.out + result.err == "", str(result)
