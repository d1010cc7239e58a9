//% -- In form logic the table is what the comparators are proved against.
//% output(L.TABLE == 1 and "ndp_emn_table.v" or "formal/ndp_emn_table.vh")
//% local function w(n) return pad(range(n), 6) end
//% local one, S = L.ONE_CORE == 1, L.STAGES
//% local width = P["mesh.width"]
//% local function at(n) return "(" .. n % width .. ", " .. n // width .. ")" end
${header{title = "earliest meet node: table", text = [[
Looks the meet node up by ]] .. (one and "" or "core and ") .. [[both memory indices.  The contents come from
Algorithm 1 of opportunistic computing; a case with a register behind it is a
read-only memory with a synchronous read, which maps to block RAM.

Latency: STAGES edges, the first is the memory's read register.]]}}
`default_nettype none

module ${prefix}ndp_emn_table (
    input  wire        clk,   // clock
    input  wire ${w(L.NODE_W)} core,  // node that asks
    input  wire ${w(L.MEM_W)} mem0,  // memory of the first load
    input  wire ${w(L.MEM_W)} mem1,  // memory of the second load
    output wire        found, // there is a meet node
    output wire ${w(L.NODE_W)} node   // the meet node, anything without found
);
${localparams(table.unpack(one and {"NODE_W", "CORE", "INDEX_W"} or {"NODE_W", "INDEX_W"}))}

//% -- Yosys takes a case for a memory when it lists enough of the indices.
//% local listed = 0
//% for i = 1, #meet_nodes do
//%     if meet_nodes[i] >= 0 then listed = listed + 1 end
//% end
//% local in_full = 2 * listed < #meet_nodes
    // ------------------------------------------------------------------
    // Table.  Under each core the nodes where loads meet, each with the
//% if in_full then
    // indices of its pairs, and first the indices without a meet node: only a
    // case that lists most indices is taken for a memory.
//% else
    // indices of its pairs; what is not listed has no meet node.
//% end

    wire [INDEX_W-1:0] index = {${one and "" or "core, "}mem0, mem1};
    reg  [NODE_W:0]    word; // {found, node}

    always @(posedge clk) begin
        case (index)
//% -- Entries with the same word stand together, in rows of at most 80 columns.
//% local pairs_of_core = 1 << (2 * L.MEM_W)
//% local digits = ceil_div(L.INDEX_W, 4)
//% local entry = L.INDEX_W .. "'h%0" .. digits .. "x"
//% local room = (80 - 8) // (#string.format(entry, 0) + 2)
//% local function core_rows(first)
//%     local nodes, of = {}, {}
//%     for i = first, first + pairs_of_core - 1 do
//%         local meet = meet_nodes[i + 1]
//%         if meet >= 0 or in_full then
//%             if not of[meet] then
//%                 of[meet] = {}
//%                 nodes[#nodes + 1] = meet
//%             end
//%             local list = of[meet]
//%             list[#list + 1] = string.format(entry, i)
//%         end
//%     end
//%     table.sort(nodes)
//%     for _, n in ipairs(nodes) do
//%         local list = of[n]
//%         for k = 1, #list, room do
//%             local last = math.min(k + room - 1, #list)
        ${table.concat(list, ", ", k, last)}${last < #list and "," or ":"}
//%         end
//%         if n >= 0 then
            word <= {1'b1, ${L.NODE_W}'d${n}};
//%         else
            word <= {(NODE_W+1){1'b0}};
//%         end
//%     end
//% end
//% for c = 0, one and 0 or L.NODES - 1 do
//%     local this = one and L.CORE or c

        // core ${this} at ${at(this)}
//%     core_rows(c * pairs_of_core)
//% end

        default:
            word <= {(NODE_W+1){1'b0}};
        endcase
    end
//% local source = "word"
//% if one then

    // Only the entries of one core are there.
    reg own;

    always @(posedge clk) own <= core == CORE[NODE_W-1:0];

    wire [NODE_W:0] answer = {own && word[NODE_W], word[NODE_W-1:0]};
//%     source = "answer"
//% end
//% for s = 2, S do

    reg [NODE_W:0] stage${s};

    always @(posedge clk) stage${s} <= ${source};
//%     source = "stage" .. s
//% end

    assign {found, node} = ${source};
endmodule

`default_nettype wire
