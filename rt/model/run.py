"""Checks every model in this folder with SPIN, and that its mutations fail.  python3 rt/model/run.py

A search that did not see all states proves nothing: one that ended at its limit of depth or memory counts as failed, and so does a
machine without spin. Exit status: 0 all is as it must be, 1 not, 2 nothing could be checked.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIMITS = ["-DMEMLIM=4000"]
DEPTH = 200000
CUT_OFF = ("max search depth too small", "out of memory", "memory limit", "Search not completed", "hit the max")


def mutations(model):
    """What the model can leave out: every name that it asks the preprocessor for."""
    return list(dict.fromkeys(re.findall(r"^#ifn?def (\w+)", model.read_text(), re.M)))


def verdict(report):
    """'ok', 'fails', or why the search proves nothing."""
    found = re.search(r"errors: (\d+)", report)
    if found and int(found.group(1)):
        return "fails"
    for text in CUT_OFF:
        if text in report:
            return "was cut off: " + text
    return "ok" if found else "gave no result"


def search(model, define=None, limits=LIMITS, depth=DEPTH):
    """The verdict of an exhaustive search, and SPIN's report."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["spin", "-a"] + (["-D" + define] if define else []) + [str(model)]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cc", "-O2", "-w", "-DSAFETY", *limits, "-o", "pan", "pan.c"], cwd=folder, check=True)
        done = subprocess.run(["./pan", "-m%d" % depth], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode < 0:
        return "ended by signal %d" % -done.returncode, done.stdout
    return verdict(done.stdout), done.stdout


def main():
    for tool in ("spin", "cc"):
        if not shutil.which(tool):
            print("%s is not installed: nothing is checked" % tool, file=sys.stderr)
            return 2
    models = sorted(HERE.glob("*.pml"))
    bad = 0 if models else 2
    for model in models:
        found, report = search(model)
        print("%-12s %s" % (model.name, found), flush=True)
        if found != "ok":
            bad = 1
            print(report)
        for define in mutations(model):
            found, report = search(model, define)
            print("%-12s -D%s %s" % (model.name, define, "fails, as it must" if found == "fails" else "passes: the model is too weak" if found == "ok" else found),
                  flush=True)
            bad |= found != "fails"
    return bad


if __name__ == "__main__":
    sys.exit(main())
