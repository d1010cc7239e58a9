//% use "ndp_ram.v"
//% use "ndp_offload_queue_formal.vh"
${header{title = "offload controller: queue of words that come early", text = [[
A queue with a registered output, as ndp_queue, for words that are known before
it is known whether they are pushed: the word is written behind the last one
whenever there may be a push, and the push only moves the end.

Parameters:
    WIDTH  bits of a word, 1 or more
    DEPTH  words in the memory, 2 or more; the output holds one more

Handshake:
    offer  in_word may be pushed on this edge; only with less than DEPTH words
           in the memory
    push   it is; needs offer
    pop    out_word has been used; ignored while out_valid is low

Latency: a word pushed on edge t is at the output after edge t+1 at the
earliest.  One push and one pop a cycle.]]}}
`default_nettype none

module ${prefix}ndp_offload_queue #(
    parameter WIDTH = 8,
    parameter DEPTH = 4
) (
    input  wire             clk,       // clock
    input  wire             rst,       // synchronous reset, active high
    input  wire             offer,     // in_word may be pushed
    input  wire             push,      // it is, known late in the cycle
    input  wire [WIDTH-1:0] in_word,   // word to store
    input  wire             pop,       // out_word has been used
    output reg              out_valid, // out_word is the oldest word
    output wire [WIDTH-1:0] out_word   // the oldest word
);
    localparam ADDR_W  = $clog2(DEPTH);
    localparam COUNT_W = $clog2(DEPTH + 1);

    localparam [ADDR_W-1:0] LAST = DEPTH[ADDR_W-1:0] - 1'b1;

    reg [ADDR_W-1:0]  head;  // next word to leave the memory
    reg [ADDR_W-1:0]  tail;  // next word to be written
    reg [COUNT_W-1:0] count; // words in the memory

    wire load = count != 0 && (!out_valid || pop);

    ${prefix}ndp_ram #(
        .WIDTH     (WIDTH),
        .WORDS     (DEPTH),
        .ADDRESS_W (ADDR_W)
    ) memory (
        .clk     (clk),
        .wr_en   (offer),
        .wr_addr (tail),
        .wr_data (in_word),
        .rd_en   (load),
        .rd_addr (head),
        .rd_data (out_word)
    );

    // A push is known late: the bits that it would flip are prepared.
    wire [COUNT_W-1:0] count_flips = count ^ (load ? count - 1'b1
                                                   : count + 1'b1);
    wire [ADDR_W-1:0]  tail_flips  = tail ^ (tail == LAST ? {ADDR_W{1'b0}}
                                                          : tail + 1'b1);

    always @(posedge clk) begin
        if (rst) begin
            head  <= {ADDR_W{1'b0}};
            tail  <= {ADDR_W{1'b0}};
            count <= {COUNT_W{1'b0}};
        end else begin
            if (load)
                head <= head == LAST ? {ADDR_W{1'b0}} : head + 1'b1;
            tail  <= tail ^ (tail_flips & {ADDR_W{push}});
            count <= count ^ (count_flips & {COUNT_W{push ^ load}});
        end
    end

    always @(posedge clk) begin
        if (rst)
            out_valid <= 1'b0;
        else
            out_valid <= load || (out_valid && !pop);
    end

`ifdef FORMAL
`include "${prefix}ndp_offload_queue_formal.vh"
`endif
endmodule

`default_nettype wire
