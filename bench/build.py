"""Compiles what is measured into DIR/bin, and says what cannot be compiled here.

A program is compiled again when its source, the compiler or the runtime is newer than it.  Nothing here raises: a
variant that cannot be made is None, and `missing` says why.
"""

import glob
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from .cases import HERE, ROOT, STRATEGIES
from .measure import say

CILKC = os.path.join(ROOT, "cilkc")
BUILD = os.path.abspath(os.environ.get("CILKC_BUILD") or os.path.join(ROOT, "build"))
PEERS = os.path.join(HERE, "peers")


def which(*names):
    for name in names:
        if shutil.which(name):
            return name
    return None


GCC = which("gcc")
CLANG = which("clang-19", "clang-20", "clang-18", "clang")
CXX = which("g++", "clang++-19", "clang++")
CARGO = which("cargo")


class Builder:
    """Makes programs in `folder`; `missing` collects {what: why}, one line each."""

    def __init__(self, folder):
        self.folder, self.missing = os.path.join(folder, "bin"), {}
        os.makedirs(self.folder, exist_ok=True)
        self.tools = [os.path.join(BUILD, "cilkc1"), *glob.glob(os.path.join(BUILD, "lib", "libcilk*.a"))]
        if GCC is None:
            self.missing["gcc"] = "gcc is not installed: no elision by gcc, no OpenMP by gcc"
        if CLANG is None:
            self.missing["clang"] = "clang-19 is not installed: no elision by clang, no OpenMP by clang"

    def run(self, what, words, timeout=300, env=None):
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                  timeout=timeout, env=dict(os.environ, **(env or {})))
        except (OSError, subprocess.TimeoutExpired) as problem:
            self.missing[what] = str(problem).splitlines()[0]
            return False
        if done.returncode != 0:
            errors = ([line for line in done.stdout.splitlines() if "error" in line]
                      or done.stdout.splitlines()
                      or ["no message"])
            self.missing[what] = "%s: %s" % (os.path.basename(words[0]), errors[0].replace(ROOT + os.sep, ""))
        return done.returncode == 0

    def stale(self, target, sources):
        if not os.path.exists(target):
            return True
        made = os.path.getmtime(target)
        return any(os.path.exists(s) and os.path.getmtime(s) > made for s in sources)

    def make(self, name, words, sources, timeout=300):
        """Runs `words` + [-o, target] unless the target is newer than the sources; the target's path, or None."""
        target = os.path.join(self.folder, name)
        if self.stale(target, sources) and not self.run(name, words + ["-o", target], timeout):
            return None
        return target

    def headers(self, source):
        folder = os.path.dirname(source)
        return [source, *glob.glob(os.path.join(folder, "*.h")), *glob.glob(os.path.join(folder, "*.cilkh")),
                *self.tools]

    def elision(self, name, source):
        return self.make(name + ".elision.c", [CILKC, "elide", "--standalone", source], self.headers(source))

    def cilk(self, name, source, *flags):
        return self.make(name, [CILKC, "build", "-w", "-O3", *flags, source], self.headers(source))

    def versions(self, case):
        """{variant: program} of one case: elisions by three compilers, Cilk in both strategies."""
        made, folder = {}, os.path.dirname(case.source)
        name = os.path.splitext(os.path.basename(case.source))[0]
        if folder != os.path.join(ROOT, "samples"):
            name = "program-" + name
        plain = self.elision(name, case.source)
        for variant, compiler in (("gcc", GCC), ("clang", CLANG)):
            if plain and compiler:
                made[variant] = self.make("%s-%s" % (name, variant),
                                          [compiler, "-w", "-O3", "-I", folder, plain, "-lm"], [plain])
        made["own"] = self.cilk(name + "-own", case.source, "--serial")
        for spawn in STRATEGIES:
            made[spawn] = self.cilk("%s-%s" % (name, spawn), case.source, "--spawn=" + spawn)
        return {variant: program for variant, program in made.items() if program}

    def all_versions(self, cases, jobs):
        """The programs of all cases, several compilations at a time; cases with the same source share them."""
        sources = {case.source: case for case in cases}
        with ThreadPoolExecutor(max_workers=jobs) as pool:
            made = dict(zip(sources, pool.map(self.versions, sources.values())))
        return {case.name: made[case.source] for case in cases}

    def peers(self, names):
        """{peer: {library: (program, arguments before the size)}} for the libraries that this machine has."""
        made = {name: {} for name in names}
        shared = [os.path.join(PEERS, "serial.h")]
        for label, compiler in (("openmp-gcc", GCC), ("openmp-clang", CLANG)):
            if compiler is None or not self.probe(
                label, "c", [compiler, "-fopenmp"],
                "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"
            ):
                continue
            for name in names:
                source = os.path.join(PEERS, "openmp", name + ".c")
                program = self.make("%s-%s" % (name, label), [compiler, "-w", "-O3", "-fopenmp", source],
                                    [source, *shared])
                if program:
                    made[name][label] = (program, [])
        if CXX and self.probe("onetbb", "cpp", [CXX, "-std=c++17"],
                              "#include <oneapi/tbb/task_group.h>\nint main() { tbb::task_group g; g.wait(); }\n",
                              ["-ltbb"], "oneTBB is not installed (Debian: libtbb-dev); its peers are left out"):
            for name in names:
                source = os.path.join(PEERS, "onetbb", name + ".cpp")
                program = self.make(name + "-onetbb", [CXX, "-w", "-O3", "-std=c++17", source, "-ltbb"],
                                    [source, *shared])
                if program:
                    made[name]["onetbb"] = (program, [])
        rayon = self.rayon()
        for name in names:
            if rayon:
                made[name]["rayon"] = (rayon, [name])
        return made

    def probe(self, label, end, words, text, libraries=(), message=None):
        """Whether a small program compiles and links."""
        source = os.path.join(self.folder, "probe-%s.%s" % (label, end))
        with open(source, "w") as file:
            file.write(text)
        if self.run(label, [*words, source, *libraries, "-o", source + ".out"]):
            return True
        self.missing[label] = (
            message or "%s has no OpenMP here (for clang on Debian: libomp-19-dev); its peers are left out" % words[0]
        )
        return False

    def rayon(self):
        if CARGO is None:
            self.missing["rayon"] = "cargo is not installed; the Rayon peers are left out"
            return None
        folder, target = os.path.join(PEERS, "rayon"), os.path.join(os.path.dirname(self.folder), "rayon")
        program = os.path.join(target, "release", "peers")
        sources = [*glob.glob(os.path.join(folder, "Cargo.*")), *glob.glob(os.path.join(folder, "src", "*.rs"))]
        if self.stale(program, sources):
            say("  building the Rayon peers")
            if not self.run("rayon", [CARGO, "build", "--release", "--quiet", "--manifest-path",
                                      os.path.join(folder, "Cargo.toml"), "--target-dir", target], timeout=600):
                self.missing["rayon"] = "the Rayon peers are left out: " + self.missing["rayon"]
                return None
            os.utime(program)
        return program

    def cpu_clock(self):
        """The library that turns a program's clocks into processor time, or None."""
        source = os.path.join(HERE, "cputime.c")
        return self.make("cputime.so", [GCC or CLANG or "cc", "-O2", "-shared", "-fPIC", "-w", source], [source])
