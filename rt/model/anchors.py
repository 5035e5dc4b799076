"""The functions of the runtime that each model describes. Has one changed since the model was compared with it?

    python3 rt/model/anchors.py                      reports which models must be compared again: exit status 1 if any
    python3 rt/model/anchors.py --renew [MODEL...]   records the present text of their functions (no MODEL: of all)
        --because REASON                             why a model that has not changed is still right: marks.txt keeps
                                                     the reason

A model has `describes FILE: FUNCTION...` in its head. marks.txt has a line for each model, with a checksum of the
model, and one for each such function, with two checksums: of the function's text, and of what it uses: macros,
constants, inline functions of headers, functions of the structures (STRUCTURES below) and short ones of its own
file, and what these use. Comments, blanks, counters, events and checks do not count.
"""

import argparse
import functools
import hashlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MARKS = HERE / "marks.txt"


def models():
    return sorted(HERE.glob("*.pml")) + sorted((HERE / "weak").glob("*.weak"))


def claims(model):
    """(file, function) of what a model describes."""
    text = model.read_text()
    lines = re.findall(r"^[\s*]*describes (\S+): (.*(?:\n \*(?: (?!describes)\w+)+)*)", text, re.M)
    if len(lines) != text.count("describes"):
        raise SystemExit("%s: each `describes FILE: FUNCTION...` begins a line" % model.name)
    for file, names in lines:
        for name in names.replace("*", "").replace("/", "").split():
            yield file, name


def definition(text, name):
    """The text of all definitions of a function: from the line of its name, which begins at the left, to the brace at
    the left."""
    pattern = r"^(?=[A-Za-z])(?:[^;{}=#\n]*[\s*])?%s\([^;{}]*\)\s*\{(?:.*\}$|(?:.*\n)*?\})" % re.escape(name)
    return "\n".join(found.group() for found in re.finditer(pattern, text, re.M))


def bare(text):
    """The tokens, without comments, and without what watches the protocols and takes no part in them."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(
        r"\b(?:cilk_point|CILK_HOOK|CILK_EVENT|cilk_count|cilk_count_n|cilk_check|cilk_assert\w*|cilk_spin_held)\((?:[^()]|\([^()]*\))*\);",
        " ",
        text,
    )
    return " ".join(re.findall(r"\w+|[^\w\s]", text))


SHORT = 100             # tokens of a function that is looked into from its own file
STRUCTURES = "closure.c", "children.c", "deque.c", "link.c"
USE = re.compile(r"\b(?:[A-Za-z_]\w*(?=\()|[A-Z][A-Z0-9_]{2,}\b)")          # a call, or a constant


def helpers(text, owner):
    """{name: text} of what functions may use of this file. owner: all functions of a .c file, or the short ones of the
    file that asks; None: a header."""
    found = {}

    def add(name, body):
        found[name] = found.get(name, "") + " " + bare(body)

    for macro in re.finditer(r"^#\s*define (\w+)((?:[^\n]*\\\n)*[^\n]*)", text, re.M):
        add(macro[1], macro[2])
    plain = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    for enum in re.finditer(r"\benum\b[^{};()]*\{([^}]*)\}", plain):
        for place, constant in enumerate([] if "#" in enum[1] else enum[1].split(",")):
            name = re.match(r"\s*(\w+)", constant)
            if name:
                add(name[1], constant if "=" in constant else "the %dth" % place)
    for constant in re.finditer(r"^static const [^;(){}]*?\b(\w+) = [^;]*;", plain, re.M):
        add(constant[1], constant[0])
    kind = r"(?:static )?inline " if owner is None else ""
    for name in set(re.findall(r"^(?=[A-Za-z])%s[^;{}=#\n()]*[\s*](\w+)\([^;{}]*\)\s*\{" % kind, text, re.M)):
        body = definition(text, name)
        if owner != "short" or len(bare(body).split()) <= SHORT:
            add(name, body)
    return found


@functools.cache
def library(root):
    """What every file of the runtime may use."""
    found = {}
    for path in sorted((root / "rt").rglob("*.h")) + [
        root / "rt" / "core" / "data" / name for name in STRUCTURES if (root / "rt" / "core" / "data" / name).exists()
    ]:
        for name, body in helpers(path.read_text(), None if path.suffix == ".h" else "all").items():
            found[name] = found.get(name, "") + body
    return found


def used(body, file, name):
    """{name: text} of what a function uses, and what that uses."""
    known = {**library(ROOT), **(helpers((ROOT / file).read_text(), "short") if file.endswith(".c") else {})}
    found, left = {}, [body]
    while left:
        for word in set(USE.findall(left.pop())):
            if word in known and word not in found and word != name:
                found[word] = known[word]
                left.append(known[word])
    return found


def content(model):
    """A model without its comments and without the names of what it describes."""
    text = re.sub(r"^#.*$", "", model.read_text(), flags=re.M) if model.suffix == ".weak" else model.read_text()
    return bare(re.sub(r"^describes .*$", "", text, flags=re.M))


def checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def present():
    """{(model, file, function): (checksum of its text, checksum of what it uses)}; (model, "-", "model"): the model's
    own."""
    library.cache_clear()
    found = {}
    for model in models():
        found[model.name, "-", "model"] = checksum(content(model)), "-"
        for file, name in claims(model):
            text = definition((ROOT / file).read_text(), name) if (ROOT / file).exists() else ""
            uses = used(bare(text), file, name) if text else {}
            found[model.name, file, name] = (
                checksum(bare(text)) if text else "",
                checksum("\n".join("%s %s" % use for use in sorted(uses.items()))),
            )
    return found


def marks():
    """{key: (the checksums, the reason)}"""
    found = {}
    for line in MARKS.read_text().splitlines() if MARKS.exists() else []:
        line, _, reason = line.partition("  # ")
        model, file, name, *sums = line.split()
        found[model, file, name] = tuple(sums), reason
    return found


def complaints():
    """What is to be done, in words."""
    now, then = present(), marks()
    said = ["%s describes nothing" % model.name for model in models() if not list(claims(model))]
    for key, sums in now.items():
        model, file, name = key
        old = then.get(key, (("", ""), ""))[0]
        if name == "model" or old == sums:
            continue
        if not sums[0]:
            said.append("%s: %s of %s is not there any more" % (model, name, file))
            continue
        what = "has changed"
        if old[0] == sums[0]:
            names = sorted(used(bare(definition((ROOT / file).read_text(), name)), file, name))
            what = "uses something that has changed (one of %s)" % ", ".join(names)
        said.append(
            "%s: %s of %s %s since the model was compared with it: read both, fix the model, then rt/model/anchors.py --renew %s"
            % (model, name, file, what, model)
        )
    return said + ["%s: marks.txt names %s of %s, the model does not" % key for key in then if key not in now]


def renew(names, because=""):
    """Writes the marks of these models, or of all. Returns those that it leaves: they are as they were, their functions
    are not, and there is no reason."""
    now, then = present(), marks()
    changed = {
        model
        for (model, file, name), sums in now.items()
        if (model, file, name) in then and then[model, file, name][0] != sums
    }
    same = {
        model
        for model, file, name in now
        if name == "model" and then.get((model, file, name), ((), ""))[0] == now[model, file, name]
    }
    refused = {model for model in changed & same if not because and (not names or model in names)}
    kept = {}
    for key, sums in now.items():
        model = key[0]
        old = then.get(key)
        if (names and model not in names) or model in refused:
            if old:
                kept[key] = old
        elif sums[0]:
            # A reason is good for as long as the mark that it explains is.
            kept[key] = (
                sums,
                because if model in same and old and old[0] != sums else old[1] if old and old[0] == sums else "",
            )
    MARKS.write_text(
        "".join(
            "%s %s %s %s %s%s\n" % (*key, *sums, "  # " + reason if reason else "")
            for key, (sums, reason) in sorted(kept.items())
        )
    )
    return sorted(refused)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", nargs="*", metavar="MODEL")
    parser.add_argument("--because", default="", metavar="REASON")
    options = parser.parse_args(words)
    if options.renew is None:
        said = complaints()
        print("\n".join(said) if said else "all models are up to date")
        return 1 if said else 0
    unknown = set(options.renew) - {model.name for model in models()}
    if unknown:
        print("no such model: " + " ".join(sorted(unknown)), file=sys.stderr)
        return 2
    refused = renew(options.renew, " ".join(options.because.split()))
    for model in refused:
        print("%s has not changed: if it is still right, --because 'why' records the reason" % model, file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
