#!/bin/sh
# report_test.sh - the page of ndprun --report: whole, by itself, and of the figures that
# ndprun prints.
#
# usage: report_test.sh
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=report_test.sh
. tests/common/room.sh
needs "$build/ndprun"
ndprun=$build/ndprun
axpy=kernels/axpy/axpy.yml
look() { status 0 python3 tests/runtime/report.py "$@"; }

# --- a machine that tells what retires ------------------------------------------
status 0 "$ndprun" $axpy --report "$room/a.html" --json
cp "$room/out" "$room/a.json"
look "$room/a.html" 1 "$room/a.json"
status 0 grep -c 'data:image/svg' "$room/a.html"
says out 2
# the report on standard output is what it is without a page
status 0 "$ndprun" $axpy --json
cp "$room/out" "$room/plain.json"
status 0 cmp "$room/plain.json" "$room/a.json"
# axpy reads two buffers and writes the second: no store below the first half
status 0 python3 - "$room/a.html" <<'END'
import base64, re, sys
pictures = re.findall(r'alt="accesses[^"]*" src="data:image/svg\+xml;base64,([^"]*)"', open(sys.argv[1]).read())
svg = base64.b64decode(pictures[0]).decode()
rows = {c: [int(y) for y in re.findall(r'y="(\d+)" width="4" height="4" fill="%s"' % c, svg)]
        for c in ("#b3261e", "#1f6feb")}
middle = (24 + 24 + 48 * 4) / 2
assert rows["#b3261e"] and min(rows["#b3261e"]) >= middle - 4, rows["#b3261e"]
assert min(rows["#1f6feb"]) < middle
END

# --- one without, a mesh, and runs side by side ----------------------------------
status 0 "$ndprun" $axpy --device golden:mpu_core --report "$room/m.html" --beside "$room/a.html" --json
cp "$room/out" "$room/m.json"
look "$room/m.html" 2 "$room/m.json"
says_both() { grep -q 'golden:mpu_core' "$1" && grep -q 'golden:plain' "$1"; }
status 0 says_both "$room/m.html"
status 0 "$ndprun" kernels/matmul/matmul.yml --device golden:cluster --traffic \
    --report "$room/c.html" --json
cp "$room/out" "$room/c.json"
look "$room/c.html" 1 "$room/c.json"
status 0 "$ndprun" $axpy docs/examples/smooth.yml --report "$room/two.html" --beside "$room/m.html"
look "$room/two.html" 4
# a wrong result is on its page
sed "s,0.25 \* x,0.26 * x,; s,^ptx: ,ptx: $PWD/docs/examples/," docs/examples/smooth.yml >"$room/wrong.yml"
status 1 "$ndprun" "$room/wrong.yml" --report "$room/wrong.html" --json
cp "$room/out" "$room/wrong.json"
status 0 grep -q '<p class="verdict wrong">wrong</p>' "$room/wrong.html"

# --- bad input: no page, and what was there stays ---------------------------------
echo before >"$room/kept.html"
status 2 "$ndprun" $axpy --report "$room/kept.html" --beside kernels/axpy/axpy.cu
says err 'there is no run in this file'
status 2 "$ndprun" $axpy --report "$room/kept.html" --beside "$room/none.html"
says err 'cannot read'
status 2 "$ndprun" "$room/none.yml" --report "$room/kept.html"
status 0 grep -qx before "$room/kept.html"
status 2 "$ndprun" $axpy --report "$room/no/x.html"
status 2 "$ndprun" $axpy --beside "$room/a.html"
says err "'--beside' goes with '--report'"
status 2 "$ndprun" $axpy --report "$room/x.html" --trace "$room/x.ret"
says err 'do not go together'
done_testing
