//% use "ndp_ram.v"
//% use "ndp_binder_ends_formal.vh"
//% local function r(w) return pad(range(w), 8) end
//% local waves, entries = 1 << L.WAVE_W, 1 << L.ENTRY_W
//% local function field(from, name)
//%     local f = record.chain[name]
//%     return from .. (f.width > 1 and "[" .. f.msb .. ":" .. f.lsb .. "]" or "[" .. f.lsb .. "]")
//% end
${header{title = "binder: chains that wait", text = [[
What is kept of chains that wait, the passes of their results, and their ends.

    result -> wavefront of the entry -> chain of the wavefront -> passes -> put
    done -> chain of the wavefront -> bits -> put
                             | -> go

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; go is taken on an edge
on which the builder has no news.  Fields of put are zero while valid is low.

Latency: the first pass of a result is taken three edges after it came, a pass every
second edge; go of an end that is taken on edge t is high on edge t+2 at the earliest.

See docs/blocks/binder.md.]]}}
`default_nettype none

module ${prefix}ndp_binder_ends (
    input  wire          clk,           // clock
    input  wire          rst,           // synchronous reset, active high

    // a chain begins to wait
    input  wire          waits,         // on this edge,
    input  wire ${r(L.ENTRY_W)} entry,         // with this entry,
    input  wire ${r(L.WAVE_W)} warp,          // this wavefront
    input  wire ${r(L.CHAIN_W)} chain,         // and this to be kept

    // result: data from the gate
    input  wire          result_valid,  // a pass
    output wire          result_ready,  // taken
    input  wire          result_last,   // last of its operand
    input  wire ${r(L.ENTRY_W)} result_entry,  // entry
    input  wire          result_loaded, // a load that came back
    input  wire          result_second, // the second one
    input  wire ${r(L.DATA_W)} result_data,   // its lanes

    // done: chains that have ended
    input  wire          done_valid,    // a chain
    output wire          done_ready,    // taken
    input  wire ${r(L.WAVE_W)} done_wave,     // wavefront
    input  wire [1:0]    done_how,      // how
    input  wire ${r(L.MASK_W)} done_mask,     // lanes that took part
    input  wire ${r(L.MASK_W)} done_bits,     // of a bitmap

    // put: results for registers and predicates
    output reg           put_valid,     // a pass
    input  wire          put_ready,     // taken
    output reg           put_last,      // the last one
    output reg  ${r(L.WAVE_W)} put_warp,      // warp
    output reg  ${r(L.PC_W)} put_pc,        // instruction
    output reg           put_pred,      // a predicate
    output reg  [5:0]    put_d,         // register, or predicate
    output reg  ${r(L.MASK_W)} put_mask,      // lanes that get it
    output reg  ${r(L.DATA_W)} put_data,      // values

    // go: how the core goes on
    input  wire          news,          // the builder has some: not on this edge
    output wire          go,            // a chain is over, on this edge
    output wire ${r(L.WAVE_W)} go_warp,       // its warp
    output wire          go_alone,      // it carries its words out by itself
    output wire ${r(L.PC_W)} go_pc,         // where it goes on

    output wire          any            // a chain waits
);
${localparams("WAVE_W", "PC_W", "MASK_W", "ALUS", "DATA_W", "PASS_W", "CHAIN_W", "ENTRY_W")}

    localparam [1:0] BITMAP = 2'd${code.answer.BITMAP}; // how a chain ended
    localparam [1:0] LOADED = 2'd${code.answer.LOADED};

    // ------------------------------------------------------------------
    // How many wait

    // more than there are entries, as one is free before its end is told
    reg [WAVE_W:0] waiting;

    always @(posedge clk) begin
        if (rst)
            waiting <= {WAVE_W+1{1'b0}};
        else if (waits && !go)
            waiting <= waiting + 1'b1;
        else if (go && !waits)
            waiting <= waiting - 1'b1;
    end

    assign any = waiting != {WAVE_W+1{1'b0}};

    // ------------------------------------------------------------------
    // What is kept of each, once for results and once for ends

    localparam [1:0] R_IDLE    = 2'd0; // phases of results
    localparam [1:0] R_ENTRY   = 2'd1;
    localparam [1:0] R_CHAIN   = 2'd2;
    localparam [1:0] R_PASSING = 2'd3;

    localparam [2:0] E_IDLE   = 3'd0; // phases of ends
    localparam [2:0] E_LOOK   = 3'd1;
    localparam [2:0] E_BITS   = 3'd2;
    localparam [2:0] E_SETTLE = 3'd3;
    localparam [2:0] E_LEAVE  = 3'd4;

    reg [1:0] r_phase;
    reg [2:0] e_phase;

    wire               comes = r_phase == R_IDLE && result_valid;
    wire               take  = done_valid && done_ready;
    wire [WAVE_W-1:0]  r_wave;
    wire [CHAIN_W-1:0] r_chain;
    wire [CHAIN_W-1:0] e_chain;

    ${prefix}ndp_ram #(
        .WIDTH     (WAVE_W),
        .WORDS     (${entries}),
        .ADDRESS_W (ENTRY_W)
    ) waves (
        .clk     (clk),
        .wr_en   (waits),
        .wr_addr (entry),
        .wr_data (warp),
        .rd_en   (comes),
        .rd_addr (result_entry),
        .rd_data (r_wave)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (CHAIN_W),
        .WORDS     (${waves}),
        .ADDRESS_W (WAVE_W)
    ) r_chains (
        .clk     (clk),
        .wr_en   (waits),
        .wr_addr (warp),
        .wr_data (chain),
        .rd_en   (r_phase == R_ENTRY),
        .rd_addr (r_wave),
        .rd_data (r_chain)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (CHAIN_W),
        .WORDS     (${waves}),
        .ADDRESS_W (WAVE_W)
    ) e_chains (
        .clk     (clk),
        .wr_en   (waits),
        .wr_addr (warp),
        .wr_data (chain),
        .rd_en   (take),
        .rd_addr (done_wave),
        .rd_data (e_chain)
    );

    wire [PC_W-1:0]   r_first  = ${field("r_chain", "first")};
    wire [2:0]        r_words  = ${field("r_chain", "words")};
    wire [5:0]        r_load_0 = ${field("r_chain", "load_0")};
    wire [5:0]        r_load_1 = ${field("r_chain", "load_1")};
    wire [5:0]        r_result = ${field("r_chain", "result")};
    wire [MASK_W-1:0] r_mask   = ${field("r_chain", "mask")};
    wire [PC_W-1:0]   r_behind = r_first + {${L.PC_W - 3}'d0, r_words};

    wire [PC_W-1:0]   e_first  = ${field("e_chain", "first")};
    wire [2:0]        e_words  = ${field("e_chain", "words")};
    wire              e_two    = ${field("e_chain", "two")};
    wire [5:0]        e_result = ${field("e_chain", "result")};
    wire [PC_W-1:0]   e_behind = e_first + {${L.PC_W - 3}'d0, e_words};

    // ------------------------------------------------------------------
    // Ends

    reg [WAVE_W-1:0] e_wave;
    reg [1:0]        how;
    reg [MASK_W-1:0] lanes;
    reg [MASK_W-1:0] bits;  // the lowest ones are those of the next pass
    reg [PASS_W-1:0] pass;

    assign done_ready = e_phase == E_IDLE;

    wire held      = e_phase == E_BITS || e_phase == E_SETTLE ||
                     (e_phase == E_LOOK && how == BITMAP); // results wait
    wire passing   = r_phase == R_PASSING;
    wire empty     = !put_valid || put_ready;
    wire show_bits = e_phase == E_BITS && empty;
    wire last_bits = pass == ${hex(L.PASSES > 1 and clog2(L.PASSES) or 1, L.PASSES - 1)};
    wire settled   = e_phase == E_SETTLE && !put_valid && put_ready;
    wire own       = put_valid && put_warp == e_wave; // its last pass

    assign go       = e_phase == E_LEAVE && !own && !news;
    assign go_warp  = e_wave;
    assign go_alone = how == LOADED;
    assign go_pc    = how == LOADED ? e_first + {${L.PC_W - 2}'d0, e_two, !e_two} : e_behind;

    always @(posedge clk) begin
        if (rst || go)
            e_phase <= E_IDLE;
        else if (take)
            e_phase <= E_LOOK;
        else if (e_phase == E_LOOK && how != BITMAP)
            e_phase <= E_LEAVE;
        else if (e_phase == E_LOOK && !passing)
            e_phase <= E_BITS;
        else if (show_bits && last_bits)
            e_phase <= E_SETTLE;
        else if (settled)
            e_phase <= E_LEAVE;
    end

    always @(posedge clk) begin
        if (take) begin
            e_wave <= done_wave;
            how    <= done_how;
            lanes  <= done_mask;
            bits   <= done_bits;
            pass   <= {PASS_W{1'b0}};
        end else if (show_bits) begin
            bits   <= bits >> ALUS;
            pass   <= pass + 1'b1;
        end
    end

    // ------------------------------------------------------------------
    // Results

    assign result_ready = passing && !put_valid;

    wire show = result_valid && result_ready;

    always @(posedge clk) begin
        if (rst)
            r_phase <= R_IDLE;
        else if (comes)
            r_phase <= R_ENTRY;
        else if (r_phase == R_ENTRY)
            r_phase <= R_CHAIN;
        else if (r_phase == R_CHAIN && !held)
            r_phase <= R_PASSING;
        else if (show && result_last)
            r_phase <= R_IDLE;
    end

    wire back_0 = result_loaded && !result_second; // a load that came back
    wire back_1 = result_loaded && result_second;

    wire [PC_W-1:0] r_pc = back_0 ? r_first : back_1 ? r_first + 1'b1 : r_behind - 1'b1;
    wire [5:0]      r_d  = back_0 ? r_load_0 : back_1 ? r_load_1 : r_result;

    wire unused = &{1'b0, ${field("r_chain", "two")}, ${field("e_chain", "load_0")}, ${field("e_chain", "load_1")}, ${field("e_chain", "mask")}};

    // ------------------------------------------------------------------
    // Passes

    reg [DATA_W-1:0] spread; // a lane each of the next bits

    integer i;

    always @* begin
        spread = {DATA_W{1'b0}};
        for (i = 0; i < ALUS; i = i + 1)
            spread[32*i] = bits[i];
    end

    always @(posedge clk) begin
        if (rst || (put_ready && !show && !show_bits)) begin
            put_valid <= 1'b0;
            put_last  <= 1'b0;
            put_warp  <= {WAVE_W{1'b0}};
            put_pc    <= {PC_W{1'b0}};
            put_pred  <= 1'b0;
            put_d     <= 6'd0;
            put_mask  <= {MASK_W{1'b0}};
            put_data  <= {DATA_W{1'b0}};
        end else if (show) begin
            put_valid <= 1'b1;
            put_last  <= result_last;
            put_warp  <= r_wave;
            put_pc    <= r_pc;
            put_pred  <= 1'b0;
            put_d     <= r_d;
            put_mask  <= r_mask;
            put_data  <= result_data;
        end else if (show_bits) begin
            put_valid <= 1'b1;
            put_last  <= last_bits;
            put_warp  <= e_wave;
            put_pc    <= e_behind - 1'b1;
            put_pred  <= 1'b1;
            put_d     <= e_result;
            put_mask  <= lanes;
            put_data  <= spread;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_binder_ends_formal.vh"
`endif
endmodule

`default_nettype wire
