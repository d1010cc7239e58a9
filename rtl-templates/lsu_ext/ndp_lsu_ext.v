//% use "ndp_round_robin.v"
//% use "ndp_lsu_ext_unit.v"
//% use "ndp_lsu_ext_formal.vh"
${header{title = "load-store extension of a core's near-bank units", text = [[
What a core's load-store unit sends to the DRAM die is carried out here, in each unit
at its own memory: messages, whose rows are gathered and written into the near register
file, or stored from it, and transactions, which are answered.

    down -> entry -> work of the unit -> mem -> rsp -+- place -> load, done
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
              "AT_W", "OWN_W", "DATA_W", "ROW_W", "SPAN", "TAG_W")}

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

    wire [UNITS-1:0] full; // by unit: there is work
    wire [UNITS-1:0] free; // ... none after this edge

    wire goes  = e_valid && free[e_unit];
    wire takes = down_valid && down_ready;

    assign down_ready = !e_valid || !full[e_unit];

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
            e_near   <= down_near;
            e_store  <= down_store;
            e_unit   <= down_unit;
            e_warp   <= down_warp;
            e_reg    <= down_reg;
            e_id     <= down_id;
//% if L.UNIT_AT > L.WORD_W then
            e_sector <= {down_address[AT_W-1:UNIT_AT+UNIT_W], down_address[UNIT_AT-1:WORD_W]};
//% else
            e_sector <= down_address[AT_W-1:UNIT_AT+UNIT_W];
//% end
            e_off    <= down_address[WORD_W-1:0];
            e_strobe <= down_strobe;
            e_data   <= down_data;
        end
    end

    wire [UNITS-1:0] f_chosen; // see f_who

    // the first is down_unit
    wire unused = &{1'b0, down_address[UNIT_AT +: UNIT_W], f_chosen};

    // ------------------------------------------------------------------
    // Units

    wire [UNITS-1:0]             wants;
    wire [UNITS*WARP_W-1:0]      want_warp;
    wire [UNITS*REG_W-1:0]       want_reg;
    wire [UNITS*WORD_W-1:0]      want_off;
    wire                         come;
    reg  [UNIT_W-1:0]            f_unit; // whose row is asked for, or comes
    wire [SPAN*DATA_W-1:0]       come_row;
    wire [UNITS-1:0]             answer; // by unit: there is an answer
    wire [UNITS-1:0]             answered;
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
                .message      (e_near),
                .store        (e_store),
                .warp         (e_warp),
                .regno        (e_reg),
                .id           (e_id),
                .sector       (e_sector),
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
                .answer       (answer[u]),
                .answer_id    (ids[u*LANE_W +: LANE_W]),
                .answer_fault (faults[u]),
                .answer_data  (datas[u*DATA_W +: DATA_W]),
                .answered     (answered[u]),
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
    // Ends, in turn: a load's row first

    reg [UNIT_W-1:0] l_unit; // whose message it is
    reg [WARP_W-1:0] l_warp;
    reg [REG_W-1:0]  l_reg;
    reg              l_store;
    reg              l_fault;
    reg [WORD_W-1:0] l_off;

    wire [UNITS-1:0]  l_chosen;
    wire [UNIT_W-1:0] l_who;
    wire              l_moves = done_valid ? done_ready : !load_valid;
    wire              l_tells = l_moves && whole != {UNITS{1'b0}};

    assign told = l_chosen & {UNITS{l_moves}};

    ${prefix}ndp_round_robin #(
        .N       (UNITS),
        .INDEX_W (UNIT_W)
    ) end_turn (
        .clk     (clk),
        .rst     (rst),
        .request (whole),
        .take    (l_tells),
        .chosen  (l_chosen),
        .index   (l_who)
    );

    always @(posedge clk) begin
        if (rst) begin
            load_valid <= 1'b0;
            done_valid <= 1'b0;
        end else if (l_moves) begin
            load_valid <= l_tells && !end_store[l_who];
            done_valid <= l_tells && end_store[l_who];
        end else if (load_valid && load_ready) begin
            load_valid <= 1'b0;
            done_valid <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (l_tells) begin
            l_unit  <= l_who;
            l_warp  <= end_warp[l_who*WARP_W +: WARP_W];
            l_reg   <= end_reg[l_who*REG_W +: REG_W];
            l_store <= end_store[l_who];
            l_fault <= end_fault[l_who];
            l_off   <= end_off[l_who*WORD_W +: WORD_W];
        end
    end

    wire [SPAN*DATA_W-1:0] l_sectors = rows[l_unit*SPAN*DATA_W +: SPAN*DATA_W];

    assign load_warp = load_valid ? l_warp : {WARP_W{1'b0}};
    assign load_reg  = load_valid ? l_reg : {REG_W{1'b0}};
    assign load_mask = {LANES{load_valid}};
    assign load_data = load_valid ? l_sectors[32*l_off +: ROW_W] : {ROW_W{1'b0}};

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
