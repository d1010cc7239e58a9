//% use "ndp_ram.v"
//% use "ndp_subtract.v"
//% local function w(n) return pad(range(n), 12) end
${header{title = "analyzer: one level of the search among the ranges", text = [[
A search tree's level in a memory of its own: the start of the place that the
way so far leads to is read and compared with the address, which turns the way
one place further and, if the start is not above the address, gives the
distance from it.

Parameters:
    WAY_W  levels above this one, 0 or more; the memory has 2^WAY_W words

Latency: two edges, one to read and one to compare.  One address an edge.

Contract: no start is written while an address is under way.]]}}
`default_nettype none

module ${prefix}ndp_analyzer_level #(
    parameter WAY_W  = 1,
    parameter POS_W  = 1, // bits of a position: WAY_W, at least 1
    parameter NEXT_W = 2  // WAY_W + 1
) (
    input  wire              clk,          // clock
    input  wire              rst,          // synchronous reset, active high

    // starts
    input  wire              write,        // write a start
    input  wire [POS_W-1:0]  write_pos,    // at this position
    input  wire ${w(L.ADDR_W)} write_start,  // its value

    // address from the level above
    input  wire              in_valid,     // an address
    input  wire ${w(L.ADDR_W)} in_address,   // it
    input  wire [POS_W-1:0]  in_way,       // 1: not below the start, 0: below
    input  wire ${w(L.ADDR_W)} in_offset,    // distance from the nearest start

    // to the level below
    output reg               out_valid,    // the same address
    output reg  ${w(L.ADDR_W)} out_address,  //
    output reg  [NEXT_W-1:0] out_way,      // with the turn at this level, lowest
    output reg  ${w(L.ADDR_W)} out_offset    //
);
${localparams("ADDR_W")}

    // ------------------------------------------------------------------
    // Read

    reg              valid;
    reg [ADDR_W-1:0] address;
    reg [POS_W-1:0]  way;
    reg [ADDR_W-1:0] offset;

    wire [ADDR_W-1:0] not_start; // starts are held inverted

    generate
        if (WAY_W == 0) begin : one
            reg [ADDR_W-1:0] start;

            always @(posedge clk) begin
                if (write)
                    start <= ~write_start;
            end

            assign not_start = start;

            wire unused = &{1'b0, write_pos};
        end else begin : many
            ${prefix}ndp_ram #(
                .WIDTH     (ADDR_W),
                .WORDS     (1 << WAY_W),
                .ADDRESS_W (POS_W)
            ) starts (
                .clk     (clk),
                .wr_en   (write),
                .wr_addr (write_pos),
                .wr_data (~write_start),
                .rd_en   (in_valid),
                .rd_addr (in_way),
                .rd_data (not_start)
            );
        end
    endgenerate

    always @(posedge clk) begin
        if (rst)
            valid <= 1'b0;
        else
            valid <= in_valid;
    end

    always @(posedge clk) begin
        address <= in_address;
        way     <= in_way;
        offset  <= in_offset;
    end

    // ------------------------------------------------------------------
    // Compare

    wire [ADDR_W-1:0] distance;
    wire              at_least;

    ${prefix}ndp_subtract #(
        .WIDTH (ADDR_W)
    ) compare (
        .value      (address),
        .not_number (not_start),
        .difference (distance),
        .at_least   (at_least)
    );

    always @(posedge clk) begin
        if (rst)
            out_valid <= 1'b0;
        else
            out_valid <= valid;
    end

    always @(posedge clk) begin
        out_address <= address;
        out_offset  <= at_least ? distance : offset;
    end

    generate
        if (WAY_W == 0) begin : root
            wire unused = way;

            always @(posedge clk) begin
                out_way <= at_least;
            end
        end else begin : below
            always @(posedge clk) begin
                out_way <= {way, at_least};
            end
        end
    endgenerate
endmodule

`default_nettype wire
