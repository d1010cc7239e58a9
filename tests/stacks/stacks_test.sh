#!/bin/sh
# stacks_test.sh - kernels whose blocks run in memory stacks, from outside: the bytes of
# the plain machine in all modes and with all maps, counters, and what is refused.
#
# usage: stacks_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=stacks_test.sh
. tests/common/room.sh
needs "$build/ndprun"
needs "$build/ndpgen"
ndprun=$build/ndprun

# --- the same bytes ---------------------------------------------------------------

# loads and stores far apart, loops with conditions, divergence, atomics, shared memory
buffers() { grep ' elements, checksum ' "$room/out" >"$room/buffers-$1"; }
for file in kernels/fwt/fwt.yml kernels/kmeans/kmeans.yml kernels/bfs/bfs.yml \
    kernels/hist/hist.yml kernels/cfd/cfd.yml tests/stacks/reduce.yml; do
    status 0 "$ndprun" "$file" --device golden:plain
    buffers plain
    for mode in off controlled uncontrolled; do
        for map in baseline 9 13; do
            status 0 "$ndprun" "$file" --device golden:stacks --offload $mode --map $map
            says out " on golden:stacks: right, "
            buffers stacks
            status 0 cmp "$room/buffers-plain" "$room/buffers-stacks"
        done
    done
done
status 0 "$ndprun" tests/stacks/reduce.yml --device golden:stacks --pace 8 --cores 2
says out ": right, "

# --- blocks that leave, and what comes back -----------------------------------------

status 0 "$ndprun" kernels/fwt/fwt.yml --device golden:stacks --offload uncontrolled
says out "  offload: offloaded            128"
says out "  offload: released             128"
says out "  offload: refused_full           0"
status 0 "$ndprun" kernels/fwt/fwt.yml --device golden:stacks --offload off
says out "  offload: asked                128"
says out "  offload: offloaded              0"
status 0 "$ndprun" tests/stacks/axpy.yml --device golden:stacks_tiny
says out "  offload: offloaded              4"
says out "  offload: refused_cond           4"

# a slow core in the stacks takes longer
cycles() { sed -n 's/^  cycles  *//p' "$room/out"; }
status 0 "$ndprun" tests/stacks/axpy.yml --device golden:stacks_tiny
fast=$(cycles)
status 0 "$ndprun" tests/stacks/axpy.yml --device golden:stacks_tiny --pace 40
status 0 [ "$(cycles)" -gt "$fast" ]

# --- what crosses the links, and where warps are -------------------------------------

counted() { sed -n "s/^  $1  *//p" "$room/out"; }
for mode in off controlled uncontrolled; do
    for map in baseline 9; do # by bits from 9 on, a block has all its data in a stack
        status 0 "$ndprun" kernels/fwt/fwt.yml --device golden:stacks --offload $mode --map $map --traffic
        to=$(counted "traffic: to_stacks_blocks") from=$(counted "traffic: from_stacks_blocks")
        sent=$(counted "offload: tx_flits") back=$(counted "offload: rx_flits")
        between=$(counted "traffic: between_stacks") away=$(counted "offload: offloaded")
        status 0 [ "$to" -eq "$sent" ]
        status 0 [ "$from" -eq "$back" ]
        case $mode-$map in
        off-* | *-9) status 0 [ "$between" -eq 0 ] ;;
        *) status 0 [ "$between" -gt "$away" ] ;;
        esac
    done
done

status 0 "$ndprun" tests/stacks/axpy.yml --device golden:stacks_tiny --perfetto "$room/way.json"
for slices in "8 asks" "2 away in stack 0" "2 away in stack 1" "4 guest at word 69"; do
    n=$(grep -c "\"name\":\"${slices#* }\"" "$room/way.json")
    status 0 [ "$n" -eq "${slices%% *}" ]
done

# --- each by its name ---------------------------------------------------------------

# a stale line after a release; loads in flight, while a block stores to their line
for mode in off controlled uncontrolled; do
    for map in baseline 7 9; do
        status 0 "$ndprun" tests/stacks/stale.yml --device golden:stacks_tiny --offload $mode --map $map
        status 0 "$ndprun" tests/stacks/beside.yml --device golden:stacks_tiny --offload $mode --map $map
        status 0 "$ndprun" tests/stacks/beside.yml --size wide --device golden:stacks --offload $mode --map $map
    done
done
above() { # least, counter
    status 0 [ "$(counted "$2")" -ge "$1" ]
}
# a full stack
status 0 "$ndprun" kernels/fwt/fwt.yml --device golden:stacks
above 20 "offload: refused_full"
# a busy link: blocks that save only what comes back stay
status 0 "$ndprun" kernels/backprop/backprop.yml --size full --device golden:stacks --map 7
above 1000 "offload: refused_tx"
# a condition that is false, and a loop that returns to its begin and asks once
status 0 "$ndprun" kernels/reduce/reduce.yml --device golden:stacks
says out "  offload: asked                 65"
says out "  offload: refused_cond          65"
# all at once
status 0 "$ndprun" kernels/kmeans/kmeans.yml --device golden:stacks --offload uncontrolled
says out "  offload: refused_full           0"

# --- faults ------------------------------------------------------------------------

status 1 "$ndprun" tests/stacks/beyond.yml --device golden:stacks_tiny --offload off
says err "kernel 'axpy': unmapped address 0x1000, core 0, warp 0, word 88, PTX line 96"
status 2 "$ndprun" tests/stacks/beyond.yml --device golden:stacks_tiny
says err "kernel 'axpy': unmapped address 0x1000, core 1 in a stack, where the device stands still"

# --- what is refused --------------------------------------------------------------

status 2 "$ndprun" tests/runtime/add.yml --device golden:plain --offload off
says err "the device has no memory stacks with cores, as 'golden:stacks' has"
status 2 "$ndprun" tests/runtime/add.yml --device golden:stacks --offload on
says err "option '--offload' expects one of off|controlled|uncontrolled, got 'on'"
status 2 "$ndprun" tests/runtime/add.yml --device golden:stacks --map 3
says err "3 of --map, expected baseline or 7 to 20"
status 2 "$ndprun" tests/runtime/add.yml --device golden:stacks_tiny --map 20
says err "map by bits from 20 on, expected 7 to 11 of the device"
status 2 "$ndprun" tests/runtime/add.yml --device golden:stacks --cores 8
says err "8 cores, expected 1 to 7 of the device"
status 2 "$build/ndpgen" --target stacks --set link.interval=4 -o "$room/none"
says err "moves a flit in 25 % of the cycles at most, expected 'offload.busy_on' not above"
status 2 "$build/ndpgen" --target stacks --set simt.chains=passed -o "$room/none"
says err "'simt.chains' must be moved"
status 2 "$build/ndpgen" --target stacks --preset stacks_tiny --set jobs.slots=1 \
    --set mesh.width=3 --set 'mesh.memory_nodes=[0,3]' -o "$room/none"
says err "'broker.share' would be 0 by 'jobs.slots', 'mesh.width' and 'mesh.height'"
status 2 "$build/ndpgen" --target stacks --preset stacks_tiny --set 'mesh.memory_nodes=[1,2]' \
    -o "$room/none"
says err "the stacks ('mesh.memory_nodes') must be the first node of each row"

done_testing
