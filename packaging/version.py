"""Every place that states cilkc's version:  packaging/version.py [VERSION]

The one that others follow is VERSION in driver/cilkc_driver/home.py, which the command, CMake's package, the packages
and the recipes read. The files below repeat it, since their readers know nothing else. With a version on the command
line it is written into all of them; without one the places that disagree are listed, and the status is 1.
"""

import glob
import os
import re
import sys

NUMBER = r"(\d+\.\d+\.\d+)"
# files of the tree, and what stands around the version in them; each match counts
PLACES = [
    ("driver/cilkc_driver/home.py", r'^VERSION = "%s"'),
    ("rt/core/base/options.c", r"cilkc runtime %s "),
    ("CITATION.cff", r"^version: %s$"),
    ("editors/compiler-explorer/c.local.properties", r"semver=%s$"),
    ("editors/jupyter/pyproject.toml", r'^version = "%s"'),
    ("editors/*/package.json", r'^  "version": "%s"'),
    ("editors/*/package-lock.json", r'^      "name": "[^"]*",\n      "version": "%s"|^  "version": "%s"'),
    ("editors/tree-sitter/tree-sitter.json", r'"metadata": {"version": "%s"'),
    ("editors/tree-sitter/generate/Cargo.toml", r'^version = "%s"'),
    ("editors/tree-sitter/generate/Cargo.lock", r'^name = "generate"\nversion = "%s"'),
]


def places(root):
    """[(file, its text, the pattern)]"""
    for names, pattern in PLACES:
        for path in sorted(glob.glob(os.path.join(root, names))):
            with open(path) as file:
                yield path, file.read(), re.compile(pattern.replace("%s", NUMBER), re.M)


def stated(root):
    """[(file, version)] of all places; a file that has none gives None."""
    made = []
    for path, text, pattern in places(root):
        found = [next(filter(None, match.groups())) for match in pattern.finditer(text)]
        made += [(path, version) for version in found or [None]]
    return made


def write(root, version):
    for path, text, pattern in places(root):
        new = pattern.sub(lambda match: re.sub(NUMBER, version, match[0]), text)
        if new != text:
            with open(path, "w") as file:
                file.write(new)


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if len(sys.argv) > 1:
        if not re.fullmatch(NUMBER, sys.argv[1]):
            sys.exit("usage: packaging/version.py [MAJOR.MINOR.PATCH]")
        write(root, sys.argv[1])
    found = stated(root)
    wrong = [(path, version) for path, version in found if version != found[0][1]]
    for path, version in wrong:
        print("%s: %s instead of %s" % (os.path.relpath(path, root), version or "no version", found[0][1]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
