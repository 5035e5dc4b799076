"""What the tools of the command have in common: programs that fail, words that are wrong, lost output, the pictures of
the manual, names on pages."""

import os
import re
import subprocess

import pytest

from conftest import BUILD, CILKC, ROOT, command
from pages import shown

pytestmark = pytest.mark.tier("check")

EMPTY = "cilk int main(void) { return 0; }\n"
TWO_THREADS = """#include <pthread.h>
static pthread_barrier_t both;
static void nothing(void) {}
static void *meet(void *p)
{
  cilk_spawn nothing();
  pthread_barrier_wait(&both);
  cilk_sync;
  return p;
}
int main(void)
{
  pthread_t one, other;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&one, 0, meet, 0);
  pthread_create(&other, 0, meet, 0);
  pthread_join(one, 0);
  return pthread_join(other, 0);
}
"""
FAILING = {
    "abort": ("#include <stdlib.h>\ncilk int main(void) { abort(); }\n", 134, "SIGABRT ended the program"),
    "fault": ("cilk int main(void) { *(volatile int *)0 = 1; return 0; }\n", 139, "SIGSEGV ended the program"),
    "_exit": ("#include <unistd.h>\ncilk int main(void) { _exit(5); }\n", 5, "exit()"),
    "_exit, 0": ("#include <unistd.h>\ncilk int main(void) { _exit(0); }\n", 125, "exit()"),
    "no call": ("int main(void) { return 0; }\n", 125, "has no procedure and no call"),
    "two threads": (TWO_THREADS, 125,
                    "two threads of the program run procedures at the same time, and only one can be followed\n"
                    "cilkc: error: the run ended with status 125: nothing was measured\n"),
    "lock": ("Cilk_lockvar l;\ncilk int main(void) { Cilk_lock(l); Cilk_lock(l); return 0; }\n", 125,
             "deadlocks.\n`cilkc race` names the line where it was acquired.\n"),
    "error": ("cilk int main(void) { return x; }\n", 125, "error"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("tool", ["dag", "memory", "profile"])
@pytest.mark.parametrize("how", FAILING)
def test_programs_that_fail(tool, how, tmp_path):
    text, status, message = FAILING[how]
    (tmp_path / "p.cilk").write_text(text)
    result = command([CILKC, tool, "p.cilk"], cwd=tmp_path)
    assert result.status == status and message in result.err and "Traceback" not in result.err, str(result)
    assert os.listdir(tmp_path) == ["p.cilk"]


DAMAGING = """#include <glob.h>
#include <stdio.h>
cilk int main(void) { return 0; }
__attribute__((destructor(102))) static void damage(void)
{
  glob_t found;
  FILE *report = glob("cilkc-*/report", 0, NULL, &found) ? NULL : fopen(found.gl_pathv[0], "w");
  for (int i = 0; report && i < TIMES; i++) fputs(TEXT, report);
  if (report) fclose(report);
}
"""


@pytest.mark.parametrize("tool", ["dag", "profile"])
@pytest.mark.parametrize("text, times", [("{}", 1), ("[]", 1), ("[", 100000)], ids=["empty", "list", "deep"])
def test_a_program_that_writes_over_its_report(tool, text, times, tmp_path):
    (tmp_path / "p.cilk").write_text(DAMAGING)
    result = command([CILKC, tool, "-DTIMES=%d" % times, "-DTEXT=\"%s\"" % text, "p.cilk"], cwd=tmp_path,
                     env={"TMPDIR": str(tmp_path)})
    message = "cilkc: error: the report of the run %s" % ("cannot be read" if times > 1 else "is damaged")
    assert result.status == 125 and message in result.err and "internal" not in result.err, str(result)
    assert os.listdir(tmp_path) == ["p.cilk"]


@pytest.mark.parametrize("tool", ["dag", "trace"])
def test_a_name_that_is_no_text(tool, tmp_path):
    with open(os.fsencode(tmp_path) + b"/\xff.cilk", "w") as file:
        file.write(EMPTY)
    result = command([CILKC, tool, os.fsdecode(b"\xff.cilk")], cwd=tmp_path)
    assert result.status == 0 and len(os.listdir(tmp_path)) == 2, str(result)


@pytest.mark.parametrize("tool", ["race", "profile", "dag", "trace"])
def test_arguments_of_the_program_go_after_two_dashes(tool, tmp_path):
    (tmp_path / "p.cilk").write_text(EMPTY)
    result = command([CILKC, tool, "p.cilk", "10", "5"], cwd=tmp_path)
    assert result.status == (2 if tool == "race" else 125) and result.err == (
        "cilkc: error: 10: No such file or directory; arguments of the program go after `--`: cilkc %s p.cilk -- 10\n"
        % tool
    ), str(result)
    missing = command([CILKC, tool, "p.cilk", "q.cilk"], cwd=tmp_path)
    assert "--" not in missing.err and "q.cilk: No such file or directory" in missing.err, str(missing)


@pytest.mark.parametrize("tool", ["dag", "memory"])
def test_endless_output(tool, tmp_path):
    (tmp_path / "p.cilk").write_text("#include <stdio.h>\ncilk int main(void) { for (;;) puts(\"y\"); }\n")
    done = subprocess.run(
        "'%s' %s p.cilk | head -1" % (CILKC, tool), shell=True, cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=300, env=dict(os.environ, CILKC_BUILD=str(BUILD)),
    )
    assert done.stdout == b"y\n" and b"Traceback" not in done.stderr
    assert os.listdir(tmp_path) == ["p.cilk"]


# Words of a tool, "x.cilk" after them unless they name a file; what the message has.
ALL = [("no-such.cilk", "no-such.cilk"), ("-c x.cilk", "cilkc TOOL"), ("--no-such-option x.cilk", "--no-such-option")]
WRONG = {
    "dag": [
        ("", "FILE"), ("-o x.pdf x.cilk", ".svg"), ("--strands 0 x.cilk", "--strands"), ("--limit 0 x.cilk", "--limit"),
        ("-fsanitize=thread x.cilk", "-fsanitize"), ("-o no/such/folder.svg x.cilk", "no/such/folder.svg"),
        ("-o folder.svg x.cilk", "folder.svg"),
    ],
    "memory": [
        ("", "FILE"), ("--nproc 0 x.cilk", "--nproc"), ("--nproc 1,x x.cilk", "--nproc"),
        ("--nproc 1-100 x.cilk", "--nproc"), ("--nproc 9999 x.cilk", "--nproc"),
        ("--threshold much x.cilk", "--threshold"), ("--threshold 0 x.cilk", "--threshold"),
        ("-fsanitize=address x.cilk", "-fsanitize"), ("-o m.txt x.cilk", "the name says what is made"),
    ],
    "profile": [
        ("", "FILE"), ("--json --csv x.cilk", "--json and --csv"), ("--burden x x.cilk", "--burden"),
        ("--nproc 0 x.cilk", "--nproc"),
    ],
    "trace": [
        ("", "FILE"), ("-o x.pdf x.cilk", ".html"), ("--nproc 0 x.cilk", "--nproc"), ("--limit 0 x.cilk", "--limit"),
        ("--serial x.cilk", "--serial"), ("-fsanitize=thread x.cilk", "-cilk-trace"),
        ("-cilk-debug x.cilk", "-cilk-debug"), ("-o no/such/folder.html x.cilk", "no/such/folder.html"),
    ] + [("--target=aarch64-linux-gnu x.cilk", "--target")] * (os.uname().machine != "aarch64"),
    "speedup": [("-P ² x.cilk", "a list like"), ("-P %s x.cilk" % ("1" * 5000), "a list like")],
    "simulate": [("-P ² x.cilk", "-P ²"), ("-P %s x.cilk" % ("1" * 5000), "-P 1"), ("-o s.html x.cilk", "writes no file")],
    "debug": [("-o x x.cilk", "keeps no program")],
    "see": [("-o x.svg x.cilk", "ends in .html"), ("--without nothing x.cilk", "--without"), ("--serial x.cilk", "cannot be used with it")],
    "step": [
        ("-o p.txt x.cilk", "ends in .html"), ("--schedule 5 x.cilk", "POINT=WORKER"), ("--serial x.cilk", "cannot be used with it"),
        ("--schedule 5=2 x.cilk", "workers below 2"), ("--seed 1 --schedule 5=1 x.cilk", "only one of"),
        ("--from x.cilk x.cilk", "not a record"),
    ],
    "explore": [
        ("-o p.txt x.cilk", "ends in .html"), ("--ignore ( x.cilk", "--ignore ("),
        ("--schedules 0 x.cilk", "--schedules"), ("--serial x.cilk", "cannot be used with it"),
    ],
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("tool, words, text", [(tool, *row) for tool, rows in WRONG.items() for row in rows + ALL])
def test_wrong_words_get_clear_errors(tool, words, text, tmp_path):
    (tmp_path / "x.cilk").write_text(EMPTY)
    (tmp_path / "folder.svg").mkdir()
    result = command([CILKC, tool, *words.split()], cwd=tmp_path)
    assert result.status in (2, 125) and result.out == "" and text.replace("TOOL", tool) in result.err, str(result)
    assert "Traceback" not in result.err and len(result.err.splitlines()) <= 4
    assert sorted(os.listdir(tmp_path)) == ["folder.svg", "x.cilk"]


@pytest.mark.parametrize("words", ["dag -o full.svg", "memory --no-measure --svg full.svg", "memory --no-measure --svg no/such.svg"])
def test_a_file_that_cannot_be_written_is_named(words, tmp_path):
    os.symlink("/dev/full", tmp_path / "full.svg")
    result = command([CILKC, *words.split(), ROOT / "samples/hello.cilk"], cwd=tmp_path)
    assert result.status == 125 and words.split()[-1] in result.err and "Traceback" not in result.err, str(result)


@pytest.mark.sample(2)
@pytest.mark.parametrize("tool", ["dag", "trace", "profile", "memory", "see", "race"])
def test_why_a_page_cannot_be_written(tool, tmp_path):
    (tmp_path / "p.cilk").write_text(EMPTY)
    (tmp_path / "x.html").mkdir()
    for name, why in (("none/x.html", "No such file or directory"), ("x.html", "Is a directory")):
        result = command([CILKC, tool, "-o", name, "p.cilk"], cwd=tmp_path)
        assert "%s cannot be written: %s; -o FILE names another file" % (name, why) in result.err, str(result)
        assert result.status == (2 if tool == "race" else 125) and not result.out


@pytest.mark.parametrize("tool, words", [("dag", ["critical path", "--json"]), ("memory", ["over all", "--threshold"])])
def test_it_is_listed(tool, words):
    assert re.search(r"See the parallelism:.*\n(?:  .*\n)*  %s " % tool, command([CILKC, "--help"]).out)
    text = command([CILKC, tool, "--help"]).out
    assert all(word in text for word in words)
    env = dict(_CILKC_COMPLETE="bash_complete", COMP_WORDS="cilkc " + tool[:-1], COMP_CWORD="1")
    assert tool in command([CILKC], env=env).out


@pytest.mark.parametrize("picture, words", [
    ("dag.svg", "dag samples/search.cilk --strands 40 -o FILE -- 60000 20000"),
    ("memory.svg", "memory samples/strassen.cilk --no-measure --svg FILE"),
    ("profile-flame.svg", "profile samples/mergesort.cilk --no-what-if --svg FILE -- 20000"),
])
def test_the_picture_of_the_manual_is_what_the_tool_makes(picture, words, tmp_path):
    file = str(tmp_path / picture)
    result = command([CILKC, *(file if word == "FILE" else word for word in words.split())], cwd=ROOT)
    assert result.status == 0, str(result)
    assert (tmp_path / picture).read_text() == (ROOT / "docs" / picture).read_text()


@pytest.mark.sample(4)
@pytest.mark.parametrize("tool", ["dag", "memory", "profile", "trace"])
def test_names_on_a_page_are_text(tool, tmp_path):
    name = "a<b>&'\".cilk"
    (tmp_path / name).write_text(
        "#include <stdlib.h>\nstatic cilk int f(int n) { free(malloc(n)); return n; }   /* </script><script>alert(1)</script> */\n"
        "cilk int main(void) { int x; x = spawn f(10); sync; return x - 10; }\n"
    )
    words = ["--no-measure"] if tool == "memory" else ["--no-what-if"] if tool == "profile" else []
    result = command([CILKC, tool, name, *words, "--html", "p.html", "--", "</script>"], cwd=tmp_path)
    assert result.status == 0, str(result)
    text = (tmp_path / "p.html").read_text()
    assert text.count("</script>") == len(re.findall(r"<script\b(?!>alert)", text))
    assert "a&lt;b&gt;" in shown(tmp_path / "p.html")
