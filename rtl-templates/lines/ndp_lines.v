//% use "ndp_queue.v"
//% use "ndp_lines_walk.v"
//% use "ndp_lines_formal.vh"
//% local function zeros(n) return n > 0 and n .. "'d0, " or "" end
//% local K = math.max(L.BEAT_W, 1)               -- bits of a beat's number
//% local UP = L.BYTE_W + L.ROW_W + L.HOME_W      -- lowest bit above those of the home
//% local W = L.SPAN + L.SECTOR                   -- bytes of a beat beside a sector
//% local function lanes_of(mask, beat)           -- lanes of a beat that take part
//%     if L.BEATS == 1 then return mask end
//%     local at = L.ALUS > 1 and "{" .. beat .. ", " .. clog2(L.ALUS) .. "'d0}" or beat
//%     return mask .. "[" .. at .. " +: ALUS]"
//% end
//% -- a text for each lane, the highest first
//% local function each(text)
//%     local out = {}
//%     for l = L.ALUS - 1, 0, -1 do out[#out + 1] = (text:gsub("@(%d*)", function(n)
//%         return n == "" and tostring(l) or tostring(l * tonumber(n)) end)) end
//%     return table.concat(out, ", ")
//% end
${header{title = "operands of chains as sectors of a memory", text = [[
Loads and stores of a gate become sectors that a memory is asked for, beside those
of shared memory; what comes becomes the beats that the gate is brought.

    want -> queue -> sectors -+-> register -> req      rsp -+-> register -> back
               home -> queue -+                             +-> queue -> beats -> bring

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; answers of the
memory cannot be refused, and need not be: a sector goes with a place for it.  Fields
are zero while valid is low.

Latency: a want or request that is taken on edge t is at req after t+2; an answer
that comes on t is at back after t, the first beat at bring after t+2.

See docs/blocks/lines.md.]]}}
`default_nettype none

module ${prefix}ndp_lines (
${ports{reg = {"bring_valid", "bring_last", "bring_data", "back_valid", "back_id", "back_data", "back_fault", "req_valid",
               "req_op", "req_id", "req_address", "req_strobe", "req_data", "req_compare", "count_fault"}}}
);
${localparams("ALUS", "ADDR_W", "MASK_W", "LANES_W", "SPAN", "SECTOR", "SADDR_W", "LADDR_W", "HOME_W", "BYTE_W", "DATA_W",
              "PLACE_W", "PLACES", "TAG_W", "MEM_ID_W", "USED_W", "WANTS", "WANT_W", "DUE_W")}

    localparam [USED_W-1:0]  FULL = PLACES[USED_W-1:0];
    localparam [PLACE_W-1:0] BIAS = SPAN[PLACE_W-1:0];

    // ------------------------------------------------------------------
    // The want

    wire              want_shown;
    wire [WANT_W-1:0] want_word;
    wire              want_gone; // leaves on this edge

    ${prefix}ndp_queue #(
        .WIDTH (WANT_W),
        .DEPTH (2)
    ) wants (
        .clk       (clk),
        .rst       (rst),
        .push      (want_valid && want_ready),
        .in_word   ({want_data, want_mask, want_type, want_address, want_store}),
        .can_push  (want_ready),
        .pop       (want_gone),
        .out_valid (want_shown),
        .out_word  (want_word)
    );

    wire [LANES_W-1:0] data;
    wire [MASK_W-1:0]  mask;
    wire [2:0]         kind;
    wire [ADDR_W-1:0]  address;
    wire               store;

    assign {data, mask, kind, address, store} = want_word;

//% local bytes = {S8 = 0, U8 = 0, S16 = 1, U16 = 1}
    // bytes of a lane, as their logarithm
    reg [1:0] wide;

    always @* begin
        case (kind)
//% for code, name in ipairs{"F32", "S32", "U32", "S16", "U16", "S8", "U8"} do
//%     if name:find("16") or name:find("8") then
            3'd${code - 1}:    wide = 2'd${name:find("16") and 1 or 0}; // ${name}
//%     end
//% end
            default: wide = 2'd2;
        endcase
    end

    // where lane 0 is: its byte's sector at this node
//% if L.ADDR_W > 32 then
    wire [31:0]        low    = address[31:0];
    wire               beyond = |address[ADDR_W-1:32];
//% else
    wire [31:0]        low    = ${L.ADDR_W < 32 and "{" .. 32 - L.ADDR_W .. "'d0, address}" or "address"};
    wire               beyond = 1'b0;
//% end
    wire [LADDR_W-1:0] begins = {low[31:${UP}]${L.ROW_W > 0 and ", low[" .. L.BYTE_W + L.ROW_W - 1 .. ":" .. L.BYTE_W .. "]" or ""}};

    // ------------------------------------------------------------------
    // Asking: a step puts what a beat has in a sector to what is gathered

    wire               step; // is made
    wire               midst;
    wire [${pad(K - 1 .. ":0]", 11)} beat;
    wire [PLACE_W-1:0] place;
    wire               beat_ends;
    wire               sector_ends;
    wire               operand_ends;

    ${prefix}ndp_lines_walk asking (
        .clk          (clk),
        .rst          (rst),
        .step         (step),
        .first        (low[BYTE_W-1:0]),
        .wide         (wide),
        .midst        (midst),
        .beat         (beat),
        .place        (place),
        .beat_ends    (beat_ends),
        .sector_ends  (sector_ends),
        .operand_ends (operand_ends)
    );

    wire [ALUS-1:0] part = ${lanes_of("mask", "beat")}; // lanes that take part

    // the beat's bytes, one behind the other
    reg [SPAN-1:0]   beat_strobe;
    reg [8*SPAN-1:0] beat_data;

    always @* begin
        case (wide)
            2'd0: begin
                beat_strobe = {${zeros(3 * L.ALUS)}part};
                beat_data   = {${zeros(24 * L.ALUS)}${each("data[@32 +: 8]")}};
            end
            2'd1: begin
                beat_strobe = {${zeros(2 * L.ALUS)}${each("{2{part[@]}}")}};
                beat_data   = {${zeros(16 * L.ALUS)}${each("data[@32 +: 16]")}};
            end
            default: begin
                beat_strobe = {${each("{4{part[@]}}")}};
                beat_data   = data;
            end
        endcase
    end

    // and where they stand beside the sector: its bytes are the highest ones
    wire [PLACE_W-1:0]   put         = place + BIAS;
    wire [${pad(W - 1 .. ":0]", 13)} wide_strobe = {${zeros(L.SECTOR)}beat_strobe} << put;
    wire [${pad(8 * W - 1 .. ":0]", 13)} wide_data   = {${zeros(8 * L.SECTOR)}beat_data} << {put, 3'd0};

    reg  [LADDR_W-1:0] at_sector; // in the midst
    reg  [SECTOR-1:0]  strobe_before;
    reg  [DATA_W-1:0]  data_before;

    wire [LADDR_W-1:0] sector = midst ? at_sector : begins;
    wire [SECTOR-1:0]  strobe = wide_strobe[${W - 1}:SPAN] | strobe_before;
    wire [DATA_W-1:0]  gathered;

    // bytes without a strobe stay zero
//% for b = 0, L.SECTOR - 1 do
    assign gathered[${8 * b + 7}:${8 * b}] = data_before[${8 * b + 7}:${8 * b}] | (wide_data[${8 * (L.SPAN + b)} +: 8] & {8{wide_strobe[${L.SPAN + b}] && store}});
//% end

    wire due_room;
    wire asked_room;
    reg  [USED_W-1:0] used; // places

    wire asks = sector_ends && strobe != {SECTOR{1'b0}};
    wire able = want_shown && (midst || due_room) && (!sector_ends || asked_room) && !(asks && used == FULL);
    wire line_able = able && asks;
    wire line_go; // its sector goes to the register

    assign step      = able && (!asks || line_go);
    assign want_gone = step && (operand_ends || (store && beat_ends));

    always @(posedge clk) begin
        if (rst) begin
            strobe_before <= {SECTOR{1'b0}};
            data_before   <= {DATA_W{1'b0}};
        end else if (step) begin
            strobe_before <= sector_ends ? {SECTOR{1'b0}} : strobe;
            data_before   <= sector_ends ? {DATA_W{1'b0}} : gathered;
        end
    end

    always @(posedge clk)
        if (step)
            at_sector <= sector_ends ? sector + 1'b1 : sector;

    // ------------------------------------------------------------------
    // Requests of shared memory

    localparam HOME_REQUEST_W = 36 + TAG_W + SADDR_W + SECTOR + DATA_W;

    wire                      home_shown;
    wire [HOME_REQUEST_W-1:0] home_word;
    wire                      home_go; // goes to the register

    ${prefix}ndp_queue #(
        .WIDTH (HOME_REQUEST_W),
        .DEPTH (2)
    ) homes (
        .clk       (clk),
        .rst       (rst),
        .push      (home_valid && home_ready),
        .in_word   ({home_compare, home_data, home_strobe, home_address, home_id, home_op}),
        .can_push  (home_ready),
        .pop       (home_go),
        .out_valid (home_shown),
        .out_word  (home_word)
    );

    wire [31:0]        asked_compare;
    wire [DATA_W-1:0]  asked_data;
    wire [SECTOR-1:0]  asked_strobe;
    wire [SADDR_W-1:0] asked_address;
    wire [TAG_W-1:0]   asked_id;
    wire [3:0]         asked_op;

    assign {asked_compare, asked_data, asked_strobe, asked_address, asked_id, asked_op} = home_word;

    // ------------------------------------------------------------------
    // Which goes to the memory

    reg  line_turn;
    wire open = !req_valid || req_ready;

    assign home_go = open && home_shown && !(line_able && line_turn);
    assign line_go = open && line_able && !(home_shown && !line_turn);

    always @(posedge clk) begin
        if (rst)
            line_turn <= 1'b0;
        else if (home_go || line_go)
            line_turn <= home_go;
    end

    always @(posedge clk) begin
        if (rst || (open && !home_go && !line_go)) begin
            req_valid   <= 1'b0;
            req_op      <= 4'd0;
            req_id      <= {MEM_ID_W{1'b0}};
            req_address <= {SADDR_W{1'b0}};
            req_strobe  <= {SECTOR{1'b0}};
            req_data    <= {DATA_W{1'b0}};
            req_compare <= 32'd0;
        end else if (open) begin
            req_valid   <= 1'b1;
            req_op      <= home_go ? asked_op : {3'd0, store};
            req_id      <= home_go ? {1'b0, asked_id} : {1'b1, {TAG_W{1'b0}}};
            req_address <= home_go ? asked_address : {{HOME_W{beyond}}, sector};
            req_strobe  <= home_go ? asked_strobe : strobe & {SECTOR{store}};
            req_data    <= home_go ? asked_data : gathered;
            req_compare <= home_go ? asked_compare : 32'd0;
        end
    end

    // ------------------------------------------------------------------
    // Answers

    wire is_line = rsp_id[MEM_ID_W-1];
    wire to_line = rsp_valid && is_line;
    wire to_home = rsp_valid && !is_line;

    always @(posedge clk) begin
        count_fault <= !rst && to_line && rsp_fault;
        if (rst || !to_home) begin
            back_valid <= 1'b0;
            back_id    <= {TAG_W{1'b0}};
            back_data  <= {DATA_W{1'b0}};
            back_fault <= 1'b0;
        end else begin
            back_valid <= 1'b1;
            back_id    <= rsp_id[TAG_W-1:0];
            back_data  <= rsp_data;
            back_fault <= rsp_fault;
        end
    end

    wire              brought_shown;
    wire [DATA_W-1:0] brought;
    wire              brought_room; // always
    wire              brought_gone; // leaves on this edge

    ${prefix}ndp_queue #(
        .WIDTH (DATA_W),
        .DEPTH (PLACES)
    ) sectors (
        .clk       (clk),
        .rst       (rst),
        .push      (to_line),
        .in_word   (rsp_data & {DATA_W{!rsp_fault}}),
        .can_push  (brought_room),
        .pop       (brought_gone),
        .out_valid (brought_shown),
        .out_word  (brought)
    );

    wire used_left = brought_gone && brought_shown;

    always @(posedge clk) begin
        if (rst)
            used <= {USED_W{1'b0}};
        else if (line_go != used_left)
            used <= line_go ? used + 1'b1 : used - 1'b1;
    end

    // ------------------------------------------------------------------
    // What is under way: loads and stores, and whether each of their sectors was
    // asked for

    wire             due_shown;
    wire [DUE_W-1:0] due_word;
    wire             due_gone;
    wire             asked_shown;
    wire             was_asked;
    wire             asked_gone;

    ${prefix}ndp_queue #(
        .WIDTH (DUE_W),
        .DEPTH (WANTS)
    ) due (
        .clk       (clk),
        .rst       (rst),
        .push      (step && !midst),
        .in_word   ({mask, low[BYTE_W-1:0], wide, store}),
        .can_push  (due_room),
        .pop       (due_gone),
        .out_valid (due_shown),
        .out_word  (due_word)
    );

    ${prefix}ndp_queue #(
        .WIDTH (1),
        .DEPTH (PLACES)
    ) asked (
        .clk       (clk),
        .rst       (rst),
        .push      (step && sector_ends),
        .in_word   (asks),
        .can_push  (asked_room),
        .pop       (asked_gone),
        .out_valid (asked_shown),
        .out_word  (was_asked)
    );

    // ------------------------------------------------------------------
    // Bringing: a step puts what a sector has of a beat to what is gathered

    wire [MASK_W-1:0]  due_mask;
    wire [BYTE_W-1:0]  due_first;
    wire [1:0]         due_wide;
    wire               due_store;

    assign {due_mask, due_first, due_wide, due_store} = due_word;

    wire               bring_step; // is made
    wire               unused_midst;
    wire [${pad(K - 1 .. ":0]", 11)} bring_beat;
    wire [PLACE_W-1:0] bring_place;
    wire               bring_beat_ends;
    wire               bring_sector_ends;
    wire               bring_operand_ends;

    ${prefix}ndp_lines_walk bringing (
        .clk          (clk),
        .rst          (rst),
        .step         (bring_step),
        .first        (due_first),
        .wide         (due_wide),
        .midst        (unused_midst),
        .beat         (bring_beat),
        .place        (bring_place),
        .beat_ends    (bring_beat_ends),
        .sector_ends  (bring_sector_ends),
        .operand_ends (bring_operand_ends)
    );

    wire [ALUS-1:0] due_part = ${lanes_of("due_mask", "bring_beat")};

    wire bring_open = !bring_valid || bring_ready;
    wire brings     = due_store ? bring_operand_ends : bring_beat_ends;

    assign bring_step   = due_shown && asked_shown && (brought_shown || !was_asked) && (bring_open || !brings);
    assign asked_gone   = bring_step && bring_sector_ends;
    assign brought_gone = asked_gone && was_asked;
    assign due_gone     = bring_step && bring_operand_ends;

    // the beat's bytes, one behind the other
    wire [PLACE_W-1:0] get   = bring_place + BIAS;
    wire [${pad(8 * W - 1 .. ":0]", 11)} beside = {brought, ${8 * L.SPAN}'d0} >> {get, 3'd0};
    wire [8*SPAN-1:0]  bytes = beside[8*SPAN-1:0];

    reg  [LANES_W-1:0] spread; // by lanes
    reg  [LANES_W-1:0] lanes_before;
    wire [LANES_W-1:0] taking; // bits of lanes that take part
    wire [LANES_W-1:0] lanes = lanes_before | (spread & taking & {LANES_W{was_asked && !due_store}});

    always @* begin
        case (due_wide)
            2'd0:    spread = {${each("24'd0, bytes[@8 +: 8]")}};
            2'd1:    spread = {${each("16'd0, bytes[@16 +: 16]")}};
            default: spread = bytes;
        endcase
    end

    assign taking = {${each("{32{due_part[@]}}")}};

    always @(posedge clk) begin
        if (rst || (bring_step && brings))
            lanes_before <= {LANES_W{1'b0}};
        else if (bring_step)
            lanes_before <= lanes;
    end

    always @(posedge clk) begin
        if (rst || (bring_open && !(bring_step && brings))) begin
            bring_valid <= 1'b0;
            bring_last  <= 1'b0;
            bring_data  <= {LANES_W{1'b0}};
        end else if (bring_open) begin
            bring_valid <= 1'b1;
            bring_last  <= bring_operand_ends;
            bring_data  <= lanes;
        end
    end

    wire unused = &{1'b0, want_last, brought_room, unused_midst, beat, bring_beat, low, wide_strobe, wide_data, beside};

${checks()}
`ifdef FORMAL
`include "${prefix}ndp_lines_formal.vh"
`endif
endmodule

`default_nettype wire
