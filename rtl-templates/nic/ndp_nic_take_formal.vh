//% output("formal/ndp_nic_take_formal.vh")
${header{title = "what is proved of ndp_nic_take", text = [[
The buffer is proved alone (ndp_vc_buffer) and shows anything here, as its contract
says.  What is read belongs to the class whose queue it enters, which has room for
it; a class reads a packet to its end; a class that could read waits for one flit
of the other at most.]]}}
`ifdef FORMAL_NDP_NIC_TAKE
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire [KINDS-1:0] f_req_take = take[KINDS-1:0];
    wire [KINDS-1:0] f_ans_take = take[VCS-1:KINDS];

    reg             f_req_read; // on the edge before
    reg             f_ans_read;
    reg             f_req_waited;
    reg             f_ans_waited;

//% for _, c in ipairs{"req", "ans"} do
    reg             f_${c}_open; // a packet has been begun
    reg [KINDS-1:0] f_${c}_its;  // its virtual channel

    always @(posedge clk) begin
        f_${c}_read   <= !rst && f_${c}_take != 0;
        f_${c}_waited <= !rst && ${c}_able && !${c}_goes;
        if (rst) begin
            f_${c}_open <= 1'b0;
        end else if (f_${c}_take != 0) begin
            f_${c}_open <= (f_${c}_take & ${c}_lasts) == 0;
            f_${c}_its  <= f_${c}_take;
        end
    end

    always @* if (f_past && !rst) begin
        p_${c}_comes: assert (${c}_comes == f_${c}_read);
        p_${c}_room: assert (!${c}_comes || unused_${c});
        p_${c}_held: assert (${c}_held <= ROOM);
        p_${c}_together: assert (!f_${c}_open || f_${c}_take == 0 ||
                               f_${c}_take == f_${c}_its);
        p_${c}_turn: assert (!f_${c}_waited || !${c}_able || ${c}_goes);
        p_${c}_zero: assert (${c}_valid || {${c}_data, ${c}_last} == 0);
        c_${c}_packet: cover (f_${c}_open && (f_${c}_take & ${c}_lasts) != 0);
        c_${c}_room: cover (${c}_held == ROOM);
    end

//% end
    always @* if (f_past && !rst) begin
        p_one: assert ((take & (take - 1'b1)) == 0);
        p_waits: assert ((take & ~waiting) == 0);
        p_number: assert (take == 0 || take[take_vc]);
        p_credit: assert (down_credit_valid == (f_req_read || f_ans_read));
    end
`endif
