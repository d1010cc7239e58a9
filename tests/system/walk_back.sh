#!/bin/sh
# walk_back.sh - a machine's RTL walked back to its first wrong instruction.
#
# usage: walk_back.sh SIM DIR
#
# Runs a kernel on the RTL in DIR (ndpgen --target system -o DIR), as verilator
# or icarus, and on the golden machine of the same configuration, and compares
# what retired.
#
# Exit status: 0 equal, 1 different, with the instruction, 2 bad use.
set -u
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
cd "$(dirname "$0")/../.." || exit 2
[ $# = 2 ] || { echo "walk_back.sh: expected a simulator and a folder" >&2; exit 2; }
build=${BUILD:-build}
sim=$1 dir=$2
run=tests/runtime/add.yml
ptx=kernels/vecadd/vecadd.ptx
here=$PWD
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
trap 'exit 1' INT TERM

sh scripts/machine.sh "$sim" "$dir" || exit 2
"$build/ndprun" $run --device "golden:$dir/config.yml" --trace "$room/golden" \
    >/dev/null || exit 2
# a broken machine may fault, or come to no end
"$build/ndprun" $run --device "$sim:$dir" --watchdog 20000 \
    --trace "$room/rtl" >"$room/out" 2>&1
[ -e "$room/rtl" ] || { cat "$room/out" >&2; exit 2; }
case $build in /*) ;; *) build=$here/$build ;; esac
cd "$room" && "$build/ndptrace" rtl --compare golden --ptx "$here/$ptx"
