/* program.c - a program as PTX and as a run description. */
#include "private.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

const char *const fuzz_buffer_names[FUZZ_BUFFERS] = {"in", "own", "acc"};

static uint32_t product(const uint32_t n[3]) {
    return n[0] * n[1] * n[2];
}

uint32_t fuzz_threads(const struct fuzz_program *p) {
    return product(p->grid) * product(p->block);
}

uint32_t fuzz_bytes(const struct fuzz_program *p, enum fuzz_buffer b) {
    return b == FUZZ_OWN ? (p->slot + FUZZ_ROWS) * fuzz_threads(p)
                         : p->bytes[b];
}

int fuzz_full_mask(const struct fuzz_program *p) {
    uint32_t n = product(p->block);
    return (1 << (31 - __builtin_clz(n))) - 1;
}

/* Whether a leaf has a place in this launch. */
static bool is_left_out(const struct fuzz_program *p,
                        const struct fuzz_statement *s) {
    return s->off || (s->width && product(p->block) % (uint32_t)s->width);
}

void fuzz_each(const struct fuzz_list *l, fuzz_visit *visit, void *ctx) {
    for (int i = 0; i < l->n; i++) {
        if (l->v[i]->off)
            continue;
        visit(ctx, l->v[i]);
        fuzz_each(&l->v[i]->body, visit, ctx);
        fuzz_each(&l->v[i]->other, visit, ctx);
    }
}

static void count_one(void *ctx, struct fuzz_statement *s) {
    *(int *)ctx += s->shape != FUZZ_ALL;
}

int fuzz_statements(const struct fuzz_program *p) {
    int n = 0;
    fuzz_each(&p->list, count_one, &n);
    return n;
}

/* --- statements ----------------------------------------------------------- */

enum { MOST = 32 }; /* registers of a pool */

struct printer {
    const struct fuzz_program *p;
    struct text *out;
    int label; /* the next */
    int loop;  /* label of the loop around; 0: none */
    bool used[FUZZ_POOLS][MOST];
    int counters;
};

static void use(struct printer *w, char pool, int index) {
    w->used[strchr(fuzz_pools, pool) - fuzz_pools][index] = true;
}

static void print_guard(struct printer *w, const struct fuzz_statement *s,
                        bool invert) {
    if (s->guard < 0)
        return;
    use(w, 'p', s->guard);
    text_printf(w->out, "@%s%%p%d ", s->unless != invert ? "!" : "", s->guard);
}

static void print_operand(struct printer *w, const struct fuzz_operand *o) {
    fuzz_operand_text(o, w->out);
    if (!o->is_number)
        use(w, fuzz_pool(o->kind), o->index);
}

static void print_leaf(struct printer *w, const struct fuzz_statement *s) {
    if (!w->loop && (strstr(s->text, "$B") || strstr(s->text, "$K")))
        return;
    uint32_t threads = fuzz_threads(w->p), rows = w->p->slot * threads;
    text_printf(w->out, "    ");
    for (const char *c = s->text; *c; c++) {
        if (c[0] == ';' && c[1] == ' ') { /* a line each */
            text_add(w->out, ";\n    ");
            c++;
            continue;
        }
        if (*c != '$') {
            text_addc(w->out, *c);
            continue;
        }
        c++;
        if (isdigit((unsigned char)*c))
            print_operand(w, &s->operands[*c - '0']);
        else if (*c == 'G')
            print_guard(w, s, false);
        else if (*c == 'C' && w->loop)
            text_printf(w->out, "%%c%d", w->loop);
        else if (*c == 'C')
            text_addc(w->out, '0');
        else if (*c == 'B' || *c == 'K')
            text_printf(w->out, "L%d_%s", w->loop, *c == 'B' ? "end" : "next");
        else if (*c == 'M')
            text_printf(w->out, "%d", fuzz_full_mask(w->p));
        else if (*c == 'T')
            text_printf(w->out, "%u", threads - 1);
        else /* W, H, Y */
            text_printf(w->out, "%u",
                        rows + (*c == 'W'   ? 0
                                : *c == 'H' ? 4
                                            : 6) *
                                   threads);
    }
    text_addc(w->out, '\n');
}

static void print_list(struct printer *w, const struct fuzz_list *l);

static bool is_empty(const struct fuzz_list *l) {
    for (int i = 0; i < l->n; i++)
        if (!l->v[i]->off)
            return false;
    return true;
}

static void print_if(struct printer *w, const struct fuzz_statement *s) {
    int label = ++w->label;
    bool has_other = !is_empty(&s->other);
    if (s->text)
        print_leaf(w, s);
    text_add(w->out, "    ");
    if (s->text)
        text_add(w->out, "@!%tp ");
    else
        print_guard(w, s, true);
    text_printf(w->out, "bra L%d_%s;\n", label, has_other ? "else" : "end");
    print_list(w, &s->body);
    if (has_other) {
        text_printf(w->out, "    bra L%d_end;\nL%d_else:\n", label, label);
        print_list(w, &s->other);
    }
    text_printf(w->out, "L%d_end:\n", label);
}

static void print_loop(struct printer *w, const struct fuzz_statement *s) {
    int n = ++w->label, around = w->loop;
    text_printf(w->out, "    mov.u32 %%c%d, 0;\n", n);
    if (s->trip_by) {
        text_printf(w->out, "    and.b32 %%n%d, ", n);
        print_operand(w, &s->operands[0]);
        text_printf(w->out, ", %u;\n    add.u32 %%n%d, %%n%d, %u;\n",
                    s->trip_by, n, n, s->trips);
    } else {
        text_printf(w->out, "    mov.u32 %%n%d, %u;\n", n, s->trips);
    }
    text_printf(w->out, "L%d:\n", n);
    if (s->at_head)
        text_printf(w->out,
                    "    setp.ge.u32 %%tp, %%c%d, %%n%d;\n    @%%tp bra "
                    "L%d_end;\n",
                    n, n, n);
    w->loop = n;
    print_list(w, &s->body);
    w->loop = around;
    text_printf(w->out, "L%d_next:\n    add.u32 %%c%d, %%c%d, 1;\n", n, n, n);
    if (s->at_head)
        text_printf(w->out, "    bra L%d;\nL%d_end:\n", n, n);
    else
        text_printf(w->out,
                    "    setp.lt.u32 %%tp, %%c%d, %%n%d;\n    @%%tp bra "
                    "L%d;\nL%d_end:\n",
                    n, n, n, n);
    if (n > w->counters)
        w->counters = n;
}

static void print_list(struct printer *w, const struct fuzz_list *l) {
    for (int i = 0; i < l->n; i++) {
        const struct fuzz_statement *s = l->v[i];
        if (is_left_out(w->p, s))
            continue;
        switch (s->shape) {
        case FUZZ_LEAF:
            print_leaf(w, s);
            break;
        case FUZZ_IF:
            if (s->guard < 0)
                print_list(w, &s->body);
            else
                print_if(w, s);
            break;
        case FUZZ_LOOP:
            print_loop(w, s);
            break;
        case FUZZ_ALL:
            print_list(w, &s->body);
            print_list(w, &s->other);
            break;
        }
    }
}

/* --- what statements name ------------------------------------------------- */

/* Shared arrays, in words or bytes of each thread, or of the CTA. */
static const struct {
    const char *name, *by; /* what names it in statements */
    uint32_t each, all;
} areas[] = {{"sh", "%sown", FUZZ_SHARED_SLOT, 0},
             {"sx", "%sx", 4, 0},
             {"sb", "%sb", 1, 0},
             {"sacc", "sacc", 0, FUZZ_SHARED_ACC}};

static uint32_t area_bytes(const struct fuzz_program *p, int k) {
    return areas[k].each * product(p->block) + areas[k].all;
}

struct search {
    const char *what;
    bool found;
};

static void search_one(void *ctx, struct fuzz_statement *s) {
    struct search *x = ctx;
    x->found |= s->text && strstr(s->text, x->what);
}

bool fuzz_fits(const struct fuzz_program *p, const struct fuzz_limits *l) {
    uint32_t shared = 0;
    for (size_t k = 0; k < sizeof areas / sizeof *areas; k++) {
        struct search x = {areas[k].by, false};
        fuzz_each(&p->list, search_one, &x);
        if (x.found)
            shared += (area_bytes(p, (int)k) + 7) & ~7u;
    }
    /* what is not mapped, and the other buffers; local memory is known when
     * it is assembled */
    size_t memory = fuzz_bytes(p, FUZZ_OWN) + 1024;
    return shared <= (uint32_t)l->shared_bytes && memory <= l->memory &&
           product(p->block) <= (uint32_t)l->max_threads;
}

static const char table_text[] =
    "1, 2, 3, 5, 0xffffffff, 0x80000000, 0x7fffffff, 0x00ff00ff, 12345, 0, "
    "0x3f800000, 0x7fc00000, 77, 0xdeadbeef, 0x10000, 0xffff";

static void print_prologue(const struct printer *w, const char *body,
                           struct text *out) {
    bool own = strstr(body, "%pown"), all = strstr(body, "%pall"),
         sown = strstr(body, "%sown");
    bool sb = strstr(body, "%sb");
    bool sx = strstr(body, "%sx"), sacc = strstr(body, "sacc");
    bool gid = own || strstr(body, "%gid");
    bool lid = gid || sown || sx || sb || sacc || strstr(body, "%lid");
    bool wait = sx || sacc;
    if (lid)
        text_add(out, "    mov.u32 %lid, %tid.z;\n    mov.u32 %ta, %ntid.y;\n"
                      "    mov.u32 %tb, %tid.y;\n"
                      "    mad.lo.u32 %lid, %lid, %ta, %tb;\n"
                      "    mov.u32 %ta, %ntid.x;\n    mov.u32 %tb, %tid.x;\n"
                      "    mad.lo.u32 %lid, %lid, %ta, %tb;\n");
    if (gid)
        text_printf(out,
                    "    mov.u32 %%gid, %%ctaid.z;\n"
                    "    mov.u32 %%ta, %%nctaid.y;\n"
                    "    mov.u32 %%tb, %%ctaid.y;\n"
                    "    mad.lo.u32 %%gid, %%gid, %%ta, %%tb;\n"
                    "    mov.u32 %%ta, %%nctaid.x;\n"
                    "    mov.u32 %%tb, %%ctaid.x;\n"
                    "    mad.lo.u32 %%gid, %%gid, %%ta, %%tb;\n"
                    "    mad.lo.u32 %%gid, %%gid, %u, %%lid;\n",
                    product(w->p->block));
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        char name[8];
        snprintf(name, sizeof name, "%%p%s", fuzz_buffer_names[b]);
        if (strstr(body, name))
            text_printf(out,
                        "    ld.param.u64 %s, [%s];\n"
                        "    cvta.to.global.u64 %s, %s;\n",
                        name, fuzz_buffer_names[b], name, name);
    }
    if (all)
        text_add(out, "    ld.param.u64 %pall, [own];\n");
    if (own)
        text_printf(out,
                    "    mul.wide.u32 %%tq, %%gid, %u;\n"
                    "    add.s64 %%pown, %%pown, %%tq;\n",
                    w->p->slot);
    if (strstr(body, "[loc") || strstr(body, "loc;"))
        for (int i = 0; i < FUZZ_LOCAL; i += 4)
            text_printf(out, "    st.local.u32 [loc+%d], %d;\n", i, i);
    if (sown)
        text_add(out, "    mov.u32 %sown, sh;\n"
                      "    mad.lo.u32 %sown, %lid, 4, %sown;\n"
                      "    st.shared.u32 [%sown], %lid;\n");
    if (sx)
        text_add(out, "    mov.u32 %sx, sx;\n"
                      "    mad.lo.u32 %sx, %lid, 4, %sx;\n"
                      "    st.shared.u32 [%sx], %lid;\n");
    if (sb)
        text_add(out, "    mov.u32 %sb, sb;\n"
                      "    add.u32 %sb, %sb, %lid;\n"
                      "    st.shared.u8 [%sb], %lid;\n");
    if (sacc) {
        text_add(out, "    setp.eq.u32 %tp, %lid, 0;\n");
        for (int i = 0; i < FUZZ_SHARED_ACC; i += 4)
            text_printf(out, "    @%%tp st.shared.u32 [sacc+%d], %d;\n", i,
                        1000 * i);
    }
    if (wait)
        text_add(out, "    bar.sync 0;\n");
    static const char *const first[FUZZ_POOLS] = {
        "mov.u32 %%r%d, 0", "mov.f32 %%f%d, 0f00000000", "mov.u16 %%h%d, 0",
        "mov.u64 %%q%d, 0", "setp.ne.u32 %%p%d, 0, 0"};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    for (int k = 0; k < FUZZ_POOLS; k++)
        for (int i = 0; i < MOST; i++)
            if (w->used[k][i]) {
                text_add(out, "    ");
                text_printf(out, first[k], i);
                text_add(out, ";\n");
            }
#pragma GCC diagnostic pop
}

static void print_declarations(const struct printer *w, const char *body,
                               struct text *out) {
    static const char *const types[FUZZ_POOLS] = {"b32", "f32", "b16", "b64",
                                                  "pred"};
    text_add(out, "    .reg .b32 %ta, %tb, %tc, %lid, %gid, %sown, %sx, %sb;\n"
                  "    .reg .b16 %th;\n"
                  "    .reg .b64 %tq, %tw, %pin, %pown, %pall, %pacc;\n"
                  "    .reg .f32 %tf;\n    .reg .pred %tp;\n");
    for (int k = 0; k < FUZZ_POOLS; k++) {
        int n = 0;
        for (int i = 0; i < MOST; i++)
            n = w->used[k][i] ? i + 1 : n;
        if (n)
            text_printf(out, "    .reg .%s %%%c<%d>;\n", types[k],
                        fuzz_pools[k], n);
    }
    if (w->counters)
        text_printf(out, "    .reg .b32 %%c<%d>, %%n<%d>;\n", w->counters + 1,
                    w->counters + 1);
    for (size_t k = 0; k < sizeof areas / sizeof *areas; k++)
        if (strstr(body, areas[k].by))
            text_printf(out, "    .shared .align 8 .b8 %s[%u];\n",
                        areas[k].name, area_bytes(w->p, (int)k));
    if (strstr(body, "[loc") || strstr(body, "loc;"))
        text_printf(out, "    .local .align 8 .b8 loc[%d];\n", FUZZ_LOCAL);
}

void fuzz_text(const struct fuzz_program *p, struct text *out) {
    struct text body = {0};
    struct printer w = {.p = p, .out = &body};
    print_list(&w, &p->list);
    const char *b = text_str(&body);
    text_add(out, ".version 7.7\n.target sm_80\n.address_size 64\n");
    if (strstr(b, "[ctab"))
        text_printf(out, ".const .align 4 .b32 ctab[%d] = {%s};\n", FUZZ_TABLE,
                    table_text);
    if (strstr(b, "[gtab"))
        text_printf(out, ".global .align 4 .b32 gtab[%d] = {%s};\n", FUZZ_TABLE,
                    table_text);
    text_add(out, ".visible .entry fuzz(.param .u64 in, .param .u64 own, "
                  ".param .u64 acc");
    for (int i = 0; i < FUZZ_PARAMS; i++)
        text_printf(out, ", .param .u32 p%d", i);
    text_add(out, ")\n{\n");
    print_declarations(&w, b, out);
    print_prologue(&w, b, out);
    text_add(out, b);
    if (strstr(b, "bra DONE"))
        text_add(out, "DONE:\n");
    text_add(out, "    ret;\n}\n");
    text_free(&body);
}

/* --- run description ------------------------------------------------------ */

static void print_words(const uint8_t *data, uint32_t bytes, struct text *out) {
    for (uint32_t i = 0; i < bytes; i += 4) {
        uint32_t v;
        memcpy(&v, data + i, 4);
        text_printf(out, "%s0x%" PRIx32,
                    !i            ? ""
                    : i % 32 == 0 ? ",\n      "
                                  : ", ",
                    v);
    }
}

void fuzz_description(const struct fuzz_program *p, const char *ptx,
                      uint8_t *const wanted[FUZZ_BUFFERS], struct text *out) {
    text_printf(out, "kernel: fuzz\nptx: %s\nsizes: {small: {n: %u}}\n", ptx,
                fuzz_threads(p));
    text_printf(out, "grid: [%u, %u, %u]\nblock: [%u, %u, %u]\nbuffers:\n",
                p->grid[0], p->grid[1], p->grid[2], p->block[0], p->block[1],
                p->block[2]);
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        uint32_t n = fuzz_bytes(p, (enum fuzz_buffer)b);
        const char *name = fuzz_buffer_names[b];
        if (wanted) {
            text_printf(out,
                        "  want_%s:\n    type: u32\n    count: %u\n"
                        "    fill: {values: [",
                        name, n / 4);
            print_words(wanted[b], n, out);
            text_add(out, "]}\n");
        }
        text_printf(out,
                    "  %s:\n    type: u32\n    count: %u\n"
                    "    fill: {values: [",
                    name, n / 4);
        print_words(p->data[b], n, out);
        text_add(out, "]}\n");
        if (wanted)
            text_printf(out, "    check: {expect: \"want_%s[i]\"}\n", name);
    }
    text_add(out, "arguments: [in, own, acc");
    for (int i = 0; i < FUZZ_PARAMS; i++)
        text_printf(out, ", 0x%" PRIx32, p->params[i]);
    text_add(out, "]\n");
}
