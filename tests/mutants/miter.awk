# miter.awk - the module that says whether two everted modules ever differ.
#
# awk -f miter.awk PORTS GOLD.list GATE.list >miter.v
#
# PORTS is what Yosys' portlist prints of the block.  Both copies start in the
# same arbitrary state, a reset edge comes first, then reset is an input as any
# other; from then on all outputs are compared, in each cycle.

function range(width) {
    return width > 1 ? sprintf("[%d:0] ", width - 1) : ""
}
FNR == 1 { file++ }
file == 1 && /^(input|output) / {
    port[++ports] = $3
    way[$3] = $1
    size[$3] = substr($2, 2) + 1
}
file == 2 && $1 == "dff" {
    state[++states] = $2
    bits[$2] = $4
    gold[$2] = $3
}
file == 2 && $1 == "mem" {
    mem[++mems] = $2
    gold[$2] = $3
    word[mems] = $4
    abits[mems] = $5
    reads[mems] = $6
    writes[mems] = $7
}
file == 3 { gate[$2] = $3 }

function instance(module, letter, index_of,    i, p, s) {
    s = ""
    for (i = 1; i <= ports; i++)
        if (way[port[i]] == "input")
            s = s sprintf(",\n        .%s(%s)", port[i], \
                          port[i] == "clk" ? "1'b0" : \
                          port[i] == "rst" ? "rst || first" : port[i])
        else
            s = s sprintf(",\n        .%s(%s_%s)", port[i], letter, port[i])
    for (i = 1; i <= states; i++)
        if (state[i] in index_of)
            s = s sprintf(",\n        .q_%d(first ? i_%d : %s_q%d)" \
                          ",\n        .d_%d(%s_d%d)", \
                          index_of[state[i]], i, letter, i, \
                          index_of[state[i]], letter, i)
    for (i = 1; i <= mems; i++)
        if (mem[i] in index_of) {
            at = index_of[mem[i]]
            s = s sprintf(",\n        .r_%d(r_%d)", at, i)
            for (p = 1; p <= 4; p++)
                s = s sprintf(",\n        .%s_%d(%s_m%s%d)", \
                              substr("awev", p, 1), at, letter, \
                              substr("awev", p, 1), i)
        }
    printf "    %s %s_copy (%s\n    );\n", module, letter, substr(s, 2)
}

END {
    print "module miter (\n    input clk,"
    for (i = 1; i <= ports; i++)
        if (way[port[i]] == "input" && port[i] != "clk")
            printf "    input %s%s,\n", range(size[port[i]]), port[i]
    for (i = 1; i <= states; i++)
        printf "    input %si_%d,\n", range(bits[state[i]]), i
    for (i = 1; i <= mems; i++)
        printf "    input %sr_%d,\n", range(word[i] * reads[i]), i
    print "    output differs\n);"
    print "    reg first = 1'b1;\n    always @(posedge clk) first <= 1'b0;"
    n = split("a b", letters, " ")
    for (k = 1; k <= n; k++) {
        c = letters[k]
        for (i = 1; i <= states; i++)
            printf "    reg %s%s_q%d; wire %s%s_d%d;\n", \
                range(bits[state[i]]), c, i, range(bits[state[i]]), c, i
        for (i = 1; i <= states; i++)
            printf "    always @(posedge clk) %s_q%d <= %s_d%d;\n", c, i, c, i
        for (i = 1; i <= mems; i++) {
            printf "    wire %s%s_ma%d;\n", range(abits[i] * reads[i]), c, i
            printf "    wire %s%s_mw%d;\n", range(abits[i] * writes[i]), c, i
            printf "    wire %s%s_me%d, %s_mv%d;\n", \
                range(word[i] * writes[i]), c, i, c, i
        }
        for (i = 1; i <= ports; i++)
            if (way[port[i]] == "output")
                printf "    wire %s%s_%s;\n", range(size[port[i]]), c, port[i]
    }
    instance("gold", "a", gold)
    instance("gate", "b", gate)
    s = "1'b0"
    for (i = 1; i <= ports; i++)
        if (way[port[i]] == "output")
            s = s sprintf(" || a_%s != b_%s", port[i], port[i])
    m = "1'b0"
    for (i = 1; i <= mems; i++) {
        m = m sprintf(" || a_ma%d != b_ma%d || a_me%d != b_me%d" \
                      " || |((a_mv%d ^ b_mv%d) & a_me%d)", \
                      i, i, i, i, i, i, i)
        for (p = 0; p < writes[i]; p++)
            m = m sprintf(" || (|a_me%d[%d:%d] && a_mw%d[%d:%d] != " \
                          "b_mw%d[%d:%d])", i, (p + 1) * word[i] - 1, \
                          p * word[i], i, (p + 1) * abits[i] - 1, \
                          p * abits[i], i, (p + 1) * abits[i] - 1, \
                          p * abits[i])
    }
    printf "    wire apart = %s;\n", m
    printf "    assign differs = apart || !first && (%s);\nendmodule\n", s
}
