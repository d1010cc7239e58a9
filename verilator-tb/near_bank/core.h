/* core.h - what drives and watches the two parts, see env.h. */
#ifndef NDP_STIM_NEAR_BANK_CORE_H
#define NDP_STIM_NEAR_BANK_CORE_H

#include "env.h"

/* An edge: inputs and outputs of the parts before it, outputs after it. */
struct core_edge {
    const struct dies_in *unit_in;
    const struct dies_out *unit_before, *unit_after;
    const struct near_pipe_in *pipes_in;
    const struct near_pipe_out *pipes_before, *pipes_after;
};

/* core.c: instructions */
void core_drive_issue(struct near_bank_stim *s, struct dies_in *in);
void core_drive_code(struct near_bank_stim *s, struct near_pipe_in *in);
void core_drive_far(struct near_bank_stim *s, struct dies_in *in);
void core_watch(struct near_bank_stim *s, const struct core_edge *e);

/* The instruction of a warp that is accepted and not delivered; NULL: none, or
 * no such warp. */
struct flight *core_waiting(struct near_bank_stim *s, uint64_t warp);
/* Nothing of the warp is under way. */
bool core_rests(struct near_bank_stim *s, int warp);

/* Whether the near copy of a register is valid. */
static inline bool *core_near(struct near_bank_stim *s, uint64_t warp,
                              uint64_t reg) {
    return &s->near[warp * (uint64_t)s->size.REGS + reg];
}

/* rows.c: rows of registers, load-store traffic */
void rows_reset(struct near_bank_stim *s);
void rows_drive(struct near_bank_stim *s, struct dies_in *unit,
                struct near_pipe_in *pipes);
void rows_watch(struct near_bank_stim *s, const struct core_edge *e);

#endif
