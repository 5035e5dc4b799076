"""What helps to write: the signature at a call, folds, the format, symbols of the workspace, and whether a new name
collides. Pure functions of texts and indexes, as in answers.py, but for the call of clang-format.
"""

import itertools
import os
import re
import subprocess
import sys

from lsprotocol import types

from cilkc_driver import home

from .answers import SYMBOL_KINDS, Refused, uri_of
from .code import Code

CALLED = ("function", "procedure", "inlet", "thread")


# ---------------------------------------------------------------- signatures

def parameters(declaration):
    """[(begin, end)] of the parameters in a declaration, those of its last brackets."""
    depth, end = 0, declaration.rfind(")")
    begin = end
    while begin >= 0:
        depth += {")": 1, "(": -1}.get(declaration[begin], 0)
        if depth == 0:
            break
        begin -= 1
    made, start = [], begin + 1
    for at in range(begin + 1, end + 1):
        depth += {"(": 1, ")": -1}.get(declaration[at], 0)
        if at == end or declaration[at] == "," and depth == 0:
            left = len(declaration[start:at]) - len(declaration[start:at].lstrip())
            if declaration[start:at].strip() not in ("", "void"):
                made.append((start + left, at))
            start = at + 1
    return made


def signature(index, text, position, texts):
    code = Code(text)
    found = code.call(code.offset_of(position))
    if found is None:
        return None
    name, number = found
    line, column = text.byte_place(position)
    symbol = next((one for one in index.visible_at(line, column) if one.name == name), None)
    written, comment = None, ""
    if symbol is not None and (symbol.kind in CALLED or "(" in symbol.type):
        written = symbol.declaration(index.shown_type(symbol))
        comment = Code(texts(symbol.file)).comment_above(symbol.at[1]) if symbol.at else ""
    elif symbol is None:
        written = next((row[2] for row in index.library if row[0] == name and row[1] in CALLED), None)
    if not written:
        return None
    places = parameters(written)
    last = len(places) - 1
    if places and written[slice(*places[last])] == "...":
        number = min(number, last)
    shown = types.SignatureInformation(
        written, documentation=comment or None, active_parameter=number if number <= last else None,
        parameters=[types.ParameterInformation(places_of) for places_of in places],
    )
    return types.SignatureHelp([shown], active_signature=0, active_parameter=shown.active_parameter)


# ---------------------------------------------------------------- folds

def folds(text):
    """Blocks in braces, comments of several lines, and the #includes that follow each other."""
    code, opened, made = Code(text), [], []
    for number, line in enumerate(code.plain.split("\n")):
        for one in line:
            if one == "{":
                opened.append(number)
            elif one == "}" and opened:
                first = opened.pop()
                if number - first > 1:              # the line with the closing brace stays
                    made.append(types.FoldingRange(first, number - 1))
    plain = code.plain.split("\n")
    include = [bool(re.match(r"\s*#\s*include\b", line)) for line in text.lines]
    comment = [bool(line.strip()) and not rest.strip() for line, rest in zip(text.lines, plain)]
    for kind, belongs in ((types.FoldingRangeKind.Imports, include), (types.FoldingRangeKind.Comment, comment)):
        for inside, group in itertools.groupby(range(len(belongs)), belongs.__getitem__):
            numbers = list(group)
            if inside and len(numbers) > 1:
                made.append(types.FoldingRange(numbers[0], numbers[-1], kind=kind))
    return sorted(made, key=lambda fold: (fold.start_line, -fold.end_line))


# ---------------------------------------------------------------- the format

def formatter():
    for name in (os.path.join(os.path.dirname(sys.executable), "clang-format"), "clang-format", "clang-format-19"):
        path = home.which(name)
        if path:
            return path
    raise Refused("clang-format is not installed, which formats texts")


def formatted(path, text, lines=None):
    """Edits that give a text clang-format's form, by the .clang-format of its folder; for some lines only, if named.
    Cilk's words are names to it, which it leaves where they are."""
    before = "\n".join(text.lines)
    words = [formatter(), "--assume-filename=" + os.path.splitext(path)[0] + ".c"]
    words += ["--lines=%d:%d" % lines] if lines else []
    folder = os.path.dirname(path)
    done = subprocess.run(words, input=before.encode("utf-8", "replace"), capture_output=True, timeout=30,
                          cwd=folder if os.path.isdir(folder) else "/")
    if done.returncode:
        raise Refused((done.stderr.decode("utf-8", "replace").strip().splitlines() or ["clang-format failed"])[0])
    after = done.stdout.decode("utf-8", "replace")
    if after == before:
        return []
    code = Code(text)
    return [types.TextEdit(code.range(0, len(code.text)), after)]


# ---------------------------------------------------------------- the workspace

def workspace_symbols(indexes, texts, query):
    """Those of file scope, and inlets, whose names have the letters of a query in their order."""
    pattern = re.compile(".*?".join(map(re.escape, query)), re.I)
    made = {}
    for index in indexes:
        for symbol in index.symbols:
            if (symbol.name and symbol.at and symbol.at[0] in index.mine and symbol.kind not in ("parameter", "label", "field")
                    and (not symbol.is_local or symbol.kind == "inlet") and pattern.search(symbol.name)):
                where = types.Location(uri_of(symbol.file), texts(symbol.file).range(symbol.at))
                made[symbol.file, tuple(symbol.at[1:])] = types.SymbolInformation(
                    where, symbol.name, SYMBOL_KINDS[symbol.kind],
                    container_name=os.path.basename(symbol.file))
    return list(made.values())


# ---------------------------------------------------------------- new names

SPACES = {"struct": "tag", "union": "tag", "enum": "tag", "label": "label", "field": "field"}


def space(symbol):
    return SPACES.get(symbol.kind, "name")


def collision(index, symbol, new):
    """Refuses a new name that another declaration of the same scope has, that would be hidden where ours is used, or
    that ours would hide where it is used."""
    whole = (symbol.at[0] if symbol.at else 0, 0, 0, float("inf"), 0)

    def inside(place, scope):
        return scope[0] == place[0] and tuple(scope[1:3]) <= tuple(place[1:3]) <= tuple(scope[3:5])

    ours = symbol.visible or whole
    for other in index.symbols:
        if other.name != new or other is symbol or space(other) != space(symbol):
            continue
        theirs = other.visible or whole
        if space(symbol) == "field":
            meets = other.parent == symbol.parent
        elif ours is whole and theirs is whole or ours[3:5] == theirs[3:5]:
            meets = True
        elif theirs is not whole and (ours is whole or inside(theirs, ours)):
            meets = any(inside(use, theirs) for use in index.uses_of(symbol))
        elif ours is not whole and (theirs is whole or inside(ours, theirs)):
            meets = any(inside(use, ours) for use in index.uses_of(other))
        else:
            meets = False
        if meets:
            file = " of " + os.path.basename(other.file) if other.file and other.at[0] not in index.mine else ""
            raise Refused("there is a %s '%s' already%s%s"
                          % (other.kind, new, " at line %d" % other.at[1] if other.at else "", file))
