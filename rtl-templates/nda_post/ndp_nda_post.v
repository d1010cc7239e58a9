//% use "ndp_nda_post_formal.vh"
//% local regs = {"packet_ready", "ended_valid", "ended_rank", "ended_tag", "ended_final", "ended_cause", "ended_value"}
//% local fields = {"rank", "op", "length", "tag", "final", "base", "last", "scalars"}
//% local zeros = {rank = "{RANK_W{1'b0}}", op = "3'd0", length = "{SPOT_W{1'b0}}", tag = "8'd0", final = "1'b0",
//%     base = "{4*SPOT_W{1'b0}}", last = "{4*SPOT_W{1'b0}}", scalars = "96'd0"}
//% for r = 0, L.RANKS - 1 do
//%     regs[#regs + 1] = "packet" .. r .. "_valid"
//%     for _, name in ipairs(fields) do
//%         regs[#regs + 1] = "packet" .. r .. "_" .. name
//%     end
//% end
${header{title = "way of packets to their ranks, and of ends back", text = [[
Gives each packet to the accelerator of its rank, and hands on the ends of all ranks, one of
each in turn.

    packet -> register of its rank -> packet0, packet1, ..
    ended0, ended1, .. -> whose turn it is -> register -> ended

Parameters: all sizes are generated; see the localparams.

Handshake: valid and ready on all channels.  packet_ready comes an edge after packet_valid at
the earliest, as the rank has to be seen first.  Channels of ranks that are not there show
zero.

Latency: a packet stands at its rank after the second edge, an end after the one that takes it.

See docs/blocks/nda_post.md.]]}}
`default_nettype none

module ${prefix}ndp_nda_post (
${ports{reg = regs}}
);
${localparams("RANKS", "RANK_W", "SPOT_W")}

    // ------------------------------------------------------------------
    // Packets: ready is for the one that stands, whose rank is seen then

//% local stand = {}
//% for r = 0, L.RANKS - 1 do stand[#stand + 1] = "packet" .. (L.RANKS - 1 - r) .. "_valid" end
    wire [RANKS-1:0] stands = {${table.concat(stand, ", ")}};
    wire             takes  = packet_valid && packet_ready;

    always @(posedge clk) begin
        if (rst)
            packet_ready <= 1'b0;
        else
            packet_ready <= packet_valid && !packet_ready && !stands[packet_rank];
    end

//% for r = 0, L.RANKS - 1 do
    always @(posedge clk) begin
        if (rst || (packet${r}_valid && packet${r}_ready)) begin
            packet${r}_valid   <= 1'b0;
//%     for _, name in ipairs(fields) do
            packet${r}_${name}${(" "):rep(7 - #name)} <= ${zeros[name]};
//%     end
        end else if (takes && packet_rank == ${clog2(L.RANKS)}'d${r}) begin
            packet${r}_valid   <= 1'b1;
//%     for _, name in ipairs(fields) do
            packet${r}_${name}${(" "):rep(7 - #name)} <= packet_${name};
//%     end
        end
    end

//% end
    // ------------------------------------------------------------------
    // Ends: one rank after the other is asked while none stands

    reg [RANK_W-1:0] turn;

//% for r = 0, L.RANKS - 1 do
    assign ended${r}_ready = !ended_valid && turn == ${clog2(L.RANKS)}'d${r};
//% end

    reg              gives;
    reg [RANK_W-1:0] gives_rank;
    reg [7:0]        gives_tag;
    reg              gives_final;
    reg [1:0]        gives_cause;
    reg [31:0]       gives_value;

    always @* begin
        case (turn)
//% for r = L.RANKS - 1, 0, -1 do
            ${r == 0 and "default" or clog2(L.RANKS) .. "'d" .. r}: begin
                gives       = ended${r}_valid;
                gives_rank  = ended${r}_rank;
                gives_tag   = ended${r}_tag;
                gives_final = ended${r}_final;
                gives_cause = ended${r}_cause;
                gives_value = ended${r}_value;
            end
//% end
        endcase
    end

    always @(posedge clk) begin
        if (rst)
            turn <= {RANK_W{1'b0}};
        else if (!ended_valid)
            turn <= turn + 1'b1; // their number is a power of two
    end

    always @(posedge clk) begin
        if (rst || (ended_valid && ended_ready)) begin
            ended_valid <= 1'b0;
            ended_rank  <= {RANK_W{1'b0}};
            ended_tag   <= 8'd0;
            ended_final <= 1'b0;
            ended_cause <= 2'd0;
            ended_value <= 32'd0;
        end else if (!ended_valid && gives) begin
            ended_valid <= 1'b1;
            ended_rank  <= gives_rank;
            ended_tag   <= gives_tag;
            ended_final <= gives_final;
            ended_cause <= gives_cause;
            ended_value <= gives_value;
        end
    end

//% for r = L.RANKS, 3 do
    assign packet${r}_valid = 1'b0;
//%     for _, name in ipairs(fields) do
    assign packet${r}_${name} = ${zeros[name]};
//%     end
    assign ended${r}_ready = 1'b0;

    wire unused_rank${r} = &{1'b0, packet${r}_ready, ended${r}_valid, ended${r}_rank, ended${r}_tag,
                          ended${r}_final, ended${r}_cause, ended${r}_value};

//% end
${checks()}
`ifdef FORMAL
`include "${prefix}ndp_nda_post_formal.vh"
`endif
endmodule

`default_nettype wire
