# speed_merge.awk - the record with new counts in the place of the old ones.
#
#   awk -v whole=1 -f speed_merge.awk NEW RECORD
#
# A whole NEW gives the order; rows that it lacks are dropped then, else kept.

BEGIN { FS = OFS = "\t" }

FILENAME == ARGV[1] {
    key = $2 SUBSEP $3
    order[++n] = key
    item[$2]
    row[key] = $0
    next
}

FNR == 1 || /^#/ || $1 == "tools" { next }

!whole {
    key = $2 SUBSEP $3
    if (key in row) {
        kept[++m] = row[key]
        done[key]
    } else if (!($2 in item)) # of other work: replaced
        kept[++m] = $0
}

END {
    print "# baseline.tsv - what fixed work takes, in instructions; written by" \
        " `make speed UPDATE=1`,"
    print "# see docs/speed.md."
    print "tools", "item", "work", "instructions"
    for (i = 1; i <= m; i++)
        print kept[i]
    for (i = 1; i <= n; i++)
        if (!(order[i] in done))
            print row[order[i]]
}
