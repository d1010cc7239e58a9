#!/bin/sh
# board_test.sh - the top of each board, simulated behind a pseudo-terminal, runs a
# kernel for the host program that a board has: the bytes and cycles of the golden
# machine; over bad lines the right result or an error, and never a wrong verdict.
#
# usage: board_test.sh [PART...]     a board, mpu_core, line or icarus; default all
#
# parts: arty hx8k icebreaker ulx3s mpu_core line icarus
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
run=$build/ndprun
kernel=tests/runtime/add.yml
for p in ndprun ndpboard ndpgen; do
    [ -x "$build/$p" ] || { echo "board_test.sh: no '$build/$p'" >&2; exit 2; }
done
command -v verilator >/dev/null || { echo "board_test.sh: skipped, no verilator"; exit 0; }
room=$(mktemp -d) || exit 2
server=
trap '[ -z "$server" ] || kill $server; rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

check() { # what command...
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "board_test.sh: $what" >&2
        sed 's/^/    /' "$room/err" >&2
    fi
}

# The buffers and counters of a run, without its device.
figures() { # device
    "$run" $kernel --device "$1" --json >"$room/json" 2>"$room/err" &&
        grep -v '"device"' "$room/json"
}

# emit NAME BOARD OPTION... - its RTL; what has not changed keeps its program
emit() {
    name=$1
    shift
    dir=$build/board_sim/$name
    mkdir -p "$build/board_sim"
    sh scripts/board.sh "$@" --rtl -o "$room/$name" >"$room/err" 2>&1 ||
        { check "no RTL of $name" false; return 1; }
    if ! diff -rq -x verilator -x icarus "$room/$name" "$dir" >/dev/null 2>&1; then
        rm -rf "$dir"
        cp -r "$room/$name" "$dir"
    fi
}

# --- each board: one kernel, the golden machine's bytes and cycles --------------

same() { # name board.sh's words...
    emit "$@" || return
    check "$1: no program" \
        sh scripts/board_sim.sh verilator "$dir" 2>"$room/err"
    figures "golden:$dir/config.yml" >"$room/golden"
    figures "verilator:$dir" >"$room/board"
    check "$1: not the golden machine's result" \
        cmp -s "$room/golden" "$room/board"
    check "$1: not right" grep -q '"verdict": "right"' "$room/board"
}

mpu_core() { # refreshes count from reset on: without them the cycles do not depend on the host
    same mpu_core ulx3s --machine mpu_core:docs/examples/mpu_85f.yml --set timing.refi=0
}

# --- a bad line ----------------------------------------------------------------

serve() { # options...
    rm -f "$room/name"
    "$build/ndpboard" "$dir" "$@" >"$room/name" 2>"$room/server" &
    server=$!
    n=0
    while [ ! -s "$room/name" ] && [ $n -lt 100 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    device=$(cat "$room/name")
}

unserve() {
    kill $server 2>/dev/null
    wait $server
    server=
}

# Right, perhaps after some attempts, or an error with status 2; a bad line
# altered bytes, or the test is one of nothing.
survives() { # what options...
    what=$1
    shift
    serve "$@"
    timeout 120 "$run" $kernel --device "$device" --retries 2 \
        >"$room/out" 2>"$room/err"
    status=$?
    unserve
    case $status in
    0) check "$what: status 0 and not right" grep -q ': right' "$room/out" ;;
    2) check "$what: no word of the line" \
        grep -qE 'line|hung up|no answer' "$room/err" ;;
    *) check "$what: exits with $status" false ;;
    esac
    altered=$(sed -n 's/ bytes altered//p' "$room/server")
    total=$((total + ${altered:-0}))
}

line() { # on the smallest machine, which takes the shortest
    emit hx8k hx8k || return
    check "line: no program" sh scripts/board_sim.sh verilator "$dir" 2>"$room/err"
    total=0
    for seed in 1 2; do
        survives "flipped, seed $seed" --flipped 9000 --seed $seed
        survives "lost, seed $seed" --lost 9000 --seed $seed
    done
    survives "twice" --twice 9000 --seed 1
    check "the line altered nothing" [ $total -gt 0 ]

    serve --unplug 3000
    timeout 120 "$run" $kernel --device "$device" >"$room/out" 2>"$room/err"
    check "an unplugged board is no error" [ $? = 2 ]
    check "no word of an unplugged board" grep -q 'hung up\|cannot open' "$room/err"
    unserve
}

# --- 4-state -------------------------------------------------------------------

icarus() { # a line as fast as the bridge can: time is dear here
    command -v iverilog >/dev/null || return
    emit icarus hx8k --baud 7500000 || return
    check "no program in Icarus" \
        sh scripts/board_sim.sh icarus "$dir" 2>"$room/err"
    cat >"$room/few.yml" <<END
base: $PWD/$kernel
sizes:
  small: {n: 8}
grid: [1]
END
    timeout 300 "$run" "$room/few.yml" --device "icarus:$dir" \
        >"$room/out" 2>"$room/err"
    check "not right in Icarus" grep -q ': right' "$room/out"
}

boards=$(sh scripts/board.sh --list | sed 's/ .*//')
parts=$(sed -n 's/^# parts: //p' "$0")
for part in $boards; do
    case " $parts " in
    *" $part "*) ;;
    *) check "board $part is none of the parts" false ;;
    esac
done
for part in ${*:-$parts}; do
    case $part in
    mpu_core | line | icarus) $part ;;
    *) same "$part" "$part" ;;
    esac
done

echo "board_test.sh: $passed passed, $failed failed"
[ $failed -eq 0 ]
