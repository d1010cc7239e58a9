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
# last: a block's last line begins.  A module that blocks share (ndp_queue) needs
# one job only, of any block that uses it.
set -eu

usage() {
    cat <<'END'
usage: sh scripts/formal.sh [OPTION...] [RTL=DIR]

  --job NAME   only this job; repeatable
  --target T   only the jobs of this block; repeatable
  --json       print the table as JSON
  --update     write the table to docs/proofs.md
  --breaks     break the RTL on purpose and see the named property fail
  --list       list the jobs, each with its block
  --help       this text
  RTL=DIR      prove the RTL in this folder, made by ndpgen with a small
               configuration, instead of a fresh one: the jobs of its block

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (2).
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
    --break-one) # what --breaks runs for each line
        mode=break_one number=$2
        shift
        ;;
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

# --- breaks ------------------------------------------------------------------

# One line of a breaks.txt: template, job, property, sed command.
break_one() { # NUMBER
    line=$(all_breaks | sed -n "$1p")
    file=$(echo "$line" | awk '{ print $1 }')
    job=$(echo "$line" | awk '{ print $2 }')
    property=$(echo "$line" | awk '{ print $3 }')
    edit=$(echo "$line" | sed 's/^[^ ]* *[^ ]* *[^ ]* *//')
    dir=$work/breaks/$1
    rm -rf "$dir"
    mkdir -p "$dir/templates"
    for original in rtl-templates/*/"$file"; do
        sed "$edit" "$original" >"$dir/templates/$file"
    done
    verdict=missed
    if cmp -s "$original" "$dir/templates/$file"; then
        verdict=unchanged
    elif generate "$(source_of "$job")" "$dir/out" "$dir/templates"; then
        FORMAL_NO_GOALS=1 FORMAL_SECONDS=${FORMAL_SECONDS:-20} \
            sh $here/prove.sh "$job" "$dir/out" "$dir"
        ! awk -F '\t' -v p="$property" '$2 == p && $3 == "failed" { f = 1 }
            END { exit !f }' "$dir/$job.result" || verdict=caught
    fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$verdict" "$file" "$job" "$property" "$edit" \
        >"$dir/verdict"
    printf '%-9s %-24s %s.%s\n' "$verdict" "$file" "$job" "$property"
}

if [ $mode = break_one ]; then
    break_one "$number"
    exit
fi
if [ $mode = breaks ]; then
    rm -rf "$work/breaks"
    wanted=$(echo ${only:-$(all_jobs)} | tr ' ' '|')
    all_breaks |
        awk -v wanted="^($wanted)\$" '$2 ~ wanted { print NR }' | xargs -P "${JOBS:-2}" -I{} sh scripts/formal.sh --break-one {}
    cat "$work"/breaks/*/verdict | awk -F '\t' '
        { if ($1 == "caught") passed++; else failed++ }
        END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }'
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
    [ -n "$rtl" ] || generate "$from" "$folder" ||
        die "ndpgen failed on target and configuration '$from'"
done
[ $mode = json ] || [ ! -t 2 ] ||
    echo "formal: $(echo $jobs_wanted | wc -w) jobs, ${JOBS:-2} at a time" >&2

# the slow ones are the last lines of a block's: begin with them
for j in $jobs_wanted; do
    echo "$j ${rtl:-$(folder_of "$j")} $work"
done | sed '1!G;h;$!d' | xargs -L 1 -P "${JOBS:-2}" sh $here/prove.sh

for j in $jobs_wanted; do
    cat "$work/$j.result"
done >"$work/table.tsv"

tools="$(yosys -V | sed 's/ (.*//'), ABC of the same package"
case $mode in
json) awk -F '\t' -v form=json -v tools="$tools" -f $here/table.awk \
    "$work/table.tsv" ;;
update)
    awk -F '\t' -v form=markdown -v tools="$tools" -f $here/table.awk \
        "$work/table.tsv" >"$work/proofs.md" || {
        awk -F '\t' -v form=text -f $here/table.awk "$work/table.tsv"
        exit 1
    }
    cp "$work/proofs.md" docs/proofs.md
    tail -n 1 docs/proofs.md
    ;;
*) awk -F '\t' -v form=text -f $here/table.awk "$work/table.tsv" ;;
esac
