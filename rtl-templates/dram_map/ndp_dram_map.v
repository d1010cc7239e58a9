//% use "ndp_dram_map_there.v"
//% use "ndp_dram_map_back.v"
//% use "ndp_dram_map_formal.vh"
${header{title = "addresses to places in DRAM and back", text = [[
Gives the channel, rank, bank group, bank, row and column of byte addresses, and
the addresses of places.  Both maps are combinational modules with a register
behind them.

    ask  -> parities -> partition -> register -> place
    back -> partition -> parities -> register -> found

Parameters: all sizes and masks are generated; see the localparams.

Handshake: an edge with ask_valid or back_valid is a question; none can be refused,
nor can the answers.  Fields of an answer are zero while its valid is low.

Latency: one edge, one question of each kind an edge.

See docs/blocks/dram_map.md.]]}}
`default_nettype none

module ${prefix}ndp_dram_map (
${ports{reg = {"place_valid", "place_channel", "place_rank", "place_group", "place_bank", "place_row",
    "place_column", "place_offset", "place_shared", "found_valid", "found_address"}}}
);
${localparams("OFFSET_W", "ADDR_W", "CHANNEL_W", "RANK_W", "GROUP_W", "BANK_W", "ROW_W", "COL_W")}

    // ------------------------------------------------------------------
    // Address to place

    wire [CHANNEL_W-1:0] there_channel;
    wire [RANK_W-1:0]    there_rank;
    wire [GROUP_W-1:0]   there_group;
    wire [BANK_W-1:0]    there_bank;
    wire [ROW_W-1:0]     there_row;
    wire [COL_W-1:0]     there_column;
    wire                 there_shared;

    ${prefix}ndp_dram_map_there there (
        .address (ask_address[ADDR_W-1:OFFSET_W]),
        .channel (there_channel),
        .rank    (there_rank),
        .group   (there_group),
        .bank    (there_bank),
        .row     (there_row),
        .column  (there_column),
        .shared  (there_shared)
    );

    always @(posedge clk) begin
        if (rst || !ask_valid) begin
            place_valid   <= 1'b0;
            place_channel <= {CHANNEL_W{1'b0}};
            place_rank    <= {RANK_W{1'b0}};
            place_group   <= {GROUP_W{1'b0}};
            place_bank    <= {BANK_W{1'b0}};
            place_row     <= {ROW_W{1'b0}};
            place_column  <= {COL_W{1'b0}};
            place_offset  <= {OFFSET_W{1'b0}};
            place_shared  <= 1'b0;
        end else begin
            place_valid   <= 1'b1;
            place_channel <= there_channel;
            place_rank    <= there_rank;
            place_group   <= there_group;
            place_bank    <= there_bank;
            place_row     <= there_row;
            place_column  <= there_column;
            place_offset  <= ask_address[OFFSET_W-1:0];
            place_shared  <= there_shared;
        end
    end

    // ------------------------------------------------------------------
    // Place to address

    wire [ADDR_W-1:OFFSET_W] home_address;

    ${prefix}ndp_dram_map_back home (
        .channel (back_channel),
        .rank    (back_rank),
        .group   (back_group),
        .bank    (back_bank),
        .row     (back_row),
        .column  (back_column),
        .address (home_address)
    );

    always @(posedge clk) begin
        if (rst || !back_valid) begin
            found_valid   <= 1'b0;
            found_address <= {ADDR_W{1'b0}};
        end else begin
            found_valid   <= 1'b1;
            found_address <= {home_address, back_offset};
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_dram_map_formal.vh"
`endif
endmodule

`default_nettype wire
