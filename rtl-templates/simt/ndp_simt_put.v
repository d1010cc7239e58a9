//% use "ndp_simt_put_formal.vh"
//% local N, A, P = L.LANES, L.ALUS, L.PASSES
${header{title = "SIMT core: results of chains", text = [[
Who computes chains puts their results into the row of the last ticket, pass by pass.
A pass waits here for an edge on which no response writes a row, and goes before the
engine.

    port -> pass -> row; first pass: the ticket is used, last: issued

Handshake: a pass is taken while none waits here, and the ticket is free or being
filled.  A core at fault takes all and forgets them.

Latency: a pass enters the row on the edge after it is taken, or later.

See docs/blocks/simt.md, Chains.]]}}
`default_nettype none

module ${prefix}ndp_simt_put (
    input  wire        clk,        // clock
    input  wire        rst,        // synchronous reset, active high
    input  wire        faulted,    // passes are forgotten

    // port
    input  wire        put_valid,  // a pass
    output wire        put_ready,  // it is taken
    input  wire        put_last,   // the last one
    input  wire        put_pred,   // of a predicate
    input  wire ${pad(range(N), 6)} put_mask,   // lanes that get the result
    input  wire ${range(32 * A)} put_data,   // values, a lane in 32 bits

    // the last ticket
    input  wire        used,       // is in use
    input  wire        issued,     // and all passes are in its row
    output wire        take,       // it is in use after this edge
    output reg         pred,       // it is for a predicate
    output reg  ${pad(range(N), 6)} lanes,      // lanes that get the result

    // its row
    input  wire        answer,     // a response writes a row
    output wire        enter,      // a pass enters, instead
    output wire        enter_last, // the last one
    output wire ${pad(range(N), 6)} enter_lanes, // lanes of the pass
    output wire ${pad(range(32 * A), 6)} enter_words // its words
);
${localparams("LANES", "ALUS")}
${P > 1 and localparams("PASS_W") or ""}

    reg               full; // a pass waits
    reg               last; // the last one
    reg [32*ALUS-1:0] data; // its values
${P > 1 and "    reg [PASS_W-1:0]  pass; // which" or ""}

    assign put_ready = faulted || (!full && (!used || !issued));

    wire taken = put_valid && put_ready && !faulted;

    assign take       = taken && !used;
    assign enter      = full && !answer;
    assign enter_last = enter && last;

    always @(posedge clk) begin
        if (rst)
            full <= 1'b0;
        else
            full <= taken || (full && !enter);
    end

    always @(posedge clk) begin
        if (taken) begin
            last <= put_last;
            data <= put_data;
        end
        if (take) begin
            pred  <= put_pred;
            lanes <= put_mask;
        end
    end

//% if P > 1 then
    always @(posedge clk) begin
        if (take)
            pass <= {PASS_W{1'b0}};
        else if (enter)
            pass <= pass + 1'b1;
    end

    wire [LANES-1:0] first = {{(LANES-ALUS){1'b0}}, {ALUS{1'b1}}};

    assign enter_lanes = first << (pass * ALUS);
//% else
    assign enter_lanes = {LANES{1'b1}};
//% end
    assign enter_words = data & {ALUS{{31{!pred}}, 1'b1}};

`ifdef FORMAL
`include "${prefix}ndp_simt_put_formal.vh"
`endif
endmodule

`default_nettype wire
