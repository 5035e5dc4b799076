"""`cilkc doctor`: what is found, what is missing, how to get it.

A rich table on a terminal, tab-free plain lines when piped.  The list itself is deps.py's.
"""

import os
import sys

from . import deps
from . import tools


def own_parts():
    """(name, why, found or None, hint) of what this checkout builds itself."""
    parts = []
    compiler = os.path.join(tools.build_dir(), "cilkc1")
    parts.append(("cilkc1", "the native compiler", compiler if os.access(compiler, os.X_OK) else None, "make"))
    runtime = tools.library("libcilkrt.a")
    parts.append(("runtime", "workers, deques, scheduler", runtime if os.path.exists(runtime) else None, "make"))
    for name in ("click", "rich", "jinja2"):
        try:
            module = __import__(name)
            where = os.path.dirname(module.__file__)
        except ImportError:
            where = None
        parts.append((name, "Python package", where, "make setup"))
    return parts


def rows():
    result = []
    missing = []
    for dep in deps.DEPS:
        found = dep.find()
        if found is None and dep.kind != "dev":
            missing.append(dep)
        state = "ok" if found else ("missing" if dep.kind != "dev" else "optional")
        result.append((state, dep.name, found.version if found else "", found.where if found else "", dep.why))
    broken = False
    for name, why, where, hint in own_parts():
        broken = broken or where is None
        result.append(("ok" if where else "missing", name, "" if where else "run '%s'" % hint, where or "", why))
    return result, missing, broken


def main():
    table, missing, broken = rows()
    advice = ["%s" % line for _, line in deps.install_lines(missing)] if missing else []
    if tools.colour_of(None, 1) == "always":
        print_rich(table, missing, advice)
    else:
        print_plain(table, missing, advice)
    return 1 if missing or broken else 0


def print_plain(table, missing, advice):
    for state, name, version, where, why in table:
        line = "%-9s %-18s %-12s %s" % (state, name, version, where or why)
        print(line.rstrip())
    if missing:
        print("\nto install what is missing: 'make setup', or by hand one of")
        for line in advice:
            print("  " + line)
    sys.stdout.flush()


def print_rich(table, missing, advice):
    from rich.console import Console
    from rich.table import Table
    shades = {"ok": "green", "missing": "bold red", "optional": "yellow"}
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("", "what", "version", "where", "for"):
        shown.add_column(heading, overflow="fold")
    for state, name, version, where, why in table:
        shown.add_row("[%s]%s[/]" % (shades[state], state), name, version, where, why)
    console = Console()
    console.print(shown)
    if missing:
        console.print("\nTo install what is missing: [bold]make setup[/bold], or by hand one of")
        for line in advice:
            console.print("  " + line, highlight=False)
