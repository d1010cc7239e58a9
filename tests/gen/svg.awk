# svg.awk - what is wrong with a picture: not well formed, no title of its own,
# texts that leave it or lie over each other.
#
#   awk -f svg.awk PICTURE.svg
#
# Prints a line a fault.  A picture is taken to pieces at its tags; of a text the
# place is that of its x and y under the transforms around it, its width that of
# so many letters of the font's size, rather narrow ones.

BEGIN {
    RS = "\1" # the whole file
    NARROW = 0.45
    SLACK = 1
}

function fault(what) {
    sub(/^.*\//, "", name)
    print name ": " what
    faults++
}

function attribute(s, key,    at) {
    if (!match(s, "[ \t\n]" key "[ ]*=[ ]*(\"[^\"]*\"|'[^']*')"))
        return ""
    s = substr(s, RSTART, RLENGTH)
    sub(/^[^"']*["']/, "", s)
    sub(/["']$/, "", s)
    return s
}

# --- places: x' = a x + c y + e, y' = b x + d y + f ------------------------------

function multiply(level, a, b, c, d, e, f,    n) {
    n = level
    na = A[n] * a + C[n] * b; nc = A[n] * c + C[n] * d
    ne = A[n] * e + C[n] * f + E[n]
    nb = B[n] * a + D[n] * b; nd = B[n] * c + D[n] * d
    nf = B[n] * e + D[n] * f + F[n]
    A[n] = na; B[n] = nb; C[n] = nc; D[n] = nd; E[n] = ne; F[n] = nf
}

function transform(level, s,    word, n, v, t) {
    while (match(s, /[a-z]+\([^)]*\)/)) {
        word = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        n = split(substr(word, index(word, "(") + 1), v, /[ ,)]+/)
        if (word ~ /^translate/)
            multiply(level, 1, 0, 0, 1, v[1], v[2] + 0)
        else if (word ~ /^scale/)
            multiply(level, v[1], 0, 0, v[2] == "" ? v[1] : v[2], 0, 0)
        else if (word ~ /^rotate/) {
            t = v[1] * atan2(0, -1) / 180
            multiply(level, cos(t), sin(t), -sin(t), cos(t), 0, 0)
        } else
            fault("unknown transform '" word "'")
    }
}

# --- texts -------------------------------------------------------------------------

# Letters; a byte that continues one of UTF-8 is none, an entity is one.
function letters(s) {
    gsub(/&[a-z#0-9]+;/, "x", s)
    gsub(/[\200-\277]/, "", s)
    return length(s)
}

function place(s,    w, h, x0, x1, n, px, py, i, j, xs, ys, anchor) {
    gsub(/^[ \t\n]+|[ \t\n]+$/, "", s)
    if (s == "")
        return
    w = letters(s) * size[text_at] * NARROW
    h = size[text_at] * 0.75
    anchor = anchors[text_at]
    x0 = text_x - (anchor == "middle" ? w / 2 : anchor == "end" ? w : 0)
    n = ++texts
    # the corners, turned and moved
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++) {
            xs = x0 + i * w
            ys = text_y - j * h
            px = A[text_at] * xs + C[text_at] * ys + E[text_at]
            py = B[text_at] * xs + D[text_at] * ys + F[text_at]
            if (!i && !j || px < left[n]) left[n] = px
            if (!i && !j || px > right[n]) right[n] = px
            if (!i && !j || py < top[n]) top[n] = py
            if (!i && !j || py > bottom[n]) bottom[n] = py
        }
    said[n] = s
    # what follows on the same line
    text_x += anchor == "" || anchor == "start" ? w : 0
    if (left[n] < box[1] - SLACK || top[n] < box[2] - SLACK ||
        right[n] > box[1] + box[3] + SLACK ||
        bottom[n] > box[2] + box[4] + SLACK)
        fault(sprintf("'%s' at %d, %d leaves the picture of %g x %g", s, \
            left[n], top[n], box[3], box[4]))
}

function overlaps(    i, j) {
    for (i = 1; i <= texts; i++)
        for (j = i + 1; j <= texts; j++)
            if (left[i] + 1 < right[j] && left[j] + 1 < right[i] &&
                top[i] + 1 < bottom[j] && top[j] + 1 < bottom[i]) {
                fault("'" said[i] "' and '" said[j] "' lie over each other")
                return
            }
}

# Of classes in <style>: where their texts are anchored, how large they are.
function styles(s,    rule, class) {
    while (match(s, /\.[a-z]+\{[^}]*\}/)) {
        rule = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        class = substr(rule, 2, index(rule, "{") - 2)
        if (match(rule, /text-anchor:[a-z]+/))
            class_anchor[class] = substr(rule, RSTART + 12, RLENGTH - 12)
        if (match(rule, /font-size:[0-9.]+/))
            class_size[class] = substr(rule, RSTART + 10, RLENGTH - 10)
    }
}

# --- tags ----------------------------------------------------------------------------

function open_tag(tag, s,    up, v, n, class, i) {
    up = depth++
    open[depth] = tag
    size[depth] = size[up]; anchors[depth] = anchors[up]
    A[depth] = A[up]; B[depth] = B[up]; C[depth] = C[up]
    D[depth] = D[up]; E[depth] = E[up]; F[depth] = F[up]
    n = split(attribute(s, "class"), class, " ")
    for (i = 1; i <= n; i++) {
        if (class[i] in class_anchor) anchors[depth] = class_anchor[class[i]]
        if (class[i] in class_size) size[depth] = class_size[class[i]]
    }
    if ((v = attribute(s, "font-size")) != "") size[depth] = v + 0
    if ((v = attribute(s, "text-anchor")) != "") anchors[depth] = v
    if ((v = attribute(s, "transform")) != "") transform(depth, v)
    if (tag == "svg" && split(attribute(s, "viewBox"), box, /[ ,]+/) != 4) {
        fault("no viewBox of four numbers")
        exit
    }
    if (tag == "text" || tag == "tspan") {
        if ((v = attribute(s, "x")) != "") text_x = v + 0
        else if (tag == "text") text_x = 0
        if ((v = attribute(s, "y")) != "") text_y = v + 0
        else if (tag == "text") text_y = 0
        text_at = depth
    }
}

function close_tag(tag) {
    if (!depth || open[depth] != tag) {
        fault("</" tag "> closes <" open[depth] ">")
        exit
    }
    depth--
    if (tag == "tspan") text_at = depth
}

function content(s,    at) {
    at = s
    gsub(/&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/, "", at)
    if (at ~ /&/)
        fault("a bare & in '" s "'")
    if (open[depth] == "text" || open[depth] == "tspan")
        place(s)
    else if (open[depth] == "style")
        styles(s)
    else if (open[depth] == "title" && depth == 2)
        title = s
    else if (s ~ /[^ \t\n]/ && open[depth] != "title" && open[depth] != "desc")
        fault("text outside of <text>: '" s "'")
}

{
    name = FILENAME
    rest = $0
    A[0] = D[0] = 1; B[0] = C[0] = E[0] = F[0] = 0; size[0] = 16
    while ((at = index(rest, "<")) > 0) {
        if (at > 1)
            content(substr(rest, 1, at - 1))
        rest = substr(rest, at)
        if (substr(rest, 1, 4) == "<!--") end = "-->"
        else if (substr(rest, 1, 2) == "<?") end = "?>"
        else end = ">"
        at = index(rest, end)
        if (!at) {
            fault("a tag that does not end: " substr(rest, 1, 40))
            exit
        }
        tag = substr(rest, 1, at + length(end) - 1)
        rest = substr(rest, at + length(end))
        if (tag ~ /^<[!?]/)
            continue
        if (tag ~ /^<\//) {
            gsub(/[<>\/ \t\n]/, "", tag)
            close_tag(tag)
            continue
        }
        bare = tag
        gsub(/"[^"<]*"|'[^'<]*'/, "", bare)
        if (bare !~ /^<[a-zA-Z0-9]+([ \t\n]+[a-zA-Z0-9:-]+[ ]*=[ ]*)*[ \t\n]*\/?>$/) {
            fault("not a tag: " substr(tag, 1, 60))
            exit
        }
        word = substr(tag, 2)
        sub(/[^a-zA-Z].*$/, "", word)
        open_tag(word, tag)
        if (tag ~ /\/>$/)
            close_tag(word)
    }
    if (depth)
        fault("<" open[depth] "> is not closed")
    if (title == "" || title == "Gnuplot" || title == "%3")
        fault("no title of its own")
    if (!texts)
        fault("no text")
    overlaps()
}

END { exit faults > 0 }
