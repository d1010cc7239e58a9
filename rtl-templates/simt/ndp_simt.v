//% use "ndp_ram.v"
//% use "ndp_simt_host.v"
//% use "ndp_simt_select.v"
//% use "ndp_simt_issue.v"
//% use "ndp_simt_files.v"
//% use "ndp_simt_operands.v"
//% use "ndp_simt_alus.v"
//% use "ndp_simt_control.v"
//% use "ndp_simt_warps.v"
//% use "ndp_simt_retire.v"
//% use "ndp_simt_dispatch.v"
//% use "ndp_simt_tickets.v"
//% use "ndp_simt_requests.v"
//% use "ndp_simt_rows.v"
//% use "ndp_simt_accesses.v"
//% use "ndp_simt_lsu.v"
//% use "ndp_simt_faults.v"
//% local OFFERS = L.OFFERS == 1
//% local BUILDS, MOVES = L.BUILDS == 1, L.MOVES == 1
//% if OFFERS then
//%     use(BUILDS and "ndp_simt_builder.v" or "ndp_simt_moves.v")
//%     use "ndp_simt_put.v"
//% end
//% local LOOK = MOVES and "host_look" or "look" -- a port has that name
//% local A, N, P = L.ALUS, L.LANES, L.PASSES
//% local BW = clog2(BANK_WORDS)
//% local TABLE_W = math.max(L.PARAM_W, L.CTA_W + 2, 4) + 2
//% -- what goes along from D to X1
//% local ALONG = { { "kind", 2 }, { "warp", L.WARP_W }, { "pc", L.PC_W }, { "pass", L.PASS_W }, { "last", 1 }, { "code", 64 }, { "access", 1 }, { "control", 1 }, { "offset", 1 }, { "result", 2 }, { "ticket", L.TICKET_W }, { "buffer", 1 } }
//% if OFFERS then ALONG[#ALONG + 1] = { "offer", 1 } end
//% if MOVES then ALONG[#ALONG + 1] = { "look", 1 } end
${header{title = "core that runs warps", text = [[
A SIMT core: warps of threads, in order within a warp, one instruction a cycle of
whichever warp is ready; reconvergence stacks, barriers, shared memory, and requests
to memory whose answers come in any order.

    warps -> select -> F -> D -> O -> X1 -> ... -> W -> register files
      ^                 check    |     '-> branch, exit, barrier
      '------ released           '-> accesses -> load-store engine -> requests

Parameters: all sizes are generated; see the localparams.

Handshake: a request is an edge with mem_valid and mem_ready; commands, responses
and retirement cannot be refused.  Every output is a register or a function of
registers.

Latency: an instruction that is selected on edge t is released on t + ]] .. 3 + P + L.FMA_L .. [[, and its
first pass is at ret after t + ]] .. 4 + L.FMA_L .. (L.ITERATIVE == 1 and [[, unless an operation holds the pipe.]] or [[.]]) .. [[


See docs/blocks/simt.md for what happens on each edge.]]}}
`default_nettype none

module ${prefix}ndp_simt (
${ports{reg={}}}
);
${localparams("WARPS", "LANES", "ALUS", "CODE", "TICKETS", "WARP_W", "PC_W", "PARAM_W", "CTA_W", "PASS_W", "ID_W", "TICKET_W", "SECTOR_W", "SADDR_W", "DEPTH_W", "ENTRY_W")}

    localparam [1:0] RETURN = 2'd1;
${A == 1 and "    localparam [1:0] INIT   = 2'd2;" or ""}

    wire hold${L.ITERATIVE == 1 and "" or " = 1'b0"}; // the pipe stands still, for a slow unit

    // ------------------------------------------------------------------
    // Host

    wire        clear;
    wire        code_write;
    wire        param_write;
    wire        set;
    wire        start;
    wire ${pad(range(L.PC_W), 6)} entry;
    wire [31:0] cta_x_last;
    wire [15:0] cta_y_last;
    wire [15:0] cta_z_last;
    wire [10:0] tid_x_last;
    wire [10:0] tid_y_last;
    wire [${clog2(L.WARPS * N + 1) - 1}:0] threads;
    wire [${clog2(L.WARPS + 1) - 1}:0] cta_warps;
    wire [${clog2(L.CTAS + 1) - 1}:0] resident;
    wire [${SHARED_W - 1}:0] shared_bytes;
    wire [31:0] limit_neg;
    wire [31:0] silent_last;
//% if L.STEPS == 1 then
    wire [7:0]  first_cta;
    wire [7:0]  between_ctas;
//% end
//% if MOVES then
    wire [7:0]  pace;
//% end
//% if L.AREAS == 1 then
    wire [31:0] cta_x_first;
    wire [15:0] cta_y_first;
    wire        by_column;
//% end
    wire        piped;
    wire        faulted;
    wire        finished;
    wire        running;
    wire        halt;
    wire        step_wait;
    wire        read_wait;
    wire        take_read;
    wire        take_ret;
    wire        take_init;
    wire        take_warp;
    wire        read_valid;
    wire [31:0] read_value;
    wire [5:0]  read_reg;
    wire [1:0]  ${LOOK}_what;
    wire [31:0] ${LOOK}_value;
    wire ${pad(range(LANE_W), 6)} read_lane;
    wire [WARP_W-1:0] step_warp;
    wire [WARP_W-1:0] read_warp;
    wire [WARP_W-1:0] ${LOOK}_warp;
    wire [WARPS-1:0]  ready;

    wire reset = rst || clear;

    ${prefix}ndp_simt_host host (
        .clk          (clk),
        .rst          (rst),
        .ctl_valid    (ctl_valid),
        .ctl_op       (ctl_op),
        .ctl_index    (ctl_index),
        .ctl_data     (ctl_data[31:0]),
        .clear        (clear),
        .code_write   (code_write),
        .param_write  (param_write),
        .set          (set),
        .start        (start),
        .entry        (entry),
        .cta_x_last   (cta_x_last),
        .cta_y_last   (cta_y_last),
        .cta_z_last   (cta_z_last),
        .tid_x_last   (tid_x_last),
        .tid_y_last   (tid_y_last),
        .threads      (threads),
        .cta_warps    (cta_warps),
        .resident     (resident),
        .shared_bytes (shared_bytes),
        .limit_neg    (limit_neg),
        .silent_last  (silent_last),
//% if L.STEPS == 1 then
        .first_cta    (first_cta),
        .between_ctas (between_ctas),
//% end
//% if MOVES then
        .pace         (pace),
//% end
//% if L.AREAS == 1 then
        .cta_x_first  (cta_x_first),
        .cta_y_first  (cta_y_first),
        .by_column    (by_column),
//% end
        .quiet        (quiet),
        .piped        (piped),
        .faulted      (faulted),
        .finished     (finished),
        .ready        (ready),
        .running      (running),
        .halt         (halt),
        .step_wait    (step_wait),
        .step_warp    (step_warp),
        .step_taken   (take_warp),
        .read_wait    (read_wait),
        .read_warp    (read_warp),
        .read_lane    (read_lane),
        .read_reg     (read_reg),
        .read_taken   (take_read),
        .read_valid   (read_valid),
        .read_value   (read_value),
        .look_warp    (${LOOK}_warp),
        .look_what    (${LOOK}_what),
        .look_value   (${LOOK}_value),
        .state        (state),
        .halted       (halted),
        .debug_valid  (debug_valid),
        .debug_value  (debug_value)
    );

    reg [31:0] clock; // edges since the launch began

    always @(posedge clk) begin
        if (reset || start)
            clock <= 32'd0;
        else if (running)
            clock <= clock + 32'd1;
    end

    // ------------------------------------------------------------------
    // F

    wire                ret_wait;
    wire [TICKET_W-1:0] ret_ticket;
    wire [WARP_W-1:0]   ret_of;
    wire [PC_W-1:0]     ret_at;
    wire [5:0]          ret_to;
    wire                init_wait;
    wire [WARP_W-1:0]   init_warp;
    wire [WARPS-1:0]    chosen;
    wire [PC_W-1:0]     choice_pc;
    wire [WARPS-1:0]    taken;
    wire                f_leaves;
    wire                f_valid;
    wire [1:0]          f_kind;
    wire [WARP_W-1:0]   f_warp;
    wire [PC_W-1:0]     f_pc;
    wire [TICKET_W-1:0] f_ticket;
    wire [5:0]          f_d;
    wire [CTA_W-1:0]    f_slot;
    wire [63:0]         f_code;
//% if BUILDS then
    wire [WARPS-1:0]    favoured; // the warp whose chain is being built, if any
//% end
//% if MOVES then
    wire [WARPS-1:0]    guests;      // warps that have come
    wire                paced;       // no warp may be selected
    wire                take_look;
    wire                held;        // a register is looked at
    wire [WARP_W-1:0]   held_warp;
    wire                held_pred;
    wire [5:0]          held_reg;
    wire                f_look;
    wire                f_look_pred;
    wire [5:0]          f_look_reg;
    wire [WARPS-1:0]    may = ready & (running ? {WARPS{1'b1}} : guests);
//% end

    ${prefix}ndp_simt_select select (
        .clk        (clk),
        .rst        (reset),
        .faulted    (faulted),
        .go         (${MOVES and "!paced" or "running"} && (!halt || step_wait)),
        .counted    (running && !halt),
        .read_wait  (read_wait),
        .read_warp  (read_warp),
//% if MOVES then
        .look_wait  (held),
        .look_warp  (held_warp),
        .look_pred  (held_pred),
        .look_reg   (held_reg),
        .take_look  (take_look),
        .f_look     (f_look),
        .f_look_pred (f_look_pred),
        .f_look_reg (f_look_reg),
//% end
        .ret_wait   (ret_wait),
        .ret_ticket (ret_ticket),
        .ret_warp   (ret_of),
        .ret_pc     (ret_at),
        .ret_d      (ret_to),
        .init_wait  (init_wait),
        .init_warp  (init_warp),
        .entry      (entry),
        .ready      (${MOVES and "may" or "ready"}),
        .step_wait  (step_wait),
        .step_warp  (step_warp),
//% if BUILDS then
        .favoured   (favoured),
//% end
        .chosen     (chosen),
        .choice_pc  (choice_pc),
        .take_read  (take_read),
        .take_ret   (take_ret),
        .take_init  (take_init),
        .take_warp  (take_warp),
        .taken      (taken),
        .f_leaves   (f_leaves),
        .f_valid    (f_valid),
        .f_kind     (f_kind),
        .f_warp     (f_warp),
        .f_pc       (f_pc),
        .f_ticket   (f_ticket),
        .f_d        (f_d),
        .count_idle (count_idle)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (64),
        .WORDS     (CODE),
        .ADDRESS_W (PC_W)
    ) code (
        .clk     (clk),
        .wr_en   (code_write),
        .wr_addr (ctl_index[PC_W-1:0]),
        .wr_data (ctl_data),
        .rd_en   (take_warp),
        .rd_addr (choice_pc),
        .rd_data (f_code)
    );

    // ------------------------------------------------------------------
    // Check and D

    wire [TICKETS-1:0]        ticket_used;
    wire [TICKETS*WARP_W-1:0] ticket_warps;
    wire [TICKETS*CTA_W-1:0]  ticket_slots;
    wire [TICKETS*6-1:0]      ticket_d;
    wire [TICKET_W-1:0]       free_ticket;
    wire                      free_buffer;
    wire                      next_buffer;
    wire                      take_ticket;
    wire                      take_buffer;
    wire [5:0]                take_d;
    wire                      drop;
    wire                      illegal;
    wire                      d_valid;
    wire [31:0]               d_value;
    wire                      d_fixed;
    wire                      d_special;
    wire                      d_param;
    reg  [CTA_W-1:0]          d_slot;
//% for _, f in ipairs(ALONG) do
    wire ${pad(range(f[2]), 8)} d_${f[1]};
//% end

//% if OFFERS then
    wire                      offer;     // the word in F is to be offered
//% if BUILDS then
    wire                      shut;      // but another chain is being built
//% end
    wire                      to_d;
    wire                      port_pred; // the last ticket is for a predicate
//% if BUILDS then
    wire                      next;      // the next word of its chain follows
//% end
    wire                      done_init;
    wire [WARP_W-1:0]         done_of;
//% if MOVES then
    wire                      unsettled; // its warp has requests under way,
    wire                      unready;   // or registers that are not there yet
    wire                      settle;
    wire [WARPS-1:0]          chained;
    wire [WARPS-1:0]          busy;
    wire [WARPS-1:0]          guest_left;
    wire [WARP_W-1:0]         pop_warp;
    wire                      o_guest;
    wire [PC_W-1:0]           o_end;
    wire                      pop_guest;
    wire [PC_W-1:0]           pop_end;

    ${prefix}ndp_simt_moves moves (
        .clk         (clk),
        .rst         (reset),
        .f_warp      (f_warp),
        .f_mark      (f_code[31]),
        .accepted    (to_d),
        .offer       (offer),
        .unsettled   (unsettled),
        .unready     (unready),
        .init_done   (done_init),
        .init_warp   (done_of),
        .go          (go_valid && go_moves),
        .go_warp     (go_warp),
        .go_alone    (go_alone),
        .busy        (busy),
        .used        ({ticket_used[TICKETS-1] && !port_pred, ticket_used[TICKETS-2:0]}),
        .used_warps  (ticket_warps),
        .spawn_valid (spawn_valid),
        .spawn_warp  (spawn_warp),
        .spawn_end   (spawn_end),
        .chained     (chained),
        .guests      (guests),
        .gone        (guest_left),
        .o_warp      (o_warp),
        .o_guest     (o_guest),
        .o_end       (o_end),
        .pop_warp    (pop_warp),
        .pop_guest   (pop_guest),
        .pop_end     (pop_end),
        .over_valid  (over_valid),
        .over_ready  (over_ready),
        .over_warp   (over_warp),
        .look_valid  (look_valid),
        .look_ready  (look_ready),
        .look_warp   (look_warp),
        .look_pred   (look_pred),
        .look_reg    (look_reg),
        .held        (held),
        .held_warp   (held_warp),
        .held_pred   (held_pred),
        .held_reg    (held_reg),
        .held_taken  (take_look),
        .pace        (pace),
        .take_warp   (take_warp),
        .paced       (paced)
    );
//% end
//% if BUILDS then

    ${prefix}ndp_simt_builder tags (
        .clk       (clk),
        .rst       (reset),
        .start     (start),
        .warp      (f_warp),
        .chain     (f_code[30:27]),
        .offer     (offer),
        .shut      (shut),
        .accepted  (to_d),
        .next      (next),
        .favoured  (favoured),
        .init_done (done_init),
        .init_warp (done_of),
        .go_valid  (go_valid),
        .go_moves  (go_moves),
        .go_frees  (go_frees),
        .go_warp   (go_warp),
        .go_alone  (go_alone)
    );
//% end

//% end
    ${prefix}ndp_simt_issue issue (
        .clk           (clk),
        .rst           (reset),
        .hold          (hold),
        .f_valid       (f_valid),
        .f_kind        (f_kind),
        .f_warp        (f_warp),
        .f_pc          (f_pc),
        .f_ticket      (f_ticket),
        .f_d           (f_d),
        .f_code        (f_code),
        .read_reg      (read_reg),
//% if MOVES then
        .f_look        (f_look),
        .f_look_pred   (f_look_pred),
        .f_look_reg    (f_look_reg),
//% end
        .f_leaves      (f_leaves),
//% if OFFERS then
        .offer         (offer),
//%     if BUILDS then
        .shut          (shut),
//%     else
        .unsettled     (unsettled),
        .unready       (unready),
        .settle        (settle),
        .d_look        (d_look),
//%     end
        .to_d          (to_d),
        .port_pred     (port_pred),
        .d_offer       (d_offer),
//% end
        .used          (ticket_used),
        .used_warps    (ticket_warps),
        .used_d        (ticket_d),
        .free_ticket   (free_ticket),
        .free_buffer   (free_buffer),
        .next_buffer   (next_buffer),
        .take_ticket   (take_ticket),
        .take_buffer   (take_buffer),
        .take_d        (take_d),
        .drop          (drop),
        .fault         (illegal),
        .d_valid       (d_valid),
        .d_kind        (d_kind),
        .d_warp        (d_warp),
        .d_pc          (d_pc),
        .d_pass        (d_pass),
        .d_last        (d_last),
        .d_code        (d_code),
        .d_value       (d_value),
        .d_fixed       (d_fixed),
        .d_special     (d_special),
        .d_param       (d_param),
        .d_access      (d_access),
        .d_control     (d_control),
        .d_offset      (d_offset),
        .d_result      (d_result),
        .d_ticket      (d_ticket),
        .d_buffer      (d_buffer),
        .count_issued  (count_issued),
        .count_blocked (count_blocked)
    );

    always @(posedge clk) begin
        if (f_leaves)
            d_slot <= f_slot;
    end

    wire read = d_valid && !hold; // the memories, for stage O

    // ------------------------------------------------------------------
    // O

    reg         o_valid;
    reg  [31:0] o_value;
    reg         o_fixed;
    reg         o_lane;  // the lane within the pass is added to o_value
    reg         o_tabled; // b is a parameter or a number of the CTA
    reg         o_first;  // ... less its first warp
//% for _, f in ipairs(ALONG) do
    reg  ${pad(range(f[2]), 8)} o_${f[1]};
//% end

    wire [3:0]  which = d_code[43:40]; // special register
    reg  [31:0] special;               // its value, but for lane and CTA

//% local special = {}
//% for _, s in ipairs(isa.specials) do special[s.name] = s.code end
//% local function sp(name) return "4'd" .. special["%" .. name] end
    wire [31:0] first_lane = ${P > 1 and wide(ALU_W > 0 and "d_pass, " .. ALU_W .. "'d0" or "d_pass", clog2(N), 32) or "32'd0"};

    always @* begin
        case (which)
        ${sp "slot"}:   special = {${32 - L.WARP_W - LANE_W}'d0, d_warp, ${LANE_W}'d0} | first_lane;
        ${sp "clock"}:   special = clock;
        default: special = first_lane;
        endcase
    end

    // Those of the launch stand where the parameters are, by the number of their
    // launch register, and so does what is kept of a CTA.
    reg       of_launch;
    reg [3:0] register;

    always @* begin
        of_launch = d_special;
        case (which)
//% for i, axis in ipairs{ "x", "y", "z" } do
        ${sp("nctaid." .. axis)}:    register = 4'd${i};
        ${sp("ntid." .. axis)}:    register = 4'd${i + 3};
//% end
        ${sp "shared"}:   register = 4'd10;
        default: begin
            register  = 4'd0;
            of_launch = 1'b0;
        end
        endcase
    end

    always @(posedge clk) begin
        if (reset)
            o_valid <= 1'b0;
        else if (!hold)
            o_valid <= d_valid;
    end

    always @(posedge clk) begin
        if (!hold) begin
            o_value <= d_special ? special : d_value;
            o_fixed <= d_fixed;
            o_lane  <= d_special && (which == ${sp "laneid"} || which == ${sp "slot"});
            o_tabled <= d_param || of_launch ||
                       (d_special && (which == ${sp "warpid"} || which == ${sp "ctaid.x"} ||
                                     which == ${sp "ctaid.y"} || which == ${sp "ctaid.z"}));
            o_first <= d_special && which == ${sp "warpid"};
//% for _, f in ipairs(ALONG) do
            ${pad("o_" .. f[1], 10)} <= d_${f[1]};
//% end
        end
    end

    // ------------------------------------------------------------------
    // X1

    reg x_valid;
//% for _, f in ipairs(ALONG) do
//%     if f[1] ~= "offset" then
    reg  ${pad(range(f[2]), 8)} x_${f[1]};
//%     end
//% end
    reg  [LANES-1:0]   x_mask;
    reg  [LANES-1:0]   x_gone;
    reg  [PC_W-1:0]    x_meet;
    reg  [DEPTH_W-1:0] x_depth;
    reg  ${pad(range(BW), 8)} x_base;
//% if MOVES then
    reg                x_guest;
    reg  [PC_W-1:0]    x_end;
//% end

    wire [LANES-1:0]   o_mask;
    wire [LANES-1:0]   o_gone;
    wire [PC_W-1:0]    o_meet;
    wire [DEPTH_W-1:0] o_depth;

    always @(posedge clk) begin
        if (reset)
            x_valid <= 1'b0;
        else if (!hold)
            x_valid <= o_valid;
    end

    always @(posedge clk) begin
        if (!hold) begin
//% for _, f in ipairs(ALONG) do
//%     if f[1] ~= "offset" then
            ${pad("x_" .. f[1], 10)} <= o_${f[1]};
//%     end
//% end
            x_mask     <= o_mask;
            x_gone     <= o_gone;
            x_meet     <= o_meet;
            x_depth    <= o_depth;
            x_base     <= table_word[${8 + BW - 1}:8];
//% if MOVES then
            x_guest    <= o_guest;
            x_end      <= o_end;
//% end
        end
    end
//% if BUILDS then

    localparam [3:0] FIRST  = 4'd1; // places in a chain
    localparam [3:0] INSIDE = 4'd2;

    wire x_next = x_offer && (x_code[30:27] == FIRST || x_code[30:27] == INSIDE);
//% end

    wire [32*ALUS-1:0]  reg_a;
    wire [32*ALUS-1:0]  reg_b;
    wire [32*ALUS-1:0]  reg_c;
    wire [7*ALUS-1:0]   preds;
    wire [31:0]         table_word; // parameter, or number of the CTA
    wire [32*${L.MERGE == 0 and "ALUS" or "LANES"}-1:0] row;
    wire [LANES-1:0]    row_lanes;
    wire [30*ALUS-1:0]  pass_threads;
    wire [LANES-1:0]    init_lanes;
    wire [32*ALUS-1:0]  x_a;
    wire [32*ALUS-1:0]  x_b;
    wire [32*ALUS-1:0]  x_c;
    wire [ALUS-1:0]     x_p;
    wire [ALUS-1:0]     x_active;
    wire                x_offset;
    wire                early;
    wire                early_read;
//% if MOVES then
    wire                early_look;
    wire                early_last;
    wire [ALUS-1:0]     early_lanes;
//% end
    wire [WARP_W-1:0]   early_warp;
    wire [PASS_W-1:0]   early_pass;

    wire [WARP_W-1:0] in_cta = o_warp - table_word[WARP_W-1:0]; // warp within its CTA

    ${prefix}ndp_simt_files files (
        .clk          (clk),
        .rd_en        (read),
        .rd_warp      (d_warp),
        .rd_pass      (d_pass),
        .rd_a         (d_code[23:18]),
        .rd_b         (d_code[45:40]),
        .rd_c         (d_code[37:32]),
        .a            (reg_a),
        .b            (reg_b),
        .c            (reg_c),
        .preds        (preds),
        .w_early      (early),
        .w_early_warp (early_warp),
        .w_early_pass (early_pass),
        .w_kind       (ret_kind),
        .w_warp       (ret_warp),
        .w_pass       (ret_pass),
        .w_mask       (ret_mask),
        .w_d          (ret_d),
        .w_value      (ret_value)
    );

    // Parameters, numbers of CTAs and launch registers: one memory, as an operand is
    // one of them.  Those of CTAs come while a launch runs, the others before; one
    // that comes after a fault goes first, as no instruction can ask for a CTA that
    // was taken so late.
    localparam TABLE_W = ${TABLE_W};

    wire             number_write;
    wire [CTA_W+1:0] number_at;
    wire [31:0]      number;
    wire [CTA_W+1:0] number_of = {d_slot, d_special ? which[1:0] ^ 2'b10 : 2'd3};

//% local IN = TABLE_W - 2
    wire [TABLE_W-1:0] table_in =
        param_write ? {2'd0, ${wide("ctl_index[PARAM_W-1:0]", L.PARAM_W, IN)}} :
        set         ? {2'd1, ${wide("ctl_index[3:0]", 4, IN)}}
                    : {2'd2, ${wide("number_at", L.CTA_W + 2, IN)}};
    wire [TABLE_W-1:0] table_of =
        d_param   ? {2'd0, ${wide("d_code[" .. 39 + L.PARAM_W .. ":40]", L.PARAM_W, IN)}} :
        of_launch ? {2'd1, ${wide("register", 4, IN)}}
                  : {2'd2, ${wide("number_of", L.CTA_W + 2, IN)}};
    wire               in_launch = set && ctl_index[15:4] == 12'd0;

    ${prefix}ndp_ram #(
        .WIDTH     (32),
        .WORDS     (${2^TABLE_W}),
        .ADDRESS_W (TABLE_W)
    ) params (
        .clk     (clk),
        .wr_en   (param_write || in_launch || number_write),
        .wr_addr (table_in),
        .wr_data (param_write || set ? ctl_data[31:0] : number),
        .rd_en   (read),
        .rd_addr (table_of),
        .rd_data (table_word)
    );

    ${prefix}ndp_simt_operands operands (
        .clk        (clk),
        .hold       (hold),
        .o_kind     (o_kind),
        .o_pass     (o_pass),
        .o_code     (o_code),
        .o_value    (o_value),
        .o_fixed    (o_fixed),
        .o_lane     (o_lane),
        .o_tabled   (o_tabled),
        .o_offset   (o_offset),
//% if MOVES then
        .o_offer    (o_offer),
//% end
        .o_mask     (o_mask),
        .reg_a      (reg_a),
        .reg_b      (reg_b),
        .reg_c      (reg_c),
        .preds      (preds),
        .tabled     (o_first ? ${wide("in_cta", L.WARP_W, 32)} : table_word),
        .row        (row),
        .row_lanes  (row_lanes),
        .threads    (pass_threads),
        .init_lanes (init_lanes),
        .x_a        (x_a),
        .x_b        (x_b),
        .x_c        (x_c),
        .x_p        (x_p),
        .x_active   (x_active),
        .x_offset   (x_offset)
    );

    wire [32*ALUS-1:0] value; // results, in X${LAST}

    ${prefix}ndp_simt_alus alus (
        .clk    (clk),
//% if L.ITERATIVE == 1 then
        .rst    (reset),
        .x_valid  (x_valid),
        .x_active (x_active),
//% end
        .hold   (hold),
        .x_code (x_code),
        .x_a    (x_a),
        .x_b    (x_b),
        .x_c    (x_c),
        .x_p    (x_p),
        .value  (value)
    );

    // ------------------------------------------------------------------
    // Control and warps

    wire               update;
    wire [PC_W-1:0]    new_pc;
    wire [LANES-1:0]   new_mask;
    wire [LANES-1:0]   new_gone;
    wire [PC_W-1:0]    new_join;
    wire [DEPTH_W-1:0] new_depth;
    wire               push;
    wire [ENTRY_W-1:0] push_entry;
    wire [3:0]         control_fault;
    wire [3:0]         after_2;

    ${prefix}ndp_simt_control control (
        .clk       (clk),
        .rst       (reset),
        .hold      (hold),
        .x_valid   (x_valid),
        .x_kind    (x_kind),
        .x_last    (x_last),
${P > 1 and "        .x_pass    (x_pass)," or ""}
        .x_active  (x_active),
        .x_control (x_control),
        .x_op      (x_code[7:0]),
//% if OFFERS then
        .x_offer   (x_offer),
        .x_next    (${BUILDS and "x_next" or "x_offer"}),
//% end
//% if MOVES then
        .guest     (x_guest),
        .guest_end (x_end),
//% end
        .x_pc      (x_pc),
        .x_target  (x_code[${32 + L.PC_W - 1}:32]),
        .x_join    (x_code[${48 + L.PC_W - 1}:48]),
        .x_no_join (x_code[63:48] == 16'hffff),
        .mask      (x_mask),
        .gone      (x_gone),
        .meet      (x_meet),
        .depth     (x_depth),
        .update    (update),
        .new_pc    (new_pc),
        .new_mask  (new_mask),
        .new_gone  (new_gone),
        .new_join  (new_join),
        .new_depth (new_depth),
        .push      (push),
        .entry     (push_entry),
        .fault     (control_fault),
        .count_diverged (count_diverged),
        .after     (after_2)
    );

    wire                freed;
    wire                done_warp;
    wire                done_ret;
//% if BUILDS then
    wire [WARPS-1:0]    chained;
//% elseif not OFFERS then
    wire                done_init;
    wire [WARP_W-1:0]   done_of;
//% end
    wire [3:0]          done_after;
    wire [TICKET_W-1:0] done_ticket;
    wire                end_release;
    wire                at_barrier;
    wire [WARPS-1:0]    waiting;
    wire [WARPS-1:0]    passed;
//% if not MOVES then
    wire [WARPS-1:0]    busy;
//% end
    wire                end_pop;
//% if not MOVES then
    wire [WARP_W-1:0]   pop_warp;
//% end

    ${prefix}ndp_simt_warps warps (
        .clk          (clk),
        .rst          (reset),
        .ready        (ready),
        .taken        (taken),
        .chosen       (chosen),
        .choice_pc    (choice_pc),
        .drop         (drop),
        .drop_warp    (f_warp),
        .freed        (freed),
        .o_valid      (o_valid),
        .o_warp       (o_warp),
        .o_mask       (o_mask),
        .o_gone       (o_gone),
        .o_meet       (o_meet),
        .o_depth      (o_depth),
        .look_warp    (${LOOK}_warp),
        .look_what    (${LOOK}_what),
        .look_value   (${LOOK}_value),
        .update       (update),
        .x_warp       (x_warp),
        .new_pc       (new_pc),
        .new_mask     (new_mask),
        .new_gone     (new_gone),
        .new_join     (new_join),
        .new_depth    (new_depth),
        .push         (push),
        .push_depth   (x_depth),
        .push_entry   (push_entry),
        .release_en   (done_warp),
        .release_warp (done_of),
        .after        (done_after),
        .end_release  (end_release),
        .at_barrier   (at_barrier),
        .waiting      (waiting),
        .passed       (passed),
        .busy         (busy),
//% if L.FENCES == 1 then
        .fenced_some  (fenced),
//% end
//% if MOVES then
        .settle       (settle),
        .chained      (chained),
        .go           (go_valid && go_moves),
        .go_warp      (go_warp),
        .go_pc        (go_pc),
        .go_alone     (go_alone),
        .spawn        (spawn_valid),
        .spawn_warp   (spawn_warp),
        .spawn_pc     (spawn_pc),
        .spawn_mask   (spawn_mask),
        .left         (guest_left),
        .pop_guest    (pop_guest),
        .pop_end      (pop_end),
//% end
//% if BUILDS then
        .next         (next),
        .next_warp    (f_warp),
        .next_pc      (f_pc + 1'b1),
        .chained      (chained),
        .go           (go_valid && go_moves),
        .go_warp      (go_warp),
        .go_pc        (go_pc),
//% end
        .end_pop      (end_pop),
        .pop_warp     (pop_warp)
    );

    // ------------------------------------------------------------------
    // Retirement

    wire x_busy;

    ${prefix}ndp_simt_retire retire (
        .clk         (clk),
        .rst         (reset),
        .hold        (hold),
        .x_valid     (x_valid),
        .x_kind      (x_kind),
        .x_last      (${BUILDS and "x_last && !x_next" or "x_last"}),
        .x_pass      (x_pass),
        .x_warp      (x_warp),
        .x_pc        (x_pc),
        .x_d         (x_code[17:12]),
        .x_result    (x_result),
        .x_ticket    (x_ticket),
        .x_active    (x_active),
//% if MOVES then
        .x_look      (x_look),
        .early_look  (early_look),
        .early_last  (early_last),
        .early_lanes (early_lanes),
//% end
        .after_2     (after_2),
        .value       (value),
        .busy        (x_busy),
        .done_warp   (done_warp),
        .done_init   (done_init),
        .done_ret    (done_ret),
        .done_of     (done_of),
        .done_after  (done_after),
        .done_ticket (done_ticket),
        .early       (early),
        .early_read  (early_read),
        .early_warp  (early_warp),
        .early_pass  (early_pass),
        .ret_valid   (ret_valid),
        .ret_kind    (ret_kind),
        .ret_warp    (ret_warp),
        .ret_pc      (ret_pc),
        .ret_pass    (ret_pass),
        .ret_mask    (ret_mask),
        .ret_d       (ret_d),
        .ret_value   (ret_value)
    );

//% if MOVES then
    reg               seen_now; // a pass that somebody looks at
    reg               seen_end;
    reg [32*ALUS-1:0] seen_words;

    integer           seen_lane;

    always @(posedge clk) begin
        if (reset) begin
            seen_now   <= 1'b0;
            seen_end   <= 1'b0;
            seen_words <= {ALUS{32'd0}};
        end else begin
            seen_now   <= early_look;
            seen_end   <= early_look && early_last;
            for (seen_lane = 0; seen_lane < ALUS; seen_lane = seen_lane + 1)
                seen_words[seen_lane*32 +: 32] <= value[seen_lane*32 +: 32] &
                    {32{early_look && early_lanes[seen_lane]}};
        end
    end

    assign seen_valid = seen_now;
    assign seen_last  = seen_end;
    assign seen_data  = seen_words;

//% end
    assign piped      = f_valid || d_valid || o_valid || x_busy;
//% if P > 1 then
    assign read_valid = early_read && early_pass == read_lane[${LANE_W - 1}:${ALU_W}];
//% else
    assign read_valid = early_read;
//% end
//% if ALU_W > 0 then
    assign read_value = value[read_lane[${ALU_W - 1}:0]*32 +: 32];
//% else
    assign read_value = value;
//% end

    // ------------------------------------------------------------------
    // CTAs and barriers

    wire               over;
    wire [1:0]         access_used;
    wire [2*WARP_W-1:0] access_warps;
    wire [2*CTA_W-1:0] access_slots;
    wire [WARPS-1:0]   under_way;
//% if OFFERS then
    wire [CTA_W-1:0]   port_slot;
//% end

    ${prefix}ndp_simt_dispatch dispatch (
        .clk           (clk),
        .rst           (reset),
        .start         (start),
        .running       (running),
        .cta_x_last    (cta_x_last),
        .cta_y_last    (cta_y_last),
        .cta_z_last    (cta_z_last),
        .tid_x_last    (tid_x_last),
        .tid_y_last    (tid_y_last),
        .threads       (threads),
        .cta_warps     (cta_warps),
        .resident      (resident),
//% if L.STEPS == 1 then
        .first_cta     (first_cta),
        .between_ctas  (between_ctas),
//% end
//% if L.AREAS == 1 then
        .cta_x_first   (cta_x_first),
        .cta_y_first   (cta_y_first),
        .by_column     (by_column),
//% end
        .cta_words     (shared_bytes[${1 + ALU_W + BW}:${2 + ALU_W}]),
        .over          (over),
        .ticket_used   (ticket_used),
        .ticket_slots  (ticket_slots),
//% if MOVES then
        .ticket_warps  (ticket_warps),
//% end
        .access_used   (access_used),
        .access_warps  (access_warps),
        .access_slots  (access_slots),
        .under_way     (under_way),
        .busy          (busy),
        .init_wait     (init_wait),
        .init_warp     (init_warp),
        .init_taken    (take_init),
        .init_done     (done_init),
        .f_warp        (f_warp),
        .f_slot        (f_slot),
//% if OFFERS then
        .port_warp     (put_warp),
        .port_slot     (port_slot),
//% end
//% if A == 1 then
        .rd_init       (read && d_kind == INIT),
//% else
        .rd_en         (read),
        .rd_pass       (d_pass),
//% end
        .pass_threads  (pass_threads),
        .init_lanes    (init_lanes),
        .number_write  (number_write),
        .number_at     (number_at),
        .number        (number),
        .end_release   (${MOVES and "end_release && !guests[done_of]" or "end_release"}),
        .end_warp      (done_of),
        .end_pop       (${MOVES and "end_pop && !guests[pop_warp]" or "end_pop"}),
        .pop_warp      (pop_warp),
        .at_barrier    (at_barrier),
        .waiting       (waiting),
        .passed        (passed),
        .count_cta     (count_cta),
        .count_barrier (count_barrier)
    );

    // ------------------------------------------------------------------
    // Tickets, requests and rows

    wire                end_now;
    wire                has_row;
    wire [WARP_W-1:0]   e_warp; // of the engine's access
    wire [PC_W-1:0]     e_pc;
    wire [TICKET_W-1:0] e_ticket;
    wire                request;
    wire [LANES-1:0]    request_lanes;
    wire [SADDR_W-1:0]  request_sector;
    wire                id_free;
    wire [ID_W-1:0]     id;
    wire                answer;
    wire [TICKET_W-1:0] answer_of;
    wire [LANES-1:0]    answer_lanes;
    wire [WARP_W-1:0]   rsp_warp;
    wire [PC_W-1:0]     rsp_pc;
    wire [SADDR_W-1:0]  rsp_sector;
//% if OFFERS then
    wire                answered; // every request
//% end

    wire done_ticket_now = done_ret && !faulted;

    assign freed = done_ticket_now || end_now${BUILDS and " || (go_valid && go_frees)" or ""};
//% if OFFERS then

    wire                port_take;
    wire                port_issued;
    wire                enter; // a pass of a chain's result enters its row
    wire                enter_last;
    wire [LANES-1:0]    enter_lanes;
    wire [32*ALUS-1:0]  enter_words;
    wire [LANES-1:0]    port_lanes;

    ${prefix}ndp_simt_put port (
        .clk         (clk),
        .rst         (reset),
        .faulted     (faulted),
        .put_valid   (put_valid),
        .put_ready   (put_ready),
        .put_last    (put_last),
        .put_pred    (put_pred),
        .put_mask    (put_mask),
        .put_data    (put_data),
        .used        (ticket_used[TICKETS-1]),
        .issued      (port_issued),
        .take        (port_take),
        .pred        (port_pred),
        .lanes       (port_lanes),
        .answer      (answer),
        .enter       (enter),
        .enter_last  (enter_last),
        .enter_lanes (enter_lanes),
        .enter_words (enter_words)
    );
//% end

    ${prefix}ndp_simt_tickets tickets (
        .clk        (clk),
        .rst        (reset),
        .take       (take_ticket),
        .take_warp  (f_warp),
        .take_slot  (f_slot),
        .take_pc    (f_pc),
        .take_d     (take_d),
        .free       (free_ticket),
        .used       (ticket_used),
        .warps      (ticket_warps),
        .slots      (ticket_slots),
        .registers  (ticket_d),
//% if OFFERS then
        .port_take  (port_take),
        .port_warp  (put_warp),
        .port_slot  (port_slot),
        .port_pc    (put_pc),
        .port_d     (put_d),
        .port_issue (enter_last),
        .port_issued (port_issued),
//% end
        .request    (request && has_row),
        .request_of (e_ticket),
        .issue      (end_now && has_row),
        .issue_of   (e_ticket),
        .answer     (answer),
        .answer_of  (answer_of),
        .ret_wait   (ret_wait),
        .ret_ticket (ret_ticket),
        .ret_warp   (ret_of),
        .ret_pc     (ret_at),
        .ret_d      (ret_to),
        .ret_taken  (take_ret),
        .done       (done_ticket_now),
        .done_of    (done_ticket)
    );

    reg returned;

    always @(posedge clk) begin
        if (reset)
            returned <= 1'b0;
        else
            returned <= done_ticket_now;
    end

    assign count_returned = returned;

    ${prefix}ndp_simt_requests requests (
        .clk          (clk),
        .rst          (reset),
        .make         (request),
        .make_warp    (e_warp),
        .make_pc      (e_pc),
        .make_row     (has_row),
        .make_ticket  (e_ticket),
        .make_lanes   (request_lanes),
        .make_sector  (request_sector),
        .free         (id_free),
        .id           (id),
        .rsp_valid    (rsp_valid),
        .rsp_id       (rsp_id),
        .answer       (answer),
        .answer_of    (answer_of),
        .lanes        (answer_lanes),
        .faulted      (faulted),
        .fault_warp   (rsp_warp),
        .fault_pc     (rsp_pc),
        .fault_sector (rsp_sector),
        .quiet        (${OFFERS and "answered" or "quiet"}),
        .under_way    (under_way)
    );
//% if OFFERS then

    reg chains; // those who compute chains may still have one

    always @(posedge clk) begin
        if (reset)
            chains <= 1'b0;
        else
            chains <= chain_busy || offer_valid;
    end

    assign quiet = answered && !offer_valid && !chains;
//% end

    wire                      note;
    wire [LANES*SECTOR_W-1:0] note_places;
    wire [2:0]                note_type;
    wire                      put;
    wire [LANES-1:0]          put_lanes;
    wire [32*ALUS-1:0]        put_words;
    wire [LANES-1:0]          e_active;

    ${prefix}ndp_simt_rows rows (
        .clk         (clk),
        .rst         (reset),
        .note        (note),
        .note_of     (e_ticket),
        .note_lanes  (e_active),
        .note_places (note_places),
        .note_type   (note_type),
        .answer      (answer),
        .answer_of   (answer_of),
        .sector      (rsp_data),
        .lanes       (answer_lanes),
//% if OFFERS then
        .put         (put || enter),
        .put_of      (enter ? {TICKET_W{1'b1}} : e_ticket),
        .put_lanes   (enter ? enter_lanes : put_lanes),
        .put_words   (enter ? enter_words : put_words),
        .port_lanes  (port_lanes),
//% else
        .put         (put),
        .put_of      (e_ticket),
        .put_lanes   (put_lanes),
        .put_words   (put_words),
//% end
        .rd_en       (read && d_kind == RETURN),
        .rd_of       (d_ticket),
//% if L.MERGE == 0 and P > 1 then
        .rd_pass     (d_pass),
//% end
        .row         (row),
        .row_lanes   (row_lanes)
    );

    // ------------------------------------------------------------------
    // Accesses and engine

    wire                e_full;
//% if OFFERS then
    wire                e_offer;
    wire [55:0]         e_rest; // of its word, above the operation
//% end
    wire [7:0]          e_op;
    wire ${pad(range(BW), 14)} e_base;
    wire [32*LANES-1:0] e_a;
//% if RAM_BUFFERS then
    wire [PASS_W-1:0]   e_pass;
    wire [32*ALUS-1:0]  e_b;
    wire [32*ALUS-1:0]  e_c;
    wire [LANES-1:0]    e_holds;
//% else
    wire [32*LANES-1:0] e_b;
    wire [32*LANES-1:0] e_c;
//% end
    wire [LANES-1:0]    e_odd;
    wire [LANES-1:0]    e_off;

    ${prefix}ndp_simt_accesses accesses (
        .clk          (clk),
        .rst          (reset),
        .take         (take_buffer),
        .take_warp    (f_warp),
        .take_slot    (f_slot),
        .free         (free_buffer),
        .turn         (next_buffer),
        .used         (access_used),
        .warps        (access_warps),
        .slots        (access_slots),
        .x_put        (x_valid && x_access && !hold),
        .x_buffer     (x_buffer),
        .x_pass       (x_pass),
        .x_last       (x_last),
        .x_offset     (x_offset),
        .x_op         (x_code[7:0]),
        .x_warp       (x_warp),
        .x_pc         (x_pc),
        .x_base       (x_base),
        .x_ticket     (x_ticket),
//% if OFFERS then
        .x_offer      (x_offer),
        .x_rest       (x_code[63:8]),
//% end
        .x_a          (x_a),
        .x_b          (x_b),
        .x_c          (x_c),
        .x_p          (x_p),
        .x_active     (x_active),
        .limit_neg    (limit_neg),
        .shared_bytes (shared_bytes),
        .full         (e_full),
        .op           (e_op),
        .warp         (e_warp),
        .pc           (e_pc),
        .base         (e_base),
        .ticket       (e_ticket),
//% if OFFERS then
        .offer        (e_offer),
        .rest         (e_rest),
//% end
        .a            (e_a),
//% if RAM_BUFFERS then
        .rd_pass      (e_pass),
        .holds        (e_holds),
//% end
        .b            (e_b),
        .c            (e_c),
        .active       (e_active),
        .odd          (e_odd),
        .off          (e_off),
        .end_now      (end_now)
    );

//% if OFFERS then
    wire [63:0] e_code = {e_rest, e_op};
//%     if BUILDS then
    wire        e_more = e_code[30:27] == FIRST || e_code[30:27] == INSIDE;
//%     end

//% end
    wire        lsu_fault;
    wire        lsu_odd;
    wire [31:0] lsu_address;

    ${prefix}ndp_simt_lsu lsu (
        .clk            (clk),
        .rst            (reset),
        .faulted        (faulted),
        .full           (e_full),
        .op             (e_op),
//% if OFFERS then
        .offer          (e_offer),
        .warp           (e_warp),
        .pc             (e_pc),
        .code           (e_code),
        .settled        (${BUILDS and "(e_more || chained[e_warp])" or "chained[e_warp]"} && !under_way[e_warp]),
        .offer_valid    (offer_valid),
        .offer_ready    (offer_ready),
        .offer_warp     (offer_warp),
        .offer_pc       (offer_pc),
        .offer_code     (offer_code),
        .offer_mask     (offer_mask),
        .offer_a        (offer_a),
        .offer_b        (offer_b),
        .offer_in_row   (offer_in_row),
        .offer_same_a   (offer_same_a),
        .offer_same_b   (offer_same_b),
//% end
        .base           (e_base),
        .a              (e_a),
//% if RAM_BUFFERS then
        .rd_pass        (e_pass),
        .holds          (e_holds),
//% end
        .b              (e_b),
        .c              (e_c),
        .active         (e_active),
        .odd            (e_odd),
        .off            (e_off),
        .end_now        (end_now),
        .has_row        (has_row),
        .row_taken      (${OFFERS and "answer || enter" or "answer"}),
        .note           (note),
        .note_places    (note_places),
        .note_type      (note_type),
        .put            (put),
        .put_lanes      (put_lanes),
        .put_words      (put_words),
        .id_free        (id_free),
        .id             (id),
        .request        (request),
        .request_lanes  (request_lanes),
        .request_sector (request_sector),
        .mem_valid      (mem_valid),
        .mem_ready      (mem_ready),
        .mem_op         (mem_op),
        .mem_id         (mem_id),
        .mem_address    (mem_address),
        .mem_strobe     (mem_strobe),
        .mem_data       (mem_data),
        .mem_compare    (mem_compare),
        .fault          (lsu_fault),
        .fault_odd      (lsu_odd),
        .fault_address  (lsu_address),
        .count_request  (count_request),
        .count_conflict (count_conflict)
    );

    // ------------------------------------------------------------------
    // Faults and the end of a launch

    ${prefix}ndp_simt_faults faults (
        .clk           (clk),
        .rst           (reset),
        .rsp           (rsp_valid && rsp_fault),
        .rsp_warp      (rsp_warp),
        .rsp_pc        (rsp_pc),
        .rsp_sector    (rsp_sector),
        .lsu           (lsu_fault),
        .lsu_odd       (lsu_odd),
        .lsu_warp      (e_warp),
        .lsu_pc        (e_pc),
        .lsu_address   (lsu_address),
        .control       (control_fault),
        .control_warp  (x_warp),
        .control_pc    (x_pc),
        .check         (illegal),
        .check_warp    (f_warp),
        .check_pc      (f_pc),
        .start         (start),
        .counts        (running && !halt),
        .retires       (ret_valid),
        .silent_last   (silent_last),
        .faulted       (faulted),
        .fault_cause   (fault_cause),
        .fault_warp    (fault_warp),
        .fault_pc      (fault_pc),
        .fault_address (fault_address)
    );

    assign finished = over && !piped && ${OFFERS and "answered" or "quiet"} && access_used == 2'd0 &&
                      ticket_used == {TICKETS{1'b0}};
//% if not OFFERS then

    // ------------------------------------------------------------------
//%     if L.SHOWS == 1 then
    // Tags of chains are passed over; a load is shown with its first request

    reg               asked; // the access has made a request
    reg               show_valid;
    reg [WARP_W-1:0]  show_warp;
    reg [PC_W-1:0]    show_pc;
    reg [SADDR_W-1:0] show_sector;

    wire is_load = e_op[7:4] == ${hex(4, isa.op.ldg_b32.code // 16)} && !e_op[3];
    wire shows   = request && !asked && is_load;

    always @(posedge clk) begin
        if (reset || end_now)
            asked <= 1'b0;
        else if (request)
            asked <= 1'b1;
    end

    always @(posedge clk) begin
        if (reset) begin
            show_valid  <= 1'b0;
            show_warp   <= {WARP_W{1'b0}};
            show_pc     <= {PC_W{1'b0}};
            show_sector <= {SADDR_W{1'b0}};
        end else if (!show_valid || offer_ready) begin
            show_valid  <= shows;
            show_warp   <= e_warp & {WARP_W{shows}};
            show_pc     <= e_pc & {PC_W{shows}};
            show_sector <= request_sector & {SADDR_W{shows}};
        end
    end

    assign offer_valid  = show_valid;
    assign offer_warp   = show_warp;
    assign offer_pc     = show_pc;
    assign offer_code   = 64'd0;
    assign offer_mask   = {LANES{1'b0}};
    assign offer_a      = {show_sector, {${L.SECTOR_W}{1'b0}}};
//%     else
    // Tags of chains are passed over

    assign offer_valid  = 1'b0;
    assign offer_warp   = {WARP_W{1'b0}};
    assign offer_pc     = {PC_W{1'b0}};
    assign offer_code   = 64'd0;
    assign offer_mask   = {LANES{1'b0}};
    assign offer_a      = 32'd0;
//%     end
    assign offer_b      = 32'd0;
    assign offer_in_row = 1'b0;
    assign offer_same_a = 1'b0;
    assign offer_same_b = 1'b0;
    assign put_ready    = 1'b0;

    wire unused = &{1'b0, ${L.SHOWS == 0 and "offer_ready, " or ""}go_valid, go_moves, go_frees, go_warp, go_pc,
                    go_alone, put_valid, put_last, put_warp, put_pc, put_pred, put_d,
                    put_mask, put_data, chain_busy};
//% end
//% if MOVES then
    wire unused = &{1'b0, go_frees};

//% end
${checks()}
endmodule

`default_nettype wire
