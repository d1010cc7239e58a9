#!/bin/sh
# timing_test.sh - which seeds count: tools that only say what nextpnr and Yosys
# would stand in for them.
#
# usage: timing_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
BUILD=${BUILD:-build}
NDPGEN=$PWD/$BUILD/ndpgen
case $BUILD in /*) NDPGEN=$BUILD/ndpgen ;; esac
passed=0
failed=0

mkdir "$room/bin"
cat >"$room/bin/yosys" <<'END'
#!/bin/sh
case $* in
-V) echo "Yosys 0.0" ;;
*portlist*) printf 'input [0:0] clk\ninput [7:0] word\noutput [7:0] sum\noutput [3:0] core_ret_pc\n' ;;
esac
END
cat >"$room/bin/nextpnr-ice40" <<'END'
#!/bin/sh
case $* in *--version*) echo "(Version 0.0)"; exit ;; esac
echo "$*"
case $* in *"--seed "[0-9]*) seed=${*#*--seed } seed=${seed%% *} ;; esac
mhz() { echo "Info: Max frequency for clock 'clk': $1 MHz (PASS at 9.00 MHz)"; }
echo "Info: ICESTORM_LC: 1$seed/ 7680 1%"
case $seed in
1) mhz 90.00; echo "Info: Routing.."; mhz 40.00 ;;
2) mhz 91.00; echo "Info: Routing.."; exec sleep 60 ;;
3) echo "ERROR: Unable to find legal placement for all cells"; exit 1 ;;
4) mhz 10.00; echo "Info: Routing.."; mhz 44.00 ;;
5) mhz 92.00; echo "Info: Routing.."; echo "ERROR: no way"; exit 1 ;;
6) exec sleep 60 ;;
???*) mhz 80.00; mhz 7${seed%${seed#?}}.00 ;; # a hashed one tells its first digit
esac
END
chmod +x "$room/bin/yosys" "$room/bin/nextpnr-ice40"

# status STATUS WORDS ARGUMENT... - of timing.sh, in a build folder of its own
status() {
    want=$1 says=$2
    shift 2
    PATH=$room/bin:$PATH BUILD=$room/build NDPGEN=$NDPGEN \
        sh scripts/timing.sh --device hx8k "$@" >"$room/out" 2>&1
    got=$?
    if [ $got = "$want" ] && grep -q -e "$says" "$room/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "timing_test.sh: '$*' exits with $got, expected $want and '$says':" >&2
        sed 's/^/    /' "$room/out" >&2
    fi
}

own="--target credit --set credit.width=8"
# what seeds hashed from a word and 1, 2 give
hashed() { # WORD
    for n in 1 2; do
        seed=$((0x$(echo "$1" $n | sha256sum | cut -c 1-7)))
        echo "7${seed%${seed#?}}.0"
    done | sort -n | head -n 1
}
# the options are words without blanks inside
# shellcheck disable=SC2086
{
    # the estimate before routing is no result, one that takes too long is none,
    # nor one that cannot be placed
    status 0 '42.0 MHz median and 40.0 MHz worst of 2 seeds' $own --seeds 4 --limit 1
    status 2 'ERROR: no way' $own --seeds 5 --limit 1
    # seeds of a salt
    status 0 "$(hashed abc) MHz worst of 2 seeds" $own --seeds 2 --salt abc
    status 0 "$(hashed ab) MHz worst of 2 seeds" $own --seeds 2 --salt ab
    status 2 "'--salt' is 'a b', expected letters and digits" $own --salt 'a b'
    status 2 "the record is of seeds without '--salt'" --salt abc
    status 2 "'--limit' is '0', expected seconds from 1" $own --limit 0
    status 2 "'--limit' is 'x', expected seconds from 1" $own --limit x
}
# what tests/system/timing.txt says
status 0 '"median": 40' --target system --preset tiny --seeds 1 --json
dir=$room/build/area/system-tiny
for words in "$dir/hx8k-1.log:--freq 45 " "$dir/harness.v:.core_ret_pc()" \
    "$dir/harness.v:.sum(out\[7:0\])"; do
    if grep -q -e "${words#*:}" "${words%%:*}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "timing_test.sh: no '${words#*:}' in ${words%%:*}" >&2
    fi
done
echo "timing: $passed passed, $failed failed"
[ $failed = 0 ]
