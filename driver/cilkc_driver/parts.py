"""Parts of the runtime that `make` alone leaves out: its other flavours, other processors, the tools' libraries.

Input: a file of the build folder that a link or a tool needs. Where it is absent and this is the tree of the sources,
make builds it, once: others that need a part meanwhile wait for a lock, which make holds to its end even when we are
killed. make puts an archive in place when it is complete. The words of the last `make` are in the folder, so that
nothing is built in another way than the rest. An installed cilkc has all parts, and never writes to its folder.
"""

import os

from . import console

from . import home

from . import processes
from .console import Stop

KEPT = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "CCACHE_DIR", "CCACHE_DISABLE")


def need(path, dry=False):
    """Sees to it that the file is there; False where we cannot build it and the caller is to say what that means."""
    build = home.build_dir()
    if os.path.exists(path) or dry or not os.path.isfile(os.path.join(home.HOME, "Makefile")):
        return os.path.exists(path)
    if not os.path.isfile(os.path.join(build, ".made-with")):
        return False                    # nothing is built there, or by other means
    name = os.path.relpath(path, build)
    target = os.path.join(os.path.relpath(build, home.HOME), name)
    by_hand = "run 'make rt' in %s" % home.HOME
    import fcntl
    try:
        with open(os.path.join(build, ".made-with")) as file:
            words = file.read().splitlines()
        lock = os.open(os.path.join(build, ".parts.lock"), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise Stop("%s is not built, and cannot be built: %s: %s; %s" % (name, build, error.strerror, by_hand))
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(path):
            return True
        if not home.which("make"):
            raise Stop("%s is not built, and there is no make to build it: %s" % (name, by_hand))
        console.write_stderr(("cilkc: building %s (once)\n" % name).encode("utf-8", "surrogateescape"))
        os.set_inheritable(lock, True)
        kept = ["%s=%s" % (key, os.environ[key]) for key in KEPT if key in os.environ]
        command = ["env", "-i", *kept, "make", "-s", "-C", home.HOME, *words, target]
        code, messages = processes.capture(command, quiet=True)
        if code or not os.path.exists(path):
            console.write_stderr(messages)
            raise Stop("%s cannot be built: %s" % (name, by_hand))
        return True
    finally:
        os.close(lock)
