//% local function w(n) return pad(range(n), 7) end
${header{title = "a core's port on the banks of one near-bank unit", text = [[
The register in front of the banks, and what becomes of their responses: the change takes
the one that it waits for, all others, and its last one, are answers.

    request -+-> register -> mem       back -+-> the change has come
    store ---+                               +-> answer

Parameters: all sizes are generated.

Latency: what goes is at mem after the edge; enters, answer and comes are functions of
back and of the change.]]}}
`default_nettype none

module ${prefix}ndp_bank_port_unit (
    input  wire         clk,          // clock
    input  wire         rst,          // synchronous reset, active high

    // a request of the core
    input  wire         goes,         // for this unit, only while can
    input  wire         store,
    input  wire ${w(L.ID_W)} id,
    input  wire ${w(L.OWN_W)} own,          // its sector in the unit
    input  wire ${w(L.WORDS)} words,        // that it writes
    input  wire ${w(L.DATA_W)} data,

    // the change
    input  wire         here,         // there is one, and of this unit
    input  wire         reads,        // it waits for its sector
    input  wire         writes,       // it waits for the end of its store
    input  wire         stores,       // its store goes, for this unit, only while can
    input  wire ${w(L.ID_W)} change_id,
    input  wire ${w(L.OWN_W)} change_own,
    input  wire ${w(L.WORDS)} change_words,
    input  wire ${w(L.DATA_W)} value,        // sector as it becomes
    input  wire ${w(L.DATA_W)} former,       // old word of an atomic, else zero
    output wire         comes,        // its sector is at back
    output wire         ends,         // it is answered

    // the banks, as at the port
    output wire         can,          // the register can take a request
    output reg          mem_valid,
    input  wire         mem_ready,
    output reg          mem_store,
    output reg  ${w(L.ID_W)} mem_id,
    output reg  ${w(L.OWN_W)} mem_address,
    output reg  ${w(L.WORDS)} mem_strobe,
    output reg  ${w(L.DATA_W)} mem_data,
    input  wire         back_valid,
    input  wire ${w(L.ID_W)} back_id,
    input  wire         back_fault,
    input  wire ${w(L.DATA_W)} back_data,

    // to the queue
    output wire         enters,
    output wire ${w(L.ANSWER_W)} answer
);
    // ------------------------------------------------------------------
    // Register

    assign can = !mem_valid || mem_ready;

    always @(posedge clk) begin
        if (rst || (can && !goes && !stores)) begin
            mem_valid   <= 1'b0;
            mem_store   <= 1'b0;
            mem_id      <= ${L.ID_W}'d0;
            mem_address <= ${L.OWN_W}'d0;
            mem_strobe  <= ${L.WORDS}'d0;
            mem_data    <= ${L.DATA_W}'d0;
        end else if (can) begin // a unit that is held gets no request, so not both
            mem_valid   <= 1'b1;
            mem_store   <= stores || store;
            mem_id      <= stores ? change_id : id;
            mem_address <= stores ? change_own : own;
            mem_strobe  <= stores ? change_words : words;
            mem_data    <= stores ? value : data;
        end
    end

    // ------------------------------------------------------------------
    // Responses

    wire mine = back_valid && here && back_id == change_id; // the change's

    assign comes  = mine && reads && !back_fault;
    assign ends   = mine && !comes;
    assign enters = back_valid && !comes;

    wire [${L.DATA_W - 1}:0] shows = !mine ? back_data : writes ? former : ${L.DATA_W}'d0;

    assign answer = {shows, back_fault, back_id};
endmodule

`default_nettype wire
