//% use "ndp_offload_lowest_formal.vh"
${header{title = "lowest member of a set", text = [[
Which bit of a vector is its lowest one, and the vector without it.

Parameters:
    N        bits of the vector, 2 or more
    INDEX_W  bits of a position, clog2(N)

Latency: none.

How: the positions above the lowest member come from spreading every member
upwards, in steps that double.  Its number comes from a tournament: of two
neighbours the lower one goes on, if it is there.]]}}
`default_nettype none

module ${prefix}ndp_offload_lowest #(
    parameter N       = 8,
    parameter INDEX_W = 3
) (
    input  wire [N-1:0]       set,   // bit i: i is a member
    output wire [INDEX_W-1:0] index, // lowest member, zero if there is none
    output wire [N-1:0]       rest,  // the others
    output wire               more   // there are others
);
    reg [N-1:0] above; // positions above the lowest member

    integer step;

    always @* begin
        above = set << 1;
        for (step = 1; step < N; step = 2 * step)
            above = above | (above << step);
    end

    assign rest = set & above;

    // Of more and more neighbours: is there one, are there two, which is the
    // lowest.  All groups of a width at once, in words: what a group has stands
    // at its lowest position, and what lies between is not used.  A simulator
    // takes a word where single bits would be thousands of steps.
    localparam FULL = 1 << INDEX_W; // N, rounded up to a power of two

    reg [FULL-1:0]         one;
    reg [FULL-1:0]         two;
    reg [FULL-1:0]         upper;  // only the upper half has one
    reg [FULL*INDEX_W-1:0] number; // bit 0 of all positions, then bit 1 ...
    integer                level;
    integer                plane;

    always @* begin
        one        = {FULL{1'b0}};
        one[N-1:0] = set;
        two        = {FULL{1'b0}};
        number     = {FULL*INDEX_W{1'b0}};
        for (level = 0; level < INDEX_W; level = level + 1) begin
            upper = (one >> (1 << level)) & ~one;
            for (plane = 0; plane < level; plane = plane + 1)
                number[plane*FULL +: FULL] =
                    (number[plane*FULL +: FULL] & ~upper) |
                    ((number[plane*FULL +: FULL] >> (1 << level)) & upper);
            number[level*FULL +: FULL] = upper;
            two = two | (two >> (1 << level)) | (one & (one >> (1 << level)));
            one = one | (one >> (1 << level));
        end
    end

    genvar i;

    generate
        for (i = 0; i < INDEX_W; i = i + 1) begin : bits
            assign index[i] = number[i*FULL];
        end
    endgenerate

    assign more = two[0];

`ifdef FORMAL
`include "${prefix}ndp_offload_lowest_formal.vh"
`endif
endmodule

`default_nettype wire
