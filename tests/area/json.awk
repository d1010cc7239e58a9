# json.awk - a table of figures as JSON, {"schema", "rows"}, one object a row.
#
#   awk -v schema=NAME -v lib=NAME -f json.awk FIGURES [LIB-FIGURES]
#
# Keys are the column names; a '-' becomes null.  LIB-FIGURES are areas in the
# cells of the user's library NAME.

BEGIN {
    FS = "\t"
    printf "{\"schema\": \"%s\", \"rows\": [", schema
}

/^#/ { next }

$1 == "tool" {
    for (i = 1; i <= NF; i++)
        name[i] = $i
    next
}

$4 == "lib" {
    file = lib
    gsub(/["\\]/, "\\\\&", file)
    printf "%s\n  {\"tool\": \"%s\", \"target\": \"%s\", \"preset\": \"%s\", " \
        "\"flow\": \"lib\", \"library\": \"%s\", \"area\": %s}", \
        (rows++ ? "," : ""), $1, $2, $3, file, $5
    next
}

{
    printf "%s\n  {", rows++ ? "," : ""
    for (i = 1; i <= NF; i++) {
        value = $i == "-" ? "null" : $i ~ /^-?[0-9.]+$/ ? $i : "\"" $i "\""
        printf "%s\"%s\": %s", (i > 1 ? ", " : ""), name[i], value
    }
    printf "}"
}

END { print "\n]}" }
