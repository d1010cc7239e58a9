//% use "ndp_queue.v"
//% use "ndp_broker_share_formal.vh"
//% local function r(w) return pad(range(w), 9) end
//% local bits = L.STACK_W
//% -- stacks that are nodes of the mesh; the last one is the case's default
//% local stacks = {}
//% for i, n in ipairs(P["mesh.memory_nodes"]) do
//%     if i <= L.HOMES then stacks[i] = n end
//% end
//% local above = L.FLIT_W - L.MARK_W - L.PIECE_W - L.NODE_W
${header{title = "broker: request packets", text = [[
Takes the controller's packets to the mesh, and lets no more blocks go to a stack than
its share for this core: the first flit of one more is held, and with it all behind it.

    tx -+-----------+-> queue -> send_req
        +-> held ---+
    back -> one block less at the stack to which the warp's block went

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high.  Fields are zero while
valid is low.

Latency: a flit that is taken on edge t and not held is at send_req after edge t+1.

See docs/blocks/broker.md.]]}}
`default_nettype none

module ${prefix}ndp_broker_share (
    input  wire           clk,            // clock
    input  wire           rst,            // synchronous reset, active high
    input  wire ${r(L.NODE_W)} at_node,        // the own node

    // tx: the controller's packets
    input  wire           tx_valid,       // a flit
    output wire           tx_ready,       // taken
    input  wire ${r(L.STACK_W)} tx_stack,       // stack
    input  wire           tx_head,        // first flit of a packet
    input  wire           tx_last,        // last flit of a packet
    input  wire ${r(L.PIECE_W)} tx_data,        // flit

    // acknowledgements
    input  wire           back,           // the first flit of one is taken
    input  wire ${r(L.WARP_W)} back_warp,      // whose block is done

    // send_req: the same packets on the mesh
    output wire           send_req_valid, // a flit
    input  wire           send_req_ready, // taken
    output wire           send_req_last,  // last of its packet
    output wire           send_req_order, // order of dimensions: always 0
    output wire ${r(L.X_W)} send_req_x,     // column where the packet goes
    output wire ${r(L.Y_W)} send_req_y,     // its row
    output wire ${r(L.FLIT_W)} send_req_data   // data
);
${localparams("WARPS", "WARP_W", "HOMES", "STACK_W", "SHARE", "SENT_W", "NODE_W", "X_W", "Y_W", "MARK_W", "MOVE_MARK", "PIECE_W", "FLIT_W")}

    localparam [SENT_W-1:0] FULL = SHARE[SENT_W-1:0];

    // ------------------------------------------------------------------
    // The next flit: what was held, else what comes

    wire [HOMES-1:0] full; // stacks that have this core's share
    wire             room; // in the queue

    reg               held; // a first flit waits for its stack
    reg               held_last;
    reg [STACK_W-1:0] held_stack;
    reg [PIECE_W-1:0] held_data;

    assign tx_ready = !held && room;

    wire               taken = tx_valid && tx_ready;
    wire               waits = taken && tx_head && full[tx_stack]; // it will be held
    wire               ends  = held && room && !full[held_stack];  // it is not any more
    wire               goes  = ends || (taken && !waits);
    wire               first = held || tx_head;
    wire               last  = held ? held_last : tx_last;
    wire [STACK_W-1:0] stack = held ? held_stack : tx_stack;
    wire [PIECE_W-1:0] piece = held ? held_data : tx_data;
    wire               sends = goes && first; // a block goes to a stack

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else
            held <= waits || (held && !ends);
    end

    always @(posedge clk) begin
        if (waits) begin
            held_last  <= tx_last;
            held_stack <= tx_stack;
            held_data  <= tx_data;
        end
    end

    // ------------------------------------------------------------------
    // Blocks of this core at each stack

    reg  [WARPS*STACK_W-1:0] stack_of; // of each warp's block
    wire [WARP_W-1:0]        whose      = piece[WARP_W-1:0];
    wire [STACK_W-1:0]       back_stack = stack_of[STACK_W*back_warp +: STACK_W];
    genvar                   s;

    generate
        for (s = 0; s < WARPS; s = s + 1) begin : warp
            always @(posedge clk) begin
                if (sends && whose == s[WARP_W-1:0])
                    stack_of[STACK_W*s +: STACK_W] <= stack;
            end
        end

        for (s = 0; s < HOMES; s = s + 1) begin : home
            reg [SENT_W-1:0] sent; // there, or on their way

            wire more = sends && stack == s[STACK_W-1:0];
            wire less = back && back_stack == s[STACK_W-1:0];

            assign full[s] = sent == FULL;

            always @(posedge clk) begin
                if (rst)
                    sent <= {SENT_W{1'b0}};
                else if (more && !less)
                    sent <= sent + 1'b1;
                else if (less && !more)
                    sent <= sent - 1'b1;
            end
        end
    endgenerate

    // ------------------------------------------------------------------
    // To the mesh

    localparam WORD_W = PIECE_W + STACK_W + 2;

    wire [WORD_W-1:0]  oldest;
    wire               begins; // it is the first of its packet
    wire               stops;  // or the last one
    wire [STACK_W-1:0] where;
    wire [PIECE_W-1:0] what;

    ${prefix}ndp_queue #(
        .WIDTH (WORD_W),
        .DEPTH (2)
    ) requests (
        .clk       (clk),
        .rst       (rst),
        .push      (goes),
        .in_word   ({piece, stack, last, first}),
        .can_push  (room),
        .pop       (send_req_ready),
        .out_valid (send_req_valid),
        .out_word  (oldest)
    );

    assign {what, where, stops, begins} = oldest;

    // the stack's column and row
    reg [X_W-1:0] x;
    reg [Y_W-1:0] y;

    always @* begin
        case (where)
//% for i, n in ipairs(stacks) do
//%     local label = i < #stacks and bits .. "'d" .. i - 1 or "default"
        ${label}: begin
            x = ${L.X_W}'d${n % L.WIDTH};
            y = ${L.Y_W}'d${n // L.WIDTH};
        end
//% end
        endcase
    end

    reg [NODE_W-1:0] here; // the own node

    always @(posedge clk) here <= at_node;

    wire [NODE_W-1:0] asker = begins ? here : {NODE_W{1'b0}};

    assign send_req_order = 1'b0;
    assign send_req_last  = send_req_valid && stops;
    assign send_req_x     = send_req_valid ? x : {X_W{1'b0}};
    assign send_req_y     = send_req_valid ? y : {Y_W{1'b0}};
    assign send_req_data  = !send_req_valid ? {FLIT_W{1'b0}} :
                            {${above > 0 and above .. "'d0, " or ""}asker, what, MOVE_MARK[MARK_W-1:0]};

`ifdef FORMAL
`include "${prefix}ndp_broker_share_formal.vh"
`endif
endmodule

`default_nettype wire
