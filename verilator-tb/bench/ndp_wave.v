// ndp_wave.v - waveform of an Icarus run: a second top module beside the
// wrapper, compiled in only for the run that draws.
//
//   +wave=FILE    VCD to write
//   +from=N       cycle to start at; a cycle is 10 time units

`default_nettype none

module ndp_wave;
    reg [8*1024-1:0] path;
    reg [63:0] from;

    initial begin
        if (!$value$plusargs("from=%d", from))
            from = 0;
        if ($value$plusargs("wave=%s", path)) begin
            #(from * 10);
            $dumpfile(path);
            $dumpvars(0, `NDP_TOP);
        end
    end
endmodule

`default_nettype wire
