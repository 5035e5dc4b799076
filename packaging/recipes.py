"""Makes dist/recipes, the files of other package managers, of their templates in packaging/recipes: `make recipes`.

All of them unpack one archive of `make package-root`, dist/cilkc-VERSION-linux-x86_64.tar.gz, which this makes, too:
names in it are relative to each other, so it works in any folder. The words @...@ of a template are the table below.
Where the archive can be fetched is known once facts.HOMEPAGE is (`release.sh VERSION URL`); until then the address is
one that no one has. The same tree gives the same archive.
"""

import glob
import gzip
import hashlib
import os
import sys
import tarfile

import facts
import sbom
import wheel


def pack(usr, path):
    """The archive; its folder is that of GNU's and rpm's custom, NAME-VERSION."""
    date = int(os.environ.get("SOURCE_DATE_EPOCH", 1767225600))

    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = date
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with open(path + ".new", "wb") as raw:
        with gzip.GzipFile("", "wb", 6, raw, date) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(usr, "cilkc-" + facts.VERSION, filter=plain)    # sorted by name
    os.replace(path + ".new", path)


def words(usr, archive):
    with open(archive, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    address = "%s/releases/download/v%s/%s" % (facts.HOMEPAGE, facts.VERSION, os.path.basename(archive))
    licences = sbom.licences(usr)
    ruby = ", ".join('{ "%s" => { with: "%s" } }' % tuple(one.split(" WITH ")) if " WITH " in one else '"%s"' % one
                     for one in licences.split(" AND "))
    return {
        "AUTHOR": facts.AUTHOR, "EMAIL": facts.EMAIL, "GLIBC": "%d.%d" % wheel.newest_glibc(wheel.programs(usr)),
        "HOMEPAGE": facts.HOMEPAGE, "LICENCE": licences, "LICENCES_RUBY": ruby, "SHA256": digest,
        "SUMMARY": facts.SUMMARY, "URL": address, "URL_OF_VERSION": address.replace(facts.VERSION, "{{ version }}"),
        "VERSION": facts.VERSION,
    }


def main():
    usr, dist = sys.argv[1:]
    archive = os.path.join(dist, "cilkc-%s-linux-%s.tar.gz" % (facts.VERSION, os.uname().machine))
    os.makedirs(os.path.join(dist, "recipes"), exist_ok=True)
    pack(usr, archive)
    table = words(usr, archive)
    for template in sorted(glob.glob(os.path.join(facts.ROOT, "packaging", "recipes", "*"))):
        with open(template) as file:
            text = file.read()
        for name, value in table.items():
            text = text.replace("@%s@" % name, value)
        with open(os.path.join(dist, "recipes", os.path.basename(template)), "w") as file:
            file.write(text)
    print(archive)


if __name__ == "__main__":
    main()
