"""The result, as text and as JSON."""

from .poly import tell

PROVED, RACE, UNDECIDED = "proved", "race", "not decided"
STATUS = {PROVED: 0, RACE: 1, UNDECIDED: 3}
SHOWN = 5  # findings of a procedure, in the text
ACCESS = {"R": "read", "W": "write"}


def verdict(result, witness):
    return PROVED if result.proved else RACE if witness else UNDECIDED


def access(section):
    if section is None:
        return None
    return {
        "file": section.function.declaration.file or "",
        "line": section.line,
        "access": ACCESS[section.kind],
        "function": section.function.name,
        "calls": [{"function": function.name, "line": line} for function, line in section.via],
    }


def finding(conflict):
    other = conflict.other if isinstance(conflict.other, int) else conflict.other.line
    row = {"kind": conflict.kind, "line": other, "why": conflict.why}
    if conflict.spawn is not None:
        row["spawn"] = conflict.spawn.line
        row["accesses"] = [access(conflict.first), access(conflict.second)]
    return row


def findings(procedure):
    """Each pair of lines once."""
    seen, rows = set(), []
    for conflict in procedure.conflicts:
        row = finding(conflict)
        key = (row["kind"], row["why"], *sorted(a["line"] for a in row.get("accesses", ())))
        if key not in seen:
            seen.add(key)
            rows.append(row)
    return rows


def document(result, witness, files):
    procedures = []
    for procedure in result.procedures:
        function = procedure.function
        procedures.append(
            {
                "name": function.name if function else "",
                "file": (function.declaration.file if function else None) or files[0],
                "line": (function.line if function else 0) or 0,
                "verdict": PROVED if procedure.proved else UNDECIDED,
                "pairs": procedure.pairs,
                "accesses": procedure.accesses,
                "before": [tell(formula) for formula in procedure.facts.before] if procedure.facts else [],
                "findings": findings(procedure),
            }
        )
    data = {
        "version": 1,
        "files": files,
        "verdict": verdict(result, witness),
        "procedures": procedures,
        "assumptions": result.assumptions,
        "contract": result.contract,
        "outOfTime": result.out_of_time,
    }
    if witness:
        data["input"], data["races"], main = witness
        if main:
            data["driver"] = main
    return data


# ---- text


def text(data):
    lines = []
    for row in data["procedures"]:
        where = "%s:%d: %s: %s" % (row["file"], row["line"], row["name"], row["verdict"])
        if row["verdict"] == PROVED and row["pairs"]:
            where += ", %s" % counted(row["pairs"], "pair", "pairs")
        lines.append(where)
        for one in row["findings"][:SHOWN]:
            lines.append("    " + sentence(one))
        if len(row["findings"]) > SHOWN:
            lines.append("    and %d more" % (len(row["findings"]) - SHOWN))
    return "\n".join(lines + ending(data)) + "\n"


def counted(number, one, many):
    return "%d %s" % (number, one if number == 1 else many)


def sentence(row):
    if "accesses" not in row:
        return "line %d: %s" % (row["line"], row["why"]) if row["line"] else row["why"]
    first, second = row["accesses"]
    return "the child of line %d: %s, beside %s: %s" % (row["spawn"], told(first), told(second), row["why"])


def told(row):
    return "%s in line %d of %s" % (row["access"], row["line"], row["function"])


def ending(data):
    return [*sentences(data), *fix_of(data)]


def fix_of(data):
    if "fix" not in data:
        return []
    fix = data["fix"]
    if fix is None:
        return ["  no edit was found that cures it"] if data["verdict"] != PROVED else []
    span = ", span %d" % fix["span"] if fix["span"] is not None else ""
    lines = ["  this cures it, proved%s: %s" % (span, "; ".join(dict.fromkeys(fix["what"])))]
    for row in fix["edits"]:
        lines.append("  %s:%d:" % (row["file"], row["line"]))
        lines += ["  -" + line for line in row["remove"]] + ["  +" + line for line in row["insert"]]
    return lines


def sentences(data):
    name = " ".join(data["files"])
    if data["verdict"] == PROVED:
        return [
            "%s: free of determinacy races on every input" % name,
            *["  contract: %s" % text for text in data["contract"]],
            *["  assumed: %s" % text for text in data["assumptions"]],
        ]
    if data["verdict"] == RACE:
        arguments = " ".join(data["input"])
        if "driver" in data:
            lines = ["%s: a race, with this file beside it:" % name]
            lines += ["  | " + line for line in data["driver"].split("\n") if line]
            return lines + shown_races(data["races"])
        deadlocks = all(row.get("type") == "inversion" for row in data["races"])
        what = "a deadlock" if deadlocks else "a race"
        lines = ["%s: %s, on the input: %s" % (name, what, arguments or "no arguments"), *shown_races(data["races"])]
        return lines + ["  cilkc race %s%s shows it" % (name, " -- " + arguments if arguments else "")]
    why = "; the time is over" if data["outOfTime"] else ""
    return ["%s: not decided%s. No input that was tried shows a race" % (name, why)]


# What `cilkc race` finds, by its type.
FOUND = {
    "race": "race",
    "early": "use of a result that may not have arrived",
    "held": "lock that is held over a spawn or sync",
    "inversion": "deadlock: locks that are acquired in both orders",
    "unjoined": "use of a reducer before its views are joined",
}


def shown_races(races):
    """Each pair of lines once."""
    return list(dict.fromkeys("  " + shown_race(row) for row in races))[:SHOWN]


def shown_race(row):
    accesses = row.get("accesses", [])
    lines = " and ".join(str(one.get("line")) for one in accesses)
    type_ = row.get("type", "race")
    return "%s: lines %s" % (FOUND.get(type_, type_), lines)
