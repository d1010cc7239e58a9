#!/bin/sh
# assemble_test.sh - ndpcc --assemble and --disassemble from outside: every
# kernel's image prints and assembles to the same bytes, what cannot be done is
# refused before anything is written, docs/isa.md has the present tables.
#
# usage: assemble_test.sh [PATH-OF-NDPCC]   (default: $BUILD/ndpcc, build/ndpcc)
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
[ -x "$ndpcc" ] || { echo "assemble_test.sh: no program '$ndpcc'" >&2; exit 2; }
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

ok() { passed=$((passed + 1)); }

fail() {
    echo "assemble_test.sh: $1" >&2
    failed=$((failed + 1))
}

# status STATUS ARGUMENT... - run; leaves $room/out and $room/err
status() {
    want=$1
    shift
    "$ndpcc" "$@" >"$room/out" 2>"$room/err"
    got=$?
    [ $got -eq "$want" ] && ok ||
        fail "'$*' exits with $got, expected $want: $(head -n 3 "$room/err")"
}

says() {
    grep -q -- "$2" "$room/$1" && ok || fail "no '$2' in $1: $(cat "$room/$1")"
}

same() { cmp -s "$1" "$2" && ok || fail "$1 and $2 differ: $3"; }

absent() { [ ! -e "$1" ] && ok || fail "'$1' was written"; }

# --- there and back ---------------------------------------------------------

for ptx in kernels/*/*.ptx; do
    if grep -q '^[[:blank:]]*tex\.' "$ptx"; then
        line=$(grep -n '^[[:blank:]]*tex\.' "$ptx" | head -n 1 | cut -d: -f1)
        status 2 --assemble "$ptx" -o "$room/tex.ndpx"
        says err "$ptx:$line:2: error: .*the machines have no texture unit"
        absent "$room/tex.ndpx"
        continue
    fi
    for n in 64 16; do
        status 0 --assemble "$ptx" --registers $n -o "$room/a.ndpx"
        status 0 --disassemble "$room/a.ndpx" -o "$room/a.s"
        status 0 --assemble "$room/a.s" -o "$room/b.ndpx"
        same "$room/a.ndpx" "$room/b.ndpx" "$ptx, $n registers, through text"
        status 0 --assemble "$ptx" --registers $n -o "$room/b.ndpx"
        same "$room/a.ndpx" "$room/b.ndpx" "$ptx, $n registers, twice"
        status 0 --assemble "$ptx" --registers $n --blocks --place -o "$room/a.ndpx"
        status 0 --disassemble "$room/a.ndpx" -o "$room/a.s"
        status 0 --assemble "$room/a.s" -o "$room/b.ndpx"
        same "$room/a.ndpx" "$room/b.ndpx" "$ptx, $n registers, blocks through text"
    done
done

# ordered accesses of global memory are fences, others are not
status 0 --assemble tests/isa/fences.ptx -o "$room/a.ndpx"
status 0 --disassemble "$room/a.ndpx" -o "$room/a.s"
sed -n 's/^ *\(ldg\|lds\|stg\|atg\|membar\)[. ].*/\1/p' "$room/a.s" | tr '\n' ' ' >"$room/out"
says out '^ldg lds stg stg membar ldg membar stg membar ldg membar membar atg membar atg $'

# readelf finds its way; the module of dct8x8 has constants and three kernels
status 0 --assemble kernels/dct8x8/dct8x8.ptx -o "$room/a.ndpx"
if command -v readelf >/dev/null; then
    readelf -hsW "$room/a.ndpx" >"$room/out" 2>"$room/err"
    says out 'Machine: .*0x4e44'
    says out ' 256 OBJECT .* basis$'
    says out 'FUNC .* dct8x8_pattern_sync$'
    [ -s "$room/err" ] && fail "readelf: $(cat "$room/err")" || ok
fi
status 0 --disassemble "$room/a.ndpx"
says out '^.kernel dct8x8 entry 0 words [0-9]* registers [0-9]* shared 2048 '
says out '^.param dct8x8_param_1 word 5 bytes 8$'
says out '^.symbol basis const at 0 bytes 256$'
says out '^.line 32$'
status 0 --assemble kernels/dct8x8/dct8x8.ptx --kernel dct8x8_pattern \
    -o "$room/a.ndpx"
status 0 --disassemble "$room/a.ndpx"
says out '^.kernel dct8x8_pattern entry 0 '

# --- blocks ------------------------------------------------------------------

status 0 --assemble kernels/fwt/fwt.ptx --blocks -o "$room/a.ndpx"
status 0 --disassemble "$room/a.ndpx"
says out '^.block begin [0-9]* end [0-9]* ask [0-9]* saves tx,rx in r[0-9]*,r[0-9]* out -$'
says out '^    or r\([0-9]*\), r\1, 0 {mark}$'
[ "$(grep -c mark "$room/out")" = 1 ] && ok || fail "fwt: one mark, expected the block's"
status 0 --assemble kernels/scalarprod/scalarprod.ptx --blocks --place -o "$room/a.ndpx"
status 0 --disassemble "$room/a.ndpx"
says out '^.block .* if r[0-9]* >= 4097 signed$'
status 0 --assemble kernels/scalarprod/scalarprod.ptx --blocks --place --json
says out '"threshold": 4097'
status 0 --assemble kernels/scalarprod/scalarprod.ptx --blocks -o "$room/a.ndpx"
status 0 --disassemble "$room/a.ndpx"
[ "$(grep -c '^.block' "$room/out")" = 0 ] && ok || fail "scalarprod: a block without --place"
status 0 --assemble kernels/heartwall/heartwall.ptx --registers 16 --blocks -o "$room/a.ndpx"
says err 'warning: a candidate of .heartwall. cannot run elsewhere: local memory'

words='.kernel k entry 0 words 2 registers 4 shared 0 local 0 spilled 0\nnop\nexit\n'
for block in 'begin 0 end 3 ask 0 saves rx in - out -' \
    'begin 1 end 1 ask 1 saves rx in - out -' \
    'begin 1 end 2 ask 3 saves rx in - out -'; do
    printf "$words.block $block\n" >"$room/bad.s"
    status 2 --assemble "$room/bad.s" -o "$room/no.ndpx"
    says err 'a block lies outside its kernel'
done
for block in 'begin 0 end 1 ask 0 saves no in - out -' \
    'begin 0 end 1 ask 0 saves rx in r64 out -' \
    'begin 0 end 1 ask 0 saves rx in p7 out -' \
    'begin 0 end 1 ask 0 saves rx in - out - if r1 > 4 signed' \
    'begin 0 end 1 ask 0 saves rx in - out - if r1 >= -4 unsigned' \
    'begin 0 end 1 ask 0 saves rx in - out - more'; do
    printf "$words.block $block\n" >"$room/bad.s"
    status 2 --assemble "$room/bad.s" -o "$room/no.ndpx"
    says err 'bad.s:4:1: error: expected begin, end, ask, saves, in and out of a block'
done
status 2 kernels/fwt/fwt.ptx --blocks
says err "expected it with '--assemble'"
status 2 --disassemble "$room/a.ndpx" --blocks

# --- refused -----------------------------------------------------------------

(
    cd tests/isa/refused || exit 2
    for ptx in *.ptx; do
        "$ndpcc" --assemble "$ptx" -o "$room/no.ndpx" 2>&1 >/dev/null |
            grep "^$ptx" >"$room/out"
        cmp -s "$room/out" "${ptx%.ptx}.err" || {
            echo "$ptx:"
            diff "${ptx%.ptx}.err" "$room/out"
        }
    done
) >"$room/differences"
[ -s "$room/differences" ] && fail "$(cat "$room/differences")" || ok
absent "$room/no.ndpx"
status 2 --assemble tests/isa/refused/f64.ptx -o "$room/no.ndpx"

printf 'add r1, r2\n' >"$room/bad.s"
status 2 --assemble "$room/bad.s" -o "$room/no.ndpx"
says err "bad.s:1:11: error: expected ','"
printf 'L1:\nexit\nL1:\n' >"$room/bad.s"
status 2 --assemble "$room/bad.s" -o "$room/no.ndpx"
says err "bad.s:3:1: error: a label that there is already"
printf '.kernel k entry 0 words 2 registers 4 shared 0 local 0 spilled 0\nexit\n' \
    >"$room/bad.s"
status 2 --assemble "$room/bad.s" -o "$room/no.ndpx"
says err "kernel 'k' lies outside the code"
absent "$room/no.ndpx"

status 2 --disassemble kernels/axpy/axpy.ptx
says err 'is no image'
head -c 300 "$room/a.ndpx" >"$room/cut.ndpx"
status 2 --disassemble "$room/cut.ndpx"
says err 'is no image of ndpcc'
status 2 --assemble "$room/a.ndpx"
says err 'is an image already'
status 2 --assemble kernels/axpy/axpy.ptx --registers 48
says err "'48'"
status 2 --assemble kernels/axpy/axpy.ptx --json
status 2 --assemble kernels/axpy/axpy.ptx kernels/bfs/bfs.ptx
status 2 --assemble kernels/axpy/axpy.ptx --kernel none
says err "no kernel 'none'"

# --- the page ----------------------------------------------------------------

status 0 --instruction-set
sed -n '/^<!-- tables -->$/,/^<!-- end of tables -->$/p' docs/isa.md |
    sed '1d;$d' >"$room/page"
same "$room/out" "$room/page" "the tables of docs/isa.md"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
