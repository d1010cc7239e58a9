#!/bin/sh
# template_lines.sh - lines of templates that nothing checks.
#
# usage: template_lines.sh [--list]
#
# A line that neither a lock-step run (python3 scripts/jobs cosim --runs) nor a
# proof (tests/*/formal/*.yml) emits is one whose mistakes nobody would see.
# Emits all of these configurations from templates in which every line carries
# its own place as a comment, and prints the places that never came, with what
# stands there.  Blank lines, lines of Lua and lines inside a ${} that goes over
# several do not count.
#
# --list: the configurations.
# Environment: BUILD.
#
# Exit status: 0 every line was emitted, 1 some were not, 2 bad use.
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
export BUILD
work=$BUILD/template_lines

case ${1:-} in
'' | --list) ;;
*)
    echo "template_lines.sh: error: unknown argument '$1', expected --list" >&2
    exit 2
    ;;
esac

# One a line: target, then options of ndpgen.
configurations() {
    FRESH=1 python3 scripts/jobs cosim --runs | awk '
        {
            target = preset = config = sets = ""
            line = $0
            if (match(line, /SET="[^"]*"/)) {
                n = split(substr(line, RSTART + 5, RLENGTH - 6), set, " ")
                for (i = 1; i <= n; i++)
                    sets = sets " --set " set[i]
                sub(/SET="[^"]*"/, "", line)
            }
            n = split(line, word, " ")
            for (i = 1; i <= n; i++) {
                if (word[i] ~ /^TARGET=/)
                    target = substr(word[i], 8)
                if (word[i] ~ /^PRESET=/)
                    preset = " --preset " substr(word[i], 8)
                if (word[i] ~ /^CONFIG=/)
                    config = " --config " substr(word[i], 8)
                if (word[i] ~ /^SET=/)
                    sets = sets " --set " substr(word[i], 5)
            }
            print target preset config sets
        }'
    for file in tests/*/formal/*.yml; do
        target=${file#tests/}
        echo "${target%%/*} --config $file"
    done
}

configurations | sort -u >"$BUILD/template_lines.txt"
if [ "${1:-}" = --list ]; then
    cat "$BUILD/template_lines.txt"
    exit 0
fi

# Each line with its place, the template as a number, since ndpgen gives names
# of its own to what is shared; which have one goes to $work/all.
rm -rf "$work"
mkdir -p "$work/templates"
number=0
for file in rtl-templates/*/*.v rtl-templates/*/*.vh rtl-templates/*/*.inc; do
    name=${file#rtl-templates/}
    mkdir -p "$work/templates/${name%/*}"
    case $name in
    outputs/*)
        cp "$file" "$work/templates/$name"
        continue
        ;;
    esac
    number=$((number + 1))
    awk -v name="$name" -v number=$number -v all="$work/all" '
        # braces of ${ ... } that are open at the end of the line
        function walk(line,    i, c) {
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (!depth && substr(line, i, 2) == "${") {
                    depth = 1
                    i++
                } else if (depth && c == "{") {
                    depth++
                } else if (depth && c == "}") {
                    depth--
                }
            }
        }
        /^[ \t]*\/\/%/ || (/^[ \t]*$/ && !depth) { print; next }
        {
            was = depth
            walk($0)
            if (was || depth) {
                print
                next
            }
            print $0 " //@" number ":" FNR "@"
            print number ":" FNR ":" name ":" $0 >>all
        }' "$file" >"$work/templates/$name"
done
for file in rtl-templates/*/*.lua; do
    cp "$file" "$work/templates/${file#rtl-templates/}"
done

n=0
while read -r target options; do
    # the options are words without blanks
    # shellcheck disable=SC2086
    "$BUILD/ndpgen" --target "$target" $options --templates "$work/templates" \
        -o "$work/out" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        echo "template_lines.sh: error: '$target $options' is not emitted" >&2
        exit 2
    }
    cat "$work/out"/rtl/* "$work/out"/formal/* 2>/dev/null |
        grep -o '//@[^@]*@' || :
    n=$((n + 1))
    # places that have come, each once in a while
    rm -rf "$work/out"
done <"$BUILD/template_lines.txt" | sed 's,^//@\(.*\)@$,\1,' | sort -u >"$work/seen"

awk -F : '
    FILENAME == ARGV[1] { seen[$0]; next }
    {
        lines++
        if ($1 ":" $2 in seen)
            next
        text = $0
        sub(/^[^:]*:[^:]*:[^:]*: */, "", text)
        printf "rtl-templates/%s:%s: nothing emits: %s\n", $3, $2, text
        missing++
    }
    END {
        printf "%d lines of templates, %d that no check emits\n", lines, missing
        exit missing > 0
    }' "$work/seen" "$work/all"
