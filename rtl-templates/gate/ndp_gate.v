//% use "ndp_regs.v"
//% use "ndp_queue.v"
//% use "ndp_gate_where.v"
//% use "ndp_gate_word.v"
//% use "ndp_gate_send.v"
//% use "ndp_gate_serve.v"
//% use "ndp_gate_chains.v"
//% use "ndp_gate_hear.v"
//% local function r(w) return pad(range(w), 14) end
${header{title = "gate of a node's queues", text = [[
Makes packets of what offload queue, service queue and memory of a node say, and
tells them what has come.

    pack, load, store -> ndp_gate_send -> ask
    bring, give, load -> ndp_gate_send -> reply
    asked -> ndp_gate_serve -> come, want
    replied -> ndp_gate_hear -> ans, result, mark; fetch -> data

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; mark and data cannot
be refused.  Fields are zero while valid is low.

Latency: see docs/blocks/gate.md.]]}}
`default_nettype none

module ${prefix}ndp_gate (
${ports()}
);
${localparams("NODE_W", "FLIT_W", "FLITS_W", "WORD_W", "X_W", "Y_W", "HOPS_W", "FIRST_FLITS",
              "BEAT_FLITS", "HEAD_W", "DATA_W", "PLACE_W")}

    localparam [FLITS_W-1:0] ONE   = ${L.FLITS_W}'d1;
    localparam [FLITS_W-1:0] FIRST = FIRST_FLITS[FLITS_W-1:0];
    localparam [FLITS_W-1:0] BEAT  = BEAT_FLITS[FLITS_W-1:0];

    wire count_asks    = ask_valid && ask_ready && ask_last;
    wire count_replies = reply_valid && reply_ready && reply_last;
    wire count_backs   = load_valid && load_ready && load_away;
    wire count_operands;

    wire unused = &{1'b0, fetch_address, fetch_type};

    // ------------------------------------------------------------------
    // Words that are offered, by source
//% for _, s in ipairs{"packet", "stored", "kept", "returned", "memory", "given", "away"} do

    wire              ${s}_offer;
    wire              ${s}_take;
//%     if s ~= "packet" then
    wire              ${s}_head;
//%     end
    wire              ${s}_last;
    wire [NODE_W-1:0] ${s}_node;
    wire [WORD_W-1:0] ${s}_word;
//%     local more = s == "packet" and "ONE" or s .. "_head ? FIRST : BEAT"
    wire [FLITS_W-1:0] ${s}_count = ${more};
//% end

    // ------------------------------------------------------------------
    // ComputePackets

    wire              flit_last;
    wire [NODE_W-1:0] flit_node;
    wire [FLIT_W-1:0] flit;

    ${prefix}ndp_queue #(
        .WIDTH (FLIT_W + NODE_W + 1),
        .DEPTH (2)
    ) packets (
        .clk       (clk),
        .rst       (rst),
        .push      (pack_valid && pack_ready),
        .in_word   ({pack_data, pack_node, pack_last}),
        .can_push  (pack_ready),
        .pop       (packet_take),
        .out_valid (packet_offer),
        .out_word  ({flit, flit_node, flit_last})
    );

    assign packet_last = flit_last;
    assign packet_node = flit_node;
    assign packet_word = ${word("flit", L.FLIT_W)};

    // Between service queue and memory of this node

    wire              own_load;
    wire              own_store;
    wire [HEAD_W-1:0] load_head;
    wire [HEAD_W-1:0] store_head;
    wire              take_load;
    wire              take_store;
    wire              own_beat;
    wire              own_last;
    wire [DATA_W-1:0] own_data;
    wire              take_beat;
    wire              own_valid;
    wire              own_take;
    wire              own_ends;
    wire [PLACE_W-1:0] own_place;
    wire              own_second;
    wire [DATA_W-1:0] own_lanes;

    ${prefix}ndp_gate_chains chains (
        .clk           (clk),
        .rst           (rst),
        .at_node       (at_node),
//% for _, p in ipairs(iface.ports) do
//%     if p.name:find("^load_") or p.name:find("^store_") or p.name:find("^give_") then
        .${pad(p.name, 13)} (${p.name}),
//%     end
//% end
//%     for _, n in ipairs{"own_load", "own_store", "load_head", "store_head", "take_load",
//%                        "take_store", "own_beat", "own_last", "own_data", "take_beat"} do
        .${pad(n, 13)} (${n}),
//% end
//% for i, s in ipairs{"kept", "stored", "given", "away"} do
//%     for k, n in ipairs{"offer", "take", "head", "last", "node", "word"} do
        .${pad(s .. "_" .. n, 13)} (${s}_${n})${i == 4 and k == 6 and "" or ","}
//%     end
//% end
    );

    ${prefix}ndp_gate_serve serve (
        .clk          (clk),
        .rst          (rst),
//% for _, p in ipairs(iface.ports) do
//%     local n = p.name
//%     if n:find("^asked_") or n:find("^come_") or n:find("^want_") or n:find("^bring_") then
        .${pad(p.name, 12)} (${p.name}),
//%     end
//% end
//%     for _, n in ipairs{"own_load", "own_store", "load_head", "store_head", "take_load",
//%                        "take_store", "own_beat", "own_last", "own_data", "take_beat"} do
        .${pad(n, 12)} (${n}),
//% end
//%     for _, n in ipairs{"own_valid", "own_take", "own_ends", "own_place", "own_second", "own_lanes"} do
        .${pad(n, 12)} (${n}),
//%     end
        .offer        (memory_offer),
        .take         (memory_take),
        .offer_head   (memory_head),
        .offer_last   (memory_last),
        .offer_node   (memory_node),
        .offer_word   (memory_word)
    );

    ${prefix}ndp_gate_hear hear (
        .clk            (clk),
        .rst            (rst),
        .at_node        (at_node),
//% for _, p in ipairs(iface.ports) do
//%     local n = p.name
//%     if n:find("^replied_") or n:find("^ans_") or n:find("^result_") or n:find("^mark_") or
//%        n:find("^data_") or n == "fetch_valid" or n == "fetch_ready" or
//%        n == "fetch_place" or n == "fetch_second" then
        .${pad(n, 14)} (${n}),
//%     end
//% end
//%     for _, n in ipairs{"own_valid", "own_take", "own_ends", "own_place", "own_second", "own_lanes"} do
        .${pad(n, 14)} (${n}),
//%     end
        .offer          (returned_offer),
        .take           (returned_take),
        .offer_node     (returned_node),
        .offer_word     (returned_word),
        .count_operands (count_operands)
    );

    assign returned_head = 1'b1;
    assign returned_last = 1'b1;

    // ------------------------------------------------------------------
    // Sending
//% for _, c in ipairs{{"ask", "returned", "kept", "stored", "packet"},
//%                    {"reply", "away", "given", "memory"}} do
//%     local n = #c - 1
//%     local function all(text)
//%         local parts = {}
//%         for i = 2, #c do parts[#parts + 1] = (text:gsub("@", c[i])) end
//%         return table.concat(parts, ",\n                  ")
//%     end

    assign ${c[1]}_order = 1'b0;

    ${prefix}ndp_gate_send #(
        .N       (${n}),
        .INDEX_W (2)
    ) ${c[1]}_sender (
        .clk    (clk),
        .rst    (rst),
        .offer  ({${all("@_offer")}}),
        .take   ({${all("@_take")}}),
        .lasts  ({${all("@_last")}}),
        .nodes  ({${all("@_node")}}),
        .counts ({${all("@_count")}}),
        .words  ({${all("@_word")}}),
        .valid  (${c[1]}_valid),
        .ready  (${c[1]}_ready),
        .last   (${c[1]}_last),
        .x      (${c[1]}_x),
        .y      (${c[1]}_y),
        .data   (${c[1]}_data)
    );
//% end

    // ------------------------------------------------------------------
    // Hops

    wire [X_W-1:0] at_x;
    wire [Y_W-1:0] at_y;

    ${prefix}ndp_gate_where here (
        .node (at_node),
        .x    (at_x),
        .y    (at_y)
    );

    reg [31:0] hops;
    reg [31:0] flit_hops;
//% for _, c in ipairs{"ask", "reply"} do

    wire [X_W-1:0]    ${c}_dx   = ${c}_x > at_x ? ${c}_x - at_x : at_x - ${c}_x;
    wire [Y_W-1:0]    ${c}_dy   = ${c}_y > at_y ? ${c}_y - at_y : at_y - ${c}_y;
    wire [HOPS_W-1:0] ${c}_far  = {${L.HOPS_W - L.X_W}'d0, ${c}_dx} + {${
                      L.HOPS_W - L.Y_W}'d0, ${c}_dy};
    wire [HOPS_W-1:0] ${c}_hops = ${c}_valid && ${c}_ready ? ${c}_far : {HOPS_W{1'b0}};
//% end

    always @(posedge clk) begin
        if (rst) begin
            hops      <= 32'd0;
            flit_hops <= 32'd0;
        end else begin
            hops      <= hops + {${32 - L.HOPS_W}'d0, ask_last ? ask_hops : {HOPS_W{1'b0}}} +
                         {${32 - L.HOPS_W}'d0, reply_last ? reply_hops : {HOPS_W{1'b0}}};
            flit_hops <= flit_hops + {${32 - L.HOPS_W}'d0, ask_hops} +
                         {${32 - L.HOPS_W}'d0, reply_hops};
        end
    end

    // ------------------------------------------------------------------
    // Registers

    ${prefix}ndp_gate_regs regs (
        .clk              (clk),
        .rst              (rst),
        .wb_cyc           (wb_cyc),
        .wb_stb           (wb_stb),
        .wb_we            (wb_we),
        .wb_adr           (wb_adr),
        .wb_dat_w         (wb_dat_w),
        .wb_sel           (wb_sel),
        .wb_dat_r         (wb_dat_r),
        .wb_ack           (wb_ack),
        .status_hops      (hops),
        .status_flit_hops (flit_hops),
${count_ports(16)}
    );
${checks{still = {"at_node"}}}
endmodule

`default_nettype wire
