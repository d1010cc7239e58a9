//% use "ndp_ram.v"
//% use "ndp_far_pipe_cross.v"
//% use "ndp_far_pipe_desk_formal.vh"
//% local A, N, P = L.ALUS, L.LANES, L.PASSES
//% local function any(is)
//%     local list = {}
//%     for _, o in ipairs(ops(is)) do list[#list + 1] = "op == " .. op(o.name) end
//%     return table.concat(list, " ||\n                      ")
//% end
//% local function special(name)
//%     for _, s in ipairs(isa.specials) do
//%         if s.name == "%" .. name then return hex(L.SPECIAL_W, s.code) end
//%     end
//% end
${header{title = "pipeline of the base die: desk", text = [[
What the lanes do not compute: control words, special values and parameters, the
exchange of lanes, accesses to global memory.  One instruction at a time: its passes
come from dispatch by way of X1, are kept and checked, and then it is done.

    wants -> X1 -> kept -> checked -> resolve
                                      words of a pass an edge -> file
                                      access, ask
                                      fault

Latency: it is done from ]] .. P + 2 .. [[ edges after the one on which its first pass left on.

See docs/blocks/far_pipe.md, Desk.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_desk (
    input  wire        clk,            // clock
    input  wire        rst,            // synchronous reset, active high

    // an instruction that has been collected
    input  wire        wants,          // it is the desk's
    input  wire ${pad(range(L.WARP_W), 6)} want_warp,      // its warp
    input  wire ${pad(range(L.TAG_W), 6)} want_tag,       // its tag
    input  wire ${pad(range(L.TICKET_W), 6)} want_ticket,    // its ticket
    input  wire [7:0]  want_op,        // its operation
    input  wire        want_dst,       // it has a destination,
    input  wire ${pad(range(L.PLACE_W), 6)} want_at,        // in this row
    input  wire ${pad(range(L.REG_W), 6)} want_src1,      // register of source b
    input  wire        want_has_c,     // source c is there
    input  wire        want_not_c,     // ... as a predicate is inverted
    input  wire [9:0]  want_index,     // lowest bits of the number
    output wire        gives,          // a pass of it goes to X1
    input  wire ${pad(vec(A), 6)} x_active,       // in X1: active lanes
    input  wire ${pad(range(L.DATA_W), 6)} x_a,            // operands
    input  wire ${pad(range(L.DATA_W), 6)} x_b,            //
    input  wire ${pad(range(L.DATA_W), 6)} x_c,            //

    // tables
    input  wire        param_valid,    // a parameter is written
    input  wire ${pad(range(L.PARAM_W), 6)} param_index,    // its number
    input  wire [31:0] param_word,     // it
    input  wire        value_valid,    // a warp's special value is written
    input  wire ${pad(range(L.WARP_W), 6)} value_warp,     // its warp
    input  wire ${pad(range(L.SPECIAL_W), 6)} value_index,    // its number
    input  wire [31:0] value_word,     // it
    input  wire [31:0] launch_now,     // %clock
    input  wire [31:0] launch_bound,   // first byte beyond the memory, 0: 2^32

    // register file
    input  wire        taken,          // somebody writes it
    output wire        waits,          // there are words to be put
    output wire        puts,           // words are written
    output wire ${pad(range(L.PLACE_W), 6)} put_at,         // into this row,
    output wire ${pad(range(N), 6)} put_lanes,      // these lanes
    output wire ${pad(range(L.DATA_W), 6)} put_words,      // of a pass

    // control words
    output reg         resolve_valid,  // one of them
    output reg  ${pad(range(L.WARP_W), 6)} resolve_warp,   // its warp
    output reg  ${pad(range(L.TAG_W), 6)} resolve_tag,    // its tag
    output reg  ${pad(range(N), 6)} resolve_lanes,  // its active lanes

    // faults, its own and those of accesses that have ended
    input  wire        late_valid,     // an access has ended with a fault
    input  wire ${pad(range(L.WARP_W), 6)} late_warp,      // its warp
    input  wire ${pad(range(L.TAG_W), 6)} late_tag,       // its tag
    output reg         fault_valid,    // an instruction was not carried out
    output reg  [3:0]  fault_cause,    // why
    output reg  ${pad(range(L.WARP_W), 6)} fault_warp,     // its warp
    output reg  ${pad(range(L.TAG_W), 6)} fault_tag,      // its tag
    output reg  [31:0] fault_address,  // of the lowest lane that is wrong

    // accesses
    input  wire ${pad(range(L.WARPS), 6)} open,           // by warp: one is under way
    output wire        opens,          // one is handed over
    output reg         access_valid,   // one is shown
    input  wire        access_ready,   // taken
    output reg         access_store,   // 1 store, 0 load
    output reg  ${pad(range(L.WARP_W), 6)} access_warp,    // its warp
    output reg  ${pad(range(L.REG_W), 6)} access_reg,     // its register
    output reg  ${pad(range(N), 6)} access_mask,    // its active lanes
    output reg  ${pad(range(30 * N), 6)} access_address, // words' addresses

    // accesses to parts of words, and atomics; they are shown from here
    output wire        ask_valid,      // one is shown
    input  wire        ask_ready,      // taken
    output wire [3:0]  ask_op,         // 0 load, 1 store, 2.. atomics, 11 cas
    output wire [1:0]  ask_size,       // 0 byte, 1 half word, 2 word
    output wire        ask_signed,     // of a load: the sign stands above
    output wire ${pad(range(L.WARP_W), 6)} ask_warp,       // its warp
    output wire ${pad(range(L.REG_W), 6)} ask_reg,        // register of the result
    output wire        ask_result,     // it has one
    output wire ${pad(range(N), 6)} ask_mask,       // its active lanes
    output wire ${pad(range(L.ROW_W), 6)} ask_address,    // bytes' addresses
    output wire ${pad(range(L.ROW_W), 6)} ask_data,       // what is stored, or an operand
    output wire ${pad(range(L.ROW_W), 6)} ask_compare,    // what cas compares with

    // completion
    output reg         ended,          // the instruction has ended
    input  wire        told,           // that is told on this edge
    output reg  ${pad(range(L.WARP_W), 6)} end_warp,       // its warp
    output reg  ${pad(range(L.TAG_W), 6)} end_tag,        // its tag
    output reg  ${pad(range(L.TICKET_W), 6)} end_ticket      // its ticket
);
${localparams("WARPS", "LANES", "ALUS", "WARP_W", "TAG_W", "REG_W", "ROW_W", "DATA_W", "PLACE_W",
    "PARAMS", "PARAM_W", "SPECIALS", "SPECIAL_W")}
${P > 1 and localparams("PASS_W") or ""}

    localparam [3:0] ILLEGAL    = 4'd1; // causes
    localparam [3:0] MISALIGNED = 4'd2;
    localparam [3:0] UNMAPPED   = 4'd3;
    localparam [3:0] MEMORY     = 4'd8;

    localparam LANE_W = ${LANE_W}; // bits of a lane
//% if P > 1 then

    localparam [PASS_W-1:0] LAST = ${P - 1}; // last pass
//% end

    // ------------------------------------------------------------------
    // What the instruction says

    reg               busy;    // there is one
    reg [7:0]         op;      // operation
    reg               to_file; // it has a destination,
    reg [PLACE_W-1:0] dst;     // in this row
    reg [REG_W-1:0]   src1;    // register of source b
    reg               has_c;   // source c is there
    reg               not_c;   // ... is inverted
    reg [3:0]         index;   // of a special value

    wire starts = !busy && wants;
    wire leaves; // it is on this edge that it has been handed over

    always @(posedge clk) begin
        if (rst)
            busy <= 1'b0;
        else
            busy <= starts || (busy && !told && !leaves);
    end

    always @(posedge clk) begin
        if (starts) begin
            op         <= want_op;
            to_file    <= want_dst;
            dst        <= want_at;
            src1       <= want_src1;
            has_c      <= want_has_c;
            not_c      <= want_not_c;
            index      <= want_index[3:0];
            end_warp   <= want_warp;
            end_tag    <= want_tag;
            end_ticket <= want_ticket;
        end
    end

    wire is_control = ${any(function(o) return o.class == "control" end)};
    wire is_param   = op == ${op "ldp"};
    wire is_special = op == ${op "s2r"};
    wire is_shuffle = ${any(function(o) return o.name:find("^shfl") end)};
    wire is_vote    = op == ${op "vote"};
    wire is_store   = op == ${op "stg_b32"};
    wire is_access  = op == ${op "ldg_b32"} || is_store;
    wire is_atomic  = ${any(function(o) return o.class == "atomic" and o.timing == "global" end)};
    wire is_byte    = op == ${op "ldg_u8"} || op == ${op "ldg_s8"} || op == ${op "stg_b8"};
    wire is_half    = op == ${op "ldg_u16"} || op == ${op "ldg_s16"} || op == ${op "stg_b16"};
    wire is_part    = is_atomic || is_byte || is_half; // of words, or changes them
    wire to_memory  = is_access || is_part;
    wire is_words   = is_param || is_special || is_shuffle || is_vote;
    wire is_legal   = is_control || is_words || to_memory;

    // ------------------------------------------------------------------
    // Its passes: leave the collector, stand in X1, are kept, are checked

//% if P > 1 then
    reg              sends; // passes are left in the collector,
    reg [PASS_W-1:0] sent;  // from this one on

    wire last_sent = sends && sent == LAST;

    always @(posedge clk) begin
        if (rst)
            sends <= 1'b0;
        else
            sends <= starts || (sends && !last_sent);
        sent <= starts ? ${hex(L.PASS_W, 1)} : sent + 1'b1;
    end

    assign gives = starts || sends;
//% else
    wire last_sent = starts;

    assign gives = starts;
//% end

    reg x_there; // a pass stands in X1
    reg x_last;  // the last one
    reg k_there; // one has been kept
    reg k_last;  // the last one
    reg ready;   // all have been checked

    always @(posedge clk) begin
        if (rst) begin
            x_there <= 1'b0;
            x_last  <= 1'b0;
            k_there <= 1'b0;
            k_last  <= 1'b0;
            ready   <= 1'b0;
        end else begin
            x_there <= gives;
            x_last  <= last_sent;
            k_there <= x_there;
            k_last  <= x_last;
            ready   <= (k_there && k_last) || (ready && !told && !leaves);
        end
    end

    // Operands; of an access row_a has the addresses
    reg [ROW_W-1:0] row_a;
    reg [ROW_W-1:0] row_b;
    reg [ROW_W-1:0] row_c;
    reg [LANES-1:0] lanes; // active ones

    reg [DATA_W-1:0] new_a;

    integer i;

    always @* begin
        for (i = 0; i < ALUS; i = i + 1)
            new_a[i*32 +: 32] = x_a[i*32 +: 32] + (x_b[i*32 +: 32] & {32{to_memory && !is_atomic}});
    end

    always @(posedge clk) begin
        if (x_there) begin
//% if P > 1 then
            row_a <= {new_a, row_a[ROW_W-1:DATA_W]};
            row_b <= {x_b, row_b[ROW_W-1:DATA_W]};
            row_c <= {x_c, row_c[ROW_W-1:DATA_W]};
            lanes <= {x_active, lanes[LANES-1:ALUS]};
//% else
            row_a <= new_a;
            row_b <= x_b;
            row_c <= x_c;
            lanes <= x_active;
//% end
        end
    end

    // ------------------------------------------------------------------
    // Lanes that go wrong

    wire [DATA_W-1:0] k_at = row_a[ROW_W-1 -: DATA_W]; // the pass that was kept last
    wire [ALUS-1:0]   k_on = lanes[LANES-1 -: ALUS];
    reg  [ALUS-1:0]   odd;
    reg  [ALUS-1:0]   off;

    wire bounded = launch_bound != 32'd0;

    always @* begin
        for (i = 0; i < ALUS; i = i + 1) begin
            odd[i] = (k_at[i*32] && !is_byte) || (k_at[i*32+1] && !is_byte && !is_half);
            off[i] = k_at[i*32+8 +: 24] == 24'd0 || (bounded && k_at[i*32 +: 32] >= launch_bound);
        end
    end

    wire [ALUS-1:0] wrong       = k_on & (odd | off);
    wire [ALUS-1:0] wrong_first = wrong & (~wrong + 1'b1);
    reg  [31:0]     wrong_at;

    always @* begin
        wrong_at = 32'd0;
        for (i = 0; i < ALUS; i = i + 1)
            wrong_at = wrong_at | (k_at[i*32 +: 32] & {32{wrong_first[i]}});
    end

    reg        bad;     // a lane of it is wrong,
    reg        bad_odd; // misaligned,
    reg [31:0] bad_at;  // at this address

    always @(posedge clk) begin
        if (starts) begin
            bad <= 1'b0;
        end else if (k_there && !bad) begin
            bad     <= wrong != {ALUS{1'b0}};
            bad_odd <= (wrong_first & odd) != {ALUS{1'b0}};
            bad_at  <= wrong_at;
        end
    end

    // ------------------------------------------------------------------
    // What is done

    wire acts     = ready && !ended;
    wire resolves = acts && is_control;
    wire put      = acts && is_words && !taken;
    wire fails    = acts && (!is_legal || (to_memory && bad)) && !late_valid;
    wire room     = !access_valid || access_ready;

    wire may_go   = acts && !bad && !open[end_warp]; // of an access
    wire hands    = may_go && is_access && room;

    assign ask_valid = may_go && is_part;
    assign opens     = hands || (ask_valid && ask_ready);
    assign leaves    = opens;

//% if P > 1 then
    reg [PASS_W-1:0] pass; // of words, the one that is put next

    always @(posedge clk) begin
        if (starts)
            pass <= {PASS_W{1'b0}};
        else if (put)
            pass <= pass + 1'b1;
    end

    wire last_put = put && pass == LAST;
//% else
    wire last_put = put;
//% end

    always @(posedge clk) begin
        if (rst)
            ended <= 1'b0;
        else
            ended <= resolves || last_put || fails || (ended && !told);
    end

    always @(posedge clk) begin
        if (rst) begin
            resolve_valid <= 1'b0;
            resolve_warp  <= {WARP_W{1'b0}};
            resolve_tag   <= {TAG_W{1'b0}};
            resolve_lanes <= {LANES{1'b0}};
        end else begin
            resolve_valid <= resolves;
            resolve_warp  <= end_warp & {WARP_W{resolves}};
            resolve_tag   <= end_tag & {TAG_W{resolves}};
            resolve_lanes <= lanes & {LANES{resolves}};
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            fault_valid   <= 1'b0;
            fault_cause   <= 4'd0;
            fault_warp    <= {WARP_W{1'b0}};
            fault_tag     <= {TAG_W{1'b0}};
            fault_address <= 32'd0;
        end else begin
            fault_valid   <= fails || late_valid;
            fault_cause   <= late_valid ? MEMORY :
                             !fails     ? 4'd0 :
                             !is_legal  ? ILLEGAL :
                             bad_odd    ? MISALIGNED : UNMAPPED;
            fault_warp    <= (end_warp & {WARP_W{fails}}) | (late_warp & {WARP_W{late_valid}});
            fault_tag     <= (end_tag & {TAG_W{fails}}) | (late_tag & {TAG_W{late_valid}});
            fault_address <= bad_at & {32{fails && is_legal}};
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            access_valid   <= 1'b0;
            access_store   <= 1'b0;
            access_warp    <= {WARP_W{1'b0}};
            access_reg     <= {REG_W{1'b0}};
            access_mask    <= {LANES{1'b0}};
            access_address <= {30*LANES{1'b0}};
        end else if (room) begin
            access_valid <= hands;
            access_store <= is_store && hands;
            access_warp  <= end_warp & {WARP_W{hands}};
            access_reg   <= (is_store ? src1 : dst[REG_W-1:0]) & {REG_W{hands}};
            access_mask  <= lanes & {LANES{hands}};
            for (i = 0; i < LANES; i = i + 1)
                access_address[i*30 +: 30] <= row_a[i*32+2 +: 30] & {30{hands}};
        end
    end

    // ------------------------------------------------------------------
    // Parts of words, and atomics: what has no result is a store

    wire part_load  = (is_byte || is_half) && !op[3];
    wire part_store = (is_byte || is_half) && op[3];

    assign ask_op      = (is_atomic ? op[3:0] + 4'd2 : {3'd0, part_store}) & {4{ask_valid}};
    assign ask_size    = {is_atomic, is_half} & {2{ask_valid}};
    assign ask_signed  = ask_valid && (op == ${op "ldg_s8"} || op == ${op "ldg_s16"});
    assign ask_warp    = end_warp & {WARP_W{ask_valid}};
    assign ask_reg     = dst[REG_W-1:0] & {REG_W{ask_valid}};
    assign ask_result  = ask_valid && to_file && !part_store;
    assign ask_mask    = lanes & {LANES{ask_valid}};
    assign ask_address = row_a & {ROW_W{ask_valid}};
    assign ask_data    = row_c & {ROW_W{ask_valid && !part_load}};
    assign ask_compare = row_b & {ROW_W{ask_valid && op == ${op "atg_cas"}}};

    // ------------------------------------------------------------------
    // Parameters and special values

    wire [31:0] param;
    wire [31:0] value;
    reg  [31:0] now;

    ${prefix}ndp_ram #(
        .WIDTH     (32),
        .WORDS     (PARAMS),
        .ADDRESS_W (PARAM_W)
    ) params (
        .clk     (clk),
        .wr_en   (param_valid && !rst),
        .wr_addr (param_index),
        .wr_data (param_word),
        .rd_en   (starts),
        .rd_addr (want_index[PARAM_W-1:0]),
        .rd_data (param)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (32),
        .WORDS     (WARPS * SPECIALS),
        .ADDRESS_W (WARP_W + SPECIAL_W)
    ) values (
        .clk     (clk),
        .wr_en   (value_valid && !rst),
        .wr_addr ({value_warp, value_index}),
        .wr_data (value_word),
        .rd_en   (starts),
        .rd_addr ({want_warp, want_index[SPECIAL_W-1:0]}),
        .rd_data (value)
    );

    always @(posedge clk) begin
        if (starts)
            now <= launch_now;
    end

    wire is_lane  = index == ${special "laneid"};
    wire is_slot  = index == ${special "slot"};
    wire is_clock = index == ${special "clock"};

    wire [31:0] same = is_param ? param : is_clock ? now : is_lane ? 32'd0 : value;

    // ------------------------------------------------------------------
    // Words of a pass

//% if P > 1 then
    wire [DATA_W-1:0] pass_b = row_b[pass*DATA_W +: DATA_W];
    wire [DATA_W-1:0] pass_c = row_c[pass*DATA_W +: DATA_W];
//% else
    wire [DATA_W-1:0] pass_b = row_b;
    wire [DATA_W-1:0] pass_c = row_c;
//% end
    wire [LANES-1:0]  holds  = (row_c[LANES-1:0] | {LANES{!has_c}}) ^ {LANES{not_c}};

    wire [ALUS*LANE_W-1:0] by;      // lane or distance
    wire [ALUS*LANE_W-1:0] clamp;   // PTX's clamp
    wire [ALUS*LANE_W-1:0] segment; // and segment mask
    wire [DATA_W-1:0]      crossed;
    wire [DATA_W-1:0]      own;     // special values and parameters
//% if A == 1 then
    wire [LANE_W-1:0]      source;
//% end

    genvar l;

    generate
        for (l = 0; l < ALUS; l = l + 1) begin : lane
//% if P > 1 then
            wire [LANE_W-1:0] me = ${ALU_W > 0 and "{pass, l[" .. ALU_W - 1 .. ":0]}" or "pass"};
//% else
            wire [LANE_W-1:0] me = l[LANE_W-1:0];
//% end

            assign by[l*LANE_W +: LANE_W]      = pass_b[l*32 +: LANE_W];
            assign clamp[l*LANE_W +: LANE_W]   = pass_c[l*32 +: LANE_W];
            assign segment[l*LANE_W +: LANE_W] = pass_c[l*32+8 +: LANE_W];
            assign own[l*32 +: 32] = is_special && (is_lane || is_slot)
                                     ? {same[31:LANE_W], me} : same;
        end
    endgenerate

    ${prefix}ndp_far_pipe_cross exchange (
        .from_lanes (1'b1),
        .vote       (is_vote),
        .how        (op[1:0]),
//% if P > 1 then
        .pass       (pass),
//% end
        .banks      ({${A * math.max(ALU_W, 1)}{1'b0}}),
        .words      ({DATA_W{1'b0}}),
        .active     (lanes),
        .holds      (holds),
//% if A == 1 then
        .source     (source),
        .a          (row_a[source*32 +: 32]),
//% else
        .a          (row_a),
//% end
        .b          (by),
        .clamp      (clamp),
        .segment    (segment),
        .out        (crossed)
    );

    assign waits     = acts && is_words;
    assign puts      = put && to_file;
    assign put_at    = dst;
    assign put_words = is_shuffle || is_vote ? crossed : own;
//% if P > 1 then
    assign put_lanes = lanes & ({{LANES-ALUS{1'b0}}, {ALUS{1'b1}}} << (pass * ALUS));
//% else
    assign put_lanes = lanes;
//% end

    wire unused = &{1'b0, want_index, pass_b, pass_c};

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_desk_formal.vh"
`endif
endmodule

`default_nettype wire
