//% output("formal/ndp_nbu_near_formal.vh")
${header{title = "what is proved of ndp_nbu_near", text = [[
Any instruction whose beats arrive is handed to the near pipeline once, in order
and unaltered; so is any completion to the bus.  Rows and requests only pass
through to modules that are proved on their own: their contracts are the
contract of this one, too.]]}}
`ifdef FORMAL_NDP_NBU_NEAR
`define NDP_NBU_NEAR_CONTRACT assume
`else
`define NDP_NBU_NEAR_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Contract: whole packets, and a place for every instruction

    localparam F_BEATS = ${L.INSTR_BEATS};
    localparam F_W     = ${clog2(L.INSTR_BEATS + 1)};
    localparam F_OUT_W = ${clog2(L.NEAR_QUEUE + 2)};

    reg [F_W-1:0]     f_beat; // beats of this instruction so far
    reg [F_OUT_W-1:0] f_here; // instructions that have not been delivered

    wire f_arrives = instr_beat && bus_last;
    wire f_leaves  = near_exec_valid && near_exec_ready;

    always @(posedge clk) begin
        if (rst) begin
            f_beat <= 0;
            f_here <= 0;
        end else begin
            if (instr_beat)
                f_beat <= bus_last ? 0 : f_beat + 1'b1;
            f_here <= f_here + f_arrives - f_leaves;
        end
    end

    always @* if (f_past && !rst) begin
        q_last: `NDP_NBU_NEAR_CONTRACT (!instr_beat ||
                                        bus_last == (f_beat == F_BEATS - 1));
        q_room: `NDP_NBU_NEAR_CONTRACT (!f_arrives || f_here < NEAR_QUEUE);
        q_done: `NDP_NBU_NEAR_CONTRACT (!done_left || done_ready);
    end

`ifdef FORMAL_NDP_NBU_NEAR
    // ------------------------------------------------------------------
    // Tokens: any instruction, any completion

    (* anyseq *) reg f_pick;

    reg [INSTR_W-1:0] f_bits;  // beats so far, the first one highest
    reg               f_have;
    reg [INSTR_W-1:0] f_token;
    reg [F_OUT_W-1:0] f_ahead;

    wire [INSTR_W-1:0] f_word = {f_bits, bus_data};

    always @(posedge clk) begin
        if (instr_beat)
            f_bits <= f_word;
        if (rst) begin
            f_have <= 1'b0;
        end else if (f_have) begin
            f_ahead <= f_ahead - f_leaves;
            f_have  <= !(f_leaves && f_ahead == 0);
        end else if (f_arrives && f_pick) begin
            f_have  <= 1'b1;
            f_token <= f_word;
            f_ahead <= f_here - f_leaves;
        end
    end

    (* anyseq *) reg f_done_pick;

    reg               f_done_have;
    reg [DONE_W-1:0]  f_done_token;
    reg [F_OUT_W-1:0] f_done_ahead;
    reg [F_OUT_W-1:0] f_done_here;

    wire f_done_in = near_done_valid && near_done_ready;

    always @(posedge clk) begin
        if (rst) begin
            f_done_have <= 1'b0;
            f_done_here <= 0;
        end else begin
            f_done_here <= f_done_here + f_done_in - done_left;
            if (f_done_have) begin
                f_done_ahead <= f_done_ahead - done_left;
                f_done_have  <= !(done_left && f_done_ahead == 0);
            end else if (f_done_in && f_done_pick) begin
                f_done_have  <= 1'b1;
                f_done_token <= near_done_packet;
                f_done_ahead <= f_done_here - done_left;
            end
        end
    end

    always @* if (f_past) begin
        p_not_lost: assert (!f_have || f_ahead < f_here);
        p_instruction: assert (!(f_have && f_ahead == 0 && near_exec_valid) ||
                               near_exec_packet == f_token);
        p_no_other: assert (!near_exec_valid || f_here != 0);
        p_zero: assert (near_exec_valid || near_exec_packet == 0);
        p_done_not_lost: assert (!f_done_have || f_done_ahead < f_done_here);
        p_done: assert (!(f_done_have && f_done_ahead == 0 && done_ready) ||
                        done_packet == f_done_token);
        p_done_no_other: assert (!done_ready || f_done_here != 0);
    end

    always @* if (f_past && !rst) begin
        c_instruction: cover (f_have && f_leaves && f_ahead == 0 && f_here == 2);
        c_done: cover (f_done_have && done_left && f_done_ahead == 0);
        c_full: cover (f_here == NEAR_QUEUE && !near_done_ready);
    end
`endif
