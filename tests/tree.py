"""The project's own files, for the tests of its rules: which there are, what they include, which have a word."""

import re

from conftest import ROOT

COMPILER = "frontend", "codegen", "driver/cilkc1"
STRING = r'"(?:[^"\\\n]|\\.)*"'


def sources(*folders, suffixes=(".cpp", ".h")):
    """The files below these folders, or of the whole compiler; not those of packages that npm put there."""
    return sorted(
        path
        for folder in folders or COMPILER
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes and "node_modules" not in path.parts
    )


def name_of(path):
    return str(path.relative_to(ROOT))


def users(what, *folders, without=r"//.*", **options):
    """The names of the files that match an expression, outside of what `without` matches."""
    return {
        name_of(path) for path in sources(*folders, **options) if re.search(what, re.sub(without, "", path.read_text()))
    }


def code(path):
    """The text of a C file without its comments."""
    return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)


def includes(*folders):
    """(file, included name) of all sources below folders, or of the whole compiler."""
    for path in sources(*folders, suffixes=(".cpp", ".h", ".c", ".def")):
        for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(), re.M):
            yield path.relative_to(ROOT), name


def circles(graph):
    """The sets of names of {name: names} that reach one another, or themselves."""
    def reached(name):
        found, left = set(), [name]
        while left:
            for other in graph.get(left.pop(), ()):
                if other not in found:
                    found.add(other)
                    left.append(other)
        return found

    reach = {name: reached(name) for name in graph}
    return {frozenset(b for b in reach[a] if a in reach.get(b, ())) for a in graph if a in reach[a]}
