"""The forms of --stats, --stats-file, and `cilkc speedup`, which is made of them. No time is asserted."""

import csv
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

FIB = ROOT / "samples" / "fib.cilk"


@pytest.fixture(scope="module")
def fib(tmp_path_factory):
    """{strategy: program}"""
    folder = tmp_path_factory.mktemp("fib")
    for strategy in STRATEGIES:
        compiled(
            [CILKC, "-O2", "--spawn=" + strategy, "-cilk-span=count", "-cilk-profile", FIB, "-o", folder / strategy]
        )
    return {strategy: folder / strategy for strategy in STRATEGIES}


def run(*words, **keywords):
    result = command(words, **keywords)
    assert result.status == 0 and "6765" in result.out, str(result)
    return result


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_json_agrees_with_the_text(strategy, fib, tmp_path):
    """One schedule, repeated: both forms show the same counts of each worker."""
    fixed = [fib[strategy], "--sched=replay:5:3"]
    text = run(*fixed, "--stats", "6", "20").err
    run(*fixed, "--stats", "json", "--stats-file", tmp_path / "o.json", "20")
    (line,) = (tmp_path / "o.json").read_text().splitlines()
    found = json.loads(line)
    rows = {
        name.strip(): [int(n) for n in numbers.split()]
        for name, numbers in re.findall(r"^ {0,12}([A-Z][\w./ ]*?)((?: +\d+){4})$", text, re.M)
    }
    threads = rows.pop("Threads", None)
    assert rows and threads and found["workers"] == 3 and found["scheduler"] == "steal"
    same = {name: numbers[:3] for name, numbers in rows.items() if name not in ("Found work", "Sleeps", "Woken")}
    assert {name: found["counters"].get(name) for name in same} == same, (text, found)
    assert found["steals"] == sum(found["counters"].get("Steals", [0])) > 0
    assert found["unit"] == "instructions" and "Span = %d instructions" % found["span"] in text
    assert found["parallelism"] == pytest.approx(found["work"] / found["span"], rel=1e-5)
    assert len(found["times"]) == 3 and 0 <= found["busy"] <= 3.01
    assert found["busy"] == pytest.approx(sum(worker["working"] for worker in found["times"]) / found["wall"], abs=0.01)


def test_a_worker_that_finds_nothing_does_not_work(fib, tmp_path):
    """It searches until the end, and no search has an average."""
    words = [fib["lazy"], "--nproc", "2", "--force-steal", "never"]
    command([*words, "--stats", "json", "--stats-file", tmp_path / "o.json", "30"])
    found = json.loads((tmp_path / "o.json").read_text())
    assert found["steals"] == 0 and found["busy"] < 1.5, found
    assert "SEARCH FOR WORK" not in run(*words, "--stats", "4", "20").err


def test_the_other_spellings(fib):
    program = fib["lazy"]
    line = r"cilk: (\d+) workers?, [\d.]+ s, [\d.]+ busy on average, \d+ steals?, parallelism [\d.]+\n$"
    assert re.search(line, run(program, "--nproc", "2", "--stats", "line", "20").err)
    assert re.search(line, run(program, "20", env={"CILK_STATS": "line"}).err)
    assert "cilk: " not in run(program, "--no-stats", "20", env={"CILK_STATS": "line"}).err
    assert "RUNTIME" in run(program, "--stats", "1", "20", env={"CILK_STATS": "line"}).err
    assert json.loads(run(program, "--stats", "--json", "--nproc", "1", "20").err.splitlines()[-1])["workers"] == 1
    for words, env, said in (
        (["--stats", "lines", "20"], {}, "Bad option argument for -stats: not a number"),
        (["20"], {"CILK_STATS": "much"}, "CILK_STATS"),
        (
            ["--stats-file", "/no/such/folder/x", "20"],
            {},
            "Bad option argument for -stats-file: No such file or directory",
        ),
    ):
        result = command([program, *words], env=env)
        assert result.status != 0 and said in result.err and result.out == "", str(result)


def test_a_pipe_gets_the_report_if_a_process_reads(fib, tmp_path):
    """Else the program does not begin, and does not wait."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = [fib["lazy"], "--stats", "json", "--stats-file", pipe, "20"]
    refused = command(words, timeout=60)
    assert (refused.status, refused.out) == (1, ""), str(refused)
    assert refused.err.startswith("Bad option argument for -stats-file: no process reads this pipe\n"), str(refused)
    assert "busy on average" in run(fib["lazy"], "--stats", "line", "--stats-file", "/dev/stdout", "20").out
    (tmp_path / "p.cilk").write_text(
        "#include <unistd.h>\ncilk int main(int argc, char **argv)\n"
        '{ (void)argc; write(1, ".", 1); while (access(argv[1], F_OK) != 0) usleep(1000); return 0; }\n'
    )
    compiled([CILKC, "p.cilk", "-o", "p"], cwd=tmp_path)
    reader, words = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), ["./p", "--stats", "line", "--stats-file", pipe, "done"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE) as program:
        assert program.stdout.read(1) == b"."
        with pytest.raises(BlockingIOError):            # and not its end
            os.read(reader, 1)
        (tmp_path / "done").touch()
        assert program.wait(300) == 0
    assert os.read(reader, 1 << 16).startswith(b"cilk: ")
    os.close(reader)


def test_a_file_gets_the_reports_of_all_contexts(tmp_path):
    """Cilk_exit reports, too; what the file had is gone; a disk that is full is reported."""
    (tmp_path / "p.c").write_text(
        """
#include <cilk.h>
#include <stdio.h>
void mt_f(CilkContext *);
int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++) {
        int n = 1;
        CilkContext *context = Cilk_init(i == 0 ? &argc : &n, argv);
        EXPORT(f)(context);
        Cilk_terminate(context);
    }
    return 0;
}
""".replace("void mt_f(CilkContext *);\n", "")
        .replace("EXPORT(f)", "mt_f")
        .replace("#include <stdio.h>", "void mt_f(CilkContext *);")
    )
    (tmp_path / "f.cilk").write_text("cilk void f(void) {}\n")
    compiled([CILKC, "p.c", "f.cilk", "-o", "p"], cwd=tmp_path)
    (tmp_path / "out").write_text("what was here before")
    assert command([tmp_path / "p", "--stats", "json", "--stats-file", "out"], cwd=tmp_path).status == 0
    (line,) = (tmp_path / "out").read_text().splitlines()           # the other contexts have no options
    assert json.loads(line)["busy"] >= 0
    full = command([tmp_path / "p", "--stats", "json", "--stats-file", "/dev/full"], cwd=tmp_path)
    assert full.status == 0 and "the statistics cannot be written to /dev/full" in full.err, str(full)
    (tmp_path / "e.cilk").write_text("cilk int main(void) { Cilk_exit(7); return 0; }\n")
    compiled([CILKC, "e.cilk", "-o", "e"], cwd=tmp_path)
    ended = command([tmp_path / "e", "--stats", "line", "--stats-file", "out"], cwd=tmp_path)
    assert ended.status == 7 and ended.err == "" and (tmp_path / "out").read_text().startswith("cilk: "), str(ended)
    (tmp_path / "gone").mkdir()
    (tmp_path / "g.cilk").write_text(
        '#include <unistd.h>\ncilk int main(void) { return unlink("gone/out") || rmdir("gone"); }\n'
    )
    compiled([CILKC, "g.cilk", "-o", "g"], cwd=tmp_path)
    gone = command([tmp_path / "g", "--stats", "line", "--stats-file", "gone/out"], cwd=tmp_path)
    assert gone.status == 0 and "the statistics cannot be written to gone/out" in gone.err, str(gone)


def test_a_table_a_plot_and_csv(cilkc, tmp_path):
    done = cilkc("speedup", "-P", "1-3", "--runs", "2", "-o", "s.svg", "-o", "s.csv", "-o", "s.json", FIB, "--", "20")
    assert done.status == 0 and done.err.count("fib(20) = 6765") == 1, str(done)
    assert [line.split()[0] for line in done.out.splitlines()[:4]] == [
        "workers", "1", "2", "3"
    ] and "the elision takes" in done.out
    rows = list(csv.DictReader((tmp_path / "s.csv").open()))
    data = json.loads((tmp_path / "s.json").read_text())
    assert [row["workers"] for row in rows] == ["1", "2", "3"] == [
        str(row["workers"]) for row in data["runs"]
    ] and data["elision"] > 0
    for row, other in zip(rows, data["runs"]):
        assert float(row["speedup"]) == pytest.approx(data["runs"][0]["seconds"] / other["seconds"], abs=1e-3)
        assert (
            float(row["efficiency"]) == pytest.approx(other["speedup"] / other["workers"], abs=1e-3)
            and other["steals"] >= 0
        )
    plot = ElementTree.parse(tmp_path / "s.svg").getroot()
    assert (
        len(list(plot.iter("{http://www.w3.org/2000/svg}circle"))) == 6
        and len(list(plot.iter("{http://www.w3.org/2000/svg}polyline"))) == 3
    )


def test_a_program_that_is_built_already(cilkc, fib, tmp_path):
    done = cilkc("speedup", "--csv", "--runs", "1", "-P", "2", fib["eager"], "--", "20")
    assert done.status == 0 and [line.split(",")[0] for line in done.out.splitlines()] == ["workers", "1", "2"], str(
        done
    )
    (tmp_path / "fails.c").write_text("int main(int argc, char **argv) { return 4; }\n")
    failed = cilkc("speedup", "fails.c")
    assert failed.status == 4 and "the program ended with status 4" in failed.err, str(failed)
    assert cilkc("speedup", "none.cilk").status == 125
    assert cilkc("speedup", "-P", "3-1", "x.cilk").status == 2
    (tmp_path / "reads.cilk").write_text(
        '#include <stdio.h>\ncilk int main(void) { int n = 0; scanf("%d", &n); printf("%d\\n", n); return n != 7; }\n'
    )
    # each run reads all of the input
    assert cilkc("speedup", "--runs", "2", "-P", "1,2", "reads.cilk", stdin=b"7\n").status == 0
