#!/bin/sh
# Makes a release of the tree as it is committed:  packaging/release.sh VERSION [URL]
#
# URL is the page of the repository, to which metadata and recipes refer (facts.py keeps it for later releases).
# Writes VERSION into all places that state it (packaging/version.py), and its date into CHANGELOG.md, commits, makes the packages and dist/SHA256SUMS, and tags. Nothing is pushed; what to type for that is printed. Without
# a heading for this version in CHANGELOG.md, or with uncommitted changes, nothing happens.
set -e
cd "$(dirname "$0")/.."
version=$1 url=${2%/}
die() { echo "release: $*" >&2; exit 1; }
echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || die "usage: packaging/release.sh MAJOR.MINOR.PATCH [URL]"
echo "$url" | grep -Eqx '(https://[A-Za-z0-9./_~-]+)?' || die "'$url' is no https address"
[ -z "$(git status --porcelain)" ] || die "there are uncommitted changes"
git rev-parse -q --verify "refs/tags/v$version" > /dev/null && die "v$version exists"
grep -q "^## $version (unreleased)" CHANGELOG.md || die "CHANGELOG.md has no heading '## $version (unreleased)'"

sed -i "s/^## $version (unreleased)/## $version ($(date -u +%Y-%m-%d))/" CHANGELOG.md
python3 packaging/version.py "$version"
[ -z "$url" ] || sed -i "s|^HOMEPAGE = .*|HOMEPAGE = \"$url\"|" packaging/facts.py
git commit -qam "Release $version"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
make wheel deb recipes
(cd dist && sha256sum cilkc-"$version"-*.whl cilkc-"$version"-*.tar.gz cilkc_"$version"_*.deb > SHA256SUMS && cat SHA256SUMS)
git tag -a "v$version" -m "cilkc $version"
echo "now: git push origin main v$version, and hand out dist/"
