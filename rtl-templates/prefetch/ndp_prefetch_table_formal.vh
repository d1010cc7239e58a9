//% output("formal/ndp_prefetch_table_formal.vh")
${header{title = "what is proved of ndp_prefetch_table", text = [[
Of the addresses that are asked for: an address is found exactly when it is
less than size bytes above the start of a valid entry, counted round the end of
the address space; of several entries the lowest-numbered one gives position and
divisor.  And the walk of the image that was found is its entry's.]]}}
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

`ifdef FORMAL_NDP_PREFETCH_TABLE
    // ------------------------------------------------------------------
    // Twin of all entries as they were loaded

    reg [${L.ENTRY_W-1}:0] f_entry [0:IMAGES-1];
    integer     f_i;

    always @(posedge clk) begin
        for (f_i = 0; f_i < IMAGES; f_i = f_i + 1)
            if (rst)
                f_entry[f_i] <= 0;
            else if (load_valid && load_index == f_i)
                f_entry[f_i] <= load_entry;
    end

    // ------------------------------------------------------------------
    // The search, entry by entry from the last one

    reg              f_asked;
    reg [ADDR_W-1:0] f_address;
    reg              f_hit;
    reg [SIZE_W-1:0] f_position;
    reg [IMAGE_W-1:0] f_image;

    always @(posedge clk) begin
        f_asked <= !rst && ask;
        if (ask)
            f_address <= ask_address;
    end

//% local function bits(f) return "[" .. f.msb .. ":" .. f.lsb .. "]" end
//% local start, size = bits(record.entry.start), bits(record.entry.size)
//% for i = 0, L.IMAGES - 1 do
    wire [ADDR_W-1:0] f_start_${i} = f_entry[${i}]${start};
    wire [SIZE_W-1:0] f_size_${i} = f_entry[${i}]${size};
    reg  [ADDR_W-1:0] f_from_${i}; // distance from the start, a new one included
    wire              f_in_${i} = f_entry[${i}][0] && f_from_${i} < f_size_${i};

    // How the entry is held: helps the proof.
    always @* if (f_past) begin
        p_start_${i}: assert (image[${i}].not_start == ~f_start_${i});
        p_size_${i}: assert (image[${i}].not_size ==
                          ~(f_entry[${i}][0] ? f_size_${i} : {SIZE_W{1'b0}}));
        p_distance_${i}: assert (!asked || image[${i}].distance == f_from_${i});
    end

    always @(posedge clk) begin
        f_from_${i} <= ask_address - (load_valid && load_index == ${i}
                       ? load_entry${start} : f_start_${i});
    end
//% end

    always @* begin
        f_hit      = 1'b0;
        f_position = 0;
        f_image    = 0;
//% for i = L.IMAGES - 1, 0, -1 do
        if (f_in_${i}) begin
            f_hit      = f_asked;
            f_position = f_from_${i};
            f_image    = ${i};
        end
//% end
    end

    always @* if (f_past) begin
        p_asked: assert (asked == f_asked);
        p_known: assert (known == f_hit);
    end

    reg              f_was_hit;
    reg [SIZE_W-1:0] f_was_position;

    always @(posedge clk) begin
        f_was_hit      <= !rst && f_hit;
        f_was_position <= f_position;
    end

    always @* if (f_past) begin
        p_address: assert (!asked || address == f_address);
        p_found: assert (found == f_was_hit);
        p_position: assert (!found || position == f_was_position);
    end

    always @* if (f_past && !rst) begin
        c_round: cover (known && f_in_0 && f_start_0 > f_address);
        c_last: cover (known && f_image == IMAGES - 1);
    end
`endif
