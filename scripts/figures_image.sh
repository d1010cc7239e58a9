#!/bin/sh
# figures_image.sh - the figures that IP-NDP's paper prints, measured here.
#
# usage: figures_image.sh     writes docs/figures-image.md, docs/img/missrate.svg
#
# The eight image kernels, whole, at size full, on the composition `image`:
# plain, with pattern-aware CTA allocation, and with its barrier; without
# prefetch, with per-warp strides, and with the pattern-aware prefetcher.
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
kernels="conv2d convsep denoise jacobi2d downsample concat dct8x8 matmul"
page=docs/figures-image.md
data=$BUILD/figures-image
all=$data/all
mkdir -p "$data" docs/img
: >"$all"

# measure CONFIGURATION FORM OPTIONS...: adds to $all a row a kernel, the
# configuration's name before ndpsim's columns: cycles loads misses miss% wait%
# issued used% coverage% timely% bytes
measure() {
    name=$1 tail=$2
    shift 2
    files=
    for k in $kernels; do
        files="$files kernels/$k/$k$tail.yml"
    done
    # shellcheck disable=SC2086
    "$BUILD/ndpsim" $files --size full --preset image "$@" |
        awk -v name="$name" -v tail="$tail" '
        NR > 1 {
            sub(tail "$", "", $1)
            if ($2 == "right") n++
            $2 = ""
            print name, $0
        }
        END { exit n != 8 }' >>"$all"
}

measure base "" --warps 48 --l1 32768
for form in plain aware sync; do
    case $form in
    plain) suffix= ;;
    aware) suffix=_pattern ;;
    sync) suffix=_pattern_sync ;;
    esac
    measure $form-none "$suffix"
    measure $form-pws "$suffix" --prefetch pws
    measure $form-exact "$suffix" --prefetch pattern
    measure $form-printed "$suffix" --prefetch pattern --stride printed
done
measure row-none "" --cta row
measure row-exact "" --cta row --prefetch pattern
for ways in 2 4 16 64; do
    measure ways$ways _pattern_sync --prefetch pattern --ways $ways
done
measure linear _pattern_sync --prefetch pattern --index linear
measure l16k _pattern_sync --prefetch pattern --l1 16384
measure l32k _pattern_sync --prefetch pattern --l1 32768
measure lat60 _pattern_sync --prefetch pattern --latency 60
measure lat240 _pattern_sync --prefetch pattern --latency 240

# table PROGRAM: awk over $all with v[configuration, kernel, column] and the
# kernels in order in k[1..8]; PROGRAM is the END rule's body
table() {
    awk -v list="$kernels" '
    function mean(c, f,   i, s) {
        for (i = 1; i <= n; i++) s += v[c, k[i], f]
        return s / n
    }
    # 1 - that column of c over that of the baseline b, in percent, mean
    function fewer(c, b, f,   i, s) {
        for (i = 1; i <= n; i++) s += 1 - v[c, k[i], f] / v[b, k[i], f]
        return 100 * s / n
    }
    # loads that had to wait, as a number
    function waits(c, i) { return v[c, k[i], 5] * v[c, k[i], 2] / 100 }
    BEGIN { n = split(list, k, " ") }
    { for (i = 3; i <= NF; i++) v[$1, $2, i - 2] = $i }
    END { '"$1"' }' "$all"
}

# columns FIELD FORMAT CONFIGURATION...: a row a kernel and their mean
columns() {
    field=$1 format=$2
    shift 2
    table 'm = split("'"$*"'", c, " ")
        for (i = 1; i <= n; i++) {
            printf "| %s |", k[i]
            for (j = 1; j <= m; j++)
                printf " '"$format"' |", v[c[j], k[i], '"$field"']
            print ""
        }
        printf "| **mean** |"
        for (j = 1; j <= m; j++)
            printf " **'"$format"'** |", mean(c[j], '"$field"')
        print ""'
}

# number PROGRAM: one figure for the text, r
number() {
    table "$1"'; printf "%.1f", r'
}

table 'for (i = 1; i <= n; i++)
    print k[i], v["base", k[i], 4], v["sync-none", k[i], 4],
          v["sync-pws", k[i], 4], v["sync-exact", k[i], 4]' >"$data/chart"
gnuplot <<END
set terminal svg size 940,360 font "Helvetica,12" background "white"
set output "docs/img/missrate.svg"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set boxwidth 0.95
set grid ytics lc rgb "#dddddd"
set logscale y
set yrange [0.01:100]
set format y "%g %%"
set ylabel "L1 loads that miss"
set key above horizontal
set xtics scale 0
plot "$data/chart" using 2:xtic(1) title "baseline, 32 KB" lc rgb "#7a7a7a", \
     "" using 3 title "pattern-aware" lc rgb "#b5523b", \
     "" using 4 title "with PWS" lc rgb "#e0a43a", \
     "" using 5 title "with the prefetcher" lc rgb "#3b6ea5"
END

fewer=$(number 'r = fewer("sync-exact", "base", 3)')
rate=$(number 'r = fewer("sync-exact", "base", 4)')
accuracy=$(number 'r = mean("sync-exact", 7)')
printed=$(number 'r = mean("sync-printed", 7)')
nobar=$(number 'r = mean("aware-exact", 7)')
plain=$(number 'r = mean("plain-exact", 7)')
pws=$(number 'r = mean("sync-pws", 7)')
base_rate=$(number 'r = mean("base", 4)')
roomy=$(number 'r = mean("l32k", 7)')
pwsnobar=$(number 'r = mean("aware-pws", 7)')
mm_exact=$(table 'print v["sync-exact", "matmul", 3]')
mm_printed=$(table 'print v["sync-printed", "matmul", 3]')
slower=$(table 'for (i = 1; i <= n; i++)
    s += log(v["sync-pws", k[i], 1] / v["sync-exact", k[i], 1])
printf "%.2f", exp(s / n)')
pooled=$(number 'for (i = 1; i <= n; i++) {
    used += v["sync-exact", k[i], 6] * v["sync-exact", k[i], 7]
    issued += v["sync-exact", k[i], 6]
}
r = used / issued')
waited=$(number 'for (i = 1; i <= n; i++)
    s += 1 - waits("sync-exact", i) / waits("base", i)
r = 100 * s / n')

{
    cat <<END
# The pattern-aware prefetcher on the paper's eight kernels

Made by \`make figures PAGE=image\`. Kernels: \`kernels/\`, compiled by nvcc 13.0 for sm_75, at size \`full\`, run whole; every result is right.
Composition: \`ndpsim --preset image\`: 16 SMs of 8 warps, loose round robin, 8 KB of L1 (128-byte lines, 8 ways, 32 MSHRs, write-through), no L2,
256 GB/s at 120 cycles and 1 GHz. The prefetcher is the golden block itself, one an SM, in the path of the loads, its table
loaded from the images that the run description names.

## Beside the paper

| | paper | here |
| --- | ---: | ---: |
| L1 miss rate of the baseline, mean (paper: its Figure 3) | 69 % | $base_rate % |
| L1 misses, proposed system against the baseline | 77.5 % fewer | $fewer % fewer |
| the same as a miss rate | | $rate % lower |
| the same, loads that meet a line on its way counted too | | $waited % fewer |
| accuracy: prefetches used / issued, mean of the kernels | 98.4 % | $accuracy % |
| the same over all prefetches together | | $pooled % |
| accuracy (mean) with the modified stride as the paper prints it | | $printed % |

*Proposed*: pattern-aware CTA allocation with the barrier, 8 warps, 8 KB, the prefetcher with the exact stride. *Baseline*: the plain kernel on SMs of 48
warps with 32 KB of L1 (the paper's Base-8; its L2 does not change what misses in the L1), no prefetch. Means are over kernels, each counting the same.

![miss rates](img/missrate.svg)

Where ours differ, and why:

- **More misses go than in the paper.** In the paper's simulator DRAM banks and an interconnect delay the answers; ours has one latency and one
  bandwidth, so few prefetches are late. A load that meets its line on the way is no miss here (as GPGPU-Sim counts); the fourth row charges
  those too. And the paper does not print its images' sizes; ours divide evenly over 16 SMs.
- **Accuracy falls short where a line is evicted before its use**, hardly ever because an address is wrong: with 32 KB it is $roomy % (*Sensitivity*).
  \`concat\` walks over two images in turn: at the end of a row of its left image the next row's first block is fetched, but sixteen blocks of
  the right image come before it and push it out, so one block of sixteen is fetched in vain, and missed. \`denoise\` has one row of blocks an SM and
  reads four rows of margin on each side, more lines than the cache holds; \`conv2d\` comes close. The text of the paper does not say how its cache is organised.
- **What still misses** is the first block of each part, and the margin: rows that belong to another SM's part are not fetched ahead, by design.
- **Exact and printed strides lie close together**, for a reason that the mean hides. At the end of a row of blocks the printed stride
  \`base + width * blockDim.y\` lands one row too low in the next row of blocks. Seven of the eight rows that the CTA then fetches are rows that it
  needs all the same, by another thread; one is missed, and one belongs to the row of blocks after the next. And only every sixteenth block is at the
  end of a row. \`matmul\` pays most ($mm_exact misses become $mm_printed): its second matrix is walked down the columns, and there the printed stride leaves the image at the bottom.
- **PWS does well too**: mean accuracy $pws % with the barrier, and $slower times the cycles of the prefetcher (paper: 1.16). Inside a row it finds the same stride. It
  loses two blocks after each row's end and fetches one in vain. \`dct8x8\` and \`denoise\` are its weak ones: their inner loops step
  through rows with other strides. Without the barrier nvcc unrolls the walk four times; each load instruction then steps four blocks at a time, PWS fetches
  four blocks ahead, and much of that is evicted before its use (accuracy $pwsnobar %). The pattern-aware prefetcher hardly notices ($nobar %).
- **Fewer misses are not always fewer cycles.** In \`conv2d\`, \`convsep\` and \`jacobi2d\` PWS is a little faster although more misses remain: our
  prefetcher stands in the path of the loads and makes each of them two cycles longer. With those two cycles added to its hits, PWS loses about two
  fifths of its lead (measured once, by hand); more of the prefetcher's lines come late in \`jacobi2d\`.
- **Without pattern-aware allocation the prefetcher is of little use** (mean accuracy $plain %): the next block belongs to another SM. The paper
  says the same. \`matmul\` is the exception: its walks lie inside a CTA.

## Miss rate

L1 load misses in percent of the L1's loads (a load is one line of one warp instruction). *None*, *PWS*, *exact* and *printed* are the
prefetcher. Plain \`convsep\`, \`dct8x8\` and \`matmul\` go through shared memory and have up to 64 times fewer loads than their pattern
forms, so rates compare only within a form; misses are comparable everywhere.

| kernel | baseline | plain: none | PWS | exact | pattern-aware: none | PWS | exact | printed | with barrier: none | PWS | exact | printed |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    columns 4 "%.2f" base plain-none plain-pws plain-exact aware-none aware-pws \
        aware-exact aware-printed sync-none sync-pws sync-exact sync-printed
    cat <<END

With the plain form the table holds the whole image as one part; printed there is left out, its figures are the same to a few tenths.

## Misses

The same as numbers of lines that loads had to fetch.

| kernel | baseline | plain: none | PWS | exact | with barrier: none | PWS | exact | printed | fewer than baseline |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table 'm = split("base plain-none plain-pws plain-exact sync-none sync-pws sync-exact sync-printed", c, " ")
        for (i = 1; i <= n; i++) {
            printf "| %s |", k[i]
            for (j = 1; j <= m; j++) printf " %d |", v[c[j], k[i], 3]
            printf " %.1f %% |\n", 100 * (1 - v["sync-exact", k[i], 3] / v["base", k[i], 3])
        }
        printf "| **mean** |"
        for (j = 1; j <= m; j++) printf " |"
        printf " **%.1f %%** |\n", fewer("sync-exact", "base", 3)'
    cat <<END

## Accuracy

Prefetches used / issued, in percent. Used: a load asked for the line before it left the cache, or while it was on its way.

| kernel | plain: PWS | exact | pattern-aware: PWS | exact | printed | with barrier: PWS | exact | printed |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    columns 7 "%.1f" plain-pws plain-exact aware-pws aware-exact aware-printed \
        sync-pws sync-exact sync-printed
    cat <<END

The barrier of the paper's Guideline 2 keeps the warps together: without it accuracy is $nobar % instead of $accuracy %.

## Coverage, timeliness, traffic, time

With barrier. Coverage: used prefetches over these and the misses that remain. Timely: of the used ones, those that had come when they
were asked for. Traffic: bytes from and to memory, stores included, over those without prefetch. Speedup: over no prefetch.

| kernel | PWS: coverage | timely | traffic | speedup | exact: coverage | timely | traffic | speedup |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table 'm = split("sync-pws sync-exact", c, " ")
        for (i = 1; i <= n; i++) {
            printf "| %s |", k[i]
            for (j = 1; j <= m; j++) {
                t = v[c[j], k[i], 10] / v["sync-none", k[i], 10]
                s = v["sync-none", k[i], 1] / v[c[j], k[i], 1]
                tt[j] += log(t); ss[j] += log(s)
                printf " %.1f | %.1f | %.2f | %.2f |", v[c[j], k[i], 8], v[c[j], k[i], 9], t, s
            }
            print ""
        }
        printf "| **mean** |"
        for (j = 1; j <= m; j++)
            printf " **%.1f** | **%.1f** | **%.2f** | **%.2f** |", mean(c[j], 8),
                   mean(c[j], 9), exp(tt[j] / n), exp(ss[j] / n)
        print ""'
    cat <<END

Traffic and speedup are geometric means. The time is that of this composition, with round latencies for arithmetic; it is not the paper's.

## A scheduler in hardware

The paper names a hardware CTA scheduler as the alternative to rewriting kernels (section 3.2). Plain kernels, CTAs assigned to the SMs by bands of rows
(\`--cta row\`), one CTA an SM at a time:

| kernel | misses, none | misses, exact | accuracy, exact | misses of the rewritten kernel, exact |
| --- | ---: | ---: | ---: | ---: |
END
    table 'for (i = 1; i <= n; i++)
        printf "| %s | %d | %d | %.1f | %d |\n", k[i], v["row-none", k[i], 3],
               v["row-exact", k[i], 3], v["row-exact", k[i], 7],
               v["sync-exact", k[i], 3]'
    cat <<END

It does as well as the rewritten kernels: a CTA's end is the barrier. Only \`matmul\` needs other images in the table: its plain form
walks over tiles in shared memory, and the bands of its result are not the order in which it reads.

## Sensitivity

Mean accuracy and mean reduction of misses against the baseline, exact stride, with barrier, when one thing of the composition is changed.

| changed | accuracy, % | misses fewer, % |
| --- | ---: | ---: |
END
    table 'm = split("sync-exact ways2 ways4 ways16 ways64 l16k l32k linear lat60 lat240", c, " ")
        split("nothing (8 ways)|2 ways|4 ways|16 ways|fully associative (64 ways)|L1 of 16 KB|L1 of 32 KB|sets by the lower bits, no hash|memory at 60 cycles|memory at 240 cycles", t, "|")
        for (j = 1; j <= m; j++)
            printf "| %s | %.1f | %.1f |\n", t[j], mean(c[j], 7), fewer(c[j], "base", 3)'
    cat <<END

The hash matters most: a row of 512 floats is 16 lines, so without it all rows of a block meet in one set or two.
END
} >"$page"
echo "figures: wrote $page and docs/img/missrate.svg"
