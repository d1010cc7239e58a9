# compare.awk - hold new figures against the recorded ones.
#
#   awk -v command=TEXT -v whole=1 -v stale=FILE -f compare.awk RECORD NEW
#
# Both are tables with a header line; the first four columns (tool, target,
# preset, flow) name a row, the others are figures.  Every difference counts,
# better or worse.  Rows that another tool version made are not compared.
# Rows of the record that NEW lacks count as gone if 'whole' is set: NEW is then
# a run over everything; stale names a report that the record has outrun.
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
        if (!told[tool[key] SUBSEP $1]++)
            printf "not comparable: the record is of %s, this is %s\n", \
                tool[key], $1
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

END {
    if (whole)
        for (key in tool)
            if (!(key in seen)) {
                printf "%s: recorded, but no longer made\n", key
                failed++
            }
    if (stale) {
        printf "%s: not what the record gives\n", stale
        failed++
    } else
        passed++
    if (failed)
        printf "to record these figures on purpose: %s\n", command
    printf "%d passed, %d failed", passed, failed
    if (skipped)
        printf ", %d skipped", skipped
    printf "\n"
    exit failed > 0
}
