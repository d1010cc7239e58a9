//% output("formal/ndp_analyzer_search_formal.vh")
${header{title = "what is proved of ndp_analyzer_search", text = [[
Every address that is taken is, RANGE_EDGES - 1 edges later, either in a range or
outside, and is shown unaltered; nothing else is.  The range is the one that a
search from place to place finds.  (For the latter, a bound on the number of
edges: the table has to be written first.)]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_ANALYZER_SEARCH
    localparam F_EDGES = ${L.RANGE_EDGES};

    // ------------------------------------------------------------------
    // Any address: when it was taken

    reg [F_EDGES-1:0] f_taken; // bit i: i edges before the last one

    always @(posedge clk) begin
        f_taken <= rst ? 0 : {f_taken, access};
    end

    always @* if (f_past) begin
        p_either: assert (in_range + outside == f_taken[F_EDGES-1]);
    end

    // ------------------------------------------------------------------
    // Token: an address, and what a linear search says about it

    (* anyseq *) reg f_pick;

    reg              f_have;
    reg [7:0]        f_age;
    reg [ADDR_W-1:0] f_address;

    always @(posedge clk) begin
        if (rst) begin
            f_have <= 1'b0;
        end else if (!f_have && access && f_pick) begin
            f_have    <= 1'b1;
            f_age     <= 1;
            f_address <= access_address;
        end else if (f_have) begin
            f_have <= f_age != F_EDGES;
            f_age  <= f_age + 1'b1;
        end
    end

    wire f_now = f_have && f_age == F_EDGES;

    reg [ADDR_W-1:0] f_start  [0:SLOTS-1];
    reg [ADDR_W-1:0] f_length [0:SLOTS-1];
    reg [SLOTS-1:0]  f_written;
    integer          f_i;

    always @(posedge clk) begin
        if (rst)
            f_written <= 0;
        for (f_i = 0; f_i < SLOTS; f_i = f_i + 1)
            if (!rst && write && write_index == f_i) begin
                f_start[f_i]   <= write_start;
                f_length[f_i]  <= write_length;
                f_written[f_i] <= 1'b1;
            end
    end

    // Contract: every place is written, starts ascend, nothing is under way
    // while one is written.
    always @* if (f_past) begin
        assume (!access || f_written == {SLOTS{1'b1}});
        assume (!(write && (access || f_taken != 0)));
//% for i = 0, L.SLOTS - 3 do
        assume (!access || f_start[${i}] <= f_start[${i + 1}]);
//% end
    end

    reg               f_inside;
    reg [RANGE_W-1:0] f_index;

    always @* begin
        f_inside = 1'b0;
        f_index  = 0;
        for (f_i = 0; f_i < SLOTS - 1; f_i = f_i + 1)
            if (f_start[f_i] <= f_address) begin
                f_inside = f_address - f_start[f_i] < f_length[f_i];
                f_index  = f_i;
            end
    end

    always @* if (f_past && f_now) begin
        p_address: assert (found_address == f_address);
        p_inside: assert (in_range == f_inside);
        p_index: assert (!in_range || found_index == f_index);
    end

    always @* if (f_past && !rst) begin
        c_inside: cover (f_now && in_range && f_index == 1);
        c_outside: cover (f_now && outside && f_address > f_start[1]);
    end
`endif
