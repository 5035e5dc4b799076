"""What becomes of each field of a context in a forked child (rt/core/process/fork.def): every field has a decision, and
rt/core/process/fork.c carries it out."""

import re

import pytest

from conftest import ROOT, module_of

pytestmark = pytest.mark.tier("check")

anchors = module_of(ROOT / "rt" / "model" / "anchors.py")
RT = ROOT / "rt" / "core"


def bare(name):
    return re.sub(r"/\*.*?\*/", " ", (RT / name).read_text(), flags=re.S)


def fields(text):
    """The names that the declarations of struct CilkContext declare, in order."""
    body = re.search(r"struct CilkContext \{(.*?)^\};", text, re.S | re.M).group(1)
    for declaration in body.split(";"):
        words = re.sub(r"__attribute__\(\(.*?\)\)\)|\[[^;]*\]", " ", declaration)
        yield from re.findall(r"(\w+)\s*(?=,|$)", " ".join(words.split()))


def decisions():
    return re.findall(r'^CILK_FORKED\((\w+), (\w+), "([^"]+)"\)$', bare("process/fork.def"), re.M)


def body(name):
    return anchors.bare(anchors.definition((RT / "process" / "fork.c").read_text(), name))


def test_every_field_has_a_decision():
    names = list(fields(bare("data/context.h")))
    assert len(names) > 50 and {"opt", "team", "orphans_held", "parked", "census", "call"} <= set(names)
    assert [field for _, field, _ in decisions()] == names
    assert len(decisions()) == bare("process/fork.def").count("CILK_FORKED(")


def test_a_new_field_is_noticed():
    text = bare("data/context.h").replace(
        "int spares;", "int spares; struct new_one **a_new[4] __attribute__((aligned(64))), *and_another;"
    )
    assert {"a_new", "and_another"} == set(fields(text)) - set(fields(bare("data/context.h")))


def test_the_decisions_are_carried_out():
    child, revive = body("after_in_child"), body("cilk_context_revive")
    for how, field, why in decisions():
        assert how in ("KEPT", "CHILD", "CLEAR", "MADE")
        if how == "CHILD":
            assert re.search(r"ctx - > %s\b" % field, child + (revive if field == "ended" else "")), field
        elif how == "MADE":
            assert why + " (" in revive, field
    assert "memset ( & ctx - > field , 0 , sizeof ctx - > field )" in revive and "process / fork . def" in revive
