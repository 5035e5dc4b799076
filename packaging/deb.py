"""Makes a Debian package of an installed folder, by dpkg-buildpackage and debhelper: `make deb`.

Input: FOLDER/root, made by `make package-root`, and packaging/debian. Output: DIST/cilkc_VERSION_ARCH.deb, whose
name is printed. The changelog and the copyright file of Debian are made of CHANGELOG.md, LICENSE and the licences of
what is inside, in a copy of packaging/debian.
"""

import argparse
import email.utils
import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "driver"))
from cilkc_driver import home  # noqa: E402

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cilkc
Comment: The compiler contains parts of LLVM, the ANTLR runtime, zlib, zstd and
 the C++ library; /usr/lib/cilkc/licences has their licences. The licences of the
 Python packages are in /usr/lib/cilkc/packages.

Files: *
Copyright: 2026 the cilkc authors
License: Expat
%s
"""


def licence():
    with open(os.path.join(ROOT, "LICENSE")) as file:
        text = file.read().partition("\n\n")[2].partition("\n\n")[2]        # after the title and the copyright
    return "\n".join(" " + (line or ".") for line in text.strip().split("\n"))


def date():
    """The date of the changelog and of all files in the package: $SOURCE_DATE_EPOCH, or a constant."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", 1767225600))


def changelog():
    return (
        "cilkc (%s) unstable; urgency=medium\n\n  * /usr/share/doc/cilkc/changelog.gz says what is new.\n\n -- The cilkc authors <authors@cilkc.invalid>  %s\n"
        % (home.VERSION, email.utils.formatdate(date()))
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("dist")
    options = parser.parse_args()
    top = os.path.join(os.path.abspath(options.folder), "deb")
    shutil.rmtree(top, ignore_errors=True)
    source = os.path.join(top, "cilkc-" + home.VERSION)
    shutil.copytree(os.path.join(ROOT, "packaging", "debian"), os.path.join(source, "debian"))
    shutil.copy(os.path.join(ROOT, "CHANGELOG.md"), source)
    for name, text in (("changelog", changelog()), ("copyright", COPYRIGHT % licence())):
        with open(os.path.join(source, "debian", name), "w") as file:
            file.write(text)
    environment = dict(os.environ, CILKC_ROOT=os.path.abspath(options.folder) + "/root", SOURCE_DATE_EPOCH=str(date()),
                       MAKEFLAGS="", DEB_BUILD_OPTIONS="noautodbgsym")
    done = subprocess.run(["dpkg-buildpackage", "-us", "-uc", "-b"], cwd=source, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + "dpkg-buildpackage failed")
    os.makedirs(options.dist, exist_ok=True)
    for path in glob.glob(os.path.join(top, "*.deb")):
        print(shutil.copy(path, options.dist))


if __name__ == "__main__":
    main()
