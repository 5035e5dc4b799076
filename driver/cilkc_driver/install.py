"""`make install` and `make uninstall`: copies below PREFIX, and what takes them away again.

Input: a built tree, whose virtual environment holds the command's packages; nothing is fetched. Output:

    PREFIX/lib/cilkc/          the command, compiler, runtime, headers, Python packages; `manifest` lists the rest
    PREFIX/bin/cilkc           a link into it
    PREFIX/include/cilk.h, cilk-sched.h, cilk-start.h, cilk/*.hpp, lib/libcilkrt.a, lib/pkgconfig/cilkc.pc    for C and C++
    callers built by other compilers PREFIX/lib/cmake/cilkc/    find_package(cilkc)
    PREFIX/share/...           man pages, completion of three shells, licence, manual, samples, editors

All names in the installed files are relative to themselves, so a DESTDIR, or moving the whole PREFIX, changes
nothing. `make install-strip` leaves out the debug information of what no debugger is for. The packages (packaging/)
are made of such a folder. A new lib/cilkc is made beside the old one and takes its place when it is complete.
"""

import compileall
import csv
import glob
import os
import re
import shutil
import subprocess

import flags  # a sibling: the package may not be importable yet

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

PKG_CONFIG = """\
prefix=${pcfiledir}/../..
includedir=${prefix}/include
libdir=${prefix}/lib

Name: cilkc
Description: Runtime of Cilk-5 programs, and the header for C and C++ programs that call their procedures
Version: %s
Cflags: -I${includedir}
Libs: -L${libdir} -lcilkrt -pthread -lm
"""

COMPLETIONS = {"bash": "share/bash-completion/completions/cilkc", "zsh": "share/zsh/site-functions/_cilkc",
               "fish": "share/fish/vendor_completions.d/cilkc.fish"}


class Refused(Exception):
    """Installing cannot go on; the text says why and what to do."""


def destination(prefix, destdir):
    """Where the files really go. Not every shell expands a tilde after PREFIX=."""
    prefix = os.path.expanduser(prefix)
    if not prefix or prefix.startswith("~"):
        raise Refused("PREFIX='%s' names no folder" % prefix)
    return os.path.abspath(os.path.expanduser(destdir) + os.path.abspath(prefix))


def copy(source, target):
    """A file or a folder, without Python's caches."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        shutil.copytree(source, target,
                        ignore=shutil.ignore_patterns("__pycache__", "libcilkfront.a", "*.new", "player.c"))
    else:
        shutil.copy2(source, target)


def pinned():
    with open(os.path.join(ROOT, "driver", "requirements.txt")) as file:
        return [line.split("==")[0] for line in file if "==" in line]


def copy_packages(venv, target):
    """The command's Python packages, by the records that pip keeps. All of them are plain Python, good for any
    version."""
    for name in pinned():
        records = glob.glob(os.path.join(venv, "lib", "python3*", "site-packages",
                                         name.replace("-", "_") + "-*.dist-info", "RECORD"))
        if not records:
            raise Refused("the Python package %s is not in %s: run 'make setup'" % (name, venv))
        folder = os.path.dirname(os.path.dirname(records[0]))
        with open(records[0], newline="") as file:
            for row in csv.reader(file):
                if not row[0].startswith((".", "/")) and "__pycache__" not in row[0] and "/tests/" not in row[0]:
                    copy(os.path.join(folder, row[0]), os.path.join(target, row[0]))


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          env={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise Refused("%s failed: %s" % (" ".join(command), done.stderr.decode("utf-8", "replace").strip()))
    return done.stdout


def sched_test_programs():
    """The programs that `cilkc sched-test` runs: names below tests/. Its module needs others, so the names are read
    from its text."""
    with open(os.path.join(ROOT, "driver", "tools", "sched_test.py")) as file:
        table = file.read().partition("PROGRAMS = (")[2].partition("\n)\n")[0]
    return [name + ".cilk" for name in re.findall(r'^    \("([^"]+)"', table, re.M)]


# Before the folders from PREFIX upwards that an installation with DESTDIR made. Without it they are others.
STAGED = "DESTDIR:"


class Manifest:
    """What is put outside lib/cilkc, as names relative to PREFIX. Folders that were not there before end in a slash:
    PREFIX itself is `./`, the one above is `../`."""

    def __init__(self, top):
        self.top, self.names = top, []
        while not os.path.exists(top):
            self.names.insert(0, os.path.relpath(top, self.top) + "/")
            top = os.path.dirname(top)

    def add(self, name):
        self.names.append(name)
        path = os.path.join(self.top, name)
        self.folder(os.path.dirname(name))
        if os.path.lexists(path):
            os.remove(path)
        return path

    def folder(self, name):
        path = os.path.join(self.top, name)
        if not os.path.isdir(path):
            if os.path.dirname(name):
                self.folder(os.path.dirname(name))
            os.makedirs(path, exist_ok=True)
            self.names.append(name + "/")

    def text(self, name, data):
        with open(self.add(name), "wb") as file:
            file.write(data)

    def link(self, name, to):
        path = self.add(name)
        os.symlink(os.path.relpath(os.path.join(self.top, to), os.path.dirname(path)), path)

    def tree(self, source, name):
        if not os.path.isdir(source):
            shutil.copyfile(source, self.add(name))
            return
        for folder, folders, files in os.walk(source):
            folders[:] = [f for f in folders if f != "__pycache__"]
            for file in files:
                if not file.endswith((".py", ".pyc")):
                    path = os.path.join(folder, file)
                    shutil.copyfile(path, self.add(os.path.join(name, os.path.relpath(path, source))))


def install(options):
    top = destination(options.prefix, options.destdir)
    home = os.path.join(top, "lib", "cilkc")
    fresh = home + ".new-%d" % os.getpid()
    try:
        there = Manifest(top)
        there.folder("lib")
        os.mkdir(fresh)
    except OSError as error:
        raise Refused(
            "cannot write to %s (%s): install as an administrator, or elsewhere with make install PREFIX=~/.local"
            % (os.path.dirname(home), error.strerror)
        )
    try:
        for name in ("cilkc", "driver", "stdlib", "LICENSE", *flags.TABLES):
            copy(os.path.join(ROOT, name), os.path.join(fresh, name))
        for name in sched_test_programs():
            copy(os.path.join(ROOT, "tests", name), os.path.join(fresh, "programs", name))
        copy(options.cilkc1 or os.path.join(options.build, "cilkc1"), os.path.join(fresh, "build", "cilkc1"))
        copy(os.path.join(options.build, "lib"), os.path.join(fresh, "build", "lib"))
        if options.cilkc1:
            copy_licences(os.path.join(fresh, "licences"))
        if options.strip:
            strip(os.path.join(fresh, "build"))
        copy_packages(options.venv, os.path.join(fresh, "packages"))
        # Users of a system-wide installation cannot keep compiled modules there themselves.
        final = os.path.join(os.path.abspath(os.path.expanduser(options.prefix)), "lib", "cilkc")
        for name in () if options.no_bytecode else ("driver", "packages"):
            compileall.compile_dir(os.path.join(fresh, name), quiet=2, stripdir=fresh, prependdir=final)
        place(options, there, home, fresh)
    except OSError as error:
        raise Refused("cannot write %s: %s" % (error.filename or top, error.strerror))
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    print("  setup:  installed %s" % os.path.join(top, "bin", "cilkc"))


def inside():
    """Packages of Debian whose libraries are inside the compiler of a package of ours."""
    with open(os.path.join(ROOT, ".deps", "config.mk")) as file:
        llvm = re.search(r"/llvm-(\d+)", file.read())
    return ("llvm-%s-dev" % (llvm[1] if llvm else "*"), "libantlr4-runtime-dev", "zlib1g-dev", "libzstd-dev",
            "gcc-*-base")


def copy_licences(target):
    """What the authors of the libraries inside ask of those who give them on."""
    for pattern in inside():
        found = sorted(glob.glob("/usr/share/doc/%s/copyright" % pattern))
        if not found:
            raise Refused("/usr/share/doc/%s/copyright is not there: a package must bring it" % pattern)
        for path in found:
            copy(path, os.path.join(target, os.path.basename(os.path.dirname(path))))


# `cilkc debug` reads the types of these.
DEBUGGED = ("libcilkrt", "libcilkrt-debug")


def strip(build):
    """cilkc1 without symbols; archives and objects that no debugger looks into without debug information, each for its
    processor."""
    output_of(["strip", os.path.join(build, "cilkc1")])
    for folder, _, files in os.walk(os.path.join(build, "lib")):
        target = os.path.relpath(folder, os.path.join(build, "lib"))
        tool = "strip" if target == "." or target.startswith(os.uname().machine) else target + "-strip"
        names = [os.path.join(folder, name) for name in files
                 if name.endswith((".a", ".o")) and (target != "." or name[:-2] not in DEBUGGED)]
        if names:
            output_of([tool, "--strip-debug", "--enable-deterministic-archives", *names])


def place(options, there, home, fresh):
    """Takes the old files away and puts the new ones in their place."""
    command = os.path.join(fresh, "cilkc")
    scripts = {shell: output_of([command, "completion", shell]) for shell in COMPLETIONS}
    page = output_of([command, "help", "--man"])
    version = output_of([command, "--version"]).split()[1].rstrip(b":").decode()
    library = output_of([os.path.join(options.venv, "bin", "python3"), "-B",
                         os.path.join(fresh, "driver", "commands", "roff.py"), os.path.join(ROOT, "docs", "library.md"),
                         "cilk.h", "3", "the library of Cilk programs", version])
    if options.no_bytecode:         # what these calls left
        for folder in glob.glob(os.path.join(fresh, "**", "__pycache__"), recursive=True):
            shutil.rmtree(folder)
    old = listed(home, options.destdir)
    unlink(there.top, old)
    there.names += [name for name in old if name.endswith("/") and os.path.isdir(os.path.join(there.top, name))]
    for shell, name in COMPLETIONS.items():
        there.text(name, scripts[shell])
    there.text("share/man/man1/cilkc.1", page)
    there.text("share/man/man3/cilk.h.3", library)
    for name in sorted(os.listdir(os.path.join(fresh, "driver", "cmake"))):
        there.link("lib/cmake/cilkc/" + name, "lib/cilkc/driver/cmake/" + name)
    there.text("lib/pkgconfig/cilkc.pc", (PKG_CONFIG % version).encode())
    there.link("bin/cilkc", "lib/cilkc/cilkc")
    there.link("include/cilk.h", "lib/cilkc/stdlib/cilk.h")
    there.link("include/cilk-sched.h", "lib/cilkc/stdlib/cilk-sched.h")
    there.link("include/cilk-start.h", "lib/cilkc/stdlib/cilk-start.h")
    for name in ("par.hpp", "par.cilk", "tbb.hpp", "parlay.hpp"):
        there.link("include/cilk/" + name, "lib/cilkc/stdlib/cilk/" + name)
    there.link("lib/libcilkrt.a", "lib/cilkc/build/lib/libcilkrt.a")
    for name in ("LICENSE", "README.md", "CHANGELOG.md"):
        there.tree(os.path.join(ROOT, name), "share/doc/cilkc/" + name)
    there.tree(os.path.join(ROOT, "docs"), "share/doc/cilkc/docs")
    there.tree(os.path.join(ROOT, "samples"), "share/doc/cilkc/samples")
    for name in ("emacs", "vim", "jupyter/cilkc_jupyter.py", "jupyter/pyproject.toml"):
        there.tree(os.path.join(ROOT, "editors", name), "share/doc/cilkc/editors/" + name)
    if options.vsix:
        there.tree(options.vsix, "share/doc/cilkc/editors/cilk.vsix")
    with open(os.path.join(fresh, "manifest"), "w") as file:
        staged = STAGED if options.destdir else ""
        file.write("".join((staged if name.startswith(".") else "") + name + "\n" for name in there.names))
    aside = home + ".old-%d" % os.getpid()
    if os.path.lexists(home):
        os.rename(home, aside)
    os.rename(fresh, home)
    shutil.rmtree(aside, ignore_errors=True)


def listed(home, destdir):
    try:
        with open(os.path.join(home, "manifest")) as file:
            names = file.read().splitlines()
    except OSError:
        return []
    return [name.removeprefix(STAGED) for name in names if destdir or not name.startswith(STAGED)]


def unlink(top, names):
    """Removes these files, and those of these folders that are empty then."""
    for name in names:
        if not name.endswith("/") and os.path.lexists(os.path.join(top, name)):
            os.remove(os.path.join(top, name))
    for name in reversed(names):
        path = os.path.normpath(os.path.join(top, name))        # `../` also when PREFIX is gone
        if name.endswith("/") and os.path.isdir(path) and not os.listdir(path):
            os.rmdir(path)


def uninstall(options):
    top = destination(options.prefix, options.destdir)
    home = os.path.join(top, "lib", "cilkc")
    if not os.path.isfile(os.path.join(home, "cilkc")):
        raise Refused("cilkc is not installed in %s" % top)
    try:
        names = listed(home, options.destdir) or ["bin/cilkc"]
        unlink(top, names)
        shutil.rmtree(home)
        unlink(top, names)              # the folders that were above it
    except OSError as error:
        raise Refused("cannot remove %s: %s" % (error.filename or home, error.strerror))
    print("  setup:  removed cilkc from " + top)
