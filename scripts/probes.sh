#!/bin/sh
# probes.sh - break one thing at a time and see the named check go red.
#
# usage: probes.sh [--quick | --sample] [NAME ...]
#
# tests/*/probes.txt list the breakages, one stanza each:
#
#   probe NAME           what is broken, in a word
#   rtl FILE             edit the emitted RTL of the block whose folder it is, at
#                        preset small, or
#   source FILE          edit a copy of the project and rebuild it
#   edit SED             the breakage; it must change the file
#   check COMMAND        run in the project (source: in the copy); $RTL is the
#                        edited output folder
#   expect REGEX         must stand in what the check says
#   slow                 --quick sees only that the edit still changes the file
#
# --sample does that with two of three quick ones, too; SAMPLE, printed, draws them.
#
# A probe passes when the check exits with 1 or 2 and says what is expected.
# Before them, each distinct check of them runs unbroken and must pass.
# Environment: BUILD, JOBS (2): at a time, SAMPLE.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 2
here=$PWD
. scripts/ledger.sh
BUILD=${BUILD:-build}
work=$here/$BUILD/probes
quick= draw= only=
for a; do
    case $a in
    --quick) quick=1 ;;
    --sample) quick=1 draw=1 ;;
    -*)
        echo "error: unknown option '$a', expected --quick or --sample" >&2
        exit 2
        ;;
    *) only="$only $a" ;;
    esac
done

passed=0 failed=0 tree=
rm -rf "$work${PART:+/${PART%/*}}"
mkdir -p "$work${PART:+/${PART%/*}}"

if [ -n "$draw" ] && [ -z "${PART:-}" ]; then
    draw_seed || exit 2
    export SAMPLE
    echo "sample $SAMPLE"
fi

# Every JOBS-th of them in a process of its own, with a copy of its own.
if [ -z "$only" ] && [ -z "${PART:-}" ] && [ "${JOBS:-2}" -gt 1 ]; then
    pids='' n=${JOBS:-2} i=0
    trap 'kill $pids 2>/dev/null' EXIT
    trap 'exit 130' INT TERM
    while [ $i -lt "$n" ]; do
        PART=$i/$n sh scripts/probes.sh ${quick:+--quick} \
            ${draw:+--sample} >"$work/$i.said" 2>&1 &
        pids="$pids $!"
        i=$((i + 1))
    done
    # shellcheck disable=SC2086 # their numbers
    wait $pids
    grep -hv ' passed, [0-9]* failed$' "$work"/*.said
    awk '/ passed, [0-9]+ failed$/ { p += $1; f += $3; n++ }
        END { print p + 0 " passed, " f + 0 " failed"; exit f || n != parts }' \
        parts="$n" "$work"/*.said
    exit
fi
part=0 parts=1
[ -z "${PART:-}" ] || part=${PART%/*} parts=${PART#*/} work=$work/$part

# Whether the next one is for this process.
mine() {
    turn=$((${turn:-0} + 1))
    [ $((turn % parts)) = "$part" ]
}

# The emitted RTL of a target: sets $base.
make_base() {
    base=$work/base-$1
    [ -d "$base" ] ||
        "$BUILD/ndpgen" --target "$1" --preset small -o "$base" >/dev/null ||
        exit 2
}

# A copy of the project with its build, so that only what is edited is rebuilt.
make_tree() {
    [ -z "$tree" ] || return 0
    tree=$work/tree
    mkdir -p "$tree"
    tar cf - --exclude=./out --exclude=./.git --exclude="./$BUILD/probes" \
        --exclude="./$BUILD/cosim" --exclude="./$BUILD/check" . |
        tar xf - -C "$tree"
}

say() { # result, name, detail
    printf '%-7s %-28s %s\n' "$1" "$2" "$3"
}

run_probe() {
    log=$work/$name.log
    if [ "$kind" = rtl ]; then
        dir=$work/$name
        make_base "$block"
        cp -r "$base" "$dir"
        target=$dir/$file original=$base/$file where=$here
    else
        make_tree
        dir=
        target=$tree/$file original=$here/$file where=$tree
    fi
    sed -i -E "$edit" "$target"
    if cmp -s "$target" "$original"; then
        say FAILED "$name" "the edit changes nothing in $file"
        failed=$((failed + 1))
    else
        # what reads its input would take the probes that follow
        (cd "$where" && RTL=$dir NDPGEN_NO_SETUP=1 sh -c "$check") \
            </dev/null >"$log" 2>&1
        status=$?
        if [ $status = 0 ]; then
            say FAILED "$name" "nobody noticed: $check"
            failed=$((failed + 1))
        elif ! grep -qE -- "$expect" "$log"; then
            say FAILED "$name" "red for another reason, see $log"
            failed=$((failed + 1))
        else
            say caught "$name" "$(grep -m 1 -oE -- "$expect.*" "$log" | cut -c 1-60)"
            passed=$((passed + 1))
        fi
    fi
    if [ "$kind" = source ]; then
        cp "$original" "$target" # newer than what was built from the edit
    fi
}

# One that is not run: what it breaks is still there.
look_at_edit() {
    original=$here/$file
    if [ "$kind" = rtl ]; then
        make_base "$block"
        original=$base/$file
    fi
    if sed -E "$edit" "$original" | cmp -s - "$original"; then
        say FAILED "$name" "the edit changes nothing in $file"
        failed=$((failed + 1))
    fi
}

wanted() {
    [ -n "$only" ] || return 0
    case " $only " in *" $name "*) return 0 ;; esac
    return 1
}

flush() {
    [ -z "$name" ] || seen=$((seen + 1))
    if [ -z "$name" ] || ! wanted || ! mine; then
        :
    elif [ -n "$quick" ] && [ -n "$slow" ]; then
        look_at_edit
    elif [ -n "$draw" ] && ! grep -qx -e "$name" "$work/drawn"; then
        look_at_edit
    else
        run_probe
    fi
    name= kind= file= edit= check= expect= slow= block=
}

# one list of all, each name followed by the folder that it comes from
awk '/^#/ || !NF { next }
    { print }
    $1 == "probe" { split(FILENAME, path, "/"); print "block", path[2] }' \
    tests/*/probes.txt >"$work/list"

# one in three, by its name and the seed
awk -v seed="${SAMPLE:-1}" "$draw_mix"'
    $1 == "probe" && mix($2) % 3 == 0 { print $2 }' "$work/list" >"$work/drawn"

# unbroken first: a check that is always red proves nothing
awk -v quick="$quick" -v only="$only " -v draw="$draw" '
    function flush() {
        if (check != "" && !(quick != "" && slow) &&
            (draw == "" || name in drawn) &&
            (only == " " || index(only, " " name " ")))
            print rtl ? block : "-", check
        check = ""
        slow = 0
    }
    FILENAME == ARGV[1] { drawn[$1]; next }
    $1 == "probe" { flush(); name = $2 }
    $1 == "block" { block = $2 }
    $1 == "rtl" { rtl = 1 }
    $1 == "source" { rtl = 0 }
    $1 == "slow" { slow = 1 }
    $1 == "check" { sub(/^check /, ""); check = $0 }
    END { flush() }' \
    "$work/drawn" "$work/list" | sort -u >"$work/checks"
while read -r block c; do
    mine || continue
    base=
    [ "$block" = - ] || make_base "$block"
    if ! RTL=$base sh -c "$c" </dev/null >"$work/unbroken.log" 2>&1; then
        say FAILED unbroken "$c"
        tail -n 5 "$work/unbroken.log"
        failed=$((failed + 1))
    fi
done <"$work/checks"

name= kind= file= edit= check= expect= slow= block= seen=0
while read -r word rest; do
    case $word in
    '' | '#'*) ;;
    probe) flush; name=$rest ;;
    block) block=$rest ;;
    rtl | source) kind=$word file=$rest ;;
    edit) edit=$rest ;;
    check) check=$rest ;;
    expect) expect=$rest ;;
    slow) slow=1 ;;
    *) echo "error: probe '$name': unknown word '$word'" >&2; exit 2 ;;
    esac
done <"$work/list"
flush
if [ "$seen" != "$(grep -c '^probe ' "$work/list")" ]; then
    say FAILED "the list" "of its probes $seen came to their turn"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
