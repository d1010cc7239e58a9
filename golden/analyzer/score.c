/* score.c - golden memory map analyzer: which mapping is best.
 *
 * One bitmap for each instance, with a part for each mapping (TOM, section
 * 4.3); an instance that ends is scored under all of them.  Written from
 * docs/blocks/analyzer.md.
 */
#include "state.h"

#include <string.h>

/* Bitmaps ---------------------------------------------------------------- */

static void touch(struct analyzer *n, struct bitmap *map, uint64_t address) {
    address >>= n->l.FIRST_BIT;
    for (int m = 0; m < n->l.MAPS; m++, address >>= 1)
        map->stacks[m] |= (uint16_t)(1u << (address & n->stack_mask));
}

void move_bitmap(struct analyzer *n) {
    const struct event *b = &n->b;
    struct bitmap *map = &n->bitmap[b->warp];

    n->s_valid = false;
    if (!b->valid)
        return;
    switch (b->op) {
    case OP_BEGIN:
        memset(map, 0, sizeof *map);
        break;
    case OP_ACCESS:
        touch(n, map, b->address);
        break;
    case OP_END:
        n->s_valid = true;
        n->s = *map;
        break;
    }
}

/* Scores ----------------------------------------------------------------- */

static int members(unsigned set) {
    int n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

void move_score(struct analyzer *n, struct edge *e) {
    bool one = false, all = false;

    if (!n->s_valid || !e->enable)
        return;
    hit_if(n, n->done, ANALYZER_COV_late_end);
    if (n->done)
        return;
    for (int m = 0; m < n->l.MAPS; m++) {
        int touched = members(n->s.stacks[m]);
        n->tally[m].score += touched == 1;
        n->tally[m].sum += (uint64_t)touched;
        one |= touched == 1;
        all |= touched == n->l.STACKS;
    }
    n->instances++;
    n->done =
        n->instances >= n->base.regs.setting[ANALYZER_SET_learn_instances];
    event_if(e, true, ANALYZER_CNT_instances);
    hit_if(n, one, ANALYZER_COV_colocated);
    hit_if(n, all, ANALYZER_COV_spread);
    hit_if(n, n->s.stacks[0] == 0, ANALYZER_COV_empty);
}

/* The best mapping ------------------------------------------------------- */

static bool better(const struct tally *a, const struct tally *b) {
    return a->score > b->score || (a->score == b->score && a->sum < b->sum);
}

static void cover_best(struct analyzer *n) {
    const struct tally *best = &n->tally[n->scan.best];
    bool by_sum = false, by_bit = false;

    for (int m = 0; m < n->l.MAPS; m++)
        if (m != n->scan.best && n->tally[m].score == best->score) {
            by_sum |= n->tally[m].sum != best->sum;
            by_bit |= n->tally[m].sum == best->sum;
        }
    hit_if(n, true, ANALYZER_COV_irq);
    hit_if(n, by_sum, ANALYZER_COV_tie_sum);
    hit_if(n, by_bit, ANALYZER_COV_tie_bit);
    hit_if(n, n->scan.best != 0, ANALYZER_COV_not_first);
}

void move_scan(struct analyzer *n) {
    struct scan *s = &n->scan;

    if (!n->done || s->next == n->l.MAPS)
        return;
    if (s->next == 0 || better(&n->tally[s->next], &n->tally[s->best]))
        s->best = s->next;
    if (++s->next < n->l.MAPS)
        return;
    n->out.irq = 1;
    n->out.irq_best = (uint64_t)n->l.FIRST_BIT + (uint64_t)s->best;
    cover_best(n);
}

/* An edge with 'enable' low. */
void forget_scores(struct analyzer *n) {
    n->e.valid = n->b.valid = n->s_valid = false;
    memset(n->tally, 0, sizeof n->tally);
    n->instances = 0;
    n->done = false;
    n->scan = (struct scan){0};
    n->out.irq = n->out.irq_best = 0;
}
