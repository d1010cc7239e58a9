# evert.awk - turns the flip-flops of a flat RTLIL module into ports.
#
# awk -v name=NEW -v list=FILE -f evert.awk IN.il >OUT.il
#
# A $dff becomes an input, its state, and an output, its next state; what is left
# is mere logic.  LIST gets a line "key width" for each: two modules that come
# from the same text have the same keys, memories of memory_map included.

# The parts of $memory\m[3]$17 are numbered anew in each run.
function key_of(cell) {
    if (cell ~ /^\$memory/)
        sub(/\$[0-9]+$/, "", cell)
    return cell
}

function forget() {
    notes = ""
}

BEGIN { port = 100000 }

/^module / {
    print "module \\" name
    forget()
    next
}
/^ *attribute / {
    notes = notes $0 "\n"
    next
}
$1 == "cell" && $2 == "$dff" {
    inside = 1
    key = key_of($3)
    width = 1
    forget()
    next
}
inside && $1 == "parameter" && $2 == "\\WIDTH" { width = $3 }
inside && $1 == "parameter" && $2 == "\\CLK_POLARITY" && $3 !~ /1$/ { bad = 1 }
inside && $1 == "connect" {
    pin = $2
    sub(/^ *connect [^ ]+ /, "")
    signal[pin] = $0
}
inside && $1 == "end" {
    k = ++count
    printf "  wire width %d input %d \\q_%d\n", width, port++, k
    printf "  wire width %d output %d \\d_%d\n", width, port++, k
    printf "  connect %s \\q_%d\n", signal["\\Q"], k
    printf "  connect \\d_%d %s\n", k, signal["\\D"]
    print key, width, k >list
    inside = 0
    next
}
inside { next }
{
    printf "%s%s\n", notes, $0
    forget()
}
END { exit bad }
