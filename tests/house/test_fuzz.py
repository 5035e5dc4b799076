"""What fuzzing found, and that its parts go together: tools say that a report is damaged, whatever is wrong with it.
The fuzzers themselves: `make fuzz`."""

import pytest

from conftest import TESTS, module_of

pytestmark = pytest.mark.tier("check")

readers = module_of(TESTS / "fuzz" / "readers.py")

DAMAGED = [
    ("races", '{"end": 1}\n'),
    ("races", "5\n"),
    ("races", "[]\n"),
    ("trace", "1 2 99999999999999\n"),
    ("trace", "1 2 x\n"),
    ("trace", "1 2 2\nplace x\n"),
    ("trace", "1 2 2\n5 end\nabc\n"),
    ("trace", "1 2 2\n5 7 run 0 0 0\n"),
    ("profile", "{}"),
    ("profile", "[]"),
    ("profile", "7"),
    ("profile", '{"work": 1'),
    ("memory", "[]"),
    ("memory", '{"status": 0}'),
    ("dag", "{}\n#\n{}"),
    ("dag", "{"),
]


@pytest.mark.parametrize("kind, text", DAMAGED)
def test_damaged_reports(kind, text, tmp_path):
    names = []
    for i, part in enumerate(text.split("\n#\n")):
        names.append(str(tmp_path / ("report-%d" % i)))
        (tmp_path / ("report-%d" % i)).write_text(part)
    with pytest.raises(readers.Stop, match="damaged|cannot be read"):
        readers.KINDS[kind.encode()][0](names)


def test_a_report_that_was_cut_off(tmp_path):
    """A program that was killed while it wrote: what is there is read, or a message is given."""
    whole = (
        "1000 0 2\nplace 1 12 fib - fib.cilk\n1000 0 root 0 0 0\n1010 0 spawn 0 1 1\n1020 1 search 0 0 0\n1030 1 steal 7 0 1\n1031 1 run 7 0 1\n1040 0 suspend 9 0 1\n"
        "1050 1 run 9 0 1\n1060 1 done 0 0 0\n1070 end\n"
    )
    for end in range(len(whole) + 1):
        (tmp_path / "report").write_text(whole[:end])
        readers.one(b"trace\n" + whole[:end].encode(), [str(tmp_path / "report")])
