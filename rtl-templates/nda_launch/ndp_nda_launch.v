//% use "ndp_nda_launch_formal.vh"
${header{title = "launch of operations on the accelerators of all ranks", text = [[
Cuts an operation on vectors, which lie in several ranks in step, into packets: part by
part, and of each part rank by rank.  Knows which ranks have packets to end, and tells
the host of each end.

    op -> part, rank -> packet
    ended -> unfinished -> done

Parameters: all sizes are generated; see the localparams.

Handshake: valid and ready on all channels.

Latency: the first packet stands after the edge behind the one that takes its operation.

See docs/blocks/nda_launch.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_launch (
${ports{reg = {"packet_valid", "packet_rank", "packet_op", "packet_length", "packet_tag", "packet_final",
    "packet_base", "packet_last", "packet_scalars", "done_valid", "done_rank", "done_tag", "done_final", "done_cause",
    "done_value", "busy"}}}
);
${localparams("RANKS", "RANK_W", "SPOT_W", "UNFINISHED", "OPEN_W")}

    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] SEND = 2'd1;
    localparam [1:0] WAIT = 2'd2;
    localparam [1:0] TELL = 2'd3;

    localparam [3:0] GEMV = 4'd8;
    localparam [2:0] DOT  = 3'd5;

    localparam [1:0] NONE      = 2'd0;
    localparam [1:0] OPERATION = 2'd2;

    localparam [SPOT_W-1:0] ZERO = {SPOT_W{1'b0}};

    reg [1:0] state;

    // ------------------------------------------------------------------
    // The operation

    reg [3:0]          op;
    reg [RANKS-1:0]    ranks;
    reg [SPOT_W-1:0]   length;
    reg [SPOT_W-1:0]   grain;
    reg                blocking;
    reg [7:0]          tag;
    reg [SPOT_W-1:0]   begin_x;
    reg [4*SPOT_W-1:0] lasts;
    reg [95:0]         scalars;

    wire taken   = op_valid && state == IDLE;
    wire gemv    = op == GEMV;
    wire unknown = op_op > GEMV;
    wire nothing = op_ranks == {RANKS{1'b0}} || op_length == ZERO ||
                   (op_op == GEMV && op_rows == 8'd0);

    always @(posedge clk) begin
        if (taken) begin
            op       <= op_op;
            ranks    <= op_ranks;
            length   <= op_length;
            grain    <= op_grain;
            blocking <= op_blocking;
            tag      <= op_tag;
            begin_x  <= op_base[SPOT_W-1:0];
            lasts    <= op_last;
            scalars  <= op_scalars;
        end
    end

    // ------------------------------------------------------------------
    // Ranks: the lowest of the mask, and the next higher one

    reg [RANK_W-1:0] rank;
    reg [RANK_W-1:0] lowest_op;
    reg [RANK_W-1:0] lowest;
    reg [RANK_W-1:0] higher;
    reg              is_highest;

    integer i;

    always @* begin
        lowest_op  = {RANK_W{1'b0}};
        lowest     = {RANK_W{1'b0}};
        higher     = {RANK_W{1'b0}};
        is_highest = 1'b1;
        for (i = RANKS - 1; i >= 0; i = i - 1) begin
            if (op_ranks[i])
                lowest_op = i[RANK_W-1:0];
            if (ranks[i])
                lowest = i[RANK_W-1:0];
            if (ranks[i] && i[RANK_W-1:0] > rank) begin
                higher     = i[RANK_W-1:0];
                is_highest = 1'b0;
            end
        end
    end

    // ------------------------------------------------------------------
    // Parts: what is left of the vector, where each operand's part begins

    reg [SPOT_W-1:0]   rest;
    reg [7:0]          rows;  // behind this one
    reg [4*SPOT_W-1:0] at;
    reg [3:0]          beyond; // it would begin above all addresses

    wire              latest = grain == ZERO || rest <= grain; // part of a row
    wire [SPOT_W-1:0] size   = latest ? rest : grain;
    wire              row_on = latest && rows != 8'd0;
    wire              all    = latest && rows == 8'd0;

    wire [4*SPOT_W-1:0] then_at;
    wire [3:0]          carry;

//% for k = 0, 3 do
    assign {carry[${k}], then_at[${k}*SPOT_W+:SPOT_W]} = {1'b0, at[${k}*SPOT_W+:SPOT_W]} + {1'b0, size};
//% end

    // what the packet has: of GEMV, y is a row of the matrix
    wire [3:0]          is_beyond;
    wire [4*SPOT_W-1:0] bases;
    wire [4*SPOT_W-1:0] bounds;

    wire [1:0] from_y = gemv ? 2'd2 : 2'd1;

//% for k = 0, 3 do
//%     local of = k == 1 and "from_y" or k
//%     local none = k >= 2 and "gemv ? ZERO : " or ""
    assign is_beyond[${k}] = beyond[${of}];
    assign bases[${k}*SPOT_W+:SPOT_W]  = ${none}is_beyond[${k}] ? {SPOT_W{1'b1}} : at[${of}*SPOT_W+:SPOT_W];
    assign bounds[${k}*SPOT_W+:SPOT_W] = ${none}is_beyond[${k}] ? ZERO : lasts[${of}*SPOT_W+:SPOT_W];
//% end

    // ------------------------------------------------------------------
    // A packet goes out

    reg [RANKS*OPEN_W-1:0] unfinished;

    wire [OPEN_W-1:0] of_rank = unfinished[rank*OPEN_W+:OPEN_W];
    wire              free    = !packet_valid || packet_ready;
    wire              sends   = state == SEND && free && of_rank != UNFINISHED[OPEN_W-1:0];
    wire              part_on = sends && is_highest;

    always @(posedge clk) begin
        if (rst || (free && !sends)) begin
            packet_valid   <= 1'b0;
            packet_rank    <= {RANK_W{1'b0}};
            packet_op      <= 3'd0;
            packet_length  <= ZERO;
            packet_tag     <= 8'd0;
            packet_final   <= 1'b0;
            packet_base    <= {4*SPOT_W{1'b0}};
            packet_last    <= {4*SPOT_W{1'b0}};
            packet_scalars <= 96'd0;
        end else if (sends) begin
            packet_valid   <= 1'b1;
            packet_rank    <= rank;
            packet_op      <= gemv ? DOT : op[2:0];
            packet_length  <= size;
            packet_tag     <= tag;
            packet_final   <= all;
            packet_base    <= bases;
            packet_last    <= bounds;
            packet_scalars <= scalars;
        end
    end

    always @(posedge clk) begin
        if (taken)
            rank <= lowest_op;
        else if (sends)
            rank <= is_highest ? lowest : higher;
    end

    always @(posedge clk) begin
        if (taken) begin
            rest   <= op_length;
            rows   <= op_op == GEMV ? op_rows - 8'd1 : 8'd0;
            at     <= op_base;
            beyond <= 4'd0;
        end else if (part_on) begin
            rest   <= row_on ? length : rest - size;
            rows   <= row_on ? rows - 8'd1 : rows;
            at     <= then_at;
            beyond <= beyond | carry;
            if (row_on) begin
                at[SPOT_W-1:0] <= begin_x;
                beyond[0]      <= 1'b0;
            end
        end
    end

    // ------------------------------------------------------------------
    // Ends

    wire ends = ended_valid && ended_ready;
    wire tell = state == TELL && !done_valid;

    assign ended_ready = !done_valid && state != TELL;

    always @(posedge clk) begin
        if (rst || (done_valid && done_ready)) begin
            done_valid <= 1'b0;
            done_rank  <= {RANK_W{1'b0}};
            done_tag   <= 8'd0;
            done_final <= 1'b0;
            done_cause <= NONE;
            done_value <= 32'd0;
        end else if (tell) begin
            done_valid <= 1'b1;
            done_tag   <= tag;
            done_final <= 1'b1;
            done_cause <= op > GEMV ? OPERATION : NONE;
        end else if (ends) begin
            done_valid <= 1'b1;
            done_rank  <= ended_rank;
            done_tag   <= ended_tag;
            done_final <= ended_final;
            done_cause <= ended_cause;
            done_value <= ended_value;
        end
    end

    wire [RANKS-1:0] gets  = {{(RANKS-1){1'b0}}, sends} << rank;
    wire [RANKS-1:0] loses = {{(RANKS-1){1'b0}}, ends} << ended_rank;

    integer r;

    always @(posedge clk) begin
        for (r = 0; r < RANKS; r = r + 1) begin
            if (rst)
                unfinished[r*OPEN_W+:OPEN_W] <= {OPEN_W{1'b0}};
            else if (gets[r] && !loses[r])
                unfinished[r*OPEN_W+:OPEN_W] <= unfinished[r*OPEN_W+:OPEN_W] + 1'b1;
            else if (loses[r] && !gets[r])
                unfinished[r*OPEN_W+:OPEN_W] <= unfinished[r*OPEN_W+:OPEN_W] - 1'b1;
        end
    end

    integer b;

    always @* begin
        for (b = 0; b < RANKS; b = b + 1)
            busy[b] = unfinished[b*OPEN_W+:OPEN_W] != {OPEN_W{1'b0}};
    end

    // ------------------------------------------------------------------
    // What comes next

    assign op_ready = state == IDLE;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
        end else begin
            case (state)
                IDLE:
                    if (op_valid)
                        state <= unknown || nothing ? TELL : SEND;
                SEND:
                    if (part_on && all)
                        state <= blocking ? WAIT : IDLE;
                WAIT:
                    if (busy == {RANKS{1'b0}})
                        state <= IDLE;
                default:
                    if (!done_valid)
                        state <= IDLE;
            endcase
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_nda_launch_formal.vh"
`endif
endmodule

`default_nettype wire
