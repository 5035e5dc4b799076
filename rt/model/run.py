"""Checks every model in this folder with SPIN, and that its mutations fail.  python3 rt/model/run.py"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MUTATIONS = {"the": ["NOFENCE"], "release": ["LATE"]}


def errors(model, define=None):
    """The number of errors that an exhaustive search finds, and SPIN's report."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["spin", "-a"] + (["-D" + define] if define else []) + [str(model)]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cc", "-O2", "-w", "-DSAFETY", "-DMEMLIM=4000", "-o", "pan", "pan.c"], cwd=folder, check=True)
        out = subprocess.run(["./pan", "-m200000"], cwd=folder, stdout=subprocess.PIPE, text=True).stdout
    for line in out.splitlines():
        if "errors:" in line:
            return int(line.rsplit("errors:", 1)[1]), out
    return 1, out


def main():
    if not shutil.which("spin"):
        print("spin is not installed: nothing checked", file=sys.stderr)
        return 0
    bad = 0
    for model in sorted(HERE.glob("*.pml")):
        found, report = errors(model)
        print("%-12s %s" % (model.name, "ok" if found == 0 else "FAILS"))
        if found:
            bad = 1
            print(report)
        for define in MUTATIONS.get(model.stem, []):
            found, report = errors(model, define)
            print("%-12s %s" % (model.name, "-D%s fails, as it must" % define if found else "-D%s passes: the model is too weak" % define))
            bad |= found == 0
    return bad


if __name__ == "__main__":
    sys.exit(main())
