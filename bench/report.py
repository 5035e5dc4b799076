"""Turns measurements into JSON-ready data, Markdown and charts.  Nothing is judged but in the table of targets, and
there only as `met` or `missed`: the exit status of a benchmark does not depend on speed."""

import math
import os
import re
import time

from . import knary, machine, plot
from .cases import OTHER_TARGETS, PEERS, STRATEGIES
from .measure import ratio, spread

LABELS = {"gcc": "gcc -O3", "clang": "clang -O3", "own": "cilkc --serial -O3"}
ELISIONS = {"gcc": "elision by gcc", "clang": "elision by clang", "own": "our own elision",
            "faster": "the faster of gcc and clang"}
OTHERS = [name for name in STRATEGIES if name != "lazy"]     # the default is compared with these


def case_data(case, size, jobs, workers):
    """One case as data: the variants' times, the ratios, what went wrong."""
    variants, problems = {}, []
    for job in jobs:
        if job.problem:
            problems.append("%s: %s" % (job.variant, job.problem))
        if job.times:
            variants[job.variant] = dict(spread(job.times), times=job.times, clock=job.clock)
    if case.same_output or case.peer:
        outputs = {job.output for job in jobs if job.output is not None and job.problem is None}
        if len(outputs) > 1:
            problems.append("the variants print different results")
    times = {name: one["times"] for name, one in variants.items()}
    ratios = {}

    def add(above, below):
        # Different clocks do not make a ratio.
        if above in times and below in times and variants[above]["clock"] == variants[below]["clock"]:
            ratios["%s/%s" % (above, below)] = ratio(times[above], times[below])

    for spawn in STRATEGIES:
        for base in ("gcc", "clang", "own"):
            add(spawn + "1", base)
        if workers > 1:
            add(spawn + "1", "%s%d" % (spawn, workers))
            add("clang", "%s%d" % (spawn, workers))
    faster = (min((variants[base]["median"], base) for base in ("gcc", "clang") if base in variants)[1]
              if {"gcc", "clang"} & set(variants) else None)
    if faster and "lazy1/" + faster in ratios:
        ratios["lazy1/faster"] = ratios["lazy1/" + faster]
    if workers > 1:
        for spawn in OTHERS:
            add("lazy%d" % workers, "%s%d" % (spawn, workers))
    add("own", "clang")
    for peer in PEERS:
        for p in {1, workers}:
            add("%s-%d" % (peer, p), "lazy%d" % p)
    return {"name": case.name, "group": case.group, "arguments": case.sizes[size], "parallel": case.parallel,
            "targets": case.targets, "variants": variants, "ratios": {k: v for k, v in ratios.items() if v},
            "problems": problems}


def wording(key):
    """A ratio's name in words: `lazy1/clang` is lazy, one worker / elision by clang."""
    above, below = key.split("/")
    one = re.fullmatch(r"(%s)(\d+)" % "|".join(STRATEGIES), above)
    if not one:
        return "one worker: %s / lazy" % above.rsplit("-", 1)[0]
    if below in ELISIONS:
        return "%s, one worker / %s" % (one.group(1), ELISIONS[below])
    if below.startswith(one.group(1)):
        return "%s, T%s/T%s" % (one.group(1), one.group(2), below[len(one.group(1)):])
    return "%s workers, %s / %s" % (one.group(2), one.group(1), below.rstrip("0123456789"))


def targets(data):
    """Rows (what, target, measured or None, met or None) for what was measured."""
    rows, workers = [], data["options"]["workers"]

    def row(what, measured, limit, at_most=True):
        if measured is not None:
            rows.append({"what": what, "limit": limit, "at_most": at_most, "measured": measured,
                         "met": measured <= limit if at_most else measured >= limit})

    for case in data["cases"]:
        for key, limit, at_most in case.get("targets", []):
            key = key.replace("P", str(workers))
            row("%s, %s" % (case["name"], wording(key)), case["ratios"].get(key, {}).get("median"), limit, at_most)
    for what, path, limit, at_most in OTHER_TARGETS:
        for name, measured in found(data, path):
            row(what % name if "%s" in what else what, measured, limit, at_most)
    return rows


def found(data, path, name=None):
    """(what * stood for, value) of each place in nested dictionaries that a path names."""
    if not path:
        yield name, data
    elif isinstance(data, dict):
        for key in data if path[0] == "*" else [path[0]] if path[0] in data else []:
            yield from found(data[key], path[1:], key if path[0] == "*" else name)


def number(value, digits=2):
    return "" if value is None else "%.*f" % (digits, value)


def cell(one):
    """A ratio with its quartiles."""
    return "%.2f (%.2f-%.2f)" % (one["median"], one["q1"], one["q3"]) if one else ""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    return lines + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows] + [""]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def machine_part(data):
    info = data["machine"]
    lines = ["## The machine", ""]
    lines += ["* %s: %s" % (name, info[name])
              for name in ("cpu", "cores", "cache", "kernel", "libc", "governor", "cilkc", "gcc", "clang", "rustc")
              if info.get(name)]
    if info["virtual"]:
        lines.append("* a virtual machine")
    lines.append("* load average before the start: " + " ".join("%.2f" % x for x in info["load"]))
    lines.append("* %(size)s sizes, %(rounds)d rounds, %(workers)d workers" % data["options"] + "; one worker by "
                 + ("processor time" if data["options"]["user_time"] else "wall time"))
    lines.append("")
    if data["warning"]:
        lines += ["**Warning:** " + data["warning"], ""]
    if data["missing"]:
        lines += ["Left out:", ""] + ["* %s" % why for why in data["missing"].values()] + [""]
    return lines


def cases_part(data):
    p = data["options"]["workers"]
    lines = []
    cases = [case for case in data["cases"] if case["group"] != "peer"]
    if cases:
        lines += [
            "## One worker, in units of the elision", "",
            "Medians, quartiles in brackets. `gcc`, `clang`, `own`: the elision compiled by %(gcc)s, %(clang)s, %(own)s; `faster`: the faster of gcc and clang."
            % LABELS, ""
        ]
        pairs = [("lazy", base) for base in ("gcc", "clang", "faster", "own")]
        pairs += [(s, base) for s in OTHERS for base in ("clang", "own")]
        rows = []
        for case in cases:
            v, r = case["variants"], case["ratios"]
            rows.append([" ".join([case["name"], *case["arguments"]]), number(v.get("gcc", {}).get("median"), 3),
                         number(v.get("clang", {}).get("median"), 3),
                         *(cell(r.get("%s1/%s" % pair)) for pair in pairs)])
        lines += table(["program", "gcc, s", "clang, s", *("%s/%s" % pair for pair in pairs)], rows)
        for group, which in (("spawn", "programs that do little but spawn"), ("work", "applications")):
            values = [c["ratios"]["lazy1/clang"]["median"] for c in cases
                      if c["group"] == group and "lazy1/clang" in c["ratios"]]
            if values:
                lines.append(
                    "Geometric mean of lazy/clang of the %d %s: %.2f." % (len(values), which, geometric_mean(values))
                )
        lines.append("")
        two = [case for case in cases if "lazy%d" % p in case["variants"]]
        if p > 1 and two:
            same_clock = not data["options"]["user_time"]
            lines += ["## %d workers" % p, ""]
            if not same_clock:
                lines += [
                    "One worker was measured in processor time, several in wall time: there is no speed-up to give.", ""
                ]
            lines += table(["program", "lazy T%d, s" % p, "lazy T1/T%d" % p, "lazy T_S/T%d" % p,
                            *("%s T1/T%d" % (s, p) for s in OTHERS), *("lazy/%s at %d" % (s, p) for s in OTHERS)],
                           [[case["name"], number(case["variants"]["lazy%d" % p]["median"], 3),
                             cell(case["ratios"].get("lazy1/lazy%d" % p)), cell(case["ratios"].get("clang/lazy%d" % p)),
                             *(cell(case["ratios"].get("%s1/%s%d" % (s, s, p))) for s in OTHERS),
                             *(cell(case["ratios"].get("lazy%d/%s%d" % (p, s, p))) for s in OTHERS)] for case in two])
            lines += ["T_S: the elision by %(clang)s." % LABELS, ""]
        span = [case for case in cases if case.get("section")]
        if span:
            lines += [
                "## Work and span of the timed section", "",
                "From a `-cilk-span=count` build, quick sizes: columns T_1, T_inf and parallelism of the paper's Figure 6, in instructions of the text.",
                ""
            ]
            lines += table(["program", "work", "span", "parallelism"],
                           [[" ".join([case["name"], *case["section"]["arguments"]]),
                             "{:,}".format(case["section"]["work"]), "{:,}".format(case["section"]["span"]),
                             number(case["section"]["work"] / case["section"]["span"], 1)] for case in span])
    return lines


def peers_part(data):
    lines, rows = [], []
    for case in data["cases"]:
        if case["group"] != "peer":
            continue
        for p in sorted({1, data["options"]["workers"]}):
            lazy = case["variants"].get("lazy%d" % p, {}).get("median")
            rows.append([" ".join([case["name"][5:], *case["arguments"]]), p, number(lazy, 4)]
                        + [cell(case["ratios"].get("%s-%d/lazy%d" % (peer, p, p))) for peer in PEERS])
    if rows:
        lines += ["## Peers", "", "The time of the same algorithm in other systems, divided by that of cilkc (lazy).",
                  ""]
        lines += table(["program", "workers", "cilkc, s", "OpenMP (gcc)", "OpenMP (clang)", "oneTBB", "Rayon"], rows)
    return lines


def micro_part(micro, workers):
    if not micro:
        return []
    lines = ["## Single operations", ""]
    spawn = micro.get("spawn") or {}
    if spawn.get("variants"):
        lines += ["How much more a spawn in fib(%d) costs than a call in the elision by %s%s:" % (spawn["n"], spawn["base"],
                  "; %s counts the instructions" % spawn["counter"] if "counter" in spawn else ""), ""]
        lines += table(["variant", "T/T_elision", "ns per spawn", "instructions per spawn"],
                       [[name, number(one["ratio"]), number(one["ns"]), number(one["instructions"], 1)]
                        for name, one in spawn["variants"].items()])
    operations = micro.get("operations") or {}
    if operations:
        lines += ["Loops over a child in another file, ns per operation:", ""]
        lines += table(["operation", "elision", *STRATEGIES],
                       [[name, *(number(row.get(v)) for v in ("elision", *STRATEGIES))]
                        for name, row in operations["ns_per_operation"].items()])
        lines += ["What they add to a spawn, ns:", ""]
        lines += table(["operation", *STRATEGIES], [[name, *(number(row.get(s)) for s in STRATEGIES)]
                                                    for name, row in operations["above_a_spawn"].items()])
    steal = micro.get("steal") or {}
    rows = [
        [
            name,
            number(steal[name]["ns"], 0),
            number(steal[name]["search_us"]),
            number(steal[name].get("median_search_us")),
        ]
        for name in STRATEGIES
        if name in steal
    ]
    if rows:
        lines += [
            "The time of a steal that is forced at every spawn on one worker: release, steal, resumption and slow return of a frame. "
            "The table also has the time that a thief looks for work:", ""
        ]
        lines += table(["strategy", "ns per forced steal", "average search, microseconds", "median"], rows)
        if steal.get("release_ns") is not None:
            lines += ["A release therefore costs %.0f ns more than a push." % steal["release_ns"], ""]
    figure = micro.get("figure7") or {}
    if figure:
        lines += [
            "Figure 7 of the Cilk-5 paper: fib's overheads added one at a time to the C elision, which takes %.2f ns per spawn; "
            "none of these is inlined or unrolled." % figure["elision_ns_per_spawn"], ""
        ]
        lines += table(["code", "T/T_elision", "added"],
                       [[name, number(value), number(value - 1)] for name, value in figure["ratio"].items()])
        if figure.get("sum"):
            lines += [
                "The paper's check: the elision (1) plus the separate costs of state saving, closures and THE is %.2f; together they take %.2f. The sum is off by %+.0f %%%s. "
                "The rows `cilkc` are the compiled program with nothing inlined (`-fno-inline-recursion -fno-inline-leaves`)."
                % (figure["sum"]["parts"], figure["sum"]["whole"], 100 * figure["sum"]["off"], ""
                   if abs(figure["sum"]["off"]) <= 0.10
                   else " (the paper's were within 10 %; here stores of one part wait for those of another)"), ""
            ]
    transformations = micro.get("transformations") or {}
    if transformations:
        labels = list(next(iter(transformations.values()))["ratio"])
        lines += [
            "Transformations of the clones, one worker, lazy: the time with some of them switched off (`-fno-inline-recursion`, `-fno-inline-leaves`, "
            "`-fno-constant-parameters`), in units of the time with all on.", ""
        ]
        lines += table(["program", *labels],
                       [[" ".join([name, *one["words"]]), *(number(one["ratio"].get(label)) for label in labels)]
                        for name, one in transformations.items()])
    if micro.get("crowded"):
        lines += ["The time on 256 workers, in units of the time on %d workers:" % workers, ""]
        lines += table(["program", *STRATEGIES],
                       [[name, *(number(row.get(s)) for s in STRATEGIES)] for name, row in micro["crowded"].items()])
    if micro.get("idle_share") is not None:
        lines += ["A worker with nothing to do uses %.1f %% of a core." % (100 * micro["idle_share"]), ""]
    return lines


def knary_part(result):
    if not result:
        return []
    lines = ["## Knary and the model", "", "T_P = c1 T_1/P + c_inf T_inf, least squares on relative errors; "
             "`single` is the largest (T_P - T_1/P)/T_inf of a run with parallelism up to 10.", ""]
    rows = []
    for spawn, one in result.items():
        for label, fit in (("P > 1", one["fit"]), ("all P", one["fit_all"])):
            if fit:
                rows.append([spawn, label, number(fit["c1"], 3), number(fit["c_inf"], 3),
                             number(one["worst"]) if label == "P > 1" else ""])
    return lines + table(["strategy", "runs", "c1", "c_inf", "single"], rows)


def targets_part(data):
    rows = data["targets"]
    if not rows:
        return []
    return ["## Targets", ""] + table(["what", "target", "measured", ""],
                                      [[r["what"], ("at most %g" if r["at_most"] else "at least %g") % r["limit"],
                                        number(r["measured"]), "met" if r["met"] else "missed"] for r in rows])


def draw(data, folder):
    """The charts; the names of the files made."""
    files, cases = [], [c for c in data["cases"] if c["group"] != "peer"]

    def rows(keys):
        return [(c["name"], {label: c["ratios"].get(key) for label, key in keys.items()}) for c in cases]

    p = data["options"]["workers"]
    plot.note = "%s, %d cores, load average before the start %.1f" % (
        data["date"], data["machine"]["cores"], data["machine"]["load"][0]
    )
    files += plot.points(folder, "one-worker", "One worker", "T_1 / T_elision (clang -O3)",
                         rows({s: s + "1/clang" for s in STRATEGIES}))
    if p > 1:
        files += plot.bars(folder, "speed-up", "%d workers" % p, "T_1 / T_%d" % p,
                           rows({s: "%s1/%s%d" % (s, s, p) for s in STRATEGIES}), [1, p])
    peers = [(c["name"][5:], {peer: c["ratios"].get("%s-1/lazy1" % peer) for peer in PEERS}) for c in data["cases"]
             if c["group"] == "peer"]
    files += plot.bars(folder, "peers", "Peers, one worker", "T / T of cilkc, lazy", peers, [1])
    if data.get("knary"):
        fit = (data["knary"].get("lazy") or {}).get("fit") or {}
        files += plot.speedups(folder, "knary", knary.normalised(data["knary"]), fit.get("c1"), fit.get("c_inf"))
    figure = (data.get("micro") or {}).get("figure7") or {}
    if figure:
        r = figure["ratio"]
        eager = [("elision", 1.0)] + [(part, r[part] - 1) for part in ("state saving", "closures", "THE") if part in r]
        lazy = [("elision", 1.0)] + [(part, r[part] - 1) for part in ("release flag",) if part in r]
        files += plot.stacked(
            folder, "figure7", "fib, overheads added one at a time", [("eager, parts", eager), ("lazy, parts", lazy)]
            + [(name, [("elision", 1.0), ("as compiled, rest", r[name] - 1)]) for name in r if name.startswith("cilkc")]
        )
    return files


def markdown(data):
    lines = [
        "# Benchmarks", "",
        "Made by `make bench` on %s, with the versions below. Ratios are the result; absolute times say more about the machine."
        % data["date"], ""
    ]
    lines += (machine_part(data) + targets_part(data) + cases_part(data) + peers_part(data)
              + micro_part(data.get("micro"), data["options"]["workers"]) + knary_part(data.get("knary")))
    problems = [(case["name"], problem) for case in data["cases"] for problem in case["problems"]]
    if problems:
        lines += ["## Problems", ""] + ["* %s: %s" % pair for pair in problems] + [""]
    if data["charts"]:
        lines += ["`make bench` draws charts next to its own copy of this report, in the build directory: %s."
                  % ", ".join(sorted({os.path.splitext(name)[0] for name in data["charts"]})), ""]
    return "\n".join(lines)


def start(options):
    info = machine.describe()
    return {"format": 1, "date": time.strftime("%Y-%m-%d"), "options": options, "machine": info,
            "warning": machine.warning(info["load"]), "missing": {}, "cases": [], "micro": None, "knary": None,
            "targets": [], "charts": []}
