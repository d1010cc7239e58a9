#!/bin/sh
# ndpchannel_test.sh - the command line of ndpchannel, from outside: exit
# statuses, messages, and command traces that ndpcheck finds clean.
#
# usage: ndpchannel_test.sh [PATH-OF-NDPCHANNEL]
#
# Prints one line a check that failed and exits 1, or a count and exits 0.
set -u

cd "$(dirname "$0")/../.." || exit 2
check=$PWD/${BUILD:-build}/ndpcheck
svrg=$PWD/kernels/svrg/svrg.yml
program=ndpchannel
# shellcheck source=tests/common/cli.sh
. tests/common/cli.sh

status 0 '' --help
status 0 '' --version
status 2 "nothing to run, expected a trace of requests, --mix or --op"
status 2 "expected a trace or --mix, got both" some.txt --mix mix1
status 2 "unknown option '--mixx', did you mean '--mix'" --mixx 1
status 2 "mix9" --mix mix9
status 2 "'copi'" --op copi
status 2 "'--bytes' is 100, expected a multiple of 64" --op dot --bytes 100
status 2 "'1/8'" --op dot --throttle 1/8
status 2 "'--wrap' goes with a trace" --op dot --wrap
status 2 "none.txt: error: cannot read: No such" none.txt
status 2 "takes 8192 system rows, but of colour 0 only" --op gemv --bytes 8388608
status 2 "'dram.ranks' must be 2 or 4" --op dot --set dram.ranks=1 \
    --set dram_map.order=rochrababgco

# --- what it tells ------------------------------------------------------------
status 0 '' --mix mix1 --op dot --cycles 20000
holds "the host's figures" grep -q 'GB/s; .* cycles until a read' out
holds "the accelerators' figures" grep -q 'idle used .* of what one bank group gives.*; at rest .* %' out
holds "ranks at rest" grep -qx '  at rest  *[0-9.]* % of the cycles: no request under way' out
holds "no rule is broken" grep -qx 'checker  *[0-9]* commands, 0 broken rules' out
status 0 '' --mix mix8 --cycles 5000 --json
holds "JSON without accelerators" grep -q '"near": null' out
status 0 '' --op copy --cycles 5000 --json -o out.json
holds "into a file" grep -q '"op": "copy"' out.json

# under way: from the first command to the last beat, of one rank of four
rest() { # percent, request
    echo "$2 100" >one.txt
    status 0 '' one.txt --cycles 10000 --set timing.refi=0 --json
    holds "at rest but for '$2'" grep -q "\"rest_percent\": $1," out
}
rest 99.910 '0x0 READ'  # tRCD + tCL + tBL = 36
gzip -c one.txt >one.gz
status 0 '' one.gz --cycles 10000 --set timing.refi=0 --json
holds "and compressed" grep -q '"rest_percent": 99.910' out
rest 99.920 '0x0 WRITE' # tRCD + tCWL + tBL = 32
status 0 '' --op dot --cycles 100000 --bytes 8388608 --json
holds "without a host both shares are one" python3 -c '
import json
n = json.load(open("out"))["near"]
assert 90 < n["idle_used_percent"] < n["rest_used_percent"] < 96, n'

# --- commands that ndpcheck judges, of all kinds of runs ----------------------
# words: options without blanks
clean() {
    status 0 '' "$@" --cycles 30000 --trace run.csv
    holds "clean under ndpcheck: $*" "$check" run.csv --limit 1
}
clean --mix mix0 --op copy --throttle none
clean --mix mix1 --op copy --throttle 1/4 --shared-banks
holds "shared banks: the accelerators have many" sh -c \
    '[ "$(grep ",nda$" run.csv | cut -d, -f5,6 | sort -u | wc -l)" -gt 4 ]'
clean --mix mix1 --op axpbypcz --async --blocks 4
holds "partition: the accelerators have the last bank, and it alone" sh -c \
    '[ "$(grep ",nda$" run.csv | cut -d, -f5,6 | sort -u)" = 3,3 ]'
holds "partition: the host has all but this" sh -c \
    '[ "$(grep -v ",nda$" run.csv | grep -c "^[0-9]*,[A-Z]*,.,.,3,3,")" = 0 ]'
clean --mix mix0 --op copy --set dram_channel.accelerators=mirrored
clean --mix mix1 --op axpy --async --blocks 4 --throttle 1/4 --set dram_channel.accelerators=mirrored
holds "mirrored: the last bank alone" sh -c \
    '[ "$(grep ",nda$" run.csv | cut -d, -f5,6 | sort -u)" = 3,3 ]'
status 0 '' --op copy --cycles 2000 --json --set dram_channel.accelerators=mirrored
holds "JSON says so" grep -q '"accelerators": "mirrored"' out
clean --mix mix1 --op dot --set dram_channel.accelerators=mirrored --set dram_map.reserved=2
holds "two banks: both, and they alone" sh -c \
    '[ "$(grep ",nda$" run.csv | cut -d, -f5,6 | sort -u | tr "\\n" " ")" = "3,2 3,3 " ]'
status 2 "'dram_map.reserved' is 0, expected 1 or 2" --op dot --shared-banks \
    --set dram_channel.accelerators=mirrored
status 0 '' --mix mix4 --op scal --preset ddr4_3200 \
    --set dram_map.order=rochrababgco --cycles 30000 --trace run.csv
holds "clean under another part's rules" "$check" run.csv --preset ddr4_3200
holds "and not under the default's" sh -c "! '$check' run.csv >/dev/null"
status 0 '' --mix mix1 --op dot --cycles 20000 --trace run.txt --format ramulator
holds "as Ramulator's" "$check" run.txt
holds "one command moved a cycle earlier is seen" sh -c '
    awk -F, -v OFS=, "\$2 == \"RD\" && !done { \$1--; done = 1 } { print }" run.txt |
        sort -s -t, -k1,1n >moved.txt; "'"$check"'" moved.txt | grep -q rcd'

# --- traces of requests -------------------------------------------------------
awk 'BEGIN { for (i = 0; i < 2000; i++) print (i % 3 ? "LD" : "ST"), i * 64 }' >plain.txt
status 0 '' plain.txt --trace run.csv --json
holds "all are answered" grep -q '"reads": 1333, "writes": 667' out
holds "clean under ndpcheck" "$check" run.csv
awk 'BEGIN { for (i = 0; i < 500; i++) printf "0x%x %s %d\n", i * 4096, i % 4 ? "READ" : "WRITE", i * 20 }' >timed.txt
status 0 '' timed.txt --op dot --trace run.csv --json
holds "all are answered in time" grep -q '"reads": 375, "writes": 125' out
holds "not before their cycles" sh -c 'grep -o "\"cycles\": [0-9]*" out | head -1 | { read -r _ n; [ "$n" -ge 9980 ]; }'
holds "clean under ndpcheck" "$check" run.csv
echo 'LD 0x900000000' >far.txt
status 2 "far.txt:1:4: error: expected an address below 0x800000000" far.txt
status 0 '' far.txt --wrap
{ echo 'LD 64'; echo 'LD x'; } >late.txt
status 2 "late.txt:2:4: error: expected an address, got 'x'" late.txt --trace left.csv
holds "a failed run leaves no trace" [ ! -e left.csv ]
status 2 "'--trace' and '--out' are one file" plain.txt --trace a -o a
full_disk --op dot --cycles 100

# --- a kernel's data through the accelerators, and a host beside them ----------
for rate in 0 10 40 100; do
    status 0 '' --svrg "$svrg" --rate $rate
    holds "SVRG beside a host of $rate %: each word" \
        grep -q '^result  *896 of 896 words bit for bit' out
    holds "SVRG beside a host of $rate %: the rules" \
        grep -qx 'checker  *[0-9]* commands, 0 broken rules' out
done
status 0 '' --svrg "$svrg" --preset small --seed 7 --json
holds "SVRG with iterative arithmetic" grep -q '"words": 896, "equal": 896' out
holds "the host went on" grep -q '"reads": [1-9]' out
status 2 "'--svrg' goes without" --svrg "$svrg" --op dot
status 2 "'--size' goes with '--svrg'" --op dot --size small
status 2 "has 512 samples, expected 255 at most" --svrg "$svrg" --size full
status 2 "'nda_control.result' is too short" --svrg "$svrg" --set nda_control.result=40
status 2 "none.yml" --svrg none.yml

done_testing
