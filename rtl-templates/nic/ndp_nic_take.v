//% use "ndp_queue.v"
//% use "ndp_vc_buffer.v"
//% if L.KINDS > 1 then use("ndp_round_robin.v") end
//% use "ndp_nic_take_formal.vh"
//% local function r(w) return pad(range(w), 8) end
${header{title = "packets for a node out of virtual channels", text = [[
Flits wait by virtual channel.  On each edge one is read, for a class whose queue
has room; a class reads a packet to its end before it begins the next one.

    down -> buffer by virtual channel -> choice -> register -> queue -> req
                                                           --> queue -> ans

Handshake: down with credits; req and ans with valid and ready, fields zero while
valid is low.

Latency: a flit that comes on edge t is at its class's channel after edge t+3 at
the earliest.

See docs/blocks/nic.md.]]}}
`default_nettype none

module ${prefix}ndp_nic_take (
    input  wire          clk,               // clock
    input  wire          rst,               // synchronous reset, active high

    // from the router
    input  wire          down_valid,        // a flit
    input  wire ${r(L.VC_W)} down_vc,           // virtual channel
    input  wire          down_last,         // last of its packet
    input  wire ${r(L.FLIT_W)} down_data,         // data
    output reg           down_credit_valid, // a flit has left its buffer
    output reg  ${r(L.VC_W)} down_credit_vc,    // virtual channel
//% for n, c in ipairs{"req", "ans"} do

    // ${c == "req" and "requests" or "answers"} for the node
    output wire          ${c}_valid,         // a flit
    input  wire          ${c}_ready,         // taken
    output wire          ${c}_last,          // last of its packet
    output wire ${r(L.FLIT_W)} ${c}_data${n == 1 and ", " or "  "}         // data
//% end
);
${localparams("KINDS", "VCS", "VC_W", "DEPTH", "GOT_W")}

    localparam [2:0] ROOM = 3'd4; // flits of a class beyond the buffer

    wire [VCS-1:0]   waiting;
    wire [VCS-1:0]   lasts;
    wire [VCS-1:0]   take;
    wire [VC_W-1:0]  take_vc;
    wire [GOT_W-1:0] word;

    ${prefix}ndp_vc_buffer #(
        .WIDTH (GOT_W),
        .TAG_W (1),
        .VCS   (VCS),
        .VC_W  (VC_W),
        .DEPTH (DEPTH)
    ) flits (
        .clk       (clk),
        .rst       (rst),
        .push      (down_valid),
        .push_vc   (down_vc),
        .push_tag  (down_last),
        .push_word ({down_data, down_last}),
        .take      (take),
        .take_vc   (take_vc),
        .waiting   (waiting),
        .tags      (lasts),
        .word      (word)
    );

    // ------------------------------------------------------------------
    // Whose turn it is

    reg  ans_first; // when both classes could go
    wire req_able;
    wire ans_able;
    wire ans_goes = ans_able && (ans_first || !req_able);
    wire req_goes = req_able && !ans_goes;
    wire goes     = req_able || ans_able;

    wire [KINDS-1:0] req_chosen;
    wire [KINDS-1:0] ans_chosen;
    wire [VC_W-1:0]  req_vc;
    wire [VC_W-1:0]  ans_vc;

    assign take    = {{KINDS{ans_goes}} & ans_chosen,
                      {KINDS{req_goes}} & req_chosen};
    assign take_vc = ans_goes ? ans_vc : req_vc;

    always @(posedge clk) begin
        if (rst)
            ans_first <= 1'b0;
        else if (goes)
            ans_first <= req_goes;
    end

    always @(posedge clk) begin
        if (rst) begin
            down_credit_valid <= 1'b0;
            down_credit_vc    <= {VC_W{1'b0}};
        end else begin
            down_credit_valid <= goes;
            down_credit_vc    <= goes ? take_vc : {VC_W{1'b0}};
        end
    end

//% for class, c in ipairs{"req", "ans"} do
//%     local base = (class - 1) * L.KINDS
    // ------------------------------------------------------------------
    // ${class == 1 and "Requests" or "Answers"}

    wire [KINDS-1:0] ${c}_waiting = waiting[${base} +: KINDS];
    wire [KINDS-1:0] ${c}_lasts   = lasts[${base} +: KINDS];
//%     if L.KINDS > 1 then
    reg              ${c}_inside; // a packet has been begun
    reg  [KINDS-1:0] ${c}_its;    // its virtual channel
    wire [KINDS-1:0] ${c}_may = ${c}_inside ? ${c}_waiting & ${c}_its : ${c}_waiting;
//%     else
    wire [KINDS-1:0] ${c}_may = ${c}_waiting;
//%     end
    reg  [2:0]       ${c}_held;   // flits in register and queue
    reg              ${c}_comes;  // the word is for this class
    wire [GOT_W-1:0] ${c}_word;
    wire             unused_${c}; // the queue has room, as held says
    wire             ${c}_leaves = ${c}_valid && ${c}_ready;

    assign ${c}_able = ${c}_may != {KINDS{1'b0}} && ${c}_held != ROOM;
//%     if L.KINDS > 1 then
//%         local W = clog2(L.KINDS)

    wire ${pad(range(W), 11)} ${c}_index;

    ${prefix}ndp_round_robin #(
        .N       (KINDS),
        .INDEX_W (${W})
    ) ${c}_choice (
        .clk     (clk),
        .rst     (rst),
        .request (${c}_may),
        .take    (${c}_goes && !${c}_inside),
        .chosen  (${c}_chosen),
        .index   (${c}_index)
    );

    assign ${c}_vc = ${L.VC_W}'d${base} + {${L.VC_W - W}'d0, ${c}_index};

    always @(posedge clk) begin
        if (rst) begin
            ${c}_inside <= 1'b0;
            ${c}_its    <= {KINDS{1'b0}};
        end else if (${c}_goes) begin
            ${c}_inside <= (${c}_chosen & ${c}_lasts) == {KINDS{1'b0}};
            ${c}_its    <= ${c}_chosen;
        end
    end
//%     else
    wire unused_${c}_last = &{1'b0, ${c}_lasts}; // one packet after the other

    assign ${c}_chosen = ${c}_may;
    assign ${c}_vc     = ${L.VC_W}'d${base};
//%     end

    always @(posedge clk) begin
        if (rst) begin
            ${c}_comes <= 1'b0;
            ${c}_held  <= 3'd0;
        end else begin
            ${c}_comes <= ${c}_goes;
            if (${c}_goes && !${c}_leaves)
                ${c}_held <= ${c}_held + 1'b1;
            else if (${c}_leaves && !${c}_goes)
                ${c}_held <= ${c}_held - 1'b1;
        end
    end

    ${prefix}ndp_queue #(
        .WIDTH (GOT_W),
        .DEPTH (3)
    ) ${c}_queue (
        .clk       (clk),
        .rst       (rst),
        .push      (${c}_comes),
        .in_word   (word),
        .can_push  (unused_${c}),
        .pop       (${c}_ready),
        .out_valid (${c}_valid),
        .out_word  (${c}_word)
    );

    assign {${c}_data, ${c}_last} = ${c}_valid ? ${c}_word : {GOT_W{1'b0}};

//% end
`ifdef FORMAL
`include "${prefix}ndp_nic_take_formal.vh"
`endif
endmodule

`default_nettype wire
