#!/bin/sh
# install.sh - put programs, libndp, manual pages, completion and documents in place.
#
#   sh scripts/install.sh install|uninstall PROGRAM...
#
# Below $DESTDIR$PREFIX: bin/, include/ndpgen/, lib/ndpgen/, lib/pkgconfig/ndp.pc,
# share/man/man1/, share/bash-completion/completions/ and share/doc/ndpgen/.  Manual
# pages and completion are what the programs say of themselves (--print-man,
# --print-completion).  uninstall removes the same files, and of folders those called
# ndpgen alone.
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
headers=$to/include/ndpgen libs=$to/lib/ndpgen pc=$to/lib/pkgconfig

die() {
    echo "install.sh: error: $1" >&2
    exit 2
}

if [ "$mode" = uninstall ]; then
    for p; do
        rm -f "$bin/$p" "$man/$p.1" "$words/$p"
    done
    rm -f "$pc/ndp.pc"
    rm -rf "$doc" "$headers" "$libs"
    echo "removed $* and their pages from $to"
    exit 0
fi
mkdir -p "$bin" "$man" "$doc/docs/blocks" "$doc/docs/img" "$doc/docs/examples/soc" "$words" \
    "$headers/runtime" "$libs" "$pc" ||
    die "cannot make folders in '$to'"
for p; do
    install -m 755 "$build/$p" "$bin/$p" || die "cannot write '$bin/$p'"
    "$build/$p" --print-man >"$man/$p.1" || die "cannot write '$man/$p.1'"
    "$build/$p" --print-completion >"$words/$p" || die "cannot write '$words/$p'"
    chmod 644 "$man/$p.1" "$words/$p"
done
install -m 644 lib/runtime/ndp.h "$headers/runtime" &&
    install -m 644 "$build/libndp.a" "$build/libgolden.a" "$libs" &&
    cat >"$pc/ndp.pc" <<END || die "cannot write '$pc'"
prefix=${PREFIX:-/usr/local}
Name: ndp
Description: run kernels on near-data-processing machines
Version: $(sed -n 's/^#define NDP_VERSION "\(.*\)"$/\1/p' lib/base/version.h)
Cflags: -I\${prefix}/include/ndpgen
Libs: -L\${prefix}/lib/ndpgen -lgolden -lndp -lyaml -ljansson -lelf -lm
END
chmod 644 "$pc/ndp.pc"
# as they lie here, so that their links lead somewhere
install -m 644 README.md LICENSE CHANGELOG.md CONTRIBUTING.md "$doc" &&
    install -m 644 docs/*.md "$doc/docs" &&
    install -m 644 docs/blocks/*.md "$doc/docs/blocks" &&
    install -m 644 docs/img/*.svg docs/img/*.png "$doc/docs/img" &&
    install -m 644 docs/examples/*.* "$doc/docs/examples" &&
    install -m 644 docs/examples/soc/Makefile docs/examples/soc/*.v "$doc/docs/examples/soc" ||
    die "cannot write '$doc'"
echo "installed $* in $bin"
