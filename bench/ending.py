"""How a measurement ends: its status, a message in place of a traceback, and no program left.

SIGINT, SIGTERM and SIGHUP first end all programs that were started, and theirs. Nothing unwinds then: threads that
compile would start the next program.
"""

import os
import signal
import sys

from .cases import ROOT

sys.path.append(os.path.join(ROOT, "driver"))

from cilkc_driver import processes, start  # noqa: E402


def children():
    for thread in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/children" % thread) as file:
                yield from map(int, file.read().split())
        except OSError:
            pass                    # that thread has ended


def stop(number, frame):
    left = list(children())
    while left:
        for child in left:
            processes.adopt(child)
        processes.end_all()
        left = list(children())
    os.write(2, b"stopped\n")
    os._exit(128 + number)


def report(problem):
    name = problem.filename if isinstance(getattr(problem, "filename", None), str) else None
    text = getattr(problem, "strerror", None) or str(problem)
    print("cilkc bench: error: %s%s" % (name + ": " if name else "", text), file=sys.stderr)


def guard(main):
    """The exit status of main()."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    start.wrap_streams()
    try:
        return start.status_of(main)
    except BrokenPipeError:     # `cilkc bench --list | head`
        pass
    except (OSError, ValueError) as problem:    # `--help > /dev/full`, an unreadable file of results
        report(problem)
    start.forget_stdout()
    return 1
