#!/bin/sh
# instructions_test.sh - PTX, instruction by instruction: machine against executor,
# and docs/instructions.md against both.
#
# usage: instructions_test.sh
cd "$(dirname "$0")/../.." || exit 2
PYTHONDONTWRITEBYTECODE=1 exec python3 tests/isa/instructions.py
