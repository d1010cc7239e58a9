#!/bin/sh
# parts.sh - lock-step in Verilator of a system that is too large as one piece of C++:
# each of some modules is compiled once, as a library, however many instances it has.
#
# usage: parts.sh TARGET PRESET MODULE... [-- OPTION...]
#
# A module is named without its prefix, as simt of ndp_chained_simt; options are those of
# the bench (build/cosim_golden --help), such as --stim random --seed 5 --cycles 60000 or
# --stim replay --run FILE.yml.  The simulation stays in $BUILD/parts/PRESET until its RTL
# changes.  Registers start at zero, not at random as in `make cosim`.
#
#     sh scripts/parts.sh chained chained_bound simt squeue gate router -- \
#         --stim replay --run tests/chained/patterns_bound.yml
#
# Environment: BUILD; JOBS, compilers at a time (2).
# Exit status: of the bench: 0 equal, 1 different, 2 bad input.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
[ $# -ge 3 ] || { echo "error: expected a target, a preset and modules" >&2; exit 2; }
target=$1 preset=$2
shift 2
home=$build/parts/$preset
rtl=$home/rtl

mkdir -p "$home"
rm -rf "$rtl"
"$build/ndpgen" --target "$target" --preset "$preset" -o "$rtl" >/dev/null
{
    echo '`verilator_config'
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        echo "hier_block -module \"ndp_${target}_$1\""
        shift
    done
} >"$home/parts.vlt"
[ $# -eq 0 ] || shift

key=$(cat "$rtl"/rtl/*.v "$rtl"/tb/*.v "$home/parts.vlt" verilator-tb/bench/parts/* | sha256sum)
if [ "$key" != "$(cat "$home/key" 2>/dev/null)" ]; then
    top=ndp_${target}
    probe=tb/${top}_probe.v
    if [ -f "$rtl/$probe" ]; then top=${top}_probe; else probe=; fi
    rm -rf "$home/made" "$home/key"
    (cd "$rtl" && verilator --cc --hierarchical -O3 --x-assign unique -Wno-fatal -Wno-lint -Wno-style \
        -Wno-UNOPTFLAT --output-split 200000 --top-module "$top" --prefix Vparts \
        -Mdir "$home/made" -f "ndp_$target.f" ${probe:+"$probe"} "$home/parts.vlt")
    make -s -j"${JOBS:-2}" -C "$home/made" -f Vparts_hier.mk hier_build OPT_FAST=-O1 OPT_SLOW=-O0
    echo "$key" >"$home/key"
fi

root=$(verilator --getenv VERILATOR_ROOT)
"$build/cosim_golden" --target "$target" --config "$rtl/config.yml" --ports >"$home/made/dut_ports.inc"
"${CXX:-g++}" -std=c++17 -O1 -I"$root/include" -isystem "$root/include/vltstd" -DVM_TRACE=0 \
    -Iverilator-tb/bench/parts -I"$home/made" -Iverilator-tb -Iverilator-tb/bench \
    verilator-tb/bench/dut_verilator.cpp "$home"/made/*__ALL.a "$home"/made/*/lib*.a \
    "$root/include/verilated.cpp" "$root/include/verilated_threads.cpp" \
    "$root/include/verilated_dpi.cpp" "$build/libbench.a" -lyaml -ljansson -lelf -lm -pthread \
    -o "$home/cosim"
exec "$home/cosim" --target "$target" --sim verilator --config "$rtl/config.yml" "$@"
