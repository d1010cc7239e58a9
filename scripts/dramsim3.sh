#!/bin/sh
# dramsim3.sh - DRAMsim3 and ndpchannel side by side: the same streams of requests,
# their commands under ndpcheck, cycles a second of both.
#
# usage: dramsim3.sh PROGRAM [TRACER] [-- OPTION...]
#        dramsim3.sh --ini [OPTION...]     the part as DRAMsim3's .ini, and no more
#        dramsim3.sh --streams FOLDER [OPTION...]   the streams, and no more
#
# PROGRAM is a DRAMsim3 that you have built (dramsim3main); TRACER one built with
# -DCMD_TRACE, whose commands are checked.  OPTION: --preset, --config, --set of
# ndpcheck, for another part.
#
# CYCLES (2000000) a run, RUNS (5) of each in turn, of which the median counts, of
# the processor's time.  BUILD: where ndpchannel and ndpcheck are.  Exit status 1:
# our commands break a rule, or the two did not serve the same places.
# --help: the lines above
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
cycles=${CYCLES:-2000000}
order=rochrababgco # of the address, as DRAMsim3 names it
last=$((cycles / 16 * 15)) # cycle of a request; then both come to an end
map="--set dram_map.order=$order --set dram_map.reserved=0"

# --- the part --------------------------------------------------------------------

# Their tRC is tRAS + tRP, and the turn of the bus inside a rank their tRTRS.
ini() {
    "$BUILD/ndpgen" --list-params "$@" >"$room/part" || exit 2
    awk '
        /^[a-z_]+\.[a-z_]+ = / { p[$1] = $3 }
        END {
            rc = p["timing.ras"] + p["timing.rp"]
            if (p["timing.rc"] != rc)
                bad = "timing.rc is " p["timing.rc"] ", and tRAS + tRP " rc
            else if (p["timing.turn"] != p["timing.rtrs"])
                bad = "timing.turn is " p["timing.turn"] ", and timing.rtrs " p["timing.rtrs"]
            else if (p["timing.refi"] == 0)
                bad = "timing.refi is 0, a part without refresh"
            if (bad != "") {
                print "error: " bad ": DRAMsim3 cannot say so" >"/dev/stderr"
                exit 2
            }
            rows = 2 ^ p["dram.row_bits"]
            columns = 2 ^ p["dram.column_bits"] * 8
            rank = rows * columns * 8 / 2 ^ 20 * p["dram.groups"] * p["dram.banks"]
            print "[dram_structure]\nprotocol = DDR4"
            print "bankgroups = " p["dram.groups"] "\nbanks_per_group = " p["dram.banks"]
            print "rows = " rows "\ncolumns = " columns "\ndevice_width = 8"
            print "BL = " 2 * p["timing.bl"] "\n\n[timing]\ntCK = 0.833333\nAL = 0"
            n = split("CL CWL tRCD tRP tRAS tRFC tREFI tRRD_S tRRD_L tWTR_S tWTR_L " \
                      "tFAW tWR tCCD_S tCCD_L tRTP tRTRS", theirs)
            split("cl cwl rcd rp ras rfc refi rrds rrdl wtrs wtrl faw wr ccds ccdl rtp rtrs", ours)
            for (i = 1; i <= n; i++)
                print theirs[i] " = " p["timing." ours[i]]
            print "\n[system]\nchannel_size = " rank * p["dram.ranks"]
            print "channels = " p["dram.channels"] "\nbus_width = 64"
            print "address_mapping = '$order'\nqueue_structure = PER_BANK"
            print "refresh_policy = RANK_LEVEL_STAGGERED\nrow_buf_policy = OPEN_PAGE"
            print "cmd_queue_size = 8\ntrans_queue_size = 32"
            print "\n[other]\nepoch_period = 1000000000\noutput_level = 0"
        }' "$room/part" || exit 2
}

# --- the streams -----------------------------------------------------------------

# In DRAMsim3's form.  Numbers of more than 31 bits in two pieces: mawk's %x has no more.
requests='function request(k, write, at) {
    printf "0x%x%04x %s %d\n", int(k / 1024), k % 1024 * 64, write ? "WRITE" : "READ", at
}'

# A mix's requests, in the order in which ndpchannel served them: its commands'
# places as addresses, at their cycles.
mix() {
    name=$1
    shift
    # shellcheck disable=SC2086
    "$BUILD/ndpchannel" --mix "$name" --cycles "$cycles" --trace "$room/served" \
        --out "$room/said" $map "$@"
    awk -F, -v last="$last" "$requests"'
        FNR == NR { split($0, f, " "); if (f[2] == "=") p[f[1]] = f[3]; next }
        ($2 == "RD" || $2 == "WR") && $1 < last {
            k = $7 * p["dram.channels"] + $3
            k = (k * p["dram.ranks"] + $4) * p["dram.banks"] + $6
            k = (k * p["dram.groups"] + $5) * 2 ^ p["dram.column_bits"] + $8
            request(k, $2 == "WR", $1)
        }' "$room/part" "$room/served"
}

streams() {
    into=$1
    shift
    mkdir -p "$into"
    "$BUILD/ndpgen" --list-params "$@" >"$room/part" || exit 2
    bursts=$(awk '/^dram\.[a-z_]+ = / { p[$1] = $3 } END {
        printf "%d", p["dram.channels"] * p["dram.ranks"] * p["dram.groups"] * \
            p["dram.banks"] * 2 ^ (p["dram.row_bits"] + p["dram.column_bits"])
    }' "$room/part")
    # a request in four cycles, anywhere, a third of them writes
    awk -v n="$((last / 4))" -v bursts="$bursts" "$requests"'BEGIN {
        srand(1)
        for (i = 0; i < n; i++)
            request(int(rand() * bursts), rand() < 1 / 3, 4 * i)
    }' >"$into/random"
    # two arrays read, a third written, each in another bank group, a request in eight
    row=$(awk '$1 == "dram.column_bits" { print 2 ^ $3 }' "$room/part")
    awk -v n="$((last / 8))" -v bursts="$bursts" -v row="$row" "$requests"'BEGIN {
        for (i = 0; i < n; i++)
            request((i % 3 * (int(bursts / 4) + row) + int(i / 3)) % bursts, i % 3 == 2, 8 * i)
    }' >"$into/sequential"
    mix mix1 "$@" >"$into/mix1"
    mix mix8 "$@" >"$into/mix8"
}

# --- runs ------------------------------------------------------------------------

# time_both STREAM
time_both() {
    : >"$room/a"
    : >"$room/b"
    i=0
    while [ $i -lt "${RUNS:-5}" ]; do
        seconds /dev/null "$program" "$room/part.ini" -c "$cycles" -o "$room/out" \
            -t "$room/streams/$1" >>"$room/a"
        # shellcheck disable=SC2086
        seconds /dev/null "$BUILD/ndpchannel" "$room/streams/$1" --cycles "$cycles" \
            $map $part >>"$room/b"
        i=$((i + 1))
    done
    printf '%s %s %s\n' "$1" "$(median <"$room/a")" "$(median <"$room/b")" |
        awk -v n="$cycles" '
            $2 < 0.1 || $3 < 0.1 { print $1 ": too short to time, raise CYCLES"; next }
            { printf "%-12s %10.2f %10.2f %9.2f\n", $1, n / $2 / 1e6, n / $3 / 1e6, $2 / $3 }'
}

# The column commands' places and kinds, sorted: what was served.
served() {
    # 0 is 0x0 in theirs
    awk '$2 ~ /^(read|write)/ {
        print $2, $3, $4, $5, $6, $7 == "0x0" ? 0 : $7, $8 == "0x0" ? 0 : $8
    }' | sort
}

# check_both STREAM
check_both() {
    rm -f "$room"/out/*cmd.trace
    "$tracer" "$room/part.ini" -c "$cycles" -o "$room/out" -t "$room/streams/$1" >/dev/null
    : >"$room/all"
    for f in "$room"/out/*cmd.trace; do
        [ -f "$f" ] || fail "'$tracer' writes no commands, build it with -DCMD_TRACE"
        number=${f##*ch_}
        cat "$f" >>"$room/all"
        # shellcheck disable=SC2086
        "$BUILD/ndpcheck" "$f" --limit 0 $part >"$room/said" || [ $? = 1 ]
        sed -n "/ more\$/!s,^$f:,  DRAMsim3 $1 channel ${number%cmd.trace}:,p
            /^  [a-z_]* .* of /s,^,  ,p" "$room/said"
    done
    # shellcheck disable=SC2086
    "$BUILD/ndpchannel" "$room/streams/$1" --cycles "$cycles" --trace "$room/ours" \
        --format dramsim3 $map $part >/dev/null
    # shellcheck disable=SC2086
    "$BUILD/ndpcheck" "$room/ours" --limit 0 $part >"$room/said" || bad=1
    sed "s,^$room/ours:,  ndpchannel $1:," "$room/said"
    served <"$room/all" >"$room/s1"
    served <"$room/ours" >"$room/s2"
    n=$(comm -12 "$room/s1" "$room/s2" | wc -l)
    few=$(cat "$room/s1" "$room/s2" | awk 'END { print int(NR / 2 * 0.97) }')
    echo "  both served: $n places of DRAMsim3's $(wc -l <"$room/s1") and our $(wc -l <"$room/s2")"
    [ "$n" -ge "$few" ] || bad=1 # what waited at the end may differ
}

for p in ndpchannel ndpcheck ndpgen; do
    [ -x "$BUILD/$p" ] || fail "no program '$BUILD/$p', see 'make all'"
done
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM

case $1 in
--ini)
    shift
    ini "$@"
    exit 0
    ;;
--streams)
    [ $# -ge 2 ] || fail "--streams expects a folder"
    shift
    streams "$@"
    exit 0
    ;;
-*) fail "unknown option '$1', see --help" ;;
esac

program=$1 tracer=''
shift
[ -x "$program" ] || fail "no program '$program': build DRAMsim3, and give its dramsim3main"
if [ $# -gt 0 ] && [ "$1" != -- ]; then
    tracer=$1
    [ -x "$tracer" ] || fail "no program '$tracer': build DRAMsim3 with -DCMD_TRACE"
    shift
fi
[ $# = 0 ] || [ "$1" = -- ] || fail "expected '--' before the part's options, got '$1'"
[ $# = 0 ] || shift
part=$*
bad=0
ini "$@" >"$room/part.ini"
mkdir -p "$room/out"
streams "$room/streams" "$@"
if [ -n "$tracer" ]; then
    for stream in random sequential mix1 mix8; do
        check_both $stream
    done
fi
echo "million cycles a second of the processor, $cycles cycles, median of ${RUNS:-5}:"
printf '%-12s %10s %10s %9s\n' stream DRAMsim3 ndpchannel ratio
for stream in random sequential mix1 mix8; do
    time_both $stream
done
exit $bad
