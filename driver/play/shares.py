"""Programs that visitors share: a folder of files, each named by a hash of what it holds, so that the same program has
the same link. A file that was not shared again for so many days is gone, and so are the oldest of a folder that is
too large.
"""

import base64
import contextlib
import hashlib
import os
import re
import tempfile
import time

MOST_BYTES = 256 << 20
NAME = re.compile(r"[a-z2-7]{24}")


class Shares:
    """Thread-safe, and several servers may use one folder."""

    def __init__(self, folder, days):
        self.folder, self.seconds = folder, days * 86400
        os.makedirs(folder, mode=0o700, exist_ok=True)

    def put(self, data):
        """The name of these bytes. Sharing them again begins their time anew."""
        name = base64.b32encode(hashlib.sha256(data).digest()[:15]).decode().lower()
        handle, draft = tempfile.mkstemp(dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(draft, os.path.join(self.folder, name))
        except OSError:
            os.unlink(draft)
            raise
        self.tidy()
        return name

    def get(self, name):
        """The bytes, or None where there are none, or not any more."""
        if not NAME.fullmatch(name):
            return None
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                return file.read() if time.time() - os.fstat(file.fileno()).st_mtime < self.seconds else None
        except OSError:
            return None

    def tidy(self):
        files = []
        for entry in os.scandir(self.folder):
            with contextlib.suppress(OSError):
                facts = entry.stat()
                files.append((facts.st_mtime, facts.st_size, entry.path))
        total = sum(size for _, size, _ in files)
        for changed, size, path in sorted(files):
            if total <= MOST_BYTES and time.time() - changed < self.seconds:
                break
            total -= size
            with contextlib.suppress(OSError):
                os.unlink(path)
