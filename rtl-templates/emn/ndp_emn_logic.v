//% -- The table against which a small mesh is proved: formal/ndp_emn_table.vh.
//% local with_table = L.INDEX_W <= 12
//% if with_table then use "ndp_emn_table.v" end
//% if with_table then use "ndp_emn_logic_formal.vh" end
//% local function w(n) return pad(range(n), 6) end
//% local W, H, S = P["mesh.width"], P["mesh.height"], L.STAGES
//% local XW, YW = clog2(W), clog2(H)
//% local one, pow2 = L.ONE_CORE == 1, W == 1 << XW
//% local DW = math.max(XW, YW)
//% local mems = P["mesh.memory_nodes"]
//% -- All numbers name something: no check is needed.
//% local all_nodes = L.NODES == 1 << L.NODE_W
//% -- A step's values, each {name, width, expression}: registered when the
//% -- step ends a stage.
//% local function step(is_stage, values)
//%     emit(is_stage and "    // A stage ends here." or "    // A stage could end here.")
//%     for _, v in ipairs(values) do
//%         emit("    " .. (is_stage and "reg  " or "wire ") .. pad(range(v[2]), 5) .. " " ..
//%             (is_stage and v[1] or pad(v[1], 6) .. " = " .. v[3]) .. ";")
//%     end
//%     if is_stage then
//%         emit("\n    always @(posedge clk) begin")
//%         for _, v in ipairs(values) do
//%             emit("        " .. pad(v[1], 6) .. " <= " .. v[3] .. ";")
//%         end
//%         emit("    end")
//%     end
//% end
${header{title = "earliest meet node: comparators", text = [[
Finds the meet node from coordinates, in closed form.  Both paths to a memory
node are shortest ones, so the smallest summed distance to both memories is the
largest distance from the core: of all shared nodes the farthest is sought.

    In each dimension both loads share the way to the median of the core and
    the two memories: the core itself, where they part.  Let (x, y) be those
    medians.  No path can be shared beyond them.

    Paths of both loads cross in (x, y), unless both memories lie in the same
    quadrant around the core, off its axes, and one is nearer in both
    dimensions.  Then only the ways along one axis are shared: (x, core's y) by
    the paths that go along x first, (core's x, y) by those along y first.  The
    farther one wins, of equal ones the first, as in the walk.

Latency: STAGES edges.]]}}
`default_nettype none

module ${prefix}ndp_emn_logic (
    input  wire        clk,   // clock
    input  wire ${w(L.NODE_W)} core,  // node that asks
    input  wire ${w(L.MEM_W)} mem0,  // memory of the first load
    input  wire ${w(L.MEM_W)} mem1,  // memory of the second load
    output reg         found, // there is a meet node
    output reg  ${w(L.NODE_W)} node   // the meet node, anything without found
);
//% if one then
${localparams("NODE_W", "CORE")}
//% end

    // ------------------------------------------------------------------
    // Coordinates

//% -- One bit of every memory node, that of index 0 last, in groups of eight.
//% local slots = 1 << L.MEM_W
//% local function column(value)
//%     local bits = {}
//%     for i = slots, 1, -1 do
//%         bits[#bits + 1] = mems[i] and value(mems[i]) & 1 or 0
//%         if i % 8 == 1 and i > 1 then bits[#bits + 1] = "_" end
//%     end
//%     return slots .. "'b" .. table.concat(bits)
//% end
    // Where the memory nodes are, bit by bit; bit i of a line is index i.
    localparam ${range(slots)} LISTED = ${column(function(n) return 1 end)};
//% for k = XW - 1, 0, -1 do
    localparam ${range(slots)} X_BIT${k} = ${column(function(n) return n % W >> k end)};
//% end
//% for k = YW - 1, 0, -1 do
    localparam ${range(slots)} Y_BIT${k} = ${column(function(n) return n // W >> k end)};
//% end
//% local fields = {"LISTED[mem]"}
//% for k = XW - 1, 0, -1 do fields[#fields + 1] = "X_BIT" .. k .. "[mem]" end
//% for k = YW - 1, 0, -1 do fields[#fields + 1] = "Y_BIT" .. k .. "[mem]" end
//% local rows = {}
//% for k = 1, #fields, 4 do
//%     rows[#rows + 1] = table.concat(fields, ", ", k, math.min(k + 3, #fields))
//% end

    // {listed, x, y} of a memory index
    function ${range(1 + XW + YW)} place(input ${range(L.MEM_W)} mem);
        place = {${table.concat(rows, ",\n                 ")}};
    endfunction

    wire       inside0, inside1; // the memory index is in the list
    wire ${pad(range(XW), 5)} mem0_x, mem1_x;
    wire ${pad(range(YW), 5)} mem0_y, mem1_y;

    assign {inside0, mem0_x, mem0_y} = place(mem0);
    assign {inside1, mem1_x, mem1_y} = place(mem1);

//% if pow2 then
    wire ${pad(range(XW), 5)} core_x = core[${XW > 1 and XW - 1 .. ":0" or "0"}];
    wire ${pad(range(YW), 5)} core_y = core[${YW > 1 and XW + YW - 1 .. ":" .. XW or XW}];
//% else
//% -- The value that belongs to the row, picked by the one-hot row.
//% local function pick(width, value)
//%     local terms = {}
//%     for k = 1, H - 1 do
//%         local v = value(k) % (1 << width)
//%         if v > 0 then
//%             terms[#terms + 1] = string.format("({%d{row[%d]}} & %d'd%d)", width, k, width, v)
//%         end
//%     end
//%     return table.concat(terms, " |\n                        ")
//% end
    // from[k]: the core is in row k or a later one.
    wire ${pad("[" .. H - 1 .. ":1]", 6)} from;
    wire ${pad("[" .. H - 1 .. ":1]", 6)} row = from & ~(from >> 1); // one-hot, or row 0

//%     for k = 1, H - 1 do
    assign from[${k}] = core >= ${L.NODE_W}'d${k * W};
//%     end

    wire ${pad(range(YW), 5)} core_y = ${pick(YW, function(k) return k end)};
    wire ${pad(range(XW), 5)} first  = ${pick(XW, function(k) return k * W end)};
    wire ${pad(range(XW), 5)} core_x = core[${XW - 1}:0] - first; // modulo 2^${XW}
//% end

//% -- What makes a core known, besides.
//% local core_known = one and "core == CORE[NODE_W-1:0] && "
//%     or all_nodes and "" or "core < " .. L.NODE_W .. "'d" .. L.NODES .. " && "
    // All three numbers name something${one and "; one core is served" or ""}.
    wire known = ${core_known}inside0 && inside1;

    // With one memory node for both loads, that is the meet node.
    wire same = mem0 == mem1;

//% step(S >= 3, {
//%     {"cx", XW, "core_x"}, {"cy", YW, "core_y"},
//%     {"ax", XW, "mem0_x"}, {"ay", YW, "mem0_y"},
//%     {"bx", XW, "mem1_x"}, {"by", YW, "mem1_y"},
//%     {"any", 1, "known"}, {"equal", 1, "same"}})

    // ------------------------------------------------------------------
    // Medians.  The loads go together in a dimension when both memories are on
    // the same side of the core; then the nearer one is the median.

    wire       right  = ax > cx && bx > cx;
    wire       left   = ax < cx && bx < cx;
    wire       down   = ay > cy && by > cy;
    wire       up     = ay < cy && by < cy;
    wire       both_x = right || left;
    wire       both_y = down || up;
    wire       a_in_x = right ? ax < bx : ax > bx; // a is nearer
    wire       b_in_x = right ? bx < ax : bx > ax; // b is nearer
    wire       a_in_y = down ? ay < by : ay > by;
    wire       b_in_y = down ? by < ay : by > ay;
    wire ${pad(range(XW), 5)} med_x  = !both_x ? cx : a_in_x ? ax : bx;
    wire ${pad(range(YW), 5)} med_y  = !both_y ? cy : a_in_y ? ay : by;

    // Distances of both from the core, for the choice between two axes
    wire ${pad(range(XW), 5)} a_dx = right ? ax - cx : cx - ax;
    wire ${pad(range(XW), 5)} b_dx = right ? bx - cx : cx - bx;
    wire ${pad(range(YW), 5)} a_dy = down ? ay - cy : cy - ay;
    wire ${pad(range(YW), 5)} b_dy = down ? by - cy : cy - by;
    wire ${pad(range(XW), 5)} dist_x = a_in_x ? a_dx : b_dx;
    wire ${pad(range(YW), 5)} dist_y = a_in_y ? a_dy : b_dy;

    // No crossing: one memory is nearer in both dimensions.
    wire       apart  = both_x && both_y &&
                        ((a_in_x && a_in_y) || (b_in_x && b_in_y));

//% step(S >= 2, {
//%     {"m_x", XW, "med_x"}, {"m_y", YW, "med_y"},
//%     {"c_x", XW, "cx"}, {"c_y", YW, "cy"},
//%     {"d_x", XW, "dist_x"}, {"d_y", YW, "dist_y"},
//%     {"split", 1, "apart"}, {"good", 1, "any && (equal || both_x || both_y)"}})

    // ------------------------------------------------------------------
    // The meet node
//% local function wide(name, n)
//%     return n == DW and name or "{" .. DW - n .. "'d0, " .. name .. "}"
//% end

    wire       along_x = ${wide("d_x", XW)} >= ${wide("d_y", YW)};
    wire ${pad(range(XW), 5)} meet_x = split && !along_x ? c_x : m_x;
    wire ${pad(range(YW), 5)} meet_y = split && along_x ? c_y : m_y;
//% if not pow2 then
//%     local pad_y = L.NODE_W - YW

    wire ${pad(range(L.NODE_W), 5)} meet_row = {${pad_y}'d0, meet_y} * ${L.NODE_W}'d${W};
//% end

    always @(posedge clk) begin
        found <= good;
//% if pow2 then
        node  <= {meet_y, meet_x};
//% else
        node  <= meet_row + {${L.NODE_W - XW}'d0, meet_x};
//% end
    end
//% if with_table then

`ifdef FORMAL_NDP_EMN_LOGIC
`include "${prefix}ndp_emn_logic_formal.vh"
`endif
//% end
endmodule
//% if with_table then

`ifdef FORMAL_NDP_EMN_LOGIC
`include "${prefix}ndp_emn_table.vh"
`endif
//% end

`default_nettype wire
