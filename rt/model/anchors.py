"""What of the runtime each model stands for, and whether that has changed since the model was last compared with it.

    python3 rt/model/anchors.py                    says which models are to be looked at again; exit status 1 if there are any
    python3 rt/model/anchors.py --renew MODEL...   they have been: the present text of their functions is what they stand for (no MODEL: all)

A model says `stands-for FILE: FUNCTION...` in its head. marks.txt has a line for each such function, with a checksum of its text without comments, blanks, counters and events.
"""

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
    """(file, function) of what a model stands for."""
    for file, names in re.findall(r"^[\s*]*stands-for (\S+): (.*)$", model.read_text(), re.M):
        for name in names.replace("*/", "").split():
            yield file, name


def definition(text, name):
    """The text of all definitions of a function: from the line of its name, which begins at the left, to the brace at the left."""
    pattern = r"^(?=[A-Za-z])(?:[^;{}=#\n]*[\s*])?%s\([^;{}]*\)\s*\{(?:.*\}$|(?:.*\n)*?\})" % re.escape(name)
    return "\n".join(found.group() for found in re.finditer(pattern, text, re.M))


def bare(text):
    """Without comments and blanks, and without what watches the protocols and takes no part in them."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"\b(?:cilk_point|CILK_EVENT|cilk_count|cilk_count_n|cilk_check|cilk_assert\w*|cilk_spin_held)\((?:[^()]|\([^()]*\))*\);", " ", text)
    return " ".join(text.split())


def present():
    """{(model, file, function): checksum}"""
    found = {}
    for model in models():
        for file, name in claims(model):
            text = definition((ROOT / file).read_text(), name) if (ROOT / file).exists() else ""
            found[model.name, file, name] = hashlib.sha256(bare(text).encode()).hexdigest()[:12] if text else ""
    return found


def marks():
    lines = MARKS.read_text().splitlines() if MARKS.exists() else []
    return {tuple(line.split()[:3]): line.split()[3] for line in lines}


def complaints():
    """What is to be done, in words."""
    now, then = present(), marks()
    said = ["%s stands for nothing" % model.name for model in models() if not list(claims(model))]
    for key, checksum in now.items():
        model, file, name = key
        if not checksum:
            said.append("%s: %s of %s is not there any more" % (model, name, file))
        elif then.get(key) != checksum:
            said.append("%s: %s of %s has changed since the model was compared with it: read both, mend the model, then rt/model/anchors.py --renew %s"
                        % (model, name, file, model))
    return said + ["%s: marks.txt names %s of %s, the model does not" % key for key in then if key not in now]


def renew(names):
    now, then = present(), marks()
    kept = {key: value for key, value in then.items() if names and key[0] not in names}
    new = {key: value for key, value in now.items() if value and (not names or key[0] in names)}
    MARKS.write_text("".join("%s %s %s %s\n" % (*key, value) for key, value in sorted({**kept, **new}.items())))


def main(words):
    if words[:1] == ["--renew"]:
        unknown = set(words[1:]) - {model.name for model in models()}
        if unknown:
            print("no such model: " + " ".join(sorted(unknown)), file=sys.stderr)
            return 2
        renew(words[1:])
        return 0
    said = complaints()
    print("\n".join(said) if said else "all models are up to date")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
