#!/bin/sh
# mutants.sh - small lies in emitted RTL, and whether anything notices.
#
# Yosys flattens the RTL of a configuration and draws mutants of it: one bit at
# one pin of one cell inverted, stuck, or inverted while another is 0 or 1; never
# at a clock.  All of them go into one netlist behind a number, so that one
# Verilator build of our bench serves them all.  Of each mutant:
#
# COVERED    lock-step differs from the golden model
# NOCHANGE   proved: no output ever differs from the RTL's, from any common
#            state on, once a reset edge has come
# UNCOVERED  it differs, a solver has a trace, but lock-step did not see it
# OPEN       lock-step did not see it, and the solver came to no end
#
# docs/mutants.md tells more.
set -eu

usage() {
    cat <<'END'
usage: sh scripts/mutants.sh --target T [OPTION...]

  --target T   the block
  --number N   mutants of each configuration, default 100, at most 2000
  --seed S     of the draw, default 1; the same seed, RTL and version of Yosys
               give the same list
  --configs N  so many of the configurations of T's lock-step matrix, in its
               order, default 3
  --preset P, --set KEY=VALUE
               this configuration instead; goes with no --update
  --limit S    seconds of one proof of equality, default 30
  --doubt N    proofs tried on mutants that lock-step has killed: one that
               succeeds voids the run; default 3
  --properties the score of the proofs instead: for each job of T's proofs.txt
               a list from its module, with its properties in place; a mutant
               is caught when a property fails within FORMAL_SECONDS (20)
  --list       draw and print the lists, and run nothing
  --only N     run just mutant N of each list, to look closer
  --update     record the outcome: tests/T/mutants.tsv (of --properties
               tests/T/mutants_proofs.tsv), and from all such files
               docs/mutants.md
  --page       write docs/mutants.md again, and run nothing
  --sums       which rows of the record, or of T's, are of RTL, model and
               stimulus as they are now; runs nothing
  --help       this text

Of each list stays in BUILD/mutants/T-N: list (what Yosys drew), result.tsv, and
the netlist with its bench: NDP_MUTANT=17 BUILD/mutants/T-N/bench/cosim ...

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2); COSIM_LIB and
COSIM_MODEL, the bench, as for scripts/cosim.sh; for tests MUTANTS_RECORDS (tests),
where --sums looks.
Exit status: 0 every mutant is COVERED or NOCHANGE, 1 not, 2 bad use, or the run
is void; with --properties 0 or 2.
END
}

cd "$(dirname "$0")/.."
LC_ALL=C
export LC_ALL
build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
jobs=${JOBS:-2}
here=tests/mutants
work=$build/mutants
tab=$(printf '\t')
. scripts/digests.sh

die() { # message
    echo "mutants.sh: error: $1" >&2
    exit 2
}
number_of() { # OPTION VALUE LOWEST HIGHEST
    case $2 in
    '' | 0?* | *[!0-9]* | ???????*) ;;
    *) [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ] || return 0 ;;
    esac
    die "'$1' is '$2', expected a number from $3 to $4"
}

target= preset= sets= number=100 seed=1 configs=3 limit=30 doubt=3 only= proofs=
mode=run
while [ $# -gt 0 ]; do
    case $1 in
    --target | --number | --seed | --configs | --preset | --set | --limit | \
        --doubt | --only)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        --target) target=$2 ;;
        --number) number=$2 && number_of "$1" "$2" 1 2000 ;;
        --seed) seed=$2 && number_of "$1" "$2" 0 999999 ;;
        --configs) configs=$2 && number_of "$1" "$2" 1 99 ;;
        --preset) preset=$2 ;;
        --set) sets="$sets $2" ;;
        --limit) limit=$2 && number_of "$1" "$2" 1 3600 ;;
        --doubt) doubt=$2 && number_of "$1" "$2" 0 2000 ;;
        --only) only=$2 && number_of "$1" "$2" 1 2000 ;;
        esac
        shift
        ;;
    --update) mode=update ;;
    --page) mode=page ;;
    --list) mode=list ;;
    --sums) mode=sums ;;
    --properties) proofs=1 ;;
    --one | --equal | --prove) # what xargs runs for each mutant
        mode=${1#--}
        shift
        break
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done

# --- one mutant ----------------------------------------------------------------

# One run of the bench: stimulus, seed, cycles.  Status as the bench ends.
lock_step() { # FOLDER MUTANT STIMULUS SEED CYCLES
    status=0
    (
        ulimit -t 600 # of a processor, which others may hold
        NDP_MUTANT=$2 exec "$1/bench/cosim" \
            --target "$(cat "$1/target")" --sim verilator --stim "$3" \
            --seed "$4" --config "$1/rtl/config.yml" --cycles "$5" --replay - \
            --quiet --result /dev/null
    ) >"$1/log/$2" 2>&1 || status=$?
    return $status
}

# --one FOLDER ROUNDS MUTANT: through the rounds until one sees it
if [ $mode = one ]; then
    dir=$1 rounds=$2 k=$3
    while read -r stim at cycles; do
        lock_step "$dir" "$k" "$stim" "$at" "$cycles" && continue
        # a bench that cannot start has judged nothing; one that reads a wrong
        # identity has
        [ $status != 126 ] && [ $status != 127 ] || exit 255
        ended=
        [ $status -le 2 ] || ended=", the bench ends with $status"
        printf '%s\tCOVERED\t%s seed %s, %s cycles%s\n' "$k" "$stim" "$at" \
            "$cycles" "$ended"
        exit 0
    done <"$rounds"
    printf '%s\t-\t-\n' "$k"
    exit 0
fi

# Everything flat but flip-flops and, if they are apart, memories; then these at the
# ports: NAME.il and NAME.states.
evert() { # FOLDER/NAME MODULE MUTANT apart|whole
    {
        echo "read_rtlil $dir/base.il"
        [ "$3" = 0 ] || sed -n "${3}p" "$dir/list"
        [ "$4" = apart ] || echo memory_map
        cat "$here/flat.ys"
        echo "write_rtlil $1.flat"
    } >"$1.ys"
    (
        ulimit -t "$((limit * 4))"
        exec yosys -q "$1.ys"
    ) >"$1.log" 2>&1 &&
        awk -v name="$2" -v list="$1.states" -f $here/evert.awk "$1.flat" \
            >"$1.il" && rm -f "$1.flat" && return 0
    rm -f "$1.flat" "$1.il"
    return 1
}

# --equal FOLDER LIMIT MUTANT: original beside mutant, see miter.awk.  First with
# the memories left out, which proves most; what differs then may do so inside only.
if [ $mode = equal ]; then
    dir=$1 limit=$2 k=$3
    at=$dir/equal/$k
    rm -rf "$at"
    mkdir -p "$at"
    verdict=OPEN why="no model"
    for way in apart whole; do
        [ -f "$dir/gold-$way.il" ] && evert "$at/gate" gate "$k" $way ||
            continue
        awk -f $here/miter.awk "$dir/ports" "$dir/gold-$way.states" \
            "$at/gate.states" >"$at/miter.v"
        sed "s|@GOLD@|$dir/gold-$way|; s|@AT@|$at|" $here/miter.ys >"$at/miter.ys"
        (
            ulimit -t "$((limit * 4))"
            exec yosys -q "$at/miter.ys"
        ) >"$at/miter.log" 2>&1 || continue
        (
            ulimit -t "$((limit * 4))" # only pdr knows an end of its own
            exec yosys-abc -c "read_aiger $at/miter.aig; strash; scorr; \
scorr -F 2; pdr -T $limit"
        ) >"$at/abc" 2>&1 || :
        case $(cat "$at/abc") in
        *'Property proved.'*)
            verdict=NOCHANGE why=proved
            break
            ;;
        *'was asserted in frame '*)
            why="differs $(sed -n \
                's/.*was asserted in frame \([0-9]*\).*/\1/p' "$at/abc") cycles\
 after reset"
            [ $way = whole ] && verdict=UNCOVERED || why="$why, inside"
            ;;
        *) [ $way = apart ] || why="no end after $limit s" ;;
        esac
    done
    rm -f "$at"/*.il "$at"/*.v "$at"/*.aig
    printf '%s\t%s\t%s\n' "$k" "$verdict" "$why"
    exit 0
fi

# prove.sh with lines for Yosys put in where the module is flat.
prove_with() { # FOLDER LINES JOB RTL
    rm -rf "$1"
    mkdir -p "$1"
    cp tests/formal/abc.awk tests/formal/cover.v "$1"
    printf '%s\n' "$2" >"$1/lines"
    awk -v file="$1/lines" '
        { print }
        /^flatten$/ {
            while ((getline line <file) > 0) {
                gsub(/[$\\\\]/, "\\\\&", line) # it goes into a here-document
                print line
            }
            found = 1
        }
        END { exit !found }' tests/formal/prove.sh >"$1/prove.sh" ||
        die "prove.sh flattens nothing"
    FORMAL_NO_GOALS=1 FORMAL_SECONDS=${FORMAL_SECONDS:-20} \
        sh "$1/prove.sh" "$3" "$4" "$1" >"$1/log" 2>&1 || :
}
# --prove FOLDER JOB MUTANT
if [ $mode = prove ]; then
    dir=$1 job=$2 k=$3
    prove_with "$dir/proof/$k" "$(sed -n "${k}p" "$dir/list")" "$job" \
        "$dir/rtl"
    awk -F '\t' -v OFS='\t' -v k="$k" '
        $2 == "model" { lost = 1 }
        $3 == "failed" && $2 != "model" && !caught { caught = $2 }
        END { print k, caught ? "caught" : lost ? "no model" : "passed", caught }
        ' "$dir/proof/$k/$job.result"
    exit 0
fi

# --- the page ------------------------------------------------------------------

page() {
    set -- tests/*/mutants.tsv
    [ -f "$1" ] || die "no tests/*/mutants.tsv, run with --update first"
    for other in tests/*/mutants_proofs.tsv; do
        [ ! -f "$other" ] || set -- "$@" "$other"
    done
    awk -F '\t' -v why=$here/why.txt -v head=$here/page.head \
        -f $here/page.awk "$@" >"$work/mutants.md"
    cp "$work/mutants.md" docs/mutants.md
}
mkdir -p "$work"
if [ $mode = page ]; then
    page
    exit 0
fi

# --- configurations -----------------------------------------------------------

# Configurations, one a line, in the words of `make cosim`.
the_configs() {
    if [ -n "$preset$sets" ]; then
        echo "${preset:+PRESET=$preset}${sets:+ SET=\"${sets# }\"}"
        return
    fi
    BUILD=$build python3 scripts/jobs cosim --runs --target "$target" |
        grep -v -e ' RUN=' -e ' KERNEL=' | awk '
        {
            words = ""
            while (match($0, / (PRESET=[^ ]*|SET="[^"]*"|SET=[^ ]*)/)) {
                words = words substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
            }
            if (!seen[words]++)
                print substr(words, 2)
        }' | head -n "$configs"
}

generate() { # WORDS; sets label
    PRESET='' SET=''
    eval "$1"
    label=${PRESET:-default}
    set -- --target "$target" ${PRESET:+--preset "$PRESET"}
    for assignment in $SET; do
        set -- "$@" --set "$assignment"
        label=$label,$assignment
    done
    "$ndpgen" "$@" -o "$dir/rtl" >"$dir/log/ndpgen" 2>&1 || {
        cat "$dir/log/ndpgen" >&2
        die "ndpgen does not take '$label'"
    }
    top=ndp_$target
    [ -f "$dir/rtl/$top.f" ] || die "'$target' has no RTL of that name"
    [ ! -f "$dir/rtl/tb/${top}_probe.v" ] ||
        die "'$target' is a system, whose bench looks inside; take its parts"
}

# What RTL, and what model and stimulus are judged by, as digests.
rtl_digest() {
    ledger_sources "$dir"/rtl/rtl/*.v | ledger_digest
}
model_digest() { # TARGET
    results=$work
    rm -f "$work/$1.block"
    note_block "$1"
    cut -c 1-8 "$work/$1.block"
}

# The rows of a record stand in the order of the matrix.
sums() {
    for record in "${MUTANTS_RECORDS:-tests}"/${target:-*}/mutants.tsv; do
        [ -f "$record" ] || die "no '$record', run with --update first"
        (
            target=$(basename "$(dirname "$record")")
            configs=$(grep -c '^config' "$record")
            model=$(model_digest "$target")
            dir=$work/$target-sums
            rm -rf "$dir"
            mkdir -p "$dir/log"
            the_configs >"$dir/configs"
            grep '^config' "$record" | while IFS=$tab read -r _ of rtl n _ _ _ _ _ by; do
                read -r words <&3
                generate "$words"
                said=holds
                [ "$by" = "$model" ] || said="other model or stimulus"
                [ -n "$by" ] || said="holds, its model is not on record"
                [ "$rtl" = "$(rtl_digest)" ] || said="other RTL"
                [ "$of" = "$label" ] || said="not in the matrix"
                printf '%s\t%s\t%s\t%s\n' "$target" "$of" "$n" "$said"
            done 3<"$dir/configs"
            rm -rf "$dir"
        )
    done
}

# --- what is wanted ------------------------------------------------------------

[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
all_targets=$("$ndpgen" --list-targets | awk '{ print $1 }')
[ -z "$target" ] || echo "$all_targets" | grep -qx -e "$target" ||
    die "unknown target '$target', expected one of 'ndpgen --list-targets'"
if [ $mode = sums ]; then
    sums
    exit
fi
for tool in yosys yosys-abc verilator; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "mutants.sh: skipped, no $tool on this machine" >&2
        echo "0 passed, 0 failed"
        exit 0
    fi
done
[ -n "$target" ] || die "no target, expected --target, as in --target emn"
[ $mode != update ] || [ -z "$preset$sets$only" ] ||
    die "'--update' records the matrix, expected no --preset, --set or --only"
tools="Yosys $(yosys -V | awk '{ print $2 }')"
tools="$tools, $(verilator --version | awk '{ print $1, $2 }')"

# --- one configuration -----------------------------------------------------------

# The flat netlist and the list.  File names are in the names of cells: with
# paths of ours the same seed would draw another list elsewhere.
draw() {
    {
        echo "read_verilog $(grep -v '^//' "$dir/rtl/$top.f" | tr '\n' ' ')"
        echo "hierarchy -check -top $top"
        echo "proc"
        echo "write_rtlil ../modules.il"
        echo "flatten"
        echo "opt_clean"
        echo "memory_collect"
        echo "opt_clean"
        echo "tee -q -o ../ports portlist $top"
        echo "write_rtlil ../base.il"
        # more than asked for: some are left out
        echo "mutate -list $((number + number / 8 + 20)) -seed $seed" \
            "-o ../drawn"
    } >"$dir/draw.ys"
    (cd "$dir/rtl" && yosys -q ../draw.ys) >"$dir/log/draw" 2>&1 || {
        tail -n 5 "$dir/log/draw" >&2
        die "yosys does not draw mutants of '$target'"
    }
    # the read ports of memories have neither clock nor enable here
    grep -v -e ' -port [A-Z_]*CLK ' -e ' -wire clk ' -e ' -port RD_EN ' \
        -e ' -port RD_[AS]RST ' "$dir/drawn" | head -n "$number" >"$dir/list"
    [ "$(wc -l <"$dir/list")" = "$number" ] ||
        echo "note: '$label' has $(wc -l <"$dir/list") mutants only" >&2
    awk -f $here/where.awk "$dir/modules.il" "$dir/base.il" "$dir/list" |
        while IFS='	' read -r k mutation file line; do
            printf '%s\t%s\t%s:%s\t%s\n' "$k" "$mutation" "${file#rtl/}" \
                "$line" "$(awk -v line="$line" 'NR == line {
                    gsub(/[\t ]+/, " ")
                    sub(/^ /, "")
                    print
                }' "$dir/rtl/$file")"
        done >"$dir/where.tsv"
}

# One netlist with all of them, under the block's name and ports, and its bench.
build_bench() {
    {
        echo "read_rtlil $dir/base.il"
        awk '{
            sub(/^mutate /, "")
            print "mutate -ctrl ndp_mutant 16 " NR " " $0
        }' "$dir/list"
        echo "rename $top ${top}_mutants"
        echo "opt_clean"
        echo "write_verilog -noattr $dir/mutants.v"
    } >"$dir/apply.ys"
    yosys -q "$dir/apply.ys" >"$dir/log/apply" 2>&1 || {
        tail -n 5 "$dir/log/apply" >&2
        die "yosys does not apply the mutants of '$target'"
    }
    mkdir -p "$dir/netlist/rtl"
    cp -r "$dir/rtl/tb" "$dir/rtl/config.yml" "$dir/netlist"
    cp "$dir/mutants.v" "$dir/netlist/rtl"
    awk -v top="$top" -f $here/wrap.awk "$dir/ports" \
        >"$dir/netlist/rtl/$top.v"
    printf 'rtl/mutants.v\nrtl/%s.v\n' "$top" >"$dir/netlist/$top.f"
    rm -rf "$work/cosim/$target"-*-verilator
    BUILD=$work COSIM_LIB=${COSIM_LIB:-$build/libbench.a} \
        COSIM_MODEL=${COSIM_MODEL:-$build/cosim_golden} \
        sh scripts/cosim.sh "TARGET=$target" "RTL=$dir/netlist" CYCLES=2000 \
        WAVE=0 >"$dir/log/bench" 2>&1 || {
        cat "$dir/log/bench" >&2
        die "void: the netlist of '$label' without a mutant is not green"
    }
    mv "$work/cosim/$target"-*-verilator "$dir/bench"
    echo "$target" >"$dir/target"
}

each() { # WHAT ARGUMENT; numbers come in
    xargs -P "$jobs" -I{} sh scripts/mutants.sh "--$1" "$dir" "$2" {} |
        sort -n
}
# The runs that a file names, for the numbers that come in.  A bench that is
# never green, or always, says nothing.
rounds() { # FILE
    cat >"$dir/numbers"
    [ -s "$dir/numbers" ] || return 0
    said=$(sh scripts/mutants.sh --one "$dir" "$1" 0)
    [ "${said#*COVERED}" = "$said" ] ||
        die "void: '$label' without a mutant is not green: $said"
    # the wrapper inverts every output for this number
    said=$(sh scripts/mutants.sh --one "$dir" "$1" 65535)
    case $said in
    *'the bench ends'* | *-) die "void: '$label' is not red with all outputs \
inverted: $said" ;;
    esac
    each one "$1" <"$dir/numbers"
}
left() { # FILE: numbers that have no verdict yet
    awk -F '\t' '$2 == "-" { print $1 }' "$1"
}

one_config() { # NUMBER WORDS
    dir=$work/$target-$1
    rm -rf "$dir"
    mkdir -p "$dir/log"
    generate "$2"
    [ ! -t 2 ] || echo "mutants: $target at $label" >&2
    draw
    if [ $mode = list ]; then
        sed "s/^/$target at $label: /" "$dir/where.tsv"
        return
    fi
    build_bench
    echo "random 1 2000" >"$dir/short"
    printf '%s\n' "directed 1 20000" "random 1 20000" "random 2 20000" \
        >"$dir/middle"
    printf '%s\n' "random 1 400000" "random 2 200000" "random 3 200000" \
        >"$dir/long"
    numbers=$(awk '{ print NR }' "$dir/list")
    [ -z "$only" ] || numbers=$only

    # (a subshell of a pipe cannot end the run)
    echo "$numbers" >"$dir/0"
    rounds "$dir/short" <"$dir/0" >"$dir/1.tsv"
    left "$dir/1.tsv" >"$dir/0"
    rounds "$dir/middle" <"$dir/0" >"$dir/2.tsv"
    left "$dir/2.tsv" >"$dir/0"
    rounds "$dir/long" <"$dir/0" >"$dir/3.tsv"
    # the original, to hold mutants against; without memories apart is whole, and
    # many words are too much for the solver
    ways=$(awk '$1 == "cell" && $2 == "$mem_v2" { on = 1 }
        on && $2 == "\\SIZE" { size = $3 }
        on && $2 == "\\WIDTH" { bits += size * $3 }
        $1 == "end" { on = 0 }
        END { print (bits ? "apart" : ""), (bits > 4096 ? "" : "whole") }
        ' "$dir/base.il")
    for way in $ways; do
        evert "$dir/gold-$way" gold 0 $way || :
    done
    left "$dir/3.tsv" | each equal "$limit" >"$dir/4.tsv"
    # the prover is asked about some of which the answer is known
    cat "$dir/1.tsv" "$dir/2.tsv" | awk -F '\t' -v n="$doubt" '
        $2 == "COVERED" { k[++found] = $1 }
        END { for (i = 1; i <= n && i <= found; i++)
                  print k[int((i - 0.5) * found / n) % found + 1] }' |
        each equal "$limit" >"$dir/doubt.tsv"
    ! grep -q NOCHANGE "$dir/doubt.tsv" ||
        die "void (EQGAP): proved equal what lock-step of '$label' tells \
apart: $(grep NOCHANGE "$dir/doubt.tsv" | head -n 1)"

    # of several lines of a mutant the last that says something
    cat "$dir/1.tsv" "$dir/2.tsv" "$dir/3.tsv" "$dir/4.tsv" |
        awk -F '\t' '$2 != "-" { verdict[$1] = $0 }
            END { for (k in verdict) print verdict[k] }' | sort -n \
        >"$dir/verdicts.tsv"
    [ "$(wc -l <"$dir/verdicts.tsv")" = "$(echo "$numbers" | wc -l)" ] ||
        die "void: a mutant of '$label' has no verdict"
    awk -F '\t' -v OFS='\t' 'NR == FNR { place[$1] = $2 OFS $3 OFS $4; next }
        { print $1, $2, $3, place[$1] }' "$dir/where.tsv" \
        "$dir/verdicts.tsv" >"$dir/result.tsv"
    awk -F '\t' -v OFS='\t' -v label="$label" -v digest="$(rtl_digest)" \
        -v model="$model" '
        { n[$2]++ }
        $3 ~ /^random seed 1, 2000 cycles/ { first++ }
        $2 != "COVERED" { rest = rest "mutant" OFS label OFS $0 "\n" }
        END {
            print "config", label, digest, NR, first + 0, n["COVERED"] + 0,
                n["NOCHANGE"] + 0, n["UNCOVERED"] + 0, n["OPEN"] + 0, model
            printf "%s", rest
        }' "$dir/result.tsv" >>"$new"
    awk -F '\t' -v target="$target" '$1 == "config" { row = $0 }
        END {
            split(row, c, "\t")
            printf "%s at %s: %d mutants, %d COVERED (%d in 2,000 cycles), " \
                "%d NOCHANGE, %d UNCOVERED, %d OPEN\n", target, c[2], c[4],
                c[6], c[5], c[7], c[8], c[9]
        }' "$new"
    awk -F '\t' '$2 == "UNCOVERED" || $2 == "OPEN" {
        printf "  %s %s, %s: %s\n    %s: %s\n", $2, $1, $3, $4, $5, $6
    }' "$dir/result.tsv"
}

# --- the properties ---------------------------------------------------------------

if [ -n "$proofs" ]; then
    [ -z "$preset$sets$only" ] ||
        die "a proof has its configuration, expected no --preset, --set or --only"
    new=$work/$target-proofs.tsv
    printf 'command\t%s --target %s --properties --number %s --seed %s\n' \
        "sh scripts/mutants.sh" "$target" "$number" "$seed" >"$new"
    [ -f "tests/$target/proofs.txt" ] || die "no proofs of '$target'"
    awk '!/^#/ && NF { print $1, $2, $6 }' "tests/$target/proofs.txt" \
        >"$work/$target.jobs"
    while read -r job module config <&3; do
        # rules stand beside the RTL, and are no part of it
        case $module in *_rules) continue ;; esac
        dir=$work/$target-$job
        rm -rf "$dir"
        mkdir -p "$dir"
        "$ndpgen" --target "$target" -o "$dir/rtl" \
            --config "tests/$target/formal/$config.yml" >"$dir/log" 2>&1 ||
            die "ndpgen fails on '$config' of '$target'"
        prove_with "$dir/draw" "mutate -list $((2 * number + 50)) -seed $seed \
-o $dir/drawn
exit" "$job" "$dir/rtl"
        [ -s "$dir/drawn" ] || die "no mutant drawn of '$job'"
        # what only the properties need is not mutated
        grep -v -e ' -port [A-Z_]*CLK ' -e ' -wire clk ' -e '_formal\.vh' \
            -e ' -port [A-Z]*_*[AS]RST ' -e '\$memrd.* -port EN ' \
            -e '-cell [^ ]*\$\(assert\|assume\|cover\|anyseq\|initstate\)' \
            "$dir/drawn" | head -n "$number" >"$dir/list"
        awk '{ print NR }' "$dir/list" | each prove "$job" >"$dir/result.tsv"
        awk -F '\t' -v OFS='\t' -v job="$job" -v module="$module" '
            { n[$2]++ }
            END { print "job", job, module, NR, n["caught"] + 0,
                      n["passed"] + 0, n["no model"] + 0 }' \
            "$dir/result.tsv" | tee -a "$new" |
            awk -F '\t' '{ printf "%s (%s): %d mutants, %d caught, %d passed, " \
                "%d without a model\n", $2, $3, $4, $5, $6, $7 }'
    done 3<"$work/$target.jobs"
    if [ $mode = update ]; then
        cp "$new" "tests/$target/mutants_proofs.tsv"
        page
    fi
    exit 0
fi

new=$work/$target.tsv
{
    printf 'tools\t%s\n' "$tools"
    printf 'command\tsh scripts/mutants.sh --target %s --number %s --seed %s%s%s\n' \
        "$target" "$number" "$seed" \
        "$([ "$configs" = 3 ] || echo " --configs $configs")" \
        "$([ "$limit" = 30 ] || echo " --limit $limit")"
} >"$new"
model=$(model_digest "$target") # before it is built, in case somebody edits meanwhile
the_configs >"$work/$target.configs"
[ -s "$work/$target.configs" ] || die "no configuration of '$target'"
n=0
while read -r words <&3; do
    n=$((n + 1))
    one_config $n "$words"
done 3<"$work/$target.configs"
[ $mode != list ] || exit 0

if [ $mode = update ]; then
    cp "$new" "tests/$target/mutants.tsv"
    page
fi
awk -F '\t' '$1 == "config" { passed += $6 + $7; failed += $8 + $9 }
    END {
        printf "%d passed, %d failed\n", passed, failed
        exit failed > 0
    }' "$new"
