//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_near_pipe_decode.v"
//% use "ndp_near_pipe_unit.v"
//% if SHARED then use "ndp_near_pipe_shared.v" end
//% use "ndp_near_pipe_formal.vh"
//% local U = L.UNITS
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
${header{title = "near-bank pipelines of a core", text = [[
The near-bank units of a core on the DRAM die, each with register file, operand
collector and vector ALU; what an instruction does is a word of a copy of the code.

    exec, code -> entry -> unit of the warp -> ended -> done, in turn
    read, fetch -> held -> unit's file -> data, fetched
    write, load -> unit's file, when nobody else has it]] .. (SHARED and [[

    units' collectors -> shared memory -> unit's file, ended]] or "") .. [[


Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; code, data and
fetched cannot be refused; write and load are taken no sooner than an edge after they
came.  Fields are zero while valid is low.

Latency: an instruction with n operands has its end at done after ]] .. L.PASSES + L.FMA_L + 4 .. [[ + n edges and more.

See docs/blocks/near_pipe.md.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe (
${ports{reg = {"done_valid", "done_warp", "done_tag", "done_ticket", "data_valid", "fetched_valid",
               "write_ready", "load_ready"}}}
);
//% local sizes = { "UNITS", "LANES", "WARP_W", "TAG_W", "REG_W", "UNIT_W", "OPERAND_W", "TICKET_W", "ROW_W", "CODE",
//%     "PLACE_W" }
//% if SHARED then table.insert(sizes, 3, "ALUS") sizes[#sizes + 1] = "DATA_W" end
${localparams(table.unpack(sizes))}

    // ------------------------------------------------------------------
    // Entry: an instruction and its word

    reg                 e_valid;
    reg [WARP_W-1:0]    e_warp;
    reg [TAG_W-1:0]     e_tag;
    reg [LANES-1:0]     e_mask;
    reg [TICKET_W-1:0]  e_ticket;
//% for _, s in ipairs(sources) do
    reg [OPERAND_W-1:0] e_${s};
//% end

    wire [UNITS-1:0]  held; // by unit: its collector is
    wire [UNITS-1:0]  room; // ... is not, or what it has moves on
    wire [UNIT_W-1:0] e_unit = e_warp[UNIT_W-1:0];
    wire              goes   = e_valid && room[e_unit];

    assign exec_ready = !e_valid || !held[e_unit];

    wire takes = exec_valid && exec_ready;

    always @(posedge clk) begin
        if (rst)
            e_valid <= 1'b0;
        else if (takes)
            e_valid <= 1'b1;
        else if (goes)
            e_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (takes) begin
            e_warp   <= exec_warp;
            e_tag    <= exec_tag;
            e_mask   <= exec_mask;
            e_ticket <= exec_ticket;
//% for _, s in ipairs(sources) do
            ${pad("e_" .. s, 8)} <= exec_${s};
//% end
        end
    end

    wire [63:0] word; // of the instruction in the entry

    ${prefix}ndp_ram #(
        .WIDTH     (64),
        .WORDS     (CODE),
        .ADDRESS_W (TAG_W)
    ) code (
        .clk     (clk),
        .wr_en   (code_valid && !rst),
        .wr_addr (code_tag),
        .wr_data (code_word),
        .rd_en   (takes),
        .rd_addr (exec_tag),
        .rd_data (word)
    );

    wire        to_reg;
    wire        to_pred;
    wire        of_preds;
//% if SHARED then
    wire        to_shared;
//% end
    wire        fixed;
    wire [31:0] value;

    ${prefix}ndp_near_pipe_decode decode (
        .word     (word),
        .to_reg   (to_reg),
        .to_pred  (to_pred),
        .of_preds (of_preds),
//% if SHARED then
        .to_shared (to_shared),
//% end
        .fixed    (fixed),
        .value    (value)
    );

    // ------------------------------------------------------------------
    // Rows that are asked for: one in two edges, in turn, so that a collector is not
    // kept waiting

    reg               r_valid;
    reg [UNIT_W-1:0]  r_unit;
    reg [PLACE_W-1:0] r_at;
    reg               f_valid;
    reg [UNIT_W-1:0]  f_unit;
    reg [PLACE_W-1:0] f_at;

    reg  turn_f; // of both it is fetch's turn
    wire rests    = data_valid || fetched_valid; // one was read on the edge before
    wire serves_r = !rests && r_valid && !(f_valid && turn_f);
    wire serves_f = !rests && f_valid && !(r_valid && !turn_f);

    assign read_ready  = !r_valid;
    assign fetch_ready = !f_valid;

    always @(posedge clk) begin
        if (rst) begin
            r_valid <= 1'b0;
            f_valid <= 1'b0;
            turn_f  <= 1'b0;
        end else begin
            if (read_valid && read_ready)
                r_valid <= 1'b1;
            else if (serves_r)
                r_valid <= 1'b0;
            if (fetch_valid && fetch_ready)
                f_valid <= 1'b1;
            else if (serves_f)
                f_valid <= 1'b0;
            if (serves_r || serves_f)
                turn_f <= serves_r;
        end
    end

    always @(posedge clk) begin
        if (read_valid && read_ready) begin
            r_unit <= ${unit "read_warp"};
            r_at   <= ${place("read_warp", "read_reg")};
        end
        if (fetch_valid && fetch_ready) begin
            f_unit <= ${unit "fetch_warp"};
            f_at   <= ${place("fetch_warp", "fetch_reg")};
        end
    end

    wire              reads     = serves_r || serves_f;
    wire [UNIT_W-1:0] read_unit = serves_r ? r_unit : f_unit;
    reg  [UNIT_W-1:0] row_unit; // whose row is shown

    always @(posedge clk) begin
        row_unit <= read_unit;
        if (rst) begin
            data_valid    <= 1'b0;
            fetched_valid <= 1'b0;
        end else begin
            data_valid    <= serves_r;
            fetched_valid <= serves_f;
        end
    end

    wire [UNITS*ROW_W-1:0] rows; // by unit: the row last read
    wire [ROW_W-1:0]       row = rows[row_unit*ROW_W +: ROW_W];

    assign data_row     = data_valid ? row : {ROW_W{1'b0}};
    assign fetched_data = fetched_valid ? row : {ROW_W{1'b0}};

    // ------------------------------------------------------------------
    // Rows that come: one in two edges, in turn, when the lanes do not write and
    // nobody has to read the old one.${SHARED and [[  Behind one that words of shared memory had to
    // wait for comes an edge of theirs, as rows without an end would take all that the
    // lanes leave.]] or ""}

    wire [UNITS-1:0]   soon;    // by unit: the lanes write on the edge after the next
    wire [UNITS-1:0]   now;     // they write on this one
    wire [UNITS-1:0]   waits;   // somebody waits to write a row there
    wire [UNITS-1:0]   unread_a; // its collector has to read that row of write
    wire [UNITS-1:0]   unread_b; // ... of load
    wire [UNIT_W-1:0]  w_unit = ${unit "write_warp"};
    wire [UNIT_W-1:0]  l_unit = ${unit "load_warp"};
    wire [PLACE_W-1:0] w_at   = ${place("write_warp", "write_reg")};
    wire [PLACE_W-1:0] l_at   = ${place("load_warp", "load_reg")};

//% for _, w in ipairs{ "write", "load" } do
    wire ${w}_meets = e_valid && e_warp == ${w}_warp && (
//%     for i, s in ipairs(sources) do
        (${is_there("e_" .. s)} && ${register("e_" .. s)} == ${w}_reg)${i < #sources and " ||" or ");"}
//%     end
//% end

    wire idle   = !write_ready && !load_ready;
//% if SHARED then
    wire              s_waits;  // shared memory has words to be put,
    wire [UNITS-1:0]  s_serves; // into the file of this unit
    reg               turn_s;   // it is their turn
    wire [UNITS-1:0]  kept      = s_serves & now & {UNITS{turn_s}}; // for them
    wire may_w  = idle && write_valid && !soon[w_unit] && !write_meets && !unread_a[w_unit] &&
                  !kept[w_unit];
    wire may_l  = idle && load_valid && !soon[l_unit] && !load_meets && !unread_b[l_unit] &&
                  !kept[l_unit];
//% else
    wire may_w  = idle && write_valid && !soon[w_unit] && !write_meets && !unread_a[w_unit];
    wire may_l  = idle && load_valid && !soon[l_unit] && !load_meets && !unread_b[l_unit];
//% end
    reg  turn_l; // of both it is load's turn

    always @(posedge clk) begin
        if (rst) begin
            write_ready <= 1'b0;
            load_ready  <= 1'b0;
            turn_l      <= 1'b0;
        end else begin
            write_ready <= may_w && !(may_l && turn_l);
            load_ready  <= may_l && !(may_w && !turn_l);
            if (may_w || may_l)
                turn_l <= may_w && !(may_l && turn_l);
        end
    end

    wire               puts      = write_ready || load_ready;
    wire [UNIT_W-1:0]  put_unit  = write_ready ? w_unit : l_unit;
    wire [PLACE_W-1:0] put_at    = write_ready ? w_at : l_at;
    wire [LANES-1:0]   put_lanes = write_ready ? {LANES{1'b1}} : load_mask;
    wire [ROW_W-1:0]   put_row   = write_ready ? write_row : load_data;

//% if SHARED then
    always @(posedge clk) begin
        if (rst)
            turn_s <= 1'b0;
        else if (puts && s_serves[put_unit])
            turn_s <= s_waits;
        else
            turn_s <= turn_s && (s_serves & now) != {UNITS{1'b0}};
    end

//% end

    // ------------------------------------------------------------------
    // Units${SHARED and "; who tells completions: they, and shared memory" or ""}

//% local T = SHARED and "TELLERS" or "UNITS"
//% if SHARED then
    localparam TELLERS  = ${U + 1};
    localparam TELLER_W = ${clog2(U + 1)};

//% end
    wire [${T}-1:0]          ended;
    wire [${T}-1:0]          told;
    wire [${T}*WARP_W-1:0]   end_warp;
    wire [${T}*TAG_W-1:0]    end_tag;
    wire [${T}*TICKET_W-1:0] end_ticket;
//% if SHARED then

    wire [UNITS-1:0]          wants;  // by unit: an access is collected
    wire [UNITS*WARP_W-1:0]   want_warp;
    wire [UNITS*TAG_W-1:0]    want_tag;
    wire [UNITS*TICKET_W-1:0] want_ticket;
    wire [UNITS*8-1:0]        want_op;
    wire [UNITS-1:0]          want_dst;
    wire [UNITS*PLACE_W-1:0]  want_at;
    wire [UNITS-1:0]          gives;  // a pass of it leaves
    wire [UNITS*ALUS-1:0]     x_active;
    wire [UNITS*DATA_W-1:0]   x_a;
    wire [UNITS*DATA_W-1:0]   x_b;
    wire [UNITS*DATA_W-1:0]   x_c;
    wire [UNITS-1:0]          taken;  // its file is written
    wire [UNITS-1:0]          s_puts; // shared memory does
    wire [PLACE_W-1:0]        s_at;
    wire [LANES-1:0]          s_lanes;
    wire [DATA_W-1:0]         s_words;
//% end

    genvar u;

    generate
        for (u = 0; u < UNITS; u = u + 1) begin : near
            assign waits[u] = (write_valid && !write_ready && w_unit == u) ||
                              (load_valid && !load_ready && l_unit == u)${SHARED and [[ ||
                              (s_waits && s_serves[u])]] or ""};

            ${prefix}ndp_near_pipe_unit unit (
                .clk        (clk),
                .rst        (rst),
                .take       (goes && e_unit == u),
                .warp       (e_warp),
                .tag        (e_tag),
                .mask       (e_mask),
//% for _, s in ipairs(sources) do
                ${pad("." .. s, 11)} (e_${s}),
//% end
                .ticket     (e_ticket),
                .word       (word),
                .to_reg     (to_reg),
                .to_pred    (to_pred),
                .of_preds   (of_preds),
//% if SHARED then
                .to_shared  (to_shared),
//% end
                .fixed      (fixed),
                .value      (value),
                .held       (held[u]),
                .room       (room[u]),
                .reads      (reads && read_unit == u),
                .read_at    (serves_r ? r_at : f_at),
                .row        (rows[u*ROW_W +: ROW_W]),
                .puts       (puts && put_unit == u),
                .put_at     (put_at),
                .put_lanes  (put_lanes),
                .put_row    (put_row),
                .soon       (soon[u]),
                .now        (now[u]),
                .look_a     (w_at),
                .look_b     (l_at),
                .left_a     (unread_a[u]),
                .left_b     (unread_b[u]),
                .waits      (waits[u]),
//% if SHARED then
                .wants      (wants[u]),
                .want_warp  (want_warp[u*WARP_W +: WARP_W]),
                .want_tag   (want_tag[u*TAG_W +: TAG_W]),
                .want_ticket (want_ticket[u*TICKET_W +: TICKET_W]),
                .want_op    (want_op[u*8 +: 8]),
                .want_dst   (want_dst[u]),
                .want_at    (want_at[u*PLACE_W +: PLACE_W]),
                .gives      (gives[u]),
                .x_active   (x_active[u*ALUS +: ALUS]),
                .x_1        (x_a[u*DATA_W +: DATA_W]),
                .x_2        (x_b[u*DATA_W +: DATA_W]),
                .x_3        (x_c[u*DATA_W +: DATA_W]),
                .taken      (taken[u]),
                .s_puts     (s_puts[u]),
                .s_at       (s_at),
                .s_lanes    (s_lanes),
                .s_words    (s_words),
//% end
                .ended      (ended[u]),
                .told       (told[u]),
                .end_warp   (end_warp[u*WARP_W +: WARP_W]),
                .end_tag    (end_tag[u*TAG_W +: TAG_W]),
                .end_ticket (end_ticket[u*TICKET_W +: TICKET_W])
            );
        end
    endgenerate

//% if SHARED then
    // ------------------------------------------------------------------
    // Shared memory

    ${prefix}ndp_near_pipe_shared shared (
        .clk           (clk),
        .rst           (rst),
        .wants         (wants),
        .want_warp     (want_warp),
        .want_tag      (want_tag),
        .want_ticket   (want_ticket),
        .want_op       (want_op),
        .want_dst      (want_dst),
        .want_at       (want_at),
        .gives         (gives),
        .x_active      (x_active),
        .x_a           (x_a),
        .x_b           (x_b),
        .x_c           (x_c),
        .window_valid  (window_valid),
        .window_warp   (window_warp),
        .window_base   (window_base),
        .window_rows   (window_rows),
        .taken         (taken),
        .waits         (s_waits),
        .serves        (s_serves),
        .puts          (s_puts),
        .put_at        (s_at),
        .put_lanes     (s_lanes),
        .put_words     (s_words),
        .fault_valid   (fault_valid),
        .fault_warp    (fault_warp),
        .fault_tag     (fault_tag),
        .fault_odd     (fault_odd),
        .fault_address (fault_address),
        .ended         (ended[UNITS]),
        .told          (told[UNITS]),
        .end_warp      (end_warp[UNITS*WARP_W +: WARP_W]),
        .end_tag       (end_tag[UNITS*TAG_W +: TAG_W]),
        .end_ticket    (end_ticket[UNITS*TICKET_W +: TICKET_W])
    );

//% else
    assign fault_valid   = 1'b0;
    assign fault_warp    = {WARP_W{1'b0}};
    assign fault_tag     = {TAG_W{1'b0}};
    assign fault_odd     = 1'b0;
    assign fault_address = 32'd0;

//% end
    // ------------------------------------------------------------------
    // Completions, in turn

//% local W = SHARED and "TELLER_W" or "UNIT_W"
    wire [${T}-1:0]  chosen;
    wire [${W}-1:0] who;
    wire              moves = !done_valid || done_ready;
    wire              tells = moves && ended != {${T}{1'b0}};

    assign told = chosen & {${T}{moves}};

    ${prefix}ndp_round_robin #(
        .N       (${T}),
        .INDEX_W (${W})
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (ended),
        .take    (tells),
        .chosen  (chosen),
        .index   (who)
    );

    always @(posedge clk) begin
        if (rst) begin
            done_valid  <= 1'b0;
            done_warp   <= {WARP_W{1'b0}};
            done_tag    <= {TAG_W{1'b0}};
            done_ticket <= {TICKET_W{1'b0}};
        end else if (moves) begin
            done_valid  <= tells;
            done_warp   <= tells ? end_warp[who*WARP_W +: WARP_W] : {WARP_W{1'b0}};
            done_tag    <= tells ? end_tag[who*TAG_W +: TAG_W] : {TAG_W{1'b0}};
            done_ticket <= tells ? end_ticket[who*TICKET_W +: TICKET_W] : {TICKET_W{1'b0}};
        end
    end

    wire unused = &{1'b0, exec_op, write_pred${SHARED and "" or ",\n                    window_valid, window_warp, window_base, window_rows, now"}};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_near_pipe_formal.vh"
`endif
endmodule

`default_nettype wire
