//% use "ndp_queue.v"
//% use "ndp_vc_buffer.v"
//% use "ndp_nic_send.v"
//% use "ndp_nic_take.v"
${header{title = "network interface of a node", text = [[
Between a node and its router: what the node sends goes out in virtual channels of
its class, what comes is put together again, packet by packet.

    send_req -> queue --> choice -> register -> up
    send_ans -> queue -->

    down -> buffer by virtual channel -> choice -> queue -> take_req
                                               --> queue -> take_ans

Requests and answers never wait for each other, neither here nor anywhere in the
mesh.

Handshake: towards the node a transfer is an edge with valid and ready both high;
towards the router as docs/blocks/router.md says.  Fields are zero while valid is
low.

Latency: a flit that is taken from the node on edge t is at up after edge t+2; one
that comes from the router on edge t is at its class's channel after edge t+3.

See docs/blocks/nic.md.]]}}
`default_nettype none

module ${prefix}ndp_nic (
${ports()}
);
    ${prefix}ndp_nic_send sending (
        .clk             (clk),
        .rst             (rst),
//% for _, c in ipairs{"req", "ans"} do
        .${c}_valid       (send_${c}_valid),
        .${c}_ready       (send_${c}_ready),
        .${c}_last        (send_${c}_last),
        .${c}_order       (send_${c}_order),
        .${c}_x           (send_${c}_x),
        .${c}_y           (send_${c}_y),
        .${c}_data        (send_${c}_data),
//% end
        .up_valid        (up_valid),
        .up_vc           (up_vc),
        .up_last         (up_last),
        .up_x            (up_x),
        .up_y            (up_y),
        .up_data         (up_data),
        .up_credit_valid (up_credit_valid),
        .up_credit_vc    (up_credit_vc)
    );

    ${prefix}ndp_nic_take taking (
        .clk               (clk),
        .rst               (rst),
        .down_valid        (down_valid),
        .down_vc           (down_vc),
        .down_last         (down_last),
        .down_data         (down_data),
        .down_credit_valid (down_credit_valid),
        .down_credit_vc    (down_credit_vc),
//% for n, c in ipairs{"req", "ans"} do
        .${c}_valid         (take_${c}_valid),
        .${c}_ready         (take_${c}_ready),
        .${c}_last          (take_${c}_last),
        .${c}_data          (take_${c}_data)${n == 1 and "," or ""}
//% end
    );

    wire unused = &{1'b0, down_x, down_y}; // this node
${checks()}
endmodule

`default_nettype wire
