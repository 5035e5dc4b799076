"""The labs of docs/labs: solutions have full points, mistakes have not, starters have half of them at most, and the
pages show what the tools print.

`--rewrite` puts what the commands print into the pages. Times are not compared: checks of time get
limits that hold anywhere.
"""

import json
import re
import shlex
import shutil

import pytest

from conftest import CILKC, ROOT, command, folders
from tiers import tier

pytestmark = pytest.mark.tier("test")

LONG = 20               # seconds: the limit of a run in these tests. What the pages show has the limits of the labs


def labs():
    """Labs with wrong answers that run until their time is over are in `make test-all`."""
    found = folders("docs/labs/*")
    return [
        pytest.param(*lab.values, id=lab.id, marks=tier("all"))
        if re.search(r"more than [\d.]+ s|SIGQUIT", (lab.values[0] / "mistakes.md").read_text())
        else lab
        for lab in found
    ]


LABS = labs()


def lab_copy(lab, tmp_path):
    """The lab in a folder of the test; what measures time passes on any machine."""
    here = tmp_path / lab.name
    shutil.copytree(lab, here)
    spec = here / "SPEC.toml"
    text = re.sub(r"^at-most = .*$", "at-most = 1000", spec.read_text(), flags=re.M)
    spec.write_text(re.sub(r"^time = [1-9]$", "time = %d" % LONG, text, flags=re.M))
    return here


@pytest.mark.waits
@pytest.mark.sample(7, "all")
@pytest.mark.parametrize("lab", LABS)
def test_points(lab, tmp_path):
    here = lab_copy(lab, tmp_path)
    sources = sorted(path.name for path in here.iterdir() if path.name.startswith(("solution.", "starter.", "wrong-")))
    assert len(sources) >= 3 and (here / "handout.md").exists() and (here / "mistakes.md").exists()
    done = command([CILKC, "grade", "-q", "--format", "json", "SPEC.toml", *sources], cwd=here, timeout=600)
    assert done.status == 0, str(done)
    wrong = []
    for row in json.loads(done.out)["submissions"]:
        full = row["score"] == row["max"] and row["max"] > 0 and not row["failed"]
        most = row["max"] / 2 if row["submission"] == "starter" else row["max"]
        if full != (row["submission"] == "solution") or row["score"] > most:
            wrong.append(
                "%s: %g of %g\n%s"
                % (row["submission"], row["score"], row["max"], "\n".join(check["text"] for check in row["checks"]))
            )
    assert not wrong, "\n".join(wrong)


FENCE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def shown(folder, block):
    """The block with what its commands print now."""
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:])
            name, is_variable, value = words[0].partition("=")
            if is_variable:
                del words[0]
            result = command([CILKC if words[0] == "cilkc" else folder / words[0]] + words[1:], cwd=folder, timeout=300,
                             env={name: value} if is_variable else None)
            text = "\n".join(part.rstrip("\n") for part in (result.out, result.err) if part)
            lines += [line, *text.split("\n")] if text else [line]
    return "\n".join(lines) + "\n"


@pytest.mark.waits
@pytest.mark.sample(7, "all")
@pytest.mark.parametrize("lab", LABS)
def test_pages_show_what_the_tools_print(lab, tmp_path, rewrite):
    here = lab_copy(lab, tmp_path)
    page = lab / "mistakes.md"
    text = page.read_text()
    found = FENCE.sub(lambda match: "```console\n%s```" % shown(here, match.group(1)), text)
    limit = re.search(r"^time = ([1-9])$", (lab / "SPEC.toml").read_text(), re.M)
    found = re.sub(r"(more than|SIGQUIT:) %d(\.\d)? s" % LONG, r"\1 %s\2 s" % (limit[1] if limit else LONG), found)
    if rewrite:
        page.write_text(found)
    else:
        assert WORKERS.sub("", found) == WORKERS.sub("", text)


# What a program reports when its time is over: which worker does what is chance.
WORKERS = re.compile(r"^ *Cilk: SIGQUIT: .*\n( *worker \d .*\n)*", re.M)
VARIES = re.compile(r"^```\n(\$ .*?)^```$", re.M | re.S)      # counts and times are those of one run


def without_numbers(text):
    """Workers that do the same have one line, since a failure may come with any number of them."""
    text = re.sub(r"(\.\.\.|/\S+)/(?=[\w-]+\.cilk)", "", text)
    text = re.sub(r"\d+(\.\d+)?", "0", re.sub(r"\b(fiber)s\b", r"\1", text))
    return re.sub(r"(?m)^(.*\n)\1+", r"\1", text)


def test_the_page_of_schedulers_shows_what_the_tools_print():
    lab = ROOT / "docs" / "labs" / "8-scheduler"
    blocks = VARIES.findall((lab / "mistakes.md").read_text())

    def masked(text):
        # Three things are chance: which of the settings fails first, how many fibers the scheduler has then, and what
        # each worker does when the time is over.
        text = re.sub(r"(?m)^( *)worker \d .*$", r"\1worker 0", text)
        return re.sub(r"(?m)--nproc .*$", "", without_numbers(text)).replace("fibers", "fiber")

    assert len(blocks) == 2
    assert [masked(shown(lab, block)) for block in blocks] == [masked(block) for block in blocks]


@pytest.mark.parametrize("lab", folders("docs/labs/*"))
def test_the_handout_names_the_points(lab):
    """What a student reads is what is graded: the points of the handout are those of the specification, in this
    order."""
    handout = (lab / "handout.md").read_text()
    points = re.findall(r"^points = (\d+)$", (lab / "SPEC.toml").read_text(), re.M)
    sentence = re.search(r"Points: (.*)\.$", handout, re.S)
    assert (
        sentence
        and [re.findall(r"\d+", part)[-1] for part in re.split(r"\s*,\s*(?=[a-z`])", sentence[1].replace("\n", " "))]
        == points
    ), (sentence and sentence[1], points)


def test_every_lab_is_in_the_list():
    text = (ROOT / "docs" / "labs" / "README.md").read_text()
    names = [lab.values[0].name for lab in LABS]
    names.sort(key=lambda name: int(name.partition("-")[0]))
    assert len(names) == 11 and re.findall(r"^\| \[([\w-]+)\]", text, re.M) == names
