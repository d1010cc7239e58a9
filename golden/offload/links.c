/* links.c - golden offload controller: the channel busy monitors.
 *
 * One for each link of each stack (TOM, section 4.2), all alike: a sliding
 * window of sub-windows, or a tumbling one.  Written from
 * docs/blocks/offload.md.
 */
#include "state.h"

#include <string.h>

/* Settings --------------------------------------------------------------- */

/* The note's length, bounded once here and not on every edge. */
void change_links(struct offload *n) {
    struct monitors *m = &n->links;
    uint32_t parts = (uint32_t)n->l.PARTS;
    uint32_t longest = (uint32_t)n->l.WINDOW / parts;
    uint32_t length = n->base.regs.setting[OFFLOAD_SET_window] / parts;

    m->length = length < longest ? length : longest;
    m->fresh = true;
}

void reset_links(struct offload *n) {
    memset(&n->links, 0, sizeof n->links);
    change_links(n);
}

/* Thresholds ------------------------------------------------------------- */

static void cover_busy(struct offload *n, uint32_t was, uint32_t now) {
    hit_if(n, was & ~now, OFFLOAD_COV_busy_left);
}

/* The two thresholds; hysteresis between them. */
static uint32_t judge(struct offload *n, int link, uint32_t c, uint32_t off) {
    bool was = n->links.busy >> link & 1;
    bool below_on = c < n->base.regs.setting[OFFLOAD_SET_busy_on];
    bool busy = !below_on || (was && c >= off);

    hit_if(n, busy && below_on, OFFLOAD_COV_hysteresis);
    return (uint32_t)busy << link;
}

/* Sliding window --------------------------------------------------------- */

/* The thresholds look at totals, which seldom change. */
static void judge_totals(struct offload *n, int links) {
    struct monitors *m = &n->links;
    uint32_t off = n->base.regs.setting[OFFLOAD_SET_busy_off], busy = 0;

    for (int i = 0; i < links; i++)
        busy |= judge(n, i, m->total[i], off);
    cover_busy(n, m->busy, busy);
    m->busy = busy;
}

/* The last edge of a sub-window; the current counts have its flit already. */
static void turn_ring(struct offload *n, int links) {
    struct monitors *m = &n->links;
    uint32_t *oldest = m->ring[m->oldest];

    for (int i = 0; i < links; i++) {
        m->total[i] += m->count[i] - oldest[i];
        oldest[i] = m->count[i];
        m->count[i] = 0;
    }
    m->oldest = m->oldest + 1 == (uint32_t)n->l.PARTS ? 0 : m->oldest + 1;
    m->position = 0;
    m->fresh = true;
}

static void slide(struct offload *n, uint32_t flits, int links) {
    struct monitors *m = &n->links;

    if (m->fresh) {
        m->fresh = false;
        judge_totals(n, links);
    }
    for (int i = 0; i < links; i++)
        m->count[i] += flits >> i & 1;
    if (++m->position >= m->length) /* beyond: the window became shorter */
        turn_ring(n, links);
}

/* Tumbling window -------------------------------------------------------- */

static void tumble(struct offload *n, uint32_t flits, int links) {
    struct monitors *m = &n->links;
    bool last = m->position + 1 >= m->length;
    uint32_t on = n->base.regs.setting[OFFLOAD_SET_busy_on], busy = m->busy;

    for (int i = 0; i < links; i++) {
        m->count[i] += flits >> i & 1;
        busy |= (uint32_t)(m->count[i] >= on) << i;
    }
    if (last) {
        uint32_t off = n->base.regs.setting[OFFLOAD_SET_busy_off];
        busy = 0;
        for (int i = 0; i < links; i++) {
            busy |= judge(n, i, m->count[i], off);
            m->count[i] = 0;
        }
        cover_busy(n, m->busy, busy);
    }
    m->position = last ? 0 : m->position + 1;
    m->busy = busy;
}

/* ------------------------------------------------------------------------ */

void move_links(struct offload *n, const struct edge *e) {
    uint32_t stacks = (uint32_t)ones(n->l.STACKS);
    uint32_t flits = ((uint32_t)e->in->link_tx & stacks) |
                     ((uint32_t)e->in->link_rx & stacks) << n->l.STACKS;

    if (n->l.SLIDING)
        slide(n, flits, 2 * n->l.STACKS);
    else
        tumble(n, flits, 2 * n->l.STACKS);
    n->out.link_tx_busy = n->links.busy & stacks;
    n->out.link_rx_busy = n->links.busy >> n->l.STACKS & stacks;
}
