//% output("formal/ndp_dies_row_formal.vh")
${header{title = "what is proved of ndp_dies_row", text = [[
The first beat of a row, and no other, is called so; the last is the one after which
as many data beats as the row has were taken.]]}}
`ifdef FORMAL_NDP_DIES_ROW
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    localparam F_W = ${clog2(L.ROW_BEATS + 2) + 1};

    reg [F_W-1:0] f_beats; // taken of this row, the header, too
    reg           f_pred;  // on the edge before
    reg           f_keeps; // and has to stay

    wire          f_takes = valid && ready;
    wire [F_W-1:0] f_more = pred ? ${L.PRED_BEATS} : ${L.ROW_BEATS};

    always @(posedge clk) begin
        f_pred  <= pred;
        f_keeps <= !rst && valid && !left;
        if (rst)
            f_beats <= 0;
        else if (f_takes)
            f_beats <= left ? 0 : f_beats + 1'b1;
    end

    always @* if (f_past && !rst) begin
        q_kept: assume (!f_keeps || (valid && pred == f_pred));
        p_first: assert (!valid || first == (f_beats == 0));
        p_shift: assert (shift == f_takes);
        p_left: assert (left == (f_takes && f_beats == f_more));
        p_last: assert (!valid || last == (f_beats == f_more));
        p_few: assert (f_beats == at && (f_beats == 0 || (valid && f_beats <= f_more)));
        c_row: cover (left && !pred);
        c_pred: cover (left && pred);
    end
`endif
