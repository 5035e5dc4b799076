"""What an editor is shown of a file: pure functions of its text and index. Nothing here compiles or runs."""

import os
import re
from urllib.parse import quote, unquote, urlparse

from lsprotocol import types

from . import fixes as advice
from .code import Code, without_comments
from .index import DECLARES, DEFINES, IDENTIFIER, SPAWNS, WRITES

LEVELS = {"warning": types.DiagnosticSeverity.Warning, "note": types.DiagnosticSeverity.Information,
          "remark": types.DiagnosticSeverity.Information}

CILK = {"cilk": "declares a procedure, which may spawn and be spawned",
        "spawn": "starts a child procedure, which may run in parallel with the rest of its parent",
        "sync": "waits until all children of this instance have returned",
        "inlet": "a nested function that receives a child's result",
        "abort": "asks the children of this instance, and their descendants, to stop",
        "SYNCHED": "true if this instance has no outstanding children",
        "future": "a child's result, for which `touch` waits alone", "touch": "waits until a future has its value",
        "private": "one copy of the variable for each worker",
        "thread": "a Cilk-1 thread: a procedure that runs to its end without waiting",
        "cont": "a continuation: an empty argument of a closure, to which `send_argument` sends a value",
        "spawn_next": "makes the closure of a successor thread",
        "tail_call": "ends this thread and runs another in its place",
        "send_argument": "sends a value to a continuation",
        "cilk_spawn": "starts a call, which may run in parallel with what follows until `cilk_sync`",
        "cilk_sync": "waits until all spawned calls of this function have returned",
        "cilk_for": "a loop whose iterations may run in parallel",
        "cilk_scope": "a block that waits at its end for what was spawned in it",
        "cilk_reducer": "a variable with a view for each strand; the views are reduced at syncs"}
WORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed "
    "sizeof static struct switch typedef union unsigned void volatile while"
).split()
PROCEDURES = ("procedure", "thread")

SYMBOL_KINDS = {"function": types.SymbolKind.Function, "procedure": types.SymbolKind.Function,
                "inlet": types.SymbolKind.Function, "thread": types.SymbolKind.Function,
                "variable": types.SymbolKind.Variable, "parameter": types.SymbolKind.Variable,
                "field": types.SymbolKind.Field, "struct": types.SymbolKind.Struct, "union": types.SymbolKind.Struct,
                "enum": types.SymbolKind.Enum, "enumerator": types.SymbolKind.EnumMember,
                "typedef": types.SymbolKind.Class, "label": types.SymbolKind.Key}
COMPLETION_KINDS = {"function": types.CompletionItemKind.Function, "procedure": types.CompletionItemKind.Function,
                    "inlet": types.CompletionItemKind.Function, "thread": types.CompletionItemKind.Function,
                    "field": types.CompletionItemKind.Field, "typedef": types.CompletionItemKind.Class,
                    "enumerator": types.CompletionItemKind.EnumMember}

TOKENS = ["function", "variable", "parameter", "property", "struct", "enum", "enumMember", "type", "label", "keyword"]
MODIFIERS = ["declaration", "definition", "modification", "procedure", "spawned", "parallel"]
LEGEND = types.SemanticTokensLegend(TOKENS, MODIFIERS)
TOKEN_OF = {"function": "function", "procedure": "function", "inlet": "function", "thread": "function",
            "variable": "variable", "parameter": "parameter", "field": "property", "struct": "struct",
            "union": "struct", "enum": "enum", "enumerator": "enumMember", "typedef": "type", "label": "label"}


class Refused(Exception):
    """A request that cannot be carried out; the text says why."""


def uri_of(path):
    return "file://" + quote(os.path.abspath(path))


def path_of(uri):
    """A file's name; of a text that is in no file, one in the working directory."""
    parts = urlparse(uri)
    name = unquote(parts.path).replace("\0", "?")
    if parts.scheme == "file":
        return name
    return os.path.join(os.getcwd(), os.path.basename(name) or "untitled.cilk")


# ---------------------------------------------------------------- messages

def place_range(texts, place):
    """The range of a location of the compiler's JSON."""
    caret, finish = place.get("start") or place["caret"], place.get("finish")
    text = texts(caret["file"])
    start = text.position(caret["line"], caret.get("byte-column") or caret["column"] or 1)
    if finish:
        end = text.position(finish["line"], (finish.get("byte-column") or finish["column"]) + 1)
    else:
        word = IDENTIFIER.match(text.line(start.line)[start.character:])
        end = types.Position(start.line, start.character + (len(word[0]) if word else 1))
    return types.Range(start, end)


def diagnostics(path, messages, texts, index):
    """The diagnostics of a file. An error in another file is shown at the begin of this file."""
    made = []
    for one in messages:
        places = [place for place in one["locations"] if place.get("caret", {}).get("file")]
        mine = [place for place in places if os.path.realpath(place["caret"]["file"]) == os.path.realpath(path)]
        text = one["message"]
        where = types.Range(types.Position(0, 0), types.Position(0, 0))
        if mine:
            where = place_range(texts, mine[0])
        elif places:
            if one["kind"] not in ("error", "fatal error"):
                continue
            text = "%s:%d: %s" % (os.path.basename(places[0]["caret"]["file"]), places[0]["caret"]["line"], text)
        related = []
        for note in one["children"]:
            spots = [place for place in note["locations"] if place.get("caret", {}).get("file")]
            if spots:
                related.append(
                    types.DiagnosticRelatedInformation(
                        types.Location(uri_of(spots[0]["caret"]["file"]), place_range(texts, spots[0])), note["message"]
                    )
                )
            else:
                text += "\n" + note["message"]
        made.append(types.Diagnostic(where, text, severity=LEVELS.get(one["kind"], types.DiagnosticSeverity.Error),
                                     code=one.get("code"), source="cilkc", related_information=related or None,
                                     data={"fixes": fixes(one, texts) + (advised(one, path, texts, index) if mine else [])}))
    return made


def advised(one, path, texts, index):
    """What the compiler's advice says, as an edit of the file."""
    found = advice.of_message(one, texts(path), index)
    return [[found[0], {uri_of(path): found[1]}]] if found else []


def fixes(one, texts):
    """[(title, {uri: edits})] of a message and its notes, as plain data: it goes to the editor and comes back."""
    made = []
    for source in [one, *one["children"]]:
        changes = {}
        for fix in source.get("fixits", []):
            start, end = fix["start"], fix["next"]
            if not start.get("file"):
                continue
            text = texts(start["file"])
            first = text.position(start["line"], start.get("byte-column") or start["column"])
            last = text.position(end["line"], end.get("byte-column") or end["column"])
            changes.setdefault(uri_of(start["file"]), []).append(
                [first.line, first.character, last.line, last.character, fix["string"]]
            )
        if changes:
            edits = [edit for many in changes.values() for edit in many]
            title = ("Write '%s'" % edits[0][4].strip() if len(edits) == 1 and edits[0][4].strip() else "Remove this"
                     if len(edits) == 1 else source["message"])
            made.append([title, changes])
    return made


def code_actions(uri, found):
    made = []
    for one in found:
        for title, changes in (one.data or {}).get("fixes", []) if isinstance(one.data, dict) else []:
            edits = {name: [types.TextEdit(types.Range(types.Position(a, b), types.Position(c, d)), text)
                            for a, b, c, d, text in many] for name, many in changes.items()}
            made.append(types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=[one],
                                         is_preferred=True, edit=types.WorkspaceEdit(changes=edits)))
    return made


# ---------------------------------------------------------------- what a name is

def hover(index, text, position, measures, texts):
    line, column = text.byte_place(position)
    symbol = index.symbol_at(line, column)
    if symbol is None:
        word = text.word(position)
        return (types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "`%s`: %s" % (word, CILK[word])))
                if word in CILK else None)
    lines = ["```cilk", symbol.declaration(index.shown_type(symbol)), "```"]
    if symbol.parent is not None and symbol.kind == "field":
        lines.append("member of `%s`" % index.symbols[symbol.parent].type)
    elif symbol.file and os.path.realpath(symbol.file) != os.path.realpath(index.path):
        lines.append("%s, declared in %s" % (symbol.kind, symbol.file))
    else:
        lines.append(symbol.kind)
    comment = Code(texts(symbol.file)).comment_above(symbol.at[1]) if symbol.at else ""
    lines += ["", comment, ""] if comment else []
    if symbol.kind in PROCEDURES:
        lines += measures.of_procedure(symbol.name)
    use = index.use_at(line, column)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n".join(lines)), text.range(use[:5]))


def definition(index, text, position, texts):
    symbol = index.symbol_at(*text.byte_place(position))
    if symbol is None or not symbol.at:
        return None
    return types.Location(uri_of(symbol.file), texts(symbol.file).range(symbol.at))


def highlights(index, text, position):
    symbol = index.symbol_at(*text.byte_place(position))
    if symbol is None:
        return None
    return [
        types.DocumentHighlight(
            text.range(use[:5]),
            types.DocumentHighlightKind.Write if use[6] == WRITES else types.DocumentHighlightKind.Read,
        )
        for use in index.own_uses
        if use[5] == symbol.number
    ]


def references(index, symbol, texts, with_declaration=True):
    return [types.Location(uri_of(index.files[use[0]]), texts(index.files[use[0]]).range(use[:5]))
            for use in index.uses_of(symbol) if with_declaration or use[6] not in (DECLARES, DEFINES)]


# ---------------------------------------------------------------- renaming

def code_words(text, name):
    """(line, byte column) of a word outside of comments and literals, both from 1."""
    plain = without_comments(text)
    for number, line in enumerate(plain.split("\n"), 1):
        for match in re.finditer(r"\b%s\b" % re.escape(name), line):
            yield number, len(line[:match.start()].encode("utf-8", "replace")) + 1


def may_rename(index, symbol, new, texts):
    if symbol is None:
        raise Refused("there is no name here that can be changed")
    if new is not None and (not IDENTIFIER.fullmatch(new) or new in WORDS or new in CILK):
        raise Refused("'%s' is not a valid name" % new)
    if not symbol.at or not any(use[6] in (DEFINES, DECLARES) for use in index.uses_of(symbol)):
        raise Refused("'%s' is not declared in this program's own files" % symbol.name)
    for number, line in enumerate(texts(index.path).lines, 1):
        if re.match(r"\s*#\s*define\b", line) and re.search(r"\b%s\b" % re.escape(symbol.name), line):
            raise Refused("'%s' is in the macro at line %d: change it there first" % (symbol.name, number))


def leftover_uses(index, symbol, text):
    """Places of a local name that the tree has lost, as those in the head of a cilk_for: words within its range that
    are not another symbol's."""
    if not symbol.visible or symbol.visible[0] not in index.mine:
        return []
    _, first, column1, last, column2 = symbol.visible
    taken = {(use[1], use[2]) for use in index.own_uses}
    inner = [
        other.visible
        for other in index.symbols
        if other.name == symbol.name
        and other.visible
        and other is not symbol
        and other.visible[1:3] > symbol.visible[1:3]
    ]
    size = len(symbol.name.encode())
    return [
        [symbol.visible[0], line, column, line, column + size]
        for line, column in code_words("\n".join(text.lines), symbol.name)
        if (first, column1) <= (line, column) <= (last, column2)
        and (line, column) not in taken
        and not any((a, b) <= (line, column) <= (c, d) for _, a, b, c, d in inner)
    ]


# ---------------------------------------------------------------- completion

MEMBER = re.compile(r"(?:\.|->)\s*(\w*)$")
PLACEHOLDER = "cilkc_member_"


def with_placeholder(text, position):
    """The text in which an unfinished member access names a member; None where the position is not after `.` or
    `->`."""
    before = text.before(position)
    found = MEMBER.search(before)
    if not found or re.search(r"(?<![\w)\]])\d[\w]*\.\w*$", before):
        return None
    rest = text.line(position.line)[len(before):]
    rest = re.sub(r"^\w+", "", rest)
    lines = list(text.lines)
    lines[position.line] = before[:found.start(1)] + PLACEHOLDER + (";" if not rest.strip() else "") + rest
    return "\n".join(lines)


def members(index, messages, before):
    """The members of the record in which the compiler did not find the placeholder."""
    record = None
    for one in messages:
        found = re.match(r"'(.*)' has no member '%s'" % PLACEHOLDER, one["message"])
        if found and "<anonymous>" not in found[1]:
            record = index.record_of(found[1])
        elif found:
            base = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:\.|->)\s*\w*$", before)
            records = {symbol.record for symbol in index.symbols
                       if base and symbol.name == base[1] and symbol.record is not None}
            record = records.pop() if len(records) == 1 else None
    if record is None:
        return []
    return [types.CompletionItem(symbol.name, kind=types.CompletionItemKind.Field, detail=index.shown_type(symbol))
            for symbol in index.members(record)]


def completions(index, text, position, is_cilk):
    before = text.before(position)
    after_spawn = re.search(r"\b(cilk_)?spawn\s+\w*$", before)
    only = after_spawn and (("function",) if after_spawn[1] else PROCEDURES)
    after_tag = re.search(r"\b(struct|union|enum)\s+\w*$", before)
    made, seen = [], set()

    def add(label, kind, detail, order):
        if label not in seen:
            seen.add(label)
            made.append(types.CompletionItem(label, kind=kind, detail=detail, sort_text="%d%s" % (order, label)))
    if after_tag:
        for symbol in index.symbols:
            if symbol.kind == after_tag[1] and symbol.name:
                add(symbol.name, types.CompletionItemKind.Struct, symbol.type, 0)
        return made
    line, column = text.byte_place(position)
    for symbol in index.visible_at(line, column):
        if only and symbol.kind not in only:
            continue
        add(symbol.name, COMPLETION_KINDS.get(symbol.kind, types.CompletionItemKind.Variable),
            symbol.declaration(index.shown_type(symbol)), 0 if symbol.visible else 1)
    if not only:
        for word in WORDS + (list(CILK) if is_cilk else [word for word in CILK if word.startswith("cilk_")]):
            add(word, types.CompletionItemKind.Keyword, CILK.get(word), 3)
    for name, kind, written in index.library:
        if not only or (kind in only and not re.match(r"_|[Cc]ilk_", name)):
            add(name, COMPLETION_KINDS.get(kind, types.CompletionItemKind.Function), written, 4)
    return made


# ---------------------------------------------------------------- the whole file

def outline(index, text):
    """Functions, types and file-scope variables; inlets and members below what they are in."""
    made, below, roots = {}, {}, []
    for symbol in index.symbols:
        if (
            not symbol.at
            or symbol.at[0] not in index.mine
            or symbol.kind in ("parameter", "label")
            or (symbol.is_local and symbol.kind != "inlet")
        ):
            continue
        name = symbol.name or symbol.type
        at = text.range(symbol.at)
        whole = text.range(symbol.all) if symbol.all and symbol.all[0] in index.mine else at
        if not (before(whole.start, at.start) and before(at.end, whole.end)):
            whole = at
        below[symbol.number] = []
        made[symbol.number] = types.DocumentSymbol(name, SYMBOL_KINDS[symbol.kind], whole, at,
                                                   detail=index.shown_type(symbol), children=below[symbol.number])
    for number, one in made.items():
        below.get(index.symbols[number].parent, roots).append(one)
    return roots


def before(a, b):
    return (a.line, a.character) <= (b.line, b.character)


def semantic_tokens(index, text):
    """Five numbers for each use: distances to the one before, length, type, modifiers."""
    beside = {}
    for row in index.parallel:
        for line in range(row[1], row[3] + 1):
            beside.setdefault(line, []).append((row[1:3], row[3:5]))
    data, last = [], (0, 0)
    for use in sorted(index.own_uses, key=lambda use: use[1:3]):
        symbol = index.symbols[use[5]]
        where = text.range(use[:5])
        flags = ((use[6] == DECLARES) | (use[6] == DEFINES) << 1 | (use[6] == WRITES) << 2
                 | (symbol.kind in PROCEDURES) << 3 | (use[6] == SPAWNS) << 4)
        flags |= any(a <= use[1:3] and use[1:3] <= b for a, b in beside.get(use[1], ())) << 5
        line, character = where.start.line, where.start.character
        if (line, character) == last and data:
            continue
        data += [line - last[0], character - (last[1] if line == last[0] else 0), where.end.character - character,
                 TOKENS.index(TOKEN_OF[symbol.kind]), flags]
        last = (line, character)
    return types.SemanticTokens(data)


MOST_NAMED = 2


def ticks(path, proof, text, first, last):
    """At each procedure that `cilkc prove` has proved. proof: what it printed, or None."""
    made = []
    for row in proof["procedures"] if proof else ():
        line = row["line"]
        mine = os.path.realpath(row["file"]) == os.path.realpath(path) and first <= line - 1 <= last
        if mine and row["verdict"] == "proved":
            end = text.position(line, len(text.line(line - 1).encode("utf-8", "replace")) + 1)
            made.append(types.InlayHint(end, "✓ proved", padding_left=True,
                                        tooltip="no input and no schedule leads to a determinacy race in it"))
    return made


def parallel_hints(index, text, first, last):
    """At the end of a statement: the children that may run beside it."""
    with_line = {}
    for row in index.parallel:
        if first <= row[3] - 1 <= last:
            with_line.setdefault(row[3], [0, []])
            entry = with_line[row[3]]
            entry[0] = max(entry[0], row[4])
            entry[1] += [number for number in row[5] if number not in entry[1]]
    made = []
    for line, (column, numbers) in sorted(with_line.items()):
        names = []
        for number in numbers:
            keyword = index.spawns[number]["keyword"] or index.spawns[number]["call"]
            words = index.spawn_text(number, text)
            if not keyword or index.symbols and keyword[1] == line:
                words += " of earlier iterations" if keyword and keyword[1] == line else ""
            names.append(words)
        more = " and %d more" % (len(names) - MOST_NAMED) if len(names) > MOST_NAMED else ""
        label = "runs in parallel with " + ", ".join(names[:MOST_NAMED]) + more
        made.append(types.InlayHint(text.position(line, column), label, padding_left=True,
                                    tooltip="until the next sync"))
    return made
