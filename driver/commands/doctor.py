"""`cilkc doctor`: what is found, what is missing, how to get it.

A rich table on a terminal, tab-free plain lines when piped.  The list itself is deps.py's.
"""

import os
import subprocess
import sys

from cilkc_driver import console, deps, home


def in_tree():
    return os.path.isdir(os.path.join(home.HOME, "tests"))


def own_parts():
    """(name, why, found or None, hint) of what this checkout builds itself."""
    parts = []
    compiler = os.path.join(home.build_dir(), "cilkc1")
    built = "run 'make'" if in_tree() else "install cilkc again"
    # Run it: a library that it needs may be gone.
    ran = (subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") if os.access(compiler, os.X_OK) else None)
    starts = ran is not None and ran.returncode == 0
    parts.append(("cilkc1", "the native compiler", compiler if starts else None,
                  built if starts or ran is None else ran.stdout.strip().replace(compiler + ": ", "") or built))
    runtime = home.library("libcilkrt.a")
    parts.append(("runtime", "workers, deques, scheduler", runtime if os.path.exists(runtime) else None, built))
    for name in ("click", "rich") + (("pytest",) if in_tree() else ()):
        try:
            module = __import__(name)
            where = os.path.dirname(module.__file__ or "")
        except ImportError:
            where = None
        parts.append((name, "Python package", where, "run 'make setup'" if in_tree() else built))
    return parts


def rows():
    result = []
    missing = []
    # What builds and tests cilkc does not concern those who only have it installed.
    needed = ("run", "build") if in_tree() else ("run",)
    for dep in deps.DEPS:
        if dep.kind != "run" and not in_tree():
            continue
        found = dep.find()
        zig = home.zig() if found is None and dep.find is deps.find_c and not in_tree() else None
        if zig:                         # takes the place of gcc; only a build wants gcc itself
            found = deps.Found("zig", zig)
        if found is None and dep.kind in needed:
            missing.append(dep)
        state = "ok" if found else ("missing" if dep.kind in needed else "optional")
        result.append((state, dep.name, found.version if found else "", found.where if found else "", dep.why))
    broken = False
    for name, why, where, hint in own_parts():
        broken = broken or where is None
        result.append(("ok" if where else "missing", name, "" if where else hint, where or "", why))
    return result, missing, broken


def main():
    table, missing, broken = rows()
    advice = deps.install_lines(missing) if missing else []
    if console.colour_of(None, 1) == "always":
        try:
            print_rich(table, missing, advice)
            return 1 if missing or broken else 0
        except ImportError:
            pass                # before the set-up
    print_plain(table, missing, advice)
    return 1 if missing or broken else 0


def print_plain(table, missing, advice):
    for state, name, version, where, why in table:
        line = "%-9s %-18s %-12s %s" % (state, name, version, where or why)
        print(line.rstrip())
    if missing:
        print("\nto install what is missing: %sby hand" % ("'make setup', or " if in_tree() else ""))
        for line in advice:
            print("  " + line)
        if any(dep.find is deps.find_c for dep in missing) and not in_tree():
            print("  or, where nothing can be installed: pip install 'cilkc[zig]', which brings a C compiler")
    sys.stdout.flush()


def print_rich(table, missing, advice):
    from rich.console import Console
    from rich.table import Table
    shades = {"ok": "green", "missing": "bold red", "optional": "yellow"}
    shown = Table(box=None, header_style="bold", pad_edge=False)
    terminal = Console()
    # A path that is broken anywhere cannot be read or copied: on a narrow terminal what the thing is for goes first.
    narrow = terminal.width < 100
    for heading in ("", "what", "version"):
        shown.add_column(heading, no_wrap=True)
    shown.add_column("where", overflow="fold")
    if not narrow:
        shown.add_column("for", overflow="ellipsis", no_wrap=True)
    for state, name, version, where, why in table:
        cells = ["[%s]%s[/]" % (shades[state], state), name, version,
                 where.replace(os.path.realpath(home.HOME) + "/", "./") or (narrow and why or "")]
        shown.add_row(*cells, *([] if narrow else [why]))
    terminal.print(shown)
    if missing:
        terminal.print("\nTo install what is missing: %sby hand" % ("[bold]make setup[/bold], or " if in_tree() else ""))
        for line in advice:
            terminal.print("  " + line, highlight=False)
