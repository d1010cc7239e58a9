# speed.awk - hold instruction counts against the recorded ones.
#
#   awk -v command=TEXT -v whole=1 -v missing=TARGETS -v record=NAME \
#       -f speed.awk RECORD NEW
#
# Both have rows of tools, item, work and count, apart by tabs; item and work
# together name a row, so that a count of other work is no count at all.  A move
# of more than 5 % is shown, one of more than 20 % is a failure, better or worse:
# a record that is too high hides what comes after it.  Rows of the record that
# NEW lacks count as gone if 'whole' is set.
# Last line: "N passed, N failed".

BEGIN {
    FS = "\t"
    shown = 5
    too_far = 20
}

FILENAME == ARGV[1] {
    if (/^#/ || $1 == "tools")
        next
    if (NF != 4 || $4 !~ /^[1-9][0-9]*$/) {
        wrong(sprintf("%s:%d: expected tools, item, work and a count apart by " \
            "tabs, found '%s'", record, FNR, substr($0, 1, 60)))
        next
    }
    key = $2 "\t" $3
    if (key in old)
        wrong(sprintf("%s:%d: a second count of '%s'", record, FNR, $2))
    tools[key] = $1
    old[key] = $4
    next
}

{
    key = $2 "\t" $3
    seen[key]
    rows++
    if (!(key in old))
        wrong(sprintf("%s: not recorded yet, %s", $2, $3))
    else if (tools[key] != $1) {
        others[sprintf("the record is of %s, this is %s", tools[key], $1)]
        skipped++
    } else
        compare()
}

function wrong(text) {
    print text
    failed++
}

function compare(    move) {
    move = 100 * ($4 / old[key] - 1)
    if (move != 0) {
        moved++
        if (move * move > most * most)
            most = move
    }
    if (move < -too_far || move > too_far)
        wrong(sprintf("%s: %+.1f %%, was %s, is %s: more than %d %%", $2, \
            move, old[key], $4, too_far))
    else {
        if (move < -shown || move > shown)
            printf "%s: %+.1f %%, was %s, is %s: within %d %%\n", $2, move, \
                old[key], $4, too_far
        passed++
    }
}

END {
    if (whole)
        for (key in old)
            if (!(key in seen)) {
                split(key, part, "\t")
                wrong(sprintf("%s: recorded, but no longer counted, %s", \
                    part[1], part[2]))
            }
    n = split(missing, target, " ")
    for (i = 1; i <= n; i++)
        wrong(sprintf("model %s: has a bench_%s.c and no item", target[i], \
            target[i]))
    if (moved)
        printf "%d of %d counts have moved, by up to %+.1f %%\n", moved, rows, \
            most
    if (failed)
        printf "to record these counts on purpose: %s\n", command
    if (skipped) {
        printf "\n*** NOT CHECKED: %d of %d counts\n", skipped, rows
        for (text in others)
            printf "*** %s\n", text
        printf "*** Counts of different tools cannot be compared.  Install " \
            "those, or record with\n*** these, from sources that are known to " \
            "be unchanged: %s\n\n", command
    }
    printf "%d passed, %d failed", passed, failed
    if (skipped)
        printf ", %d skipped", skipped
    printf "\n"
    exit failed > 0
}
