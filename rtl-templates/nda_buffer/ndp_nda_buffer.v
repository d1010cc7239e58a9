//% use "ndp_queue.v"
//% use "ndp_nda_buffer_formal.vh"
//% local function wider(name, k)
//%     local n = L.ADDR_W - L.SPOT_W
//%     return (n > 0 and "{" .. n .. "{1'b0}}, " or "") .. name .. "[" .. (k + 1) * L.SPOT_W - 1 .. ":" .. k * L.SPOT_W .. "]"
//% end
${header{title = "local buffers of a rank's accelerator", text = [[
Between a processing element that asks for words and a state machine that reads and
writes by its own schedule: words wait until they are asked for, results until they
are written.

    packet -> plan, work
    data -> words ahead -> rsp;  mem -> results -> store
    machine and element through -> ended

Parameters: all sizes are generated; see the localparams.

Handshake: words and commands cannot be refused, all else has valid and ready.

Latency: a result is on the bus ]] .. L.CWL .. [[ cycles after its command.

See docs/blocks/nda_buffer.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_buffer (
${ports{reg = {"plan_valid", "work_valid", "rsp_valid", "rsp_data", "store_valid", "store_mask", "store_data",
    "bank_valid", "bank_kind", "bank_bank", "bank_row", "bank_column", "wrong_lost", "wrong_late"}}}
);
${localparams("BATCH", "AHEAD", "ADDR_W", "RANK_W", "BANK_W", "ROW_W", "COL_W", "SPOT_W", "ROWS_W", "DUE_W")}

    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] RUN  = 2'd1;
    localparam [1:0] END  = 2'd2;

    localparam [2:0] RD = 3'd3;
    localparam [2:0] WR = 3'd5;

    localparam [1:0] BOUND = 2'd1;

    reg [1:0] state;

    wire runs = state == RUN;

    // ------------------------------------------------------------------
    // The packet

    reg [RANK_W-1:0]   rank;
    reg [2:0]          op;
    reg [SPOT_W-1:0]   length;
    reg [7:0]          tag;
    reg                final_one;
    reg [4*SPOT_W-1:0] bases;
    reg [4*SPOT_W-1:0] lasts;
    reg [95:0]         scalars;

    wire taken = packet_valid && state == IDLE;

    assign packet_ready = state == IDLE;

    always @(posedge clk) begin
        if (taken) begin
            rank      <= packet_rank;
            op        <= packet_op;
            length    <= packet_length;
            tag       <= packet_tag;
            final_one <= packet_final;
            bases     <= packet_base;
            lasts     <= packet_last;
            scalars   <= packet_scalars;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            plan_valid <= 1'b0;
            work_valid <= 1'b0;
        end else begin
            plan_valid <= taken || (plan_valid && !plan_ready);
            work_valid <= taken || (work_valid && !work_ready);
        end
    end

    assign plan_op     = plan_valid ? op : 3'd0;
    assign plan_length = plan_valid ? length : {SPOT_W{1'b0}};
    assign plan_base   = plan_valid ? bases : {4*SPOT_W{1'b0}};

    assign work_op      = work_valid ? {1'b0, op} : 4'd0;
    assign work_length  = work_valid ? {${wider("length", 0)}} : {ADDR_W{1'b0}};
    assign work_rows    = {ROWS_W{1'b0}};
    assign work_scalars = work_valid ? scalars : 96'd0;
//% for _, v in ipairs{"base", "last"} do
    assign work_${v}    = !work_valid ? {4*ADDR_W{1'b0}} : {
//%     for k = 3, 0, -1 do
        ${wider(v .. "s", k)}${k > 0 and "," or "};"}
//%     end
//% end

    // ------------------------------------------------------------------
    // Words ahead

    reg [7:0] under_way; // reads
    reg [6:0] asked;     // words
    reg [6:0] words;     // in the queue, the one that it shows counted
    reg       through;   // the element

    wire        shown;
    wire [63:0] word;
    wire        place;

    wire reads  = ndc_valid && ndc_kind == RD;
    wire puts   = data_valid && runs && !through;
    wire enters = puts && place;
    wire asks   = mem_valid && runs && !mem_write;
    wire gives  = shown && asked != 7'd0 && !through;
    wire leaves = gives || (shown && through);

    assign mem_ready = runs;

    ${prefix}ndp_queue #(
        .WIDTH (64),
        .DEPTH (AHEAD)
    ) ahead (
        .clk       (clk),
        .rst       (rst),
        .push      (enters),
        .in_word   (data_data),
        .can_push  (place),
        .pop       (leaves),
        .out_valid (shown),
        .out_word  (word)
    );

    always @(posedge clk) begin
        if (rst) begin
            under_way <= 8'd0;
            asked     <= 7'd0;
            words     <= 7'd0;
        end else begin
            under_way <= under_way + {7'd0, reads} - {7'd0, data_valid};
            asked     <= asked + {6'd0, asks} - {6'd0, gives};
            words     <= words + {6'd0, enters} - {6'd0, leaves};
        end
    end

    always @(posedge clk) begin
        rsp_valid <= !rst && gives;
        rsp_data  <= !rst && gives ? word : 64'd0;
    end

    // ------------------------------------------------------------------
    // Results, and writes that are due

    reg [DUE_W-1:0] due; // the oldest highest

    wire        some;
    wire [63:0] result;
    wire        room;

    wire fires  = due[DUE_W-1];
    wire keeps  = mem_valid && runs && mem_write;
    wire writes = ndc_valid && ndc_kind == WR;

    ${prefix}ndp_queue #(
        .WIDTH (64),
        .DEPTH (BATCH)
    ) results (
        .clk       (clk),
        .rst       (rst),
        .push      (keeps && room),
        .in_word   (mem_data),
        .can_push  (room),
        .pop       (fires && some),
        .out_valid (some),
        .out_word  (result)
    );

    always @(posedge clk) begin
        if (rst)
            due <= {DUE_W{1'b0}};
        else
            due <= {due[DUE_W-2:0], writes};
    end

    always @(posedge clk) begin
        store_valid <= !rst && fires;
        store_mask  <= !rst && fires && !some;
        store_data  <= !rst && fires && some ? result : 64'd0;
    end

    always @(posedge clk) begin
        bank_valid  <= !rst && ndc_valid;
        bank_kind   <= rst || !ndc_valid ? 3'd0 : ndc_kind;
        bank_bank   <= rst || !ndc_valid ? {BANK_W{1'b0}} : ndc_bank;
        bank_row    <= rst || !ndc_valid ? {ROW_W{1'b0}} : ndc_row;
        bank_column <= rst || !ndc_valid ? {COL_W{1'b0}} : ndc_column;
    end

    // ------------------------------------------------------------------
    // Ends

    reg        planned; // the machine is through
    reg [1:0]  cause;
    reg [31:0] value;

    wire done  = done_valid && done_ready;
    wire empty = under_way == 8'd0 && words == 7'd0 && due == {DUE_W{1'b0}};

    assign done_ready = runs && !through && !work_valid;

    always @(posedge clk) begin
        if (taken) begin
            planned <= 1'b0;
            through <= 1'b0;
        end else begin
            if (runs && state_done && !plan_valid)
                planned <= 1'b1;
            if (done)
                through <= 1'b1;
        end
        if (done) begin
            cause <= done_cause;
            value <= done_value;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            wrong_lost <= 1'b0;
            wrong_late <= 1'b0;
        end else begin
            if ((puts && !place) || (keeps && !room))
                wrong_lost <= 1'b1;
            if (fires && !some && !(through && cause == BOUND))
                wrong_late <= 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
                IDLE:
                    if (packet_valid)
                        state <= RUN;
                RUN:
                    if (planned && through && empty)
                        state <= END;
                default:
                    if (ended_ready)
                        state <= IDLE;
            endcase
        end
    end

    assign ended_valid = state == END;
    assign ended_rank  = ended_valid ? rank : {RANK_W{1'b0}};
    assign ended_tag   = ended_valid ? tag : 8'd0;
    assign ended_final = ended_valid && final_one;
    assign ended_cause = ended_valid ? cause : 2'd0;
    assign ended_value = ended_valid ? value : 32'd0;

    wire unused = &{1'b0, mem_address, done_operand, done_write, done_address};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_nda_buffer_formal.vh"
`endif
endmodule

`default_nettype wire
