//% use "ndp_queue.v"
//% use "ndp_credit_formal.vh"
${header{title = "end of a link with credits", text = [[
A FIFO for words whose sender cannot be told to wait: it holds a credit for each
free place, DEPTH of them after reset, and gets one back for each word that
leaves.

    push -> memory -> output register -> pop
    credit <- register <- a word has left

Parameters:
    WIDTH  bits of a word, 1 or more
    DEPTH  words that it holds, and credits of the sender after reset, 3 or more

Handshake: a word with push_valid is taken on that edge; the sender must have had
a credit.  A cycle with credit_valid gives it one back, for use in that cycle.
pop_data is zero while pop_valid is low.

Latency: a word that comes on edge t is at the output after edge t+1 at the
earliest.  One word a cycle with a DEPTH of three, and one more for each register
on the wires there or back.

See docs/blocks/credit.md.]]}}
`default_nettype none

module ${prefix}ndp_credit #(
    parameter WIDTH = ${L.WIDTH},
    parameter DEPTH = ${L.DEPTH}
) (
    input  wire             clk,          // clock
    input  wire             rst,          // synchronous reset, active high

    // push: words from a sender that holds a credit for each
    input  wire             push_valid,   // a word; cannot be refused
    input  wire [WIDTH-1:0] push_data,    // word

    // credit: credits back to the sender
    output reg              credit_valid, // a word has left

    // pop: the same words, in order
    output wire             pop_valid,    // a word
    input  wire             pop_ready,    // taken
    output wire [WIDTH-1:0] pop_data      // word
);
    wire [WIDTH-1:0] oldest;
    wire             can_push; // always, when the sender keeps its contract

    ${prefix}ndp_queue #(
        .WIDTH (WIDTH),
        .DEPTH (DEPTH - 1)
    ) words (
        .clk       (clk),
        .rst       (rst),
        .push      (push_valid),
        .in_word   (push_data),
        .can_push  (can_push),
        .pop       (pop_ready),
        .out_valid (pop_valid),
        .out_word  (oldest)
    );

    assign pop_data = pop_valid ? oldest : {WIDTH{1'b0}};

    always @(posedge clk) begin
        if (rst)
            credit_valid <= 1'b0;
        else
            credit_valid <= pop_valid && pop_ready;
    end

    wire unused = &{1'b0, can_push};

${checks{must = {{"!push_valid || can_push", "push comes without a credit"}}}}
`ifdef FORMAL
`include "${prefix}ndp_credit_formal.vh"
`endif
endmodule

`default_nettype wire
