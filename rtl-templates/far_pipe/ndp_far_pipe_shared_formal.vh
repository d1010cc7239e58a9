//% output("formal/ndp_far_pipe_shared_formal.vh")
//% local P, N, A = L.PASSES, L.LANES, L.ALUS
//% local LW = math.max(clog2(N), 1)
${header{title = "what is proved of ndp_far_pipe_shared", text = [[
That which is proved of shared memory of the near-bank pipelines, with one collector
that asks: demands on it (q_*), asserted inside another module; any lane of any access
is done once if it is active and the access has no lane that is wrong, and else never.
Banks and windows are open: they give anything.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_SHARED
`define NDP_FAR_PIPE_SHARED_CONTRACT assume
`else
`define NDP_FAR_PIPE_SHARED_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg [UNITS-1:0] f_must; // those that have passes left

    always @(posedge clk) begin
        if (rst)
            f_must <= {UNITS{1'b0}};
        else
            f_must <= (f_must | wants) & ~(gives & {UNITS{last_sent}});
    end

    always @* if (f_past && !rst) begin
        q_wants: `NDP_FAR_PIPE_SHARED_CONTRACT ((f_must & ~wants) == 0);
        q_told: `NDP_FAR_PIPE_SHARED_CONTRACT (!told || ended);
    end

`ifdef FORMAL_NDP_FAR_PIPE_SHARED
    // ------------------------------------------------------------------
    // A lane of the access: whether it is active, done, wrong; and the window, which
    // stands still while there is an access

    (* anyconst *) reg [${LW - 1}:0] f_l;

    reg       f_active;
    reg [1:0] f_done;  // times, 2: or more
    reg [1:0] f_read;  // times that its word was read, ...
    reg [1:0] f_put;   // ... and put
    reg [3:0] f_came;  // passes that are kept
    reg       f_wrong; // any lane so far
    reg [2*BANK_W:0] f_window;

//% if P > 1 then
    wire f_here = pass == f_l / ${A}; // it is in the lowest pass
//% else
    wire f_here = 1'b1;
//% end
    wire [${math.max(ALU_W, 1) - 1}:0] f_at = f_l % ${A};
    wire f_takes = (pick && picked[f_at] && todo[f_at]) || (change && lead[f_at]);
    wire f_reads = ((pick && !is_store) && goes[f_at] && todo[f_at]) || (fetch && lead[f_at]);
    wire f_does  = f_here && !over && f_takes;
    wire f_puts  = put && put_lanes[f_l];

    integer f_i;
    reg     f_new_wrong; // of the pass that came last

    always @* begin
        f_new_wrong = 1'b0;
        for (f_i = 0; f_i < ${A}; f_i = f_i + 1)
            if (k_on[f_i] && (off[f_i] || odd[f_i]))
                f_new_wrong = 1'b1;
    end

    always @(posedge clk) begin
        if (starts) begin
            f_done  <= 2'd0;
            f_read  <= 2'd0;
            f_put   <= 2'd0;
            f_came  <= 4'd0;
            f_wrong <= 1'b0;
        end else begin
            f_done <= f_done + (f_does && !f_done[1]);
            f_read <= f_read + (f_here && !over && f_reads && !f_read[1]);
            f_put  <= f_put + (f_puts && !f_put[1]);
            f_came <= f_came + x_there;
            if (k_there)
                f_wrong <= f_wrong || f_new_wrong;
        end
        if (x_there && f_came == f_l / ${A})
            f_active <= new_on[f_at];
        f_window <= window;
    end

    // lanes below it in its pass that are still to do
    wire [ALUS-1:0] f_below = todo & ~({ALUS{1'b1}} << f_at);

    always @* if (f_past && !rst) begin
        q_window: assume (!busy || starts || window == f_window);
        q_banks: assume ((wins & ~goes) == 0 && (goes & ~(is_atomic ? lead : todo)) == 0 &&
                         ((is_atomic ? lead : todo) == 0 || wins != 0));
        q_atomic: assume (!is_atomic || (wins == lead && goes == lead));
    end

    always @* if (f_past && !rst) begin
        p_there: assert (!ready || f_came == ${P});
        p_checked: assert (!ready || !(x_there || k_there));
        p_came: assert (!busy || f_came <= ${P});
        p_idle: assert (busy || !(x_there || k_there || ready || ended));
        p_bad: assert (!ready || bad == f_wrong);
        p_whole: assert (!(pick || fetch || change || put) || (ready && !f_wrong));
        p_once: assert (!busy || (!f_done[1] && !f_read[1] && !f_put[1]));
        p_active: assert (!(f_does) || f_active);
        p_wrong: assert (!(busy && f_wrong) || (f_done == 0 && f_read == 0 && f_put == 0));
        p_all: assert (!ended || f_done == (f_active && !f_wrong));
        p_put: assert (!ended || f_put == (f_active && !f_wrong && !is_store));
        p_read: assert (!f_puts || f_read == 1);
        p_order: assert (!(change && f_does) || f_below == 0);
        p_file: assert ((puts & taken) == 0 && (puts & ~of) == 0);
        p_lone: assert ((gives & (gives - 1'b1)) == 0 && (gives & ~wants) == 0);
        p_of: assert (!busy || (of != 0 && (of & (of - 1'b1)) == 0));
        p_fault: assert (!fault_valid || (ended && f_wrong));
        c_atomic: cover (ended && is_atomic && f_put == 1 && f_l == ${N - 1});
        c_still: cover (still && works);
        c_fault: cover (fault_valid && fault_odd);
        c_load: cover (ended && told && !is_store && !is_atomic && f_put == 1);
    end
`endif
