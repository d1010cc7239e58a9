//% output("formal/ndp_simt_select_formal.vh")
${header{title = "what is proved of ndp_simt_select", text = [[
One thing at a time goes into F, it stays there until it leaves, and a warp is taken only
while it is ready or begins.]]}}
`ifdef FORMAL_NDP_SIMT_SELECT
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    reg       f_stays;
    reg [1:0] f_was;
    reg [WARP_W-1:0] f_of;

    always @(posedge clk) begin
        f_stays <= f_valid && !f_leaves && !rst;
        f_was   <= f_kind;
        f_of    <= f_warp;
    end

//% if L.MOVES == 1 then
    wire [4:0] f_all   = {take_look, take_read, take_ret, take_init, take_warp};
    wire [3:0] f_takes = f_all[3:0] | {3'd0, take_look};
//% else
    wire [3:0] f_takes = {take_read, take_ret, take_init, take_warp};
//% end

    always @* if (f_past && !rst) begin
        q_range: assume (init_warp < WARPS && step_warp < WARPS);
//% if L.BUILDS == 1 then
        q_favoured: assume ((favoured & (favoured - 1'b1)) == 0);
//% end
    end

    always @* if (f_past && !rst) begin
//% if L.MOVES == 1 then
        p_one: assert ((f_all & (f_all - 5'd1)) == 0);
        p_fault: assert (!faulted || f_all[3:0] == 0);
        p_look: assert (!(look_wait && !f_valid && !read_wait) || take_look);
        c_look: cover (take_look && faulted);
//% else
        p_one: assert ((f_takes & (f_takes - 4'd1)) == 0);
        p_fault: assert (!faulted || f_takes == 0);
//% end
        p_stays: assert (!f_stays || (f_valid && f_kind == f_was && f_warp == f_of));
        p_room: assert (f_takes == 0 || !f_valid || f_leaves);
        p_ready: assert (!take_warp || (taken & ~ready) == 0);
        p_taken: assert ((taken & (taken - 1'b1)) == 0);
        p_some: assert ((taken != 0) == (take_init || take_warp));
//% if L.BUILDS == 1 then
        p_favoured: assert (!(take_warp && (allowed & favoured) != 0) || (chosen & ~favoured) == 0);
//% end
        p_step: assert (!(take_warp && step_wait) || choice == step_warp);
        p_none_idle: assert (!(go && !step_wait && ready != 0 && free) || f_takes != 0);
        c_wrap: cover (take_warp && choice == WARPS - 1);
        c_read: cover (take_read && ret_wait);
    end
`endif
