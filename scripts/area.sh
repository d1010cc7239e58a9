#!/bin/sh
# area.sh - how big each block is, and whether that changed.
#
# Generates every target at every preset, synthesises it out of context with
# Yosys (gates without any technology and iCE40; at preset small ECP5, Xilinx 7 and
# Gowin, too) and holds the figures against tests/area/baseline.tsv.  Any difference,
# better or worse, fails until it is recorded on purpose.  Unchanged RTL is not
# synthesised again: build/area/ keeps what a hash of sources, scripts and tool
# versions names, and `make check` puts there what its ledger vouches for
# (scripts/jobs/area.py).
set -eu

usage() {
    cat <<'END'
usage: sh scripts/area.sh [OPTION...] [LIB=FILE.lib]

  --target T   only this target (default: all that ndpgen lists)
  --preset P   only this preset (default: small, and the sizes of the
               block's paper; or what tests/T/area.txt lists)
  --set KEY=VALUE, --config FILE
               a configuration of yours, over the defaults or over --preset;
               goes with --target.  Its figures are shown as of preset 'own',
               compared with nothing and never recorded
  --flow F     only this flow: ice40 ecp5 xc7 gowin gates
  --modules    only show which module has how many gate equivalents
  --json       print the figures as JSON and compare nothing
  --report     only print every recorded figure as Markdown: parameters, commands
               and tools of each block beside it
  --update     record the figures: tests/area/baseline.tsv, and from it
               docs/cost.md and docs/img/area.svg
  --help       this text
  LIB=FILE     also map to the cells of this liberty file and print the area
               in its unit, with --json as a row of flow 'lib'; shown only,
               never recorded.  A cell that it gives no area is an error

Flows: 'hx8k' comes with ice40 and is what nextpnr packs into logic cells of an
iCE40 HX8K.  'gates' counts transistors of NAND, NOR, NOT and plain flip-flops
over four; memories stay apart, in bits.

Figures of another version of Yosys or nextpnr than the recorded one are shown
and not compared: 'NOT CHECKED' says how many rows, and the exit status is 0.

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2).
Exit status: 0 as recorded, 1 different, 2 bad use or a tool failed.
END
}

cd "$(dirname "$0")/.."
. scripts/cost.sh

target=
usual="paper small"
presets=$usual
every_flow="gates xc7 ice40 ecp5 gowin"
flows=$every_flow
mode=show
lib=
whole=1
while [ $# -gt 0 ]; do
    case $1 in
    --target | --preset | --flow)
        [ $# -ge 2 ] || die "'$1' needs a value"
        whole=
        case $1 in
        --target) target=$2 ;;
        --preset) presets=$2 ;;
        --flow) flows=$2 ;;
        esac
        shift
        ;;
    --set | --config)
        [ $# -ge 2 ] || die "'$1' needs a value"
        take_own "$1" "$2"
        shift
        ;;
    --modules) mode=modules ;;
    --json) mode=json ;;
    --report) mode=report ;;
    --update) mode=update ;;
    --help | -h)
        usage
        exit 0
        ;;
    LIB=*) lib=${1#LIB=} ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done
check_own "$target" "$mode"
if is_own; then
    own_base=$presets presets=own whole=
    [ "$own_base" != "paper small" ] || own_base=
    [ $mode != show ] || mode=own
fi
for f in $flows; do
    [ -f "$cost/$f.ys" ] && [ "$f" != lib ] ||
        die "unknown flow '$f', expected ice40, ecp5, xc7, gowin or gates"
done
[ -z "$lib" ] || [ -f "$lib" ] || die "cannot read '$lib'"
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
if [ "$mode" = report ]; then
    details
    exit 0
fi
if ! command -v yosys >/dev/null 2>&1; then
    echo "area.sh: skipped, no yosys on this machine" >&2
    echo "0 passed, 0 failed"
    exit 0
fi

yosys_tool=yosys-$(yosys -V | awk '{ print $2 }')
pnr_tool=$yosys_tool
if command -v nextpnr-ice40 >/dev/null 2>&1; then
    pnr_tool=$yosys_tool,nextpnr-$(nextpnr-ice40 --version 2>&1 |
        sed -n 's/.*(Version \([^)]*\)).*/\1/p')
elif [ "$mode" != json ]; then
    echo "area.sh: no nextpnr-ice40 on this machine, rows 'hx8k' skipped" >&2
    whole=
fi

targets=$(list_targets "$target")
mkdir -p "$build/area"
# tests/T/area.txt names the presets of which rows are kept, and says why
for t in $targets; do
    if [ "$presets" = "$usual" ] && [ -f "tests/$t/area.txt" ]; then
        sed "/^#/d; /^ *$/d; s/^/$t /" "tests/$t/area.txt"
    else
        for p in $presets; do
            echo "$t $(preset_of "$t" "$p")"
        done
    fi
done >"$build/area/all"
# "target preset" of everything asked for, the large configurations first
grep -v ' small$' "$build/area/all" >"$build/area/blocks" || :
grep ' small$' "$build/area/all" >>"$build/area/blocks" || :
while read -r t p; do
    prepare "$t" "$p"
done <"$build/area/blocks"

# Of which flows a target at a preset has rows: at the sizes of a paper two, as the
# others say about the same.
flows_of() { # target, preset
    if [ "$flows" = "$every_flow" ] && ! is_own && [ "$2" != small ] &&
        grep -qx "$1 small" "$build/area/blocks"; then
        echo gates ice40
    else
        echo $flows
    fi
}

# Where the gates are: the gates flow again, its hierarchy kept.
modules() { # target, preset
    dir=$build/area/$1-$2
    sed 's/ -flatten//' $cost/gates.ys >"$dir/modules.ys"
    yosys -q -l "$dir/modules.log" -p "
        read_verilog $(echo "$dir"/src/*.v)
        hierarchy -check -top $(cat "$dir/top")
        script $dir/modules.ys
        tee -q -o $dir/modules.stat stat -tech cmos" \
        >"$dir/modules.out" 2>&1 || {
        cat "$dir/modules.out" >&2
        die "yosys failed on target '$1', preset '$2'"
    }
    printf '\n%s at %s, memories not in it\n' "$1" "$2"
    awk -f $cost/modules.awk "$dir/modules.stat" | sort -k 2 -n -r
}

if [ "$mode" = modules ]; then
    while read -r t p; do
        modules "$t" "$p"
    done <"$build/area/blocks"
    exit 0
fi

# one job a line
while read -r t p; do
    for f in $(flows_of "$t" "$p") ${lib:+lib}; do
        echo "$build/area/$t-$p $f"
    done
done <"$build/area/blocks" >"$build/area/jobs"
if [ -t 2 ]; then
    echo "area: $(grep -c . "$build/area/jobs") syntheses," \
        "those with unchanged sources come from $build/area/" >&2
fi
AREA_TOOLS=$(sh $cost/synth.sh --tools)
export lib AREA_TOOLS
wrong=0
xargs -r -L 1 -P "$jobs" sh $cost/synth.sh <"$build/area/jobs" ||
    die "a synthesis failed, see above"
new=$build/area/figures.tsv
{
    grep '^tool' $cost/baseline.tsv
    while read -r t p; do
        for f in $(flows_of "$t" "$p"); do
            cat "$build/area/$t-$p/$f.row"
        done | awk -v OFS='\t' -v t="$t" -v p="$p" -v yosys="$yosys_tool" \
            -v pnr="$pnr_tool" \
            '{ print $1 == "hx8k" ? pnr : yosys, t, p, $0 }'
    done <"$build/area/blocks"
} >"$new"

# the user's own cells: target, preset, area; beside the table, never in it
while read -r t p; do
    [ -z "$lib" ] || awk -v OFS='\t' -v t="$t" -v p="$p" -v tool="$yosys_tool" \
        '{ print tool, t, p, "lib", $2 }' "$build/area/$t-$p/lib.row"
done <"$build/area/blocks" >"$build/area/lib.tsv"

if [ "$mode" = json ]; then
    awk -v schema=area-1 -v lib="${lib##*/}" -f $cost/json.awk "$new" "$build/area/lib.tsv"
    exit 0
fi
awk -f $cost/table.awk "$new"
awk -F '\t' -v lib="${lib##*/}" '{
    printf "%s %s: %.1f in the unit of %s, memories not in it\n", $2, $3, $5, lib
}' "$build/area/lib.tsv"
case $mode in
update)
    settle "$new" $cost/baseline.tsv update "" "$whole"
    report
    ;;
show)
    settle "$new" $cost/baseline.tsv show \
        "make area UPDATE=1${target:+ TARGET=$target}" "$whole" || wrong=1
    ;;
esac
[ $wrong = 0 ]
