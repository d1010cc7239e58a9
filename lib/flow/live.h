/* live.h - liveness, as spans of positions for each register.
 *
 * Instruction pc reads its sources at position 2 pc and writes its destination
 * at 2 pc + 1.  A register is live in [start, end) spans of positions in the
 * order of the text, so two registers may share storage exactly if no spans of
 * theirs overlap.  A destination that nobody reads is live for the one position
 * where it is written.  If an instruction writes several registers, its sources
 * live past the write: it may be executed in parts.  A guarded write keeps the
 * old value alive.
 */
#ifndef NDP_PTX_LIVE_H
#define NDP_PTX_LIVE_H

#include "cfg.h"

struct ptx_span {
    int start, end;
};

struct ptx_live {
    int *at; /* spans of register r: spans[at[r] .. at[r + 1]), ascending */
    struct ptx_span *spans;
};

void ptx_live_find(struct arena *a, const struct ptx_function *f,
                   const struct ptx_cfg *cfg, struct ptx_live *live);

bool ptx_live_at(const struct ptx_live *live, int reg, int position);

/* Live where block b begins; where it ends. */
bool ptx_live_in(const struct ptx_live *live, const struct ptx_cfg *cfg,
                 int reg, int b);
bool ptx_live_out(const struct ptx_live *live, const struct ptx_cfg *cfg,
                  int reg, int b);

#endif
