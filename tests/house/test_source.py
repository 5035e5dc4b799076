"""The style of the sources: lengths of lines, functions and classes, constants with their reasons, READMEs that name
their files, recipes that name what there is, decisions of the grammar."""

import ast
import re

import pytest

from conftest import BUILD, ROOT, runtime_sources
from test_layers import LAYERS
from tree import COMPILER, name_of, sources

pytestmark = pytest.mark.tier("check")


FOLDERS = ("bench", "codegen", "docs", "driver", "editors", "frontend", "grammar", "packaging", "rt", "samples", "stdlib")
SUFFIXES = (".c", ".h", ".cpp", ".def", ".py")


def lines_of_pages():
    """(place, line) of what is no program in the project's pages."""
    for path in [*ROOT.glob("*.md"), *sources(*FOLDERS, "tests", suffixes=(".md",))]:
        fenced = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            fenced ^= line.lstrip().startswith("```")
            if not fenced:
                yield "%s:%d" % (name_of(path), number), line


def test_a_row_of_a_table_is_one_line():
    """Markdown ends a table at a row that goes on in the next line, so tables are not wrapped at 120 columns."""
    rows, cut, cells = 0, [], 0
    for place, line in lines_of_pages():
        if line.lstrip().startswith("|"):
            rows += 1
            cells = cells or line.count("|")
            if not line.rstrip().endswith("|") or len(re.findall(r"(?<!\\)\|", line)) != cells:
                cut.append(place)
        else:
            cells = 0
            cut += [place] if line.rstrip().endswith("|") else []
    assert rows > 500 and not cut, cut


def test_lines_of_pages_have_120_columns():
    """Longer are only tables, indented programs, and the log of changes."""
    long = [
        place
        for place, line in lines_of_pages()
        if len(line) > 120 and not re.match(r" *\||    +(?! )", line) and not place.startswith("CHANGELOG")
    ]
    assert not long, long


def test_lines_of_c_have_120_columns():
    """Longer are only lines with a piece of a text that is printed, and macros over several lines."""
    found = [
        "%s:%d" % (name_of(path), n)
        for path in sources("rt", "stdlib", *COMPILER, suffixes=(".c", ".h", ".cpp"))
        for n, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 120 and '"' not in line and not line.endswith("\\")
    ]
    assert not found, found


def lengths(text):
    """(lines, name) of every function of a formatted C++ file: it ends at the brace in its own column."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        while re.match(r" {4,}\S.*\) \{$", line) and i and re.search(r"[,(]$", lines[i - 1]):
            i -= 1
            line = lines[i].rstrip() + " " + line.strip()
        match = re.match(r"( {0,4})(?:\S.*)?[\w>&*] ?\S*\)(?: const| noexcept| override| final)*(?: : .*)? \{$", line)
        if (
            not match
            or re.match(r"\s*(?:\}|if|for|while|switch|else|case|do|return|namespace|struct|class)\b|\s*\}", line)
            or re.search(r"\]\(.*\{$|= \{$", line)
        ):
            continue
        end = next((j for j in range(i + 1, len(lines)) if lines[j] in (match[1] + "}", match[1] + "};")), i)
        name = re.search(r"([\w:~]+)\(", line)
        yield end - i + 1, name[1] if name else line.strip()


def test_no_function_is_longer_than_a_page_or_two():
    all_of = [
        (length, name_of(path), function)
        for path in sources(suffixes=(".cpp",))
        for length, function in lengths(path.read_text())
    ]
    assert len(all_of) > 1000 and not [row for row in all_of if row[0] > 120]


# Files of more than 700 lines that are left, with the reason. The list may only shrink.
LONG_FILES = {
    "frontend/builtins/builtins_x86.def": "one table: the rows of one processor's builtins",
    "tests/stress/generate.py": "one generator of random programs",
    "tests/driver/test_driver.py": "the command as users call it",
    "rt/tools/race/bags.c": "one state: what runs in parallel, which every access asks for",
    "rt/core/base/options.c": "one table and its actions",
    "frontend/elide/inlets.cpp": "one text that is taken apart and written again",
    "frontend/elide/thread_writer.cpp": "one procedure's text, made in one walk",
}


def test_no_file_is_longer_than_700_lines():
    """A longer file has more than one subject, with rare exceptions."""
    long = {
        name_of(path)
        for path in sources(*FOLDERS, "tests", suffixes=SUFFIXES)
        if len(path.read_text().splitlines()) > 700
    }
    assert long == set(LONG_FILES)


def test_no_python_function_is_longer_than_120_lines():
    """That of C++ is above; of C the runtime has tables and protocols."""
    long = [
        (lines, name_of(path), node.name)
        for path in sources(*FOLDERS, suffixes=(".py",))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > 120
    ]
    assert not long, long


def methods(text):
    """(class, names of its public methods) of each class of a C++ text; overloads are one method."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', '""', text)
    text = re.sub(r"^[ \t]*#.*(?:\\\n.*)*$", "", text, flags=re.M)
    for head in re.finditer(r"\b(class|struct)\s+(?:\w+::)*(\w+)\s*(?:final\s*)?(?::[^;{}()]*)?\{", text):
        public, names, depth, member = head[1] == "struct", set(), 0, ""
        for c in text[head.end():]:
            depth -= c in ")}]"
            if depth < 0:
                break
            member += c if depth == 0 else ""
            depth += c in "({["
            access = re.search(r"\b(public|private|protected)\s*:$", member)
            if access:
                public, member = access[1] == "public", ""
            elif depth == 0 and c in ";}":
                declaration = re.split(r"\{|=(?!=)", member)[0]
                if public and not re.match(
                    r"\s*(using|typedef|friend|enum|struct|class|union|static_assert)\b", declaration
                ):
                    names.update(re.findall(r"([~\w]+)\s*\(", declaration))
                member = ""
        yield head[2], names


def test_no_class_is_everything():
    """A class has a chapter's methods: no more than 40 that others may call."""
    text = "class A : B {\npublic:\n  A();\n  int f(int (*)(int)) const { return g(1); }\n  int f(), h();\nprivate:\n  void i();\n};\nstruct C { void j(); };"
    assert dict(methods(text)) == {"A": {"A", "f", "h"}, "C": {"j"}}
    found = [(len(names), name, name_of(path)) for path in sources() for name, names in methods(path.read_text())]
    assert len(found) > 400 and not [row for row in found if row[0] > 40]


def test_constants_of_the_runtime_say_why():
    lines = (ROOT / "rt" / "core" / "base" / "config.h").read_text().splitlines()
    names = [line for line in lines if re.match(r"#define CILK_\w+ .", line)]
    assert len(names) >= 40
    silent = []
    for above, line in zip(lines, lines[1:]):
        if re.match(r"#define CILK_\w+ [^/]", line) and "/*" not in line and not above.rstrip().endswith("*/"):
            if "CILK_RT" not in line and not re.search(r"ALLOC_BATCH_MIN|ASK_MAX_NS|STACK_MIN|MAX_PROC", line):
                silent.append(line)
    assert silent == []


ROOMS = (
    [layer for layer in LAYERS if layer != "rt/abi"]
    + ["rt", *("driver/" + room for room in ("cilkc_driver", "tools", "grade", "lsp", "play", "prove", "commands"))]
    + sorted({name_of(path.parent) for path in runtime_sources() if path.parent.name not in ("sched", "cilk1")})
)


@pytest.mark.parametrize("room", ROOMS)
def test_a_rooms_readme_says_what_comes_in_and_out_and_names_its_files(room):
    """And what always holds there, what may not be done there, how to add the usual thing. The README of sema describes
    all folders below it."""
    folder = ROOT / room
    readme = next(up / "README.md" for up in (folder, *folder.parents) if (up / "README.md").exists())
    text = readme.read_text()
    assert text.startswith("# "), readme
    for word in (r"\binput", r"\boutput", "invariant", "not\\s+here|not allowed here|may not be done", "to add|a new"):
        assert re.search(word, text, re.I), "%s does not say: %s" % (readme, word)
    stems = {
        path.stem for path in folder.iterdir() if path.suffix in (".cpp", ".h", ".c", ".py") and path.stem != "__init__"
    }
    families = tuple(re.findall(r"`(\w+)\*", text))  # `builtin*.cpp`
    unnamed = sorted(
        stem
        for stem in stems
        if not re.search(r"\b%s\b" % re.escape(stem), text) and not (families and stem.startswith(families))
    )
    assert not unnamed, "%s does not name %s" % (readme, ", ".join(unnamed))


def test_the_recipes_name_existing_files():
    names = set(re.findall(r"`((?:[a-z_0-9]+/)+[\w.]*)`", (ROOT / "CONTRIBUTING.md").read_text()))
    assert len(names) > 30 and sorted(name for name in names if "NAME" not in name and not (ROOT / name).exists()) == []


# Names of files of users' programs, and of the system.
NOT_OURS = {"NAME.c", "NAME.cpp", "NAME.js", "FILE.c", "f.c", "fib.c", "mine.c", "file.h", "immintrin.h", "personality.h"}


def comments(path):
    return "\n".join(re.findall(r"#[^\n]*|\"{3}.*?\"{3}" if path.suffix == ".py" else r"//[^\n]*|/\*.*?\*/", path.read_text(), re.S))


def test_comments_name_existing_files():
    """With the folder that they are in, or without one."""
    every = [name_of(path) for path in sources(*FOLDERS, "tests", suffixes=SUFFIXES)]
    every += [str(path.relative_to(BUILD)) for path in (BUILD / "gen").rglob("*.h")]
    ends = {"/".join(name.split("/")[at:]) for name in every for at in range(name.count("/") + 1)}
    missing, seen = set(), 0
    for path in sources(*FOLDERS, suffixes=SUFFIXES):
        for name in re.findall(r"(?<![\w/.$<-])((?:[\w-]+/)*[\w-]+\.(?:cpp|c|h|def|py))\b(?![\w(])", comments(path)):
            seen += 1
            if name not in ends and name.split("/")[-1] not in NOT_OURS and not name.startswith("PREFIX/"):
                missing.add("%s: %s" % (name_of(path), name))
    assert seen > 500 and not missing, sorted(missing)


def test_the_protocols_name_what_there_is():
    """The fields of the table of atomics, and whatever else the page quotes."""
    code = "".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S) for path in sources("rt", "stdlib", suffixes=SUFFIXES))
    known = set(re.findall(r"\w+", code)) | {path.stem for path in sources("rt", suffixes=(".c", ".h", ".pml", ".weak"))}
    quoted = {
        word for text in re.findall(r"`([^`\n]+)`", (ROOT / "rt/PROTOCOLS.md").read_text()) for word in re.findall(r"[A-Za-z_]\w{2,}", text)
    }
    assert len(quoted) > 200 and not quoted - known, quoted - known


def test_decisions_look_at_one_token():
    text = (BUILD / "gen/CilkParser.cpp").read_text()
    bodies = re.findall(r"^CilkParser::\w+Context\* CilkParser::(\w+)\((?:int \w+)?\) \{(.*?)^\}", text, re.M | re.S)
    further = {rule for rule, body in bodies if "adaptivePredict" in body}
    exceptions = re.search(r"The exceptions(.*?)\(tests", (ROOT / "grammar/README.md").read_text(), re.S)
    assert len(bodies) > 80 and exceptions
    assert further == set(re.findall(r"`(\w+)`", exceptions[1])) - {"adaptivePredict"}
