//% output("formal/ndp_simt_accesses_formal.vh")
${header{title = "what is proved of ndp_simt_accesses", text = [[
The two buffers are used in turn, the older one first, and none is taken while both are
in use.  Each operation's address is held against its own width and memory.  That a pass belongs to a buffer that is in use and not yet full is the
contract of the pipe (q_).]]}}
`ifdef FORMAL_NDP_SIMT_ACCESSES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    wire [1:0] f_full = ${L.BUFFERS == 2 and "{full_1, full_0}" or "{1'b0, full_0}"};

    always @* if (f_past && !rst) begin
        q_take: assume (!take || free);
        q_end: assume (!end_now || full);
        q_put: assume (!x_put || (used[x_buffer] && !f_full[x_buffer]));
    end

    reg [1:0] f_low;    // bits that are zero in an address of the operation
    reg       f_global; // it is of global memory
    reg       f_shared; // of shared memory
    reg       f_known;  // there is such an operation

    always @* begin
        {f_low, f_global, f_shared} = 4'd0;
        f_known = 1'b1;
        case (x_op)
//% for _, o in ipairs(isa.ops) do
//%     local memory = o.class == "global" or o.class == "shared" or o.class == "atomic"
//%     local narrow = o.text:find("16", 1, true) and 1 or o.text:find("8", 1, true) and 0 or 3
//%     if memory then
        ${hex(8, o.code)}: {f_low, f_global, f_shared} = {2'd${narrow}, ${o.timing == "shared" and "1'b0, 1'b1" or "1'b1, 1'b0"}}; // ${o.text}
//%     elseif o.class == "cross" then
        ${hex(8, o.code)}: ; // ${o.text}
//%     end
//% end
        default: f_known = 1'b0;
        endcase
//% if L.OFFERS == 1 then
        if (x_offer) // a row of words
            {f_known, f_low, f_global, f_shared} = 5'b11110;
//% end
    end

    wire [31:0] f_end = 32'd0 - limit_neg; // 0: there is none

    always @* begin
//% for i = 0, L.ALUS - 1 do
//%     local at = "in_a[" .. i * 32 .. " +: 32]"
        p_odd_${i}: assert (!f_known || in_odd[${i}] == ((${at} & {30'd0, f_low}) != 32'd0));
        p_off_${i}: assert (!f_known || in_off[${i}] == ((f_global && (${at} < 32'd256 || (f_end != 32'd0 && ${at} >= f_end))) ||
                                     (f_shared && ${at} >= {${32 - SHARED_W}'d0, shared_bytes})));
//% end
    end

    always @* if (f_past && !rst) begin
        p_full: assert ((f_full & ~used) == 0);
//% if L.BUFFERS == 2 then
        p_turn: assert ((turn == older) == (used == 2'b00 || used == 2'b11));
        p_older: assert (used != 2'b01 || !older);
        p_newer: assert (used != 2'b10 || older);
//% end
        p_order: assert (!take || !used[turn]);
//% if L.BUFFERS == 2 then
        c_both: cover (used == 2'b11 && f_full == 2'b11);
        c_swap: cover (take && end_now);
//% end
    end
`endif
