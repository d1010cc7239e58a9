#!/bin/sh
# fuzz.sh - random kernels on machines, and what that took.
#
# usage: fuzz.sh [COUNT [DEVICE ...]]
#
# COUNT programs (default 1000) on each device by itself; default golden:plain,
# golden:small and golden:tiny.  Of RTL (verilator:DIR, icarus:DIR) the
# simulator's program is made if it is not there.  SEED= first seed, else a
# fresh one, which is printed; SIZE= statements of a program.  What fails goes
# to out/fuzz.  Exit status: 0 all agree, 1 some do not, 2 bad use.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -u
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.." || exit 2
BUILD=${BUILD:-build}
count=${1:-1000}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- golden:plain golden:small golden:tiny
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
worst=0
echo "seed $seed"
for device; do
    case $device in
    verilator:* | icarus:*)
        sh scripts/machine.sh "${device%%:*}" "${device#*:}" || exit 2
        ;;
    esac
    case $device in
    golden:plain) size=${SIZE:-30} ;;
    *) size=${SIZE:-14} ;;
    esac
    echo "$device, size $size"
    "$BUILD/ndpfuzz" --seed "$seed" --count "$count" --size "$size" \
        --device "$device"
    got=$?
    [ $got -le $worst ] || worst=$got
done
exit $worst
