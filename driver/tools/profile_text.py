"""A profile as text: tables for people (rich on a terminal, plain columns elsewhere), JSON and CSV for programs."""

import csv
import io
import json
import os
import sys

from . import profile_model as model
from . import source as texts
from .profile_model import figure, percent, units

LEAST = 0.01        # of the work or the span, for a call of the C library
ROWS = 12           # of a table, unless --top says otherwise


def show(profile, settings, sweep):
    if settings["json"]:
        sys.stdout.write(json_of(profile, sweep))
    elif settings["csv"]:
        sys.stdout.write(as_csv(profile))
    else:
        tables(profile, settings["top"] or ROWS, sweep)
    sys.stdout.flush()


# ---- for programs

def json_of(profile, sweep):
    made = as_json(profile)
    if sweep:
        made["sweep"] = [dict(zip(("nproc", "seconds", "speedup", "bound", "burdened_bound"), row))
                         for row in sweep.rows()]
        made["simulated"] = [dict(zip(("nproc", "speedup", "bound", "burdened_bound"), row)) for row in sweep.beyond()]
    return json.dumps(made, indent=1) + "\n"


def as_json(p):
    kind, sentence = p.verdict()
    return {"work": p.work, "span": p.span, "parallelism": p.parallelism, "unit": model.UNIT,
            "root": counted(p.root_of) if p.root_of else None,
            "locks": [{"file": l.file, "line": l.line, "procedure": l.procedure, "sections": l.sections, "work": l.work,
                       "longest": l.longest} for l in p.locks], "inlets_on_span": p.alone if p.same else None,
            "longest_child": longest_child(p.longest_child()),
            "burdened": {"span": p.burdened_span, "parallelism": p.burdened_parallelism, "burden": p.burden},
            "section": {"work": p.section_work, "span": p.section_span,
                        "parallelism": model.ratio(p.section_work, p.section_span), "times": p.sections} if p.sections
            else None, "spawns": p.spawns, "syncs": p.syncs, "instances": p.instances, "strand": p.strand,
            "workers": p.processors, "busy": p.busy, "verdict": kind, "sentence": sentence, "exact": p.same,
            "status": p.status,
            "sites": [{"file": l.file, "line": l.line, "procedure": l.procedure,
                       "work_on_span": l.on_span if p.same else None, "work": l.work} for l in p.all_lines],
            "procedures": [counted(c) for c in p.procedures],
            "call_sites": [dict(counted(c), column=c.column) for c in p.spawn_sites],
            "what_if": [{"file": w.file, "line": w.line, "change": w.kind, "work": w.work, "span": w.span,
                         "parallelism": w.parallelism,
                         **({"needed": w.needed, "found": w.found} if w.kind == model.NO_SYNC else {})}
                        for w in p.what_if]}


def longest_child(c):
    return ({"file": c.file, "line": c.line, "procedure": c.procedure, "number": c.number, "of": c.of, "span": c.length,
             "others": c.others} if c else None)


def counted(c):
    return {"file": c.file, "line": c.line, "procedure": c.procedure, "instances": c.instances,
            "local": {"work": c.local, "work_on_span": c.local_on_span},
            "inclusive": {"work": c.work, "span": c.span, "work_on_span": c.on_span,
                          "parallelism": model.ratio(c.work, c.span)}}


def as_csv(p):
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["kind", "file", "line", "procedure", "instances", "local_work", "local_work_on_span", "work", "span",
                  "work_on_span"])
    out.writerow(["program", "", "", "", p.instances, "", "", p.work, p.span, p.span])
    for c in p.procedures:
        out.writerow(["procedure", c.file, c.line, c.procedure, c.instances, c.local, c.local_on_span, c.work, c.span,
                      c.on_span])
    for c in p.spawn_sites:
        out.writerow(["call_site", c.file, c.line, c.procedure, c.instances, c.local, c.local_on_span, c.work, c.span,
                      c.on_span])
    for l in p.all_lines:
        out.writerow(["line", l.file, l.line, l.procedure, "", l.work, l.on_span if p.same else "", "", "", ""])
    return text.getvalue()


# ---- for people


def what_if_tables(console, p):
    lines = [w for w in p.what_if if w.kind not in (model.PARALLEL, model.NO_SYNC)]
    pairs = sorted(zip(lines[::2], lines[1::2]), key=lambda pair: (pair[0].span, pair[0].file, pair[0].line))
    table(console, "What if: the parallelism would be", ("if free", "twice as fast", "line", ""),
          [(figure(a.parallelism), figure(b.parallelism), a.place, source(a)) for a, b in pairs])
    table(console, "What if the sync after these spawns were not there",
          ("parallelism", "line", "", "checked by the race detector"),
          [(figure(w.parallelism), w.place, source(w), w.checked()) for w in p.early_syncs()])
    loops = sorted((w for w in p.what_if if w.kind == model.PARALLEL and w.span < 0.999 * p.span),
                   key=lambda w: (w.span, w.file, w.line))
    table(console, "What if these loops ran their iterations in parallel (where they are independent)",
          ("parallelism", "line", ""), [(figure(w.parallelism), w.place, source(w)) for w in loops[:5]])


def tables(p, top, sweep):
    console = terminal()
    head = [
        ("work", units(p.work)),
        ("span", units(p.span)),
        *((("work under one lock, at most", units(p.locks[0].work)),) if p.locks else ()),
        ("parallelism", figure(p.parallelism)),
        ("burdened span", units(p.burdened_span)),
        ("burdened parallelism", figure(p.burdened_parallelism)),
        *((("%s: work" % p.root_of.procedure, units(p.root_of.work)),
           ("%s: span" % p.root_of.procedure, units(p.root_of.span)),
           ("%s: parallelism" % p.root_of.procedure, figure(model.ratio(p.root_of.work, p.root_of.span)))) if p.root_of
          else ()),
        *((("timed section: work", units(p.section_work)),
           ("timed section: span", units(p.section_span)),
           ("timed section: parallelism", figure(model.ratio(p.section_work, p.section_span)))) if p.sections else ()),
        ("spawns, syncs", "%s, %s" % (units(p.spawns), units(p.syncs))),
        ("instructions in a strand", figure(p.strand)),
    ]
    table(console, "", ("", ""), head)
    share = (lambda n: percent(p.share(n))) if p.same else (lambda n: "?")
    def on_lines(lines):
        return [(share(l.on_span), percent(l.work / max(1, p.work)), l.place, l.procedure, source(l))
                for l in lines if not p.same or l.on_span or l.work][:top]

    table(console, "Lines, by their share of the span", ("span", "work", "line", "procedure", ""), on_lines(p.lines))
    library = [l for l in p.library if p.share(l.on_span) >= LEAST or l.work >= LEAST * p.work]
    table(console, "Calls of the C library, beside these lines", ("span", "work", "line", ""),
          [row[:3] + row[4:] for row in on_lines(library)])
    for title, many, what, rows, names in (("Procedures: with what they spawn, and alone", "instances", "procedure",
                                            p.procedures, [c.procedure for c in p.procedures]),
                                           ("Spawns: with what they lead to, and their children alone", "children",
                                            "line", p.spawn_sites, texts.places(p.spawn_sites))):
        table(console, title, ("span", "alone", "work", "alone", "parallelism", many, what),
              [(share(c.on_span), share(c.local_on_span), percent(c.work / max(1, p.work)),
                percent(c.local / max(1, p.work)), figure(model.ratio(c.work, c.span)), units(c.instances), name)
               for c, name in zip(rows[:top], names)])
    if p.what_if:
        what_if_tables(console, p)
    table(console, "Locks: what is done under each, one section after the other",
          ("work", "share", "sections", "longest", "line", "procedure", ""),
          [(units(l.work), percent(model.ratio(l.work, p.work)), units(l.sections), units(l.longest), l.place,
            l.procedure, source(l)) for l in p.locks[:5]])
    if sweep:
        table(console, "The program in parallel", ("workers", "seconds", "speedup", "at most", "with steals"),
              [(n, "%.3f" % seconds, figure(speedup), figure(bound), figure(burdened))
               for n, seconds, speedup, bound, burdened in sweep.rows()])
        if sweep.simulated:
            table(console, "Its dag on virtual processors", ("workers", "speedup", "at most", "with steals"),
                  [(n, figure(speedup), figure(bound), figure(burdened))
                   for n, speedup, bound, burdened in sweep.beyond()])
    print()
    print(p.verdict()[1])


def terminal():
    """Rich's console where a person looks, None elsewhere."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return None
    from rich.console import Console
    return Console(highlight=False)


def table(console, title, columns, rows):
    if not rows:
        return
    right = [not any(c for c in columns) and i == 1 or bool(columns[i]) and columns[i] not in ("line", "procedure")
             for i in range(len(columns))]
    if console:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        made = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
                     show_header=any(columns), pad_edge=False)
        for i, (name, number) in enumerate(zip(columns, right)):
            # Numbers are shown whole; a place is folded and a source line cut where the terminal is narrow.
            width = max([len(name)] + [len(str(row[i])) for row in rows]) if number else None
            made.add_column(name, justify="right" if number else "left", no_wrap=name != "line",
                            overflow="fold" if name == "line" else "ellipsis", min_width=width)
        for row in rows:
            made.add_row(*(Text(str(cell)) for cell in row))
        console.print(made)
        return
    print()
    if title:
        print(title)
    shown = ([columns] if any(columns) else []) + [tuple(str(c) for c in row) for row in rows]
    widths = [max(len(row[i]) for row in shown) for i in range(len(columns))]
    for row in shown:
        print(
            (
                "  "
                + "  ".join(cell.rjust(w) if number else cell.ljust(w) for cell, w, number in zip(row, widths, right))
            ).rstrip()
        )


def source(place):
    """The text of a line, where the file can be read."""
    text = texts.lines(place.file)
    line = text[place.line - 1].strip() if 0 < place.line <= len(text) else ""
    return texts.printable(line, 60)
