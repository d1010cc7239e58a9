# evert.awk - turns the flip-flops of a flat RTLIL module into ports.
#
# awk -v name=NEW -v list=FILE -f evert.awk IN.il >OUT.il
#
# A $dff becomes an input q_, its state, and an output d_, its next state; a
# $mem_v2 an input r_, what is read, and outputs: where from (a_), and where to, under
# which mask, what is written (w_, e_, v_).  What is left is mere logic.
#
# LIST gets a line for each, "dff KEY INDEX WIDTH" or "mem KEY INDEX WIDTH ABITS
# READ-PORTS WRITE-PORTS"; two modules that come from the same text have the same
# keys, words of memory_map included.

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
function pin(letter, way, bits, name) {
    printf "  wire width %d %s %d \\%s_%d\n", bits, way, port++, letter, count
    if (way == "input")
        printf "  connect %s \\%s_%d\n", signal[name], letter, count
    else
        printf "  connect \\%s_%d %s\n", letter, count, signal[name]
}
$1 == "cell" && ($2 == "$dff" || $2 == "$mem_v2") {
    inside = $2
    key = key_of($3)
    split("", is)
    is["WIDTH"] = 1
    forget()
    next
}
inside && $1 == "parameter" { is[substr($2, 2)] = $3 }
inside && $1 == "connect" {
    name_of_pin = substr($2, 2)
    sub(/^ *connect [^ ]+ /, "")
    signal[name_of_pin] = $0
}
inside && $1 == "end" {
    count++
    w = is["WIDTH"]
    if (inside == "$dff") {
        pin("q", "input", w, "Q")
        pin("d", "output", w, "D")
        print "dff", key, count, w >list
        # the models below know rising edges only
        bad = bad || is["CLK_POLARITY"] !~ /1$/
    } else {
        pin("r", "input", w * is["RD_PORTS"], "RD_DATA")
        pin("a", "output", is["ABITS"] * is["RD_PORTS"], "RD_ADDR")
        pin("w", "output", is["ABITS"] * is["WR_PORTS"], "WR_ADDR")
        pin("e", "output", w * is["WR_PORTS"], "WR_EN")
        pin("v", "output", w * is["WR_PORTS"], "WR_DATA")
        print "mem", key, count, w, is["ABITS"], is["RD_PORTS"], \
            is["WR_PORTS"] >list
        bad = bad || is["RD_CLK_ENABLE"] ~ /'.*1/ || is["WR_CLK_ENABLE"] !~ /'1+$/
    }
    inside = ""
    next
}
inside { next }
{
    printf "%s%s\n", notes, $0
    forget()
}
END { exit bad }
