#!/bin/sh
# booksim.sh - BookSim and ndpnet side by side: the same mesh under the same
# traffic, latency by load, and cycles a second of both.
#
# usage: booksim.sh PROGRAM [OPTION...]
#        booksim.sh --config [OPTION...]   the mesh as BookSim's file, and no more
#
# PROGRAM is a BookSim 2 that you have built.  OPTION: of ndpnet: --preset,
# --config, --set (a mesh as wide as it is high), --pattern (not memory), --flits,
# --load, --cycles, --warm, --seed.
#
# What cannot be said the same way in both: BookSim's uniform traffic goes to the
# sender, too, and its mean latency counts the channels into and out of the mesh;
# so latencies differ by some cycles at every load, and saturation should not.
# RUNS (3) of each in turn, of which the median counts, of the processor's time.
# BUILD: where ndpnet and ndpgen are.  --help: the lines above
case ${1:-} in
'' | -h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    [ -n "${1:-}" ] || exit 2
    exit 0
    ;;
esac
set -eu
. "$(dirname "$0")/beside.sh"
BUILD=${BUILD:-$(dirname "$0")/../build}

for p in ndpnet ndpgen; do
    [ -x "$BUILD/$p" ] || fail "no program '$BUILD/$p', see 'make all'"
done
config_only='' program=''
case $1 in
--config) config_only=1 ;;
-*) fail "unknown option '$1', see --help" ;;
*)
    program=$1
    [ -x "$program" ] || fail "no program '$program': build BookSim 2, and give its booksim"
    ;;
esac
shift
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM

# Those of the options that say which mesh, and those that say which traffic.
pattern=uniform flits=5 warm=2000 cycles=10000 seed=1 preset=mesh
loads=0.02,0.06,0.1,0.14,0.18,0.22,0.26,0.3,0.34,0.38
: >"$room/mesh"
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "'$1' needs a value"
    case $1 in
    -p | --preset) preset=$2 ;;
    -c | --config | -s | --set) printf '%s\n%s\n' "$1" "$2" >>"$room/mesh" ;;
    --pattern) pattern=$2 ;;
    --flits) flits=$2 ;;
    --warm) warm=$2 ;;
    --cycles) cycles=$2 ;;
    --seed) seed=$2 ;;
    --load) loads=$2 ;;
    *) fail "unknown option '$1', expected one of ndpnet's, see --help" ;;
    esac
    shift 2
done
set -- --preset "$preset"
while read -r option && read -r value; do
    set -- "$@" "$option" "$value"
done <"$room/mesh"
case $pattern in
uniform | transpose) theirs=$pattern ;;
complement) theirs=bitcomp ;;
neighbour) theirs=neighbor ;;
*) fail "pattern '$pattern' is none that both have: uniform, transpose, complement, neighbour" ;;
esac

# --- the mesh --------------------------------------------------------------------

# Four virtual channels a lane: two classes, two orders of dimensions.  A hop takes
# four cycles in both: channel, switch, crossbar, link.
"$BUILD/ndpgen" --list-params "$@" >"$room/part" || exit 2
awk -v traffic="$theirs" -v flits="$flits" -v warm="$warm" -v cycles="$cycles" -v seed="$seed" '
    /^[a-z_]+\.[a-z_]+ = / { p[$1] = $3 }
    END {
        if (p["mesh.width"] != p["mesh.height"])
            bad = "the mesh is " p["mesh.width"] " x " p["mesh.height"] ", BookSim has square ones"
        else if (traffic == "bitcomp" && p["mesh.width"] ~ /[^248]/ && p["mesh.width"] != 16)
            bad = "BookSim has the complement of powers of two only"
        if (bad != "") {
            print "error: " bad >"/dev/stderr"
            exit 2
        }
        both = p["noc.routes"] == "both"
        print "topology = mesh;\nk = " p["mesh.width"] ";\nn = 2;"
        print "routing_function = " (both ? "xy_yx" : "dor") ";"
        print "num_vcs = " 2 * (both ? 2 : 1) * p["noc.lanes"] ";\nvc_buf_size = " p["noc.depth"] ";"
        print "wait_for_tail_credit = 0;"
        print "vc_allocator = separable_output_first;\nsw_allocator = separable_input_first;"
        print "arb_type = round_robin;\nalloc_iters = 1;"
        print "credit_delay = 1;\nrouting_delay = 0;\nvc_alloc_delay = 1;\nsw_alloc_delay = 1;\nst_final_delay = 1;"
        print "input_speedup = 1;\noutput_speedup = 1;\ninternal_speedup = 1.0;"
        print "use_noc_latency = 0;"
        print "traffic = " traffic ";\npacket_size = " flits ";\ninjection_rate_uses_flits = 1;"
        print "sim_type = latency;\nsample_period = " warm ";\nwarmup_periods = 1;"
        print "max_samples = " int((cycles + warm - 1) / warm) + 1 ";\nlatency_thres = 1000.0;"
        print "seed = " seed ";"
    }' "$room/part" >"$room/mesh.cfg" || exit 2
if [ -n "$config_only" ]; then
    cat "$room/mesh.cfg"
    exit 0
fi

# --- runs ------------------------------------------------------------------------

echo "$pattern traffic, packets of $flits flits, $cycles cycles behind $warm, median of ${RUNS:-3} for speed"
printf '%8s %12s %12s %14s %14s %8s\n' load BookSim ndpnet 'BookSim c/s' 'ndpnet c/s' ratio
for load in $(echo "$loads" | tr ',' ' '); do
    : >"$room/a"
    : >"$room/b"
    i=0
    while [ $i -lt "${RUNS:-3}" ]; do
        # BookSim ends with another status than 0 when all went well
        # shellcheck disable=SC2016
        seconds "$room/theirs" sh -c '"$@" || :' run "$program" "$room/mesh.cfg" \
            "injection_rate=$load" >>"$room/a"
        seconds "$room/ours" "$BUILD/ndpnet" --json "$@" --pattern "$pattern" --flits "$flits" \
            --warm "$warm" --cycles "$cycles" --seed "$seed" --load "$load" >>"$room/b"
        i=$((i + 1))
    done
    ran=$(awk '/^Time taken is [0-9]+ cycles/ { n = $4 } END { print n + 0 }' "$room/theirs")
    # the mean of all runs stands last; without an end there is none to trust
    latency=$(awk '/Overall Traffic Statistics/ { all = 1 }
        all && /^Packet latency average = / { n = $5 }
        END { print n == "" ? "-" : n }' "$room/theirs")
    grep -q 'Simulation unstable' "$room/theirs" || [ "$latency" != - ] || {
        tail -n 5 "$room/theirs" >&2
        fail "'$program' did not come to an end that BookSim 2 has"
    }
    own=$(awk -F '[:,]' '/"saturated"/ { bad = $2 ~ /true/ } /"latency"/ { n = $2 }
        END { print bad || n == "" ? "-" : n }' "$room/ours")
    [ -s "$room/ours" ] && grep -q '"loads"' "$room/ours" || {
        cat "$room/ours" >&2
        exit 2
    }
    echo "$load $latency $own $ran $(median <"$room/a") $((warm + cycles)) $(median <"$room/b")" | awk '
        function rate(cycles, seconds) { return cycles > 0 && seconds >= 0.05 ? cycles / seconds : 0 }
        function shown(x, form) { return x > 0 ? sprintf(form, x) : "-" }
        {
            a = rate($4, $5)
            b = rate($6, $7)
            printf "%8s %12s %12s %14s %14s %8s\n", $1, $2 == "-" ? $2 : sprintf("%.1f", $2),
                $3 == "-" ? $3 : sprintf("%.1f", $3), shown(a, "%.0f"), shown(b, "%.0f"),
                (a > 0 && b > 0) ? sprintf("%.1f", b / a) : "-"
        }'
done
