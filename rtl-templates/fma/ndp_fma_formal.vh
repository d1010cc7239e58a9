//% output("formal/ndp_fma_formal.vh")
${header{title = "what is proved of ndp_fma", text = [[
A token, any operation that is taken, comes out with its id, LATENCY edges after
the one on which it was taken, counted from one; nothing else comes out.]]}}
`ifdef FORMAL_NDP_FMA
    localparam F_LATENCY = ${L.LATENCY};

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    (* anyseq *) reg f_pick; // the operation that is taken now is the token

    reg            f_have; // it is inside
    reg            f_done; // it was, once
    reg [7:0]      f_age;  // edges since then
    reg [ID_W-1:0] f_id;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
            f_done <= 1'b0;
        end else if (f_have) begin
            f_age  <= f_age + 1'b1;
            f_have <= f_age != F_LATENCY;
            f_done <= f_age == F_LATENCY;
        end else if (op_valid && op_ready && f_pick && !f_done) begin
            f_have <= 1'b1;
            f_age  <= 8'd1;
            f_id   <= op_id;
        end
    end

    always @* if (f_past && !rst) begin
        p_zero: assert (res_valid || (res_id == 0 && res_value == 0));
        p_comes: assert (!(f_have && f_age == F_LATENCY) ||
                         (res_valid && res_id == f_id));
        c_comes: cover (f_have && f_age == F_LATENCY);
//% if L.ITERATIVE == 1 then
        p_busy: assert (!f_have || f_age == F_LATENCY || !op_ready);
//% end
    end
`endif
