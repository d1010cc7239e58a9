# abc.awk - one line for each property or goal, from ABC's log.
# Files: the names in the order of the model's outputs, then the log.
BEGIN {
    depth_done = 0
}
FNR == NR {
    sub(/.*\//, "")
    sub(/\.goal$/, "")
    names[n++] = $0
    next
}
/was asserted in frame/ {
    for (i = 1; i < NF; i++)
        if ($i == "Output")
            k = $(i + 1)
        else if ($i == "frame")
            at[k] = $(i + 1)
}
/^Output [0-9]+ proved/ {
    proved[$2] = 1
}
/^Properties: / {
    gsub(/[=.]/, " ")
    for (i = 1; i < NF; i++)
        if ($i == "Undecided")
            all_decided = $(i + 1) == 0
}
/asserted in [0-9]+ frames/ {
    match($0, /in [0-9]+ frames/)
    depth_done = substr($0, RSTART + 3, RLENGTH - 10) - 1
}
END {
    for (i = 0; i < n; i++)
        if (model == "goals" && i in at)
            out(i, "reached", "after " at[i] " edges")
        else if (model == "goals")
            out(i, "unreachable", "in " depth " edges")
        else if (i in at)
            out(i, "failed", "after " at[i] " edges")
        else if (engine != "bmc" && (all_decided || i in proved))
            out(i, "proved", "pdr")
        else if (engine == "bmc" && depth_done >= depth)
            out(i, "bounded", "depth " depth)
        else
            out(i, "undecided", engine ", out of time")
}
function out(i, what, how) {
    printf "%s\t%s\t%s\t%s\n", job, names[i], what, how
}
