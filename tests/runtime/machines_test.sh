#!/bin/sh
# machines_test.sh - a launch takes the same cycles and counts the same on a machine
# however the host reaches its memory, and on RTL as on the golden machine.
#
# usage: machines_test.sh      (ALL=1: every machine in Icarus, which takes minutes)
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=machines_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/ndpgen"
ndprun=$build/ndprun

# What is said of a run, but for the device; beats_lsu and bus_stall count the host's
# words, too, where they cross to the banks.
report() { # file
    sed '/"device": /d; /"beats_lsu": /d; /"bus_stall": /d' "$room/out" >"$room/$1"
}

# --- golden machines: memory reached directly and through the port ---------------

beside() { # device, description
    status 0 "$ndprun" "$2" --device "golden:$1" --json
    report memory
    status 0 "$ndprun" "$2" --device "golden:$1" --json --host port
    report port
    status 0 diff "$room/memory" "$room/port"
}
for machine in plain banked_small cluster mpu_base_small mpu_core_small mpu_mesh_small; do
    beside $machine kernels/axpy/axpy.yml
done
beside chained kernels/triad/triad.yml
beside cached_mesh_tiny tests/cached_mesh/flag.yml
beside image_mesh_tiny tests/image_mesh/bands.yml
# launches one after the other, each with what the one before has left
beside banked_small kernels/nw/nw.yml
beside mpu_core_tiny tests/mpu_core/nw.yml
beside mpu_mesh_tiny tests/mpu_core/nw.yml

status 2 "$ndprun" kernels/axpy/axpy.yml --host door
says err "--host"

# --- RTL ----------------------------------------------------------------------

# Refreshes have the same phase in a launch, though the library asks more of RTL
# before it.
same() { # target, preset, description
    status 0 "$build/ndpgen" --target "$1" --preset "$2" -o "$room/$2"
    status 0 sh scripts/machine.sh icarus "$room/$2"
    status 0 "$ndprun" "$3" --device "golden:$2" --json
    report golden
    status 0 "$ndprun" "$3" --device "icarus:$room/$2" --json
    report icarus
    status 0 diff "$room/golden" "$room/icarus"
}
printf 'base: %s/tests/runtime/add.yml\nsizes: {small: {n: 8}}\ngrid: [1]\n' \
    "$PWD" >"$room/few.yml"
if command -v iverilog >/dev/null; then
    same mpu_core mpu_core_tiny "$room/few.yml"
    if [ -n "${ALL:-}" ]; then
        same banked banked_small "$room/few.yml"
        same cluster cluster_tiny "$room/few.yml"
        same chained chained_small "$room/few.yml"
        same mpu_base mpu_base_tiny "$room/few.yml"
        same mpu_mesh mpu_mesh_tiny "$room/few.yml"
        same cached_mesh cached_mesh_tiny "$room/few.yml"
        same image_mesh image_mesh_tiny "$room/few.yml"
    fi
fi

done_testing
