/* bank.c - golden model of a DRAM bank with several open rows.
 *
 * Written from docs/blocks/bank.md.  Of the timing rules it keeps, for each row
 * buffer and kind of command, the first edge on which they allow one; a command
 * moves those of the rules that name it.
 */
#include "bank.h"

#include "base/bits.h"
#include "blocks/bank.h"
#include "dram/rules.h"
#include "frame/model.h"

#include <string.h>

enum { MAX_ENTRIES = 32, MAX_OPEN = 4, MAX_WINDOW = 8 };

struct request {
    bool write;
    uint32_t id, row, column;
};

struct command {
    bool valid;
    enum dram_kind kind;
    int buffer;
    int position; /* of its request; -1: none */
};

struct bank {
    struct golden base;
    struct bank_local l;
    struct dram_rule rules[DRAM_RULES];
    int refi;

    uint64_t now; /* edges since reset */
    struct request queue[MAX_ENTRIES];
    int n, passed;
    bool open[MAX_OPEN];
    uint32_t row[MAX_OPEN];
    /* first edges on which a command is allowed; what goes to the whole bank
     * looks at all row buffers */
    uint64_t from[MAX_OPEN][DRAM_KINDS];
    uint64_t opened[MAX_WINDOW]; /* edges of the last ACTs, the latest first */
    int acts;                    /* how many of these there are */
    bool due;
    int until_due;
    enum dram_kind burst; /* the last one's */
    struct bank_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct bank *n = (struct bank *)g;

    n->l = bank_local(c);
    n->refi = c->timing_refi;
    dram_rules(c, n->rules);
}

static void reset(struct golden *g) {
    struct bank *n = (struct bank *)g;

    n->now = 0;
    n->n = n->passed = n->acts = 0;
    memset(n->open, 0, sizeof n->open);
    memset(n->from, 0, sizeof n->from);
    n->due = false;
    n->until_due = n->refi - 1;
    n->burst = DRAM_RD;
    n->out.req_ready = 1;
}

/* --- timing --------------------------------------------------------------- */

static bool in_bank(const struct dram_rule *r) {
    return r->scope == DRAM_BANK || r->scope == DRAM_GROUP ||
           r->scope == DRAM_RANK;
}

static bool is_legal(const struct bank *n, enum dram_kind kind, int buffer) {
    bool whole = dram_kind_of_rank(kind);

    for (int b = 0; b < n->l.OPEN; b++)
        if ((whole || b == buffer) && n->now < n->from[b][kind])
            return false;
    for (int i = 0; i < DRAM_RULES && kind == DRAM_ACT; i++) {
        const struct dram_rule *r = &n->rules[i];
        if (r->count > 1 && n->acts >= r->count &&
            n->now < n->opened[r->count - 1] + (uint64_t)r->cycles)
            return false;
    }
    return true;
}

/* What the command holds back from now on. */
static void hold_back(struct bank *n, const struct command *c) {
    bool whole = dram_kind_of_rank(c->kind);

    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &n->rules[i];
        if (!in_bank(r) || r->count > 1 || !(r->from >> c->kind & 1) ||
            r->cycles < 1)
            continue;
        uint64_t end = n->now + (uint64_t)r->cycles;
        for (int b = 0; b < n->l.OPEN; b++)
            for (int to = 0; to < DRAM_KINDS; to++)
                if (r->to >> to & 1 &&
                    (whole || r->scope != DRAM_BANK || b == c->buffer) &&
                    n->from[b][to] < end)
                    n->from[b][to] = end;
    }
    if (c->kind == DRAM_ACT) {
        memmove(n->opened + 1, n->opened, sizeof n->opened - sizeof *n->opened);
        n->opened[0] = n->now;
        n->acts += n->acts < MAX_WINDOW;
    }
}

/* --- the queue ------------------------------------------------------------ */

static int buffer_of(const struct bank *n, uint32_t row) {
    return (int)(row % (uint32_t)n->l.OPEN);
}

static bool hits(const struct bank *n, const struct request *q) {
    int b = buffer_of(n, q->row);

    return n->open[b] && n->row[b] == q->row;
}

static bool waits(const struct bank *n, int i) {
    for (int older = 0; older < i; older++)
        if (n->queue[older].row == n->queue[i].row &&
            n->queue[older].column == n->queue[i].column)
            return true;
    return false;
}

static void leave(struct bank *n, int i) {
    n->n--;
    memmove(&n->queue[i], &n->queue[i + 1],
            (size_t)(n->n - i) * sizeof n->queue[0]);
    if (i == 0)
        n->passed = 0;
    else if (n->passed < n->l.PATIENCE)
        n->passed++;
}

/* --- what is decided on an edge ------------------------------------------- */

static struct command refresh(const struct bank *n) {
    struct command c = {.kind = DRAM_REF, .position = -1};

    for (int b = 0; b < n->l.OPEN; b++)
        if (n->open[b])
            c.kind = DRAM_PREA;
    c.valid = is_legal(n, c.kind, 0);
    return c;
}

static struct command decide(struct bank *n) {
    struct command c = {.valid = false};
    bool part[MAX_ENTRIES], keep[MAX_OPEN] = {false};
    bool starved = n->n > 0 && n->passed == n->l.PATIENCE;

    hit_if(n, starved, BANK_COV_starved);
    if (n->due) {
        hit_if(n, n->n > 0, BANK_COV_refresh_holds);
        return refresh(n);
    }
    for (int i = 0; i < n->n; i++) {
        bool held = waits(n, i);
        hit_if(n, held, BANK_COV_waits);
        part[i] = starved ? i == 0 : !held;
        if (part[i] && hits(n, &n->queue[i]))
            keep[buffer_of(n, n->queue[i].row)] = true;
    }
    for (int i = 0; i < n->n; i++) {
        const struct request *q = &n->queue[i];
        enum dram_kind kind = q->write ? DRAM_WR : DRAM_RD;
        int b = buffer_of(n, q->row);
        if (part[i] && hits(n, q) && is_legal(n, kind, b))
            return (struct command){true, kind, b, i};
    }
    for (int i = 0; i < n->n; i++) {
        const struct request *q = &n->queue[i];
        int b = buffer_of(n, q->row);
        enum dram_kind kind = n->open[b] ? DRAM_PRE : DRAM_ACT;
        if (!part[i] || hits(n, q))
            continue;
        hit_if(n, n->open[b] && keep[b], BANK_COV_kept);
        if ((kind == DRAM_ACT || !keep[b]) && is_legal(n, kind, b))
            return (struct command){true, kind, b, i};
    }
    return c;
}

/* --- an edge -------------------------------------------------------------- */

static void set_rows(struct bank *n, const struct command *c) {
    bool all = true;

    if (c->kind == DRAM_ACT) {
        n->open[c->buffer] = true;
        n->row[c->buffer] = n->queue[c->position].row;
    } else if (c->kind == DRAM_PRE) {
        n->open[c->buffer] = false;
    } else if (c->kind == DRAM_PREA) {
        memset(n->open, 0, sizeof n->open);
    }
    for (int b = 0; b < n->l.OPEN; b++)
        all &= n->open[b];
    hit_if(n, all, BANK_COV_all_open);
}

static void show(struct bank *n, const struct command *c) {
    bool column = c->kind == DRAM_RD || c->kind == DRAM_WR;
    const struct request *q = c->position < 0 ? NULL : &n->queue[c->position];

    n->out.cmd_valid = 1;
    n->out.cmd_kind = c->kind;
    if (!q)
        return;
    n->out.cmd_buffer = (uint64_t)c->buffer;
    n->out.cmd_row = c->kind == DRAM_PRE ? 0 : q->row;
    n->out.cmd_column = column ? q->column : 0;
    n->out.cmd_id = column ? q->id : 0;
}

static void cover(struct bank *n, const struct command *c) {
    bool column = c->kind == DRAM_RD || c->kind == DRAM_WR;

    hit_if(n, column && c->position > 0, BANK_COV_younger);
    hit_if(n, c->kind == DRAM_PRE, BANK_COV_conflict);
    hit_if(n, c->kind == DRAM_RD && n->burst == DRAM_WR, BANK_COV_turn);
    hit_if(n, c->kind == DRAM_PREA, BANK_COV_refresh_open);
    hit_if(n, c->kind == DRAM_REF, BANK_COV_refresh);
    if (column)
        n->burst = c->kind;
}

static void count_refresh(struct bank *n, const struct command *c) {
    if (!n->refi)
        return;
    if (c->valid && c->kind == DRAM_REF)
        n->due = false;
    if (n->until_due-- == 0) {
        n->due = true;
        n->until_due = n->refi - 1;
    }
}

static void edge(struct golden *g, const void *ports) {
    struct bank *n = (struct bank *)g;
    const struct bank_in *in = ports;
    bool push = in->req_valid & 1 && n->out.req_ready;
    struct command c = decide(n);

    n->out = (struct bank_out){0};
    if (c.valid) {
        cover(n, &c);
        show(n, &c);
        hold_back(n, &c);
        set_rows(n, &c);
        if (c.kind == DRAM_RD || c.kind == DRAM_WR)
            leave(n, c.position);
    }
    if (push)
        n->queue[n->n++] = (struct request){
            .write = in->req_write & 1,
            .id = (uint32_t)(in->req_id & ones(n->l.ID_W)),
            .row = (uint32_t)(in->req_row & ones(n->l.ROW_W)),
            .column = (uint32_t)(in->req_column & ones(n->l.COL_W))};
    count_refresh(n, &c);
    n->now++;
    n->out.req_ready = n->n < n->l.ENTRIES;
    hit_if(n, !n->out.req_ready, BANK_COV_full);
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct bank *n = (const struct bank *)g;
    const struct bank_in *in = ports;

    if (in->req_valid & 1 || n->n || n->due || n->out.cmd_valid)
        return 0;
    return n->refi ? (uint64_t)n->until_due : UINT64_MAX;
}

static void slept(struct golden *g, uint64_t edges) {
    struct bank *n = (struct bank *)g;

    n->now += edges;
    if (n->refi)
        n->until_due -= (int)edges;
}

const struct golden_class bank_golden = {
    .iface = &bank_iface,
    MODEL_STRUCT(struct bank),
    .open = open,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
};
