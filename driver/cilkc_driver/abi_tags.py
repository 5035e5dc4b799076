"""What the linker says when objects with Cilk procedures were compiled with different flags, in the user's words.

Every such object refers to one symbol `cilk_spawn_eager` or `cilk_spawn_lazy`, for each mode to `cilk_MODE_on` or
`cilk_MODE_off`, and to `cilk_form_FORM`: parallel code, the serial form, or that of a tool (rt/core/abi_tags.def);
those that disagree do not link. The objects' symbol names are looked at only after a link has failed.
"""

import re

from . import disk
from .flags import AGREED_MODES, STRATEGIES

BY_NAME = "pedigree"                 # a unit has this mode if it names a function of it, without a flag
MODES = tuple(mode for mode in AGREED_MODES if mode != BY_NAME)

FLAGS = {"units": "-cilk-span=count"}               # of the others: -cilk-MODE
FORMS = {"parallel": "for parallel runs", "serial": "with --serial", "count": "for cilkc profile",
         "scale": "with -fcilktool=cilkscale", "race": "for cilkc race", "strands": "for cilkc race --nproc",
         "memory": "for cilkc memory"}
SYMBOL = re.compile(
    rb"(?<![a-z_0-9])cilk_(?:(spawn|form)_(%s)|([a-z]+)_(on|off))\0" % "|".join([*STRATEGIES, *FORMS]).encode()
)
OURS = re.compile(rb"cilk_error_objects_disagree_on_|undefined reference to [`'\"]?cilk_(?:spawn_|[a-z]+_o(?:n|ff)\b)"
                  rb"|undefined symbol: cilk_(?:spawn_|[a-z]+_o(?:n|ff)\b)")


def tags(name):
    """What an object or archive was made for: {"spawn", "form" or a mode: set of values}."""
    found = {}
    for group, choice, mode, value in SYMBOL.findall(disk.bytes_of(name)):
        found.setdefault((group or mode).decode(), set()).add((choice or value).decode())
    return found


def flag(mode):
    return FLAGS.get(mode, "-cilk-" + mode)


def compiled(facts):
    """"with -cilk-profile -cilk-span", or "without -cilk-debug, ..."."""
    on = [flag(mode) for mode, values in facts.items() if mode in MODES and "on" in values]
    both = [flag(mode) for mode, values in facts.items() if mode in MODES and len(values) > 1]
    text = "with " + " ".join(on) if on else "without " + ", ".join(flag(mode) for mode in MODES)
    return text + (" and without " + ", ".join(both) if both else "")


def explain(messages, files, link_modes):
    """The linker's messages with those about disagreement replaced. files: [(path, name that the user knows)]."""
    if not OURS.search(messages):
        return messages
    facts = [(shown, found) for path, shown in files for found in [tags(path)] if found]
    link = {mode: {"on" if mode in link_modes else "off"} for mode in MODES}

    def values(group):
        return set().union(*(found.get(group, set()) for _, found in facts))

    if len(values("form")) > 1:             # all else follows from that
        lines = ["cilkc: error: objects compiled for different ways to run cannot be linked together:"]
        lines += ["  %s: compiled %s" % (shown, " and ".join(FORMS[word] for word in sorted(found["form"])))
                  for shown, found in facts if "form" in found]
        return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
    lines = []
    if len(values("spawn")) > 1:
        lines.append("cilkc: error: objects with different spawn strategies cannot be linked together:")
        lines += ["  %s: compiled with %s" % (shown, " and ".join("--spawn=" + word for word in sorted(found["spawn"])))
                  for shown, found in facts if "spawn" in found]
    if len(values(BY_NAME)) > 1 or b"cilk_pedigree_on" in messages or b"disagree_on_pedigree" in messages:
        lines.append(
            "cilkc: error: a part of the program asks for pedigrees or their random numbers: compile all of it with -cilk-pedigree:"
        )
        lines += [
            "  %s: compiled %s pedigrees"
            % (shown, " and ".join("with" if word == "on" else "without" for word in sorted(found[BY_NAME])))
            for shown, found in facts
            if BY_NAME in found
        ]
    if any(values(mode) - link[mode] for mode in MODES):
        lines.append("cilkc: error: objects compiled and linked with different -cilk flags cannot be linked together:")
        lines += ["  %s: compiled %s" % (shown, compiled(dict(sorted(found.items())))) for shown, found in facts]
        lines.append("  this link: %s" % compiled(link))
    if not lines:
        return messages
    rest = [line for line in messages.splitlines(True) if not OURS.search(line)]
    if all(b"ld returned" in line or b"in function" in line or not line.strip() for line in rest):
        rest = []
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape") + b"".join(rest)
