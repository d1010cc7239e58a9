#!/bin/sh
# speed.sh - how many instructions fixed work takes, and whether that changed.
#
# Runs what tests/bench/work.txt lists under callgrind, which counts the same on
# every run and however busy the machine is, and holds the counts against
# tests/bench/baseline.tsv.  docs/speed.md says what counts and what does not.
set -eu

usage() {
    cat <<'END'
usage: sh scripts/speed.sh [OPTION...]

  --only REGEX  only items whose name matches: 'nbu', '^model', 'system'
  --json        print the counts as JSON and compare nothing
  --update      record the counts in tests/bench/baseline.tsv
  --help        this text

A count that has moved by more than 5 % is reported; by more than 20 %, better or
worse, it fails until it is recorded on purpose.  So does an item without a
count, and a count without its item.

Counts of other tools, of another C library or of another class of CPU than the
recorded ones are shown and not compared: 'NOT CHECKED' says how many, and the
exit status is 0.

Environment: BUILD (build), JOBS (2); SPEED_WORK and SPEED_RECORD, other files
than tests/bench/work.txt and tests/bench/baseline.tsv.
Exit status: 0 as recorded, 1 moved, 2 bad use or a program failed.
END
}

LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."
build=${BUILD:-build}
jobs=${JOBS:-2}
work=${SPEED_WORK:-tests/bench/work.txt}
record=${SPEED_RECORD:-tests/bench/baseline.tsv}
room=$build/speed
rules=tests/bench

die() { # message
    echo "${0##*/}: error: $1" >&2
    exit 2
}

only= mode=show
while [ $# -gt 0 ]; do
    case $1 in
    --only)
        [ $# -ge 2 ] || die "'$1' needs a value"
        only=$2
        shift
        ;;
    --json) mode=json ;;
    --update) mode=update ;;
    --help | -h)
        usage
        exit 0
        ;;
    --one) # of the list of jobs, called by xargs
        mode=one job=$2
        break
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done

# --- one item ----------------------------------------------------------------

# The C library has variants of its functions by CPU and chooses sizes by cache.
# What has no effect under this Valgrind stands here for a later one.
plain_cpu=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-FMA,-FMA4,-ERMS,-FSRM,\
-BMI2,-SSE4_1,-SSE4_2,-SSSE3,-LZCNT,-RTM,-AVX_Fast_Unaligned_Load,\
-Fast_Unaligned_Copy,-Fast_Copy_Backward:glibc.cpu.x86_data_cache_size=0x8000:\
glibc.cpu.x86_shared_cache_size=0x100000:\
glibc.cpu.x86_non_temporal_threshold=0xc0000:\
glibc.cpu.x86_rep_movsb_threshold=0x800:glibc.cpu.x86_rep_stosb_threshold=0x800

# count FILE LEAVE PROGRAM...: instructions of main and what it calls go into
# FILE, but for the functions LEAVE, apart by '|'.  What is left out depends on
# the clock (reports print a speed) or on threads.
count() {
    file=$1 leave=$2
    shift 2
    set -f
    old_ifs=$IFS
    IFS='|'
    for f in $leave; do
        set -- "--toggle-collect=$f" "$@"
    done
    IFS=$old_ifs
    rm -f "$file"
    env -i PATH="$PATH" LC_ALL=C LD_BIND_NOW=1 GLIBC_TUNABLES="$plain_cpu" \
        valgrind --tool=callgrind --callgrind-out-file="$file" \
        --compress-strings=no --compress-pos=no --dump-line=no \
        --toggle-collect=main "$@" >"$file.out" 2>&1 || {
        tail -n 20 "$file.out" >&2
        die "'$*' failed under valgrind"
    }
    [ -s "$file" ] || die "valgrind wrote no '$file'"
}

total() { # file
    awk '/^(summary|totals):/ { n = $2 } END { print n + 0 }' "$1"
}

# What callgrind says of all calls of a function together.
of_calls() { # file, function
    awk -v name="$2" '
        /^cfn=/ { hit = substr($0, 5) == name }
        /^calls=/ { getline; if (hit) n += $NF; hit = 0 }
        END { printf "%.0f\n", n }' "$1"
}

# The program that scripts/cosim.sh links for a preset, in a room of its own.
lockstep_program() { # target, preset; sets $program
    home=$room/$1-$2
    rm -rf "$home/rtl"
    mkdir -p "$home"
    "$build/ndpgen" --target "$1" --preset "$2" -o "$home/rtl" >"$home/log" 2>&1 ||
        die "ndpgen failed on target '$1', preset '$2'"
    # built for other RTL; two would be one too many
    cat "$home"/rtl/rtl/*.v "$home"/rtl/tb/*.v | grep -v '^ *//' | sha256sum \
        >"$home/new"
    cmp -s "$home/new" "$home/old" || rm -rf "$home/cosim"
    # Verilator's own part is that of the others
    mkdir -p "$home/cosim"
    for d in "$room"/*/cosim/verilated-*; do
        [ ! -d "$d" ] || [ -d "$home/cosim/${d##*/}" ] || cp -r "$d" "$home/cosim"
    done
    BUILD=$home COSIM_LIB=$PWD/$build/libbench.a \
        COSIM_MODEL=$PWD/$build/cosim_golden sh scripts/cosim.sh TARGET="$1" \
        RTL="$home/rtl" STIM=random CYCLES=100 WAVE=0 >"$home/log" 2>&1 || {
        cat "$home/log" >&2
        die "the lock-step of target '$1', preset '$2' cannot be built or differs"
    }
    mv "$home/new" "$home/old"
    program=
    for f in "$home"/cosim/"$1"-*-verilator/cosim; do
        [ -z "$program" ] || die "two programs in '$home/cosim'"
        program=$f
    done
}

# lockstep FILE TARGET PRESET WORD...
lockstep() {
    file=$1 target=$2 preset=$3
    shift 3
    lockstep_program "$target" "$preset"
    cycles= replay=
    for word; do
        case $word in
        CYCLES=*) cycles=${word#*=} ;;
        RUN=*) replay=${word#*=} ;;
        *) die "'$word' in '$work', expected CYCLES= or RUN=" ;;
        esac
    done
    set -- --target "$target" --sim verilator --seed 1 --cycles "$cycles" \
        --config "$home/rtl/config.yml"
    if [ -n "$replay" ]; then
        set -- "$@" --stim replay --run "$replay"
    else
        set -- "$@" --stim random
    fi
    count "$file" "bench_open|bench_close|VerilatedContext::VerilatedContext()|\
VerilatedContext::~VerilatedContext()" "$program" "$@"
}

# A line 'kind name: words' of the list: prints rows 'tool item work count'.
one() {
    kind=${1%% *} words=${1#*: }
    name=${1%%: *} name=${name#* }
    file=$room/$(echo "$1" | tr -c 'A-Za-z0-9._\n' - | cut -c 1-60).callgrind
    case $words in
    *'{kernel '*'}'*)
        n=${words#*\{kernel } n=${n%%\}*}
        awk -v n="$n" -f $rules/kernel.awk >"$room/kernel-$n.ptx"
        ready="${words%%\{*}$room/kernel-$n.ptx${words#*\}}"
        ;;
    *) ready=$words ;;
    esac
    # words of a list have no blanks in them
    # shellcheck disable=SC2086
    case $kind in
    lock-step)
        lockstep "$file" $name $ready
        row "$tools,$rtl_tools" "rtl $name/$preset" "${words#* }" \
            "$(of_calls "$file" 'Vdut::eval_step()')"
        row "$tools,$rtl_tools" "lock-step $name/$preset" "${words#* }" \
            "$(total "$file")"
        ;;
    *)
        leave='printf|fprintf'
        [ "$kind" != reader ] || leave=
        set -- $ready
        program=$build/$1
        [ -x "$program" ] || die "no '$program', run make first"
        shift
        count "$file" "$leave" "$program" "$@"
        row "$tools" "$kind $name" "$words" "$(total "$file")"
        ;;
    esac >"$file.rows"
    rm -f "$file" "$file.out"
}

row() { # tools, item, work, count
    [ "$4" -gt 0 ] || die "'$2' took no instructions"
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4"
}

if [ $mode = one ]; then
    one "$job"
    exit 0
fi

# --- all ---------------------------------------------------------------------

for t in valgrind verilator; do
    if ! command -v $t >/dev/null 2>&1; then
        echo "speed.sh: skipped, no $t on this machine" >&2
        echo "0 passed, 0 failed"
        exit 0
    fi
done
[ -r "$work" ] || die "cannot read '$work'"

# What a count depends on besides the work.  The executor has loops for AVX2.
cpu=$(uname -m)
! grep -q '^flags.* avx2 ' /proc/cpuinfo || cpu=$cpu-v3
tools=$(valgrind --version),gcc-$("${CC:-gcc}" -dumpfullversion),$(
    getconf GNU_LIBC_VERSION | tr ' ' -),$cpu
# given to make; the Makefile's own are part of what is measured
[ -z "${CFLAGS:-}" ] ||
    tools=$tools,flags-$(echo "$CFLAGS" | sha256sum | cut -c 1-8)
rtl_tools=verilator-$(verilator --version | cut -d ' ' -f 2),g++-$(
    "${CXX:-g++}" -dumpfullversion)
export tools rtl_tools

mkdir -p "$room"
rm -f "$room"/*.rows
sed '/^#/d; /^ *$/d' "$work" >"$room/all"
awk -v only="$only" -F ': ' '
    only == "" || $1 ~ only { print; next }
    # the name of a lock-step in the record has the preset in it
    !/^lock-step / { next }
    { split($2, w, " "); name = $1 "/" w[1] }
    name ~ only || ("rtl" substr(name, index(name, " "))) ~ only' \
    "$room/all" >"$room/jobs"
[ -s "$room/jobs" ] || die "no item matches '$only'"
# the longest first: what has to be compiled
{
    grep '^lock-step system' "$room/jobs" || :
    grep '^lock-step [^s]' "$room/jobs" || :
    grep -v '^lock-step ' "$room/jobs" || :
} | tr '\n' '\0' |
    xargs -0 -n 1 -P "$jobs" sh scripts/speed.sh --one ||
    die "an item failed, see above"
new=$room/counts.tsv
while read -r line; do
    cat "$room/$(echo "$line" | tr -c 'A-Za-z0-9._\n' - |
        cut -c 1-60).callgrind.rows"
done <"$room/jobs" >"$new"
whole=
[ -n "$only" ] || whole=1

if [ $mode = json ]; then
    awk -F '\t' '
        BEGIN { print "{\"schema\": \"speed-1\", \"rows\": [" }
        {
            printf "%s  {\"item\": \"%s\", \"work\": \"%s\", " \
                "\"instructions\": %s, \"tools\": \"%s\"}", \
                (NR > 1 ? ",\n" : ""), $2, $3, $4, $1
        }
        END { print "\n]}" }' "$new"
    exit 0
fi
awk -f $rules/speed_table.awk "$new"
# a model without an item would be watched by nobody
missing=
if [ -z "$only" ]; then
    for f in tests/*/bench_*.c; do
        t=${f#tests/} t=${t%%/*}
        [ "${f##*/}" != "bench_$t.c" ] || grep -q "^model $t: " "$room/all" ||
            missing="$missing $t"
    done
fi
if [ $mode = update ]; then
    [ -f "$record" ] || : >"$record"
    awk -v whole="$whole" -f $rules/speed_merge.awk "$new" "$record" \
        >"$record.new"
    mv "$record.new" "$record"
    echo "recorded $(grep -c . "$new") rows in $record"
    exit 0
fi
[ -f "$record" ] || record=/dev/null
awk -v command="make speed UPDATE=1" -v whole="$whole" -v missing="$missing" \
    -v record="$record" -f $rules/speed.awk "$record" "$new"
