"""`cilkc dap`: a debug adapter for editors, on standard input and output. The adapter is gdb_dap.py and runs inside gdb,
where the program's data is; this starts gdb, gives it the two channels by number, and ends it."""

import os

from cilkc_driver import home
from cilkc_driver.console import Stop

from . import debug, instrumented


def main():
    return instrumented.session(serve, instrumented.NOT_RUN)


def serve(temp):
    gdb = home.which("gdb")
    if gdb is None:
        raise Stop("gdb is not installed: 'cilkc doctor' says how to get it", instrumented.NOT_RUN)
    if os.isatty(0):
        raise Stop("an editor starts this command and speaks with it on standard input", instrumented.NOT_RUN)
    channels = os.dup(0), os.dup(1)
    for channel in channels:
        os.set_inheritable(channel, True)
    asleep, _ = os.pipe()           # gdb ends when its own input does, which is when we end
    os.dup2(asleep, 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    words = (*channels, os.path.join(os.path.abspath(home.HOME), "cilkc"), temp.file("program"))
    return debug.start([gdb, "-nx", "-q", "-iex", "set auto-load off", "-ex", "python import sys; sys.path.insert(0, %r); import gdb_dap; "
                        "gdb_dap.serve%r" % (os.path.dirname(home.gdb_script()), words)])
