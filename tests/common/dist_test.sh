#!/bin/sh
# dist_test.sh - make dist: the same bytes from two checkouts, nothing of them that
# is not committed, and a tree that make takes without git.
#
# usage: dist_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS
if ! command -v git >/dev/null || ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    echo "dist_test.sh: skipped, this is no git checkout"
    exit 0
fi
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
        echo "dist_test.sh: $what" >&2
        head -n 5 "$room/said" >&2
    fi
}

# --- what is tracked here, committed in a repository of its own ----------------
mkdir "$room/first"
git ls-files -co --exclude-standard -z | xargs -0 tar cf - 2>/dev/null | tar xf - -C "$room/first"
commit() { # folder
    git -C "$1" -c user.name=n -c user.email=e@example.org commit -qam "$2"
}
git -C "$room/first" init -q && git -C "$room/first" add -A && commit "$room/first" first ||
    { echo "dist_test.sh: git does not commit" >&2; exit 1; }
git clone -q "$room/first" "$room/second"
name=$(sh scripts/dist.sh --name)
holds "the name has the version of ndpgen" [ "$name" = "ndpgen-$(sed -n \
    's/^#define NDP_VERSION "\(.*\)"$/\1/p' lib/base/version.h)" ]
dist() { # folder
    OUT=$room/out-$1 sh "$room/$1/scripts/dist.sh"
}
holds "an archive" dist first
holds "an archive of a clone" sh -c "umask 077; OUT='$room/out-second' TZ=Asia/Tokyo \
    sh '$room/second/scripts/dist.sh'"
holds "both have the same bytes" cmp "$room/out-first/$name.tar.gz" "$room/out-second/$name.tar.gz"
holds "nothing else is left" [ "$(ls "$room/out-first")" = "$name.tar.gz" ]

# --- a change that is not committed --------------------------------------------
echo more >>"$room/second/README.md"
holds "a change that is not committed is refused" sh -c \
    "! OUT='$room/not' sh '$room/second/scripts/dist.sh' 2>'$room/why' &&
    grep -q 'not committed' '$room/why' && [ ! -e '$room/not' ]"
commit "$room/second" second
holds "committed it is in the archive" dist second
holds "the archive differs" sh -c "! cmp -s '$room/out-first/$name.tar.gz' \
    '$room/out-second/$name.tar.gz'"

# --- what comes out ------------------------------------------------------------
tar xzf "$room/out-first/$name.tar.gz" -C "$room"
rm -rf "$room/first/.git"
holds "the archive is the tree" diff -r "$room/first" "$room/$name"
holds "make takes it without git" sh -c "cd '$room/$name' && PATH='$room/none':\$PATH \
    NDPGEN_NO_SETUP=1 make -n all | grep -q 'golden/sim/ndprun/ndprun.c'"
holds "there it says that it needs a checkout" sh -c "! sh '$room/$name/scripts/dist.sh' \
    2>'$room/why' && grep -q 'git checkout' '$room/why'"
echo "dist: $passed passed, $failed failed"
[ $failed = 0 ]
