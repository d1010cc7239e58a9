# docs.awk - what pages of Markdown claim, one claim a line, for docs_test.sh.
#
#   anchor PAGE SLUG              a heading, as GitHub makes its anchor
#   link   PAGE LINE TARGET       of a link or a picture
#   path   PAGE LINE WORD         in code, begins with a folder of the project
#   built  PAGE LINE WORD         in code, build/...
#   make   PAGE LINE TARGET       in code, behind make
#   option PAGE LINE WHO WORD     in code, --word; WHO: the program of ours that it is
#                                 given to, or any
#
# Words with a placeholder (<b>, $x, %, {, ...) claim nothing.

function slug(s) {
    s = tolower(s)
    gsub(/\[|\]\([^)]*\)/, "", s)
    gsub(/[^a-z0-9 _-]/, "", s)
    gsub(/ /, "-", s)
    return s
}

function say(kind, rest) {
    print kind, page, at, rest
}

# Whom the words behind this one are meant for: a program or script of ours, "" for
# another's, or what it was.
function meant(w, who, first) {
    if (w ~ /^(build\/)?ndp[a-z]+$/) {
        sub(/^build\//, "", w)
        return w
    }
    if (w ~ /^scripts\/[a-z_]+\.sh$/)
        return w
    return first && w !~ /^--|=|^(sh|nice|time|make)$/ ? "" : who
}

# A piece of code: a span, or a line of a block.
function code(text, span, n, i, word, w, who, first) {
    n = split(text, word, /[ \t]+/)
    who = span ? "any" : ""
    first = 1
    for (i = 1; i <= n; i++) {
        w = word[i]
        if (w == "")
            continue
        if (w ~ /^#/)
            return
        if (w ~ /^(\||;|&&|\\)$/) {
            who = ""
            first = 1
            continue
        }
        if (w == "make" && first) {
            if (word[i + 1] ~ /^[a-z][a-z-]*[;,]?$/)
                say("make", word[i + 1])
            who = ""
        } else if (w ~ /^--[a-z]/) {
            sub(/[=;,].*/, "", w)
            if (who != "")
                say("option", who " " w)
        } else {
            who = meant(w, who, first)
            gsub(/^[A-Za-z_]+=|[;,:]$|^['"(]+|['")\]]+$/, "", w)
            sub(/^(golden|untimed|verilator|icarus):/, "", w)
            sub(/^"/, "", w)
            sub(/:[0-9]+(:[0-9]+)?$/, "", w) # a place in a file
            if (w !~ /[<>${}%|]|\.\.\./) {
                if (w ~ /^(docs|lib|golden|gen|rtl-templates|verilator-tb|tests|scripts|kernels)\//)
                    say("path", w)
                else if (w ~ /^build\/[a-z]/)
                    say("built", w)
            }
        }
        first = 0
    }
}

# A paragraph, a row of a table: spans of code, then links without them.
function prose(text, rest, span) {
    rest = ""
    while (match(text, /`[^`]+`/)) {
        span = substr(text, RSTART + 1, RLENGTH - 2)
        rest = rest substr(text, 1, RSTART - 1) "code"
        text = substr(text, RSTART + RLENGTH)
        code(span, 1)
    }
    rest = rest text
    while (match(rest, /\]\([^)]*\)/)) {
        span = substr(rest, RSTART + 2, RLENGTH - 3)
        if (span !~ /^[a-z]+:/)
            say("link", span)
        rest = substr(rest, RSTART + RLENGTH)
    }
}

function flush() {
    if (para != "")
        prose(para)
    para = ""
    at = FNR
}

FNR == 1 {
    flush()
    page = FILENAME
    at = 1
    fence = indented = 0
    blank = 1
    split("", seen)
}
{ sub(/\r$/, "") }
/^ *(```|~~~)/ { flush(); fence = !fence; next }
fence { at = FNR; code($0, 0); next }
/^ *$/ { flush(); blank = 1; next }
/^    / && (blank || indented) { flush(); indented = 1; code($0, 0); next }
{ indented = blank = 0 }
/^#/ {
    flush()
    sub(/^#+ +/, "")
    s = slug($0)
    print "anchor", page, seen[s]++ ? s "-" seen[s] - 1 : s
    prose($0)
    next
}
/^ *\|/ || /^ *([-*]|[0-9]+\.) / { flush() }
{ para = para " " $0 }
END { flush() }
