# collect.awk - the table of a sweep, out of its folder.
#
# usage: awk -v folder=FOLDER -f collect.awk FOLDER/columns NAMES
#
# NAMES has a name a line.  What was planned comes from NAME/job, what was
# measured from NAME/result or NAME/failed; where neither is there, the status is
# 'todo'.  CSV as in RFC 4180, but that a line ends with a newline alone.
function cell(v) {
    if (v ~ /[",]/) {
        gsub(/"/, "\"\"", v)
        v = "\"" v "\""
    }
    return v
}

FNR == NR {
    column[++columns] = $0
    known[$0]
    printf "%s%s", (columns > 1 ? "," : ""), cell($0)
    next
}
FNR == 1 { printf "\n" }
{
    split("", v)
    v["configuration"] = $0
    v["status"] = "todo"
    job = folder "/" $0 "/job"
    while ((getline line <job) > 0) {
        at = index(line, " ")
        word = substr(line, 1, at - 1)
        rest = substr(line, at + 1)
        if (word == "param") {
            at = index(rest, " ")
            v[substr(rest, 1, at - 1)] = substr(rest, at + 1)
        } else if (word ~ /^(sweep|target|preset|hash|seed)$/) {
            v[word] = rest
        }
    }
    close(job)
    result = folder "/" $0 "/result"
    if ((getline line <result) <= 0) {
        close(result)
        result = folder "/" $0 "/failed"
        if ((getline line <result) <= 0)
            result = ""
    }
    # the first line is the key
    while (result && (getline line <result) > 0) {
        at = index(line, "\t")
        word = substr(line, 1, at - 1)
        if (!(word in known)) {
            print "sweep.sh: error: " result ": no column '" word "'" \
                >"/dev/stderr"
            exit 2
        }
        v[word] = substr(line, at + 1)
    }
    if (result)
        close(result)
    for (i = 1; i <= columns; i++)
        printf "%s%s", (i > 1 ? "," : ""), cell(v[column[i]])
    printf "\n"
}
