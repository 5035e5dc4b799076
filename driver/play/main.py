"""`cilkc play`: finds a sandbox, starts the server, prints the address of the page, and runs until it is
interrupted."""

import os
import subprocess
import sys

from cilkc_driver import console, home
from cilkc_driver.console import Stop
from grade import cell, sandbox

from . import doors, server, shares, work

LANGUAGES = {".cilk": "cilk", ".cilk1": "cilk1", ".c": "c"}


def start(file, settings):
    """A server that is ready to serve."""
    home.cilkc1()
    first = None
    if file is not None:
        suffix = os.path.splitext(file)[1]
        if suffix not in LANGUAGES:
            raise Stop("%s: a file of .cilk, .cilk1 or .c is expected" % file, 2)
        try:
            with open(file, encoding="utf-8", errors="replace") as opened:
                first = [os.path.basename(file), opened.read(work.MOST_TEXT + 1)]
        except OSError as error:
            raise Stop("%s: %s" % (file, error.strerror))
    if settings["no_sandbox"]:
        kind = sandbox.Bare()
    else:
        names = [settings["sandbox"]] if settings["sandbox"] != "auto" else list(sandbox.KINDS)
        kind = sandbox.choose(names, [os.getcwd()], cell.works)
    if settings["class_"]:
        place = {"door": doors.Visitors(settings["origin"], settings["visitor_header"]), "listen": settings["listen"],
                 "shares": settings["shares"] and shares.Shares(settings["shares"], settings["share_days"])}
        limits = work.LIMITS.but(time=settings["seconds"])
        does = work.Work(kind, settings["jobs"] or os.cpu_count() or 1, limits)
    else:
        place, does = {}, work.Work(kind)
    try:
        return server.Server(settings["port"], does, first, **place)
    except OSError as error:
        raise Stop("cannot listen on port %d: %s" % (settings["port"], error.strerror))


def main(file, settings):
    only = [name for name in ("origin", "jobs", "shares", "visitor_header") if settings[name]]
    if only and not settings["class_"]:
        raise Stop("--%s is for --class" % only[0].replace("_", "-"), 2)
    if settings["class_"] and not settings["origin"]:
        raise Stop("--class needs --origin: the address under which visitors open the page", 2)
    made = start(file, settings)
    print("cilkc play: %s; ctrl-C ends it" % (
        "listens on %s:%d for %s" % (settings["listen"], made.server_port, made.address) if settings["class_"]
        else "open %s in a browser" % made.address), flush=True)
    if settings["browser"]:
        try:
            subprocess.Popen(["xdg-open", made.address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
        except OSError:
            console.message("note", "there is no xdg-open to start a browser with")
    try:
        made.until_interrupted()
    finally:
        made.work.close()
        sys.stdout.flush()
    return 0
