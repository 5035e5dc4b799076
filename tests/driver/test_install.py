"""`make install` and `make uninstall`: what lands where, that nothing is fetched, and that odd folders do."""

import os
import shutil
import subprocess
import sys

import pytest

from cilkc_driver import flags
from conftest import BUILD, ROOT, command, need

pytestmark = pytest.mark.tier("test")

FIB = ROOT / "samples" / "fib.cilk"


def make(*words, **keywords):
    env = dict(keywords.pop("env", {}), CILKC_BUILD="", MAKEFLAGS="")
    return command(
        ["make", "-s", "-C", ROOT, "BUILD=%s" % os.path.relpath(BUILD, ROOT), *words], env=env, timeout=300, **keywords
    )


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """An installation in a folder whose name has blanks and a quote, made where no network is."""
    folder = tmp_path_factory.mktemp("install") / "it's my software"
    nowhere = {
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": "",
    }
    result = make("install", "PREFIX=%s" % folder, env=nowhere)
    assert result.status == 0, str(result)
    return folder


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


def test_the_usual_places(prefix):
    there = files_below(prefix)
    for name in (
        "bin/cilkc",
        "include/cilk.h",
        "include/cilk/par.hpp",
        "lib/libcilkrt.a",
        "lib/pkgconfig/cilkc.pc",
        "share/man/man1/cilkc.1",
        "share/man/man3/cilk.h.3",
        "lib/cmake/cilkc/cilkcConfig.cmake",
        "share/bash-completion/completions/cilkc",
        "share/zsh/site-functions/_cilkc",
        "share/fish/vendor_completions.d/cilkc.fish",
        "share/doc/cilkc/LICENSE",
        "share/doc/cilkc/docs/language.md",
        "share/doc/cilkc/samples/fib.cilk",
    ):
        assert name in there and (prefix / name).exists(), name
    for name in there:
        assert not any(word in name for word in ("pytest", "xdist", "libcilkfront")), name


def test_the_installed_command(prefix, tmp_path):
    cilkc = prefix / "bin" / "cilkc"
    env = {"CILKC_BUILD": ""}
    assert command([cilkc, "-O2", FIB, "-o", "fib"], cwd=tmp_path, env=env).status == 0
    assert "6765" in command([tmp_path / "fib", "--nproc", "2", "20"]).out
    for words in (["elide", FIB], ["explain", "call-without-spawn"], ["doctor"], ["help", "run"]):
        result = command([cilkc, *words], cwd=tmp_path, env=env)
        assert result.status == 0 and result.out, str(result)


# One use of each command, what stdout or stderr shows, and the status.
USES = {
    "build": (["-O2", "fib.cilk", "-o", "fib"], "", 0),
    "run": (["fib.cilk", "--", "10"], "55", 0),
    "check": (["fib.cilk"], "", 0),
    "elide": (["fib.cilk"], "fib(n - 1)", 0),
    "emit": (["--stage", "clones", "fib.cilk"], "fast", 0),
    "race": (["fib.cilk", "--", "10"], "no races", 0),
    "prove": (["missing.cilk"], "", 2),              # z3 is not a part of cilkc
    "profile": (["--no-what-if", "--html", "p.html", "fib.cilk", "--", "10"], "parallelism", 0),
    "trace": (["--html", "t.html", "fib.cilk", "--", "10"], "t.html", 0),
    "dag": (["--html", "d.html", "fib.cilk", "--", "10"], "d.html", 0),
    "memory": (["--html", "m.html", "fib.cilk", "--", "10"], "bytes at most", 0),
    "simulate": (["-P", "1,4", "fib.cilk", "--", "10"], "T_1/T_P", 0),
    "sched-test": (
        ["--scheduler", "gang", "--programs", "inlet-several,started", "--runs", "1"],
        "2 of 2 programs right",
        0,
    ),
    "grade": (["-q", "SPEC.toml", "fib.cilk"], "2 of 2 points", 0),
    "speedup": (["--runs", "1", "-P", "1,2", "-o", "s.svg", "fib.cilk", "--", "20"], "efficiency", 0),
    "debug": (
        ["--batch", "-ex", "break fib", "-ex", "run", "-ex", "cilk bt", "fib.cilk", "--", "--nproc", "1", "10"],
        "#0  fib (n=10)",
        0,
    ),
    "explain": (["call-without-spawn"], "spawn", 0),
    "doctor": ([], "cilkc", 0),
    "bench": ([], "part of the source tree, which is not here", 1),
    "explore": (["--schedules", "3", "--no-page", "fib.cilk", "--", "5"], "nothing was found", 0),
    "step": (["-o", "p.html", "fib.cilk", "--", "4"], "p.html", 0),
    "see": (["--without", "race", "--without", "memory", "-o", "s.html", "fib.cilk", "--", "5"], "s.html", 0),
    "lsp": (["--stdio"], "", 0),
    "dap": ([], "", 0),
    "play": (["missing.cilk"], "missing.cilk", 1),
    "completion": (["bash"], "complete", 0),
    "help": (["run"], "Usage", 0),
}


def test_every_command_without_the_tree(tmp_path):
    """Installed from a copy of the tree, which is moved away then: nothing that a command needs may have been left in
    it."""
    tree, top = tmp_path / "tree", tmp_path / "prefix"
    for name in (
        "cilkc",
        "driver",
        "stdlib",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "docs",
        "samples",
        *flags.TABLES,
        "editors",
        "tests/run",
        "tests/sched",
        "build/cilkc1",
        "build/lib",
    ):
        source = (BUILD if name.startswith("build/") else ROOT) / name.removeprefix("build/")
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, tree / name, symlinks=True) if source.is_dir() else shutil.copy2(source, tree / name)
    made = command(
        [
            sys.executable,
            tree / "driver/cilkc_driver/setup.py",
            "install",
            "--build",
            tree / "build",
            "--venv",
            ROOT / ".venv",
            "--prefix",
            top,
            "--destdir",
            "",
        ]
    )
    assert made.status == 0, str(made)
    tree.rename(tmp_path / "gone")
    (tmp_path / "w").mkdir()
    shutil.copy(FIB, tmp_path / "w")
    (tmp_path / "w" / "SPEC.toml").write_text(
        'submission = ["fib.cilk"]\n[[check]]\nkind = "race"\nargs = ["10"]\npoints = 2\n'
    )
    there = command([top / "bin" / "cilkc", "--help"], env={"CILKC_BUILD": ""}).out
    known = [
        line.split()[0]
        for line in there.split("Commands:")[1].splitlines()
        if line.startswith("  ") and line[2:3].strip()
    ]
    assert sorted(known) == sorted(USES), "a command has no use here"
    failed = []
    for name, (words, shown, status) in USES.items():
        result = command(
            [top / "bin" / "cilkc", name, *words], cwd=tmp_path / "w", env={"CILKC_BUILD": ""}, timeout=300
        )
        if result.status != status or shown not in result.out + result.err:
            failed.append(str(result))
    assert not failed, "\n".join(failed)
    assert {"fib", "p.html", "t.html", "d.html", "m.html"} <= {path.name for path in (tmp_path / "w").iterdir()}


def test_no_file_names_where_it_was_made(prefix):
    for name in files_below(prefix):
        path = prefix / name
        if path.suffix in (".o", ".a") or path.name == "cilkc1":
            continue            # debug information names sources
        assert os.fsencode(str(ROOT)) not in path.read_bytes(), name
    for name in files_below(prefix):
        if (prefix / name).is_symlink():
            assert not os.readlink(prefix / name).startswith("/"), name


def test_a_c_program_by_pkg_config(prefix, tmp_path):
    """What other build systems do: the flags of cilkc.pc, here read as pkg-config does, and the system's compiler."""
    values = {"pcfiledir": str(prefix / "lib" / "pkgconfig")}
    for line in (prefix / "lib" / "pkgconfig" / "cilkc.pc").read_text().splitlines():
        for name, value in values.items():
            line = line.replace("${%s}" % name, value)
        if "=" in line.split(":")[0]:
            name, _, value = line.partition("=")
            values[name] = value
        elif ":" in line:
            name, _, value = line.partition(": ")
            values[name] = value
    (tmp_path / "work.cilk").write_text("cilk int twice(int n) { return 2 * n; }\n"
                                        "cilk int work(int n) { int x; x = spawn twice(n); sync; return x; }\n")
    (tmp_path / "main.cc").write_text(
        '#include <cilk.h>\nextern "C" int EXPORT(work)(CilkContext *const, int);\n'
        "int main(int argc, char **argv) {\n"
        "CilkContext *c = Cilk_init(&argc, argv); int r = EXPORT(work)(c, 21); Cilk_terminate(c); return r; }\n"
    )
    assert command([prefix / "bin" / "cilkc", "-c", "work.cilk"], cwd=tmp_path, env={"CILKC_BUILD": ""}).status == 0
    # The folder's name has blanks: word by word, as a build system's list.
    flags = (
        [values["Cflags"]]
        + values["Libs"].replace(" -lcilkrt -pthread -lm", "").splitlines()
        + ["-lcilkrt", "-pthread", "-lm"]
    )
    built = command(["g++", "main.cc", "work.o", *flags, "-o", "program"], cwd=tmp_path)
    assert built.status == 0, str(built)
    assert command([tmp_path / "program"]).status == 42


def test_the_manual_page_is_good_roff(prefix):
    pages = {
        "man1/cilkc.1": (".TH CILKC 1", ".SH EXIT STATUS", "\\-\\-spawn=eager|lazy", ".B elide"),
        "man3/cilk.h.3": ('.TH "CILK.H" 3', "Cilk_lock_init(l)", ".SH CALLING CILK FROM C", "EXPORT(fib)(context, 30)"),
    }
    for name, words in pages.items():
        page = (prefix / "share" / "man" / name).read_text()
        for word in words:
            assert word in page, word
        done = (
            subprocess.run(
                ["groff", "-man", "-ww", "-z"], input=page, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            if shutil.which("groff")
            else None
        )
        assert done is None or done.stdout == "", done.stdout


def test_cmake_finds_the_prefix(prefix, tmp_path):
    need("cmake")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(x NONE)\nfind_package(cilkc 1.0 REQUIRED)\nmessage(STATUS ${CMAKE_CILK_COMPILER})\n"
        "if(NOT cilkc_VERSION VERSION_EQUAL CMAKE_CILK_COMPILER_VERSION)\nmessage(FATAL_ERROR wrong)\nendif()\n"
    )
    result = command(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "b", "-DCMAKE_PREFIX_PATH=%s" % prefix], env={"CILKC_BUILD": ""}
    )
    assert result.status == 0 and str(prefix) in result.out, str(result)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(x NONE)\nfind_package(cilkc 99 REQUIRED)\n"
    )
    result = command(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "c", "-DCMAKE_PREFIX_PATH=%s" % prefix], env={"CILKC_BUILD": ""}
    )
    assert result.status != 0 and "99" in result.err, str(result)


def test_again_and_away(tmp_path):
    """A second installation replaces the first; uninstall leaves what is not ours, and nothing of ours."""
    (tmp_path / "share" / "man" / "man1").mkdir(parents=True)
    (tmp_path / "share" / "man" / "man1" / "other.1").write_text("")
    (tmp_path / "bin").mkdir()                              # an empty one that is not ours
    where = "PREFIX=%s" % tmp_path
    for _ in range(2):
        assert make("install", where).status == 0
    first = files_below(tmp_path)
    assert "bin/cilkc" in first and not any(".new-" in name or ".old-" in name for name in first)
    result = make("uninstall", where)
    assert result.status == 0, str(result)
    assert files_below(tmp_path) == {"share/man/man1/other.1"}
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_dir()) == [
        "bin",
        "share",
        "share/man",
        "share/man/man1",
    ]
    result = make("uninstall", where)
    assert result.status != 0 and "not installed" in result.err, str(result)


def test_uninstall_removes_the_folders_that_install_made(tmp_path):
    """PREFIX and those above it, after a second installation, too. Not those that hold a copy of what was below a
    DESTDIR."""

    def setup(step, prefix, destdir=""):
        words = [step, "--build", BUILD, "--venv", ROOT / ".venv", "--prefix", prefix, "--destdir", destdir]
        done = command([sys.executable, ROOT / "driver/cilkc_driver/setup.py", *words, "--no-bytecode"])
        assert done.status == 0, str(done)

    (tmp_path / "here").mkdir()
    prefix, copy, stage = tmp_path / "here" / "new" / "prefix", tmp_path / "copy" / "opt", tmp_path / "stage"
    for step in ("install", "install", "uninstall"):
        setup(step, prefix)
    assert list(tmp_path.rglob("*")) == [tmp_path / "here"]
    setup("install", copy, stage)
    shutil.copytree(stage / copy.relative_to("/"), copy, symlinks=True)
    setup("uninstall", copy, stage)
    assert not stage.exists()
    setup("uninstall", copy)
    assert list((tmp_path / "copy").rglob("*")) == [copy]


@pytest.mark.tier("test")
def test_a_tilde_is_the_home_folder(tmp_path):
    """sh, zsh and fish pass PREFIX=~/.local on without expanding it."""
    (tmp_path / "home").mkdir()
    result = make("install", "PREFIX=~/.local", env={"HOME": str(tmp_path / "home")})
    assert result.status == 0, str(result)
    assert (tmp_path / "home" / ".local" / "bin" / "cilkc").exists() and not (ROOT / "~").exists()


def test_destdir(tmp_path):
    result = make("install", "PREFIX=/opt/cilkc", "DESTDIR=%s" % (tmp_path / "stage"))
    assert result.status == 0, str(result)
    assert (tmp_path / "stage" / "opt" / "cilkc" / "bin" / "cilkc").exists()


def test_where_nothing_can_be_written(tmp_path):
    """One line with a way out; what was there stays."""
    (tmp_path / "file").write_text("")
    result = make("install", "PREFIX=%s" % (tmp_path / "file"))
    assert (
        result.status != 0
        and "Traceback" not in result.err
        and "cannot write to" in result.err
        and "PREFIX=" in result.err
    ), str(result)
