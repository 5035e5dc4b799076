"""Makes a wheel of an installed folder: `pip install cilkc-*.whl` brings the command, nothing else is needed but gcc or
clang and the C library's headers.

Input: what `setup.py install` put below a folder. Output: DIST/cilkc-VERSION-py3-none-manylinux_X_Y_MACHINE.whl,
whose name is printed.

How it works
  * lib/cilkc becomes the wheel's `data`: pip copies it below sys.prefix, where `make install` puts it, too. The
    manual, the samples and the editors go into its folder doc, man pages and completions into share. pip removes no
    folder that has only folders in it, so an uninstallation leaves share/man and its like, empty.
  * bin/cilkc is a script for sh that finds lib/cilkc beside itself; the module `cilkc` finds it by the wheel's own
    record of files.
  * The tag names the newest version of the C library that a program in the wheel asks for.
  * The same input gives the same bytes: sorted names, one date ($SOURCE_DATE_EPOCH), no owner, modes by whether a
    file is executable.
"""

import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "driver"))
import facts  # noqa: E402
import sbom  # noqa: E402
from cilkc_driver import home  # noqa: E402

LEFT_OUT = ("lib/cilkc/manifest",)      # pip keeps a record of its own
DOCUMENTS = "share/doc/cilkc/"
# pipx links these pages, and shells search these folders below the prefix of an environment that is active.
SHARED = ("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/")

# pip would start a script of Python without -I -S, which costs more than a compilation.
SCRIPT = """\
#!/bin/sh
here=$0
[ -L "$here" ] && here=$(readlink -f -- "$here")
bin=${here%/*}
for python in "$bin/python3" /usr/bin/python3; do
  [ -x "$python" ] && exec "$python" -I -S "$bin/../lib/cilkc/cilkc" "$@"
done
exec python3 -I -S "$bin/../lib/cilkc/cilkc" "$@"
"""

MAIN = '''\
"""python -m cilkc: the command, wherever pip put it."""
import os
import sys
from importlib import metadata


def path():
    """The command's own file, by the record of what pip installed."""
    for file in metadata.files("cilkc") or ():
        if file.name == "cilkc" and os.path.realpath(file.locate()).endswith("/lib/cilkc/cilkc"):
            return os.path.realpath(file.locate())
    sys.exit("cilkc: its files are gone; install it again")


if __name__ == "__main__":
    os.execv(sys.executable, [sys.executable, "-I", "-S", path(), *sys.argv[1:]])
'''

# README.md speaks to those who have the repository; the page of a package begins with the package.
INSTALL = """\
## Install

On Linux with x86-64 and glibc %(glibc)s or newer, also in WSL 2:

    pipx install cilkc                                           # or, in a virtual environment of your own:
    python3 -m venv ~/cilkc && ~/cilkc/bin/pip install cilkc     # then ~/cilkc/bin/cilkc

gcc or clang preprocess and link, with the C library's headers; where there is no compiler, `pip install 'cilkc[zig]'`
brings one. `cilkc --print-doc-dir` names the folder of the manual, the samples, the labs, and the extensions for
Visual Studio Code and Jupyter.

"""


def page(glibc):
    """README.md with the package's own way to install, and links that work on another site."""
    with open(os.path.join(ROOT, "README.md")) as file:
        text = file.read()
    text = re.sub(r"(?ms)^## Install\n.*?(?=^## )", lambda _: INSTALL % {"glibc": glibc}, text, count=1)
    base = "%s/blob/v%s/" % (facts.HOMEPAGE, home.VERSION)
    return re.sub(r"\]\((?![a-z]+:|#)", "](" + base, text)


def metadata(usr, glibc):
    lines = [
        "Metadata-Version: 2.4", "Name: cilkc", "Version: " + home.VERSION, "Summary: " + facts.SUMMARY,
        "Author: " + facts.AUTHOR, "Author-email: " + facts.EMAIL, "License-Expression: " + sbom.licences(usr),
        "License-File: LICENSE", "Keywords: " + ",".join(facts.KEYWORDS),
        *("Project-URL: %s, %s%s" % (name, facts.HOMEPAGE, path) for name, path in facts.URLS.items()),
        *("Classifier: " + one for one in facts.CLASSIFIERS),
        "Requires-Python: >=3.9", "Requires-External: gcc or clang, with the C library's headers",
        "Provides-Extra: prove", "Requires-Dist: z3-solver; extra == 'prove'",
        "Provides-Extra: tui", "Requires-Dist: prompt_toolkit==3.0.53; extra == 'tui'",
        "Provides-Extra: zig", "Requires-Dist: ziglang; extra == 'zig'",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + page("%d.%d" % glibc)


def newest_glibc(files):
    """(major, minor) of the newest interface of the C library that any of these programs asks for."""
    newest = (2, 17)
    for name in files:
        said = subprocess.run(["readelf", "-W", "--dyn-syms", name], stdout=subprocess.PIPE, check=True,
                              text=True).stdout
        newest = max([newest] + [(int(a), int(b)) for a, b in re.findall(r"@GLIBC_(\d+)\.(\d+)", said)])
    return newest


def programs(folder):
    for name in files_below(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            start = file.read(18)
        if start[:4] == b"\x7fELF" and start[16] in (2, 3):     # programs and shared libraries; not objects
            yield path


def files_below(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(where, name), folder)


def contents(folder, version):
    """{name in the wheel: (bytes, executable?)}; its record of files not among them."""
    found = {}
    data = "cilkc-%s.data/" % version
    for name in files_below(folder):
        path = os.path.join(folder, name)
        name = "lib/cilkc/doc/" + name[len(DOCUMENTS):] if name.startswith(DOCUMENTS) else name
        if name.startswith(("lib/cilkc/", *SHARED)) and name not in LEFT_OUT:
            with open(path, "rb") as file:
                found[data + "data/" + name] = (file.read(), os.access(path, os.X_OK))
    with open(os.path.join(ROOT, "LICENSE"), "rb") as file:
        licence = file.read()
    glibc = newest_glibc(programs(folder))
    tag = "py3-none-manylinux_%d_%d_%s" % (*glibc, os.uname().machine)
    info = "cilkc-%s.dist-info/" % version
    found[data + "scripts/cilkc"] = (SCRIPT.encode(), True)
    found["cilkc/__init__.py"] = (b'"""The compiler is a command: `cilkc`, or `python -m cilkc`."""\n', False)
    found["cilkc/__main__.py"] = (MAIN.encode(), False)
    found[info + "METADATA"] = (metadata(folder, glibc).encode(), False)
    found[info + "WHEEL"] = (("Wheel-Version: 1.0\nGenerator: cilkc\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode(),
                             False)
    found[info + "licenses/LICENSE"] = (licence, False)
    found[info + "sboms/cilkc.spdx.json"] = found.pop(data + "data/" + sbom.NAME)
    return found, tag, info + "RECORD"


def record(found, name):
    lines = []
    for file in sorted(found):
        digest = base64.urlsafe_b64encode(hashlib.sha256(found[file][0]).digest()).rstrip(b"=").decode()
        quoted = '"%s"' % file if "," in file else file
        lines.append("%s,sha256=%s,%d\n" % (quoted, digest, len(found[file][0])))
    return ("".join(lines) + name + ",,\n").encode()


def write(path, found, date):
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        # the information last, as the format advises
        for name in sorted(found, key=lambda name: (".dist-info/" in name, name)):
            text, executable = found[name]
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, text)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a prefix that cilkc was installed in")
    parser.add_argument("dist")
    options = parser.parse_args()
    found, tag, name = contents(options.folder, home.VERSION)
    found[name] = (record(found, name), False)
    os.makedirs(options.dist, exist_ok=True)
    path = os.path.join(options.dist, "cilkc-%s-%s.whl" % (home.VERSION, tag))
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]     # not before 1980, says zip
    write(path, found, date)
    print(path)


if __name__ == "__main__":
    main()
