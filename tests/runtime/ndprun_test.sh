#!/bin/sh
# ndprun_test.sh - run descriptions on machines from outside: verdict, counters,
# bad input; the example of docs/examples; the RTL where its simulator is there.
#
# usage: ndprun_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=ndprun_test.sh
. tests/common/room.sh
needs "$build/ndprun"
ndprun=$build/ndprun

# --- verdicts -----------------------------------------------------------------

status 0 "$ndprun" kernels/axpy/axpy.yml
says out "axpy (small) on golden:plain: right, 1 launch"
status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --json
says out '"verdict": "right"'
says out '"cta": 4'
cp "$room/out" "$room/golden.json"
status 0 "$ndprun" tests/runtime/early.yml # some return before a barrier
says out "right, 3 launches"

# a counter that stopped says so: of 8 bits none of many cycles is believed
sed 's/^ *counter_bits: .*/  counter_bits: 8/' lib/config/presets/tiny.yml \
    >"$room/tiny.yml"
grep -q 'counter_bits: 8' "$room/tiny.yml" ||
    printf 'regs:\n  counter_bits: 8\n' >>"$room/tiny.yml"
status 0 "$ndprun" tests/runtime/add.yml --device "golden:$room/tiny.yml"
says out "255 or more, this counter is full"
status 0 "$ndprun" tests/runtime/add.yml --device "golden:$room/tiny.yml" --json
says out '        "cycles",'
status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --json
says out '"full": []'

# the reference is another kernel's: a wrong result is seen
cat >"$room/wrong.yml" <<END
base: $PWD/tests/runtime/add.yml
buffers:
  a: {type: f32, count: n, fill: {random: [-1, 1], seed: 1}}
  b: {type: f32, count: n, fill: {random: [-1, 1], seed: 2}}
  c: {type: f32, count: n, check: {expect: "a[i] - b[i]"}}
END
status 1 "$ndprun" "$room/wrong.yml" --device golden:tiny
says out ', 100 of 100 wrong, first [0] is -1.17643547, expected -0.119514167'
status 1 "$ndprun" "$room/wrong.yml" --device golden:tiny --json
says out '"first_wrong": 0'
says out '"wanted": '
# outliers, as many as may be, are told of
sed '/c: {/s/}}/, outliers: 1000}}/' "$room/wrong.yml" >"$room/outliers.yml"
status 0 "$ndprun" "$room/outliers.yml" --device golden:tiny
says out '(right: 1000 may be), first [0] is'

# a machine of other sizes: by the command line, or by a file without a preset
status 0 "$ndprun" tests/runtime/add.yml --set simt.lanes=8 --set simt.alus=8 --json
says out '"device": "golden:plain,simt.lanes=8,simt.alus=8"'
printf 'simt: {lanes: 8, alus: 8}\n' >"$room/eight.yml"
status 0 "$ndprun" tests/runtime/add.yml --device "golden:$room/eight.yml"
status 0 "$ndprun" tests/runtime/add.yml --device "untimed:$room/eight.yml" --set simt.ctas=2
status 2 "$ndprun" tests/runtime/add.yml --set simt.warps=3
says err "'simt.ctas' must not be above 'simt.warps'"
status 2 "$ndprun" tests/runtime/add.yml --set simt.warp=3
says err "unknown key 'simt.warp'"
status 2 "$ndprun" tests/runtime/add.yml --set simt.warps=4 --device "verilator:$room"
says err "'--set' goes with golden: and untimed:"
status 0 "$ndprun" --help
says out 'golden:FILE.yml'

# --- bad input ----------------------------------------------------------------

status 2 "$ndprun"
says err "no file given"
status 2 "$ndprun" tests/runtime/add.yml --device goldn:tiny
says err "did you mean 'golden:...'"
status 2 "$ndprun" tests/runtime/add.yml --device golden:tinny
says err "did you mean 'tiny'"
status 2 "$ndprun" tests/runtime/add.yml --device "verilator:$room"
says err "sh scripts/machine.sh verilator $room"
status 2 "$ndprun" tests/runtime/add.yml --devise golden:tiny
says err "did you mean '--device'"
status 2 "$ndprun" kernels/axpy/axpy.yml --device golden:tiny
says err "no room for memory of 4000 bytes"
status 2 "$ndprun" "$room/none.yml"

# a fault names the line of the PTX
cat >"$room/fault.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.visible .entry bad(.param .u64 p)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [p];
    add.s64 %rd2, %rd1, 2;
    ld.global.u32 %r1, [%rd2];
    st.global.u32 [%rd1], %r1;
    ret;
}
END
cat >"$room/fault.yml" <<'END'
kernel: bad
ptx: fault.ptx
sizes: {small: {n: 4}}
grid: [1]
block: [4]
buffers:
  x: {type: u32, count: n}
arguments: [x]
END
status 1 "$ndprun" "$room/fault.yml" --device golden:tiny
says err "kernel 'bad': misaligned address"
says err "PTX line 10"

# a kernel without an end is stopped
sed 's/ld.global.u32 %r1, .*/L: bra L;/; s/bad(/stuck(/' "$room/fault.ptx" \
    >"$room/stuck.ptx"
sed 's/kernel: bad/kernel: stuck/; s/fault.ptx/stuck.ptx/' "$room/fault.yml" \
    >"$room/stuck.yml"
status 1 "$ndprun" "$room/stuck.yml" --device golden:tiny --timeout 1
says err "kernel 'stuck' did not end in time and was stopped"

# --- the example --------------------------------------------------------------

# by the commands that stand in it, and with every warning
sed -n 's/^ \*     //p' docs/examples/vecadd.c |
    sed "s,build/,$build/,g; s,-o vecadd,-o $room/vecadd,
        s,\./vecadd vecadd,$room/vecadd $room/vecadd," >"$room/commands"
status 0 sh -e "$room/commands"
says out "c[99] = 148.5"
status 0 ${CC:-cc} -std=c11 -Wall -Wextra -pedantic -Werror -Ilib/runtime \
    -fsyntax-only docs/examples/vecadd.c
status 0 "$room/vecadd" "$room/vecadd.ndpx"
says out "c[99] = 148.5"
head -c 200 "$room/vecadd.ndpx" >"$room/short.ndpx"
status 1 "$room/vecadd" "$room/short.ndpx"

# --- the ports over time ------------------------------------------------------

status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --wave "$room/all.vcd" --wave-cycles 100000
status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --wave "$room/part.vcd" --wave-from 300 --wave-cycles 50
status 0 sh -c "grep -c '^#' '$room/part.vcd'"
says out "100"
status 0 sh -c "sed -n '/^#3000\$/,/^#3500\$/p' '$room/all.vcd' | grep -c '^#'"
says out "101"
status 0 sh -c "grep -n ' core.ret_valid .end' '$room/part.vcd'"
status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --wave - --wave-cycles 5
says out "#45"
says err ": right, "
status 2 "$ndprun" tests/runtime/add.yml --device untimed:tiny --wave "$room/no.vcd"
says err "'--wave' goes with golden:PRESET, not with 'untimed:tiny'"
status 2 "$ndprun" tests/runtime/add.yml --traffic --device golden:cluster --wave "$room/no.vcd"
says err "'--wave' and '--traffic' do not go together"
status 2 "$ndprun" tests/runtime/add.yml --wave "$room/none/no.vcd"
says err "none/no.vcd"

# --- transfers over time ----------------------------------------------------------

status 0 "$ndprun" kernels/axpy/axpy.yml --device golden:mpu_core --perfetto "$room/axpy.json" --wave-cycles 1000000
says out "  issued               2080"
status 0 python3 - "$room/axpy.json" <<'PY'
import collections, json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
process = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
track = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
slices = [e for e in events if e["ph"] == "X"]
n = collections.Counter((process[e["pid"]], track[e["pid"], e["tid"]]) for e in slices)
of_warps = [e for e in slices if process[e["pid"]] == "unit: instructions"]
print(len(of_warps), n["unit", "issue"], n["unit", "commit"], n["unit", "far_exec"] + n["unit", "near_exec"])
print(sum(e["name"] == "near fma" or e["name"] == "near ffma" for e in of_warps))
end = {}
for e in sorted(slices, key=lambda e: e["ts"]):
    at = e["pid"], e["tid"]
    assert e["ts"] >= end.get(at, 0) and e["dur"] > 0, e
    end[at] = e["ts"] + e["dur"]
PY
says out "2080 2080 2080 2080"
status 0 "$ndprun" tests/runtime/add.yml --device golden:tiny --perfetto - --wave-from 300 --wave-cycles 50
says out '"name":"host"'
status 2 "$ndprun" tests/runtime/add.yml --device untimed:tiny --perfetto "$room/no.json"
says err "'--perfetto' goes with golden:PRESET, not with 'untimed:tiny'"
status 2 "$ndprun" tests/runtime/add.yml --device golden:tiny --perfetto "$room/no.json" --wave "$room/no.vcd"
says err "'--wave' and '--perfetto' do not go together"

# --- RTL: the same bytes and the same counters --------------------------------

status 0 "$build/ndpgen" --target system --preset tiny -o "$room/tiny"
for sim in verilator iverilog; do
    command -v $sim >/dev/null || continue
    name=$(echo $sim | sed 's/iverilog/icarus/')
    status 0 sh scripts/machine.sh $name "$room/tiny"
    status 0 "$ndprun" tests/runtime/add.yml --device "$name:$room/tiny" --json
    sed "s/golden:tiny/$name/" "$room/golden.json" >"$room/want"
    sed "s|\"$name:[^\"]*\"|\"$name\"|" "$room/out" >"$room/got"
    status 0 diff "$room/want" "$room/got"
done

done_testing
