# plot.awk - a picture of a sweep for gnuplot; after csv.awk.
#
# Variables: sweep, x, y, by ('-': nothing), log_axes, where (COLUMN=VALUE, tabs
# between: only these rows).  A point each
# configuration, and a line through the means over what else varies, or with f in
# log_axes through those points that no other one beats in both.  An x that
# is no number everywhere is drawn in the order of the table.  Nothing comes out
# if there is nothing to show.
function is_number(s) { return s ~ /^-?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?$/ }
function quoted(s) {
    gsub(/["\\]/, "", s)
    return "\"" s "\""
}

# Sorts list[1..n] by number.
function sort(list, n, a, b, swap) {
    for (a = 2; a <= n; a++)
        for (b = a; b > 1 && list[b - 1] + 0 > list[b] + 0; b--) {
            swap = list[b]
            list[b] = list[b - 1]
            list[b - 1] = swap
        }
}

BEGIN { n_where = split(where, wanted, "\t") }
function is_wanted(i, at) {
    for (i = 1; i <= n_where; i++) {
        at = index(wanted[i], "=")
        if (cell[substr(wanted[i], 1, at - 1)] "" != substr(wanted[i], at + 1))
            return 0
    }
    return 1
}

NR > 1 && is_wanted() && cell["sweep"] == sweep && cell[x] != "" && is_number(cell[y]) {
    group = by == "-" ? "" : by " " cell[by]
    if (!(group in place)) {
        place[group] = ++groups
        title[groups] = group
    }
    if (!(cell[x] in tic)) {
        tic[cell[x]] = ++tics
        label[tics] = cell[x]
    }
    words = words || !is_number(cell[x])
    g[++rows] = place[group]
    at[rows] = cell[x]
    up[rows] = cell[y]
}

# Points of the least y for their x and all before it, by x.
function print_front(k, m, best) {
    print "$front << END"
    for (;;) {
        m = 0
        for (k = 1; k <= rows; k++)
            if (!(k in seen) && (best == "" || up[k] + 0 < best + 0) &&
                (!m || at[k] + 0 < at[m] + 0 ||
                    (at[k] + 0 == at[m] + 0 && up[k] + 0 < up[m] + 0)))
                m = k
        if (!m)
            break
        seen[m] = 1
        best = up[m]
        print at[m], up[m]
    }
    print "END"
}

END {
    if (!rows)
        exit
    front = log_axes ~ /f/ && !words
    n_colours = split("#3b6ea5 #b5523b #5a8f4e #e0a43a #7a5aa5 #7a7a7a " \
        "#3aa0a0 #c060a0", colour, " ")
    for (i = 1; i <= groups; i++) {
        n = 0
        split("", sum)
        split("", times)
        printf "$points%d << END\n", i
        for (k = 1; k <= rows; k++) {
            if (g[k] != i)
                continue
            p = words ? tic[at[k]] : at[k]
            print p, up[k]
            if (!(p in times))
                order[++n] = p
            sum[p] += up[k]
            times[p]++
        }
        printf "END\n$means%d << END\n", i
        sort(order, n)
        for (a = 1; a <= n; a++)
            printf "%s %.10g\n", order[a], sum[order[a]] / times[order[a]]
        print "END"
    }
    if (front)
        print_front()
    for (i = 1; i <= n_where; i++) {
        sub(/=/, " ", wanted[i])
        shown = shown ", " wanted[i]
    }
    print "set terminal svg size 640,420 font \"sans,12\" noenhanced " \
        "background \"white\""
    print "set border 3"
    print "set tics nomirror"
    print "set grid ytics lc rgb \"#dddddd\""
    printf "set title \"%s: %s over %s\\n%d configurations, %s%s\"\n", sweep, y,
        x, rows, front ? "the line joins those that none beats" : \
        "lines are means", shown
    printf "set xlabel %s\n", quoted(x (log_axes ~ /x/ ? ", log scale" : ""))
    printf "set ylabel %s\n", quoted(y (log_axes ~ /y/ ? ", log scale" : ""))
    print by == "-" ? "set key off" : "set key below"
    # a margin at both ends
    for (i = 1; i <= rows; i++) {
        p = words ? tic[at[i]] : at[i] + 0
        if (i == 1 || p < low)
            low = p
        if (i == 1 || p > high)
            high = p
    }
    if (log_axes ~ /x/ && !words && low > 0) {
        print "set logscale x"
        margin = high > low ? exp(log(high / low) * 0.04) : 2
        printf "set xrange [%.10g:%.10g]\n", low / margin, high * margin
    } else {
        margin = high > low ? (high - low) * 0.04 : 1
        printf "set xrange [%.10g:%.10g]\n", low - margin, high + margin
    }
    print log_axes ~ /y/ ? "set logscale y" : "set yrange [0:*]"
    if (words || (tics <= 12 && !front)) {
        printf "set xtics ("
        for (i = 1; i <= tics; i++)
            printf "%s%s %s", (i > 1 ? ", " : ""), quoted(label[i]),
                (words ? i : label[i])
        print ")"
    }
    printf "plot "
    for (i = 1; i <= groups; i++) {
        c = colour[(i - 1) % n_colours + 1]
        printf "%s", (i > 1 ? ", \\\n     " : "")
        if (front)
            printf "$points%d with points pt 7 ps 0.7 lc rgb \"%s\" title %s", i, c,
                quoted(title[i])
        else
            printf "$points%d with points pt 7 ps 0.4 lc rgb \"%s\" notitle, " \
                "$means%d with lines lw 2 lc rgb \"%s\" title %s",
                i, c, i, c, quoted(title[i])
    }
    if (front)
        printf ", \\\n     $front with steps lw 2 lc rgb \"#444444\" notitle"
    print ""
}
