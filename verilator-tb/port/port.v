// port.v - the RTL of a machine in Icarus, driven over its register port by lines
// on standard input (lib/runtime/port.h): "w ADDRESS DATA", "r ADDRESS",
// "i EDGES", numbers in hex.  Each r is answered by a line of the value, with a
// "?" before it if some of its bits are x; they are 0.  From "t 1" to "t 0" each
// pass that retires is a line, too, if the top shows it (NDP_RETIRES).
//
// scripts/machine.sh puts the top's name and the bits of its address in.  An
// access that is not acknowledged ends the simulation.
`timescale 1ns / 1ns

module port;
    localparam [31:0] STDIN = 32'h8000_0000;

    reg              clk;
    reg              rst;
    reg              wb_cyc;
    reg              wb_we;
    reg  [(NDP_ADR_W)-1:0] wb_adr;
    reg  [31:0]      wb_dat_w;
    wire [31:0]      wb_dat_r;
    wire             wb_ack;

    reg  [7:0]       op;
    reg  [31:0]      a;
    reg  [31:0]      b;
    reg  [31:0]      value;
    integer          got;
    integer          n;
    reg              is_watched;
    reg  [63:0]      edges;

    NDP_TOP dut (
        .clk      (clk),
        .rst      (rst),
        .wb_cyc   (wb_cyc),
        .wb_stb   (wb_cyc),
        .wb_we    (wb_we),
        .wb_adr   (wb_adr),
        .wb_dat_w (wb_dat_w),
        .wb_sel   (4'd15),
        .wb_dat_r (wb_dat_r),
        .wb_ack   (wb_ack)
    );

    task tick;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            edges = edges + 64'd1;
`ifdef NDP_RETIRES
            if (is_watched && dut.core_ret_valid === 1'b1)
                $display("t %h %h %h %h %h %h %h %h", edges, dut.core_ret_warp,
                         dut.core_ret_pc, dut.core_ret_pass, dut.core_ret_kind,
                         dut.core_ret_mask, dut.core_ret_d, dut.core_ret_value);
`endif
        end
    endtask

    task access;
        input write;
        begin
            wb_cyc   = 1'b1;
            wb_we    = write;
            wb_adr   = a;
            wb_dat_w = b;
            tick;
            wb_cyc = 1'b0;
            #1 value = wb_dat_r;
            if (wb_ack !== 1'b1) begin
                $display("no acknowledge at word %0h", a);
                $finish;
            end
            tick;
        end
    endtask

    task answer;
        integer bit_at;
        begin
            if (^value === 1'bx)
                $write("?");
            for (bit_at = 0; bit_at < 32; bit_at = bit_at + 1)
                if (value[bit_at] !== 1'b1)
                    value[bit_at] = 1'b0;
            $display("%h", value);
            $fflush;
        end
    endtask

    initial begin
        clk      = 1'b0;
        rst      = 1'b1;
        edges      = 64'd0;
        is_watched = 1'b0;
        wb_cyc   = 1'b0;
        wb_we    = 1'b0;
        wb_adr   = 0;
        wb_dat_w = 32'd0;
        for (n = 0; n < 4; n = n + 1)
            tick;
        rst = 1'b0;
        got = $fscanf(STDIN, " %c %h", op, a);
        while (got == 2) begin
            if (op == "i") begin
                for (n = 0; n < a; n = n + 1)
                    tick;
            end else if (op == "w") begin
                got = $fscanf(STDIN, " %h", b);
                access(1'b1);
            end else if (op == "t") begin
`ifndef NDP_RETIRES
                $display("this machine does not show what retires");
                $finish;
`endif
                is_watched = a[0];
                edges      = 64'd0;
            end else begin
                access(1'b0);
                answer;
            end
            got = $fscanf(STDIN, " %c %h", op, a);
        end
        $finish;
    end
endmodule
