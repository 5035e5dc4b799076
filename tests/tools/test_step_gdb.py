"""The values that `cilkc step` shows are those that gdb finds, at random steps of twenty programs.

gdb stops the same program, under the same schedule, where the runtime notes the point, and reads the variables of the
innermost frame of the source by the debug information, which step does not use.
"""

import json
import random
import subprocess

import pytest

from conftest import ROOT, need

from cilkc_driver import disk
from tools import step, step_view

pytestmark = pytest.mark.tier("all")

SETTINGS = {"schedule": None, "record": None, "workers": 2, "steps": 3000, "timeout": 60.0}
STEPS = 10                  # of each program
TIMES = ("begin", "end")    # what the clock showed
# the programs of samples/, with smaller inputs where the first points would be all of one kind
PROGRAMS = {"barnes": [], "blockedmul": [], "cholesky": [], "cilksort": ["3000"], "fft": [], "fib": ["7"], "heat": [],
            "hello": [], "inlets": [], "knapsack": [], "knary": ["4", "3", "1"], "locks": [], "loop": [], "lu": [],
            "matmul": [], "mergesort": [], "nqueens": [], "pipeline": [], "queens": ["6"], "strassen": []}

IN_GDB = r"""
import gdb, json
points, file, found = %(points)r, %(file)r, {}


def leaves(value):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        return [leaves(value[i]) for i in range(low, min(high, low + %(cells)d - 1) + 1)]
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return [leaves(value[field]) for field in kind.fields()]
    if kind.code == gdb.TYPE_CODE_FLT:
        return "%%.6g" %% float(value)
    return str(int(value))


gdb.execute("set pagination off")
gdb.execute("set print thread-events off")
stop = gdb.Breakpoint("cilk_points_at")
stop.condition = " || ".join("$rsi == %%d" %% point for point in points)
gdb.execute("run")
while len(found) < len(points) and gdb.selected_inferior().pid:
    point, frame, values = int(gdb.parse_and_eval("$rsi")), gdb.newest_frame(), {}
    while frame and not (frame.find_sal().symtab and frame.find_sal().symtab.filename.endswith(file)):
        frame = frame.older()
    block = frame.block() if frame else None
    while block and not block.is_global and not block.is_static:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in values:
                try:
                    values[symbol.name] = leaves(symbol.value(frame))
                except (gdb.error, gdb.MemoryError, TypeError):
                    pass
        block = block.superblock
    found[point] = values
    if len(found) < len(points):
        gdb.execute("continue")
gdb.execute("kill")
with open(%(out)r, "w") as out:
    json.dump(found, out)
"""


def in_gdb(stepping, shown, points, folder):
    runs = stepping.runs
    text = IN_GDB % {"points": points, "file": stepping.files[0].rpartition("/")[2], "cells": 24, "out": str(folder / "found.json")}
    (folder / "look.py").write_text(text)
    schedule = "turns:2:" + ",".join("%d=%d" % s for s in shown.switches)
    environment = {"CILK_EXPLORE": str(folder / "log"), "CILK_EXPLORE_POINTS": "1-3000", "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    words = ["gdb", "-nx", "-batch", "-x", str(folder / "look.py"), "--args", runs.program, "--sched=" + schedule, "--", *runs.arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL)
    assert (folder / "found.json").exists(), done.stdout[-3000:] + done.stderr[-3000:]
    return {int(point): values for point, values in json.loads((folder / "found.json").read_text()).items()}


def nested(view, shape):
    if isinstance(shape, int):
        return view.leaves.get(shape, "?")
    return [nested(view, one) for one in shape.get("a") or [member[1] for member in shape["m"]]]


def compared(ours, theirs, where):
    """How many leaves are equal."""
    if isinstance(ours, list):
        return sum(compared(*pair, where) for pair in zip(ours, theirs)) if isinstance(theirs, list) else 0
    if ours == "?" or ours.startswith('"') or ours.endswith("…") or isinstance(theirs, list):
        return 0
    if ours.startswith(("→", "0x", "NULL")):
        assert (theirs == "0") == (ours == "NULL"), (where, ours, theirs)
        return 1
    if ours.startswith("'"):
        theirs = repr(chr(int(theirs)))
    assert ours == theirs, (where, ours, theirs)
    return 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_gdbs(name, tmp_path):
    need("gdb")
    temp = disk.TempDir()
    try:
        stepping = step.Stepping(["-w", "-O0", str(ROOT / "samples" / (name + ".cilk")), "--", *PROGRAMS[name]],
                                 dict(SETTINGS, seed=len(name)), temp)
        shown = stepping.first()
        shown = stepping.by(shown.switches)
        story, view = shown.story, step_view.View(shown.story)
        known = [i for i, s in enumerate(story.steps) if s.procedure and s.kind != "return" and s.file.endswith(name + ".cilk")
                 and s.instance >= 0]
        chosen = sorted(random.Random(name).sample(known, min(STEPS, len(known))))
        theirs = in_gdb(stepping, shown, [story.steps[i].number for i in chosen], tmp_path)
        equal = 0
        for i in chosen:
            at = view.go(i)
            for number in (view.frames.get(at.instance) or [["", []]])[-1][1]:
                variable = story.values.variables[number]
                value = theirs[at.number].get(variable.name)
                if value is not None and variable.name not in TIMES:
                    equal += compared(nested(view, variable.shape), value, "%s, point %d, line %d: %s" % (
                        name, at.number, at.line, variable.name))
        assert equal >= len(chosen) // 2, equal
    finally:
        temp.clean()
