"""How `cilkc race` shows races to people: in colours on terminals, else as plain lines. All goes to stderr, stdout is the program's."""


from cilkc_driver import tools


def described(race):
    o = race["object"]
    if o["kind"] == "global":
        return "global '%s' (%s:%d)" % (o["name"], o["file"], o["line"])
    if o["kind"] == "local":
        return "local '%s' of %s (%s:%d)" % (o["name"], o["procedure"], o["file"], o["line"])
    if o["kind"] == "heap":
        a = o.get("allocated")
        return "a heap block of %d bytes%s" % (o["size"], ", allocated by %s at %s:%d" % (a["procedure"], a["file"], a["line"]) if a else "")
    return "memory of unknown origin"


def where(p):
    return "%s:%d:%d" % (p["file"], p["line"], p["column"])


def lines_of(number, race):
    """(style, text) of each line."""
    yield "bold", "race %d: %s" % (number, described(race)) + (", byte %d of %d" % (race["object"]["offset"], race["object"]["size"]) if race["object"]["offset"] else "")
    for name, access in (("first", race["first"]), ("then", race["second"])):
        how = "delivery (%s)" % access["kind"] if access["delivery"] else access["kind"]
        yield "access", "  %-5s %s: %s in %s%s" % (name, where(access), how, access["procedure"], ": " + access["text"] if access["text"] else "")
        for frame in reversed(access["path"]):
            yield "path", "        spawned at %s by %s: %s" % (where(frame), frame["procedure"], frame["text"])
    if "spawn" in race:
        text = "  parallel because of the spawn at %s" % where(race["spawn"])
        if "sibling" in race and where(race["sibling"]) != where(race["spawn"]):
            text += " and the one at %s" % where(race["sibling"])
        yield "path", text
    if race["hint"]:
        yield "hint", "  hint: " + race["hint"]


STYLES = {"bold": "bold red", "access": "", "path": "dim", "hint": "green"}


def show(report):
    count = len(report.races)
    summary = "no races" if not count else "1 race" if count == 1 else "%d races" % count
    summary = "cilkc race: " + summary + (" on this input" if not report.failed else "")
    if tools.colour_of(None) == "never":
        text = []
        for number, race in enumerate(report.races, 1):
            text += [line for _, line in lines_of(number, race)] + [""]
        tools.write_stderr(("\n".join(text + [summary]) + "\n").encode("utf-8", "surrogateescape"))
        return
    from rich.console import Console
    from rich.text import Text
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for number, race in enumerate(report.races, 1):
        for style, line in lines_of(number, race):
            console.print(Text(line, style=STYLES[style]))
        console.print()
    console.print(Text(summary, style="bold red" if count else "bold green"))
