//% use "ndp_oqueue_build_formal.vh"
//% use "ndp_lowest.v"
//% use "ndp_packet_pack.v"
${header{title = "builder of an offload queue", text = [[
Records the instructions of one chain, finds its pattern, asks for the node where it
meets, and hands it to the packer, or lets its loads go one by one.

    op -> chain -> pattern -> meet ... met -> packer -> send
                                          +-> load

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: see docs/blocks/oqueue.md.

What happens to the entries is told by pulses, on the edge on which it does:
free_take, free_back and waits.]]}}
`default_nettype none

module ${prefix}ndp_oqueue_build (
    input  wire         clk,           // clock
    input  wire         rst,           // synchronous reset, active high
    input  wire [1:0]   mode,          // setting
    input  wire ${pad(range(L.NODE_W), 7)} at_core,       // where the core stands

    // op: instructions of chains
    input  wire         op_valid,      // an instruction
    output wire         op_ready,      // taken
    input  wire [1:0]   op_tag,        // 1 first, 2 inside, 3 last
    input  wire [1:0]   op_kind,       // load, operation, comparison, store
    input  wire ${pad(range(L.WAVE_W), 7)} op_wave,       // wavefront
    input  wire ${pad(range(L.MASK_W), 7)} op_mask,       // lanes that take part
    input  wire         op_hit,        // in the L1
    input  wire ${pad(range(L.ADDR_W), 7)} op_address,    // of lane 0
    input  wire ${pad(range(L.MEM_W), 7)} op_mem,        // memory node
    input  wire [3:0]   op_code,       // operation, or comparison
    input  wire [2:0]   op_type,       // type of the data
    input  wire         op_reversed,   // operands the other way round
    input  wire         op_fused,      // a multiply-add
    input  wire         op_has_imm,    // one operand is an immediate
    input  wire [31:0]  op_imm,        // immediate

    // said: one answer to each of them
    output reg          said_valid,    // an answer
    output reg  ${pad(range(L.WAVE_W), 7)} said_wave,     // wavefront
    output reg  ${pad(range(L.ENTRY_W), 7)} said_entry,    // of WAITS
    output reg  [1:0]   said_what,     // what the core does

    // load: loads of chains that do not leave
    output reg          load_valid,    // a load
    input  wire         load_ready,    // taken
    output wire ${pad(range(L.WAVE_W), 7)} load_wave,     // wavefront
    output wire         load_second,   // the second load
    output wire ${pad(range(L.ADDR_W), 7)} load_address,  // of lane 0
    output wire ${pad(range(L.MEM_W), 7)} load_mem,      // memory node
    output wire ${pad(range(L.MASK_W), 7)} load_mask,     // lanes that take part

    // meet, met: where the chain meets
    output reg          meet_valid,    // a lookup
    output reg  ${pad(range(L.NODE_W), 7)} meet_core,     // the core
    output wire ${pad(range(L.MEM_W), 7)} meet_mem0,     // memory of the first load
    output wire ${pad(range(L.MEM_W), 7)} meet_mem1,     // of the second
    input  wire         met_valid,     // its answer
    input  wire         met_found,     // there is a node
    input  wire ${pad(range(L.NODE_W), 7)} met_node,      // the node

    // send: ComputePackets, flit by flit
    output wire         send_valid,    // a flit
    input  wire         send_ready,    // taken
    output wire         send_last,     // last of its packet
    output wire ${pad(range(L.NODE_W), 7)} send_node,     // node where the packet goes
    output wire ${pad(range(L.FLIT_W), 7)} send_data,     // data

    // entries
    input  wire ${pad(range(L.ENTRIES), 7)} free,          // bit i: entry i is free
    output wire ${pad(range(L.ENTRIES), 7)} free_take,     // becomes busy
    output wire ${pad(range(L.ENTRIES), 7)} free_back,     // becomes free
    output wire         waits,         // an entry begins to wait for answers,
    output reg  ${pad(range(L.ENTRY_W), 7)} entry,         // this one
    output reg  ${pad(range(L.WAVE_W), 7)} wave,          // with this wavefront,
    output reg  ${pad(range(L.MASK_W), 7)} mask,          // these lanes,
    output reg          two,           // and two loads

    // what is counted
    output wire         count_begun,   // a first load takes an entry
    output wire         count_hits,    // an L1 hit
    output wire         count_full,    // no free entry
    output wire         count_misfits, // no pattern
    output wire         count_unmet,   // no able node
    output wire         count_masked   // a packet with a mask
);
${localparams("NODE_W", "MEM_W", "ADDR_W", "WAVE_W", "ENTRY_W", "ENTRIES", "MASK_W")}

    localparam [1:0] LOAD    = 2'd0; // kinds
    localparam [1:0] ALU     = 2'd1;
    localparam [1:0] COMPARE = 2'd2;

    localparam [1:0] LAST = 2'd3; // tag

    localparam [1:0] TAKEN  = 2'd0; // what is said
    localparam [1:0] NORMAL = 2'd1;
    localparam [1:0] WAITS  = 2'd2;
    localparam [1:0] SINGLE = 2'd3;

    localparam [3:0] ADD = 4'd1; // operations
    localparam [3:0] MUL = 4'd3;
    localparam [3:0] NEG = 4'd12;
    localparam [3:0] ABS = 4'd13;
    localparam [3:0] NOT = 4'd14;

    localparam [1:0] LLC     = 2'd1; // modes
    localparam [1:0] OMNI    = 2'd2;
    localparam [1:0] LLC_ALL = 2'd3;

    // ------------------------------------------------------------------
    // The chain

    reg [ADDR_W-1:0] a;
    reg [ADDR_W-1:0] b;
    reg [ADDR_W-1:0] c;
    reg [MEM_W-1:0]  meet_0;  // memory of a
    reg [MEM_W-1:0]  meet_1;  // of b; of a, too, while there is no b
    reg [1:0]        alus;
    reg              compares;
    reg              stores;
    reg              away;   // at another memory node than that of a
    reg              broken;  // the order is no pattern's
    reg [3:0]        f;
    reg [3:0]        g;
    reg [2:0]        kind;    // type of the data
    reg              f_reversed;
    reg              g_reversed;
    reg              f_imm;   // f or h has the immediate
    reg              g_imm;
    reg              fused;
    reg [31:0]       imm;

    // ------------------------------------------------------------------
    // Phases

    localparam [2:0] IDLE     = 3'd0;
    localparam [2:0] BUILDING = 3'd1;
    localparam [2:0] CHECK    = 3'd2;
    localparam [2:0] ASK      = 3'd3;
    localparam [2:0] PACK     = 3'd4;
    localparam [2:0] LOADS    = 3'd5;

    reg [2:0] phase;

    wire [3:0] pattern; // of what has been recorded, 0: none
    wire       pack_ready;

    assign op_ready = phase == IDLE || phase == BUILDING;

    wire op     = op_valid && op_ready;
    wire first  = op && phase == IDLE;
    wire on     = mode != 2'd0;
    wire begun  = first && on && !op_hit && free != {ENTRIES{1'b0}};
    wire next   = op && phase == BUILDING;
    wire hit    = next && op_kind == LOAD && op_hit;
    wire third  = next && op_kind == LOAD && !op_hit && two; // no pattern has it
    wire drop   = hit || third;
    wire add    = next && !drop;
    wire last   = add && op_tag == LAST;
    wire misfit = phase == CHECK && pattern == 4'd0;
    wire same   = meet_0 == meet_1;
    wire able   = met_found && (mode == OMNI || (mode == LLC && same) ||
                                (mode == LLC_ALL && same && !away));
    wire met    = phase == ASK && met_valid;
    wire unmet  = met && !able;
    wire pack   = phase == PACK && pack_ready;

    reg goes_a; // loads that are still to go one by one
    reg goes_b;

    wire leave  = drop || misfit || unmet; // the loads go one by one
    wire moves  = phase == LOADS && (!load_valid || load_ready);
    wire gone   = moves && !goes_a && !goes_b;

    always @(posedge clk) begin
        if (rst || gone || pack)
            phase <= IDLE;
        else if (begun)
            phase <= BUILDING;
        else if (leave)
            phase <= LOADS;
        else if (last)
            phase <= CHECK;
        else if (phase == CHECK)
            phase <= ASK;
        else if (met)
            phase <= PACK;
    end

    // ------------------------------------------------------------------
    // Entries

    wire [ENTRIES-1:0] lowest;
    wire [ENTRY_W-1:0] lowest_index;

    ${prefix}ndp_lowest #(
        .N       (ENTRIES),
        .INDEX_W (ENTRY_W)
    ) choice (
        .set   (free),
        .first (lowest),
        .index (lowest_index)
    );

    reg [ENTRIES-1:0] entry_bit; // of entry

    always @(posedge clk) begin
        if (begun) begin
            entry     <= lowest_index;
            entry_bit <= lowest;
        end
    end

    assign free_take = begun ? lowest : {ENTRIES{1'b0}};
    assign free_back = leave ? entry_bit : {ENTRIES{1'b0}};
    assign waits     = pack;

    // ------------------------------------------------------------------
    // What is recorded

    wire is_load    = op_kind == LOAD;
    wire is_alu     = op_kind == ALU;
    wire is_compare = op_kind == COMPARE;
    wire is_store   = !is_load && !is_alu && !is_compare;

    always @(posedge clk) begin
        if (begun) begin
            wave   <= op_wave;
            mask   <= op_mask;
            a      <= op_address;
            meet_0 <= op_mem;
        end
        if (begun || (add && is_load))
            meet_1 <= op_mem;
        if (begun)
            two <= 1'b0;
        else if (add && is_load)
            two <= 1'b1;
        if (add && is_load)
            b <= op_address;
        if (add && is_store)
            c <= op_address;
        if (begun || (add && !is_store))
            kind <= op_type;
        if (add && op_has_imm && (is_alu || is_compare))
            imm <= op_imm;
    end

    always @(posedge clk) begin
        if (begun) begin
            alus       <= 2'd0;
            compares   <= 1'b0;
            stores     <= 1'b0;
            away       <= 1'b0;
            broken     <= 1'b0;
            f          <= 4'd0;
            f_reversed <= 1'b0;
            f_imm      <= 1'b0;
            g          <= 4'd0;
            g_reversed <= 1'b0;
            g_imm      <= 1'b0;
            fused      <= 1'b0;
        end else if (add) begin
            if (is_load)
                broken <= broken || alus != 2'd0 || stores;
            if (is_alu) begin
                broken     <= broken || alus[1] || (alus[0] && op_fused) || compares ||
                              stores;
                alus       <= op_fused || alus != 2'd0 ? 2'd2 : 2'd1;
                fused      <= fused || op_fused;
                f          <= op_fused ? ADD : op_code;
                f_reversed <= op_reversed;
                f_imm      <= op_has_imm && !op_fused;
                g          <= op_fused ? MUL : f;
                g_reversed <= f_reversed && !op_fused;
                g_imm      <= op_fused ? op_has_imm : f_imm;
            end
            if (is_compare) begin
                broken     <= broken || alus != 2'd0 || compares || stores;
                compares   <= 1'b1;
                f          <= op_code;
                f_reversed <= op_reversed;
                f_imm      <= op_has_imm;
            end
            if (is_store) begin
                broken <= broken || stores;
                stores <= 1'b1;
                away   <= op_mem != meet_0;
            end
        end
    end

    // ------------------------------------------------------------------
    // Its pattern

    wire unary  = f == NEG || f == ABS || f == NOT;
    wire plain  = alus == 2'd0 && !compares;
    wire one    = alus == 2'd1 && !compares;
    wire pair   = alus[1] && !compares;
    wire in_b   = c == b;
    wire binary = one && two && !unary && !f_imm;
    wire both   = pair && two && !unary && !f_imm && g_imm;

    assign pattern = broken                                         ? 4'd0 :
                     binary && stores && !in_b                      ? 4'd1 :
                     binary && !stores                              ? 4'd2 :
                     plain && !two && stores                        ? 4'd3 :
                     binary                                         ? 4'd4 :
                     one && !two && unary && !f_imm && stores       ? 4'd4 :
                     compares && two && !f_imm && !stores           ? 4'd5 :
                     compares && !two && f_imm && !stores           ? 4'd6 :
                     one && !two && !unary && f_imm && stores       ? 4'd7 :
                     both                                           ? {3'b100, stores} :
                                                                      4'd0;

    // ------------------------------------------------------------------
    // Where it meets

    reg [NODE_W-1:0] node;

    always @(posedge clk) begin
        if (met)
            node <= met_node;
    end

    always @(posedge clk) begin
        if (rst || phase != CHECK || misfit) begin
            meet_valid <= 1'b0;
            meet_core  <= {NODE_W{1'b0}};
        end else begin
            meet_valid <= 1'b1;
            meet_core  <= at_core;
        end
    end

    assign meet_mem0 = meet_valid ? meet_0 : {MEM_W{1'b0}};
    assign meet_mem1 = meet_valid ? meet_1 : {MEM_W{1'b0}};

    // ------------------------------------------------------------------
    // It leaves

    ${prefix}ndp_packet_pack packer (
        .clk              (clk),
        .rst              (rst),
        .chain_valid      (phase == PACK),
        .chain_ready      (pack_ready),
        .chain_pattern    (pattern),
        .chain_f          (f),
        .chain_g          (g),
        .chain_type       (kind),
        .chain_f_reversed (f_reversed),
        .chain_g_reversed (g_reversed),
        .chain_fused      (fused),
        .chain_core       (at_core),
        .chain_wave       (wave),
        .chain_entry      (entry),
        .chain_node       (node),
        .chain_imm        (imm),
        .chain_a          (a),
        .chain_b          (b),
        .chain_c          (c),
        .chain_mask       (mask),
        .send_valid       (send_valid),
        .send_ready       (send_ready),
        .send_last        (send_last),
        .send_node        (send_node),
        .send_data        (send_data)
    );

    // ------------------------------------------------------------------
    // Or its loads go one by one

    reg second; // what is shown is b

    always @(posedge clk) begin
        if (rst) begin
            goes_a <= 1'b0;
            goes_b <= 1'b0;
        end else if (leave) begin
            goes_a <= 1'b1;
            goes_b <= two;
        end else if (moves) begin
            goes_a <= 1'b0;
            goes_b <= goes_a && goes_b;
        end
    end

    always @(posedge clk) begin
        if (rst)
            load_valid <= 1'b0;
        else if (moves)
            load_valid <= !gone;
        if (moves)
            second <= !goes_a;
    end

    assign load_wave    = load_valid ? wave : {WAVE_W{1'b0}};
    assign load_second  = load_valid && second;
    assign load_address = load_second ? b : load_valid ? a : {ADDR_W{1'b0}};
    assign load_mem     = load_second ? meet_1 : load_valid ? meet_0 : {MEM_W{1'b0}};
    assign load_mask    = load_valid ? mask : {MASK_W{1'b0}};

    // ------------------------------------------------------------------
    // What the core is told

    wire says = first || (next && !last) || misfit || unmet || pack;

    always @(posedge clk) begin
        if (rst || !says) begin
            said_valid <= 1'b0;
            said_wave  <= {WAVE_W{1'b0}};
            said_entry <= {ENTRY_W{1'b0}};
            said_what  <= TAKEN;
        end else begin
            said_valid <= 1'b1;
            said_wave  <= first ? op_wave : wave;
            said_entry <= pack ? entry : {ENTRY_W{1'b0}};
            said_what  <= pack            ? WAITS :
                          misfit || unmet ? SINGLE :
                          begun || add    ? TAKEN :
                                            NORMAL;
        end
    end

    // ------------------------------------------------------------------
    // What is counted

    assign count_begun   = begun;
    assign count_hits    = (first && on && op_hit) || hit;
    assign count_full    = first && on && !op_hit && free == {ENTRIES{1'b0}};
    assign count_misfits = misfit || third;
    assign count_unmet   = unmet;
    assign count_masked  = pack && mask != {MASK_W{1'b1}};

`ifdef FORMAL
`include "${prefix}ndp_oqueue_build_formal.vh"
`endif
endmodule

`default_nettype wire
