/* structs.h - inputs and outputs of a core behind its front end: its own, then
 * those of its instances, as iface/system.h has it. */
#ifndef NDP_TESTS_BACKEND_STRUCTS_H
#define NDP_TESTS_BACKEND_STRUCTS_H

#include "blocks/backend.h"
#include "blocks/dies.h"
#include "blocks/far_pipe.h"
#include "blocks/lsu_ext.h"
#include "blocks/lsu_hybrid.h"
#include "blocks/lsu_link.h"
#include "blocks/lsu_rmw.h"
#include "blocks/near_pipe.h"
#include "blocks/vault.h"

struct core_in {
    struct backend_in own;
    struct dies_in unit;
    struct far_pipe_in far;
    struct near_pipe_in pipes;
    struct lsu_hybrid_in hybrid;
    struct lsu_rmw_in rmw;
    struct lsu_link_in link;
    struct lsu_ext_in ext;
    struct vault_in banks;
};

struct core_out {
    struct backend_out own;
    struct dies_out unit;
    struct far_pipe_out far;
    struct near_pipe_out pipes;
    struct lsu_hybrid_out hybrid;
    struct lsu_rmw_out rmw;
    struct lsu_link_out link;
    struct lsu_ext_out ext;
    struct vault_out banks;
};

#endif
