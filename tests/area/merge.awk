# merge.awk - the record with new rows in the place of the old ones.
#
#   awk -v whole=1 -f merge.awk NEW RECORD
#
# The comment and header lines of RECORD stay.  New rows come in NEW's order, a
# row whose target, preset and flow NEW lacks is kept unless 'whole' is set.

BEGIN { FS = OFS = "\t" }

FILENAME == ARGV[1] {
    if ($1 != "tool" && !/^#/) {
        key = $2 SUBSEP $3 SUBSEP $4
        order[++n] = key
        row[key] = $0
    }
    next
}

/^#/ || $1 == "tool" {
    print
    next
}

{
    key = $2 SUBSEP $3 SUBSEP $4
    if (key in row) {
        print row[key]
        done[key] = 1
    } else if (!whole)
        print
}

END {
    for (i = 1; i <= n; i++)
        if (!(order[i] in done))
            print row[order[i]]
}
