//% use "ndp_simt_select_formal.vh"
//% use "ndp_round_robin.v"
${header{title = "SIMT core: select", text = [[
What goes into stage F: a register that the host reads, else a result of memory,
else a warp that begins, else the next ready warp in turn.

    in a free F: read > return > init > ]] .. (L.BUILDS == 1 and "the warp whose chain is built > " or "") .. [[ready warps, round robin

Latency: what is selected on an edge is in F after it.]]}}
`default_nettype none

module ${prefix}ndp_simt_select (
    input  wire        clk,          // clock
    input  wire        rst,          // synchronous reset, active high
    input  wire        faulted,      // nothing is selected
    input  wire        go,           // warps may be selected
    input  wire        counted,      // an edge without a selection is to count

    // a register that the host reads
    input  wire        read_wait,    // there is one
    input  wire ${pad(range(L.WARP_W), 6)} read_warp,    // its warp
//% if L.MOVES == 1 then

    // a register that somebody looks at, also on a faulted core
    input  wire        look_wait,    // there is one
    input  wire ${pad(range(L.WARP_W), 6)} look_warp,    // its warp
    input  wire        look_pred,    // it is a predicate
    input  wire [5:0]  look_reg,     // its number
//% end

    // the lowest ticket that is complete
    input  wire        ret_wait,     // there is one
    input  wire ${pad(range(L.TICKET_W), 6)} ret_ticket,   // which
    input  wire ${pad(range(L.WARP_W), 6)} ret_warp,     // of an instruction of this warp
    input  wire ${pad(range(L.PC_W), 6)} ret_pc,       // there
    input  wire [5:0]  ret_d,        // with this destination

    // a warp that begins
    input  wire        init_wait,    // there is one
    input  wire ${pad(range(L.WARP_W), 6)} init_warp,    // which
    input  wire ${pad(range(L.PC_W), 6)} entry,        // pc of its first instruction

    // ready warps
    input  wire ${pad(range(L.WARPS), 6)} ready,        //
    input  wire        step_wait,    // only this one:
    input  wire ${pad(range(L.WARP_W), 6)} step_warp,    //
//% if L.BUILDS == 1 then
    input  wire ${pad(range(L.WARPS), 6)} favoured,     // the warp whose chain is built, if any
//% end
    output wire ${pad(range(L.WARPS), 6)} chosen,       // the warp whose turn it is
    input  wire ${pad(range(L.PC_W), 6)} choice_pc,    // its pc

    // what was selected, on this edge
    output wire        take_read,    // read
//% if L.MOVES == 1 then
    output wire        take_look,    // look
//% end
    output wire        take_ret,     // return
    output wire        take_init,    // init
    output wire        take_warp,    // warp
    output wire ${pad(range(L.WARPS), 6)} taken,        // warp that was selected to be in flight

    // stage F
    input  wire        f_leaves,     // it is empty after this edge
    output reg         f_valid,      // it holds something
    output reg  [1:0]  f_kind,       // 0 instruction, 1 return, 2 init, 3 read
    output reg  ${pad(range(L.WARP_W), 6)} f_warp,       // warp
    output reg  ${pad(range(L.PC_W), 6)} f_pc,         // its instruction
    output reg  ${pad(range(L.TICKET_W), 6)} f_ticket,     // ticket of a return
    output reg  [5:0]  f_d,          // destination of a return
//% if L.MOVES == 1 then
    output reg         f_look,       // a read is a look
    output reg         f_look_pred,  // at a predicate
    output reg  [5:0]  f_look_reg,   // of this number
//% end
    output reg         count_idle    // nothing was selected, though it could be
);
${L.MOVES == 1 and localparams("WARPS", "WARP_W", "PC_W") or localparams("WARPS", "WARP_W")}

    localparam [1:0] INSTRUCTION = 2'd0;
    localparam [1:0] RETURN      = 2'd1;
    localparam [1:0] INIT        = 2'd2;
    localparam [1:0] READ        = 2'd3;

    wire free = (!f_valid || f_leaves) && !faulted;

    assign take_read = free && read_wait;
//% if L.MOVES == 1 then
    wire looks = look_wait && !(read_wait && !faulted);

    assign take_look = (!f_valid || f_leaves) && looks;
    assign take_ret  = free && ret_wait && !read_wait && !looks;
    assign take_init = free && init_wait && !read_wait && !looks && !ret_wait;

    wire others = read_wait || looks || ret_wait || init_wait;
//% else
    assign take_ret  = free && ret_wait && !read_wait;
    assign take_init = free && init_wait && !read_wait && !ret_wait;

    wire others = read_wait || ret_wait || init_wait;
//% end

    // ------------------------------------------------------------------
    // Warps in turn

    wire [WARPS-1:0] one     = {{(WARPS-1){1'b0}}, 1'b1};
    wire [WARPS-1:0] stepped = one << step_warp;
//% if L.BUILDS == 1 then
    wire [WARPS-1:0] allowed = ready & (step_wait ? stepped : {WARPS{1'b1}}) &
                               {WARPS{go}};
    wire [WARPS-1:0] first   = allowed & favoured;
    wire [WARPS-1:0] request = first != {WARPS{1'b0}} ? first : allowed;
//% else
    wire [WARPS-1:0] request = ready & (step_wait ? stepped : {WARPS{1'b1}}) &
                               {WARPS{go}};
//% end
    wire [WARP_W-1:0] choice;

    assign take_warp = free && !others && request != {WARPS{1'b0}};

    ${prefix}ndp_round_robin #(
        .N       (WARPS),
        .INDEX_W (WARP_W)
    ) turn (
        .clk     (clk),
        .rst     (rst),
        .request (request),
        .take    (take_warp),
        .chosen  (chosen),
        .index   (choice)
    );

    assign taken = (chosen & {WARPS{take_warp}}) |
                   ((one << init_warp) & {WARPS{take_init}});

    // ------------------------------------------------------------------
    // F

    wire take = take_read || ${L.MOVES == 1 and "take_look || " or ""}take_ret || take_init || take_warp;

    always @(posedge clk) begin
        if (rst)
            f_valid <= 1'b0;
        else
            f_valid <= take || (f_valid && !f_leaves);
    end

    always @(posedge clk) begin
        if (take) begin
//% if L.MOVES == 1 then
            f_kind   <= looks || read_wait ? READ : ret_wait ? RETURN :
                        init_wait ? INIT : INSTRUCTION;
            f_warp   <= looks ? look_warp : read_wait ? read_warp :
                        ret_wait ? ret_warp : init_wait ? init_warp : choice;
            f_pc     <= looks || read_wait ? {PC_W{1'b0}} : ret_wait ? ret_pc :
                        init_wait ? entry : choice_pc;
            f_d      <= ret_wait && !read_wait && !looks ? ret_d : 6'd0;
            f_look   <= looks;
            f_look_pred <= look_pred;
            f_look_reg  <= look_reg;
            f_ticket <= ret_ticket;
//% else
            f_kind   <= read_wait ? READ : ret_wait ? RETURN :
                        init_wait ? INIT : INSTRUCTION;
            f_warp   <= read_wait ? read_warp : ret_wait ? ret_warp :
                        init_wait ? init_warp : choice;
            f_pc     <= ret_wait && !read_wait ? ret_pc :
                        init_wait ? entry : choice_pc;
            f_ticket <= ret_ticket;
            f_d      <= ret_wait && !read_wait ? ret_d : 6'd0;
//% end
        end
    end

    always @(posedge clk) begin
        if (rst)
            count_idle <= 1'b0;
        else
            count_idle <= counted && (!f_valid || f_leaves) && !take;
    end

`ifdef FORMAL
`include "${prefix}ndp_simt_select_formal.vh"
`endif
endmodule

`default_nettype wire
