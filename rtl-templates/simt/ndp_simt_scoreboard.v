//% use "ndp_simt_scoreboard_formal.vh"
${header{title = "SIMT core: scoreboard", text = [[
Whether a register of an instruction will still be written by an access.  The
destinations of the accesses that have a ticket are all that can be: there is no
bit a register, but a comparison a ticket.

Latency: none, logic only.]]}}
`default_nettype none

module ${prefix}ndp_simt_scoreboard (
    // the instruction
    input  wire ${pad(range(L.WARP_W), 6)} warp,       // of this warp
    input  wire        uses_a,     // a source
    input  wire [5:0]  a,          // its number
    input  wire        uses_b,     //
    input  wire [5:0]  b,          //
    input  wire        uses_c,     //
    input  wire [5:0]  c,          //
    input  wire        writes_d,   // the destination
    input  wire [5:0]  d,          //

    // tickets
    input  wire ${range(L.TICKETS)} used,       // in use
    input  wire ${range(L.TICKETS * L.WARP_W)} warps,      // of this warp
    input  wire ${range(L.TICKETS * 6)} registers,  // for this register

    output wire        pending     // one of its registers will be written
);
${localparams("TICKETS", "WARP_W")}

    reg [TICKETS-1:0] meets;
    reg [5:0]         register;
    integer           t;

    always @* begin
        meets    = {TICKETS{1'b0}};
        register = 6'd0;
        for (t = 0; t < TICKETS; t = t + 1) begin
            register = registers[t*6 +: 6];
            meets[t] = used[t] && warps[t*WARP_W +: WARP_W] == warp &&
                       ((uses_a && a == register) || (uses_b && b == register) ||
                        (uses_c && c == register) || (writes_d && d == register));
        end
    end

    assign pending = meets != {TICKETS{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_simt_scoreboard_formal.vh"
`endif
endmodule

`default_nettype wire
