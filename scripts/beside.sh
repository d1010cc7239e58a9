# beside.sh - what scripts that put somebody's simulator beside ours share; read with
# '.', not run.

LC_ALL=C
export LC_ALL

fail() {
    echo "error: $*" >&2
    exit 2
}

# seconds FILE COMMAND...: of the processor, its own and the system's, in steps of
# 0.01; what it says goes into FILE.  Nothing of a command that fails.
seconds() {
    # shellcheck disable=SC2016
    sh -c 'out=$1; shift; "$@" >"$out" 2>&1 || exit 1; times' run "$@" | awk '
        NR == 2 {
            for (i = 1; i <= 2; i++) {
                split($i, f, "[ms]")
                sum += f[1] * 60 + f[2]
            }
            print sum
        }'
}

# Of numbers, a line each.
median() {
    sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
