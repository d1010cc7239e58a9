//% use "ndp_regs.v"
//% local form = L.TABLE == 1 and "table" or "logic"
//% use("ndp_emn_" .. form .. ".v")
//% use "ndp_emn_formal.vh"
//% local S = L.STAGES
${header{title = "earliest meet node", text = [[
For a core that hands a chain c = f(a, b) to the network: the first node that
both operands pass on their way to the core, where they can be combined.  Each
lookup names the core that asks and the memory nodes of both loads; the answer
is the node, or that there is none.

    req -> ]] .. form .. [[ -> ans, ]] .. S .. (S == 1 and " edge" or " edges") .. [[ later

The mesh has ]] .. P["mesh.width"] .. " x " .. P["mesh.height"] .. [[ nodes; node n is at x = n mod ]] .. P["mesh.width"] .. [[, y = n div ]] .. P["mesh.width"] .. [[.
Memory index i is the memory node at position i of this list, from 0:

    ]] .. table.concat(P["mesh.memory_nodes"], ", ") .. [[


Parameters: all sizes are generated; see the localparams.

Handshake: an edge with req_valid is a lookup; it cannot be refused, nor can the
answer.  Fields of the answer are zero while ans_valid is low, and ans_node
without ans_found.

Latency: STAGES edges, one lookup an edge.

See docs/blocks/emn.md for the algorithm.]]}}
`default_nettype none

module ${prefix}ndp_emn (
${ports()}
);
${localparams("NODE_W", "ID_W", "STAGES")}

    // ------------------------------------------------------------------
    // Meet node of the lookup STAGES edges ago, whether it was valid or not

    wire              found;
    wire [NODE_W-1:0] node;

    ${prefix}ndp_emn_${form} lookup (
        .clk   (clk),
        .core  (req_core),
        .mem0  (req_mem0),
        .mem1  (req_mem1),
        .found (found),
        .node  (node)
    );

    // ------------------------------------------------------------------
    // What travels beside it.  The last lookup is in the lowest bits.

    reg [STAGES-1:0]      valids;
    reg [STAGES-1:0]      sames; // both loads have the same memory node
    reg [STAGES*ID_W-1:0] ids;

    wire            same = req_valid && req_mem0 == req_mem1;
    wire [ID_W-1:0] id   = req_valid ? req_id : {ID_W{1'b0}};

    always @(posedge clk) begin
        if (rst) begin
            valids <= {STAGES{1'b0}};
            sames  <= {STAGES{1'b0}};
            ids    <= {STAGES*ID_W{1'b0}};
        end else begin
//% if S == 1 then
            valids <= req_valid;
            sames  <= same;
            ids    <= id;
//% else
            valids <= {valids[STAGES-2:0], req_valid};
            sames  <= {sames[STAGES-2:0], same};
            ids    <= {ids[0 +: (STAGES-1)*ID_W], id};
//% end
        end
    end

    assign ans_valid = valids[STAGES-1];
    assign ans_id    = ids[(STAGES-1)*ID_W +: ID_W];
    assign ans_found = ans_valid && found;
    assign ans_node  = ans_found ? node : {NODE_W{1'b0}};

    // ------------------------------------------------------------------
    // Registers

    wire count_lookups = ans_valid;
    wire count_met     = ans_found;
    wire count_same    = ans_found && sames[STAGES-1];
    wire count_none    = ans_valid && !ans_found;

    ${prefix}ndp_emn_regs regs (
        .clk           (clk),
        .rst           (rst),
        .wb_cyc        (wb_cyc),
        .wb_stb        (wb_stb),
        .wb_we         (wb_we),
        .wb_adr        (wb_adr),
        .wb_dat_w      (wb_dat_w),
        .wb_sel        (wb_sel),
        .wb_dat_r      (wb_dat_r),
        .wb_ack        (wb_ack),
${count_ports(13)}
    );

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_emn_formal.vh"
`endif
endmodule

`default_nettype wire
