//% local N, A, P = L.LANES, L.ALUS, L.PASSES
//% local LIST = RAM_BUFFERS and { {"holds", 1} } or { {"b", 32}, {"c", 32} }
${header{title = "SIMT core: access buffer", text = [[
What an access needs of its instruction and of all lanes.  Lanes come a pass at a
time, and what is wrong with an address is noted with it.

Latency: everything stands after its edge.]]}}
`default_nettype none

module ${prefix}ndp_simt_buffer (
    input  wire        clk,      // clock
    input  wire        rst,      // synchronous reset, active high
    input  wire        take,     // the buffer is for an access
    input  wire        end_now,  // the access is at its end
    output reg         used,     // it is in use
    output reg         full,     // all lanes are there

    // a pass
    input  wire        put,      // is there
${P > 1 and "    input  wire " .. pad(range(L.PASS_W), 6) .. " in_pass,  // which" or ""}
    input  wire        in_last,  // the last one
    input  wire ${range(32 * A)} in_a,     // addresses, a lane in 32 bits
//% if RAM_BUFFERS then
    input  wire ${pad(vec(A), 6)} in_holds, // bit 0 of data
//% else
    input  wire ${range(32 * A)} in_b,     // second operands
    input  wire ${range(32 * A)} in_c,     // data
//% end
    input  wire ${pad(vec(A), 6)} in_active, // active lanes
    input  wire ${pad(vec(A), 6)} in_odd,   // misaligned
    input  wire ${pad(vec(A), 6)} in_off,   // unmapped

    // lanes
    output reg  ${pad(range(32 * N), 6)} a,        // addresses
//% if RAM_BUFFERS then
    output reg  ${pad(range(N), 6)} holds,    // bit 0 of data
//% else
    output reg  ${pad(range(32 * N), 6)} b,        // second operands
    output reg  ${pad(range(32 * N), 6)} c,        // data
//% end
    output reg  ${pad(range(N), 6)} active,   // active lanes
    output reg  ${pad(range(N), 6)} odd,      // misaligned
    output reg  ${pad(range(N), 6)} off       // unmapped
);
    always @(posedge clk) begin
        if (rst) begin
            used <= 1'b0;
            full <= 1'b0;
        end else begin
            used <= take || (used && !end_now);
            full <= (put && in_last) || (full && !end_now);
        end
    end

//% if P > 1 then
    integer k;

    always @(posedge clk) begin
        for (k = 0; k < ${P}; k = k + 1)
            if (put && in_pass == k[${L.PASS_W - 1}:0]) begin
                a[k*${32 * A} +: ${32 * A}] <= in_a;
//%     for _, f in ipairs(LIST) do
                ${f[1]}[k*${f[2] * A} +: ${f[2] * A}] <= in_${f[1]};
//%     end
                active[k*${A} +: ${A}] <= in_active;
                odd[k*${A} +: ${A}] <= in_odd;
                off[k*${A} +: ${A}] <= in_off;
            end
    end
//% else
    always @(posedge clk) begin
        if (put) begin
            a      <= in_a;
            b      <= in_b;
            c      <= in_c;
            active <= in_active;
            odd    <= in_odd;
            off    <= in_off;
        end
    end
//% end
endmodule

`default_nettype wire
