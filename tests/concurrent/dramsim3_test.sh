#!/bin/sh
# dramsim3_test.sh - scripts/dramsim3.sh as far as it goes without a DRAMsim3: the
# part as .ini, the streams, what is refused; and the whole of it with ndpchannel
# in DRAMsim3's place.
#
# usage: dramsim3_test.sh
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
BUILD=$(cd "${BUILD:-build}" && pwd)
export BUILD
program=dramsim3
set -- "$PWD/scripts/dramsim3.sh"
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

status 2 ''
status 0 '' --help
status 2 "no program 'none': build DRAMsim3" none
status 2 "no program 'none': build DRAMsim3 with -DCMD_TRACE" /bin/true none
status 2 "expected '--' before the part's options" /bin/true /bin/true --set
status 2 "unknown option '--inis'" --inis
status 2 "expects a folder" --streams

# --- the part -----------------------------------------------------------------
status 0 '' --ini
for line in 'bankgroups = 4' 'rows = 65536' 'columns = 1024' 'BL = 8' 'CL = 16' 'tRAS = 39' 'tRFC = 420' \
    'tWTR_L = 9' 'tCCD_L = 6' 'tRTRS = 2' 'channel_size = 16384' 'channels = 2' 'address_mapping = rochrababgco'; do
    holds "the part has '$line'" grep -qx "$line" out
done
holds "each key once" sh -c '[ -z "$(grep = out | sort | uniq -d)" ]'
status 0 '' --ini --set dram.channels=1 --set timing.cl=17 --set dram.ranks=4
holds "another part" grep -qx 'CL = 17' out
holds "its ranks" grep -qx 'channel_size = 32768' out
status 2 "timing.rc is 60, and tRAS + tRP 55: DRAMsim3 cannot" --ini --set timing.rc=60
status 2 "timing.turn is 2, and timing.rtrs 1" --ini --preset ddr4_3200
status 2 "a part without refresh" --ini --set timing.refi=0
status 2 "unknown" --ini --set timing.no=1

# --- the streams ----------------------------------------------------------------
export CYCLES=20000
status 0 '' --streams streams
for s in random sequential mix1 mix8; do
    holds "$s is one that ndpchannel takes" "$BUILD/ndpchannel" "streams/$s" --out said
    holds "$s reads and writes" sh -c "grep -q READ streams/$s && grep -q WRITE streams/$s"
done
holds "random goes beyond 4 GiB" grep -q '^0x[1-7][0-9a-f]\{8\} ' streams/random

# --- all of it --------------------------------------------------------------------
# As DRAMsim3 writes: a file a channel, -1 for the channel of a refresh and of the
# precharges before it, 0x0 for 0.  KEEP: how much of the commands.
cat >fake <<'EOF'
#!/bin/sh
[ "$2$4$6" = "-c-o-t" ] || exit 1
"$BUILD/ndpchannel" "$7" --cycles "$3" --trace "$5/all" --format dramsim3 \
    --set dram_map.order=rochrababgco --set dram_map.reserved=0 --out "$5/said" || exit 1
awk -v dir="$5" -v keep="${KEEP:-1}" '
    NR > 100 && $2 == "read" && n++ % 10 >= 10 * keep { next }
    {
        channel = $3
        if ($2 == "refresh" || $2 == "precharge_all")
            $3 = -1
        if ($8 == "0")
            $8 = "0x0"
        print >(dir "/dramsim3ch_" channel "cmd.trace")
    }' "$5/all"
EOF
chmod +x fake
export RUNS=1
status 0 '' ./fake ./fake
holds "theirs are judged, by channel" grep -q 'DRAMsim3 mix8 channel 1: .* 0 violations' out
holds "ours, too" grep -q 'ndpchannel random: .* 0 violations' out
holds "and timed" grep -q '^mix1: too short to time' out
KEEP=0.5
export KEEP
status 1 '' ./fake ./fake
holds "what one alone served is told" grep -q 'both served' out
status 2 "writes no commands" ./fake /bin/true
status 0 '' ./fake -- --set dram.channels=1

done_testing
