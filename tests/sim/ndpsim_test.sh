#!/bin/sh
# ndpsim_test.sh - ndpsim as a user meets it: exit status, streams, Ctrl-C.
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
sim=$BUILD/ndpsim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# expect STATUS WORDS COMMAND...: run it; WORDS must stand in what it prints
expect() {
	status=$1 words=$2
	shift 2
	"$@" >"$work/out" 2>&1
	got=$?
	if [ $got = "$status" ] &&
		{ [ -z "$words" ] || grep -qF -e "$words" "$work/out"; }
	then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "ndpsim: '$*' gave status $got, expected $status and '$words':"
		head -n 5 "$work/out"
	fi
}

axpy=kernels/axpy/axpy.yml
expect 0 'axpy (small): right, finished' "$sim" $axpy
expect 0 'axpy (full): right, finished' "$sim" --size full $axpy
expect 0 '"verdict": "right"' "$sim" --json $axpy
expect 0 'usage: ndpsim FILE' "$sim" --help
expect 1 'limit of 100 warp instructions reached' "$sim" --limit 100 $axpy
expect 2 'no file given' "$sim"
# a host and accelerators on one memory: ndpchannel, whole
expect 2 "axpy.yml:2:1: error: expected LD or ST" "$sim" --preset concurrent $axpy
expect 2 'nothing to run, expected a trace of requests' "$sim" --preset=concurrent
expect 0 'usage: ndpsim --preset concurrent' "$sim" --preset concurrent --help
expect 2 "did you mean '--mix'" "$sim" --preset concurrent --mixx 1
expect 2 "'--mix' goes with --preset concurrent" "$sim" --mix mix1 $axpy
expect 2 "did you mean 'concurrent'" "$sim" --preset concurent $axpy
for more in "" --json "--preset ddr4_3200 --set dram_map.order=rochrababgco"; do
	# shellcheck disable=SC2086
	set -- --mix mix1 --op copy --cycles 5000 $more
	"$sim" --preset concurrent "$@" >"$work/one" 2>&1
	"${sim%ndpsim}ndpchannel" "$@" >"$work/other" 2>&1
	expect 0 '' cmp "$work/one" "$work/other"
	expect 0 'copy' cat "$work/one"
done
printf 'LD 64\nST 128\n' >"$work/requests"
expect 0 '1 read, 1 written' "$sim" "$work/requests" --preset concurrent
expect 2 "cannot read 'nothing.yml'" "$sim" nothing.yml
# a buffer of 4000 bytes behind one at 0x200000: pages of 8 MB part them
expect 0 '"address": "0x0000000100800000"' "$sim" --json --align 8388608 $axpy
expect 2 "'--align' is 3, expected a power of two" "$sim" --align 3 $axpy
expect 2 '--align' "$sim" --align 0 $axpy
expect 0 'cfd_tom (small): right, finished' "$sim" kernels/cfd/cfd_tom.yml
expect 2 "no size 'huge' here, expected one like" "$sim" --size huge $axpy
expect 2 "did you mean 'full'" "$sim" --size ful $axpy
expect 2 'this is PTX, expected a run description' "$sim" kernels/axpy/axpy.ptx
expect 2 "work with one file, found 2" "$sim" --trace x $axpy $axpy
expect 2 "cannot write '/nonexistent/t'" "$sim" --trace /nonexistent/t $axpy
expect 2 "no kernel 'copy_strided' in" "$sim" --ptx kernels/xmy/xmy.ptx \
	kernels/copy/copy_strided.yml
expect 2 'right' "$sim" $axpy nothing.yml kernels/xmy/xmy.yml

# the same stream from the kernel, from its trace, and from the trace's trace
"$sim" $axpy --dump "$work/live" --trace "$work/a.ndpt" >/dev/null
expect 0 'trace, complete' "$sim" "$work/a.ndpt" --dump "$work/read" \
	--trace "$work/b.ndpt"
expect 0 '' cmp "$work/live" "$work/read"
expect 0 'trace, complete' "$sim" "$work/b.ndpt"
expect 0 '' test "$(wc -l <"$work/live")" -gt 1000
head -c 1000 "$work/a.ndpt" >"$work/cut.ndpt"
expect 2 'byte 1000: the trace is cut off here' "$sim" "$work/cut.ndpt"

# structs by value, sums and names of the source: in both programs alike
forms=tests/sim/forms
cp $forms/struct.yml $forms/struct.ptx "$work"
"$sim" $forms/struct.yml --write out="$work/sim.bin" >/dev/null
for f in struct places vector matrix own; do
	expect 0 "$f (small): right, finished" "$sim" $forms/$f.yml
	expect 0 "$f (small) on golden:plain: right" "$BUILD/ndprun" $forms/$f.yml
done
expect 0 '' "$BUILD/ndprun" $forms/places.yml --write out="$work/run.bin"
expect 0 '' cmp "$work/sim.bin" "$work/run.bin"
expect 0 '' test "$(wc -c <"$work/run.bin")" = 416
expect 2 "no buffer 'outs' to write, did you mean 'out'" "$sim" \
	$forms/struct.yml --write outs=x
expect 2 "no buffer 'in2' to write" "$BUILD/ndprun" $forms/struct.yml \
	--write in2=x
expect 2 "'--write out', expected the name of a buffer and a file" "$sim" \
	$forms/struct.yml --write out
expect 2 '/nonexistent/x: error: cannot write' "$sim" $forms/struct.yml \
	--write out=/nonexistent/x
expect 2 "work with one file, found 2" "$sim" $forms/struct.yml $axpy \
	--write out=x
for k in apply 'apply(job, int)' _Z5apply3jobi; do
	printf '%s\n' 'base: struct.yml' 'ptx: struct.ptx' "kernel: \"$k\"" \
		>"$work/name.yml"
	expect 0 'name (small): right' "$sim" "$work/name.yml"
done
printf '%s\n' 'base: struct.yml' 'ptx: struct.ptx' 'kernel: aply' \
	>"$work/name.yml"
expect 2 "no kernel 'aply' in" "$sim" "$work/name.yml"
expect 2 "it has '_Z6spread6float4Pf', which is 'spread(float4, float*)'" \
	"$sim" "$work/name.yml"
printf '%s\n' 'ptx: struct.ptx' >"$work/name.yml"
expect 2 "'kernel' is missing: '$work/struct.ptx' has 2 entries" "$sim" \
	"$work/name.yml"
expect 2 "it has '_Z5apply3jobi', which is 'apply(job, int)'" "$sim" \
	"$work/name.yml"
# textures: right here, refused by a machine; the same stream from a trace; the
# compositions fetch their texels
for f in texref:35 handles:36; do
	at=forms/${f%:*}.ptx:${f#*:} f=${f%:*}
	expect 0 "$f (small): right, finished" "$sim" $forms/$f.yml
	expect 2 "$at:2: error: no instructions for 'tex" "$BUILD/ndprun" \
		$forms/$f.yml
	expect 2 'the machines have no texture unit' "$BUILD/ndprun" $forms/$f.yml
done
printf '%s\n' 'base: texref.yml' 'textures: {pixel: {adress: clamp}}' \
	>"$work/texref.yml"
cp $forms/texref.yml "$work/base.yml"
cp $forms/texref.ptx "$work"
sed -i 's/^base:.*/base: base.yml\nptx: texref.ptx/' "$work/texref.yml"
expect 2 "texref.yml:3:20: error: unknown key 'adress' of a texture, did you mean \
'address'" "$sim" "$work/texref.yml"
sed -i 's/adress: clamp/address: wrap/' "$work/texref.yml"
expect 2 "texref.yml:3:29: error: texture 'pixel': wrap and mirror need" \
	"$sim" "$work/texref.yml"
tex=kernels/texresize/texresize.yml
"$sim" $tex --dump "$work/live" --trace "$work/t.ndpt" >/dev/null
expect 0 'trace, complete' "$sim" "$work/t.ndpt" --dump "$work/read"
expect 0 '' cmp "$work/live" "$work/read"
expect 0 '' grep -q ' tex.4 0x1.* and ' "$work/read"
"$sim" $tex | grep '^  tex ' >"$work/live"
"$sim" "$work/t.ndpt" | grep '^  tex ' >"$work/read"
expect 0 '' cmp "$work/live" "$work/read"
expect 0 '' grep -q '^  tex  *144 .* 55 296$' "$work/read"
expect 0 '(accuracy 99.' "$sim" kernels/texconv/texconv.yml --size full \
	--preset image --prefetch pattern --cta row
expect 0 'L1 loads' "$sim" "$work/t.ndpt" --preset image

# what cannot be written is told, and no piece of a file stays
full() { "$sim" "$@" >/dev/full; }
for more in "" --json --chains "--dump -" "--preset tom" $axpy; do
	# the options are words without blanks inside
	expect 2 'cannot write standard output' full $axpy $more
done
expect 2 "cannot write '/dev/full'" "$sim" $axpy --trace /dev/full
expect 2 "cannot write '/dev/full'" "$sim" $axpy --dump /dev/full
short() { (ulimit -f 4; "$sim" "$@"); }
expect 2 "cannot write '$work/cut': File too large" short $axpy --size full \
	--trace "$work/cut"
expect 2 "cannot write '$work/cut': File too large" short $axpy \
	--dump "$work/cut"
expect 1 '' test -e "$work/cut"
expect 0 " $(wc -c <"$work/a.ndpt") bytes, " "$sim" $axpy --trace "$work/c.ndpt"

# compositions and chains
expect 0 'L1 loads' "$sim" kernels/conv2d/conv2d_pattern.yml --preset image \
	--prefetch pattern
expect 0 '"accuracy"' "$sim" kernels/conv2d/conv2d.yml --preset image \
	--prefetch pws --json
expect 2 "expected one of 'image', 'omni', 'tom', 'mpu', 'concurrent'" "$sim" $axpy --preset foo
sed "s/^grid:.*/grid: [0]/; s,axpy.ptx,$PWD/kernels/axpy/axpy.ptx," $axpy \
	>"$work/grid.yml"
expect 2 "grid.yml:$(grep -n ^grid: "$work/grid.yml" | cut -d: -f1):7: error: grid of kernel 'axpy' is 0" "$sim" \
	"$work/grid.yml"
expect 2 "did you mean 'image'" "$sim" $axpy --preset imag
expect 2 "needs a run description with a section 'prefetch'" "$sim" $axpy \
	--preset image --prefetch pattern
"$sim" kernels/fwt/fwt.yml --trace "$work/f.ndpt" >/dev/null
expect 0 'decisions      offload' "$sim" kernels/fwt/fwt.yml --preset tom \
	--mode uncontrolled --map learned
expect 0 '"stack_full"' "$sim" kernels/fwt/fwt.yml --preset tom --json
expect 0 '"kernel": "fwt_global"' "$sim" kernels/fwt/fwt.yml --preset tom --json
expect 0 'decisions      offload' "$sim" kernels/bfs/bfs.yml --preset tom \
	--mode controlled --probes refuse --cores 1 --whole 1
expect 0 'offloaded stack %' "$sim" $axpy kernels/fwt/fwt.yml --preset tom
expect 0 '12 12 12 12 of 12' "$sim" kernels/fwt/fwt.yml --preset tom --stack-warps 96
expect 2 "'--stack-warps' is 520, its slice 65, expected a slice of at most 64" \
	"$sim" $axpy --preset tom --stack-warps 520
expect 2 "off|controlled|uncontrolled" "$sim" $axpy --preset tom --mode on
expect 2 "did you mean 'controlled'" "$sim" $axpy --preset tom --mode controled
expect 2 "'--prefetch' goes with --preset image" "$sim" $axpy --prefetch none
expect 2 "goes with --preset image or --preset omni or --preset tom" "$sim" $axpy --warps 8
expect 2 "'--preset' is given twice, 'image' and 'tom'" "$sim" $axpy \
	--preset image --preset tom
expect 0 'L1 loads' "$sim" $axpy --preset image --preset=image
expect 2 "'--stride' goes with --prefetch pattern" "$sim" $axpy \
	--preset image --stride printed
expect 2 "'--queue' goes with --prefetch pws" "$sim" $axpy --preset image \
	--prefetch pattern --queue 8
expect 2 "did you mean '--mode'" "$sim" $axpy --preset tom --modes off
expect 2 'which a trace does not have' "$sim" "$work/f.ndpt" --preset tom
expect 0 'trace, complete' "$sim" "$work/f.ndpt" --preset tom --mode off
expect 0 '32, 100.0 % offloaded' "$sim" $axpy --preset omni
expect 0 '"weighted": 407' "$sim" $axpy --preset omni --mode llc --json
expect 2 'off|llc|omni' "$sim" $axpy --preset omni --mode on
expect 2 'which a trace does not have' "$sim" "$work/f.ndpt" --preset omni
expect 0 'mode off' "$sim" "$work/f.ndpt" --preset omni --mode off
expect 0 'offload chains' "$sim" kernels/vecadd/vecadd_aligned.yml --chains

# Ctrl-C: what there is, and a verdict that says so
cat >"$work/spin.yml" <<'YML'
ptx: spin.ptx
grid: [1]
block: [32]
buffers: {p: {type: u32, count: 1}}
arguments: [p]
YML
cat >"$work/spin.ptx" <<'PTX'
.version 7.8
.target sm_80
.address_size 64
.visible .entry spin(.param .u64 p) {
.reg .b64 %a; .reg .b32 %r;
ld.param.u64 %a, [p];
L: atom.global.add.u32 %r, [%a], 1; bra L;
}
PTX
expect 1 'interrupted, stopped by Ctrl-C' \
	timeout --foreground --preserve-status -s INT 1 "$sim" "$work/spin.yml"

echo "ndpsim: $passed passed, $failed failed"
[ $failed = 0 ]
