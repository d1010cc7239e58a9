#!/bin/sh
# deb_test.sh - make deb: a package that dpkg reads, the same bytes twice, programs that
# run from where it puts them.
#
# usage: deb_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=deb_test.sh
. tests/common/room.sh
needs "$build/ndpcheck" "$build/ndpmesh"
if ! command -v dpkg-shlibdeps >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "deb_test.sh: skipped, no dpkg-dev on this machine"
    exit 0
fi
for n in 1 2; do
    # its own place for what lies between, on what has been built
    mkdir "$room/build$n"
    ln -s "$(cd "$build" && pwd)"/* "$room/build$n"
    rm -f "$room/build$n/deb"
    status 0 env SOURCE_DATE_EPOCH=1700000000 BUILD="$room/build$n" OUT="$room/$n" \
        sh scripts/deb.sh ndpcheck ndpmesh
done
deb=$(echo "$room"/1/*.deb)
version=$(sh scripts/dist.sh --name)
status 0 cmp "$deb" "$room/2/${deb##*/}"
status 0 dpkg-deb -f "$deb" Version
says out "${version#ndpgen-}-1"
status 0 dpkg-deb -f "$deb" Depends
says out 'libc6 (>='
says out 'libyaml'
status 0 dpkg-deb -c "$deb"
for f in usr/bin/ndpcheck usr/lib/libndp.a usr/lib/libndp.so.1 usr/include/ndp.h usr/bin/ndpcu \
    usr/lib/pkgconfig/ndp.pc usr/share/man/man1/ndpmesh.1.gz usr/share/doc/ndpgen/copyright \
    usr/share/doc/ndpgen/docs/blocks/nbu.md; do
    says out "./$f"
done
says out 'root/root'
status 0 dpkg-deb -x "$deb" "$room/x"
status 1 "$room/x/usr/bin/ndpcheck" tests/dram/dramsim3.trace
says out '10 violations'
status 2 sh scripts/deb.sh
says err 'expected the programs to pack'
done_testing
