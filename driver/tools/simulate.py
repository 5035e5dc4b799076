"""`cilkc simulate`: a program of Cilk-1 on more processors than there are: built, run on virtual processors (--simulate of its runtime), the paper's columns side by side."""

import json
import os
import subprocess

from cilkc_driver.tools import Stop

from . import instrumented

MOST = 4096
ROWS = (("T_1", lambda r: r["T1"]), ("T_inf", lambda r: r["Tinf"]), ("T_1/T_inf", lambda r: ratio(r["T1"], r["Tinf"])), ("threads", lambda r: r["threads"]),
        ("T_P", lambda r: r["TP"]), ("T_1/P + T_inf", lambda r: r["T1"] / r["P"] + r["Tinf"]), ("T_1/T_P", lambda r: ratio(r["T1"], r["TP"])),
        ("space/proc", lambda r: r["space"]), ("requests/proc", lambda r: r["requests"] / r["P"]), ("steals/proc", lambda r: r["steals"] / r["P"]))


def ratio(a, b):
    return a / b if b else 0


def number(x):
    return str(x) if isinstance(x, int) else "%.6g" % x


def table(lines):
    """Text: a column for each number of processors."""
    columns = [["P", *(name for name, _ in ROWS)]] + [[str(line["P"]), *(number(value(line)) for _, value in ROWS)] for line in lines]
    widths = [max(map(len, column)) for column in columns]
    return "\n".join("  ".join([columns[0][i].ljust(widths[0])] + [c[i].rjust(w) for c, w in zip(columns[1:], widths[1:])]) for i in range(len(columns[0])))


def processors(text):
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and 1 <= int(word) <= MOST for word in words):
        raise Stop("-P %s: numbers of processors are wanted, from 1 to %d: 8,32,256" % (text, MOST), 2)
    return [int(word) for word in words]


def main(words, settings):
    return instrumented.session(lambda temp: run(words, settings, temp), instrumented.NOT_RUN)


def run(words, settings, temp):
    flags, arguments = instrumented.split(words)
    numbers = processors(settings["processors"])
    instrumented.check(flags, "cilkc simulate")
    program, file = temp.file("program"), temp.file("simulation")
    if not instrumented.build(flags, program, ["-cilk-span=count"] if settings["counted"] else []):
        return instrumented.NOT_RUN
    options = ["--simulate", ",".join(map(str, numbers)), *(["--simulate-costs", settings["costs"]] if settings["costs"] else [])]
    done = subprocess.run([program, *options, *arguments], env={**os.environ, "CILK_SIMULATION": file}, stderr=subprocess.PIPE, text=True, errors="replace",
                          check=False)
    if done.returncode or not os.path.exists(file):
        raise Stop(done.stderr.strip() or "the program ended with status %d, and without a computation of Cilk-1" % done.returncode, done.returncode or 1)
    with open(file) as text:
        lines = [json.loads(line) for line in text]
    print(json.dumps(lines, indent=1) if settings["json"] else "\n" + table(lines) + "\n\n(times in %s)" % lines[0]["unit"])
    return 0
