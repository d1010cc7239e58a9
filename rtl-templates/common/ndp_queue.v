//% use "ndp_ram.v"
//% use "ndp_queue_formal.vh"
${header{title = "queue with a registered output", text = [[
A memory of DEPTH words and, behind it, an output register: the memory may be a
block RAM, and the consumer sees a register.

Parameters:
    WIDTH  bits of a word, 1 or more
    DEPTH  words in the memory, 1 or more; the output holds one more

Handshake:
    push   only while can_push; the word enters the memory on this edge
    pop    out_word has been used; ignored while out_valid is low
can_push and out_valid are functions of registers only.

Latency: a word pushed on edge t is at the output after edge t+1 at the
earliest.  One push and one pop a cycle.

out_word means nothing while out_valid is low.]]}}
`default_nettype none

module ${prefix}ndp_queue #(
    parameter WIDTH = 8,
    parameter DEPTH = 4
) (
    input  wire             clk,       // clock
    input  wire             rst,       // synchronous reset, active high
    input  wire             push,      // store in_word
    input  wire [WIDTH-1:0] in_word,   // word to store
    output wire             can_push,  // the memory has room
    input  wire             pop,       // out_word has been used
    output reg              out_valid, // out_word is the oldest word
    output wire [WIDTH-1:0] out_word   // the oldest word
);
    localparam WORDS   = DEPTH > 1 ? DEPTH : 2; // an address needs one bit
    localparam ADDR_W  = $clog2(WORDS);
    localparam COUNT_W = $clog2(DEPTH + 1);

    localparam [ADDR_W-1:0]  LAST = DEPTH[ADDR_W-1:0] - 1'b1;
    localparam [COUNT_W-1:0] FULL = DEPTH[COUNT_W-1:0];

    reg [ADDR_W-1:0]  head;  // next word to leave the memory
    reg [ADDR_W-1:0]  tail;  // next word to be written
    reg [COUNT_W-1:0] count; // words in the memory

    wire load = count != 0 && (!out_valid || pop);

    assign can_push = count != FULL;

    ${prefix}ndp_ram #(
        .WIDTH     (WIDTH),
        .WORDS     (WORDS),
        .ADDRESS_W (ADDR_W)
    ) memory (
        .clk     (clk),
        .wr_en   (push),
        .wr_addr (tail),
        .wr_data (in_word),
        .rd_en   (load),
        .rd_addr (head),
        .rd_data (out_word)
    );

    always @(posedge clk) begin
        if (rst) begin
            head  <= {ADDR_W{1'b0}};
            tail  <= {ADDR_W{1'b0}};
            count <= {COUNT_W{1'b0}};
        end else begin
            if (load)
                head <= head == LAST ? {ADDR_W{1'b0}} : head + 1'b1;
            if (push)
                tail <= tail == LAST ? {ADDR_W{1'b0}} : tail + 1'b1;
            if (push && !load)
                count <= count + 1'b1;
            else if (load && !push)
                count <= count - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst)
            out_valid <= 1'b0;
        else if (load)
            out_valid <= 1'b1;
        else if (pop)
            out_valid <= 1'b0;
    end

`ifdef FORMAL
`include "${prefix}ndp_queue_formal.vh"
`endif
endmodule

`default_nettype wire
