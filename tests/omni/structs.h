/* structs.h - inputs and outputs of the queues of a node: its own, then those
 * of its instances, as iface/system.h has it. */
#ifndef NDP_TESTS_OMNI_STRUCTS_H
#define NDP_TESTS_OMNI_STRUCTS_H

#include "blocks/emn.h"
#include "blocks/gate.h"
#include "blocks/omni.h"
#include "blocks/oqueue.h"
#include "blocks/squeue.h"

struct node_in {
    struct omni_in own;
    struct oqueue_in offload;
    struct emn_in meet;
    struct squeue_in service;
    struct gate_in gate;
};

struct node_out {
    struct omni_out own;
    struct oqueue_out offload;
    struct emn_out meet;
    struct squeue_out service;
    struct gate_out gate;
};

#endif
