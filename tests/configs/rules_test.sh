#!/bin/sh
# rules_test.sh - each rule of a declaration names a parameter and says what is allowed,
# as scripts/configs.sh wants it of whatever refuses a drawn configuration.
#
# usage: rules_test.sh
#
# Prints one line a rule that does not; closes with a count.
set -u
LC_ALL=C
export LC_ALL

cd "$(dirname "$0")/../.." || exit 2
test_name=rules_test.sh
. tests/common/room.sh

# messages of CHECK(expression, "message" "that goes on"), one a line behind its file
awk '/^CHECK\(/ { rule = "" }
    /^CHECK\(/, /"\)$/ {
        rule = rule $0
        if (!/"\)$/)
            next
        text = ""
        while (match(rule, /"[^"]*"/)) {
            text = text substr(rule, RSTART + 1, RLENGTH - 2)
            rule = substr(rule, RSTART + RLENGTH)
        }
        print FILENAME ": " text
    }' lib/*/*.def >"$room/rules"

[ "$(wc -l <"$room/rules")" -ge "$(cat lib/*/*.def | grep -c '^CHECK(')" ] ||
    fail "not all rules were found"
grep -vE -f tests/configs/allowed.txt "$room/rules" >"$room/silent"
grep -v "'[a-z_]*\.[a-z0-9_]*'" "$room/rules" >>"$room/silent"
while read -r rule; do
    fail "no parameter, or nothing that is allowed: $rule"
done <"$room/silent"
passed=$(($(wc -l <"$room/rules") - failed))
done_testing
