"""The set-up: what it says where it cannot install, and that a second run does nothing."""

import os
import sys

import pytest

from conftest import ROOT, command

SETUP = ROOT / "driver" / "cilkc_driver" / "setup.py"


@pytest.fixture
def deps():
    sys.path.insert(0, str(ROOT / "driver"))
    from cilkc_driver import deps
    return deps


def test_every_dependency_names_packages(deps):
    for dep in deps.DEPS:
        assert dep.kind in ("build", "run", "dev") and dep.why
        assert set(dep.packages) == {"apt", "dnf", "brew"}
        assert dep.packages["apt"], dep.name


def test_names_the_packages_where_it_cannot_install(deps, tmp_path):
    """A machine with nothing but Python: no apt, no sudo."""
    (tmp_path / "bin").mkdir()
    result = command([sys.executable, SETUP, "native", "--config", tmp_path / "config.mk"],
                     env={"PATH": str(tmp_path / "bin")})
    if result.status == 0:
        pytest.skip("all that is needed was found without PATH")
    assert "Traceback" not in result.err
    for start in ("sudo apt-get install", "sudo dnf install", "brew install"):
        assert start in result.err, str(result)
    assert "default-jre-headless" in result.err and "maven" in result.err
    assert not (tmp_path / "config.mk").exists()


def test_native_twice(tmp_path):
    config = tmp_path / "config.mk"
    first = command([sys.executable, SETUP, "native", "--config", config])
    assert first.status == 0, str(first)
    text = config.read_text()
    for key in ("LLVM_INCLUDE", "LLVM_LIBS", "ANTLR_TOOL", "ANTLR_INCLUDE", "JAVA"):
        assert key + " := " in text
    second = command([sys.executable, SETUP, "native", "--config", config])
    assert second.status == 0 and second.out == "" and config.read_text() == text, str(second)


def test_pins_are_exact():
    for name in ("requirements.txt", "requirements-bench.txt"):
        for line in (ROOT / "driver" / name).read_text().splitlines():
            line = line.split("#")[0].strip()
            assert not line or line.count("==") == 1, line


def test_make_help_needs_no_set_up(tmp_path):
    env = {"PATH": os.environ["PATH"], "BUILD": str(tmp_path / "b")}
    result = command(["make", "-s", "-C", ROOT, "help"], env=env)
    for target in ("make demo", "make test", "make bench", "make fuzz", "make check-asan", "make check-tsan", "make clean"):
        assert target in result.out, str(result)
    assert not (tmp_path / "b").exists()
