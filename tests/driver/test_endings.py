"""How calls end: killed, interrupted, with tools that fail or print nothing; which files remain then, and which status
it gives."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import BUILD, CILKC, ROOT, command, eventually
from cilkc_driver import processes

pytestmark = pytest.mark.tier("check")

SLEEPER = '#include <stdio.h>\n#include <unistd.h>\nint main(void) { printf("%d\\n", (int)getpid()); fflush(stdout); pause(); return 0; }\n'


@pytest.fixture
def here(tmp_path):
    (tmp_path / "tmp").mkdir()
    (tmp_path / "sleeper.c").write_text(SLEEPER)
    (tmp_path / "good.c").write_text("int main(void) { return 7; }\n")
    (tmp_path / "bad.c").write_text("int main(void) { return undeclared; }\n")
    return tmp_path


def start(here, *words, start_new_session=False, **env):
    return subprocess.Popen([CILKC, *words], cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=start_new_session, env=dict(os.environ, TMPDIR=str(here / "tmp"), **env))


def alive(pid):
    try:
        return open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("words", [["good.c", "-o"], ["-c", "good.c", "-o"], ["dag", "p.cilk", "-o"]], ids=lambda words: words[0])
def test_a_name_may_have_as_many_bytes_as_the_system_takes(words, here):
    """In characters of several bytes, too: 255, while temporary names have more."""
    (here / "p.cilk").write_text("cilk int main(void) { return 0; }\n")
    name = "日" * 83 + (".x.svg" if "dag" in words else ".x.elf")
    result = command([CILKC, *words, name], cwd=here)
    assert len(os.fsencode(name)) == 255 and result.status == 0, str(result)
    assert name in os.listdir(here) and not [one for one in os.listdir(here) if one.startswith(".")]


# ---- cilkc run
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP])
def test_the_program_ends_with_run(number, here):
    """A grader's time limit ends the program itself, and no folder is left."""
    process = start(here, "run", "sleeper.c")
    pid = int(process.stdout.readline())
    process.send_signal(number)
    assert process.wait(300) == -number
    process.communicate()
    eventually(lambda: not alive(pid), "the program runs on")
    assert os.listdir(here / "tmp") == []


def test_status_of_run(cilkc, here):
    """The program's own; 125 for everything that keeps it from being run."""
    assert cilkc("run", "good.c").status == 7
    for words in (
        ["bad.c"],
        ["nowhere.c"],
        ["-c", "good.c"],
        ["-S", "good.c"],
        ["-fsyntax-only", "good.c"],
        ["-qzork", "good.c"],
        [],
        ["-lnowhere", "good.c"],
    ):
        result = cilkc("run", *words)
        assert result.status == 125 and "error:" in result.err and "Traceback" not in result.err, str(result)
    assert cilkc("run", "good.c", env={"CILKC_CC": "/bin/false"}).status == 125
    assert "'-c' makes no program" in cilkc("run", "-c", "good.c").err


def test_run_keeps_what_was_asked_for(cilkc, here):
    assert cilkc("run", "-o", "kept", "good.c").status == 7
    assert command([here / "kept"]).status == 7
    assert cilkc("run", "-MD", "-MF", "x.d", "-isystem", ".", "good.c").status == 7
    assert "good.c" in (here / "x.d").read_text()


def test_run_explains_where_the_programs_options_go(cilkc, here):
    result = cilkc("run", "--nproc", "2", "good.c")
    assert result.status == 125 and "after the file: cilkc run FILE -- --nproc" in result.err, str(result)


def test_a_sanitizer_finds_the_lines_of_a_program_that_is_run(cilkc, here):
    """Its file has no name any more."""
    (here / "over.c").write_text(
        "#include <stdlib.h>\nint main(int n, char **v) {\nchar *p = malloc(4);\nreturn p[n + 7];\n}\n"
    )
    result = cilkc("run", "-g", "-O0", "-fsanitize=address", "over.c")
    assert "heap-buffer-overflow" in result.err and "in main" in result.err, str(result)


# ---- the compiler's own children
def test_a_killed_driver_leaves_no_compiler(here):
    os.mkfifo(here / "slow.i")
    process = start(here, "-c", "slow.i")
    children = Path("/proc/%d/task/%d/children" % (process.pid, process.pid))
    eventually(lambda: children.read_text().split(), "no child")
    child = int(children.read_text().split()[0])
    eventually(lambda: os.readlink("/proc/%d/exe" % child).endswith("cilkc1"), "the child is not cilkc1")
    text = []

    def is_read():
        try:
            text.append(os.open(here / "slow.i", os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True
    eventually(is_read, "cilkc1 does not read")
    process.kill()
    process.communicate()
    eventually(lambda: not alive(child), "cilkc1 runs on")  # though its text may still come
    os.close(text[0])


def test_what_a_killed_call_left_is_swept_up(cilkc, here):
    """By the next link: when it is old and its process is gone; nothing else that looks like it."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    tmp = here / "tmp"
    names = {"cilkc-%d-0-aa" % gone.pid: True, "cilkc-%d-0-bb" % os.getpid(): False, "cilkc-notes": False}
    for name in names:
        (tmp / name).mkdir()
        (tmp / name / "1.o").write_text("")
    half = here / (".prog.cilkc-%d-aa" % gone.pid)
    half.write_text("")
    for path in (tmp / list(names)[0], tmp / list(names)[1], tmp / "cilkc-notes", half):
        os.utime(path, (1, 1))
    (tmp / ("cilkc-%d-0-cc" % gone.pid)).mkdir()        # fresh: perhaps of a container that shares the folder
    assert cilkc("good.c", "-o", "prog", env={"TMPDIR": str(tmp)}).status == 0
    left = set(os.listdir(tmp))
    assert (
        left == {name for name, goes in names.items() if not goes} | {"cilkc-%d-0-cc" % gone.pid} and not half.exists()
    )


@pytest.mark.parametrize("words", [["elide", "slow.c"], ["check", "slow.c"], ["-c", "slow.c"], ["run", "slow.c"], ["emit", "--stage=ast", "slow.c"]],
                         ids=lambda words: words[0])
def test_interrupted(words, here):
    """Ctrl-C: the status that shells know, and no word."""
    os.mkfifo(here / "slow.c")
    process = start(here, *words)
    children = Path("/proc/%d/task/%d/children" % (process.pid, process.pid))
    eventually(lambda: children.read_text().split(), "no child")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (130, "", ""), (process.returncode, out, err)
    assert os.listdir(here / "tmp") == []
    eventually(lambda: not working_in(here), "a compiler runs on")


def test_an_interrupt_during_the_start_is_no_traceback(here):
    """The launcher, with a first module that is interrupted."""
    package = here / "driver" / "cilkc_driver"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "start.py").write_text("import os, time\nos.kill(os.getpid(), 2)\ntime.sleep(60)\n")
    shutil.copy(CILKC, here / "cilkc")
    done = subprocess.run([here / "cilkc", "--version"], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_signal_leaves_no_folder_of_doctor(here):
    process = start(here, "doctor")
    eventually(lambda: os.listdir(here / "tmp") or process.poll() is not None, "it does not end")
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=300)
    assert os.listdir(here / "tmp") == []


@pytest.mark.parametrize("call", ["mkdir", "rmdir"])
def test_a_signal_during_a_system_call_leaves_no_folder_of_doctor(call, here):
    """It comes right after the folder is made, or right before it is removed."""
    text = (
        "import os\n"
        "from cilkc_driver import compile, deps\n"
        "compile.catch_signals()\n"
        f"call = os.{call}\n"
        "def interrupted(*words, **more):\n"
        f"    os.{call} = call\n"
        f"    if '{call}' == 'rmdir': os.kill(os.getpid(), 1)\n"
        "    call(*words, **more)\n"
        f"    if '{call}' == 'mkdir': os.kill(os.getpid(), 1)\n"
        f"os.{call} = interrupted\n"
        "deps.output_of_one_that_writes('true')\n"
    )
    env = dict(os.environ, TMPDIR=str(here / "tmp"), PYTHONPATH=str(ROOT / "driver"))
    done = subprocess.run([sys.executable, "-c", text], env=env, check=False)
    assert (done.returncode, os.listdir(here / "tmp")) == (128 + signal.SIGHUP, [])


@pytest.mark.parametrize("tool", ["explore", "speedup"])
def test_an_interrupt_ends_a_tool_of_many_runs(tool, here):
    """Also where the program goes on: the tool ends, and the program with it."""
    (here / "stubborn.cilk").write_text(
        "#include <signal.h>\n#include <unistd.h>\ncilk int main(void) { signal(SIGINT, SIG_IGN); for (;;) sleep(1); }\n"
    )
    process = start(here, tool, "stubborn.cilk")
    eventually(lambda: any(exe.startswith(str(here / "tmp")) for exe in working_in(here)), "no program")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (130, "", ""), (process.returncode, out, err)
    assert os.listdir(here / "tmp") == []
    eventually(lambda: not working_in(here), "a program runs on")


def test_speedup_of_nothing_has_one_message(here):
    process = start(here, "speedup", "missing.cilk")
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (125, "", "cilkc: error: missing.cilk: No such file or directory\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_grandchildren_end_too(number, here):
    """The preprocessor that the C compiler's driver starts waits for a text that never comes."""
    os.mkfifo(here / "slow.c")
    process = start(here, "-c", "slow.c")
    eventually(
        lambda: any("cc1" in os.path.basename(exe) and "cilkc1" not in exe for exe in working_in(here)),
        "no preprocessor",
    )
    process.send_signal(number)
    process.communicate(timeout=300)
    eventually(lambda: not working_in(here), "a compiler runs on")


def test_what_is_stopped_starts_nothing():
    """The signal acts on a running process a moment later, in which it could start another one."""
    process = subprocess.Popen(["sh", "-c", "while :; do /bin/true & wait; done"], start_new_session=True)
    try:
        for _ in range(100):
            found = processes.stop_tree(process.pid)
            for one in found:
                path = Path("/proc/%d/stat" % one)
                assert path.read_text().rpartition(")")[2].split()[0] in "TZ"
            children = Path("/proc/%d/task/%d/children" % (process.pid, process.pid)).read_text()
            assert set(map(int, children.split())) == set(found[1:])
            os.killpg(process.pid, signal.SIGCONT)
            time.sleep(0.002)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.waits
def test_gdb_ends_with_its_command(here):
    """Also where it does not answer."""
    (here / "gdb").write_text("#!/bin/sh\ntrap '' TERM\necho started >&2\nwhile :; do sleep 1; done\n")
    (here / "gdb").chmod(0o755)
    process = subprocess.Popen(
        [CILKC, "debug", "good.c"],
        cwd=here,
        env=dict(os.environ, PATH="%s:%s" % (here, os.environ["PATH"])),
        stderr=subprocess.PIPE,
    )
    assert process.stderr.readline() == b"started\n"
    process.terminate()
    process.communicate(timeout=300)
    assert process.returncode == 143
    eventually(lambda: not [exe for exe in working_in(here) if "sleep" not in exe], "gdb runs on")


def working_in(folder):
    """The programs that run in a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(path / "cwd") == str(folder):
                found.append(os.readlink(path / "exe"))
        except OSError:
            pass
    return found


# ---- messages about files
def test_a_file_whose_name_begins_with_a_dash_is_run(cilkc, here):
    shutil.copy(here / "good.c", here / "-x.c")
    assert cilkc("run", "--", "-x.c").status == 7


def test_a_result_that_is_too_large_is_called_by_its_name(here):
    made = subprocess.run(
        [CILKC, "-c", "good.c", "-o", "x.o"],
        cwd=here,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256)),
    )
    assert made.returncode == 1 and "cannot write 'x.o': File too large" in made.stderr, made.stderr
    assert not (here / "x.o").exists()


def test_a_working_directory_that_is_gone_is_named(here):
    (here / "gone").mkdir()
    done = command(
        ["sh", "-c", "rmdir ../gone; '%s' profile '%s/samples/fib.cilk' -- 5" % (CILKC, ROOT)], cwd=here / "gone"
    )
    assert done.status and "cilkc: error: the working directory: No such file or directory" in done.err, str(done)


# ---- pipes in the place of files
def test_a_pipe_is_read_as_a_text_alone(cilkc, here):
    """Where a program is expected, nothing waits for a pipe's writer."""
    os.mkfifo(here / "pipe")
    (here / "p.cilk").write_text("cilk int main(void) { return 7; }\n")
    for command_ in ("run", "debug", "race", "profile", "explore", "build"):
        result = cilkc(command_, "pipe")
        assert result.status and "pipe: a text is read from a pipe with '-x LANG' only" in result.err, str(result)
    for core, why in (("pipe", "is not a regular file"), ("none", "does not exist")):
        result = cilkc("debug", "p.cilk", "--core", core)
        assert result.status == 125 and "the core file %s %s" % (core, why) in result.err, str(result)
    shell = "cat p.cilk | '%s' %s -x cilk /dev/stdin %s"
    assert command(["sh", "-c", shell % (CILKC, "run", "")], cwd=here).status == 7
    for words in (("see", "-o see.html"), ("speedup", "")):
        result = command(["sh", "-c", shell % (CILKC, *words)], cwd=here)
        assert result.status and "/dev/stdin: its text is compiled again" in result.err, str(result)
        assert result.err.count("error:") == 1 and not (here / "see.html").exists()


@pytest.mark.parametrize("words", [["check"], ["elide"], ["emit", "--stage", "ast"]], ids=lambda words: words[0])
def test_what_no_name_calls_a_text_is_an_error(words, cilkc, here):
    (here / "notes").write_text("int x;\n")
    result = cilkc(*words, "notes")
    assert result.status == 1 and "notes: cannot tell its language" in result.err, str(result)
    assert cilkc(*words, "none").err == "cilkc: error: none: No such file or directory\n"
    assert cilkc(*words, "-x", "c", "notes").status == 0


# ---- tools that fail
@pytest.mark.parametrize("mode", [["-c"], ["-E"], ["-S"], [], ["-M"], ["-save-temps", "-c"]], ids=" ".join)
def test_no_failure_is_silent(mode, cilkc, here):
    result = cilkc(*mode, "good.c", env={"CILKC_CC": "/bin/false"})
    assert result.status == 1 and "/bin/false failed with status 1" in result.err, str(result)


def test_a_compiler_that_says_nothing(cilkc, here):
    """Whether it claims to have failed or not."""
    for tool in ("/bin/true", "/bin/false"):
        for words in (["-c", "good.c"], ["good.c"]):
            result = cilkc(*words, env={"CILKC1": tool})
            assert result.status == 1 and result.err.count("error:") == 1, str(result)
    assert not (here / "good.o").exists() and not (here / "a.out").exists()


def test_a_compiler_that_ends_before_it_has_read_everything(cilkc, here):
    """Its message is shown, not the preprocessor's about a broken pipe."""
    (here / "cilkc1").write_text("#!/bin/sh\necho 'x.c:1: error: out of something' >&2\nexit 1\n")
    (here / "cilkc1").chmod(0o755)
    (here / "big.c").write_text("int v;\n" * 500000)
    result = cilkc("-c", "big.c", env={"CILKC1": str(here / "cilkc1")})
    assert (result.status, result.err) == (1, "x.c:1: error: out of something\n"), str(result)


def test_a_missing_library_is_not_called_a_fault_of_the_compiler(cilkc, here):
    (here / "cilkc1").write_text(
        "#!/bin/sh\necho 'cilkc1: error while loading shared libraries: libX.so: cannot open' >&2\nexit 127\n"
    )
    (here / "cilkc1").chmod(0o755)
    result = cilkc("-c", "good.c", env={"CILKC1": str(here / "cilkc1")})
    assert (
        result.status == 1 and "libX.so" in result.err and "cilkc doctor" in result.err and "internal" not in result.err
    ), str(result)


def test_a_compiler_of_several_words(cilkc, here):
    (here / "my wrapper").write_text('#!/bin/sh\necho wrapped >> "%s/log"\nexec "$@"\n' % here)
    (here / "my wrapper").chmod(0o755)
    assert cilkc("good.c", "-o", "p", env={"CILKC_CC": "'%s/my wrapper' gcc" % here}).status == 0
    assert command([here / "p"]).status == 7 and (here / "log").read_text() == "wrapped\n" * 2
    result = cilkc("good.c", env={"CILKC_CC": "nowhere gcc"})
    assert result.status == 1 and "no C compiler found" in result.err, str(result)


# ---- outputs and inputs that are not plain files
@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no second file system")
def test_output_through_a_link(cilkc, here):
    """What the link leads to is written, on whatever file system the temporary files are; the link stays a link."""
    for tmp in ("/dev/shm", str(here / "tmp")):
        for words in (["good.c"], ["-c", "good.c"], ["-E", "good.c"], ["-S", "good.c"]):
            (here / "deep").mkdir(exist_ok=True)
            (here / "deep" / "real").write_text("old")
            (here / "link").unlink(missing_ok=True)
            (here / "link").symlink_to("deep/real")
            result = cilkc(*words, "-o", "link", env={"TMPDIR": tmp})
            assert result.status == 0 and (here / "link").is_symlink(), str(result)
            assert (here / "deep" / "real").read_bytes()[:3] != b"old" and os.listdir(here / "deep") == ["real"]
            (here / "deep" / "real").unlink()
            assert cilkc(*words, "-o", "link", env={"TMPDIR": tmp}).status == 0 and (here / "deep" / "real").exists()


def test_reading_a_pipe(here):
    """The writer was there first: it must not find its reader gone."""
    os.mkfifo(here / "pipe.c")
    writer = subprocess.Popen(["sh", "-c", "exec 3>pipe.c; sleep 0.5; cat good.c >&3"], cwd=here)
    result = command([CILKC, "-c", "pipe.c", "-o", "pipe.o"], cwd=here, timeout=300)
    assert result.status == 0 and (here / "pipe.o").exists() and writer.wait(30) == 0, str(result)


# ---- questions
def test_where_the_runtime_and_the_header_are(cilkc, here):
    """For build systems that call other compilers."""
    archive = cilkc("-print-file-name=libcilkrt.a").out.strip()
    folder = cilkc("--print-include-dir").out.strip()
    assert Path(archive) == BUILD / "lib" / "libcilkrt.a" and Path(folder) == ROOT / "stdlib"
    assert cilkc("-print-file-name=libm.a").out.strip().endswith("libm.a")


def test_verbose_names_the_search_paths_of_cxx(cilkc, here):
    """Meson reads them so."""
    for language in ("c", "c++"):
        result = cilkc("-x", language, "-E", "-v", "-", stdin=b"int x;\n")
        assert result.status == 0 and "#include <...> search starts here" in result.err, str(result)


def test_names_in_debug_information_are_mapped(cilkc, here):
    """The last map that fits counts, for the folder and for the file; __FILE__ only where it is asked for."""
    (here / "named.c").write_text("const char *name = __FILE__;\n")
    def text(*flags):
        assert cilkc("-g", *flags, "-c", str(here / "named.c"), "-o", "named.o").status == 0
        return (here / "named.o").read_bytes()
    root = os.fsencode(str(here))
    assert root in text()
    assert root not in text("-ffile-prefix-map=/=/wrong/", "-ffile-prefix-map=%s=/mapped" % here)
    assert b"/mapped/named.c" in text("-ffile-prefix-map=%s=/mapped" % here)
    both = text("-fdebug-prefix-map=%s=/mapped" % here)
    assert both.count(root) == 1 and b"/mapped" in both          # __FILE__ stays
    result = cilkc("-fdebug-prefix-map=nothing", "-c", "named.c")
    assert result.status == 2 and "OLD=NEW" in result.err, str(result)


def test_formats_that_do_not_exist_are_refused(cilkc, here):
    result = cilkc("-fdiagnostics-format=xml", "-c", "good.c")
    assert result.status == 2 and "expected text, json or sarif" in result.err, str(result)


def test_doctor_needs_no_set_up(here):
    """Nothing but Python: it says what is missing instead of missing it itself."""
    tree = here / "tree"
    tree.mkdir()
    for name in ("driver", "cilkc", "stdlib", "tests"):
        (tree / name).symlink_to(ROOT / name)
    code = (
        "import sys; sys.path.insert(0, %r); from cilkc_driver import home, start; from commands import dispatch\n"
        "home.add_site_packages = lambda: None\nsys.exit(start.main(%r, ['doctor'], dispatch.run))" % (str(tree / "driver"), str(tree))
    )
    result = command(["python3", "-I", "-S", "-c", code], env={"CILKC_BUILD": ""})
    assert (
        result.status == 1
        and "LLVM" in result.out
        and "run 'make setup'" in result.out
        and "Traceback" not in result.err
    ), str(result)


def test_messages_of_commands_have_the_compilers_shape(cilkc):
    for words in (
        ["chekc"],
        ["emit", "--stage", "nonsense", "x.c"],
        ["explain"],
        ["help", "nothing"],
        ["completion", "tcsh"],
    ):
        result = cilkc(*words)
        assert result.status == 2 and result.err.startswith("cilkc: error: ") and "Usage" not in result.err, str(result)


def test_memory_for_the_compiler_runs_out(cilkc, here):
    """A limit on the address space, as a grader sets it, ends in a message and status 1."""
    (here / "huge.c").write_text("".join("extern struct s%d { int a, b; } v%d;\n" % (i, i) for i in range(150000)))
    old = resource.getrlimit(resource.RLIMIT_AS)
    result = subprocess.run([CILKC, "-c", "huge.c"], cwd=here, stderr=subprocess.PIPE, text=True, timeout=300,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (350 << 20, old[1])))
    assert result.returncode == 1 and result.stderr.strip(), result


@pytest.mark.tier("all")
@pytest.mark.parametrize("words", [["sched-test", "favourite.c"], ["see", "fib.cilk", "--", "30"],
                                   ["profile", "fib.cilk", "--", "32"], ["simulate", "-P", "2,8", "fib.cilk", "--", "30"]],
                         ids=lambda words: words[0])
def test_an_interrupt_at_any_time_leaves_nothing(words, here):
    """Ctrl-C, which all processes of the command get. What has no result says that, if anything."""
    (here / "favourite.c").write_text((ROOT / "tests/sched/favourite.c").read_text())
    (here / "fib.cilk").write_text((ROOT / "samples/fib.cilk").read_text())
    for twentieths in range(2, 22):
        process = start(here, *words, start_new_session=True)
        time.sleep(0.05 * twentieths)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=300)
        assert process.returncode in (130, 0) and "differs" not in err, (process.returncode, err)
        assert os.listdir(here / "tmp") == []
