"""The results so far, one file for each submission: what makes a run resumable.

A result is used again where its key is the same: a digest of the specification with its files, of the submission,
and of the compiler. Files get their names when they are complete, so an interrupted run leaves whole results only.
"""

import hashlib
import json
import os
import re
import stat

from cilkc_driver import home
from cilkc_driver.console import Stop

from . import report, workshop

VERSION = 2         # of the form of a result
LONGEST = 180       # bytes of a name; a suffix follows, and systems take 255


def file_part(name):
    """A name for files, whatever the submission is called. One that is too long, or has other characters, ends with
    its digest: two submissions never share a file."""
    made = re.sub(r"[^\w.+-]", "_", name.lstrip(".")) or "_"
    start = made.encode()[:LONGEST].decode(errors="ignore")
    return name if start == name else "%s-%s" % (start, hashlib.sha256(name.encode()).hexdigest()[:12])


def compiler_state():
    state = os.stat(home.cilkc1())
    return "%s %d %d" % (home.VERSION, state.st_size, state.st_mtime_ns)


def digest(path):
    """A digest of the files that are taken from a submission. A submission that is too large is read in part."""
    made, read = hashlib.sha256(), 0
    files, remarks = workshop.regular_files(path)
    for name, full in files:
        made.update(os.fsencode(name) + b"\0")
        try:
            fd = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(fd, "rb") as file:
                if read <= workshop.MOST_BYTES and stat.S_ISREG(os.fstat(fd).st_mode):
                    data = file.read(workshop.MOST_BYTES + 1)
                    read += len(data)
                    made.update(hashlib.sha256(data).digest())
        except OSError as error:
            made.update(str(error.errno).encode())
    made.update("\n".join(remarks).encode())
    return made.hexdigest()


class Store:
    def __init__(self, folder, spec, again):
        self.folder, self.again = folder, again
        self.base = hashlib.sha256(
            ("%d %s %s %d" % (VERSION, spec.fingerprint(), compiler_state(), os.cpu_count() or 1)).encode()
        ).hexdigest()
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise Stop("%s: %s" % (folder, error.strerror), 2)

    def key(self, path):
        return hashlib.sha256((self.base + digest(path)).encode()).hexdigest()

    def file(self, name, suffix):
        return os.path.join(self.folder, file_part(name) + suffix)

    def get(self, name, key):
        """The result of an earlier run, or None."""
        if self.again:
            return None
        try:
            with open(self.file(name, ".json"), encoding="utf-8") as file:
                result = json.load(file)
        except (OSError, ValueError):
            return None
        return result if isinstance(result, dict) and result.get("key") == key else None

    def put(self, result):
        self.write(result["submission"], ".txt", report.one(result))
        self.write(result["submission"], ".json", json.dumps(result, indent=1) + "\n")

    def write(self, name, suffix, text):
        target = self.file(name, suffix)
        aside = "%s.%d" % (target, os.getpid())
        try:
            with open(aside, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(aside, target)
        except OSError as error:
            raise Stop("%s: %s" % (target, error.strerror))
        finally:
            if os.path.exists(aside):
                os.unlink(aside)
