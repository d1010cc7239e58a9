# cost.sh - what area.sh and timing.sh share; read with '.', not run.
#
# Expects to be read from the top of the checkout.  Sets build, ndpgen, jobs
# and cost (the folder with the scripts and the recorded figures).

. scripts/plain_path.sh
LC_ALL=C
export LC_ALL
build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
jobs=${JOBS:-2}
cost=tests/area

die() { # message
    echo "${0##*/}: error: $1" >&2
    exit 2
}

need() { # tool, what for
    command -v "$1" >/dev/null 2>&1 || die "'$1' not found, needed $2"
}

# First words of 'ndpgen --list-targets', or the one the user named.
list_targets() { # name or nothing
    all=$("$ndpgen" --list-targets | awk '$1 ~ /^[a-z]/ { print $1 }')
    if [ -z "$1" ]; then
        echo "$all"
        return
    fi
    for t in $all; do
        if [ "$t" = "$1" ]; then
            echo "$t"
            return
        fi
    done
    die "unknown target '$1', expected one of: $(echo $all)"
}

# The preset with the sizes of a block's paper; other names stand for themselves.
preset_of() { # target, preset or 'paper'
    if [ "$2" = paper ]; then
        "$ndpgen" --list-targets | awk -v t="$1" '$1 == t { print $2 }'
    else
        echo "$2"
    fi
}

# A configuration of the user's, as --set and --config give it: words of a
# ndpgen command.  It has no preset's name but 'own', and no record.
own_sets= own_config=
take_own() { # --set or --config, value
    case $1 in
    --set)
        case $2 in *[[:space:]]*) die "'--set $2' has blanks" ;; esac
        own_sets="$own_sets $2"
        ;;
    --config)
        [ -r "$2" ] || die "cannot read '$2'"
        own_config=$2
        ;;
    esac
}
is_own() { [ -n "$own_sets$own_config" ]; }
check_own() { # target, mode
    is_own || return 0
    [ -n "$1" ] || die "a configuration of yours is of one target, expected \
--target (make: TARGET=)"
    case $2 in
    update) die "only presets are recorded, expected no --set or --config" ;;
    esac
}

# ndpgen for a target at a preset, or at the preset and what the user gave.
emit_own() { # target, preset or '', folder
    set -- --target "$1" ${2:+--preset "$2"} -o "$3"
    [ -z "$own_config" ] || set -- "$@" --config "$own_config"
    for own_set in $own_sets; do
        set -- "$@" --set "$own_set"
    done
    "$ndpgen" "$@"
}

# Generate a block and lay it out as tests/area/synth.sh expects it.  The
# configuration hash is a constant inside the RTL; it is replaced by a fixed
# one, so that a parameter of another block moves no figure of this one.  So is
# the block's name before those of shared modules: tools choose by names, too.
prepare() { # target, preset or 'own'
    dir=$build/area/$1-$2
    mkdir -p "$dir"
    rm -rf "$dir/out" "$dir/src"
    base=$2
    [ "$2" != own ] || base=$own_base
    emit_own "$1" "$base" "$dir/out" >"$dir/gen.log" 2>&1 || {
        cat "$dir/gen.log" >&2
        die "ndpgen failed on target '$1', preset '$2'"
    }
    cat "$dir/gen.log" >&2 # warnings
    mkdir "$dir/src"
    hash=$(sed -n 's/.*"hash": *"\(0x\)\{0,1\}\([0-9a-f]\{16\}\)".*/\2/p' \
        "$dir/out/manifest.json" | head -n 1)
    hash=${hash:-0123456789abcdef}
    low=${hash#????????}
    high=${hash%????????}
    for f in "$dir"/out/rtl/*; do
        sed "s/$hash/0123456789abcdef/g
             s/$low/89abcdef/g
             s/$high/01234567/g
             s/ndp_[a-z0-9_]*_common_/ndp_/g" "$f" >"$dir/src/$(echo "${f##*/}" |
            sed 's/^ndp_[a-z0-9_]*_common_/ndp_/')"
    done
    echo "ndp_$1" >"$dir/top"
    # what no synthesis sees does not count: another version or wording has the
    # same area
    python3 scripts/jobs/as_read.py "$dir"/src/* | sha256sum | cut -d ' ' -f 1 \
        >"$dir/key"
}

# Show figures, hold them against the record, or record them.
#   settle NEW RECORD MODE(show|update) COMMAND WHOLE
# MODE update puts the rows of NEW into the record, show compares and returns 1
# if anything differs.  WHOLE is 1 if NEW has all rows that there should be,
# empty if the user asked for some.
settle() {
    case $3 in
    update)
        awk -v whole="$5" -f $cost/merge.awk "$1" "$2" >"$2.new"
        mv "$2.new" "$2"
        echo "recorded $(grep -vc '^tool' "$1") rows in $2"
        ;;
    show)
        stale=$(stale_reports)
        awk -v command="$4" -v whole="$5" -v stale="$stale" \
            -f $cost/compare.awk "$2" "$1"
        ;;
    esac
}

# The table of docs/cost.md and docs/img/area.svg out of the records, nothing else.
report() {
    mkdir -p docs/img
    make_report
    cp "$build/area/cost.md" docs/cost.md
    echo "wrote the table of docs/cost.md"
    if ! command -v gnuplot >/dev/null 2>&1; then
        echo "${0##*/}: no gnuplot here, docs/img/area.svg is left" >&2
        return
    fi
    gnuplot -e "data='$build/area/chart.dat'; picture='$build/area/area.svg'" \
        $cost/chart.gp
    awk -v title="$(sed -n 's/^# title: //p' $cost/chart.gp)" \
        -v digest="$(chart_digest)" -f scripts/picture.awk \
        "$build/area/area.svg" >docs/img/area.svg
    echo "wrote docs/img/area.svg"
}

# Of what the picture is drawn from; it stands in the picture, since gnuplots
# of different versions draw different bytes.
chart_digest() {
    cat "$build/area/chart.dat" $cost/chart.gp | sha256sum | cut -c 1-16
}

# "target preset parameter value", tab-separated, of every recorded block: what
# its data sheet says under 'Parameters'.
parameters() {
    awk -F '\t' '!/^#/ && $1 != "tool" && !seen[$2, $3]++ { print $2, $3 }' \
        $cost/baseline.tsv | while read -r t p; do
        rm -rf "$build/area/sheet"
        "$ndpgen" --target "$t" --preset "$p" -o "$build/area/sheet" \
            >"$build/area/sheet.log" 2>&1 || continue
        awk -F ' *[|] *' -v OFS='\t' -v t="$t" -v p="$p" '
            /^## / { on = $0 == "## Parameters" }
            on && /^[|] `/ { print t, p, $2, $3 }' \
            "$build/area/sheet/ndp_$t.md"
    done
}

# Every recorded figure, with parameters, commands and tools, as Markdown.
details() {
    mkdir -p "$build/area"
    parameters >"$build/area/parameters.tsv"
    awk -f $cost/report.awk "$build/area/parameters.tsv" $cost/baseline.tsv \
        $cost/timing.tsv
}

# The table stands in docs/cost.md between two comments.
make_report() {
    awk -f $cost/summary.awk $cost/baseline.tsv $cost/timing.tsv \
        >"$build/area/summary.md"
    awk -v table="$build/area/summary.md" '
        /^<!-- end of cost -->/ { skip = 0 }
        !skip
        /^<!-- cost:/ {
            while ((getline line <table) > 0)
                print line
            skip = 1
        }' docs/cost.md >"$build/area/cost.md"
    awk -f $cost/chart.awk $cost/baseline.tsv >"$build/area/chart.dat"
}

# Names of those that are not what the records give.
stale_reports() {
    make_report
    cmp -s "$build/area/cost.md" docs/cost.md || echo docs/cost.md
    grep -qs "<!-- figures $(chart_digest) -->" docs/img/area.svg ||
        echo docs/img/area.svg
}
