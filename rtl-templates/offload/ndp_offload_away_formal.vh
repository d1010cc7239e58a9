//% output("formal/ndp_offload_away_formal.vh")
//% local warps, pending = {}, {}
//% for v = 0, L.WARPS - 1 do
//%     local there = "f_stack[" .. v .. "*STACK_W +: STACK_W] == f_at"
//%     warps[#warps + 1] = "(f_away[" .. v .. "] && " .. there .. ")"
//% end
//% local number = table.concat(warps, " +\n                                 ")
//% for s = 0, L.STACKS - 1 do pending[#pending + 1] = "count[" .. s .. "].pending" end
${header{title = "what is proved of ndp_offload_away", text = [[
A twin that knows of each warp whether it is away and where: the count of any
stack is the number of warps that are away there, so it is never below zero nor
above the number of warps; a look finds who is away; and if blocks only go to
stacks below their limit, and the limit is not lowered, no count exceeds it.]]}}
`ifdef FORMAL_NDP_OFFLOAD_AWAY
`define NDP_OFFLOAD_AWAY_CONTRACT assume
`else
`define NDP_OFFLOAD_AWAY_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Twin

    reg [WARPS-1:0]         f_away;
    reg [WARPS*STACK_W-1:0] f_stack;
    reg [1:0]               f_age;   // edges since the last look, 2 or more: 2
    reg                     f_found; // it found a warp, which has not come back
    reg [WARP_W-1:0]        f_warp;  // this one

    always @(posedge clk) begin
        if (rst) begin
            f_away  <= 0;
            f_age   <= 0;
            f_found <= 1'b0;
        end else begin
            if (back)
                f_away[f_warp] <= 1'b0;
            if (offload) begin
                f_away[offload_warp] <= 1'b1;
                f_stack[offload_warp*STACK_W +: STACK_W] <= offload_stack;
            end
            if (look) begin
                f_age   <= 0;
                f_found <= look_warp < WARPS && f_away[look_warp];
                f_warp  <= look_warp;
            end else begin
                f_age   <= f_age == 2 ? 2 : f_age + 1;
                f_found <= f_found && !back;
            end
        end
    end

    always @* if (f_past && !rst) begin
        q_warp: `NDP_OFFLOAD_AWAY_CONTRACT (!decide ||
                    (offload_warp < WARPS && !f_away[offload_warp]));
        q_offload: `NDP_OFFLOAD_AWAY_CONTRACT (!offload || decide);
        q_back: `NDP_OFFLOAD_AWAY_CONTRACT (!back || (f_found && f_age != 0));
        q_look: `NDP_OFFLOAD_AWAY_CONTRACT (!(look && back));
    end

`ifdef FORMAL_NDP_OFFLOAD_AWAY
    // ------------------------------------------------------------------
    // Any one stack

    (* anyconst *) reg [STACK_W-1:0] f_at;
    (* anyconst *) reg               f_controlled;

    wire [PEND_W:0]          f_number  = ${number};
    wire [STACKS*PEND_W-1:0] f_counts  = {
        ${joined(pending, ",", 0)}};
    wire [PEND_W-1:0]        f_pending = f_counts[(STACKS-1-f_at)*PEND_W +: PEND_W];

    reg [PEND_W-1:0] f_limit;

    always @(posedge clk) f_limit <= rst ? 1 : limit_next;

    always @* if (f_past && !rst && f_controlled)
        assume (limit_next >= f_limit && !(offload && at_limit[offload_stack]));

    always @* if (f_past) begin
        p_number: assert (f_pending == f_number && f_number <= WARPS);
        p_at_limit: assert (at_limit[f_at] == (f_pending >= f_limit));
        p_limit: assert (!f_controlled || f_pending <= f_limit);
        p_back: assert (!(back && f_stack[f_warp*STACK_W +: STACK_W] == f_at) ||
                        f_pending != 0);
        p_found: assert (!(f_found && f_age == 0) || found);
        p_away: assert (is_away == f_away);
    end

    always @* if (f_past && !rst) begin
        c_both: cover (back && offload && f_pending == 2 && f_at == 1 &&
                       less[f_at] && here[f_at]);
        c_all: cover (f_number == WARPS);
        c_limit: cover (f_controlled && f_pending == 2 && at_limit[f_at] &&
                        f_limit == 2);
        c_stray: cover (f_age == 0 && !found && f_away != 0);
    end
`endif
