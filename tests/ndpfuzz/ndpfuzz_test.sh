#!/bin/sh
# ndpfuzz_test.sh - random programs from outside: the command line, what was
# found before, and the smallest RTL where its simulator is there.
#
# usage: ndpfuzz_test.sh
#
# The RTL is kept in build/machines and made anew only when ndpgen makes another.
# FRESH=seed repeats a run's fresh programs.
cd "$(dirname "$0")/../.." || exit 2
set -u
LC_ALL=C
export LC_ALL
here=$PWD
program=ndpfuzz
. tests/common/cli.sh
case $build in
/*) ;;
*) build=$here/$build ;;
esac
FRESH=${FRESH:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
echo "fresh seed $FRESH"

# --- command line -------------------------------------------------------------

status 0 '' --help
holds "usage is shown" grep -q 'ndpfuzz \[options\]' out
status 0 '' --version
status 0 '' --seed 3 --print --device golden:tiny --size 8
cp out first
holds "a kernel is printed" grep -q '\.entry fuzz' first
status 0 '' --seed 3 --print --device golden:tiny --size 8
holds "a seed replays exactly" cmp -s out first
status 0 '' --seed 3 --count 5 --device golden:tiny --size 8
holds "operations are counted" grep -q 'of 112 operations' out
holds "the end tells the count" grep -q '^5 programs from seed 3, 5 launches' out
status 0 '' --seed 3 --count 5 --device golden:tiny --device golden:small \
    --size 8 --json
# some are too large for tiny
holds "both devices ran" awk '/"launches":/ { exit !($2 + 0 > 5) }' out
status 2 "did you mean 'tiny'" --device golden:tinny
status 2 "expects a whole number" --count none
status 2 "did you mean '--device'" --devise golden:tiny
status 2 "sh scripts/machine.sh verilator" --device verilator:nowhere
sed 's/code_words: 256/code_words: 64/' "$here/lib/config/presets/tiny.yml" >short.yml
status 2 "no program of these seeds fits" --device golden:short.yml --count 2
full_disk --seed 3 --count 1 --device golden:tiny --size 8

# --- what was found before ----------------------------------------------------

for f in "$here"/tests/ndpfuzz/found/*.yml; do
    holds "$(basename "$f") on the executor" "$build/ndpsim" "$f"
    for d in plain small tiny; do
        holds "$(basename "$f") on $d" "$build/ndprun" "$f" --device "golden:$d"
    done
done

# --- RTL ----------------------------------------------------------------------

# The folder of a preset's RTL with its simulator's program: $rtl.
make_rtl() {
    rtl=$build/machines/$2
    "$build/ndpgen" --target system --preset "$2" -o "rtl-$2" >/dev/null ||
        return 1
    if ! diff -rq "rtl-$2/rtl" "$rtl/rtl" >/dev/null 2>&1; then
        rm -rf "$rtl"
        mkdir -p "$build/machines"
        cp -R "rtl-$2" "$rtl"
    fi
    sh "$here/scripts/machine.sh" "$1" "$rtl"
}

if command -v verilator >/dev/null; then
    holds "tiny in Verilator" make_rtl verilator tiny
    rtl=$build/machines/tiny
    status 0 '' --seed 1 --count 30 --size 12 --device "verilator:$rtl"
    status 0 '' --seed "$FRESH" --count 15 --size 12 --device "verilator:$rtl"
    holds "no fresh program fails" grep -q ' 0 failed' out

    # a machine of which some word comes back wrong: found, small, replayed
    mkdir -p liar/verilator
    cat >liar/verilator/machine <<END
#!/bin/sh
exec 3<&0
{ "$rtl/verilator/machine" <&3; } | sed -u 's/^7fffffff\$/7ffffffe/'
END
    chmod +x liar/verilator/machine
    cp "$rtl/config.yml" liar
    status 1 '' --seed 1 --count 60 --size 12 --device verilator:liar \
        --keep found --failures 1 --tries 400
    holds "the device is named" grep -q "verilator:liar: '.*' differs" out
    holds "few statements are left" awk '
        / statements, / { n++; if ($3 > 4) bad = 1 }
        END { exit !n || bad }' out
    set -- found/*.yml
    checks=$((checks + 1))
    "$build/ndprun" "$1" --device verilator:liar >out 2>err
    [ $? = 1 ] || fail "the description does not fail on the machine that lies"
    holds "it is right on the executor" "$build/ndpsim" "$1"
    holds "and on the machine" "$build/ndprun" "$1" --device "verilator:$rtl"
fi
if command -v iverilog >/dev/null; then
    holds "tiny in Icarus" make_rtl icarus tiny
    status 0 '' --seed 1 --count 2 --size 4 --threads 8 \
        --device "icarus:$build/machines/tiny"
fi

done_testing
