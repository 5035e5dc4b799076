"""Checks every model in this folder, and that its mutations fail.  python3 rt/model/run.py [--quick] [MODEL...]

The Promela models (*.pml) with SPIN, those of weak memory (weak/*.weak) with weak.py. --quick: models that can be
are made smaller, and only the first mutation of each Promela model is tried.

A search that did not see all states proves nothing: one that ended at its limit of depth or memory counts as failed,
and so does a machine without spin. Exit status: 0 all is as it must be, 1 not, 2 nothing could be checked.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import weak  # noqa: E402

LIMITS = ["-DMEMLIM=4000"]
DEPTH = 200000
CUT_OFF = ("max search depth too small", "out of memory", "memory limit", "Search not completed", "hit the max")


def mutations(model):
    """What the model can leave out: every name that it asks the preprocessor for."""
    return [
        name
        for name in dict.fromkeys(re.findall(r"^#(?:ifn?def |elif defined\()(\w+)", model.read_text(), re.M))
        if name != "QUICK"
    ]


def verdict(report):
    """'ok', 'fails', or why the search proves nothing."""
    found = re.search(r"errors: (\d+)", report)
    if found and int(found.group(1)):
        return "fails"
    for text in CUT_OFF:
        if text in report:
            return "was cut off: " + text
    return "ok" if found else "gave no result"


def search(model, define=None, limits=LIMITS, depth=DEPTH, quick=False):
    """The verdict of an exhaustive search, and SPIN's report."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["spin", "-a"] + (["-D" + define] if define else []) + (["-DQUICK"] if quick else []) + [str(model)]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        level = (
            "-O2" if not quick else "-O0" if define else "-O1"
        )  # a mutation ends at its first error: most of its time is the compiler's
        subprocess.run(["cc", level, "-w", "-DSAFETY", *limits, "-o", "pan", "pan.c"], cwd=folder, check=True)
        done = subprocess.run(
            ["./pan", "-m%d" % depth], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    if done.returncode < 0:
        return "ended by signal %d" % -done.returncode, done.stdout
    return verdict(done.stdout), done.stdout


def lines(model, quick):
    """The report of a model, each line with whether it is as it must be."""
    if model.suffix == ".weak":
        said = []
        bad = weak.check(model, said.append)
        return [("\n".join(said), not bad)]
    found, report = search(model, quick=quick)
    results = [("%-12s %s%s" % (model.name, found, "" if found == "ok" else "\n" + report), found == "ok")]
    for define in mutations(model)[:1 if quick else None]:
        found, report = search(model, define, quick=quick)
        results.append(
            (
                "%-12s -D%s %s"
                % (
                    model.name,
                    define,
                    "fails, as it must"
                    if found == "fails"
                    else "passes: the model is too weak"
                    if found == "ok"
                    else found,
                ),
                found == "fails",
            )
        )
    return results


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args(words)
    for tool in ("spin", "cc"):
        if not shutil.which(tool):
            print("%s is not installed: nothing is checked" % tool, file=sys.stderr)
            return 2
    models = [model.resolve() for model in options.models] or sorted(HERE.glob("*.pml")) + sorted(
        (HERE / "weak").glob("*.weak")
    )
    bad = 0 if models else 2
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda model: lines(model, options.quick), models):
            for text, right in results:
                print(text, flush=True)
                bad |= not right
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
