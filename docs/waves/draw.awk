# draw.awk - a timing diagram as SVG out of a description and a VCD of ports.
#
#   awk -f draw.awk -v target=NAME NAME.wave ports.vcd
#
# The VCD is one of VALUES= (docs/cosim.md): 10 time units a cycle, all signals
# change at its beginning.  Lines of a description, after '#' comments:
#
#   run WORDS          what `make cosim` gets besides TARGET=, for scripts/waves.sh
#   make FOLDER        or the folder whose Makefile draws the VCD
#   from N             first cycle
#   cycles N           how many
#   step N             width of a column, 40
#   title TEXT
#   mark A B ...       columns in which all of these are 1 are tinted
#   SIGNAL [when V] [as TEXT]   a row; where V is 0 a bus is grey; TEXT for the name
#   (empty line)       a gap between rows

function left_out(text) { return text ~ /^(run|make|#)/ }

FILENAME == ARGV[1] && left_out($0) { next }

FILENAME == ARGV[1] {
    if ($1 ~ /^(from|cycles|step)$/) {
        value[$1] = $2
    } else if ($1 == "title") {
        title = substr($0, 7)
    } else if ($1 == "mark") {
        n_marks = split(substr($0, 6), mark, " ")
    } else if (NF || n_rows) {
        row[++n_rows] = $1
        for (i = 2; i < NF; i++) {
            if ($i == "when")
                valid[n_rows] = $(i + 1)
            if ($i == "as") {
                label[n_rows] = $0
                sub(/.* as /, "", label[n_rows])
            }
        }
    }
    next
}

$1 == "$var" { code[$5] = $4; width[$5] = $3; next }
/^\$/ { next }
/^#/ {
    at = substr($1, 2)
    column = int(at / 10) - value["from"]
    if (at % 10 == 0 && column >= 0 && column < value["cycles"]) {
        last = column
        for (c in now)
            seen[c, column] = now[c]
    }
    next
}
/^b/ { note($2, substr($1, 2)); next }
{ note(substr($1, 2), substr($1, 1, 1)) }

# a value holds from its column on
function note(c, v) {
    now[c] = v
    if (column >= 0 && at % 10 == 0)
        seen[c, column] = v
}

function hex(bits,    n, s, i, d, k) {
    n = length(bits)
    while (n % 4) {
        bits = "0" bits
        n++
    }
    for (i = 1; i <= n; i += 4) {
        d = 0
        for (k = 0; k < 4; k++)
            d = 2 * d + substr(bits, i + k, 1)
        s = s substr("0123456789abcdef", d + 1, 1)
    }
    sub(/^0+/, "", s)
    return s == "" ? "0" : s
}

function fit(s, room,    most) {
    most = int((room - 8) / 6.7)
    return length(s) <= most ? s : most < 2 ? "" : "…" substr(s, length(s) - most + 2)
}

function escape(s) {
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    return s
}

function bad(text) {
    print "draw.awk: " target ".wave: " text >"/dev/stderr"
    failed = 1
    exit 1
}

function lane(name,    c, k) {
    if (!(name in code))
        bad("no signal '" name "' in the ports of " target)
    return code[name]
}

function clock(y,    k, x, path) {
    path = "M" LEFT " " y + HIGH
    for (k = 0; k < columns; k++) {
        x = LEFT + k * STEP
        path = path "V" y "H" x + STEP / 2 "V" y + HIGH "H" x + STEP
    }
    return path
}

function wire(name, y,    c, k, x, level, path) {
    c = lane(name)
    for (k = 0; k < columns; k++) {
        x = LEFT + k * STEP
        level = seen[c, k] == "1" ? y : y + HIGH
        if (k == 0)
            path = "M" x " " level
        else if (seen[c, k] != seen[c, k - 1])
            path = path "H" x - SLOPE "L" x + SLOPE " " level
        path = path "H" (k == columns - 1 ? x + STEP : x + STEP - SLOPE)
    }
    return path
}

function is_on(name, k) { return name == "" || seen[lane(name), k] == "1" }

# stretches of one value
function bus(name, y, v,    c, k, from, text, x0, x1, a, b, on) {
    c = lane(name)
    for (from = 0; from < columns; from = k) {
        on = is_on(v, from)
        for (k = from + 1; k < columns && is_on(v, k) == on &&
             (!on || seen[c, k] == seen[c, from]); k++)
            ;
        x0 = LEFT + from * STEP
        x1 = LEFT + k * STEP
        a = from == 0 ? x0 : x0 + SLOPE
        b = k == columns ? x1 : x1 - SLOPE
        printf "<path class=\"%s\" d=\"M%s %sL%s %sH%sL%s %sL%s %sH%sZ\"/>\n", \
            on ? "b" : "o", x0, y + HIGH / 2, a, y, b, x1, y + HIGH / 2, \
            b, y + HIGH, a
        text = fit(hex(seen[c, from]), x1 - x0)
        if (on && text != "")
            printf "<text class=\"v\" x=\"%s\" y=\"%s\">%s</text>\n", \
                (x0 + x1) / 2, y + HIGH / 2 + 4, text
    }
}

function marked(k,    i) {
    for (i = 1; i <= n_marks; i++)
        if (!is_on(mark[i], k))
            return 0
    return n_marks > 0
}

END {
    if (failed)
        exit 1
    columns = value["cycles"]
    if (last != columns - 1)
        bad("the run ends before cycle " value["from"] + columns)
    STEP = "step" in value ? value["step"] : 40
    HIGH = 16; ROW = 26; SLOPE = 3; TOP = 46
    for (r = 1; r <= n_rows; r++)
        if (row[r] != "" && !(r in label))
            label[r] = row[r]
    for (r = 1; r <= n_rows; r++)
        most = length(label[r]) > most ? length(label[r]) : most
    LEFT = 20 + int(most * 7.3)
    w = LEFT + columns * STEP + 12
    h = TOP + ROW
    for (r = 1; r <= n_rows; r++)
        h += row[r] == "" ? ROW / 2 : ROW
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" w "\" height=\"" \
        h "\" viewBox=\"0 0 " w " " h "\" role=\"img\">"
    print "<title>" escape(target ": " title) "</title>"
    print "<style>text{font:12px monospace;fill:#222}.t{font:bold 13px " \
        "sans-serif}.n{text-anchor:end}.v{text-anchor:middle;font-size:11px}" \
        ".c{text-anchor:middle;font-size:10px;fill:#666}" \
        "path{fill:none;stroke:#222;stroke-width:1.2}.b{fill:#e3edf7}" \
        ".o{fill:#ddd;stroke:#999}.k{stroke:#666}" \
        ".g{stroke:#ccc;stroke-width:.6;stroke-dasharray:2 3}.m{fill:#fbe9b7}" \
        "</style>"
    print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    print "<text class=\"t\" x=\"10\" y=\"18\">" escape(title) "</text>"
    for (k = 0; k < columns; k++) {
        x = LEFT + k * STEP
        if (marked(k))
            printf "<rect class=\"m\" x=\"%s\" y=\"%s\" width=\"%s\" " \
                "height=\"%s\"/>\n", x, TOP - 6, STEP, h - TOP
        printf "<text class=\"c\" x=\"%s\" y=\"%s\">%s</text>\n", x + STEP / 2, \
            TOP - 10, k
        printf "<path class=\"g\" d=\"M%s %sV%s\"/>\n", x, TOP - 6, h - 6
    }
    y = TOP
    print "<text class=\"n\" x=\"" LEFT - 8 "\" y=\"" y + 12 "\">clk</text>"
    print "<path class=\"k\" d=\"" clock(y) "\"/>"
    for (r = 1; r <= n_rows; r++) {
        if (row[r] == "") {
            y += ROW / 2
            continue
        }
        y += ROW
        print "<text class=\"n\" x=\"" LEFT - 8 "\" y=\"" y + 12 "\">" \
            escape(label[r]) "</text>"
        lane(row[r])
        if (width[row[r]] == 1)
            print "<path d=\"" wire(row[r], y) "\"/>"
        else
            bus(row[r], y, valid[r])
    }
    print "</svg>"
}
