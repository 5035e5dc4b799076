"""The list of what is inside a package, as SPDX 2.3 in JSON:  packaging/sbom.py ROOT/usr

Input: an installation made by `make package-root`. Output: lib/cilkc/licences/cilkc.spdx.json in it: cilkc itself, the
libraries that are linked into its compiler (facts.py, with the versions that dpkg has installed), the Python packages,
whose own metadata says version and licence, and the SHA-256 of all files together. The same installation gives the same
bytes.
"""

import email
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import time

import facts

NAME = "lib/cilkc/licences/cilkc.spdx.json"


def installed(pattern):
    """The version of a package of Debian that the compiler was linked with."""
    with open(os.path.join(facts.ROOT, ".deps", "config.mk")) as file:
        llvm = re.search(r"/llvm-(\d+)", file.read())
    if "%s" in pattern:
        gcc = subprocess.run(["gcc", "-dumpversion"], stdout=subprocess.PIPE, check=True, text=True).stdout
        pattern = pattern % (llvm[1] if llvm and "llvm" in pattern else gcc.strip().partition(".")[0])
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}\n", pattern], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return pattern, (done.stdout.split() or ["unknown"])[0]


def licence_of(metadata):
    """An expression of SPDX, from what pip knows of a package."""
    if metadata["License-Expression"]:
        return metadata["License-Expression"]
    if metadata["License"] in facts.LICENCE_NAMES:
        return facts.LICENCE_NAMES[metadata["License"]]
    names = [word.split(" :: ")[-1] for word in metadata.get_all("Classifier") or () if word.startswith("License ::")]
    return facts.LICENCE_NAMES.get(names[0] if names else "", "NOASSERTION")


def components(usr):
    """[(name, version, licence, address of the package)]; ourselves first."""
    made = [("cilkc", facts.VERSION, facts.LICENCE, "pkg:generic/cilkc@" + facts.VERSION)]
    for name, pattern, licence in facts.INSIDE:
        package, version = installed(pattern)
        address = "pkg:deb/debian/%s@%s" % (package.replace("+", "%2B"), version.replace("+", "%2B").replace(":", "%3A"))
        made.append((name, version, licence, address))
    for path in sorted(glob.glob(os.path.join(usr, "lib/cilkc/packages/*.dist-info/METADATA"))):
        with open(path, encoding="utf-8") as file:
            metadata = email.message_from_file(file)
        name = re.sub("[-_.]+", "-", metadata["Name"]).lower()
        made.append((name, metadata["Version"], licence_of(metadata), "pkg:pypi/%s@%s" % (name, metadata["Version"])))
    return made


def licences(usr):
    """The licence of a package with all of its parts, as an expression of SPDX."""
    found = [licence for _, _, licence, _ in components(usr)]
    return " AND ".join(dict.fromkeys(licence for licence in found if licence != "NOASSERTION"))


def sum_of_files(usr):
    total = hashlib.sha256()
    for folder, folders, files in os.walk(usr):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if os.path.islink(path) or path == os.path.join(usr, NAME):
                continue
            with open(path, "rb") as file:
                total.update(("%s\0%s\n" % (os.path.relpath(path, usr), hashlib.sha256(file.read()).hexdigest())).encode())
    return total.hexdigest()


def document(usr):
    digest = sum_of_files(usr)
    date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", 1767225600)))
    packages = []
    for number, (name, version, licence, address) in enumerate(components(usr)):
        packages.append({
            "SPDXID": "SPDXRef-%d" % number, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "supplier": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": address}],
        })
    packages[0].update(
        supplier="Organization: " + facts.AUTHOR, homepage=facts.HOMEPAGE, primaryPackagePurpose="APPLICATION",
        comment="SHA-256 of the names and sums of all other installed files: " + digest,
    )
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": "cilkc-" + facts.VERSION, "documentNamespace": "%s/spdx/%s-%s" % (facts.HOMEPAGE, facts.VERSION, digest),
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", date),
                         "creators": ["Organization: " + facts.AUTHOR, "Tool: packaging/sbom.py-" + facts.VERSION]},
        "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-0"}]
        + [{"spdxElementId": "SPDXRef-0", "relationshipType": "CONTAINS", "relatedSpdxElement": one["SPDXID"]}
           for one in packages[1:]],
    }


def main():
    usr = sys.argv[1]
    with open(os.path.join(usr, NAME), "w") as file:
        json.dump(document(usr), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
