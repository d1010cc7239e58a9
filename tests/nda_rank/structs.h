/* structs.h - inputs and outputs of the accelerator of a rank: its own, then
 * those of its instances, as iface/system.h has it. */
#ifndef NDP_TESTS_NDA_RANK_STRUCTS_H
#define NDP_TESTS_NDA_RANK_STRUCTS_H

#include "blocks/nda_buffer.h"
#include "blocks/nda_control.h"
#include "blocks/nda_pe.h"
#include "blocks/nda_rank.h"

struct rank_in {
    struct nda_rank_in own;
    struct nda_buffer_in buffer;
    struct nda_control_in control;
    struct nda_pe_in element;
};

struct rank_out {
    struct nda_rank_out own;
    struct nda_buffer_out buffer;
    struct nda_control_out control;
    struct nda_pe_out element;
};

#endif
