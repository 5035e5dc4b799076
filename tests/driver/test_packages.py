"""The wheel: the same bytes twice, complete where no LLVM is, and gone after pip uninstall. The Debian package: right
for lintian, the same bytes twice.

The root that the wheel is tried in is this machine's without LLVM and without a network. `make check-packages` tries
both in roots of their own.
"""

import ast
import ctypes
import fcntl
import glob
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import zipfile

import pytest
from packaging.metadata import Metadata

from conftest import BUILD, ROOT, command, need

sys.path.insert(0, str(ROOT / "packaging"))
import version  # noqa: E402

pytestmark = pytest.mark.tier("test")

FIB = ROOT / "samples" / "fib.cilk"


def make(target, **env):
    made = command(
        ["make", "-s", "-C", ROOT, "BUILD=%s" % os.path.relpath(BUILD, ROOT), target],
        env={"CILKC_BUILD": "", "MAKEFLAGS": "", **env},
        timeout=900,
    )
    assert made.status == 0, str(made)
    return ROOT / made.out.split()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """`make wheel`, and the folder that it is made of packed once more."""
    with open(BUILD / ".package.lock", "w") as lock:        # pytest's other processes make it, too
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = make("wheel")
        again = command(
            [sys.executable, ROOT / "packaging/wheel.py", BUILD / "package/root/usr", tmp_path_factory.mktemp("again")]
        )
    assert again.status == 0, str(again)
    with open(path, "rb") as one, open(again.out.strip(), "rb") as other:
        assert one.read() == other.read()
    return path


def test_every_place_states_the_same_version(tmp_path):
    """Those of version.py do, and no file of the tree outside of its table says `cilkc 1.2.3` or has that version as
    its own."""
    checked = command([sys.executable, ROOT / "packaging/version.py"])
    assert checked.status == 0, checked.out
    listed = {os.path.relpath(path, ROOT) for path, _ in version.stated(ROOT)}
    said = command(["git", "grep", "-lE", r"(cilkc(-[a-z]+)?|runtime)[ _-]v?[0-9]+\.[0-9]+\.[0-9]|semver=[0-9]"], cwd=ROOT)
    own = command(["git", "grep", "-lE", r"^ *\"?version\"? *[=:] *\"?[0-9]+\.[0-9]+\.[0-9]+\"?,?$"], cwd=ROOT)
    # what happened once, and programs with a version of their own
    others = ("CHANGELOG.md", "docs/benchmarks.md", "tests/", "bench/peers/", "samples/interop/")
    found = {name for name in (said.out + own.out).split() if not name.startswith(others)}
    assert {"CITATION.cff", "rt/core/base/options.c"} <= found <= listed


def test_a_release_writes_its_version_everywhere_and_tags_it(tmp_path):
    """In a repository that holds these files alone. Its make makes nothing."""
    names = {os.path.relpath(path, ROOT) for path, _ in version.stated(ROOT)}
    for name in [*names, "packaging/release.sh", "packaging/version.py", "packaging/facts.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 7.8.9 (unreleased)\n")
    (tmp_path / ".gitignore").write_text("/dist\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "make").write_text("#!/bin/sh\nmkdir dist && touch dist/cilkc-7.8.9-x.whl dist/cilkc-7.8.9-x.tar.gz dist/cilkc_7.8.9_x.deb\n")
    (tmp_path / "bin" / "make").chmod(0o755)
    env = {"PATH": "%s:%s" % (tmp_path / "bin", os.environ["PATH"]), "HOME": str(tmp_path)}
    for who in ("AUTHOR", "COMMITTER"):
        env.update({"GIT_%s_NAME" % who: "a", "GIT_%s_EMAIL" % who: "a@b.invalid"})
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
        assert command(["git", *words], cwd=tmp_path, env=env).status == 0
    done = command(["sh", "packaging/release.sh", "7.8.9", "https://host.invalid/we/cilkc/"], cwd=tmp_path, env=env)
    assert done.status == 0, str(done)
    assert '\nHOMEPAGE = "https://host.invalid/we/cilkc"\n' in (tmp_path / "packaging/facts.py").read_text()
    old = version.stated(ROOT)[0][1]
    left = [name for name in names if '"%s"' % old in (tmp_path / name).read_text() and "lock" not in name]
    assert not left, "still the old version: %s" % left
    assert {one for _, one in version.stated(tmp_path)} == {"7.8.9"}
    said = command(["git", "log", "-1", "--format=%s %D"], cwd=tmp_path, env=env).out
    assert "Release 7.8.9" in said and "tag: v7.8.9" in said, said
    again = command(["sh", "packaging/release.sh", "7.8.9"], cwd=tmp_path, env=env)
    assert again.status == 1 and "v7.8.9 exists" in again.err, str(again)


def test_what_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert wheel.stat().st_size < 40 << 20
    for word in ("pytest", ".pyc", "ruff", "/tests/"):
        assert not [name for name in names if word in name], word
    for name in (
        "lib/cilkc/LICENSE",
        "lib/cilkc/doc/docs/language.md",
        "lib/cilkc/doc/docs/labs/README.md",
        "lib/cilkc/doc/samples/fib.cilk",
        "lib/cilkc/doc/editors/cilk.vsix",
        "lib/cilkc/doc/editors/jupyter/cilkc_jupyter.py",
        "share/man/man1/cilkc.1",
        "share/man/man3/cilk.h.3",
        "share/bash-completion/completions/cilkc",
        "lib/cilkc/packages/click/__init__.py",
        "lib/cilkc/stdlib/cilk.h",
    ):
        assert [found for found in names if found.endswith(name)], name


def test_its_metadata_is_what_the_index_accepts(wheel):
    """By the library that the index itself uses. The page has no link that works in the repository alone."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        info = "cilkc-%s.dist-info/" % version.stated(ROOT)[0][1]
        read = Metadata.from_email(archive.read(info + "METADATA"), validate=True)
        listed = json.loads(archive.read(info + "sboms/cilkc.spdx.json"))
    page = read.description or ""
    assert read.author == "the cilkc authors" and "Cilk" in (read.keywords or ()) and len(read.project_urls or ()) == 5
    assert all(info + "licenses/" + name in names for name in read.license_files or [""])
    assert "pipx install cilkc" in page and "make demo" not in page
    assert not re.findall(r"\]\((?!https://|#)", page)
    # what is listed is what is there, each with a licence that the whole has
    packages = {one["name"]: one for one in listed["packages"]}
    inside = {name.split("/")[-2] for name in names if re.search(r"lib/cilkc/packages/[^/]*\.dist-info/METADATA$", name)}
    for folder in inside:
        name, number = folder.removesuffix(".dist-info").lower().replace("_", "-").rsplit("-", 1)
        assert packages[name]["versionInfo"] == number
    assert len(packages) == len(inside) + 6 and len(listed["relationships"]) == len(packages)
    for one in packages.values():
        assert one["licenseDeclared"] in str(read.license_expression).split(" AND "), one
        assert one["versionInfo"] != "unknown"


def test_the_tag_is_what_auditwheel_says(wheel):
    said = command([sys.executable, "-m", "auditwheel", "show", wheel])
    tag = wheel.name.split("-")[-1].removesuffix(".whl")
    assert said.status == 0 and '"%s"' % tag in " ".join(said.out.split()), str(said)


def test_pip_installs_it_where_no_llvm_is_and_removes_it(wheel, tmp_path):
    need("bwrap")
    llvm = sorted({os.path.realpath(path) for path in glob.glob("/usr/lib/*/libLLVM*.so*")})
    ctypes.CDLL(llvm[0])
    script = tmp_path / "script"
    script.write_text("""
set -e
/usr/bin/python3 -m venv /t/v
find /t/v | sort > /t/before
/t/v/bin/pip install -q --no-index --disable-pip-version-check %(wheel)s
PATH=/t/v/bin:/usr/bin:/bin
cd /t
cilkc -O2 %(fib)s -o fib
./fib --nproc 2 20
python3 -m cilkc run %(fib)s -- 10
cilkc race %(fib)s -- 8 > /dev/null
cilkc doctor
python3 -c 'import ctypes; ctypes.CDLL("%(llvm)s")' 2> /dev/null && echo LLVM can be loaded here, too
test -e "$(cilkc --print-doc-dir)/samples/fib.cilk"
test -e /t/v/share/man/man1/cilkc.1
/t/v/bin/pip uninstall -q -y --disable-pip-version-check cilkc
find /t/v/share -type d -empty -delete          # pip leaves folders that had folders only
find /t/v | sort | diff /t/before - && echo nothing is left
""" % {"wheel": wheel, "fib": FIB, "llvm": llvm[0]})
    root = [
        "bwrap",
        "--unshare-all",
        "--clearenv",
        "--setenv",
        "PATH",
        "/usr/bin:/bin",
        "--setenv",
        "HOME",
        "/t",
        "--ro-bind",
        "/usr",
        "/usr",
    ]
    for library in llvm:
        root += ["--ro-bind", "/dev/null", library]
    for name in ("bin", "lib", "lib64"):
        root += ["--symlink", "usr/" + name, "/" + name]
    root += [
        "--ro-bind",
        "/etc",
        "/etc",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--ro-bind",
        str(ROOT),
        str(ROOT),
        "--bind",
        str(tmp_path),
        "/t",
    ]
    done = command([*root, "sh", "/t/script"], timeout=300)
    assert done.status == 0, str(done)
    for word in ("fib(20) = 6765", "fib(10) = 55", "nothing is left"):
        assert word in done.out, str(done)
    assert "too" not in done.out and "LLVM" not in done.out, "this root is not bare: %s" % done


@pytest.mark.tier("all")
def test_the_archive_of_the_recipes_works_in_any_folder(wheel, tmp_path):
    """It is the same bytes twice, and every recipe has its sum and no word of a template."""
    said = []
    for name in ("one", "two"):
        said.append(command([sys.executable, ROOT / "packaging/recipes.py", BUILD / "package/root/usr", tmp_path / name]))
        assert said[-1].status == 0, str(said[-1])
    archive, again = (pathlib.Path(one.out.strip()) for one in said)
    assert archive.read_bytes() == again.read_bytes()
    recipes = {path.name: path.read_text() for path in (tmp_path / "one/recipes").iterdir()}
    assert sorted(recipes) == ["cilkc.rb", "cilkc.spec", "default.nix", "meta.yaml", "package.py"]
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    for name, text in recipes.items():
        assert not re.search(r"@[A-Z]\w*@", text) and (digest in text or name == "cilkc.spec"), name
        assert version.stated(ROOT)[0][1] in text
    ast.parse(recipes["package.py"])
    folder = tmp_path / "it's odd"
    folder.mkdir()
    assert command(["tar", "-xzf", archive, "-C", folder, "--strip-components=1"]).status == 0
    made = command([folder / "bin/cilkc", "-O2", FIB, "-o", tmp_path / "fib"], env={"CILKC_BUILD": ""})
    assert made.status == 0 and "fib(20) = 6765" in command([tmp_path / "fib", "20"]).out, str(made)


@pytest.mark.tier("all")
def test_the_debian_package(tmp_path):
    need("dpkg-buildpackage", "dh", "lintian")
    with open(BUILD / ".package.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = make("deb", CILKC_DEB_COMPRESSION="-Zgzip -z1")
        first = path.read_bytes()
        os.utime(BUILD / "package/root/usr/lib/cilkc/cilkc", (10**9, 10**9))        # a tree that is older
        again = command(
            [sys.executable, ROOT / "packaging/deb.py", BUILD / "package", tmp_path],
            env={"CILKC_DEB_COMPRESSION": "-Zgzip -z1"},
            timeout=300,
        )
        assert again.status == 0 and (tmp_path / path.name).read_bytes() == first, str(again)
    said = command(["lintian", "--fail-on", "error,warning", "--allow-root", path], timeout=300)
    assert said.status == 0 and not said.out.strip(), str(said)
    command(["dpkg-deb", "-x", path, tmp_path / "root"])
    shown = command([tmp_path / "root/usr/bin/cilkc", "--print-doc-dir"], env={"CILKC_BUILD": ""})
    assert shown.out.strip() == str(tmp_path / "root/usr/share/doc/cilkc"), str(shown)
    run = command([tmp_path / "root/usr/bin/cilkc", "-O2", FIB, "-o", tmp_path / "fib"], env={"CILKC_BUILD": ""})
    assert run.status == 0 and "fib(20) = 6765" in command([tmp_path / "fib", "20"]).out, str(run)
    for name in (
        "share/man/man1/cilkc.1.gz",
        "share/man/man3/cilk.h.3.gz",
        "lib/cmake/cilkc/cilkcConfig.cmake",
        "share/pkgconfig/cilkc.pc",
        "include/cilk.h",
        "share/zsh/vendor-completions/_cilkc",
        "lib/cilkc/licences/llvm-19-dev",
        "lib/cilkc/licences/cilkc.spdx.json",
        "share/doc/cilkc/editors/cilk.vsix",
    ):
        assert (tmp_path / "root/usr" / name).exists(), name
    assert "Depends: libc6" in command(["dpkg-deb", "-f", path]).out
