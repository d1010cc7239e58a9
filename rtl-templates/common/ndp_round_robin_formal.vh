//% output("formal/ndp_round_robin_formal.vh")
${header{title = "what is proved of ndp_round_robin", text = [[
The choice against a twin written from the definition of 'first after last',
and that a requester that stays waits for at most N - 1 others.]]}}
`ifdef FORMAL_NDP_ROUND_ROBIN
`define NDP_ROUND_ROBIN_CONTRACT assume
`else
`define NDP_ROUND_ROBIN_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_take: `NDP_ROUND_ROBIN_CONTRACT (!take || request != 0);

`ifdef FORMAL_NDP_ROUND_ROBIN
    // ------------------------------------------------------------------
    // Twin: the lowest requester above the last one, else the lowest.

    reg [INDEX_W-1:0] f_last;
    reg [INDEX_W-1:0] f_index;
    integer           f_i;

    always @* begin
        f_index = 0;
        for (f_i = N - 1; f_i >= 0; f_i = f_i - 1)
            if (request[f_i])
                f_index = f_i;
        for (f_i = N - 1; f_i >= 0; f_i = f_i - 1)
            if (request[f_i] && f_i > f_last)
                f_index = f_i;
    end

    always @(posedge clk) begin
        if (rst)
            f_last <= N - 1;
        else if (take)
            f_last <= f_index;
    end

    always @* if (f_past) begin
        p_index: assert (index == f_index);
        p_first_after: assert (request == 0 ||
                               chosen == ({{(N-1){1'b0}}, 1'b1} << f_index));
        p_one_hot: assert ((chosen & (chosen - 1'b1)) == 0);
        p_subset: assert ((chosen & ~request) == 0);
        p_some: assert (request == 0 || chosen != 0);
    end

    // ------------------------------------------------------------------
    // Wait of any requester

    (* anyconst *) reg [INDEX_W-1:0] f_who;
    reg [INDEX_W:0] f_waited; // choices of others while it requests

    always @* assume (f_who < N);

    wire f_waits = request[f_who] && !(take && chosen[f_who]);

    always @(posedge clk) begin
        if (rst || !f_waits)
            f_waited <= 0;
        else if (take)
            f_waited <= f_waited + 1'b1;
    end

    // Positions between the last one and f_who: helps the proof.
    wire [INDEX_W:0] f_between = f_who > f_last ? f_who - f_last - 1
                                                : N + f_who - f_last - 1;

    always @* if (f_past) begin
        p_bounded_wait: assert (f_waited <= N - 1);
        p_nearer: assert (f_waited + f_between <= N - 1 || f_waited == 0);
    end

    always @* if (f_past && !rst) begin
        c_longest_wait: cover (f_waited == N - 1 && take && chosen[f_who]);
        c_wrap: cover (take && f_index < f_last);
    end
`endif
