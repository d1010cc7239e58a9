#!/bin/sh
# plan_test.sh - what a sweep makes of its YAML: the same plan from the same
# file, each with each, and messages with a place for what cannot be meant.
#
# usage: plan_test.sh
set -u
cd "$(dirname "$0")/../.." || exit 2
me=plan_test.sh
. tests/sweep/room.sh

plan() { "$BUILD/ndpsweep" "$room/my.yml" -o "$room/$1"; }
# bad STATUS-LINE WORDS: what stands in my.yml is refused there
bad() {
    status 2 plan bad
    says "$room/my.yml:$1: error: $2"
    [ ! -e "$room/bad" ] && ok || fail "a refused sweep left a folder"
    rm -rf "$room/bad"
}

# --- the plan -------------------------------------------------------------------

cp "$room/six.yml" "$room/my.yml"
status 0 plan one
status 0 plan two
expect 'the same plan twice' diff -r -I "^sh " "$room/one" "$room/two"
expect 'six configurations' [ "$(grep -c '^sh scripts/sweep.sh --run ' \
    "$room/one/manifest")" = 6 ]
expect 'folders are readable' [ -f "$room"/one/emn-width3-height4-????????/job ]
# a seed of each configuration, and of nothing else
seeds() { sed -n 's/^seed //p' "$room/$1"/*/job | sort; }
expect 'as many seeds as configurations' [ "$(seeds one | uniq | wc -l)" = 6 ]
sed 's/cycles: 300/cycles: 301/' "$room/six.yml" >"$room/my.yml"
status 0 plan three
expect 'seeds come from the configuration' [ "$(seeds one)" = "$(seeds three)" ]
expect 'another measure is another folder' [ "$(cd "$room/one" && echo emn-*)" != \
    "$(cd "$room/three" && echo emn-*)" ]
# the hash is that of the RTL
hash=$("$BUILD/ndpgen" --target emn --preset mesh --set mesh.width=4 \
    --set mesh.height=4 --set 'mesh.memory_nodes=[1,6]' --json \
    -o "$room/rtl" | sed -n 's/.*"hash": *"\(0x\)\{0,1\}\([0-9a-f]*\)".*/\2/p')
expect 'hash of the configuration' grep -q "^hash $hash\$" \
    "$room"/one/emn-width4-height4-*/job

cat >"$room/my.yml" <<'END'
- target: nbu
  preset: [small, mpu]
  vary:
    nbu: {registers: {from: 8, to: 32}}
    nbu.far_set: [[], [branch, call]]
  cases:
    - {nbu.warps: 4, nbu.tag_bits: 4}
    - {nbu.warps: 8}
  measure: [emitted, area]
- name: kernels
  target: system
  vary: {kernel.run: [kernels/axpy/axpy.yml], simt.warps: [4, 8]}
  measure: {kernel: {keep: [counters.idle]}}
END
status 0 plan four
expect 'powers of two; presets and cases' [ "$(grep -c /nbu- \
    "$room/four/manifest")" = $((2 * 3 * 2 * 2)) ]
expect 'columns of both' grep -q -x 'kernel.counters.idle' "$room/four/columns"
expect 'a sweep has its name' [ "$(grep -c /kernels-runaxpy-warps \
    "$room/four/manifest")" = 2 ]

# what the documents show
awk -v out="$room/doc" '/^```yaml/ { n++; on = 1; next }
    /^```/ { on = 0 } on { print >(out n ".yml") }' docs/sweep.md
for file in "$room"/doc?.yml docs/examples/sweep.yml; do
    cp "$file" "$room/my.yml"
    status 0 plan "of ${file##*/}"
done
expect 'two sweeps in docs/sweep.md' [ -f "$room/doc2.yml" ]
expect '200 in the example' [ "$(grep -c . "$room/of sweep.yml/manifest")" = 200 ]

# --- what cannot be meant ----------------------------------------------------------

one() { # a line of the sweep, after its first two
    printf 'target: emn\nmeasure: [emitted]\n%s\n' "$1" >"$room/my.yml"
}
printf 'target: emnn\nmeasure: [emitted]\n' >"$room/my.yml"
bad 1:9 "unknown target 'emnn', did you mean 'emn'"
printf 'measure: [emitted]\n' >"$room/my.yml"
bad 1:1 "no target, expected one as in 'target: emn'"
printf 'target: emn\n' >"$room/my.yml"
bad 1:1 "no measure, expected some as in 'measure: [emitted, area]'"
printf 'target: emn\nmeasure: [aera]\n' >"$room/my.yml"
bad 2:11 "unknown measure 'aera', did you mean 'area'"
printf 'target: emn\nmeasure: {area: {flow: gates}}\n' >"$room/my.yml"
bad 2:18 "unknown option 'flow', did you mean 'flows'"
printf 'target: emn\nmeasure: {area: {flows: [gates, ice4]}}\n' >"$room/my.yml"
bad 2:33 "unknown word 'ice4' for 'area.flows', did you mean 'ice40'"
printf 'target: emn\nmeasure: {mhz: {draws: 0}}\n' >"$room/my.yml"
bad 2:24 "'mhz.draws' is '0', expected a number from 1 to 64"
printf 'target: emn\nmeasure: {lockstep: {run: kernels/no.yml}}\n' >"$room/my.yml"
bad 2:27 "cannot read 'kernels/no.yml' of 'lockstep.run'"
printf 'target: nbu\nmeasure: {kernel: {run: kernels/axpy/axpy.yml}}\n' \
    >"$room/my.yml"
bad 2:10 "target 'nbu' is no machine that runs kernels"
one 'vray: {}'
bad 3:1 "unknown key 'vray', did you mean 'vary'"
one 'vary: {mesh.widht: [2, 4]}'
bad 3:8 "unknown key 'mesh.widht', did you mean 'mesh.width'"
one 'vary: {nbu.warps: [2, 4]}'
bad 3:8 "target 'emn' does not use 'nbu.warps'"
one 'vary: {mesh.width: [2, 400]}'
bad 3:24 "'mesh.width'"
one 'vary: {emn.form: [tabel]}'
bad 3:19 "'emn.form'"
one 'vary: {mesh.width: 4}'
bad 3:20 "'mesh.width' varies over a single value, expected a list as in [4, 8]"
one 'vary: {mesh.width: {from: 4}}'
bad 3:20 "expected 'from', 'to' and 'step' or 'times'"
one 'vary: {mesh.width: {from: 8, to: 4}}'
bad 3:20 'a range from 8 to 4 has no values'
one 'vary: {mesh.width: {from: 4, to: 8, step: 0}}'
bad 3:20 'a range goes up'
one 'vary: {emn.form: {from: 1, to: 2}}'
bad 3:18 "'emn.form' is no number, expected a list of values"
one 'vary: {mesh.width: [4, 8, 4]}'
bad 3:27 'the same choice twice'
one 'set: {mesh.width: {from: 4, to: 8}}'
bad 3:19 "'mesh.width' expects a value, got a map; ranges stand under 'vary'"
one 'preset: smal'
bad 3:9 "unknown preset 'smal', did you mean 'small'"
one 'plots: [{x: mesh.width, y: rtl_lnes}]
vary: {mesh.width: [4, 8]}'
bad 3:28 "unknown column 'rtl_lnes', did you mean 'rtl_lines'"
one 'plots: [{x: mesh.width, y: rtl_lines, where: {mesh.heigth: 4}}]
vary: {mesh.width: [4, 8], mesh.height: [4, 8]}'
bad 3:47 "unknown column 'mesh.heigth', did you mean 'mesh.height'"
one 'plots: [{x: mesh.width, y: rtl_lines, front: best}]
vary: {mesh.width: [4, 8]}'
bad 3:46 "'front' is there or not, expected true"
one 'set: {mesh.width: 4}
vary: {mesh.width: [4, 8]}'
bad 1:1 "'mesh.width' is given twice"
one 'vary: {mesh.width: {from: 2, to: 32}, mesh.height: {from: 2, to: 32},
  emn.id_bits: {from: 1, to: 16}, emn.core: {from: -1, to: 100}}'
bad 1:1 'more than 100000 configurations'
printf '%s\n' '- {target: emn, measure: [emitted]}' \
    '- {target: emn, measure: [area]}' >"$room/my.yml"
bad 2:3 "two sweeps are called 'emn'"
printf 'target: emn\n  measure: 1\n' >"$room/my.yml"
status 2 plan bad
says "$room/my.yml:2:"
status 2 "$BUILD/ndpsweep" "$room/none.yml" -o "$room/bad"
says "cannot read '$room/none.yml'"
status 2 sh scripts/sweep.sh --run "$room/none"
says "no '$room/none/job', expected a folder of a plan"
status 2 sh scripts/sweep.sh "$room/six.yml" --jobs 0
says "'--jobs' is '0', expected a number from 1"
done_with
