//% use "ndp_round_robin.v"
//% use "ndp_far_pipe_choice_formal.vh"
//% local N, W = L.SUBCORES, clog2(L.SUBCORES)
${header{title = "pipeline of the base die: whose access is shown", text = [[
The port shows what the chosen subcore does.  When that is nothing, or is taken, the next
one that shows something is chosen; without one it stays.

Latency: what a subcore begins to show is at the port no sooner than an edge later, but
of the chosen one.

See docs/blocks/far_pipe.md, Subcores.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_choice (
    input  wire       clk,    // clock
    input  wire       rst,    // synchronous reset, active high
    input  wire ${pad(vec(N), 5)} shows,  // by subcore: it shows something
    input  wire       ready,  // what the port shows is taken
    output reg  ${pad(vec(N), 5)} chosen, // by subcore: it is the chosen one
    output reg  ${pad(range(W), 5)} index   // its number
);
${localparams("SUBCORES")}

    wire [SUBCORES-1:0] others = shows & ~chosen;
    wire                moves  = (ready || (shows & chosen) == {SUBCORES{1'b0}}) &&
                                 others != {SUBCORES{1'b0}};
    wire [SUBCORES-1:0] next;
    wire ${pad(range(W), 14)} next_index;

    // after reset it takes the lowest one: of the others that is the first after 0
    ${prefix}ndp_round_robin #(
        .N       (SUBCORES),
        .INDEX_W (${W})
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (others),
        .take    (moves),
        .chosen  (next),
        .index   (next_index)
    );

    always @(posedge clk) begin
        if (rst) begin
            chosen <= ${hex(N, 1)};
            index  <= ${W}'d0;
        end else if (moves) begin
            chosen <= next;
            index  <= next_index;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_choice_formal.vh"
`endif
endmodule

`default_nettype wire
