#!/bin/sh
# docs_test.sh - documents name what there is: words of `make cosim`, options of
# programs, files, targets of make and links between pages; each page is found from
# docs/README.md, and each block's note begins with its contract.
#
# usage: docs_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
passed=0
failed=0

check() { # what command...
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "docs_test.sh: $what" >&2
    fi
}

# each word that cosim.mk hands on, in the script's help and on its page
words=$(sed -n '/^cosim_words/,/[^\\]$/p' verilator-tb/cosim.mk |
    sed 's/^cosim_words := //; s/\\//')
check "cosim.mk has words" [ -n "$words" ]
for w in $words; do
    check "docs/cosim.md does not have $w=" \
        grep -q "^| \`$w=" docs/cosim.md
    check "scripts/cosim.sh --help does not have $w=" \
        sh -c "sh scripts/cosim.sh --help | grep -q '$w='"
done

# What pages claim (docs.awk) is held against the tree, each kind with its own question.
BUILD=${BUILD:-build}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
pages="README.md CONTRIBUTING.md kernels/README.md docs/*.md docs/blocks/*.md"
awk -f tests/common/docs.awk $pages >"$room/claims"
for kind in anchor link path built make option; do
    check "pages have hardly a word of kind '$kind'" \
        [ "$(grep -c "^$kind " "$room/claims")" -gt 20 ]
done
# a copy of a block that a page has the reader make, and files of a step by step
yours='slice|emn-own|STEP'
claims() { # kind
    sed -n "s/^$1 //p" "$room/claims" | grep -vE "$yours"
}
wrong() { # what
    [ ! -s "$room/wrong" ] || sed 's/^/docs_test.sh: /' "$room/wrong" >&2
    check "$1" [ ! -s "$room/wrong" ]
}

# links lead to files, and to headings in them
awk '
    function whole(page, to, n, i, part, path, kept) { # seen from the top
        if (to == "")
            return page
        path = page ~ /\// ? page : "./" page
        sub(/[^\/]*$/, to, path)
        n = split(path, part, "/")
        kept = 0
        for (i = 1; i <= n; i++) {
            if (part[i] == "..")
                kept--
            else if (part[i] != "." && part[i] != "")
                part[++kept] = part[i]
        }
        path = ""
        for (i = 1; i <= kept; i++)
            path = path (i > 1 ? "/" : "") part[i]
        return path
    }
    $1 == "anchor" { known[$2 "#" $3] = 1; page[$2] = 1 }
    $1 == "link" {
        to = $4
        sub(/#.*/, "", to)
        from[++n] = $2
        line[n] = $3
        goal[n] = whole($2, to)
        mark[n] = index($4, "#") ? substr($4, index($4, "#") + 1) : ""
    }
    END {
        for (i = 1; i <= n; i++) {
            print "file", from[i], line[i], goal[i]
            if (mark[i] != "" && !((goal[i] "#" mark[i]) in known))
                print "wrong", from[i] ":" line[i] ": no heading #" mark[i] " in " goal[i]
        }
        # what docs/README.md leads to, over other pages of docs too
        reached["docs/README.md"] = 1
        do {
            more = 0
            for (i = 1; i <= n; i++)
                if (from[i] in reached && from[i] ~ /^docs\// && !(goal[i] in reached))
                    more = reached[goal[i]] = 1
        } while (more)
        for (p in page)
            if (p ~ /^docs\// && !(p in reached))
                print "lost", p ": docs/README.md does not lead to it"
    }' "$room/claims" >"$room/links"
sed -n 's/^wrong //p' "$room/links" >"$room/wrong"
wrong "links lead to no heading"
sed -n 's/^file //p' "$room/links" | while read -r page line to; do
    [ -e "$to" ] || echo "$page:$line: no file $to"
done >"$room/wrong"
wrong "links lead to no file"
sed -n 's/^lost //p' "$room/links" >"$room/wrong"
wrong "pages are not to be found from docs/README.md"

# files in code, programs, targets of make
claims path | while read -r page line word; do
    ls -d $word >/dev/null 2>&1 || echo "$page:$line: no $word"
done >"$room/wrong"
wrong "code names files that are not there"
claims built | while read -r page line word; do
    case $word in
    build/tests/*) [ -f "${word#build/}.c" ] ;;
    build/cudart) grep -q '^cudart *:=' Makefile ;; # libraries, a folder
    build/check* | build/cosim* | build/area* | build/figures*) ;;
    build/ndpcu) [ -f scripts/ndpcu.sh ] ;; # a program that is a script
    *) [ -d "gen/${word#build/}" ] || [ -d "golden/sim/${word#build/}" ] ;;
    esac || echo "$page:$line: nothing builds $word"
done >"$room/wrong"
wrong "code names programs that nothing builds"
claims make | while read -r page line word; do
    grep -qE "^([a-z-]+ )*$word( [a-z-]+)*:" Makefile verilator-tb/cosim.mk ||
        echo "$page:$line: no target $word of make"
done >"$room/wrong"
wrong "code names targets that make does not have"

# options, in the help of who is told; presets of ndpsim have help of their own
helps() { # who
    [ -f "$room/help-${1##*/}" ] && return
    case $1 in
    scripts/*) sh "$1" --help ;;
    ndpcu) sh scripts/ndpcu.sh --help ;;
    *) "$BUILD/$1" --help ;;
    esac >"$room/help-${1##*/}" 2>&1
    [ "$1" != ndpsim ] || for p in tom image mpu omni; do
        "$BUILD/ndpsim" --preset $p --help
    done >>"$room/help-ndpsim" 2>&1
}
for who in gen/ndp*/ golden/sim/ndp*/ scripts/*.sh; do
    who=${who%/}
    case $who in scripts/*) ;; *) who=${who##*/} ;; esac
    helps "$who"
done
helps ndpcu
cat "$room"/help-* >"$room/any"
claims option | while read -r page line who word; do
    file=$room/any
    [ "$who" = any ] || file=$room/help-${who##*/}
    grep -q -e "$word\([^a-z-]\|\$\)" "$file" ||
        echo "$page:$line: $who does not know $word"
done >"$room/wrong"
wrong "code names options that nobody has"

# the walk through a block says how long its files are, within a fifth
sed -n 's/^| `\([^ `]*\/credit[^ `]*\)`.*| \([0-9]*\)[ +0-9]*|$/\1 \2/p' docs/add-a-block.md >"$room/long"
check "docs/add-a-block.md does not say how long files are" \
    [ "$(wc -l <"$room/long")" -ge 9 ]
while read -r file n; do
    [ -f "$file" ] || { echo "docs/add-a-block.md: no $file"; continue; }
    is=$(wc -l <"$file")
    [ $((5 * (is - n))) -le "$is" ] && [ $((5 * (n - is))) -le "$is" ] ||
        echo "docs/add-a-block.md: $file has $is lines, not $n"
done <"$room/long" >"$room/wrong"
wrong "lengths of files have moved"

# the note of each block begins with its contract, in these words
for note in docs/blocks/*.md; do
    sed -n '/^## /{p;q;}' "$note" | grep -qx '## Contract' ||
        echo "$note: its first section is not '## Contract'"
    for word in In Out Handshake Latency Throughput Reset Never 'You keep'; do
        sed '1,/^## Contract/d; /^## /,$d' "$note" | grep -qi "\*\*$word\*\*" ||
            echo "$note: the contract does not say '**$word**'"
    done
done >"$room/wrong"
wrong "notes without their contract"

# docs/blocks.md has each target once, as what its declaration says that it is
for def in lib/blocks/*.def; do
    t=${def##*/} t=${t%.def}
    kind=$(sed -n 's/^\(BLOCK\|UNIT\|SYSTEM\)(.*/\1/p' "$def" | tr A-Z a-z)
    [ -z "$kind" ] ||
        [ "$(grep -cF "| [\`$t\`](blocks/$t.md) | $kind |" docs/blocks.md)" = 1 ] ||
        echo "docs/blocks.md: no row of '$t' as a $kind"
done >"$room/wrong"
wrong "docs/blocks.md is not the list of targets"

# the README's table of papers: figures and verdicts are those of docs/claims.md
awk -F ' *[|] *' '
    FILENAME == ARGV[1] && /^## / { paper = substr($0, 4) }
    FILENAME == ARGV[1] && NF > 8 { # the summary
        name = $2
        sub(/ \(.*/, "", name)
        verdicts[name] = $4 " / " $5 " / " $6 " / " $7
    }
    FILENAME == ARGV[1] && paper { figure[paper, $4, $5] }
    FILENAME != ARGV[1] && $7 ~ / \/ .* \// {
        rows++
        short = $2
        sub(/ computing$/, "", short)
        if (verdicts[$2] != $7)
            print "README.md: " $2 ": claims " $7 ", docs/claims.md has " verdicts[$2]
        if (!((short, $5, $6) in figure))
            print "README.md: " $2 ": docs/claims.md has no claim with " $5 " and " $6
    }
    END { if (rows != 5) print "README.md: " rows + 0 " papers in its table" }
    ' docs/claims.md README.md >"$room/wrong"
wrong "the README does not say what docs/claims.md does"

# what the README says that its second command prints
for line in "y  *50 elements, checksum d8f80738038e618f, 0 of 50 wrong" "cycles  *[0-9]*"; do
    sed -n "s/^ *\($line\)\$/\1/p" README.md
done >"$room/said"
"$BUILD/ndprun" kernels/gemv/gemv.yml --device golden:mpu_core --policy near >"$room/run" 2>&1
check "README.md does not show a result" [ "$(wc -l <"$room/said")" = 2 ]
while read -r line; do
    sed 's/  */ /g; s/^ //' "$room/run" | grep -qxF "$(echo "$line" | sed 's/  */ /g')" ||
        echo "README.md: ndprun does not print '$line'"
done <"$room/said" >"$room/wrong"
wrong "the README shows another result than ndprun's"

# commands of the first pages name programs, make targets and files that are there, or
# that an earlier one makes; a user's cell library and traces are his own
unknown() { # page
    made=' my.lib requests.txt dramsim3ch_0cmd.trace '
    sed -n 's/^    //p' "$1" | sed 's/  *#.*//' | while read -r line; do
        case $line in
        *'>'*) made="$made ${line##*>} " ;;
        esac
        case $line in
        build/* | make\ * | sh\ *) ;;
        *) continue ;;
        esac
        set -f
        for word in $(echo "$line" | sed 's/golden:\|mpu_core:/ /g' | tr "='" '  '); do
            set +f
            case $word in
            -*) ;;
            *.yml | *.ptx | *.cu | *.md | *.lib | *.ndpt | *.ret | *.trace | kernels/*)
                case "$made $(echo "$line" | sed 's/.*\(-o\|--trace\|--metadata\) //')" in
                *" $word"*) ;;
                *) ls $word >/dev/null 2>&1 || echo "$word" ;;
                esac
                ;;
            esac
        done
        made="$made $(echo "$line" | sed -n 's/.*\(-o\|--trace\) \([^ ]*\).*/\2/p') "
        case $line in
        make\ *)
            t=$(echo "$line" | cut -d ' ' -f 2)
            grep -qE "^([a-z-]+ )*$t:" Makefile verilator-tb/cosim.mk || echo "make $t"
            ;;
        build/*)
            p=${line%% *} p=${p#build/}
            [ -d "gen/$p" ] || [ -d "golden/sim/$p" ] || [ "$p" = ndpcu ] || echo "$p"
            ;;
        esac
    done
}
for page in README.md docs/commands.md docs/generate.md; do
    check "$page names what there is not: $(unknown $page | tr '\n' ' ')" [ -z "$(unknown $page)" ]
done
echo "docs: $passed passed, $failed failed"
[ $failed = 0 ]
