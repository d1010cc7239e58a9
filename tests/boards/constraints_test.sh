#!/bin/sh
# constraints_test.sh - pins of the boards against the ports of their tops.
#
# Of each board: every bit of every port of top.v has one pin, no pin has two,
# and nothing is constrained that is no port.  Prints a line a fault, and a
# count.  With a folder as argument, the boards and constraints of that one.
set -u
LC_ALL=C
export LC_ALL

cd "${1:-"$(dirname "$0")/../.."}" || exit 2
checks=0
failed=0
room=$(mktemp -d) || exit 2
trap 'rm -rf "$room"' EXIT

# "bit" of each bit of each port, sorted
ports() { # top.v
    awk '
    /^module top/ { on = 1; next }
    /^\);/ { on = 0 }
    on {
        sub(/\/\/.*/, "")
        gsub(/,/, "")
        if ($1 != "input" && $1 != "output" && $1 != "inout")
            next
        low = high = -1
        if (match($0, /\[[0-9]+:[0-9]+\]/)) {
            split(substr($0, RSTART + 1, RLENGTH - 2), range, ":")
            high = range[1]
            low = range[2]
        }
        if (high < 0)
            print $NF
        for (i = low; high >= 0 && i <= high + 0; i++)
            print $NF "[" i "]"
    }' "$1" | sort
}

# "bit pin" of each constraint
pins() { # file
    case $1 in
    *.pcf) awk '/^set_io/ { sub(/#.*/, ""); print $(NF - 1), $NF }' "$1" ;;
    *.lpf)
        awk '/^LOCATE/ { gsub(/[";]/, ""); print $3, $5 }' "$1"
        ;;
    *.xdc)
        sed -n 's/^set_property.*PACKAGE_PIN \([A-Z0-9]*\).*\[get_ports {\(.*\)}\].*/\2 \1/p' \
            "$1"
        ;;
    esac
}

holds() { # what is wrong otherwise, file that has to be empty
    checks=$((checks + 1))
    [ -s "$2" ] || return 0
    echo "constraints_test.sh: $board: $1: $(tr '\n' ' ' <"$2")" >&2
    failed=$((failed + 1))
}

for conf in boards/*/board.conf; do
    board=${conf%/board.conf}
    board=${board##*/}
    file=$(sed -n 's/^constraints=//p' "$conf")
    ports "boards/$board/top.v" >"$room/ports"
    pins "$file" >"$room/pins"
    cut -d ' ' -f 1 "$room/pins" | sort >"$room/named"
    sort -u "$room/named" | comm -23 "$room/ports" - >"$room/why"
    holds "ports without a pin" "$room/why"
    comm -13 "$room/ports" "$room/named" >"$room/why"
    holds "constraints without a port, or twice" "$room/why"
    cut -d ' ' -f 2 "$room/pins" | sort | uniq -d >"$room/why"
    holds "pins with two ports" "$room/why"
    # a name that other lines of an LPF or XDC file have must be one, too
    case $file in
    *.lpf) sed -n 's/.* PORT "\([^"]*\)".*/\1/p' "$file" ;;
    *.xdc) sed -n 's/.*get_ports {\(.*\)}.*/\1/p' "$file" |
        tr ' ' '\n' | sed 's/\[\*\]/[0]/' ;;
    esac | sort -u | comm -13 "$room/ports" - >"$room/why"
    holds "words about what is no port" "$room/why"
    [ "$(wc -l <"$room/ports")" -ge 4 ] || echo "too few ports" >"$room/few"
    : >>"$room/few"
    holds "reads them" "$room/few"
done
echo "$((checks - failed)) passed, $failed failed"
[ $failed = 0 ] && [ $checks -ge 16 ]
