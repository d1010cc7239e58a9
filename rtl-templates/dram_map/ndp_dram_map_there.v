//% local parts = {{"channel", "CHANNEL_W"}, {"rank", "RANK_W"}, {"group", "GROUP_W"}, {"bank", "BANK_W"}, {"row", "ROW_W"}, {"column", "COL_W"}}
//% local swaps = L.RESERVED > 0
//% local first = (1 << L.SLOT_W) - L.RESERVED
//% local function w(n) return pad(range(n), 7) end
${header{title = "addresses to places", text = [[
Each bit of a place is the parity of some address bits.]] .. (swaps and [[


The top ]] .. L.RESERVED .. (L.RESERVED == 1 and " bank" or " banks") .. [[ of a rank, from ]] .. first .. [[ on, hold shared data, the addresses whose top
]] .. L.SLOT_W .. [[ bits are ]] .. first .. [[ or more.  Where the masks say otherwise, bank and top of the row are
exchanged.]] or "") .. [[


Combinational.]]}}
`default_nettype none

module ${prefix}ndp_dram_map_there (
    input  wire [${L.ADDR_W - 1}:${L.OFFSET_W}] address, // of a burst
    output wire ${w(L.CHANNEL_W)} channel, // channel
    output wire ${w(L.RANK_W)} rank,    // rank
    output wire ${w(L.GROUP_W)} group,   // bank group
    output wire ${w(L.BANK_W)} bank,    // bank in its group
    output wire ${w(L.ROW_W)} row,     // row
    output wire ${w(L.COL_W)} column,  // column, in bursts
    output wire         shared   // in a bank of shared data
);
    // ------------------------------------------------------------------
    // Parities

//% for _, p in ipairs(parts) do
//%     local name, width = p[1], map.width[p[1]]
//%     local moved = swaps and (name == "group" or name == "bank" or name == "row")
//%     local signal = moved and "plain_" .. name or name
//%     if moved and width > 0 then
    wire ${range(width)} ${signal};
//%     end
//%     if width == 0 then
//%         if not moved then
    assign ${signal} = 1'b0;
//%         end
//%     else
//%         for k = width - 1, 0, -1 do
//%             local left = "    assign " .. signal .. (width > 1 and "[" .. k .. "]" or "") .. " = "
${left}${wrapped(parity("address", map.there[map.at[name] + k + 1]), #left)};
//%         end
//%     end
//%     emit("")
//% end
    // ------------------------------------------------------------------
    // Partition

//% if not swaps then
    assign shared = 1'b0;
//% else
//%     local both = {}
//%     if L.BG_W > 0 then both[#both + 1] = "plain_group" end
//%     if L.BA_W > 0 then both[#both + 1] = "plain_bank" end
    wire ${range(L.SLOT_W)} slot = ${#both > 1 and "{" .. table.concat(both, ", ") .. "}" or both[1]};
    wire ${range(L.SLOT_W)} top  = plain_row[${L.ROW_W - 1}${L.SLOT_W > 1 and ":" .. L.ROW_W - L.SLOT_W or ""}];

    wire reserved = slot >= ${L.SLOT_W}'d${first};
    assign shared = top >= ${L.SLOT_W}'d${first};

    wire exchange = reserved != shared;

    wire ${range(L.SLOT_W)} to_slot = exchange ? top : slot;
    wire ${range(L.SLOT_W)} to_top  = exchange ? slot : top;

//%     if L.BG_W > 0 then
    assign group = to_slot${L.BA_W > 0 and "[" .. L.SLOT_W - 1 .. (L.BG_W > 1 and ":" .. L.BA_W or "") .. "]" or ""};
//%     else
    assign group = 1'b0;
//%     end
//%     if L.BA_W > 0 then
    assign bank  = to_slot${L.BG_W > 0 and "[" .. (L.BA_W > 1 and L.BA_W - 1 .. ":" or "") .. "0]" or ""};
//%     else
    assign bank  = 1'b0;
//%     end
//%     local rest = L.ROW_W - L.SLOT_W
//%     if rest > 0 then
    assign row   = {to_top, plain_row[${rest > 1 and rest - 1 .. ":" or ""}0]};
//%     else
    assign row   = to_top;
//%     end
//% end
endmodule

`default_nettype wire
