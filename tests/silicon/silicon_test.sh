#!/bin/sh
# silicon_test.sh - netlists of standard cells: buffers, names, bits of memories, and a
# block from RTL to megahertz where the tools are.
#
# usage: silicon_test.sh [TEST...]   as of python3 -m unittest: Netlists.test_the_clock...
cd "$(dirname "$0")" || exit 2
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/../../$BUILD ;; esac
PYTHONDONTWRITEBYTECODE=1
export BUILD PYTHONDONTWRITEBYTECODE
exec python3 test_silicon.py "$@"
