"""The models of the runtime's protocols (rt/model) hold, and their mutations do not."""

import shutil
import sys

import pytest

from conftest import ROOT, command


@pytest.mark.slow
def test_models():
    if not shutil.which("spin"):
        pytest.skip("spin is not installed")
    result = command([sys.executable, ROOT / "rt" / "model" / "run.py"], timeout=600)
    assert result.status == 0, str(result)
