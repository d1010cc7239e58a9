# page.awk - docs/mutants.md from tests/*/mutants.tsv.
#
# awk -F '\t' -v head=FILE -v why=FILE -f page.awk tests/*/mutants.tsv
#
# A line of WHY: target or '*', a piece of lie, place and line of RTL,
# words; apart by tabs.  The first that fits counts.

function word_of(target, text,    i) {
    for (i = 1; i <= whys; i++)
        if ((about[i] == target || about[i] == "*") && index(text, piece[i]))
            return words[i]
    return ""
}
function code(s) {
    gsub(/\|/, "\\\\|", s)
    return "`" s "`"
}

BEGIN {
    while ((getline line <why) > 0)
        if (line !~ /^#/ && split(line, w, "\t") == 3) {
            about[++whys] = w[1]
            piece[whys] = w[2]
            words[whys] = w[3]
        }
    while ((getline line <head) > 0)
        print line
}
FNR == 1 {
    split(FILENAME, path, "/")
    target = path[2]
}
$1 == "tools" { tools[$2] = 1 }
$1 == "command" { commands = commands "    " $2 "\n" }
$1 == "config" {
    rows = rows sprintf("| `%s` | %s | `%s` | %s | %d | %d | %d | %d | %d | %d |\n", \
        target, $2, substr($3, 1, 8), $10 == "" ? "–" : "`" $10 "`", $4, $5, \
        $6, $7, $8, $9)
    for (i = 4; i <= 9; i++)
        sum[i] += $i
}
$1 == "job" {
    proofs = proofs sprintf("| `%s` | `%s` | `%s` | %d | %d | %d | %d |\n", \
        target, $2, $3, $4, $5, $6, $7)
    for (i = 4; i <= 7; i++)
        held[i] += $i
}
$1 == "mutant" && $4 != "NOCHANGE" {
    left = left sprintf("| `%s` | %s | %d | %s: %s | %s | %s | %s | %s |\n", \
        target, $2, $3, $4, $5, code($6), $7, code($8), word_of(target, $6 " " $7 " " $8))
}
END {
    print "## By block\n"
    print "| block | configuration | rtl | model | mutants | COVERED in 2,000 cycles |" \
        " COVERED | NOCHANGE | UNCOVERED | OPEN |"
    print "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    printf "%s| **all** | | | | **%d** | **%d** | **%d** | **%d** | **%d** |" \
        " **%d** |\n\n", rows, sum[4], sum[5], sum[6], sum[7], sum[8], sum[9]
    print "## What is left\n"
    if (left == "")
        print "Nothing: each mutant is seen, or proved to change nothing.\n"
    else {
        print "Number of the mutant in its list, how the solver ended, the lie" \
            " (mode, cell and pin), the line it came from.\n"
        print "| block | configuration | mutant | verdict | lie | line | text |" \
            " why |"
        print "| --- | --- | ---: | --- | --- | --- | --- | --- |"
        printf "%s\n", left
    }
    if (proofs != "") {
        print "## By proof\n"
        print "Other mutants, drawn from the module of each job with its properties" \
            " in place: caught, if a property fails within 20 s. One that passes" \
            " may change nothing, or something that no property speaks of; lock-step" \
            " is there for that.\n"
        print "| block | job | module | mutants | caught | passed | no model |"
        print "| --- | --- | --- | ---: | ---: | ---: | ---: |"
        printf "%s| **all** | | | **%d** | **%d** | **%d** | **%d** |\n\n", \
            proofs, held[4], held[5], held[6], held[7]
    }
    print "## Again\n"
    printf "%s\n", commands
    printf "Tools:"
    for (t in tools)
        printf "%s %s", n++ ? ";" : "", t
    print ".\n"
    print "`scripts/mutants.sh --help` has the rest: another seed, more mutants, a" \
        " configuration of yours, one mutant again for a closer look."
}
