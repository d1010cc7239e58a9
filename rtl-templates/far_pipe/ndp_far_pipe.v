//% use "ndp_ram.v"
//% use "ndp_round_robin.v"
//% use "ndp_far_pipe_decode.v"
//% use "ndp_far_pipe_unit.v"
//% use "ndp_far_pipe_desk.v"
//% use "ndp_far_pipe_opens.v"
//% if HAS_SHARED then use "ndp_far_pipe_shared.v" end
//% use "ndp_far_pipe_formal.vh"
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "want_op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                       ")
//% end
${header{title = "pipeline of the base die beside a near-bank unit", text = [[
Executes what a near-bank unit keeps on the base die: a collector and lanes as those of
the near-bank pipelines, with the registers of all warps, and a desk for what never
goes near.

    exec, code -> entry -> unit, desk -> ended -> done, in turn
    read -> held -> file -> data
    write, init -> file, when nobody else has it
    desk -> access, ask ... ended, carried -> opens -> done]] .. (HAS_SHARED and [[

    unit's collector -> shared memory -> file, ended]] or "") .. [[


Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; code, param, value,
ended, resolve, fault and data cannot be refused; write and init are taken no sooner
than an edge after they came.  Fields are zero while valid is low.

Latency: an instruction with n operands has its end at done after ]] .. L.PASSES + L.FMA_L + 4 .. [[ + n edges and more.

See docs/blocks/far_pipe.md.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe (
${ports{reg = {"done_valid", "done_warp", "done_tag", "done_ticket", "data_valid", "write_ready", "init_ready"}}}
);
${localparams("LANES", "WARPS", "WARP_W", "TAG_W", "REG_W", "OPERAND_W", "TICKET_W", "ROW_W", "DATA_W", "ALUS",
    "CODE", "PLACE_W")}

    // ------------------------------------------------------------------
    // Entry: an instruction and its word

    reg                 e_valid;
    reg [WARP_W-1:0]    e_warp;
    reg [TAG_W-1:0]     e_tag;
    reg [LANES-1:0]     e_mask;
    reg [TICKET_W-1:0]  e_ticket;
//% for _, s in ipairs(sources) do
    reg [OPERAND_W-1:0] e_${s};
//% end

    wire held; // the collector is
    wire room; // it is not, or what is in it moves on
    wire goes = e_valid && room;

    assign exec_ready = !e_valid || !held;

    wire takes = exec_valid && exec_ready;

    always @(posedge clk) begin
        if (rst)
            e_valid <= 1'b0;
        else if (takes)
            e_valid <= 1'b1;
        else if (goes)
            e_valid <= 1'b0;
    end

    always @(posedge clk) begin
        if (takes) begin
            e_warp   <= exec_warp;
            e_tag    <= exec_tag;
            e_mask   <= exec_mask;
            e_ticket <= exec_ticket;
//% for _, s in ipairs(sources) do
            ${pad("e_" .. s, 8)} <= exec_${s};
//% end
        end
    end

    wire [63:0] word; // of the instruction in the entry

    ${prefix}ndp_ram #(
        .WIDTH     (64),
        .WORDS     (CODE),
        .ADDRESS_W (TAG_W)
    ) code (
        .clk     (clk),
        .wr_en   (code_valid && !rst),
        .wr_addr (code_tag),
        .wr_data (code_word),
        .rd_en   (takes),
        .rd_addr (exec_tag),
        .rd_data (word)
    );

    wire        to_reg;
    wire        to_pred;
    wire        of_preds;
    wire        to_memory;
    wire        fixed;
    wire [31:0] value;

    ${prefix}ndp_far_pipe_decode decode (
        .word      (word),
        .to_reg    (to_reg),
        .to_pred   (to_pred),
        .of_preds  (of_preds),
        .to_memory (to_memory),
        .fixed     (fixed),
        .value     (value)
    );

    // a store's data are near
    wire [OPERAND_W-1:0] src1_here = e_src1 & {!to_memory, {OPERAND_W-1{1'b1}}};

    // ------------------------------------------------------------------
    // Rows that are asked for: one in two edges, so that a collector is not kept waiting

    reg               r_valid;
    reg [PLACE_W-1:0] r_at;

    wire reads = !data_valid && r_valid;

    assign read_ready = !r_valid;

    always @(posedge clk) begin
        if (rst) begin
            r_valid    <= 1'b0;
            data_valid <= 1'b0;
        end else begin
            if (read_valid && read_ready)
                r_valid <= 1'b1;
            else if (reads)
                r_valid <= 1'b0;
            data_valid <= reads;
        end
    end

    always @(posedge clk) begin
        if (read_valid && read_ready)
            r_at <= ${place("read_warp", "read_reg")};
    end

    wire [ROW_W-1:0] row; // the row last read

    assign data_row = data_valid ? row : {ROW_W{1'b0}};

    // ------------------------------------------------------------------
    // Rows that come: one in two edges, in turn, when the lanes do not write and
    // nobody has to read the old one.  Behind one that words had to wait for comes an
    // edge of theirs, as rows without an end would take all that the lanes leave.

    wire               soon;     // the lanes write on the edge after the next
    wire               now;      // they write on this one
    wire               unread_a; // the collector has to read that row of write
    wire               unread_b; // ... of init
    wire [PLACE_W-1:0] w_at = ${place("write_warp", "write_reg")};
    wire [PLACE_W-1:0] i_at = ${place("init_warp", "init_reg")};

//% for _, w in ipairs{ "write", "init" } do
    wire ${w}_meets = e_valid && e_warp == ${w}_warp && (
//%     for i, s in ipairs(sources) do
        (${is_there("e_" .. s)} && ${register("e_" .. s)} == ${w}_reg)${i < #sources and " ||" or ");"}
//%     end
//% end

    wire puts  = write_ready || init_ready;
    wire words; // desk or shared memory have some to be put
    reg  turn_s; // it is their turn
    reg  turn_i; // of both rows it is init's
    wire may   = !puts && !soon && !(turn_s && now);
    wire may_w = may && write_valid && !write_meets && !unread_a;
    wire may_i = may && init_valid && !init_meets && !unread_b;

    always @(posedge clk) begin
        if (rst) begin
            write_ready <= 1'b0;
            init_ready  <= 1'b0;
            turn_i      <= 1'b0;
        end else begin
            write_ready <= may_w && !(may_i && turn_i);
            init_ready  <= may_i && !(may_w && !turn_i);
            if (may_w || may_i)
                turn_i <= may_w && !(may_i && turn_i);
        end
    end

    always @(posedge clk) begin
        if (rst)
            turn_s <= 1'b0;
        else
            turn_s <= puts ? words : turn_s && now;
    end

    // ------------------------------------------------------------------
    // The unit, the desk, accesses under way

    localparam TELLERS  = ${HAS_SHARED and 4 or 3}; // who tells completions: these, in this order
    localparam TELLER_W = 2;

    wire [TELLERS-1:0]          ended;
    wire [TELLERS-1:0]          told;
    wire [TELLERS*WARP_W-1:0]   end_warp;
    wire [TELLERS*TAG_W-1:0]    end_tag;
    wire [TELLERS*TICKET_W-1:0] end_ticket;

    wire                wants;  // ${HAS_SHARED and "an instruction that is not the lanes'" or "the desk's instruction"} is collected
    wire [WARP_W-1:0]   want_warp;
    wire [TAG_W-1:0]    want_tag;
    wire [TICKET_W-1:0] want_ticket;
    wire [7:0]          want_op;
    wire                want_dst;
    wire [PLACE_W-1:0]  want_at;
    wire [REG_W-1:0]    want_src1;
    wire                want_has_c;
    wire                want_not_c;
    wire [9:0]          want_index;
    wire                gives;  // a pass of it leaves
//% if HAS_SHARED then
    wire                d_gives; // ... for the desk
    wire                m_gives; // ... for shared memory
//% end
    wire ${pad("[ALUS-1:0]", 14)} x_active;
    wire [DATA_W-1:0]   x_a;
    wire [DATA_W-1:0]   x_b;
    wire [DATA_W-1:0]   x_c;
    wire                taken;   // the file is written
    wire                d_puts;  // the desk does
    wire                d_waits; // it has words to be put
    wire [PLACE_W-1:0]  d_at;
    wire [LANES-1:0]    d_lanes;
    wire [DATA_W-1:0]   d_words;
//% if HAS_SHARED then
    wire                m_puts;  // shared memory does, if not
    wire                m_waits; // it has words to be put
    wire [PLACE_W-1:0]  m_at;
    wire [LANES-1:0]    m_lanes;
    wire [DATA_W-1:0]   m_words;

    wire want_shared = ${any(function(o) return o.timing == "shared" end)};

    assign gives = d_gives || m_gives;
//% end

    assign words = ${HAS_SHARED and "d_waits || m_waits" or "d_waits"};

    wire waits = (write_valid && !write_ready) || (init_valid && !init_ready) || words;

    ${prefix}ndp_far_pipe_unit unit (
        .clk         (clk),
        .rst         (rst),
        .take        (goes),
        .warp        (e_warp),
        .tag         (e_tag),
        .mask        (e_mask),
        .src0        (e_src0),
        .src1        (src1_here),
        .src2        (e_src2),
        .guard       (e_guard),
        .dst         (e_dst),
        .ticket      (e_ticket),
        .word        (word),
        .to_reg      (to_reg),
        .to_pred     (to_pred),
        .of_preds    (of_preds),
        .to_shared   (!to_reg && !to_pred),
        .fixed       (fixed),
        .value       (value),
        .held        (held),
        .room        (room),
        .reads       (reads),
        .read_at     (r_at),
        .row         (row),
        .puts        (puts),
        .put_at      (write_ready ? w_at : i_at),
        .put_lanes   (write_ready ? {LANES{1'b1}} : init_mask),
        .put_row     (write_ready ? write_row : init_row),
        .soon        (soon),
        .now         (now),
        .look_a      (w_at),
        .look_b      (i_at),
        .left_a      (unread_a),
        .left_b      (unread_b),
        .waits       (waits),
        .wants       (wants),
        .want_warp   (want_warp),
        .want_tag    (want_tag),
        .want_ticket (want_ticket),
        .want_op     (want_op),
        .want_dst    (want_dst),
        .want_at     (want_at),
        .want_src1   (want_src1),
        .want_has_c  (want_has_c),
        .want_not_c  (want_not_c),
        .want_index  (want_index),
        .gives       (gives),
        .x_active    (x_active),
        .x_1         (x_a),
        .x_2         (x_b),
        .x_3         (x_c),
        .taken       (taken),
//% if HAS_SHARED then
        .s_puts      (d_puts || m_puts),
        .s_at        (d_puts ? d_at : m_at),
        .s_lanes     (d_puts ? d_lanes : m_lanes),
        .s_words     (d_puts ? d_words : m_words),
//% else
        .s_puts      (d_puts),
        .s_at        (d_at),
        .s_lanes     (d_lanes),
        .s_words     (d_words),
//% end
        .ended       (ended[0]),
        .told        (told[0]),
        .end_warp    (end_warp[0 +: WARP_W]),
        .end_tag     (end_tag[0 +: TAG_W]),
        .end_ticket  (end_ticket[0 +: TICKET_W])
    );

    wire              opens; // an access is handed over
    wire [WARPS-1:0]  open;
    wire              late_valid;
    wire [WARP_W-1:0] late_warp;
    wire [TAG_W-1:0]  late_tag;

    ${prefix}ndp_far_pipe_desk desk (
        .clk            (clk),
        .rst            (rst),
        .wants          (${HAS_SHARED and "wants && !want_shared" or "wants"}),
        .want_warp      (want_warp),
        .want_tag       (want_tag),
        .want_ticket    (want_ticket),
        .want_op        (want_op),
        .want_dst       (want_dst),
        .want_at        (want_at),
        .want_src1      (want_src1),
        .want_has_c     (want_has_c),
        .want_not_c     (want_not_c),
        .want_index     (want_index),
        .gives          (${HAS_SHARED and "d_gives" or "gives"}),
        .x_active       (x_active),
        .x_a            (x_a),
        .x_b            (x_b),
        .x_c            (x_c),
//% for _, g in ipairs{ "param", "value", "launch", "resolve", "fault", "access", "ask" } do
//%     for _, p in ipairs(iface.ports) do
//%         if p.name:find("^" .. g .. "_") then
        .${pad(p.name, 14)} (${p.name}),
//%         end
//%     end
//% end
        .taken          (taken),
        .waits          (d_waits),
        .puts           (d_puts),
        .put_at         (d_at),
        .put_lanes      (d_lanes),
        .put_words      (d_words),
        .late_valid     (late_valid),
        .late_warp      (late_warp),
        .late_tag       (late_tag),
        .open           (open),
        .opens          (opens),
        .ended          (ended[1]),
        .told           (told[1]),
        .end_warp       (end_warp[WARP_W +: WARP_W]),
        .end_tag        (end_tag[TAG_W +: TAG_W]),
        .end_ticket     (end_ticket[TICKET_W +: TICKET_W])
    );

    ${prefix}ndp_far_pipe_opens accesses (
        .clk           (clk),
        .rst           (rst),
        .opens         (opens),
        .open_warp     (end_warp[WARP_W +: WARP_W]),
        .open_tag      (end_tag[TAG_W +: TAG_W]),
        .open_ticket   (end_ticket[TICKET_W +: TICKET_W]),
        .open          (open),
        .ended_valid   (ended_valid && !ended_near),
        .ended_warp    (ended_warp),
        .ended_fault   (ended_fault),
        .carried_valid (carried_valid),
        .carried_warp  (carried_warp),
        .carried_fault (carried_fault),
        .late_valid    (late_valid),
        .late_warp     (late_warp),
        .late_tag      (late_tag),
        .ended         (ended[2]),
        .told          (told[2]),
        .end_warp      (end_warp[2*WARP_W +: WARP_W]),
        .end_tag       (end_tag[2*TAG_W +: TAG_W]),
        .end_ticket    (end_ticket[2*TICKET_W +: TICKET_W])
    );

    assign carried_ready = 1'b1;

//% if HAS_SHARED then
    // ------------------------------------------------------------------
    // Shared memory

    ${prefix}ndp_far_pipe_shared shared (
        .clk           (clk),
        .rst           (rst),
        .wants         (wants && want_shared),
        .want_warp     (want_warp),
        .want_tag      (want_tag),
        .want_ticket   (want_ticket),
        .want_op       (want_op),
        .want_dst      (want_dst),
        .want_at       (want_at),
        .gives         (m_gives),
        .x_active      (x_active),
        .x_a           (x_a),
        .x_b           (x_b),
        .x_c           (x_c),
        .window_valid  (window_valid),
        .window_warp   (window_warp),
        .window_base   (window_base),
        .window_rows   (window_rows),
        .taken         (taken || d_puts),
        .waits         (m_waits),
        .puts          (m_puts),
        .put_at        (m_at),
        .put_lanes     (m_lanes),
        .put_words     (m_words),
        .fault_valid   (shared_fault_valid),
        .fault_warp    (shared_fault_warp),
        .fault_tag     (shared_fault_tag),
        .fault_odd     (shared_fault_odd),
        .fault_address (shared_fault_address),
        .ended         (ended[3]),
        .told          (told[3]),
        .end_warp      (end_warp[3*WARP_W +: WARP_W]),
        .end_tag       (end_tag[3*TAG_W +: TAG_W]),
        .end_ticket    (end_ticket[3*TICKET_W +: TICKET_W])
    );

//% else
    assign shared_fault_valid   = 1'b0;
    assign shared_fault_warp    = {WARP_W{1'b0}};
    assign shared_fault_tag     = {TAG_W{1'b0}};
    assign shared_fault_odd     = 1'b0;
    assign shared_fault_address = 32'd0;

//% end
    // ------------------------------------------------------------------
    // Completions, in turn

    wire [TELLERS-1:0]  chosen;
    wire [TELLER_W-1:0] who;
    wire                moves = !done_valid || done_ready;
    wire                tells = moves && ended != {TELLERS{1'b0}};

    assign told = chosen & {TELLERS{moves}};

    ${prefix}ndp_round_robin #(
        .N       (TELLERS),
        .INDEX_W (TELLER_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (ended),
        .take    (tells),
        .chosen  (chosen),
        .index   (who)
    );

    always @(posedge clk) begin
        if (rst) begin
            done_valid  <= 1'b0;
            done_warp   <= {WARP_W{1'b0}};
            done_tag    <= {TAG_W{1'b0}};
            done_ticket <= {TICKET_W{1'b0}};
        end else if (moves) begin
            done_valid  <= tells;
            done_warp   <= tells ? end_warp[who*WARP_W +: WARP_W] : {WARP_W{1'b0}};
            done_tag    <= tells ? end_tag[who*TAG_W +: TAG_W] : {TAG_W{1'b0}};
            done_ticket <= tells ? end_ticket[who*TICKET_W +: TICKET_W] : {TICKET_W{1'b0}};
        end
    end

    wire unused = &{1'b0, exec_op, write_pred${HAS_SHARED and "" or ",\n                    window_valid, window_warp, window_base, window_rows"}};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_far_pipe_formal.vh"
`endif
endmodule

`default_nettype wire
