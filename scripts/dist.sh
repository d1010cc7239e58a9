#!/bin/sh
# dist.sh - a source archive of the commit that is checked out.
#
# usage: dist.sh [--name]
#
# Writes $OUT/ndpgen-VERSION.tar.gz (OUT: out).  VERSION is that of
# lib/base/version.h.  Everything in it comes from the commit, its times too, so
# the archive of a commit has the same bytes wherever it is made.  It builds
# without git.  Changes that are not committed are an error.  --name only prints
# ndpgen-VERSION.
# Exit status: 0 done, 2 bad use or no archive.
# --help: the lines above
set -eu
LC_ALL=C
export LC_ALL
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
--name | '') ;;
*)
    echo "dist.sh: error: unknown argument '$1', try --help" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."
die() {
    echo "dist.sh: error: $1" >&2
    exit 2
}

version=$(sed -n 's/^#define NDP_VERSION "\(.*\)"$/\1/p' lib/base/version.h)
[ -n "$version" ] || die "no version in lib/base/version.h"
name=ndpgen-$version
if [ "${1:-}" = --name ]; then
    echo "$name"
    exit 0
fi
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] &&
    git rev-parse -q --verify HEAD >/dev/null ||
    die "no commit here; an archive is made from a git checkout"
[ -z "$(git status --porcelain --untracked-files=no)" ] ||
    die "there are changes that are not committed, and the archive would not have them"
out=${OUT:-out}
mkdir -p "$out"
git archive --format=tar --prefix="$name/" HEAD >"$out/$name.tar" &&
    gzip -n -9 <"$out/$name.tar" >"$out/$name.tar.gz.tmp" ||
    die "cannot write '$out/$name.tar.gz'"
rm -f "$out/$name.tar"
mv "$out/$name.tar.gz.tmp" "$out/$name.tar.gz"
echo "wrote $out/$name.tar.gz, $(wc -c <"$out/$name.tar.gz") bytes, sha256 $(
    sha256sum <"$out/$name.tar.gz" | cut -c 1-16)"
