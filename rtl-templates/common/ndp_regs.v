//% use "ndp_counter.v"
//% use "ndp_regs_formal.vh"
//% output("ndp_" .. block .. "_regs.v")
//% local AW = regs.address_bits
//% local CW = P["regs.counter_bits"]
//% local function w(n) return pad(range(n), 6) end
//% -- Ports of settings and counters are as wide as the longest name.
//% local NAME_W = 9
//% for _, s in ipairs(iface.settings) do NAME_W = math.max(NAME_W, #s.name + 1) end
//% for _, c in ipairs(iface.counters) do NAME_W = math.max(NAME_W, #c.name + 7) end
//% for _, s in ipairs(iface.statuses) do NAME_W = math.max(NAME_W, #s.name + 8) end
//% for _, c in ipairs(iface.commands) do NAME_W = math.max(NAME_W, #c.name + 9) end
//% local ahead = {} -- settings whose next value is shown
//% for _, s in ipairs(iface.settings) do
//%     if settings_ahead[s.name] then
//%         ahead[#ahead + 1] = s
//%         NAME_W = math.max(NAME_W, #s.name + 6)
//%     end
//% end
//% local function n(name) return pad(name, NAME_W) end
//% local function d(of) return remark(of.doc, 24 + NAME_W) end
//% local function addr(i) return string.format("%d'd%d", AW, i) end
//% local hash_hi, hash_lo = hash:sub(1, 8), hash:sub(9, 16)
//% local first_status = 8 + #iface.settings + #iface.counters
//% local first_command = first_status + #iface.statuses
//% local first_ahead = first_command + #iface.commands
//% local n_ports = first_ahead + #ahead
//% local function comma(i) return i < n_ports and "," or "" end
//% local has_counters = #iface.counters > 0
//% local has_commands = #iface.commands > 0
//% local map = "    0     id            \"NDP\" and the number of the block\n" ..
//%     "    1, 2  configuration hash, low word first"
//% if #iface.settings + #iface.counters > 0 then
//%     map = map .. "\n    3     control       " ..
//%         (has_counters and "write bit 0: clear the counters; reads zero" or "reads zero")
//% end
//% if #iface.settings > 0 then
//%     map = map .. "\n    then  settings      read and write, byte selects are honoured"
//% end
//% if has_counters then
//%     map = map .. "\n    then  counters      read only, zero after reset, stop at their maximum"
//% end
//% if #iface.statuses > 0 then
//%     map = map .. "\n    then  statuses      read only, what the block shows before the edge"
//% end
//% local events = has_counters and "\n\nA counter counts one on each edge with its count input high; an access that\n" ..
//%     "clears the counters on the same edge wins." or ""
//% if has_commands then
//%     map = map .. "\n    then  commands      write only, by whole words; read zero"
//%     events = events .. "\n\nA command's output is high on the edge of the access, with wb_dat_w as data."
//% end
${header{title = "registers of the block '" .. block .. "'", text = [[
A Wishbone B4 classic slave with 32-bit registers at word addresses:

]] .. map .. [[


Handshake: an access is an edge with wb_cyc, wb_stb and no wb_ack; it takes
effect on that edge and is acknowledged after it, for one cycle.  Read data is
the value before the edge, and zero in a cycle without a read acknowledge.]] .. events}}
`default_nettype none

module ${prefix}ndp_${block}_regs (
    input  wire        ${n"clk,"} // clock
    input  wire        ${n"rst,"} // synchronous reset, active high

    // register port
    input  wire        ${n"wb_cyc,"} // bus cycle
    input  wire        ${n"wb_stb,"} // strobe
    input  wire        ${n"wb_we,"} // write enable
    input  wire ${w(AW)} ${n"wb_adr,"} // word address
    input  wire [31:0] ${n"wb_dat_w,"} // write data
    input  wire [3:0]  ${n"wb_sel,"} // byte select of a write
    output reg  [31:0] ${n"wb_dat_r,"} // read data, zero while ack is low
    output reg         ${n("wb_ack" .. comma(8))} // acknowledge
//% if #iface.settings > 0 then

    // settings
//% end
//% for i, s in ipairs(iface.settings) do
    output reg  ${w(s.width)} ${n(s.name .. comma(8 + i))} // ${d(s)}
//% end
//% if has_counters then

    // events to count
//% end
//% for i, c in ipairs(iface.counters) do
    input  wire        ${n("count_" .. c.name .. comma(8 + #iface.settings + i))} // ${d(c)}
//% end
//% if #iface.statuses > 0 then

    // what statuses read
//% end
//% for i, s in ipairs(iface.statuses) do
    input  wire ${w(s.width)} ${n("status_" .. s.name .. comma(first_status + i))} // ${d(s)}
//% end
//% if has_commands then

    // commands; their data are wb_dat_w
//% end
//% for i, c in ipairs(iface.commands) do
    output wire        ${n("command_" .. c.name .. comma(first_command + i))} // ${d(c)}
//% end
//% if #ahead > 0 then

    // settings as they will be after this edge
//% end
//% for i, s in ipairs(ahead) do
    output wire ${w(s.width)} ${n(s.name .. "_next" .. comma(first_ahead + i))} // unless it is a reset edge
//% end
);
    // Word addresses.
//% local entries, m = { { "ADR_ID", 0 }, { "ADR_HASH_LO", 1 },
//%     { "ADR_HASH_HI", 2 }, { "ADR_CONTROL", 3 } }, 11
//% for i, s in ipairs(iface.settings) do
//%     entries[#entries + 1] = { "ADR_" .. s.name:upper(), regs.first_setting + i - 1 }
//% end
//% for i, c in ipairs(iface.counters) do
//%     entries[#entries + 1] = { "ADR_" .. c.name:upper(), regs.first_counter + i - 1 }
//% end
//% for _, s in ipairs(iface.statuses) do
//%     entries[#entries + 1] = { "ADR_" .. s.name:upper(), s.address }
//% end
//% for _, c in ipairs(iface.commands) do
//%     entries[#entries + 1] = { "ADR_" .. c.name:upper(), c.address }
//% end
//% if #iface.settings + #iface.counters == 0 then table.remove(entries, 4) end
//% for _, e in ipairs(entries) do m = math.max(m, #e[1]) end
//% for _, e in ipairs(entries) do
    localparam [${AW - 1}:0] ${pad(e[1], m)} = ${addr(e[2])};
//% end
//% if has_counters then

    localparam COUNTER_W = ${CW}; // bits of a counter
//% end

    wire access = wb_cyc && wb_stb && !wb_ack;
//% if has_counters or has_commands then
    wire write  = access && wb_we;
//% end
//% if has_counters then
    wire clear  = write && wb_adr == ADR_CONTROL && wb_sel[0] && wb_dat_w[0];
//% end

    always @(posedge clk) begin
        if (rst)
            wb_ack <= 1'b0;
        else
            wb_ack <= access;
    end
//% for _, s in ipairs(ahead) do
//%     local bytes = {}
//%     for byte = ceil_div(s.width, 8) - 1, 0, -1 do
//%         local lo, hi = 8 * byte, math.min(8 * byte + 7, s.width - 1)
//%         local bits = "[" .. (hi == lo and lo or hi .. ":" .. lo) .. "]"
//%         bytes[#bytes + 1] = "write_" .. s.name .. " && wb_sel[" .. byte .. "] ? wb_dat_w" ..
//%             bits .. " : " .. s.name .. (s.width <= 8 and "" or bits)
//%     end
//%     local value = table.concat(bytes, ",\n            ")

    wire write_${s.name} = write && wb_adr == ADR_${s.name:upper()};

    assign ${s.name}_next = ${#bytes > 1 and "{" .. value .. "}" or value};
//% end
//% local high = 1
//% if #iface.settings > 0 then

    // Settings
//% end
//% for _, s in ipairs(iface.settings) do
//%     high = math.max(high, s.width)
    always @(posedge clk) begin
        if (rst) begin
            ${s.name} <= ${s.width}'d${s.reset};
        end else if (write && wb_adr == ADR_${s.name:upper()}) begin
//%     for byte = 0, ceil_div(s.width, 8) - 1 do
//%         local lo, hi = 8 * byte, math.min(8 * byte + 7, s.width - 1)
//%         local bits = s.width == 1 and "" or hi == lo and "[" .. lo .. "]" or "[" .. hi .. ":" .. lo .. "]"
            if (wb_sel[${byte}])
                ${s.name}${bits} <= wb_dat_w[${hi == lo and lo or hi .. ":" .. lo}];
//%     end
        end
    end

//% end
//% if has_counters then
    // Counters
    wire clear_counters = rst || clear;
//% end
//% for _, c in ipairs(iface.counters) do

    wire [COUNTER_W-1:0] value_${c.name};

    ${prefix}ndp_counter #(
        .WIDTH (COUNTER_W)
    ) counter_${c.name} (
        .clk   (clk),
        .clear (clear_counters),
        .count (count_${c.name}),
        .value (value_${c.name})
    );
//% end
//% if has_commands then

    // Commands
    wire whole = write && wb_sel == 4'd15;

//% end
//% local longest = 0
//% for _, c in ipairs(iface.commands) do longest = math.max(longest, #c.name) end
//% for _, c in ipairs(iface.commands) do
    assign command_${pad(c.name, longest)} = whole && wb_adr == ADR_${c.name:upper()};
//% end

    // Read data
//% local function wide(name, width)
//%     return width == 32 and name or "{" .. 32 - width .. "'d0, " .. name .. "}"
//% end
    always @(posedge clk) begin
        if (rst || !access || wb_we) begin
            wb_dat_r <= 32'd0;
        end else begin
            case (wb_adr)
            ${pad("ADR_ID:", m + 1)} wb_dat_r <= 32'h${string.format("%08x", regs.id)};
            ${pad("ADR_HASH_LO:", m + 1)} wb_dat_r <= 32'h${hash_lo};
            ${pad("ADR_HASH_HI:", m + 1)} wb_dat_r <= 32'h${hash_hi};
//% for _, s in ipairs(iface.settings) do
            ${pad("ADR_" .. s.name:upper() .. ":", m + 1)} wb_dat_r <= ${wide(s.name, s.width)};
//% end
//% for _, c in ipairs(iface.counters) do
            ${pad("ADR_" .. c.name:upper() .. ":", m + 1)} wb_dat_r <= ${wide("value_" .. c.name, CW)};
//% end
//% for _, s in ipairs(iface.statuses) do
            ${pad("ADR_" .. s.name:upper() .. ":", m + 1)} wb_dat_r <= ${wide("status_" .. s.name, s.width)};
//% end
            ${pad("default:", m + 1)} wb_dat_r <= 32'd0;
            endcase
        end
    end

//% local bytes = has_commands and 4 or ceil_div(high, 8)
//% if n_ports == 8 then
    // Nothing can be written.
    wire unused = &{1'b0, wb_dat_w, wb_sel};
//% elseif high < 32 then
    // No register has these bits.
    wire unused = &{1'b0, wb_dat_w[31:${high}]${bytes < 4 and ", wb_sel[3:" .. bytes .. "]" or ""}};
//% end

`ifdef FORMAL
`include "${prefix}ndp_${block}_regs_formal.vh"
`endif
endmodule

`default_nettype wire
