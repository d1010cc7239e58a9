#!/bin/sh
# cosim.sh - RTL against its golden model, cycle by cycle.
#
#   sh scripts/cosim.sh TARGET=nbu [SIM=verilator|icarus|golden] [PRESET=NAME]
#       [CONFIG=FILE] [SET="KEY=VALUE ..."] [RTL=DIR] [STIM=random|directed|..]
#       [RUN=FILE.yml [SIZE=NAME] [COUNT=words|names]] [KERNEL=FILE.ptx]
#       [SEED=N|random] [CYCLES=N] [EVENTS=FILE] [VALUES=FILE] [TRACE=FILE] [FROM=N]
#       [JSON=1] [REQUIRE_COVER=1] [WAVE=0] [CHECKS=1]
#
# RUN= replays what the kernels of a run description execute, with CYCLES=0
# (which is its default) once to the end, else over and over; COUNT=names counts
# the live registers of its candidates as the paper does (ndpcc --count); KERNEL=
# issues the instructions of a PTX file straight through.
#
# Emits the RTL with ndpgen, or takes the folder RTL that ndpgen filled earlier
# and the configuration that lies in it.  Compiles it for the simulator, once
# for each RTL: the products stay in $BUILD/cosim under a digest of what went
# in.  Runs; after a difference runs the same seed again, built with tracing,
# for a waveform of the last cycles (not with WAVE=0).  SIM=golden checks the
# model alone.  TRACE= writes every signal inside the RTL from cycle FROM on, whatever
# the run says (Verilator).  CHECKS=1 defines NDP_CHECKS: the RTL, too, holds what comes in
# against its contract, and stops the run when that is broken.
# `make cosim` calls this after building the tools.
#
# With JSON=1 standard output gets nothing but one JSON object, after bad input,
# too.  docs/cosim.md explains the words and the object.
#
# Exit status: 0 equal, 1 different, 2 bad input, 130 stopped by Ctrl-C or SIGTERM,
# and then nothing that it has started is left running.
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

here=$(cd "$(dirname "$0")/.." && pwd)
again=$here/scripts/cosim.sh
. "$here/scripts/stoppable.sh"
build=${BUILD:-$here/build}
out=${OUT:-$here/out}
# the bench; a test puts its own block in their place
lib=${COSIM_LIB:-$build/libbench.a}
vpi=${COSIM_VPI:-$build/ndp_bench.vpi}
model=${COSIM_MODEL:-$build/cosim_golden}
wave_cycles=2000

fail() {
    echo "error: $1" >&2
    exit 2
}

# the bench prints the object of a run; where none came about, this does
finish() {
    status=$?
    case $status in
    2) result='bad input' ;;
    130) result=interrupted ;;
    *) answered=1 ;;
    esac
    if [ -n "$JSON" ] && [ -z "$answered" ]; then
        case $TARGET in *[!a-z0-9_]*) TARGET= ;; esac
        printf '{\n  "target": "%s",\n  "result": "%s"\n}\n' "$TARGET" "$result"
    fi
    [ -z "$scratch" ] || rm -rf "$scratch"
    exit $status
}
scratch= answered= JSON= TARGET=
for word; do
    case $word in
    JSON=*) JSON=${word#*=} ;;
    TARGET=*) TARGET=${word#*=} ;;
    esac
done
trap finish EXIT

# --- what is wanted ----------------------------------------------------------

SIM=verilator PRESET= CONFIG= SET= RTL= STIM= RUN= SIZE= COUNT= KERNEL=
SEED=1 CYCLES= EVENTS= VALUES= TRACE= FROM= REQUIRE_COVER= WAVE=1 CHECKS=
replay="make cosim"
for word; do
    case $word in
    TARGET=* | SIM=* | PRESET=* | CONFIG=* | SET=* | RTL=* | STIM=* | \
        RUN=* | SIZE=* | COUNT=* | KERNEL=* | SEED=* | CYCLES=* | EVENTS=* | \
        VALUES=* | TRACE=* | FROM=* | JSON=* | REQUIRE_COVER=* | WAVE=* | CHECKS=*)
        name=${word%%=*} value=${word#*=}
        eval "$name=\$value"
        ;;
    *) fail "'$word' is not understood, expected TARGET=, SIM=, PRESET=, \
CONFIG=, SET=, RTL=, STIM=, RUN=, SIZE=, COUNT=, KERNEL=, SEED=, CYCLES=, \
EVENTS=, VALUES=, TRACE=, FROM=, JSON=, REQUIRE_COVER=, WAVE= or CHECKS=" ;;
    esac
    case $name in
    SEED | CYCLES | JSON | EVENTS | VALUES | TRACE | FROM | WAVE) ;; # the bench adds two of them
    *)
        case $value in
        '') ;;
        *[!A-Za-z0-9_./=-]*) replay="$replay $name='$value'" ;;
        *) replay="$replay $name=$value" ;;
        esac
        ;;
    esac
done
[ -n "$TARGET" ] || fail "no target, expected TARGET=, as in TARGET=nbu"
case $TARGET in
*[!a-z0-9_]*) fail "unknown target '$TARGET'" ;;
esac
case $SIM in
verilator | icarus | golden) ;;
*) fail "unknown simulator '$SIM', expected 'verilator', 'icarus' or \
'golden'" ;;
esac
whole() { # name, value
    case $2 in
    *[!0-9]* | ?????????????????????*) fail "$1=$2, expected a whole number" ;;
    esac
}
case $SEED in random | 0[xX]*) ;; *) whole SEED "$SEED" ;; esac
whole CYCLES "$CYCLES"
whole FROM "$FROM"
[ -z "$FROM" ] || [ -n "$VALUES$TRACE" ] || fail "FROM= goes with VALUES= or TRACE="
[ -z "$TRACE" ] || [ "$SIM" = verilator ] || fail "TRACE= goes with SIM=verilator"
case $STIM in
'' | random | directed | replay) ;;
*[!a-z_]*) fail "unknown STIM=$STIM, expected random, directed or replay" ;;
*) # a directed run by name, in the list at the head of the target's stimulus
    grep -qs "^ \* $STIM  *[a-z]" "verilator-tb/$TARGET/stim.c" ||
        fail "unknown STIM=$STIM, expected random, directed or replay"
    ;;
esac
case $COUNT in
'' | words | names) ;;
*) fail "unknown COUNT=$COUNT, expected words or names" ;;
esac
for file in "RUN=$RUN" "KERNEL=$KERNEL" "CONFIG=$CONFIG"; do
    [ -z "${file#*=}" ] || [ -r "${file#*=}" ] || fail "cannot read $file"
done
[ -z "$RUN" ] || [ -z "$KERNEL" ] || fail "expected RUN= or KERNEL=, found both"
[ -z "$SIZE" ] || [ -n "$RUN" ] || fail "SIZE= goes with RUN="
[ -z "$COUNT" ] || [ -n "$RUN" ] || fail "COUNT= goes with RUN="
[ -n "$STIM" ] || STIM=${RUN:+replay}
[ -n "$STIM" ] || STIM=${KERNEL:+replay}
[ -n "$STIM" ] || STIM=random
[ -z "$RUN$KERNEL" ] || [ "$STIM" = replay ] ||
    fail "RUN= and KERNEL= go with STIM=replay, expected no STIM=$STIM"
if [ -z "$CYCLES" ]; then
    case $SIM in
    icarus) CYCLES=20000 ;;
    *) CYCLES=1000000 ;;
    esac
    [ -z "$RUN" ] || CYCLES=0
fi
if [ -n "$RTL" ] && [ -n "$PRESET$CONFIG$SET" ]; then
    fail "RTL= brings its configuration, expected no PRESET=, CONFIG= or SET="
fi

mkdir -p "$build/cosim"
build=$(cd "$build" && pwd)
scratch=$(mktemp -d "$build/cosim/tmp.XXXXXX")
trap 'exit 130' TERM
stopped=

# ndpgen's messages name its options; these are the words that were written
in_our_words() {
    sed 's/--set \([a-z_]*\.\)/SET=\1/g; s/--\(preset\|config\) /\1= /g
        s/preset= /PRESET=/g; s/config= /CONFIG=/g'
}

# --- configuration and RTL ---------------------------------------------------

# the options that lead to the configuration, one positional parameter each
set --
label=
if [ -n "$RTL" ]; then
    label=$RTL
elif [ -n "$PRESET$CONFIG$SET" ]; then
    [ -z "$PRESET" ] || set -- "$@" --preset "$PRESET"
    [ -z "$CONFIG" ] || set -- "$@" --config "$CONFIG"
    for assignment in $SET; do
        set -- "$@" --set "$assignment"
    done
    label=$PRESET${CONFIG:+${PRESET:+,}$CONFIG}
    label=${label:-default}${SET:+,$(echo "$SET" | tr -s ' ' ,)}
fi

if [ "$SIM" != golden ]; then
    if [ -z "$RTL" ]; then
        RTL=$scratch/rtl
        generated=0
        "$build/ndpgen" --target "$TARGET" "$@" -o "$RTL" >"$scratch/log" 2>&1 ||
            generated=2
        in_our_words <"$scratch/log" >&2
        [ $generated = 0 ] || exit 2
    fi
    [ -d "$RTL" ] || fail "no folder '$RTL'"
    [ -f "$RTL/config.yml" ] ||
        fail "'$RTL' has no config.yml, expected a folder that ndpgen filled"
    wrapper=
    for file in "$RTL"/tb/*_"$TARGET"_tb.v; do
        wrapper=$file
    done
    [ -f "$wrapper" ] ||
        fail "'$RTL' has no tb/ndp_${TARGET}_tb.v, expected RTL of '$TARGET'"
    bench_top=$(basename "$wrapper" .v)
    list=${bench_top%_tb}.f
    [ -f "$RTL/$list" ] || fail "'$RTL' has no file list $list"
    # of a system the one that also shows what is inside
    probe=tb/${bench_top%_tb}_probe.v
    [ -f "$RTL/$probe" ] || probe=
    top=${probe:+$(basename "$probe" .v)}
    top=${top:-${bench_top%_tb}}
    set -- --config "$RTL/config.yml"
fi

set -- --target "$TARGET" --sim "$SIM" --stim "$STIM" --seed "$SEED" "$@"
[ -z "$label" ] || set -- --label "$label" "$@"
[ -z "$RUN" ] || set -- "$@" --run "$RUN"
[ -z "$SIZE" ] || set -- "$@" --size "$SIZE"
[ -z "$COUNT" ] || set -- "$@" --count "$COUNT"
[ -z "$KERNEL" ] || set -- "$@" --kernel "$KERNEL"

# --- building ----------------------------------------------------------------

# keep FOLDER: what was built there in scratch becomes the folder; when somebody
# else was faster, theirs is as good
keep() {
    [ -d "$1" ] || mv "$scratch/product" "$1" 2>/dev/null || [ -d "$1" ]
}

# true when file $1 is missing or older than one of the others
stale() {
    product=$1
    shift
    [ -f "$product" ] && [ -z "$(find "$@" -newer "$product")" ] && return 1
    return 0
}

# quietly_in FOLDER COMMAND...: its output matters only when it fails
quietly_in() {
    (cd "$1" && shift && "$@") >"$scratch/log" 2>&1 && return 0
    shift
    head -n 20 "$scratch/log" >&2
    fail "'$1' does not accept the RTL in '$RTL'"
}

# The bench knows the ports of the declaration; one that is wider, or one more,
# would pass unseen.  What the tool says of the shell that joins them is in
# $scratch/ports.
strange_ports() {
    [ -s "$scratch/ports" ] || return 0
    head -n 5 "$scratch/ports" >&2
    fail "the ports of the RTL in '$RTL' are not those of '$TARGET'"
}

# Verilator's own run-time part, common to all blocks: sets $runtime
build_runtime() {
    runtime=$build/cosim/verilated-$version${1:+-$1}
    [ ! -d "$runtime" ] || return 0
    mkdir "$scratch/product"
    for part in verilated verilated_threads ${1:+verilated_vcd_c}; do
        "${CXX:-g++}" -std=c++17 -O2 $flags -c "$root/include/$part.cpp" \
            -o "$scratch/product/$part.o"
    done
    keep "$runtime"
}

# build_verilator [trace]: sets $program
build_verilator() {
    root=$(verilator --getenv VERILATOR_ROOT)
    trace=${1:+1}
    flags="-I$root/include -isystem $root/include/vltstd -DVM_COVERAGE=0 \
-DVM_SC=0 -DVM_TRACE=${trace:-0}"
    build_runtime "$@"
    home=$build/cosim/$TARGET-$key-verilator${1:+-$1}
    if [ ! -d "$home" ]; then
        # make cannot work below a folder with a blank in its name
        case $scratch in
        *[[:space:]]*) room=$(mktemp -d) ;;
        *) room=$scratch ;;
        esac
        (cd "$RTL" && verilator --lint-only -Wno-lint -Wno-style \
            -Wwarn-WIDTH -Wwarn-PINMISSING --top-module "$bench_top" \
            -F "$list" ${probe:+"$probe"} "tb/$bench_top.v" 2>&1) |
            grep '^%Warning-[A-Z]*: tb/' >"$scratch/ports" || :
        strange_ports
        quietly_in . verilator --cc -O3 --x-assign unique --x-initial unique \
            -Wno-fatal -Wno-lint -Wno-style --top-module "$top" --prefix Vdut \
            ${CHECKS:+-DNDP_CHECKS} ${1:+--trace} -Mdir "$room/product" -F "$RTL/$list" \
            ${probe:+"$RTL/$probe"}
        # of megabytes a compiler makes fast code for longer than that saves
        if [ "$(cat "$room"/product/*.cpp | wc -c)" -gt 4200000 ]; then
            how='-j2 VM_PARALLEL_BUILDS=1 OPT_FAST=-O1 OPT_SLOW=-O0'
        else
            how='OPT_FAST=-O2 OPT_SLOW=-O1'
        fi
        # shellcheck disable=SC2086 # words
        quietly_in . make -s -C "$room/product" -f Vdut.mk CXX="${CXX:-g++}" \
            $how Vdut__ALL.a
        if [ "$room" != "$scratch" ]; then
            mv "$room/product" "$scratch/product"
            rm -r "$room"
        fi
        keep "$home"
    fi
    program=$home/cosim
    "$model" --target "$TARGET" --config "$RTL/config.yml" --ports \
        >"$scratch/dut_ports.inc" || fail "the bench cannot tell its ports"
    cmp -s "$scratch/dut_ports.inc" "$home/dut_ports.inc" ||
        mv "$scratch/dut_ports.inc" "$home/dut_ports.inc"
    stale "$program" "$lib" "$here/verilator-tb/bench/dut_verilator.cpp" \
        "$here/verilator-tb/bench/bench.h" "$home/dut_ports.inc" || return 0
    "${CXX:-g++}" -std=c++17 -O2 $flags -I"$home" -I"$here/verilator-tb" \
        "$here/verilator-tb/bench/dut_verilator.cpp" "$home/Vdut__ALL.a" \
        "$runtime"/*.o "$lib" -lyaml -ljansson -lelf -lm -pthread \
        -o "$scratch/cosim" ||
        fail "cannot link the simulation, see above"
    mv "$scratch/cosim" "$program"
}

# build_icarus [trace]: sets $program
build_icarus() {
    trace=${1-}
    program=$build/cosim/$TARGET-$key-icarus${1:+-$1}.vvp
    [ ! -f "$program" ] || return 0
    set -- -g2005 -o "$scratch/vvp" -s "$bench_top" ${trace:+-s ndp_wave} \
        ${CHECKS:+-DNDP_CHECKS}
    [ -z "$trace" ] || set -- "$@" -DNDP_TOP="$bench_top" \
        "$here/verilator-tb/bench/ndp_wave.v"
    # from there, as the file list is relative
    quietly_in "$RTL" iverilog "$@" -c "$list" ${probe:+"$probe"} \
        "tb/$bench_top.v"
    grep '^tb/.* Port .* expects' "$scratch/log" >"$scratch/ports" || :
    strange_ports
    mv "$scratch/vvp" "$program"
}

# --- running -----------------------------------------------------------------

# run ARGUMENTS: the program that was built last
run() {
    trap stopped=1 TERM # the bench prints what it has
    [ -z "$stopped" ] || return 130
    case $SIM in
    golden) "$model" "$@" ;;
    verilator) "$program" "$@" ;;
    icarus)
        vvp -n -M "$(dirname "$vpi")" -m "$(basename "$vpi" .vpi)" \
            "$program" "$@"
        ;;
    esac
}

# draw ARGUMENTS: the same run again, with a waveform of its end
draw() {
    read -r last seed <"$scratch/result"
    from=$((last > wave_cycles ? last - wave_cycles : 0))
    mkdir -p "$out"
    "build_$SIM" trace
    set -- "$@" --seed "$seed" --cycles $((last + 1)) --wave-from "$from" \
        --result /dev/null --events /dev/null --values /dev/null --quiet
    case $SIM in
    verilator) run "$@" || : ;;
    icarus) run "$@" "+wave=$wave" "+from=$from" >/dev/null || : ;;
    esac
    [ -s "$wave" ] || echo "warning: no waveform could be drawn" >&2
}

if [ "$SIM" != golden ]; then
    case $SIM in
    verilator) version=$(verilator --version | sha256sum | cut -c1-8) ;;
    icarus) version=$(iverilog -V | sha256sum | cut -c1-8) ;;
    esac
    # comments do not count: they name the command that made the RTL
    key=$(cat "$RTL"/rtl/*.v "$RTL"/tb/*.v "$RTL/$list" |
        sed "/^ *\\/\\//d" | sha256sum | cut -c1-16)-$version${CHECKS:+-checks}
    "build_$SIM" ${TRACE:+trace}
fi
wave=
if [ "$SIM" != golden ] && [ "$WAVE" != 0 ] && [ -z "$TRACE" ]; then
    wave=$out/cosim-$TARGET-$SIM-$STIM.vcd
    set -- "$@" --wave "$wave"
fi
set -- "$@" --result "$scratch/result"
[ -z "$EVENTS" ] || set -- "$@" --events "$EVENTS"
[ -z "$VALUES" ] || set -- "$@" --values "$VALUES" --wave-from "${FROM:-0}"
[ -z "$TRACE" ] || set -- "$@" --wave "$TRACE" --wave-from "${FROM:-0}"
[ -z "$JSON" ] || set -- "$@" --json
[ -z "$REQUIRE_COVER" ] || set -- "$@" --require-cover
status=0
if [ -n "$JSON" ]; then
    run "$@" --cycles "$CYCLES" --replay "$replay" >"$scratch/json" || status=$?
    [ ! -s "$scratch/json" ] || answered=1
    cat "$scratch/json" || exit 2
else
    run "$@" --cycles "$CYCLES" --replay "$replay" || status=$?
fi
# a simulator that does not find the bench ends well, too
[ "$status" = 2 ] || [ "$status" = 130 ] || [ -s "$scratch/result" ] ||
    fail "the run is over and the bench says nothing of it"
if [ -n "$wave" ] && [ -f "$scratch/result" ] &&
    ! grep -qx equal "$scratch/result"; then
    draw "$@" >&2
fi
exit "$status"
