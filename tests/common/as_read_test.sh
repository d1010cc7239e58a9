#!/bin/sh
# as_read_test.sh - what of emitted Verilog a digest of a proof or a synthesis sees.
#
# usage: as_read_test.sh
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
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "as_read_test.sh: $what" >&2
    fi
}
read_as() { # FILE, with the program in standard input
    cat >"$room/$1.v"
    awk -f scripts/as_read.awk "$room/$1.v" >"$room/$1"
}
same() { cmp -s "$room/one" "$room/$1"; }
other() { ! same "$1"; }

read_as one <<'END'
    (* no_rw_check *)
    reg [3:0] words [0:7];
`ifdef FORMAL
`include "a//b.vh"
`endif
    assign a = {b, c} == d; // why
    initial $display("a // b");
END
holds "there is what was read" [ "$(grep -c . "$room/one")" = 6 ]
holds "a string is no comment" grep -qF '"a // b"' "$room/one"
holds "what a proof defines counts" grep -qxF '`include "a//b.vh"' "$room/one"

read_as laid_out <<'END'
`ifdef NDP_RAM_STYLE
    (* no_rw_check, ram_style = `NDP_RAM_STYLE *)
`else
    (* no_rw_check *)
`endif
    reg [3:0] words [0:7];      // a comment

`ifdef FORMAL
`ifdef NDP_CHECKS
    wire of_user;
`ifdef ALSO
    wire of_both;
`endif
`endif
`include "a//b.vh"
`endif
    assign a = {b,
                c} ==
        d;
`ifndef NDP_CHECKS
    initial $display("a // b");
`endif
END
holds "comments, line ends and a user's macros do not count" same laid_out

for edit in 's/==/!=/' 's/b, c/bc/' 's/3:0/4:0/' 's/FORMAL/NDP_FORMAL/' 's/a.*vh/b.vh/' \
    's/\*)/, keep *)/' 's/a = /a <= /' 's/^ *assign.*//' 's/assign/`ifdef OWN\n&/' 's/== /= = /'; do
    sed "$edit" "$room/one.v" | read_as edited
    holds "'$edit' counts" other edited
done
echo "as_read: $passed passed, $failed failed"
[ $failed = 0 ]
