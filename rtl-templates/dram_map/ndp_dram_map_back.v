//% local swaps = L.RESERVED > 0
//% local first = (1 << L.SLOT_W) - L.RESERVED
//% local function w(n) return pad(range(n), 7) end
//% -- The word, highest part first: the names of its signals, and the ports of
//% -- parts without bits.
//% local word, unused = {}, {}
//% for _, name in ipairs{"channel", "rank", "group", "bank", "row", "column"} do
//%     local moved = swaps and (name == "group" or name == "bank" or name == "row")
//%     if map.width[name] == 0 then unused[#unused + 1] = name
//%     elseif not moved then word[#word + 1] = name
//%     elseif name == "row" then
//%         word[#word + 1] = "plain_slot"
//%         word[#word + 1] = "plain_row"
//%     end
//% end
//% local N = #map.back
${header{title = "places to addresses", text = [[
The inverse of ndp_dram_map_there: bank and top of the row change back where they
were exchanged, which the exchange itself does, then each address bit is the parity
of some bits of the place, as elimination over GF(2) gives them.

Combinational.]]}}
`default_nettype none

module ${prefix}ndp_dram_map_back (
    input  wire ${w(L.CHANNEL_W)} channel, // channel
    input  wire ${w(L.RANK_W)} rank,    // rank
    input  wire ${w(L.GROUP_W)} group,   // bank group
    input  wire ${w(L.BANK_W)} bank,    // bank in its group
    input  wire ${w(L.ROW_W)} row,     // row
    input  wire ${w(L.COL_W)} column,  // column, in bursts
    output wire [${L.ADDR_W - 1}:${L.OFFSET_W}] address  // of a burst
);
//% if swaps then
    // ------------------------------------------------------------------
    // Partition

//%     local both = {}
//%     if L.BG_W > 0 then both[#both + 1] = "group" end
//%     if L.BA_W > 0 then both[#both + 1] = "bank" end
//%     local rest = L.ROW_W - L.SLOT_W
    wire ${range(L.SLOT_W)} slot = ${#both > 1 and "{" .. table.concat(both, ", ") .. "}" or both[1]};
    wire ${range(L.SLOT_W)} top  = row[${L.ROW_W - 1}${L.SLOT_W > 1 and ":" .. rest or ""}];

    wire exchange = (slot >= ${L.SLOT_W}'d${first}) != (top >= ${L.SLOT_W}'d${first});

    wire ${range(L.SLOT_W)} plain_slot = exchange ? top : slot;
    wire ${range(L.SLOT_W)} plain_top  = exchange ? slot : top;
//%     if rest > 0 then
    wire ${range(L.ROW_W)} plain_row = {plain_top, row[${rest > 1 and rest - 1 .. ":" or ""}0]};
//%     else
    wire ${range(L.ROW_W)} plain_row = plain_top;
//%     end

//% end
    // ------------------------------------------------------------------
    // Parities

    wire [${N - 1}:0] word = {${table.concat(word, ", ")}};

//% for k = N, 1, -1 do
//%     local left = "    assign address[" .. k - 1 + L.OFFSET_W .. "] = "
${left}${wrapped(parity("word", map.back[k]), #left)};
//% end
//% if #unused > 0 then

    wire unused = &{1'b0, ${table.concat(unused, ", ")}};
//% end
endmodule

`default_nettype wire
