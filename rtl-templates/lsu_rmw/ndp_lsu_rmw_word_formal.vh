//% output("formal/ndp_lsu_rmw_word_formal.vh")
${header{title = "what is proved of ndp_lsu_rmw_word", text = [[
What a load gets and a store leaves, byte by byte, and when and to what an atomic changes
the word, by arithmetic.  It has no clock: this is proved in the module that uses it.
Places are multiples of the size, and operations those that there are, where a lane is
carried out (q_places, q_ops there).]]}}
    (* anyconst *) reg [1:0] f_byte; // any byte of the word

    wire [2:0]  f_bytes = size == 0 ? 3'd1 : size == 1 ? 3'd2 : 3'd4;
    wire [2:0]  f_first = {1'b0, place};
    wire [2:0]  f_past_end = f_first + f_bytes;
    wire        f_right = (f_first & (f_bytes - 3'd1)) == 0; // a multiple of its size
    wire        f_part  = f_byte >= f_first && {1'b0, f_byte} < f_past_end;
    wire [2:0]  f_top   = f_past_end - 3'd1; // its highest byte
    wire        f_sign  = widens && old[8*f_top[1:0] + 7];
    wire [2:0]  f_from  = f_first + {1'b0, f_byte};
    wire [2:0]  f_of    = {1'b0, f_byte} - f_first;
    wire        f_less  = op == 3 || op == 4 ? $signed(old) < $signed(data) : old < data;

    always @* if (f_right) begin
        p_load: assert (op != 0 || (!changes && result[8*f_byte +: 8] ==
            (f_byte < f_bytes ? old[8*f_from[1:0] +: 8] : {8{f_sign}})));
        p_store: assert (op != 1 || (changes && value[8*f_byte +: 8] ==
            (f_part ? data[8*f_of[1:0] +: 8] : old[8*f_byte +: 8])));
    end

    always @* if (op >= 2 && op <= 11) begin
        p_old: assert (result == old);
        p_changes: assert (changes == (op == 3 || op == 5 ? !f_less :
                                       op == 4 || op == 6 ? f_less :
                                       op == 11 ? old == compare : 1'b1));
        p_value: assert (!changes || value == (op == 2 ? old + data : op == 7 ? (old & data) :
                                               op == 8 ? (old | data) :
                                               op == 9 ? (old ^ data) : data));
    end
