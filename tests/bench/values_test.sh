#!/bin/sh
# values_test.sh - the VCD of VALUES= has on each cycle what the run's events
# tell, from the cycle that was asked for on, and the same from RTL.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT
passed=0
failed=0

holds() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$room/why" 2>&1; then
        passed=$((passed + 1))
    else
        echo "values_test.sh: $what" >&2
        sed 's/^/    /' "$room/why" >&2
        failed=$((failed + 1))
    fi
}

run() { # WORDS...
    sh scripts/cosim.sh TARGET=credit PRESET=small CYCLES=600 "$@" >/dev/null
}

# The events of lib/blocks/credit.def, out of the columns.
# shellcheck disable=SC2016
events='
$1 == "$var" { name[$4] = $5; next }
/^\$/ { next }
/^#/ {
    if (seen && substr($1, 2) % 10 == 5 && !v["rst"]) {
        edge = (substr($1, 2) - 5) / 10
        if (edge && v["push_valid"])
            print edge, "push", v["push_data"]
        if (edge && v["credit_valid"])
            print edge, "credit"
        if (edge && v["pop_valid"] && v["pop_ready"])
            print edge, "pop", v["pop_data"]
    }
    seen = 1
    next
}
/^b/ { v[name[$2]] = substr($1, 2); next }
{ v[name[substr($1, 2)]] = substr($1, 1, 1) + 0 }'

run SIM=golden "VALUES=$room/all.vcd" "EVENTS=$room/events"
awk "$events" "$room/all.vcd" >"$room/columns"
awk '
function bits(hex,    i, d, k, s) {
    for (i = 1; i <= length(hex); i++) {
        d = index("0123456789abcdef", substr(hex, i, 1)) - 1
        for (k = 8; k >= 1; k /= 2) {
            s = s (d >= k)
            d -= d >= k ? k : 0
        }
    }
    while (length(s) < width)
        s = "0" s
    return substr(s, length(s) - width + 1)
}
/[$]var .* push_data/ { width = $3 }
FILENAME == ARGV[1] { next }
{ sub(/low=/, "", $3); print $1, $2 ($2 == "credit" ? "" : " " bits($3)) }
' "$room/all.vcd" "$room/events" >"$room/told"
holds "events are missing" [ "$(wc -l <"$room/told")" -gt 500 ]
holds "columns and events differ" diff "$room/columns" "$room/told"

run SIM=golden "VALUES=$room/part.vcd" FROM=300
awk "$events" "$room/part.vcd" >"$room/part"
awk '$1 >= 300' "$room/told" >"$room/late"
holds "the columns from 300 on are not those" diff "$room/part" "$room/late"
holds "it begins elsewhere" [ "$(grep -m 1 '^#' "$room/part.vcd")" = '#3000' ]

if command -v verilator >/dev/null 2>&1; then
    run "TRACE=$room/inside.vcd" FROM=300
    holds "the trace has no memory" grep -q 'words\[0\]' "$room/inside.vcd"
    holds "the trace begins elsewhere" [ "$(grep -m 1 '^#' "$room/inside.vcd")" = '#3000' ]
fi

if command -v iverilog >/dev/null 2>&1; then
    run SIM=icarus "VALUES=$room/rtl.vcd"
    holds "the RTL's differ" cmp "$room/rtl.vcd" "$room/all.vcd"
fi

refuses() { # PATTERN WORDS...
    pattern=$1
    shift
    if run SIM=golden "$@" 2>"$room/err"; then
        holds "'$*' is taken" false
    else
        holds "'$*' does not say '$pattern'" grep -q -e "$pattern" "$room/err"
    fi
}
refuses "cannot write '/nowhere/x'" VALUES=/nowhere/x
refuses 'FROM= goes with VALUES= or TRACE=' FROM=3
refuses 'TRACE= goes with SIM=verilator' SIM=icarus "TRACE=$room/x"
refuses 'expected a whole number' "VALUES=$room/x" FROM=x
[ ! -c /dev/full ] || refuses "cannot write '/dev/full'" VALUES=/dev/full

echo "values_test.sh: $passed passed, $failed failed"
[ $failed = 0 ]
