/* follow.c - what each pass is, from the order in which they retire (retire.h).
 *
 * Passes of an instruction stand together.  A warp begins when none of its
 * lanes is left and no result is due; so its first pass is that which tells the
 * threads' places, and CTAs are counted by the first warps of their slots.
 */
#include "retire.h"

#include "base/array.h"

#include <string.h>

struct warp {
    uint32_t lanes; /* that have not ended */
    int last;       /* its last pass; -1: none */
    int cta;
    ARRAY(int) due; /* passes of loads without their results */
};

struct follower {
    const struct retire_trace *t;
    struct retire_launch *l;
    struct warp warps[RETIRE_MAX_WARPS];
    int ctas; /* that have begun */
};

const struct isa_word *retire_word(const struct retire_kernel *k, int pc) {
    int n = pc - k->entry;
    return n >= 0 && n < k->n_words && k->is_legal[n] ? &k->code[n] : NULL;
}

int retire_line(const struct retire_kernel *k, int pc) {
    int n = pc - k->entry;
    return n >= 0 && n < k->n_words ? k->lines[n] : 0;
}

uint32_t retire_value(const struct retire_trace *t, const struct retire_pass *p,
                      int lane) {
    uint32_t rest = p->mask;
    if (p->kind != RETIRE_PREDICATE)
        return t->values[p->value + (uint32_t)(p->same ? 0 : lane)];
    while (lane--)
        rest &= rest - 1;
    return t->values[p->value] >> __builtin_ctz(rest) & 1;
}

/* Not its instruction's first pass. */
static bool goes_on(const struct retire_pass *p,
                    const struct retire_pass *before) {
    return before && p->pass > 0 && p->pass == before->pass + 1 &&
           p->pc == before->pc;
}

static enum retire_what what_is(const struct follower *f, const struct warp *w,
                                const struct retire_pass *p) {
    const struct retire_pass *before =
        w->last < 0 ? NULL : &f->l->passes[w->last];
    const struct isa_word *word = retire_word(f->l->kernel, p->pc);
    if (goes_on(p, before))
        return before->what;
    if (!w->lanes && !w->due.n)
        return RETIRE_START;
    return p->kind == RETIRE_REGISTER && word && isa_is_late(word->op)
               ? RETIRE_RESULT
               : RETIRE_INSTRUCTION;
}

static void begin(struct follower *f, struct warp *w, struct retire_pass *p) {
    int in_cta = p->warp % f->l->warps;
    if (p->pass == 0) {
        if (in_cta == 0)
            f->ctas++;
        w->cta = in_cta == 0 ? f->l->first_cta + (f->ctas - 1) * f->l->cta_step
                             : f->warps[p->warp - in_cta].cta;
    }
    w->lanes |= p->mask << p->pass * f->t->alus;
}

static void answer(struct follower *f, struct warp *w, int at) {
    const struct retire_pass *p = &f->l->passes[at];
    for (int i = 0; i < w->due.n; i++) {
        struct retire_pass *load = &f->l->passes[w->due.v[i]];
        if (load->pc != p->pc || load->pass != p->pass)
            continue;
        load->result = at;
        memmove(&w->due.v[i], &w->due.v[i + 1],
                (size_t)(w->due.n - i - 1) * sizeof *w->due.v);
        w->due.n--;
        return;
    }
}

static void execute(struct follower *f, struct warp *w, int at) {
    const struct retire_pass *p = &f->l->passes[at];
    const struct isa_word *word = retire_word(f->l->kernel, p->pc);
    if (word && word->op == ISA_exit)
        w->lanes &= ~(p->mask << p->pass * f->t->alus);
    else if (word && isa_is_late(word->op))
        *array_push(&w->due) = at;
}

void retire_follow(const struct retire_trace *t, struct retire_launch *l) {
    struct follower *f = xcalloc(1, sizeof *f);
    f->t = t;
    f->l = l;
    for (int i = 0; i < RETIRE_MAX_WARPS; i++)
        f->warps[i].last = f->warps[i].cta = -1;
    for (int at = 0; at < l->n; at++) {
        struct retire_pass *p = &l->passes[at];
        struct warp *w = &f->warps[p->warp];
        p->what = (uint8_t)what_is(f, w, p);
        if (p->what == RETIRE_START)
            begin(f, w, p);
        else if (p->what == RETIRE_RESULT)
            answer(f, w, at);
        else
            execute(f, w, at);
        p->cta = w->cta;
        w->last = at;
    }
    for (int i = 0; i < RETIRE_MAX_WARPS; i++)
        array_free(&f->warps[i].due);
    free(f);
}

/* --- instructions --------------------------------------------------------- */

static void add_values(const struct retire_trace *t, struct retire_insn *i,
                       const struct retire_pass *p) {
    uint32_t mask = p->mask;
    if (p->kind == RETIRE_NONE)
        return;
    i->kind = p->kind;
    i->d = p->d;
    i->answer = p->cycle;
    for (int n = 0; mask; mask &= mask - 1, n++)
        i->values[p->pass * t->alus + __builtin_ctz(mask)] =
            retire_value(t, p, n);
}

bool retire_next(const struct retire_trace *t, const struct retire_launch *l,
                 int at, struct retire_insn *i) {
    const struct retire_pass *first = NULL;
    for (; at < l->n && !first; at++)
        if (l->passes[at].what != RETIRE_RESULT)
            first = &l->passes[at];
    if (!first)
        return false;
    *i = (struct retire_insn){.what = first->what,
                              .first = at - 1,
                              .warp = first->warp,
                              .cta = first->cta,
                              .pc = first->pc,
                              .cycle = first->cycle,
                              .answer = first->cycle};
    const struct retire_pass *p = first;
    do {
        i->mask |= p->mask << p->pass * t->alus;
        add_values(t, i, p);
        if (p->result >= 0)
            add_values(t, i, &l->passes[p->result]);
        i->next = (int)(p - l->passes) + 1;
        p++;
    } while (i->next < l->n && p->warp == first->warp &&
             p->what == first->what && goes_on(p, p - 1));
    return true;
}
