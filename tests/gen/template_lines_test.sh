#!/bin/sh
# template_lines_test.sh - every line of the templates is in some configuration
# that a lock-step run or a proof looks at.
set -u

cd "$(dirname "$0")/../.." || exit 2
if python3 scripts/jobs/template_lines.py; then
    echo "template_lines_test.sh: 1 passed, 0 failed"
else
    echo "template_lines_test.sh: 0 passed, 1 failed"
    exit 1
fi
