//% use "ndp_simt_builder_formal.vh"
//% local AW = pad(range(L.WARP_W), 6)
//% local AV = pad(range(L.WARPS), 6)
${header{title = "SIMT core: whose chain is offered", text = [[
Which instructions are words of an offload chain that are offered, not carried out:
all of the warp whose chain is being built, and the first one of a chain of a warp
that does not carry it out by itself.

    nobody -> the warp of a first word -> ... -> freed: nobody

Its next word follows at once, before any other warp's.

Latency: changes stand after their edge.

See docs/blocks/simt.md, Chains.]]}}
`default_nettype none

module ${prefix}ndp_simt_builder (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high
    input  wire        start,      // a launch begins

    // an instruction in stage F
    input  wire ${AW} warp,       // of this warp
    input  wire [3:0]  chain,      // what it is of a chain
    output wire        offer,      // it is to be offered
    output wire        shut,       // but another warp's chain is being built
    input  wire        accepted,   // it is in D after this edge,
    output wire        next,       // and the next word of its chain follows
    output wire ${AV} favoured,   // the warp whose chain is being built, if any

    // a warp that begins
    input  wire        init_done,  // is released
    input  wire ${AW} init_warp,  // which

    // how a warp goes on
    input  wire        go_valid,   // news of one
    input  wire        go_moves,   // it goes on
    input  wire        go_frees,   // its chain is no longer built
    input  wire ${AW} go_warp,    // which
    input  wire        go_alone    // it carries out the words of this chain by itself
);
${localparams("WARPS", "WARP_W")}

    localparam [3:0] FIRST  = 4'd1; // places in a chain
    localparam [3:0] INSIDE = 4'd2;

    reg              builds;  // a chain is being built
    reg [WARP_W-1:0] builder; // of this warp
    reg [WARPS-1:0]  alone;   // warps that carry theirs out by themselves

    wire mine = builds && builder == warp;
    wire free = go_valid && go_frees;

    wire more = chain == FIRST || chain == INSIDE; // words follow in its chain

    wire [WARPS-1:0] one = {{(WARPS-1){1'b0}}, 1'b1};

    assign offer    = mine || (chain == FIRST && !alone[warp]);
    assign shut     = builds && !mine;
    assign next     = accepted && offer && more;
    assign favoured = (one << builder) & {WARPS{builds}};

    always @(posedge clk) begin
        if (rst || start)
            builds <= 1'b0;
        else
            builds <= (accepted && offer) || (builds && !free);
    end

    always @(posedge clk) begin
        if (accepted && offer)
            builder <= warp;
    end

    wire moves = go_valid && go_moves;
    wire over  = accepted && !offer && !more;

    integer w;

    always @(posedge clk) begin
        for (w = 0; w < WARPS; w = w + 1)
            if (moves && go_warp == w[WARP_W-1:0])
                alone[w] <= go_alone;
            else if ((over && warp == w[WARP_W-1:0]) ||
                     (init_done && init_warp == w[WARP_W-1:0]))
                alone[w] <= 1'b0;
    end

`ifdef FORMAL
`include "${prefix}ndp_simt_builder_formal.vh"
`endif
endmodule

`default_nettype wire
