#!/bin/sh
# events_test.sh - what bench_core counts, of which docs/figures-mpu-core.md is made:
# it agrees with the machine's own counters, and with what is known of a kernel.
#
# usage: events_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=events_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/ndppage" "$build/tests/mpu_core/bench_core"
bench=$build/tests/mpu_core/bench_core

# template TEXT RUN... - a line of Lua over these runs of the room; an error fails
template() {
    printf '//%% %s\nwell\n' "$1" >"$room/check.md"
    shift
    list=
    for run; do list="$list $run=$room/$run.json"; done
    # shellcheck disable=SC2086
    "$build/ndppage" "$room/check.md" $list
}
count() { # run kernel argument..., or description
    run=$1 file=$2
    shift 2
    [ -f "$file" ] || file=kernels/$file/$file.yml
    status 0 "$bench" "$file" --json "$@"
    cp "$room/out" "$room/$run.json"
}

# the cycles of ndprun; all beats; as many messages as accesses that meet the conditions;
# and the unit's rules by program order, without time, come to what the unit has counted,
# but that completions share beats
same='for _, k in ipairs{"went_near", "went_far", "beats_instr", "beats_down", "beats_request", "beats_up"} do
//%     local r = data.here; assert(r.shared_near[r.policy][k] == r.unit[k], k)
//% end
//% local r = data.here; assert(r.shared_near[r.policy].beats_done >= r.unit.beats_done)
//% local e, u = data.here.events, data.here.unit
//% assert(data.here.counters.cycles == data.there.results[1].counters.cycles and e.edges == data.here.counters.cycles)
//% assert(e.beats == u.beats_instr + u.beats_down + u.beats_request + u.beats_up + u.beats_done + u.beats_lsu)
//% assert(e.messages == e.loads + e.stores - e.lack_mask - e.lack_row - e.lack_unit)
//% assert(e.act >= e.pre and e.rd > 0 and e.wr > 0 and e.ref > 0)'
for kernel in knn reduce; do
    for policy in annotated default near far; do
        count here $kernel --policy $policy
        "$build/ndprun" "kernels/$kernel/$kernel.yml" --device golden:mpu_core --policy $policy \
            --json >"$room/there.json"
        status 0 template "$same" here there
    done
done
# shared memory on the base die moves other rows
status 2 template 'local r = data.here; assert(r.shared_far.far.beats_down == r.unit.beats_down)' here

# 1000 elements of axpy are 32 warps, the last of which has 8 lanes: 64 loads and 32 stores
# of 125 sectors each, x and y; whole ones are messages, as buffers begin at the first unit,
# and none is if all of them look for their elements a line further
sed 's/^\(.*\.global\..*f32.*\[%rd[0-9]*\)\]/\1+128]/' kernels/axpy/axpy.ptx >"$room/apart.ptx"
sed 's/axpy\.ptx/apart.ptx/' kernels/axpy/axpy.yml >"$room/apart.yml"
count apart "$room/apart.yml"
count aligned axpy
status 0 template 'local e = data.aligned.events
//% assert(e.loads == 64 and e.stores == 32 and e.rd == 250 and e.wr == 125)
//% assert(e.messages == 93 and e.lack_mask == 3 and e.strided == 2 and e.transactions == 1)
//% assert(data.apart.events.messages == 0 and data.apart.events.lack_unit == 93)' apart aligned

# of larger inputs one row a bank is opened more often than four are
for open in 1 4; do
    status 0 "$bench" docs/pages/mpu_core/gemv.yml --align 2048 --set bank.open_rows=$open --json
    cp "$room/out" "$room/open$open.json"
done
status 0 template 'local e = {data.open1.events, data.open4.events}
//% assert(e[1].rd == e[2].rd and e[1].act > e[2].act and e[1].pre > e[2].pre)' open1 open4

# a launch that ends with a fault is reported as such, and is no error
sed 's/^\(.*ld\.global\.f32.*\[%rd[0-9]*\)\]/\1+2]/' kernels/axpy/axpy.ptx >"$room/odd.ptx"
sed 's/axpy\.ptx/odd.ptx/' kernels/axpy/axpy.yml >"$room/odd.yml"
status 0 "$bench" "$room/odd.yml"
says out "stopped: "
says out "misaligned"
status 2 "$bench" kernels/axpy/axpy.yml --policy nearer
status 1 "$bench" kernels/axpy/axpy.yml --set host.warps=8
says err "set 'nbu.warps' instead"

done_testing
