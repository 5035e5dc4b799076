"""What cilkc needs from the machine: one table, read by the set-up and by `cilkc doctor`.

Standard library only, and no side effect on import: the set-up runs it before anything is installed.
Every entry knows how to look for itself (`find` returns a Found or None) and which packages bring it on
each family of systems.  Nothing here installs; setup.py does.
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

LLVM_TESTED = 19
LLVM_OLDEST = 18
LLVM_NEWEST_TRIED = 22

# The generator that matches a runtime: the last patch release of the same minor version.
ANTLR_TOOLS = {"4.9": "4.9.3", "4.10": "4.10.1", "4.11": "4.11.1", "4.12": "4.12.0", "4.13": "4.13.2"}


class Found:
    """Something that was found: a version for people, a path, and settings for the Makefile."""

    def __init__(self, version, where, **settings):
        self.version = version
        self.where = where
        self.settings = settings


class Dep:
    """One need. `kind` is one of these:

        build      to make cilkc
        run        to use it
        test       for its tests
        fuzz       for its fuzzers
        package    to make a wheel or a .deb of it
        dev        nice to have
    """

    def __init__(self, name, why, kind, find, apt, dnf):
        self.name, self.why, self.kind, self.find = name, why, kind, find
        self.packages = {"apt": apt, "dnf": dnf}


def output_of(*command, cwd=None):
    """Standard output of a command, stripped; None if it cannot run or fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, timeout=60, cwd=cwd)
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode != 0:
        return None
    return done.stdout.decode("utf-8", "replace").strip()


def output_of_one_that_writes(*command):
    """output_of() in a folder that is removed afterwards: csmith writes a file where it runs. Signals that end us wait
    while the folder is made, and while it is removed."""
    ending = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ending)
        with tempfile.TemporaryDirectory() as folder:
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                return output_of(*command, cwd=folder)
            finally:
                signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def compiler_version(command):
    text = output_of(command, "--version")
    if not text:
        return None
    first = text.splitlines()[0]
    number = re.search(r"\b(\d+\.\d+(\.\d+)?)", first)
    name = "clang" if "clang" in first else "gcc"
    return "%s %s" % (name, number.group(1)) if number else first


def find_compiler(setting, *names):
    for name in names:
        path = shutil.which(name)
        version = path and compiler_version(path)
        if version:
            return Found(version, path, **{setting: name})
    return None


def find_c():
    return find_compiler("CONFIG_CC", "gcc", "cc", "clang")


def find_cxx():
    return find_compiler("CONFIG_CXX", "g++", "c++", "clang++")


# What was found and does not do: {name of the need: why}. The set-up shows it before it installs another, or gives up.
REFUSED: "dict[str, str]" = {}


def find_z3():
    import importlib.util
    found = importlib.util.find_spec("z3")
    return Found("", found.origin or "") if found else None


def llvm_candidates():
    """Those that do, the tested one first; then older ones, whose names the refusal gives."""
    order = [LLVM_TESTED] + [n for n in range(LLVM_NEWEST_TRIED, 10, -1) if n != LLVM_TESTED]
    for number in order:
        yield "llvm-config-%d" % number
        yield "/usr/lib/llvm-%d/bin/llvm-config" % number
        yield "llvm-config%d" % number
        yield "llvm%d-config" % number
        yield "/usr/lib64/llvm%d/bin/llvm-config" % number
    yield "llvm-config"


def static_llvm(config):
    """The words that link LLVM's archives into a program that needs no installed LLVM; '' where they are not
    installed."""
    libs = output_of(config, "--link-static", "--libs", "x86", "aarch64", "systemz", "passes", "irreader", "linker")
    return " ".join(libs.split()) + " -lz -lzstd" if libs else ""


def find_static_libraries():
    """What LLVM's archives need in turn, as archives."""
    places = glob.glob("/usr/lib/*/libzstd.a") + glob.glob("/usr/lib*/libzstd.a")
    return Found("", places[0]) if places else None


def find_llvm():
    for name in llvm_candidates():
        path = shutil.which(name)
        if not path:
            continue
        version = output_of(path, "--version")
        number = re.match(r"\d+", version or "")
        if not version or not number:
            continue
        if not LLVM_OLDEST <= int(number.group()) <= LLVM_NEWEST_TRIED:
            REFUSED.setdefault("LLVM", "LLVM %s (%s) is not supported: cilkc needs LLVM %d to %d, and %d is tested"
                               % (version, path, LLVM_OLDEST, LLVM_NEWEST_TRIED, LLVM_TESTED))
            continue
        include = output_of(path, "--includedir")
        libdir = output_of(path, "--libdir")
        libs = output_of(path, "--link-shared", "--libs")
        if libs is None:
            static = output_of(path, "--link-static", "--libs", "--system-libs")
            libs = static and " ".join(static.split())
        if not include or not libdir or not libs:
            continue
        if not os.path.exists(os.path.join(include, "llvm-c", "Core.h")):
            REFUSED.setdefault("LLVM", "LLVM %s (%s) is installed without its headers (%s)" % (version, path, include))
            continue
        return Found(version, path, LLVM_CONFIG=path, LLVM_VERSION=version, LLVM_INCLUDE=include,
                     LLVM_LIBDIR=libdir, LLVM_LIBS=libs, LLVM_STATIC=static_llvm(path))
    return None


def find_antlr_runtime(roots=("/usr", "/usr/local")):
    for root in roots:
        header = os.path.join(root, "include", "antlr4-runtime", "antlr4-runtime.h")
        if not os.path.exists(header):
            continue
        libraries = []
        for pattern in ("lib/*/libantlr4-runtime*", "lib64/libantlr4-runtime*", "lib/libantlr4-runtime*"):
            libraries += glob.glob(os.path.join(root, pattern))
        minor = None
        for library in sorted(libraries):
            match = re.search(r"(?:so|runtime)\.(\d+\.\d+)", os.path.basename(library))
            if match:
                minor = match.group(1)
        if minor is None:
            continue
        if minor not in ANTLR_TOOLS:
            REFUSED["ANTLR runtime"] = (
                "the ANTLR runtime %s (%s) is not supported: its generator must be of the same version, and %s are known"
                % (minor, header, ", ".join(ANTLR_TOOLS))
            )
            continue
        static = [p for p in libraries if p.endswith("libantlr4-runtime.a")]
        return Found(minor, os.path.dirname(header), ANTLR_INCLUDE=os.path.dirname(header), ANTLR_RUNTIME=minor,
                     ANTLR_TOOL=ANTLR_TOOLS[minor], ANTLR_STATIC=static[0] if static else "")
    return None


def find_java():
    path = shutil.which("java")
    if not path:
        return None
    try:
        text = subprocess.run([path, "-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=60).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "([^"]+)"', text)
    return Found(match.group(1), path, JAVA=path) if match else None


def find_maven():
    path = shutil.which("mvn")
    if not path:
        return None
    text = output_of(path, "--batch-mode", "--version") or ""
    match = re.search(r"Apache Maven ([\w.-]+)", text)
    return Found(match.group(1), path, MVN=path) if match else None


def pythons():
    """Interpreters that could make the virtual environment, best first."""
    seen = []
    for path in (sys.executable, "/usr/bin/python3", shutil.which("python3")):
        if path and os.path.exists(path) and os.path.realpath(path) not in [os.path.realpath(p) for p in seen]:
            seen.append(path)
    return seen


def find_venv():
    for python in pythons():
        version = output_of(python, "-c", "import ensurepip, venv, sys; print('%d.%d.%d' % sys.version_info[:3])")
        if version and tuple(map(int, version.split(".")))[:2] >= (3, 9):
            return Found(version, python, VENV_PYTHON=python)
    return None


def find_csmith():
    """The generator and the header that its programs include."""
    if not os.path.isdir("/usr/include/csmith") and not os.path.isdir("/usr/local/include/csmith"):
        return None
    return on_path("csmith")()


def find_libfuzzer():
    for root in ("/usr/lib/llvm-%d/lib/clang/*/lib" % LLVM_TESTED, "/usr/lib/clang/%d/lib" % LLVM_TESTED):
        for path in sorted(glob.glob(root + "/*/libclang_rt.fuzzer*.a")):
            return Found(str(LLVM_TESTED), os.path.dirname(path))
    return None


def found_file(*patterns):
    def find():
        for pattern in patterns:
            for path in sorted(glob.glob(pattern)):
                return Found("", path)
        return None
    return find


def on_path(name, *version_command, least=()):
    def find():
        path = shutil.which(name)
        if not path:
            return None
        text = output_of_one_that_writes(os.path.abspath(path), *(version_command or ("--version",))) or ""
        match = re.search(r"\d+(\.\d+)+", text)
        version = match.group() if match else ""
        if tuple(map(int, version.split(".") if version else ())) < least:
            return None
        return Found(version, path)
    return find


DEPS = [
    Dep("C compiler", "preprocesses, assembles and links; builds the runtime", "run", find_c, ["gcc", "libc6-dev"],
        ["gcc"]),
    Dep("C++ compiler", "builds cilkc1 (C++20)", "build", find_cxx, ["g++"], ["gcc-c++"]),
    Dep(
        "LLVM",
        "code generation; %d to %d, tested with %d" % (LLVM_OLDEST, LLVM_NEWEST_TRIED, LLVM_TESTED),
        "build",
        find_llvm,
        ["llvm-%d-dev" % LLVM_TESTED, "zlib1g-dev", "libzstd-dev"],     # LLVM's archives need the archives of these
        ["llvm-devel"],
    ),
    Dep("ANTLR runtime", "the parser's C++ runtime", "build", find_antlr_runtime, ["libantlr4-runtime-dev"],
        ["antlr4-cpp-runtime-devel"]),
    Dep("Java", "runs the ANTLR generator, at build time only", "build", find_java, ["default-jre-headless"],
        ["java-21-openjdk-headless"]),
    Dep("Maven", "fetches the ANTLR generator, once", "build", find_maven, ["maven"], ["maven"]),
    Dep("Python venv", "holds click, rich and pytest", "build", find_venv, ["python3-venv"], ["python3"]),
    Dep("bubblewrap", "the sandbox of `cilkc grade`, which has one of its own, too", "test", on_path("bwrap"),
        ["bubblewrap"], ["bubblewrap"]),
    Dep("zlib, zstd", "are linked into the compiler of a package", "package", find_static_libraries,
        ["zlib1g-dev", "libzstd-dev"], ["zlib-ng-compat-static", "libzstd-static"]),
    Dep("debhelper", "makes the Debian package", "package", on_path("dh"),
        ["debhelper", "dpkg-dev", "dh-python", "fakeroot"], []),
    Dep("debootstrap", "makes the roots that packages are tried in (make check-packages)", "dev",
        on_path("debootstrap"), ["debootstrap"], ["debootstrap"]),
    Dep("lintian", "looks for mistakes in the Debian package", "package", on_path("lintian"), ["lintian"], []),
    Dep("CMake", "finds cilkc as an installed package, in the tests", "test", on_path("cmake"), ["cmake"], ["cmake"]),
    Dep("Ninja", "builds for CMake and Meson in the tests", "test", on_path("ninja"), ["ninja-build"], ["ninja-build"]),
    Dep("Meson", "builds with CC=cilkc in the tests", "test", on_path("meson"), ["meson"], ["meson"]),
    Dep(        # Debian 12 has an older one, and besides the one that browsers are built with
        "cargo",
        "calls Cilk from Rust, and makes the parser for tree-sitter, in the tests",
        "test",
        on_path("cargo", least=(1, 82)),
        ["cargo-web"],
        ["cargo"],
    ),
    Dep("autoconf", "asks cilkc what configure scripts ask, in the tests", "test", on_path("autoreconf"), ["autoconf"],
        ["autoconf"]),
    Dep("automake", "autoconf needs it", "test", on_path("automake"), ["automake"], ["automake"]),
    Dep("libtool", "makes libraries with a version, in the tests", "test", on_path("libtoolize"), ["libtool"],
        ["libtool"]),
    Dep("gdb", "debugging, and its tests", "test", on_path("gdb"), ["gdb"], ["gdb"]),
    Dep("chromium", "opens the pages that tools make, in their tests", "test", on_path("chromium"), ["chromium"],
        ["chromium"]),
    Dep("Node.js", "runs the client and the grammar for Visual Studio Code in their tests", "test", on_path("node"),
        ["nodejs"], ["nodejs"]),
    Dep("npm", "fetches what that client is made of", "package", on_path("npm"), ["npm"], ["nodejs-npm"]),
    Dep("vim", "shows the syntax for vim in its test", "test", on_path("vim"), ["vim"], ["vim-enhanced"]),
    Dep("csmith", "random differential tests", "test", find_csmith, ["csmith", "libcsmith-dev"], ["csmith-devel"]),
    Dep("spin", "checks the models of the runtime's protocols", "test", on_path("spin", "-V"), ["spin"], []),
    Dep("Relacy", "checks the models of weak memory once more (`make weak`)", "test",
        found_file("/usr/include/relacy/relacy.hpp"), ["relacy-dev"], []),
    Dep("clang-%d" % LLVM_TESTED, "compiles elisions in the tests; the peer in benchmarks", "test",
        on_path("clang-%d" % LLVM_TESTED), ["clang-%d" % LLVM_TESTED], ["clang"]),
    Dep("valgrind", "counts the work of compilations in the tests", "test", on_path("valgrind"), ["valgrind"],
        ["valgrind-devel"]),
    Dep("LLVM's profile runtime", "links programs of -fprofile-generate and --coverage", "test",
        found_file("/usr/lib/llvm-%d/lib/clang/*/lib/*/libclang_rt.profile*.a" % LLVM_TESTED,
                   "/usr/lib/clang/*/lib/*/libclang_rt.profile*.a"),
        ["libclang-rt-%d-dev" % LLVM_TESTED], ["compiler-rt"]),
    Dep("libFuzzer", "guides the fuzzers, with the sanitizers' runtimes beside it", "fuzz", find_libfuzzer,
        ["libclang-rt-%d-dev" % LLVM_TESTED], ["compiler-rt"]),
    Dep("oneTBB", "a peer in benchmarks", "dev", found_file("/usr/include/oneapi/tbb.h"), ["libtbb-dev"],
        ["tbb-devel"]),
    Dep("OpenMP of clang", "a peer in benchmarks", "dev",
        found_file("/usr/lib/llvm-%d/lib/libomp.so" % LLVM_TESTED, "/usr/lib64/libomp.so"),
        ["libomp-%d-dev" % LLVM_TESTED], ["libomp-devel"]),
    Dep("z3", "decides what `cilkc prove` asks", "dev", find_z3, ["python3-z3"], ["python3-z3"]),
    Dep("Slurm", "runs the scripts of docs/slurm.md, in their test", "dev", on_path("slurmctld"),
        ["slurmctld", "slurmd", "slurm-client", "munge"], ["slurm-slurmctld", "slurm-slurmd", "slurm", "munge"]),
    Dep("ccache", "makes rebuilds quick", "dev", on_path("ccache"), ["ccache"], ["ccache"]),
    Dep("aarch64 cross gcc", "links --target=aarch64-linux-gnu", "test", on_path("aarch64-linux-gnu-gcc"),
        ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"], ["gcc-aarch64-linux-gnu"]),
    Dep("s390x cross gcc", "links --target=s390x-linux-gnu", "test", on_path("s390x-linux-gnu-gcc"),
        ["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross"], ["gcc-s390x-linux-gnu"]),
    Dep("Open MPI", "`--dist=mpi`, and its tests", "test", on_path("mpicc", "--showme:version"),
        ["libopenmpi-dev", "openmpi-bin"], ["openmpi-devel"]),
    Dep("qemu-user", "runs programs of other processors", "test", on_path("qemu-aarch64"), ["qemu-user"], ["qemu-user"]),
]


def needed(kinds=("build", "run")):
    return [dep for dep in DEPS if dep.kind in kinds]


def package_manager():
    """The family this machine belongs to: apt, dnf, or None."""
    for command, family in (("apt-get", "apt"), ("dnf", "dnf")):
        if shutil.which(command):
            return family
    return None


def packages_for(missing, family):
    names = []
    for dep in missing:
        for name in dep.packages[family]:
            if name not in names:
                names.append(name)
    return names


def install_lines(missing):
    """What a person has to type for what is missing: one line, or one for each family where this machine belongs to
    none."""
    how = {"apt": "sudo apt-get install --no-install-recommends", "dnf": "sudo dnf install"}
    families = [package_manager()] if package_manager() else list(how)
    return ["%s %s" % (how[family], " ".join(packages_for(missing, family))) for family in families
            if packages_for(missing, family)]
