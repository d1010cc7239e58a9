//% output("formal/ndp_far_pipe_queue_formal.vh")
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
//% local fields = { "warp", "tag", "mask", "ticket", table.unpack(sources) }
//% local gives = {}
//% for i, f in ipairs(fields) do gives[i] = "exec_" .. f end
${header{title = "what is proved of ndp_far_pipe_queue", text = [[
Demand on the user (q_*), asserted inside another module: none comes while it is full.

Any instruction that comes (f_picks) is noted with how many are before it, and any bit of
it (f_b): it is shown after them, as it came, until it is taken, and a row of its registers
is seen as such.  A row that nobody has, and that stands, is not hidden later.]]}}
`ifdef FORMAL_NDP_FAR_PIPE_QUEUE
`define NDP_FAR_PIPE_QUEUE_CONTRACT assume
`else
`define NDP_FAR_PIPE_QUEUE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    always @* if (f_past && !rst)
        q_put: `NDP_FAR_PIPE_QUEUE_CONTRACT (!put || !full);

`ifdef FORMAL_NDP_FAR_PIPE_QUEUE
    (* anyseq *) reg f_picks; // what comes on this edge is the one that is followed
    (* anyconst *) reg [7:0] f_b;

    reg [2:0]           f_count; // instructions
    reg                 f_has;   // the followed one is there,
    reg                 f_bit;   // its bit,
    reg [2:0]           f_ahead; // and those before it
    reg                 f_waits; // one was shown and not taken,
    reg                 f_shown; // its bit

    wire f_new = put && f_picks && !f_has;
    wire f_out = exec_valid && exec_ready;
    wire [WIDTH-1:0] f_shows =
        {${joined(gives, ",", 9)}};

    always @(posedge clk) begin
        f_count <= rst ? 0 : f_count + put - f_out;
        if (rst)
            f_has <= 1'b0;
        else
            f_has <= f_new || (f_has && !(f_out && f_ahead == 0));
        if (f_new)
            f_bit <= word[f_b];
        f_ahead <= f_new ? f_count - f_out : f_ahead - f_out;
        f_waits <= !rst && exec_valid && !exec_ready;
        f_shown <= f_shows[f_b];
    end

    // the registers of the followed one, and of one that comes
    wire [WIDTH-1:0]     f_word  = words[f_ahead*WIDTH +: WIDTH];
    wire [WARP_W-1:0]    f_warp  = f_word[WIDTH-1 -: WARP_W];
//% for i, s in ipairs(sources) do
    wire [OPERAND_W-1:0] ${pad("f_" .. s, 7)} = f_word[${5 - i}*OPERAND_W +: OPERAND_W];
//% end
//% for _, r in ipairs{ "write", "init" } do
    wire f_${r} = f_warp == ${r}_warp && (
//%     for i, s in ipairs(sources) do
        (${is_there("f_" .. s)} && ${register("f_" .. s)} == ${r}_reg)${i < #sources and " ||" or ");"}
//%     end
//% end

//% for _, r in ipairs{ "write", "init" } do
    wire f_put_${r} = put_warp == ${r}_warp && (
//%     for i, s in ipairs(sources) do
        (${is_there("put_" .. s)} && ${register("put_" .. s)} == ${r}_reg)${i < #sources and " ||" or ");"}
//%     end
    reg                    f_${r}_seen; // a row was not hidden,
    reg [WARP_W+REG_W-1:0] f_${r}_was;  // this one

    always @(posedge clk) begin
        f_${r}_seen <= !rst && !${r}_named;
        f_${r}_was  <= {${r}_warp, ${r}_reg};
    end

    wire f_${r}_stands = f_${r}_seen && f_${r}_was == {${r}_warp, ${r}_reg};
//% end

    reg f_put_named; // a row that stands was named by what came

    always @(posedge clk) f_put_named <= put && (f_put_write || f_put_init);

    always @* assume (f_b < WIDTH);

    always @* if (f_past && !rst) begin
        p_seen: assert (f_put_named || !((f_write_stands && write_named) || (f_init_stands && init_named)));
        p_there: assert (there == (1 << f_count) - 1);
        p_room: assert (f_count <= SUBCORE_QUEUE && full == (f_count == SUBCORE_QUEUE));
        p_valid: assert (exec_valid == (f_count != 0));
        p_ahead: assert (!f_has || f_ahead < f_count);
        p_stays: assert (!f_has || f_word[f_b] == f_bit);
        p_first: assert (!(f_has && f_ahead == 0) || f_shows[f_b] == f_bit);
        p_waits: assert (!f_waits || (exec_valid && f_shows[f_b] == f_shown));
        p_write: assert (!(f_has && f_write) || write_named);
        p_init: assert (!(f_has && f_init) || init_named);
        p_none: assert (f_count != 0 || !(write_named || init_named));
        p_alone: assert (!(f_has && f_count == 1) || (write_named == f_write && init_named == f_init));
        c_full: cover (full && f_has && f_ahead == 3 && f_write && write_named);
        c_behind: cover (put && f_out && f_has && f_ahead == 0 && f_count == 3);
    end
`endif
