#!/bin/sh
# board_sim.sh - a board that is simulated, for ndpboard and libndp.
#
#   sh scripts/board_sim.sh verilator|icarus DIR
#
# DIR is what scripts/board.sh BOARD --rtl -o DIR has filled.  Makes DIR/SIM/board:
# the board's top, which reads what comes on its serial pins as lines and answers
# them (verilator-tb/board/).  Then
#
#   build/ndpboard DIR                  prints a device, serial:/dev/pts/N
#   build/ndprun ... --device SIM:DIR   starts it by itself
#
# Does nothing if it is newer than the RTL.
#
# Exit status: 0 made, 1 the simulator refuses the RTL, 2 bad use.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")/.." && pwd)
bench=$here/verilator-tb/board

fail() {
    echo "board_sim.sh: error: $1" >&2
    exit 2
}

case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
[ $# = 2 ] || fail "expected a simulator and a folder, see --help"
sim=$1 dir=$2
[ -d "$dir" ] || fail "there is no folder '$dir'"
list=${LIST:-board.f}
[ -f "$dir/$list" ] && [ -f "$dir/board.conf" ] ||
    fail "'$dir' has no board, make it with: sh scripts/board.sh BOARD --rtl -o $dir"
work=$dir/$sim
log=$work/board.log

value() {
    sed -n "s/^$1=//p" "$dir/board.conf"
}
rest=$(value button_rest)
clocks=$((($(value clock_hz) + $(value baud) / 2) / $(value baud)))

refuse() {
    cat "$log" >&2
    echo "board_sim.sh: error: $sim refuses the RTL in '$dir'" >&2
    exit 1
}

is_new() {
    [ -x "$work/board" ] &&
        [ -z "$(find "$dir/rtl" "$dir/$list" "$dir/board.conf" "$bench" \
            -newer "$work/board")" ]
}

is_new && exit 0
mkdir -p "$work"
case $sim in
verilator)
    # make cannot work below a folder with a blank in its name, nor with files
    # there
    room=$(cd "$work" && pwd -P)
    case $room$bench in
    *[[:space:]]*)
        room=$(mktemp -d)
        trap 'rm -rf "$room"' EXIT
        cp "$bench"/* "$room"
        bench=$room
        ;;
    esac
    verilator --cc --exe --build -j 0 -O3 --x-assign unique \
        --x-initial unique -CFLAGS "-O2 -DCLOCKS=$clocks ${rest:+-DBUTTON_REST=$rest}" --top-module top \
        --prefix Vboard --Mdir "$room/board_obj" -F "$dir/$list" \
        "$bench/board.cpp" -o board >"$log" 2>&1 || refuse
    cp "$room/board_obj/board" "$work/board"
    ;;
icarus)
    cp "$bench/board.v" "$work/board.v"
    (cd "$dir" && iverilog -g2005 -o "$sim/board.vvp" -s board \
        -Pboard.CLOCKS="$clocks" ${rest:+-DBUTTON_REST="$rest"} -f "$list" "$sim/board.v") >"$log" 2>&1 ||
        refuse
    printf '#!/bin/sh\nexec vvp -n "${0%%/*}/board.vvp"\n' >"$work/board"
    chmod +x "$work/board"
    ;;
*)
    fail "unknown simulator '$sim', expected verilator or icarus"
    ;;
esac
