#!/bin/sh
# ecp5.sh - place and route for ECP5, from the Python registry.
#
# usage: ecp5.sh
#
# Debian 12 has no nextpnr-ecp5.  Makes BUILD/ecp5, a virtual environment with
# the versions of boards/common/ecp5.txt (about 220 MB), and prints what is in
# it; does nothing but that if it is there.  Only boards with an ECP5 ask for it.
# python3-venv is installed for it, unless NDPGEN_NO_SETUP=1 or it is there.
#
# Environment: BUILD (build).  Exit status: 0 there, 2 it cannot be made.
# --help: the lines above
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]*$/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
'') ;;
*)
    echo "ecp5.sh: error: unknown word '$1', expected none" >&2
    exit 2
    ;;
esac
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
versions=boards/common/ecp5.txt
room=$build/ecp5
log=$build/ecp5.log

quietly() { # what it is for, command...
    what=$1
    shift
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        echo "ecp5.sh: error: cannot $what" >&2
        exit 2
    }
}

mkdir -p "$build"
if ! cmp -s "$versions" "$room/versions"; then
    python3 -c 'import ensurepip, venv' 2>/dev/null ||
        sh scripts/setup.sh --venv
    rm -rf "$room"
    echo "ecp5.sh: fetching tools for ECP5, some 60 MB" >&2
    quietly "make a virtual environment" python3 -m venv "$room"
    quietly "fetch the tools of $versions" "$room/bin/pip" install \
        --disable-pip-version-check --no-deps -r "$versions"
    cp "$versions" "$room/versions" # last: it is whole
fi
grep -v '^#' "$versions"
