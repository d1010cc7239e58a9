#!/bin/sh
# timing.sh - how fast each block runs on an iCE40, placed and routed.
#
# A wide block has more pins than any part, so it is wrapped: inputs from a
# shift register, outputs through registers and XORs to one pin (see
# tests/area/harness.awk).  The seed of the placer alone moves the result by ten
# per cent, so several are run and the median and the worst are given.  Slow;
# 'make area' does not need it.
set -eu

usage() {
    cat <<'END'
usage: sh scripts/timing.sh [OPTION...]

  --target T   only this target (default: all that ndpgen lists)
  --preset P   default small: the sizes that fit the part
  --set KEY=VALUE, --config FILE
               a configuration of yours, over the defaults or over --preset;
               goes with --target.  Its figures are shown as of preset 'own',
               compared with nothing and never recorded
  --device D   hx8k or up5k (default: both)
  --seeds N    default 8; one without a legal placement, or not ready within
               --limit, is left out, and the figures say of how many they are
  --limit S    seconds that a seed may take, default 1800
  --salt WORD  seeds hashed from this word and 1, 2, ... instead of these
               numbers themselves; the generator of nextpnr makes numbers that
               follow each other alike.  Goes with a configuration of yours or
               --json
  --path       also print the cells of the longest path of the worst seed
  --json       print the figures as JSON and compare nothing
  --update     record them: tests/area/timing.tsv, and from it docs/cost.md
  --help       this text

Figures of another version of Yosys or nextpnr than the recorded one are shown
and not compared: 'NOT CHECKED' says how many rows, and the exit status is 0.

tests/TARGET/timing.txt, where there is one, says what is otherwise for a target:
'open PREFIX', outputs that nothing reads, and 'freq MHz', what nextpnr aims at.

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2).
Exit status: 0 as recorded, 1 different, 2 bad use or a tool failed.
END
}

cd "$(dirname "$0")/.."
. scripts/cost.sh

target=
preset=
devices="hx8k up5k"
seeds=8
limit=1800
salt=
mode=show
path=
while [ $# -gt 0 ]; do
    case $1 in
    --target | --preset | --device | --seeds | --limit | --salt)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        --target) target=$2 ;;
        --preset) preset=$2 ;;
        --device) devices=$2 ;;
        --seeds) seeds=$2 ;;
        --limit) limit=$2 ;;
        --salt) salt=$2 ;;
        esac
        shift
        ;;
    --set | --config)
        [ $# -ge 2 ] || die "'$1' needs a value"
        take_own "$1" "$2"
        shift
        ;;
    --path) path=1 ;;
    --json) mode=json ;;
    --update) mode=update ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done
check_own "$target" "$mode"
if is_own; then
    own_base=$preset preset=own
    [ $mode != show ] || mode=own
fi
preset=${preset:-small}
[ -z "$salt" ] || [ "$mode" = json ] || [ "$mode" = own ] ||
    die "the record is of seeds without '--salt'"
case $salt in
*[!A-Za-z0-9]*) die "'--salt' is '$salt', expected letters and digits" ;;
esac
case $seeds in
'' | 0* | *[!0-9]*) die "'--seeds' is '$seeds', expected a number from 1" ;;
esac
case $limit in
'' | 0* | *[!0-9]*) die "'--limit' is '$limit', expected seconds from 1" ;;
esac
# What nextpnr and Yosys want to know of a device.
use_device() { # device
    device=$1 dsp=
    case $device in
    hx8k) part="--hx8k --package ct256" freq=100 ;;
    up5k) part="--up5k --package sg48" freq=40 dsp=-dsp ;;
    *) die "unknown device '$device', expected hx8k or up5k" ;;
    esac
}
for d in $devices; do
    use_device "$d"
done
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
for tool in yosys nextpnr-ice40; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "timing.sh: skipped, no $tool on this machine" >&2
        echo "0 passed, 0 failed"
        exit 0
    fi
done
tool=yosys-$(yosys -V | awk '{ print $2 }')
tool=$tool,nextpnr-$(nextpnr-ice40 --version 2>&1 |
    sed -n 's/.*(Version \([^)]*\)).*/\1/p')

# What tests/TARGET/timing.txt says of a word, nothing without the file.
otherwise() { # word
    [ ! -f "tests/$t/timing.txt" ] ||
        awk -v word="$1" '$1 == word { print $2 }' "tests/$t/timing.txt"
}

# Wrap and synthesise one target into $dir/harness.json.
wrap() {
    top=$(cat "$dir/top")
    yosys -Q -p "read_verilog $(echo "$dir"/src/*.v); hierarchy -check -top $top
        portlist $top" >"$dir/ports" || die "yosys does not read '$top'"
    awk -v top="$top" -v open="$(otherwise open)" -f $cost/harness.awk \
        "$dir/ports" >"$dir/harness.v"
    yosys -q -l "$dir/harness.log" -p "
        read_verilog $(echo "$dir"/src/*.v) $dir/harness.v
        hierarchy -check -top harness
        synth_ice40 $dsp -flatten -json $dir/harness.json" \
        >"$dir/harness.out" 2>&1 || {
        cat "$dir/harness.out" >&2
        die "yosys failed on the harness of '$top'"
    }
}

# What a log ends with if its seed was not ready within the limit.
too_long="timing.sh: stopped after $limit seconds"

# One line a seed: MHz.
place() {
    n=0
    while [ $n -lt "$seeds" ]; do
        n=$((n + 1))
        echo "$n"
    done | xargs -I SEED -P "$jobs" sh -c "seed=SEED
        [ -z '$salt' ] || seed=\$((0x\$(echo '$salt' SEED |
            sha256sum | cut -c 1-7)))
        timeout $limit nextpnr-ice40 $part --freq ${aim:-$freq} \
            --timing-allow-fail --seed \$seed --json '$dir/harness.json' \
            >'$dir/$device-SEED.log' 2>&1
        [ \$? != 124 ] || echo '$too_long' >>'$dir/$device-SEED.log'"
    n=0
    while [ $n -lt "$seeds" ]; do
        n=$((n + 1))
        # it is said twice, the first time before routing
        sed -n 's/.*Max frequency for clock .*: *\([0-9.]*\) MHz.*/\1/p' \
            "$dir/$device-$n.log" | sed -n 2p | grep . || {
            # too large for the part is an answer, and that it takes too long;
            # anything else is not
            grep -q -e 'Unable to place' -e 'Unable to find legal placement' \
                -e 'out of capacity' -e 'no more.*available' -e "^$too_long" \
                "$dir/$device-$n.log" || {
                grep '^ERROR' "$dir/$device-$n.log" >&2 || :
                die "nextpnr did not place '$t', log in $dir/$device-$n.log"
            }
        }
    done
}

used() { # resource
    sed -n "s,.*$1: *\([0-9]*\)/.*,\1,p" "$dir/$device-1.log" | tail -n 1
}

new=$build/area/timing-new.tsv
mkdir -p "$build/area"
targets=$(list_targets "$target")
grep '^tool' $cost/timing.tsv >"$new"

# One row of the table; MHz of the seeds come in, none if it does not fit.
row() {
    sort -n | awk -v OFS='\t' -v tool="$tool" -v t="$t" -v p="$preset" \
        -v d="$device" -v cells="$(used ICESTORM_LC)" \
        -v ram="$(used ICESTORM_RAM)" -v seeds="$seeds" '
        { mhz[NR] = $1 }
        END {
            if (NR == 0) {
                print tool, t, p, d, cells, ram, seeds, "-", "-"
                exit
            }
            median = (mhz[int((NR + 1) / 2)] + mhz[int(NR / 2) + 1]) / 2
            print tool, t, p, d, cells, ram, NR, sprintf("%.1f", median), \
                sprintf("%.1f", mhz[1])
        }'
}

longest_path() {
    worst=$(awk '!n || $1 < low { low = $1; seed = NR; n = 1 }
                 END { print seed }' "$dir/$device.mhz")
    echo "longest path of $t, seed $worst (ns of the step, ns so far, pin):"
    awk '/^Info: Critical path report for clock/ { on = 1; s = "" }
         /^Info: Critical path report for cross/ { on = 0 }
         on && /Source|Sink|Setup/ {
             sub(/^Info: */, "")
             s = s "  " $0 "\n"
         }
         END { printf "%s", s }' "$dir/$device-$worst.log"
}

for t in $targets; do
    prepare "$t" "$preset"
    for d in $devices; do
        use_device "$d"
        aim=$(otherwise freq)
        [ ! -t 2 ] ||
            echo "timing: $t at $preset, $seeds seeds on $device" >&2
        wrap
        place >"$dir/$device.mhz"
        row <"$dir/$device.mhz" >>"$new"
        [ -z "$path" ] || longest_path
    done
done

if [ "$mode" = json ]; then
    awk -v schema=timing-1 -f $cost/json.awk "$new"
    exit 0
fi
awk -F '\t' '$1 != "tool" && $8 == "-" {
    printf "%s at %s on %s: does not fit, or is not routed: %s cells and " \
        "%s block RAMs with the harness\n", $2, $3, $4, $5, $6
    next
}
$1 != "tool" {
    printf "%s at %s on %s: %s cells and %s block RAMs with the harness, " \
        "%s MHz median and %s MHz worst of %s seeds\n", $2, $3, $4, $5, $6, $8,
        $9, $7
}' "$new"
[ $mode = own ] || settle "$new" $cost/timing.tsv "$mode" \
    "make timing UPDATE=1${target:+ TARGET=$target}" ""
[ "$mode" != update ] || report
