#!/bin/sh
# setup.sh - install what ndpgen needs, on Debian 12 and its relatives.
#
# usage: setup.sh [--check] [--tests] [--venv] [--site] [--deb] [--silicon]
#
# Asks dpkg first and touches nothing when all packages are there, so it is
# cheap enough to stand in front of every make target.  --check only reports.
# --tests also wants what nothing but tests run: GNU parallel, and a Slurm whose
# daemons they start themselves, in a temporary folder; where these cannot be
# installed, it says so and goes on, as those tests do.
# --venv also wants python3-venv, for tools from the Python registry; --site the
# generator of make site; --deb what make deb needs; --silicon what make silicon
# needs, a timing analyser and a library of standard cells.
# Root is used directly, otherwise sudo.  NDPGEN_NO_SETUP=1 skips it all, for
# systems with other package managers.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac
set -eu

# what builds it, what simulates and proves it, what draws its pictures, what
# compiles CUDA
packages="gcc g++ libc6-dev make pkg-config
libyaml-dev libjansson-dev libelf-dev zlib1g-dev liblzma-dev libzstd-dev liblz4-dev
liblua5.4-dev
libcmocka-dev
verilator iverilog yosys z3 python3 nextpnr-ice40 fpga-icestorm valgrind
gnuplot-nox graphviz clang-format-14 clang-tidy-14
clang-14 libclc-14"
check= tests=
for word; do
    case $word in
    --check) check=1 ;;
    --tests) tests="parallel munge slurmctld slurmd slurm-client" ;;
    --venv) packages="$packages python3-venv" ;;
    --site) packages="$packages mkdocs mkdocs-material" ;;
    --deb) packages="$packages dpkg-dev" ;;
    --silicon) packages="$packages opensta qflow-tech-osu018" ;;
    *)
        echo "setup: unknown word '$word', expected --check, --tests, --venv, --site, --deb or --silicon" >&2
        exit 2
        ;;
    esac
done

if [ "${NDPGEN_NO_SETUP:-}" = 1 ]; then
    exit 0
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "setup: no dpkg here; install the equivalents of these yourself," \
        "then set NDPGEN_NO_SETUP=1:" >&2
    echo $packages >&2
    exit 2
fi

missing_of() {
    for p; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) || state=
        [ "$state" = installed ] || printf ' %s' "$p"
    done
}
# lists of names
# shellcheck disable=SC2086
missing=$(missing_of $packages) missing_tests=$(missing_of $tests)
[ -n "$missing$missing_tests" ] || exit 0

echo "setup: missing packages:$missing$missing_tests" >&2
if [ -n "$check" ]; then
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    echo "setup: needs root or sudo to run apt-get" >&2
    exit 2
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() {
    # sudo drops the environment, so the setting is passed along
    $as_root env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        echo "setup: '$*' failed" >&2
        exit 2
    }
}
echo "setup: installing them with apt-get (a few minutes) ..." >&2
run apt-get -q update
[ -z "$missing" ] ||
    run apt-get -q -y --no-install-recommends install $missing
if [ -n "$missing_tests" ] &&
    ! (run apt-get -q -y --no-install-recommends install $missing_tests); then
    echo "setup: without$missing_tests: tests that want them are left out" >&2
fi
echo "setup: done" >&2
