#!/bin/sh
# make check-packages: installs the wheel and the Debian package of dist/ in fresh roots of Debian and Ubuntu, compiles and runs there, and takes them
# away again.
#
#     [MIRROR=...] packaging/roots.sh [SUITE...]        (bookworm trixie noble); as root; needs debootstrap and the archives of both
#
# A root has Python, gcc and the C library's headers, and nothing else. It is kept in build/roots for the next time. Nothing is fetched once it is
# there: pip gets --no-index. The status is 0 when, in each root, fib runs and nothing is left after the uninstallations.
set -e
cd "$(dirname "$0")/.."
roots=$PWD/build/roots
mkdir -p "$roots"
status=0

cat > "$roots/try.sh" <<'END'
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
cd /root
files() { find / -xdev \( -path /proc -o -path /root -o -path /tmp -o -path /var/lib/dpkg -o -path /var/cache -o -path /var/log -o -path /v \) -prune -o -print | sort; }
use() {
    cilkc -O2 fib.cilk -o fib && ./fib --nproc 2 25 2> /dev/null | grep -x 'fib(25) = 75025'
    cilkc race fib.cilk -- 8 2>&1 | grep 'no races'
    cilkc doctor
}
begin=$(date +%s)
rm -rf /v && python3 -m venv /v && find /v | sort > /tmp/before
/v/bin/pip install -q --no-index cilkc-*.whl
(export PATH=/v/bin:$PATH; use; python -m cilkc --version)
echo "wheel: from pip install to the last program: $(($(date +%s) - begin)) s"
/v/bin/pip uninstall -q -y cilkc
find /v/share -type d -empty -delete        # pip leaves folders that had folders only
find /v | sort | diff /tmp/before -
files > /tmp/before
dpkg -i cilkc_*.deb
use
dpkg --purge cilkc
files | diff /tmp/before -
echo "nothing is left"
END

for suite in ${*:-bookworm trixie noble}; do
    root=$roots/$suite
    case $suite in              # Ubuntu: its own archive, and a script that old versions of debootstrap have
    noble) from="--components=main,universe $suite"; archive=${MIRROR:-http://archive.ubuntu.com/ubuntu}; script=/usr/share/debootstrap/scripts/gutsy ;;
    *) from=$suite; archive=$MIRROR; script= ;;
    esac
    [ -e "$root/root/ready" ] || {
        rm -rf "$root"
        debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv,gcc,libc6-dev $from "$root" ${archive:+"$archive"} $script > "$roots/$suite.log" 2>&1 || {
            echo "debootstrap failed: $roots/$suite.log" >&2
            exit 1
        }
        touch "$root/root/ready"
    }
    rm -f "$root"/root/cilkc*
    cp dist/cilkc-*.whl dist/cilkc_*.deb samples/fib.cilk "$roots/try.sh" "$root/root/"
    echo "== $suite"
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    env -i /usr/sbin/chroot "$root" /bin/sh /root/try.sh || { status=1; echo "failed in $suite"; }
    umount "$root/proc"
done
exit $status
