//% output("formal/ndp_dram_map_formal.vh")
//% -- Ports of parts without bits are ignored coming in.
//% local parts = {}
//% for _, name in ipairs{"channel", "rank", "group", "bank", "row", "column"} do
//%     if map.width[name] > 0 then parts[#parts + 1] = name end
//% end
//% local swaps = L.RESERVED > 0
//% local first = (1 << L.SLOT_W) - L.RESERVED
//% local function slot(side)
//%     local both = {}
//%     if L.BG_W > 0 then both[#both + 1] = side .. "_group" end
//%     if L.BA_W > 0 then both[#both + 1] = side .. "_bank" end
//%     return "{" .. table.concat(both, ", ") .. "}"
//% end
${header{title = "what is proved of ndp_dram_map", text = [[
For every address and every place: one map undoes the other, so that both are
bijections; shared addresses, and no others, lie in reserved banks; the answers are
what was asked one edge before.]]}}
`ifdef FORMAL_NDP_DRAM_MAP
    reg f_past = 1'b0; // a clock edge has passed

    always @(posedge clk) f_past <= 1'b1;

    always @* assume (rst == !f_past);

    // ------------------------------------------------------------------
    // Both directions, whatever is asked of either

    wire f_same_place =
//% for i, name in ipairs(parts) do
        back_${name} == there_${name}${i < #parts and " &&" or ";"}
//% end
    wire f_same_address = ask_address[ADDR_W-1:OFFSET_W] == home_address;

    always @* begin
        p_there_and_back: assert (!f_same_place || f_same_address);
        p_back_and_there: assert (!f_same_address || f_same_place);
//% if swaps then
        p_shared: assert (there_shared ==
            (ask_address[ADDR_W-1:ADDR_W-${L.SLOT_W}] >= ${L.SLOT_W}'d${first}));
        p_partition: assert (there_shared ==
            (${slot("there")} >= ${L.SLOT_W}'d${first}));
//% else
        p_shared: assert (!there_shared);
//% end
    end

    // ------------------------------------------------------------------
    // The registers behind them

    always @(posedge clk) if (f_past && !rst) begin
        if ($past(ask_valid) && !$past(rst)) begin
            p_place: assert (place_valid && place_offset == $past(ask_address[OFFSET_W-1:0]) &&
                place_channel == $past(there_channel) && place_rank == $past(there_rank) &&
                place_group == $past(there_group) && place_bank == $past(there_bank) &&
                place_row == $past(there_row) && place_column == $past(there_column) &&
                place_shared == $past(there_shared));
        end else begin
            p_no_place: assert (!place_valid && place_offset == 0 && place_channel == 0 &&
                place_rank == 0 && place_group == 0 && place_bank == 0 && place_row == 0 &&
                place_column == 0 && !place_shared);
        end
        if ($past(back_valid) && !$past(rst))
            p_found: assert (found_valid &&
                found_address == $past({home_address, back_offset}));
        else
            p_not_found: assert (!found_valid && found_address == 0);
    end

    always @* if (f_past && !rst) begin
        c_same: cover (f_same_place && place_valid && back_valid && ask_address != 0);
//% if swaps then
        c_moved: cover (place_shared && place_row[ROW_W-1:ROW_W-${L.SLOT_W}] < ${L.SLOT_W}'d${first});
//% end
    end
`endif
