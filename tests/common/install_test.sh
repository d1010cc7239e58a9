#!/bin/sh
# install_test.sh - make install and uninstall: what lies where, that it runs
# there, and that nothing stays.
#
# usage: install_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS
build=${BUILD:-build}
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

holds() { # what command...
    what=$1
    shift
    if "$@" >"$room/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "install_test.sh: $what" >&2
        head -n 5 "$room/said" >&2
    fi
}
# long options that a program's --help has and a text has not
missing() { # program text
    "$build/$1" --help | sed -n 's,^  \(-.\, \|    \)\(--[a-z-]*\).*,\2,p' |
        sort -u | while read -r option; do
        sed 's/\\-/-/g' "$2" | grep -q -e "$option" || echo "$option"
    done
}

at="$room/a place"
programs="ndpgen ndpcc ndpmesh ndppage ndpsweep ndpsim ndprun"
BUILD=$build PREFIX=/opt/x DESTDIR=$at sh scripts/install.sh install $programs \
    >"$room/said" 2>&1
[ $? = 0 ] || { echo "install_test.sh: install fails:" >&2; head -n 3 "$room/said" >&2; exit 1; }
top="$at/opt/x"
for p in $programs; do
    holds "$p runs where it lies" "$top/bin/$p" --version
    page=$top/share/man/man1/$p.1
    holds "$p has a manual page" grep -q "^.TH $p 1" "$page"
    holds "the page of $p has every option" [ -z "$(missing $p "$page")" ]
    words=$top/share/bash-completion/completions/$p
    holds "completion of $p has every option" [ -z "$(missing $p "$words")" ]
    if command -v bash >/dev/null; then
        holds "bash reads the completion of $p" bash -n "$words"
        holds "bash completes $p --he" bash -c ". '$words'
            _$p $p --he $p; [ \"\${COMPREPLY[*]}\" = --help ]"
    fi
    if command -v man >/dev/null && command -v groff >/dev/null; then
        holds "man prints the page of $p without a warning" sh -c \
            "[ -z \"\$(man --warnings -l '$page' 2>&1 >/dev/null)\" ]"
    fi
done
if command -v bash >/dev/null; then
    holds "bash completes targets" bash -c "cd '$top/bin'
        . '$top/share/bash-completion/completions/ndpgen'
        _ndpgen ./ndpgen em --target; [ \"\${COMPREPLY[*]}\" = emn ]"
fi
for p in --policy:ne:near --host:po:port; do
    word=${p#*:}
    command -v bash >/dev/null || continue
    holds "bash completes ${p%%:*}" bash -c ". '$top/share/bash-completion/completions/ndprun'
        _ndprun ndprun '${word%:*}' '${p%%:*}'; [ \"\${COMPREPLY[*]}\" = '${word#*:}' ]"
done
holds "documents come along" [ -f "$top/share/doc/ndpgen/docs/blocks/nbu.md" ]
holds "and their pictures" [ -f "$top/share/doc/ndpgen/docs/img/flow.svg" ]
holds "screenshots too" [ -f "$top/share/doc/ndpgen/docs/img/perfetto.png" ]
holds "and examples" [ -f "$top/share/doc/ndpgen/docs/examples/soc/soc.v" ]
# a program of a user's, by pkg-config, which cannot have blanks in folders
uses_libndp() {
    (
        set -e
        BUILD=$build PREFIX=$room/usr sh scripts/install.sh install ndpcc
        PKG_CONFIG_PATH=$room/usr/lib/pkgconfig
        export PKG_CONFIG_PATH
        # shellcheck disable=SC2046 # words
        ${CC:-cc} docs/examples/vecadd.c $(pkg-config --cflags --libs ndp) -o "$room/vecadd"
        "$room/usr/bin/ndpcc" kernels/vecadd/vecadd.ptx --assemble --registers 16 \
            --kernel vecadd_aligned -o "$room/vecadd.ndpx"
        LD_LIBRARY_PATH=$room/usr/lib "$room/vecadd" "$room/vecadd.ndpx" golden:tiny
    )
}
holds "a program is built with the installed libndp and runs" uses_libndp
cat >"$room/user.c" <<'C'
#include <ndp.h>
int main(void) {
    ndpDevice d;
    int bad = ndpDeviceOpen(&d, "golden:tiny") != NDP_SUCCESS;
    ndpDeviceClose(d);
    return bad;
}
C
holds "a C program links the static library" sh -c "cd '$top' && cc -I include '$room/user.c' -L lib \
    -Wl,-Bstatic -lndp -lgolden -lndp -Wl,-Bdynamic -lyaml -ljansson -lelf -lm -o '$room/user' && '$room/user'"
if command -v python3 >/dev/null; then
    holds "python steps a machine" env LD_LIBRARY_PATH="$top/lib" \
        python3 "$top/share/doc/ndpgen/docs/examples/step.py"
fi
if command -v clang++-14 >/dev/null; then
    holds "ndpcu compiles where it lies" "$top/bin/ndpcu" docs/examples/cuda/histogram.cu -o "$room/histogram"
    holds "and the program runs" "$room/histogram"
fi
echo mine >"$top/bin/mine"
PREFIX=/opt/x DESTDIR=$at sh scripts/install.sh uninstall $programs >/dev/null
holds "only what is not ours stays" [ "$(find "$at" -type f)" = "$top/bin/mine" ]
holds "make hands the folders on" sh -c "make -n uninstall PREFIX=/p DESTDIR=/d |
    tr -d '\\n' | grep -q \"PREFIX='/p' DESTDIR='/d'\""
echo "install: $passed passed, $failed failed"
[ $failed = 0 ]
