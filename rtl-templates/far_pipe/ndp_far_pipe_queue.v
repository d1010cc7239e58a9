//% use "ndp_far_pipe_queue_formal.vh"
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
//% local fields = { "warp", "tag", "mask", "ticket", table.unpack(sources) }
//% local size = { warp = "WARP_W", tag = "TAG_W", mask = "LANES", ticket = "TICKET_W" }
//% local function w(f) return pad(range(size[f] and L[size[f]] or L.OPERAND_W), 6) end
//% local puts, gives, doc = {}, {}, {}
//% for i, f in ipairs(fields) do puts[i], gives[i] = "put_" .. f, "exec_" .. f end
//% for _, p in ipairs(iface.ports) do doc[p.name] = p.doc end
${header{title = "pipeline of the base die: queue of a subcore", text = [[
Instructions that wait for their subcore, the first one at exec; and whether any of them
has the register of a row that comes, as source, guard or destination.

Latency: an instruction that is put on edge t leaves on t+1 at the earliest.

exec's fields mean nothing while exec_valid is low.

See docs/blocks/far_pipe.md, Subcores.]]}}
`default_nettype none

module ${prefix}ndp_far_pipe_queue (
    input  wire        clk,         // clock
    input  wire        rst,         // synchronous reset, active high

    // an instruction comes
    input  wire        put,         // on this edge
//% for _, f in ipairs(fields) do
    input  wire ${w(f)} ${pad("put_" .. f .. ",", 12)} // ${doc["exec_" .. f]}
//% end
    output wire        full,        // none can

    // the first one, for the subcore
    output wire        exec_valid,  // there is one
    input  wire        exec_ready,  // taken
//% for _, f in ipairs(fields) do
    output wire ${w(f)} ${pad("exec_" .. f .. ",", 12)} // ${doc["exec_" .. f]}
//% end

    // rows
    input  wire ${pad(range(L.WARP_W), 6)} write_warp,  // of this warp,
    input  wire ${pad(range(L.REG_W), 6)} write_reg,   // this register
    output wire        write_named, // an instruction has it
    input  wire ${pad(range(L.WARP_W), 6)} init_warp,   // of this warp,
    input  wire ${pad(range(L.REG_W), 6)} init_reg,    // this register
    output wire        init_named   // an instruction has it
);
${localparams("SUBCORE_QUEUE", "WARP_W", "TAG_W", "LANES", "TICKET_W", "OPERAND_W", "REG_W")}

    localparam WIDTH = WARP_W + TAG_W + LANES + TICKET_W + ${#sources} * OPERAND_W;

    reg [SUBCORE_QUEUE-1:0]       there; // from the lowest bit on, the first one in front
    reg [SUBCORE_QUEUE*WIDTH-1:0] words;

    wire                           goes = there[0] && exec_ready;
    wire [SUBCORE_QUEUE-1:0]       left = goes ? there >> 1 : there;
    wire [SUBCORE_QUEUE*WIDTH-1:0] stay = goes ? words >> WIDTH : words;
    wire [WIDTH-1:0]               word =
        {${joined(puts, ",", 9)}};

    assign full       = there[SUBCORE_QUEUE-1];
    assign exec_valid = there[0];

    assign {${joined(gives, ",", 12)}} =
        words[0 +: WIDTH];

    always @(posedge clk) begin
        if (rst)
            there <= {SUBCORE_QUEUE{1'b0}};
        else
            there <= put ? ~(~left << 1) : left;
    end

    integer i;

    // what comes goes to all places that are free, and is there in the first one
    always @(posedge clk) begin
        if (put || goes)
            for (i = 0; i < SUBCORE_QUEUE; i = i + 1)
                words[i*WIDTH +: WIDTH] <= left[i] ? stay[i*WIDTH +: WIDTH] : word;
    end

    // ------------------------------------------------------------------
    // Registers

    wire [SUBCORE_QUEUE-1:0] write_by; // by place: its instruction has it
    wire [SUBCORE_QUEUE-1:0] init_by;

    genvar p;

    generate
        for (p = 0; p < SUBCORE_QUEUE; p = p + 1) begin : place
            wire [WARP_W-1:0]    warp = words[(p+1)*WIDTH-1 -: WARP_W];
//% for i, s in ipairs(sources) do
            wire [OPERAND_W-1:0] ${pad(s, 5)} = words[p*WIDTH+${5 - i}*OPERAND_W +: OPERAND_W];
//% end

//% for _, r in ipairs{ "write", "init" } do
            assign ${r}_by[p] = there[p] && warp == ${r}_warp && (
//%     for i, s in ipairs(sources) do
                (${is_there(s)} && ${register(s)} == ${r}_reg)${i < #sources and " ||" or ");"}
//%     end
//% end
        end
    endgenerate

    assign write_named = write_by != {SUBCORE_QUEUE{1'b0}};
    assign init_named  = init_by != {SUBCORE_QUEUE{1'b0}};

`ifdef FORMAL
`include "${prefix}ndp_far_pipe_queue_formal.vh"
`endif
endmodule

`default_nettype wire
