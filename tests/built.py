"""One cache of compiled programs and of reference results for all tests, all processes of a run, and all runs on the
same build.

An entry is a folder BUILD/test-cache/TOOLCHAIN/KEY. TOOLCHAIN is a hash of all that a compilation depends on beside
its sources: the compiler, the archives of the runtime, the headers of stdlib/, the Python command, and the versions
of gcc, LLVM and the C library. KEY is a hash of the command's words and of the text of each source, with all that it
includes by `#include "..."`. So an entry never changes, and each process that finds it may use it.

A file lock lets one process make an entry while others wait for it. An entry appears by one rename: a process that
is killed leaves no half of one.
"""

import contextlib
import ctypes.util
import fcntl
import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from tiers import TALLY

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
KEPT = 2                                                    # toolchains whose entries stay


def digest_of(*parts):
    sum_ = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        sum_.update(b"%d:" % len(data) + data)
    return sum_.hexdigest()[:32]


def toolchain(build):
    """A hash of what makes programs out of sources."""
    parts: "list[object]" = [os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else ""]
    paths = [build / "cilkc1", ROOT / "cilkc"]
    for folder, pattern in (
        (build / "lib", "**/*.a"),
        (ROOT / "stdlib", "**/*"),
        (ROOT / "driver/cilkc_driver", "**/*.py"),
        (ROOT / "driver/commands", "**/*.py"),
        (ROOT / "rt", "**/*.h"),
    ):
        paths += sorted(path for path in folder.glob(pattern) if path.is_file())
    for path in paths:
        parts += [path, path.read_bytes() if path.exists() else b"missing"]
    for name in ("gcc", "cc", "ld", "as"):
        found = shutil.which(name)
        parts += [
            name,
            found and os.path.realpath(found),
            found and os.stat(found).st_mtime_ns,
            found and os.stat(found).st_size,
        ]
    parts += sorted(str(path) for path in Path("/usr/lib").glob("*/libLLVM*")) + [ctypes.util.find_library("m")]
    parts += [
        os.environ.get(name, "")
        for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "SANITIZE", "CPATH", "LIBRARY_PATH")
    ]
    return digest_of(*parts)


def start(build):
    """Called once in a run: names the toolchain for all processes of it, and removes the entries of old ones."""
    folder = build / "test-cache"
    os.environ["CILKC_TEST_CACHE"] = str(folder / toolchain(build))
    Path(os.environ["CILKC_TEST_CACHE"]).mkdir(parents=True, exist_ok=True)
    os.utime(os.environ["CILKC_TEST_CACHE"])
    for old in sorted(folder.iterdir(), key=lambda path: -path.stat().st_mtime)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def texts_of(source, seen):
    """The source and all files that it includes by a quoted name, as far as they are there."""
    source = Path(source).resolve()
    if source in seen or not source.is_file():
        return
    seen[source] = source.read_bytes()
    for name in INCLUDE.findall(seen[source].decode("utf-8", "replace")):
        for folder in (source.parent, ROOT, *ROOT.glob("rt/*"), ROOT / "stdlib"):
            texts_of(folder / name, seen)


def kept(words, sources, make):
    """The folder in which make(folder) was called once for these words and these sources. `words` holds all else that
    make depends on."""
    seen: "dict[Path, bytes]" = {}
    for source in sources:
        texts_of(source, seen)
    key = digest_of(*words, "of", *(part for path in sorted(seen) for part in (path, seen[path])))
    cache = Path(os.environ["CILKC_TEST_CACHE"])
    entry, cost = cache / key, cache / key / ".processes"
    if not cost.exists():
        with open(cache / (key + ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not cost.exists():
                new = cache / (key + ".new")
                shutil.rmtree(new, ignore_errors=True)
                new.mkdir()
                before, inner = TALLY.processes, dict(TALLY.shared)
                try:
                    make(new)
                    (new / ".processes").write_text(json.dumps(TALLY.processes - before))
                    os.rename(new, entry)
                except BaseException:
                    shutil.rmtree(new, ignore_errors=True)
                    TALLY.shared.clear()
                    TALLY.shared.update(inner)
                    raise
                TALLY.processes = before
        with contextlib.suppress(FileNotFoundError):
            os.unlink(cache / (key + ".lock"))
    TALLY.shared[key] = json.loads(cost.read_text())
    return entry


def sources_of(words):
    """The words of a command that name files with a text."""
    return [
        word
        for word in words
        if Path(str(word)).suffix in (".cilk", ".cilk1", ".c", ".h", ".cilkh") and Path(str(word)).is_file()
    ]
