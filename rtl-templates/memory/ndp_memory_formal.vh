//% output("formal/ndp_memory_formal.vh")
//% local WORDS_A = L.SECTOR // 4
${header{title = "what is proved of ndp_memory", text = [[
A byte, any, and what was last written there by a store or through the window: a
load shows it.  One request, any, has its response LATENCY edges later, and no
response comes without one.  Atomics change no byte but those of their strobe.]]}}
`ifdef FORMAL_NDP_MEMORY

//% if L.LATENCY == 2 then
${localparams("LATENCY", "SLOT_W")}

//% end
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // A byte

    (* anyconst *) reg [SECTOR_W-1:0] f_sector;
    (* anyconst *) reg [${L.BYTE_W - 1}:0] f_byte;

    reg       f_known; // it was written, and what it is
    reg [7:0] f_value;
    reg       f_ask;   // a load of it was taken on the edge before

    wire [7:0] f_req_byte = req_data >> {f_byte, 3'b000};
    wire       f_req_here = take_req && req_address == {{(SADDR_W-SECTOR_W){1'b0}}, f_sector};
    wire       f_win_here = serve && held_there && held_place ==
                            ${WORDS_A > 1 and "{f_sector, f_byte[" .. L.BYTE_W - 1 .. ":2]}" or "f_sector"};
    wire [7:0] f_win_byte = held_data >> {f_byte[1:0], 3'b000};

    always @(posedge clk) begin
        f_ask <= !rst && f_req_here && req_op == 4'd0;
        if (rst) begin
            f_known <= 1'b0;
        end else if (f_req_here && req_strobe[f_byte]) begin
            if (req_op == 4'd1) begin
                f_known <= 1'b1;
                f_value <= f_req_byte;
            end else if (req_op >= 4'd2 && req_op <= 4'd11) begin
                f_known <= 1'b0;
            end
        end else if (f_win_here && held_write) begin
            f_known <= 1'b1;
            f_value <= f_win_byte;
        end
    end

    always @* if (f_past && !rst) begin
        p_load: assert (!(f_ask && f_known) ||
                        answer_data[8*f_byte +: 8] == f_value);
    end

    // ------------------------------------------------------------------
    // A request and its response

    (* anyseq *) reg f_pick; // the request that is taken now is the one

    reg              f_have;
    reg [SLOT_W:0]   f_age;
    reg [ID_W-1:0]   f_id;
    reg [SLOT_W:0]   f_count; // requests without a response

    always @(posedge clk) begin
        if (rst) begin
            f_have  <= 1'b0;
            f_count <= 0;
        end else begin
            f_count <= f_count + take_req - rsp_valid;
            if (f_have) begin
                f_age  <= f_age + 1'b1;
                f_have <= f_age != LATENCY;
            end else if (take_req && f_pick) begin
                f_have <= 1'b1;
                f_age  <= 0;
                f_id   <= req_id;
            end
        end
    end

    always @* if (f_past && !rst) begin
        p_answer: assert (!(f_have && f_age == LATENCY) ||
                          (rsp_valid && rsp_id == f_id));
        p_no_more: assert (f_count <= LATENCY + 1);
        p_known: assert (!rsp_valid || f_count != 0);
        p_zero: assert (rsp_valid || {rsp_data, rsp_fault, rsp_id} == 0);
        p_one: assert (!(take_req && serve));
        p_apart: assert (!(changes && (take_req || serve)));
        c_answer: cover (f_have && f_age == LATENCY);
        c_load: cover (f_ask && f_known && f_value != 0);
        c_window: cover (read_valid && read_data != 0);
        c_two: cover (f_count == 2);
    end
`endif
