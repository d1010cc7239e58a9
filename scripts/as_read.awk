# as_read.awk - emitted Verilog as a prover or a synthesis reads it.
#
#   awk -f scripts/as_read.awk FILE ...
#
# What these do not see is left out, so that a digest of the rest stands while
# the logic does: comments, the ends and indents of lines, and what is behind
# macros that only a user defines.  A directive keeps a line of its own; else a
# line ends after each semicolon.
BEGIN {
    user["NDP_CHECKS"] = user["NDP_RAM_STYLE"] = 1
}
function flush() {
    if (text == "")
        return
    gsub(/[ \t]+/, " ", text)
    gsub(/ ?\( ?/, "(", text)
    gsub(/ ?\) ?/, ")", text)
    gsub(/ ?\[ ?/, "[", text)
    gsub(/ ?\] ?/, "]", text)
    gsub(/ ?\{ ?/, "{", text)
    gsub(/ ?\} ?/, "}", text)
    gsub(/ ?, ?/, ",", text)
    gsub(/ ?; ?/, ";\n", text)
    sub(/^ /, "", text)
    sub(/\n$/, "", text)
    print text
    text = ""
}
# Without its comment, which may not begin in a string.
function code(line,    i, c, quoted) {
    if (line !~ /\/\//)
        return line
    for (i = 1; i < length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\\" && quoted)
            i++
        else if (c == "\"")
            quoted = !quoted
        else if (!quoted && substr(line, i, 2) == "//")
            return substr(line, 1, i - 1)
    }
    return line
}
{
    line = code($0)
    sub(/^[ \t]+/, "", line)
    sub(/[ \t]+$/, "", line)
}
line == "" { next }
line ~ /^`(ifdef|ifndef) / {
    split(line, word, /[ \t]+/)
    depth++
    of_user[depth] = word[2] in user
    hidden[depth] = of_user[depth] && word[1] == "`ifdef"
    if (of_user[depth])
        next
}
line == "`else" && of_user[depth] {
    hidden[depth] = !hidden[depth]
    next
}
line == "`endif" {
    mine = of_user[depth]
    hidden[depth] = 0
    depth--
    if (mine)
        next
}
{
    for (i = 1; i <= depth; i++)
        if (hidden[i])
            next
}
line ~ /^`(ifdef|ifndef|else|elsif|endif|define|undef|include|default_nettype|timescale|resetall)/ ||
        line ~ /^file / {
    flush()
    print line
    next
}
{ text = text " " line }
END { flush() }
