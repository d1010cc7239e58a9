# json.awk - a table of figures as a JSON array, one object a row.
#
#   awk -f json.awk FIGURES
#
# Keys are the column names; a '-' becomes null.

BEGIN {
    FS = "\t"
    printf "["
}

/^#/ { next }

$1 == "tool" {
    for (i = 1; i <= NF; i++)
        name[i] = $i
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

END { print "\n]" }
