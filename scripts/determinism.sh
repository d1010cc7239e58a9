#!/bin/sh
# determinism.sh - one configuration, the same bytes, all of them or none.
#
# Runs ndpgen on every target in different folders, locales, time zones, umasks
# and environments and compares the trees; writes over an existing folder; and
# sees to it that a failed run (bad input, a target that cannot be written, a
# full disk, a kill) leaves neither a folder nor a scrap beside it, and an
# existing folder as it was.
set -eu

usage() {
    cat <<'END'
usage: sh scripts/determinism.sh [OPTION...]

  --target T   only this target (default: all that ndpgen lists)
  --preset P   default: of each target the one that bears its name, else mpu
  --help       this text

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2): targets at a time.
Output: BUILD/determinism/, emptied on success.
Exit status: 0 deterministic, 1 not, 2 bad use.
END
}

die() {
    echo "determinism.sh: error: $1" >&2
    exit 2
}

target=
asked=
while [ $# -gt 0 ]; do
    case $1 in
    --target | --preset)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        --target) target=$2 ;;
        --preset) asked=$2 ;;
        esac
        shift
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done

cd "$(dirname "$0")/.."
build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
ndpgen=$(cd "$(dirname "$ndpgen")" && pwd)/${ndpgen##*/}
targets=$("$ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
if [ -z "$target" ]; then # each by itself, several at a time
    said=$build/determinism
    rm -rf "$said"
    mkdir -p "$said"
    # shellcheck disable=SC2016 # the variables are those of the inner shell
    echo "$targets" | xargs -P "${JOBS:-2}" -I{} sh -c '
        sh "$0" --target "$1" ${2:+--preset "$2"} >"$3/$1.log" 2>&1' \
        scripts/determinism.sh {} "$asked" "$said" || : # counted below
    echo "$targets" | while read -r t; do
        cat "$said/$t.log"
        tail -n 1 "$said/$t.log" | grep -q '^[1-9][0-9]* passed, 0 failed$' ||
            { echo "FAILED: $t" && : >"$said/failed"; }
    done
    [ ! -f "$said/failed" ] || exit 1
    rm -rf "$said"
    exit 0
fi
echo "$targets" | grep -qx "$target" ||
    die "unknown target '$target', expected one of: $(echo $targets)"
t=$target
rm -rf "$build/determinism/$t"
mkdir -p "$build/determinism/$t/room"
work=$(cd "$build/determinism/$t" && pwd)

passed=0
failed=0
ok() {
    passed=$((passed + 1))
}
bad() { # what
    failed=$((failed + 1))
    echo "$t: $1"
}
skip() { # what, why
    echo "skipped: $1, $2"
}

gen() { # folder, further options
    out=$1
    shift
    "$ndpgen" --target "$t" --preset "$preset" "$@" -o "$out" \
        >"$work/said" 2>&1
}

same() { # folder, what it shows
    if diff -r "$work/first" "$1" >"$work/diff" 2>&1; then
        ok
    else
        bad "$2: the bytes differ"
        head -n 6 "$work/diff" | sed 's/^/    /'
    fi
    rm -rf "$1"
}

# Same bytes in another environment: same NAME command... ; uses $out.
variant() { # what it shows, folder, command...
    what=$1
    out=$2
    shift 2
    if "$@" "$ndpgen" --target "$t" --preset "$preset" -o "$out" \
        >"$work/said" 2>&1; then
        same "$out" "$what"
    else
        bad "$what: ndpgen failed: $(head -n 1 "$work/said")"
    fi
}

same_bytes() {
    variant "a second run" "$work/second" env
    mkdir -p "$work/a folder/with a long/name"
    variant "another folder" "$work/a folder/with a long/name/x" env
    mkdir "$work/here"
    if (cd "$work/here" && gen out); then
        same "$work/here/out" "a relative folder"
    else
        bad "a relative folder: ndpgen failed"
    fi
    variant "parents that were not there" "$work/new/parents/x" env
    rm -rf "$work/new"
    variant "a slash at the end" "$work/second/" env
    variant "an empty environment" "$work/second" env -i
    for tz in UTC Pacific/Kiritimati America/St_Johns; do
        variant "TZ=$tz" "$work/second" env TZ=$tz
    done
    variant "another HOME and USER" "$work/second" \
        env HOME=/nowhere USER=nobody LANGUAGE=de TMPDIR=/nowhere
    for mask in 000 077; do
        if (umask $mask && gen "$work/second"); then
            same "$work/second" "umask $mask"
        else
            bad "umask $mask: ndpgen failed"
        fi
    done
    locales
}

# A locale with a decimal comma and its own order of letters, if there is one.
locales() {
    found=$(locale -a 2>/dev/null | grep -i -E '^(de_|fr_|tr_)' | head -n 3)
    if [ -z "$found" ] && command -v localedef >/dev/null 2>&1 &&
        [ -f /usr/share/i18n/locales/de_DE ]; then
        mkdir -p "$work/locale"
        localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8" 2>/dev/null || :
        [ ! -d "$work/locale/de_DE.UTF-8" ] || found=de_DE.UTF-8
    fi
    [ -n "$found" ] ||
        skip "LC_ALL with a decimal comma" "no such locale on this machine"
    for l in C C.UTF-8 $found; do
        variant "LC_ALL=$l" "$work/second" env LC_ALL="$l" \
            LOCPATH="$work/locale"
    done
}

# Over an existing folder: the same, and nothing of what was there before.
over_existing() {
    gen "$work/again"
    if gen "$work/again"; then
        if diff -r "$work/first" "$work/again" >/dev/null; then
            ok
        else
            bad "written over itself: the bytes differ"
        fi
    else
        bad "written over itself: ndpgen failed: $(head -n 1 "$work/said")"
    fi
    rm -rf "$work/again"
    gen "$work/again" --prefix old_
    if gen "$work/again"; then
        same "$work/again" "written over another configuration"
    else
        bad "over another configuration: $(head -n 1 "$work/said")"
    fi
    rm -rf "$work/again"
}

# A folder that ndpgen did not make is the user's own.
foreign() {
    mkdir "$work/own"
    echo "thesis" >"$work/own/text"
    if gen "$work/own"; then
        bad "over a foreign folder: expected a failure"
    elif [ "$(cat "$work/own/text")" != thesis ] ||
        [ "$(ls -A "$work/own")" != text ]; then
        bad "over a foreign folder: changed what was there"
    else
        ok
    fi
    rm -rf "$work/own"
}

# Stopped at some moment: the whole folder or none of it.
stopped() {
    for ms in 000 001 002 003 004 006 008 012 016 024; do
        "$ndpgen" --target "$t" --preset "$preset" -o "$work/room/out" \
            >"$work/said" 2>&1 &
        pid=$!
        sleep 0.$ms 2>/dev/null || :
        kill -TERM $pid 2>/dev/null || :
        wait $pid 2>/dev/null || :
        left=$(ls -A "$work/room")
        if [ -n "$left" ] && { [ "$left" != out ] ||
            ! diff -r "$work/first" "$work/room/out" >/dev/null; }; then
            bad "stopped after $ms ms: left behind: $left"
            rm -rf "$work/room"
            mkdir "$work/room"
            return
        fi
        rm -rf "$work/room/out"
    done
    ok
}

# A run that must fail: status 1 or 2 with a message, nothing left in $work/room
# but what was there before.
leaves_nothing() { # what it shows, command...
    what=$1
    shift
    status=0
    "$@" >"$work/said" 2>&1 || status=$?
    left=$(find "$work/room" -mindepth 1 | sort | head -n 3)
    if [ $status -eq 0 ]; then
        bad "$what: expected a failure, got status 0"
    elif [ $status -gt 2 ]; then
        bad "$what: ended with status $status"
    elif [ ! -s "$work/said" ]; then
        bad "$what: failed without a message"
    elif [ -n "$left" ]; then
        bad "$what: left behind: $left"
    else
        ok
    fi
    rm -rf "$work/room"
    mkdir "$work/room"
}

run() { # options of ndpgen
    "$ndpgen" --target "$t" "$@"
}

bad_input() {
    room=$work/room/out
    leaves_nothing "unknown key" run --set nonsense=1 -o "$room"
    leaves_nothing "unknown preset" run --preset nonsense -o "$room"
    leaves_nothing "unknown option" run --nonsense -o "$room"
    leaves_nothing "unknown target" "$ndpgen" --target nonsense -o "$room"
    leaves_nothing "missing file" run --config "$work/nothing.yml" -o "$room"
    printf 'nonsense: [1\n' >"$work/bad.yml"
    leaves_nothing "broken YAML" run --config "$work/bad.yml" -o "$room"
    leaves_nothing "bad prefix" run --prefix '1 x' -o "$room"
}

unwritable() {
    leaves_nothing "below a file" gen "$work/bad.yml/out"
    leaves_nothing "in /proc" gen /proc/ndpgen-out
    chmod 555 "$work/room"
    if [ "$(id -u)" != 0 ]; then
        leaves_nothing "in a read-only folder" gen "$work/room/out"
    elif command -v setpriv >/dev/null 2>&1 && setpriv --reuid=65534 \
        --clear-groups "$ndpgen" --version >/dev/null 2>&1; then
        leaves_nothing "in a read-only folder" setpriv --reuid=65534 \
            --clear-groups "$ndpgen" --target "$t" -o "$work/room/out"
    else
        skip "a read-only folder" "this is root and setpriv is missing"
    fi
    chmod 755 "$work/room"
}

# No more than a block can be written to any file: what a full disk does.
full() {
    (
        trap '' XFSZ
        ulimit -f 1
        gen "$1"
    )
}

disk_full() {
    leaves_nothing "disk full" full "$work/room/out"
    leaves_nothing "disk full, new parents" full "$work/room/new/parents/out"
    # over an existing folder: the old one stays whole
    cp -r "$work/first" "$work/kept"
    if full "$work/kept"; then
        bad "disk full over an existing folder: expected a failure"
    fi
    same "$work/kept" "disk full over an existing folder"
    if [ "$(id -u)" = 0 ] && command -v unshare >/dev/null 2>&1 &&
        unshare -m true 2>/dev/null; then
        leaves_nothing "full tmpfs" unshare -m sh -c "
            mount -t tmpfs -o size=32k,nr_inodes=64 none '$work/room' || exit 9
            '$ndpgen' --target $t --preset $preset -o '$work/room/out'
            status=\$?
            find '$work/room' -mindepth 1 | grep . && exit 3
            exit \$status"
    else
        skip "a full tmpfs" "mounting needs root"
    fi
}

# How long one run takes; the promise is below 100 ms, the machine may be slow.
time_of() {
    case $(date +%N) in
    *[!0-9]* | '') return ;;
    esac
    start=$(date +%s%N)
    for n in 1 2 3 4 5; do
        gen "$work/timed"
    done
    echo "$t: $((($(date +%s%N) - start) / 5000000)) ms a run"
    rm -rf "$work/timed"
}

preset=${asked:-mpu}
[ -n "$asked" ] || ! "$ndpgen" --list-presets | grep -q "^$t " || preset=$t
gen "$work/first" || {
    cat "$work/said"
    die "ndpgen failed on target '$t'"
}
same_bytes
over_existing
foreign
bad_input
unwritable
disk_full
stopped
time_of
rm -rf "$work"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
