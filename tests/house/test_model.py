"""The models of the runtime's protocols (rt/model) hold, and their mutations do not."""

import shutil
import sys

import pytest

from conftest import ROOT, command, module_of, need

pytestmark = pytest.mark.tier("check")


RUN = ROOT / "rt" / "model" / "run.py"


@pytest.fixture
def runner():
    return module_of(RUN)


@pytest.mark.tier("test")
def test_a_search_that_is_cut_off_proves_nothing(runner):
    """A limit of depth or of memory ends a search without an error: that is not a success."""
    need("spin", "cc")
    model = ROOT / "rt" / "model" / "release.pml"
    assert runner.search(model)[0] == "ok"
    assert runner.search(model, "LATE")[0] == "fails"
    assert "cut off" in runner.search(model, depth=10)[0]
    assert "cut off" in runner.search(ROOT / "rt" / "model" / "sync.pml", limits=["-DMEMLIM=1"])[0]


def test_without_spin_nothing_is_claimed(tmp_path):
    result = command([sys.executable, RUN], env={"PATH": str(tmp_path)})
    assert result.status == 2 and "nothing is checked" in result.err, str(result)


def test_every_mutation_is_tried_and_reported(runner):
    """What the runner tries are the names in the model's text, and the model's head says what each takes out."""
    models = sorted(RUN.parent.glob("*.pml"))
    assert len(models) >= 8
    for model in models:
        head = model.read_text().partition("*/")[0]
        found = runner.mutations(model)
        assert found and [name for name in found if "-D" + name not in head] == [], model.name
    assert sum(len(runner.mutations(model)) for model in models) >= 50


@pytest.mark.sample(13, "test", 8)
@pytest.mark.parametrize("model", sorted(RUN.parent.glob("*.pml")), ids=lambda path: path.stem)
def test_models(model):
    """In their smaller form, with one mutation each; `make model` is the whole."""
    need("spin", "cc")
    result = command([sys.executable, RUN, "--quick", model], timeout=600)
    assert result.status == 0, str(result)


# ---- weak memory (rt/model/weak.py) ---------------------------------------------------------------------------------

weak = module_of(RUN.parent / "weak.py")
litmus = module_of(RUN.parent / "litmus.py")
CORES = sorted((RUN.parent / "weak").glob("*.weak"))


@pytest.mark.sample(9, "test", 2)
@pytest.mark.parametrize("name,orders,shape,question,allowed", litmus.CASES,
                         ids=["%s-%s" % (name, "-".join(word for word in orders if word).replace(" ", "-")) for name, orders, *_ in litmus.CASES])
def test_litmus(name, orders, shape, question, allowed):
    """The outcomes that are published for RC11."""
    found = weak.explore(litmus.text(shape, orders, question, allowed), name)
    assert weak.verdict(found) == "ok", "%s %s: %s" % (name, orders, weak.verdict(found))


def test_litmus_tests_are_those_that_everybody_knows():
    assert {
        "SB",
        "MP",
        "LB",
        "IRIW",
        "2+2W",
        "WRC",
        "ISA2",
        "CoRR",
        "CoWW",
        "CoRW",
        "CoWR",
        "R",
        "S",
        "RWC",
        "Z6.U",
    } <= set(litmus.SHAPES)


@pytest.mark.sample(9, "test", 2)
@pytest.mark.parametrize("path", CORES, ids=lambda path: path.stem)
def test_cores(path):
    said = []
    assert weak.check(path, said.append) == 0, "\n".join(said)
    assert len(said) >= 4, "few mutants: " + path.name


def test_the_cores_are_there():
    assert len(CORES) >= 12 and sum(len(weak.parse(path.read_text()).mutants) for path in CORES) >= 60


def test_a_search_for_weak_executions_that_is_cut_off_proves_nothing():
    text = CORES[0].read_text()
    assert weak.verdict(weak.explore(text)) == "ok"
    assert "cut off" in weak.verdict(weak.explore(text + "\nlimit 5\n"))


@pytest.mark.parametrize("text", ["thread a\nload X", "x = 1", "thread a\ngoto nowhere", "thread a\nr = load strong X", "thread a\nassert ("])
def test_what_is_not_understood_is_reported(text):
    with pytest.raises(weak.Wrong):
        weak.parse(text)


@pytest.mark.parametrize("text,why", [
    ("place X=0\nthread a\nstore na X 1\nthread b\nr = load rlx X", "data race"),
    ("place X=0\nthread a\nr = await acq X r == 1", "waits for ever"),
    ("place X=0\nthread a\nr = load rlx X\nassert r == 1", "assertion"),
    ("place X=0\nthread a\nstore rlx X 1\nfinally X == 2", "finally"),
    ("place X=0\nthread a\nlock X\nlock X", "waits for ever"),
])
def test_what_is_wrong_is_found(text, why):
    assert why in weak.verdict(weak.explore(text))


# ---- by checkers that others wrote (rt/model/peers.py) ---------------------------------------------------------------

peers = module_of(RUN.parent / "peers.py")
translate = module_of(RUN.parent / "translate.py")
# Relacy's writes get their order as they are executed, its sc operations theirs; release sequences are those of C11.
UNSEEN = {("2+2W", "rlx", "rlx"), ("2+2W", "rel", "rel"), ("S", "rlx", "rlx"), ("Z6.U", "rel", "rlx"), ("MP+overwrite", "rel", "acq")}


def test_translations_are_c(tmp_path):
    """Each core but the one with a handler of signals, at each gap where a heavy fence may be answered."""
    need("cc")
    left_out = set()
    for path in CORES:
        text = path.read_text()
        try:
            for gap in translate.gaps(weak.parse(text)):
                (tmp_path / ("%s-%d.c" % (path.stem, gap))).write_text(translate.to_c(text, gap))
        except translate.Untranslatable:
            left_out.add(path.stem)
    assert left_out == {"the_signal"}
    files = sorted(tmp_path.glob("*.c"))
    quiet = ["-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-unused-label"]
    result = command(["cc", "-fsyntax-only", "-Wall", "-Werror", *quiet, *files])
    assert len(files) > len(CORES) + 10 and result.status == 0, str(result)


@pytest.mark.tier("all")
def test_litmus_by_relacy():
    """It shows nothing that RC11 forbids, and what RC11 allows but for the five cases."""
    if "Relacy" not in [checker.name for checker in peers.checkers()]:
        pytest.skip("relacy-dev is not installed")
    texts = {
        (name, orders): litmus.text(shape, orders, question, allowed)
        for name, orders, shape, question, allowed in litmus.CASES
    }
    found = peers.relacy(texts, ways=["drawn"])
    for name, orders, _, _, allowed in litmus.CASES:
        seen = found[name, orders].startswith("fails")
        assert seen == (allowed and (name, *orders[:2]) not in UNSEEN), (name, orders, found[name, orders])


def test_a_core_and_its_mutants_by_relacy():
    """A disagreement is one: a mutant that passes unexplained, and an explained one that fails."""
    relacy = next((checker for checker in peers.checkers() if checker.name == "Relacy"), None)
    if not relacy:
        pytest.skip("relacy-dev is not installed")
    core = RUN.parent / "weak" / "exit.weak"
    row, right = peers.compare(relacy, core)
    assert right and "6 of 6 mutants fail" in row, row
    mutant = next(iter(weak.parse(core.read_text()).mutants))
    says = peers.Checker("a friend", lambda texts: dict.fromkeys(texts, "ok"), {"exit/" + mutant: "by nature"})
    row, right = peers.compare(says, core)
    assert not right and "0 of 6" in row and mutant + ": ok (known)" in row, row
    says = peers.Checker("a friend", lambda texts: {"": "ok", mutant: "fails"}, {"exit/" + mutant: "by nature"})
    assert not peers.compare(says, core)[1]


def test_without_a_checker_nothing_is_claimed(tmp_path):
    result = command([sys.executable, RUN.parent / "peers.py"], env={"PATH": str(tmp_path), "GENMC": ""})
    assert result.status == 2 and "relacy-dev" in result.err, str(result)


# ---- what the models describe ---------------------------------------------------------------------------------------

anchors = module_of(RUN.parent / "anchors.py")


def test_the_models_stand_for_the_present_code():
    """A function of the runtime that has changed asks for a look at its models; then `rt/model/anchors.py --renew`."""
    assert anchors.complaints() == []


def test_a_change_is_noticed(monkeypatch, tmp_path):
    """In code, not in a comment; and a function that went away."""
    key = ("the.weak", "rt/core/steal/steal.c", "claim")
    assert key in anchors.present()
    text = (ROOT / "rt" / "core" / "steal" / "steal.c").read_text()
    body = anchors.definition(text, "claim")
    assert "store_seq_cst" in body and body.count("\n") < 10
    assert anchors.bare(body) == anchors.bare(body.replace("{", "{ /* a remark */\n", 1))
    (tmp_path / "rt" / "core" / "steal").mkdir(parents=True)
    monkeypatch.setattr(anchors, "ROOT", tmp_path)
    (tmp_path / "rt" / "core" / "steal" / "steal.c").write_text(text.replace("place + 1)", "place + 2)"))
    said = [line for line in anchors.complaints() if "claim of rt/core/steal/steal.c" in line]
    assert said and all("has changed" in line for line in said)
    (tmp_path / "rt/core/steal/steal.c").write_text(text.replace("static void claim(", "static void claimed("))
    assert any("claim of rt/core/steal/steal.c is not there" in line for line in anchors.complaints())


@pytest.mark.sample(5, "all")
@pytest.mark.parametrize("file, old, new, user", [
    ("core/base/base.h", "__ATOMIC_RELEASE", "__ATOMIC_RELAXED", "cilk_exc_update of rt/core/data/deque.c"),
    ("core/data/deque.c", "UINTPTR_MAX", "(uintptr_t)1", "cilk_exc_update of rt/core/data/deque.c"),
    ("core/steal/sleep.c", "#define SEARCHING (1u << 16)", "#define SEARCHING (1u << 17)", "cilk_park of rt/core/steal/sleep.c"),
    ("core/data/children.c", "parent->join++;", ";", "detach of rt/core/steal/steal.c"),
    ("core/protocol/below.h", "b->next = cilk_below_out(child->children);", "", "walk of rt/core/protocol/abort.c"),
], ids=["macro", "constant", "constant-of-a-file", "structure", "inline"])
def test_what_a_function_uses_counts(file, old, new, user, monkeypatch, tmp_path):
    """The function itself is as it was."""
    shutil.copytree(ROOT / "rt", tmp_path / "rt")
    monkeypatch.setattr(anchors, "ROOT", tmp_path)
    path = tmp_path / "rt" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert any(user + " uses something that has changed" in line for line in anchors.complaints())


def test_what_a_model_describes_may_take_several_lines(tmp_path):
    model = tmp_path / "m.pml"
    model.write_text("/* A head.\n *\n * describes a.c: f g\n * h\n * describes b.c: i */\nbyte x;\n")
    assert list(anchors.claims(model)) == [("a.c", "f"), ("a.c", "g"), ("a.c", "h"), ("b.c", "i")]
    model.write_text(model.read_text().replace("\n * describes b.c", " describes b.c"))
    with pytest.raises(SystemExit):
        list(anchors.claims(model))


def test_a_mark_is_renewed_with_its_model_or_with_a_reason(monkeypatch, tmp_path):
    (tmp_path / "weak").mkdir()
    model, code = tmp_path / "weak" / "m.weak", tmp_path / "c.c"
    model.write_text("# A remark.\ndescribes c.c: f\nstore sc x 1\n")
    code.write_text("void f(void)\n{\n  a();\n}\n")
    for name, value in {"ROOT": tmp_path, "HERE": tmp_path, "MARKS": tmp_path / "marks.txt"}.items():
        monkeypatch.setattr(anchors, name, value)
    assert anchors.renew([]) == [] and anchors.complaints() == []

    code.write_text("void f(void)\n{\n  b();\n}\n")
    model.write_text(model.read_text().replace("A remark", "Another one"))
    assert anchors.renew([]) == ["m.weak"] and len(anchors.complaints()) == 1      # a remark does not change the model
    assert anchors.renew(["m.weak"], "b does what a did") == [] and anchors.complaints() == []
    assert "f" in anchors.MARKS.read_text() and "  # b does what a did\n" in anchors.MARKS.read_text()
    assert anchors.renew([]) == [] and "  # b does" in anchors.MARKS.read_text()     # for as long as the mark is good

    code.write_text("void f(void)\n{\n  c();\n}\n")
    model.write_text(model.read_text().replace("x 1", "x 2"))
    assert anchors.renew([]) == [] and anchors.complaints() == []
    assert "  # " not in anchors.MARKS.read_text()
