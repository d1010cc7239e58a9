//% use "ndp_queue.v"
//% use "ndp_nic_send_formal.vh"
//% local function r(w) return pad(range(w), 8) end
${header{title = "a node's packets into virtual channels", text = [[
A queue for each class, a lane for each packet in turn, and on each edge one flit
that has a credit.

    req -> queue -> lane --> choice -> register -> up
    ans -> queue -> lane -->

Handshake: req and ans with valid and ready; up with credits.

Latency: a flit that is taken on edge t is at up after edge t+2 at the earliest.

See docs/blocks/nic.md.]]}}
`default_nettype none

module ${prefix}ndp_nic_send (
    input  wire          clk,             // clock
    input  wire          rst,             // synchronous reset, active high
//% for _, c in ipairs{"req", "ans"} do

    // ${c == "req" and "requests" or "answers"} of the node
    input  wire          ${c}_valid,       // a flit
    output wire          ${c}_ready,       // taken
    input  wire          ${c}_last,        // last of its packet
    input  wire          ${c}_order,       // 1: x before y
    input  wire ${r(L.X_W)} ${c}_x,           // column where it goes
    input  wire ${r(L.Y_W)} ${c}_y,           // its row
    input  wire ${r(L.FLIT_W)} ${c}_data,        // data
//% end

    // to the router
    output reg           up_valid,        // a flit
    output reg  ${r(L.VC_W)} up_vc,           // virtual channel
    output reg           up_last,         // last of its packet
    output reg  ${r(L.X_W)} up_x,            // column where it goes
    output reg  ${r(L.Y_W)} up_y,            // its row
    output reg  ${r(L.FLIT_W)} up_data,         // data
    input  wire          up_credit_valid, // a place has become free
    input  wire ${r(L.VC_W)} up_credit_vc     // virtual channel
);
${localparams("VCS", "VC_W", "DEPTH", "SEND_W")}

    localparam COUNT_W = $clog2(DEPTH + 1);
    localparam WORD_W  = SEND_W - 1; // without the order

    localparam [COUNT_W-1:0] ALL = DEPTH[COUNT_W-1:0];

    wire [VCS-1:0] credits;   // bit v: there is one for channel v
    reg            ans_first; // when both classes could go

    wire req_able;
    wire ans_able;
    wire ans_goes = ans_able && (ans_first || !req_able);
    wire req_goes = req_able && !ans_goes;
    wire goes     = req_able || ans_able;

//% for class, c in ipairs{"req", "ans"} do
//%     local base = (class - 1) * L.KINDS
    // ------------------------------------------------------------------
    // ${class == 1 and "Requests" or "Answers"}

    wire              ${c}_waits;
    wire [WORD_W-1:0] ${c}_word;
    wire              ${c}_columns_first;
//%     if L.LANES > 1 then
    reg  ${pad(range(clog2(L.LANES)), 12)} ${c}_lane; // of the next packet
//%     end

    ${prefix}ndp_queue #(
        .WIDTH (SEND_W),
        .DEPTH (2)
    ) ${c}_queue (
        .clk       (clk),
        .rst       (rst),
        .push      (${c}_valid && ${c}_ready),
        .in_word   ({${c}_order, ${c}_data, ${c}_y, ${c}_x, ${c}_last}),
        .can_push  (${c}_ready),
        .pop       (${c}_goes),
        .out_valid (${c}_waits),
        .out_word  ({${c}_columns_first, ${c}_word})
    );

    // class, order, lane
//%     local lane = L.LANES > 1 and c .. "_lane" or "0"
//%     local order = L.BOTH == 1 and c .. "_columns_first" or nil
//%     if L.BOTH == 1 then
    wire [VC_W-1:0] ${c}_vc = {1'b${class - 1}, ${order}${L.LANES > 1 and ", " .. lane or ""}};
//%     else
    wire unused_${c} = ${c}_columns_first;

//%         if L.LANES == 1 then
    wire [VC_W-1:0] ${c}_vc = ${L.VC_W}'d${base};
//%         else
//%             local above = L.VC_W - clog2(L.LANES)
    wire [VC_W-1:0] ${c}_vc = ${L.VC_W}'d${base} + {${above}'d0, ${lane}};
//%         end
//%     end

    assign ${c}_able = ${c}_waits && credits[${c}_vc];
//%     if L.LANES > 1 then
//%         local W = clog2(L.LANES)

    always @(posedge clk) begin
        if (rst)
            ${c}_lane <= ${W}'d0;
        else if (${c}_goes && ${c}_word[0])
//%         if L.LANES == 1 << W then
            ${c}_lane <= ${c}_lane + 1'b1;
//%         else
            ${c}_lane <= ${c}_lane == ${W}'d${L.LANES - 1} ? ${W}'d0 : ${c}_lane + 1'b1;
//%         end
    end
//%     end

//% end
    // ------------------------------------------------------------------
    // Choice

    wire [VC_W-1:0] vc = ans_goes ? ans_vc : req_vc;

    always @(posedge clk) begin
        if (rst)
            ans_first <= 1'b0;
        else if (goes)
            ans_first <= req_goes;
    end

    always @(posedge clk) begin
        if (rst) begin
            up_valid <= 1'b0;
            up_vc    <= {VC_W{1'b0}};
            {up_data, up_y, up_x, up_last} <= {WORD_W{1'b0}};
        end else begin
            up_valid <= goes;
            up_vc    <= goes ? vc : {VC_W{1'b0}};
            {up_data, up_y, up_x, up_last} <= ({WORD_W{req_goes}} & req_word) |
                                              ({WORD_W{ans_goes}} & ans_word);
        end
    end

    genvar v;
    generate
        for (v = 0; v < VCS; v = v + 1) begin : channel
            wire spent = goes && vc == v[VC_W-1:0];
            wire back  = up_credit_valid && up_credit_vc == v[VC_W-1:0];

            reg [COUNT_W-1:0] left;

            assign credits[v] = left != {COUNT_W{1'b0}};

            always @(posedge clk) begin
                if (rst)
                    left <= ALL;
                else if (back && !spent)
                    left <= left + 1'b1;
                else if (spent && !back)
                    left <= left - 1'b1;
            end
        end
    endgenerate

`ifdef FORMAL
`include "${prefix}ndp_nic_send_formal.vh"
`endif
endmodule

`default_nettype wire
