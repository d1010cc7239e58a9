// board.v - the top of a board in Icarus, driven over the pins of its serial line
// (lib/runtime/simulated.h).  A line on standard input, "N B B ...", is N bytes in
// hex for uart_rx; the board runs until they are on the line, and a slice of time
// at least, and answers with a line of the bytes that came on uart_tx.
//
// CLOCKS, clocks of a bit, comes from the command that builds it, as does
// BUTTON_REST, the level of a board's button, which nobody presses.  A bit that is
// not known counts as 0, and so breaks the line.
`timescale 1ns / 1ns

module board;
    parameter CLOCKS = 12;

    localparam [31:0] STDIN = 32'h8000_0000;
    localparam        BITS  = 10;                 // start, eight, stop
    localparam        SLICE = 16 * BITS * CLOCKS; // edges
    localparam        MOST  = 4096;               // bytes of a line

    reg        clk;
    reg        uart_rx;
    wire       uart_tx;

    reg  [7:0] given [0:MOST-1];
    reg  [7:0] word;
    reg  [9:0] frame;
    reg  [9:0] got;
    integer    n;
    integer    i;
    integer    next;
    integer    left;
    integer    seen;
    integer    ok;

    top dut (
`ifdef BUTTON_REST
        .button  (`BUTTON_REST),
`endif
        .clk     (clk),
        .uart_rx (uart_rx),
        .uart_tx (uart_tx)
    );

    // What the board's uart_rx sees on the next edge.
    task drive;
        begin
            if (left == 0 && next < n) begin
                frame = {1'b1, given[next], 1'b0};
                next  = next + 1;
                left  = BITS * CLOCKS;
            end
            uart_rx = 1'b1;
            if (left != 0) begin
                uart_rx = frame[BITS-(left+CLOCKS-1)/CLOCKS];
                left    = left - 1;
            end
        end
    endtask

    // What it shows after an edge: a byte when it is whole.
    task watch;
        begin
            if (seen < 0) begin
                if (uart_tx !== 1'b1) begin
                    seen = 0;
                    got  = 10'd0;
                end
            end else begin
                seen = seen + 1;
                if (seen % CLOCKS == CLOCKS / 2) begin
                    got[seen/CLOCKS] = uart_tx === 1'b1;
                    if (seen / CLOCKS == BITS - 1) begin
                        if (got[BITS-1])
                            $write("%h ", got[8:1]);
                        seen = -1;
                    end else if (got[0]) begin
                        seen = -1; // no start bit
                    end
                end
            end
        end
    endtask

    initial begin
        clk     = 1'b0;
        uart_rx = 1'b1;
        left    = 0;
        seen    = -1;
        next    = 0;
        ok      = $fscanf(STDIN, "%h", n);
        while (ok == 1) begin
            for (i = 0; i < n; i = i + 1) begin
                ok       = $fscanf(STDIN, "%h", word);
                given[i] = word;
            end
            next = 0;
            i    = 0;
            while (i < SLICE || left != 0 || next < n) begin
                drive;
                #1 clk = 1'b1;
                #1 clk = 1'b0;
                watch;
                i = i + 1;
            end
            $display("");
            $fflush;
            ok = $fscanf(STDIN, "%h", n);
        end
        $finish;
    end
endmodule
