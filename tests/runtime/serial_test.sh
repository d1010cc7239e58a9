#!/bin/sh
# serial_test.sh - ndprun on a machine behind a serial line, which is a
# pseudo-terminal here with golden:tiny at its other end (test_serial --serve):
# verdict, counters, a line that is disturbed, and what is not begun again.
#
# usage: serial_test.sh
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=serial_test.sh
. tests/common/room.sh
needs "$build/ndprun" "$build/tests/runtime/test_serial"
ndprun=$build/ndprun
serve=$build/tests/runtime/test_serial
bridge=
hang_up() {
    [ -z "$bridge" ] || kill "$bridge"
    bridge=
}
leave() {
    hang_up
    rm -rf "$room"
}

# line SEED ONE_IN - another line; sets $tty
line() {
    hang_up
    rm -f "$room/tty"
    "$serve" --serve "$1" "$2" >"$room/tty" &
    bridge=$!
    while [ ! -s "$room/tty" ] && kill -0 $bridge; do sleep 0.05; done
    tty=$(cat "$room/tty")
}

run=tests/runtime/add.yml

# --- a good line: the same as the golden machine, but for its name ------------

status 0 "$ndprun" $run --device golden:tiny --json
cp "$room/out" "$room/golden.json"
line 0 0
status 0 "$ndprun" $run --device "serial:$tty@1000000" --json
holds_back err note
sed 's/golden:tiny/DEVICE/' "$room/golden.json" >"$room/want"
sed "s,serial:$tty@1000000,DEVICE," "$room/out" >"$room/got"
status 0 diff "$room/want" "$room/got"

# --- what is not the line's is not begun again --------------------------------

cat >"$room/wrong.yml" <<END
base: $PWD/$run
buffers:
  a: {type: f32, count: n, fill: {random: [-1, 1], seed: 1}}
  b: {type: f32, count: n, fill: {random: [-1, 1], seed: 2}}
  c: {type: f32, count: n, check: {expect: "a[i] - b[i]"}}
END
status 1 "$ndprun" "$room/wrong.yml" --device "serial:$tty"
says out wrong
holds_back err follows
status 2 "$ndprun" $run --device "serial:$tty" --trace "$room/t.ret"
says err "does not tell what retires"
holds_back err follows
status 2 "$ndprun" $run --device "serial:$room"
holds_back err follows

# --- a line that is disturbed -------------------------------------------------

line 3 12000
status 0 "$ndprun" $run --device "serial:$tty" --retries 50 --json
says err "of 51 follows"
says err "note: the device is lost: the line '$tty'"
holds_back err error
says out '"verdict": "right"'
holds_back out '"attempts": 1,'
line 1 300
status 2 "$ndprun" $run --device "serial:$tty" --retries 1
holds_back out right
says err "attempt 2 of 2 follows"
line 1 300
status 2 "$ndprun" $run --device "serial:$tty" --retries 0
holds_back out right
holds_back err follows

done_testing
