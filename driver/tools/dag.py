"""`cilkc dag`: builds the program as `cilkc profile` does, runs it once, serially, with its dag recorded
(rt/tools/profile/dag.c), and draws that.

A picture shows a part of a large dag, a page can open all that was recorded. What neither has is counted in the
boxes that stay closed.
"""

import json
import os
import sys

from cilkc_driver.console import Stop

from . import dag_draw, dag_model, dag_page, dag_threads, instrumented, profile_text, profile_threads, progress
from .agreed import KIND, MARK
from .profile_model import UNIT, figure, percent, ratio

KINDS = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".html": "html", ".htm": "html", ".json": "json"}
ROWS = 20


def main(words, settings):
    """settings: the command's own options by name. The exit status."""
    return instrumented.session(lambda temp: Session(words, settings, temp).run(), instrumented.NOT_RUN)


class Session:
    def __init__(self, words, settings, temp):
        self.flags, self.arguments = instrumented.split(words)
        self.settings, self.temp = settings, temp
        self.progress = progress.Progress("cilkc dag", [1, 0.2])

    def run(self):
        options = instrumented.check(self.flags, "cilkc dag")
        if options.target or options.sanitize or options.lto:
            raise Stop(
                "cilkc dag runs the program's serial form on this machine: --target, -fsanitize and -flto cannot be used with it",
                instrumented.NOT_RUN,
            )
        name = os.path.basename(options.inputs[0].name).rpartition(".")[0] or "program"
        files = self.files(name)
        instrumented.writable(file for file, _ in files)
        if profile_threads.has_threads(options):
            return dag_threads.run(self, files, name)
        program, made, report = self.temp.file(name), self.temp.file("dag"), self.temp.file("report")
        if not instrumented.build(self.flags, program, ["-cilk-tool=profile"]):
            return instrumented.NOT_RUN
        environment = {"CILK_PROFILE_DAG": made, "CILK_PROFILE_REPORT": report,
                       "CILK_PROFILE_DECISIONS": self.temp.file("decisions")}
        self.input = instrumented.Input()
        with (
            self.progress.step("running", progress.program_is_quiet(True, self.settings["json"])),
            progress.serial_run("cilkc dag"),
        ):
            status = instrumented.execute(program, self.arguments, environment, self.input.open(self.temp),
                                          2 if self.settings["json"] else None)
        recorded, counts = instrumented.read_report(made, status), instrumented.read_report(report, status)
        with instrumented.reading(report):
            twice = recorded is not None and counts is not None and counts["touches"] and not counts["lost"]
        if twice:
            recorded, counts = self.again(program, dict(environment, CILK_PROFILE_KNOWS="1"), recorded, counts)
        if recorded is None or counts is None:
            return instrumented.nothing(self.settings, status)
        with self.progress.step("drawing"):
            title = " ".join([name] + self.arguments)
            with instrumented.reading(made):
                dag = dag_model.Dag(recorded, counts)
                if self.settings["root"]:
                    dag.begin_at(self.settings["root"])
                root = dag_model.tree(dag, self.settings["strands"], self.settings["depth"])
            for file, kind in files:
                instrumented.write_file(file, self.draw(dag, root, title, kind))
        if self.settings["json"]:
            json.dump(as_json(dag, files, root), sys.stdout, indent=1)
            print()
        else:
            tables(dag, files, root, self.settings)
        return status

    def again(self, program, environment, recorded, counts):
        """A run of a program that touches futures, which knows where the critical path runs; as it was where it did not
        do the same."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            with self.progress.step("following the critical path"):
                instrumented.execute(program, self.arguments, environment, self.input.open(self.temp), nowhere, nowhere)
        finally:
            os.close(nowhere)
        better, report = (instrumented.read_report(environment[key])
                          for key in ("CILK_PROFILE_DAG", "CILK_PROFILE_REPORT"))
        return (better, report) if better is not None and report is not None and report["same"] else (recorded, counts)

    def files(self, name):
        """[(file, kind)]: -o, as often as it is given, and --html; without them a picture, unless only JSON is asked
        for."""
        page = self.settings["html"]
        files = [(page, "html")] if page else []
        for file in self.settings["output"] or ([] if page or self.settings["json"] else [name + ".dag.svg"]):
            kind = KINDS.get(os.path.splitext(file)[1].lower())
            if kind is None:
                raise Stop("%s: the name says what is made: .svg, .dot, .html or .json" % file, instrumented.NOT_RUN)
            files.append((file, kind))
        return files

    def draw(self, dag, root, title, kind):
        if kind == "html":
            return dag_page.make(dag, title, self.settings["strands"], int(self.settings["limit"] * 1000000))
        if kind == "json":
            return json.dumps(as_json(dag, [], root), indent=1) + "\n"
        return getattr(dag_draw, kind)(dag, root, title, dag_draw.noted(dag, root))


def as_json(dag, files, root):
    closed, inside = dag_model.hidden(root)
    def place(site):
        return dict(zip(("file", "line", "column", "procedure", "alone"), dag.sites[site])) if site >= 0 else None

    return {"work": dag.work, "span": dag.span, "lock": dag.lock, "parallelism": ratio(dag.work, dag.least),
            "unit": UNIT, "instances": dag.instances, "strands": dag.strands, "spawns": dag.spawns, "edges": dag.edges,
            "status": dag.status,
            "critical_path": [{"procedure": box.name, "spawned_at": place(box.site), "work": box.work, "span": box.span,
                               "own": own} for box, own in dag_model.critical_path(dag)],
            "procedures": [{"procedure": p[3], "file": p[0], "line": p[1], "instances": p[4], "work": p[5] + p[6]}
                           for p in dag.report["procedures"]],
            "drawn": {"closed_boxes": closed, "instances_in_them": inside}, "not_recorded_below_work": dag.threshold,
            "root": dag.root, "names": [dict(zip(("procedure", "file", "line"), p)) for p in dag.procedures],
            "sites": [place(i) for i in range(len(dag.sites))],
            "records": [{"procedure": r.procedure, "work": r.work, "span": r.span, "instances": r.instances,
                         "strands": r.strands, "steps": [step_json(s) for s in r.steps]} for r in dag.records],
            "files": [file for file, _ in files]}


def step_json(s):
    made = {"ends": ("spawn", "call", "sync", "end", "touch")[s.kind], "units": s.units, "count": s.count}
    if s.kind == KIND.TOUCH:
        made.update(site=s.site, procedure=s.procedure, up=s.up, ago=s.ago)
    if s.kind in (KIND.SPAWN, KIND.CALL):
        made.update(site=s.site, procedure=s.procedure, record=s.record if s.record >= 0 else None, work=s.work,
                    span=s.span, instances=s.instances, strands=s.strands, delivery=s.delivery)
    if s.inlet:
        made["inlet"] = s.inlet
    marks = [
        word
        for bit, word in (
            (MARK.INLET, "inlet"),
            (MARK.ABORTS, "aborts"),
            (MARK.ABORTED, "aborted"),
            (MARK.CRITICAL, "critical"),
            (MARK.FOLDED, "folded"),
            (MARK.INLET_BACK, "inlet"),
            (MARK.ABORTS_BACK, "inlet aborts"),
            (MARK.WAITS, "waits"),
            (MARK.ALONE, "inlets in turn"),
        )
        if s.mark & bit
    ]
    return dict(made, marks=marks) if marks else made


def tables(dag, files, root, settings):
    console = profile_text.terminal()
    units = profile_text.units
    edges = dag.edges
    times, work, span = dag.report["section"]
    profile_text.table(
        console,
        "",
        ("", ""),
        [
            ("work", units(dag.work)),
            ("span", units(dag.span)),
            *([("work under one lock, at most", units(dag.lock))] if dag.lock else []),
            ("parallelism", figure(ratio(dag.work, dag.least))),
            *([("timed section: work, span", "%s, %s" % (units(work), units(span))),
               ("timed section: parallelism", figure(ratio(work, span)))] if times else []),
            ("procedure instances", units(dag.instances)),
            ("strands", units(dag.strands)),
            ("edges: spawns, returns", units(edges["spawn"] + edges["return"])),
            ("edges: successors", units(edges["successor"])),
        ]
        + ([("edges: touches", units(edges["touch"]))] if edges.get("touch") else []),
    )
    rows = dag_model.paths(dag, settings["root"])
    total = sum(work for depth, *_, work, _ in rows if depth == 0)
    profile_text.table(console, "Call paths, recursion folded", ("work", "alone", "instances", "procedure", "line"),
                       [(percent(ratio(work, total)), percent(ratio(own, total)), units(n), "  " * depth + name, place)
                        for depth, name, place, n, work, own in rows[:ROWS]])
    if len(rows) > ROWS:
        print("  and %d more" % (len(rows) - ROWS))
    print()
    closed, inside = dag_model.hidden(root)
    what = {"svg": "a picture", "dot": "for GraphViz: dot -Tpdf",
            "html": "open it in a browser; boxes open with a click", "json": "the dag as data"}
    for file, kind in files:
        print("%s: %s" % (file, what[kind]))
    if closed and any(kind in ("svg", "dot") for _, kind in files):
        print(
            "Of %s instances %s are in %s closed boxes of the picture; --strands N draws more, --html FILE can open them"
            % (units(dag.instances), units(inside), units(closed))
        )
    if dag.threshold:
        print("The dag has too many different parts to record: what has less work than %s instructions is only counted"
              % units(dag.threshold))
