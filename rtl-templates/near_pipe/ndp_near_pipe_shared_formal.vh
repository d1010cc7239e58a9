//% output("formal/ndp_near_pipe_shared_formal.vh")
${header{title = "what is proved of ndp_near_pipe_shared", text = [[
Demands on the units (q_*), asserted inside another module: a unit that wants goes on
wanting until its access was taken, and an end is told when there is one.

Any lane (f_l) of any access is done once if it is active and the access has no lane
that is wrong, and else never; its word is put once, into the file of its unit.  Which
lanes are wrong is noted apart.  Choice, banks and windows are open: they give anything.]]}}
`ifdef FORMAL_NDP_NEAR_PIPE_SHARED
`define NDP_NEAR_PIPE_SHARED_CONTRACT assume
`else
`define NDP_NEAR_PIPE_SHARED_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [UNITS-1:0] f_must; // those that wait

    always @(posedge clk) begin
        if (rst)
            f_must <= {UNITS{1'b0}};
        else
            f_must <= wants & ~gives;
    end

    always @* if (f_past && !rst) begin
        q_wants: `NDP_NEAR_PIPE_SHARED_CONTRACT ((f_must & ~wants) == 0);
        q_told: `NDP_NEAR_PIPE_SHARED_CONTRACT (!told || ended);
    end

`ifdef FORMAL_NDP_NEAR_PIPE_SHARED
    // ------------------------------------------------------------------
    // A lane of the access at the banks, and of the one behind them

    (* anyconst *) reg [LANE_W-1:0] f_l;

    reg       f_active; // it is active,
    reg       f_wrong;  // a lane of its access is wrong,
    reg       f_done;   // it has been done,
    reg       f_read;   // its word has been read,
    reg [UNITS-1:0]   f_of;     // unit of its access
    reg [PLACE_W-1:0] f_dst;
    reg       f_file;
    reg [1:0] f_have;   // accesses that were taken and are not told
    reg       f_due;    // its word is to be put on the next edge

    wire f_does  = done[f_l];
    wire f_reads = reads && goes[f_l];
    wire f_puts  = waits && !still && put_lanes[f_l];

    // lanes below it that are still to do
    wire [LANES-1:0] f_below = todo & ~({LANES{1'b1}} << f_l);

    integer f_i;
    reg     f_any;

    always @* begin
        f_any = 1'b0;
        for (f_i = 0; f_i < LANES; f_i = f_i + 1)
            if (todo[f_i] && (off[f_i] || odd[f_i]))
                f_any = 1'b1;
    end

    always @(posedge clk) begin
        if (starts) begin
            f_active <= want_active[who*LANES + f_l];
            f_done   <= 1'b0;
            f_read   <= 1'b0;
            f_of     <= chosen;
            f_dst    <= want_at[who*PLACE_W +: PLACE_W];
            f_file   <= want_dst[who];
        end else begin
            f_done <= f_done || f_does;
            f_read <= f_read || f_reads;
        end
        if (fresh)
            f_wrong <= f_any;
        if (rst)
            f_due <= 1'b0;
        else if (!still)
            f_due <= f_reads;
        f_have <= rst ? 2'd0 : f_have + starts - told;
    end

    always @* if (f_past && !rst) begin
        q_choice: assume ((wins & ~goes) == 0 && (goes & ~(is_atomic ? todo & (~todo + 1'b1) : todo)) == 0 &&
                          ((is_atomic ? todo & (~todo + 1'b1) : todo) == 0 || wins != 0) &&
                          (!is_atomic || wins == goes) || !busy || fresh);
    end

    always @* if (f_past && !rst) begin
        p_fresh: assert (!fresh || busy);
        p_have: assert (f_have == busy + (last || ended));
        p_end: assert (!(last && ended) && (!last || waits));
        p_bad: assert (!(busy && !fresh) || bad == f_wrong);
        p_whole: assert (!(pick || fetch || change) || (busy && !fresh && !f_wrong));
        p_once: assert (!(f_does && f_done));
        p_active: assert (!f_does || f_active);
        p_todo: assert (!busy || todo[f_l] == (f_active && !f_done));
        p_all: assert (!finishes || fails || (f_done || f_does) == f_active);
        p_read: assert (!(does && f_does) || is_store || f_reads || (change && f_read));
        p_read_once: assert (!(f_reads && f_read));
        p_put: assert (f_puts == (f_due && !still));
        p_own: assert (!(waits && !last) || (busy && !fresh && serves == of));
        p_order: assert (!(change && f_does) || f_below == 0);
        p_second: assert (!change || (put_lanes & todo) != 0);
        p_file: assert ((puts & taken) == 0 && (puts & (puts - 1'b1)) == 0);
        p_dst: assert (!busy || ({of, dst, to_file} == {f_of, f_dst, f_file}));
        p_lone: assert ((gives & (gives - 1'b1)) == 0 && (gives & ~wants) == 0);
        p_of: assert (!busy || (of != 0 && (of & (of - 1'b1)) == 0));
        p_serves: assert (!waits || (serves & (serves - 1'b1)) == 0);
        p_fault: assert (!fault_valid || ended);
        c_atomic: cover (finishes && change && f_l == ${L.LANES - 1} && f_does);
        c_still: cover (still && busy);
        c_fault: cover (fault_valid && fault_odd);
        c_load: cover (finishes && reads && f_puts);
        c_next: cover (starts && finishes && of[0] && chosen[1] && reads);
    end
`endif
