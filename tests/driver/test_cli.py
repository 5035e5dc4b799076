"""The commands other than build: run, check, elide's and emit's plumbing, explain, doctor, completion, help."""

import os
import pty
import re
import subprocess

import pytest

from conftest import CILKC, ROOT, command, ok, on_a_terminal
from cilkc_driver import start
from commands import cli

pytestmark = pytest.mark.tier("check")

FIB = str(ROOT / "samples" / "fib.cilk")


def test_run(cilkc, tmp_path):
    assert "6765" in ok(cilkc("run", FIB, "--", "--nproc", "2", "20")).out
    assert "6765" in ok(cilkc("run", "-O1", FIB, "20")).out
    assert os.listdir(tmp_path) == []


def test_run_passes_the_exit_status_and_input(cilkc, tmp_path):
    (tmp_path / "s.c").write_text("#include <stdio.h>\nint main(int n, char **v) { return getchar() - 'a' + n; }\n")
    assert cilkc("run", "s.c", "x", "y", stdin=b"d").status == 6
    (tmp_path / "die.c").write_text("#include <stdlib.h>\nint main(void) { abort(); }\n")
    assert cilkc("run", "die.c").status == -6


def test_a_command_is_a_command_beside_a_file_of_its_name(cilkc, tmp_path):
    (tmp_path / "race.cilk").write_text("cilk int main(void) { return 0; }\n")
    ok(cilkc("race.cilk", "-o", "race"))
    assert "race" in ok(cilkc("race", "race.cilk")).err
    assert sorted(cli.cilkc.commands) == sorted(start.COMMANDS)


def test_run_reports_errors(cilkc, tmp_path):
    (tmp_path / "bad.cilk").write_text("cilk int main(void) { return x; }\n")
    result = cilkc("run", "bad.cilk")
    assert result.status == 125 and "bad.cilk:1:30: error:" in result.err, str(result)


def test_check(cilkc, tmp_path):
    (tmp_path / "good.cilk").write_text("cilk int main(void) { return 0; }\n")
    (tmp_path / "bad.cilk").write_text("cilk int main(void) { return x; }\n")
    assert ok(cilkc("check", "good.cilk")).err == ""
    assert cilkc("check", "bad.cilk", "good.cilk").status == 1
    assert sorted(os.listdir(tmp_path)) == ["bad.cilk", "good.cilk"]


@pytest.mark.parametrize("word", ["--jobs=²", "-fmax-errors=²", "--jobs=" + "1" * 5000])
def test_a_number_has_plain_digits_and_not_thousands(cilkc, word):
    result = cilkc("check", word, FIB)
    assert result.status == 2 and result.err.endswith("needs a number\n") and "Traceback" not in result.err, str(result)


def test_flags_are_not_taken_apart(cilkc, tmp_path):
    """-Wpointer-arith is not a cluster of one-letter options, -h and -o among them."""
    (tmp_path / "good.c").write_text("int main(void) { return 0; }\n")
    assert "Usage" not in ok(cilkc("check", "-Wall", "-Wpointer-arith", "-Wshadow", "good.c")).out
    assert ok(cilkc("run", "-Wpointer-arith", "-Wshadow", "good.c", "-h")).out == ""
    assert "main" in ok(cilkc("elide", "-Wpointer-arith", "-fno-strict-aliasing", "good.c", "-oout.c")).out + \
        (tmp_path / "out.c").read_text()
    assert "main" in ok(cilkc("emit", "-Wshadow", "good.c", "--stage=ast")).out


@pytest.mark.parametrize("stage", ["tokens", "tree", "ast", "ir", "asm", "clones"])
def test_emit(stage, cilkc, tmp_path):
    assert "fib" in ok(cilkc("emit", "--stage", stage, FIB)).out
    ok(cilkc("emit", "--stage=" + stage, "-o", "out", FIB))
    assert "fib" in (tmp_path / "out").read_text()


def test_emit_wants_a_known_stage(cilkc):
    result = cilkc("emit", "--stage", "nonsense", FIB)
    assert result.status == 2 and "tokens" in result.err
    assert cilkc("emit", FIB).status == 2


def test_explain_takes_a_code_in_brackets(cilkc):
    text = ok(cilkc("explain", "format")).out
    for word in ("-Wformat", "[-Wformat]", "-Werror=format", "[-Werror=format]", "-Wno-format", "[format]"):
        assert ok(cilkc("explain", word)).out == text, word
    races = cilkc("explain", "race")
    assert races.status == 2 and "receiver-read" in races.err and "backend" not in races.err, str(races)


def test_literal_without_end_is_reported_once(cilkc, tmp_path):
    source = tmp_path / "open.cilk"
    source.write_text('#define NEVER_USED "open\ncilk int main(void)\n{\n    return "a;\n}\n')
    for words in (["check"], ["-c", "-o", tmp_path / "open.o"], ["-c", "-save-temps=obj", "-o", tmp_path / "open.o"]):
        result = cilkc(*words, source)
        assert result.status == 1, str(result)
        said = [line for line in result.err.splitlines() if "missing terminating" in line]
        # only the preprocessor sees it
        assert ["error" in line for line in said if "open.cilk:1:" in line] == [False], str(result)
        assert ["error" in line for line in said if "open.cilk:4:" in line] == [True], str(result)


def test_explain(cilkc):
    listing = ok(cilkc("explain", "--list")).out
    assert "spawn-outside-procedure" in listing
    assert "spawn" in ok(cilkc("explain", "spawn-outside-procedure")).out
    result = cilkc("explain", "spawn-outside-procedur")
    assert result.status == 2 and "spawn-outside-procedure" in result.err, str(result)
    assert cilkc("explain").status == 2
    for word in ("", "[]", "-W"):
        result = cilkc("explain", word)
        assert result.status == 2 and "expected a code" in result.err and result.out == "", str(result)


def test_doctor_is_plain_when_piped_and_leaves_no_file(cilkc, tmp_path):
    result = cilkc("doctor", cwd=tmp_path)
    assert result.status == 0 and "LLVM" in result.out and "\033" not in result.out, str(result)
    assert list(tmp_path.iterdir()) == []


def test_did_you_mean(cilkc):
    result = cilkc("chekc")
    assert result.status == 2 and "'check'" in result.err, str(result)


def test_help_and_version(cilkc):
    assert "elide" in ok(cilkc("--help")).out
    for name in ("build", "run", "check", "elide", "emit", "explain", "doctor", "completion"):
        assert name in ok(cilkc("help", name)).out
        assert ok(cilkc(name, "--help")).out
    assert ok(cilkc("--version")).out.startswith("cilkc ")
    assert cilkc().status == 2
    result = cilkc("help", "--man", "nope")
    assert result.status == 2 and "'nope'" in result.err and result.out == "", str(result)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell, cilkc):
    script = ok(cilkc("completion", shell)).out
    assert "_CILKC_COMPLETE" in script
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0


def test_completion_answers(cilkc):
    result = cilkc(env={"_CILKC_COMPLETE": "bash_complete", "COMP_WORDS": "cilkc el", "COMP_CWORD": "1"})
    assert "elide" in result.out, str(result)
    result = cilkc(env={"_CILKC_COMPLETE": "bash_complete", "COMP_WORDS": "cilkc build --sp", "COMP_CWORD": "2"})
    assert "--spawn=lazy" in result.out, str(result)


@pytest.mark.tier("all")
@pytest.mark.parametrize("typed, offered", [
    ("cilkc fi", "fib.cilk"),
    ("cilkc -O2 fi", "fib.cilk"),
    ("cilkc race fi", "fib.cilk"),
    ("cilkc --spawn=lazy -W fi", "fib.cilk"),
    ("cilkc eli", "elide"),
    ("cilkc explain receiver-re", "receiver-read"),
    ("cilkc help rac", "race"),
    ("cilkc run -fopencil", "-fopencilk"),
    ("cilkc race --ord", "--order"),
    ("cilkc run --spawn=l", "--spawn=lazy"),
])
def test_completion_in_a_shell(typed, offered, tmp_path):
    """At bash's prompt: files too, and without the word `build`."""
    (tmp_path / "fib.cilk").write_text("")
    environment = dict(os.environ, PATH="%s:%s" % (os.path.dirname(CILKC), os.environ["PATH"]), PS1="$ ", TERM="dumb")
    master, slave = pty.openpty()
    shell = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"], stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=tmp_path,
        start_new_session=True,
    )
    os.close(slave)

    def until(wanted):
        text = ""
        while wanted not in text:
            part = os.read(master, 65536).decode()
            assert part, text
            text += part
    try:
        os.write(master, b"source <(cilkc completion bash); echo rea''dy\n")
        until("ready\r\n")
        os.write(master, typed.encode() + b"\t")
        until(typed.rpartition(" ")[0] + " " + offered + " ")
    finally:
        shell.kill()
        shell.wait()
        os.close(master)


@pytest.mark.tier("all")
@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize("word, offered", [
    ("--spawn=l", "--spawn=lazy"), ("--synched=f", "--synched=false"), ("--report=out", "--report=out"),
])
def test_completion_of_a_value_repeats_the_flag(shell, word, offered, cilkc):
    """zsh and fish replace the whole word."""
    environment = {
        "_CILKC_COMPLETE": shell + "_complete",
        "COMP_WORDS": "cilkc race " + word,
        "COMP_CWORD": word if shell == "fish" else "2",
    }
    answer = re.split(r"[\n,]", ok(cilkc(env=environment)).out)
    assert answer[1] == offered, answer


@pytest.mark.tier("all")
def test_no_help_is_wider_than_a_terminal(cilkc):
    from cilkc_driver.start import COMMANDS
    for words in ([], *([name] for name in COMMANDS)):
        wide = [line for line in ok(cilkc(*words, "--help")).out.splitlines() if len(line) > 80]
        assert not wide, (words, wide)


def test_colours_only_on_a_terminal(cilkc, tmp_path):
    bad = tmp_path / "bad.c"
    bad.write_text("int main(void) { return x; }\n")
    assert "\033" not in cilkc("-c", bad).err
    assert "\033" in on_a_terminal([CILKC, "-c", str(bad)], 1)
    assert "\033" not in on_a_terminal([CILKC, "-c", str(bad)], 1, NO_COLOR="1")
    assert "\033" in cilkc("--color=always", "-c", bad).err
    assert "\033" not in on_a_terminal([CILKC, "--color=never", "-c", str(bad)], 1)
    assert "\033" in cilkc("-fdiagnostics-color=always", "-c", bad).err


def test_needs_no_packages_to_compile(tmp_path):
    """Compiler-shaped calls work with the system's own Python and without the virtual environment."""
    (tmp_path / "x.c").write_text("int x;\n")
    result = command(["python3", "-I", "-S", CILKC, "-c", "x.c"], cwd=tmp_path)
    assert result.status == 0 and (tmp_path / "x.o").exists(), str(result)
