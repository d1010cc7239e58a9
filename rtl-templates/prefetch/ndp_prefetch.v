//% use "ndp_regs.v"
//% use "ndp_prefetch_port.v"
//% use "ndp_prefetch_table.v"
//% local divider = Pname["prefetch.divider"]
//% use("ndp_prefetch_" .. divider .. ".v")
//% use "ndp_prefetch_decide.v"
//% use "ndp_prefetch_flight.v"
//% local BUSY_W = clog2(L.SIZE_W)
//% local x_last = "last" .. (L.LAST_W > L.X_W and "[X_W-1:0]" or "")
//% local y_last = "last" .. (L.LAST_W > L.ROW_W and "[ROW_W-1:0]" or "")
${header{title = "pattern-aware prefetcher", text = [[
Between a core near memory and its small L1 cache: demands pass through, and for
each of them the next step of the core's walk over its part of an image is put
behind as a prefetch.

    demand -+-> queue ------------------------------------------+-> mem
            +-> table -> divide -> decide -> flight -> queue ---+
                                              ^
                                        fill -+

Parameters: all sizes are generated; see the localparams.  The division is of
the form ']] .. Pname["prefetch.divider"] .. [['.

Handshake: a transfer is an edge with <channel>_valid and <channel>_ready high;
fields are stable while valid and not ready.  Every output is a register or a
function of registers.  Fields of mem are zero while its valid is low.

Latency: a demand is at mem two edges after its accept, its prefetch ]] ..
    L.DIV_EDGES + 6 .. [[ edges
after it.  ]] .. (L.ITERATIVE == 1 and
    "One demand an edge, one analysis in " .. L.SIZE_W .. " edges; demands between\n" ..
    "them are not analysed." or "One demand and one analysis an edge.") .. [[


See docs/blocks/prefetch.md for what happens on each edge.]]}}
`default_nettype none

module ${prefix}ndp_prefetch (
${ports()}
);
${localparams("ADDR_W", "SIZE_W", "ROW_W", "STRIDE_W", "X_W", "LAST_W", "LINE_W")}

    localparam DIVISOR_W = ${held_divisor_w}; // bits of a divisor as it is held

    wire enable; // setting

    // ------------------------------------------------------------------
    // Demands and prefetches to the cache

    wire accept = demand_valid && demand_ready;

    wire              issued;
    wire [ADDR_W-1:0] prefetch_address;
    wire              can_push;

    ${prefix}ndp_prefetch_port port (
        .clk            (clk),
        .rst            (rst),
        .demand_valid   (demand_valid),
        .demand_ready   (demand_ready),
        .demand_id      (demand_id),
        .demand_address (demand_address),
        .push           (issued),
        .address        (prefetch_address),
        .can_push       (can_push),
        .mem_valid      (mem_valid),
        .mem_ready      (mem_ready),
        .mem_prefetch   (mem_prefetch),
        .mem_id         (mem_id),
        .mem_address    (mem_address)
    );

    // ------------------------------------------------------------------
    // Which demands are analysed

//% if L.ITERATIVE == 1 then
    localparam BUSY_W = ${BUSY_W};

    reg [BUSY_W-1:0] busy; // edges until the next analysis may begin
    wire             free    = busy == {BUSY_W{1'b0}};
    wire             analyse = accept && enable && free;
    wire             skipped = accept && enable && !free;

    always @(posedge clk) begin
        if (rst)
            busy <= {BUSY_W{1'b0}};
        else if (analyse)
            busy <= ${BUSY_W}'d${L.SIZE_W - 1};
        else if (!free)
            busy <= busy - 1'b1;
    end
//% else
    wire analyse = accept && enable;
    wire skipped = 1'b0; // none: the divider takes one an edge
//% end

    // ------------------------------------------------------------------
    // Match

    wire                 known;
    wire                 found;
    wire [SIZE_W-1:0]    position;
    wire [DIVISOR_W-1:0] divisor;
    wire [ADDR_W-1:0]    walk_address;
    wire                 axis;
    wire [STRIDE_W-1:0]  base;
    wire [STRIDE_W-1:0]  modified;
    wire [ROW_W-1:0]     y_lo;
    wire [ROW_W-1:0]     y_hi;
    wire [ROW_W-1:0]     y_turn;
    wire [X_W-1:0]       x_lo;
    wire [X_W-1:0]       x_hi;
    wire [X_W-1:0]       x_turn;
    wire [LAST_W-1:0]    last;

    ${prefix}ndp_prefetch_table table_ (
        .clk          (clk),
        .rst          (rst),
        .load_valid   (load_valid),
        .load_index   (load_index),
        .load_entry   (load_entry),
        .ask          (analyse),
        .ask_address  (demand_address),
        .known        (known),
        .found        (found),
        .position     (position),
        .divisor      (divisor),
        .walk_address (walk_address),
        .axis         (axis),
        .base         (base),
        .modified     (modified),
        .y_lo         (y_lo),
        .y_hi         (y_hi),
        .y_turn       (y_turn),
        .x_lo         (x_lo),
        .x_hi         (x_hi),
        .x_turn       (x_turn),
        .last         (last)
    );

    // ------------------------------------------------------------------
    // Divide

    wire             done;
    wire [ROW_W-1:0] row;
    wire             lt_lo;
    wire             lt_hi;
    wire             lt_turn;
    wire             lt_last;

    ${prefix}ndp_prefetch_${divider} divide (
        .clk      (clk),
        .rst      (rst),
        .found    (found),
        .position (position),
        .divisor  (divisor),
        .x_lo     (x_lo),
        .x_hi     (x_hi),
        .x_turn   (x_turn),
        .x_last   (${x_last}),
        .done     (done),
        .row      (row),
        .lt_lo    (lt_lo),
        .lt_hi    (lt_hi),
        .lt_turn  (lt_turn),
        .lt_last  (lt_last)
    );

    // ------------------------------------------------------------------
    // Decide

    wire              outside;
    wire              ended;
    wire              target_valid;
    wire [ADDR_W-1:0] target;
    wire [LINE_W-1:0] own_line;

    ${prefix}ndp_prefetch_decide decide (
        .clk          (clk),
        .rst          (rst),
        .address      (walk_address),
        .axis         (axis),
        .base         (base),
        .modified     (modified),
        .y_lo         (y_lo),
        .y_hi         (y_hi),
        .y_turn       (y_turn),
        .y_last       (${y_last}),
        .done         (done),
        .row          (row),
        .lt_lo        (lt_lo),
        .lt_hi        (lt_hi),
        .lt_turn      (lt_turn),
        .lt_last      (lt_last),
        .outside      (outside),
        .ended        (ended),
        .target_valid (target_valid),
        .target       (target),
        .own_line     (own_line)
    );

    // ------------------------------------------------------------------
    // Filter

    wire duplicate;
    wire full;
    wire no_room;

    ${prefix}ndp_prefetch_flight flight (
        .clk          (clk),
        .rst          (rst),
        .target_valid (target_valid),
        .target       (target),
        .own_line     (own_line),
        .can_push     (can_push),
        .duplicate    (duplicate),
        .full         (full),
        .no_room      (no_room),
        .issued       (issued),
        .address      (prefetch_address),
        .fill_valid   (fill_valid),
        .fill_line    (fill_line)
    );

    // ------------------------------------------------------------------
    // Registers

    wire count_demands        = accept;
    wire count_known          = known;
    wire count_skipped        = skipped;
    wire count_outside        = outside;
    wire count_ended          = ended;
    wire count_issued         = issued;
    wire count_duplicate      = duplicate;
    wire count_full           = full;
    wire count_no_room        = no_room;
    wire count_fills          = fill_valid;
    wire count_demand_blocked = demand_valid && !demand_ready;

    ${prefix}ndp_prefetch_regs regs (
        .clk                  (clk),
        .rst                  (rst),
        .wb_cyc               (wb_cyc),
        .wb_stb               (wb_stb),
        .wb_we                (wb_we),
        .wb_adr               (wb_adr),
        .wb_dat_w             (wb_dat_w),
        .wb_sel               (wb_sel),
        .wb_dat_r             (wb_dat_r),
        .wb_ack               (wb_ack),
        .enable               (enable),
${count_ports(20)}
    );
${checks()}
endmodule

`default_nettype wire
