"""Does the program need a sync? For `cilkc profile`, which says how parallel it would be without.

The race detector runs the program, with the same arguments and input, and takes no notice of that sync
(rt/tools/race/bags.c). What it then finds, and does not find with the sync there, needs the sync. As always this holds
for this input.
"""

import os

from . import instrumented
from .race_report import Report, object_name


def check(early, session, limit):
    """early: WhatIf of syncs, which get their `needed` and `found`. limit: seconds for each run; one that takes longer
    says nothing."""
    program = session.temp.file("without-sync")
    if not instrumented.build(["-w", *session.flags], program, ["-cilk-tool=race", "-cilk-any-sync", "-DCILK_RACE=1"]):
        return
    runs = Runs(program, session, limit)
    with_it = None
    for what in early:
        session.progress.more(1)
        found, ended = runs.findings("%d %s" % (what.line, what.file), "without the sync after %s" % what.place)
        if found and with_it is None:
            session.progress.more(1)
            with_it, whole = runs.findings("", "with all syncs")
            if not whole:
                return
        more = [text for key, text in found.items() if key not in (with_it or {})]
        if more or ended:
            what.needed = bool(more)
            what.found = more[0] if more else ""


class Runs:
    def __init__(self, program, session, limit):
        self.program, self.session, self.limit = program, session, limit

    def findings(self, without, title):
        """{key: text} of what counts as a race; whether the run came to its end."""
        session = self.session
        path = session.temp.file("races")
        if os.path.exists(path):
            os.unlink(path)
        environment = {"CILK_RACE_REPORT": path, "CILK_RACE_SYNCHED": "1", "CILK_RACE_WITHOUT": without}
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            with session.progress.step(title):
                status = instrumented.execute(self.program, session.arguments, environment,
                                              session.input.open(session.temp), nowhere, nowhere, self.limit)
        finally:
            os.close(nowhere)
        report = Report(path, status, "note")
        report.settle()
        found = {}
        for row in report.races:
            lines = sorted({row["first"]["line"], row["second"]["line"]})
            text = "%s is used at line%s %s" % (object_name(row), "s" if len(lines) > 1 else "",
                                                " and ".join(map(str, lines)))
            found.setdefault((row["type"], object_name(row), *lines), text)
        return found, report.ended
