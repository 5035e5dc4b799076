"""What README.md and docs/ show must be true: their programs compile and run, their commands do what the page says,
and the codes, files and environment variables that they name exist.

Commands are the lines of indented and fenced blocks that begin with `cilkc` or `./cilkc`, or with a program that an
earlier one made. Lines with placeholders (FILE, [FLAGS]) say what a call looks like; only their command and its
flags are looked at. In a fence called `console` what follows `$ command` up to the next is its output; where nothing
follows it may print what it likes.
"""

import re
import shlex

import pytest

from conftest import BUILD, CILKC, MODULES, ROOT, command, runtime_sources
from tiers import tier

pytestmark = pytest.mark.tier("check")

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + sorted((ROOT / "docs").glob("*.md"))
# Pages whose commands measure.
LONG = {"README.md": tier("test"), "tm580.md": [tier("all"), pytest.mark.waits]}
FIB = (
    "cilk int fib(int n)\n{\n    int x, y;\n    if (n < 2) return n;\n    x = spawn fib(n - 1);\n    y = spawn fib(n - 2);\n"
    "    sync;\n    return x + y;\n}\n"
)


def blocks(path):
    return re.findall(r"^```c\n(.*?)^```$", path.read_text(), re.M | re.S)


def test_readme_tour(cilkc, tmp_path):
    (tmp_path / "fib.cilk").write_text(blocks(ROOT / "README.md")[0])
    built = cilkc("-O2", "-Wall", "fib.cilk", "-o", "fib")
    assert built.status == 0 and built.err == "", str(built)
    assert command([tmp_path / "fib", "--nproc", "2", "20"]).out == "6765\n"
    assert command([tmp_path / "fib"]).out == "832040\n"
    assert cilkc("run", "fib.cilk", "--", "10").out == "55\n"


def shell_words(line):
    """The words of a command, without the remark after two blanks or a hash."""
    return shlex.split(re.split(r"\s{2,}", line)[0], comments=True)


def commands(path):
    """(command line, expected output or None) of a page, in order."""
    found, shown, fence = [], None, None
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            fence = None if fence is not None else line[3:]
            shown = None
        elif fence == "console" and line.startswith("$ "):
            shown = [line[2:], None]
            found.append(shown)
        elif fence == "console" and shown:
            shown[1] = (shown[1] or "") + line + "\n"
        elif fence is None and re.match(r"    (\./)?\w", line):
            found.append([line.strip(), None])
    return found


def is_template(line):
    return bool(re.search(r"\b(FILE|FLAGS|ARGS|STAGE|CODE|COMMAND|SHELL|SPEC)\b|\[|\|[a-z]", line.split("  ")[0]))


@pytest.fixture
def workshop(tmp_path):
    """A folder with what the pages' commands speak of."""
    (tmp_path / "fib.cilk").write_text(blocks(ROOT / "README.md")[0])
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "docs").mkdir()                             # where pages are published
    (tmp_path / "prog.cilk").write_text(blocks(ROOT / "README.md")[0])
    (tmp_path / "fib.cilk1").write_text((ROOT / "samples" / "cilk1-fib.cilk1").read_text())
    (tmp_path / "favourite.c").write_text((ROOT / "tests" / "sched" / "favourite.c").read_text())
    return tmp_path


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name, marks=LONG.get(page.name, [])) for page in PAGES])
def test_commands(page, workshop):
    """Every command of the page ends as it must and prints what is shown."""
    for line, expected in commands(page):
        for part in line.split(" && "):
            if not re.match(r"(\./)?(cilkc|fib) ", part):
                continue
            words = shell_words(part)
            ours = words[0] in ("cilkc", "./cilkc")
            if is_template(line) or not (ours or words[0].startswith("./") and (workshop / words[0]).exists()):
                continue
            result = command([CILKC if ours else workshop / words[0]] + words[1:], cwd=workshop, timeout=300)
            if expected is None:
                assert result.status == 0, str(result)
            else:
                assert result.out + result.err == expected, str(result)


@pytest.mark.tier("all")
@pytest.mark.parametrize("page, line", [
    ("cilk1.md", "cilkc profile cilk1-knary.cilk1 -- 6 4 1"),
    ("cilk1.md", "cilkc simulate -P 1,8,256 fib.cilk -- 18"),
    ("explore.md", "cilkc explore -w sum.cilk"),
    ("step.md", "cilkc step -w sums.cilk"),
    ("profile.md", "cilkc speedup -P 1,2 --csv fib.cilk -- 42"),
])
def test_commands_of_plain_fences(page, line, workshop):
    """Those that take longer. Where the page shows what is printed, it is the same in each run."""
    text = (ROOT / "docs" / page).read_text()
    expected = re.search(r"^```\n\$ %s\n(.*?)^```$" % re.escape(line), text, re.M | re.S)[1]
    (workshop / "cilk1-knary.cilk1").write_text((ROOT / "samples" / "cilk1-knary.cilk1").read_text())
    for name, program in re.findall(r"^```text\n// (\w+\.cilk)\n(.*?)^```$", text, re.M | re.S):
        (workshop / name).write_text("// %s\n%s" % (name, program))
    result = command([CILKC, *shell_words(line)[1:]], cwd=workshop, timeout=300)
    assert (expected, result.status) in ((result.out + result.err, 0), (result.out + result.err, 1), ("", 0)), str(result)


def test_commands_are_found():
    """The pages' commands are seen at all."""
    assert (
        sum(
            len([1 for line, _ in commands(page) if re.match(r"(\./)?cilkc ", line) and not is_template(line)])
            for page in PAGES
        )
        > 12
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_and_flags_exist(page):
    """Also those in templates."""
    names = ("build", "run", "profile", "check", "elide", "emit", "explain", "doctor", "bench", "completion", "help")
    for line, _ in commands(page):
        words = re.sub(r"[\[\]]", " ", line.split("  ")[0]).split()
        if words[0] not in ("cilkc", "./cilkc") or len(words) < 2 or words[1] not in names:
            continue
        text = command([CILKC, words[1], "--help"]).out
        for flag in [word for word in words[2:] if re.match(r"--[a-z]", word)]:
            assert flag in text or words[1] in ("run",), (line, flag)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_programs(page, workshop):
    """Whole programs compile and end well, with no warning but those that the page names; pieces are right as far as
    they go."""
    for number, text in enumerate(blocks(page)):
        if "..." in text:
            continue                    # left out on purpose
        name = "p%d.%s" % (number, "cilk" if re.search(r"\bcilk\b(?!\.h)", text.replace("<cilk.h>", "")) else "c")
        (workshop / name).write_text(text)
        result = command([CILKC, "check", "-Wall", name], cwd=workshop)
        codes = re.findall(r"warning: .*\[-W([\w-]+)\]$", result.err, re.M)
        assert result.status == 0 and bool(codes) == bool(result.err), str(result)
        assert all("`-W%s`" % code in page.read_text() for code in codes), str(result)
        if re.search(r"^cilk int main\(", text, re.M):
            result = command([CILKC, "run", name], cwd=workshop, timeout=300)
            assert result.status == 0, str(result)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_what_is_named_exists(page):
    """Pictures and files of the tree."""
    text = page.read_text()
    for name in re.findall(r"\b[\w-]+\.(?:png|svg)\b", text):
        assert (page.parent / name).exists(), name
    for name in re.findall(r"`((?:docs|rt|samples|driver|tests|stdlib|frontend|codegen|grammar)/[\w./-]*)`", text):
        assert (ROOT / name).exists() or "NAME" in name, name


def test_environment_variables():
    """Every variable that a program or the command reads is in the manual, and no other."""
    read, inside = set(), ROOT / "rt/extensions/cilk1"  # a tool sets what threads read
    for path in (
        [path for path in runtime_sources(".c") if path.parent != inside]
        + sorted([*(ROOT / "driver/cilkc_driver").glob("*.py"), *(ROOT / "driver/commands").glob("*.py")])
        + [ROOT / "driver/cilkc1/options.cpp", ROOT / "driver/tools/progress.py"]
    ):
        read |= set(re.findall(r"""getenv\("(\w+)"\)|environ(?:\.get\(|\[)"(CILK\w+)\"""", path.read_text()))
    read = {name for pair in read for name in pair if name.startswith("CILK")} | {"CILKC_CC", "CILKC_CXX"}
    said = set(re.findall(
        r"`(CILKC?_?\w+)[`=]",
        (ROOT / "docs" / "running.md").read_text() + (ROOT / "docs" / "command.md").read_text(),
    ))
    said = {name for name in said if name.isupper()}
    assert read == said, (read - said, said - read)


def test_every_suffix_of_a_dialect_is_in_the_manual():
    rows = re.findall(r"^DIALECT\(.*\)", (ROOT / "frontend/source/dialects.def").read_text(), re.M)
    suffixes = re.findall(r'"(\.\w+)"', "".join(rows))
    table = (ROOT / "docs/command.md").read_text().split("## Files")[1].split("## Flags")[0]
    assert len(suffixes) > 8 and not [suffix for suffix in suffixes if "`%s`" % suffix not in table]


def test_every_scheduler_is_in_the_manual():
    rows = re.findall(r"^CILK_SCHED\((\w+)\)", (ROOT / "rt/extensions/sched/sched.def").read_text(), re.M)
    page = (ROOT / "docs/schedulers.md").read_text()
    assert len(rows) > 5 and not [name for name in rows if "| `%s" % name not in page]


def test_every_option_of_programs_is_in_the_manual():
    rows = re.findall(r'^ +\{ ?OPT_\w+, "([\w-]+)"', (ROOT / "rt/core/base/options.c").read_text(), re.M)
    page = (ROOT / "docs/running.md").read_text()
    assert len(rows) > 20 and not [name for name in rows if not re.search(r"`--%s\b" % name, page)]


def test_calling_cilk_from_c(cilkc, tmp_path):
    (tmp_path / "main.c").write_text(blocks(ROOT / "docs" / "library.md")[0])
    (tmp_path / "fib.cilk").write_text(FIB)
    built = cilkc("main.c", "fib.cilk", "-o", "program")
    assert built.status == 0 and built.err == "", str(built)
    assert command([tmp_path / "program", "--nproc", "2"]).status == 0


def test_parallel_library(cilkc, tmp_path):
    """The programs of docs/parallel.md, and that its table names what the headers have."""
    page = ROOT / "docs" / "parallel.md"
    outputs = ("3.32834e+08\n", "", "1\n")
    assert len(list(blocks(page))) == len(outputs)
    for number, (text, out) in enumerate(zip(blocks(page), outputs)):
        name = "p%d" % number
        (tmp_path / (name + ".cilk")).write_text(text)
        built = cilkc("-O2", "-Wall", name + ".cilk", "-o", name)
        assert built.status == 0 and built.err == "", str(built)
        for nproc in ("1", "2", "4"):
            result = command([tmp_path / name, "--nproc", nproc])
            assert (result.status, result.out) == (0, out), str(result)
    headers = "".join(path.read_text() for path in (ROOT / "stdlib" / "par").glob("*.cilkh"))
    for name in re.findall(r"\b(par_[a-z_]+)\(", page.read_text()):
        assert re.search(r"\b%s[(,]" % name, headers), name


def test_the_two_spellings_compute_the_same(cilkc, tmp_path):
    """Each pair of docs/from-opencilk.md: a function of a long by which a row of the page is called."""
    page = (ROOT / "docs" / "from-opencilk.md").read_text()
    pairs = re.findall(r'^```c title="OpenCilk"\n(.*?)^```\n\n```c title="Cilk-5"\n(.*?)^```', page, re.M | re.S)
    names = [re.findall(r"^cilk long (\w+)\(long n\) {", cilk5, re.M)[-1] for _, cilk5 in pairs]
    assert len(pairs) == page.count("```c title=") / 2 > 8
    printed = set()
    for which, name, head, word, call in (
        (0, "a.c", "#include <cilk/cilk.h>\n#include <pthread.h>\n", "", "%s(i)"),
        (1, "a.cilk", "#include <par.cilkh>\n#include <cilk-lib.cilkh>\n", "cilk ", "spawn %s(i); sync"),
    ):
        body = "".join('    for (i = 0; i < 20; i++) { x = %s; printf("%s(%%d) = %%ld\\n", i, x); }\n' % (call % row, row)
                       for row in names)
        (tmp_path / name).write_text("#include <stdio.h>\n%s%s%sint main(void) {\n    int i;\n    long x;\n%s    return 0;\n}\n"
                                     % (head, "".join(pair[which] for pair in pairs), word, body))
        built = cilkc("-O2", *([] if which else ["-fopencilk"]), name, "-o", name + ".out")
        assert built.status == 0 and built.err == "", str(built)
        printed.add(command([tmp_path / (name + ".out")], env={"CILK_NPROC": "2", "CILK_NWORKERS": "2"}).out)
    assert len(printed) == 1 and printed.pop().count("\n") == 20 * len(names), printed


def test_message_example(cilkc, tmp_path):
    """The message that docs/command.md quotes is what the compiler prints for such a program."""
    quoted = re.search(r"^    (prog\.cilk:.*\])$", (ROOT / "docs" / "command.md").read_text(), re.M).group(1)
    (tmp_path / "prog.cilk").write_text(
        FIB + "cilk int main(void)\n{\n    int r = 0;\n    r = fib(3);\n    return r;\n}\n"
    )
    result = cilkc("check", "prog.cilk")
    assert result.err.splitlines()[0] == quoted, str(result)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_codes_exist(page):
    for code in re.findall(r"cilkc explain ([a-z][a-z-]+)", page.read_text()):
        assert command([BUILD / "cilkc1", "--explain=" + code]).status == 0, code


@pytest.mark.parametrize("page", PAGES + sorted((ROOT / "docs").glob("*/*.md")), ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_readme_of_the_tests_lists_every_folder():
    text = (ROOT / "tests" / "README.md").read_text()
    folders = [
        path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and not path.name.startswith((".", "_"))
    ]
    missing = [name for name in folders if "| `%s/" % name not in text]
    assert len(folders) > 12 and not missing, missing


def test_every_runner_is_in_the_readme_or_says_itself_what_it_tests():
    for path in MODULES.values():
        assert path.read_text().startswith('"""'), path.name
