"""docs/book: its outputs and pictures are what the tools make; CITATION.cff is sound."""

import re
import sys
import xml.etree.ElementTree as ET

import pytest

from cilkc_driver import home
from conftest import ROOT, command

pytestmark = pytest.mark.tier("check")

BOOK = ROOT / "docs" / "book"
CHAPTERS = sorted(BOOK.glob("[0-9]*.md"))


def test_there_are_nine_chapters():
    assert len(CHAPTERS) == 9 and all(
        "(%s)" % path.name in (BOOK / "README.md").read_text() for path in [*CHAPTERS, BOOK / "figures.md"]
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_outputs_and_pictures_are_what_the_tools_make(path):
    result = command([sys.executable, BOOK / "make.py", "--check", path], timeout=300)
    assert result.status == 0 and result.out == "", str(result)


def test_a_wrong_output_is_noticed(tmp_path):
    book = tmp_path / "docs" / "book"
    (book / "code").mkdir(parents=True)
    (book / "make.py").write_text((BOOK / "make.py").read_text())
    (book / "1-x.md").write_text("```console\n$ echo two\none\n```\n![x](nothing.svg)\n")
    result = command([sys.executable, book / "make.py", "--check"])
    assert (
        result.status == 1
        and "+two" in result.out
        and "nothing.svg: no command" in result.out
        and "one" in (book / "1-x.md").read_text()
    ), str(result)


def test_pictures_are_xml():
    for picture in BOOK.glob("*.svg"):
        ET.parse(picture)


def test_the_citation_names_version_and_papers():
    text = (ROOT / "CITATION.cff").read_text()
    keys = set(re.findall(r"^([\w-]+):", text, re.M))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= keys
    # the command's, at least the newest release
    version = re.search(r"^version: (.*)$", text, re.M)[1]
    newest = re.search(r"^## (\d+\.\d+\.\d+) \(\d", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert version == home.VERSION
    assert [int(part) for part in version.split(".")] >= [int(part) for part in newest.split(".")]


def test_figures_name_sections_that_exist():
    """What figures.md says of docs/benchmarks.md is about its sections."""
    sections = " ".join(re.findall(r"^## (.*)$", (ROOT / "docs" / "benchmarks.md").read_text(), re.M)).lower()
    for name in (
        "Targets",
        "One worker, in units of the elision",
        "2 workers",
        "Peers",
        "Single operations",
        "Work and span of the timed section",
        "Knary and the model",
    ):
        assert name.lower() in sections and name.lower() in (BOOK / "figures.md").read_text().lower(), name


@pytest.mark.parametrize("deck", sorted((ROOT / "docs/slides").glob("*.md")), ids=lambda path: path.stem)
def test_slides_show_what_the_chapter_shows(deck):
    """Programs, outputs and tables of a lecture are lines of its chapter, and its pictures are the book's."""
    chapter, text = (ROOT / "docs/book" / deck.name).read_text(), deck.read_text()
    fences = re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)
    shown = [line for fence in fences for line in fence.split("\n")] + re.findall(r"^\|.*", text, re.M)
    missing = set(shown) - set(chapter.split("\n"))
    assert len(shown) > 3 and not missing, missing
    assert all((deck.parent / name).exists() for name in re.findall(r"!\[[^]]*\]\(([^)]*)\)", text))
    assert 6 <= text.count("\n---\n") - 1 <= 12 and "## Try it" in text


def test_each_chapter_has_a_lecture():
    chapters = {path.name for path in (ROOT / "docs/book").glob("[0-9]-*.md")}
    assert chapters == {path.name for path in (ROOT / "docs/slides").glob("*.md")}
