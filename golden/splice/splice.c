/* splice.c - golden model of the prefetcher's place beside a cache.
 *
 * Written from docs/blocks/splice.md.
 */
#include "splice.h"

#include "base/bits.h"
#include "blocks/splice.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum { LOAD = 0, RUNNING = 1, MAX_LINES = 64, MAX_WORDS = 32 };

struct splice {
    struct golden base;
    struct splice_local l;
    struct queue lines;
    uint64_t line[MAX_LINES + 1];
    uint32_t word[MAX_WORDS]; /* the entry, lowest first */
    uint64_t index;
    bool follows; /* an entry was loaded since the last index */
    struct splice_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct splice *)g)->l = splice_local(c);
}

/* --- training ------------------------------------------------------------- */

static void train(struct splice *n, const struct splice_in *in) {
    bool valid = in->seen_valid & 1, taken = valid && (in->seen_taken & 1);
    bool is_load = (in->seen_op & 15) == LOAD, load = taken && is_load;
    bool waits = n->out.demand_valid && !(in->demand_ready & 1);

    hit_if(n, load, SPLICE_COV_load_seen);
    hit_if(n, taken && !is_load, SPLICE_COV_other_seen);
    hit_if(n, valid && is_load && !taken, SPLICE_COV_not_taken);
    hit_if(n, load && waits, SPLICE_COV_lost);
    event_if(&n->base, load, SPLICE_CNT_loads);
    event_if(&n->base, load && waits, SPLICE_CNT_lost);
    if (waits)
        return;
    n->out.demand_valid = load;
    n->out.demand_address =
        load ? (in->seen_address & ones(n->l.SADDR_W)) << n->l.BYTE_W : 0;
}

/* --- prefetches ----------------------------------------------------------- */

static void pass(struct splice *n, const struct splice_in *in) {
    bool valid = in->out_valid & 1, taken = valid && n->out.out_ready;
    bool prefetch = taken && (in->out_prefetch & 1);

    hit_if(n, valid && !taken, SPLICE_COV_full);
    hit_if(n, taken && !prefetch, SPLICE_COV_demand_ends);
    hit_if(n, prefetch, SPLICE_COV_prefetch);
    hit_if(n, n->lines.count && n->lines.out_valid, SPLICE_COV_two_wait);
    event_if(&n->base, prefetch, SPLICE_CNT_prefetches);
    if (prefetch)
        n->line[queue_push(&n->lines)] =
            (in->out_address & ones(32)) >> n->l.BYTE_W;
    if (n->lines.out_valid && in->pre_ready & 1)
        queue_pop(&n->lines);
}

/* --- the table ------------------------------------------------------------ */

static void show_entry(struct splice *n) {
    n->out.load_valid = 1;
    n->out.load_index = n->index & ones(n->l.IMAGE_W);
    for (int i = 0; i < n->l.WORDS; i++) {
        int left = n->l.ENTRY_W - 32 * i;
        uint64_t bits = n->word[i] & ones(left < 32 ? left : 32);
        n->out.load_entry[i / 2] |= bits << i % 2 * 32;
    }
}

static void load(struct splice *n, bool running) {
    hit_if(n, running, SPLICE_COV_refused);
    hit_if(n, !running, SPLICE_COV_loaded);
    hit_if(n, !running && n->follows, SPLICE_COV_loaded_again);
    event_if(&n->base, running, SPLICE_CNT_refused);
    event_if(&n->base, !running, SPLICE_CNT_loaded);
    if (running)
        return;
    show_entry(n);
    n->index = (n->index + 1) & 7;
    n->follows = true;
}

static void obey(struct splice *n, const struct splice_in *in) {
    uint32_t data = (uint32_t)in->wb_dat_w;
    int last = n->l.WORDS - 1;

    n->out.load_valid = n->out.load_index = 0;
    memset(n->out.load_entry, 0, sizeof n->out.load_entry);
    switch (n->base.regs.command) {
    case SPLICE_COM_index:
        n->index = data & 7;
        n->follows = false;
        break;
    case SPLICE_COM_word:
        memmove(n->word, n->word + 1, (size_t)last * sizeof *n->word);
        n->word[last] = data;
        break;
    case SPLICE_COM_load:
        load(n, (in->core_state & 3) == RUNNING);
        break;
    }
}

/* --- an edge -------------------------------------------------------------- */

static void show_shape(struct splice *n, const struct splice_in *in) {
    uint32_t *status = n->base.regs.status;

    status[SPLICE_STA_images] = (uint32_t)n->l.IMAGES;
    status[SPLICE_STA_divider] = (uint32_t)in->shape_divider;
    status[SPLICE_STA_size_bits] = (uint32_t)in->shape_size_bits;
    status[SPLICE_STA_pitch_bits] = (uint32_t)in->shape_pitch_bits;
    status[SPLICE_STA_row_bits] = (uint32_t)in->shape_row_bits;
}

static void edge(struct golden *g, const void *ports) {
    struct splice *n = (struct splice *)g;
    const struct splice_in *in = ports;

    show_shape(n, in);
    train(n, in);
    pass(n, in);
    obey(n, in);
    queue_edge(&n->lines);
    n->out.out_ready = queue_can_push(&n->lines);
    n->out.pre_valid = n->lines.out_valid;
    n->out.pre_line = n->lines.out_valid ? n->line[n->lines.out] : 0;
}

static void reset(struct golden *g) {
    struct splice *n = (struct splice *)g;

    queue_reset(&n->lines, n->l.LINES);
    memset(n->word, 0, sizeof n->word);
    n->index = 0;
    n->follows = false;
    n->out.out_ready = 1;
}

const struct golden_class splice_golden = {
    .iface = &splice_iface,
    MODEL_STRUCT(struct splice),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
