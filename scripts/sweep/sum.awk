# sum.awk - what became of a sweep; after csv.awk.  Exit status 1 unless all is
# done.
NR == 1 { next }
{ n[cell["status"]]++ }
cell["status"] == "failed" && ++shown <= 5 {
    print "sweep: failed: " cell["configuration"] ": " cell["reason"] \
        >"/dev/stderr"
}
END {
    printf "%s/sweep.csv: %d configurations: %d measured, %d refused, " \
        "%d failed, %d to do\n", folder, NR - 1, n["ok"], n["refused"],
        n["failed"], n["todo"]
    exit n["failed"] + n["todo"] > 0
}
