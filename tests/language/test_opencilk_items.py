"""Each item of OpenCilk's language has a test: the table of tests/opencilk/items.md is complete, and names tests that
exist. The programs are counted, and so are the wrong ones with their messages."""

import re

import pytest

from conftest import MODULES, ROOT, files

pytestmark = pytest.mark.tier("check")
TESTS = ROOT / "tests"
# What must hold for programs of OpenCilk, and what holds here beyond it.
NUMBERS = (
    "1.1 1.2 1.3 1.4 1.5 1.6 2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 3.4 3.5 3.6 3.7 4.1 5.1 5.3 5.5 6.1 6.2 6.3 6.4 6.5 6.6 "
    "6.7 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 7.9 7.10 7.11 7.12 7.13 8.1 8.2 8.3 8.4 9.1 9.2 9.3 10 11.1 11.2 12"
)
# Rows of docs/opencilk-tools.md that are not promises of ours.
MEASURED = {"fine-grained programs slower than their serial form", "the cost of a spawn at many workers"}


def rows(path, under=None):
    """The cells of a page's tables, without their heads; those below one heading, if it is named."""
    text = (ROOT / path).read_text()
    if under:
        text = text[text.index("\n## " + under) + 1 :]
        text = text[: text.find("\n## ", 1)]
    text = re.sub(r"^\|.*\n\|---.*\n", "", text, flags=re.M)
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line.startswith("|")]


ITEMS = rows("tests/opencilk/items.md")


def missing(name):
    """Why there is no such test; empty: there is one."""
    path, _, inside = name.partition(":")
    file = MODULES.get(path, TESTS / path)
    if not file.is_file():
        return "no file " + path
    pattern = r"^def %s\(" % inside[1:] if inside.startswith(":") else r"\b%s\b" % re.escape(inside)
    return "" if not inside or re.search(pattern, file.read_text(), re.M) else "no %s in %s" % (inside, path)


def test_each_item_names_tests_that_exist():
    wrong = [(item, why) for _, item, names in ITEMS for name in names.split(", ") if (why := missing(name))]
    assert not wrong, wrong
    assert missing("opencilk/none.c") and missing("test_opencilk.py::test_none") and missing("errors/opencilk.c:none")


def test_each_number_has_an_item():
    assert {number for number, _, _ in ITEMS} == set(NUMBERS.split())


@pytest.mark.parametrize(
    "page, heading",
    [
        ("docs/opencilk.md", "The language"),
        ("docs/opencilk-tools.md", "Work and span"),
        ("docs/opencilk-tools.md", "Functions and variables"),
        ("docs/opencilk-tools.md", "What users of OpenCilk asked for"),
    ],
)
def test_each_row_of_the_pages_is_an_item(page, heading):
    """A row that is added to a page needs a test here."""
    known = {item for _, item, _ in ITEMS} | MEASURED
    found = [row[0] for row in rows(page, heading)]
    assert len(found) >= 3 and [row for row in found if row not in known] == []


def test_programs_and_wrong_programs_are_many():
    """60 programs in this spelling, and 40 wrong ones: functions with an announced error."""
    wrong = sum(path.read_text().count("// ERROR:") for path in (TESTS / "errors").glob("opencilk*.c"))
    assert len(files("tests/opencilk/*.c")) >= 60 and wrong >= 40, wrong
