"""`cilkc race --nproc N`: a first run on N workers, which says whether there is anything for the serial detector.

The program is compiled with its clones and reports to rt/tools/strands. Its run ends at the first two accesses that may
be a finding of any type, or at the first thing that only the serial detector knows; what it has printed until then is
thrown away, and the serial run follows. So what is reported is always what the serial detector reports.
"""

import json
import os
import shutil
import sys

from cilkc_driver import console

from . import instrumented, progress
from .race_report import Report


def possible(flags):
    return not instrumented.piped(flags) or alone("a source that can be read once")


def look(runs, workers):
    """The report of a run without findings; None: the serial detector has to look. The program is built."""
    temp = runs.temp
    path, printed = temp.file("strands"), [temp.file("stdout"), temp.file("stderr")]
    descriptors = [os.open(name, os.O_WRONLY | os.O_CREAT, 0o600) for name in printed]
    runs.progress.more(1)
    try:
        with runs.progress.step("running on %d workers" % workers, progress.program_is_quiet(False, False)):
            status = instrumented.execute(runs.program, runs.arguments,
                                          {"CILK_STRANDS_REPORT": path, "CILK_NPROC": str(workers)},
                                          runs.input.open(temp), *descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    rows = list(rows_of(path))
    if any("suspect" in row for row in rows):
        return None
    for row in rows:
        if "cannot" in row:
            return alone(row["cannot"])
    report = Report(path, status, runs.order)
    if not report.ended:
        return alone("a run on several workers that %s" % report.failed)
    for name, to in zip(printed, (sys.stderr if runs.output_aside else sys.stdout, sys.stderr)):
        to.flush()
        with open(name, "rb") as text:
            shutil.copyfileobj(text, to.buffer)
        to.flush()
    report.workers = workers
    return report


def rows_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue    # the program was killed while it wrote
                if isinstance(row, dict):
                    yield row
    except OSError:
        pass


def alone(what):
    console.message("note", "cilkc race: one worker, because of %s" % what)
