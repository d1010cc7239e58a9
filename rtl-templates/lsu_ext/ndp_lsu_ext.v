//% use "ndp_round_robin.v"
//% use "ndp_lsu_ext_unit.v"
//% use "ndp_lsu_ext_gather.v"
//% use "ndp_lsu_ext_formal.vh"
${header{title = "load-store extension of a core's near-bank units", text = [[
What a core's load-store unit sends to the DRAM die is carried out here, in each unit
at its own memory: messages, whose rows are gathered and written into the near register
file, or stored from it, transactions, which are answered, and strided messages, whose
words are gathered from the memories of all units.

    down -> entry -+--> gatherer ---> work of a unit
                   +----------------> work of the unit -> mem -> rsp -+- place -> load, done
                      ^ fetch, fetched               +- queue -> answer

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high, at mem in each unit for
itself; rsp and fetched cannot be refused.  Fields are zero while valid is low.

Latency: of a request taken on edge t sector k is at mem after t+1+k; a response is an
answer two edges later; a load's row is there an edge after its last response.

See docs/blocks/lsu_ext.md.]]}}
`default_nettype none

module ${prefix}ndp_lsu_ext (
${ports{reg = {"fetch_valid", "load_valid", "done_valid", "answer_valid", "answer_id",
               "answer_fault", "answer_data"}}}
);
${localparams("UNITS", "LANES", "LANE_W", "WARP_W", "REG_W", "UNIT_W", "WORDS", "WORD_W", "UNIT_AT",
              "AT_W", "OWN_W", "STEP_W", "DATA_W", "ROW_W", "SPAN", "GATHER_W", "TAG_W")}

    // ------------------------------------------------------------------
    // Entry

    reg              e_valid;
    reg              e_near;
    reg              e_store;
    reg [UNIT_W-1:0] e_unit;
    reg [WARP_W-1:0] e_warp;
    reg [REG_W-1:0]  e_reg;
    reg [LANE_W-1:0] e_id;
    reg [OWN_W-1:0]  e_sector;
    reg [WORD_W-1:0] e_off;
    reg [WORDS-1:0]  e_strobe;
    reg [DATA_W-1:0] e_data;
    reg              e_strided;
    reg [LANES-1:0]  e_mask;
    reg [STEP_W-1:0] e_step;
    reg [AT_W-1:0]   e_word;

    wire [UNITS-1:0] full; // by unit: there is work
    wire [UNITS-1:0] free; // ... none after this edge

    // the gatherer: none of its messages is in front; a request for a sector
    wire                g_idle;
    wire                g_req_valid;
    wire [UNIT_W-1:0]   g_unit;
    wire [OWN_W-1:0]    g_sector;
    wire [GATHER_W-1:0] g_place;
    wire [LANE_W-1:0]   g_lead;
    reg                 g_turn; // it comes first where the entry wants the same unit

    wire plain    = e_valid && !e_strided;
    wire g_accept = e_valid && e_strided && g_idle;
    wire same     = plain && g_req_valid && e_unit == g_unit;
    wire goes     = plain && free[e_unit] && !(same && g_turn);
    wire g_issue  = g_req_valid && free[g_unit] && !(same && !g_turn);
    wire takes    = down_valid && down_ready;

    assign down_ready = !e_valid || (e_strided ? g_idle : !full[e_unit] && !(same && g_turn));

    always @(posedge clk) begin
        if (rst)
            g_turn <= 1'b0;
        else if (same && free[e_unit])
            g_turn <= !g_turn;
    end

    always @(posedge clk) begin
        if (rst)
            e_valid <= 1'b0;
        else if (takes)
            e_valid <= 1'b1;
        else if (goes || g_accept)
            e_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (takes) begin
            e_near    <= down_near;
            e_store   <= down_store;
            e_unit    <= down_unit;
            e_warp    <= down_warp;
            e_reg     <= down_reg;
            e_id      <= down_id;
//% if L.UNIT_AT > L.WORD_W then
            e_sector  <= {down_address[AT_W-1:UNIT_AT+UNIT_W], down_address[UNIT_AT-1:WORD_W]};
//% else
            e_sector  <= down_address[AT_W-1:UNIT_AT+UNIT_W];
//% end
            e_off     <= down_address[WORD_W-1:0];
            e_strobe  <= down_strobe;
            e_data    <= down_data;
            e_strided <= down_near && down_strided;
            e_mask    <= down_mask;
            e_step    <= down_step;
            e_word    <= down_address;
        end
    end

    wire [UNITS-1:0] f_chosen; // see f_who

    wire unused = &{1'b0, f_chosen, l_next};

    // ------------------------------------------------------------------
    // Units

    wire [UNITS-1:0]             wants;
    wire [UNITS*WARP_W-1:0]      want_warp;
    wire [UNITS*REG_W-1:0]       want_reg;
    wire [UNITS*WORD_W-1:0]      want_off;
    wire                         come;
    reg  [UNIT_W-1:0]            f_unit; // whose row is asked for, or comes
    wire [SPAN*DATA_W-1:0]       come_row;
    wire [UNITS-1:0]             shows;   // by unit: its queue does
    wire [UNITS-1:0]             strided; // ... a sector of a strided message
    wire [UNITS-1:0]             answer  = shows & ~strided;
    wire [UNITS-1:0]             sector  = shows & strided;
    wire [UNITS-1:0]             answered;
    wire [UNITS-1:0]             gathered;
    wire [UNITS*GATHER_W-1:0]    places;
    wire [UNITS*LANE_W-1:0]      ids;
    wire [UNITS-1:0]             faults;
    wire [UNITS*DATA_W-1:0]      datas;
    wire [UNITS-1:0]             whole;
    wire [UNITS-1:0]             told;
    wire [UNITS*WARP_W-1:0]      end_warp;
    wire [UNITS*REG_W-1:0]       end_reg;
    wire [UNITS-1:0]             end_store;
    wire [UNITS-1:0]             end_fault;
    wire [UNITS*WORD_W-1:0]      end_off;
    wire [UNITS*SPAN*DATA_W-1:0] rows;

    genvar u;

    generate
        for (u = 0; u < UNITS; u = u + 1) begin : near
            ${prefix}ndp_lsu_ext_unit unit (
                .clk          (clk),
                .rst          (rst),
                .take         (goes && e_unit == u),
                .gather       (g_issue && g_unit == u),
                .message      (e_near),
                .store        (e_store),
                .warp         (e_warp),
                .regno        (e_reg),
                .id           (e_id),
                .sector       (e_sector),
                .g_sector     (g_sector),
                .g_place      (g_place),
                .g_lead       (g_lead),
                .offset       (e_off),
                .strobe       (e_strobe),
                .data         (e_data),
                .full         (full[u]),
                .free         (free[u]),
                .wants        (wants[u]),
                .want_warp    (want_warp[u*WARP_W +: WARP_W]),
                .want_reg     (want_reg[u*REG_W +: REG_W]),
                .want_off     (want_off[u*WORD_W +: WORD_W]),
                .come         (come && f_unit == u),
                .come_row     (come_row),
                .mem_valid    (mem_valid[u]),
                .mem_ready    (mem_ready[u]),
                .mem_store    (mem_store[u]),
                .mem_id       (mem_id[u*TAG_W +: TAG_W]),
                .mem_address  (mem_address[u*OWN_W +: OWN_W]),
                .mem_strobe   (mem_strobe[u*WORDS +: WORDS]),
                .mem_data     (mem_data[u*DATA_W +: DATA_W]),
                .rsp_valid    (rsp_valid[u]),
                .rsp_id       (rsp_id[u*TAG_W +: TAG_W]),
                .rsp_fault    (rsp_fault[u]),
                .rsp_data     (rsp_data[u*DATA_W +: DATA_W]),
                .answer       (shows[u]),
                .strided      (strided[u]),
                .answer_place (places[u*GATHER_W +: GATHER_W]),
                .answer_id    (ids[u*LANE_W +: LANE_W]),
                .answer_fault (faults[u]),
                .answer_data  (datas[u*DATA_W +: DATA_W]),
                .answered     (answered[u] || gathered[u]),
                .whole        (whole[u]),
                .tell         (told[u]),
                .end_warp     (end_warp[u*WARP_W +: WARP_W]),
                .end_reg      (end_reg[u*REG_W +: REG_W]),
                .end_store    (end_store[u]),
                .end_fault    (end_fault[u]),
                .end_off      (end_off[u*WORD_W +: WORD_W]),
                .row          (rows[u*SPAN*DATA_W +: SPAN*DATA_W])
            );
        end
    endgenerate

    // ------------------------------------------------------------------
    // Rows of stores, one at a time

    reg              f_waits; // it was asked for and has not come
    reg [WARP_W-1:0] f_warp;
    reg [REG_W-1:0]  f_reg;
    reg [WORD_W-1:0] f_off;

    wire [UNIT_W-1:0] f_who;
    wire              asks = !fetch_valid && !f_waits && wants != {UNITS{1'b0}};

    ${prefix}ndp_round_robin #(
        .N       (UNITS),
        .INDEX_W (UNIT_W)
    ) fetch_turn (
        .clk     (clk),
        .rst     (rst),
        .request (wants),
        .take    (asks),
        .chosen  (f_chosen),
        .index   (f_who)
    );

    always @(posedge clk) begin
        if (rst) begin
            fetch_valid <= 1'b0;
            f_waits     <= 1'b0;
        end else begin
            if (asks)
                fetch_valid <= 1'b1;
            else if (fetch_ready)
                fetch_valid <= 1'b0;
            if (fetch_valid && fetch_ready)
                f_waits <= 1'b1;
            else if (fetched_valid)
                f_waits <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (asks) begin
            f_unit <= f_who;
            f_warp <= want_warp[f_who*WARP_W +: WARP_W];
            f_reg  <= want_reg[f_who*REG_W +: REG_W];
            f_off  <= want_off[f_who*WORD_W +: WORD_W];
        end
    end

    assign fetch_warp = fetch_valid ? f_warp : {WARP_W{1'b0}};
    assign fetch_reg  = fetch_valid ? f_reg : {REG_W{1'b0}};
    assign come       = f_waits && fetched_valid;
    assign come_row   = {${L.SPAN * L.DATA_W - L.ROW_W}'d0, fetched_data} << {f_off, 5'd0};

    // ------------------------------------------------------------------
    // Answers, in turn

    wire [UNITS-1:0]  a_chosen;
    wire [UNIT_W-1:0] a_who;
    wire              a_moves = !answer_valid || answer_ready;
    wire              a_tells = a_moves && answer != {UNITS{1'b0}};

    assign answered = a_chosen & {UNITS{a_moves}};

    ${prefix}ndp_round_robin #(
        .N       (UNITS),
        .INDEX_W (UNIT_W)
    ) answer_turn (
        .clk     (clk),
        .rst     (rst),
        .request (answer),
        .take    (a_tells),
        .chosen  (a_chosen),
        .index   (a_who)
    );

    always @(posedge clk) begin
        if (rst) begin
            answer_valid <= 1'b0;
            answer_id    <= {LANE_W{1'b0}};
            answer_fault <= 1'b0;
            answer_data  <= {DATA_W{1'b0}};
        end else if (a_moves) begin
            answer_valid <= a_tells;
            answer_id    <= a_tells ? ids[a_who*LANE_W +: LANE_W] : {LANE_W{1'b0}};
            answer_fault <= a_tells && faults[a_who];
            answer_data  <= a_tells ? datas[a_who*DATA_W +: DATA_W] : {DATA_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------
    // Strided messages: the sectors that come for them, in turn

    wire              g_rsp_valid = sector != {UNITS{1'b0}};
    wire [UNIT_W-1:0] g_index;
    wire              g_row_valid;
    wire              g_row_grant;
    wire              g_row_done;
    wire [WARP_W-1:0] g_row_warp;
    wire [REG_W-1:0]  g_row_reg;
    wire              g_row_fault;
    wire [LANES-1:0]  g_row_mask;
    wire [ROW_W-1:0]  g_row_data;

    ${prefix}ndp_round_robin #(
        .N       (UNITS),
        .INDEX_W (UNIT_W)
    ) sector_turn (
        .clk     (clk),
        .rst     (rst),
        .request (sector),
        .take    (g_rsp_valid),
        .chosen  (gathered),
        .index   (g_index)
    );

    ${prefix}ndp_lsu_ext_gather gatherer (
        .clk         (clk),
        .rst         (rst),
        .accept      (g_accept),
        .idle        (g_idle),
        .warp        (e_warp),
        .regno       (e_reg),
        .mask        (e_mask),
        .step        (e_step),
        .word        (e_word),
        .req_valid   (g_req_valid),
        .req_accept  (g_issue),
        .req_unit    (g_unit),
        .req_sector  (g_sector),
        .req_place   (g_place),
        .req_lead    (g_lead),
        .rsp_valid   (g_rsp_valid),
        .rsp_place   (places[g_index*GATHER_W +: GATHER_W]),
        .rsp_lead    (ids[g_index*LANE_W +: LANE_W]),
        .rsp_fault   (faults[g_index]),
        .rsp_data    (datas[g_index*DATA_W +: DATA_W]),
        .row_valid   (g_row_valid),
        .row_grant   (g_row_grant),
        .row_done    (g_row_done),
        .row_warp    (g_row_warp),
        .row_reg     (g_row_reg),
        .row_fault   (g_row_fault),
        .row_mask    (g_row_mask),
        .row_data    (g_row_data)
    );

    // ------------------------------------------------------------------
    // Ends, in turn: a load's row first; the gatherer's behind those of the units

    reg              l_strided; // it is the gatherer's
    reg [UNIT_W-1:0] l_unit;    // else, whose message it is
    reg [WARP_W-1:0] l_warp;
    reg [REG_W-1:0]  l_reg;
    reg              l_store;
    reg              l_fault;
    reg [WORD_W-1:0] l_off;

//% local END_W = clog2(L.UNITS + 1)
    wire [UNITS:0]    l_chosen;
    wire ${pad("[" .. END_W - 1 .. ":0]", 12)} l_next;
    wire [UNIT_W-1:0] l_who   = l_next[UNIT_W-1:0];
    wire              l_moves = done_valid ? done_ready : !load_valid;
    wire              l_tells = l_moves && {g_row_valid, whole} != {UNITS+1{1'b0}};
    wire              l_load  = l_chosen[UNITS] || !end_store[l_who];

    assign told    = l_chosen[UNITS-1:0] & {UNITS{l_moves}};
    assign g_row_grant  = l_chosen[UNITS] && l_moves;
    assign g_row_done = load_valid && load_ready && l_strided;

    ${prefix}ndp_round_robin #(
        .N       (UNITS + 1),
        .INDEX_W (${END_W})
    ) end_turn (
        .clk     (clk),
        .rst     (rst),
        .request ({g_row_valid, whole}),
        .take    (l_tells),
        .chosen  (l_chosen),
        .index   (l_next)
    );

    always @(posedge clk) begin
        if (rst) begin
            load_valid <= 1'b0;
            done_valid <= 1'b0;
        end else if (l_moves) begin
            load_valid <= l_tells && l_load;
            done_valid <= l_tells && !l_load;
        end else if (load_valid && load_ready) begin
            load_valid <= 1'b0;
            done_valid <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (l_tells) begin
            l_strided <= l_chosen[UNITS];
            l_unit    <= l_who;
            l_warp    <= l_chosen[UNITS] ? g_row_warp : end_warp[l_who*WARP_W +: WARP_W];
            l_reg     <= l_chosen[UNITS] ? g_row_reg : end_reg[l_who*REG_W +: REG_W];
            l_store   <= !l_load;
            l_fault   <= l_chosen[UNITS] ? g_row_fault : end_fault[l_who];
            l_off     <= end_off[l_who*WORD_W +: WORD_W];
        end
    end

    wire [SPAN*DATA_W-1:0] l_sectors = rows[l_unit*SPAN*DATA_W +: SPAN*DATA_W];

    assign load_warp = load_valid ? l_warp : {WARP_W{1'b0}};
    assign load_reg  = load_valid ? l_reg : {REG_W{1'b0}};
    assign load_mask = {LANES{load_valid}} & (l_strided ? g_row_mask : {LANES{1'b1}});
    assign load_data = !load_valid ? {ROW_W{1'b0}} : l_strided ? g_row_data : l_sectors[32*l_off +: ROW_W];

    assign done_warp  = done_valid ? l_warp : {WARP_W{1'b0}};
    assign done_reg   = done_valid ? l_reg : {REG_W{1'b0}};
    assign done_store = done_valid && l_store;
    assign done_fault = done_valid && l_fault;

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_lsu_ext_formal.vh"
`endif
endmodule

`default_nettype wire
