//% output("formal/ndp_" .. block .. "_rules.v")
//% local ports = { { name = "clk", dir = "in", width = 1 }, { name = "rst", dir = "in", width = 1 } }
//% for _, p in ipairs(iface.ports) do ports[#ports + 1] = p end
//% local NW = 0
//% for _, p in ipairs(ports) do NW = math.max(NW, #p.name) end
//% local function list(names) return #names > 1 and "{" .. table.concat(names, ", ") .. "}" or names[1] end
//% local of_channel = {}
//% for _, p in ipairs(iface.ports) do
//%     of_channel[p.group or ""] = of_channel[p.group or ""] or {}
//%     table.insert(of_channel[p.group or ""], p)
//% end
//% -- valid, ready, fields and their width, of a channel with a handshake
//% local function parts(c)
//%     local r = { fields = {}, width = 0 }
//%     for _, p in ipairs(of_channel[c.name] or {}) do
//%         if p.name:sub(1, #c.name + 1) == c.name .. "_" then
//%             local rest = p.name:sub(#c.name + 2)
//%             if rest == "valid" or rest == "ready" then
//%                 r[rest] = p
//%             elseif p.dir == (c.gives and "out" or "in") then
//%                 r.fields[#r.fields + 1] = p.name
//%                 r.width = r.width + p.width
//%             end
//%         end
//%     end
//%     return r
//% end
${banner("the rules of its channels, for provers")}
//
// The block's own channels obey them (p_), its environment's do by contract (q_):
//
//     kept    valid stays until the transfer, and fields stand still meanwhile
//     zero    fields are zero while valid is low
`default_nettype none

`ifdef FORMAL
module ${root}_rules (
//% for n, p in ipairs(ports) do
    ${p.dir == "in" and "input " or "output"} wire ${pad(range(p.width), 8)} ${p.name}${n < #ports and "," or ""}
//% end
);
    ${root} dut (
//% for n, p in ipairs(ports) do
        .${pad(p.name, NW)} (${p.name})${n < #ports and "," or ""}
//% end
    );

    reg f_past = 1'b0; // a clock edge has passed
    reg f_runs = 1'b0; // and that before it, without reset

    always @(posedge clk) begin
        f_past <= 1'b1;
        f_runs <= f_past && !rst;
    end

    always @* assume (rst == !f_past);
//% for _, c in ipairs(iface.handshakes) do
//%     local r = parts(c)
//%     local waits = r.valid and r.ready
//%     local ready = c.each and r.ready.name .. "[" .. r.fields[1] .. "]" or r.ready and r.ready.name
//%     local words = list(r.fields)
//%     local has = #r.fields > 0
//%     if waits or (c.gives and c.zero and has) then

    // ${c.name}
//%     end
//%     if waits then
    reg f_${c.name}_waits;
//%         if has then
    reg ${pad(range(r.width), 8)} f_${c.name}_was;
//%         end

    always @(posedge clk) begin
        f_${c.name}_waits <= !rst && ${r.valid.name} && !${ready};
//%         if has then
        f_${c.name}_was   <= ${words};
//%         end
    end

    always @* if (f_runs && f_${c.name}_waits) begin
        ${c.gives and "p" or "q"}_${c.name}_kept: ${c.gives and "assert" or "assume"} (${r.valid.name}${has and " &&\n            " .. words .. " == f_" .. c.name .. "_was" or ""});
    end
//%     end
//%     if c.gives and c.zero and has then

    always @* if (f_past && !rst && !${r.valid.name}) begin
        p_${c.name}_zero: assert (${words} == ${r.width}'d0);
    end
//%     end
//% end
endmodule
`endif

`default_nettype wire
