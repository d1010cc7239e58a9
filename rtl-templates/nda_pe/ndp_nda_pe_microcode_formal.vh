//% output("formal/ndp_nda_pe_microcode_formal.vh")
${header{title = "what is proved of ndp_nda_pe_microcode", text = [[
The operands of each operation are those of the paper's Table I, in the order of their
steps, its result is stored where the table says, and each word is one that the work
understands.  Written down once more here, by operation and step.]]}}
`ifdef FORMAL_NDP_NDA_PE_MICROCODE
    localparam [1:0] F_X = 2'd0;
    localparam [1:0] F_Y = 2'd1;
    localparam [1:0] F_Z = 2'd2; // and the matrix
    localparam [1:0] F_W = 2'd3;

    wire [${L.PC_W - 1}:0] f_step = pc - entry; // of the operation

    reg       f_there; // there is such a step
    reg       f_final; // it is the last one
    reg       f_store;
    reg [1:0] f_operand;

    always @* begin
        f_there = known && pc >= entry && f_step < ${L.PC_W}'d4;
        f_final = 1'b0;
        f_store = 1'b0;
        f_operand = F_X;
        case ({op, f_step[1:0]})
            {4'd0, 2'd0}: f_operand = F_X;
            {4'd0, 2'd1}: f_operand = F_Y;
            {4'd0, 2'd2}: {f_final, f_store, f_operand} = {2'b11, F_Z};
            {4'd1, 2'd0}: f_operand = F_X;
            {4'd1, 2'd1}: f_operand = F_Y;
            {4'd1, 2'd2}: f_operand = F_Z;
            {4'd1, 2'd3}: {f_final, f_store, f_operand} = {2'b11, F_W};
            {4'd2, 2'd0}: f_operand = F_X;
            {4'd2, 2'd1}: f_operand = F_Y;
            {4'd2, 2'd2}: {f_final, f_store, f_operand} = {2'b11, F_Y};
            {4'd3, 2'd0}: f_operand = F_X;
            {4'd3, 2'd1}: {f_final, f_store, f_operand} = {2'b11, F_Y};
            {4'd4, 2'd0}: f_operand = F_X;
            {4'd4, 2'd1}: f_operand = F_Y;
            {4'd4, 2'd2}: {f_final, f_store, f_operand} = {2'b11, F_Z};
            {4'd5, 2'd0}: f_operand = F_X;
            {4'd5, 2'd1}: {f_final, f_store, f_operand} = {2'b10, F_Y};
            {4'd6, 2'd0}: {f_final, f_store, f_operand} = {2'b10, F_X};
            {4'd7, 2'd0}: f_operand = F_X;
            {4'd7, 2'd1}: {f_final, f_store, f_operand} = {2'b11, F_X};
            {4'd8, 2'd0}: f_operand = F_X;
            {4'd8, 2'd1}: f_operand = F_Z;
            {4'd8, 2'd2}: {f_final, f_store, f_operand} = {2'b11, F_Y};
            default: f_there = 1'b0;
        endcase
    end

    wire       f_stores = ${field("word", "store")};
    wire [1:0] f_how    = ${field("word", "how")};
    wire [2:0] f_factor = ${field("word", "factor")};
    wire [1:0] f_target = ${field("word", "target")};
    wire       f_rows   = ${field("word", "rows")};

    always @* begin
        p_known: assert (known == (op <= 4'd8));
        p_operand: assert (!f_there || ${field("word", "operand")} == f_operand);
        p_store: assert (!f_there || f_stores == f_store);
        p_final: assert (!f_there || ${field("word", "final")} == f_final);
        p_rows: assert (!f_there || f_rows == (op == 4'd8 && f_step == ${L.PC_W}'d1));
        p_turns: assert (!f_there || ${field("word", "last")} ==
                                     (op == 4'd8 ? f_rows : f_final));
        p_legal: assert (f_how <= 2'd2 && f_factor <= 3'd5 && f_target <= 2'd2);
        p_scratch: assert (f_target != 2'd1 || f_how == 2'd0);
        p_sums: assert (f_target != 2'd2 || f_how == 2'd2);
        p_nothing: assert (!f_stores || {f_how, f_factor, f_target, f_rows} == 8'd0);

        c_last: cover (known && op == 4'd8 && f_there && f_final);
        c_unknown: cover (!known);
    end
`endif
