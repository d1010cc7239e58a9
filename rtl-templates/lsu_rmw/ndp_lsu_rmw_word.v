//% use "ndp_memory_word.v"
//% use "ndp_lsu_rmw_word_formal.vh"
${header{title = "read-modify-write unit: a lane on a word", text = [[
What a lane gets of a word, and what the word becomes.

Latency: none; a function of its inputs.

See docs/blocks/lsu_rmw.md, What an access says.]]}}
`default_nettype none

module ${prefix}ndp_lsu_rmw_word (
    input  wire [3:0]  op,      // see op
    input  wire [1:0]  size,    // 0 a byte, 1 a half word, else a word
    input  wire        widens,  // a load extends the sign
    input  wire [1:0]  place,   // of a byte in its word; bit 1 of a half word
    input  wire [31:0] old,     // word as it stands
    input  wire [31:0] data,    // what is stored, or the operand
    input  wire [31:0] compare, // of cas
    output wire [31:0] result,  // of the lane
    output wire [3:0]  bytes,   // that a store writes
    output wire        changes, // the word becomes value
    output wire [31:0] value
);
    wire loads   = op == 4'd0;
    wire stores  = op == 4'd1;
    wire is_byte = size == 2'd0;
    wire is_half = size == 2'd1;

    // ------------------------------------------------------------------
    // A part of the word

    wire [15:0] part  = place[1] ? old[31:16] : old[15:0];
    wire [7:0]  eight = place[0] ? part[15:8] : part[7:0];
    wire        sign  = widens && (is_byte ? eight[7] : part[15]);
    wire [31:0] got   = is_byte ? {{24{sign}}, eight} : is_half ? {{16{sign}}, part} : old;

    assign result = loads ? got : old;

    // ------------------------------------------------------------------
    // A part becomes the operand's lowest

    wire [31:0] copies = is_byte ? {4{data[7:0]}} : is_half ? {2{data[15:0]}} : data;

    assign bytes = is_byte ? 4'b0001 << place : is_half ? {{2{place[1]}}, {2{!place[1]}}} : 4'b1111;

    genvar i;

    wire [31:0] merged;

    generate
        for (i = 0; i < 4; i = i + 1) begin : part_of
            assign merged[8*i +: 8] = bytes[i] ? copies[8*i +: 8] : old[8*i +: 8];
        end
    endgenerate

    // ------------------------------------------------------------------
    // Atomics

    wire        keeps;
    wire [31:0] atomic;

    ${prefix}ndp_memory_word word (
        .op      (op),
        .old     (old),
        .data    (data),
        .compare (compare),
        .keeps   (keeps),
        .value   (atomic)
    );

    assign changes = stores || (!loads && !keeps);
    assign value   = stores ? merged : atomic;

`ifdef FORMAL
`include "${prefix}ndp_lsu_rmw_word_formal.vh"
`endif
endmodule

`default_nettype wire
