${header{title = "cut between the dies: the wires that both drive in turn", text = [[
Through-silicon vias that either die drives while its register holds a beat.  In
silicon they are pads with an enable, and a keeper that holds the lowest of them,
which says that a beat is there, low while nobody drives; here they are gates, and
what a die drives is kept off them by its enable.

Nothing else stands here, so a design that brings its own vias replaces this
module.

Latency: none.]]}}
`default_nettype none

module ${prefix}ndp_cut_wires (
    input  wire ${pad("", 8)} base_drives, // the base die drives
    input  wire ${pad(range(L.SHARED_W), 8)} base_out,    // what it drives
    input  wire ${pad("", 8)} dram_drives, // the DRAM die drives
    input  wire ${pad(range(L.SHARED_W), 8)} dram_out,    // what it drives
    output wire ${pad(range(L.SHARED_W), 8)} shared       // {data, kind, last, first, valid}
);
${localparams("SHARED_W")}

    assign shared = (base_out & {SHARED_W{base_drives}}) |
                    (dram_out & {SHARED_W{dram_drives}});
endmodule

`default_nettype wire
