"""C++ unit tests: tests/unit/*.cpp, each linked with the compiler's own objects; exit status 0 is a pass."""

import os

import pytest

from conftest import BUILD, ROOT, command, files

pytestmark = pytest.mark.tier("check")


@pytest.mark.parametrize("path", files("tests/unit/*.cpp"))
def test_unit(path, tmp_path):
    # tests/mutants/run.py builds in a copy of the tree
    root = BUILD.parent if (BUILD.parent / "Makefile").exists() else ROOT
    build = os.path.relpath(BUILD, root)
    made = command(["make", "-s", "BUILD=" + build, "%s/tests/%s" % (build, path.stem)], cwd=root, timeout=600)
    assert made.status == 0, str(made)
    result = command([BUILD / "tests" / path.stem], cwd=tmp_path, timeout=300)
    assert result.status == 0, str(result)
