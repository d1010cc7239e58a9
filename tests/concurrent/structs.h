/* structs.h - inputs and outputs of a channel with accelerators in two ranks:
 * its own, then those of its instances, as iface/system.h has it. */
#ifndef NDP_TESTS_CONCURRENT_STRUCTS_H
#define NDP_TESTS_CONCURRENT_STRUCTS_H

#include "blocks/concurrent.h"
#include "blocks/dram_channel.h"
#include "blocks/nda_buffer.h"
#include "blocks/nda_control.h"
#include "blocks/nda_launch.h"
#include "blocks/nda_pe.h"
#include "blocks/nda_post.h"
#include "blocks/nda_window.h"

struct concurrent_ins {
    struct concurrent_in own;
    struct nda_launch_in launch;
    struct nda_post_in post;
    struct dram_channel_in channel;
    struct nda_window_in window;
    struct nda_buffer_in buffer[2];
    struct nda_control_in control[2];
    struct nda_pe_in element[2];
};

struct concurrent_outs {
    struct concurrent_out own;
    struct nda_launch_out launch;
    struct nda_post_out post;
    struct dram_channel_out channel;
    struct nda_window_out window;
    struct nda_buffer_out buffer[2];
    struct nda_control_out control[2];
    struct nda_pe_out element[2];
};

#endif
