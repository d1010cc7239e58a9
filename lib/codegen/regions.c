/* regions.c - whether words may run on another core, and the registers that go
 * there and come back: by liveness on the words themselves.
 *
 * A word under a guard, which leaves its destination as it is in some lanes,
 * ends no life: so what may stay unwritten is live at the begin if it is live at
 * the end, and its old value goes along.
 */
#include "blocks.h"

#include "base/bits.h"
#include "isa/image.h"

#include <stdlib.h>

struct live {
    uint64_t r;
    uint8_t p;
};

/* Whether all active lanes execute the word. */
static bool is_unguarded(const struct isa_word *w) {
    return w->guard == ISA_TRUE && !w->unless;
}

/* Words that follow word i, by index in the kernel; how many.  -1, n: beyond
 * it. */
static int successors(const struct isa_word *w, int i, int entry, int to[2]) {
    int n = 0;
    if (w[i].op == ISA_bra)
        to[n++] = w[i].target - entry;
    if (!is_unguarded(&w[i]) ||
        (w[i].op != ISA_bra && w[i].op != ISA_exit && w[i].op != ISA_trap))
        to[n++] = i + 1;
    return n;
}

/* --- what must not leave -------------------------------------------------- */

static const char *excluded(const struct isa_word *w) {
    switch (isa_info(w->op)->class) {
    case ISA_CLASS_shared:
        return "shared memory";
    case ISA_CLASS_atomic:
        return "an atomic operation";
    case ISA_CLASS_control:
        return w->op == ISA_bar      ? "a barrier"
               : w->op == ISA_membar ? "a fence"
               : w->op == ISA_exit   ? "an exit"
               : w->op == ISA_trap   ? "a trap"
                                     : NULL;
    case ISA_CLASS_special:
        if (w->op == ISA_ldp && w->value >= ISA_WORD_LOCAL &&
            w->value < ISA_WORDS_HIDDEN)
            return "a parameter that is another on each core";
        return w->op == ISA_s2r && w->value != ISA_SPECIAL_laneid
                   ? "a special register of the thread, its CTA or its core"
                   : NULL;
    default:
        return NULL;
    }
}

/* By word: registers that may hold an address of local memory before it. */
static uint64_t *find_local(const struct isa_word *w, int n, int entry) {
    uint64_t *local = xcalloc((size_t)n + 1, sizeof *local);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) {
            struct isa_touch t = isa_touches(&w[i]);
            bool loads = isa_info(w[i].op)->class == ISA_CLASS_global;
            bool is_base = w[i].op == ISA_ldp && w[i].value == ISA_WORD_LOCAL;
            bool taints = is_base || (!loads && (t.reads & local[i]));
            uint64_t out =
                is_unguarded(&w[i]) ? local[i] & ~t.writes : local[i];
            int to[2], m = successors(w, i, entry, to);
            out |= taints ? t.writes : 0;
            for (int s = 0; s < m; s++) {
                if (to[s] < 0 || to[s] >= n || !(out & ~local[to[s]]))
                    continue;
                local[to[s]] |= out;
                more = true;
            }
        }
    }
    return local;
}

static const char *find_excluded(const struct isa_word *w, int n, int entry,
                                 int begin, int end) {
    const char *why = NULL;
    uint64_t *local = find_local(w, n, entry);
    for (int i = begin; i < end && !why; i++) {
        why = excluded(&w[i]);
        if (!why && isa_info(w[i].op)->class == ISA_CLASS_global &&
            local[i] & bit(w[i].a))
            why = "local memory";
    }
    free(local);
    return why;
}

/* --- control flow --------------------------------------------------------- */

static bool has_join(const struct isa_word *w) {
    return w->op == ISA_bra && w->join != ISA_NO_JOIN;
}

/* The edge from word i to word s. */
static const char *check_edge(int i, int s, int begin, int end, int ask) {
    bool from = i >= begin && i < end;
    if (from && s == begin && ask == begin)
        return "its loop would ask again";
    if (from)
        return s >= begin && s <= end ? NULL
                                      : "it is left elsewhere than at its end";
    if (s > begin && s < end)
        return "it is entered elsewhere than at its begin";
    return s != begin || ask == begin || i == ask
               ? NULL
               : "it is entered without asking";
}

static const char *check_flow(const struct isa_word *w, int n, int entry,
                              int begin, int end, int ask) {
    const char *why = begin == 0 ? "the kernel begins with it" : NULL;
    for (int i = 0; i < n && !why; i++) {
        int to[2], m = successors(w, i, entry, to);
        for (int s = 0; s < m && !why; s++)
            why = check_edge(i, to[s], begin, end, ask);
        if (why || !has_join(&w[i]))
            continue;
        int join = w[i].join - entry;
        if (i >= begin && i < end ? join < begin || join > end
                                  : join > begin && join < end)
            why = "paths meet across its bounds";
    }
    return why;
}

/* --- liveness ------------------------------------------------------------- */

static struct live before(const struct isa_word *w, struct live out) {
    struct isa_touch t = isa_touches(w);
    if (is_unguarded(w)) {
        out.r &= ~t.writes;
        out.p &= (uint8_t)~t.pred_writes;
    }
    out.r |= t.reads;
    out.p |= t.pred_reads;
    return out;
}

/* By word: what is live before it. */
static struct live *find_live(const struct isa_word *w, int n, int entry) {
    struct live *live = xcalloc((size_t)n + 1, sizeof *live);
    for (bool more = true; more;) {
        more = false;
        for (int i = n - 1; i >= 0; i--) {
            struct live out = {0, 0};
            int to[2], m = successors(w, i, entry, to);
            for (int s = 0; s < m; s++)
                if (to[s] >= 0 && to[s] < n) {
                    out.r |= live[to[s]].r;
                    out.p |= live[to[s]].p;
                }
            out = before(&w[i], out);
            more |= out.r != live[i].r || out.p != live[i].p;
            live[i] = out;
        }
    }
    return live;
}

const char *blocks_check(const struct isa_word *w, int n, int entry,
                         struct isa_block *b) {
    int begin = b->begin - entry, end = b->end - entry, ask = b->ask - entry;
    const char *why = find_excluded(w, n, entry, begin, end);
    if (!why)
        why = check_flow(w, n, entry, begin, end, ask);
    if (why)
        return why;
    struct isa_touch all = {0};
    for (int i = begin; i < end; i++) {
        struct isa_touch t = isa_touches(&w[i]);
        all.reads |= t.reads;
        all.writes |= t.writes;
        all.pred_reads |= t.pred_reads;
        all.pred_writes |= t.pred_writes;
    }
    struct live *live = find_live(w, n, entry);
    b->in = live[begin].r & (all.reads | all.writes);
    b->pred_in = live[begin].p & (all.pred_reads | all.pred_writes);
    b->out = live[end].r & all.writes;
    b->pred_out = live[end].p & all.pred_writes;
    free(live);
    return NULL;
}
