#!/bin/sh
# ndptrace_test.sh - traces of machines from outside: the same bytes from the RTL,
# lists, pictures, comparisons, bad input.
#
# usage: ndptrace_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=ndptrace_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/ndptrace"
ndprun=$build/ndprun
ndptrace=$build/ndptrace
run=tests/runtime/add.yml
ptx=kernels/vecadd/vecadd.ptx
leave() {
    chmod -R u+w "$room"
    rm -rf "$room"
}

# lines N - so many lines of output
lines() {
    n=$(wc -l <"$room/out")
    [ "$n" -eq "$1" ] && passed=$((passed + 1)) || fail "$n lines, expected $1"
}

# --- a trace, and the same one from the RTL -------------------------------------

t=$room/tiny.ret
status 0 "$ndprun" $run --device golden:tiny --trace "$t"
says out 'right, 1 launch'
status 0 "$ndprun" $run --device golden:tiny --trace "$room/again.ret"
status 0 cmp "$t" "$room/again.ret"
gzip -c "$t" >"$room/packed.gz"
status 0 "$build/ndptrace" "$t" --compare "$room/packed.gz"
status 0 "$ndprun" $run --device golden:tiny --trace -
says err 'right, 1 launch'
cp "$room/out" "$room/piped"
status 0 cmp "$t" "$room/piped"
status 0 tail -n 1 "$t"
says out "end $(grep -c '^[0-9]* [0-9]* [0-9]* [0-9]* ' "$t")"
status 0 "$build/ndpgen" --target system --preset tiny -o "$room/tiny"
if command -v iverilog >/dev/null; then
    status 0 sh scripts/machine.sh icarus "$room/tiny"
    status 0 "$ndprun" $run --device "icarus:$room/tiny" --trace "$room/rtl.ret"
    status 0 cmp "$t" "$room/rtl.ret"
    # a line of RTL is wrong: the first of the conversions is
    cp -r "$room/tiny" "$room/broken"
    sed -i "s/count <= 8'd158;/count <= 8'd157;/" \
        "$room/broken/rtl/ndp_system_simt_serial.v"
    status 1 sh tests/system/walk_back.sh icarus "$room/broken"
    says out 'another result'
    says out 'CTA 0, warp 0 of it (0 of the machine), word 16'
    says out 'cvtfu r1, r6'
    says out 'PTX line 48  div.u32'
fi
# the tests of ndprun have built the same in Verilator, which takes longer
status 0 "$ndprun" $run --device "golden:$room/tiny/config.yml" \
    --trace "$room/config.ret"
status 0 cmp "$t" "$room/config.ret"

# --- lists ------------------------------------------------------------------------

status 0 "$ndptrace" "$t" --ptx $ptx
says out 'launch 1: kernel vecadd_aligned, grid 4x1x1, block 8x1x1, done'
says out '(the warp starts)'
says out 'mul.lo.s32'
all=$(wc -l <"$room/out")
status 0 "$ndptrace" "$t" --warp 0
zero=$(wc -l <"$room/out")
status 0 "$ndptrace" "$t" --warp 1
lines $((all - zero + 2))
status 0 "$ndptrace" "$t" --pc 16 --cta 2
lines 4
says out 'cvtfu r1, r6'
says out '42000000 (32)'
status 0 "$ndptrace" "$t" --pc 16-17 --cta 2
lines 6
status 0 "$ndptrace" "$t" --from 56 --to 59
lines 3
status 0 "$ndptrace" "$t" --lane 3 --pc 0 --cta 0
lines 6
status 0 "$ndptrace" "$t" --json --pc 16 --cta 2
says out '"instruction": "cvtfu r1, r6"'
says out '"line": 48'

# --- pictures -----------------------------------------------------------------------

status 0 "$ndptrace" "$t" --svg "$room/a.svg"
status 0 "$ndptrace" "$t" --svg -
says out 'CTA 3'
says out '</svg>'
cp "$room/out" "$room/piped"
status 0 cmp "$room/a.svg" "$room/piped"
if command -v xmllint >/dev/null; then
    status 0 xmllint --noout "$room/a.svg"
fi

# --- comparisons ----------------------------------------------------------------------

status 0 "$ndptrace" "$t" --compare "$room/again.ret"
says out 'are equal: 1 launch, 710 instructions, each on its cycle'
# slower memory: other cycles, the same instructions
sed '/^memory:/,/^[^ ]/s/latency: .*/latency: 40/' "$room/tiny/config.yml" >"$room/slow.yml"
status 0 "$ndprun" $run --device "golden:$room/slow.yml" --trace "$room/slow.ret"
status 0 "$ndptrace" "$t" --compare "$room/slow.ret"
says out '710 instructions, in other cycles'
# the functional machine: the same, whatever the core does about time
status 0 "$ndprun" $run --device untimed:tiny --trace "$room/untimed.ret"
says out 'right, 1 launch'
status 0 "$ndptrace" "$t" --compare "$room/untimed.ret"
says out '710 instructions, in other cycles'
m=docs/examples/machine.yml
for k in docs/examples/reduce.yml kernels/bfs/bfs.yml kernels/compare/compare.yml \
    kernels/density/density.yml kernels/hist/hist.yml; do
    [ $k = docs/examples/reduce.yml ] || m=plain
    for d in golden untimed; do
        status 0 "$ndprun" $k --device $d:$m --trace "$room/$d.ret"
    done
    status 0 "$ndptrace" "$room/golden.ret" --compare "$room/untimed.ret" \
        --any-order
done
# old values of atomics come in another order
status 1 "$ndptrace" "$room/golden.ret" --compare "$room/untimed.ret"
says out '--any-order passes over it'

# --- a core on two dies ---------------------------------------------------------------

# on_dies KERNEL SIZES: each policy against the functional machine, whose buffers lie
# where near-bank units want them
on_dies() {
    sed "s|^ptx: |ptx: $PWD/kernels/$1/|; s|^  small: .*|  small: {$2}|" \
        "kernels/$1/$1.yml" >"$room/$1.yml"
    sed 's|^buffers:|&\n  pad: {type: u8, count: 1792}|' "$room/$1.yml" \
        >"$room/$1_far.yml"
    status 0 "$ndprun" "$room/$1_far.yml" --device untimed:plain \
        --trace "$room/untimed.ret"
    for policy in near far annotated; do
        status 0 "$ndprun" "$room/$1.yml" --device golden:mpu_core \
            --policy $policy --trace "$room/dies.ret"
        status 0 "$ndptrace" "$room/dies.ret" --compare "$room/untimed.ret" \
            --any-order
        says out 'in other cycles'
    done
}
on_dies hist 'n: 10003, ctas: 3'
on_dies gemv 'rows: 32, cols: 512'
status 0 "$ndprun" "$room/gemv.yml" --device golden:mpu_mesh --trace-core 1 \
    --trace "$room/dies.ret"
status 0 "$ndptrace" "$room/dies.ret" --warp 0
says out '0    1     0 ffffffff  (the warp starts)'

# --- what differs ---------------------------------------------------------------------

# one value, changed by hand: word 8 gives %ctaid.x
sed 's/^\([0-9]* 1 8 0 1 r0\) =1$/\1 =7/' "$t" >"$room/wrong.ret"
status 1 "$ndptrace" "$room/wrong.ret" --compare "$t"
says out 'CTA 1, warp 1 of it (1 of the machine), word 8'
says out 's2r r0, %ctaid.x'
status 1 "$ndptrace" "$room/wrong.ret" --compare "$t" --json
says out '"equal": false'
says out '"word": 8'

# --- bad input ------------------------------------------------------------------------

status 2 "$ndptrace"
says err 'no file given'
status 2 "$ndptrace" "$room/none.ret"
says err 'cannot read'
status 2 "$ndptrace" $run
says err 'this is no trace of a machine'
head -c 2000 "$t" >"$room/cut.ret"
status 2 "$ndptrace" "$room/cut.ret"
says err 'the trace is cut off here'
status 2 "$ndptrace" "$t" --compare "$room/cut.ret"
says err 'cut.ret'
"$build/ndpsim" $run --trace "$room/stream.ndpt" >/dev/null
status 2 "$ndptrace" "$room/stream.ndpt"
says err 'this is a stream of ndpsim'
# another kernel, another machine, another PTX
status 0 "$ndprun" kernels/axpy/axpy.yml --trace "$room/axpy.ret"
status 2 "$ndptrace" "$t" --compare "$room/axpy.ret"
says err 'warps have 32 lanes here and 4'
status 0 "$ndprun" $run --device golden:plain --trace "$room/plain.ret"
status 2 "$ndptrace" "$room/plain.ret" --compare "$room/axpy.ret"
says err "this is a trace of kernel 'axpy'"
status 2 "$ndptrace" "$t" --ptx kernels/axpy/axpy.ptx
says err "kernel 'vecadd_aligned' of the trace is not in this file"
status 2 "$ndptrace" "$t" --any-order
says err "'--any-order' goes with '--compare'"
status 2 "$ndptrace" "$t" --wrap 3
says err "did you mean '--warp'"
status 2 "$ndptrace" "$t" --warp 2
says err 'there is no warp 2, the machine has 2'
status 2 "$ndptrace" "$t" --launch 2
says err 'there is no launch 2, the trace has 1'
status 2 "$ndptrace" "$t" --pc 9-3
says err 'expected a word such as 12'
status 2 "$ndptrace" "$t" --svg "$room/x.svg" --compare "$t"
says err 'do not go together'
status 2 "$ndptrace" "$t" --svg "$room/no/x.svg"
status 2 "$ndprun" $run --device golden:tiny --trace "$room/no/x.ret"
status 2 "$ndprun" $run $run --device golden:tiny --trace "$room/x.ret"
says err "'--trace' works with one file, found 2"
# nothing half-written, and what was there stays
echo before >"$room/kept.ret"
status 2 "$ndprun" "$room/none.yml" --trace "$room/kept.ret"
status 0 grep -qx before "$room/kept.ret"
if [ -w /dev/full ]; then
    status 2 "$ndprun" $run --device golden:tiny --trace /dev/full
    status 2 "$ndptrace" "$t" --svg /dev/full
    "$ndptrace" "$t" >/dev/full 2>"$room/err"
    [ $? = 2 ] && passed=$((passed + 1)) || fail 'a list to a full disk is fine'
fi
status 0 find "$room" -name '*.tmp*' -exec false {} +

done_testing
