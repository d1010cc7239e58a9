#!/bin/sh
# junit_test.sh - the XML that `make check JUNIT=FILE` writes of a step's log.
#
# usage: junit_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

holds() { # what command...
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "junit_test.sh: $what" >&2
    fi
}
suite() { # result
    awk -v step=units -v result="$1" -v took=7 -v p=9 -v f=2 \
        -f scripts/junit.awk "$room/log" >"$room/xml"
}

cat >"$room/log" <<'END'
[==========] group: Running 2 test(s).
[ RUN      ] adds
[       OK ] adds
[ RUN      ] divides
got <1> & "2"
[  FAILED  ] divides
[==========] 2 test(s) run.
[  PASSED  ] 1 test(s).
[  FAILED  ] group: 1 test(s), listed below:
[  FAILED  ] divides
ndpsim: 5 passed, 0 failed
3 passed, 1 failed
END
suite FAILED
holds "each test is a case" [ "$(grep -c '<testcase' "$room/xml")" = 4 ]
holds "failures are counted" grep -q 'tests="4" failures="2"' "$room/xml"
holds "a test that passed" grep -qF 'name="adds"/>' "$room/xml"
holds "a test that failed" grep -qF 'name="divides"><failure' "$room/xml"
holds "a runner" grep -qF 'name="ndpsim"/>' "$room/xml"
holds "a runner without a name" grep -qF 'name="run 1"><failure' "$room/xml"
holds "the end of the log" grep -qF 'got &lt;1&gt; &amp; &quot;2&quot;' "$room/xml"
if command -v python3 >/dev/null; then
    holds "it is XML" python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "$room/xml"
fi
echo nothing counted >"$room/log"
suite ok
holds "a step alone" grep -qF 'tests="1" failures="0"' "$room/xml"
suite FAILED
holds "a step that failed" grep -qF 'name="step"><failure' "$room/xml"
echo "junit: $passed passed, $failed failed"
[ $failed = 0 ]
