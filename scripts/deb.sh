#!/bin/sh
# deb.sh - a Debian package of what has been built.
#
# usage: deb.sh PROGRAM...
#
# Writes $OUT/ndpgen_VERSION-1_ARCHITECTURE.deb (OUT: out) with what make install
# puts below /usr: programs, libndp with its header, manual pages, completion and
# documents.  Files have the time of the commit, or SOURCE_DATE_EPOCH, so the same
# build gives the same bytes.  Needs dpkg-dev (scripts/setup.sh --deb).
# Exit status: 0 done, 2 bad use, or a tool that is missing or fails.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
'' | -*)
    echo "deb.sh: error: expected the programs to pack, see --help" >&2
    exit 2
    ;;
esac
set -eu
LC_ALL=C
export LC_ALL
umask 022
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${OUT:-out}
die() {
    echo "deb.sh: error: $1" >&2
    exit 2
}
command -v dpkg-shlibdeps >/dev/null && command -v dpkg-deb >/dev/null ||
    sh scripts/setup.sh --deb || die "dpkg-dev is not here"

version=$(sh scripts/dist.sh --name)
version=${version#ndpgen-}-1
architecture=$(dpkg --print-architecture)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH
mkdir -p "$build/deb" "$out"
room=$(cd "$build/deb" && pwd)
rm -rf "$room/root" "$room/debian"
mkdir -p "$room/debian"
root=$room/root doc=$root/usr/share/doc/ndpgen

BUILD=$build PREFIX=/usr DESTDIR=$root sh scripts/install.sh install "$@" >/dev/null
programs=$(for p; do echo "root/usr/bin/$p"; done) # ndpcu is a script
(cd "$room" && strip $programs root/usr/lib/libndp.so.1)
strip -g -D "$root"/usr/lib/libndp*.a "$root"/usr/lib/libgolden.a
gzip -9 -n "$root"/usr/share/man/man1/*.1
gzip -9 -n <CHANGELOG.md >"$doc/changelog.gz"
mv "$doc/LICENSE" "$doc/copyright"

# which packages the programs' libraries are in
printf 'Source: ndpgen\n\nPackage: ndpgen\nArchitecture: any\n' >"$room/debian/control"
depends=$(cd "$room" && dpkg-shlibdeps -O $programs root/usr/lib/libndp.so.1 2>"$room/log" |
    sed -n 's/^shlibs:Depends=//p') && [ -n "$depends" ] ||
    { cat "$room/log" >&2; die "no dependencies of the programs"; }
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: ndpgen
Version: $version
Architecture: $architecture
Maintainer: the ndpgen authors <ndpgen@example.org>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $depends
Recommends: iverilog, verilator, yosys
Suggests: libelf-dev, libjansson-dev, liblzma-dev, libyaml-dev, zlib1g-dev
Section: electronics
Priority: optional
Description: generated and verified hardware for near-data processing
 ndpgen emits synthesizable Verilog-2005 for near-data-processing hardware of
 five papers. With it come cycle-accurate models of the same hardware, which
 run CUDA kernels (PTX), and checkers of DRAM command traces.
 .
 Lock-step tests of the RTL need the source tree.
END
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$room/new.deb" >"$room/log" ||
    { cat "$room/log" >&2; die "dpkg-deb fails"; }
mv "$room/new.deb" "$out/ndpgen_${version}_$architecture.deb"
echo "wrote $out/ndpgen_${version}_$architecture.deb," \
    "$(wc -c <"$out/ndpgen_${version}_$architecture.deb") bytes"
