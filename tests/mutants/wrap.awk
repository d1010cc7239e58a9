# wrap.awk - the block's name and ports around the netlist with all mutants.
#
# awk -v top=MODULE -f wrap.awk PORTS >MODULE.v
#
# PORTS is what Yosys' portlist prints.  The number of the mutant comes from the
# environment, 0 or nothing is none; 65535 inverts every output.  $c is
# Verilator's word for C++.

/^(input|output) / {
    width = substr($2, 2) + 1
    range = width > 1 ? sprintf("[%d:0] ", width - 1) : ""
    names = names sprintf(",\n    %s %s%s", $1, range, $3)
    if ($1 == "input")
        pins = pins sprintf("        .%s(%s),\n", $3, $3)
    else {
        pins = pins sprintf("        .%s(w_%s),\n", $3, $3)
        wires = wires sprintf("    wire %sw_%s;\n    assign %s = w_%s ^ " \
            "{%d{&which}};\n", range, $3, $3, $3, width)
    }
}
END {
    printf "module %s (%s\n);\n", top, substr(names, 2)
    print "    reg [15:0] which;"
    print "    initial which = $c(\"std::atoi(std::getenv(\\\"NDP_MUTANT\\\")" \
        " ? std::getenv(\\\"NDP_MUTANT\\\") : \\\"0\\\")\");"
    printf "%s    %s_mutants mutants (\n%s        .ndp_mutant(which)\n" \
        "    );\nendmodule\n", wires, top, pins
}
