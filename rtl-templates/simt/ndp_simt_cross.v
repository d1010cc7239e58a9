//% local A, N, P = L.ALUS, L.LANES, L.PASSES
//% local BW = math.max(ALU_W, 1)
${header{title = "SIMT core: words for the lanes of a pass", text = [[
One crossbar: for loads of shared memory from banks, for shuffles from other lanes.
A shuffle's lane is found as PTX says, with as many bits as a warp's lanes need; a
lane that is not active gives 0.

Latency: none, logic only.]]}}
`default_nettype none

module ${prefix}ndp_simt_cross (
    input  wire        from_lanes, // a shuffle, else banks
    input  wire        vote,       // the lanes in which c holds, instead
    input  wire [1:0]  how,        // 0 idx, 1 up, 2 down, 3 bfly
${P > 1 and "    input  wire " .. pad(range(L.PASS_W), 6) .. " pass,       // pass of the lanes" or ""}

    // banks
    input  wire ${vec(A * BW)} banks,      // the bank of each lane
    input  wire ${range(32 * A)} words,      // the word of each bank

    // lanes
    input  wire ${pad(range(N), 6)} active,     // active ones of all
    input  wire ${pad(range(N), 6)} holds,      // those in which c holds
//% if A == 1 then
    output wire ${pad(range(LANE_W), 6)} source,     // lane that a value is of
    input  wire [31:0] a,          // it
//% else
    input  wire ${range(32 * N)} a,          // values of all
//% end
    input  wire ${vec(LANE_W * A)} b,          // lane or distance, of each of the pass
    input  wire ${vec(LANE_W * A)} clamp,      // PTX's clamp
    input  wire ${vec(LANE_W * A)} segment,    // and segment mask

    output wire ${pad(range(32 * A), 6)} out         // word of each lane of the pass
);
${localparams("ALUS")}

    localparam [1:0] IDX  = 2'd0;
    localparam [1:0] UP   = 2'd1;
    localparam [1:0] DOWN = 2'd2;

    localparam LANE_W = ${LANE_W};

    wire [31:0]         ballot  = ${N < 32 and "{" .. 32 - N .. "'d0, active & holds}" or "active & holds"};

    genvar i;

    generate
        for (i = 0; i < ALUS; i = i + 1) begin : lane
//% if P > 1 then
            wire [LANE_W-1:0] me = ${ALU_W > 0 and "{pass, i[" .. ALU_W - 1 .. ":0]}" or "pass"};
//% else
            wire [LANE_W-1:0] me = i[LANE_W-1:0];
//% end
            wire [LANE_W-1:0] by   = b[i*LANE_W +: LANE_W];
            wire [LANE_W-1:0] mask = segment[i*LANE_W +: LANE_W];
            wire [LANE_W-1:0] low  = me & mask;
            wire [LANE_W-1:0] high = low | (clamp[i*LANE_W +: LANE_W] & ~mask);

            wire [LANE_W:0]   plus  = {1'b0, me} + {1'b0, by};
            wire [LANE_W:0]   minus = {1'b0, me} - {1'b0, by}; // top bit: negative
            wire [LANE_W-1:0] other = how == IDX ? low | (by & ~mask) : me ^ by;

            wire up_ok    = !minus[LANE_W] && minus[LANE_W-1:0] >= high;
            wire down_ok  = plus <= {1'b0, high};
            wire other_ok = other <= high;

            wire [LANE_W-1:0] from =
                how == UP   ? (up_ok ? minus[LANE_W-1:0] : me) :
                how == DOWN ? (down_ok ? plus[LANE_W-1:0] : me)
                            : (other_ok ? other : me);

//% if A == 1 then
            wire [31:0] shuffled = a & {32{active[from]}};

            assign source = from;
//% else
            wire [31:0] shuffled = a[from*32 +: 32] & {32{active[from]}};
//% end
//% if ALU_W > 0 then
            wire [31:0] banked   = words[banks[i*${ALU_W} +: ${ALU_W}]*32 +: 32];
//% else
            wire [31:0] banked   = words;
//% end

            assign out[i*32 +: 32] = vote ? ballot : from_lanes ? shuffled : banked;
        end
    endgenerate
//% if ALU_W == 0 then

    wire unused = &{1'b0, banks};
//% end
endmodule

`default_nettype wire
