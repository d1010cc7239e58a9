/* stim_nbu_replay.c - the instructions of a real kernel.
 *
 * Every warp walks the packets that ptx_stream makes of the first kernel in a
 * PTX file, in program order and with the compiler's hints, over and over. Data
 * is made up, control flow is straight: what counts is which registers follow
 * which.  The surroundings are quick, so that the numbers of the report are
 * the unit's own.
 */
#include "stim_nbu_env.h"

#include "arena.h"
#include "ptx/ptx.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    char *kernel;
    struct nbu_packet *packets;
    int n;
    int at[MAX_WARPS]; /* next packet of each warp */
    int last;          /* warp that was served last */
    uint64_t passes;   /* ends of the kernel reached, all warps together */
    bool begun;
    uint64_t start;      /* edge of the first instruction */
    uint64_t first_pass; /* edge at which every warp had gone through once */
    uint64_t ended;      /* warps that have */
};

static const struct tune light = {.name = "replay",
                                  .issue = 100,
                                  .high = {32, 32, 32, 32, 32, 32},
                                  .low = {1, 1, 1, 1, 1, 1},
                                  .row_latency = 1,
                                  .exec_latency = {6, 6},
                                  .lsu_length = 1,
                                  .wishbone = 1};

static void replay_step(struct nbu_stim *s) {
    (void)s;
}

static struct operand operand_of(const struct nbu_operand *o) {
    return (struct operand){
        .valid = o->valid, .kind = o->kind, .reg = o->valid ? o->reg : 0};
}

static void count_pass(struct nbu_stim *s, struct replay *r, int warp) {
    r->at[warp] = 0;
    r->passes++;
    r->ended |= (uint64_t)1 << warp;
    if (!r->first_pass && r->ended == all_warps(s))
        r->first_pass = s->now;
}

/* Warps that are ready take turns. */
static bool replay_next(struct nbu_stim *s, struct instr *i) {
    struct replay *r = s->script;
    uint64_t mask = s->room & s->ready;
    if (!mask)
        return false;
    uint64_t above = r->last == 63 ? 0 : mask >> (r->last + 1);
    int warp =
        above ? r->last + 1 + __builtin_ctzll(above) : __builtin_ctzll(mask);
    const struct nbu_packet *p = &r->packets[r->at[warp]];
    r->last = warp;
    if (!r->begun)
        r->start = s->now;
    r->begun = true;
    *i = (struct instr){
        .warp = warp, .op = p->op, .hint = p->hint, .mask = s->lane_mask};
    i->operand[DST] = operand_of(&p->dst);
    for (int n = 0; n < 3; n++)
        i->operand[SRC0 + n] = operand_of(&p->src[n]);
    i->operand[GUARD] = operand_of(&p->guard);
    if (++r->at[warp] == r->n)
        count_pass(s, r, warp);
    return true;
}

static void note_kind(struct nbu_stim *s, const struct nbu_operand *o) {
    if (o->valid)
        s->kind[o->reg] = o->kind;
    if (o->valid && o->kind == NBU_PAIR)
        s->kind[o->reg + 1] = o->kind;
}

/* The kernel, not chance, says what a register is. */
static void replay_reset(struct nbu_stim *s) {
    struct replay *r = s->script;
    for (int n = 0; n < r->n; n++) {
        note_kind(s, &r->packets[n].dst);
        note_kind(s, &r->packets[n].guard);
        for (int k = 0; k < 3; k++)
            note_kind(s, &r->packets[n].src[k]);
    }
    memset(r->at, 0, sizeof r->at);
}

static void replay_report(struct nbu_stim *s, struct text *t) {
    const struct replay *r = s->script;
    text_printf(t, "kernel\t%s\n", r->kernel);
    text_printf(t, "packets\t%d\n", r->n);
    text_printf(t, "passes\t%" PRIu64 "\n", r->passes);
    if (r->first_pass)
        text_printf(t, "cycles_first_pass\t%" PRIu64 "\n",
                    r->first_pass - r->start);
}

static void replay_destroy(struct nbu_stim *s) {
    struct replay *r = s->script;
    free(r->packets);
    free(r->kernel);
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
    struct replay *r = s->script;
    const struct ptx_module *m = ptx_read(arena, source, d);
    if (d->errors)
        return false;
    const struct ptx_function *f = first_kernel(m);
    if (!f) {
        diag_error(d, (struct place){.source = source},
                   "no kernel, expected an .entry with a body");
        return false;
    }
    r->kernel = strdup(f->name);
    return ptx_stream(f, ptx_analyse(arena, f), s->size.REGS, &r->packets,
                      &r->n, d);
}

bool replay_open(struct nbu_stim *s, const char *path, struct diag *d) {
    size_t len;
    struct arena arena = {0};
    s->tune = light;
    s->script = xcalloc(1, sizeof(struct replay));
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

const struct program program_replay = {.step = replay_step,
                                       .next = replay_next,
                                       .reset = replay_reset,
                                       .report = replay_report,
                                       .destroy = replay_destroy};
