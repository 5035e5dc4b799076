"""What Gradescope takes as an autograder: a zip with the specification, its files, a package of cilkc, and the two
scripts that install and run it."""

import os
import shlex
import zipfile

from cilkc_driver import home
from cilkc_driver.console import Stop

PIP = "apt-get install -y python3-pip gcc libc6-dev bubblewrap\npip install --break-system-packages "
INSTALLS = {".deb": "apt-get install -y bubblewrap ./%s", ".whl": PIP + "./%s"}
SETUP = """#!/bin/sh
# Gradescope runs this once, as root, when it makes the container.
set -e
cd /autograder/source
apt-get update
%s
"""
RUN = """#!/bin/sh
# Gradescope runs this for each submission, as root. The folders are closed to the users that submissions run as.
chmod -f go-rwx /autograder /usr/share/doc /usr/local/share/doc
cd /autograder/source
exec cilkc grade --quiet --again --store /tmp/store --format gradescope -o /autograder/results/results.json \\
    %s /autograder/submission
"""
EPOCH = (1980, 1, 1, 0, 0, 0)           # the same specification makes the same file


def install(package):
    if package is None:
        return PIP + "cilkc==" + home.VERSION, []
    end = os.path.splitext(package)[1]
    if end not in INSTALLS:
        raise Stop("--package %s: a file of .deb or .whl is expected" % package, 2)
    return INSTALLS[end] % shlex.quote(os.path.basename(package)), [(os.path.basename(package), package)]


def write(name, spec, package):
    """spec: that was read; its files and those of its checks come along."""
    command, files = install(package)
    names = dict.fromkeys([*spec.files, *spec.reference, *(one for check in spec.checks for one in check.files())])
    files += [(os.path.basename(spec.path), spec.path)] + [(one, os.path.join(spec.folder, one)) for one in names]
    scripts = [("setup.sh", SETUP % command), ("run_autograder", RUN % shlex.quote(os.path.basename(spec.path)))]
    aside = "%s.%d" % (name, os.getpid())
    try:
        with zipfile.ZipFile(aside, "w", zipfile.ZIP_DEFLATED) as archive:
            for inside, text in scripts:
                add(archive, inside, text.encode(), 0o755)
            for inside, path in files:
                with open(path, "rb") as file:
                    add(archive, inside, file.read(), 0o644)
        os.replace(aside, name)
    except OSError as error:
        raise Stop("%s: %s" % (error.filename or name, error.strerror), 2)
    finally:
        if os.path.exists(aside):
            os.unlink(aside)


def add(archive, name, data, mode):
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)
