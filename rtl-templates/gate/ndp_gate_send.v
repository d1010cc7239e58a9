//% use "ndp_round_robin.v"
//% use "ndp_gate_where.v"
//% use "ndp_gate_send_formal.vh"
//% local function r(w) return pad(range(w), 20) end
${header{title = "packets out of words that are offered", text = [[
Each of N sources offers the next word of its packet.  A packet is sent to its end
before another one is begun; then it is the turn of the next source.

Parameters:
    N        sources, 2 or more
    INDEX_W  bits of a source's number, clog2(N)

Handshake: a word is used on an edge with its bit of take; flits have valid and
ready, fields zero while valid is low.

Latency: the first flit of a word is shown after the edge on which it is taken.

See docs/blocks/gate.md.]]}}
`default_nettype none

module ${prefix}ndp_gate_send #(
    parameter N       = 2,
    parameter INDEX_W = 1
) (
    input  wire                      clk,    // clock
    input  wire                      rst,    // synchronous reset, active high

    // what the sources offer, source 0 lowest
    input  wire [N-1:0]              offer,  // a word
    output wire [N-1:0]              take,   // used
    input  wire [N-1:0]              lasts,  // it is the last of its packet
    input  wire [N*${L.NODE_W}-1:0]            nodes,  // where the packet goes
    input  wire [N*${L.FLITS_W}-1:0]            counts, // flits of the word
    input  wire [N*${L.WORD_W}-1:0]          words,  // they, the first one lowest

    // flits
    output wire                      valid,  // a flit
    input  wire                      ready,  // taken
    output wire                      last,   // last of its packet
    output reg  ${r(L.X_W)} x,      // column where it goes
    output reg  ${r(L.Y_W)} y,      // its row
    output wire ${r(L.FLIT_W)} data    // data
);
${localparams("NODE_W", "FLIT_W", "FLITS_W", "WORD_W", "X_W", "Y_W")}

    localparam [FLITS_W-1:0] ONE = ${L.FLITS_W}'d1;

    reg [FLITS_W-1:0] left;     // flits that have not been taken
    reg [WORD_W-1:0]  word;     // they
    reg               word_last;
    reg               midway;   // a packet has been begun
    reg [N-1:0]       owner;    // by whom

    assign valid = left != {FLITS_W{1'b0}};
    assign last  = word_last && left == ONE;
    assign data  = word[FLIT_W-1:0];

    // ------------------------------------------------------------------
    // Whose word is next

    wire free = !valid || (left == ONE && ready);

    wire [N-1:0]       turn;
    wire [INDEX_W-1:0] index;
    wire               unused = &{1'b0, index};

    ${prefix}ndp_round_robin #(
        .N       (N),
        .INDEX_W (INDEX_W)
    ) choice (
        .clk     (clk),
        .rst     (rst),
        .request (offer),
        .take    (free && !midway && offer != {N{1'b0}}),
        .chosen  (turn),
        .index   (index)
    );

    wire [N-1:0] chosen = midway ? owner & offer : turn;
    wire         any    = chosen != {N{1'b0}};

    assign take = free ? chosen : {N{1'b0}};

    reg               next_last;
    reg [NODE_W-1:0]  next_node;
    reg [FLITS_W-1:0] next_left;
    reg [WORD_W-1:0]  next_word;

    integer i;

    always @* begin
        next_last = 1'b0;
        next_node = {NODE_W{1'b0}};
        next_left = {FLITS_W{1'b0}};
        next_word = {WORD_W{1'b0}};
        for (i = 0; i < N; i = i + 1)
            if (chosen[i]) begin
                next_last = lasts[i];
                next_node = nodes[i*NODE_W +: NODE_W];
                next_left = counts[i*FLITS_W +: FLITS_W];
                next_word = words[i*WORD_W +: WORD_W];
            end
    end

    wire [X_W-1:0] next_x;
    wire [Y_W-1:0] next_y;

    ${prefix}ndp_gate_where where (
        .node (next_node),
        .x    (next_x),
        .y    (next_y)
    );

    // ------------------------------------------------------------------
    // The word that is sent

    always @(posedge clk) begin
        if (rst) begin
            left      <= {FLITS_W{1'b0}};
            word      <= {WORD_W{1'b0}};
            word_last <= 1'b0;
            x         <= {X_W{1'b0}};
            y         <= {Y_W{1'b0}};
        end else if (free) begin
            left      <= next_left;
            word      <= next_word;
            word_last <= next_last;
            x         <= any ? next_x : {X_W{1'b0}};
            y         <= any ? next_y : {Y_W{1'b0}};
        end else if (ready) begin
            left <= left - ONE;
            word <= word >> FLIT_W;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            midway <= 1'b0;
            owner  <= {N{1'b0}};
        end else if (free && any) begin
            midway <= !next_last;
            owner  <= chosen;
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_gate_send_formal.vh"
`endif
endmodule

`default_nettype wire
