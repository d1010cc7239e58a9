/* mpu_memory.c - accesses to global memory: load-store units on the base die,
 * each for some of the warps of a near-bank unit, what crosses the wires for
 * them, the extension on the DRAM die and the banks.
 *
 * All beats travel as load-store traffic of `dies`, whole messages one after
 * another.  Down: a near access as one message, a transaction, the request for
 * the row of a store, a row that was gathered.  Up: that a load was carried out
 * near, the answer to a transaction, the row of a store.
 */
#include "mpu_state.h"

#include "base/arena.h"
#include "lsu_hybrid/lsu_hybrid.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 8, IDS = 64 };

enum job_kind { NEAR_ROW, TRANSACTION, FETCH_ROW, WRITE_ROW };

/* Something that went down, until its answer is up. */
struct job {
    struct job *next; /* spare one */
    enum job_kind kind;
    int lsu;
    bool store;
    uint64_t id, word;
    int left;                 /* bursts */
    struct mpu_access access; /* of a row */
};

struct message {
    struct job *job;
    int beats;
};

/* A queue of messages, and which of them are on the wires. */
struct way {
    ARRAY(struct message) list;
    int head, on_wires; /* before head: gone; before on_wires: sent */
    int beat;           /* of the one that is sent */
};

struct unit {
    struct golden *g;
    const struct lsu_hybrid_out *out;
    struct lsu_hybrid_in in;
    ARRAY(struct mpu_access) queue;
    int head;
    bool busy;
    struct mpu_access access; /* that it has */
    bool fetched;             /* the row of a store has come */
    ARRAY(uint64_t) answers;
    int answer;
};

struct burst {
    struct job *job;
    uint64_t word;
};

struct bank {
    struct golden *g;
    const struct bank_out *out;
    struct bank_in in;
    ARRAY(struct burst) queue;
    int head;
    struct job *waits[IDS]; /* by id */
    int open;               /* rows */
    struct {
        struct job *job;
        uint64_t due;
    } data[IDS];
    int n; /* bursts whose data are under way */
};

struct mpu_memory {
    struct mpu *m;
    struct lsu_hybrid_local size;
    struct unit unit[MPU_UNITS * MPU_MOST];
    int units;
    struct bank bank[MPU_BANKS];
    struct way down, up;
    int turn;      /* unit that used the way down last */
    uint64_t jobs; /* under way */
    struct job *spare;
    struct arena arena; /* of jobs */
};

/* --- messages ------------------------------------------------------------- */

static int beats(const struct mpu_memory *y, int bits) {
    return ceil_div(bits, y->m->size.TSV_W);
}

static int data_beats(const struct mpu_memory *y) {
    return 1 + beats(y, y->size.DATA_W);
}

static int row_beats(const struct mpu_memory *y) {
    return 1 + beats(y, y->size.ROW_W);
}

static void send(struct way *w, struct job *job, int n) {
    if (w->head == w->list.n)
        w->head = w->on_wires = w->list.n = 0;
    *array_push(&w->list) = (struct message){job, n};
}

static int waiting(const struct way *w) {
    return w->list.n - w->on_wires;
}

/* The next beat: is there one, is it the last of its message. */
static bool shows(const struct way *w, bool *last) {
    bool there = waiting(w) > 0;
    *last = there && w->beat == w->list.v[w->on_wires].beats - 1;
    return there;
}

static void beat_taken(struct way *w) {
    if (++w->beat == w->list.v[w->on_wires].beats) {
        w->beat = 0;
        w->on_wires++;
    }
}

/* A last beat has come: whose. */
static struct job *arrived(struct way *w) {
    if (w->head == w->on_wires)
        BUG("a load-store message that nobody sent");
    return w->list.v[w->head++].job;
}

static struct job *new_job(struct mpu_memory *y, enum job_kind kind, int unit) {
    struct job *j = y->spare;
    if (j)
        y->spare = j->next;
    else
        j = arena_alloc(&y->arena, sizeof *j);
    *j = (struct job){.kind = kind,
                      .lsu = unit,
                      .access = y->unit[unit].access,
                      .store = y->unit[unit].access.store};
    y->jobs++;
    return j;
}

static void end_job(struct mpu_memory *y, struct job *j) {
    y->jobs--;
    j->next = y->spare;
    y->spare = j;
}

/* --- the base die --------------------------------------------------------- */

/* Memory is one core's own: its words as those of core 0 of two. */
static uint64_t word_at(const struct mpu_memory *y, uint32_t word) {
    uint64_t low = word & ones(y->size.CORE_AT);
    uint64_t high = word >> y->size.CORE_AT;
    return (high << y->size.CORE_W << y->size.CORE_AT | low) & ones(30);
}

/* One at a time, though the unit takes more: --accesses has more units instead.
 */
static void offer_access(struct mpu_memory *y, struct unit *u) {
    struct lsu_hybrid_in *in = &u->in;
    in->access_valid = !u->busy && u->head < u->queue.n && u->out->access_ready;
    if (!in->access_valid)
        return;
    u->access = u->queue.v[u->head++];
    u->busy = true;
    in->access_store = u->access.store;
    in->access_warp = (uint64_t)u->access.warp;
    in->access_reg = (uint64_t)u->access.reg;
    in->access_mask = u->access.mask;
    memset(in->access_address, 0, sizeof in->access_address);
    for (int i = 0; i < MPU_LANES; i++)
        bits_or(in->access_address, 30 * i, 30, word_at(y, u->access.word[i]));
}

static void take_request(struct mpu_memory *y, int n) {
    struct mpu_result *r = y->m->result;
    const struct lsu_hybrid_out *o = y->unit[n].out;
    struct job *j = new_job(y, o->down_near ? NEAR_ROW : TRANSACTION, n);
    j->id = o->down_id;
    j->word = o->down_address;
    r->transactions += !o->down_near;
    send(&y->down, j, o->down_near || !j->store ? 1 : data_beats(y));
}

/* One unit a cycle sends something down, in turn. */
static void serve(struct mpu_memory *y) {
    for (int n = 0; n < y->units; n++) {
        struct lsu_hybrid_in *in = &y->unit[n].in;
        in->down_ready = in->fetch_ready = in->write_ready = 0;
    }
    for (int k = 1; k <= y->units && waiting(&y->down) < ROOM; k++) {
        int n = (y->turn + k) % y->units;
        struct unit *u = &y->unit[n];
        if (u->out->down_valid) {
            u->in.down_ready = 1;
            take_request(y, n);
        } else if (u->out->fetch_valid) {
            u->in.fetch_ready = 1;
            send(&y->down, new_job(y, FETCH_ROW, n), 1);
        } else if (u->out->write_valid) {
            u->in.write_ready = 1;
            send(&y->down, new_job(y, WRITE_ROW, n), row_beats(y));
        } else {
            continue;
        }
        y->turn = n;
        return;
    }
}

/* What keeps an access from going near, found beside the model from addresses;
 * MPU_LACKS: nothing. */
static enum mpu_lack lack_of(const struct mpu_memory *y,
                             const struct mpu_access *a) {
    uint32_t line = (uint32_t)y->size.LINE / 4;
    bool beside = true;
    if (a->mask != UINT32_MAX)
        return MPU_MASK;
    for (uint32_t i = 0; i < MPU_LANES; i++) {
        if (a->word[i] != a->word[0] + i)
            return MPU_ROW;
        beside = beside &&
                 a->word[i] / line % MPU_UNITS == (uint32_t)a->warp % MPU_UNITS;
    }
    return beside ? MPU_LACKS : MPU_UNIT;
}

/* A load ends when its row is in the near register file, and that is told. */
static void look_at_end(struct mpu_memory *y, struct unit *u) {
    if (!u->out->done_valid)
        return;
    enum mpu_lack lack = lack_of(y, &u->access);
    if ((lack == MPU_LACKS) != (bool)u->out->done_near)
        BUG("an access of warp %d goes the wrong way", u->access.warp);
    u->busy = false;
    y->m->result->accesses++;
    if (u->out->done_near)
        y->m->result->near++;
    else
        y->m->result->lack[lack]++;
    if (u->access.store)
        mpu_access_done(y->m, &u->access);
}

static void drive_unit(struct mpu_memory *y, struct unit *u) {
    look_at_end(y, u);
    offer_access(y, u);
    u->in.fetched_valid = u->fetched;
    u->fetched = false;
    u->in.answer_valid = u->answer < u->answers.n;
    u->in.answer_id = u->in.answer_valid ? u->answers.v[u->answer++] : 0;
    if (u->answer == u->answers.n)
        u->answer = u->answers.n = 0;
    if (u->head == u->queue.n)
        u->head = u->queue.n = 0;
}

static void arrive_far(struct mpu_memory *y, struct job *j) {
    if (j->kind == FETCH_ROW)
        y->unit[j->lsu].fetched = true;
    else if (j->kind == TRANSACTION)
        *array_push(&y->unit[j->lsu].answers) = j->id;
    else
        mpu_access_done(y->m, &j->access);
    end_job(y, j);
}

/* --- the DRAM die --------------------------------------------------------- */

/* Lines of the core over its units, and a unit's over its banks. */
static void ask_banks(struct mpu_memory *y, struct job *j, int n) {
    for (int k = 0; k < n; k++) {
        uint64_t word = j->word + (uint64_t)(k * y->size.WORDS);
        uint64_t line = word / ((uint64_t)y->size.LINE / 4);
        *array_push(&y->bank[line % MPU_BANKS].queue) = (struct burst){j, word};
    }
    j->left = n;
}

static void arrive_near(struct mpu_memory *y, struct job *j) {
    uint64_t *events = y->m->result->events;
    switch (j->kind) {
    case NEAR_ROW: /* the extension restores the addresses */
        events[MPU_EXTENSION]++;
        ask_banks(y, j, y->size.ROW_W / y->size.DATA_W);
        break;
    case TRANSACTION:
        ask_banks(y, j, 1);
        break;
    case FETCH_ROW:
        send(&y->up, j, row_beats(y));
        break;
    case WRITE_ROW:
        send(&y->up, j, 1);
        break;
    }
}

/* All bursts of a job are done. */
static void answer(struct mpu_memory *y, struct job *j) {
    if (j->kind == TRANSACTION)
        send(&y->up, j, j->store ? 1 : data_beats(y));
    else if (j->store)
        end_job(y, j);
    else
        send(&y->up, j, 1);
}

/* --- banks ---------------------------------------------------------------- */

static void column(struct mpu_memory *y, struct bank *b, bool write) {
    const struct config *c = &y->m->config;
    int wait = (write ? c->timing_cwl : c->timing_cl) + c->timing_bl;
    b->data[b->n].job = b->waits[b->out->cmd_id];
    b->data[b->n++].due = y->m->cycle + (uint64_t)wait;
    b->waits[b->out->cmd_id] = NULL;
}

enum { ACT = 0, PRE = 1, PREA = 2, RD = 3, WR = 5, REF = 7 };

static void look_at_command(struct mpu_memory *y, struct bank *b) {
    struct mpu_result *r = y->m->result;
    if (!b->out->cmd_valid)
        return;
    switch (b->out->cmd_kind) {
    case ACT:
        r->rows_opened++;
        r->events[MPU_DRAM_ROW]++;
        b->open++;
        break;
    case PRE:
        r->events[MPU_DRAM_ROW]++;
        b->open--;
        break;
    case PREA:
        r->events[MPU_DRAM_ROW] += (uint64_t)b->open;
        b->open = 0;
        break;
    case RD:
    case WR:
        r->events[MPU_DRAM_BURST]++;
        column(y, b, b->out->cmd_kind == WR);
        break;
    case REF:
        r->events[MPU_DRAM_REFRESH]++;
        break;
    }
}

static void look_at_data(struct mpu_memory *y, struct bank *b) {
    for (int i = 0; i < b->n; i++) {
        struct job *j = b->data[i].job;
        if (b->data[i].due > y->m->cycle)
            continue;
        b->data[i--] = b->data[--b->n];
        y->m->result->events[MPU_EXTENSION]++;
        if (--j->left == 0)
            answer(y, j);
    }
}

static void offer_burst(struct mpu_memory *y, struct bank *b) {
    const struct mpu *m = y->m;
    int id = 0;
    while (id < IDS && b->waits[id])
        id++;
    b->in.req_valid =
        b->head < b->queue.n && b->out->req_ready && id < IDS && b->n < IDS / 2;
    if (!b->in.req_valid)
        return;
    const struct burst *u = &b->queue.v[b->head++];
    uint64_t words = (uint64_t)y->size.WORDS;
    uint64_t per_line = (uint64_t)y->size.LINE / 4 / words;
    uint64_t sector = u->word / words;
    uint64_t at = sector / per_line / MPU_BANKS * per_line + sector % per_line;
    b->waits[id] = u->job;
    b->in.req_write = u->job->store;
    b->in.req_id = (uint64_t)id;
    b->in.req_column = at & ones(m->config.bank_column_bits);
    b->in.req_row =
        at >> m->config.bank_column_bits & ones(m->config.bank_row_bits);
    if (b->head == b->queue.n)
        b->head = b->queue.n = 0;
}

/* --- a cycle -------------------------------------------------------------- */

/* What the wires have brought, and what goes onto them. */
static void drive_wires(struct mpu_memory *y) {
    const struct nbu_out *o = y->m->out;
    struct nbu_in *in = &y->m->in;
    bool last;
    if (o->lsu_near_valid && o->lsu_near_last)
        arrive_near(y, arrived(&y->down));
    if (o->lsu_far_valid && o->lsu_far_last)
        arrive_far(y, arrived(&y->up));
    in->lsu_down_valid = shows(&y->down, &last);
    in->lsu_down_last = last;
    in->lsu_up_valid = shows(&y->up, &last);
    in->lsu_up_last = last;
    if (in->lsu_down_valid && o->lsu_down_ready)
        beat_taken(&y->down);
    if (in->lsu_up_valid && o->lsu_up_ready)
        beat_taken(&y->up);
}

void mpu_memory_step(struct mpu *m) {
    struct mpu_memory *y = m->memory;
    for (int n = 0; n < MPU_BANKS; n++) {
        look_at_command(y, &y->bank[n]);
        look_at_data(y, &y->bank[n]);
    }
    for (int n = 0; n < y->units; n++)
        drive_unit(y, &y->unit[n]);
    drive_wires(y);
    serve(y);
    for (int n = 0; n < MPU_BANKS; n++) {
        struct bank *b = &y->bank[n];
        offer_burst(y, b);
        b->out = golden_cycle(b->g, false, &b->in);
    }
    for (int n = 0; n < y->units; n++)
        y->unit[n].out = golden_cycle(y->unit[n].g, false, &y->unit[n].in);
}

void mpu_memory_access(struct mpu_memory *y, const struct mpu_access *a) {
    *array_push(&y->unit[a->warp % y->units].queue) = *a;
}

bool mpu_memory_idle(const struct mpu_memory *y) {
    for (int n = 0; n < y->units; n++)
        if (y->unit[n].busy || y->unit[n].queue.n)
            return false;
    return y->jobs == 0;
}

struct mpu_memory *mpu_memory_create(struct mpu *m) {
    struct mpu_memory *y = xcalloc(1, sizeof *y);
    struct config paper = m->config; /* its messages */

    paper.lsu_hybrid_messages = 1;
    y->m = m;
    y->size = lsu_hybrid_local(&m->config);
    y->units = MPU_UNITS * (int)m->settings->accesses;
    for (int n = 0; n < y->units; n++) {
        y->unit[n].g = golden_create(golden_find("lsu_hybrid"), &paper);
        y->unit[n].out = golden_cycle(y->unit[n].g, true, NULL);
    }
    for (int n = 0; n < MPU_BANKS; n++) {
        y->bank[n].g = golden_create(golden_find("bank"), &m->config);
        y->bank[n].out = golden_cycle(y->bank[n].g, true, NULL);
    }
    return y;
}

void mpu_memory_free(struct mpu_memory *y) {
    if (!y)
        return;
    for (int n = 0; n < y->units; n++) {
        golden_free(y->unit[n].g);
        array_free(&y->unit[n].queue);
        array_free(&y->unit[n].answers);
    }
    for (int n = 0; n < MPU_BANKS; n++) {
        golden_free(y->bank[n].g);
        array_free(&y->bank[n].queue);
    }
    array_free(&y->down.list);
    array_free(&y->up.list);
    arena_free(&y->arena);
    free(y);
}
