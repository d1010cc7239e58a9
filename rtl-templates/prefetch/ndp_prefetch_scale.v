//% local function w(n) return pad(range(n), 11) end
${header{title = "prefetcher: common scale", text = [[
A number that belongs to the shift s of an image, on the scale that all images
share: times 2^(PITCH_W - s).

Parameters:
    WIDTH  bits of the number
    WIDER  bits of the result; what does not fit is cut off

Latency: none.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_scale #(
    parameter WIDTH = 8,
    parameter WIDER = 12
) (
    input  wire ${w(L.SHIFT_W)} shift, // s, at most PITCH_W
    input  wire [WIDTH-1:0] value, // number
    output wire [WIDER-1:0] scaled // result
);
${localparams("PITCH_W")}

    wire [WIDER+WIDTH+PITCH_W-1:0] wide =
        {{WIDER{1'b0}}, value, {PITCH_W{1'b0}}} >> shift;

    assign scaled = wide[WIDER-1:0];

    wire unused = &{1'b0, wide[WIDER+WIDTH+PITCH_W-1:WIDER]};
endmodule

`default_nettype wire
