//% use "ndp_queue.v"
//% use "ndp_squeue_places_formal.vh"
//% local N = 1 << L.PLACE_W
${header{title = "places of a service queue", text = [[
Which places are taken, which of their loads are there, and the places that are ready,
in the order in which they have become so.

    mark -> marks by place -> queue -> ready

Parameters: all sizes are generated; see the localparams.

Handshake: none; ready is a queue that ready_pop advances.

Latency: a place whose last load is marked on edge t is at ready after edge t+1 at the
earliest.]]}}
`default_nettype none

module ${prefix}ndp_squeue_places (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high

    // places
    output reg  ${pad(range(L.PLACES), 6)} taken,        // bit i: place i is taken
    input  wire        keep,         // a chain comes into one,
    input  wire ${pad(range(L.PLACES), 6)} keep_bit,     // this one,
    input  wire        keep_two,     // with two loads
    input  wire        free,         // one becomes free,
    input  wire ${pad(range(L.PLACE_W), 6)} free_place,   // this one

    // mark: loads that are there
    input  wire        mark_valid,   // a load
    input  wire ${pad(range(L.PLACE_W), 6)} mark_place,   // of this place
    input  wire        mark_second,  // the second load

    // ready: places with all their loads
    output wire        ready_valid,  // a place
    input  wire        ready_pop,    // it has been used
    output wire ${pad(range(L.PLACE_W), 6)} ready_place,  // this one

    // what is counted
    output wire        count_strays  // a mark that no load waits for
);
${localparams("PLACES", "PLACE_W")}

    reg [PLACES-1:0] two;   // it has two loads
    reg [PLACES-1:0] has_a; // the first load is there
    reg [PLACES-1:0] has_b; // the second one

    wire [PLACES-1:0] one = {{PLACES-1{1'b0}}, 1'b1};

    wire [PLACES-1:0] mark_bit =
        ${L.PLACES == N and "" or "mark_place >= " .. L.PLACE_W .. "'d" .. L.PLACES .. " ? {PLACES{1'b0}} : "}one << mark_place;
    wire [PLACES-1:0] free_bit = free ? one << free_place : {PLACES{1'b0}};

    wire at_taken = |(mark_bit & taken);
    wire at_two   = |(mark_bit & two);
    wire at_a     = |(mark_bit & has_a);
    wire at_b     = |(mark_bit & has_b);

    wire good = mark_valid && at_taken && (mark_second ? at_two && !at_b : !at_a);
    wire push = good && (mark_second ? at_a : at_b || !at_two);

    always @(posedge clk) begin
        if (rst) begin
            taken <= {PLACES{1'b0}};
            has_a <= {PLACES{1'b0}};
            has_b <= {PLACES{1'b0}};
        end else begin
            taken <= (taken | (keep ? keep_bit : {PLACES{1'b0}})) & ~free_bit;
            has_a <= (has_a | (good && !mark_second ? mark_bit : {PLACES{1'b0}})) & ~free_bit;
            has_b <= (has_b | (good && mark_second ? mark_bit : {PLACES{1'b0}})) & ~free_bit;
        end
        if (keep)
            two <= (two & ~keep_bit) | (keep_two ? keep_bit : {PLACES{1'b0}});
    end

    wire can_push; // always: a place is in the queue once

    ${prefix}ndp_queue #(
        .WIDTH (PLACE_W),
        .DEPTH (PLACES)
    ) order (
        .clk       (clk),
        .rst       (rst),
        .push      (push),
        .in_word   (mark_place),
        .can_push  (can_push),
        .pop       (ready_pop),
        .out_valid (ready_valid),
        .out_word  (ready_place)
    );

    assign count_strays = mark_valid && !good;

    wire unused = &{1'b0, can_push};

`ifdef FORMAL
`include "${prefix}ndp_squeue_places_formal.vh"
`endif
endmodule

`default_nettype wire
