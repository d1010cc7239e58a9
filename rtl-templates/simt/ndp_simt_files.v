//% use "ndp_ram_parts.v"
//% local BITS = 7 * L.ALUS <= 16 -- a block RAM that writes single bits has so many
//% use(BITS and "ndp_ram_parts_block.v" or "ndp_ram.v")
//% local P, A = L.PASSES, L.ALUS
//% local PB = clog2(P)
${header{title = "SIMT core: register files and predicates", text = [[
Registers of all warps: three copies, so that three of them are read at a time, a
word for each pass of each register, with an enable for each lane.

]] .. (7 * L.ALUS <= 16 and [[
Predicates, a word for each pass of each warp, written bit by bit.
]] or [[
Predicates, a word for each pass of each warp: one copy for sources, one that is read
again when a word is to be written, because a predicate is one bit of it.
]]) .. [[

Latency: what is read stands after the edge with rd_en.  A row that is written on an
edge can be read on the next.]]}}
`default_nettype none

module ${prefix}ndp_simt_files (
    input  wire        clk,         // clock

    // read
    input  wire        rd_en,       // all of them
    input  wire ${pad(range(L.WARP_W), 6)} rd_warp,     // warp
    input  wire ${pad(range(L.PASS_W), 6)} rd_pass,     // pass
    input  wire [5:0]  rd_a,        // registers
    input  wire [5:0]  rd_b,        //
    input  wire [5:0]  rd_c,        //
    output wire ${pad(range(32 * A), 6)} a,           // their values, a lane in 32 bits
    output wire ${pad(range(32 * A), 6)} b,           //
    output wire ${pad(range(32 * A), 6)} c,           //
    output wire ${pad(range(7 * A), 6)} preds,       // predicates p6 to p0 of each lane

    // what is to be written on the next edge
    input  wire        w_early,     // it may be a predicate
    input  wire ${pad(range(L.WARP_W), 6)} w_early_warp,//
    input  wire ${pad(range(L.PASS_W), 6)} w_early_pass,//

    // write
    input  wire [1:0]  w_kind,      // 1 a register, 2 a predicate
    input  wire ${pad(range(L.WARP_W), 6)} w_warp,      // warp
    input  wire ${pad(range(L.PASS_W), 6)} w_pass,      // pass
    input  wire ${pad(vec(A), 6)} w_mask,      // lanes
    input  wire [5:0]  w_d,         // register or predicate
    input  wire ${range(32 * A)} w_value      // values
);
${localparams("ALUS", "REG_W")}

    localparam ROWS   = ${L.WARPS * L.REGS * P}; // words of a register file
    localparam ROW_W  = ${L.WARP_W + L.REG_W + PB};
    localparam SETS   = ${math.max(2, L.WARPS * P)}; // words of predicates
    localparam SET_W  = ${L.WARP_W + PB};

//% local function row(warp, reg, pass)
//%     return "{" .. warp .. ", " .. reg .. "[REG_W-1:0]" .. (PB > 0 and ", " .. pass or "") .. "}"
//% end
//% local function set(warp, pass) return PB > 0 and "{" .. warp .. ", " .. pass .. "}" or warp end
    wire [ROW_W-1:0] row_a = ${row("rd_warp", "rd_a", "rd_pass")};
    wire [ROW_W-1:0] row_b = ${row("rd_warp", "rd_b", "rd_pass")};
    wire [ROW_W-1:0] row_c = ${row("rd_warp", "rd_c", "rd_pass")};
    wire [ROW_W-1:0] row_w = ${row("w_warp", "w_d", "w_pass")};
    wire [ALUS-1:0]  lanes = w_mask & {ALUS{w_kind == 2'd1}};

//% for _, p in ipairs{ "a", "b", "c" } do
    ${prefix}ndp_ram_parts #(
        .PARTS     (ALUS),
        .PART_W    (32),
        .WORDS     (ROWS),
        .ADDRESS_W (ROW_W)
    ) file_${p} (
        .clk     (clk),
        .wr_en   (lanes),
        .wr_addr (row_w),
        .wr_data (w_value),
        .rd_en   (rd_en),
        .rd_addr (row_${p}),
        .rd_data (${p})
    );

//% end
    // ------------------------------------------------------------------
    // Predicates

    wire [SET_W-1:0]  set_r = ${set("rd_warp", "rd_pass")};
//% if BITS then
    wire [SET_W-1:0]  set_w = ${set("w_warp", "w_pass")};
    reg  [ALUS*7-1:0] put;  // these bits
    reg  [ALUS*7-1:0] next; // become these

    integer lane, p;

    always @* begin
        for (lane = 0; lane < ALUS; lane = lane + 1)
            for (p = 0; p < 7; p = p + 1) begin
                put[lane*7+p]  = w_kind == 2'd2 && w_mask[lane] && w_d[2:0] == p[2:0];
                next[lane*7+p] = w_value[lane*32];
            end
    end

    ${prefix}ndp_ram_parts_block #(
        .PARTS     (7 * ALUS),
        .PART_W    (1),
        .WORDS     (SETS),
        .ADDRESS_W (SET_W)
    ) sources (
        .clk     (clk),
        .wr_en   (put),
        .wr_addr (set_w),
        .wr_data (next),
        .rd_en   (rd_en),
        .rd_addr (set_r),
        .rd_data (preds)
    );

//% else
    wire [SET_W-1:0]  set_e = ${set("w_early_warp", "w_early_pass")};
    wire [SET_W-1:0]  set_w = ${set("w_warp", "w_pass")};
    wire              put   = w_kind == 2'd2;
    wire [ALUS*7-1:0] old;
    reg  [ALUS*7-1:0] next;

    integer lane, p;

    always @* begin
        next = old;
        for (lane = 0; lane < ALUS; lane = lane + 1)
            for (p = 0; p < 7; p = p + 1)
                if (w_mask[lane] && w_d[2:0] == p[2:0])
                    next[lane*7+p] = w_value[lane*32];
    end

    ${prefix}ndp_ram #(
        .WIDTH     (7 * ALUS),
        .WORDS     (SETS),
        .ADDRESS_W (SET_W)
    ) sources (
        .clk     (clk),
        .wr_en   (put),
        .wr_addr (set_w),
        .wr_data (next),
        .rd_en   (rd_en),
        .rd_addr (set_r),
        .rd_data (preds)
    );

    ${prefix}ndp_ram #(
        .WIDTH     (7 * ALUS),
        .WORDS     (SETS),
        .ADDRESS_W (SET_W)
    ) again (
        .clk     (clk),
        .wr_en   (put),
        .wr_addr (set_w),
        .wr_data (next),
        .rd_en   (w_early),
        .rd_addr (set_e),
        .rd_data (old)
    );

//% end
//% local rest = {}
//% if BITS then rest[#rest + 1] = "w_early, w_early_warp, w_early_pass" end
//% if L.REG_W < 6 then rest[#rest + 1] = "rd_a[5:REG_W], rd_b[5:REG_W], rd_c[5:REG_W], w_d[5:REG_W]" end
//% if PB == 0 then rest[#rest + 1] = BITS and "rd_pass, w_pass" or "rd_pass, w_early_pass, w_pass" end
//% if #rest > 0 then
    wire unused = &{1'b0, ${joined(rest, ",", 20)}};
//% end
endmodule

`default_nettype wire
