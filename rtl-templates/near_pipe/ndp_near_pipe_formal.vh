//% output("formal/ndp_near_pipe_formal.vh")
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
${header{title = "what is proved of ndp_near_pipe", text = [[
With what the surroundings promise (q_*): rows and requests stand until they are
taken, no instruction names a register of which a row is at write or load, one
request at a time.  That no unit is given a row while its lanes write or while it is
left to read, and that ends are told when there are some, are the demands of the units.]]}}
`ifdef FORMAL_NDP_NEAR_PIPE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Rows stand until they are taken

//% for _, w in ipairs{ "write", "load" } do
    reg                     f_${w}_waits;
    reg [WARP_W+REG_W-1:0]  f_${w}_was;

    always @(posedge clk) begin
        f_${w}_waits <= !rst && ${w}_valid && !${w}_ready;
        f_${w}_was   <= {${w}_warp, ${w}_reg};
    end

    wire f_${w}_named = exec_warp == ${w}_warp && (
//%     for i, s in ipairs(sources) do
        (${is_there("exec_" .. s)} && ${register("exec_" .. s)} == ${w}_reg)${i < #sources and " ||" or ");"}
//%     end

//% end
    always @* if (f_past && !rst) begin
//% for _, w in ipairs{ "write", "load" } do
        q_${w}: assume (!f_${w}_waits || (${w}_valid && {${w}_warp, ${w}_reg} == f_${w}_was));
        q_${w}_named: assume (!(exec_valid && ${w}_valid && f_${w}_named));
//% end
    end

    // ------------------------------------------------------------------
    // Requests for rows

    reg       f_read_due;  // a request without its row
    reg       f_fetch_due;
    reg [2:0] f_read_waits; // edges since it was taken
    reg [2:0] f_fetch_waits;
    reg [UNIT_W+PLACE_W-1:0] f_read_of; // what it asked for
    reg [UNIT_W+PLACE_W-1:0] f_fetch_of;
    reg [UNIT_W+PLACE_W-1:0] f_served; // the row that was read last

    always @(posedge clk) begin
        if (rst) begin
            f_read_due  <= 1'b0;
            f_fetch_due <= 1'b0;
        end else begin
            f_read_due  <= (read_valid && read_ready) || (f_read_due && !data_valid);
            f_fetch_due <= (fetch_valid && fetch_ready) || (f_fetch_due && !fetched_valid);
        end
        f_read_waits  <= read_valid && read_ready ? 0 : f_read_waits + 1'b1;
        f_fetch_waits <= fetch_valid && fetch_ready ? 0 : f_fetch_waits + 1'b1;
        if (read_valid && read_ready)
            f_read_of <= {${unit "read_warp"}, ${place("read_warp", "read_reg")}};
        if (fetch_valid && fetch_ready)
            f_fetch_of <= {${unit "fetch_warp"}, ${place("fetch_warp", "fetch_reg")}};
        if (reads)
            f_served <= {read_unit, serves_r ? r_at : f_at};
    end

    always @* if (f_past && !rst) begin
        q_read: assume (!(read_valid && f_read_due && !data_valid));
        q_fetch: assume (!(fetch_valid && f_fetch_due && !fetched_valid));
    end

    // ------------------------------------------------------------------
    always @* if (f_past && !rst) begin
        p_data: assert (!data_valid || (f_read_due && f_served == f_read_of));
        p_fetched: assert (!fetched_valid || (f_fetch_due && f_served == f_fetch_of));
        p_one: assert (!(data_valid && fetched_valid));
        p_read: assert (f_read_due == (r_valid || data_valid));
        p_fetch: assert (f_fetch_due == (f_valid || fetched_valid));
        p_soon: assert (!r_valid || f_read_waits < 3);
        p_soon_too: assert (!f_valid || f_fetch_waits < 3);
        p_put: assert (!(write_ready && load_ready));
        p_write: assert (!write_ready || write_valid);
        p_load: assert (!load_ready || load_valid);
        p_write_entry: assert (!(write_ready && write_meets));
        p_load_entry: assert (!(load_ready && load_meets));
        p_told: assert ((told & ~ended) == 0 && (told & (told - 1'b1)) == 0);
//% if SHARED then
        p_gives: assert ((gives & ~wants) == 0 && (gives & (gives - 1'b1)) == 0);
        p_words: assert ((s_puts & taken) == 0);
        c_gives: cover (gives != 0 && ended != 0);
//% end
        p_tells: assert (tells == (told != 0));
        c_write: cover (write_ready && e_valid);
        c_load: cover (load_ready && ended != 0);
        c_turn: cover (done_valid && !done_ready && ended == {${SHARED and "TELLERS" or "UNITS"}{1'b1}});
        c_both: cover (data_valid && f_valid);
    end
`endif
