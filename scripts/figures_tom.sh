#!/bin/sh
# figures_tom.sh - the figures that TOM's paper prints, measured here.
#
# usage: figures_tom.sh [--page]    writes docs/figures-tom.md and
#     docs/img/tom-traffic.svg, tom-mapping.svg, tom-offsets.svg; --page: out
#     of the last measurement
#
# The ten workloads of the paper's Table 2, whole, at size full, on the
# composition `tom`: without offloading, uncontrolled and controlled, each with
# the baseline mapping and with the one learned from the first 0.1 % of the
# candidates' instances.  Every run's page is kept in $BUILD/figures-tom; the
# page here is made of them.
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
data=$BUILD/figures-tom
page=docs/figures-tom.md
workloads="BP:backprop BFS:bfs KM:kmeans CFD:cfd HW:heartwall LIB:libor
RAY:raytrace FWT:fwt SP:scalarprod RD:reduce"
by_name="BP:backprop BFS:bfs SP:scalarprod RD:reduce"
mkdir -p "$data" docs/img

# measure NAME WORKLOADS OPTIONS...: a page each, in $data/NAME.KERNEL
measure() {
    name=$1 list=$2
    shift 2
    for w in $list; do
        k=${w#*:}
        "$BUILD/ndpsim" "kernels/$k/$k.yml" --size full --preset tom "$@" \
            >"$data/$name.$k"
        head -n 1 "$data/$name.$k" | grep -q ': right' ||
            { echo "figures_tom.sh: '$k' is wrong" >&2; exit 1; }
    done
}

if [ "${1:-}" != --page ]; then
    rm -f "$data"/*
    measure off "$workloads" --mode off
    measure ub "$workloads" --mode uncontrolled
    measure ul "$workloads" --mode uncontrolled --map learned
    measure cb "$workloads" --mode controlled
    measure cl "$workloads" --mode controlled --map learned
    measure noff "$by_name" --mode off --count names
    measure nul "$by_name" --mode uncontrolled --map learned --count names
    measure ncl "$by_name" --mode controlled --map learned --count names
fi

# All pages as lines "configuration kernel key value".
for f in "$data"/*.*; do # not $data/all, $data/traffic, $data/mapping
    c=${f##*/}
    awk -v c="${c%%.*}" -v k="${c#*.}" '
    function say(key, value) { print c, k, key, value }
    function bare(text) { gsub(/[,()%:]/, " ", text); return text }
    $1 == "time" { say("cycles", $2) }
    $1 == "traffic" {
        line = bare($0); n = split(line, w, " ")
        say("flits", w[2]); say("tx", w[5]); say("rx", w[7]); say("cross", w[10])
    }
    $1 == "instructions" { line = bare($0); n = split(line, w, " ")
        say("stack", w[n]) }
    $1 == "caches" { say("l1", $3); line = $0; sub(/.*L2 /, "", line)
        split(line, w, " "); say("l2", w[1]) }
    $1 == "candidates" { line = bare($0); split(line, w, " ")
        say("candidates", w[2]); say("instances", w[7]); say("paying", w[9]) }
    $1 == "decisions" { for (i = 2; i < NF; i += 2) say("d_" $i, $(i + 1)) }
    $1 == "pending" { m = 0
        for (i = 3; i <= 6; i++) if ($i > m) m = $i
        say("peak", m); say("limit", $8) }
    $1 == "co-location" { line = bare($0); split(line, w, " ")
        say("base", w[3]); say("bit", w[6]); say("best", w[8])
        say("this", w[11]) }
    $1 == "after" { line = bare($0); split(line, w, " ")
        say("bit" w[2], w[4]); say("at" w[2], w[6])
        say("h" w[2], w[10]) }
    $1 == "lines" && $3 == "home" { say("hbase", $4); say("hbest", $7) }
    $2 == "learned" || $1 == "learned" { say("from", $3) }
    /\(class/ { n++; line = $0; sub(/.*class /, "", line); sub(/\)/, "", line)
        gsub(/ /, "_", line)
        say("class", line); say("share", $3); say("where", $1 ":" $2)
        say("accesses", $6) }' "$f"
done >"$data/all"

# table LIST PROGRAM: awk over all of it: v[configuration, kernel, key], the
# workloads in k[1..n] with the paper's names in a[1..n]; PROGRAM is the END
# rule.
table() {
    awk -v list="$1" '
    function flits(c, i) { return v[c, k[i], "flits"] }
    # traffic over that without offloading, in percent
    function part(c, i, off) { return 100 * flits(c, i) / flits(off, i) }
    function mean(c, off,   i, s) {
        for (i = 1; i <= n; i++) s += part(c, i, off)
        return s / n
    }
    # over the kernels of which something is offloaded when nobody stops it
    function moved(c, off,   i, s, m) {
        for (i = 1; i <= n; i++)
            if (v["ul", k[i], "d_offload"]) { s += part(c, i, off); m++ }
        return s / m
    }
    function worst(c, off,   i, m) {
        for (i = 1; i <= n; i++) if (part(c, i, off) > m) m = part(c, i, off)
        return m
    }
    # the same of all flits together
    function pooled(c, key,   i, s, t) {
        for (i = 1; i <= n; i++) {
            s += v[c, k[i], key]
            t += flits("off", i)
        }
        return 100 * s / t
    }
    # co-location over the kernels that have instances
    function where(key,   i, s, m) {
        for (i = 1; i <= n; i++)
            if (v["ul", k[i], "paying"] > 0) { s += v["ul", k[i], key]; m++ }
        return s / m
    }
    # the classes of one kernel (k) or of all (""), in percent of its candidates
    function offsets(k, shown,   j, m, name, s, line) {
        m = split("all 75-99_% 50-75_% 25-50_% 0-25_% none", name, " ")
        for (j = 1; j <= m; j++) s += k == "" ? class[name[j]] : of[k, name[j]]
        line = "\"" shown " (" s ")\""
        for (j = 1; j <= m; j++)
            line = line " " (s ? 100 * (k == "" ? class[name[j]] : of[k, name[j]]) / s : 0)
        return line
    }
    # workloads with a candidate whose accesses are all at a fixed offset
    function fixed(   i, m) {
        for (i = 1; i <= n; i++) m += of[k[i], "all"] > 0
        return m
    }
    # why instances are not offloaded, in percent of the refusals by state
    function refusals(key,   i, s, t) {
        for (i = 1; i <= n; i++) {
            s += v["cl", k[i], key]
            t += v["cl", k[i], "d_tx_busy"] + v["cl", k[i], "d_rx_busy"]
            t += v["cl", k[i], "d_stack_full"]
        }
        return 100 * s / t
    }
    BEGIN { n = split(list, w, " ")
        for (i = 1; i <= n; i++) { split(w[i], x, ":"); a[i] = x[1]; k[i] = x[2] } }
    { v[$1, $2, $3] = $4
      if ($1 == "ul" && $3 == "class") { class[$4]++; classes++
          of[$2, $4]++ } }
    END { '"$2"' }' "$data/all"
}
say() { table "$workloads" 'printf "%.1f", '"$1"; }

# ---------------------------------------------------------------- pictures

table "$workloads" 'for (i = 1; i <= n; i++)
    print a[i], 100, part("ub", i, "off"), part("ul", i, "off"),
          part("cb", i, "off"), part("cl", i, "off")
    print "mean", 100, mean("ub", "off"), mean("ul", "off"), mean("cb", "off"), mean("cl", "off")
    print "\"all flits\"", 100, pooled("ub", "flits"), pooled("ul", "flits"),
          pooled("cb", "flits"), pooled("cl", "flits")
    print "paper", 100, "-", 62, "-", 87' >"$data/traffic"
table "$workloads" 'for (i = 1; i <= n; i++)
    if (v["ul", k[i], "paying"] > 0)
        print a[i], v["ul", k[i], "base"], v["ul", k[i], "at0.1"],
              v["ul", k[i], "at0.5"], v["ul", k[i], "at1.0"],
              v["ul", k[i], "best"], v["ul", k[i], "hbase"],
              v["ul", k[i], "h0.1"], v["ul", k[i], "h0.5"],
              v["ul", k[i], "h1.0"], v["ul", k[i], "hbest"]
    print "mean", where("base"), where("at0.1"), where("at0.5"), where("at1.0"),
          where("best"), where("hbase"), where("h0.1"), where("h0.5"),
          where("h1.0"), where("hbest")
    print "paper", 38, 72, "-", "-", 75, 38, 72, "-", "-", 75' >"$data/mapping"
table "$workloads" 'for (i = 1; i <= n; i++) print offsets(k[i], a[i])
    print offsets("", "all")' >"$data/offsets"
# the paper's bars are the last group; the workloads end before the mean
last=$(($(wc -l <"$data/traffic") - 1))
last_map=$(($(wc -l <"$data/mapping") - 1))
gnuplot <<END
set terminal svg size 860,340 font "Helvetica,12" background "white"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set boxwidth 0.95
set datafile missing "-" # what the paper does not print
set grid ytics lc rgb "#dddddd"
set output "docs/img/tom-traffic.svg"
set logscale y
set yrange [10:2000]
set ytics (10, 20, 50, 100, 200, 500, 1000)
set format y "%g %%"
set xtics font ",10"
set arrow 1 from $last-2.5, graph 0 to $last-2.5, graph 1 nohead lc rgb "#888888"
set label 1 "62" at $last, 62 center offset 0, 0.6 font ",9"
set label 2 "87" at $last+0.36, 87 center offset 0, 0.6 font ",9"
set ylabel "flits, without offloading = 100 %"
set key outside top center horizontal
plot "$data/traffic" using 2:xtic(1) title "off" lc rgb "#7a7a7a", \
     "" using 3 title "uncontrolled, baseline map" lc rgb "#e0a43a", \
     "" using 4 title "uncontrolled, learned" lc rgb "#b5523b", \
     "" using 5 title "controlled, baseline map" lc rgb "#9bbad6", \
     "" using 6 title "controlled, learned" lc rgb "#3b6ea5"
unset logscale y
unset label
set terminal svg size 860,520 font "Helvetica,12" background "white"
set output "docs/img/tom-mapping.svg"
set yrange [0:149]
set ytics 0, 20, 100
set multiplot layout 2,1
set arrow 1 from $last_map-1.5, graph 0 to $last_map-1.5, graph 1 nohead lc rgb "#888888"
set label 1 "38" at $last_map-0.34, 38 center offset 0, 0.6 font ",9"
set label 2 "72" at $last_map-0.17, 72 center offset 0, 0.6 font ",9"
set label 3 "75" at $last_map+0.34, 75 center offset 0, 0.6 font ",9"
set key inside top right horizontal
set ylabel "lines on the block's stack"
plot "$data/mapping" using 7:xtic(1) title "baseline" lc rgb "#7a7a7a", \
     "" using 8 title "after 0.1 %" lc rgb "#e0a43a", \
     "" using 9 title "after 0.5 %" lc rgb "#b5523b", \
     "" using 10 title "after 1 %" lc rgb "#9bbad6", \
     "" using 11 title "oracle" lc rgb "#3b6ea5"
set ylabel "instances on one stack"
plot "$data/mapping" using 2:xtic(1) notitle lc rgb "#7a7a7a", \
     "" using 3 notitle lc rgb "#e0a43a", \
     "" using 4 notitle lc rgb "#b5523b", \
     "" using 5 notitle lc rgb "#9bbad6", \
     "" using 6 notitle lc rgb "#3b6ea5"
unset multiplot
unset label
set terminal svg size 860,340 font "Helvetica,12" background "white"
set output "docs/img/tom-offsets.svg"
set style histogram rowstacked
set boxwidth 0.7
set key outside top center horizontal reverse Left
set yrange [0:100]
set ylabel "candidates"
set xlabel "workload (candidates)"
set arrow 1 from graph 0, first 85 to graph 1, first 85 nohead front dashtype 2 lw 1.5 lc rgb "#000000"
plot "$data/offsets" using 2:xtic(1) title "all at a fixed offset" lc rgb "#3b6ea5", \
     "" using 3 title "75-99 %" lc rgb "#6f97c0", \
     "" using 4 title "50-75 %" lc rgb "#9bbad6", \
     "" using 5 title "25-50 %" lc rgb "#e0a43a", \
     "" using 6 title "0-25 %" lc rgb "#b5523b", \
     "" using 7 title "none" lc rgb "#b9b9b9", \
     NaN with lines dashtype 2 lw 1.5 lc rgb "#000000" title "paper: some, of all"
END

# -------------------------------------------------------------------- page

{
    cat <<END
# Offloading on the paper's ten workloads

Made by \`scripts/figures_tom.sh\`. Workloads: \`kernels/\`, compiled by nvcc 13.0 for sm_75, at size \`full\`, run whole; every result is right.
Composition: \`ndpsim --preset tom\` ([system.md](system.md)): 8 of the paper's 64 main cores, and an eighth of all that they share; controllers as \`ndpgen --preset tom\` emits them. Candidates:
[candidates.md](candidates.md), registers counted by words.

## Beside the paper

Traffic is flits on all links, GPU to stacks, back, and between stacks; *learned* is the mapping after the first 0.1 % of instances.

| | paper | here, ten workloads | here, those with offloads |
| --- | ---: | ---: | ---: |
| traffic, uncontrolled and learned, of that without offloading (6.2) | 62 % | $(say 'mean("ul", "off")') % | $(say 'moved("ul", "off")') % |
| the same over all flits together | | $(say 'pooled("ul", "flits")') % | |
| traffic, controlled and learned (6.2) | 87 % | $(say 'mean("cl", "off")') % | $(say 'moved("cl", "off")') % |
| the same over all flits together | | $(say 'pooled("cl", "flits")') % | |
| between stacks, uncontrolled, baseline mapping, of all traffic without (6.2) | 55 % | $(say 'pooled("ub", "cross")') % | |
| the same, learned mapping | 22 % | $(say 'pooled("ul", "cross")') % | |
| co-location, baseline mapping (3.2.1): lines on the block's stack | 38 % | | $(say 'where("hbase")') % |
| the same, mapping chosen after 0.1 % of the instances (3.2.2) | 72 % | | $(say 'where("h0.1")') % |
| the same, best mapping of the whole run | 75 % | | $(say 'where("hbest")') % |
| co-location as instances that stay on one stack: baseline; after 0.1 %; best | | | $(say 'where("base")'); $(say 'where("at0.1")'); $(say 'where("best")') % |
| candidates with some access at a fixed offset (Figure 5) | 85 % | | $(say '100 * (classes - class["none"]) / classes') % |
| workloads with candidates whose accesses all are (Figure 5) | 6 | | $(table "$workloads" 'print fixed()') |

![traffic](img/tom-traffic.svg)

*Paper*: its means (6.2); those of the baseline mapping it does not print.

## Where ours differ, and why

- **Offloading pays where the caches do not help, and nowhere else.** A candidate is chosen as if half of its loads missed. \`heartwall\` reads an image of 300 KB
  again and again: without offloading nearly all of it comes from the caches and the links carry next to nothing, so every block that leaves costs more than it saves. The same
  holds for \`raytrace\`. In the mean over kernels these two outweigh the rest, because their traffic without offloading is so small; over all flits together the picture is the
  paper's. The paper took only workloads that use more than half of the memory bandwidth (5.3); ours have its kernels, not its inputs.
- **The controller does what it is for.** Where uncontrolled offloading multiplies the traffic, controlled offloading stays near that without offloading ($(say 'worst("cl", "off")') % at most), or below. Of
  the refusals for want of room $(say 'refusals("d_stack_full")') % find the stack's warps taken, as in the paper (6.4: warp capacity is the main reason), $(say 'refusals("d_tx_busy")') % a busy TX link and $(say 'refusals("d_rx_busy")') % a busy RX link. That is the sum: in \`libor\` busy
  links refuse more than full stacks, and in \`bfs\` nearly as much.
- **Time is not the paper's.** The stacks' cores together issue a sixteenth of what the main cores do, as in the paper. \`heartwall\`, \`libor\` and \`raytrace\` have a few hundred
  instances of thousands of instructions each, not enough warps to fill the main cores; so the run ends with some long blocks on the stacks while everybody waits, controlled or not. The
  controller knows links and warps, not how long a block is.
- **Co-location can be read in two ways.** Section 3.2.1 speaks of the probability of accessing one stack in an instance; section 4.3 of the mapping with most accesses to the
  stack that the block runs on. Read as the share of an instance's lines that lie on the stack of its first, ours come
  closer to the paper's: its 38 % is what chance gives with four stacks, a quarter and the first line itself. Read as instances that touch a single stack, as the analyzer counts, there are few: an instance here is a loop of many iterations, whose lanes often read
  lines of their own, and one stray line counts as much as a hundred. The analyzer's scores then tie at zero, and the sum of stacks decides; for \`bfs\` and \`raytrace\` 0.1 % of
  the instances are a handful, and too few. The paper's runs have more.
- **A mapping learned from one instance knows only what that one touched.** *In force* below is what the run got: allocations that the first 0.1 % did not touch stay with the baseline mapping.
- **No L2 sharing beyond the slice, no DRAM banks, no page tables.** What is modelled and what not stands in [system.md](system.md).
- **BP and SP have no candidate by words**, as 64-bit pointers make their blocks too dear; with registers counted by name they have (table below). **RD** has one, the
  remainder of a loop that nvcc unrolled by four. It makes three iterations at most and would pay from fourteen, so the condition is never true. The unrolled loop itself has an unknown
  count and costs more than one iteration saves.

## Traffic

Flits in percent of those without offloading; in brackets the share that goes between stacks. L1, L2: loads that hit, without offloading.

| | kernel | L1 | L2 | flits without | uncontrolled, baseline | learned | controlled, baseline | learned |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table "$workloads" 'm = split("ub ul cb cl", c, " ")
        for (i = 1; i <= n; i++) {
            printf "| %s | %s | %s %% | %s %% | %d |", a[i], k[i], v["off", k[i], "l1"],
                   v["off", k[i], "l2"], flits("off", i)
            for (j = 1; j <= m; j++)
                printf " %.1f (%.1f) |", part(c[j], i, "off"),
                       100 * v[c[j], k[i], "cross"] / flits("off", i)
            print ""
        }
        printf "| | **mean** | | | |"
        for (j = 1; j <= m; j++) printf " **%.1f** |", mean(c[j], "off")
        printf "\n| | **all flits** | | | |"
        for (j = 1; j <= m; j++) printf " **%.1f** |", pooled(c[j], "flits")
        print ""'
    cat <<END

By direction, uncontrolled and controlled with the learned mapping, in thousand flits:

| | off: TX | RX | uncontrolled: TX | RX | between | controlled: TX | RX | between |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table "$workloads" 'for (i = 1; i <= n; i++)
        printf "| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", a[i],
            v["off", k[i], "tx"] / 1e3, v["off", k[i], "rx"] / 1e3,
            v["ul", k[i], "tx"] / 1e3, v["ul", k[i], "rx"] / 1e3, v["ul", k[i], "cross"] / 1e3,
            v["cl", k[i], "tx"] / 1e3, v["cl", k[i], "rx"] / 1e3, v["cl", k[i], "cross"] / 1e3'
    cat <<END

## Decisions

Learned mapping. *Pay*: instances without a condition, or of which it holds. *On stacks*: share of the instructions. Time: cycles over those without offloading (a
speedup above 1 is faster).

| | instances | pay | uncontrolled: offloaded | on stacks | speedup | controlled: offloaded | tx busy | rx busy | stack full | on stacks | speedup | pending peak |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table "$workloads" 'for (i = 1; i <= n; i++)
        printf "| %s | %d | %d | %d | %s %% | %.2f | %d | %d | %d | %d | %s %% | %.2f | %d of %d |\n", a[i],
            v["cl", k[i], "instances"], v["cl", k[i], "paying"],
            v["ul", k[i], "d_offload"], v["ul", k[i], "stack"],
            v["off", k[i], "cycles"] / v["ul", k[i], "cycles"],
            v["cl", k[i], "d_offload"], v["cl", k[i], "d_tx_busy"],
            v["cl", k[i], "d_rx_busy"], v["cl", k[i], "d_stack_full"],
            v["cl", k[i], "stack"],
            v["off", k[i], "cycles"] / v["cl", k[i], "cycles"],
            v["cl", k[i], "peak"], v["cl", k[i], "limit"]'
    cat <<END

Blocks that do not begin with an access are probed, one warp of a core at a time (docs/blocks/offload.md); a warp that finds the probe taken waits.

## Mapping

*Instances*: share of the paying instances with any access that stay on one stack. *Lines*: share of the lines that they access on the stack of the instance's first. Both in percent, under the baseline mapping and under the two address bits chosen after the first 0.1 %, 0.5 %
and 1 % of them, and after all (oracle). The chosen lowest bit in brackets. *In force*: with the mapping learned from 0.1 % on the allocations that these first instances touch.

![co-location](img/tom-mapping.svg)

*Paper*: its means (3.2.1, 3.2.2), which stand in both halves, as either may be meant; those after 0.5 % and 1 % it does not print.

| | instances: baseline | 0.1 % | 0.5 % | 1 % | oracle | in force | lines: baseline | 0.1 % | 0.5 % | 1 % | oracle |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table "$workloads" 'for (i = 1; i <= n; i++) {
            if (!(v["ul", k[i], "paying"] > 0)) {
                printf "| %s |", a[i]
                for (j = 1; j <= 11; j++) printf " – |"
                print ""
                continue
            }
            printf "| %s | %s | %s (%s) | %s (%s) | %s (%s) | %s (%s) | %s | %s | %s | %s | %s | %s |\n", a[i],
                v["ul", k[i], "base"], v["ul", k[i], "at0.1"], v["ul", k[i], "bit0.1"],
                v["ul", k[i], "at0.5"], v["ul", k[i], "bit0.5"],
                v["ul", k[i], "at1.0"], v["ul", k[i], "bit1.0"],
                v["ul", k[i], "best"], v["ul", k[i], "bit"], v["ul", k[i], "this"],
                v["ul", k[i], "hbase"], v["ul", k[i], "h0.1"], v["ul", k[i], "h0.5"],
                v["ul", k[i], "h1.0"], v["ul", k[i], "hbest"]
        }
        printf "| **mean** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** |\n",
            where("base"), where("at0.1"), where("at0.5"), where("at1.0"), where("best"), where("this"),
            where("hbase"), where("h0.1"), where("h0.5"), where("h1.0"), where("hbest")'
    cat <<END

The learned mapping is the golden analyzer's (docs/blocks/analyzer.md), fed with the instances in the stream's order.

## Fixed offsets

Candidates by the share of their executed accesses that lie at a fixed distance from another of the block, or from their own last execution
(\`golden/sim/trace/offset_share.h\`). The paper prints no number for a bar of its Figure 5, only that of the dashed line.

![fixed offsets](img/tom-offsets.svg)

| | candidates | all | 75-99 % | 50-75 % | 25-50 % | 0-25 % | none |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table "$workloads" 'm = split("all 75-99_% 50-75_% 25-50_% 0-25_% none", c, " ")
        for (i = 1; i <= n; i++) {
            all = 0
            for (j = 1; j <= m; j++) all += of[k[i], c[j]]
            printf "| %s | %d |", a[i], all
            for (j = 1; j <= m; j++) printf " %s |", all ? of[k[i], c[j]] + 0 : "–"
            print ""
        }
        printf "| **all** | **%d** |", classes
        for (j = 1; j <= m; j++) printf " **%d** |", class[c[j]]
        print ""'
    cat <<END

A candidate that the run never enters counts as *none*.

## Registers by name

The paper's tool counts each operand of 32-bit code once. So counted, more blocks are candidates (docs/candidates.md); their packets still carry all 32-bit rows. Traffic in percent of that without
offloading, learned mapping:

| | candidates by words | by name | uncontrolled, by words | by name | controlled, by words | by name |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
END
    table "$by_name" 'for (i = 1; i <= n; i++)
        printf "| %s | %d | %d | %.1f | %.1f | %.1f | %.1f |\n", a[i],
            v["ul", k[i], "candidates"], v["nul", k[i], "candidates"],
            part("ul", i, "off"), part("nul", i, "noff"),
            part("cl", i, "off"), part("ncl", i, "noff")'
} >"$page"
echo "figures: wrote $page, docs/img/tom-traffic.svg, tom-mapping.svg, tom-offsets.svg"
