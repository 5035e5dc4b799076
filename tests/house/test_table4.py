"""`cilkc bench --table4`: the Cilk-1 paper's table, what is checked in it, and what its fits find."""

import json
import re

import pytest

from conftest import CILKC, ROOT, command
from bench import table4, table4_report
from tiers import tier

pytestmark = pytest.mark.tier("check")


def line(p, total, space=10, t1=1000.0, inf=10.0, requests=10, steals=5):
    return {
        "P": p,
        "T1": t1,
        "Tinf": inf,
        "TP": t1 / p + inf,
        "threads": 100,
        "space": space,
        "total_space": total,
        "requests": requests * p,
        "steals": steals * p,
    }


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table4")
    result = command(
        [CILKC, "bench", "--table4", "--quick", "--filter", "fib", "queens", "jamboree", "-o", folder], timeout=600
    )
    assert result.status == 0, str(result)
    return folder, result.out


def test_it_has_the_columns_of_the_paper(table):
    folder, out = table
    rows = {
        row.split("|")[1].strip(): [cell.strip() for cell in row.split("|")[2:-1]]
        for row in out.splitlines()
        if row.startswith("|")
    }
    assert rows[""][:3] == ["fib(33)", "queens(15)", "jamboree(10,16)"]
    assert rows["threads"][:2] == ["85,970 (17,108,660)", "166 (210,740)"]  # --quick: fib(22), queens(10)
    for what in ("T_serial/T_1", "T_inf (s)", "T_P / (T_1/P + T_inf)", "requests/proc", "S_P/(S_1 P)",
                 "T_1 simulated / real", "T_2 simulated / real"):
        assert what in rows, out
    assert "S_P <= S_1 P in all 15 simulated runs" in out
    assert json.loads((folder / "table4.json").read_text())["problems"] == []


def test_it_is_written_again_without_measuring(table):
    folder, out = table
    again = command([CILKC, "bench", "--table4", "--again", "-o", folder])
    assert again.status == 0 and again.out.strip() in out, str(again)


def test_space_beyond_the_bound_is_a_problem():
    assert table4.space_of("x", [line(1, 10), line(8, 80), line(32, 300)]) == []
    assert len(table4.space_of("x", [line(1, 10), line(8, 81), line(32, 400)])) == 2
    found = {
        "programs": {},
        "numbers": [8],
        "model": [],
        "fit": None,
        "problems": table4.space_of("x", [line(1, 10), line(8, 81)]),
    }
    assert "x on 8 processors: 81 closures, more than 8 times the 10 of one" in table4_report.report(found)


def test_growth_finds_the_powers_again():
    runs = [
        line(8, 10, t1=t1, inf=inf, requests=3 * t1**0.25 * inf**0.75) for t1 in (1e3, 1e4, 1e6) for inf in (10.0, 50.0)
    ]
    assert table4_report.growth(runs, "requests") == pytest.approx((0.25, 0.75))
    assert table4_report.growth(runs[:3], "requests") is None


def test_the_paper_agrees_with_itself():
    """The figures typed in from the paper: T_1/T_inf and T_P beside what the paper prints of them."""
    parallelism = {
        "fib(33)": 224417,
        "queens(15)": 7380,
        "pfold(3,3,4)": 14879,
        "ray(500,500)": 17650,
        "knary(10,5,2)": 70.56,
        "knary(10,4,1)": 178.2,
        "*Socrates": 1163,
    }
    efficiency = {
        "fib(33)": 0.9951,
        "queens(15)": 0.9930,
        "pfold(3,3,4)": 0.9992,
        "ray(500,500)": 1.0558,
        "knary(10,5,2)": 0.6495,
        "knary(10,4,1)": 0.8692,
        "*Socrates": 0.9030,
    }
    assert set(table4_report.Paper) == set(parallelism)
    for name, p in table4_report.Paper.items():
        _, t1, inf, _ = p["one"]
        assert t1 / inf == pytest.approx(parallelism[name], rel=3e-3)
        assert t1 / (32 * p[32][0]) == pytest.approx(efficiency[name], rel=3e-3)


@pytest.mark.parametrize("sample, words, threads", [
    ("fib", ("33", "tail"), 17108660), ("knary", ("10", "4", "1", "0"), 873812),
    pytest.param("knary", ("10", "5", "2", "0"), 5859374, marks=tier("test")),
    pytest.param("queens", ("15", "5"), 210740, marks=tier("all")),
    pytest.param("ray", ("500", "500"), 424475, marks=tier("test"))])
def test_threads_are_as_many_as_the_papers(sample, words, threads, tmp_path):
    """On any number of workers, whether closures are spared (-O2) or not."""
    file = ROOT / "samples" / ("cilk1-%s.cilk1" % sample)
    for level, numbers in (("-O2", (1, 2, 4)), ("-O0", (2,))):
        built = command([CILKC, level, file, "-lm", "-o", tmp_path / "p"])
        assert built.status == 0, str(built)
        for nproc in numbers:
            result = command([tmp_path / "p", "--nproc", nproc, "--stats", "2", *words], timeout=300)
            assert result.status == 0 and int(re.search(r"^ *Threads .*?(\d+)$", result.err, re.M)[1]) == threads, str(
                result
            )
