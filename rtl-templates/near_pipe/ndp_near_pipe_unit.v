//% use "ndp_ram_parts.v"
//% use "ndp_near_pipe_lanes.v"
//% use "ndp_near_pipe_unit_formal.vh"
//% local A, N, P = L.ALUS, L.LANES, L.PASSES
//% local sizes = { "LANES", "ALUS", "WARP_W", "TAG_W", "REG_W", "OPERAND_W", "TICKET_W", "ROW_W", "DATA_W", "ROWS",
//%     "PLACE_W", "PASS_W" }
//% if L.WARP_W > L.UNIT_W then table.insert(sizes, 4, "UNIT_W") end -- else a unit has one warp
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
${header{title = "near-bank pipelines: one unit", text = [[
Register file, operand collector and vector ALU of a near-bank unit.  The collector
reads an operand an edge, then the passes leave; the lanes have one instruction,
whose passes are written as they come out, until its end is told.

    take -> collector -- a pass an edge --> X1 ... X]] .. LAST .. [[ -> file, ended
               ^ an operand an edge                   |
               +------------- file <------------------+]] .. (SHARED and [[


An access to shared memory leaves by X1, too, when that asks for its passes.]] or "") .. [[


Latency: of an instruction with n operands that is taken on edge t the first pass
leaves on t+2+n, without any on t+1; a pass that leaves on edge t is written on t+]] .. LAST .. [[.
One instruction in the collector, one in the lanes.

See docs/blocks/near_pipe.md.]]}}
`default_nettype none

module ${prefix}ndp_near_pipe_unit (
    input  wire        clk,       // clock
    input  wire        rst,       // synchronous reset, active high

    // an instruction, with what its word says
    input  wire        take,      // it enters the collector, which is not held
    input  wire ${pad(range(L.WARP_W), 6)} warp,      // warp
    input  wire ${pad(range(L.TAG_W), 6)} tag,       // tag
    input  wire ${pad(range(N), 6)} mask,      // active lanes
//% for _, s in ipairs(sources) do
    input  wire ${pad(range(L.OPERAND_W), 6)} ${pad(s .. ",", 10)} // operand
//% end
    input  wire ${pad(range(L.TICKET_W), 6)} ticket,    // ticket
    input  wire [63:0] word,      // word
    input  wire        to_reg,    // its result is a register
    input  wire        to_pred,   // ... a predicate
    input  wire        of_preds,  // a and b are predicates
//% if SHARED then
    input  wire        to_shared, // it accesses shared memory
//% end
    input  wire        fixed,     // b is the number
    input  wire [31:0] value,     // the number
    output reg         held,      // the collector holds an instruction

    // rows that others read and write
    input  wire        reads,     // a row is read for another,
    input  wire ${pad(range(L.PLACE_W), 6)} read_at,   // this one
    output wire ${range(L.ROW_W)} row,       // the row last read
    input  wire        puts,      // a row is written for another,
    input  wire ${pad(range(L.PLACE_W), 6)} put_at,    // this one,
    input  wire ${pad(range(N), 6)} put_lanes, // these lanes
    input  wire ${range(L.ROW_W)} put_row,   //
    output wire        soon,      // the lanes write on the edge after the next
    input  wire ${pad(range(L.PLACE_W), 6)} look_a,    // is this row left to read,
    input  wire ${pad(range(L.PLACE_W), 6)} look_b,    // and this one?
    output wire        left_a,    // yes
    output wire        left_b,    // yes

//% if SHARED then
    // shared memory
    output wire        wants,     // an access has been collected,
    output wire ${pad(range(L.WARP_W), 6)} want_warp, // of this warp,
    output wire ${pad(range(L.TAG_W), 6)} want_tag,  // tag,
    output wire ${pad(range(L.TICKET_W), 6)} want_ticket, // ticket,
    output wire [7:0]  want_op,   // operation,
    output wire        want_dst,  // with a destination,
    output wire ${pad(range(L.PLACE_W), 6)} want_at,   // in this row
    input  wire        gives,     // a pass of it goes to X1
    output wire ${pad(range(L.ALUS), 6)} x_active,  // in X1: active lanes
    output wire ${pad(range(L.DATA_W), 6)} x_1,       // operands
    output wire ${pad(range(L.DATA_W), 6)} x_2,       //
    output wire ${pad(range(L.DATA_W), 6)} x_3,       //
    output wire        taken,     // lanes or others write the file
    input  wire        s_puts,    // words of shared memory are written, if not,
    input  wire ${pad(range(L.PLACE_W), 6)} s_at,      // into this row,
    input  wire ${pad(range(N), 6)} s_lanes,   // these lanes
    input  wire ${pad(range(L.DATA_W), 6)} s_words,   // of a pass

//% end
    // completion
    output reg         ended,     // the lanes' instruction has ended
    input  wire        told,      // that is told on this edge
    output reg  ${pad(range(L.WARP_W), 6)} end_warp,  // its warp
    output reg  ${pad(range(L.TAG_W), 6)} end_tag,   // its tag
    output reg  ${pad(range(L.TICKET_W), 6)} end_ticket // its ticket
);
${localparams(table.unpack(sizes))}

    localparam [PASS_W-1:0] LAST = ${P - 1}; // last pass

    // ------------------------------------------------------------------
    // The instruction in the collector

    reg [WARP_W-1:0]   c_warp;
    reg [TAG_W-1:0]    c_tag;
    reg [TICKET_W-1:0] c_ticket;
    reg [63:0]         c_word;
    reg                c_to_reg;
    reg                c_to_pred;
    reg                c_of_preds;
//% if SHARED then
    reg                c_shared;
    reg                c_dst_there;
//% end
    reg                c_fixed;
    reg [31:0]         c_value;
    reg [3:0]          c_has; // src0 to src2 and guard are there
//% for _, s in ipairs(sources) do
    reg [REG_W-1:0]    ${pad("c_" .. s .. ";", 18)}
//% end

    always @(posedge clk) begin
        if (take) begin
            c_warp     <= warp;
            c_tag      <= tag;
            c_ticket   <= ticket;
            c_word     <= word;
            c_to_reg   <= to_reg && ${is_there "dst"};
            c_to_pred  <= to_pred && ${is_there "dst"};
            c_of_preds <= of_preds;
//% if SHARED then
            c_shared    <= to_shared;
            c_dst_there <= ${is_there "dst"};
//% end
            c_fixed    <= fixed;
            c_value    <= value;
            c_has      <= {${is_there "guard"}, ${is_there "src2"}, ${is_there "src1"},
                           ${is_there "src0"}};
//% for _, s in ipairs(sources) do
            ${pad("c_" .. s, 10)} <= ${register(s)};
//% end
        end
    end

    // ------------------------------------------------------------------
    // Its operands: those left to read, and the one that stands at the file

    reg  [4:0] left;  // src0, src1, src2, guard, dst
    reg  [4:0] asked; // one of them or none
    wire [4:0] first = left & (~left + 5'd1);
    wire       asks  = held && first != 5'd0 && !reads;

    wire computes = to_reg || to_pred${SHARED and " || to_shared" or ""};

    always @(posedge clk) begin
        if (rst)
            left <= 5'd0;
        else if (take)
            left <= {${is_there "dst"} && to_pred, {4{computes}} &
                     {${is_there "guard"}, ${is_there "src2"}, ${is_there "src1"},
                      ${is_there "src0"}}};
        else if (asks)
            left <= left & ~first;
    end

    always @(posedge clk) begin
        if (rst)
            asked <= 5'd0;
        else
            asked <= asks ? first : 5'd0;
    end

    wire [REG_W-1:0] ask_reg = (c_src0 & {REG_W{first[0]}}) | (c_src1 & {REG_W{first[1]}}) |
                               (c_src2 & {REG_W{first[2]}}) | (c_guard & {REG_W{first[3]}}) |
                               (c_dst & {REG_W{first[4]}});
    wire [PLACE_W-1:0] ask_at = ${place("c_warp", "ask_reg")};

//% for i, s in ipairs(sources) do
    wire [PLACE_W-1:0] ${pad("at_" .. s, 8)} = ${place("c_warp", "c_" .. s)};
//% end

//% for _, w in ipairs{ "a", "b" } do
    assign left_${w} = (left[0] && at_src0 == look_${w}) || (left[1] && at_src1 == look_${w}) ||
                    (left[2] && at_src2 == look_${w}) || (left[3] && at_guard == look_${w}) ||
                    (left[4] && at_dst == look_${w});
//% end

    // ------------------------------------------------------------------
    // Passes leave when all is there and the lanes are free or this instruction's

    reg              busy;  // the lanes have an instruction,
    reg              begun; // the one in the collector
    reg [PASS_W-1:0] pass;  // the one that leaves next

//% local moves = SHARED and "moves" or "leaves"
//% if SHARED then
    wire collected = held && left == 5'd0 && asked == 5'd0;
    wire leaves    = collected && !c_shared && (begun || !busy);
    wire moves     = leaves || gives;
//% else
    wire leaves    = held && left == 5'd0 && asked == 5'd0 && (begun || !busy);
//% end
    wire last_pass = pass == LAST;

    always @(posedge clk) begin
        if (rst) begin
            held  <= 1'b0;
            begun <= 1'b0;
            pass  <= {PASS_W{1'b0}};
        end else if (take) begin
            held  <= 1'b1;
        end else if (${moves}) begin
            held  <= !last_pass;
            begun <= !last_pass${SHARED and " && leaves" or ""};
            pass  <= last_pass ? {PASS_W{1'b0}} : pass + 1'b1;
        end
    end

    // what was collected; the lanes of the pass that leaves next are the lowest
    reg [ROW_W-1:0] row_a;
    reg [ROW_W-1:0] row_b;
    reg [ROW_W-1:0] row_c;
    reg [LANES-1:0] pred_a;
    reg [LANES-1:0] pred_b;
    reg [LANES-1:0] pred_c;
    reg [LANES-1:0] guards;
    reg [LANES-1:0] olds;   // what a predicate held
    reg [LANES-1:0] lanes;  // of the mask

    always @(posedge clk) begin
        if (asked[0])
            row_a <= row;
        else if (${moves})
            row_a <= row_a >> DATA_W;
        if (asked[1])
            row_b <= row;
        else if (${moves})
            row_b <= row_b >> DATA_W;
        if (asked[2])
            row_c <= row;
        else if (${moves})
            row_c <= row_c >> DATA_W;
    end

    always @(posedge clk) begin
        if (take) begin
            pred_a <= {LANES{1'b1}};
            pred_b <= {LANES{1'b1}};
            pred_c <= {LANES{1'b1}};
            olds   <= {LANES{1'b0}};
            lanes  <= mask;
        end else if (${moves}) begin
            pred_a <= pred_a >> ALUS;
            pred_b <= pred_b >> ALUS;
            pred_c <= pred_c >> ALUS;
            guards <= guards >> ALUS;
            olds   <= olds >> ALUS;
            lanes  <= lanes >> ALUS;
        end else begin
            if (asked[0])
                pred_a <= row[LANES-1:0];
            if (asked[1])
                pred_b <= row[LANES-1:0];
            if (asked[2])
                pred_c <= row[LANES-1:0];
            if (asked[3])
                guards <= row[LANES-1:0];
            if (asked[4])
                olds <= row[LANES-1:0];
        end
    end

    // ------------------------------------------------------------------
    // X1: operands of a pass

    reg [63:0]       x_word;
    reg [DATA_W-1:0] x_a;
    reg [DATA_W-1:0] x_b;
    reg [DATA_W-1:0] x_c;
    reg ${pad("[ALUS-1:0]", 12)} x_p;

    wire [ALUS-1:0] holds  = guards[ALUS-1:0] ^ {ALUS{c_word[11]}};
    wire [ALUS-1:0] active = lanes[ALUS-1:0] & (holds | {ALUS{!c_has[3]}});

    integer l;

    always @(posedge clk) begin
        if (${moves}) begin
            x_word <= c_word;
            for (l = 0; l < ALUS; l = l + 1) begin
                x_a[32*l +: 32] <= c_of_preds ? {31'd0, pred_a[l] ^ c_word[21]}
                                              : row_a[32*l +: 32] & {32{c_has[0]}};
                x_b[32*l +: 32] <= c_fixed    ? c_value :
                                   c_of_preds ? {31'd0, pred_b[l] ^ c_word[43]}
                                              : row_b[32*l +: 32] & {32{c_has[1]}};
                x_c[32*l +: 32] <= row_c[32*l +: 32] & {32{c_has[2]}};
                x_p[l]          <= pred_c[l] ^ c_word[35];
            end
        end
    end

    wire [DATA_W-1:0] result; // X${LAST}

    ${prefix}ndp_near_pipe_lanes vector (
        .clk   (clk),
        .word  (x_word),
        .a     (x_a),
        .b     (x_b),
        .c     (x_c),
        .p     (x_p),
        .value (result)
    );

    // ------------------------------------------------------------------
    // What goes with a pass, X1 to X${LAST}

    reg [${LAST - 1}:0]      there;  // a pass
    reg [${LAST - 1}:0]      ends;   // the last one
    reg [${LAST}*ALUS-1:0] acts;   // its active lanes
    reg [${LAST}*ALUS-1:0] keeps;  // the bits of a predicate's lanes that are not

    always @(posedge clk) begin
        if (rst) begin
            there <= ${LAST}'d0;
            ends  <= ${LAST}'d0;
        end else begin
            there <= {there[${LAST - 2}:0], leaves};
            ends  <= {ends[${LAST - 2}:0], leaves && last_pass};
        end
    end

    always @(posedge clk) begin
        acts  <= {acts[${LAST - 1}*ALUS-1:0], active};
        keeps <= {keeps[${LAST - 1}*ALUS-1:0], olds[ALUS-1:0]};
    end

    assign soon = there[${LAST - 2}];
//% if SHARED then

    // ------------------------------------------------------------------
    // An access to shared memory

    assign wants       = collected && c_shared;
    assign want_warp   = c_warp;
    assign want_tag    = c_tag;
    assign want_ticket = c_ticket;
    assign want_op     = c_word[7:0];
    assign want_dst    = c_dst_there;
    assign want_at     = at_dst;
    assign x_active    = acts[ALUS-1:0];
    assign x_1         = x_a;
    assign x_2         = x_b;
    assign x_3         = x_c;
    assign taken       = puts || there[${LAST - 1}];
//% end

    // ------------------------------------------------------------------
    // The instruction that the lanes have

    reg               to_file; // its result is a row,
    reg               to_bits; // or a predicate
    reg [PLACE_W-1:0] end_at;  // of this place

    always @(posedge clk) begin
        if (leaves && !begun) begin
            end_warp   <= c_warp;
            end_tag    <= c_tag;
            end_ticket <= c_ticket;
            end_at     <= at_dst;
            to_file    <= c_to_reg;
            to_bits    <= c_to_pred;
        end
    end

    wire comes = there[${LAST - 1}];
    wire closes = ends[${LAST - 1}];

    always @(posedge clk) begin
        if (rst) begin
            busy  <= 1'b0;
            ended <= 1'b0;
        end else begin
            if (leaves)
                busy <= 1'b1;
            else if (told)
                busy <= 1'b0;
            if (closes)
                ended <= 1'b1;
            else if (told)
                ended <= 1'b0;
        end
    end

    // ------------------------------------------------------------------
    // Results into the file

    reg ${vec(P)} out_at; // the pass that comes next, one of them

    always @(posedge clk) begin
        if (rst || closes)
            out_at <= ${P}'d1;
        else if (comes)
            out_at <= out_at << 1;
    end

    wire [ALUS-1:0] act  = acts[${LAST - 1}*ALUS +: ALUS];
    wire [ALUS-1:0] keep = keeps[${LAST - 1}*ALUS +: ALUS];
    reg  [ALUS-1:0] truth;

    integer t;

    always @* begin
        for (t = 0; t < ALUS; t = t + 1)
            truth[t] = act[t] ? result[32*t] : keep[t];
    end

//% if P > 1 then
    reg  [LANES-ALUS-1:0] bits; // of a predicate, those that have come
    wire [LANES-1:0]      all_bits = {truth, bits};

    always @(posedge clk) begin
        if (comes)
            bits <= all_bits[LANES-1:ALUS];
    end
//% else
    wire [LANES-1:0] all_bits = truth;
//% end

    reg [LANES-1:0] out_lanes; // to be written

    integer w;

    always @* begin
        for (w = 0; w < LANES; w = w + 1)
            out_lanes[w] = comes && (to_bits ? closes
                                             : to_file && act[w % ALUS] && out_at[w / ALUS]);
    end

//% if SHARED then
    wire [ROW_W-1:0] lane_row = to_bits ? {{ROW_W-LANES{1'b0}}, all_bits} : {${P}{result}};
    wire [ROW_W-1:0] out_row  = s_puts ? {${P}{s_words}} : lane_row;

    wire [LANES-1:0] wr_lanes = puts ? put_lanes : s_puts ? s_lanes : out_lanes;
//% else
    wire [ROW_W-1:0] out_row = to_bits ? {{ROW_W-LANES{1'b0}}, all_bits} : {${P}{result}};

    wire [LANES-1:0] wr_lanes = puts ? put_lanes : out_lanes;
//% end

    ${prefix}ndp_ram_parts #(
        .PARTS     (LANES),
        .PART_W    (32),
        .WORDS     (ROWS),
        .ADDRESS_W (PLACE_W)
    ) file (
        .clk     (clk),
        .wr_en   (wr_lanes),
        .wr_addr (puts ? put_at : ${SHARED and "s_puts ? s_at : " or ""}end_at),
        .wr_data (puts ? put_row : out_row),
        .rd_en   (reads || asks),
        .rd_addr (reads ? read_at : ask_at),
        .rd_data (row)
    );

//% local rest = {}
//% for _, s in ipairs(sources) do rest[#rest + 1] = s .. "[OPERAND_W-2:REG_W]" end
    wire unused = &{1'b0, ${joined(rest, ",", 20)}};

`ifdef FORMAL
`include "${prefix}ndp_near_pipe_unit_formal.vh"
`endif
endmodule

`default_nettype wire
