"""What the linker says when objects with Cilk procedures were compiled with different flags, in the user's words.

Every such object refers to one symbol `cilk_spawn_eager` or `cilk_spawn_lazy` and to one `cilk_build_…` (rt/abi.h); those
that disagree do not link. The objects' symbol names are looked at only after a link has failed.
"""

import os
import re

SYMBOL = re.compile(rb"(?<![a-z_0-9])cilk_(spawn_(?:eager|lazy)|build_(?:plain|debug|profile|span)(?:_(?:profile|span))*)\0")
OURS = re.compile(rb"cilk_error_objects_disagree_on_|undefined reference to [`'\"]?cilk_(?:build|spawn)_"
                  rb"|undefined symbol: cilk_(?:build|spawn)_")
LARGEST = 64 << 20


def agreements(name):
    """The spawn strategies and the builds that an object or archive was made for, as sets of words."""
    try:
        if os.path.getsize(name) > LARGEST:
            return set(), set()
        with open(name, "rb") as file:
            found = {match.decode() for match in SYMBOL.findall(file.read())}
    except OSError:
        return set(), set()
    return ({word[6:] for word in found if word.startswith("spawn_")},
            {word[6:] for word in found if word.startswith("build_")})


def flags(build):
    return "without -cilk-debug, -cilk-profile, -cilk-span" if build == "plain" else " ".join("-cilk-" + word for word in build.split("_"))


def explain(messages, files, link_build):
    """The linker's messages with those about disagreement replaced. files: [(path, name that the user knows)]."""
    if not OURS.search(messages):
        return messages
    facts = [(shown, *agreements(path)) for path, shown in files]
    strategies = set().union(*(spawn for _, spawn, _ in facts))
    builds = set().union(*(build for _, _, build in facts))
    lines = []
    if len(strategies) > 1:
        lines.append("cilkc: error: objects with different spawn strategies cannot be linked together:")
        lines += ["  %s: compiled with %s" % (shown, " and ".join("--spawn=" + word for word in sorted(spawn)))
                  for shown, spawn, _ in facts if spawn]
    if builds - {link_build}:
        lines.append("cilkc: error: objects compiled and linked with different -cilk flags cannot be linked together:")
        lines += ["  %s: compiled %s" % (shown, " and ".join(with_word(word) for word in sorted(build)))
                  for shown, _, build in facts if build]
        lines.append("  this link: %s" % with_word(link_build))
    if not lines:
        return messages
    rest = [line for line in messages.splitlines(True) if not OURS.search(line)]
    if all(b"ld returned" in line or b"in function" in line or not line.strip() for line in rest):
        rest = []
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape") + b"".join(rest)


def with_word(build):
    text = flags(build)
    return text if text.startswith("without") else "with " + text
