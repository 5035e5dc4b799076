"""What every package says about cilkc, in one table: the metadata of the wheel, the recipes, the list of components.

Author, abstract and keywords are those of CITATION.cff, the version is the command's. HOMEPAGE is where the repository
will be: `release.sh VERSION URL` writes it, and until then it is a name that no one can have.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "driver"))
from cilkc_driver import home  # noqa: E402

HOMEPAGE = "https://cilkc.invalid"
VERSION = home.VERSION
SUMMARY = "A compiler and runtime for Cilk-5: C with spawn and sync"
EMAIL = "authors@cilkc.invalid"

with open(os.path.join(ROOT, "CITATION.cff")) as _file:
    _text = _file.read()
AUTHOR = re.search(r'authors:\n  - name: "(.*)"', _text)[1]
ABSTRACT = re.search(r'abstract: "(.*)"', _text)[1]
KEYWORDS = re.findall("  - (.*)", re.search(r"keywords:\n((?:  - .*\n)+)", _text)[1])

URLS = {"Homepage": "", "Source": "", "Documentation": "/blob/v%s/docs/README.md" % VERSION,
        "Changelog": "/blob/v%s/CHANGELOG.md" % VERSION, "Issues": "/issues"}
CLASSIFIERS = (
    "Development Status :: 5 - Production/Stable",
    "Environment :: Console",
    "Intended Audience :: Developers",
    "Intended Audience :: Education",
    "Intended Audience :: Science/Research",
    "Operating System :: POSIX :: Linux",
    "Programming Language :: C",
    "Programming Language :: Python :: 3 :: Only",
    *("Programming Language :: Python :: 3.%d" % minor for minor in range(9, 15)),
    "Topic :: Education",
    "Topic :: Software Development :: Compilers",
    "Topic :: System :: Distributed Computing",
)

# What the compiler and the runtime of a package have inside: name, Debian's package, licence.
INSIDE = (
    ("LLVM", "llvm-%s-dev", "Apache-2.0 WITH LLVM-exception"),
    ("ANTLR 4 runtime for C++", "libantlr4-runtime-dev", "BSD-3-Clause"),
    ("zlib", "zlib1g-dev", "Zlib"),
    ("zstd", "libzstd-dev", "BSD-3-Clause"),
    ("libstdc++ and libgcc", "libstdc++-%s-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
)
LICENCE = "MIT"
# What pip's metadata calls a licence, where it has no expression of SPDX.
LICENCE_NAMES = {"MIT License": "MIT", "BSD License": "BSD-3-Clause", "BSD-2-Clause": "BSD-2-Clause"}
