//% use "ndp_ram.v"
//% use "ndp_squeue_fetch_formal.vh"
//% local N = 1 << L.PLACE_W
${header{title = "operand fetches of a service queue", text = [[
Gives ready places the slots of the operand buffer, in turn, and asks for their
operands.

    ready -> slot -> fetch (first operand) -> fetch (second operand)

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero
while valid is low.  fill_slot is the slot to which operands come; fill_done says that
the last beat has.  slot is the oldest full one that has not been started.

Latency: a ready place is at fetch an edge after it is shown.]]}}
`default_nettype none

module ${prefix}ndp_squeue_fetch (
    input  wire         clk,           // clock
    input  wire         rst,           // synchronous reset, active high

    // places that are taken, and those that are ready
    input  wire         keep,          // one is taken,
    input  wire ${pad(range(L.PLACE_W), 7)} keep_place,    // this one,
    input  wire ${pad(range(L.SOURCE_W), 7)} keep_source,   // with operands from there
    input  wire         ready_valid,   // a place
    output wire         ready_pop,     // it has been used
    input  wire ${pad(range(L.PLACE_W), 7)} ready_place,   // this one

    // fetch: operands that are wanted
    output wire         fetch_valid,   // an operand
    input  wire         fetch_ready,   // taken
    output wire ${pad(range(L.PLACE_W), 7)} fetch_place,   // place
    output wire         fetch_second,  // of the second load
    output wire ${pad(range(L.ADDR_W), 7)} fetch_address, // its address
    output wire [2:0]   fetch_type,    // type of the data

    // slots
    output reg  ${pad(range(L.SLOT_W), 7)} fill_slot,     // the first that is not full
    output wire         fill_two,      // it gets two operands
    input  wire         fill_done,     // it becomes full
    output wire         slot_full,     // one is full and has not been started
    output reg  ${pad(range(L.SLOT_W), 7)} slot,          // the oldest of these
    output wire ${pad(range(L.PLACE_W), 7)} slot_place,    // its place
    input  wire         start,         // it is started
    input  wire         free,          // the oldest one becomes free
    output wire ${pad(range(L.PLACE_W), 7)} free_place     // its place
);
${localparams("ADDR_W", "PLACE_W", "SLOTS", "SLOT_W", "SLOTS_W", "SOURCE_W")}

    localparam [1:0] NOTHING = 2'd0; // phases
    localparam [1:0] FIRST   = 2'd1;
    localparam [1:0] SECOND  = 2'd2;

    localparam [SLOT_W-1:0]  LAST_SLOT = SLOTS[SLOT_W-1:0] - 1'b1;
    localparam [SLOTS_W-1:0] ALL       = SLOTS[SLOTS_W-1:0];

    reg [1:0]         phase;
    reg [SLOT_W-1:0]  next;   // slot that is taken next
    reg [SLOTS_W-1:0] used;   // slots that are taken
    reg [SLOTS_W-1:0] full;   // slots that are full
    reg [PLACE_W-1:0] place;  // whose operands are wanted
    reg [PLACE_W-1:0] places [0:SLOTS-1]; // by slot
    reg [SLOTS-1:0]   twos;   // by slot: two operands

    wire [SOURCE_W-1:0] source;
    wire                two = ${field("source", "source", "two")};

    wire taken  = fetch_valid && fetch_ready;
    wire asked  = taken && (phase == SECOND || !two); // for all of a place
    wire begins = (phase == NOTHING || asked) && ready_valid && used != ALL;

    assign ready_pop = begins;

    ${prefix}ndp_ram #(
        .WIDTH     (SOURCE_W),
        .WORDS     (${N}),
        .ADDRESS_W (PLACE_W)
    ) sources (
        .clk     (clk),
        .wr_en   (keep),
        .wr_addr (keep_place),
        .wr_data (keep_source),
        .rd_en   (begins),
        .rd_addr (ready_place),
        .rd_data (source)
    );

    always @(posedge clk) begin
        if (rst)
            phase <= NOTHING;
        else if (begins)
            phase <= FIRST;
        else if (taken)
            phase <= asked ? NOTHING : SECOND;
        if (begins)
            place <= ready_place;
    end

    assign fetch_valid   = phase != NOTHING;
    assign fetch_second  = phase == SECOND;
    assign fetch_place   = fetch_valid ? place : {PLACE_W{1'b0}};
    assign fetch_address = fetch_second ? ${field("source", "source", "b")} :
                           fetch_valid  ? ${field("source", "source", "a")} :
                                          {ADDR_W{1'b0}};
    assign fetch_type    = fetch_valid ? ${field("source", "source", "type")} : 3'd0;

    // ------------------------------------------------------------------
    // Slots: taken by begins, full by fill_done, started by start, free by free.  How
    // many operands come is known an edge after begins, before any of them can.

    reg [SLOT_W-1:0] newest; // slot that was taken last
    reg              began;  // on the last edge
    reg [SLOT_W-1:0] oldest;
    reg [SLOTS_W-1:0] started; // slots that are

    always @(posedge clk) begin
        began <= begins && !rst;
        if (rst) begin
            next      <= {SLOT_W{1'b0}};
            fill_slot <= {SLOT_W{1'b0}};
            slot      <= {SLOT_W{1'b0}};
            oldest    <= {SLOT_W{1'b0}};
            used      <= {SLOTS_W{1'b0}};
            full      <= {SLOTS_W{1'b0}};
            started   <= {SLOTS_W{1'b0}};
        end else begin
            if (begins)
                next <= next == LAST_SLOT ? {SLOT_W{1'b0}} : next + 1'b1;
            if (fill_done)
                fill_slot <= fill_slot == LAST_SLOT ? {SLOT_W{1'b0}} : fill_slot + 1'b1;
            if (start)
                slot <= slot == LAST_SLOT ? {SLOT_W{1'b0}} : slot + 1'b1;
            if (free)
                oldest <= oldest == LAST_SLOT ? {SLOT_W{1'b0}} : oldest + 1'b1;
            if (begins != free)
                used <= begins ? used + 1'b1 : used - 1'b1;
            if (fill_done != free)
                full <= fill_done ? full + 1'b1 : full - 1'b1;
            if (start != free)
                started <= start ? started + 1'b1 : started - 1'b1;
        end
        if (begins) begin
            newest       <= next;
            places[next] <= ready_place;
        end
        if (began)
            twos[newest] <= two;
    end

    assign fill_two   = twos[fill_slot];
    assign slot_full  = full != started;
    assign slot_place = places[slot];
    assign free_place = places[oldest];

`ifdef FORMAL
`include "${prefix}ndp_squeue_fetch_formal.vh"
`endif
endmodule

`default_nettype wire
