#!/bin/sh
# Makes a release of the tree as it is committed:  packaging/release.sh VERSION
#
# Writes VERSION into all places that state it (packaging/version.py), and its date into CHANGELOG.md, commits, makes the packages and dist/SHA256SUMS, and tags. Nothing is pushed; what to type for that is printed. Without
# a heading for this version in CHANGELOG.md, or with uncommitted changes, nothing happens.
set -e
cd "$(dirname "$0")/.."
version=$1
die() { echo "release: $*" >&2; exit 1; }
echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+' || die "usage: packaging/release.sh MAJOR.MINOR.PATCH"
[ -z "$(git status --porcelain)" ] || die "there are uncommitted changes"
git rev-parse -q --verify "refs/tags/v$version" > /dev/null && die "v$version exists"
grep -q "^## $version (unreleased)" CHANGELOG.md || die "CHANGELOG.md has no heading '## $version (unreleased)'"

sed -i "s/^## $version (unreleased)/## $version ($(date -u +%Y-%m-%d))/" CHANGELOG.md
python3 packaging/version.py "$version"
git commit -qam "Release $version"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
make wheel deb
(cd dist && sha256sum cilkc-"$version"-*.whl cilkc_"$version"_*.deb > SHA256SUMS && cat SHA256SUMS)
git tag -a "v$version" -m "cilkc $version"
echo "now: git push origin main v$version, and hand out dist/"
