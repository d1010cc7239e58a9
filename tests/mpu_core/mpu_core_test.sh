#!/bin/sh
# mpu_core_test.sh - kernels on the golden machine with a near-bank unit: the bytes
# of the plain machine under all four policies, what the unit counts, and what is
# refused or does not run.
#
# usage: mpu_core_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=mpu_core_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/ndpgen"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

counted() { sed -n "s/^  unit: $1 *//p" "$room/report"; }

# all policies, beside the plain machine
policies() { # device kernel
    status 0 "$ndprun" "kernels/$2/$2.yml"
    grep ' elements, checksum ' "$room/out" >"$room/plain"
    for policy in annotated default near far; do
        status 0 "$ndprun" "kernels/$2/$2.yml" --device "$1" --policy $policy
        says out " on $1: right, "
        cp "$room/out" "$room/report"
        grep ' elements, checksum ' "$room/report" >"$room/here"
        status 0 cmp "$room/plain" "$room/here"
        eval "near_$policy=$(counted went_near) moved_$policy=$(counted moved_down)"
        # each has gone somewhere, and has come back
        status 0 [ "$(counted accepted)" -eq "$(counted committed)" ]
        status 0 [ $(($(counted went_near) + $(counted went_far))) -eq "$(counted accepted)" ]
    done
    status 0 [ "$near_near" -gt "$near_annotated" ]
    status 0 [ "$near_annotated" -gt 0 ]
}
for kernel in axpy knn maxp; do policies golden:mpu_core $kernel; done
status 0 [ "$near_far" -eq 0 ]

# what fits an FPGA
status 0 "$ndprun" tests/mpu_core/hist.yml --device golden:docs/examples/mpu_85f.yml
says out " on golden:docs/examples/mpu_85f.yml: right, "

# shared memory on the base die
policies golden:docs/examples/shared_base.yml reduce
status 0 [ "$near_far" -eq 0 ]

# barriers and shared memory, which is near under every policy; launches one after the other
policies golden:mpu_core_small reduce
status 0 [ "$near_far" -gt 0 ]
policies golden:mpu_core_small nw

# atomics on global memory, and bytes there, run far
policies golden:mpu_core_small hist
status 0 "$ndprun" kernels/downsample/downsample.yml --device golden:mpu_core_small
says out " on golden:mpu_core_small: right, "

# on the smallest core, under all policies, what Icarus runs of its RTL (matrix.txt)
for kernel in axpy knn kmeans maxp nw upsamp blur conv hist; do
    run=tests/mpu_core/$kernel.yml
    status 0 "$ndprun" $run
    grep ' elements, checksum ' "$room/out" >"$room/plain"
    for policy in annotated default near far; do
        status 0 "$ndprun" $run --device golden:mpu-tiny --policy $policy
        says out " on golden:mpu-tiny: right, "
        grep ' elements, checksum ' "$room/out" >"$room/here"
        status 0 cmp "$room/plain" "$room/here"
    done
done
for kernel in gemv reduce; do
    status 2 "$ndprun" kernels/$kernel/$kernel.yml --device golden:mpu_core_tiny
done

# --- which machine it is --------------------------------------------------------

same_machine() { # preset that means the other one
    "$ndprun" kernels/axpy/axpy.yml --device "golden:$1" --json 2>"$room/err" | sed '/"device"/d' >"$room/one"
    "$ndprun" kernels/axpy/axpy.yml --device "golden:$2" --json | sed '/"device"/d' >"$room/other"
    status 0 [ -s "$room/one" ]
    status 0 cmp "$room/one" "$room/other"
}
same_machine mpu mpu_core
same_machine mpu-small mpu_core_small
status 0 "$build/ndpgen" --target mpu_core --preset tiny -o "$room/first"
status 0 "$build/ndpgen" --target system --preset mpu-tiny -o "$room/second"
says err "the machine of preset 'mpu-tiny' is target 'mpu_core' at preset 'mpu_core_tiny'"
status 0 cmp "$room/first/rtl/ndp_mpu_core.v" "$room/second/rtl/ndp_mpu_core.v"
rm -r "$room/first" "$room/second"
status 0 "$build/ndpgen" --target system --preset mpu-small -o "$room/system"
says err "the machine of preset 'mpu-small' is target 'mpu_core' at preset 'mpu_core_small'"
status 0 [ -e "$room/system/rtl/ndp_mpu_core.v" ]

# --- RTL by itself: the same bytes ------------------------------------------------

if command -v iverilog >/dev/null; then
    status 0 "$ndprun" tests/runtime/add.yml --device golden:mpu_core_small --policy near
    grep ' elements, checksum ' "$room/out" >"$room/golden"
    status 0 sh scripts/machine.sh icarus "$room/system"
    status 0 "$ndprun" tests/runtime/add.yml --device "icarus:$room/system" --policy near
    grep ' elements, checksum ' "$room/out" >"$room/rtl"
    status 0 cmp "$room/golden" "$room/rtl"
    status 2 "$ndprun" tests/runtime/add.yml --device "icarus:$room/system" \
        --trace "$room/none.ret"
    says err "the device does not tell what retires"
fi

# --- bad input ------------------------------------------------------------------

status 2 "$ndprun" kernels/axpy/axpy.yml --policy near
says err "the device has no near-bank unit, as 'golden:mpu_core' has"
status 2 "$ndprun" kernels/axpy/axpy.yml --device golden:mpu_core --policy nearer
says err "near"
# the last word of the code is the front end's
printf 'preset: mpu_core_small\nhost.code_words: 64\n' >"$room/short.yml"
status 2 "$ndprun" kernels/gemv/gemv.yml --device "golden:$room/short.yml"
says err "words, the device holds 63"
far_set=vote,shfl,sfu,branch,call,barrier,fence,ld_global,st_global,ld_shared,st_shared
far_set=[$far_set,ld_const,st_param,atomic,texture,remote]
gen() { "$build/ndpgen" --target mpu_core --preset small -o "$room/refused" "$@"; }
status 2 gen --set nbu.tag_bits=9
says err "'nbu.tag_bits' is computed from 'host.code_words'"
status 2 gen --set nbu.near_set=[]
says err "set 'near_pipe.shared_words' instead"
status 2 gen --set near_pipe.shared_words=0 --set "nbu.far_set=$far_set"
says err "'near_pipe.shared_words' or 'far_pipe.shared_words' must be above 0"
status 2 gen --set far_pipe.shared_words=4096 --set far_pipe.subcores=1
says err "'far_pipe.shared_words' must be 0 with one subcore"
status 2 gen --set far_pipe.shared_words=4096
says err "must be 0: shared memory is on one of the dies"
on_base() {
    gen --set "nbu.far_set=$far_set" --set near_pipe.shared_words=0 "$@"
}
status 2 on_base --set far_pipe.shared_words=4096 --set frontend.shared_at=dram
says err "'frontend.shared_at' is computed from 'far_pipe.shared_words'"
status 2 gen --set frontend.params=32
says err "set 'far_pipe.params' instead"
status 2 gen --set lsu_hybrid.chunk=512
says err "'lsu_hybrid.chunk' must be 1073741824 in target 'mpu_core', got 512"
# one key, with or without its section, and what follows it
status 0 "$build/ndpgen" --target mpu_core --preset small --set warps=16 -o "$room/wide"
says err "these follow in target 'mpu_core': cut.warps=16, far_pipe.warps=16"
status 0 "$build/ndpgen" --target mpu_core --config "$room/wide/config.yml" -o "$room/again"
status 0 test ! -s "$room/err"
status 0 diff -r -I ndpgen "$room/wide/rtl" "$room/again/rtl"
status 2 gen --config "$room/wide/config.yml" --set shared_words=64
says err "ambiguous in target 'mpu_core', expected one of 'far_pipe.shared_words', 'near_pipe"
status 1 [ -e "$room/refused" ]

done_testing
