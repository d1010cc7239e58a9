/* machine.c - an accelerator's end beside the memory. */
#include "machine.h"

#include <string.h>

void machine_init(struct machine *m, const struct dram_rule *rules,
                  const struct config *c) {
    *m = (struct machine){.rules = rules,
                          .group = c->dram_groups - 1,
                          .last_bank = c->dram_banks - 1};
}

/* Number of its bank; -1: another one. */
static int bank_of(const struct machine *m, int group, int bank) {
    int i = m->last_bank - bank;
    return group == m->group && i < MACHINE_BANKS ? i : -1;
}

static int bank_at(const struct machine *m, const struct dram_place *p) {
    return bank_of(m, p->part[DRAM_GROUP_BITS], p->part[DRAM_BANK_BITS]);
}

bool machine_owns(const struct machine *m, const struct dram_place *p) {
    return bank_at(m, p) >= 0;
}

/* A command of the rank; group: it is for its bank group; i: for its bank. */
static void note(struct machine *m, uint64_t now, enum dram_kind kind,
                 bool group, int i, int row) {
    m->last[DRAM_RANK][kind] = now + 1;
    if (group)
        m->last[DRAM_GROUP][kind] = now + 1;
    if (i >= 0)
        m->bank[i].last[kind] = now + 1;
    if (kind == DRAM_ACT) {
        memmove(m->acts, m->acts + 1, sizeof m->acts - sizeof m->acts[0]);
        m->acts[MACHINE_WINDOW - 1] = now + 1;
    }
    if (kind == DRAM_ACT && i >= 0) {
        m->bank[i].open = true;
        m->bank[i].row = row;
    }
    for (int k = 0; k < MACHINE_BANKS; k++)
        if ((kind == DRAM_PRE && k == i) || dram_kind_of_rank(kind))
            m->bank[k].open = false;
}

/* The host's part of the rules is its own: bank, group and rank bind both. */
static bool legal(const struct machine *m, uint64_t now, enum dram_kind kind,
                  int bank) {
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &m->rules[i];
        if (!(r->to >> kind & 1) || r->scope > DRAM_RANK)
            continue;
        const uint64_t *last =
            r->scope == DRAM_BANK ? m->bank[bank].last : m->last[r->scope];
        for (int k = 0; k < DRAM_KINDS; k++) {
            uint64_t since = r->count > 1 ? m->acts[0] : last[k];
            uint64_t passed = now + 1 - since;
            if (r->from >> k & 1 && since && r->cycles > 0 &&
                passed < (uint64_t)r->cycles)
                return false;
        }
    }
    return true;
}

/* What brings the row of a place to its burst, and may be now. */
static bool decide(const struct machine *m, uint64_t now,
                   const struct machine_in *in, const struct dram_place *p,
                   enum dram_kind column, bool may, enum dram_kind *kind) {
    int i = bank_at(m, p);
    const struct machine_bank *b = &m->bank[i];
    *kind = !b->open                      ? DRAM_ACT
            : b->row != p->part[DRAM_ROW] ? DRAM_PRE
                                          : column;
    return legal(m, now, *kind, i) &&
           (*kind == column ? may : !(in->rows_held >> i & 1));
}

static bool choose(const struct machine *m, uint64_t now,
                   const struct machine_in *in, const struct near_burst *b,
                   enum dram_kind *kind, const struct dram_place **place) {
    enum dram_kind column = b->write ? DRAM_WR : DRAM_RD;
    bool held = b->write ? in->writes_held : in->reads_held;
    *place = &b->place;
    if (decide(m, now, in, &b->place, column, b->enabled && !held, kind))
        return true;
    *place = &b->then;
    return b->ahead && bank_at(m, &b->then) != bank_at(m, &b->place) &&
           decide(m, now, in, &b->then, DRAM_RD, false, kind);
}

bool machine_edge(struct machine *m, uint64_t now, const struct machine_in *in,
                  const struct near_burst *b, enum dram_kind *kind,
                  const struct dram_place **place) {
    bool issues = b && !m->rests && !in->host && !in->held &&
                  choose(m, now, in, b, kind, place);
    if (issues)
        note(m, now, *kind, true, bank_at(m, *place), (*place)->part[DRAM_ROW]);
    if (in->host) {
        bool group = in->group == m->group && !dram_kind_of_rank(in->kind);
        note(m, now, in->kind, group,
             group ? bank_of(m, in->group, in->bank) : -1, in->row);
    }
    m->rests = issues && (*kind == DRAM_RD || *kind == DRAM_WR);
    return issues;
}
