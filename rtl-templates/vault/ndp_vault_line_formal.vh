//% output("formal/ndp_vault_line_formal.vh")
//% local read, write = L.READ_D - 4, L.WRITE_D - 4
//% local W = clog2(math.max(read, write, 1) + 2)
${header{title = "what is proved of ndp_vault_line", text = [[
Commands come one at a time, and a burst does not overtake or meet the one before
(q_apart, of which the unit with its banks shows that it holds).  Any place comes out
after the edges of its kind, once, and nothing else does.]]}}
`ifdef FORMAL_NDP_VAULT_LINE
`define NDP_VAULT_LINE_CONTRACT assume
`else
`define NDP_VAULT_LINE_CONTRACT assert
`endif

    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // When the burst before comes: edges from now on, none if there is none

    reg       f_some; // it has not come before this edge
    reg [${W - 1}:0] f_left;

    wire [${W - 1}:0] f_takes = reads ? ${W}'d${read} : ${W}'d${write};

    always @(posedge clk) begin
        if (rst) begin
            f_some <= 1'b0;
            f_left <= 0;
        end else if (reads || writes) begin
            f_some <= f_takes != 0;
            f_left <= f_takes - 1'b1;
        end else begin
            f_some <= f_some && f_left != 0;
            f_left <= f_left - 1'b1;
        end
    end

    always @* if (f_past && !rst) begin
        q_one: `NDP_VAULT_LINE_CONTRACT (!(reads && writes));
        q_apart: `NDP_VAULT_LINE_CONTRACT (!(reads || writes) || !f_some || f_takes > f_left);
    end

`ifdef FORMAL_NDP_VAULT_LINE
    // ------------------------------------------------------------------
    // Any burst

    (* anyseq *) reg f_pick; // the one of this edge is the token

    reg               f_have; // it has not come
    reg [${L.PLACE_W - 1}:0]       f_place;
    reg [${W - 1}:0]         f_wait;
    reg [${W - 1}:0]         f_owed; // bursts that have not come



    wire f_comes = f_have && f_wait == 0;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
            f_owed <= 0;
        end else begin
            if (f_have) begin
                f_wait <= f_wait - 1'b1;
                f_have <= f_wait != 0;
            end else if ((reads || writes) && f_pick && f_takes != 0) begin
                f_have  <= 1'b1;
                f_place <= place;
                f_wait  <= f_takes - 1'b1;
            end
            f_owed <= f_owed + (reads || writes) - due;
        end
    end

    always @* if (f_past && !rst) begin
        p_comes: assert (!f_comes || (due && due_place == f_place));
        p_at_once: assert (!((reads || writes) && f_takes == 0) || (due && due_place == place));
        p_owed: assert (!due || f_owed != 0 || reads || writes);
        p_all: assert (f_some || f_owed == 0);
        c_comes: cover (f_comes);
//% if read > 1 and write > 1 then
        c_many: cover (f_owed == 2);
//% end
        c_turn: cover (due && reads && f_owed != 0);
    end
`endif
