//% output("formal/ndp_lines_formal.vh")
${header{title = "what is proved of ndp_lines", text = [[
The memory has as many sectors of operands as it was asked for and has not answered
(q_line).  Places in use are these and sectors on their way, and never more than
there are, so their queue does not overflow (its q_push).  What can go goes after one
request of the other kind at most, with its fields and id.  The strobes that a step
adds and the bytes that it takes are, one by one, those of lanes that take part and
stand in the sector.]]}}
`ifdef FORMAL_NDP_LINES
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Sectors at the memory, and those that have come

    reg [USED_W:0] f_at;
    reg [USED_W:0] f_in;

    wire f_req_line = req_id[MEM_ID_W-1];

    always @(posedge clk) begin
        if (rst) begin
            f_at <= 0;
            f_in <= 0;
        end else begin
            f_at <= f_at + (req_valid && req_ready && f_req_line) - to_line;
            f_in <= f_in + to_line - used_left;
        end
    end

    always @* if (f_past && !rst) begin
        q_line: assume (!to_line || f_at != 0);
    end

    always @* if (f_past && !rst) begin
        p_used: assert (used == f_at + f_in + (req_valid && f_req_line));
        p_most: assert (used <= PLACES);
        c_most: cover (used == PLACES && want_shown && asks);
    end

    // ------------------------------------------------------------------
    // Turns

    reg f_line_passed;
    reg f_home_passed;

    always @(posedge clk) begin
        f_line_passed <= !rst && (home_go ? line_able : f_line_passed && line_able && !line_go);
        f_home_passed <= !rst && (line_go ? home_shown : f_home_passed && home_shown && !home_go);
    end

    always @* if (f_past && !rst) begin
        p_one: assert (!(home_go && line_go));
        p_goes: assert ((home_go || line_go) == (open && (home_shown || line_able)));
        p_line_turn: assert (!(f_line_passed && home_go));
        p_home_turn: assert (!(f_home_passed && line_go));
        p_step: assert (!asks || step == line_go);
        c_both: cover (home_shown && line_able && open);
    end

    // ------------------------------------------------------------------
    // What is at req is what went

    reg                f_home_went;
    reg                f_line_went;
    reg [HOME_REQUEST_W-1:0] f_home;
    reg [SECTOR-1:0]   f_strobe;
    reg                f_store;
    reg                f_beyond;
    reg [LADDR_W-1:0]  f_sector;

    always @(posedge clk) begin
        f_home_went <= !rst && home_go;
        f_line_went <= !rst && line_go;
        f_home      <= home_word;
        f_strobe    <= strobe;
        f_store     <= store;
        f_beyond    <= beyond;
        f_sector    <= sector;
    end

    always @* if (f_past && !rst) begin
        if (f_home_went) begin
            p_home: assert (req_valid && !f_req_line &&
                            {req_compare, req_data, req_strobe, req_address, req_id[TAG_W-1:0], req_op} == f_home);
        end
        if (f_line_went) begin
            p_line: assert (req_valid && req_id == {1'b1, {TAG_W{1'b0}}} && req_compare == 0);
            p_op: assert (req_op == f_store && req_strobe == (f_store ? f_strobe : 0) && f_strobe != 0);
            p_sector: assert (req_address[LADDR_W-1:0] == f_sector && req_address[SADDR_W-1:LADDR_W] == {HOME_W{f_beyond}});
        end
    end

    // ------------------------------------------------------------------
    // Bytes of a step, by arithmetic

    wire signed [31:0] f_place = $signed(place);
    wire signed [31:0] f_from  = $signed(bring_place);

//% for q = 0, L.SECTOR - 1 do
    wire signed [31:0] f_byte_${q} = ${q} - f_place; // of the beat, that stands at place ${q}
    wire [31:0]        f_lane_${q} = beat * ALUS + (f_byte_${q} >>> wide);
    wire               f_has_${q}  = f_byte_${q} >= 0 && f_byte_${q} < (ALUS << wide) && mask[f_lane_${q}[${clog2(L.MASK_W) - 1}:0]];
//% end

    always @* if (f_past && !rst && want_shown) begin
//% for q = 0, L.SECTOR - 1 do
        p_strobe_${q}: assert (strobe[${q}] == (f_has_${q} || strobe_before[${q}]));
        p_data_${q}: assert (!(store && f_has_${q}) || gathered[${8 * q + 7}:${8 * q}] ==
            (data_before[${8 * q + 7}:${8 * q}] | data[8 * ((f_byte_${q} & ((1 << wide) - 1)) + 4 * (f_byte_${q} >>> wide)) +: 8]));
//% end
        c_narrow: cover (step && midst && wide == 0 && strobe != 0);
    end

//% for i = 0, L.ALUS - 1 do
//%     for b = 0, 3 do
    wire signed [31:0] f_at_${i}_${b} = f_from + (${i} << due_wide) + ${b}; // where byte ${b} of lane ${i} stands
    wire               f_in_${i}_${b} = ${b} < (1 << due_wide) && f_at_${i}_${b} >= 0 && f_at_${i}_${b} < SECTOR && due_part[${i}] &&
                                  was_asked && !due_store;
//%     end
//% end

    always @* if (f_past && !rst && bring_step) begin
//% for i = 0, L.ALUS - 1 do
//%     for b = 0, 3 do
//%         local at = 32 * i + 8 * b
        p_lane_${i}_${b}: assert (lanes[${at + 7}:${at}] == (lanes_before[${at + 7}:${at}] |
            (f_in_${i}_${b} ? brought[8 * f_at_${i}_${b}[${clog2(L.SECTOR) - 1}:0] +: 8] : 8'd0)));
//%     end
//% end
        c_brings: cover (brings && !due_store && lanes_before != 0);
    end

    // ------------------------------------------------------------------
    // What is at back and counts is what came

    reg              f_back;
    reg              f_fault;
    reg [DATA_W+TAG_W:0] f_answer;

    always @(posedge clk) begin
        f_back   <= !rst && to_home;
        f_fault  <= !rst && to_line && rsp_fault;
        f_answer <= {rsp_fault, rsp_data, rsp_id[TAG_W-1:0]};
    end

    always @* if (f_past && !rst) begin
        p_back: assert (back_valid == f_back && {back_fault, back_data, back_id} == (f_back ? f_answer : 0));
        p_fault: assert (count_fault == f_fault);
    end
`endif
