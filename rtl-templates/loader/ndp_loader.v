//% use "ndp_regs.v"
//% use "ndp_loader_formal.vh"
//% local rest = 32 * L.WORDS - L.ENTRY_W
${header{title = "tables of blocks and the map of addresses", text = [[
Entries of the tables of blocks come word by word from registers and go to all
controllers and stacks at once; two settings are the map of addresses.

    commands -> words, index -> load        settings -> registers -> map

Parameters: all sizes are generated; see the localparams.

Handshake: entries cannot be refused.  Fields are zero while valid is low.

Latency: an entry is at load after the edge of its command, a setting at map after
the edge behind the one on which it is written.

See docs/blocks/loader.md.]]}}
`default_nettype none

module ${prefix}ndp_loader (
${ports{reg = {"load_valid", "load_index", "load_stores", "map_learned", "map_bit"}}}
);
${localparams("INDEX_W", "ENTRY_W", "WORDS")}

    localparam [1:0] RUNNING = 2'd1; // of core_state
    localparam [4:0] LOWEST  = 5'd7; // map_bit after reset

    // ------------------------------------------------------------------
    // Registers

    wire       command_index;
    wire       command_word;
    wire       command_load;
    wire       setting_learned;
    wire [4:0] setting_map_bit;

    wire running = core_state == RUNNING;
    wire loads   = command_load && !running;

    wire count_loaded  = loads;
    wire count_refused = command_load && running;

    ${prefix}ndp_loader_regs regs (
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
        .learned       (setting_learned),
        .map_bit       (setting_map_bit),
//% for _, c in ipairs(iface.counters) do
        .${pad("count_" .. c.name, 13)} (count_${c.name}),
//% end
        .command_index (command_index),
        .command_word  (command_word),
        .command_load  (command_load),
        .status_entries (${hex(9, L.ENTRIES)})
    );

    // ------------------------------------------------------------------
    // The map

    always @(posedge clk) begin
        if (rst) begin
            map_learned <= 1'b0;
            map_bit     <= LOWEST;
        end else begin
            map_learned <= setting_learned;
            map_bit     <= setting_map_bit;
        end
    end

    // ------------------------------------------------------------------
    // Entries of the tables

    reg [INDEX_W-1:0]  index; // of the next one; what is above it never shows
    reg [32*WORDS-1:0] words; // the last that were written, the first one lowest

    always @(posedge clk) begin
        if (rst)
            index <= {INDEX_W{1'b0}};
        else if (command_index)
            index <= wb_dat_w[INDEX_W-1:0];
        else if (loads)
            index <= index + 1'b1;
    end

    always @(posedge clk) begin
        if (rst)
            words <= {32*WORDS{1'b0}};
        else if (command_word)
            words <= {wb_dat_w, words[32*WORDS-1:32]};
    end

    always @(posedge clk) begin
        if (rst || !loads) begin
            load_valid  <= 1'b0;
            load_index  <= {INDEX_W{1'b0}};
            load_stores <= 1'b0;
        end else begin
            load_valid  <= 1'b1;
            load_index  <= index;
            load_stores <= wb_dat_w[0];
        end
    end

    assign load_entry = load_valid ? words[ENTRY_W-1:0] : {ENTRY_W{1'b0}};
//% if rest > 0 then

    wire unused = &{1'b0, words[32*WORDS-1:ENTRY_W]}; // above an entry
//% end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_loader_formal.vh"
`endif
endmodule

`default_nettype wire
