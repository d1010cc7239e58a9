/* nda_control.c - golden model of the state machine of a rank's accelerator.
 *
 * Written from docs/blocks/nda_control.md.  One machine: the note says that
 * both ends are the same, and so the outputs of both are this one's.  Nothing
 * is counted down; it keeps when the last commands were and asks the rules.
 */
#include "nda_control.h"

#include "base/bits.h"
#include "blocks/nda_control.h"
#include "dram/rules.h"
#include "frame/model.h"

#include <string.h>

enum { WINDOW = 4 };

/* What an operation reads, from x on, and what it writes; -1: nothing. */
static const struct operation {
    int reads, target;
} operations[8] = {{2, 2}, {3, 3},  {2, 1},  {1, 1},
                   {2, 2}, {2, -1}, {1, -1}, {1, 0}};

struct nda_control {
    struct golden base;
    struct nda_control_local l;
    struct dram_rule rules[DRAM_RULES];
    uint64_t now;
    uint64_t last[DRAM_SCOPES][DRAM_KINDS]; /* edge + 1; 0: none yet */
    uint64_t rows[WINDOW];                  /* of the rank, oldest first */
    uint64_t own_read;
    bool open, hosts; /* a row; the host opened it */
    uint64_t row;

    bool busy, drains;
    struct nda_control_in launch;
    uint64_t read;    /* bursts of the vector that are read of all operands */
    uint64_t in_part; /* of the batch, of this operand */
    int operand;
    uint64_t put, waits;
    struct nda_control_out out;
};

/* --- rules ---------------------------------------------------------------- */

static void note(struct nda_control *n, enum dram_kind kind, bool group,
                 bool bank) {
    n->last[DRAM_RANK][kind] = n->now + 1;
    if (group)
        n->last[DRAM_GROUP][kind] = n->now + 1;
    if (bank)
        n->last[DRAM_BANK][kind] = n->now + 1;
    if (kind == DRAM_ACT) {
        memmove(n->rows, n->rows + 1, sizeof n->rows - sizeof n->rows[0]);
        n->rows[WINDOW - 1] = n->now + 1;
    }
}

static bool passed(const struct nda_control *n, uint64_t since, int cycles) {
    return since == 0 || n->now + 1 - since >= (uint64_t)cycles;
}

static bool legal(const struct nda_control *n, enum dram_kind kind) {
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &n->rules[i];
        if (!(r->to >> kind & 1) || r->scope > DRAM_RANK)
            continue;
        for (int k = 0; k < DRAM_KINDS; k++)
            if (r->from >> k & 1 &&
                !passed(n, r->count > 1 ? n->rows[0] : n->last[r->scope][k],
                        r->cycles))
                return false;
    }
    if (kind != DRAM_WR && kind != DRAM_RD)
        return true;
    return passed(n, n->own_read, kind == DRAM_WR ? n->l.RESULT : n->l.PACE);
}

/* --- the host's commands -------------------------------------------------- */

static void host(struct nda_control *n, const struct nda_control_in *in) {
    enum dram_kind kind = (enum dram_kind)in->cmd_kind;
    bool group = in->cmd_group == (uint64_t)n->l.GROUPS - 1;
    bool bank = group && in->cmd_bank == (uint64_t)n->l.BANKS - 1;
    bool had = n->open;

    note(n, kind, group, bank);
    if (kind == DRAM_ACT && bank) {
        n->open = n->hosts = true;
        n->row = in->cmd_row;
    }
    if ((kind == DRAM_PRE && bank) || kind == DRAM_PREA || kind == DRAM_REF)
        n->open = false;
    hit_if(n, n->busy && had && !n->open, NDA_CONTROL_COV_row_lost);
    hit_if(n, n->busy && kind == DRAM_REF, NDA_CONTROL_COV_refreshed);
}

/* --- bursts --------------------------------------------------------------- */

static const struct operation *op_of(const struct nda_control *n) {
    return &operations[n->launch.launch_op];
}

static bool some(const struct nda_control *n) {
    return n->drains || n->read < n->launch.launch_length;
}

static uint64_t next_burst(const struct nda_control *n) {
    int operand = n->drains ? op_of(n)->target : n->operand;
    uint64_t base =
        bits_get(n->launch.launch_base, operand * n->l.SPOT_W, n->l.SPOT_W);
    return (base + (n->drains ? n->put : n->read + n->in_part)) &
           ones(n->l.SPOT_W);
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

static void show(struct nda_control *n, enum dram_kind kind, uint64_t row,
                 uint64_t column) {
    n->out.ndc_valid = 1;
    n->out.ndc_kind = kind;
    n->out.ndc_row = row;
    n->out.ndc_column = column;
}

static void give(struct nda_control *n, const struct nda_control_in *in) {
    uint64_t burst = next_burst(n), row = burst >> n->l.COL_W;
    bool column = n->open && n->row == row;
    enum dram_kind kind = column    ? n->drains ? DRAM_WR : DRAM_RD
                          : n->open ? DRAM_PRE
                                    : DRAM_ACT;
    bool may = legal(n, kind);

    hit_if(n, in->cmd_valid & 1, NDA_CONTROL_COV_yields);
    hit_if(n, in->held_all & 1, NDA_CONTROL_COV_all_held);
    if ((in->cmd_valid | in->held_all) & 1)
        return;
    hit_if(n, !may, NDA_CONTROL_COV_waits);
    hit_if(n, may && kind == DRAM_WR && in->held_writes & 1,
           NDA_CONTROL_COV_writes_held);
    if (!may || (kind == DRAM_WR && in->held_writes & 1))
        return;
    hit_if(n, column && n->hosts, NDA_CONTROL_COV_row_found);
    note(n, kind, true, true);
    show(n, kind, kind == DRAM_PRE ? 0 : row,
         column ? burst & ones(n->l.COL_W) : 0);
    switch ((int)kind) {
    case DRAM_ACT:
        hit_if(n, true, NDA_CONTROL_COV_opens);
        n->open = true;
        n->hosts = false;
        n->row = row;
        break;
    case DRAM_PRE:
        hit_if(n, true, NDA_CONTROL_COV_closes);
        n->open = false;
        break;
    case DRAM_RD:
        hit_if(n, true, NDA_CONTROL_COV_reads);
        has_read(n);
        break;
    default:
        hit_if(n, true, NDA_CONTROL_COV_writes);
        has_written(n);
    }
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    struct nda_control *n = (struct nda_control *)g;

    n->l = nda_control_local(c);
    dram_rules(c, n->rules);
}

static void reset(struct golden *g) {
    struct nda_control *n = (struct nda_control *)g;

    memset(n->last, 0, sizeof n->last);
    memset(n->rows, 0, sizeof n->rows);
    memset(&n->out, 0, sizeof n->out);
    n->own_read = n->waits = 0;
    n->open = n->hosts = n->busy = n->drains = false;
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

    memset(&n->out, 0, sizeof n->out);
    if (was_busy && !ends)
        give(n, in);
    if (in->cmd_valid & 1)
        host(n, in);
    if (ends)
        ended(n);
    if (!was_busy && in->launch_valid & 1) {
        n->launch = *in;
        n->busy = true;
        n->drains = false;
        n->read = n->in_part = n->put = 0;
        n->operand = 0;
    }
    n->out.launch_ready = !n->busy;
    n->out.seen_valid = n->out.ndc_valid;
    n->out.seen_kind = n->out.ndc_kind;
    n->out.seen_row = n->out.ndc_row;
    n->out.seen_column = n->out.ndc_column;
    n->out.state_busy = n->busy;
    n->out.state_drains = n->drains;
    n->out.state_waits = n->waits;
    n->out.state_done = ends;
    n->now++;
}

const struct golden_class nda_control_golden = {
    .iface = &nda_control_iface,
    MODEL_STRUCT(struct nda_control),
    .open = open,
    .reset = reset,
    .edge = edge,
};
