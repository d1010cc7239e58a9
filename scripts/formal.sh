#!/bin/sh
# formal.sh - what holds in every reachable state, proved.
#
# Runs the jobs of tests/<block>/proofs.txt on freshly generated RTL: each proves
# the properties of one module (rtl-templates/*/*_formal.vh) and shows that what
# they speak of can happen.  With --breaks it breaks the templates on purpose,
# one line of tests/<block>/breaks.txt at a time, and wants the property that
# the line names to fail.  A line of proofs.txt:
#
#   name module engine depth seconds config [option...]
#
# name    of the job, unlike any other's
# engine  pdr   all properties together, without a bound
#         each  one after the other, without a bound
#         bmc   all together up to depth edges after reset
# depth   edges in which every cover goal has to be reached
# seconds limit of one run of the engine
# config  tests/<block>/formal/<config>.yml
# options PARAMETER=n       of the module, when it has parameters
#         cut=INSTANCE,...  outputs of these instances are anything
#         define=NAME       for the properties' files
#         only=GLOB,...     of the properties, the others are another job's
#
# A module's properties stand in <module>_formal.vh beside its template, included
# where FORMAL_<MODULE in upper case> is defined.  Names: p_ property, q_ demand
# on a neighbour (an assumption while its module is the top), c_ goal.  Slow jobs
# last: a block's last line begins.  A module that blocks share needs one job only,
# of any block that uses it, under that block's name (ndp_nbu_common_queue).
#
# With --ledger tests/formal/ledger.tsv and breaks.tsv vouch for what was proved
# and caught before, see docs/ledger.md.
set -eu

usage() {
    cat <<'END'
usage: sh scripts/formal.sh [OPTION...] [RTL=DIR]

  --job NAME   only this job; repeatable
  --target T   only the jobs of this block; repeatable
  --json       print the table as JSON
  --update     write the table to docs/proofs.md
  --breaks     break the RTL on purpose and see the named property fail
  --ledger     leave out what a ledger vouches for, but for a sample; write
               what is new into it
  --digests    print what each job depends on, as a digest, and prove nothing
  --list       list the jobs, each with its block
  --help       this text
  RTL=DIR      prove the RTL in this folder, made by ndpgen with a small
               configuration, instead of a fresh one: the jobs of its block

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2); of the ledger
SAMPLE (a seed), ALL, UPDATE, LEDGER (another file than tests/formal/ledger.tsv).
Exit status: 0 all proved and all goals reached, 1 not, 2 bad use.
END
}

cd "$(dirname "$0")/.."
LC_ALL=C
export LC_ALL
build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
here=tests/formal
work=$build/formal
. scripts/ledger.sh

die() { # message
    echo "formal.sh: error: $1" >&2
    exit 2
}
# every job with its block and its configuration, one a line
jobs_table() {
    awk '!/^#/ && NF { split(FILENAME, path, "/"); print $1, path[2], $6 }' \
        tests/*/proofs.txt
}
# lines of tests/*/breaks.txt, all of them
all_breaks() {
    sed '/^#/d; /^ *$/d' tests/*/breaks.txt
}
all_jobs() {
    jobs_table | cut -d ' ' -f 1
}
jobs_of() { # TARGET
    jobs_table | awk -v target="$1" '$2 == target { print $1 }'
}

only=
rtl=
mode=table
vouching=
while [ $# -gt 0 ]; do
    case $1 in
    --job)
        [ $# -ge 2 ] || die "'--job' needs a name"
        all_jobs | grep -qx -e "$2" || die "unknown job '$2', try --list"
        only="$only $2"
        shift
        ;;
    --target)
        [ $# -ge 2 ] || die "'--target' needs a name"
        [ -n "$(jobs_of "$2")" ] || die "no job for target '$2', try --list"
        only="$only $(jobs_of "$2")"
        shift
        ;;
    --json) mode=json ;;
    --update) mode=update ;;
    --breaks) mode=breaks ;;
    --break-make | --break-prove) # what --breaks runs for each line
        mode=${1#--} number=$2
        shift
        ;;
    --ledger) vouching=1 ;;
    --digests) mode=digests ;;
    --list)
        jobs_table | awk '{ printf "%-14s %s\n", $1, $2 }'
        exit 0
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    RTL=*)
        rtl=${1#RTL=}
        [ -d "$rtl/rtl" ] && [ -d "$rtl/formal" ] ||
            die "'$rtl' is no folder that ndpgen made"
        ;;
    *) die "unknown argument '$1', try --help" ;;
    esac
    shift
done
[ -z "$vouching" ] && [ $mode != digests ] || [ -z "$rtl" ] ||
    die "a ledger goes with fresh RTL, expected no RTL="
for tool in yosys yosys-abc; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "formal.sh: skipped, no $tool on this machine" >&2
        echo "0 passed, 0 failed"
        exit 0
    fi
done
[ -n "$rtl" ] || [ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
mkdir -p "$work"

generate() { # TARGET/CONFIG FOLDER [TEMPLATES]
    "$ndpgen" --target "${1%/*}" --config "tests/${1%/*}/formal/${1#*/}.yml" \
        ${3:+--templates "$3"} -o "$2" >"$2.log" 2>&1 || {
        cat "$2.log" >&2
        return 1
    }
}
source_of() { # JOB; prints TARGET/CONFIG
    jobs_table | awk -v job="$1" '$1 == job { print $2 "/" $3 }'
}
folder_of() { # JOB
    source_of "$1" | sed "s|^\(.*\)/|$work/rtl-\1-|"
}

# --- what a job depends on -----------------------------------------------------

versions="Yosys $(yosys -V | awk '{ print $2 }')"

# Its line, all that ndpgen emitted for its configuration, the scripts that run
# it, the tools and what the environment says of limits.
digest_of() { # JOB FOLDER
    {
        sed -n "s/^$1  *//p" tests/*/proofs.txt
        cat "$2.sources" "$work/tools"
    } | ledger_digest
}
note_sources() { # FOLDER
    ledger_sources "$1"/rtl/* "$1"/formal/* | awk -f scripts/as_read.awk |
        ledger_digest >"$1.sources"
}
note_tools() {
    {
        cat $here/prove.sh $here/abc.awk $here/cover.v
        yosys -V
        ledger_tools yosys yosys-abc
        echo "${FORMAL_SECONDS:-} ${FORMAL_NO_GOALS:-}"
    } | ledger_digest >"$work/tools"
}

# --- breaks ------------------------------------------------------------------

# One line of a breaks.txt: template, job, property, sed command.
read_break() { # NUMBER
    line=$(all_breaks | sed -n "$1p")
    file=$(echo "$line" | awk '{ print $1 }')
    job=$(echo "$line" | awk '{ print $2 }')
    property=$(echo "$line" | awk '{ print $3 }')
    edit=$(echo "$line" | sed 's/^[^ ]* *[^ ]* *[^ ]* *//')
    dir=$work/breaks/$1
}
verdict_is() { # VERDICT
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$file" "$job" "$property" "$edit" \
        >"$dir/verdict"
    printf '%-9s %-24s %s.%s\n' "$1" "$file" "$job" "$property"
}

# Generates the broken RTL; no digest if there is nothing to prove.
break_make() { # NUMBER
    read_break "$1"
    rm -rf "$dir"
    mkdir -p "$dir/templates"
    for original in rtl-templates/*/"$file"; do
        sed "$edit" "$original" >"$dir/templates/$file"
    done
    if cmp -s "$original" "$dir/templates/$file"; then
        verdict_is unchanged
    elif ! generate "$(source_of "$job")" "$dir/out" "$dir/templates"; then
        verdict_is missed
    else
        note_sources "$dir/out"
        # the edit tells breaks of the same property apart
        printf '%s %s.%s %s\t%s\n' "$file" "$job" "$property" \
            "$(echo "$edit" | cksum | cut -d ' ' -f 1)" \
            "$(digest_of "$job" "$dir/out")" >"$dir/job"
    fi
}
break_prove() { # NUMBER
    read_break "$1"
    start=$(date +%s)
    sh $here/prove.sh "$job" "$dir/out" "$dir"
    if awk -F '\t' -v p="$property" '$2 == p && $3 == "failed" { f = 1 }
        END { exit !f }' "$dir/$job.result"; then
        verdict_is caught
    else
        verdict_is missed
    fi
    awk -F '\t' -v OFS='\t' -v verdict="$(cut -f 1 "$dir/verdict")" \
        -v seconds="$(($(date +%s) - start))" '
        { print $1, verdict == "caught" ? verdict : "-", seconds }' \
        "$dir/job" >"$dir/done"
}

case $mode in
breaks | break-*)
    FORMAL_NO_GOALS=1 FORMAL_SECONDS=${FORMAL_SECONDS:-20}
    export FORMAL_NO_GOALS FORMAL_SECONDS
    ;;
esac
case $mode in
break-make)
    break_make "$number"
    exit
    ;;
break-prove)
    break_prove "$number"
    exit
    ;;
esac
note_tools
whole=1
[ -z "$only$rtl" ] || whole=
[ $mode$whole != update ] || die "'--update' writes the whole page, expected no --job, --target or RTL="

if [ $mode = breaks ]; then
    rm -rf "$work/breaks"
    mkdir -p "$work/breaks"
    wanted=$(echo ${only:-$(all_jobs)} | tr ' ' '|')
    numbers=$(all_breaks | awk -v wanted="^($wanted)\$" '$2 ~ wanted { print NR }')
    each() { # what to do with each number that comes in
        xargs -P "${JOBS:-2}" -I{} sh scripts/formal.sh "--$1" {}
    }
    echo "$numbers" | each break-make
    ledger=/dev/null plan=$work/breaks/plan
    [ -z "$vouching" ] || ledger=$here/breaks.tsv
    for n in $numbers; do
        [ ! -f "$work/breaks/$n/job" ] || cat "$work/breaks/$n/job"
    done >"$work/breaks/jobs"
    ledger_plan $ledger "$work/breaks/jobs" "$plan"
    for n in $numbers; do
        [ ! -f "$work/breaks/$n/job" ] || echo "$n"
    done >"$work/breaks/numbers"
    paste "$work/breaks/numbers" "$plan" |
        awk -F '\t' '$4 != "vouched" { print $1 }' | each break-prove
    paste "$work/breaks/numbers" "$plan" |
        awk -F '\t' '$4 == "vouched" { print $1, $5 }' |
        while read -r n verdict; do
            read_break "$n"
            verdict_is "$verdict" >/dev/null
        done
    wrong=0
    if [ -n "$vouching" ]; then
        find "$work/breaks" -name done -exec cat {} + >"$work/breaks/ran"
        ledger_settle $ledger "$versions" "$plan" "$work/breaks/ran" \
            "$whole" || wrong=$ledger_wrong
    fi
    cat "$work"/breaks/*/verdict | awk -F '\t' -v wrong="$wrong" '
        { if ($1 == "caught") passed++; else failed++ }
        END {
            failed += wrong
            printf "%d passed, %d failed\n", passed, failed
            exit failed > 0
        }'
    exit
fi

# --- proofs ------------------------------------------------------------------

if [ -n "$rtl" ] && [ -z "$only" ]; then
    only=$(jobs_of "$(sed -n 's/^ *"target": "\(.*\)",$/\1/p' \
        "$rtl/manifest.json")")
    [ -n "$only" ] || die "no job for the block in '$rtl'"
fi
jobs_wanted=${only:-$(all_jobs)}
rm -f "$work"/*.result
for from in $(for j in $jobs_wanted; do source_of "$j"; done | sort -u); do
    folder=$work/rtl-${from%/*}-${from#*/}
    [ -z "$rtl" ] || continue
    generate "$from" "$folder" ||
        die "ndpgen failed on target and configuration '$from'"
    note_sources "$folder"
done
for j in $jobs_wanted; do
    if [ -n "$rtl" ]; then # not asked for, and nothing of ours goes there
        digest=-
    else
        digest=$(digest_of "$j" "$(folder_of "$j")")
    fi
    printf '%s\t%s\n' "$j" "$digest"
done >"$work/jobs"
if [ $mode = digests ]; then
    cat "$work/jobs"
    exit
fi
ledger=/dev/null plan=$work/plan
[ -z "$vouching" ] || ledger=${LEDGER:-$here/ledger.tsv}
ledger_plan $ledger "$work/jobs" "$plan"
[ $mode = json ] || [ ! -t 2 ] ||
    echo "formal: $(echo $jobs_wanted | wc -w) jobs, ${JOBS:-2} at a time" >&2

# the slow ones are the last lines of a block's: begin with them
for j in $(ledger_jobs "$plan" 'run|redo'); do
    echo "$j ${rtl:-$(folder_of "$j")} $work"
done | sed '1!G;h;$!d' | xargs -r -L 1 -P "${JOBS:-2}" sh $here/prove.sh

# Rows of a table in one field and back: 'name|result|how;name|...'.
wrong=0
if [ -n "$vouching" ]; then
    for j in $(ledger_jobs "$plan" 'run|redo'); do
        awk -F '\t' -v OFS='\t' -v job="$j" '
            $2 == "time" { seconds = $4; next }
            $3 != "proved" && $3 != "bounded" && $3 != "reached" { bad = 1 }
            { rows = rows (rows == "" ? "" : ";") $2 "|" $3 "|" $4 }
            END { print job, bad || rows == "" ? "-" : rows, seconds + 0 }' \
            "$work/$j.result"
    done >"$work/done"
    awk -F '\t' -v OFS='\t' -v work="$work" '$3 == "vouched" {
        out = work "/" $1 ".result"
        n = split($4, row, ";")
        for (i = 1; i <= n; i++) {
            split(row[i], field, "|")
            print $1, field[1], field[2], field[3] >out
        }
        print $1, "time", "vouched", $5 >out
        close(out)
    }' "$plan"
fi
for j in $jobs_wanted; do
    cat "$work/$j.result"
done >"$work/table.tsv"

if [ -n "$vouching" ]; then
    ledger_settle $ledger "$versions" "$plan" "$work/done" "$whole" \
        >"$work/said" || wrong=$ledger_wrong
fi
tools="$(yosys -V | sed 's/ (.*//'), ABC of the same package"
table() { # form
    if [ "$1" = markdown ]; then
        NDPGEN=$ndpgen sh $here/summary.sh "$work" >"$work/summary.md" || exit 1
    fi
    awk -F '\t' -v form="$1" -v tools="$tools" -v wrong="$wrong" \
        -v summary="$work/summary.md" -f $here/table.awk "$work/table.tsv"
}
# the page of another Yosys is its own
if [ $mode$vouching$whole = table11 ] &&
    grep -qxF "Tools: $tools." docs/proofs.md &&
    table markdown >"$work/proofs.md" &&
    ! cmp -s "$work/proofs.md" docs/proofs.md; then
    echo "docs/proofs.md: not what the proofs give, to write it:" \
        "sh scripts/formal.sh --ledger --update" >>"$work/said"
    wrong=$((wrong + 1))
fi
case $mode in
json) table json ;;
update)
    table markdown >"$work/proofs.md" || {
        table text
        exit 1
    }
    cp "$work/proofs.md" docs/proofs.md
    tail -n 1 docs/proofs.md
    ;;
*)
    [ -z "$vouching" ] || cat "$work/said"
    table text
    ;;
esac
