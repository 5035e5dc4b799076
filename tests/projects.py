"""Projects of others, configured, built and tested by CC=cilkc beside gcc: `make projects NAMES="zlib bzip2"`.

Input: names of Debian's source packages. They are fetched by apt into the folder of --work, where everything stays;
nothing of them is in this repository. Output: for each project what differs between the two compilers: the results of
configure, warnings (by name, with their number), the outcome of its tests, processor time and size. The status is 1
when cilkc fails where gcc does not.

How a project is built is a row of PROJECTS; one without a row is taken for an autotools project. Both builds run in a
folder of the same name, one after the other, so that no path differs.
"""

import argparse
import difflib
import glob
import os
import re
import resource
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CILKC = os.path.join(ROOT, "cilkc")
LIMIT = 1800            # seconds for a step
DEFAULT = ("./configure --disable-dependency-tracking", "make", "make check")


def cmake(options=""):
    return "cmake -B made -DCMAKE_BUILD_TYPE=Release " + options, "cmake --build made", "ctest --test-dir made"


# name: (configure, build, test); %(cc)s is the compiler
PROJECTS = {
    "busybox": ("make defconfig", "make CC=%(cc)s HOSTCC=gcc SKIP_STRIP=y busybox", "cd testsuite && ./runtest"),
    "bzip2": ("true", "make CC=%(cc)s libbz2.a bzip2 bzip2recover", "make CC=%(cc)s test"),
    "cmark": cmake("-DCMARK_SHARED=OFF"),
    "cjson": cmake("-DENABLE_CJSON_UTILS=On"),
    "expat": ("cd expat && ./buildconf.sh && ./configure --disable-dependency-tracking --without-docbook", "make -C expat",
              "make -C expat check"),
    "http-parser": ("true", "make CC=%(cc)s package", "make CC=%(cc)s test && echo '# PASS: 1'"),
    "jansson": cmake("-DJANSSON_BUILD_DOCS=OFF"),
    "jq": ("autoreconf -fi && ./configure --disable-docs --disable-maintainer-mode --with-oniguruma=no", "make", "make check"),
    "libxml2": ("./configure --disable-dependency-tracking --without-python --without-lzma", "make", "make check"),
    "libyaml": cmake(),
    "lua5.4": ("rm src/luac.c; echo '#define DEB_HOST_MULTIARCH \"\"' > src/lua5.4-deb-multiarch.h",
               "cd src && %(cc)s -O2 -Wall -Wextra -std=gnu99 -DLUA_USE_LINUX *.c -o lua -Wl,-E -lm -ldl",
               "src/lua -e 'local t = {} for i = 1, 1e6 do t[i] = i * i % 97 end table.sort(t) print(#t, t[500000])'"),
    "lz4": ("true", "make CC=%(cc)s -C lib && make CC=%(cc)s -C programs lz4 LDFLAGS=-L../lib", "make CC=%(cc)s -C tests fuzzer frametest && tests/fuzzer -s1 -i300 && "
            "tests/frametest -s1 -i300"),
    "pcre2": ("./configure --disable-dependency-tracking --enable-jit", "make", "make check"),
    "sqlite3": ("./configure --disable-tcl --disable-readline", "make sqlite3", "./sqlite3 :memory: 'create table t as with "
                "recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select i, i * i % 9973 as v, "
                "hex(i) as h from n; create index x on t(v, h); select v, count(*), sum(i), avg(i / 7.0), max(h) || "
                "\" passed\" from t group by v % 7 order by 2, 1; pragma integrity_check'"),
    "xxhash": ("true", "make CC=%(cc)s xxhsum", "make CC=%(cc)s check test-xxhsum-c && echo '# PASS: 1'"),
    "zlib": ("CFLAGS=-O2 ./configure", "make", "make check"),
    "zstd": ("true", "make CC=%(cc)s -C programs zstd-release", "make CC=%(cc)s -C tests fuzzer && tests/fuzzer -s1 -i1 -T20s"),
}
# lines of a test's output that say how it ended, whichever the harness
OUTCOME = re.compile(r"^(?:# (?:TOTAL|PASS|SKIP|XFAIL|FAIL|XPASS|ERROR):|(?:FAIL|ERROR|XPASS|not ok)\b|.*\b\d+ (?:passed|failed)|"
                     r".*(?:test OK|All tests|tests? (?:passed|failed)))")


class Failed(Exception):
    pass


def fetch(name, work):
    """The unpacked source of a package, by apt, with lists of its own: the machine's need not name sources."""
    top = os.path.join(work, "sources", name)
    ready = [one for one in glob.glob(top + "/*/") if os.path.isdir(one)]
    if ready:
        return ready[0]
    apt = os.path.join(work, "apt")
    os.makedirs(apt + "/lists/partial", exist_ok=True)
    os.makedirs(top, exist_ok=True)
    with open("/etc/os-release") as file:
        suite = re.search(r"VERSION_CODENAME=(\w+)", file.read())[1]
    with open(apt + "/sources.list", "w") as file:
        file.write("deb-src %s %s main\n" % (os.environ.get("MIRROR", "http://deb.debian.org/debian"), suite))
    options = ["-qq", "-o", "Dir::Etc::SourceList=%s/sources.list" % apt, "-o", "Dir::Etc::SourceParts=-",
               "-o", "Dir::State::Lists=%s/lists" % apt, "-o", "APT::Sandbox::User="]
    if not glob.glob(apt + "/lists/*Sources*"):
        step("apt-get " + " ".join(options) + " update", work, os.path.join(work, "apt.log"))
    if step("apt-get %s source %s" % (" ".join(options), name), top, os.path.join(top, "fetch.log"))[0]:
        raise Failed("its source cannot be fetched: " + os.path.join(top, "fetch.log"))
    return fetch(name, work)


def step(command, folder, log, env=None):
    """(status, processor time) of a shell's command, whose output goes to a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, "wb") as file:
        try:
            status = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=file,
                                    stderr=subprocess.STDOUT, timeout=LIMIT).returncode
        except subprocess.TimeoutExpired:
            status = 124
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def build(name, source, work, cc, jobs):
    """What one compiler made of a project: {what: result}."""
    folder, logs = os.path.join(work, name, "build"), os.path.join(work, name, os.path.basename(cc))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(logs, ignore_errors=True)
    os.makedirs(logs)
    shutil.copytree(source, folder, symlinks=True)
    env = dict(os.environ, CC=cc, CILKC_BUILD=os.path.abspath(os.environ.get("CILKC_BUILD") or os.path.join(ROOT, "build")),
                MAKEFLAGS="-j%d" % jobs, LC_ALL="C.UTF-8", CILKC_PROGRESS="0")
    made = {"status": "built"}
    for what, command in zip(("configure", "build", "test"), PROJECTS.get(name, DEFAULT)):
        status, time = step(command.replace("%(cc)s", cc), folder, os.path.join(logs, what), env)
        made[what] = time
        if status:
            made["status"] = "%s failed (%d)" % (what, status)
            if what != "test":
                break
    made["answers"] = answers(folder)
    made["warnings"] = warnings(os.path.join(logs, "build"))
    made["outcome"] = outcome(os.path.join(logs, "test"))
    made["size"] = text_size(folder)
    return made


def answers(folder):
    """What configure found out: the lines of all config headers."""
    found = []
    for path in sorted(glob.glob(folder + "/**/*config.h", recursive=True) + glob.glob(folder + "/**/[z]conf.h", recursive=True)):
        with open(path, errors="replace") as file:
            found += ["%s: %s" % (os.path.relpath(path, folder), line.rstrip()) for line in file
                      if re.match(r"\s*(#\s*define|/\* #undef)", line)]
    return found


def warnings(log):
    counts = {}
    if os.path.exists(log):
        with open(log, errors="replace") as file:
            for line in file:
                found = re.search(r"warning: .*?(\[-W[\w=+-]+\])?$", line)
                if found:
                    name = (found[1] or "[other]")[1:-1]
                    counts[name] = counts.get(name, 0) + 1
    return counts


def outcome(log):
    if not os.path.exists(log):
        return []
    with open(log, errors="replace") as file:
        return sorted(line.rstrip() for line in file if OUTCOME.match(line))


def text_size(folder):
    """Bytes of code in the programs that the build made."""
    total = 0
    for path in glob.glob(folder + "/**/*", recursive=True):
        if os.path.isfile(path) and not os.path.islink(path) and os.access(path, os.X_OK):
            with open(path, "rb") as file:
                if file.read(4) != b"\x7fELF":
                    continue
            said = subprocess.run(["size", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
            total += int(said.splitlines()[1].split()[0]) if said.count("\n") > 1 else 0
    return total


def compare(name, gcc, ours):
    """Prints the differences; is cilkc as good as gcc?"""
    nothing = gcc["status"].startswith(("configure", "build"))      # it was compared with nothing
    good = ours["status"] == gcc["status"] and ours["outcome"] == gcc["outcome"] and not nothing
    print("%s: gcc %s, cilkc %s%s" % (name, gcc["status"], ours["status"], "" if good else "   <-- differs"))
    for what in ("answers", "outcome"):
        lines = [line for line in difflib.unified_diff(gcc[what], ours[what], "gcc", "cilkc", lineterm="", n=0)
                 if not line.startswith(("---", "+++", "@@"))]
        label = {"answers": "configure", "outcome": "tests"}[what]
        print("  %-10s %s" % (label, "%d lines, the same" % len(gcc[what]) if not lines else "differ:"))
        for line in lines[:40]:
            print("    " + line)
    for flag in sorted(gcc["warnings"].keys() | ours["warnings"].keys()):
        counts = gcc["warnings"].get(flag, 0), ours["warnings"].get(flag, 0)
        if counts[0] != counts[1]:
            print("  warnings   -%s: gcc %d, cilkc %d" % (flag.lstrip("-"), *counts))
    for what in ("configure", "build", "test"):
        if what in gcc and what in ours:
            print("  %-10s %.1f s of processor time by gcc, %.1f s by cilkc" % (what, gcc[what], ours[what]))
    print("  size       %d bytes of code by gcc, %d by cilkc" % (gcc["size"], ours["size"]))
    sys.stdout.flush()
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=[], help="source packages; without any, those with a row of their own")
    parser.add_argument("--work", default="build/projects")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    work = os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    wrong = []
    for name in options.names or sorted(PROJECTS):
        try:
            source = fetch(name, work)
            gcc, ours = (build(name, source, work, cc, options.jobs) for cc in ("gcc", CILKC))
        except Failed as failure:
            print("%s: %s" % (name, failure))
            wrong.append(name)
            continue
        if not compare(name, gcc, ours):
            wrong.append(name)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
