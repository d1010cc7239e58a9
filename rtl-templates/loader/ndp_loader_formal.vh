//% output("formal/ndp_loader_formal.vh")
${header{title = "what is proved of ndp_loader", text = [[
No entry while a core runs, and one for each other command.  An entry is the words
that were written last, the oldest one lowest; its index is what software said, and
one more for each entry since.  The map is the settings, an edge late.]]}}
`ifdef FORMAL_NDP_LOADER
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // What the last edge was

    reg       f_rst;
    reg       f_load;    // the command, with core and data
    reg       f_running;
    reg       f_stores;
    reg       f_learned; // the settings before it
    reg [4:0] f_bit;

    always @(posedge clk) begin
        f_rst     <= rst;
        f_load    <= command_load;
        f_running <= core_state == 1;
        f_stores  <= wb_dat_w[0];
        f_learned <= setting_learned;
        f_bit     <= setting_map_bit;
    end

    // ------------------------------------------------------------------
    // The entry that software has written: words by number, written in a circle

    reg [31:0]       f_word [0:${L.WORDS - 1}];
    reg [INDEX_W:0]  f_index;  // that is loaded next
    reg [INDEX_W:0]  f_loaded; // on the last edge
    reg [7:0]        f_next;   // word that is written next, the oldest one

    integer f_i;

    always @(posedge clk) begin
        f_loaded <= f_index;
        if (rst) begin
            f_index <= 0;
            f_next  <= 0;
            for (f_i = 0; f_i < WORDS; f_i = f_i + 1)
                f_word[f_i] <= 0;
        end else begin
            if (command_word) begin
                f_word[f_next] <= wb_dat_w;
                f_next         <= f_next == WORDS - 1 ? 0 : f_next + 1;
            end
            if (command_index)
                f_index <= wb_dat_w % ${L.ENTRIES};
            if (command_load && core_state != 1)
                f_index <= (f_index + 1) % ${L.ENTRIES};
        end
    end

    reg [32*WORDS-1:0] f_entry;

    always @* begin
        f_entry = 0;
        for (f_i = 0; f_i < WORDS; f_i = f_i + 1)
            f_entry[32*f_i +: 32] = f_word[(f_next + f_i) % WORDS];
    end

    always @* if (f_past && !f_rst) begin
        p_loads: assert (load_valid == (f_load && !f_running));
        p_entry: assert (load_entry == (load_valid ? f_entry[ENTRY_W-1:0] : 0));
        p_words: assert (words == f_entry && f_next < WORDS);
        p_next: assert (index == f_index);
        p_index: assert (load_index == (load_valid ? f_loaded : 0));
        p_stores: assert (load_stores == (load_valid && f_stores));
        p_map: assert (map_learned == f_learned && map_bit == f_bit);
        c_loads: cover (load_valid && load_entry != 0 && load_index == 1);
        c_refused: cover (f_load && f_running);
        c_map: cover (map_learned && map_bit == 5'd9);
    end
`endif
