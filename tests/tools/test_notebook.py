"""`%%cilk` in Jupyter: the sample notebook, executed by a real kernel, and what a cell does that goes wrong."""

import os
import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from conftest import CILKC, ROOT

pytestmark = pytest.mark.tier("test")


@pytest.fixture(scope="module", autouse=True)
def environment():
    kept = {name: os.environ.get(name) for name in ("CILKC", "PYTHONPATH")}
    os.environ.update(CILKC=str(CILKC), PYTHONPATH=str(ROOT / "editors" / "jupyter"))
    yield
    for name, value in kept.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


def executed(notebook, folder):
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def cells(folder, *texts):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text) for text in ("%load_ext cilkc_jupyter", *texts)]
    )
    return executed(notebook, folder)[1:]


def streams(cell, name="stdout"):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream" and output.name == name)


def shown(cell, kind):
    return [
        output.data[kind] for output in cell.outputs if output.output_type == "display_data" and kind in output.data
    ]


def test_the_sample_notebook(tmp_path):
    _, run, value, views, race, elision = executed(nbformat.read(ROOT / "samples" / "notebook.ipynb", 4), tmp_path)
    assert streams(run) == "fib = 987\n" and value.outputs[0].data["text/plain"] == "987"
    assert streams(views) == "fib = 8\n" and streams(views, "stderr") == ""
    (dag,) = shown(views, "image/svg+xml")
    assert dag.lstrip().startswith(("<?xml", "<svg")) and "fib" in dag
    profile, trace = shown(views, "text/html")
    assert (
        "parallelism" in profile
        and "worker" in trace
        and all(page.startswith("<div><iframe srcdoc=") for page in (profile, trace))
    )
    assert streams(race) == "total = 3\n" and any(
        "total" in page and "race" in page for page in shown(race, "text/html")
    )
    assert "x = fib(n - 1);" in streams(elision) and "spawn" not in streams(elision)
    assert not re.search(r"/cilkc-cell-\w+/", str(views) + str(race))


def test_the_speedup_is_a_picture(tmp_path):
    """One plot, with a point for each number of workers; what the program prints comes once."""
    (cell,) = cells(
        tmp_path, '%%cilk --speedup\n#include <stdio.h>\ncilk int main(void) { printf("once\\n"); return 0; }'
    )
    (plot,) = shown(cell, "image/svg+xml")
    assert (
        "<svg" in plot and "workers" in plot and streams(cell) == "once\n" and "Traceback" not in str(cell.outputs)
    ), str(cell.outputs)[:2000]


def test_what_goes_wrong_is_reported(tmp_path):
    wrong, fails, late, loud = cells(
        tmp_path,
        "%%cilk\ncilk int main(void) { return x; }",
        "%%cilk\ncilk int main(void) { return 3; }",
        "%%cilk --timeout 1\ncilk int main(void) { while (1) ; return 0; }",
        '%%cilk\n#include <stdio.h>\ncilk int main(void) { int i; for (i = 0; i < 300000; i++) printf("123456789\\n"); return 0; }',
    )
    assert "cell.cilk:1:30: error: 'x' undeclared" in streams(wrong, "stderr")
    assert "exit status is 3" in streams(fails, "stderr")
    assert "ended after 1 s" in streams(late, "stderr")
    assert len(streams(loud)) <= 1 << 20 and "left out" in streams(loud, "stderr")


@pytest.mark.parametrize(
    "words", ['--flags "-O1', "--timeout nan", "--timeout inf", "--timeout 0", "--timeout=-1", "--name " + 300 * "x"]
)
def test_a_wrong_option_is_one_line(words, tmp_path):
    with pytest.raises(CellExecutionError) as error:
        cells(tmp_path, "%%cilk " + words + "\ncilk int main(void) { return 0; }")
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error.value))
    assert "UsageError: %%cilk: " in text and "Traceback" not in text, text


def test_a_flag_may_be_one_word(tmp_path):
    one, several = cells(
        tmp_path,
        "%%cilk --flags -DN=7\ncilk int main(void) { return N; }",
        '%%cilk --flags "-DN=7 -O3"\ncilk int main(void) { return N; }',
    )
    assert "exit status is 7" in streams(one, "stderr") and "exit status is 7" in streams(several, "stderr")


def test_a_signal_without_a_name_has_its_number(tmp_path):
    (cell,) = cells(tmp_path, "%%cilk\n#include <signal.h>\ncilk int main(void) { raise(40); return 0; }")
    assert streams(cell, "stderr") == "%%cilk: the program was ended by signal 40\n", str(cell.outputs)


def test_an_unknown_option_is_an_error(tmp_path):
    with pytest.raises(CellExecutionError, match="--nothing"):
        cells(tmp_path, "%%cilk --nothing\nint x;")
