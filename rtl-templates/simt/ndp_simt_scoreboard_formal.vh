//% output("formal/ndp_simt_scoreboard_formal.vh")
${header{title = "what is proved of ndp_simt_scoreboard", text = [[
An instruction has to wait if any ticket in use is for its warp and one of its registers.
It has no clock: this is proved in the module that uses it.]]}}
    (* anyconst *) reg [${L.TICKET_W - 1}:0] f_t; // any ticket

    wire [5:0] f_r    = registers[f_t*6 +: 6];
    wire       f_mine = used[f_t] && warps[f_t*WARP_W +: WARP_W] == warp;
    wire       f_hit  = (uses_a && a == f_r) || (uses_b && b == f_r) ||
                        (uses_c && c == f_r) || (writes_d && d == f_r);

    always @* begin
        p_waits: assert (!(f_mine && f_hit) || pending);
        p_only: assert (!pending || used != 0);
        p_uses: assert (!pending || uses_a || uses_b || uses_c || writes_d);
    end
