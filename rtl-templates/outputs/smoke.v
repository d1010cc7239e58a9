//% output("tb/ndp_" .. block .. "_smoke.v")
//% local pins = { { name = "clk" }, { name = "rst" } }
//% local is_outer = {}
//% for _, p in ipairs(iface.internals) do is_outer[p.name] = false end
//% for _, p in ipairs(iface.ports) do if is_outer[p.name] == nil then pins[#pins + 1] = p end end
//% local NW, outs, readies = 6, {}, {}
//% for _, p in ipairs(pins) do
//%     NW = math.max(NW, #p.name)
//%     if p.dir == "out" then outs[#outs + 1] = p end
//%     if p.dir == "in" and p.name:find("_ready$") then readies[#readies + 1] = p end
//% end
//% local reads = {}
//% local function expect(address, value, doc) reads[#reads + 1] = { address, value, doc } end
//% local function expect_block(base, id, hash, settings, name)
//%     expect(base + regs.at_id, string.format("%08x", id), name .. "id")
//%     expect(base + regs.at_hash_lo, hash:sub(9, 16), name .. "configuration hash, low word")
//%     expect(base + regs.at_hash_hi, hash:sub(1, 8), name .. "configuration hash, high word")
//%     for _, s in ipairs(settings) do
//%         expect(base + s.address, string.format("%08x", s.reset), name .. s.name)
//%     end
//% end
//% if iface.has_registers then
//%     expect_block(0, regs.id, hash, iface.settings, "")
//%     for _, i in ipairs(system.instances) do
//%         if i.region > 0 then
//%             expect_block(i.region << system.offset_bits, i.id, i.hash, i.settings, i.name .. ".")
//%         end
//%     end
//% end
${banner("comes out of reset, answers on its bus; a bench that needs nothing else")}
//
//     iverilog -g2005 -s ${root}_smoke -o smoke rtl/*.v tb/*.v && vvp -n smoke
//
// Resets, ${#reads > 0 and "reads what the bus has to tell after that, " or ""}and lets time pass: no output is unknown on
// any edge. That the block does its work is not looked at here: ndpgen's own
// bench compares every output with a model.
`default_nettype none

module ${root}_smoke;
//% local function variable(kind, width, name, init)
    ${kind} ${pad(range(width), 8)} ${name}${init};
//% end
//% for _, p in ipairs(pins) do
//%     variable(p.dir == "out" and "wire" or "reg ", p.width or 1, p.name, p.name == "rst" and " = 1'b1" or p.dir ~= "out" and " = " .. (p.width or 1) .. "'d0" or "")
//% end

    integer checks;
    integer errors;

    ${root} dut (
//% for i, p in ipairs(pins) do
        .${pad(p.name, NW)} (${p.name})${i < #pins and "," or ""}
//% end
    );

    always #5 clk = !clk;

    task known;
        begin
            checks = checks + 1;
//% for _, p in ipairs(outs) do
            if (^${p.name} === 1'bx) begin
                errors = errors + 1;
                $display("%0t: ${p.name} is unknown: %h", $time, ${p.name});
            end
//% end
        end
    endtask

    task tick;
        begin
            @(posedge clk);
            #1;
            if (!rst)
                known;
        end
    endtask
//% if #reads > 0 then

    task read;
        input [31:0] address;
        input [31:0] expected;
        begin
            wb_adr = address[${regs.address_bits - 1}:0];
            wb_cyc = 1'b1;
            wb_stb = 1'b1;
            tick;
            while (!wb_ack && $time < 100000)
                tick;
            checks = checks + 1;
            if (!wb_ack || wb_dat_r !== expected) begin
                errors = errors + 1;
                $display("%0t: register %0d reads %h, expected %h", $time,
                    address, wb_dat_r, expected);
            end
            wb_cyc = 1'b0;
            wb_stb = 1'b0;
            tick;
        end
    endtask
//% end

    initial begin
        checks = 0;
        errors = 0;
        repeat (4)
            tick;
        rst = 1'b0;
        tick;
//% for _, r in ipairs(reads) do
        read(32'd${r[1]}, 32'h${r[2]}); // ${r[3]}
//% end
        repeat (200) begin
//% for _, p in ipairs(readies) do
            ${p.name} = $random;
//% end
            tick;
        end
        $display("${root}: %0d checks, %0d failed", checks, errors);
`ifdef __ICARUS__
        $finish_and_return(errors != 0);
`else
        if (errors != 0)
            $stop;
        $finish;
`endif
    end
endmodule

`default_nettype wire
