"""driver/cilkc_driver/flags.py, the one table of the command line: it is well formed, and every list that is not made
from it agrees with it.

The help, the completion and the manual page are made from it. The manual is written by hand, and cilkc1 judges -f,
-m and -W switches itself.
"""

import json
import re
import sys

import pytest

from conftest import BUILD, CILKC, ROOT, command
from cilkc_driver import flags, options
from cilkc_driver.console import Stop

pytestmark = pytest.mark.tier("check")

SHOWN = [row for row in flags.FLAGS if row[3:]]
NAMES = [name for row in SHOWN for name in row[0].split(" ")]


def example(name, row):
    """Words that give a flag a value that it takes."""
    values = row[4] if len(row) > 4 else ""
    value = values.split(" ")[0] if values == values.lower() and values else {"-x": "c", "-o": "out"}.get(name, "1")
    if name in ("-f", "-m"):
        value = {"-f": "wrapv", "-m": "avx2"}[name]
    return {
        "-": [name],
        ">": [name, value],
        "+": [name + value],
        "=": [name + value],
        "=>": [name + "=" + value],
        "*": [name + value],
    }[row[1]]


def test_rows_are_well_formed():
    out, topics = options.Options(), {topic for _, group in flags.TOPICS for topic, _ in group}
    for row in flags.FLAGS:
        assert 3 <= len(row) <= 6 and row[1] in ("-", ">", "+", "=", "=>", "*"), row
        assert len(row) == 3 or row[3] in topics, row
        for action in row[2].split("; "):
            verb, *rest = action.split(" ")
            if verb in ("to", "pair", "joined", "as"):
                assert all(isinstance(getattr(out, name), list) for name in rest[verb == "as":]), row
            elif verb == "do":
                assert callable(getattr(options.Parser, rest[0])), row
            elif verb == "set":
                assert hasattr(out, rest[0]), row
            else:
                assert verb in ("ask", "ignore", "unknown"), row


def test_no_name_is_there_twice():
    names = [(name, "word" if row[1] in "->" else "prefix") for row in flags.FLAGS for name in row[0].split(" ")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("row", SHOWN, ids=[row[0] for row in SHOWN])
def test_what_is_shown_is_taken(row):
    for name in row[0].split(" "):
        words = example(name, row)
        if row[2].startswith("ask "):
            with pytest.raises(Stop):
                options.parse(words)
        else:
            options.parse(words + (["-MD"] if row[3] == "dependencies" else []) + ["x.c"])


def test_help_and_completion_know_every_flag_shown(cilkc):
    text = cilkc("build", "--help").out
    words = set(text.split())
    for name in NAMES:
        assert name in text, name
        answer = (
            cilkc(env={"_CILKC_COMPLETE": "bash_complete", "COMP_WORDS": "cilkc build " + name, "COMP_CWORD": "2"}).out
            if name in ("-O", "--spawn", "-MF")
            else name
        )
        assert name in answer
    assert max(map(len, text.splitlines())) <= 120 and "-cilk-profile" in words
    assert cilkc("help", "--man").out.replace("\\-", "-").count("-cilk-profile") == 1


def test_the_manual_knows_every_flag_shown():
    text = (ROOT / "docs" / "command.md").read_text()
    described = set(re.findall(r"--?[\w#-]+", text))
    missing = [name for name in NAMES if name.rstrip("=,") not in described and name not in text]
    assert not missing, missing


def test_what_the_manual_describes_is_a_flag():
    section = (ROOT / "docs" / "command.md").read_text().partition("\n## Flags")[2].partition("\n## Messages")[0]
    words = [
        word.rstrip(".,")
        for code in re.findall(r"`([^`]+)`", section)
        for word in code.split()
        if re.match(r"--?\w", word)
    ]
    assert len(words) > 60
    unknown = [
        word
        for word in words
        if word != "--stats" and flags.find(word.rstrip("=.") + ("=" if word.endswith("=") else "")) is None
    ]
    assert not unknown, unknown


# ---- what is passed on is taken there -------------------------------------------------------------------------------

def native(tmp_path, *words):
    (tmp_path / "x.i").write_text("int x;\n")
    return command([BUILD / "cilkc1", "--emit=check", *words, "x.i"], cwd=tmp_path)


def test_cilkc1_takes_the_switches_that_the_table_names(tmp_path):
    ours = next(row[0] for row in flags.FLAGS if row[0].startswith("-finline-recursion")).split(" ")
    switches = ours + ["-f" + name for name in flags.PREPROCESSOR_SWITCHES if name not in ("hosted",)]
    with_value = {"-fcf-protection": "-fcf-protection=full"}
    result = native(tmp_path, *(with_value.get(word, word) for word in switches))
    assert result.status == 0, str(result)
    unknown = native(tmp_path, "-fno-such-switch-at-all")
    assert (
        unknown.status == 2
        and unknown.err == "cilkc: error: unrecognized command-line option '-fno-such-switch-at-all'\n"
    )


@pytest.mark.parametrize("row", flags.CILKC1, ids=[row[0] for row in flags.CILKC1])
def test_cilkc1_takes_its_options(row, tmp_path):
    """Each with all values that the table has; another value is wrong usage."""
    name, word, shape, values, _ = row
    if name in ("help", "version", "explain", "print", "link", "output"):
        return
    some = {"LIST": "shift", "N": "3", "TRIPLE": flags.TARGETS[0], "MODE": flags.MODES[0]}
    listed = values == values.lower() and shape == "=" and values
    for value in (
        values.split(" ")
        if values == values.lower()
        else [some.get(values, {"-f": "wrapv", "-m": "avx2"}.get(word, "unused"))]
    ):
        result = native(tmp_path, word + value, "-o", "out", "--main-file=x.c")
        assert result.status != 2 and "internal" not in result.err, str(result)
    if listed:
        result = native(tmp_path, word + "nonsense")
        assert result.status == 2 and all(value in result.err for value in values.split(" ")), str(result)


def test_usage_of_cilkc1_is_made_from_the_table():
    text = command([BUILD / "cilkc1", "--help"]).out
    assert all(row[1] in text and row[4] in text for row in flags.CILKC1), text


@pytest.mark.parametrize("table, names", [("strategies", flags.STRATEGIES), ("modes", flags.MODES),
                                          ("dialects", ["%s:%s" % (name, ",".join(ends)) for name, ends in flags.DIALECTS.items()])])
def test_names_are_those_of_the_compilers_tables(table, names):
    assert sorted(command([BUILD / "cilkc1", "--print=" + table]).out.split()) == sorted(names)


def test_each_mode_has_a_flag(tmp_path):
    for mode in flags.MODES:
        assert flags.find("-cilk-" + mode), mode
        assert "--cilk-" + mode in options.parse(["-cilk-" + mode, "x.c"]).cilk1


def test_cilkc1_knows_the_checks_of_undefined(tmp_path):
    result = native(
        tmp_path,
        *("--sanitize=" + name for name in flags.CHECKS),
        *("--sanitize-trap=" + name for name in flags.CHECKS),
    )
    assert result.status == 0, str(result)
    assert native(tmp_path, "--sanitize=nonsense").status == 2


# ---- what it costs --------------------------------------------------------------------------------------------------

LIBRARY = {
    "subprocess",
    "re",
    "argparse",
    "tempfile",
    "click",
    "rich",
    "typing",
    "enum",
    "collections",
    "functools",
    "json",
    "inspect",
    "tomllib",
}


@pytest.mark.parametrize("words", [["-###", "x.c"], ["-c", "x.c"], ["build", "-c", "x.c"], ["x.c"], ["--version"],
                                   ["run", "x.c", "--", "-h"]])
def test_a_compilation_imports_little(words, tmp_path):
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    result = command([sys.executable, "-I", "-S", "-X", "importtime", CILKC, *words], cwd=tmp_path)
    modules = re.findall(r"^import time:[^|]*\|[^|]*\| +(\S+)$", result.err, re.M)
    assert result.status == 0 and "cilkc_driver.flags" in modules, str(result)
    assert not LIBRARY & set(modules), LIBRARY & set(modules)
    assert len([name for name in modules if name.startswith("cilkc_driver.")]) <= 12 + ("run" in words), modules


# ---- each switch does something, or says that it does not -----------------------------------------------------------

WITNESS = """
void halve(int *a, long n) { for (long i = 0; i < n; i++) a[i] /= 2; }
void clear(char *p, long n) { for (long i = 0; i < n; i++) p[i] = 0; }
int call(int (*g)(void)) { return g() + 1; }
struct pair { long a, b; } copy(struct pair *p) { return *p; }
struct four { int v[16]; };
void whole(struct four *a, struct four *b) { *a = *b; }
"""


@pytest.mark.parametrize("flag, text, with_it, without", [
    ("-fno-tree-vectorize", "psrld", False, "-ftree-vectorize"),
    ("-fno-vectorize", "psrld", False, "-fvectorize"),
    ("-fno-tree-loop-vectorize", "psrld", False, "-ftree-loop-vectorize"),
    ("-fno-tree-loop-distribute-patterns", "memset", False, "-ftree-loop-distribute-patterns"),
    ("-mgeneral-regs-only", "xmm", False, "-msse"),
    ("-mharden-sls=all", "int3", True, "-mharden-sls=none"),
])
def test_a_switch_has_its_effect(flag, text, with_it, without, tmp_path):
    (tmp_path / "w.c").write_text(WITNESS)

    def has(word):
        result = command([CILKC, "-O3", "-S", "-fno-slp-vectorize", word, "w.c", "-o", "-"], cwd=tmp_path)
        assert result.status == 0 and result.err == "", str(result)
        return text in result.out

    assert has(flag) == with_it and has(without) != with_it


@pytest.mark.parametrize("flag", [
    "-fanalyzer", "-fsanitize-coverage=trace-pc-guard", "-mskip-rax-setup", "-mpreferred-stack-boundary=4",
    "-Wstack-usage=100", "-fplan9-extensions", "-fprofile-instr-generate", "-fcoverage-mapping",
])
def test_a_switch_without_effect_warns(flag, tmp_path):
    (tmp_path / "w.c").write_text(WITNESS)
    result = command([CILKC, "-O1", flag, "-c", "w.c"], cwd=tmp_path)
    assert result.status == 0 and "'%s' is not supported and has no effect" % flag in result.err, str(result)


@pytest.mark.parametrize("flag", ["-fpcc-struct-return", "-fpack-struct", "-funsigned-bitfields"])
def test_a_switch_that_changes_calls_or_data_is_an_error(flag, tmp_path):
    (tmp_path / "w.c").write_text(WITNESS)
    result = command([CILKC, "-O1", flag, "-c", "w.c"], cwd=tmp_path)
    assert result.status != 0 and "'%s' is not supported" % flag in result.err, str(result)


@pytest.mark.parametrize("flag", ["-fno-diagnostics-color", "-fno-color-diagnostics", "-fdiagnostics-color=never"])
def test_colours_are_turned_off(flag, tmp_path):
    (tmp_path / "w.c").write_text("int f(void) { return x; }\n")
    result = command([CILKC, "-fdiagnostics-color", flag, "-c", "w.c"], cwd=tmp_path)
    assert result.status != 0 and "error" in result.err and "\033" not in result.err


def test_entries_of_a_compilation_database(tmp_path):
    for name in ("a.c", "b.cilk"):
        (tmp_path / name).write_text("int %s;\n" % name[0])
        result = command([CILKC, "-MJ", "db", "-DX=1", "-c", name, "-o", name + ".o"], cwd=tmp_path)
        assert result.status == 0, str(result)
    text = (tmp_path / "db").read_text()
    assert text.endswith(",\n")
    first, second = json.loads("[%s]" % text[:-2])
    assert first["file"] == "a.c" and first["output"] == "a.c.o" and first["directory"] == str(tmp_path)
    assert first["arguments"] == ["cilkc", "-DX=1", "-c", "-o", "a.c.o", "a.c"] and second["file"] == "b.cilk"
    result = command([CILKC, "-MJ", "no/db", "-c", "a.c"], cwd=tmp_path)
    assert result.status == 1 and "no/db: No such file or directory" in result.err


def test_the_linker_may_be_named(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    result = command([CILKC, "-fuse-ld=ld", "a.c", "-o", "a"], cwd=tmp_path)
    assert result.status == 0 and result.err == "", str(result)


def test_debug_information_is_linked_where_somebody_asked_for_it(tmp_path):
    (tmp_path / "x.cilk").write_text("cilk int main(void) { return 0; }\n")
    (tmp_path / "y.o").write_bytes(b"\x7fELF .debug_info")
    (tmp_path / "z.o").write_bytes(b"\x7fELF .text")
    for words, strips in ([], True), (["z.o"], True), (["y.o"], False), (["-g"], False), (["-lm"], False):
        result = command([CILKC, "-###", "x.cilk", *words, "-o", "x"], cwd=tmp_path)
        assert result.status == 0 and ("-Wl,-S" in result.err) == strips, str(result)
