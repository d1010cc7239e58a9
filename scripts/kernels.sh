#!/bin/sh
# kernels.sh - every kernel of kernels/ on the plain machine.
#
# usage: kernels.sh [--verilator] [--icarus] [NAME ...]      (default: all)
#
# All but *_tom, which are other inputs of the same kernels, for docs/figures-tom.md.
# Runs each run description at size small on the golden machine of preset plain
# and prints a row for it: what it did, and the verdict, which is that of its
# CPU reference.  A kernel that is refused or stopped is listed with the reason;
# those that fetch from textures must be refused, since no machine has a unit for
# them.
#
# With --verilator each also runs on the RTL of plain in Verilator, which takes
# minutes to build.  With --icarus a few at size tiny on the RTL of a smaller
# form (tests/system/few.yml) in Icarus.  Of both every buffer and every counter,
# cycles among them, must be those of the golden machine of that configuration.
#
# UPDATE=1 does all of that and writes docs/kernels.md from docs/pages/kernels.
# Environment: BUILD, JOBS (2), FORM (options for ndpgen in the place of
# "--preset plain" for the RTL in Verilator), SIZE (small).
#
# Exit status: 0 all right, 1 a kernel is wrong, refused or differs, 2 bad use.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
SIZE=${SIZE:-small}
work=$BUILD/kernels
plain=${FORM:---preset plain}
icarus_form="--preset plain --config tests/system/few.yml"
icarus_names="axpy hist nw raytrace ttrans"

fail() {
    echo "kernels.sh: error: $1" >&2
    exit 2
}

sims= names=
for word; do
    case $word in
    --verilator | --icarus) sims="$sims ${word#--}" ;;
    -*) fail "unknown option '$word', expected --verilator or --icarus" ;;
    *)
        ls kernels/*/"$word.yml" >/dev/null 2>&1 ||
            fail "there is no kernel '$word', see: ls kernels/*/*.yml"
        names="$names $word"
        ;;
    esac
done
if [ -n "${UPDATE:-}" ]; then
    [ -z "$names" ] || fail "UPDATE=1 goes with all kernels, expected no name"
    [ -z "${FORM:-}" ] && [ "$SIZE" = small ] ||
        fail "UPDATE=1 goes with preset plain and size small"
    sims="verilator icarus"
fi
[ -n "$names" ] ||
    names=$(for f in kernels/*/*.yml; do basename "$f" .yml; done | grep -v '_tom$')
path_of() { ls kernels/*/"$1.yml"; }
all=$names names='' textured=''
for n in $all; do
    if grep -q '^textures:' "$(path_of "$n")"; then
        textured="$textured $n"
    else
        names="$names $n"
    fi
done

mkdir -p "$work"
: >"$work/failures"
status=0

# --- the golden machine ---------------------------------------------------------

# shellcheck disable=SC2046
set -- $(for n in $names; do path_of "$n"; done)
: >"$work/refused"
echo '{"results": []}' | tee "$work/golden.json" >"$work/sim.json"
if [ $# -gt 0 ]; then
    "$BUILD/ndprun" "$@" --size "$SIZE" --json >"$work/golden.json" \
        2>"$work/refused" || status=1
    [ -s "$work/golden.json" ] || { cat "$work/refused" >&2; exit 2; }
    "$BUILD/ndpsim" "$@" --size "$SIZE" --json >"$work/sim.json" || status=1
fi

# --- what no machine can do ---------------------------------------------------

# One that runs after all is a failure, and so is one that ndpsim finds wrong.
echo '{"list": [' >"$work/textured.json"
between=
for n in $textured; do
    "$BUILD/ndpsim" "$(path_of "$n")" --size "$SIZE" >"$work/log" 2>&1 ||
        { cat "$work/log" >>"$work/failures"; }
    "$BUILD/ndprun" "$(path_of "$n")" --size "$SIZE" >"$work/log" 2>&1 &&
        echo "$n: runs, though it has textures" >>"$work/failures"
    why=$(sed -n "s/.*: error: no instructions for '\([^']*\)': \(the machines \
have no texture unit\).*/\"opcode\": \"\1\", \"reason\": \"\2\"/p" "$work/log" |
        head -n 1)
    [ -n "$why" ] || {
        echo "$n: not refused for its textures"
        cat "$work/log"
    } >>"$work/failures"
    [ -n "$why" ] || why='"opcode": "?", "reason": "it is not"'
    printf '%s{"name": "%s", %s}\n' "$between" "$n" "$why" \
        >>"$work/textured.json"
    between=', '
done
echo ']}' >>"$work/textured.json"

# --- the RTL ----------------------------------------------------------------------

# emit FOLDER SIMULATOR OPTIONS: RTL and its program; what is there and the same
# stays
emit() {
    dir=$1 sim=$2
    shift 2
    rm -rf "$dir.new"
    # shellcheck disable=SC2086
    "$BUILD/ndpgen" --target system $* -o "$dir.new" >"$work/log" ||
        { cat "$work/log" >&2; exit 2; }
    if diff -r "$dir.new/rtl" "$dir/rtl" >/dev/null 2>&1; then
        cp "$dir.new/config.yml" "$dir"
        rm -rf "$dir.new"
    else
        rm -rf "$dir"
        mv "$dir.new" "$dir"
    fi
    sh scripts/machine.sh "$sim" "$dir" || exit 1
}

# each SIMULATOR FOLDER SIZE NAME...: the kernels there, compared with the golden
# machine; what is equal goes to the simulator's list
each() {
    sim=$1 dir=$2 size=$3
    shift 3
    mkdir -p "$work/$sim"
    for n; do echo "$n $(path_of "$n")"; done | BUILD=$BUILD xargs -P "$JOBS" \
        -L 1 sh -c '
        out=$0/$1/$4
        of() {
            "$BUILD/ndprun" "$5" --size "$3" --device "$6" --json
        }
        of "$@" "golden:$2/config.yml" >"$out.golden" 2>"$out.log" &&
            of "$@" "$1:$2" >"$out.json" 2>>"$out.log"
        code=$?
        sed -i "/^  .device.: /d" "$out.golden" "$out.json"
        if [ $code -gt 1 ] || ! cmp -s "$out.golden" "$out.json" ||
            ! grep -q "\"verdict\": \"right\"" "$out.json"; then
            echo "$4 in $1: not right, or not what the golden machine does"
            cat "$out.log"
            diff "$out.golden" "$out.json" || :
        else
            echo "$4 in $1: the same bytes and cycles" >&2
            : >"$out.same"
        fi' "$work" "$sim" "$dir" "$size" >>"$work/failures"
    { printf '{"none": false'
      for n; do
          [ ! -f "$work/$sim/$n.same" ] ||
              sed -n "s/^ *\"cycles\": \([0-9]*\),/, \"$n\": \1/p" \
                  "$work/$sim/$n.json"
      done
      echo '}'; } >"$work/$sim.json"
}

echo '{"none": false}' >"$work/verilator.json"
cp "$work/verilator.json" "$work/icarus.json"
for sim in $sims; do
    rm -rf "${work:?}/$sim"
    case $sim in
    verilator)
        emit "$work/plain" verilator "$plain"
        # shellcheck disable=SC2086
        [ -z "$names" ] || each verilator "$work/plain" "$SIZE" $names
        ;;
    icarus)
        emit "$work/few" icarus "$icarus_form"
        # shellcheck disable=SC2086
        each icarus "$work/few" tiny $icarus_names
        ;;
    esac
done

# --- the report --------------------------------------------------------------------

report() { # TEMPLATE FILE
    "$BUILD/ndppage" "docs/pages/kernels/$1" golden="$work/golden.json" \
        sim="$work/sim.json" verilator="$work/verilator.json" \
        textured="$work/textured.json" \
        icarus="$work/icarus.json" -o "$2"
}
report kernels.txt -
cat "$work/refused" "$work/failures"
[ ! -s "$work/failures" ] || status=1
if [ -n "${UPDATE:-}" ] && [ "$status" = 0 ]; then
    report kernels.md docs/kernels.md
    echo "wrote docs/kernels.md"
fi
exit "$status"
