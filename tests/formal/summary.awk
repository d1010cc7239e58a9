# summary.awk - the first part of docs/proofs.md (summary.sh), computed.
#
# Files in this order: ndpgen --list-targets, the names of all templates,
# proofs.head, proofs.txt and breaks.txt of all blocks, the table of results, what
# was emitted, and the RTL of that again (who stands in whom wants all names).
#
# A module has a name in each block that contains it; it is known by that of the
# block it belongs to: ndp_system_fma_round is ndp_fma_round, and what blocks
# share (ndp_nbu_common_queue) common_queue.  Its states:
#
#   job     it is the top of one
#   inside  it is below the top of one that has no bound and does not cut it off;
#           the rules of a block's channels say nothing of what is in it
#   none    neither
function words_of(s) {
    gsub(/\/\/.*$/, "", s)
    gsub(/[^A-Za-z0-9_]+/, " ", s)
    return s
}

# the block of a file of $work: whole/BLOCK/... or rtl-BLOCK-CONFIG/...
function target_of(path,    part, n) {
    path = substr(path, length(work) + 2)
    n = split(path, part, /[\/-]/)
    return part[1] == "whole" || part[1] == "rtl" ? part[2] : ""
}
function base_of(path) {
    sub(/^.*\//, "", path)
    sub(/(_formal)?\.vh?$/, "", path)
    return path
}

# The name in the block that it belongs to: that of a template, or of registers,
# which the generator makes for each block.
function known_as(name, target,    rest, regs) {
    rest = substr(name, length("ndp_" target "_") + 1)
    if (name in template || name == "ndp_" target)
        return name
    if (rest ~ /^common_/)
        return rest
    regs = rest
    if (rest != "regs" && ("ndp_" rest) in template || sub(/_regs$/, "", regs) && regs in targets)
        return "ndp_" rest
    return name
}
function owner_of(module,    t, best) {
    if (module ~ /^common_/)
        return "shared"
    for (t in targets)
        if ((module == "ndp_" t || index(module, "ndp_" t "_") == 1) &&
            length(t) > length(best))
            best = t
    return best
}
# for lists: `a`, `b`
function add(list, name) {
    return list (list == "" ? "" : ", ") "`" name "`"
}
# Lines of a list, none longer than 100 characters.
function put(text,    word, n, i, line, indent) {
    match(text, /^ *(- )?/)
    indent = sprintf("%" RLENGTH "s", "")
    n = split(text, word, " ")
    line = substr(text, 1, RLENGTH) word[1]
    if (substr(text, RLENGTH - 1, 2) == "- ")
        line = substr(indent, 3) "-"
    for (i = 2; i <= n; i++)
        if (length(line) + 1 + length(word[i]) > 100) {
            print line
            line = indent word[i]
        } else
            line = line " " word[i]
    print line
}

FILENAME != file {
    file = FILENAME
    pass = seen[file]++ + 1
    kind = file == work "/targets"      ? "targets" \
         : file == work "/templates"    ? "templates" \
         : file ~ /proofs\.head$/       ? "head" \
         : file ~ /proofs\.txt$/        ? "jobs" \
         : file ~ /breaks\.txt$/        ? "breaks" \
         : file == work "/table.tsv"    ? "results" \
         : file ~ /\/rtl\//             ? "rtl" \
         : file ~ /_rules\.v$/          ? "rules" \
         : file ~ /\/formal\//          ? "formal" : "other"
    split(file, part, "/")
    folder = part[2]
    target = target_of(file)
    module = base_of(file)
}

kind == "targets" {
    targets[$1]
    target_list[++n_targets] = $1
    next
}
kind == "templates" {
    template[base_of($1)]
    next
}
kind == "head" && /^\| `/ {
    n = split($0, part, "`")
    for (i = 2; i < n; i += 2)
        if (part[i] !~ /^ndp_/)
            explained[part[i]]
    next
}
kind == "jobs" && !/^#/ && NF {
    job_list[++n_jobs] = $1
    block[$1] = folder
    top[$1] = $2
    engine[$1] = $3
    for (i = 7; i <= NF; i++)
        if ($i ~ /^cut=/)
            cuts[$1] = substr($i, 5)
    next
}
kind == "breaks" && !/^#/ && NF {
    broken[$2, $3]
    breaks[$2]++
    next
}
kind == "results" {
    split($0, field, "\t")
    if (field[2] == "time")
        next
    results[field[1], field[3]]++
    if (field[3] == "bounded" || field[3] == "proved") {
        of[field[1]] = of[field[1]] " " field[2]
        if (field[3] == "bounded")
            depth[field[1]] = field[4]
        else
            proved_of[top[field[1]], field[2]]
    }
    next
}

# --- modules: outputs, and the words of their properties -----------------------

kind == "rtl" && pass == 1 && FNR == 1 {
    if (!((target, module) in alias_of)) {
        alias_of[target, module] = ""
        emitted[++n_emitted] = target SUBSEP module
    }
}
kind == "rtl" && pass == 1 && /^ *output +(wire|reg) / {
    line = $0
    sub(/ *\/\/.*$/, "", line)
    sub(/,? *$/, "", line)
    sub(/^.*[] ]/, "", line)
    if (!((module, line) in output_of)) {
        output_of[module, line]
        outputs[module] = outputs[module] " " line
    }
    next
}
kind == "formal" {
    n = split(words_of($0), part, " ")
    for (i = 1; i <= n; i++)
        named[module, part[i]]
    next
}
# of the rules those that the block's own channels obey, with their conditions
kind == "rules" && FNR == 1 {
    rules[target] = module
    promise = 0
}
kind == "rules" {
    if (/^ *always /)
        said = ""
    said = said " " words_of($0)
    if (/ p_[a-z0-9_]*: assert/)
        promise = 1
    if (promise && /;/) {
        n = split(said, part, " ")
        for (i = 1; i <= n; i++)
            named["ndp_" target, part[i]]
        promises[target]
        promise = 0
    }
    next
}

# --- who stands in whom ----------------------------------------------------------

kind == "rtl" && pass == 2 {
    if (FNR == 1 && !sorted)
        sort_names()
    if (match($0, /^ *ndp_[a-z0-9_]+ (#\(|[a-z0-9_]+ \()/)) {
        child = $1
        if ((target, child) in alias_of) {
            if ($2 == "#(")
                pending = child
            else
                stands(target, module, child, $2)
        }
    } else if (pending != "" && /^ *\) [a-z0-9_]+ \($/) {
        stands(target, module, pending, $2)
        pending = ""
    }
}
function stands(target, parent, child, instance,    at) {
    at = parent SUBSEP child SUBSEP instance
    if (at in edge)
        return
    edge[at]
    children[parent] = children[parent] " " child
    instances[parent] = instances[parent] " " instance
}

function sort_names(    i, part, m) {
    sorted = 1
    for (i = 1; i <= n_emitted; i++) {
        split(emitted[i], part, SUBSEP)
        m = known_as(part[2], part[1])
        alias[part[2]] = m
        if (!(m in state)) {
            state[m] = "none"
            module_list[++n_modules] = m
        }
    }
}

# A property names the output, or that of a part that it comes from as it is.
function is_named(m, output,    child, n, i) {
    if ((m, output) in named)
        return 1
    n = split(children[m], child, " ")
    for (i = 1; i <= n; i++)
        if ((child[i], output) in output_of && state[alias[child[i]]] == "job" &&
            is_named(child[i], output))
            return 1
    return 0
}

# Everything below a name as it was emitted, but for what is cut off at the top.
function cover(name, cut,    child, instance, n, i) {
    n = split(children[name], child, " ")
    split(instances[name], instance, " ")
    for (i = 1; i <= n; i++) {
        if (index("," cut ",", "," instance[i] ","))
            continue
        if (state[alias[child[i]]] == "none")
            state[alias[child[i]]] = "inside"
        if (!((child[i]) in covered)) {
            covered[child[i]]
            cover(child[i], "")
        }
    }
}

END {
    if (!sorted)
        sort_names()
    for (i = 1; i <= n_jobs; i++) {
        j = job_list[i]
        if (top[j] ~ /_rules$/)
            rules_job[top[j]] = j
        else
            state[alias[top[j]]] = "job"
    }
    for (i = 1; i <= n_jobs; i++) {
        j = job_list[i]
        if (engine[j] != "bmc" && top[j] !~ /_rules$/)
            cover(top[j], cuts[j])
    }

    print_summary()
    print_holes()
}

function print_summary(    i, j, t, m, registers) {
    for (i = 1; i <= n_jobs; i++) {
        j = job_list[i]
        t = block[j]
        jobs[t]++
        proved[t] += results[j, "proved"]
        held[t] += results[j, "bounded"]
        reached[t] += results[j, "reached"]
        caught[t] += breaks[j]
    }
    for (i = 1; i <= n_modules; i++) {
        m = module_list[i]
        count[owner_of(m), state[m]]++
    }
    print "## By block\n"
    print "| block | proved | bounded | goals | modules with a job | inside" \
        " one | without | registers | breaks |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |"
    target_list[++n_targets] = "shared"
    for (i = 1; i <= n_targets; i++) {
        t = target_list[i]
        registers = registers_of(t)
        printf "| `%s` | %s | %s | %s | %d | %d | %d | %s | %s |\n", t, \
            cell(jobs[t], proved[t]), cell(jobs[t], held[t]), \
            cell(jobs[t], reached[t]), count[t, "job"], count[t, "inside"], \
            count[t, "none"], registers, cell(jobs[t], caught[t])
        all_proved += proved[t]
        all_held += held[t]
        all_reached += reached[t]
        all_job += count[t, "job"]
        all_inside += count[t, "inside"]
        all_none += count[t, "none"]
        all_caught += caught[t]
    }
    printf "| **all** | **%d** | **%d** | **%d** | **%d** | **%d** | **%d** |" \
        " | **%d** |\n\n", all_proved, all_held, all_reached, all_job, \
        all_inside, all_none, all_caught
    put("*Shared* are the modules of `rtl-templates/common`; a job of any" \
        " block counts for them, and its properties with that block. *Inside" \
        " one*: below the top of a job without a bound and not cut off in" \
        " it. *Registers*: in the register map, and whether each is proved" \
        " against a twin. *Breaks*: lines of `tests/<block>/breaks.txt`; each" \
        " breaks the RTL, and `make check` wants the property that it names" \
        " to fail.")
    print ""
}
function cell(jobs, n) {
    return jobs ? n + 0 : "-"
}
function registers_of(t,    name, line, n) {
    name = work "/whole/" t "/ndp_" t ".h"
    while ((getline line <name) > 0)
        if (line ~ /_N_REGISTERS /) {
            n = line
            sub(/^.* /, "", n)
        }
    close(name)
    return n == "" ? "none" : n ", " (state["ndp_" t "_regs"] == "job" ? \
        "proved" : "no job")
}

function print_holes(    i, j, t, m, list, n, k, out, total, red) {
    print "## Holes\n"
    put("Computed from the jobs, the results and the emitted RTL. What no" \
        " list can tell stands under *Not proved*, at the end.")
    print ""

    list = ""
    for (i = 1; i < n_targets; i++)
        if (!jobs[target_list[i]])
            list = add(list, target_list[i])
    if (list != "")
        put("- **Blocks without a proof of their own**: " list ". The parts" \
            " that they have from other blocks are proved there.")

    list = ""
    for (i = 1; i < n_targets; i++) {
        t = target_list[i]
        if ((t in promises) && !(rules[t] in rules_job))
            list = add(list, rules[t] ".v")
    }
    if (list != "")
        put("- **Rules of channels without a job**: " list ".")

    list_modules("none", "Modules that no job looks into")
    list_modules("inside", "Modules of which only what is around them is proved")
    list_bounded()
    list_outputs()

    list = ""
    n = total = 0
    for (i = 1; i <= n_jobs; i++) {
        j = job_list[i]
        k = split(of[j], out, " ")
        total += k
        red = 0
        for (m = 1; m <= k; m++)
            if ((j, out[m]) in broken)
                red++
        n += red
        if (!red)
            list = add(list, j)
    }
    print "- **Properties that no break has made fail**: " total - n " of " \
        total "."
    put("  Jobs without any: " list ".")
    print ""
}

# By block; a block as a whole may have a job for the rules of its channels.
function list_modules(which, title,    i, k, m, t, n, list, lines) {
    for (i = 1; i <= n_targets; i++) {
        t = target_list[i]
        list = ""
        for (k = 1; k <= n_modules; k++) {
            m = module_list[k]
            if (owner_of(m) != t || state[m] != which)
                continue
            n++
            list = add(list, m)
            if (m == "ndp_" t && rules[t] in rules_job)
                list = list " (but for the rules of its channels)"
        }
        if (list != "")
            lines[++lines[0]] = "  - " t ": " list
    }
    put_list(title " (" n + 0 ")", lines)
}
function put_list(title, lines,    i) {
    if (!lines[0])
        return
    put("- **" title "**:")
    print ""
    for (i = 1; i <= lines[0]; i++)
        put(lines[i])
    print ""
}

# Those that no other job proves of the same module; parts made by the same loop
# are one entry.
function list_bounded(    i, j, k, n, name, list, lines, total, told) {
    for (i = 1; i <= n_jobs; i++) {
        j = job_list[i]
        if (!(j in depth))
            continue
        list = ""
        n = split(of[j], name, " ")
        for (k = 1; k <= n; k++) {
            if ((top[j], name[k]) in proved_of)
                continue
            total++
            gsub(/\[[0-9]+\]/, "[*]", name[k])
            if (!((j, name[k]) in told))
                list = add(list, name[k])
            told[j, name[k]]
        }
        if (list != "")
            lines[++lines[0]] = "  - `" j "`, " depth[j] ": " list \
                (j in explained ? "" : " (**no reason given below**)")
    }
    put_list("Properties that are only bounded (" total + 0 ")", lines)
}

function list_outputs(    i, k, n, m, t, part, out, list, lines, told, some, all) {
    for (i = 1; i <= n_emitted; i++) {
        split(emitted[i], part, SUBSEP)
        t = part[1]
        m = part[2]
        # once, under its own name; what is shared under any
        if (alias[m] != m && m !~ /_common_/ || alias[m] in told)
            continue
        if (state[alias[m]] != "job" &&
            !(m == "ndp_" t && rules[t] in rules_job))
            continue
        told[alias[m]]
        list = ""
        n = split(outputs[m], out, " ")
        all += n
        for (k = 1; k <= n; k++)
            if (!is_named(m, out[k])) {
                list = add(list, out[k])
                some++
            }
        if (list != "")
            lines[++lines[0]] = "  - " alias[m] ": " list
    }
    put_list("Outputs that no property names (" some + 0 " of " all + 0 \
        " of the modules with a job; one may still speak of what an output" \
        " is made of)", lines)
}
