# modules.awk - gate equivalents of each module, largest share first.
#
#   awk -f modules.awk HIERARCHICAL-STAT | sort -k 2 -n -r
#
# Reads 'stat -tech cmos' of an unflattened netlist; a module that is used n
# times is counted n times.

/^===/ {
    module = $2
    # a parametrised module: $paramod$HASH\NAME or $paramod\NAME\PARAMETERS
    if (sub(/^[$]paramod[^\\]*\\/, "", module))
        sub(/\\.*/, "", module)
    tree = module == "design"
    unit++
    label[unit] = module
    key[unit] = $2
}

# the tree below "design hierarchy": module name, how often in its parent
tree && NF == 2 && $2 ~ /^[0-9]+$/ && !/Number/ && !/[$]_/ && !/[$]mem/ {
    match($0, /[^ ]/)
    level = RSTART
    times[level] = $2
    for (l in times)
        if (l + 0 > level)
            delete times[l]
    n = 1
    for (l in times)
        n *= times[l]
    used[$1] += n
}

/[$]_DFF_P_/ && !tree { ffs[unit] = $2 }
/transistors:/ && !tree {
    sub(/.*: */, "")
    transistors[unit] = $0 + 0
}

END {
    for (u = 1; u <= unit; u++) {
        if (label[u] == "design")
            continue
        n = used[key[u]]
        gates[label[u]] += n * transistors[u] / 4
        flops[label[u]] += n * ffs[u]
        count[label[u]] += n
        all += n * transistors[u] / 4
    }
    for (m in gates)
        if (gates[m] >= 0.5)
            printf "  %-24s %8.0f GE %5.1f %%  %6d FFs  %2d times\n", m, \
                gates[m], 100 * gates[m] / all, flops[m], count[m]
}
