//% use "ndp_vault_unit.v"
//% use "ndp_vault_formal.vh"
${header{title = "banks with data of a core's near-bank units", text = [[
In each near-bank unit some banks with their queues, their open rows and their commands,
and behind them one memory: requests for sectors are answered when their burst would
have crossed the bank's wires.  The host reads and writes words.

    mem -> entry -> banks -> lines, queues -+
             +- beyond the memory ----------+- in turn -> memory -> rsp, read
    win -> held word -----------------------+

Parameters: all sizes and times are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high, at mem in each unit for
itself; responses, words and commands cannot be refused.  Fields are zero while valid is
low.

Latency: the response to a command that was decided on edge c stands after c+]] .. L.READ_D .. [[ for
a load, c+]] .. L.WRITE_D .. [[ for a store, when no other is in the way.

See docs/blocks/vault.md.]]}}
`default_nettype none

module ${prefix}ndp_vault (
${ports{reg = {"read_valid"}}}
);
${localparams("UNITS", "UNIT_W", "UNIT_AT", "BANKS", "OWN_W", "INDEX_W", "ID_W", "WORDS", "WORD_W", "DATA_W",
              "BUFFER_W", "ROW_W", "COL_W")}

    localparam AT_W = OWN_W + UNIT_W + WORD_W; // bits of a word's address at the core

    // ------------------------------------------------------------------
    // The window's word

    reg               w_held;
    reg               w_write;
    reg               w_there; // within the memory
    reg [UNIT_W-1:0]  w_unit;
    reg [INDEX_W-1:0] w_sector;
    reg [WORD_W-1:0]  w_word;  // in its sector
    reg [31:0]        w_data;
    reg               w_begun; // its turn was on the edge before

    wire [UNITS-1:0] w_goes; // its turn, by unit

    // without the bits of the unit
    wire [OWN_W+WORD_W-1:0] own = {win_address[AT_W-1:UNIT_AT+UNIT_W], win_address[UNIT_AT-1:0]};

    wire takes = win_valid && win_ready;

    assign win_ready = !w_held;

    always @(posedge clk) begin
        if (rst) begin
            w_held  <= 1'b0;
            w_begun <= 1'b0;
        end else begin
            w_held  <= takes || (w_held && w_goes == {UNITS{1'b0}});
            w_begun <= w_goes != {UNITS{1'b0}};
        end
    end

//% local far = {}
//% if L.OWN_W > L.INDEX_W then far[#far + 1] = "own[OWN_W+WORD_W-1:INDEX_W+WORD_W] == " .. L.OWN_W - L.INDEX_W .. "'d0" end
//% if L.OWN_W + L.UNIT_W + L.WORD_W < 30 then far[#far + 1] = "win_address[29:AT_W] == " .. 30 - L.OWN_W - L.UNIT_W - L.WORD_W .. "'d0" end
    always @(posedge clk) begin
        if (takes) begin
            w_write  <= win_write;
            w_there  <= ${#far > 0 and table.concat(far, " &&\n                        ") or "1'b1"};
            w_unit   <= win_address[UNIT_AT +: UNIT_W];
            w_sector <= own[WORD_W +: INDEX_W];
            w_word   <= own[WORD_W-1:0];
            w_data   <= win_data;
        end
    end

    // ------------------------------------------------------------------
    // Units

    wire [UNITS*DATA_W-1:0] sectors; // that were read last

    genvar u;

    generate
        for (u = 0; u < UNITS; u = u + 1) begin : near
            ${prefix}ndp_vault_unit unit (
                .clk         (clk),
                .rst         (rst),
                .mem_valid   (mem_valid[u]),
                .mem_ready   (mem_ready[u]),
                .mem_store   (mem_store[u]),
                .mem_id      (mem_id[u*ID_W +: ID_W]),
                .mem_address (mem_address[u*OWN_W +: OWN_W]),
                .mem_strobe  (mem_strobe[u*WORDS +: WORDS]),
                .mem_data    (mem_data[u*DATA_W +: DATA_W]),
                .rsp_valid   (rsp_valid[u]),
                .rsp_id      (rsp_id[u*ID_W +: ID_W]),
                .rsp_fault   (rsp_fault[u]),
                .rsp_data    (rsp_data[u*DATA_W +: DATA_W]),
                .win         (w_held && w_unit == u),
                .win_goes    (w_goes[u]),
                .win_write   (w_write),
                .win_there   (w_there),
                .win_sector  (w_sector),
                .win_word    (w_word),
                .win_data    (w_data),
                .read        (sectors[u*DATA_W +: DATA_W]),
                .cmd_valid   (cmd_valid[u*BANKS +: BANKS]),
                .cmd_kind    (cmd_kind[u*BANKS*3 +: BANKS*3]),
                .cmd_buffer  (cmd_buffer[u*BANKS*BUFFER_W +: BANKS*BUFFER_W]),
                .cmd_row     (cmd_row[u*BANKS*ROW_W +: BANKS*ROW_W]),
                .cmd_column  (cmd_column[u*BANKS*COL_W +: BANKS*COL_W])
            );
        end
    endgenerate

    // ------------------------------------------------------------------
    // Words for the host

    reg              r_there; // within the memory
    reg [UNIT_W-1:0] r_unit;
    reg [WORD_W-1:0] r_word;

    always @(posedge clk) begin
        if (rst)
            read_valid <= 1'b0;
        else
            read_valid <= w_begun && !w_write;
    end

    always @(posedge clk) begin
        r_there <= w_there;
        r_unit  <= w_unit;
        r_word  <= w_word;
    end

    assign read_data = read_valid && r_there ? sectors[{r_unit, r_word, 5'd0} +: 32] : 32'd0;

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_vault_formal.vh"
`endif
endmodule

`default_nettype wire
