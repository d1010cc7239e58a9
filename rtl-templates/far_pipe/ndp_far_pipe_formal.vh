//% output("formal/ndp_far_pipe_formal.vh")
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
${header{title = "what is proved of ndp_far_pipe", text = [[
With what the surroundings promise (q_*): rows and requests stand until they are
taken, no instruction names a register of which a row is at write or init, one
request at a time.  That the unit is given no row while its lanes write or while it is
left to read, that a warp has one access under way, and that ends are told when there are
some, are the demands of the parts.]]}}
`ifdef FORMAL_NDP_FAR_PIPE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Rows stand until they are taken

//% for _, w in ipairs{ "write", "init" } do
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
//% for _, w in ipairs{ "write", "init" } do
        q_${w}: assume (!f_${w}_waits || (${w}_valid && {${w}_warp, ${w}_reg} == f_${w}_was));
        q_${w}_named: assume (!(exec_valid && ${w}_valid && f_${w}_named));
//% end
    end

    // ------------------------------------------------------------------
    // Requests for rows

    reg               f_due;    // a request without its row
    reg [2:0]         f_waits;  // edges since it was taken
    reg [PLACE_W-1:0] f_of;     // what it asked for
    reg [PLACE_W-1:0] f_served; // the row that was read last

    always @(posedge clk) begin
        if (rst)
            f_due <= 1'b0;
        else
            f_due <= (read_valid && read_ready) || (f_due && !data_valid);
        f_waits <= read_valid && read_ready ? 0 : f_waits + 1'b1;
        if (read_valid && read_ready)
            f_of <= ${place("read_warp", "read_reg")};
        if (reads)
            f_served <= r_at;
    end

    always @* if (f_past && !rst) begin
        q_read: assume (!(read_valid && f_due && !data_valid));
    end

    // ------------------------------------------------------------------
    // Words get their edges beside lanes and rows without an end

    reg       f_owed;  // a row was written while they waited, and none of them since
    reg [3:0] f_stuck; // edges on which some waited and none was put

    always @(posedge clk) begin
        if (rst) begin
            f_owed  <= 1'b0;
            f_stuck <= 4'd0;
        end else begin
            f_owed  <= puts ? words : f_owed && taken;
            f_stuck <= words && taken ? f_stuck + 1'b1 : 4'd0;
        end
    end

    // ------------------------------------------------------------------
    always @* if (f_past && !rst) begin
        p_owed: assert (!(puts && f_owed));
        p_stuck: assert (f_stuck < 4'd12);
        p_data: assert (!data_valid || (f_due && f_served == f_of));
        p_read: assert (f_due == (r_valid || data_valid));
        p_soon: assert (!r_valid || f_waits < 2);
        p_put: assert (!(write_ready && init_ready));
        p_write: assert (!write_ready || write_valid);
        p_init: assert (!init_ready || init_valid);
        p_write_entry: assert (!(write_ready && write_meets));
        p_init_entry: assert (!(init_ready && init_meets));
        p_told: assert ((told & ~ended) == 0 && (told & (told - 1'b1)) == 0);
        p_tells: assert (tells == (told != 0));
        p_gives: assert (!gives || wants);
        p_words: assert (!(d_puts && taken));
//% if HAS_SHARED then
        p_one_gives: assert (!(d_gives && m_gives));
        p_shares: assert (!(m_puts && (taken || d_puts)));
        c_shares: cover (m_puts && ended[0]);
        c_beside: cover (m_gives && d_puts);
//% end
        p_near: assert (!to_memory || !src1_here[OPERAND_W-1]);
        c_write: cover (write_ready && e_valid);
        c_init: cover (init_ready && ended[0]);
        c_turn: cover (done_valid && !done_ready && ended[0] && ended[1]);
        c_both: cover (data_valid && gives);
    end
`endif
