#!/bin/sh
# chains_test.sh - offload chains from outside: the patterns of the paper's
# Table 3 in our kernels, and the rewritten PTX of each: same lines, the same
# chains and contiguous, nothing left to move, right results on the executor.
#
# usage: chains_test.sh          programs from $BUILD (default: build)
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
ndpcc=$BUILD/ndpcc
ndpsim=$BUILD/ndpsim
for p in "$ndpcc" "$ndpsim"; do
    [ -x "$p" ] || { echo "chains_test.sh: no program '$p'" >&2; exit 2; }
done
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

ok() { passed=$((passed + 1)); }

fail() {
    echo "chains_test.sh: $1" >&2
    failed=$((failed + 1))
}

# check MESSAGE COMMAND... - passes if the command does
check() {
    message=$1
    shift
    if "$@"; then ok; else fail "$message"; fi
}

# patterns FILE OPTION... - the patterns of its chains, each once
patterns() {
    "$ndpcc" "$@" 2>/dev/null |
        awk '$1 == "chain" && $3 == "pattern" { print $4 }' | sort -u |
        tr '\n' ' '
}

# --- Table 3 -------------------------------------------------------------------
while read -r kernel mode wanted; do
    set -- "kernels/$kernel/$kernel.ptx"
    [ "$mode" = - ] || set -- "$@" "$mode"
    got=$(patterns "$@")
    check "$kernel: patterns '$got', expected '$wanted'" \
        [ "$got" = "$wanted " ]
done <<END
compare - 5
copy - 3
density - 6
vecadd - 1
norm - 7
triad - 9
bfs - 6 7
fdtd - 2 3
kmeans - 2 3
mvt --split-fma 2
reduce - 4
scalarprod --split-fma 2
srad - 2
END

# --- rewriting -----------------------------------------------------------------

# The lines of one chain follow each other: first, inside ..., last.
contiguous() {
    awk '
    match($0, /chain [0-9]+: [a-z]+/) {
        split(substr($0, RSTART, RLENGTH), w, /[ :]+/)
        if (w[3] == "first") { if (open) bad = 1; open = 1; id = w[2] }
        else if (!open || w[2] != id || NR != line + 1) bad = 1
        if (w[3] == "last") { open = 0; n++ }
        line = NR
    }
    END { exit bad || open || !n }' "$1"
}

plain() { sed 's, *// chain [0-9]*: .*$,,' "$1"; }

# chains FILE OPTION... - its chains: pattern and instructions, without their
# places.  The product of a split multiply-add is one whichever way it stands.
chains() {
    "$ndpcc" "$@" | awk '
    $1 ~ /^[0-9]+$/ {
        pc = $1
        sub(/^ *[0-9]+ +[^ ]+ +/, "")
        sub(/ *\[chain.*/, "")
        text[pc] = $0
    }
    $1 == "chain" && $3 == "pattern" {
        line = $4
        sub(/ *product only$/, "")
        for (i = 1; i <= NF && $i !~ /^flits?$/; i++)
            ;
        for (i++; i <= NF; i++) {
            if (i == NF && (line ~ /^[28]/))
                sub(/^(@[^ ]+ )?(fma|mad|mul)[^ ]* .*/, "product", text[$i])
            line = line " | " text[$i]
        }
        print line
    }'
}

# rewrite KERNEL OPTION... - to $room/KERNEL.ptx, with what can be said of it
rewrite() {
    name=$1
    shift
    source=kernels/$name/$name.ptx
    new=$room/$name.ptx
    check "$name: --rewrite $* fails" \
        "$ndpcc" --rewrite "$@" "$source" -o "$new"
    check "$name $*: chains are not contiguous" contiguous "$new"
    "$ndpcc" --rewrite "$@" "$new" -o "$room/again"
    check "$name $*: written again it changes" cmp -s "$new" "$room/again"
    chains "$source" "$@" >"$room/chains"
    chains "$new" >"$room/again"
    check "$name $*: other chains in the rewritten text" \
        cmp -s "$room/chains" "$room/again"
    check "$name $*: no chains to compare" [ -s "$room/chains" ]
    plain "$new" >"$room/one"
    if [ $# -eq 0 ]; then
        sort "$source" >"$room/before"
        sort "$room/one" >"$room/after"
        check "$name: other lines than in the source" \
            cmp -s "$room/before" "$room/after"
    fi
    for run in "kernels/$name"/*.yml; do
        case $run in *_pattern*) continue ;; esac
        "$ndpsim" "$run" --ptx "$new" >"$room/verdict" 2>&1
        check "$run $*: wrong result of the rewritten PTX" \
            grep -q ": right, finished" "$room/verdict"
    done
}

for k in compare copy density vecadd norm triad bfs fdtd kmeans reduce srad \
    axpy axpby conv cfd jacobi2d xmy backprop; do
    if grep -q "first" <<END
$("$ndpcc" --rewrite "kernels/$k/$k.ptx")
END
    then rewrite $k; fi
done
for k in mvt scalarprod srad dot gemv cfd; do
    if grep -q "first" <<END
$("$ndpcc" --rewrite --split-fma "kernels/$k/$k.ptx")
END
    then rewrite $k --split-fma; fi
done
for f in tests/ptx/dialects/*.ptx; do
    "$ndpcc" --rewrite "$f" -o "$room/dialect.ptx" 2>/dev/null
    check "$f: rewritten it does not read" \
        "$ndpcc" "$room/dialect.ptx" -o "$room/list" 2>/dev/null
done

# --- what is printed -------------------------------------------------------------
"$ndpcc" kernels/triad/triad.ptx --json >"$room/json"
check "no chain of pattern 9 in the JSON" grep -q '{"pattern": 9, "instructions": \[{"pc": [0-9]*, "tag": "01"}, .*"tag": "11"}\], "loads": \[[0-9]*, [0-9]*\], "store": [0-9]*, "type": "f32", "f": "add", "g": "mul", "h": null, .*"fused": true, .*"immediate": "%f1", "answer": "ack", "flits": 1}' "$room/json"
"$ndpcc" kernels/mvt/mvt.ptx --json >"$room/json"
check "no refusal in the JSON" \
    grep -q '{"pc": [0-9]*, "reason": "fused with a register"}' "$room/json"
"$ndpcc" kernels/copy/copy.ptx >"$room/list"
check "no tags in the listing" grep -q '\[chain 0 11\]$' "$room/list"
"$ndpcc" --rewrite kernels/copy/copy.ptx kernels/norm/norm.ptx >"$room/out" 2>&1
check "--rewrite of two files" [ $? -eq 2 ]

# four of the 14 instructions and three of three requests, size small
"$ndpsim" kernels/vecadd/vecadd_aligned.yml --chains >"$room/out"
check "no share of vecadd: $(cat "$room/out")" \
    grep -q "as compiled *25.8 % of instructions, 100.0 % of requests in 35 chains; pattern 1 25.8 %" "$room/out"
"$ndpsim" kernels/mvt/mvt.yml --chains --json >"$room/out"
check "no shares in the JSON" grep -q '"in_chains": {' "$room/out"
"$ndpsim" kernels/vecadd/vecadd_aligned.yml --trace "$room/t.ndpt" >"$room/out"
"$ndpsim" "$room/t.ndpt" --chains >"$room/out" 2>&1
check "--chains of a trace" [ $? -eq 2 ]

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
