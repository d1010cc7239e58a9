//% use "ndp_round_robin.v"
//% local RUN_W = clog2(L.BURST + 1)
${header{title = "cut between the dies: the sources of one die", text = [[
Chooses whose beat is next.  The owner sends while the run is its die's, and keeps the
bus to the end of its packet or to a gap in it; on the edge of either the next owner is
chosen, round robin, of the other sources that are eligible.  Without any the owner
stays, so one source's packets follow one another, too.  While the run is the other
die's, an owner that is eligible stays.

Parameters:
    N        sources, 2 or more
    INDEX_W  bits of a source's number, clog2(N)

Latency: none; sends is a function of registers and of valid.]]}}
`default_nettype none

module ${prefix}ndp_cut_side #(
    parameter N       = 4,
    parameter INDEX_W = 2
) (
    input  wire         clk,      // clock
    input  wire         rst,      // synchronous reset, active high
    input  wire [N-1:0] valid,    // bit i: source i has a beat
    input  wire [N-1:0] last,     // which is the last of its packet
    input  wire [N-1:0] room,     // it may begin a packet
    input  wire         mine,     // the run is this die's
    input  wire         stays,    // it is on the next edge, too
    output wire [N-1:0] ready,    // one-hot, or zero
    output wire [N-1:0] sends,    // the source whose beat is taken, or zero
    output wire [N-1:0] opens,    // the same if the beat is the first of its packet
    output wire [N-1:0] eligible, // sources with a beat that may be taken
    output wire         beat,     // one is taken
    output wire         ends,     // the last one of its packet is
    output wire         drained,  // none is, and no source is eligible
    output wire         long_run  // the run has BURST beats or more, and is between packets
);
${localparams("BURST")}
    localparam RUN_W = ${RUN_W};

    localparam [RUN_W-1:0] FULL = BURST[RUN_W-1:0];

    reg [N-1:0]     owner; // one-hot, zero until there is a first one
    reg [N-1:0]     open;  // a packet is under way
    reg [RUN_W-1:0] run;   // beats of this run, FULL at most

    wire [N-1:0] may    = room | open;
    wire [N-1:0] others = eligible & ~owner;
    wire [N-1:0] chosen;

    assign eligible = valid & may;
    assign ready    = owner & may & {N{mine}};
    assign sends    = ready & valid;
    assign opens    = sends & ~open;
    assign beat     = |sends;
    assign ends     = |(sends & last);
    assign drained  = !beat && others == {N{1'b0}};

    // ------------------------------------------------------------------
    // The next owner

    wire stuck  = (owner & eligible) == {N{1'b0}};
    wire choose = (stuck || ends) && others != {N{1'b0}};

    wire [INDEX_W-1:0] unused_index;

    ${prefix}ndp_round_robin #(
        .N       (N),
        .INDEX_W (INDEX_W)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (others),
        .take    (choose),
        .chosen  (chosen),
        .index   (unused_index)
    );

    always @(posedge clk) begin
        if (rst)
            owner <= {N{1'b0}};
        else if (choose)
            owner <= chosen;
    end

    always @(posedge clk) begin
        if (rst)
            open <= {N{1'b0}};
        else
            open <= (open | sends) & ~(sends & last);
    end

    // ------------------------------------------------------------------
    // The run

    wire full = run == FULL;
    wire fills = beat && run == FULL - 1'b1;

    assign long_run = (full || fills) && (!beat || ends);

    always @(posedge clk) begin
        if (rst || !stays)
            run <= {RUN_W{1'b0}};
        else if (beat && !full)
            run <= run + 1'b1;
    end
endmodule

`default_nettype wire
