//% use "ndp_queue.v"
//% use "ndp_tap_formal.vh"
//% local function fields(prefix, r)
//%     local list = {}
//%     for i = #r.list, 1, -1 do list[#list + 1] = prefix .. "_" .. r.list[i].name end
//%     return "{" .. table.concat(list, ", ") .. "}"
//% end
${header{title = "tap between controller, core and map analyzer", text = [[
The map analyzer watches candidate blocks that run on the core.  That one begins
there is an answer of the offload controller; what it does then the core knows.
This unit passes answers on and puts begins and the core's events in one order.

    ans  -> queue -> queue -> go
               begins |
    core -> queue -----> queue -> ev

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.

Latency: an answer that is taken on edge t is at go, and its begin at ev, after
edge t+3 at the earliest; an event of the core, too.

See docs/blocks/tap.md.]]}}
`default_nettype none

module ${prefix}ndp_tap (
${ports()}
);
${localparams("WARP_W", "ADDR_W", "ANS_W", "EVENT_W")}

    localparam [1:0] BEGINS = 2'd0; // of ev_op

    // ------------------------------------------------------------------
    // What has come

    wire               a_valid; // an answer
    wire [ANS_W-1:0]   a_word;
    wire               c_valid; // an event of the core
    wire [EVENT_W-1:0] c_word;
    wire               take_a;
    wire               take_c;

    ${prefix}ndp_queue #(
        .WIDTH (ANS_W),
        .DEPTH (2)
    ) answers (
        .clk       (clk),
        .rst       (rst),
        .push      (ans_valid && ans_ready),
        .in_word   (${fields("ans", record.answer)}),
        .can_push  (ans_ready),
        .pop       (take_a),
        .out_valid (a_valid),
        .out_word  (a_word)
    );

    ${prefix}ndp_queue #(
        .WIDTH (EVENT_W),
        .DEPTH (2)
    ) core_events (
        .clk       (clk),
        .rst       (rst),
        .push      (core_valid && core_ready),
        .in_word   (${fields("core", record.event)}),
        .can_push  (core_ready),
        .pop       (take_c),
        .out_valid (c_valid),
        .out_word  (c_word)
    );

    // ------------------------------------------------------------------
    // Whose turn it is

    wire go_room;
    wire ev_room;
    reg  last_a; // a begin took the last place at ev

    wire a_begins = !a_word[${record.answer.offload.lsb}];
    wire a_may    = ev_room && !(c_valid && last_a);

    assign take_a = a_valid && go_room && (!a_begins || a_may);
    assign take_c = c_valid && ev_room && !(take_a && a_begins);

    wire begins = take_a && a_begins;

    always @(posedge clk) begin
        if (rst || take_c)
            last_a <= 1'b0;
        else if (begins)
            last_a <= 1'b1;
    end

    // ------------------------------------------------------------------
    // What goes

    wire [ANS_W-1:0]   go_word;
    wire [EVENT_W-1:0] ev_word;
    wire [EVENT_W-1:0] begin_word = {{ADDR_W{1'b0}}, a_word[WARP_W-1:0], BEGINS};

    ${prefix}ndp_queue #(
        .WIDTH (ANS_W),
        .DEPTH (2)
    ) decisions (
        .clk       (clk),
        .rst       (rst),
        .push      (take_a),
        .in_word   (a_word),
        .can_push  (go_room),
        .pop       (go_ready),
        .out_valid (go_valid),
        .out_word  (go_word)
    );

    ${prefix}ndp_queue #(
        .WIDTH (EVENT_W),
        .DEPTH (2)
    ) events (
        .clk       (clk),
        .rst       (rst),
        .push      (begins || take_c),
        .in_word   (begins ? begin_word : c_word),
        .can_push  (ev_room),
        .pop       (ev_ready),
        .out_valid (ev_valid),
        .out_word  (ev_word)
    );

    assign ${fields("go", record.answer)} =
        go_valid ? go_word : {ANS_W{1'b0}};
    assign ${fields("ev", record.event)} =
        ev_valid ? ev_word : {EVENT_W{1'b0}};

${checks{must = {{"!core_valid || core_op != BEGINS", "core begins what is not its own"}}}}
`ifdef FORMAL
`include "${prefix}ndp_tap_formal.vh"
`endif
endmodule

`default_nettype wire
