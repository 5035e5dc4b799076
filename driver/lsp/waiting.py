"""The command's driver, started before there is anything to compile: the interpreter and the modules of a compilation
are loaded already.

Its first argument is the folder of cilkc. It reads one line, which is JSON: the folder to run in, and the words of
`cilkc`. An end of file ends it. It loads nothing but what a compilation needs, so it is not a module of the package.
"""

import json
import os
import sys

HOME = sys.argv[1]
sys.path.insert(0, HOME + "/driver")

from cilkc_driver import compile, link, options, plan, report, start, words, work  # noqa: E402,F401

line = sys.stdin.readline()
if line:
    folder, arguments = json.loads(line)
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.exit(start.main(HOME, arguments, None))     # compilations only
