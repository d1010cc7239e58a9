/* nda_control.c - golden model of the state machine of a rank's accelerator.
 *
 * Written from docs/blocks/nda_control.md.  One machine: the note says that
 * both ends take the same steps, and so the outputs of the end near memory are
 * this one's, DELAY edges later.  Nothing is counted down; it keeps when the
 * last commands were and asks the rules.
 */
#include "nda_control.h"

#include "base/bits.h"
#include "blocks/nda_control.h"
#include "dram/rules.h"
#include "frame/model.h"

#include <string.h>

enum { WINDOW = 4, MAX_BANKS = 2, MAX_DELAY = 15 };

/* What an operation reads, from x on, and what it writes; -1: nothing. */
static const struct operation {
    int reads, target;
} operations[8] = {{2, 2}, {3, 3},  {2, 1},  {1, 1},
                   {2, 2}, {2, -1}, {1, -1}, {1, 0}};

/* A bank of the accelerator. */
struct bank {
    uint64_t last[DRAM_KINDS]; /* edge + 1; 0: none yet */
    bool open, hosts;          /* a row; the host opened it */
    uint64_t row;
};

/* A burst of its banks. */
struct spot {
    int bank;
    uint64_t row, column;
};

/* What the end near memory shows. */
struct shown {
    bool valid, done;
    enum dram_kind kind;
    uint64_t bank, row, column;
};

struct nda_control {
    struct golden base;
    struct nda_control_local l;
    struct dram_rule rules[DRAM_RULES];
    uint64_t now;
    uint64_t last[DRAM_SCOPES][DRAM_KINDS]; /* of bank group and rank */
    uint64_t rows[WINDOW];                  /* of the rank, oldest first */
    uint64_t own_read;
    struct bank bank[MAX_BANKS];

    bool busy, drains;
    bool fresh; /* the next burst is new since the edge before */
    struct nda_control_in launch;
    uint64_t read;    /* bursts of the vector that are read of all operands */
    uint64_t in_part; /* of the batch, of this operand */
    int operand;
    uint64_t put, waits;
    struct shown line[MAX_DELAY + 1]; /* by edge, a ring */
    struct nda_control_out out;
};

/* --- rules ---------------------------------------------------------------- */

static void note(struct nda_control *n, enum dram_kind kind, bool group,
                 struct bank *bank) {
    n->last[DRAM_RANK][kind] = n->now + 1;
    if (group)
        n->last[DRAM_GROUP][kind] = n->now + 1;
    if (bank)
        bank->last[kind] = n->now + 1;
    if (kind == DRAM_ACT) {
        memmove(n->rows, n->rows + 1, sizeof n->rows - sizeof n->rows[0]);
        n->rows[WINDOW - 1] = n->now + 1;
    }
}

static bool passed(const struct nda_control *n, uint64_t since, int cycles) {
    return since == 0 || n->now + 1 - since >= (uint64_t)cycles;
}

static bool legal(const struct nda_control *n, enum dram_kind kind,
                  const struct bank *bank) {
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &n->rules[i];
        if (!(r->to >> kind & 1) || r->scope > DRAM_RANK)
            continue;
        const uint64_t *last =
            r->scope == DRAM_BANK ? bank->last : n->last[r->scope];
        for (int k = 0; k < DRAM_KINDS; k++)
            if (r->from >> k & 1 &&
                !passed(n, r->count > 1 ? n->rows[0] : last[k], r->cycles))
                return false;
    }
    return true;
}

/* The element has had its time since the last read. */
static bool computed(const struct nda_control *n, enum dram_kind kind) {
    return passed(n, n->own_read, kind == DRAM_WR ? n->l.RESULT : n->l.PACE);
}

/* --- the host's commands -------------------------------------------------- */

/* Number of a bank of the rank among the accelerator's; -1: the host's. */
static int own_bank(const struct nda_control *n, uint64_t group,
                    uint64_t bank) {
    int i = (int)bank - (n->l.BANKS - n->l.OWN_BANKS);
    return group == (uint64_t)n->l.GROUPS - 1 ? i : -1;
}

static void host(struct nda_control *n, const struct nda_control_in *in) {
    enum dram_kind kind = (enum dram_kind)in->cmd_kind;
    bool group = in->cmd_group == (uint64_t)n->l.GROUPS - 1;
    int i = own_bank(n, in->cmd_group, in->cmd_bank);
    struct bank *bank = i >= 0 ? &n->bank[i] : NULL;

    note(n, kind, group, bank);
    if (kind == DRAM_ACT && bank) {
        bank->open = bank->hosts = true;
        bank->row = in->cmd_row;
    }
    for (int k = 0; k < n->l.OWN_BANKS; k++)
        if ((kind == DRAM_PRE && k == i) || kind == DRAM_PREA ||
            kind == DRAM_REF) {
            hit_if(n, n->busy && n->bank[k].open, NDA_CONTROL_COV_row_lost);
            n->bank[k].open = false;
        }
    hit_if(n, n->busy && kind == DRAM_REF, NDA_CONTROL_COV_refreshed);
}

/* --- bursts --------------------------------------------------------------- */

static const struct operation *op_of(const struct nda_control *n) {
    return &operations[n->launch.launch_op];
}

static bool some(const struct nda_control *n) {
    return n->drains || n->read < n->launch.launch_length;
}

/* Burst i of an operand. */
static struct spot spot_of(const struct nda_control *n, int operand,
                           uint64_t i) {
    int row_at = n->l.COL_W, bank_at = row_at + n->l.ROW_W;
    uint64_t base =
        bits_get(n->launch.launch_base, operand * n->l.SPOT_W, n->l.SPOT_W);
    uint64_t at = (base + i) & ones(n->l.SPOT_W);
    return (struct spot){.bank = (int)(at >> bank_at),
                         .row = at >> row_at & ones(n->l.ROW_W),
                         .column = at & ones(n->l.COL_W)};
}

static struct spot next_burst(const struct nda_control *n) {
    return n->drains ? spot_of(n, op_of(n)->target, n->put)
                     : spot_of(n, n->operand, n->read + n->in_part);
}

/* Where it goes on after the operand's part of the batch, or the drain; false:
 * nowhere. */
static bool burst_ahead(const struct nda_control *n, struct spot *s) {
    const struct operation *op = op_of(n);
    uint64_t behind = n->read + (uint64_t)n->l.BATCH;
    bool more = n->read < n->launch.launch_length;

    if (n->drains)
        *s = spot_of(n, n->operand, n->read + n->in_part);
    else if (n->operand < op->reads - 1)
        *s = spot_of(n, n->operand + 1, n->read);
    else if (op->target >= 0)
        *s = spot_of(n, op->target, n->put);
    else
        *s = spot_of(n, 0, behind);
    if (!n->drains && n->operand == op->reads - 1 && op->target < 0)
        more = behind < n->launch.launch_length;
    return n->l.OWN_BANKS > 1 && more;
}

static void has_read(struct nda_control *n) {
    const struct operation *op = op_of(n);
    uint64_t rest = n->launch.launch_length - n->read;
    uint64_t part = rest < (uint64_t)n->l.BATCH ? rest : (uint64_t)n->l.BATCH;
    bool gives = n->operand == op->reads - 1 && op->target >= 0;

    n->own_read = n->now + 1;
    if (++n->in_part == part) {
        n->in_part = 0;
        if (++n->operand == op->reads) {
            n->operand = 0;
            n->read += part;
            hit_if(n, some(n), NDA_CONTROL_COV_batches);
        }
    }
    if (!gives)
        return;
    n->waits++;
    n->drains = n->waits == (uint64_t)n->l.BUFFER || !some(n);
    hit_if(n, n->waits == (uint64_t)n->l.BUFFER, NDA_CONTROL_COV_full);
}

static void has_written(struct nda_control *n) {
    n->put++;
    n->drains = --n->waits > 0;
}

/* --- the command ---------------------------------------------------------- */

static bool is_row(enum dram_kind kind) {
    return kind == DRAM_ACT || kind == DRAM_PRE;
}

/* What brings a row to its burst: the column command, or one for the row. */
static enum dram_kind kind_for(const struct nda_control *n,
                               const struct spot *s, enum dram_kind column) {
    const struct bank *b = &n->bank[s->bank];
    return !b->open ? DRAM_ACT : b->row != s->row ? DRAM_PRE : column;
}

static bool row_held(const struct nda_control *n,
                     const struct nda_control_in *in, int bank) {
    return in->held_rows >> (n->l.OWN_BANKS - 1 - bank) & 1;
}

static void column_done(struct nda_control *n, enum dram_kind kind) {
    n->fresh = true;
    if (kind == DRAM_RD) {
        hit_if(n, true, NDA_CONTROL_COV_reads);
        has_read(n);
    } else {
        hit_if(n, true, NDA_CONTROL_COV_writes);
        has_written(n);
    }
}

static void issue(struct nda_control *n, enum dram_kind kind,
                  const struct spot *s, struct shown *shown) {
    struct bank *b = &n->bank[s->bank];

    note(n, kind, true, b);
    hit_if(n, !is_row(kind) && b->hosts, NDA_CONTROL_COV_row_found);
    hit_if(n, kind == DRAM_ACT, NDA_CONTROL_COV_opens);
    hit_if(n, kind == DRAM_PRE, NDA_CONTROL_COV_closes);
    shown->valid = true;
    shown->kind = kind;
    shown->bank = (uint64_t)(n->l.BANKS - n->l.OWN_BANKS + s->bank);
    shown->row = kind == DRAM_PRE ? 0 : s->row;
    shown->column = is_row(kind) ? 0 : s->column;
    if (kind == DRAM_ACT) {
        b->open = true;
        b->hosts = false;
        b->row = s->row;
    } else if (kind == DRAM_PRE) {
        b->open = false;
    }
    if (!is_row(kind))
        column_done(n, kind);
}

/* The command for the next burst; false: none on this edge. */
static bool issue_next(struct nda_control *n, const struct nda_control_in *in,
                       struct shown *shown) {
    struct spot s = next_burst(n);
    enum dram_kind kind = kind_for(n, &s, n->drains ? DRAM_WR : DRAM_RD);
    bool may =
        legal(n, kind, &n->bank[s.bank]) && (is_row(kind) || computed(n, kind));
    bool reads = kind == DRAM_RD && in->held_reads & 1;
    bool writes = kind == DRAM_WR && in->held_writes & 1;
    bool rows = is_row(kind) && row_held(n, in, s.bank);

    hit_if(n, !may, NDA_CONTROL_COV_waits);
    hit_if(n, may && reads, NDA_CONTROL_COV_reads_held);
    hit_if(n, may && writes, NDA_CONTROL_COV_writes_held);
    hit_if(n, may && rows, NDA_CONTROL_COV_rows_held);
    if (!may || reads || writes || rows)
        return false;
    issue(n, kind, &s, shown);
    return true;
}

/* One for the row that is needed after it, in the other bank. */
static void issue_ahead(struct nda_control *n, const struct nda_control_in *in,
                        struct shown *shown) {
    struct spot next = next_burst(n), s;
    if (!burst_ahead(n, &s) || s.bank == next.bank)
        return;
    enum dram_kind kind = kind_for(n, &s, DRAM_RD);
    if (!is_row(kind) || row_held(n, in, s.bank) ||
        !legal(n, kind, &n->bank[s.bank]))
        return;
    hit_if(n, true, NDA_CONTROL_COV_ahead);
    issue(n, kind, &s, shown);
}

static void decide(struct nda_control *n, const struct nda_control_in *in,
                   struct shown *shown) {
    bool fresh = n->fresh;

    n->fresh = false;
    if (fresh)
        return;
    hit_if(n, in->cmd_valid & 1, NDA_CONTROL_COV_yields);
    hit_if(n, in->held_all & 1, NDA_CONTROL_COV_all_held);
    if ((in->cmd_valid | in->held_all) & 1)
        return;
    if (!issue_next(n, in, shown))
        issue_ahead(n, in, shown);
}

/* --- what is shown -------------------------------------------------------- */

/* For the channel, which decides on the next edge what this end does on the one
 * after that. */
static void show_next(struct nda_control *n) {
    struct nda_control_out *o = &n->out;
    uint64_t group = (uint64_t)n->l.GROUPS - 1;
    int first = n->l.BANKS - n->l.OWN_BANKS;
    struct spot s, then;

    if (!n->busy || !some(n))
        return;
    s = next_burst(n);
    o->next_valid = 1;
    o->next_write = n->drains;
    n->now += 2;
    o->next_enabled = computed(n, n->drains ? DRAM_WR : DRAM_RD);
    n->now -= 2;
    o->next_group = group;
    o->next_bank = (uint64_t)(first + s.bank);
    o->next_row = s.row;
    o->next_column = s.column;
    if (!burst_ahead(n, &then))
        return;
    o->next_ahead = 1;
    o->next_ahead_group = group;
    o->next_ahead_bank = (uint64_t)(first + then.bank);
    o->next_ahead_row = then.row;
}

static void show(struct nda_control *n, const struct shown *host) {
    struct nda_control_out *o = &n->out;
    const struct shown *near;

    o->seen_valid = host->valid;
    o->seen_kind = host->valid ? host->kind : 0;
    o->seen_bank = host->bank;
    o->seen_row = host->row;
    o->seen_column = host->column;
    n->line[n->now % (MAX_DELAY + 1)] = *host;
    near = &n->line[(n->now - (uint64_t)n->l.DELAY) % (MAX_DELAY + 1)];
    o->ndc_valid = near->valid;
    o->ndc_kind = near->valid ? near->kind : 0;
    o->ndc_bank = near->bank;
    o->ndc_row = near->row;
    o->ndc_column = near->column;
    o->launch_ready = !n->busy;
    o->state_busy = n->busy;
    o->state_drains = n->drains;
    o->state_waits = n->waits;
    o->state_done = near->done;
    show_next(n);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    struct nda_control *n = (struct nda_control *)g;

    n->l = nda_control_local(c);
    dram_rules(c, n->rules);
}

static void reset(struct golden *g) {
    struct nda_control *n = (struct nda_control *)g;

    n->now = 0;
    memset(n->last, 0, sizeof n->last);
    memset(n->rows, 0, sizeof n->rows);
    memset(n->bank, 0, sizeof n->bank);
    memset(n->line, 0, sizeof n->line);
    memset(&n->out, 0, sizeof n->out);
    n->own_read = n->waits = 0;
    n->busy = n->drains = n->fresh = false;
    n->out.launch_ready = 1;
}

static void ended(struct nda_control *n) {
    n->busy = false;
    hit_if(n, n->launch.launch_length == 0, NDA_CONTROL_COV_nothing);
    hit_if(n, n->read > 0 && op_of(n)->target < 0, NDA_CONTROL_COV_sums);
    hit_if(n, n->read > 0 && op_of(n)->reads == 3, NDA_CONTROL_COV_three);
}

static void edge(struct golden *g, const void *ports) {
    struct nda_control *n = (struct nda_control *)g;
    const struct nda_control_in *in = ports;
    bool was_busy = n->busy, ends = was_busy && !some(n);
    struct shown shown = {.done = ends};

    memset(&n->out, 0, sizeof n->out);
    if (was_busy && !ends)
        decide(n, in, &shown);
    if (in->cmd_valid & 1)
        host(n, in);
    if (ends)
        ended(n);
    if (!was_busy && in->launch_valid & 1) {
        n->launch = *in;
        n->busy = n->fresh = true;
        n->drains = false;
        n->read = n->in_part = n->put = 0;
        n->operand = 0;
    }
    show(n, &shown);
    n->now++;
}

const struct golden_class nda_control_golden = {
    .iface = &nda_control_iface,
    MODEL_STRUCT(struct nda_control),
    .open = open,
    .reset = reset,
    .edge = edge,
};
