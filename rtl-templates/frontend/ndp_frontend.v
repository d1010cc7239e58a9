//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_frontend_decode.v"
//% use "ndp_frontend_host.v"
//% use "ndp_frontend_faults.v"
//% use "ndp_frontend_control.v"
//% use "ndp_frontend_warps.v"
//% use "ndp_frontend_dispatch.v"
//% use "ndp_frontend_formal.vh"
//% local operands = { "dst", "src0", "src1", "src2", "guard" }
${header{title = "front end of a core with a near-bank unit", text = [[
Holds code, warps and CTAs of a launch, and sends the warps' instructions to a near-bank
unit, whose pipelines on both dies tell what has come of them.

    warps -> select -> F -> check -> I -> issue
    resolve -> X -> warps        commit -> what has not committed, of each warp
    dispatch -> value, window, init -> warps

Parameters: all sizes are generated; see the localparams.

Handshake: what stands at issue is taken on an edge with the bit of its warp in
issue_ready; init has valid and ready; all else cannot be refused.  Fields are zero while
valid is low.

Latency: an instruction is at issue two edges after that which selected its warp.

See docs/blocks/frontend.md.]]}}
`default_nettype none

module ${prefix}ndp_frontend (
${ports{reg = {"issue_valid", "issue_warp", "issue_tag", "issue_op", "issue_hint", "issue_mask", "issue_dst", "issue_src0", "issue_src1", "issue_src2", "issue_guard", "param_valid", "param_index", "param_word", "count_issued", "count_idle", "count_blocked"}}}
);
${localparams("WARPS", "LANES", "CODE", "TAG_W", "PC_W", "WARP_W", "REG_W", "OP_W", "OPERAND_W", "PARAM_W",
    "DEPTH_W", "ENTRY_W", "CTAS", "CTA_W", "THREADS_W", "BORN_W", "SLOTS_W")}

    localparam [63:0] NOP = 64'h${string.format("%016x", isa.op.nop.code + 7 * 256)};

    localparam [TAG_W-1:0] LAST = {TAG_W{1'b1}}; // where it stands

    // ------------------------------------------------------------------
    // Commands

    wire                 clear;
    wire                 code_write;
    wire                 param_write;
    wire                 start;
    wire [TAG_W-1:0]     entry;
    wire [31:0]          ctas_x;
    wire [15:0]          ctas_y;
    wire [15:0]          ctas_z;
    wire [10:0]          tids_x;
    wire [10:0]          tids_y;
    wire [10:0]          tids_z;
    wire [THREADS_W-1:0] threads;
    wire [BORN_W-1:0]    cta_warps;
    wire [SLOTS_W-1:0]   resident;
    wire [31:0]          shared_bytes;
    wire [31:0]          patience;
    wire [7:0]           first_cta;
    wire [7:0]           cta_step;
    wire                 faulted;
    wire                 running;
    wire                 halt;
    wire                 none_lives;
    wire                 none_waits;
    wire                 over; // no CTA is left, and none begins

    wire reset = rst || clear;

    assign quiet = none_waits && !issue_valid && !init_valid;

    ${prefix}ndp_frontend_host host (
        .clk          (clk),
        .rst          (rst),
        .ctl_valid    (ctl_valid),
        .ctl_op       (ctl_op),
        .ctl_index    (ctl_index),
        .ctl_data     (ctl_data[31:0]),
        .clear        (clear),
        .code_write   (code_write),
        .param_write  (param_write),
        .start        (start),
        .entry        (entry),
        .ctas_x       (ctas_x),
        .ctas_y       (ctas_y),
        .ctas_z       (ctas_z),
        .tids_x       (tids_x),
        .tids_y       (tids_y),
        .tids_z       (tids_z),
        .threads      (threads),
        .cta_warps    (cta_warps),
        .resident     (resident),
        .shared_bytes (shared_bytes),
        .bound        (launch_bound),
        .patience     (patience),
        .first_cta    (first_cta),
        .cta_step     (cta_step),
        .quiet        (quiet),
        .faulted      (faulted),
        .finished     (over && none_lives),
        .running      (running),
        .state        (state),
        .halt         (halt),
        .now          (launch_now)
    );

    // ------------------------------------------------------------------
    // Code and parameters: our own copy, and what others are told

    wire             c_write = code_write || start;
    wire [TAG_W-1:0] c_tag   = start ? LAST : ctl_index[TAG_W-1:0];
    wire [63:0]      c_word  = start ? NOP : ctl_data;

    reg              c_valid;
    reg  [TAG_W-1:0] c_told;
    reg  [63:0]      c_says;

    always @(posedge clk) begin
        if (reset || !c_write) begin
            c_valid <= 1'b0;
            c_told  <= {TAG_W{1'b0}};
            c_says  <= 64'd0;
        end else begin
            c_valid <= 1'b1;
            c_told  <= c_tag;
            c_says  <= c_word;
        end
    end

//% for _, c in ipairs{ "far_code", "near_code" } do
    assign ${pad(c .. "_valid", 15)} = c_valid;
    assign ${pad(c .. "_tag", 15)} = c_told;
    assign ${pad(c .. "_word", 15)} = c_says;
//% end

    always @(posedge clk) begin
        if (reset || !param_write) begin
            param_valid <= 1'b0;
            param_index <= {PARAM_W{1'b0}};
            param_word  <= 32'd0;
        end else begin
            param_valid <= 1'b1;
            param_index <= ctl_index[PARAM_W-1:0];
            param_word  <= ctl_data[31:0];
        end
    end

    // ------------------------------------------------------------------
    // Select

    wire [WARPS-1:0]  ready;   // warps that may be selected
    wire [WARPS-1:0]  chosen;
    wire [WARP_W-1:0] choice;
    wire [PC_W-1:0]   choice_pc;
    wire              taken;   // at issue
    reg               f_valid;
    wire              f_moves = f_valid && (!issue_valid || taken) && !faulted;
    wire              f_free  = !f_valid || f_moves;
    wire              selects = running && !halt && f_free;
    wire [WARPS-1:0]  request = ready & issue_ready & {WARPS{selects}};
    wire              select  = request != {WARPS{1'b0}};

    ${prefix}ndp_round_robin #(
        .N       (WARPS),
        .INDEX_W (WARP_W)
    ) turn (
        .clk     (clk),
        .rst     (reset),
        .request (request),
        .take    (select),
        .chosen  (chosen),
        .index   (choice)
    );

    // ------------------------------------------------------------------
    // F: a warp and its word

    reg [WARP_W-1:0] f_warp;
    reg [PC_W-1:0]   f_pc;
    wire [63:0]      word;

    always @(posedge clk) begin
        if (reset)
            f_valid <= 1'b0;
        else
            f_valid <= select || (f_valid && !f_moves && !faulted);
        if (select) begin
            f_warp <= choice;
            f_pc   <= choice_pc;
        end
    end

    ${prefix}ndp_ram #(
        .WIDTH     (64),
        .WORDS     (CODE),
        .ADDRESS_W (TAG_W)
    ) code (
        .clk     (clk),
        .wr_en   (c_write && !rst),
        .wr_addr (c_tag),
        .wr_data (c_word),
        .rd_en   (select),
        .rd_addr (choice_pc),
        .rd_data (word)
    );

    // ------------------------------------------------------------------
    // Check, and what the near-bank unit is told

    wire                 legal;
    wire                 control;
    wire                 to_mem;
    wire                 store;
    wire                 never;
    wire [OP_W-1:0]      op;
    wire [1:0]           hint;
//% for _, o in ipairs(operands) do
    wire [OPERAND_W-1:0] ${o};
//% end

    ${prefix}ndp_frontend_decode decode (
        .word    (word),
        .legal   (legal),
        .control (control),
        .to_mem  (to_mem),
        .store   (store),
        .never   (never),
        .kind    (op),
        .hint    (hint),
        .dst     (dst),
        .src0    (src0),
        .src1    (src1),
        .src2    (src2),
        .guard   (guard)
    );

    wire [LANES-1:0] f_mask;
    wire             f_fresh;
    wire             f_open;

    wire f_wrong = f_moves && !f_fresh && !legal;
    wire f_waits = f_moves && !f_fresh && legal && to_mem && f_open;
    wire f_goes  = f_moves && (f_fresh || (legal && !(to_mem && f_open)));

    // ------------------------------------------------------------------
    // I

    reg i_control; // what stands there is of class control,
    reg i_global;  // an access to global memory,
    reg i_store;   // a store

    assign taken = issue_valid && issue_ready[issue_warp];

    always @(posedge clk) begin
        if (reset) begin
            issue_valid <= 1'b0;
//% for _, p in ipairs{ { "warp", "WARP_W" }, { "tag", "TAG_W" }, { "op", "OP_W" }, { "hint", "2" }, { "mask", "LANES" }, { "dst", "OPERAND_W" }, { "src0", "OPERAND_W" }, { "src1", "OPERAND_W" }, { "src2", "OPERAND_W" }, { "guard", "OPERAND_W" } } do
            ${pad("issue_" .. p[1], 11)} <= {${p[2]}{1'b0}};
//% end
        end else if (f_goes) begin
            issue_valid <= 1'b1;
            issue_warp  <= f_warp;
            issue_tag   <= f_fresh ? LAST : f_pc;
            issue_op    <= f_fresh ? ${hex(L.OP_W, class.branch)} : op;
            issue_hint  <= f_fresh ? 2'd0 : hint;
            issue_mask  <= f_fresh ? {LANES{1'b1}} : f_mask & {LANES{!never}};
            issue_dst   <= f_fresh ? {3'b100, {REG_W{1'b0}}} : dst;
            issue_src0  <= src0 & {OPERAND_W{!f_fresh}};
            issue_src1  <= src1 & {OPERAND_W{!f_fresh}};
            issue_src2  <= src2 & {OPERAND_W{!f_fresh}};
            issue_guard <= guard & {OPERAND_W{!f_fresh}};
        end else if (taken) begin
            issue_valid <= 1'b0;
//% for _, p in ipairs{ { "warp", "WARP_W" }, { "tag", "TAG_W" }, { "op", "OP_W" }, { "hint", "2" }, { "mask", "LANES" }, { "dst", "OPERAND_W" }, { "src0", "OPERAND_W" }, { "src1", "OPERAND_W" }, { "src2", "OPERAND_W" }, { "guard", "OPERAND_W" } } do
            ${pad("issue_" .. p[1], 11)} <= {${p[2]}{1'b0}};
//% end
        end
    end

    always @(posedge clk) begin
        if (f_goes) begin
            i_control <= f_fresh || control;
            i_global  <= !f_fresh && to_mem;
            i_store   <= !f_fresh && store;
        end
    end

    assign halted = halt && !f_valid && !issue_valid;

    always @(posedge clk) begin
        if (reset) begin
            count_issued  <= 1'b0;
            count_idle    <= 1'b0;
            count_blocked <= 1'b0;
        end else begin
            count_issued  <= f_goes;
            count_idle    <= selects && !select;
            count_blocked <= f_waits;
        end
    end

    // ------------------------------------------------------------------
    // X: a word that was resolved

    reg               x_valid;
    reg  [WARP_W-1:0] x_warp;
    reg  [LANES-1:0]  x_lanes;
    wire              x_no_join;
    wire [2:0]        x_op;
    wire [TAG_W-1:0]  x_target;
    wire [TAG_W-1:0]  x_join;

    always @(posedge clk) begin
        if (reset)
            x_valid <= 1'b0;
        else
            x_valid <= resolve_valid;
        if (resolve_valid) begin
            x_warp  <= resolve_warp;
            x_lanes <= resolve_lanes;
        end
    end

    // of the word that a warp waits for
    ${prefix}ndp_ram #(
        .WIDTH     (4 + 2 * TAG_W),
        .WORDS     (WARPS),
        .ADDRESS_W (WARP_W)
    ) flows (
        .clk     (clk),
        .wr_en   (f_goes),
        .wr_addr (f_warp),
        .wr_data ({word[63:48] == 16'hffff, word[2:0], word[${31 + L.TAG_W}:32], word[${47 + L.TAG_W}:48]}),
        .rd_en   (resolve_valid),
        .rd_addr (resolve_warp),
        .rd_data ({x_no_join, x_op, x_target, x_join})
    );

    wire               x_fresh;
    wire [PC_W-1:0]    x_pc;
    wire [LANES-1:0]   x_mask;
    wire [LANES-1:0]   x_gone;
    wire [PC_W-1:0]    x_meet;
    wire [DEPTH_W-1:0] x_depth;
    wire               update;
    wire [PC_W-1:0]    new_pc;
    wire [LANES-1:0]   new_mask;
    wire [LANES-1:0]   new_gone;
    wire [PC_W-1:0]    new_join;
    wire [DEPTH_W-1:0] new_depth;
    wire               push;
    wire [ENTRY_W-1:0] push_entry;
    wire               stops;
    wire               fences;
    wire [3:0]         x_fault;

    ${prefix}ndp_frontend_control flow (
        .clk            (clk),
        .rst            (reset),
        .valid          (x_valid && !x_fresh),
        .lanes          (x_lanes),
        .x_op           ({5'd0, x_op}),
        .x_target       (x_target),
        .x_join         (x_join),
        .x_no_join      (x_no_join),
        .x_pc           (x_pc),
        .mask           (x_mask),
        .gone           (x_gone),
        .meet           (x_meet),
        .depth          (x_depth),
        .update         (update),
        .new_pc         (new_pc),
        .new_mask       (new_mask),
        .new_gone       (new_gone),
        .new_join       (new_join),
        .new_depth      (new_depth),
        .push           (push),
        .entry          (push_entry),
        .stops          (stops),
        .fences         (fences),
        .fault          (x_fault),
        .count_diverged (count_diverged)
    );

    // ------------------------------------------------------------------
    // Warps and their CTAs

    wire [CTAS-1:0]  lives;
    wire [WARPS-1:0] born;
    wire [CTA_W-1:0] born_slot;
    wire             begins;

    ${prefix}ndp_frontend_warps warps (
        .clk           (clk),
        .rst           (reset),
        .ready         (ready),
        .selected      (chosen & {WARPS{select}}),
        .chosen        (chosen),
        .choice_pc     (choice_pc),
        .f_warp        (f_warp),
        .drop          (f_waits),
        .f_mask        (f_mask),
        .f_fresh       (f_fresh),
        .f_open        (f_open),
        .taken         (taken),
        .t_warp        (issue_warp),
        .t_control     (i_control),
        .t_global      (i_global),
        .t_store       (i_store),
        .commits       (commit_valid),
        .c_warp        (commit_warp),
        .x_valid       (x_valid),
        .x_warp        (x_warp),
        .x_fresh       (x_fresh),
        .x_pc          (x_pc),
        .x_mask        (x_mask),
        .x_gone        (x_gone),
        .x_meet        (x_meet),
        .x_depth       (x_depth),
        .update        (update),
        .new_pc        (new_pc),
        .new_mask      (new_mask),
        .new_gone      (new_gone),
        .new_join      (new_join),
        .new_depth     (new_depth),
        .stops         (stops),
        .fences        (fences),
        .push          (push),
        .push_entry    (push_entry),
        .born          (born),
        .born_slot     (born_slot),
        .begins        (begins),
        .b_warp        (init_warp),
        .b_mask        (init_mask),
        .b_pc          (entry),
        .lives         (lives),
        .none_lives    (none_lives),
        .none_waits    (none_waits),
        .count_barrier (count_barrier)
    );

    ${prefix}ndp_frontend_dispatch dispatch (
        .clk          (clk),
        .rst          (reset),
        .start        (start),
        .running      (running),
        .faulted      (faulted),
        .ctas_x       (ctas_x),
        .ctas_y       (ctas_y),
        .ctas_z       (ctas_z),
        .tids_x       (tids_x),
        .tids_y       (tids_y),
        .tids_z       (tids_z),
        .threads      (threads),
        .cta_warps    (cta_warps),
        .resident     (resident),
        .shared_bytes (shared_bytes),
        .first_cta    (first_cta),
        .cta_step     (cta_step),
        .over         (over),
        .lives        (lives),
        .born         (born),
        .born_slot    (born_slot),
        .begins       (begins),
//% for _, g in ipairs{ "value", "window", "init" } do
//%     for _, p in ipairs(iface.ports) do
//%         if p.name:find("^" .. g .. "_") then
        .${pad(p.name, 12)} (${p.name}),
//%         end
//%     end
//% end
        .count_cta    (count_cta)
    );

    // ------------------------------------------------------------------
    // Faults

    ${prefix}ndp_frontend_faults faults (
        .clk           (clk),
        .rst           (reset),
        .far           (far_fault_valid),
        .far_cause     (far_fault_cause),
        .far_warp      (far_fault_warp),
        .far_pc        (far_fault_tag),
        .far_address   (far_fault_address),
        .near          (near_fault_valid),
        .near_odd      (near_fault_odd),
        .near_warp     (near_fault_warp),
        .near_pc       (near_fault_tag),
        .near_address  (near_fault_address),
        .control       (x_fault),
        .control_warp  (x_warp),
        .control_pc    (x_pc),
        .check         (f_wrong),
        .check_warp    (f_warp),
        .check_pc      (f_pc),
        .start         (start),
        .counts        (running && !halt),
        .commits       (commit_valid),
        .patience      (patience),
        .faulted       (faulted),
        .fault_cause   (fault_cause),
        .fault_warp    (fault_warp),
        .fault_pc      (fault_pc),
        .fault_address (fault_address)
    );

    wire unused = &{1'b0, commit_near, commit_tag, resolve_tag};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_frontend_formal.vh"
`endif
endmodule

`default_nettype wire
