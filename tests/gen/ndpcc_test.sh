#!/bin/sh
# ndpcc_test.sh - the command line of ndpcc, from outside: exit statuses,
# messages, the JSON and the listings to the byte, nothing half written.
#
# usage: ndpcc_test.sh [PATH-OF-NDPCC]   (default: $BUILD/ndpcc, build/ndpcc)
#
# Prints one line a check that failed; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
ndpcc=${1:-${BUILD:-build}/ndpcc}
case $ndpcc in
/*) ;;
*) ndpcc=$PWD/$ndpcc ;;
esac
[ -x "$ndpcc" ] || { echo "ndpcc_test.sh: no program '$ndpcc'" >&2; exit 2; }
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

ok() { passed=$((passed + 1)); }

fail() {
    echo "ndpcc_test.sh: $1" >&2
    failed=$((failed + 1))
}

# status STATUS ARGUMENT... - run; leaves $room/out and $room/err
status() {
    want=$1
    shift
    "$ndpcc" "$@" >"$room/out" 2>"$room/err"
    got=$?
    [ $got -eq "$want" ] && ok || fail "'$*' exits with $got, expected $want"
}

# says FILE PATTERN - out or err has a line that matches
says() {
    grep -q -- "$2" "$room/$1" && ok || fail "no '$2' in $1: $(cat "$room/$1")"
}

silent() { [ ! -s "$room/$1" ] && ok || fail "$1 is not empty"; }

# same FILE - the output is that file
same() {
    cmp -s "$room/out" "$1" && ok || {
        fail "output differs from $1"
        diff "$1" "$room/out" | head -n 10 >&2
    }
}

cd tests/ptx/json || exit 2
status 0 figure7.ptx --json
same figure7.json
silent err
status 0 figure7.ptx
same figure7.txt
says err "^figure7.ptx:30:2: warning: unsupported: glow.b32$"
: >"$room/dumps"
for pass in cfg loops live stream; do
    echo "--dump $pass" >>"$room/dumps"
    "$ndpcc" figure7.ptx --dump $pass 2>/dev/null >>"$room/dumps"
done
cp "$room/dumps" "$room/out"
same figure7.dump

# a word that is not known costs nothing but its own line
printf '%s\n' '.version 8.8' '.target sm_90' '.address_size 64' \
    '.novel 1, 2' '.visible .entry k(.hidden .param .u64 a)' '{' \
    '.strange {x}' 'ret;' '}' >"$room/novel.ptx"
status 0 "$room/novel.ptx" --json
says out '^    {"word": ".novel", "line": 4, "column": 1},$'
says out '^    {"word": ".strange", "line": 7, "column": 1}\]}$'
says err "novel.ptx:7:1: warning: unknown directive '.strange' is passed over"
status 0 "$room/novel.ptx"
says out '^       0 F  ret$'

# what may stand in the brackets of a bank is not left to break the JSON
printf '%s\n' '.version 7.0' '.target sm_70' '.address_size 64' \
    '.const[2] .u32 c;' '.entry k()' '{' '.reg .u32 %r<2>;' \
    'ld.const[/*"\é*/2].u32 %r1, [c];' 'ret;' '}' >"$room/bank.ptx"
status 0 "$room/bank.ptx" --json
says out '"opcode": "ld.const\[/\*\\"\\\\??\*/2\].u32"'

# 100,003 instructions in one block: every pc begins regions of 64 lengths.
# They took 2.2 s of processor time and take 0.6; a machine may be slower.
awk 'BEGIN {
    print ".version 8.0\n.target sm_70\n.address_size 64"
    print ".visible .entry big(.param .u64 p)\n{"
    print ".reg .b32 %r<1000>;\n.reg .f32 %f<1000>;\n.reg .b64 %rd<3>;"
    print "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;"
    for (n = 0; n < 10000; n++) {
        i = n % 990
        printf "ld.global.f32 %%f%d, [%%rd2+%d];\n", i, 4 * i
        printf "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", i + 1, i, i + 2,
            i + 3
        for (k = 0; k < 6; k++)
            printf "mad.lo.s32 %%r%d, %%r%d, 3, %%r%d;\n", i + k, i + k + 1,
                i + k + 2
        printf "st.global.f32 [%%rd2+%d], %%f%d;\n", 4 * i, i + 1
        print "add.s64 %rd2, %rd2, 4;"
    }
    print "ret;\n}"
}' >"$room/big.ptx"
if (ulimit -t 2 && "$ndpcc" "$room/big.ptx" --json) >"$room/out" 2>"$room/err"
then
    ok
else
    fail "100,003 instructions take more than 2 s of processor time"
fi
says out '"pc": 100002, '
says out '"pc": null, "reason": "does not pay"}\],$'

status 0 figure7.ptx figure7.ptx --json
says out '^\[$'
"$ndpcc" - --json <figure7.ptx >"$room/out"
says out '"file": "<stdin>"'
status 0 figure7.ptx --json --kernel helper
says out '"name": "helper"'
says out '^ "kernels": \[\],$'
status 2 figure7.ptx --kernel figure8
says err "no kernel 'figure8', did you mean 'figure7'"
status 2 figure7.ptx --dump nothing
says err "cfg"
status 2
says err "no input"
status 2 nosuch.ptx
says err "nosuch.ptx: error: cannot read"
status 2 figure7.ptx ../no_end.ptx --json
silent out
says err "no_end.ptx:10:1: error: function 'k' does not end"
status 0 --help
says out "ndpcc FILE.ptx"
status 0 --version

# TOM's candidates: the paper's loop, its conditions, the controller's image
status 0 candidates.ptx --dump candidates
same candidates.dump
silent err
status 0 candidates.ptx --json
says out '"bw_tx": "26", "bw_rx": "-65", "bw_once": "110.25", "saves_tx": false'
says out '"trip": {"loop": 0, "kind": "entry", "count": 4}, "condition": {'
says out '{"register": "%r4", "compare": ">=", "threshold": 4, "signed": true}'
says out '"refused": \['
status 0 candidates.ptx --dump candidates --miss 1/7 --coal 2
says out "TX 160/7  RX -270/7"
status 0 ../../../kernels/libor/libor.ptx --json --kernel libor_discount
says out '"live_in": ."%r17", "%f9", "%f8", "%rd31".,.*"bw_once": "110.25"'
status 0 ../../../kernels/libor/libor.ptx --dump candidates --count names
says out "+110.25  trip count depends on two registers"
status 0 ../../../kernels/libor/libor.ptx --place --count names \
    -o "$room/placed.ptx"
status 0 "$room/placed.ptx" --dump candidates --count names
says out "-39 *4 loads  4 stores\|at 4 iterations of loop 9 (entry)$"
says out "if %ndp_trip[0-9] >= 4 (signed)"
status 0 "$room/placed.ptx" --place --count names -o "$room/out"
same "$room/placed.ptx"
status 0 ../../../kernels/reduce/reduce.ptx --place
says out "mad.lo.s32 %ndp_trip0, %r2, -12, %ndp_trip0;$"
status 0 figure7.ptx --place
same figure7.ptx
status 2 figure7.ptx --place --json
says err "'--place' prints PTX, expected it without '--json'"
status 2 figure7.ptx --place --rewrite
says err "'--place' changes the program counters, expected '--rewrite' of"
status 2 figure7.ptx --place --metadata "$room/one"
says err "'--place' changes the program counters, expected '--metadata' of"
status 2 figure7.ptx --place --kernel figure7
says err "'--place' prints the whole file"
status 2 figure7.ptx figure7.ptx --place
says err "'--place' works with one file, found 2"
status 2 candidates.ptx --miss 1.5
says err "expected a number"
status 2 candidates.ptx --coal x
status 2 candidates.ptx --coal 1/0
status 2 candidates.ptx --count bits
for preset in tom small; do
    status 0 candidates.ptx --metadata "$room/$preset.hex" --preset $preset
    cp "$room/$preset.hex" "$room/out"
    same candidates_$preset.hex
done
# the same numbers as the data sheet's, which ndpgen_test.sh looks at
says out "^// metadata table: 8 entries (paper: 40)$"
status 0 candidates.ptx --metadata "$room/table.hex" --set offload.save_rows=4
says err "^candidates.ptx:20:5: warning: the candidate that begins here is \
never offloaded: .* has 5 live-in registers, 'offload.save_rows' is 4$"
status 0 candidates.ptx --metadata "$room/table.hex" --set offload.save_rows=5
silent err
rm -f "$room/table.hex"
status 2 candidates.ptx --metadata "$room/table.hex" --set offload.registers=4
says err "candidates.ptx:7:1: error: .* enlarge offload.registers"
status 2 candidates.ptx --metadata "$room/table.hex" --set offload.pc_bits=4
says err "enlarge offload.pc_bits"
status 2 ../../../kernels/libor/libor.ptx --metadata "$room/table.hex"
says err "metadata of one kernel, found 3"
status 2 ../../../kernels/libor/libor.ptx --kernel libor_portfolio \
    --metadata "$room/table.hex" --set offload.candidates=4
says err "6 candidates, expected at most 4"
status 2 candidates.ptx --rewrite --json
says err "'--rewrite' prints PTX, expected it without '--json'"
status 2 candidates.ptx --dump cfq
says err "did you mean 'cfg'"
status 2 candidates.ptx candidates.ptx --metadata "$room/table.hex"
[ ! -e "$room/table.hex" ] && ok || fail "a table was left behind"
status 0 candidates.ptx --metadata - --preset small 2>/dev/null
same candidates_small.hex
status 0 candidates.ptx --json --metadata - -o "$room/file.json"
same candidates_tom.hex
for what in --json --rewrite "--dump cfg" "-o -"; do
    status 2 candidates.ptx --metadata - $what
    says err "both write standard output, expected a file for one of them"
done
status 2 candidates.ptx --metadata "$room/one" -o "$room/../${room##*/}/one"
says err "'--metadata' and '--output' both name '.*/one', expected two files"
[ ! -e "$room/one" ] && ok || fail "two outputs in one file"
mkdir "$room/folder"
status 2 candidates.ptx --metadata "$room/folder"
says err "folder: error: cannot write: Is a directory"
rmdir "$room/folder" && ok || fail "something was left in the folder"

# written whole or not at all
status 0 figure7.ptx --json -o "$room/file.json"
cp "$room/file.json" "$room/out"
same figure7.json
echo kept >"$room/file.json"
status 2 ../no_end.ptx --json -o "$room/file.json"
cp "$room/file.json" "$room/out"
says out "^kept$"
status 2 figure7.ptx -o "$room/no/such/folder"
says err "cannot write"
[ "$(ls -A "$room" | grep -c '^\.ndp')" = 0 ] && ok || fail "a part was left"
ln -s file.json "$room/link"
status 0 figure7.ptx --json -o "$room/link"
[ -L "$room/link" ] && cmp -s "$room/file.json" figure7.json && ok ||
    fail "a link was not followed"
mkfifo "$room/pipe"
cat "$room/pipe" >"$room/out" &
"$ndpcc" figure7.ptx --json -o "$room/pipe"
wait $!
[ -p "$room/pipe" ] && same figure7.json || fail "the pipe is gone"
if [ -c /dev/full ] && [ -w /dev/full ]; then
    status 2 figure7.ptx -o /dev/full
    says err "^/dev/full: error: cannot write: No space left on device$"
    status 2 candidates.ptx --metadata /dev/full
    [ -c /dev/full ] && ok || fail "a device was replaced"
    "$ndpcc" figure7.ptx >/dev/full 2>"$room/err"
    [ $? -eq 2 ] && ok || fail "a full disk goes unnoticed"
fi

# a large file: 100,000 instructions, a branch for every ten, one exit for all
awk 'BEGIN {
    print ".version 7.7\n.target sm_52\n.entry k() { .reg .b32 %r<1000000>;"
    print ".reg .pred %p<100000>;"
    for (i = 1; i < 100000; i++)
        if (i % 10) printf "add.s32 %%r%d, %%r%d, %%r%d;\n", i, i / 2, i / 3
        else printf "setp.eq.s32 %%p%d, %%r%d, 0; @%%p%d bra END;\n", i, i - 1, i
    print "END: ret; }" }' >"$room/large.ptx"
status 0 "$room/large.ptx" --json -o "$room/large.json"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
