#!/bin/sh
# gpu_test.sh - ndpgpu from outside: with a driver whose GPU is the executor, which
# can be made to lie; and the executor against what a GPU has left (kernels/gpu.json).
#
# usage: gpu_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=gpu_test.sh
. tests/common/room.sh
needs "$build/ndpgpu" "$build/ndpsim" "$build/ndprun" "$build/ndpfuzz"
ndpgpu=$build/ndpgpu
driver=$room/fake_cuda.so
axpy=kernels/axpy/axpy.yml

# --- what a GPU left ----------------------------------------------------------

# every description of the set stands in it, right now as then
status 0 "$ndpgpu" kernels/*/*.yml --reference kernels/gpu.json
says out "87 descriptions against NVIDIA H100 80GB HBM3 (9.0), driver 13.0: 58 equal, 11 close, 0 different, 0 stopped, 0 stale, 18 not held"
tail -n 1 "$room/out" >"$room/said"
status 0 "$ndpgpu" tests/gpu/special.yml tests/gpu/classes.yml \
    tests/gpu/atomics.yml tests/gpu/linear.yml --reference kernels/gpu.json
says out " 4 equal, 0 close"
status 0 "$ndpgpu" tests/gpu/approx.yml --reference kernels/gpu.json
says out "approx (small): close, 1 launch"
status 1 "$ndpgpu" tests/gpu/open.yml --reference kernels/gpu.json
says out "open (small): different"
# and the page says the same
if tr -s '\n ' '  ' <docs/gpu.md | grep -qF "$(cat "$room/said")"; then
    passed=$((passed + 1))
else
    fail "docs/gpu.md does not say: $(cat "$room/said")"
fi

# the machines do the same as the executor, so as the GPU
for t in special classes; do
    "$build/ndpsim" tests/gpu/$t.yml --json | sed -n 's/.*"checksum": "0x/"/p' \
        >"$room/executor"
    "$build/ndprun" tests/gpu/$t.yml --device untimed:plain --json |
        sed -n 's/.*"checksum": //p' >"$room/machine"
    if [ "$(wc -l <"$room/machine")" = 22 ] &&
        cmp -s "$room/executor" "$room/machine"; then
        passed=$((passed + 1))
    else
        fail "tests/gpu/$t.yml: the machine differs from the executor"
    fi
done
status 0 "$build/ndprun" tests/gpu/approx.yml --device untimed:plain
says out "approx (small) on untimed:plain: right"

# a reference that says otherwise, of other code, of another kernel, of nothing
sed 's/\("name": "y", "type": "f32", "count": 1000, "gpu": "[0-9a-f]*", "executor": "\)[0-9a-f]*/\10000000000000000/' \
    kernels/gpu.json >"$room/other.json"
status 1 "$ndpgpu" $axpy --reference "$room/other.json"
says err "'axpy' leaves other bytes in 'y' than when it was held against the GPU: those of the GPU"
says out "axpy (small): stale"
sed 's/\("name": "axpy", "size": "small", "ptx": "\)[0-9a-f]*/\10000000000000000/' \
    kernels/gpu.json >"$room/other.json"
status 1 "$ndpgpu" $axpy --reference "$room/other.json"
says err "'axpy' has other PTX than the GPU ran"
status 0 "$ndpgpu" tests/runtime/add.yml --reference kernels/gpu.json
says out "add (small): not held"
echo '{"results": 3}' >"$room/other.json"
status 2 "$ndpgpu" $axpy --reference "$room/other.json"
says err "no report of a GPU, expected what 'ndpgpu --json' prints"
printf '{\n"device": }' >"$room/other.json"
status 2 "$ndpgpu" $axpy --reference "$room/other.json"
says err "other.json:2:"
status 2 "$ndpgpu" $axpy --reference "$room/none.json"
says err "none.json"

# --- a driver that is none ----------------------------------------------------

status 2 "$ndpgpu"
says err "no file given"
status 2 "$ndpgpu" $axpy --driver "$room/none.so"
says err "no CUDA driver"
status 2 "$ndpgpu" $axpy --driver libm.so.6
says err "'libm.so.6' has no function 'cuInit'"
status 2 "$ndpgpu" $axpy --device x
status 2 "$ndpgpu" $axpy --drivr x
says err "did you mean '--driver'"

# --- one whose GPU is the executor --------------------------------------------

# shellcheck disable=SC2086 # words
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -fPIC -shared -Wl,-Bsymbolic \
    -Ilib -I"$build/lib" -Igolden -I. tests/gpu/fake_cuda.c "$build/libbench.a" \
    -lyaml -ljansson -lelf -lstdc++ -lm -o "$driver" || exit 2
fake() { # LIE STATUS ARGUMENT...
    lie=$1 wants=$2
    shift 2
    status "$wants" env FAKE_CUDA="$lie" FAKE_CUDA_PTX="$room/sent.ptx" \
        "$ndpgpu" "$@" --driver "$driver"
}

fake '' 0 kernels/*/*.yml tests/gpu/*.yml -q
says out "93 descriptions against Fake 0 (9.1), driver 12.34: 93 equal, 0 close"
fake '' 0 $axpy --write y="$room/y"
"$build/ndpsim" $axpy --write y="$room/wanted" >/dev/null
cmp -s "$room/y" "$room/wanted" && passed=$((passed + 1)) || fail "--write: other bytes"
fake '' 0 $axpy --json
says out '{"schema": "ndpgpu-1", "device": "Fake 0 (9.1)", "driver": "12.34",'
cp "$room/out" "$room/fake.json"
status 0 "$ndpgpu" $axpy --reference "$room/fake.json"
says out "1 descriptions against Fake 0 (9.1), driver 12.34: 1 equal"

# a bit that is wrong; within the tolerance of a check it is close
fake flip 1 $axpy
says out "y            f32      1000 elements, 1 differ, by at most 1; first 1, 0x"
says out "axpy (small): different"
fake flip 0 kernels/mvt/mvt.yml
says out "mvt (small): close"
fake nan 1 $axpy
says out "1 differ, some as NaN and number; first 1, 0x7fff7f7f, not 0x"
fake fault 2 $axpy kernels/vecadd/vecadd_aligned.yml
says err "an illegal memory access was encountered"
holds_back out vecadd
fake refuse 1 $axpy
says err "axpy.ptx: error: a PTX JIT compilation failed: ptxas fatal: refused"
says out "axpy (small): stopped, 0 launches"
fake none 2 $axpy
says err "no GPU: no CUDA-capable device is detected"
fake '' 2 $axpy --device 1
says err "there is no GPU 1, expected less than 1"
fake '' 2 $axpy kernels/dot/dot.yml --write y="$room/y"
says err "'--write' works with one file and a GPU"
fake '' 1 tests/sim/forms/texref.yml
says err "texture references are not run on GPUs"
fake '' 1 tests/sim/forms/handles.yml
says err "texture 'filtered' of one dimension is not run on GPUs"

# --- what it sends ------------------------------------------------------------

# roundings are spelled out, but where they are, and names stay
cat >"$room/k.ptx" <<'END'
.version 7.7
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .f32 %f<4>;
    .reg .b32 %add_f32;
    .reg .b64 %q;
    ld.param.u64 %q, [out];
    mov.f32 %f1, 0f3F800000;
    add.f32 %f2, %f1, %f1;
    mul.ftz.f32 %f2, %f2, %f1; sub.ftz.sat.f32 %f2, %f2, %f1;
    add.rn.f32 %f2, %f2, %f1;
    mul.rz.f32 %f2, %f2, %f1;
    add.u32 %add_f32, 1, 2;
    st.global.f32 [%q], %f2;
    ret;
}
END
cat >"$room/k.yml" <<'END'
ptx: k.ptx
grid: 1
block: 1
buffers:
  out: {type: f32, count: 1}
arguments: [out]
END
fake '' 0 "$room/k.yml"
sed 's/    add\.f32/    add.rn.f32/; s/mul\.ftz\.f32/mul.rn.ftz.f32/
    s/sub\.ftz\.sat/sub.rn.ftz.sat/' "$room/k.ptx" >"$room/wanted"
cmp "$room/sent.ptx" "$room/wanted" && passed=$((passed + 1)) ||
    fail "the PTX that was sent differs"
fake '' 0 "$room/k.yml" --contract -O 0
cmp "$room/sent.ptx" "$room/k.ptx" && passed=$((passed + 1)) ||
    fail "with --contract the PTX that was sent differs"

# --- random programs, written down --------------------------------------------

status 0 "$build/ndpfuzz" --portable --seed 21000000 --count 25 --threads 64 \
    --device untimed:plain --write "$room/random" --no-coverage
fake '' 0 "$room"/random/*.yml
says out "25 descriptions against Fake 0 (9.1), driver 12.34: 25 equal"
if grep -hE '@!?%p[0-9]+ (testp|set\.[a-z]+\.f32\.s32)' "$room"/random/*.ptx; then
    fail "--portable guards what CUDA's assembler splits"
else
    passed=$((passed + 1))
fi

done_testing
