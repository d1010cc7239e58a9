#!/bin/sh
# machine.sh - a program that is the RTL of a machine, for libndp.
#
#   sh scripts/machine.sh verilator|icarus DIR
#
# DIR is what ndpgen --target system -o DIR has filled, or with the target of any
# other machine: banked, cached, cached_mesh, cluster, chained, image, image_mesh,
# mpu_base, mpu_core, mpu_mesh, stacks.  Makes DIR/SIM/machine, which devices "verilator:DIR" and
# "icarus:DIR" of libndp and ndprun start: it reads accesses of the register port as lines
# and answers them (verilator-tb/port/).  Does nothing if it is newer than the RTL.
#
# Exit status: 0 made, 1 the simulator refuses the RTL, 2 bad use.
set -eu
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")/.." && pwd)
port=$here/verilator-tb/port

fail() {
    echo "machine.sh: error: $1" >&2
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
list=$(ls "$dir"/*ndp_system.f "$dir"/*ndp_banked.f "$dir"/*ndp_cached.f \
    "$dir"/*ndp_cached_mesh.f \
    "$dir"/*ndp_cluster.f "$dir"/*ndp_chained.f "$dir"/*ndp_image.f \
    "$dir"/*ndp_image_mesh.f \
    "$dir"/*ndp_stacks.f \
    "$dir"/*ndp_mpu_base.f "$dir"/*ndp_mpu_core.f "$dir"/*ndp_mpu_mesh.f \
    2>/dev/null) || :
[ -f "$list" ] ||
    fail "'$dir' has no machine, make it with: ndpgen --target system -o $dir"
top=$(basename "$list" .f)
# what retires shows at the top of a machine of one such core
retires=
! grep -q '^ *output .*core_ret_valid' "$dir/rtl/$top.v" || retires=-DNDP_RETIRES
work=$dir/$sim
log=$work/log

quietly() {
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        echo "machine.sh: error: $sim refuses the RTL in '$dir'" >&2
        exit 1
    }
}

is_new() {
    [ -x "$work/machine" ] &&
        [ -z "$(find "$dir/rtl" "$list" "$port" -newer "$work/machine")" ]
}

case $sim in
verilator)
    is_new && exit 0
    mkdir -p "$work"
    # make cannot work below a folder with a blank in its name, nor with files
    # there
    room=$work
    case $(cd "$work" && pwd -P)$port in
    *[[:space:]]*)
        room=$(mktemp -d)
        trap 'rm -rf "$room"' EXIT
        cp "$port"/* "$room"
        port=$room
        ;;
    esac
    quietly verilator --cc --exe --build -j 0 -O3 --x-assign unique \
        --x-initial unique -CFLAGS "-O2 $retires" --top-module "$top" --prefix Vmachine \
        --Mdir "$room/obj" -F "$list" "$port/port.cpp" -o machine
    cp "$room/obj/machine" "$work/machine"
    ;;
icarus)
    is_new && exit 0
    mkdir -p "$work"
    sed "s/NDP_TOP/$top/; s/NDP_ADR_W/$(sed -n \
        's/.*\[\([0-9]*\):0\] *wb_adr,.*/\1 + 1/p' "$dir/rtl/$top.v")/" \
        "$port/port.v" >"$work/port.v"
    # shellcheck disable=SC2086
    (cd "$dir" && iverilog -g2005 $retires -o "$sim/machine.vvp" \
        -s port -f "$top.f" "$sim/port.v") >"$log" 2>&1 || {
        cat "$log" >&2
        echo "machine.sh: error: $sim refuses the RTL in '$dir'" >&2
        exit 1
    }
    printf '#!/bin/sh\nexec vvp -n "${0%%/*}/machine.vvp"\n' >"$work/machine"
    chmod +x "$work/machine"
    ;;
*)
    fail "unknown simulator '$sim', expected verilator or icarus"
    ;;
esac
