"""`make projects`: a project that treats the two compilers alike, and one that does not. Nothing is fetched: their
sources are where fetched ones would be."""

import sys

import pytest

from conftest import ROOT, command

pytestmark = pytest.mark.tier("all")

CONFIGURE = """#!/bin/sh
echo '#define ANSWER 42' > config.h
if $CC --version | grep -q cilkc; then %s; fi
"""
MAKEFILE = "all:\n\t$(CC) -O2 -Wall main.c -o main\ncheck:\n\t./main && echo '# PASS: 1'\n"


@pytest.mark.parametrize("differs, status, words", [
    ("true", 0, ["tiny: gcc built, cilkc built\n", "configure  1 lines, the same", "tests      1 lines, the same"]),
    ("echo '#define HAVE_IT 1' >> config.h", 0, ["configure  differ:", "+config.h: #define HAVE_IT 1"]),
    ("echo 'int main(void) { return 3; }' > main.c", 1, ["cilkc test failed (2)   <-- differs", "-# PASS: 1"]),
    ("echo 'int main(void) { return x; }' > main.c", 1, ["cilkc build failed (2)   <-- differs"]),
    ("echo 'int main(void) { int k = 3; return 0; }' > main.c", 0, ["-Wunused-variable: gcc 0, cilkc 1"]),
])
def test_differences_are_printed(differs, status, words, tmp_path):
    source = tmp_path / "sources" / "tiny" / "tiny-1"
    source.mkdir(parents=True)
    (source / "configure").write_text(CONFIGURE % differs)
    (source / "configure").chmod(0o755)
    (source / "Makefile").write_text(MAKEFILE)
    (source / "main.c").write_text("int main(void) { return 0; }\n")
    done = command([sys.executable, ROOT / "tests" / "projects.py", "--work", tmp_path, "tiny"])
    assert done.status == status, str(done)
    for word in words:
        assert word in done.out, str(done)


def test_what_gcc_does_not_build_is_compared_with_nothing(tmp_path):
    source = tmp_path / "sources" / "tiny" / "tiny-1"
    source.mkdir(parents=True)
    (source / "configure").write_text("#!/bin/sh\nexit 1\n")
    (source / "configure").chmod(0o755)
    done = command([sys.executable, ROOT / "tests" / "projects.py", "--work", tmp_path, "tiny"])
    assert done.status == 1 and "gcc configure failed (1), cilkc configure failed (1)   <-- differs" in done.out, str(done)
