/* scan.c - all regions that begin at one pc, each from the last by
 * taking in one more instruction.
 *
 * A region [begin, end) has no edge out of it but to end and no edge into it
 * but to begin.  So global liveness is all that is needed: what the region
 * reads or may leave as it is, is live where it begins, and the live-ins are
 * the registers live there that it touches; the live-outs are those live where
 * it ends that it writes.  (A register that some lane may leave unwritten is
 * live before the region, so its old value travels along.)
 *
 * Loads and stores are summed as the text goes; where a loop ends that began
 * inside, what its trip count adds is added.
 */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

/* Regions looked at, times a constant; the longest one is at least MIN. */
enum { WORK = 1 << 22, MIN_WINDOW = 64 };

/* ----------------------------------------------------------------- tables */

/* First pc at or after a position. */
static int pc_from(int position) {
    return (position + 1) / 2;
}

/* Registers whose liveness at pc differs from that at pc - 1. */
static void find_toggles(struct ptx_scan *s, struct arena *arena) {
    const struct ptx_live *live = &s->a->live;
    int n = s->a->function->n_instructions;
    int n_spans = live->at[s->a->function->n_registers];
    s->toggle_at = arena_array(arena, (size_t)n + 2, sizeof *s->toggle_at);
    for (int i = 0; i < n_spans; i++) {
        s->toggle_at[pc_from(live->spans[i].start) + 1]++;
        s->toggle_at[pc_from(live->spans[i].end) + 1]++;
    }
    for (int pc = 0; pc <= n; pc++)
        s->toggle_at[pc + 1] += s->toggle_at[pc];
    s->toggles = arena_array(arena, 2 * (size_t)n_spans + 1, sizeof(int));
    int *next = xcalloc((size_t)n + 1, sizeof *next);
    for (int r = 0; r < s->a->function->n_registers; r++)
        for (int i = live->at[r]; i < live->at[r + 1]; i++) {
            int on = pc_from(live->spans[i].start);
            int off = pc_from(live->spans[i].end);
            s->toggles[s->toggle_at[on] + next[on]++] = r;
            s->toggles[s->toggle_at[off] + next[off]++] = r;
        }
    free(next);
}

/* What does not depend on where a region begins. */
static void find_words(struct ptx_scan *s, struct arena *arena) {
    const struct ptx_function *f = s->a->function;
    size_t n = (size_t)f->n_instructions;
    s->words = arena_array(arena, n + 1, sizeof *s->words);
    s->def_at = arena_array(arena, n + 2, sizeof *s->def_at);
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        s->words[pc] =
            (struct ptx_traffic){ptx_load_words(in), ptx_store_words(in)};
        s->def_at[pc + 1] = s->def_at[pc] + in->n_defs;
    }
    s->outlives =
        arena_array(arena, (size_t)s->def_at[n] + 1, sizeof *s->outlives);
    for (int pc = 0; pc < f->n_instructions; pc++)
        for (int i = 0; i < f->instructions[pc].n_defs; i++)
            s->outlives[s->def_at[pc] + i] = ptx_live_at(
                &s->a->live, f->instructions[pc].defs[i], 2 * (pc + 1));
}

void ptx_scan_init(struct ptx_scan *s, struct arena *arena,
                   const struct ptx_analysis *a,
                   const struct ptx_candidate_options *o) {
    const struct ptx_function *f = a->function;
    size_t n = (size_t)f->n_instructions, regs = (size_t)f->n_registers;
    *s = (struct ptx_scan){.a = a, .count = o->count, .to_place = o->to_place};
    s->w = ptx_candidate_weights(o);
    s->window = WORK / (f->n_instructions + 1);
    if (s->window < MIN_WINDOW)
        s->window = MIN_WINDOW;
    ptx_nest_find(arena, a, &s->w, &s->nest);
    find_toggles(s, arena);
    s->refused = arena_array(arena, n + 1, sizeof *s->refused);
    for (int pc = 0; pc < f->n_instructions; pc++)
        s->refused[pc] = a->cfg.rpo_index[a->cfg.block_of[pc]] < 0
                             ? "code that is not reached"
                             : ptx_never_offloaded(&f->instructions[pc]);
    ptx_made_find(a, s->refused);
    find_words(s, arena);
    s->taken = xcalloc(n + 1, sizeof *s->taken);
    s->touched = xcalloc(regs + 1, sizeof *s->touched);
    s->written = xcalloc(regs + 1, sizeof *s->written);
    s->is_out = xcalloc(regs + 1, sizeof *s->is_out);
    s->deciding = xcalloc((size_t)a->loops.n_loops + 1, sizeof *s->deciding);
}

void ptx_scan_free(struct ptx_scan *s) {
    free(s->taken);
    free(s->touched);
    free(s->written);
    free(s->is_out);
    free(s->deciding);
}

/* ------------------------------------------------------------------ edges */

static bool stop(struct ptx_scan *s, int pc, const char *why) {
    s->stop_pc = pc;
    s->stop_reason = why;
    return false;
}

static void reach_to(struct ptx_scan *s, int pc) {
    if (pc > s->need_end)
        s->need_end = pc;
}

/* Edges into the block that begins at pc, inside the region. */
static bool take_entries(struct ptx_scan *s, int pc) {
    const struct ptx_cfg *cfg = &s->a->cfg;
    const struct ptx_block *b = &cfg->blocks[cfg->block_of[pc]];
    if (b->begin != pc || pc == s->begin)
        return true;
    for (int i = 0; i < b->n_pred; i++) {
        int from_end = cfg->blocks[b->pred[i]].end;
        if (cfg->rpo_index[b->pred[i]] < 0)
            continue;
        if (from_end <= s->begin)
            return stop(s, pc, "entered elsewhere than at its begin");
        reach_to(s, from_end);
    }
    return true;
}

/* Edges out of the block that ends behind pc. */
static bool take_exits(struct ptx_scan *s, int pc) {
    const struct ptx_cfg *cfg = &s->a->cfg;
    const struct ptx_block *b = &cfg->blocks[cfg->block_of[pc]];
    if (b->end != pc + 1)
        return true;
    if (b->exits)
        return stop(s, pc, "leaves the function");
    for (int i = 0; i < b->n_succ; i++) {
        int to = cfg->blocks[b->succ[i]].begin;
        if (to < s->begin)
            return stop(s, pc, "leaves elsewhere than at its end");
        reach_to(s, to);
    }
    if (b->n_succ == 0)
        return stop(s, pc, "leads nowhere that is known");
    return true;
}

/* ------------------------------------------------------------------ loops */

/* Loop l, which began inside, has ended. */
static void close_loop(struct ptx_scan *s, int l) {
    const struct ptx_loop *loop = &s->a->loops.loops[l];
    const struct ptx_nest_loop *n = &s->nest.loops[l];
    bool fixed = loop->trip.kind == PTX_TRIP_STATIC;
    if (fixed)
        ptx_traffic_add(&s->traffic,
                        ptx_traffic_times(n->once, loop->trip.count - 1));
    s->poly = ptx_poly_add(s->poly, ptx_nest_more(loop, n->poly), 1);
    for (int i = 0; i < s->n_deciding; i++) {
        struct ptx_deciding *d = &s->deciding[i];
        if (!ptx_loop_has(&s->a->loops, l, s->a->loops.loops[d->loop].header))
            continue;
        d->repeated = true;
        if (fixed)
            d->each = ptx_traffic_times(d->each, loop->trip.count);
    }
    if (n->reg >= 0 || n->several)
        s->deciding[s->n_deciding++] =
            (struct ptx_deciding){.loop = l, .each = n->once};
}

/* Loops that end where the region now ends. */
static void close_loops(struct ptx_scan *s) {
    const struct ptx_nest *nest = &s->nest;
    for (int i = nest->end_at[s->end]; i < nest->end_at[s->end + 1]; i++) {
        int l = nest->ends[i];
        if (nest->loops[l].lo < s->begin)
            continue;
        close_loop(s, l);
        s->outermost += 1 - nest->loops[l].inner;
        s->top = l;
        if (nest->loops[l].lo == s->begin)
            s->around = s->a->loops.loops[l].parent;
    }
}

/* -------------------------------------------------------------- registers */

static int words(const struct ptx_scan *s, int reg) {
    if (s->count == PTX_COUNT_NAMES)
        return 1;
    return ptx_kind_size(s->a->function->registers[reg]->kind);
}

static void touch(struct ptx_scan *s, int reg) {
    if (s->touched[reg] == s->stamp)
        return;
    s->touched[reg] = s->stamp;
    if (ptx_live_at(&s->a->live, reg, 2 * s->begin))
        s->words_in += words(s, reg);
}

static void set_out(struct ptx_scan *s, int reg, bool out) {
    if (s->is_out[reg] != out)
        s->words_out += out ? words(s, reg) : -words(s, reg);
    s->is_out[reg] = out;
}

/* The instruction at pc is the region's last one now. */
static void take_registers(struct ptx_scan *s, int pc) {
    const struct ptx_instruction *in = &s->a->function->instructions[pc];
    for (int i = 0; i < in->n_uses; i++)
        touch(s, in->uses[i]);
    for (int i = s->toggle_at[pc + 1]; i < s->toggle_at[pc + 2]; i++)
        if (s->written[s->toggles[i]] == s->stamp)
            set_out(s, s->toggles[i], !s->is_out[s->toggles[i]]);
    for (int i = 0; i < in->n_defs; i++) {
        int reg = in->defs[i];
        touch(s, reg);
        if (s->written[reg] != s->stamp)
            s->is_out[reg] = false;
        s->written[reg] = s->stamp;
        set_out(s, reg, s->outlives[s->def_at[pc] + i]);
    }
}

/* ------------------------------------------------------------------- scan */

void ptx_scan_begin(struct ptx_scan *s, int pc) {
    s->begin = s->end = pc;
    s->need_end = pc;
    s->words_in = s->words_out = 0;
    s->traffic = (struct ptx_traffic){0, 0};
    s->poly = (struct ptx_polynomial){{0}};
    s->outermost = 0;
    s->top = -1;
    s->around = s->a->loops.innermost[s->a->cfg.block_of[pc]];
    s->n_deciding = 0;
    s->stamp++;
}

bool ptx_scan_advance(struct ptx_scan *s) {
    int pc = s->end;
    if (pc - s->begin >= s->window)
        return stop(s, pc, "too long to be looked at");
    if (pc + 1 >= s->a->function->n_instructions)
        return stop(s, pc, "leaves the function");
    if (s->taken[pc])
        return stop(s, pc, "part of a candidate");
    if (s->refused[pc])
        return stop(s, pc, s->refused[pc]);
    if (!take_entries(s, pc) || !take_exits(s, pc))
        return false;
    struct ptx_traffic t = s->words[pc];
    s->end = pc + 1;
    take_registers(s, pc);
    if (t.loads || t.stores) {
        ptx_traffic_add(&s->traffic, t);
        s->poly.c[0] = ptx_add_clamped(
            s->poly.c[0], t.loads * (s->w.load_tx + s->w.load_rx) +
                              t.stores * (s->w.store_tx + s->w.store_rx));
    }
    close_loops(s);
    return true;
}

/* Whether the last instruction, or a branch before it, leads to the end. */
static bool reaches_end(const struct ptx_scan *s) {
    const struct ptx_cfg *cfg = &s->a->cfg;
    int block = cfg->block_of[s->end];
    const struct ptx_block *b = &cfg->blocks[block];
    if (cfg->rpo_index[block] < 0)
        return false;
    if (b->begin != s->end)
        return true;
    for (int i = 0; i < b->n_pred; i++) {
        int last = cfg->blocks[b->pred[i]].end - 1;
        if (last >= s->begin && last < s->end)
            return true;
    }
    return false;
}

bool ptx_scan_is_region(const struct ptx_scan *s) {
    return s->end > s->begin && s->end >= s->need_end && s->outermost <= 1 &&
           reaches_end(s);
}
