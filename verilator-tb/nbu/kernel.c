/* kernel.c - the instructions of a real kernel, straight through.
 *
 * For PTX without a run description: every warp walks the packets of the first
 * kernel in the file, in program order and with the compiler's hints, over and
 * over.  Data is made up, control flow is straight, all lanes are active: what
 * counts is which registers follow which.  With data, run.c replays
 * what really executes.
 */
#include "code.h"

#include "base/arena.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    struct code code;
    int at[MAX_WARPS]; /* next packet of each warp */
    int last;          /* warp that was served last */
    uint64_t passes;   /* ends of the kernel reached, all warps together */
    bool begun;
    uint64_t start;      /* edge of the first instruction */
    uint64_t first_pass; /* edge at which every warp had gone through once */
    uint64_t ended;      /* warps that have */
};

static void count_pass(struct nbu_stim *s, struct replay *r, int warp) {
    r->at[warp] = 0;
    r->passes++;
    r->ended |= bit(warp);
    if (!r->first_pass && r->ended == all_warps(s))
        r->first_pass = s->base.now;
}

/* Warps that are ready take turns. */
static bool next(struct nbu_stim *s, struct instr *i) {
    struct replay *r = s->base.script;
    uint64_t mask = s->room & s->ready;
    if (!mask)
        return false;
    int warp = next_in_turn(mask, r->last);
    r->last = warp;
    if (!r->begun)
        r->start = s->base.now;
    r->begun = true;
    *i = code_instr(&r->code.packets[r->at[warp]], warp, s->lane_mask);
    if (++r->at[warp] == r->code.n)
        count_pass(s, r, warp);
    return true;
}

/* The kernel, not chance, says what a register is. */
static void reset(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct replay *r = base->script;
    code_kinds(&r->code, s->kind);
    memset(r->at, 0, sizeof r->at);
}

static void report(struct stim *base, struct text *t) {
    const struct replay *r = base->script;
    text_printf(t, "kernel\t%s\n", r->code.kernel);
    text_printf(t, "packets\t%d\n", r->code.n);
    text_printf(t, "passes\t%" PRIu64 "\n", r->passes);
    if (r->first_pass)
        text_printf(t, "cycles_first_pass\t%" PRIu64 "\n",
                    r->first_pass - r->start);
}

static void close(struct stim *base) {
    struct replay *r = base->script;
    code_free(&r->code);
    free(r);
}

static const struct ptx_function *first_kernel(const struct ptx_module *m) {
    for (int n = 0; n < m->n_functions; n++)
        if (m->functions[n]->is_entry && m->functions[n]->n_instructions)
            return m->functions[n];
    return NULL;
}

static bool lower(struct nbu_stim *s, struct arena *arena,
                  const struct source *source, struct diag *d) {
    struct replay *r = s->base.script;
    const struct ptx_module *m = ptx_read(arena, source, d);
    if (d->errors)
        return false;
    const struct ptx_function *f = first_kernel(m);
    if (!f) {
        diag_error(d, (struct place){.source = source},
                   "no kernel, expected an .entry with a body");
        return false;
    }
    return code_make(&r->code, f, s->size.REGS, d);
}

static bool open(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct diag *d = base->diag;
    const char *path = base->options->kernel;
    size_t len;
    struct arena arena = {0};
    s->tune = light;
    base->script = xcalloc(1, sizeof(struct replay));
    char *text = text_read_file(path, &len);
    if (!text) {
        diag_error(d, (struct place){0}, "cannot read '%s': %s", path,
                   strerror(errno));
        return false;
    }
    bool ok = lower(s, &arena, diag_source(d, path, text, len), d);
    arena_free(&arena);
    free(text);
    return ok;
}

const struct nbu_mode nbu_kernel = {
    .base = {.name = "kernel",
             .measures = true,
             .open = open,
             .close = close,
             .reset = reset,
             .report = report},
    .next = next,
};
