"""The Makefile's set-up: finds what deps.py lists, installs what is missing, writes .deps/config.mk.

    setup.py native --config FILE          compilers, LLVM, ANTLR runtime, Java, Maven
    setup.py jar --version V --out FILE    the ANTLR generator, through Maven
    setup.py venv --venv DIR [--extra E]   the virtual environment with the pinned packages
    setup.py tools [--fuzz] [--package]    what the tests run beside ourselves, and the fuzzers; or what packages are
                                           made with
    setup.py install|uninstall ...         install.py

Standard library only.  Each step looks first and does nothing when all is there, so it may run any number of
times.  Installs by apt only as root or with a sudo that asks no password; otherwise it says which packages.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import deps  # noqa: E402  (sibling files: the package may not be importable yet)
import install as installation  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Failed(Exception):
    """Set-up cannot go on; the text says why and what to do."""


def say(text):
    print("  setup:  " + text, flush=True)


# Lines of apt-get and pip that report progress.
STEPS = re.compile(
    r"(?:Get:\d+ .* (?:amd64|arm64|all) (\S+) )|(?:Unpacking|Setting up) (\S+)|(?:Collecting|Downloading) (\S+)|Installing collected packages: (.*)"
)


BEGAN = time.monotonic()


def elapsed():
    seconds = int(time.monotonic() - BEGAN)
    return "%d:%02d" % (seconds // 60, seconds % 60)


def run(command, steps=0, **keywords):
    """Runs an installer: a line for each thing that it does, of `steps` in all; all that it wrote when it fails."""
    say(" ".join(command))
    written, done, live = [], 0, sys.stdout.isatty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", **keywords)
    assert process.stdout is not None
    for line in process.stdout:
        written.append(line)
        if STEPS.match(line.strip()):
            done += 1
            step = "  setup:  %s%s  %s" % ("%d/%d " % (done, max(done, steps)) if steps else ". ", elapsed(),
                                           line.strip()[:100])
            # on a terminal in one place
            print("\r\033[K" + step if live else step, end="" if live else "\n", flush=True)
    if live and written:
        print("\r\033[K", end="", flush=True)
    if process.wait() != 0:
        raise Failed("".join(written[-100:]) + "this command failed: " + " ".join(command))


def apt_prefix():
    """How to call apt-get here: [] as root, ['sudo', '-n'] with a passwordless sudo, None otherwise."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL).returncode == 0:
        return ["sudo", "-n"]
    return None


def apt_knows(package):
    shown = deps.output_of("apt-cache", "policy", package)
    return bool(shown) and "Candidate: (none)" not in shown and "Candidate:" in shown


def manual(missing):
    lines = [deps.REFUSED[dep.name] for dep in missing if dep.name in deps.REFUSED]
    lines += ["these are missing: " + ", ".join(dep.name for dep in missing),
             "they cannot be installed from here; an administrator of this machine can, with"]
    lines += ["    %s" % line for line in deps.install_lines(missing)]
    return Failed("\n".join(lines))


def apt_names(missing):
    """Debian's package names, with LLVM's version chosen from what this release has."""
    names = []
    for name in deps.packages_for(missing, "apt"):
        if name == "llvm-%d-dev" % deps.LLVM_TESTED and not apt_knows(name):
            for number in range(deps.LLVM_NEWEST_TRIED, deps.LLVM_OLDEST - 1, -1):
                if apt_knows("llvm-%d-dev" % number):
                    name = "llvm-%d-dev" % number
                    break
        if name == "cargo-web" and not apt_knows(name):
            name = "cargo"
        names.append(name)
    return names


def install(missing):
    prefix = apt_prefix()
    if prefix is None:
        raise manual(missing)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    apt = prefix + (["env", "DEBIAN_FRONTEND=noninteractive"] if prefix else []) + \
        ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3"]
    try:
        run(apt + ["update"], env=environment)
    except Failed:
        say("apt-get update had problems; the existing lists are used")
    names = apt_names(missing)
    count, size = amount(names)
    if count:
        say("%d packages for %s: %s" % (count, ", ".join(dep.name for dep in missing), size))
    words = apt + ["install", "-y", "--no-install-recommends"] + names
    try:
        try:
            run(words, 3 * count, env=environment)      # each is fetched, unpacked, set up
        except Failed as failure:
            if "dpkg --configure -a" not in str(failure):
                raise
            run(prefix + ["dpkg", "--configure", "-a"], env=environment)    # an earlier set-up was interrupted
            run(words, 3 * count, env=environment)
    except Failed as failure:
        raise Failed("%s\n%s" % (failure, manual(missing)))


def amount(names):
    """(how many packages apt would install, how much that is to download and on the disk, in apt's words); it installs
    nothing."""
    done = subprocess.run(["apt-get", "install", "--assume-no", "--no-install-recommends"] + names,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env=dict(os.environ, LC_ALL="C"))
    count = re.search(r"(\d+) newly installed", done.stdout)
    upgraded = re.search(r"(\d+) upgraded", done.stdout)
    sizes = [line.strip().rstrip(".") for line in done.stdout.splitlines()
             if line.startswith(("Need to get", "After this operation"))]
    return int(count.group(1) if count else 0) + int(upgraded.group(1) if upgraded else 0), "; ".join(sizes)


def announce(options, missing):
    """All that a set-up from here will do, before it does anything. Sizes of what follows apt's packages are those of
    Debian 12."""
    folder = os.path.dirname(os.path.abspath(options.config))
    plan = []
    if missing:
        plan.append(
            "packages of the system for %s; apt says below how big they are (about 200 MB to download where nothing is there)"
            % ", ".join(dep.name for dep in missing)
        )
    if not glob.glob(os.path.join(folder, "antlr4-*-complete.jar")):
        plan.append("the ANTLR generator, by Maven: 28 MB to download")
    python = os.path.join(ROOT, ".venv", "bin", "python3")
    pins = wanted_pins(requirements(None))
    if not satisfied(python, pins):
        plan.append("%d Python packages into .venv: 240 MB on the disk" % len(pins))
    if not os.path.exists(os.path.join(ROOT, "build", "cilkc1")):
        plan.append("compiling: about 3 minutes on two processors, 150 MB on the disk")
    if len(plan) > 1:
        say("steps of the set-up (after an interruption, the same command continues there):")
        for number, text in enumerate(plan, 1):
            say("%d/%d  %s" % (number, len(plan), text))


def look(wanted):
    found = [(dep, dep.find()) for dep in wanted]
    return found, [dep for dep, what in found if what is None]


def native(options):
    if not sys.platform.startswith("linux"):
        raise Failed(
            "cilkc needs Linux (x86-64 or AArch64), and this is %s: use a virtual machine or a container" % sys.platform
        )
    found, missing = look(deps.needed())
    announce(options, missing)
    if missing:
        for text in deps.REFUSED.values():
            say(text)
        install(missing)
        found, missing = look(deps.needed())
        if missing:
            raise manual(missing)
    settings = {}
    for _, what in found:
        settings.update(what.settings)
    text = "# written by the set-up; delete it to look again\n"
    text += "".join("%s := %s\n" % (key, settings[key]) for key in sorted(settings))
    writable(os.path.dirname(os.path.abspath(options.config)))
    old = None
    if os.path.exists(options.config):
        with open(options.config) as file:
            old = file.read()
    if old != text:
        for dep, what in found:
            say("%-14s %-12s %s" % (dep.name, what.version, what.where))
    with open(options.config + ".new", "w") as file:
        file.write(text)
    os.replace(options.config + ".new", options.config)


def tools(options):
    """What only the tests need. The caller goes on without: each test that misses something says so."""
    kinds = ("package",) if options.package else ("test", "package", "fuzz") if options.fuzz else ("test", "package")
    missing = look(deps.needed(kinds))[1]
    if missing:
        say("for %s: "
            % " and ".join({"test": "tests", "package": "packages", "fuzz": "fuzzers"}[kind] for kind in kinds)
            + ", ".join(dep.name for dep in missing))
        install(missing)
    node_packages()


def node_packages():
    """What editors/vscode is bundled and tested with, and the grammar below editors/tree-sitter, as their lock files
    pin it."""
    for name in ("vscode", "tree-sitter"):
        folder = os.path.join(ROOT, "editors", name)
        kept = os.path.join(folder, "node_modules", ".cilkc-lock")
        with open(os.path.join(folder, "package-lock.json")) as file:
            lock = file.read()
        if os.path.exists(kept):
            with open(kept) as file:
                if file.read() == lock:
                    continue
        # None of them needs its script: the bundler's program is a package of its own.
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder)
        with open(kept, "w") as file:
            file.write(lock)


def writable(folder):
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise OSError(13, "Permission denied")
    except OSError as error:
        raise Failed("cannot write to %s: %s. Copy the tree to a folder of your own and run make there"
                     % (folder, error.strerror))


def maven_run(command, folder, store):
    environment = dict(os.environ)
    if store:
        # Relative to where Maven runs: MAVEN_OPTS is split at blanks, and the tree's name may hold some.
        store = os.path.relpath(store, folder)
        environment["MAVEN_OPTS"] = "%s -Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=changeit" % (
            environment.get("MAVEN_OPTS", ""), store)
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace").strip()


def pem_blocks(text):
    """The certificates of a PEM text, each with its line breaks taken out, so that they can be compared."""
    blocks = re.findall(r"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", text, re.S)
    return ["".join(block.split()) for block in blocks]


def trust_store(folder):
    """A Java trust store that also holds what an administrator added to the system's bundle; None if nothing was.

    Java's own store is made from the distribution's certificates: a certificate that is in the bundle only, as with an
    inspecting proxy, is trusted by every tool except Java.
    """
    bundle = os.environ.get("SSL_CERT_FILE") or "/etc/ssl/certs/ca-certificates.crt"
    base = "/etc/ssl/certs/java/cacerts"
    keytool = shutil.which("keytool")
    if not (os.path.exists(bundle) and os.path.exists(base) and keytool):
        return None
    known = set()
    for name in glob.glob("/usr/share/ca-certificates/**/*.crt", recursive=True):
        with open(name, errors="replace") as file:
            known.update(pem_blocks(file.read()))
    with open(bundle, errors="replace") as file:
        added = [block for block in pem_blocks(file.read()) if block not in known]
    if not added or len(added) > 40:
        return None
    store = os.path.join(folder, "cacerts")
    shutil.copyfile(base, store)
    for number, block in enumerate(added):
        pem = os.path.join(folder, "added.pem")
        with open(pem, "w") as file:
            file.write("-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n" % block)
        subprocess.run([keytool, "-importcert", "-noprompt", "-keystore", store, "-storepass", "changeit", "-alias",
                        "added-%d" % number, "-file", pem], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.unlink(pem)
    return store


def jar(options):
    folder = os.path.dirname(os.path.abspath(options.out))
    os.makedirs(folder, exist_ok=True)
    maven = shutil.which("mvn")
    if not maven:
        raise manual([dep for dep in deps.DEPS if dep.name == "Maven"])
    name = "antlr4-%s-complete.jar" % options.version
    fetched = os.path.join(folder, "fetched")
    os.makedirs(fetched, exist_ok=True)
    command = [maven, "-q", "-B", "-Dstyle.color=never", "-Dmaven.wagon.http.retryHandler.count=3",
               "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy",
               "-Dartifact=org.antlr:antlr4:%s:jar:complete" % options.version,
               "-DoutputDirectory=" + fetched, "-Dmdep.overWriteReleases=true"]
    say("fetching %s with Maven: 28 MB with what Maven itself needs" % name)
    status, output = maven_run(command, folder, None)
    if status != 0:
        store = trust_store(folder)
        if store:
            say("once more, with the certificates of the system's bundle")
            status, output = maven_run(command, folder, store)
    if status != 0:
        raise Failed("%s\nMaven could not fetch org.antlr:antlr4:%s; put its file %s into %s by hand, or try again"
                     % (output, options.version, name, folder))
    made = os.path.join(fetched, name)      # under its own name when it is complete
    if not os.path.exists(made):
        raise Failed("Maven did not bring " + name)
    os.replace(made, options.out)
    shutil.rmtree(fetched, ignore_errors=True)


def requirements(extra):
    return [os.path.join(ROOT, "driver", "requirements%s.txt" % name)
            for name in ["", "-test"] + (["-" + extra] if extra else [])]


def wanted_pins(files):
    pins = {}
    for name in files:
        with open(name) as file:
            for line in file:
                line = line.split("#")[0].strip()
                if "==" in line:
                    package, version = line.split("==")
                    pins[package.lower()] = version
    return pins


CHECK = """
import sys
from importlib import metadata
for word in sys.argv[1:]:
    name, version = word.split('==')
    if metadata.version(name) != version: sys.exit(1)
"""


def satisfied(python, pins):
    if not os.path.exists(python):
        return False
    words = ["%s==%s" % pin for pin in pins.items()]
    return subprocess.run([python, "-c", CHECK] + words, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def venv(options):
    files = requirements(options.extra)
    python = os.path.join(options.venv, "bin", "python3")
    if satisfied(python, wanted_pins(files)):
        return
    if deps.output_of(python, "-m", "pip", "--version") is None:
        maker = deps.find_venv()
        if maker is None:
            install([dep for dep in deps.DEPS if dep.name == "Python venv"])
            maker = deps.find_venv()
        if maker is None:
            raise manual([dep for dep in deps.DEPS if dep.name == "Python venv"])
        writable(os.path.dirname(os.path.abspath(options.venv)))
        shutil.rmtree(options.venv, ignore_errors=True)
        run([maker.where, "-m", "venv", options.venv])
    command = [python, "-m", "pip", "install", "--progress-bar", "off", "--disable-pip-version-check", "--no-input",
               "--retries", "5"]
    for name in files:
        command += ["-r", name]
    pins = wanted_pins(files)
    say("%d Python packages into %s: 240 MB on the disk" % (len(pins), options.venv))
    try:
        run(command, 2 * len(pins) + 1)     # each is looked for and fetched, all are installed
    except Failed as failure:
        raise Failed("%s\nPython's package index could not be used; see pip's message above" % failure)


def main():
    parser = argparse.ArgumentParser(prog="setup.py", description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("native")
    step.add_argument("--config", required=True)
    step.set_defaults(action=native)
    step = steps.add_parser("jar")
    step.add_argument("--version", required=True)
    step.add_argument("--out", required=True)
    step.set_defaults(action=jar)
    step = steps.add_parser("venv")
    step.add_argument("--venv", required=True)
    step.add_argument("--extra")
    step.set_defaults(action=venv)
    step = steps.add_parser("tools")
    step.add_argument("--fuzz", action="store_true")
    step.add_argument("--package", action="store_true", help="what packages are made with, instead")
    step.set_defaults(action=tools)
    for name, action in (("install", installation.install), ("uninstall", installation.uninstall)):
        step = steps.add_parser(name)
        step.add_argument("--build")
        step.add_argument("--venv")
        step.add_argument("--prefix", required=True)
        step.add_argument("--destdir", default="")
        step.add_argument("--strip", action="store_true", help="without debug information that no debugger reads")
        step.add_argument("--no-bytecode", action="store_true", help="for packages: their installers compile it")
        step.add_argument("--cilkc1", help="another one than the build's")
        step.add_argument("--vsix", help="the extension for Visual Studio Code")
        step.set_defaults(action=action)
    options = parser.parse_args()
    try:
        options.action(options)
    except (Failed, installation.Refused) as failure:
        for line in str(failure).splitlines():
            print("  setup:  " + line, file=sys.stderr)
        return 1
    except OSError as error:       # a read-only tree, a full disk
        print("  setup:  %s: %s" % (error.filename or "error", error.strerror or error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
