/* machine.c - the commands of an accelerator that decides for itself. */
#include "machine.h"

#include <string.h>

void machine_init(struct machine *m, const struct dram_rule *rules,
                  const struct config *c) {
    *m = (struct machine){
        .rules = rules, .group = c->dram_groups - 1, .bank = c->dram_banks - 1};
}

bool machine_owns(const struct machine *m, const struct near_burst *b) {
    return b->place.part[DRAM_GROUP_BITS] == m->group &&
           b->place.part[DRAM_BANK_BITS] == m->bank;
}

/* A command of the rank; group, bank: it is for the machine's. */
static void note(struct machine *m, uint64_t now, enum dram_kind kind,
                 bool group, bool bank, int row) {
    m->last[DRAM_RANK][kind] = now + 1;
    if (group)
        m->last[DRAM_GROUP][kind] = now + 1;
    if (bank)
        m->last[DRAM_BANK][kind] = now + 1;
    if (kind == DRAM_ACT) {
        memmove(m->acts, m->acts + 1, sizeof m->acts - sizeof m->acts[0]);
        m->acts[MACHINE_WINDOW - 1] = now + 1;
    }
    if (kind == DRAM_ACT && bank) {
        m->open = true;
        m->row = row;
    }
    if ((kind == DRAM_PRE && bank) || dram_kind_of_rank(kind))
        m->open = false;
}

/* The host's part of the rules is its own: bank, group and rank bind both. */
static bool legal(const struct machine *m, uint64_t now, enum dram_kind kind) {
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &m->rules[i];
        if (!(r->to >> kind & 1) || r->scope > DRAM_RANK)
            continue;
        for (int k = 0; k < DRAM_KINDS; k++) {
            uint64_t since = r->count > 1 ? m->acts[0] : m->last[r->scope][k];
            uint64_t passed = now + 1 - since;
            if (r->from >> k & 1 && since && r->cycles > 0 &&
                passed < (uint64_t)r->cycles)
                return false;
        }
    }
    return true;
}

static bool decide(const struct machine *m, uint64_t now,
                   const struct machine_in *in, const struct near_burst *b,
                   enum dram_kind *kind) {
    int row = b->place.part[DRAM_ROW];
    if (in->host || in->held)
        return false;
    *kind = !m->open        ? DRAM_ACT
            : m->row != row ? DRAM_PRE
            : b->write      ? DRAM_WR
                            : DRAM_RD;
    return !(*kind == DRAM_WR && in->writes_held) && legal(m, now, *kind);
}

bool machine_edge(struct machine *m, uint64_t now, const struct machine_in *in,
                  const struct near_burst *b, enum dram_kind *kind) {
    bool gives = b && decide(m, now, in, b, kind);
    if (gives)
        note(m, now, *kind, true, true, b->place.part[DRAM_ROW]);
    if (in->host) {
        bool group = in->group == m->group && !dram_kind_of_rank(in->kind);
        note(m, now, in->kind, group, group && in->bank == m->bank, in->row);
    }
    return gives;
}
