//% use "ndp_queue.v"
//% use "ndp_prefetch_port_formal.vh"
//% local function w(n) return pad(range(n), 6) end
${header{title = "prefetcher: port to the cache", text = [[
Two queues and the register that the cache sees.  A prefetch goes into the
register only when no demand waits at the output of its queue.

Handshake: demand_ready is a function of registers; mem_* are registers, zero
while mem_valid is low.

Latency: an accepted demand is at the cache after two more edges.]]}}
`default_nettype none

module ${prefix}ndp_prefetch_port (
    input  wire        clk,            // clock
    input  wire        rst,            // synchronous reset, active high

    // demands
    input  wire        demand_valid,   // a load
    output wire        demand_ready,   // taken
    input  wire ${w(L.ID_W)} demand_id,      // goes with it
    input  wire ${w(L.ADDR_W)} demand_address, // its address

    // prefetches
    input  wire        push,           // a prefetch; only while can_push
    input  wire ${w(L.ADDR_W)} address,        // its address
    output wire        can_push,       // there is room

    // cache
    output reg         mem_valid,      // a request
    input  wire        mem_ready,      // taken
    output reg         mem_prefetch,   // it is a prefetch
    output reg  ${w(L.ID_W)} mem_id,         // of a demand
    output reg  ${w(L.ADDR_W)} mem_address     // its address
);
${localparams("ID_W", "ADDR_W", "QUEUE")}

    localparam DEMANDS = 4; // depth of the demand queue

    wire              free = !mem_valid || mem_ready;
    wire              demand_waits;
    wire [ID_W-1:0]   waiting_id;
    wire [ADDR_W-1:0] waiting_address;
    wire              prefetch_waits;
    wire [ADDR_W-1:0] prefetch_address;

    ${prefix}ndp_queue #(
        .WIDTH (ID_W + ADDR_W),
        .DEPTH (DEMANDS)
    ) demands (
        .clk       (clk),
        .rst       (rst),
        .push      (demand_valid && demand_ready),
        .in_word   ({demand_id, demand_address}),
        .can_push  (demand_ready),
        .pop       (free),
        .out_valid (demand_waits),
        .out_word  ({waiting_id, waiting_address})
    );

    ${prefix}ndp_queue #(
        .WIDTH (ADDR_W),
        .DEPTH (QUEUE)
    ) prefetches (
        .clk       (clk),
        .rst       (rst),
        .push      (push),
        .in_word   (address),
        .can_push  (can_push),
        .pop       (free && !demand_waits),
        .out_valid (prefetch_waits),
        .out_word  (prefetch_address)
    );

    always @(posedge clk) begin
        if (rst) begin
            mem_valid    <= 1'b0;
            mem_prefetch <= 1'b0;
            mem_id       <= {ID_W{1'b0}};
            mem_address  <= {ADDR_W{1'b0}};
        end else if (free) begin
            mem_valid    <= demand_waits || prefetch_waits;
            mem_prefetch <= !demand_waits && prefetch_waits;
            mem_id       <= demand_waits ? waiting_id : {ID_W{1'b0}};
            mem_address  <= demand_waits   ? waiting_address :
                            prefetch_waits ? prefetch_address : {ADDR_W{1'b0}};
        end
    end

`ifdef FORMAL
`include "${prefix}ndp_prefetch_port_formal.vh"
`endif
endmodule

`default_nettype wire
