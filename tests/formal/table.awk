# table.awk - the results of all jobs as text, JSON or a page of docs/.
# form says which; tools names the versions, summary the file that the page begins
# with, wrong the lines of the ledger that are wrong.  Exit status 1 if anything failed.
BEGIN {
    if (form == "json")
        printf "{\"tools\": \"%s\", \"results\": [", tools
    if (form == "markdown") {
        while ((getline line <"tests/formal/proofs.head") > 0)
            if (line == "@summary@")
                while ((getline line <summary) > 0)
                    print line
            else
                print line
        print "Tools: " tools "."
    }
}
$2 == "time" {
    seconds += $4
    if (form == "text")
        printf "%-14s %s s%s\n\n", $1, $4, \
            $3 == "vouched" ? ", vouched for by the ledger" : ""
    next
}
{
    good = $3 == "proved" || $3 == "bounded" || $3 == "reached"
    count[$3]++
    if (good)
        passed++
    else
        failed++
}
form == "text" {
    printf "%-14s %-26s %-12s %s\n", $1, $2, $3, $4
}
form == "json" {
    gsub(/["\\]/, "")
    printf "%s\n  {\"job\": \"%s\", \"name\": \"%s\", \"result\": \"%s\", \"how\": \"%s\"}", \
        n++ ? "," : "", $1, $2, $3, $4
}
END {
    failed += wrong
    if (form == "json") {
        printf "\n], \"passed\": %d, \"failed\": %d}\n", passed, failed
        exit failed > 0
    }
    if (form == "markdown") {
        print ""
        while ((getline line <"tests/formal/proofs.tail") > 0)
            print line
        print ""
    }
    printf "%d proved, %d bounded, %d goals reached\n%s%d passed, %d failed\n", \
        count["proved"], count["bounded"], count["reached"], \
        form == "markdown" ? "\n" : "", passed, failed
    exit failed > 0
}
