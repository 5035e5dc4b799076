"""C23's #embed and __has_embed for preprocessors that lack them (gcc before 15).

Such a preprocessor names the place of each #embed that it reaches as an error, and leaves an empty line there. So:
where work.py sees that error, the text is preprocessed once more with its macro definitions, and the numbers are put
at those places. What `__has_embed` answers is decided before: stdlib/cilk-c23.h makes a question of it whether a
file of a certain name exists, and `answers` makes those files. Both look for "FILE" beside the file that names it
and then in the folders of --embed-dir, for <FILE> only in the latter.
"""

import ast
import os
import re
import subprocess

from . import processes

REFUSED = re.compile(rb"^(.*?):(\d+):\d+: error: invalid preprocessing directive #embed$", re.M)
ERROR = re.compile(rb"^.*?: (?:fatal )?error: ", re.M)
MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')
CLAUSE = re.compile(r"\s*(?:__)?(limit|prefix|suffix|if_empty)(?:__)?\s*\(")
NAME = re.compile(r'\s*(?:"([^"]*)"|<([^>]*)>)')
PER_LINE = 4096
END = 1 << 40           # a line that no file has


class Refused(Exception):
    """What is wrong with a directive."""


def text_of(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        return f.read()


def directive(path, line):
    """The words after `#embed`, continued lines joined, comments gone."""
    lines = text_of(path).split("\n")[line - 1:]
    joined = lines[0]
    while joined.endswith("\\") and len(lines) > 1:
        lines.pop(0)
        joined = joined[:-1] + lines[0]
    joined = re.sub(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')|/\*.*?\*/|//.*', lambda m: m.group(1) or " ", joined)
    return re.sub(r"^\s*(#|%:)\s*embed\b", "", joined)


def parsed(words):
    """(name, in angle brackets, {clause: its tokens as text})."""
    found = NAME.match(words)
    if not found:
        raise Refused("'#embed' takes \"FILE\" or <FILE>")
    name, angled = (found.group(1), False) if found.group(1) is not None else (found.group(2), True)
    clauses: "dict[str, str]" = {}
    at = found.end()
    while words[at:].strip():
        found = CLAUSE.match(words, at)
        if not found:
            raise Refused("unknown parameter of '#embed': '%s'" % words[at:].strip().split("(")[0].strip())
        begin = at = found.end()
        depth = 1
        while depth:
            if at == len(words):
                raise Refused("')' is missing after '%s(' in '#embed'" % found.group(1))
            quoted = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'').match(words, at)
            depth += {"(": 1, ")": -1}.get(words[at], 0)
            at = quoted.end() if quoted else at + 1
        if found.group(1) in clauses:
            raise Refused("'#embed' has '%s' twice" % found.group(1))
        clauses[found.group(1)] = words[begin:at - 1]
    return name, angled, clauses


def literal(words):
    """Is there no word in it that a macro could stand for?"""
    try:
        _, _, clauses = parsed(words)
    except Refused:
        return False
    return not any(re.search(r"[A-Za-z_]\w*", re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\b\d\w*', "", c))
                   for c in clauses.values())


OPERATORS = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod,
             ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor, ast.UAdd, ast.USub, ast.Invert)


def limit_of(text):
    """A constant expression, after macros are expanded."""
    c = re.sub(r"\b(0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*\b",
               lambda m: str(number(m.group(1).replace("'", ""))), text).replace("/", "//")
    try:
        tree = ast.parse(c.strip(), mode="eval")
        if not all(isinstance(n, OPERATORS) for n in ast.walk(tree)) or len(c) > 1000:
            raise Refused("the limit of '#embed' is not a constant: '%s'" % text.strip())
        value = eval(compile(tree, "limit", "eval"), {"__builtins__": {}})
    except (SyntaxError, ArithmeticError, ValueError):
        raise Refused("the limit of '#embed' is not a constant: '%s'" % text.strip())
    if value < 0:
        raise Refused("the limit of '#embed' is negative: %d" % value)
    return value


def number(digits):
    return int(digits, 8) if re.match(r"0\d+$", digits) else int(digits, 0)


def locate(name, angled, beside, folders):
    for folder in ([] if angled else [beside]) + folders:
        path = os.path.join(folder, name)
        if os.path.exists(path) and not os.path.isdir(path):
            return path
    return None


def contents(path, limit):
    with open(path, "rb") as f:
        return f.read() if limit is None else f.read(limit)


def expansion(words, beside, folders):
    """(path, the lines of text that take the directive's place)."""
    name, angled, clauses = parsed(words)
    path = locate(name, angled, beside, folders)
    if path is None:
        raise Refused("%s: No such file or directory" % name)
    if "limit" not in clauses and not os.path.isfile(path):
        raise Refused("%s: not a file that ends: '#embed' needs a limit" % name)
    data = contents(path, limit_of(clauses["limit"]) if "limit" in clauses else None)
    if not data:
        return path, [clauses.get("if_empty", "")]
    lines = [",".join(map(str, data[i:i + PER_LINE])) for i in range(0, len(data), PER_LINE)]
    lines = [line + "," for line in lines[:-1]] + lines[-1:]
    lines[0] = clauses.get("prefix", "") + " " + lines[0]
    lines[-1] += " " + clauses.get("suffix", "")
    return path, lines


class Place:
    def __init__(self, file, line):
        self.file, self.line = file, line


class Places:
    """Goes through preprocessed text and finds where the lines with refused directives have been."""

    def __init__(self, refused):
        self.refused = {}
        for file, line in refused:
            self.refused.setdefault(file, set()).add(line)
        self.found = []                  # (index of the line of output before which it belongs, file, line)

    def find(self, lines):
        stack: "list[Place]" = [Place("", 1)]
        for i, text in enumerate(lines):
            marker = MARKER.match(text)
            if not marker:
                self.pass_to(i, stack[-1], stack[-1].line + 1)
                continue
            line, file, marks = int(marker.group(1)), unescaped(marker.group(2)), marker.group(3).split()
            if "1" in marks:
                stack.append(Place(file, line))
            elif "2" in marks and len(stack) > 1:
                self.pass_to(i, stack.pop(), END)
                self.pass_to(i, stack[-1], line)
            elif file == stack[-1].file:
                self.pass_to(i, stack[-1], line)
            else:
                stack[-1] = Place(file, line)
        self.pass_to(len(lines), stack[-1], END)
        return self.found

    def pass_to(self, i, top, to):
        for line in sorted(self.refused.get(top.file, ())):
            if top.line <= line < to:
                self.found.append((i, top.file, line))
        top.line = to


def unescaped(name):
    return re.sub(r"\\(.)", r"\1", name)


def expand(command, o, temp, deps=None):
    """(the name of a file with the preprocessed text and its embedded files, or None if something is wrong; messages).
    deps: as in a Job."""
    raw = temp.file("embed-%s.i" % os.urandom(4).hex())
    at = len(command) - 3
    with open(raw, "wb") as out:  # gcc would remove a file named by -o
        messages = subprocess.run(plain(command[:at]) + ["-dD"] + command[at:], stdout=out, stderr=subprocess.PIPE,
                                  env=dict(os.environ, LC_ALL="C")).stderr
    wanted = [(f.decode("utf-8", "surrogateescape"), int(n)) for f, n in REFUSED.findall(messages)]
    if len(ERROR.findall(messages)) != len(wanted):
        return None, messages
    lines = text_of(raw).split("\n")
    found = Places(wanted).find(lines)
    if sorted((f, n) for _, f, n in found) != sorted(wanted):
        return (
            None,
            b"cilkc: error: a file with #embed is included more than once, not each time with the directive: give it include guards\n",
        )
    done, files = 0, []
    whole: "list[str]" = []
    for i, file, line in found:
        whole += lines[done:i]
        done = i
        try:
            words = directive(file, line)
            if not literal(words):
                words = expand_words(command, lines[:i], words, temp)
            path, text = expansion(words, os.path.dirname(file), o.embed_dirs)
        except (Refused, OSError) as error:
            return None, ("%s:%d: error: %s\n" % (file, line, error)).encode("utf-8", "surrogateescape")
        files.append(path)
        escaped = file.replace("\\", "\\\\").replace('"', '\\"')
        for t in text:
            whole += ['# %d "%s"' % (line, escaped), t]
        whole.append('# %d "%s"' % (line + (0 if lines[i:i + 1] == [""] else 1), escaped))
    whole += lines[done:]
    made = raw + "i"
    with open(made, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as f:
        f.write("\n".join("" if "-dD" not in command and re.match(r"#\s*(define|undef)\b", t) else t for t in whole))
    if deps:
        write_deps(deps, whole, files)
    return made, b""


def text_to(command, o, temp, made):
    """-E: (status, messages), with the text in the file `made` or on stdout."""
    if o.deps or o.mode == "deps":
        return 1, b"cilkc: error: dependencies of a file with #embed want -MD or -MMD besides -c\n"
    text, messages = expand(command, o, temp)
    return processes.capture(["cat", text] if made is None else ["cp", text, made]) if text else (1, messages)


def plain(command):
    """Without what writes files of its own and colours."""
    kept = [w for w in command if w not in ("-MD", "-MMD", "-MP") and not w.startswith("-fdiagnostics-color")]
    for word in ("-MF", "-MT", "-MQ"):
        while word in kept:
            del kept[kept.index(word):kept.index(word) + 2]
    return kept + ["-fdiagnostics-color=never"]


def expand_words(command, before, words, temp):
    """The directive's words with the macros as they are there."""
    name = temp.file("embed-%s.c" % os.urandom(4).hex())
    with open(name, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(
            "\n".join(t for t in before if re.match(r"#\s*(define|undef)\b", t)) + "\n__cilkc_words " + words + "\n"
        )
    _, out = processes.output_of(plain(command[:-3]) + ["-P", "-w"] + command[-3:-1] + [name])
    return out.rpartition("__cilkc_words")[2].strip().replace("\n", " ")


def for_make(name):
    return name.replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")


def write_deps(deps, lines, files):
    """The rule that gcc does not write after an error."""
    words = deps[2]
    targets = [for_make(words[i + 1]) if w == "-MQ" else words[i + 1] for i, w in enumerate(words[:-1])
               if w in ("-MT", "-MQ")]
    names = []
    for t in lines:
        marker = MARKER.match(t)
        if marker and not marker.group(2).startswith("<") and not ("-MMD" in words and "3" in marker.group(3).split()):
            names.append(unescaped(marker.group(2)))
    names = list(dict.fromkeys(names + files))
    escape = [for_make(n) for n in names]
    with open(deps[0], "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("%s: %s\n" % (" ".join(targets), " \\\n ".join(escape)))
        if "-MP" in words:
            f.writelines("%s:\n" % n for n in escape[1:])


# ----
# __has_embed ---------------------------------------------------------------------------------------------------------------------

ASKED = re.compile(r"\b__has_embed\s*\(")


def answers(asking, folders, temp):
    """The folder of the answers to what these files ask."""
    made = temp.file("has-embed")
    for path in asking:
        for question in arguments(text_of(path)):
            answer = answer_to(question, os.path.dirname(path), folders)
            if answer:
                name = os.path.join(made, answer,
                                    re.sub(r"\s+", " ", question.strip()).replace("\\", "\\\\").replace('"', '\\"'))
                os.makedirs(os.path.dirname(name), exist_ok=True)
                open(name, "w").close()
    return made


def arguments(text):
    """What is in the parentheses of each __has_embed( ... )."""
    for found in ASKED.finditer(text):
        depth, at = 1, found.end()
        while depth and at < len(text) and text[at] != "\n":
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        if not depth:
            yield text[found.end():at - 1]


def answer_to(question, beside, folders):
    try:
        name, angled, clauses = parsed(question)
        limit = limit_of(clauses["limit"]) if "limit" in clauses else None
        path = locate(name, angled, beside, folders)
        return path and ("found" if contents(path, 1 if limit is None else min(limit, 1)) else "empty")
    except (Refused, OSError):
        return None
