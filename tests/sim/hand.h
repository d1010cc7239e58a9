/* hand.h - streams written by hand, instruction by instruction, for tests. */
#ifndef NDP_TESTS_HAND_H
#define NDP_TESTS_HAND_H

#include "base/arena.h"
#include "sim/trace/stream.h"

#include <stdlib.h>

enum { HAND_EVENTS = 512 };

/* By their names below: LD to r1, ADD r1 to r2, BAR, ST of r2, MOV to r9, ATOM
 * to r1, NOP; SFU to r5; LDS, of shared memory, to r6; LD7, another load, to
 * r7. */
static const struct stream_insn hand_insns[] = {
    {.id = 0,
     .pc = 0,
     .opcode = "ld.global.f32",
     .opc = OPC_ld_global,
     .space = PTX_SPACE_GLOBAL,
     .access = STREAM_LOAD,
     .width = 4,
     .n_dst = 1,
     .regs = {1}},
    {.id = 1,
     .pc = 1,
     .opcode = "add.f32",
     .opc = OPC_fp,
     .n_dst = 1,
     .n_src = 1,
     .regs = {2, 1}},
    {.id = 2, .pc = 2, .opcode = "bar.sync", .opc = OPC_barrier},
    {.id = 3,
     .pc = 3,
     .opcode = "st.global.f32",
     .opc = OPC_st_global,
     .space = PTX_SPACE_GLOBAL,
     .access = STREAM_STORE,
     .width = 4,
     .n_src = 1,
     .regs = {2}},
    {.id = 4,
     .pc = 4,
     .opcode = "add.s32",
     .opc = OPC_int,
     .n_dst = 1,
     .regs = {9}},
    {.id = 5,
     .pc = 5,
     .opcode = "atom.global.add.u32",
     .opc = OPC_atomic,
     .space = PTX_SPACE_GLOBAL,
     .access = STREAM_ATOMIC,
     .width = 4,
     .n_dst = 1,
     .regs = {1}},
    {.id = 6, .pc = 6, .opcode = "nop", .opc = OPC_int},
    {.id = 7,
     .pc = 7,
     .opcode = "sin.approx.f32",
     .opc = OPC_sfu,
     .n_dst = 1,
     .regs = {5}},
    {.id = 8,
     .pc = 8,
     .opcode = "ld.shared.f32",
     .opc = OPC_ld_shared,
     .space = PTX_SPACE_SHARED,
     .access = STREAM_LOAD,
     .width = 4,
     .n_dst = 1,
     .regs = {6}},
    {.id = 9,
     .pc = 9,
     .opcode = "ld.global.f32",
     .opc = OPC_ld_global,
     .space = PTX_SPACE_GLOBAL,
     .access = STREAM_LOAD,
     .width = 4,
     .n_dst = 1,
     .regs = {7}},
};

enum { LD, ADD, BAR, ST, MOV, ATOM, NOP, SFU, LDS, LD7 };

struct hand {
    struct stream stream;
    struct stream_launch launches[4];
    struct stream_event *events;
    int n, next, n_launches;
    enum stream_result end;
};

static inline enum stream_result hand_next(struct stream *s,
                                           struct stream_event *e) {
    struct hand *h = (struct hand *)(void *)s;
    if (h->next == h->n)
        return h->end;
    *e = h->events[h->next++];
    return STREAM_EVENT;
}

static const struct stream_ops hand_ops = {hand_next, NULL};

static inline struct hand *hand_begin(void) {
    struct hand *h = xcalloc(1, sizeof *h);
    h->stream.ops = &hand_ops;
    h->events = xcalloc(HAND_EVENTS, sizeof *h->events);
    h->end = STREAM_END;
    return h;
}

static inline void hand_free(struct hand *h) {
    free(h->events);
    free(h);
}

static inline void hand_launch(struct hand *h, uint32_t gx, uint32_t gy,
                               uint32_t threads) {
    struct stream_launch *l = &h->launches[h->n_launches];
    *l = (struct stream_launch){.id = (uint32_t)h->n_launches++,
                                .kernel = "k",
                                .grid = {gx, gy, 1},
                                .block = {threads, 1, 1}};
    h->events[h->n++] =
        (struct stream_event){.kind = STREAM_LAUNCH, .launch = l};
}

/* A warp instruction whose lane i accesses at + step i. */
static inline struct stream_event *hand_insn(struct hand *h, uint32_t cta,
                                             uint32_t warp, int which,
                                             uint64_t at, uint64_t step) {
    struct stream_event *e = &h->events[h->n++];
    *e = (struct stream_event){.kind = STREAM_INSTRUCTION,
                               .launch = &h->launches[h->n_launches - 1],
                               .insn = &hand_insns[which],
                               .cta = cta,
                               .warp = warp,
                               .active = UINT32_MAX,
                               .mask = UINT32_MAX};
    for (uint64_t i = 0; i < STREAM_LANES; i++)
        e->address[i] = at + i * step;
    return e;
}

#endif
