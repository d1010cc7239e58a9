// top_tb - a board's top answers over its serial line
//
// Reads the first words of the machine's registers and the bridge's id through
// the pins, as a host does, and prints them; compares nothing.  CLOCKS is what
// the bridge has; BUTTON is the level of the button at rest.
//
// SPDX-License-Identifier: MIT
`default_nettype none

module top_tb;
    parameter CLOCKS = 12;
    parameter BUTTON = 0;

    reg        clk     = 1'b0;
    reg        uart_rx = 1'b1;
    wire       uart_tx;
    reg [7:0]  got;
    reg [31:0] word;
    integer    bits;
    integer    bytes;
    integer    clocks;

    always #5 clk = !clk;

    top top (
        .clk     (clk),
`ifdef HAS_BUTTON
        .button  (BUTTON != 0),
`endif
        .uart_rx (uart_rx),
        .uart_tx (uart_tx),
        .led     ()
    );

    task send(input [7:0] value);
        begin
            uart_rx = 1'b0;
            repeat (CLOCKS) @(negedge clk);
            for (bits = 0; bits < 8; bits = bits + 1) begin
                uart_rx = value[bits];
                repeat (CLOCKS) @(negedge clk);
            end
            uart_rx = 1'b1;
            repeat (CLOCKS) @(negedge clk);
        end
    endtask

    task receive;
        begin
            clocks = 0;
            while (uart_tx !== 1'b0 && clocks < 100 * CLOCKS) begin
                @(negedge clk);
                clocks = clocks + 1;
            end
            if (uart_tx !== 1'b0) begin
                $display("no answer");
                $finish;
            end
            repeat (CLOCKS / 2) @(negedge clk);
            for (bits = 0; bits < 8; bits = bits + 1) begin
                repeat (CLOCKS) @(negedge clk);
                got[bits] = uart_tx;
            end
            repeat (CLOCKS) @(negedge clk);
            if (uart_tx !== 1'b1)
                $display("no stop bit");
        end
    endtask

    task read(input [31:0] address);
        begin
            send(8'd2);
            send(8'd1);
            send(address[31:24]);
            send(address[23:16]);
            send(address[15:8]);
            send(address[7:0]);
            for (bytes = 0; bytes < 4; bytes = bytes + 1) begin
                receive;
                word = {word[23:0], got};
            end
            $display("%h: %h", address, word);
        end
    endtask

    initial begin
        repeat (300) @(negedge clk);
        read(32'h20000000); // the bridge's id
        read(32'd0);        // the machine's id
        read(32'd1);        // its hash
        read(32'd2);
        $finish;
    end
endmodule

`default_nettype wire
