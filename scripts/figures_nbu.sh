#!/bin/sh
# figures_nbu.sh - the figures that MPU's paper prints, measured here.
#
# usage: figures_nbu.sh          writes docs/figures-nbu.md and docs/img/policies.svg
#
# Register locations of the twelve kernels (Figure 14) from ndpcc; TSV beats
# and cycles under the four offload policies (the order of Figure 15) from the
# golden model at preset mpu, driven by the instructions that each kernel executes.
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
kernels="blur conv gemv hist kmeans knn ttrans maxp nw upsamp axpy reduce"
policies="annotated default near far"
page=docs/figures-nbu.md
data=$BUILD/figures
mkdir -p "$data" docs/img

for k in $kernels; do
    "$BUILD/ndpcc" "kernels/$k/$k.ptx" | awk -v k="$k" '
        /registers: / {
            for (i = 2; i <= NF; i++) {
                if ($i ~ /^near/) near += $(i - 1)
                if ($i ~ /^far/) far += $(i - 1)
                if ($i ~ /^both/) both += $(i - 1)
                if ($i ~ /^unknown/) unknown += $(i - 1)
            }
        }
        END {
            all = near + far + both + unknown
            printf "%s %d %.1f %.1f %.1f %.1f\n", k, all, 100 * near / all,
                100 * far / all, 100 * both / all, 100 * unknown / all
        }'
done >"$data/shares"

# measure KERNEL POLICY SIZE [CYCLES]: kernel, policy, beats per instruction,
# cycles, beats with far ld/st.shared charged.  Load-store messages are not part
# of the replay; the beats of an offloaded instruction and its completion, 2 + 1,
# stand for that of a far ld/st.shared.
measure() {
    sh scripts/cosim.sh TARGET=nbu SIM=golden PRESET=mpu SET="nbu.policy=$2" \
        RUN="kernels/$1/$1.yml" SIZE="$3" CYCLES="${4:-0}" |
        awk -F '\t' -v k="$1" -v p="$2" -v cycles="${4:-0}" '
        { v[$1] = $2 }
        $1 ~ /^beats_/ { b += $2 }
        END {
            if (v["end"] != "whole" && !cycles) exit 1
            n = v["instructions"]
            print k, p, b / n, v["cycles"], (b + 3 * v["far_shared"]) / n
        }'
}

for k in $kernels; do
    for p in $policies; do
        measure "$k" "$p" small
    done
done >"$data/policies"
gemv_annotated=$(measure gemv annotated full 1000000 | awk '{ printf "%.2f", $3 }')
gemv_default=$(measure gemv default full 1000000 | awk '{ printf "%.2f", $3 }')

# pivot COLUMN FILE: a row a kernel, a column a policy
pivot() {
    awk -v c="$1" '
        $1 != k { if (k) print row; k = row = $1 }
        { row = row " " $c }
        END { print row }' "$data/policies" >"$data/$2"
}
pivot 3 beats
pivot 4 cycles
pivot 5 charged

gnuplot <<END
set terminal svg size 820,330 font "Helvetica,12" background "white"
set output "docs/img/policies.svg"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set boxwidth 0.95
set grid ytics lc rgb "#dddddd"
set ylabel "TSV beats per warp instruction"
set key top right horizontal
plot "$data/beats" using 2:xtic(1) title "annotated" lc rgb "#3b6ea5", \
     "" using 3 title "hardware default" lc rgb "#e0a43a", \
     "" using 5 title "all far" lc rgb "#7a7a7a", \
     "" using 4 title "all near" lc rgb "#b5523b"
END

{
    cat <<END
# The near-bank unit on the paper's twelve kernels

Made by \`make figures\`. Kernels: \`kernels/\`, compiled by nvcc 13.0 for sm_75.

## Where registers live

Share of each kernel's virtual registers that Algorithm 1 places near, far or both, in percent (paper: Figure 14).
Unknown: never reaches memory, a branch or a placed register, so the hardware default decides.

| kernel | registers | near | far | both | unknown |
| --- | ---: | ---: | ---: | ---: | ---: |
END
    awk '{ printf "| %s | %d | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6
           n += $3; f += $4; b += $5; u += $6 }
         END { printf "| **mean** | | **%.1f** | **%.1f** | **%.1f** | **%.1f** |\n",
                   n / NR, f / NR, b / NR, u / NR
               print "| paper | | 32.5 | 63.7 | 3.8 | |" }' "$data/shares"
    cat <<END

The split is the paper's: a small minority of registers is needed on both sides. We sit a few points further on the far side. Two
reasons show in the listings. The paper's kernels are not published; ours index rows and columns with 64-bit
addresses and test bounds for every tap (\`blur\`, \`conv\`, \`maxp\`, \`upsamp\`), and all of that is address and control
work, which is far. And nvcc 13 unrolls and strength-reduces loops, which makes more address registers, not more data registers.
\`hist\` stands out with its share of both: the bin that is loaded as data becomes the address of an atomic.

## Traffic under the four offload policies

Beats on the TSV bus per executed warp instruction, 64 wires, golden model at preset \`mpu\`. The stream is dynamic: the SIMT executor runs
each kernel's run description once, whole, at size \`small\` (all launches, branches and masks as they really are; the data verdict of
\`ndpsim\` is right), and 48 hardware warps issue it. Counted: instruction packets, completions, register rows and row requests. Load-store
messages are left out. They are the same under every policy but for ld/st.shared: executed far, such an access would have to send a message
to the shared memory on the DRAM die, which flatters *all far*. The last column charges it the three beats that an offloaded instruction
and its completion take.

![beats by policy](img/policies.svg)

| kernel | annotated | default | all far | all near | all far, shared charged |
| --- | ---: | ---: | ---: | ---: | ---: |
END
    awk 'NR == FNR { charged[$1] = $5; next }
         { printf "| %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", $1, $2, $3,
               $5, $4, charged[$1]
           for (i = 2; i <= 5; i++) s[i] += $i
           c += charged[$1] }
         END { printf "| **mean** | **%.3f** | **%.3f** | **%.3f** | **%.3f** | **%.3f** |\n",
                   s[2] / FNR, s[3] / FNR, s[5] / FNR, s[4] / FNR, c / FNR
               printf "| relative to annotated | 1.00 | %.2f | %.2f | %.2f | %.2f |\n",
                   s[3] / s[2], s[5] / s[2], s[4] / s[2], c / s[2] }' \
        "$data/charged" "$data/beats"
    cat <<END

Figure 15 of the paper orders the policies annotated, default, all far, all near (speedups over a GPU of 3.45, 1.92, 1.78 and 1.22).
The mean traffic stands in the same order. Kernel by kernel:

- \`kmeans\` and \`reduce\` show all four apart and in that order.
- \`blur\`, \`conv\`, \`maxp\`, \`upsamp\`: default equals annotated. Their arithmetic on data has loaded values as its sources, and those
  are near already; the hardware finds out by itself what the compiler would have said.
- \`axpy\`, \`knn\`: default equals all far. Each loaded value first meets a parameter (\`alpha\`, the query point), which the default leaves far,
  so the rule "near if all sources are near" never applies. The annotation has the parameter loaded near in the first place.
- \`gemv\`: default is the best and annotated a hair behind all far, an effect of the small size. A warp's dot product over 75 columns
  is two or three loads a lane; 37 of its 42 near packets are the shuffle reduction at the end. Annotated pays 42 x 3 = 126 beats a warp
  and moves nothing; all far moves six loaded rows up and the result down, 125 beats; default adds up near, moves the sum up for the
  shuffle (twice) and the result down, 65 beats. At size \`full\` (1024 columns, first million cycles) the loop dominates:
  $gemv_annotated beats annotated against $gemv_default for the default, which leaves the whole loop far because its accumulator is cleared far.
- \`hist\`: a bin's number is loaded as data and becomes the address of an atomic, which is far, so the same 341 rows go up under
  annotated and all far: four fifths of the traffic. The rest is the clearing and reading of the bins: computing its shared-memory
  addresses near takes two copies of the thread index down where all far takes three rows of addresses and values, and three beats a
  packet on top. Default shifts the loaded bytes near, three beats each, and then brings the result up all the same.
- \`ttrans\` computes nothing on data; values stay near under every policy. A warp needs two rows down: the shared-memory addresses
  (default, all far; and in tiles at the border the old contents of partly written registers) or the two thread indices they are
  computed from (annotated: Algorithm 1 seeds ld/st.shared near), whose computation near is seven packets more. So annotated loses
  here, at size \`full\` too. All far looks better than default only for the uncharged shared accesses.
- \`nw\`: its inner loop lives in shared memory. Default and all far carry the address of each shared access down and nearly every value
  that is loaded and not just stored up, 1719 and 1131 moves under either; so all near beats both, and annotated, which has the
  addresses computed near, is far ahead.

All near is the worst for every kernel but \`nw\`: each address that a global access needs is computed near and moved up, and every
instruction costs its three beats.

## Time under the four offload policies

Cycles until the last instruction has committed, relative to annotated, from the same runs. This is the time of the near-bank unit and its TSV
bus alone: pipelines answer within six cycles, memory costs nothing, load-store traffic is absent. It is not the paper's end-to-end time.
Small sizes leave some of the 48 warps empty, so that part of it is latency.

| kernel | annotated, cycles | default | all far | all near |
| --- | ---: | ---: | ---: | ---: |
END
    awk '{ printf "| %s | %d | %.2f | %.2f | %.2f |\n", $1, $2, $3 / $2, $5 / $2,
               $4 / $2
           d += log($3 / $2); f += log($5 / $2); n += log($4 / $2) }
         END { d = exp(d / NR); f = exp(f / NR); n = exp(n / NR)
               printf "| **geometric mean** | | **%.2f** | **%.2f** | **%.2f** |\n",
                   d, f, n
               printf "| speedup over all near | %.2f | %.2f | %.2f | 1.00 |\n",
                   n, n / d, n / f
               print "| paper, end to end | 2.83 | 1.57 | 1.46 | 1.00 |" }' \
        "$data/cycles"
    cat <<END

The order is the paper's. The distances are not to be compared: its programs also wait for DRAM.
END
} >"$page"
echo "figures: wrote $page and docs/img/policies.svg"
