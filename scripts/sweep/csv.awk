# csv.awk - read CSV without newlines in its cells: each line's cells into
# cell["name of the column"], header and all.

# Splits $0 into part[1..n]; returns n.
function split_csv(part, n, s, c) {
    s = $0
    n = 0
    while (1) {
        n++
        if (substr(s, 1, 1) == "\"") {
            c = ""
            s = substr(s, 2)
            while (match(s, /"/)) {
                c = c substr(s, 1, RSTART - 1)
                s = substr(s, RSTART + 1)
                if (substr(s, 1, 1) != "\"")
                    break
                c = c "\""
                s = substr(s, 2)
            }
            part[n] = c
        } else if (match(s, /,/)) {
            part[n] = substr(s, 1, RSTART - 1)
            s = substr(s, RSTART)
        } else {
            part[n] = s
            s = ""
        }
        if (substr(s, 1, 1) != ",")
            return n
        s = substr(s, 2)
    }
}

NR == 1 {
    columns = split_csv(name)
    next
}
{
    split_csv(parts)
    for (i = 1; i <= columns; i++)
        cell[name[i]] = parts[i]
}
