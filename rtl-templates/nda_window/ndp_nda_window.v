//% use "ndp_regs.v"
//% use "ndp_queue.v"
//% use "ndp_nda_window_formal.vh"
${header{title = "memory-mapped packets of a host for its accelerators", text = [[
Software writes a packet into settings and launches it; a packet that some accelerator
could not carry out is refused with a reason, others wait for the launch.  Ends of all
ranks wait for software, and are counted by rank.

    settings -> checks -> queue -> op
    done -> queue -> statuses

Parameters: all sizes are generated; see the localparams.

Handshake: valid and ready on both channels.

Latency: an operation stands at op two edges after the command that launches it.

See docs/blocks/nda_window.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_window (
${ports()}
);
${localparams("RANKS", "RANK_W", "SLOTS", "ENDS", "BYTE_W", "PLACE_W", "PACKET_W", "END_W")}

//% for _, name in ipairs{"NONE", "OPERATION", "EMPTY", "ALIGN", "RANGE", "APART", "FULL"} do
    localparam [2:0] ${pad(name, 9)} = 3'd${code.answer[name]};
//% end

    localparam [3:0] AXPBY    = 4'd0; // operations
    localparam [3:0] AXPBYPCZ = 4'd1;
    localparam [3:0] XMY      = 4'd4;
    localparam [3:0] NRM2     = 4'd6;
    localparam [3:0] SCAL     = 4'd7;
    localparam [3:0] GEMV     = 4'd8;

    // ------------------------------------------------------------------
    // Registers

//% for _, s in ipairs(iface.settings) do
    wire ${pad(range(s.width), 6)} ${pad(s.name .. ";", 7)} // ${s.doc}
//% end

    wire command_launch;
    wire command_take;

    wire        fits; // a packet has room
    wire        end_valid;
    wire [15:0] end_shown;
    wire [31:0] value_shown;
    wire [6:0]  state;
    reg  [2:0]  answer;
    reg  [31:0] completed;

    wire takes;  // a packet
    wire enters; // an end

    wire count_launched = takes;
    wire count_refused  = command_launch && !takes;
    wire count_told     = enters;

    ${prefix}ndp_nda_window_regs regs (
        .clk              (clk),
        .rst              (rst),
        .wb_cyc           (wb_cyc),
        .wb_stb           (wb_stb),
        .wb_we            (wb_we),
        .wb_adr           (wb_adr),
        .wb_dat_w         (wb_dat_w),
        .wb_sel           (wb_sel),
        .wb_dat_r         (wb_dat_r),
        .wb_ack           (wb_ack),
//% for _, s in ipairs(iface.settings) do
        .${pad(s.name, 16)} (${s.name}),
//% end
${count_ports(16)},
        .status_state     (state),
        .status_answer    (answer),
        .status_end       (end_shown),
        .status_value     (value_shown),
        .status_completed (completed),
        .command_launch   (command_launch),
        .command_take     (command_take)
    );

    // ------------------------------------------------------------------
    // Reasons to refuse a packet

    wire [3:0] op   = what[3:0];
    wire [7:0] rows = what[23:16];

    // operands that the operation has, x lowest
    wire [3:0] has = {op == AXPBYPCZ,
                      op == AXPBY || op == AXPBYPCZ || op == XMY || op == GEMV,
                      op != NRM2 && op != SCAL && op != GEMV,
                      1'b1};

    wire [3:0] unaligned;
    wire [3:0] beyond;
    wire [3:0] apart; // an operand lies in other ranks than x

//% local function outside(name)
//%     return L.PLACE_W < 32 and "|" .. name .. "[31:PLACE_W]" or "1'b0"
//% end
//% for k, name in ipairs{"x", "y", "z", "w"} do
    assign unaligned[${k - 1}] = has[${k - 1}] && |{${name}[BYTE_W-1:0], ${name}_last[BYTE_W-1:0]};
    assign beyond[${k - 1}]    = has[${k - 1}] && (${outside(name)} || ${outside(name .. "_last")});
    assign apart[${k - 1}]     = has[${k - 1}] && ranks[${4 * k - 1}:${4 * k - 4}] != ranks[3:0];
//% end

    wire unknown  = op > GEMV;
    wire nothing  = length == 32'd0 || (op == GEMV && rows == 8'd0);
    wire odd      = |{unaligned, length[BYTE_W-1:0], grain[BYTE_W-1:0]};
    wire far      = |beyond || ${outside("length")} || ${outside("grain")};
    wire homeless = ranks[3:0] == 4'd0${L.RANKS < 4 and " || ranks[3:RANKS] != {4-RANKS{1'b0}}" or ""};

    wire [2:0] verdict = unknown            ? OPERATION :
                         nothing            ? EMPTY :
                         odd                ? ALIGN :
                         far                ? RANGE :
                         homeless || |apart ? APART :
                         !fits              ? FULL : NONE;

    assign takes = command_launch && verdict == NONE;

    wire unused = &{1'b0, what[7:5]};

    always @(posedge clk) begin
        if (rst)
            answer <= NONE;
        else if (command_launch)
            answer <= verdict;
    end

    // ------------------------------------------------------------------
    // Packets that wait

//% local function spot(name) return name .. "[PLACE_W-1:BYTE_W]" end
    wire [PACKET_W-1:0] packet = {
        c, b, a,
        ${spot("w_last")}, ${spot("z_last")}, ${spot("y_last")}, ${spot("x_last")},
        ${spot("w")}, ${spot("z")}, ${spot("y")}, ${spot("x")},
        what[15:8], what[4], rows, ${spot("grain")}, ${spot("length")},
        ranks[RANKS-1:0], op};

    wire                valid;
    wire [PACKET_W-1:0] oldest;

    ${prefix}ndp_queue #(
        .WIDTH (PACKET_W),
        .DEPTH (SLOTS)
    ) packets (
        .clk       (clk),
        .rst       (rst),
        .push      (takes),
        .in_word   (packet),
        .can_push  (fits),
        .pop       (op_ready),
        .out_valid (valid),
        .out_word  (oldest)
    );

    assign op_valid = valid;
    assign {op_scalars, op_last, op_base, op_tag, op_blocking, op_rows, op_grain, op_length,
            op_ranks, op_op} = valid ? oldest : {PACKET_W{1'b0}};

    // ------------------------------------------------------------------
    // Ends that wait

    wire [END_W-1:0] told;

    assign enters = done_valid && done_ready;

    ${prefix}ndp_queue #(
        .WIDTH (END_W),
        .DEPTH (ENDS)
    ) ends (
        .clk       (clk),
        .rst       (rst),
        .push      (enters),
        .in_word   ({done_value, done_tag, done_rank, done_cause, done_final}),
        .can_push  (done_ready),
        .pop       (command_take),
        .out_valid (end_valid),
        .out_word  (told)
    );

    wire [31:0]       told_value;
    wire [7:0]        told_tag;
    wire [RANK_W-1:0] told_rank;
    wire [1:0]        told_cause;
    wire              told_final;

    assign {told_value, told_tag, told_rank, told_cause, told_final} = told;

    assign notice      = end_valid;
    assign value_shown = end_valid ? told_value : 32'd0;
    assign end_shown   = end_valid ? {told_tag, ${4 - L.RANK_W}'d0, told_rank, told_cause, told_final, 1'b1}
                                   : 16'd0;
    assign state       = {valid, end_valid, fits, ${L.RANKS < 4 and (4 - L.RANKS) .. "'d0, " or ""}busy};

    integer r;

    always @(posedge clk) begin
        for (r = 0; r < 4; r = r + 1) begin
            if (rst)
                completed[8*r+:8] <= 8'd0;
            else if (enters && done_final && {{(32-RANK_W){1'b0}}, done_rank} == r)
                completed[8*r+:8] <= completed[8*r+:8] + 8'd1;
        end
    end

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_nda_window_formal.vh"
`endif
endmodule

`default_nettype wire
