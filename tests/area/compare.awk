# compare.awk - hold new figures against the recorded ones.
#
#   awk -v command=TEXT -v whole=1 -v stale=FILES -f compare.awk RECORD NEW
#
# Both are tables with a header line; the first four columns (tool, target,
# preset, flow) name a row, the others are figures.  Every difference counts,
# better or worse.  Rows that another tool version made are not compared, which
# is said last and loudly: they are no failure, but nothing was checked.
# Rows of the record that NEW lacks count as gone if 'whole' is set: NEW is then
# a run over everything; stale names reports that the record has outrun.
# Last line: "N passed, N failed".

BEGIN { FS = "\t" }

/^#/ { next }

FNR == 1 || $1 == "tool" {
    for (i = 1; i <= NF; i++)
        name[i] = $i
    columns = NF
    next
}

FILENAME == ARGV[1] {
    key = $2 " " $3 " " $4
    tool[key] = $1
    for (i = 5; i <= NF; i++)
        old[key, i] = $i
    next
}

{
    key = $2 " " $3 " " $4
    seen[key] = 1
    if (!(key in tool)) {
        printf "%s: not recorded yet\n", key
        failed++
    } else if (tool[key] != $1) {
        others[sprintf("the record is of %s, this is %s", tool[key], $1)]
        skipped++
    } else
        compare()
}

function compare(    i, same, sign) {
    same = 1
    for (i = 5; i <= columns; i++)
        if (old[key, i] != $i) {
            same = 0
            sign = old[key, i] + 0 ? \
                sprintf(" (%+.1f %%)", 100 * ($i / old[key, i] - 1)) : ""
            printf "%s: %s was %s, is %s%s\n", key, name[i], old[key, i], $i, \
                sign
        }
    if (same)
        passed++
    else
        failed++
}

function not_checked(    text) {
    printf "\n*** NOT CHECKED: %d of %d rows\n", skipped, rows_of_new()
    for (text in others)
        printf "*** %s\n", text
    print "*** Figures of two versions cannot be compared.  Install that " \
        "version, or record with"
    printf "*** this one, from RTL that is known to be unchanged: %s\n\n", \
        command
}

function rows_of_new(    key, n) {
    for (key in seen)
        n++
    return n
}

END {
    if (whole)
        for (key in tool)
            if (!(key in seen)) {
                printf "%s: recorded, but no longer made\n", key
                failed++
            }
    n = split(stale, report, /[ \n]+/)
    for (i = 1; i <= n; i++)
        printf "%s: not what the record gives\n", report[i]
    if (n)
        failed++
    else
        passed++
    if (failed)
        printf "to record these figures on purpose: %s\n", command
    if (skipped)
        not_checked()
    printf "%d passed, %d failed", passed, failed
    if (skipped)
        printf ", %d skipped", skipped
    printf "\n"
    exit failed > 0
}
