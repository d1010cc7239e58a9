/* structs.h - inputs and outputs of the near bank: its own, then those of its
 * instances, as iface/system.h has it. */
#ifndef NDP_TESTS_NEAR_BANK_STRUCTS_H
#define NDP_TESTS_NEAR_BANK_STRUCTS_H

#include "blocks/dies.h"
#include "blocks/near_bank.h"
#include "blocks/near_pipe.h"

struct bank_in {
    struct near_bank_in own;
    struct dies_in unit;
    struct near_pipe_in pipes;
};

struct bank_out {
    struct near_bank_out own;
    struct dies_out unit;
    struct near_pipe_out pipes;
};

#endif
