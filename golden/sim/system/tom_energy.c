/* tom_energy.c - what a run's events cost at the prices of TOM's section 5.1.
 */
#include "tom_state.h"

/* Of pJ: a bit that a link moves, a bit that it could have moved in a cycle and
 * did not, a row of 4 KB that is activated, a bit through a row buffer. */
static const double moved = 2, idle = 1.5, row = 11800, buffer = 4;

/* Of one link; GB/s of the whole machine. */
static void link(struct tom_energy *e, const struct tom_result *r,
                 uint32_t rate, const struct pipe_stats *s) {
    double slice = (double)r->settings.cores / r->settings.whole;
    double could = rate * 8e3 / TOM_CLOCK * slice * (double)r->cycles;
    double did = 8.0 * PIPE_FLIT * (double)pipe_amount(s);
    e->links_moved += moved * did;
    /* what was sent last may still be moving at the end */
    e->links_idle += could > did ? idle * (could - did) : 0;
}

void tom_energy(const struct tom_result *r, struct tom_energy *e) {
    *e = (struct tom_energy){0};
    for (int s = 0; s < TOM_STACKS; s++) {
        link(e, r, r->settings.link, &r->tx[s]);
        link(e, r, r->settings.link, &r->rx[s]);
        for (int t = 0; t < TOM_STACKS; t++)
            if (t != s)
                link(e, r, r->settings.cross, &r->cross[s][t]);
        e->rows += row * (double)r->rows[s].activations;
        e->rows_in_order += row * (double)r->rows[s].in_order;
        e->buffers += buffer * 8 * (double)r->memory_bytes[s];
    }
}
