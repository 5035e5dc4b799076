"""The set-up: what it says where it cannot install, and that a second run does nothing."""

import os
import re
import sys

import pytest

from cilkc_driver import deps
from conftest import BUILD, ROOT, command

pytestmark = pytest.mark.tier("check")

SETUP = ROOT / "driver" / "cilkc_driver" / "setup.py"


def test_every_dependency_names_packages():
    for dep in deps.DEPS:
        assert dep.kind in ("build", "run", "test", "fuzz", "package", "dev") and dep.why
        assert set(dep.packages) == {"apt", "dnf"}
        assert dep.packages["apt"], dep.name


def test_what_the_tests_need_is_installed_for_them():
    """A test that misses a tool fails, and says that `make test-tools` brings it."""
    rows = re.findall(r'"(\w+)",\s*on_path\("([\w-]+)"', (ROOT / "driver/cilkc_driver/deps.py").read_text())
    # a build needs those
    brought = {name for kind, name in rows if kind in ("test", "package")} | {"cc", "gcc", "dpkg-buildpackage"}
    needed = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for arguments in re.findall(r"\bneed\((\"[^)]*)\)", path.read_text()):
            needed |= set(re.findall(r'"([a-z]\w*[\w-]*)"', arguments))
    assert "qemu-aarch64" in needed and "spin" in needed
    needed = {name for name in needed if not name.endswith("-")}    # the name of a processor follows
    # csmith is looked for in a way of its own; one package has qemu for all processors
    assert needed <= brought | {"csmith", "qemu-s390x"}, needed - brought


def test_names_the_packages_where_it_cannot_install(tmp_path):
    """A machine with nothing but Python: no package manager, no sudo. Then one that has dnf: its line alone."""
    (tmp_path / "bin").mkdir()
    words = [sys.executable, SETUP, "native", "--config", tmp_path / "config.mk"]
    result = command(words, env={"PATH": str(tmp_path / "bin")})
    assert result.status == 1 and "Traceback" not in result.err, str(result)
    for start in ("sudo apt-get install", "sudo dnf install"):
        assert start in result.err, str(result)
    # First what is to be done, in all, then what is missing.
    assert "1/" in result.out and "Maven" in result.out and "MB to download" in result.out, str(result)
    assert "default-jre-headless" in result.err and "maven" in result.err
    assert not (tmp_path / "config.mk").exists()
    (tmp_path / "bin" / "dnf").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "dnf").chmod(0o755)
    result = command(words, env={"PATH": str(tmp_path / "bin")})
    assert result.status == 1 and "sudo dnf install" in result.err and "apt-get" not in result.err, str(result)


def test_a_tree_that_cannot_be_written_to(tmp_path):
    """No traceback; root is stopped by nothing but a file in the way."""
    (tmp_path / "file").write_text("")
    for words in (
        ["native", "--config", tmp_path / "file" / "config.mk"],
        ["venv", "--venv", tmp_path / "file" / "venv"],
    ):
        result = command([sys.executable, SETUP, *words])
        assert result.status == 1 and "cannot write to" in result.err and "Traceback" not in result.err, str(result)


def test_no_other_system_is_led_on(tmp_path):
    """Nothing is installed where cilkc could not run anyway."""
    code = "import sys; sys.argv[0] = %r; sys.platform = 'darwin'; sys.path.insert(0, %r); import setup; sys.exit(setup.main())"
    result = command(
        [sys.executable, "-c", code % (str(SETUP), str(SETUP.parent)), "native", "--config", tmp_path / "config.mk"]
    )
    assert result.status == 1 and "needs Linux" in result.err, str(result)


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
    for name in ("requirements.txt", "requirements-test.txt", "requirements-bench.txt", "requirements-site.txt"):
        for line in (ROOT / "driver" / name).read_text().splitlines():
            line = line.split("#")[0].strip()
            assert not line or line.count("==") == 1, line


def test_a_build_directory_with_a_blank_is_refused(tmp_path):
    result = command(["make", "-s", "-C", ROOT, "BUILD=my build", "help"])
    assert result.status == 2 and "may hold no blanks" in result.err, str(result)


@pytest.mark.tier("test")
def test_the_generator_runs_below_a_folder_with_a_blank(tmp_path):
    """No name in the Makefile is absolute: make splits those at blanks."""
    tree = tmp_path / "my folder" / "cilkc"
    tree.mkdir(parents=True)
    for name in ("Makefile", "grammar", "driver", ".deps", "rt", "stdlib"):
        (tree / name).symlink_to(ROOT / name)
    result = command(
        ["make", "-C", tree, "build/gen/.stamp", "build/lib/libcilkrt.a"], env={"MAKEFLAGS": ""}, timeout=300
    )
    assert result.status == 0 and (tree / "build" / "gen" / "CilkParser.cpp").exists(), str(result)
    assert not (tmp_path / "my").exists()
    steps = [
        (int(number), int(all)) for number, all in re.findall(r"^  (\d+)/(\d+) \d+:\d\d  [A-Z]+ ", result.out, re.M)
    ]
    assert len(steps) > 50 and sorted(steps) == [
        (number, len(steps)) for number in range(1, len(steps) + 1)
    ], result.out[-1000:]
    # No name of the folder is in it: a build elsewhere makes the same bytes.
    assert (tree / "build" / "lib" / "libcilkrt.a").read_bytes() == (BUILD / "lib" / "libcilkrt.a").read_bytes()


def test_make_help_needs_no_set_up(tmp_path):
    env = {"PATH": os.environ["PATH"], "BUILD": str(tmp_path / "b")}
    result = command(["make", "-s", "-C", ROOT, "help"], env=env)
    for target in ("make demo", "make test", "make bench", "make fuzz", "make check-asan", "make check-tsan",
                   "make clean"):
        assert target in result.out, str(result)
    assert not (tmp_path / "b").exists()


INSTALLER = "echo 'Unpacking foo (1.0) ...'; echo noise; echo 'E: no space left' >&2; exit %d"


@pytest.mark.parametrize("status", [0, 3])
def test_an_installation_shows_its_steps_and_keeps_output_for_a_failure(status, tmp_path):
    code = (
        "import sys; sys.path.insert(0, %r); import setup\ntry:\n    setup.run(['sh', '-c', %r])\nexcept setup.Failed as failure:\n    sys.exit(str(failure))"
        % (str(SETUP.parent), INSTALLER % status)
    )
    result = command([sys.executable, "-c", code], cwd=tmp_path)
    assert re.search(r"setup:  \. \d+:\d\d  Unpacking foo", result.out) and ". noise" not in result.out, str(result)
    if status == 0:     # of so many, where that is known
        result = command([sys.executable, "-c", code.replace("])", "], 3)")], cwd=tmp_path)
        assert "setup:  1/3 0:00  Unpacking foo" in result.out, str(result)
    assert ("E: no space left" in result.err and "noise" in result.err) == (status != 0) == (result.status != 0), str(
        result
    )


def fake_llvm(path, version):
    """What llvm-config of this version says, with a header beside it."""
    (path.parent / "llvm-c").mkdir(parents=True)
    (path.parent / "llvm-c" / "Core.h").write_text("")
    path.write_text(
        '#!/bin/sh\ncase "$*" in --version) echo %s ;; --includedir) echo %s ;; *) echo -lLLVM ;; esac\n'
        % (version, path.parent)
    )
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("number", [16, 17])
def test_a_machine_with_an_old_llvm_alone_is_refused_by_its_name(number, tmp_path):
    config = fake_llvm(tmp_path / "bin" / ("llvm-config-%d" % number), "%d.0.6" % number)
    code = (
        "import sys; sys.path.insert(0, %r); import deps, setup; every = list(deps.llvm_candidates())\n"
        "deps.llvm_candidates = lambda: [name for name in every if '/' not in name]\n"
        "sys.argv[1:] = ['native', '--config', %r]; sys.exit(setup.main())"
    )
    words = [sys.executable, "-c", code % (str(SETUP.parent), str(tmp_path / "config.mk"))]
    result = command(words, env={"PATH": str(config.parent)})
    assert result.status == 1 and not (tmp_path / "config.mk").exists(), str(result)
    refusal = "LLVM %d.0.6 (%s) is not supported: cilkc needs LLVM 18 to 22" % (number, config)
    assert refusal in result.out and refusal in result.err, str(result)
    assert "llvm-19-dev" in result.err, str(result)


@pytest.mark.parametrize("version, does", [("14.0.6", False), ("17.0.1", False), ("18.1.8", True), ("22.1.0", True), ("23.0.0", False)])
def test_another_llvm_is_refused_before_anything_is_built(version, does, tmp_path, monkeypatch):
    config = fake_llvm(tmp_path / "bin" / "llvm-config", version)
    monkeypatch.setattr(deps, "llvm_candidates", lambda: [str(config)])
    monkeypatch.setattr(deps, "REFUSED", {})
    found = deps.find_llvm()
    assert (found is not None and found.version == version) == does
    assert ("LLVM" in deps.REFUSED) != does
    if not does:
        assert (
            version in deps.REFUSED["LLVM"]
            and str(config) in deps.REFUSED["LLVM"]
            and "18 to 22" in deps.REFUSED["LLVM"]
        )


@pytest.mark.parametrize("version, generator", [("4.7.2", None), ("4.9.3", "4.9.3"), ("4.13.1", "4.13.2"), ("4.14.0", None)])
def test_another_antlr_runtime_is_refused_before_anything_is_built(version, generator, tmp_path, monkeypatch):
    (tmp_path / "include" / "antlr4-runtime").mkdir(parents=True)
    (tmp_path / "include" / "antlr4-runtime" / "antlr4-runtime.h").write_text("")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / ("libantlr4-runtime.so." + version)).write_text("")
    monkeypatch.setattr(deps, "REFUSED", {})
    found = deps.find_antlr_runtime([str(tmp_path)])
    assert (found.settings["ANTLR_TOOL"] if found else None) == generator
    assert (generator is None) == (
        "ANTLR runtime" in deps.REFUSED and version.rpartition(".")[0] in deps.REFUSED["ANTLR runtime"]
    )


def test_a_set_up_that_was_interrupted_goes_on(tmp_path):
    """dpkg refuses to work until it has finished what was interrupted: the set-up lets it."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "apt-get").write_text(
        "#!/bin/sh\nfor word; do [ $word = install ] && [ ! -e done ] && "
        "echo \"E: dpkg was interrupted, you must manually run 'dpkg --configure -a'\" && exit 100; done; exit 0\n"
    )
    (tmp_path / "bin" / "dpkg").write_text("#!/bin/sh\necho $* > done\n")
    for name in ("apt-get", "dpkg"):
        (tmp_path / "bin" / name).chmod(0o755)
    code = (
        "import sys; sys.path.insert(0, %r); import setup, deps; setup.apt_prefix = lambda: []; setup.install([deps.DEPS[0]])"
        % str(SETUP.parent)
    )
    result = command(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PATH": "%s:%s" % (tmp_path / "bin", os.environ["PATH"])}
    )
    assert result.status == 0 and (tmp_path / "done").read_text() == "--configure -a\n", str(result)
