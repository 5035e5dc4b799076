"""The run tests again under ThreadSanitizer, runtime and program instrumented: no race is reported."""

import pytest

from conftest import CILKC, STRATEGIES, Notes, command, compiled, files


@pytest.mark.tsan
@pytest.mark.parametrize("path", files("tests/run/*.cilk"))
@pytest.mark.parametrize("spawn", STRATEGIES)
def test_no_race(path, spawn, tmp_path):
    notes = Notes(path)
    if notes.nondet:
        pytest.skip("races on purpose")
    program = tmp_path / "program"
    also = [path.parent / name for name in notes.also]
    compiled([CILKC, "-O1", "-g", "-fsanitize=thread", "--spawn=" + spawn, path] + also + notes.flags + ["-o", program])
    result = command([program, "--nproc", "4"] + notes.args, stdin=notes.stdin, cwd=tmp_path,
                     env={"TSAN_OPTIONS": "exitcode=66"}, timeout=600)
    assert result.status != 66 and "WARNING: ThreadSanitizer" not in result.err, str(result)
