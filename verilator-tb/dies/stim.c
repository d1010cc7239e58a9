/* stim.c - the surroundings of the near-bank unit over the cut: those of nbu,
 * told that the base die learns later of what happens on the other one.
 *
 * The same instructions, scripts and kernels, and the same oracle in program
 * order: every register holds what it would hold without a cut.
 */
#include "stim.h"

#include "nbu/env.h"

static void open(struct stim *base, const struct config *c) {
    nbu_env_open(base, c);
    ((struct nbu_stim *)base)->cut = true;
}

const struct stim_class dies_stim = {
    .size = sizeof(struct nbu_stim),
    .modes = nbu_modes,
    .open = open,
    .close = nbu_env_close,
    .reset = nbu_env_reset,
    .drive = nbu_env_drive,
    .watch = nbu_env_watch,
    .report = nbu_env_report,
};
