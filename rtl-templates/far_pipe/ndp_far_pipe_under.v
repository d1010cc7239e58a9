//% use "ndp_far_pipe_under_formal.vh"
//% local D = L.LANES_DEPTH
//% local INDEX_W = clog2(D)
${header{title = "pipeline of the base die: instructions that the lanes have", text = [[
Up to ]] .. L.LANES_DEPTH .. [[ of them, each from its first pass until its end is told: the passes come out, and
the ends are told, in the order in which they began.

    begins -> kept -- oldest with passes to come --> out_at
                   -- oldest ---------------------> ended ... told

Latency: an instruction is shown from the edge after the one on which it began; it has
ended after the edge on which its last pass came.

See docs/blocks/far_pipe.md.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_under (
    input  wire        clk,       // clock
    input  wire        rst,       // synchronous reset, active high

    // an instruction
    input  wire        begins,    // its first pass leaves,
    input  wire ${pad(range(L.WARP_W), 6)} warp,      // its warp
    input  wire ${pad(range(L.TAG_W), 6)} tag,       // its tag
    input  wire ${pad(range(L.TICKET_W), 6)} ticket,    // its ticket
    input  wire ${pad(range(L.PLACE_W), 6)} at,        // row of its result,
    input  wire        to_reg,    // which is a register,
    input  wire        to_pred,   // ... a predicate
    output wire        free,      // there is room for one

    // the one whose passes come
    input  wire        closes,    // its last one does
    output wire ${pad(range(L.PLACE_W), 6)} out_at,    // row of its result,
    output wire        out_reg,   // which is a register,
    output wire        out_pred,  // ... a predicate

    // the oldest one
    output wire        ended,     // it has ended
    input  wire        told,      // that is told on this edge
    output wire ${pad(range(L.WARP_W), 6)} end_warp,  // its warp
    output wire ${pad(range(L.TAG_W), 6)} end_tag,   // its tag
    output wire ${pad(range(L.TICKET_W), 6)} end_ticket // its ticket
);
${localparams("WARP_W", "TAG_W", "TICKET_W", "PLACE_W")}

    localparam DEPTH   = ${D};
    localparam INDEX_W = ${INDEX_W};

    reg [WARP_W+TAG_W+TICKET_W-1:0] ends [0:DEPTH-1]; // whose ends they are
    reg [PLACE_W+1:0]               outs [0:DEPTH-1]; // where their passes go

    reg [INDEX_W-1:0] next;  // place of the next one
    reg [INDEX_W-1:0] come;  // of the one whose passes come
    reg [INDEX_W-1:0] old;   // of the oldest one
    reg [INDEX_W:0]   have;  // how many there are
    reg [INDEX_W:0]   over;  // how many of them have ended

    assign free  = have != DEPTH[INDEX_W:0];
    assign ended = over != {INDEX_W+1{1'b0}};

    assign {end_warp, end_tag, end_ticket} = ends[old];
    assign {out_at, out_reg, out_pred}     = outs[come];

    always @(posedge clk) begin
        if (begins) begin
            ends[next] <= {warp, tag, ticket};
            outs[next] <= {at, to_reg, to_pred};
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            next <= {INDEX_W{1'b0}};
            come <= {INDEX_W{1'b0}};
            old  <= {INDEX_W{1'b0}};
            have <= {INDEX_W+1{1'b0}};
            over <= {INDEX_W+1{1'b0}};
        end else begin
            next <= next + {{INDEX_W-1{1'b0}}, begins};
            come <= come + {{INDEX_W-1{1'b0}}, closes};
            old  <= old + {{INDEX_W-1{1'b0}}, told};
            have <= have + {{INDEX_W{1'b0}}, begins} - {{INDEX_W{1'b0}}, told};
            over <= over + {{INDEX_W{1'b0}}, closes} - {{INDEX_W{1'b0}}, told};
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_under_formal.vh"
`endif
endmodule

`default_nettype wire
