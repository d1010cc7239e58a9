/* place.c - instructions that make conditions, put into the text (place.h).
 *
 * The candidates are those that there would be if each sum stood in a register;
 * so what is found in the new text is what was wanted here.
 */
#include "place.h"

#include "base/array.h"
#include "parts.h"
#include "ptx/ptx.h"
#include "ptx/slices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- where to */

static bool jumps(const struct ptx_instruction *in) {
    return in->form->op == PTX_OP_BRA || in->form->op == PTX_OP_BRX;
}

enum ptx_place_way ptx_place_way(const struct ptx_analysis *a, int begin,
                                 int end) {
    const struct ptx_function *f = a->function;
    const struct ptx_block *b = &a->cfg.blocks[a->cfg.block_of[begin]];
    bool again = false, from_elsewhere = begin == 0;
    if (f->instructions[begin].added)
        return PTX_PLACE_NOWHERE;
    if (b->begin < begin)
        return f->instructions[begin - 1].added ? PTX_PLACE_NOWHERE
                                                : PTX_PLACE_BEFORE;
    for (int i = 0; i < b->n_pred; i++) {
        const struct ptx_block *from = &a->cfg.blocks[b->pred[i]];
        if (from->begin >= begin && from->begin < end)
            again = true;
        else if (from->end != begin || jumps(&f->instructions[begin - 1]))
            from_elsewhere = true;
    }
    return !again            ? PTX_PLACE_BEFORE
           : !from_elsewhere ? PTX_PLACE_BEHIND
                             : PTX_PLACE_NOWHERE;
}

/* ------------------------------------------------------------------ writing */

struct site {
    const char *at; /* in the source */
    enum ptx_place_way way;
    struct ptx_sum sum;
    const struct ptx_function *f;
    int number; /* of the register */
};

typedef ARRAY(struct site) sites;

static const char prefix[] = "%ndp_trip";

/* The first number that no register of the function has. */
static int first_free(const struct ptx_function *f) {
    int next = 0;
    for (int i = 0; i < f->n_registers; i++) {
        const char *name = f->registers[i]->name;
        if (strncmp(name, prefix, sizeof prefix - 1) == 0 &&
            atoi(name + sizeof prefix - 1) >= next)
            next = atoi(name + sizeof prefix - 1) + 1;
    }
    return next;
}

/* A name that an inner scope has declared anew ends in "#2". */
static bool has_plain_name(const struct ptx_function *f, int reg) {
    return reg < 0 || !strchr(f->registers[reg]->name, '#');
}

static void add_site(sites *list, const struct ptx_slice *s,
                     const struct ptx_analysis *a,
                     const struct ptx_candidate *c, int number) {
    struct site *site = array_push(list);
    *site = (struct site){.way = ptx_place_way(a, c->begin_pc, c->end_pc),
                          .sum = c->condition.sum,
                          .f = a->function,
                          .number = number};
    site->at = site->way == PTX_PLACE_BEFORE
                   ? s[c->begin_pc].s
                   : s[c->begin_pc - 1].s + s[c->begin_pc - 1].len;
}

static void find_sites(sites *list, struct arena *arena,
                       const struct ptx_module *m, const struct ptx_function *f,
                       const struct ptx_candidate_options *options) {
    struct ptx_candidate_options o = *options;
    struct ptx_candidates found;
    const struct ptx_analysis *a = ptx_analyse(arena, f);
    const struct ptx_slice *s = ptx_slices(arena, m->source, f, NULL);
    int number = first_free(f);
    o.to_place = true;
    ptx_candidates_find(arena, a, &o, &found);
    for (int i = 0; i < found.n; i++) {
        const struct ptx_condition *c = &found.list[i].condition;
        if (c->reg == PTX_TO_PLACE && has_plain_name(f, c->sum.plus) &&
            has_plain_name(f, c->sum.minus) && has_plain_name(f, c->sum.step))
            add_site(list, s, a, &found.list[i], number++);
    }
}

static const char *name(const struct site *s, int reg) {
    return s->f->registers[reg]->name;
}

static void write_site(const struct site *s, struct text *out) {
    const struct ptx_sum *sum = &s->sum;
    bool behind = s->way == PTX_PLACE_BEHIND;
    text_printf(out, "%s.reg .b32 %s%d; // condition of what follows",
                behind ? "\n\t" : "", prefix, s->number);
    if (sum->minus >= 0)
        text_printf(out, "\n\tsub.s32 %s%d, %s, %s;", prefix, s->number,
                    name(s, sum->plus), name(s, sum->minus));
    if (sum->step >= 0) {
        text_printf(out, "\n\tmad.lo.s32 %s%d, %s, %" PRId64 ", ", prefix,
                    s->number, name(s, sum->step), sum->times);
        if (sum->minus >= 0)
            text_printf(out, "%s%d;", prefix, s->number);
        else
            text_printf(out, "%s;", name(s, sum->plus));
    }
    text_add(out, behind ? "" : "\n\t");
}

static int by_place(const void *a, const void *b) {
    const struct site *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

int ptx_place(const struct ptx_module *m, const struct ptx_candidate_options *o,
              struct text *out) {
    struct arena arena = {0};
    sites list = {0};
    const char *cursor = m->source->text, *end = cursor + m->source->len;
    for (int i = 0; i < m->n_functions; i++)
        if (m->functions[i]->has_body)
            find_sites(&list, &arena, m, m->functions[i], o);
    array_sort(&list, by_place);
    for (int i = 0; i < list.n; i++) {
        text_addn(out, cursor, (size_t)(list.v[i].at - cursor));
        write_site(&list.v[i], out);
        cursor = list.v[i].at;
    }
    text_addn(out, cursor, (size_t)(end - cursor));
    int n = list.n;
    array_free(&list);
    arena_free(&arena);
    return n;
}

struct ptx_module *ptx_place_module(struct arena *a, const struct ptx_module *m,
                                    const struct ptx_candidate_options *o,
                                    struct diag *d) {
    struct text text = {0}, name = {0};
    ptx_place(m, o, &text);
    text_printf(&name, "%s (placed)", m->source->name);
    const struct source *source =
        diag_source(d, text_str(&name), text_str(&text), text.len);
    text_free(&text);
    text_free(&name);
    return ptx_read(a, source, d);
}
