/* structs.h - inputs and outputs of the corner: its own, then those of its
 * instances, as iface/system.h has it. */
#ifndef NDP_TESTS_TOM_CORNER_STRUCTS_H
#define NDP_TESTS_TOM_CORNER_STRUCTS_H

#include "blocks/analyzer.h"
#include "blocks/offload.h"
#include "blocks/tap.h"
#include "blocks/tom_corner.h"

struct corner_in {
    struct tom_corner_in own;
    struct offload_in controller;
    struct analyzer_in learner;
    struct tap_in tap;
};

struct corner_out {
    struct tom_corner_out own;
    struct offload_out controller;
    struct analyzer_out learner;
    struct tap_out tap;
};

#endif
