#!/bin/sh
# sweep.sh - many configurations measured: planned, run, collected, drawn.
#
#   sh scripts/sweep.sh FILE.yml [--out FOLDER] [--jobs N]
#                                 all of it; what is done is not done again
#   sh scripts/sweep.sh --plan FILE.yml [--out FOLDER]
#                                 only the plan: FOLDER/manifest, a command line
#                                 for each configuration, for GNU parallel, and
#                                 FOLDER/sweep.sbatch for Slurm
#   sh scripts/sweep.sh --run FOLDER/NAME
#                                 measure one configuration, if it is not done
#   sh scripts/sweep.sh --collect FOLDER
#                                 FOLDER/sweep.csv and pictures of what is there
#   sh scripts/sweep.sh --measures
#                                 what can be measured, and its options
#
# FILE.yml says which targets, parameters and measures; docs/sweep.md explains
# it.  FOLDER is $OUT/sweep/FILE, with OUT=out, unless --out names another.  All
# three ways of running are the same command lines, from the top of the checkout:
#
#   sh scripts/sweep.sh my.yml --jobs 4
#   sh scripts/sweep.sh --plan my.yml; parallel -j 4 <out/sweep/my/manifest
#   sh scripts/sweep.sh --plan my.yml; sbatch out/sweep/my/sweep.sbatch
#
# and after the latter two --collect.  A configuration is done when NAME/result
# is there, which a rename puts in place at the end, and was made of the same
# job by the same tools; any other is run again, from its beginning.  Ctrl-C
# collects what is done; the same command goes on from there.
#
# Environment: BUILD (build), OUT (out), JOBS (1).
# Exit status: 0 all configurations are measured, or refused with a reason;
# 1 some failed or are not done; 2 bad input.
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

BUILD=${BUILD:-build}
OUT=${OUT:-out}
unset MAKEFLAGS MAKELEVEL MFLAGS
tab=$(printf '\t')
nl='
'

die() { # message
    echo "sweep.sh: error: $1" >&2
    exit 2
}

# --- what is wanted -------------------------------------------------------------

verb=all what='' folder='' jobs=${JOBS:-1}
while [ $# -gt 0 ]; do
    case $1 in
    --plan | --run | --collect | --measures)
        [ "$verb" = all ] || die "expected one of '--$verb' and '$1'"
        verb=${1#--}
        ;;
    --out | --jobs)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        --out) folder=$2 ;;
        --jobs) jobs=$2 ;;
        esac
        shift
        ;;
    -?*) die "unknown option '$1', try --help" ;;
    *)
        [ -z "$what" ] || die "expected one of '$what' and '$1'"
        what=$1
        ;;
    esac
    shift
done
case $jobs in
'' | 0* | *[!0-9]*) die "'--jobs' is '$jobs', expected a number from 1" ;;
esac
# what was named from elsewhere is found from the top of the checkout, too
top=$(cd "$(dirname "$0")/.." && pwd)
from_top() { # path
    case $1 in
    '' | - | /*) echo "$1" ;;
    *) [ "$PWD" = "$top" ] && echo "$1" || echo "$PWD/$1" ;;
    esac
}
what=$(from_top "$what")
folder=$(from_top "$folder")
cd "$top"
[ -x "$BUILD/ndpsweep" ] && [ -x "$BUILD/ndpgen" ] ||
    die "no '$BUILD/ndpsweep', run make first"
if [ "$verb" = measures ]; then
    exec "$BUILD/ndpsweep" --list-measures
fi
case $verb in
all | plan) [ -n "$what" ] || die "no sweep, expected FILE.yml; try --help" ;;
run) [ -n "$what" ] || die "no configuration, expected --run FOLDER/NAME" ;;
collect) [ -n "$what" ] || die "no folder, expected --collect FOLDER" ;;
esac

# --- the tools ------------------------------------------------------------------

# "name version" of each that is there, and "digest file" of what is large; for
# all runs of a sweep that this machine starts they are asked once
versions() {
    "$BUILD/ndpgen" --version
    for program in ndpgen ndpsim ndprun cosim_golden libbench.a ndp_bench.vpi; do
        [ ! -e "$BUILD/$program" ] || sha256sum "$BUILD/$program"
    done
    yosys -V 2>/dev/null | awk '{ print "yosys", $2 }' || :
    nextpnr-ice40 --version 2>&1 |
        sed -n 's/.*(Version \([^)]*\)).*/nextpnr \1/p' || :
    sta -version 2>/dev/null | awk 'NR == 1 { print "opensta", $1 }' || :
    verilator --version 2>/dev/null | awk '{ print "verilator", $2 }' || :
    iverilog -V 2>/dev/null |
        sed -n 's/^Icarus Verilog version \([^ ]*\).*/icarus \1/p' || :
}

# need NAME...: those of the tools that a measure uses, into $tools
need() {
    for tool; do
        line=$(printf '%s\n' "$SWEEP_TOOLS" | grep "^$tool ") ||
            die "no $tool on this machine, which '$measure' needs"
        case "; $tools;" in
        *"; $line;"*) ;;
        *) tools="$tools${tools:+; }$line" ;;
        esac
    done
}

# uses FILE...: what else the result of a measure depends on, into $sources
uses() {
    for file; do
        [ -e "$file" ] || die "no '$file', run make and make cosim-tools first"
        case "$SWEEP_TOOLS$nl" in
        *"  $file$nl"*) large="$large$file$tab" ;;
        *) sources="$sources$file$tab" ;;
        esac
    done
}

# --- one configuration ------------------------------------------------------------

get() { # word of the job
    sed -n "s/^$1 //p" "$dir/job"
}

# value COLUMN VALUE
value() {
    printf '%s\t%s\n' "$1" "$2" >>"$work/values"
}

# step COMMAND...: run it and note it as a user would write it.  Leaves what it
# prints in $work/out and $work/err, and its status in $status.
step() {
    line=
    for word; do
        [ "$word" != "$BUILD/${word##*/}" ] || word=build/${word##*/}
        word=$(printf '%s' "$word" | sed "s|^\(golden:\)\{0,1\}$work/rtl|\1out/$name|")
        case $word in
        *[!A-Za-z0-9_./=:,@%+-]*) line="$line '$word'" ;;
        *) line="$line $word" ;;
        esac
    done
    commands="$commands${commands:+; }${line# }"
    status=0
    "$@" >"$work/out" 2>"$work/err" || status=$?
    [ ! -s "$work/err" ] || sed "s/^/$measure: /" "$work/err" >>"$work/log"
}

# The first thing that a program called an error, without its place.
reason() {
    { grep -h 'error: ' "$work/err" "$work/out" ||
        tail -n 1 "$work/err" || :; } | head -n 1 |
        sed 's/.*error: //' | tr '\t' ' '
}

# ends refused|failed REASON: no measure comes after it
ends() {
    outcome=$1
    why=${2:-no reason given, see $dir/log}
}

# A program that answers 2 does not accept what it was given, unless the machine
# let it down.
no_answer() { # REASON
    case $status-$1 in
    2-*'cannot write'* | 2-*'No space'* | 2-*'does not accept the RTL'* | \
        2-*'cannot link'* | 2-*'run make'*) ends failed "$1" ;;
    2-*) ends refused "$1" ;;
    *) ends failed "$1" ;;
    esac
}

# The JSON in $work/out as "path value" lines.
flatten() {
    "$BUILD/ndppage" scripts/sweep/flat.txt json="$work/out" -o "$work/flat" \
        >"$work/page" 2>&1 ||
        ends failed "no JSON from $measure: $(head -n 1 "$work/page")"
}
flat() { # path
    awk -F '\t' -v path="$1" '$1 == path { print $2 }' "$work/flat"
}

# keep PREFIX: the values of the JSON that the sweep asks for
keep() {
    for path in $(get "$measure\.keep"); do
        if grep -q "^$1$path$tab" "$work/flat"; then
            value "$measure.$path" "$(flat "$1$path")"
        else
            ends failed "no '$path' in the JSON of $measure"
            return 0
        fi
    done
}

# with_configuration COMMAND...: and its preset and --set options
with_configuration() {
    set -- "$@" --preset "$preset"
    for assignment in $sets; do
        set -- "$@" --set "$assignment"
    done
    step "$@"
}

# with_build COMMAND...: the same, in a build folder of its own, without blanks:
# area.sh and timing.sh have one for each target
with_build() {
    real=$BUILD
    rooms=$(mktemp -d)
    BUILD=$rooms NDPGEN=$real/ndpgen JOBS=1
    export BUILD NDPGEN JOBS
    with_configuration "$@"
    BUILD=$real
    unset NDPGEN
    rm -rf "$rooms"
}

# One that cannot be generated ends here.
generate() {
    measure=ndpgen
    with_configuration "$BUILD/ndpgen" --target "$target" -o "$work/rtl"
    [ $status = 0 ] || no_answer "$(reason)"
}

uses_emitted() { :; }
measure_emitted() {
    value rtl_files "$(find "$work"/rtl/rtl -type f | grep -c .)"
    value rtl_lines "$(cat "$work"/rtl/rtl/* | wc -l)"
    value rtl_bytes "$(cat "$work"/rtl/rtl/* | wc -c)"
}

uses_area() {
    need yosys
    case " $(get area\\.flows) " in *' ice40 '*) need nextpnr ;; esac
    uses tests/area/synth.sh tests/area/cells.tsv tests/area/*.ys
}
measure_area() {
    set -- sh scripts/area.sh --target "$target" --flow "$(get area\\.flows)" \
        --json
    with_build "$@"
    if [ $status != 0 ]; then
        ends failed "$(reason)"
        return 0
    fi
    # a row a line: {"tool": ..., "flow": "gates", "logic": 984, ...}
    tr -d '{}" ' <"$work/out" | tr ',' '\n' | awk -F : -v OFS='\t' \
        -v columns="$(tr '\n' ' ' <"$dir/../columns")" '
        $1 == "flow" { flow = $2 }
        flow && $1 ~ /^(logic|ffs|memory|lutram|depth)$/ && $2 != "null" &&
            index(" " columns, " " flow "_" $1 " ") {
            print flow "_" $1, $2
        }
        $1 == "tool" { flow = "" }' >>"$work/values"
}

uses_mhz() {
    need yosys nextpnr
    uses tests/area/harness.awk
}
measure_mhz() {
    set -- sh scripts/timing.sh --target "$target" \
        --device "$(get mhz\\.device)" --seeds "$(get mhz\\.draws)" \
        --salt "$(get hash)" --limit "$(get mhz\\.limit)" --json
    with_build "$@"
    if [ $status != 0 ]; then
        ends failed "$(reason)"
        return 0
    fi
    tr -d '{}" ' <"$work/out" | tr ',' '\n' | awk -F : -v OFS='\t' '
        { v[$1] = $2 == "null" || $2 == "-" ? "" : $2 }
        END {
            print "mhz", v["median"]
            print "mhz_worst", v["worst"]
            print "mhz_draws", v["median"] == "" ? 0 : v["seeds"]
            print "mhz_cells", v["cells"]
            print "mhz_rams", v["memory"]
        }' >>"$work/values"
}

uses_silicon() {
    need yosys opensta
    uses scripts/silicon/flow.py scripts/silicon/netlist.py scripts/silicon/synth.ys scripts/cost.sh
}
measure_silicon() {
    with_configuration python3 scripts/silicon --target "$target" --json
    if [ $status != 0 ]; then
        ends failed "$(reason)"
        return 0
    fi
    flatten
    value mm2 "$(awk -v um2="$(flat area)" 'BEGIN { printf "%.4f", um2 / 1e6 }')"
    value memory_bits "$(flat memory_bits)"
    value silicon_mhz "$(flat mhz)"
    value slowest "$(flat from) to $(flat to)"
}

uses_lockstep() {
    case $(get lockstep\\.sim) in
    verilator) need verilator ;;
    icarus) need icarus ;;
    esac
    uses "$BUILD/cosim_golden" "$BUILD/libbench.a" "$BUILD/ndp_bench.vpi"
    uses_kernel_files "$(get lockstep\\.run)"
}
measure_lockstep() {
    run=$(get lockstep\\.run)
    set -- sh scripts/cosim.sh TARGET="$target" PRESET="$preset" \
        SIM="$(get lockstep\\.sim)" SEED="$seed" WAVE=0 JSON=1
    [ -z "$sets" ] || set -- "$@" SET="$sets"
    [ -z "$run" ] || set -- "$@" RUN="$run" SIZE="$(get lockstep\\.size)"
    cycles=$(get lockstep\\.cycles)
    [ -n "$run" ] || [ "$cycles" != 0 ] || cycles=20000
    if [ "$(get lockstep\\.speed)" = true ]; then
        # what is built is built before, and starting up is taken away
        step "$@" CYCLES=1
        begin=$(date +%s%N)
        step "$@" CYCLES=1
        between=$(date +%s%N)
    fi
    step "$@" CYCLES="$cycles"
    end=$(date +%s%N)
    if [ $status -gt 1 ]; then
        no_answer "$(reason)"
        return 0
    fi
    flatten
    value lockstep "$(flat result)"
    value lockstep_cycles "$(flat cycles)"
    value lockstep_covers "$(flat covers_hit)"
    [ "$(flat result)" != interrupted ] || interrupted
    [ "$(get lockstep\\.speed)" != true ] ||
        value lockstep_speed "$(awk -v n="$(flat cycles)" -v a="$begin" \
            -v b="$between" -v c="$end" 'BEGIN {
                t = (c - b) - (b - a)
                if (t > 0)
                    printf "%.3g", n / (t / 1e9)
            }')"
    [ $status = 0 ] || ends failed "$(flat result)"
    [ $status != 0 ] || keep ''
}

# The folder of a run description: it names other files there.
uses_kernel_files() {
    [ -z "$1" ] || uses "${1%/*}"/*.yml
    [ -z "$1" ] || for file in "${1%/*}"/*.ptx; do
        [ ! -e "$file" ] || uses "$file"
    done
}

uses_kernel() {
    case $(get kernel\\.on) in
    machine) uses "$BUILD/ndprun" ;;
    *) uses "$BUILD/ndpsim" ;;
    esac
    uses_kernel_files "$(get kernel\\.run)"
}
measure_kernel() {
    on=$(get kernel\\.on) traffic=
    set -- "$(get kernel\\.run)" --size "$(get kernel\\.size)" --json
    case $on in
    machine) set -- "$BUILD/ndprun" "$@" --device golden:"$work/rtl/config.yml" ;;
    *) set -- "$BUILD/ndpsim" "$@" --preset "$on" ;;
    esac
    options=$(get option)
    while read -r option word; do
        [ -z "$option" ] || set -- "$@" --"$option" "$word"
    done <<END_OF_OPTIONS
$options
END_OF_OPTIONS
    step "$@"
    if [ $status -gt 1 ]; then
        no_answer "$(reason)"
        return 0
    fi
    flatten
    verdict=$(flat results.1.verdict)
    [ "$verdict" != interrupted ] || interrupted
    case $on in
    machine) cycles=counters.cycles traffic=counters.request ;;
    tom) cycles=system.cycles traffic=system.flits ;;
    image) cycles=system.cycles traffic=system.memory.bytes ;;
    esac
    value kernel "$verdict"
    value kernel_cycles "$(flat results.1.$cycles)"
    value kernel_traffic "$(flat results.1.$traffic)"
    awk -v cycles="$(flat results.1.$cycles)" -v OFS='\t' '
        $1 == "silicon_mhz" && $2 > 0 { us = sprintf("%.2f", cycles / $2) }
        END { if (us) print "kernel_us", us }' "$work/values" >"$work/us"
    cat "$work/us" >>"$work/values"
    [ $status = 0 ] || ends failed "$verdict"
    [ $status != 0 ] || keep results.1.
}

# Another number whenever a measure gives other values than before.
measured=1

# What the result depends on, as one digest; sets $tools.
key_of_job() {
    tools= sources= large=
    measure=ndpgen
    need ndpgen
    uses "$BUILD/ndpgen"
    for measure in $measures; do
        "uses_$measure"
    done
    {
        echo "measured $measured"
        grep -v '^param ' "$dir/job"
        echo "$tools"
        printf '%s\n' "$SWEEP_TOOLS" | awk -v large="$tab$large" '
            { at = index($0, "  ") }
            at && index(large, "\t" substr($0, at + 2) "\t")'
        printf '%s' "$sources" | tr '\t' '\0' | xargs -0 cat
    } | sha256sum >"$work/key"
    key=$(cut -c 1-32 "$work/key")
}

interrupted() {
    exit 130
}

# Those that a machine left behind that went down, or a kill.
sweep_up() {
    for old in "$dir"/work.*; do
        [ -d "$old" ] || continue
        owner=${old##*/work.} pid=${old##*.}
        [ "${owner%.*}" = "$host" ] || continue
        kill -0 "$pid" 2>/dev/null || rm -rf "$old"
    done
}

run_one() {
    dir=${what%/}
    name=${dir##*/}
    [ -f "$dir/job" ] || die "no '$dir/job', expected a folder of a plan"
    [ -f "$dir/../columns" ] || die "no '$dir/../columns', expected a plan there"
    target=$(get target) preset=$(get preset) seed=$(get seed)
    sets=$(get set | tr '\n' ' ')
    sets=${sets% }
    measures=$(get measure)
    host=$(uname -n)
    work=$dir/work.$host.$$
    sweep_up
    mkdir "$work"
    rooms=
    trap 'rm -rf "$work" ${rooms:+"$rooms"}' EXIT
    trap interrupted INT TERM HUP
    : "${SWEEP_TOOLS:=$(versions)}"
    key_of_job
    if [ -f "$dir/result" ] &&
        [ "$(head -n 1 "$dir/result")" = "key$tab$key" ]; then
        return 0
    fi
    rm -f "$dir/result" "$dir/failed" "$dir/log"
    outcome=ok why='' commands=''
    : >"$work/values"
    : >"$work/log"
    generate
    for measure in $measures; do
        [ $outcome != ok ] || "measure_$measure"
    done
    {
        printf 'key\t%s\n' "$key"
        printf 'status\t%s\nreason\t%s\n' "$outcome" "$why"
        cat "$work/values"
        printf 'tools\t%s\ncommand\t%s\n' "$tools" "$commands"
    } >"$work/result"
    [ ! -s "$work/log" ] || mv "$work/log" "$dir/log"
    [ ! -t 2 ] || echo "sweep: $name: $outcome${why:+, $why}" >&2
    if [ $outcome = failed ]; then
        mv "$work/result" "$dir/failed"
        return 1
    fi
    mv "$work/result" "$dir/result"
}

# --- all of them --------------------------------------------------------------

plan() {
    if [ -z "$folder" ]; then
        base=${what##*/}
        [ "$what" != - ] || base=stdin
        folder=$OUT/sweep/${base%.*}
    fi
    mkdir -p "$folder" || die "cannot make '$folder'"
    "$BUILD/ndpsweep" "$what" -o "$folder" || exit 2
    count=$(grep -c . "$folder/manifest")
    tasks=$((count < 1000 ? count : 1000))
    {
        cat <<END_OF_HEAD
#!/bin/sh
#SBATCH --job-name=sweep
#SBATCH --array=1-$tasks
#SBATCH --ntasks=1
#SBATCH --output=/dev/null
#
# sbatch $folder/sweep.sbatch, from the top of the checkout; then
# sh scripts/sweep.sh --collect $folder
#
# Each task takes every line of the manifest that is a multiple of the number of
# tasks away; Slurm allows 1000 by itself.
END_OF_HEAD
        printf 'manifest=%s\n' "$(printf '%s\n' "$folder/manifest" |
            sed "s/'/'\\\\\\\\''/g; s/^/'/; s/\$/'/")"
        cat <<'END_OF_TAIL'
status=0
line=$SLURM_ARRAY_TASK_ID
while [ "$line" -le "$(grep -c . "$manifest")" ]; do
    sh -c "$(sed -n "${line}p" "$manifest")" || status=1
    line=$((line + SLURM_ARRAY_TASK_MAX))
done
exit $status
END_OF_TAIL
    } >"$folder/sweep.sbatch.new"
    mv "$folder/sweep.sbatch.new" "$folder/sweep.sbatch"
}

# The CSV, a row a configuration in the order of the manifest, and pictures.
# Prints how many are done and how many failed.
collect() {
    [ -f "$folder/manifest" ] && [ -f "$folder/columns" ] ||
        die "no plan in '$folder', expected its manifest and columns"
    sed "s/'\$//; s,.*/,," "$folder/manifest" |
        awk -v folder="$folder" -f scripts/sweep/collect.awk \
            "$folder/columns" - >"$folder/sweep.csv.new" ||
        die "the table of '$folder' cannot be made"
    mv "$folder/sweep.csv.new" "$folder/sweep.csv"
    draw
    awk -v folder="$folder" -f scripts/sweep/csv.awk -f scripts/sweep/sum.awk \
        "$folder/sweep.csv"
}

# A picture for each line of plots, where there is something to show.
draw() {
    if ! command -v gnuplot >/dev/null 2>&1; then
        echo "sweep.sh: no gnuplot here, no pictures" >&2
        return 0
    fi
    rm -f "$folder"/*.svg
    nth=0
    while IFS=$tab read -r sweep x y by log where; do
        nth=$((nth + 1))
        picture=$sweep-$y-over-$x
        [ "$by" = - ] || picture=$picture-by-$by
        [ -z "$where" ] || picture=$picture-$nth
        awk -v sweep="$sweep" -v x="$x" -v y="$y" -v by="$by" \
            -v log_axes="$log" -v where="$where" \
            -f scripts/sweep/csv.awk -f scripts/sweep/plot.awk \
            "$folder/sweep.csv" >"$folder/plot.gp"
        [ -s "$folder/plot.gp" ] || continue
        gnuplot "$folder/plot.gp" >"$folder/plot.svg" 2>"$folder/plot.log" || {
            cat "$folder/plot.log" >&2
            die "gnuplot failed on $folder/plot.gp"
        }
        awk -v title="$sweep: $y over $x" -f scripts/picture.awk \
            "$folder/plot.svg" >"$folder/$picture.svg"
    done <"$folder/plots"
    rm -f "$folder/plot.gp" "$folder/plot.svg" "$folder/plot.log"
}

run_all() {
    plan
    echo "sweep: $count configurations in $folder"
    SWEEP_TOOLS=$(versions)
    export SWEEP_TOOLS
    stopped=
    trap 'stopped=1' INT TERM HUP
    xargs -r -d '\n' -n 1 -P "$jobs" sh -c 'eval "$1"' sweep \
        <"$folder/manifest" || :
    trap - INT TERM HUP
    [ -z "$stopped" ] ||
        echo "sweep: interrupted; the same command goes on from here" >&2
    collect
}

case $verb in
all) run_all ;;
plan)
    plan
    echo "$folder/manifest: $count configurations, a command line each"
    ;;
run) run_one ;;
collect)
    folder=${what%/}
    collect
    ;;
esac
