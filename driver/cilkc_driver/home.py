"""Where cilkc's own files are, and the programs of the system that it calls."""

import os
import sys

from .console import Stop
from .processes import split_words

VERSION = "1.0.0"
HOME = "."          # the folder of the launcher: driver/, stdlib/ and the default build/ are in it
_found = {}


def set_home(home):
    global HOME
    HOME = os.path.abspath(home)


def build_dir():
    return os.path.abspath(os.environ.get("CILKC_BUILD") or os.path.join(HOME, "build"))


def stdlib_dir():
    return os.path.join(HOME, "stdlib")


def gdb_script():
    """What teaches gdb the commands for Cilk."""
    return os.path.join(HOME, "driver", "tools", "gdb_cilk.py")


def cilkc1():
    path = os.environ.get("CILKC1") or os.path.join(build_dir(), "cilkc1")
    if not os.access(path, os.X_OK):
        raise Stop("the native compiler is not built (%s): run 'make' in %s" % (path, HOME))
    return path


def library(name, target=None):
    parts = [build_dir(), "lib"] + ([target] if target else []) + [name]
    return os.path.join(*parts)


def which(name):
    """Full path of a program, or None."""
    if "/" in name:
        return name if os.access(name, os.X_OK) else None
    for folder in os.environ.get("PATH", "/usr/bin:/bin").split(":"):
        path = (folder or ".") + "/" + name
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def zig():
    """The compiler that `pip install cilkc[zig]` put beside us, or one on the PATH: it brings a C library's headers and
    a linker along. Or None."""
    above = os.path.dirname(HOME)
    for python in sorted(os.listdir(above)) if os.path.isdir(above) else ():
        path = "%s/%s/site-packages/ziglang/zig" % (above, python)
        if os.access(path, os.X_OK):
            return path
    return which("zig")


def zig_builds_first():
    """Will Zig's next link build parts of the C library? Later ones find them in its cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return not os.path.isdir(os.path.join(os.environ.get("ZIG_GLOBAL_CACHE_DIR") or os.path.join(cache, "zig"), "o"))


def is_zig(command):
    """Its linker knows fewer options than others."""
    return any(os.path.basename(word) in ("zig", "ziglang") for word in command[:3])


def system_cc(target=None, cxx=False):
    """The system's C (or C++) compiler, as the words that start it: preprocesses, assembles .s files, links.

    $CILKC_CC overrides it, by a path or by several words (`ccache gcc`).  gcc is preferred: its predefined macros
    are what the system's headers are written for, and what cilkc1 implements.
    """
    key = (target, cxx)
    if key not in _found:
        chosen = os.environ.get("CILKC_CXX" if cxx else "CILKC_CC")
        if chosen:
            names = [chosen]
        elif target:
            names = [target + ("-g++" if cxx else "-gcc")]
        elif cxx:
            names = ["g++", "c++", "clang++", "clang++-19"]
        else:
            names = ["gcc", "cc", "clang", "clang-19"]
        path, rest = None, []
        for name in names:
            path = which(name)
            if chosen and path is None and len(chosen.split()) > 1:
                path, rest = which(split_words(chosen)[0]), split_words(chosen)[1:]
            # CC=cilkc must not find itself under the name cc.
            if path and os.path.realpath(path) != os.path.join(HOME, "cilkc"):
                break
            path = None
        if path is None and not chosen and not target:
            path = zig()
            rest = ["c++" if cxx else "cc"]
        if path is None:
            raise Stop("no %s compiler found (looked for %s); install one, or Zig by pip (`cilkc[zig]`); see "
                       "'cilkc doctor'" % ("C++" if cxx else "C", ", ".join(names)))
        _found[key] = [path] + rest
    return list(_found[key])


def add_site_packages():
    """Makes the packages importable that were installed with us or are in the virtual environment: we run without
    site."""
    version = "python%d.%d" % sys.version_info[:2]
    for packages in (os.path.join(HOME, "packages"), os.path.join(HOME, ".venv", "lib", version, "site-packages")):
        if os.path.isdir(packages):
            sys.path.append(packages)
            return
    import site
    site.main()
