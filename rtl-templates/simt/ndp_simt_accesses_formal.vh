//% output("formal/ndp_simt_accesses_formal.vh")
${header{title = "what is proved of ndp_simt_accesses", text = [[
The two buffers are used in turn, the older one first, and none is taken while both are
in use.  That a pass belongs to a buffer that is in use and not yet full is the
contract of the pipe (q_).]]}}
`ifdef FORMAL_NDP_SIMT_ACCESSES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire [1:0] f_full = ${L.BUFFERS == 2 and "{full_1, full_0}" or "{1'b0, full_0}"};

    always @* if (f_past && !rst) begin
        q_take: assume (!take || free);
        q_end: assume (!end_now || full);
        q_put: assume (!x_put || (used[x_buffer] && !f_full[x_buffer]));
    end

    always @* if (f_past && !rst) begin
        p_full: assert ((f_full & ~used) == 0);
//% if L.BUFFERS == 2 then
        p_turn: assert ((turn == older) == (used == 2'b00 || used == 2'b11));
        p_older: assert (used != 2'b01 || !older);
        p_newer: assert (used != 2'b10 || older);
//% end
        p_order: assert (!take || !used[turn]);
//% if L.BUFFERS == 2 then
        c_both: cover (used == 2'b11 && f_full == 2'b11);
        c_swap: cover (take && end_now);
//% end
    end
`endif
