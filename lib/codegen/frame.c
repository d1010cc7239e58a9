/* frame.c - local memory of a thread: where it is, and values that go there for
 * want of registers.
 *
 * A value that is a number, a parameter or a special register is not stored but
 * made anew before each reader.  A predicate goes to a register of its own,
 * which may then be spilled like any other.
 */
#include "codegen.h"
#include "passes.h"

#include <stdlib.h>

struct spiller {
    struct mc_code *m;
    struct mc_code out; /* its list only */
    const bool *spill;
    int *slot;             /* of a register, by value; -1 not yet */
    mc_value *home;        /* register of a predicate */
    struct mc_insn *again; /* instruction that makes it; op 0: none */
};

static struct mc_insn plain(int op, int line) {
    return (struct mc_insn){.op = (uint8_t)op,
                            .guard = MC_NONE,
                            .d = MC_NONE,
                            .a = MC_NONE,
                            .b = MC_NONE,
                            .c = MC_NONE,
                            .target = -1,
                            .line = line};
}

static mc_value new_kept(struct mc_code *m, enum mc_kind kind) {
    mc_value v = mc_new(m, kind);
    m->values.v[v].keep = true;
    return v;
}

/* frame = slot * bytes + address, behind the move of the thread index. */
void mc_add_frame(struct mc_code *m) {
    struct mc_insn add[4];
    int line = m->list.v[0].line;
    for (int i = 0; i < 4; i++)
        add[i] = plain(i == 0 ? ISA_s2r : i == 3 ? ISA_mad : ISA_ldp, line);
    for (int i = 0; i < 3; i++) {
        add[i].d = new_kept(m, MC_REGISTER);
        add[i].imm = true;
    }
    add[0].value = ISA_SPECIAL_slot;
    add[1].value = ISA_WORD_LOCAL_BYTES;
    add[2].value = ISA_WORD_LOCAL;
    add[3].d = m->frame;
    add[3].a = add[0].d;
    add[3].b = add[1].d;
    add[3].c = add[2].d;
    for (int i = 0; i < 4; i++)
        array_push(&m->list);
    for (int k = m->list.n - 1; k > 4; k--)
        m->list.v[k] = m->list.v[k - 4];
    for (int i = 0; i < 4; i++)
        m->list.v[1 + i] = add[i];
}

static void put(struct spiller *s, struct mc_insn i) {
    *array_push(&s->out.list) = i;
}

static bool is_predicate(const struct spiller *s, mc_value v) {
    return s->m->values.v[v].kind == MC_PREDICATE;
}

static uint32_t slot_of(struct spiller *s, mc_value v) {
    if (s->slot[v] < 0) {
        s->slot[v] = s->m->local;
        s->m->local += 4;
        s->m->spilled++;
    }
    return (uint32_t)s->slot[v];
}

/* v into a new value, before the instruction that reads it. */
static mc_value fetch(struct spiller *s, mc_value v, int line) {
    mc_value t = new_kept(s->m, s->m->values.v[v].kind);
    struct mc_insn i;
    if (s->again[v].op) {
        i = s->again[v];
        i.line = line;
    } else if (is_predicate(s, v)) {
        i = plain(ISA_setne, line);
        i.a = s->home[v];
        i.imm = true;
    } else {
        i = plain(ISA_ldg_b32, line);
        i.a = s->m->frame;
        i.imm = true;
        i.value = slot_of(s, v);
    }
    i.d = t;
    put(s, i);
    return t;
}

/* t, which instruction i has written, to where v lives. */
static void keep(struct spiller *s, const struct mc_insn *i, mc_value v,
                 mc_value t) {
    struct mc_insn st;
    if (is_predicate(s, v)) {
        struct mc_insn one = plain(ISA_movi, i->line);
        one.d = new_kept(s->m, MC_REGISTER);
        one.value = 1;
        put(s, one);
        st = plain(ISA_sel, i->line);
        st.d = s->home[v];
        st.a = one.d;
        st.imm = true;
        st.c = t;
    } else {
        st = plain(ISA_stg_b32, i->line);
        st.a = s->m->frame;
        st.imm = true;
        st.value = slot_of(s, v);
        st.c = t;
    }
    st.guard = i->guard;
    st.unless = i->unless;
    put(s, st);
}

static void rewrite(struct spiller *s, struct mc_insn i) {
    mc_value *fields[MC_MAX_USES], from[MC_MAX_USES], to[MC_MAX_USES];
    mc_value d = mc_def(&i);
    int n = mc_use_fields(&i, fields), known = 0;
    bool asks = mc_only_asks(&i);
    if (d != MC_NONE && s->spill[d] && s->again[d].op && !asks)
        return; /* made anew wherever it is read */
    for (int u = 0; u < n; u++) {
        mc_value v = *fields[u];
        if (!s->spill[v])
            continue;
        int k = 0;
        while (k < known && from[k] != v)
            k++;
        if (k == known) {
            from[known] = v;
            to[known++] = fetch(s, v, i.line);
        }
        *fields[u] = to[k];
    }
    if (asks)
        i.d = i.a; /* no other value than where it lives */
    if (d == MC_NONE || !s->spill[d] || asks) {
        put(s, i);
        return;
    }
    i.d = new_kept(s->m, s->m->values.v[d].kind);
    i.whole = true; /* the old value stays where it lives */
    put(s, i);
    keep(s, &i, d, i.d);
}

static bool is_cheap(const struct mc_insn *i) {
    return i->guard == MC_NONE &&
           (i->op == ISA_movi || i->op == ISA_ldp ||
            (i->op == ISA_s2r && i->value != ISA_SPECIAL_clock));
}

static void look(struct spiller *s, int n) {
    int *defs = xcalloc((size_t)n, sizeof *defs);
    bool need_frame = false;
    for (int k = 0; k < s->m->list.n; k++) {
        const struct mc_insn *i = &s->m->list.v[k];
        mc_value d = mc_def(i);
        if (d == MC_NONE || !s->spill[d] || mc_only_asks(i))
            continue;
        s->again[d] = defs[d]++ == 0 && is_cheap(i) ? *i : plain(MC_LABEL, 0);
    }
    for (int v = 0; v < n; v++) {
        s->slot[v] = -1;
        if (!s->spill[v])
            continue;
        if (is_predicate(s, v))
            s->home[v] = mc_new(s->m, MC_REGISTER);
        else
            need_frame |= !s->again[v].op;
    }
    if (need_frame && s->m->frame == MC_NONE) {
        s->m->frame = new_kept(s->m, MC_REGISTER);
        mc_add_frame(s->m);
    }
    free(defs);
}

void mc_spill(struct mc_code *m, const bool *spill) {
    int n = m->values.n;
    struct spiller s = {.m = m, .spill = spill};
    s.slot = xcalloc((size_t)n, sizeof *s.slot);
    s.home = xcalloc((size_t)n, sizeof *s.home);
    s.again = xcalloc((size_t)n, sizeof *s.again);
    look(&s, n);
    /* values made meanwhile are behind n and never spilled here */
    bool *all = xcalloc((size_t)m->values.n + (size_t)m->list.n * 8 + 8, 1);
    for (int v = 0; v < n; v++)
        all[v] = spill[v];
    s.spill = all;
    for (int k = 0; k < m->list.n; k++)
        rewrite(&s, m->list.v[k]);
    array_free(&m->list);
    m->list.v = s.out.list.v;
    m->list.n = s.out.list.n;
    m->list.cap = s.out.list.cap;
    free(all);
    free(s.slot);
    free(s.home);
    free(s.again);
}
