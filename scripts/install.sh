#!/bin/sh
# install.sh - put programs, libndp, manual pages, completion and documents in place.
#
#   sh scripts/install.sh install|uninstall PROGRAM...
#
# Below $DESTDIR$PREFIX: bin/, lib/ (libndp static and shared, libndpcudart, ndp.pc
# in pkgconfig/, libcudart.so.* for programs of nvcc in ndpcudart/), include/ndp.h, include/ndpcuda/ (the headers of ndpcu),
# share/man/man1/, share/bash-completion/completions/ and share/doc/ndpgen/.  Manual
# pages and completion are what the programs say of themselves (--print-man,
# --print-completion).  uninstall removes the same files, and of folders only
# share/doc/ndpgen, include/ndpcuda and what it empties there.
#
# Environment: BUILD (build), PREFIX (/usr/local), DESTDIR.
# Exit status: 0 done, 2 bad use or a file that cannot be written.
set -eu
LC_ALL=C
export LC_ALL

case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
install | uninstall) mode=$1 ;;
*)
    echo "install.sh: error: expected install or uninstall, see --help" >&2
    exit 2
    ;;
esac
shift
cd "$(dirname "$0")/.."
build=${BUILD:-build}
to=${DESTDIR:-}${PREFIX:-/usr/local}
bin=$to/bin man=$to/share/man/man1 doc=$to/share/doc/ndpgen
words=$to/share/bash-completion/completions
libraries="libndp.a libgolden.a libndpcudart.a"

die() {
    echo "install.sh: error: $1" >&2
    exit 2
}

if [ "$mode" = uninstall ]; then
    for p; do
        rm -f "$bin/$p" "$man/$p.1" "$words/$p"
    done
    rm -rf "$doc" "$to/include/ndpcuda" "$to/lib/ndpcudart"
    for l in $libraries; do
        rm -f "$to/lib/$l"
    done
    rm -f "$to/lib/libndp.so" "$to/lib/libndp.so.1" "$to/lib/pkgconfig/ndp.pc" "$to/include/ndp.h" "$bin/ndpcu"
    echo "removed $* and their pages from $to"
    exit 0
fi
mkdir -p "$bin" "$man" "$doc/docs/blocks" "$doc/docs/img" "$doc/docs/examples/soc" "$words" ||
    die "cannot make folders in '$to'"
for p; do
    install -m 755 "$build/$p" "$bin/$p" || die "cannot write '$bin/$p'"
    "$build/$p" --print-man >"$man/$p.1" || die "cannot write '$man/$p.1'"
    "$build/$p" --print-completion >"$words/$p" || die "cannot write '$words/$p'"
    chmod 644 "$man/$p.1" "$words/$p"
done
# libraries, for programs of C, C++, CUDA and what loads shared ones
mkdir -p "$to/lib/pkgconfig" "$to/lib/ndpcudart" "$to/include/ndpcuda/crt" "$to/include/ndpcuda/cooperative_groups" "$doc/docs/examples/cuda" ||
    die "cannot make folders in '$to'"
for l in $libraries; do
    install -m 644 "$build/$l" "$to/lib/$l" || die "cannot write '$to/lib/$l'"
done
install -m 755 "$build/libndp.so" "$to/lib/libndp.so.1" && ln -sf libndp.so.1 "$to/lib/libndp.so" &&
    install -m 755 "$build"/cudart/libcudart.so.*[0-9] "$to/lib/ndpcudart" &&
    install -m 755 "$build/ndpcu" "$bin/ndpcu" &&
    install -m 644 lib/runtime/ndp.h "$to/include/ndp.h" &&
    install -m 644 lib/cuda/include/*.h "$to/include/ndpcuda" &&
    install -m 644 lib/cuda/include/crt/* "$to/include/ndpcuda/crt" &&
    install -m 644 lib/cuda/include/cooperative_groups/* "$to/include/ndpcuda/cooperative_groups" &&
    install -m 644 docs/examples/cuda/* "$doc/docs/examples/cuda" ||
    die "cannot write to '$to'"
cat >"$to/lib/pkgconfig/ndp.pc" <<PC || die "cannot write '$to/lib/pkgconfig/ndp.pc'"
prefix=${PREFIX:-/usr/local}
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: libndp
Description: run kernels on near-data machines, as golden models, RTL or boards
Version: $(sed -n 's/^#define NDP_VERSION "\(.*\)"$/\1/p' lib/base/version.h)
Libs: -L\${libdir} -lndp
Libs.private: -lgolden -lndp -lyaml -ljansson -lelf -lz -llzma -lstdc++ -lm
Cflags: -I\${includedir}
PC
# as they lie here, so that their links lead somewhere
install -m 644 README.md LICENSE CHANGELOG.md CONTRIBUTING.md "$doc" &&
    install -m 644 docs/*.md "$doc/docs" &&
    install -m 644 docs/blocks/*.md "$doc/docs/blocks" &&
    install -m 644 docs/img/*.svg docs/img/*.png "$doc/docs/img" &&
    install -m 644 docs/examples/*.* "$doc/docs/examples" &&
    install -m 644 docs/examples/soc/Makefile docs/examples/soc/*.v "$doc/docs/examples/soc" ||
    die "cannot write '$doc'"
echo "installed $* in $bin"
