"""`cilkc explain CODE`: the long text of a diagnostic, from the compiler's own table.

cilkc1 holds the texts, generated from the same data as its messages: `cilkc1 --explain=CODE` prints one,
`--explain=list` all codes with their severity and message, a line each.
"""

import sys

from cilkc_driver import home, processes
from cilkc_driver.console import Stop



# What people who look for races ask for, and the warnings about them.
RACES = {"race", "races", "data-race", "datarace", "determinacy", "determinacy-race", "tsan", "parallel"}
ABOUT_RACES = ["receiver-read", "receiver-written", "shared-read", "shared-written", "loop-variable-shared",
               "parallel-updates"]


def codes():
    status, text = processes.output_of([home.cilkc1(), "--explain=list"])
    if status != 0:
        raise Stop("this cilkc1 cannot list its diagnostics")
    return [line for line in text.splitlines() if line.strip()]


def print_list():
    for line in codes():
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


def print_one(code):
    code = code.strip("[]").removeprefix("-Werror=").removeprefix("-Wno-").removeprefix("-W")
    if not code:
        raise Stop("expected a code, such as receiver-read; --list shows all codes", 2)
    status, text = processes.output_of([home.cilkc1(), "--explain=" + code])
    if status != 0 or not text.strip():
        import difflib
        known = {line.split()[0]: line for line in codes()}
        if code in known:
            sys.stdout.write(known[code] + "\n")    # in the table, but without an explanation so far
            return
        # Only what is nearly the same is a guess worth making; else what contains the word, or the list.
        close = (difflib.get_close_matches(code, list(known), n=3, cutoff=0.75)
                 or [c for c in sorted(known) if len(code) > 3 and code in c][:3])
        if code.lower() in RACES:
            raise Stop(
                "there is no diagnostic '%s'; `cilkc race` finds races (docs/race.md), and these are about them: %s"
                % (code, ", ".join("'%s'" % c for c in ABOUT_RACES if c in known)), 2
            )
        hint = "; did you mean %s?" % " or ".join("'%s'" % c for c in close) if close else "; --list shows all codes"
        raise Stop("there is no diagnostic '%s'%s" % (code, hint), 2)
    sys.stdout.write(text)
    sys.stdout.flush()
