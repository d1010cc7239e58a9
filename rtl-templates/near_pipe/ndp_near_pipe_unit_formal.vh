//% output("formal/ndp_near_pipe_unit_formal.vh")
//% local P = L.PASSES
//% local moves = SHARED and "moves" or "leaves"
//% local sources = { "src0", "src1", "src2", "guard", "dst" }
${header{title = "what is proved of ndp_near_pipe_unit", text = [[
Demands on the user (q_*), asserted of each unit inside another module: an
instruction comes when the collector is empty and has one result or none, an end is
told when there is one, and a row is written for another when the lanes do not write
and it is not left to read.

The instructions in the unit are noted apart, the older one and the younger; each is
in one place, its passes are written once each, and what it reads, writes and tells
is its own.  Arithmetic and file are open: they give anything.]] .. (SHARED and [[


An access to shared memory is given when it is wanted, all its passes one after the
other; it is in the collector, and nowhere else, until the last one.]] or "") .. [[
]]}}
`ifdef FORMAL_NDP_NEAR_PIPE_UNIT
`define NDP_NEAR_PIPE_CONTRACT assume
`else
`define NDP_NEAR_PIPE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire f_unread = (left[0] && at_src0 == put_at) || (left[1] && at_src1 == put_at) ||
                    (left[2] && at_src2 == put_at) || (left[3] && at_guard == put_at) ||
                    (left[4] && at_dst == put_at);

    always @* if (f_past && !rst) begin
        q_take: `NDP_NEAR_PIPE_CONTRACT (!(take && held));
        q_result: `NDP_NEAR_PIPE_CONTRACT (!(take && to_reg && to_pred));
//% if SHARED then
        q_access: `NDP_NEAR_PIPE_CONTRACT (!(take && to_shared && (to_reg || to_pred)));
        q_gives: `NDP_NEAR_PIPE_CONTRACT (!gives || wants);
        q_s_puts: `NDP_NEAR_PIPE_CONTRACT (!(s_puts && taken));
//% end
        q_told: `NDP_NEAR_PIPE_CONTRACT (!told || ended);
        q_puts: `NDP_NEAR_PIPE_CONTRACT (!(puts && comes));
        q_unread: `NDP_NEAR_PIPE_CONTRACT (!(puts && held && f_unread));
    end

`ifdef FORMAL_NDP_NEAR_PIPE_UNIT
    // ------------------------------------------------------------------
    // The instructions in the unit, the older one first

    localparam F_W = WARP_W + TAG_W + TICKET_W + PLACE_W + LANES + 2;

    wire [PLACE_W-1:0] f_dst = ${place("warp", register "dst")};
    wire [F_W-1:0]     f_new = {warp, tag, ticket, f_dst, mask, to_reg && ${is_there "dst"},
                                to_pred && ${is_there "dst"}};

    reg [1:0]     f_n;     // how many
//% if SHARED then
    wire          f_given = gives && last_pass; // the younger one is gone
//% end
    reg [F_W-1:0] f_old;   // the older one
    reg [F_W-1:0] f_young; // the younger one, if there are two

    always @(posedge clk) begin
        if (rst)
            f_n <= 2'd0;
        else
            f_n <= f_n + take - told${SHARED and " - f_given" or ""};
        if (take && (f_n == 0 || (f_n == 1 && told)))
            f_old <= f_new;
        else if (told)
            f_old <= f_young;
        if (take)
            f_young <= f_new;
    end

    // the one in the collector, and what it needs
    reg [4:0] f_needs;
    reg [4:0] f_got;
    reg [PLACE_W-1:0] f_read_at; // the row that was read last
//% for i, s in ipairs(sources) do
    reg [PLACE_W-1:0] ${pad("f_at_" .. s .. ";", 12)}
//% end

    always @(posedge clk) begin
        if (take) begin
            f_needs <= {${is_there "dst"} && to_pred, {4{computes}} &
                        {${is_there "guard"}, ${is_there "src2"}, ${is_there "src1"},
                         ${is_there "src0"}}};
            f_got   <= 5'd0;
//% for _, s in ipairs(sources) do
            ${pad("f_at_" .. s, 10)} <= ${place("warp", register(s))};
//% end
        end else begin
            f_got <= f_got | asked;
        end
        if (reads || asks)
            f_read_at <= reads ? read_at : ask_at;
    end

    // what the file gave
    reg [ROW_W-1:0] f_a;
    reg [ROW_W-1:0] f_b;
    reg [ROW_W-1:0] f_c;

    always @(posedge clk) begin
        if (asked[0])
            f_a <= row;
        if (asked[1])
            f_b <= row;
        if (asked[2])
            f_c <= row;
    end

    // ------------------------------------------------------------------
    // Passes: left the collector, under way, written

    wire [3:0] f_begun = ${SHARED and "pass" or "begun ? pass : 0"}; // passes that have left
    reg  [3:0] f_left;
    reg  [3:0] f_under;
    reg  [3:0] f_out;
    reg  [3:0] f_ends;

    integer f_i;

    always @* begin
        f_under = 4'd0;
        f_ends  = 4'd0;
        for (f_i = 0; f_i < ${LAST}; f_i = f_i + 1) begin
            f_under = f_under + there[f_i];
            f_ends  = f_ends + ends[f_i];
        end
    end

    always @(posedge clk) begin
        if (rst || told) begin
            f_left <= 4'd0;
            f_out  <= 4'd0;
        end else begin
            f_left <= f_left + leaves;
            f_out  <= f_out + comes;
        end
    end

    // lanes that a pass may write: those of the mask
    wire [PLACE_W-1:0] f_old_at   = f_old[LANES+2 +: PLACE_W];
    wire [LANES-1:0]   f_old_mask = f_old[2 +: LANES];

    always @* if (f_past && !rst) begin
        p_places: assert (f_n == held + busy - begun);
        p_begun: assert (!begun || (held && busy));
        p_ended: assert (!ended || (busy && !begun && there == 0));
        p_idle: assert (busy || there == 0);
        p_passes: assert (!busy || f_left == f_under + f_out);
        p_begins: assert (!begun || f_left == pass);
        p_all: assert (!(busy && !begun) || f_left == ${P});
        p_written: assert (!ended || f_out == ${P});
        p_closes: assert (f_ends == (busy && !begun && !ended));
        p_next: assert (out_at == (ended ? 1 : 1 << f_out));
        p_told: assert (!ended || {end_warp, end_tag, end_ticket} ==
                                  f_old[F_W-1 -: WARP_W + TAG_W + TICKET_W]);
        p_kind: assert (!comes || {to_file, to_bits} == f_old[1:0]);
        p_place: assert (!(comes && (to_file || to_bits)) || end_at == f_old_at);
        p_apart: assert (!(comes && to_file) ||
                         (out_lanes & ~({LANES{1'b0}} | {ALUS{1'b1}} << f_out * ALUS)) == 0);
        p_needs: assert (!held || (left | asked | f_got) == f_needs);
        p_once: assert (!held || ((left & asked) == 0 && (left & f_got) == 0));
        p_leaves: assert (!leaves || f_got == f_needs);
//% if SHARED then
        p_wants: assert (!wants || (held && f_got == f_needs && !begun));
        p_apart_s: assert (!(leaves && c_shared));
        p_pass: assert (held || pass == 0);
        c_gives: cover (gives && last_pass && busy);
        c_s_puts: cover (s_puts && held && busy);
//% end
//% for i, s in ipairs(sources) do
        p_read_${s}: assert (!(held && asked[${i - 1}]) || f_read_at == f_at_${s});
//% end
        p_row_a: assert (!(${moves} && f_needs[0]) || row_a == f_a >> f_begun * DATA_W);
        p_row_b: assert (!(${moves} && f_needs[1]) || row_b == f_b >> f_begun * DATA_W);
        p_row_c: assert (!(${moves} && f_needs[2]) || row_c == f_c >> f_begun * DATA_W);
        c_pred: cover (comes && closes && to_bits && ended == 0 && f_old[0]);
        c_two: cover (held && busy && !begun && ended);
        c_again: cover (told && held && f_needs == 5'b01111);
    end
`endif
