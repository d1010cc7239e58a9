#!/bin/sh
# demo.sh - the project's main job on one page: kernel, annotation, RTL,
# lock-step, traffic, area; and a kernel that runs on the RTL of a machine.
#
# usage: demo.sh [KERNEL]    (default: axpy; a folder of kernels/)
#
# Everything printed is measured here and now; pictures and products stay in
# out/demo.
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
OUT=${OUT:-out}
kernel=${1:-axpy}
ptx=kernels/$kernel/$kernel.ptx
run=kernels/$kernel/$kernel.yml
dir=$OUT/demo
if [ ! -e "$ptx" ]; then
    echo "error: no kernel '$kernel', expected a folder of kernels/" >&2
    exit 2
fi
rm -rf "$dir"
mkdir -p "$dir"

title() { printf '\n%s\n' "$1" | tee -a "$dir/page.txt"; }
say() { tee -a "$dir/page.txt" | sed 's/^/    /'; }
# A step whose output is only wanted when it fails.
quietly() {
    "$@" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
}
# BAR value full: a bar of at most 40 characters
bars='function bar(v, full,   s, i) {
    for (i = 0; i < 40 * v / full; i++) s = s "#"
    return s
}'

echo "ndpgen: from a GPU kernel to proven hardware"

title "1  The kernel: $ptx, which nvcc made of kernels/$kernel/$kernel.cu"
sed -n '/__global__/,/^}/p' "kernels/$kernel/$kernel.cu" | sed '/^$/d' | say

title "2  Where it runs: ndpcc places registers and instructions (N near the DRAM banks, F far)"
"$BUILD/ndpcc" "$ptx" >"$dir/listing.txt"
awk '/^  block/ { show = /loop 0/ && !seen; if (show) seen = 1 } show' \
    "$dir/listing.txt" | head -n 16 | say
echo
awk "$bars"'
    /registers: / {
        for (i = 2; i <= NF; i++) {
            if ($i ~ /^near/) near += $(i - 1)
            if ($i ~ /^far/) far += $(i - 1)
            if ($i ~ /^both/) both += $(i - 1)
        }
    }
    END {
        all = near + far + both
        printf "registers  near %3d %s\n", near, bar(near, all)
        printf "           far  %3d %s\n", far, bar(far, all)
        printf "           both %3d %s\n", both, bar(both, all)
    }' "$dir/listing.txt" | say

title "3  The hardware: ndpgen --target nbu, at the paper's sizes and at a small one"
for p in mpu small; do
    quietly "$BUILD/ndpgen" --target nbu --preset $p -o "$dir/nbu-$p"
    echo "$dir/nbu-$p: $(cat "$dir/nbu-$p"/rtl/*.v | wc -l) lines of" \
        "Verilog-2005 in $(ls "$dir/nbu-$p/rtl" | wc -l) files," \
        "data sheet ndp_nbu.md"
done | say

title "4  The proof: RTL and C model in lock-step, every output on every cycle"
lockstep() {
    quietly sh scripts/cosim.sh TARGET=nbu "$@"
    tail -n 1 "$dir/log"
}
{
    lockstep RTL="$dir/nbu-mpu" RUN="$run"
    cp "$dir/log" "$dir/lockstep.txt"
    lockstep RTL="$dir/nbu-mpu" CYCLES=200000
    lockstep RTL="$dir/nbu-small" SIM=icarus CYCLES=10000
} | sed 's/, digest.*//' | say
cp -r "$dir/nbu-small" "$dir/broken"
broken=ndp_nbu_landing.v
sed -i 's/fill\[i\]/fill[0]/' "$dir/broken/rtl/$broken"
printf '\nand with one character changed in a copy:\n' | say
diff "$dir/nbu-small/rtl/$broken" "$dir/broken/rtl/$broken" | grep '^[<>]' | say
if sh scripts/cosim.sh TARGET=nbu RTL="$dir/broken" SIM=icarus CYCLES=10000 \
    >"$dir/broken.txt" 2>&1; then
    echo "the bench did not notice the breakage" >&2
    exit 1
fi
sed -n '1,4p' "$dir/broken.txt" | say

title "5  The traffic: beats on the TSV bus per instruction, by offload policy"
for p in annotated default far near; do
    quietly sh scripts/cosim.sh TARGET=nbu SIM=golden PRESET=mpu \
        SET="nbu.policy=$p" RUN="$run"
    awk -v p=$p '$1 == "accepted" { a = $2 } $1 ~ /^beats_/ { b += $2 }
        END { print p, b / a }' "$dir/log"
done >"$dir/traffic"
awk "$bars"'
    { name[NR] = $1; v[NR] = $2; if ($2 > full) full = $2 }
    END { for (i = 1; i <= NR; i++)
        printf "%-10s %6.2f %s\n", name[i], v[i], bar(v[i], full + (full == 0)) }
    ' "$dir/traffic" | say

title "6  The size"
quietly yosys -q -p "read_verilog $dir/nbu-small/rtl/*.v;
    synth_ice40 -top ndp_nbu -json $dir/small.json; tee -o $dir/stat stat"
awk "$bars"'
    $1 == "SB_LUT4" { lut = $2 }
    $1 ~ /^SB_DFF/ { ff += $2 }
    $1 ~ /^SB_RAM40/ { ram += $2 }
    $1 == "SB_CARRY" { carry = $2 }
    END {
        printf "small on an iCE40 HX8K (Yosys, before packing):\n"
        printf "    LUTs        %5d of 7680 %s\n", lut, bar(lut, 7680)
        printf "    flip-flops  %5d of 7680 %s\n", ff, bar(ff, 7680)
        printf "    block RAMs  %5d of   32 %s\n", ram, bar(ram, 32)
    }' "$dir/stat" | say

machine=docs/examples/machine.yml sum=docs/examples/reduce.yml
sum_ptx=kernels/reduce/reduce.ptx
title "7  The machine: kernels/reduce runs on RTL, in Verilator, and on the golden model"
quietly "$BUILD/ndpgen" --target system --config $machine -o "$dir/machine"
echo "$dir/machine: 8 warps of 32 threads, $(cat "$dir/machine"/rtl/*.v |
    wc -l) lines of Verilog-2005 in $(ls "$dir/machine/rtl" | wc -l) files" | say
cp -r "$dir/machine" "$dir/broken-machine"
quietly sh scripts/machine.sh verilator "$dir/machine"
# on DEVICE NAME: run it there; report in NAME.txt, what retired in NAME.ret
on() {
    quietly "$BUILD/ndprun" $sum --device "$1" --trace "$dir/$2.ret"
    cp "$dir/log" "$dir/$2.txt"
}
on golden:$machine golden
on "verilator:$dir/machine" rtl
for d in golden rtl; do
    awk -v d=$d '
        NR == 1 { sub(/^.*: /, ""); verdict = $0 }
        $1 == "result" { sum = "checksum " $5 " " $6 " of " $8 " wrong" }
        $1 == "cycles" { cycles = $2 }
        $1 == "issued" { issued = $2 }
        END { printf "%-6s  %s; sum: %s; %d instructions in %d cycles\n",
            d, verdict, sum, issued, cycles }' "$dir/$d.txt"
done | say
# the reports but for the device's name, and all that retired on its cycle
sed 's/ on [^ ]*: / /' "$dir/golden.txt" >"$dir/golden.cmp"
sed 's/ on [^ ]*: / /' "$dir/rtl.txt" >"$dir/rtl.cmp"
quietly cmp "$dir/golden.cmp" "$dir/rtl.cmp"
quietly cmp "$dir/golden.ret" "$dir/rtl.ret"
echo "the same bytes in memory and counters, every instruction on the same cycle" | say
quietly "$BUILD/ndptrace" "$dir/rtl.ret" --svg "$dir/warps.svg"
broken=ndp_system_simt_cross.v
sed -i 's/plus <= /plus < /' "$dir/broken-machine/rtl/$broken"
printf '\nand with one character gone in a copy, in Icarus, walked back by ndptrace:\n' | say
diff "$dir/machine/rtl/$broken" "$dir/broken-machine/rtl/$broken" |
    grep '^[<>]' | say
quietly sh scripts/machine.sh icarus "$dir/broken-machine"
"$BUILD/ndprun" $sum --device "icarus:$dir/broken-machine" --watchdog 20000 \
    --trace "$dir/broken.ret" >"$dir/log" 2>&1 || true
sed -n '1s/^.* on [^ ]*: /the machine: /p' "$dir/log" | say
if "$BUILD/ndptrace" "$dir/broken.ret" --compare "$dir/golden.ret" \
    --ptx $sum_ptx >"$dir/walk.txt"; then
    echo "ndptrace did not notice the breakage" >&2
    exit 1
fi
sed -n '2,6p' "$dir/walk.txt" | say

gnuplot <<END
set terminal svg size 560,260 font "Helvetica,12" background "white"
set output "$dir/traffic.svg"
set style fill solid 0.9 noborder
set boxwidth 0.7
set grid ytics lc rgb "#dddddd"
set yrange [0:*]
set ylabel "TSV beats per instruction"
set title "$kernel under the four offload policies"
plot "$dir/traffic" using 0:2:xtic(1) with boxes notitle lc rgb "#3b6ea5"
END
rm -f "$dir/log" "$dir/stat" "$dir/small.json" "$dir"/*.cmp
title "This page: $dir/page.txt; listing: $dir/listing.txt; pictures: $dir/traffic.svg"
echo "and what the warps of the machine did: $dir/warps.svg" | tee -a "$dir/page.txt"
echo "Next: build/ndptrace $dir/rtl.ret --ptx $sum_ptx, make cosim TARGET=nbu KERNEL=kernels/conv/conv.ptx, make help"
