//% output("formal/ndp_" .. block .. "_rules.v")
//% local ports = { { name = "clk", dir = "in", width = 1 }, { name = "rst", dir = "in", width = 1 } }
//% for _, p in ipairs(iface.ports) do ports[#ports + 1] = p end
//% local NW = 0
//% for _, p in ipairs(ports) do NW = math.max(NW, #p.name) end
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
//%     local r = channel_parts(c)
//%     local waits = r.valid and r.ready
//%     local ready = c.each and r.ready.name .. "[" .. r.fields[1] .. "]" or r.ready and r.ready.name
//%     local words = #r.fields > 0 and concatenated(r.fields, 13)
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
//%             local now = concatenated(r.fields, 1)
        f_${c.name}_was   <=
            ${now};
//%         end
    end

    always @* if (f_runs && f_${c.name}_waits) begin
//%         local says = (c.gives and "p_" or "q_") .. c.name .. "_kept: " .. (c.gives and "assert" or "assume")
//%         local stands = has and " &&\n            " .. words .. " ==\n            f_" .. c.name .. "_was" or ""
        ${says} (${r.valid.name}${stands});
    end
//%     end
//%     if c.gives and c.zero and has then

    always @* if (f_past && !rst && !${r.valid.name}) begin
//%         local zero = concatenated(r.fields, 1) .. " ==\n" .. r.width .. "'d0"
        p_${c.name}_zero: assert (
            ${zero});
    end
//%     end
//% end
endmodule
`endif

`default_nettype wire
