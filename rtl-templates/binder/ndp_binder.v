//% use "ndp_binder_build.v"
//% use "ndp_binder_ends.v"
${header{title = "binder of a core to its offload queue", text = [[
Reads the words of chains that a core offers and tells them to an offload queue; says
how the core goes on, and brings results of chains to its registers.

    offer -> ndp_binder_build -> op ... said -> go
                 | waits
    result, done -> ndp_binder_ends -> put, go

Parameters: all sizes are generated; see the localparams.

Handshake: a transfer is an edge with valid and ready both high; said and go cannot be
refused.  Fields are zero while valid is low.

Latency: a word that is taken on edge t is at op after edge t+1; go is there after the
edge on which its answer came.

See docs/blocks/binder.md.]]}}
`default_nettype none

module ${prefix}ndp_binder (
${ports{reg = {"go_valid", "go_moves", "go_frees", "go_warp", "go_pc", "go_alone"}}}
);
${localparams("WAVE_W", "PC_W", "CHAIN_W")}

    localparam [1:0] FAULTED = 2'd3; // state of the core

    wire               build_go;
    wire               build_alone;
    wire [PC_W-1:0]    build_pc;
    wire               waits;
    wire [WAVE_W-1:0]  warp;
    wire [CHAIN_W-1:0] chain;
    wire               building;

    ${prefix}ndp_binder_build build (
        .clk          (clk),
        .rst          (rst),
        .fault        (core_state == FAULTED),
//% for _, p in ipairs(iface.ports) do
//%     local n = p.name
//%     if n:find("^offer_") or n:find("^op_") then
        .${pad(n, 12)} (${n}),
//%     end
//% end
        .said_valid   (said_valid),
        .said_what    (said_what),
        .go           (build_go),
        .go_alone     (build_alone),
        .go_pc        (build_pc),
        .waits        (waits),
        .warp         (warp),
        .chain        (chain),
        .busy         (building)
    );

    wire               end_go;
    wire [WAVE_W-1:0]  end_warp;
    wire               end_alone;
    wire [PC_W-1:0]    end_pc;
    wire               any;

    ${prefix}ndp_binder_ends ends (
        .clk           (clk),
        .rst           (rst),
        .waits         (waits),
        .entry         (said_entry),
        .warp          (warp),
        .chain         (chain),
//% for _, p in ipairs(iface.ports) do
//%     local n = p.name
//%     if n:find("^result_") or n:find("^put_") or (n:find("^done_") and n ~= "done_entry") then
        .${pad(n, 13)} (${n}),
//%     end
//% end
        .news          (build_go),
        .go            (end_go),
        .go_warp       (end_warp),
        .go_alone      (end_alone),
        .go_pc         (end_pc),
        .any           (any)
    );

    // ------------------------------------------------------------------
    // How the core goes on

    always @(posedge clk) begin
        if (rst || !(build_go || end_go)) begin
            go_valid <= 1'b0;
            go_moves <= 1'b0;
            go_frees <= 1'b0;
            go_alone <= 1'b0;
            go_warp  <= {WAVE_W{1'b0}};
            go_pc    <= {PC_W{1'b0}};
        end else begin
            go_valid <= 1'b1;
            go_moves <= !build_go || build_alone;
            go_frees <= build_go;
            go_alone <= build_go ? build_alone : end_alone;
            go_warp  <= build_go ? warp : end_warp;
            go_pc    <= build_go ? build_pc : end_pc;
        end
    end

    assign chain_busy = building || any || go_valid;

    // ------------------------------------------------------------------
    // Loads of chains that do not leave: the core does them again

    assign load_ready = 1'b1;

    wire unused = &{1'b0, said_wave, load_valid, load_wave, load_second, load_address, load_mem,
                    load_mask, done_entry};

${checks{must = {
    {"!said_valid || !op_valid", "said comes before its instruction was taken"}}}}
endmodule

`default_nettype wire
