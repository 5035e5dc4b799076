"""`cilkc see`: what all tools find in one program, on one page around its source: a line that is chosen is highlighted
in each of them.

Each tool runs as a command of its own and writes its page and its JSON; the page (see.html, see.js) holds these
pages as frames. What a tool shows of a line is found by the places in it; the dag and the trace listen for the line
that is chosen.
"""

import json
import os
import re
import subprocess
import sys
from collections import namedtuple

from cilkc_driver import console, home
from cilkc_driver.console import Stop

from . import instrumented, progress, race_text, source, template

# In the order of the tabs. The race detector runs first: it ends where the others would wait for ever.
PARTS = {"profile": "work and span", "dag": "spawn dag", "trace": "time", "race": "races", "memory": "memory"}
EXTRA = {"race": ["--prove"]}
SHOWN_OUTPUT = 4000
Verdict = namedtuple("Verdict", "text part next", defaults=("", ""))        # part: of PARTS; next: what to do then
# By the kind of the profile's verdict.
NEXT = {
    "serial": "spawn calls that do not need each other's results",
    "too fine": "let the recursion stop at larger pieces",
    "bottleneck": "divide the work of that line among children",
    "too little": "look at the table 'What if', and at the red path of the dag",
    "lock": "hold it for a shorter time, or use more locks",
}
CILK = frozenset("cilk spawn sync inlet abort SYNCHED future touch cilk_spawn cilk_sync cilk_for cilk_scope "
                 "cilk_reducer".split())
SHORT = 0.005           # seconds
# What a run printed about its own end: the runtime's sentence (rt/core/base/crash.c), the detector's.
WHY = re.compile(r"^(?:Cilk runtime system: .*|.*fatal error: .*)$", re.M)


def main(words, settings):
    """settings: the command's own options by name. The exit status: 0; 1 where the program came to no end; 125
    where nothing could be shown."""
    return instrumented.session(lambda temp: see(words, settings, temp), instrumented.NOT_RUN)


def see(words, settings, temp):
    flags, arguments = instrumented.split(words)
    options = instrumented.check(flags, "cilkc see")
    if options.target or options.serial or options.trace:
        raise Stop(
            "cilkc see runs the program on this machine, serially and in parallel: --target, --serial and -cilk-trace cannot be used with it",
            instrumented.NOT_RUN,
        )
    for name in instrumented.piped(flags):      # each part is a command that compiles it
        raise Stop(instrumented.AGAIN % name, instrumented.NOT_RUN)
    files = [item.name for item in options.inputs]
    name = os.path.basename(files[0]).rpartition(".")[0] or "program"
    page = settings["output"] or name + ".see.html"
    if not page.endswith((".html", ".htm")):
        raise Stop("-o %s: the page's name ends in .html" % page, instrumented.NOT_RUN)
    instrumented.writable([page])
    wanted = [part for part in PARTS if part not in settings["without"]]
    if not instrumented.build(flags, temp.file("program")):     # its messages once
        return instrumented.NOT_RUN
    stdin = kept_input(temp)
    steps, found, pages, missing, output = progress.Progress("cilkc see", [1] * len(wanted)), {}, {}, {}, ""
    ended = ""          # why a serial run came to no end of its own: all other runs would do the same
    for part in sorted(wanted, key=lambda part: part != "race"):
        if ended:
            missing[part] = "not run"
            continue
        file = temp.file(part + ".html")
        extra = ["-P", str(settings["nproc"])] if settings["nproc"] and part == "trace" else EXTRA.get(part, [])
        with (
            steps.step(PARTS[part]),
            progress.note_after(progress.LONG, "cilkc see: `cilkc %s` has run for %d s%s"
                                % (part, progress.LONG, "" if part == "trace" else ". " + progress.SERIALLY)),
            open(stdin or os.devnull, "rb") as given
        ):
            done = instrumented.run_command(
                [os.path.join(home.HOME, "cilkc"), part, "--json", "-o", file, *extra, "-w", *flags]
                + (["--", *arguments] if arguments else []), stdin=given, stderr=subprocess.PIPE
            )
        why = WHY.findall(done.stderr)
        try:
            report = json.loads(done.stdout)
            with open(file, encoding="utf-8") as text:
                pages[part] = text.read()
            found[part] = report
            if report.get("unended"):
                ended = why[-1] if why else "the program " + report["failed"]
        except (ValueError, OSError):
            missing[part] = next((line for line in done.stderr.split("\n") if "error:" in line),
                                 "it made no page (status %d)" % done.returncode)
            if why and part != "trace":
                ended = missing[part] = why[-1]
            console.message("warning", "%s: %s" % (part, missing[part]))
        output = output or done.stderr[:SHOWN_OUTPUT]
    if not pages:
        raise Stop("no tool could show the program" + (": " + ended if ended else ""), instrumented.NOT_RUN)
    facts = facts_of(found)
    if ended:
        facts["sentences"].insert(0, Verdict(ended, "race", "run it in a debugger: cilkc debug"))
    instrumented.write_file(page, make(" ".join([name] + arguments), files, facts, pages, missing, output))
    if settings["json"]:
        print(json.dumps({"page": page, "parts": sorted(pages), "missing": missing, "lines": facts["lines"]}, indent=1))
    else:
        for verdict in facts["sentences"]:
            print(verdict.text)
        print("%s: open it in a browser" % page)
    sys.stdout.flush()
    return int(bool(ended))


def kept_input(temp):
    """A file with the standard input, for all runs; None at a terminal."""
    if os.isatty(0):
        return None
    try:
        with open(temp.file("stdin"), "wb") as file:
            while data := os.read(0, 65536):
                file.write(data)
            return file.name
    except OSError:
        return None


class Lines:
    """What is known of each line: {file: {line: {kind: value}}}."""

    def __init__(self):
        self.of = {}

    def at(self, row):
        return self.of.setdefault(row["file"], {}).setdefault(
            row["line"], {"work": 0.0, "span": 0.0, "bytes": 0, "procedure": row.get("procedure", ""), "texts": []}
        )


def facts_of(found):
    """{lines, sentences, procedures} of what the tools wrote."""
    lines, sentences, procedures = Lines(), [], []
    profile = found.get("profile")
    if profile:
        sentences.append(Verdict("work {:,}, span {:,}, parallelism {:.1f}. {}".format(
            profile["work"], profile["span"], profile["parallelism"], profile.get("sentence") or ""
        ), "profile", NEXT.get(profile.get("verdict"), "")))
        for row in profile["sites"]:
            at = lines.at(row)
            at["work"] += row["work"] / max(1, profile["work"])
            at["span"] += (row["work_on_span"] or 0) / max(1, profile["span"])
        for row in profile["procedures"]:
            procedures.append([row["file"], row["line"], row["procedure"]])
            below = row["inclusive"]
            lines.at(row)["texts"].append("%s: %d instances, work %d, span %d with all that they spawn"
                                          % (row["procedure"], row["instances"], below["work"], below["span"]))
        for row in profile["call_sites"]:
            lines.at(row)["texts"].append(
                "%d spawns, parallelism %.1f" % (row["instances"], row["inclusive"]["parallelism"])
            )
    if "race" in found:
        races = found["race"]["races"]
        number = race_text.number_of(len(races), "race", "races")
        proof = found["race"].get("proof")
        said = race_text.verdict(number, bool(races), found["race"].get("failed"))
        sentences.append(Verdict(said + race_text.of_every_input(proof), "race",
                                 "each race there has a picture and a hint" if races else ""))
        for row in proof["procedures"] if proof else []:
            if row["verdict"] == "proved":
                lines.at(row)["texts"].append("%s: proved to be free of races on every input" % row["name"])
        sentences += [Verdict(text, "race") for _, text in race_text.caveats(found["race"])]
        for row in races:
            first, second = row["accesses"][0], row["accesses"][-1]
            for one, other in ((first, second), (second, first)):
                at = lines.at(one)
                text = "race on %s: this %s with the %s at line %d" % (
                    row.get("object") or "memory",
                    one["kind"],
                    other["kind"],
                    other["line"],
                )
                if text not in at["texts"]:
                    at["texts"].append(text)
                at["race"] = other["line"]
    marks = found.get("memory", {}).get("marks") or []
    if marks:
        sentences.append(
            Verdict("{:,} bytes at most on {} workers".format(marks[-1]["bytes"], marks[-1]["workers"]), "memory")
        )
        for row in marks[-1]["sites"]:
            at = lines.at(row)
            at["bytes"] += row["bytes"]
            at["texts"].append("%d bytes of %s at the high-water mark of %d workers"
                               % (row["bytes"], row["what"], marks[-1]["workers"]))
    if "trace" in found:
        steals = sum(w["steals"] for w in found["trace"]["workers"])
        busy = (len(found["trace"]["workers"]), 100 * found["trace"]["utilisation"], steals)
        sentences.append(Verdict("%d workers busy %.0f %% of the time, %d steals" % busy, "trace"))
        if too_short(found["trace"]):
            sentences.append(Verdict(
                "the parallel run took %.1f ms, too short for other workers to come: larger arguments show more"
                % (1000 * found["trace"]["seconds"]), "trace", "run it again with larger arguments"
            ))
    return {"lines": lines.of, "sentences": sentences, "procedures": procedures}


def too_short(trace):
    """Was the run over before a worker that sleeps could steal?"""
    return trace["seconds"] < SHORT and len(trace["workers"]) > 1 and any(w["spawns"] for w in trace["workers"]) and not (
        any(w["steals"] for w in trace["workers"])
    )


def kind_of(token, text):
    """A letter for the colour of a piece of the source."""
    from pygments.token import Comment, Keyword, Number, String
    if text in CILK:
        return "o"
    if token in Comment:
        return "w" if token in Comment.Preproc else "c"
    groups = {"t": Keyword.Type, "n": Number, "s": String, "w": Keyword}
    return next((letter for letter, group in groups.items() if token in group), "")


def coloured(name):
    """[[[letter, text], ...] of each line]."""
    from pygments.lexers.c_cpp import CLexer
    text = "\n".join(source.printable(line.expandtabs(4).rstrip(), 200) for line in source.lines(name))
    rows: "list[list[list[str]]]" = [[]]
    for token, piece in CLexer(stripnl=False, ensurenl=False).get_tokens(text):
        for number, part in enumerate(piece.split("\n")):
            if number:
                rows.append([])
            if part:
                rows[-1].append([kind_of(token, part), part])
    return rows


def make(title, files, facts, pages, missing, output):
    names = [name for name in dict.fromkeys(list(files) + list(facts["lines"]))
             if source.lines(name) and not name.startswith(home.stdlib_dir())]
    data = {"title": title, "verdicts": [verdict._asdict() for verdict in facts["sentences"]],
            "procedures": facts["procedures"], "missing": missing,
            "output": output,
            "sources": [{"name": name,
                         "lines": coloured(name),
                         "facts": {str(n): v for n, v in facts["lines"].get(name, {}).items()}} for name in names],
            "parts": [{"id": part, "title": PARTS[part], "page": text} for part, text in pages.items()]}
    text = template.page("see", title + ": seen by all tools")
    return template.filled(text, json.dumps(data, separators=(",", ":")))
