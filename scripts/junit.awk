# junit.awk - one suite of JUnit's XML out of the log of a step of check.sh.
#
#   awk -v step=NAME -v result=ok|FAILED -v took=SECONDS -v p=PASSED -v f=FAILED \
#       -f scripts/junit.awk LOG
#
# A case is a test that the log names, as cmocka does, else what a runner sums up
# in a line 'name: N passed, M failed', else the step.  Names do not depend on
# how it went, so that a CI can follow them; the sums stand in properties.
function escaped(s) {
    gsub(/[^\t -~]/, "?", s)
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    gsub(/"/, "\\&quot;", s)
    return s
}
function add(name, bad) {
    name = escaped(name)
    if (seen[name]++)
        name = name " (" seen[name] ")"
    cases = cases "    <testcase classname=\"" step "\" name=\"" name "\""
    if (bad)
        cases = cases "><failure message=\"failed, see the suite\"/></testcase>\n"
    else
        cases = cases "/>\n"
    n++
    failures += bad
}
{ last[NR % 40] = $0 }
/^\[       OK \] / { add($4, 0) }
/^\[=+\].* Running / { group++ }
/^\[  FAILED  \] [^0-9]/ && $4 !~ /:$/ && !told[group, $4]++ { add($4, 1) }
/(^|: )[0-9]+ passed, [0-9]+ failed/ && !/^\[/ {
    line = $0
    sub(/.*: /, "", line)
    split(line, w, " ")
    what = $0
    if (!sub(/: [0-9]+ passed, .*/, "", what))
        what = "run " ++unnamed
    add(what, w[3] > 0)
}
END {
    if (!n || (result != "ok" && !failures))
        add("step", result != "ok")
    printf "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" " \
        "errors=\"0\" skipped=\"0\" time=\"%d\">\n", \
        step, n, failures, took
    printf "    <properties>\n      <property name=\"passed\" " \
        "value=\"%d\"/>\n      <property name=\"failed\" " \
        "value=\"%d\"/>\n    </properties>\n%s", p, f, cases
    if (result != "ok") {
        print "    <system-out>"
        for (i = NR > 40 ? NR - 39 : 1; i <= NR; i++)
            print escaped(last[i % 40])
        print "    </system-out>"
    }
    print "  </testsuite>"
}