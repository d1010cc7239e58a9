#!/bin/sh
# figures_candidates.sh - TOM's candidates in the kernels that its Table 2
# names, as Markdown on standard output.
#
# usage: figures_candidates.sh [PATH-OF-NDPCC]   (default: $BUILD/ndpcc)
#
# A row a candidate: what it saves in words of 32 bits a warp, by channel, at
# the count of iterations that the condition asks for; then how many candidates
# there are if registers count by name, as in the paper's 32-bit code.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu

ndpcc=${1:-${BUILD:-build}/ndpcc}
[ -x "$ndpcc" ] || { echo "figures_candidates.sh: no program '$ndpcc'" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 2
case $ndpcc in
/*) ;;
*) ndpcc=$OLDPWD/$ndpcc ;;
esac

# paper's abbreviation and our workload
workloads="BP:backprop BFS:bfs KM:kmeans CFD:cfd HW:heartwall LIB:libor
RAY:raytrace FWT:fwt SP:scalarprod RD:reduce"

# candidates of one workload as table rows, out of the dump
rows() {
    "$ndpcc" "kernels/$2/$2.ptx" --dump candidates | awk -v name="$1" '
    function flush() {
        if (from != "")
            printf "| %s | `%s` | %s..%s | %s | %s | %s | %s | %s | %s | %s |\n",
                name, kernel, from, to, tag, ins, outs, loads, stores, trip,
                condition
        from = ""
    }
    /^kernel / { flush(); kernel = $2; sub(",", "", kernel) }
    /^  candidate / {
        flush()
        from = $3; to = $5
        match($0, /saves .*  TX /)
        tag = substr($0, RSTART + 6, RLENGTH - 11)
        for (i = 1; i < NF; i++) {
            if ($(i + 1) == "loads") loads = $i
            if ($(i + 1) == "stores") stores = $i
        }
        trip = "no loop"; condition = "none"
        if (match($0, /at .* iterations of loop .*/)) {
            split(substr($0, RSTART), w, " ")
            trip = w[2] " (" substr(w[7], 2)
        }
    }
    /^    if / { condition = "`" $2 "` " $3 " " $4 " " $5 }
    /^    live-in / { ins = $2; sub(":", "", ins) }
    /^    live-out / { outs = $2; sub(":", "", outs) }
    END { flush() }'
}

# kernel names without a candidate, with the nearest miss
misses() {
    "$ndpcc" "kernels/$2/$2.ptx" --dump candidates | awk -v name="$1" '
    function flush() {
        if (kernel != "" && !has)
            printf "| %s | `%s` | %s |\n", name, kernel, miss
        has = 0; miss = "no global access outside of what is excluded"
    }
    /^kernel / { flush(); kernel = $2; sub(",", "", kernel); first = 1 }
    /^  candidate / { has = 1 }
    /^  refused / && first {
        first = 0
        miss = $0
        sub(/^  refused /, "", miss)
    }
    END { flush() }'
}

count() {
    "$ndpcc" "kernels/$1/$1.ptx" --dump candidates --count "$2" |
        grep -c '^  candidate ' || true
}

echo '| paper | kernel | pcs | saves | words in | words out | loads | stores | iterations | condition |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
for w in $workloads; do rows "${w%%:*}" "${w#*:}"; done
echo
echo 'Kernels without a candidate, and what comes nearest:'
echo
echo '| paper | kernel | nearest miss |'
echo '| --- | --- | --- |'
for w in $workloads; do misses "${w%%:*}" "${w#*:}"; done
echo
echo 'Candidates of each workload, registers counted by words and by names:'
echo
echo '| paper | words | names |'
echo '| --- | --- | --- |'
for w in $workloads; do
    echo "| ${w%%:*} | $(count "${w#*:}" words) | $(count "${w#*:}" names) |"
done
