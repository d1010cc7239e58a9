/* stim.c - stimulus of what stands between a core and its offload controller: the
 * core with all its registers, the controller, the stacks behind the mesh.
 *
 * Warps leave, blocks go to stacks and come back in any order.  What must be at each
 * output after each edge is known here from the note: who is asked for, how each warp
 * goes on, every register and every flit, bit by bit.
 *
 * random    phases with other rates, shares of those that stay, and patience
 * directed  one way after the other: all stay, one stack for all, reads, held up
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/broker.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum {
    WARPS = 64,
    STACKS = 256,
    LANES = 32,
    NUMBERS = 64 + 8, /* registers, then predicates */
    ROW_WORDS = 16,
    PIECE_WORDS = 4,
    ROOM = 2, /* of a queue, beside its output */
    LONGEST = 5,
    MARK = 12,
    MARK_BITS = 4
};

/* What the surroundings are like for a while; percent of the edges, or of cases. */
struct tune {
    int offer, answer, stay; /* stay: of the answers */
    int oper, read;          /* registers are asked for */
    int seen;                /* a pass of one comes */
    int tx, come;            /* a flit of the controller, of a stack */
    int stacks;              /* that blocks go to */
    int inval;
    int high, low; /* longest times that something is taken, and not */
};

/* What stands in a queue. */
struct item {
    uint64_t when; /* the edge on which it was taken */
    uint64_t warp, number, lane, mask, address;
    uint64_t stack;
    bool first, last;
    uint64_t data[PIECE_WORDS];
};

struct queue {
    struct item v[ROOM + 2];
    int n;
};

/* Something that is shown until it is taken. */
struct shown {
    bool there;
    struct item is;
};

/* Where a warp, or its block, is. */
enum where {
    AT_CORE,
    OFFERED,
    ASKS,   /* the controller knows it */
    PACKET, /* it will go to a stack */
    LEAVES, /* its packet goes */
    AT_STACK,
    COMES,   /* its acknowledgement comes */
    WRITTEN, /* and is there: its registers are written */
    RELEASED
};

enum phase { IDLE, LOOK, WAIT, PUT, SETTLE };

/* A packet that a neighbour sends. */
struct packet {
    int left; /* flits */
    uint64_t warp;
    bool first;
};

struct broker_stim {
    struct stim base;
    struct broker_local size;
    struct config config;
    struct tune tune;
    int left; /* edges of this phase */
    uint64_t here;
    bool learned; /* as the unit has heard it */

    enum where where[WARPS];
    uint64_t stack_of[WARPS];
    int reads_of[WARPS]; /* registers that are asked for */
    int away;            /* warps that were offered and have no go */
    uint32_t file[WARPS][NUMBERS][LANES];

    struct shown offer, answer, oper, read, tx, come, release;
    struct queue asks, releases, opers, reads, sends, acks;

    /* reading */
    enum phase reads_phase;
    bool of_oper; /* the last one */
    struct item asked;
    int pass;
    bool sees; /* the core reads: */
    uint64_t sees_warp;
    int sees_number, sees_pass;
    uint32_t row[LANES];

    /* writing */
    enum phase writes_phase;
    struct shown write;
    uint64_t write_row[ROW_WORDS], put_row[ROW_WORDS];
    struct item put;
    int put_pass;
    int back[WARPS],
        n_back; /* warps whose acknowledgement is there, in order */
    int writes_left;

    /* packets */
    struct packet going, coming;
    bool held;
    struct item held_flit;
    int sent[STACKS];

    struct toggle ask_ready, look_ready, put_ready, send_ready, ack_ready;
    uint64_t stayed, returned, flits, values, rows, writes;
};

/* --- queues --------------------------------------------------------------- */

/* Is the oldest one at the output after the edge `now`? */
static bool is_shown(const struct queue *q, uint64_t now) {
    return q->n > 0 && q->v[0].when < now;
}

/* Before this edge. */
static bool was_shown(const struct broker_stim *s, const struct queue *q) {
    return is_shown(q, s->base.now - 1);
}

static bool has_room(const struct broker_stim *s, const struct queue *q) {
    return q->n - was_shown(s, q) < ROOM;
}

static void put(struct broker_stim *s, struct queue *q, struct item i) {
    i.when = s->base.now;
    if (q->n < ROOM + 2)
        q->v[q->n++] = i;
}

static void drop(struct queue *q) {
    q->n--;
    memmove(q->v, q->v + 1, (size_t)q->n * sizeof *q->v);
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 100, 0, 0, 100, 0, 0, 4, 0, 1, 0},     /* all stay */
        {100, 100, 0, 0, 0, 100, 100, 100, 1, 5, 1, 0},   /* to one stack */
        {100, 100, 0, 0, 0, 100, 100, 3, 1, 5, 1, 0},     /* which is slow */
        {30, 50, 50, 100, 100, 100, 100, 50, 4, 0, 1, 0}, /* reads of both */
        {30, 50, 50, 100, 0, 60, 100, 50, 4, 0, 1, 0},
        {50, 100, 10, 0, 100, 60, 100, 100, 9, 5, 2, 6}, /* held up */
        {100, 20, 50, 20, 20, 50, 60, 60, 2, 30, 3, 3},
    };
    struct broker_stim *s = (struct broker_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 300 % (sizeof script / sizeof *script)];
    s->left = 299;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 5, 0};
    struct broker_stim *s = (struct broker_stim *)base;
    struct rng *r = &base->rng;
    struct tune *t = &s->tune;
    int *rated[] = {&t->offer, &t->answer, &t->oper, &t->read,
                    &t->seen,  &t->tx,     &t->come};
    if (s->left-- > 0)
        return;
    for (size_t i = 0; i < sizeof rated / sizeof *rated; i++)
        *rated[i] = rates[rng_below(r, 6)];
    t->stay = rng_percent(r, 30) ? 0 : rng_range(r, 0, 100);
    t->stacks = rng_range(r, 1, 8);
    t->inval = rates[rng_range(r, 2, 5)];
    t->high = rng_range(r, 1, 8);
    t->low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8);
    s->left = rng_range(r, 30, 300);
}

/* --- what goes in: warps -------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct broker_stim *s = (struct broker_stim *)base;
    s->size = broker_local(c);
    s->config = *c;
    base->reset_every = 3000;
    for (int w = 0; w < WARPS; w++)
        for (int n = 0; n < NUMBERS; n++)
            for (int i = 0; i < LANES; i++) {
                uint64_t x = rng_mix((uint64_t)((w * NUMBERS + n) * LANES + i));
                s->file[w][n][i] = (uint32_t)(n < 64 ? x : x & 1);
            }
}

static void reset(struct stim *base) {
    struct broker_stim *s = (struct broker_stim *)base;
    struct queue *queues[] = {&s->asks,  &s->releases, &s->opers,
                              &s->reads, &s->sends,    &s->acks};
    struct shown *shown[] = {&s->offer, &s->answer, &s->oper,    &s->read,
                             &s->tx,    &s->come,   &s->release, &s->write};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        queues[i]->n = 0;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        shown[i]->there = false;
    memset(s->where, 0, sizeof s->where);
    memset(s->reads_of, 0, sizeof s->reads_of);
    memset(s->sent, 0, sizeof s->sent);
    s->away = s->n_back = s->writes_left = 0;
    s->reads_phase = s->writes_phase = IDLE;
    s->of_oper = s->held = s->sees = false;
    s->going.left = s->coming.left = 0;
}

/* A warp that is at that place, -1: none is. */
static int any_warp(struct broker_stim *s, enum where where) {
    int n = s->size.WARPS, first = (int)rng_below(&s->base.rng, (uint32_t)n);
    for (int i = 0; i < n; i++)
        if (s->where[(first + i) % n] == where)
            return (first + i) % n;
    return -1;
}

static bool chance(struct broker_stim *s, int percent) {
    return s->base.rst_left == 0 && rng_percent(&s->base.rng, percent);
}

static void any_data(struct broker_stim *s, int bits, uint64_t *w, int words) {
    for (int i = 0; i < words; i++)
        w[i] = bits > 64 * i ? rng_next(&s->base.rng) & ones(bits - 64 * i) : 0;
}

/* Loads and stores of global memory (docs/isa.md). */
static bool is_access(uint64_t code) {
    uint64_t op = code & 255;
    return (op >= 0x60 && op <= 0x64) || op == 0x68 || op == 0x69 || op == 0x6b;
}

static void drive_offer(struct broker_stim *s, struct broker_in *in) {
    struct rng *r = &s->base.rng;
    int warp = any_warp(s, AT_CORE);
    if (!s->offer.there && warp >= 0 && chance(s, s->tune.offer)) {
        uint64_t code = rng_next(r);
        if (rng_percent(r, 80))
            code = (code & ~ones(8)) | (0x60 + rng_below(r, 16));
        in->offer_valid = 1;
        in->offer_warp = (uint64_t)warp;
        in->offer_pc = rng_percent(r, 5) ? ones(s->size.PC_W)
                                         : rng_next(r) & ones(s->size.PC_W);
        in->offer_code = code;
        in->offer_mask = rng_next(r) & ones(s->size.THREADS);
        in->offer_a = rng_next(r) & ones(32);
        in->offer_b = rng_next(r) & ones(32);
        in->offer_in_row = rng_below(r, 2);
        in->offer_same_a = rng_below(r, 2);
        in->offer_same_b = rng_below(r, 2);
        s->offer.there = true;
        s->offer.is = (struct item){
            .warp = in->offer_warp,
            .number = (in->offer_pc + !is_access(code)) & ones(s->size.PC_W),
            .mask = in->offer_mask,
            .address = in->offer_a};
    }
    if (!s->offer.there) {
        in->offer_valid = in->offer_warp = in->offer_pc = in->offer_code = 0;
        in->offer_mask = in->offer_a = in->offer_b = in->offer_in_row = 0;
        in->offer_same_a = in->offer_same_b = 0;
    }
    if (s->asks.n == 0 && rng_percent(r, 20))
        in->map_learned = rng_below(r, 2);
}

/* Of a warp that asks. */
static void drive_answer(struct broker_stim *s, struct broker_in *in) {
    struct rng *r = &s->base.rng;
    int warp = any_warp(s, ASKS);
    in->ans_valid = warp >= 0 && chance(s, s->tune.answer);
    in->ans_warp = in->ans_valid ? (uint64_t)warp : 0;
    in->ans_offload = in->ans_valid && !rng_percent(r, s->tune.stay);
    in->ans_reason = in->ans_valid ? rng_below(r, 16) : 0;
    in->ans_stack = in->ans_valid ? rng_next(r) & ones(s->size.STACK_W) : 0;
}

/* --- what goes in: registers ---------------------------------------------- */

static uint64_t any_number(struct broker_stim *s) {
    uint64_t regs = (uint64_t)s->size.REGS;
    return rng_below(&s->base.rng, (uint32_t)regs) +
           (rng_percent(&s->base.rng, 40) ? regs : 0);
}

/* Which of the file it is. */
static int of_file(const struct broker_stim *s, uint64_t number) {
    return number < (uint64_t)s->size.REGS ? (int)number
                                           : 64 + (int)(number % 8);
}

/* A register of a warp whose registers are not being written. */
static void ask_for(struct broker_stim *s, struct shown *q, int percent) {
    struct rng *r = &s->base.rng;
    uint64_t warp = rng_below(r, (uint32_t)s->size.WARPS);
    if (q->there || !chance(s, percent) || s->where[warp] >= COMES)
        return;
    q->there = true;
    q->is = (struct item){.warp = warp,
                          .number = any_number(s),
                          .lane = rng_below(r, (uint32_t)s->size.THREADS)};
    s->reads_of[warp]++;
}

static void drive_reads(struct broker_stim *s, struct broker_in *in) {
    ask_for(s, &s->oper, s->tune.oper);
    ask_for(s, &s->read, s->tune.read);
    in->oper_valid = s->oper.there;
    in->oper_warp = s->oper.there ? s->oper.is.warp : 0;
    in->oper_reg = s->oper.there ? s->oper.is.number : 0;
    in->oper_lane = s->oper.there ? s->oper.is.lane : 0;
    in->reg_read_valid = s->read.there;
    in->reg_read_warp = s->read.there ? s->read.is.warp : 0;
    in->reg_read_reg = s->read.there ? s->read.is.number : 0;
}

/* The core shows what it was asked for. */
static void drive_seen(struct broker_stim *s, struct broker_in *in) {
    int alus = s->size.ALUS;
    memset(in->seen_data, 0, sizeof in->seen_data);
    in->seen_valid = s->sees && chance(s, s->tune.seen);
    in->seen_last = in->seen_valid && s->sees_pass == s->size.PASSES - 1;
    for (int i = 0; in->seen_valid && i < alus; i++)
        bits_set_lane(
            in->seen_data, i,
            s->file[s->sees_warp][s->sees_number][s->sees_pass * alus + i]);
}

/* The controller has an acknowledgement: registers first, then the release. */
static void drive_writes(struct broker_stim *s, struct broker_in *in) {
    struct rng *r = &s->base.rng;
    bool ready = s->n_back > 0 && s->reads_of[s->back[0]] == 0;
    if (ready && !s->write.there && !s->release.there && chance(s, 70)) {
        uint64_t warp = (uint64_t)s->back[0];
        if (s->writes_left > 0) {
            s->write.there = true;
            s->write.is =
                (struct item){.warp = warp,
                              .number = any_number(s),
                              .mask = rng_next(r) & ones(s->size.THREADS)};
            any_data(s, s->size.LANES_W, s->write_row, ROW_WORDS);
        } else {
            s->release.there = true;
            s->release.is = (struct item){
                .warp = warp, .number = rng_next(r) & ones(s->size.PC_W)};
        }
    }
    in->reg_write_valid = s->write.there;
    in->reg_write_warp = s->write.there ? s->write.is.warp : 0;
    in->reg_write_reg = s->write.there ? s->write.is.number : 0;
    in->reg_write_mask = s->write.there ? s->write.is.mask : 0;
    memset(in->reg_write_row, 0, sizeof in->reg_write_row);
    if (s->write.there)
        memcpy(in->reg_write_row, s->write_row, sizeof in->reg_write_row);
    in->release_valid = s->release.there;
    in->release_warp = s->release.there ? s->release.is.warp : 0;
    in->release_pc = s->release.there ? s->release.is.number : 0;
}

/* --- what goes in: packets ------------------------------------------------ */

/* The next flit of a packet, whose first one names the warp. */
static void next_flit(struct broker_stim *s, struct packet *p,
                      struct shown *flit) {
    flit->there = true;
    flit->is = (struct item){.warp = p->warp,
                             .stack = s->stack_of[p->warp],
                             .first = p->first,
                             .last = p->left == 1};
    any_data(s, s->size.PIECE_W, flit->is.data, PIECE_WORDS);
    if (p->first)
        flit->is.data[0] = (flit->is.data[0] & ~ones(s->size.WARP_W)) | p->warp;
    p->first = false;
    p->left--;
}

static void begin_packet(struct broker_stim *s, struct packet *p, int warp) {
    *p = (struct packet){rng_range(&s->base.rng, 1, LONGEST), (uint64_t)warp,
                         true};
}

static void drive_tx(struct broker_stim *s, struct broker_in *in) {
    int warp = any_warp(s, PACKET);
    if (s->going.left == 0 && !s->tx.there && warp >= 0 &&
        chance(s, s->tune.tx)) {
        begin_packet(s, &s->going, warp);
        s->where[warp] = LEAVES;
    }
    if (s->going.left > 0 && !s->tx.there && chance(s, s->tune.tx))
        next_flit(s, &s->going, &s->tx);
    in->tx_valid = s->tx.there;
    in->tx_stack = s->tx.there ? s->tx.is.stack : 0;
    in->tx_head = s->tx.there && s->tx.is.first;
    in->tx_last = s->tx.there && s->tx.is.last;
    memset(in->tx_data, 0, sizeof in->tx_data);
    if (s->tx.there)
        memcpy(in->tx_data, s->tx.is.data, sizeof s->tx.is.data);
}

static void drive_come(struct broker_stim *s, struct broker_in *in) {
    int warp = any_warp(s, AT_STACK);
    if (s->coming.left == 0 && !s->come.there && warp >= 0 &&
        chance(s, s->tune.come)) {
        begin_packet(s, &s->coming, warp);
        s->where[warp] = COMES;
    }
    if (s->coming.left > 0 && !s->come.there && chance(s, s->tune.come)) {
        next_flit(s, &s->coming, &s->come);
        memset(in->take_ans_data, 0, sizeof in->take_ans_data);
        any_data(s, s->size.FLIT_W, in->take_ans_data, PIECE_WORDS);
        in->take_ans_data[0] = (in->take_ans_data[0] & ~ones(MARK_BITS)) | MARK;
        for (int at = 0; at < s->size.PIECE_W; at += 32)
            for (int i = at; i < at + 32; i++)
                if (bits_test(s->come.is.data, i))
                    bits_set(in->take_ans_data, MARK_BITS + i);
                else
                    bits_clear(in->take_ans_data, MARK_BITS + i);
    }
    in->take_ans_valid = s->come.there;
    in->take_ans_last = s->come.there && s->come.is.last;
    if (!s->come.there)
        memset(in->take_ans_data, 0, sizeof in->take_ans_data);
}

static bool takes(struct broker_stim *s, struct toggle *t) {
    return toggle_step(t, &s->base.rng, s->tune.high, s->tune.low);
}

static void drive(struct stim *base, void *ports) {
    struct broker_stim *s = (struct broker_stim *)base;
    struct broker_in *in = ports;
    struct rng *r = &base->rng;

    if (base->now == 0 || base->rst_left > 0)
        in->at_node = s->here = rng_below(r, (uint32_t)s->size.NODES);
    drive_offer(s, in);
    drive_answer(s, in);
    drive_reads(s, in);
    drive_seen(s, in);
    drive_writes(s, in);
    drive_tx(s, in);
    drive_come(s, in);
    in->inval_valid = chance(s, s->tune.inval);
    in->inval_line = in->inval_valid ? rng_next(r) & ones(25) : 0;
    in->fenced = chance(s, s->tune.inval / 2);
    in->ask_ready = takes(s, &s->ask_ready);
    in->look_ready = takes(s, &s->look_ready);
    in->put_ready = takes(s, &s->put_ready);
    in->send_req_ready = takes(s, &s->send_ready);
    in->ack_ready = takes(s, &s->ack_ready);
}

/* --- what must come out: warps -------------------------------------------- */

/* A ready as it must be: NULL, or what is wrong. */
static const char *check_ready(struct broker_stim *s, uint64_t is, bool due,
                               const char *what) {
    return is == due ? NULL
                     : stim_complain(&s->base, "%s %s taken too early or late",
                                     what, is ? "is" : "is not");
}

static const char *watch_asks(struct broker_stim *s, const struct broker_in *in,
                              const struct broker_out *before,
                              const struct broker_out *after) {
    struct queue *q = &s->asks;
    const char *wrong =
        check_ready(s, before->offer_ready, has_room(s, q), "an offer");
    if (was_shown(s, q) && in->ask_ready) {
        s->where[q->v[0].warp] = ASKS;
        drop(q);
    }
    if (s->offer.there && before->offer_ready) {
        s->where[s->offer.is.warp] = OFFERED;
        s->away++;
        put(s, q, s->offer.is);
        s->offer.there = false;
    }
    s->learned = in->map_learned;
    if (wrong)
        return wrong;
    bool due = is_shown(q, s->base.now);
    const struct item *i = &q->v[0];
    if (after->ask_valid != due)
        return stim_complain(&s->base, "a warp %s",
                             due ? "does not ask" : "asks for nothing");
    if (due && (after->ask_warp != i->warp || after->ask_mask != i->mask))
        return stim_complain(&s->base, "another warp asks, or other lanes");
    if (due && after->ask_key != i->number)
        return stim_complain(&s->base, "a warp asks for %u, expected %u",
                             (unsigned)after->ask_key, (unsigned)i->number);
    if (due &&
        (after->ask_address != i->address || after->ask_learned != s->learned))
        return stim_complain(&s->base, "a warp asks with another address");
    return NULL;
}

/* How warps go on; `writing`: a register is being written. */
static const char *watch_go(struct broker_stim *s, const struct broker_in *in,
                            const struct broker_out *before,
                            const struct broker_out *after, bool writing) {
    struct queue *q = &s->releases;
    const char *wrong =
        check_ready(s, before->release_ready, has_room(s, q), "a release");
    bool stays = in->ans_valid && !in->ans_offload;
    bool lands = !stays && !writing && was_shown(s, q);
    struct item is = {0};
    if (!before->ans_ready || !before->inval_ready)
        wrong = stim_complain(&s->base, "a decision or a line is refused");
    if (stays)
        is.warp = in->ans_warp;
    if (lands) {
        is = q->v[0];
        drop(q);
    }
    if (stays || lands)
        s->where[is.warp] = AT_CORE;
    s->stayed += stays;
    s->returned += lands;
    if (in->ans_valid && in->ans_offload) {
        int stacks = s->config.mesh_memory_nodes.n;
        if (stacks > s->size.HOMES)
            stacks = s->size.HOMES;
        if (stacks > s->tune.stacks)
            stacks = s->tune.stacks;
        s->where[in->ans_warp] = PACKET;
        s->stack_of[in->ans_warp] = rng_below(&s->base.rng, (uint32_t)stacks);
    }
    if (s->release.there && before->release_ready) {
        put(s, q, s->release.is);
        s->where[s->release.is.warp] = RELEASED;
        s->release.there = false;
        memmove(s->back, s->back + 1, (size_t)--s->n_back * sizeof *s->back);
        s->writes_left = rng_range(&s->base.rng, 0, 3);
    }
    s->away -= before->go_valid & 1;
    if (wrong)
        return wrong;
    if (after->go_valid != (stays || lands))
        return stim_complain(&s->base, "a warp %s",
                             stays || lands ? "does not go on"
                                            : "goes on for no reason");
    if (after->go_valid &&
        (after->go_warp != is.warp || after->go_alone != stays ||
         after->go_pc != is.number || !after->go_moves || after->go_frees))
        return stim_complain(&s->base, "a warp goes on as another must");
    if (after->chain_busy != (s->away > 0))
        return stim_complain(&s->base, "%d warps are away, and the core is %s",
                             s->away, after->chain_busy ? "held" : "not held");
    return NULL;
}

/* --- what must come out: registers ---------------------------------------- */

/* What the oldest one of the two queues becomes, if one is chosen. */
static void choose_read(struct broker_stim *s) {
    bool oper = was_shown(s, &s->opers), read = was_shown(s, &s->reads);
    if (!oper && !read)
        return;
    s->of_oper = oper && !(read && s->of_oper);
    struct queue *q = s->of_oper ? &s->opers : &s->reads;
    s->asked = q->v[0];
    drop(q);
    s->reads_phase = LOOK;
}

/* The value that was asked for is at its output, and nothing else is. */
static const char *check_value(struct broker_stim *s, bool due,
                               const struct broker_out *after) {
    uint64_t row[ROW_WORDS] = {0};
    bool pred = s->asked.number >= (uint64_t)s->size.REGS;
    if (after->value_valid != (due && s->of_oper) ||
        after->reg_data_valid != (due && !s->of_oper))
        return stim_complain(&s->base, "a register is %sthere",
                             due ? "not " : "");
    if (!due)
        return NULL;
    s->reads_of[s->asked.warp]--;
    const uint32_t *is = s->file[s->asked.warp][of_file(s, s->asked.number)];
    if (s->of_oper) {
        s->values++;
        return after->value_data == is[s->asked.lane]
                   ? NULL
                   : stim_complain(&s->base, "a condition has another value");
    }
    s->rows++;
    for (int i = 0; i < s->size.THREADS; i++)
        if (pred)
            row[0] |= (uint64_t)is[i] << i;
        else
            bits_set_lane(row, i, is[i]);
    return memcmp(row, after->reg_data_row, sizeof row) == 0
               ? NULL
               : stim_complain(&s->base, "a row of a packet is another");
}

static const char *watch_reads(struct broker_stim *s,
                               const struct broker_in *in,
                               const struct broker_out *before,
                               const struct broker_out *after) {
    const char *wrong =
        check_ready(s, before->oper_ready, has_room(s, &s->opers),
                    "a request for a condition");
    if (!wrong)
        wrong = check_ready(s, before->reg_read_ready, has_room(s, &s->reads),
                            "a request for a row");
    bool comes = false;
    if (s->reads_phase == IDLE) {
        choose_read(s);
    } else if (s->reads_phase == LOOK) {
        if (in->look_ready) {
            s->reads_phase = WAIT;
            s->sees = true;
            s->sees_warp = before->look_warp % WARPS;
            s->sees_number = (int)(before->look_pred ? 64 + before->look_reg % 8
                                                     : before->look_reg % 64);
            s->sees_pass = 0;
        }
    } else if (in->seen_valid) {
        s->sees_pass++;
        comes = in->seen_last;
        if (comes) {
            s->reads_phase = IDLE;
            s->sees = false;
        }
    }
    if (s->oper.there && before->oper_ready) {
        put(s, &s->opers, s->oper.is);
        s->oper.there = false;
    }
    if (s->read.there && before->reg_read_ready) {
        put(s, &s->reads, s->read.is);
        s->read.there = false;
    }
    const char *value = check_value(s, comes, after);
    if (wrong || value)
        return wrong ? wrong : value;
    if (after->look_valid != (s->reads_phase == LOOK))
        return stim_complain(&s->base, "the core is %s for a register",
                             after->look_valid ? "asked" : "not asked");
    int number = of_file(s, s->asked.number);
    if (after->look_valid && (after->look_warp != s->asked.warp ||
                              after->look_pred != (number >= 64) ||
                              after->look_reg != (uint64_t)(number % 64)))
        return stim_complain(&s->base,
                             "the core is asked for another register");
    return NULL;
}

/* The pass that is shown. */
static const char *check_put(struct broker_stim *s,
                             const struct broker_out *after) {
    uint64_t row[ROW_WORDS] = {0};
    int number = of_file(s, s->put.number), alus = s->size.ALUS;
    if (after->put_valid != (s->writes_phase == PUT))
        return stim_complain(&s->base, "a pass is %sthere",
                             after->put_valid ? "" : "not ");
    if (!after->put_valid)
        return NULL;
    for (int i = 0; i < alus; i++) {
        int lane = s->put_pass * alus + i;
        bits_set_lane(row, i,
                      number < 64 ? bits_lane(s->put_row, lane)
                                  : bits_test(s->put_row, lane));
    }
    if (after->put_warp != s->put.warp || after->put_mask != s->put.mask ||
        after->put_pred != (number >= 64) || after->put_pc != 0 ||
        after->put_d != (uint64_t)(number % 64) ||
        after->put_last != (s->put_pass == s->size.PASSES - 1))
        return stim_complain(&s->base, "a pass is of another register");
    if (memcmp(row, after->put_data, sizeof row) != 0)
        return stim_complain(&s->base, "a pass has other values");
    return NULL;
}

/* The core gets a pass. */
static void write_pass(struct broker_stim *s, const struct broker_out *o) {
    int number = of_file(s, s->put.number), alus = s->size.ALUS;
    for (int i = 0; i < alus; i++) {
        int lane = s->put_pass * alus + i;
        if (s->put.mask >> lane & 1)
            s->file[s->put.warp][number][lane] = bits_lane(o->put_data, i);
    }
}

static const char *watch_writes(struct broker_stim *s,
                                const struct broker_in *in,
                                const struct broker_out *before,
                                const struct broker_out *after) {
    const char *wrong = check_ready(s, before->reg_write_ready,
                                    s->writes_phase == IDLE, "a result");
    if (s->writes_phase == PUT && in->put_ready) {
        write_pass(s, before);
        if (++s->put_pass == s->size.PASSES)
            s->writes_phase = SETTLE;
    } else if (s->writes_phase == SETTLE && in->put_ready) {
        s->writes_phase = IDLE;
    } else if (s->writes_phase == IDLE && s->write.there) {
        s->put = s->write.is;
        memcpy(s->put_row, s->write_row, sizeof s->put_row);
        s->put_pass = 0;
        s->writes_phase = PUT;
        s->write.there = false;
        s->writes_left--;
        s->writes++;
    }
    return wrong ? wrong : check_put(s, after);
}

/* --- what must come out: packets ------------------------------------------ */

static const char *check_flit(struct broker_stim *s,
                              const struct broker_out *after) {
    const struct queue *q = &s->sends;
    const struct item *i = &q->v[0];
    uint64_t data[sizeof after->send_req_data / sizeof(uint64_t)] = {0};
    bool due = is_shown(q, s->base.now);
    if (after->send_req_valid != due)
        return stim_complain(&s->base, "a flit is %sthere", due ? "not " : "");
    if (!due)
        return NULL;
    int node = s->config.mesh_memory_nodes.v[i->stack];
    bits_or(data, 0, MARK_BITS, MARK);
    for (int at = 0; at < s->size.PIECE_W; at += 32)
        bits_or(data, MARK_BITS + at, 32, bits_get(i->data, at, 32));
    if (i->first)
        bits_or(data, MARK_BITS + s->size.PIECE_W, s->size.NODE_W, s->here);
    if (memcmp(data, after->send_req_data, sizeof data) != 0 ||
        after->send_req_last != i->last || after->send_req_order != 0)
        return stim_complain(&s->base, "a flit is altered, or another");
    if (after->send_req_x != (uint64_t)(node % s->size.WIDTH) ||
        after->send_req_y != (uint64_t)(node / s->size.WIDTH))
        return stim_complain(&s->base, "a packet goes to another node");
    return NULL;
}

static void send(struct broker_stim *s, struct item i) {
    put(s, &s->sends, i);
    s->sent[i.stack] += i.first;
    s->flits++;
}

static const char *watch_packets(struct broker_stim *s,
                                 const struct broker_in *in,
                                 const struct broker_out *before,
                                 const struct broker_out *after) {
    struct queue *q = &s->sends, *a = &s->acks;
    bool room = has_room(s, q);
    const char *wrong =
        check_ready(s, before->tx_ready, !s->held && room, "a flit");
    if (!wrong)
        wrong = check_ready(s, before->take_ans_ready, has_room(s, a),
                            "an acknowledgement");
    bool comes = s->come.there && before->take_ans_ready;
    uint64_t freed = comes && s->come.is.first ? s->come.is.stack : STACKS;

    if (was_shown(s, q) && in->send_req_ready) {
        if (q->v[0].last)
            s->where[q->v[0].warp] = AT_STACK;
        drop(q);
    }
    if (s->held && room && s->sent[s->held_flit.stack] < s->size.SHARE) {
        send(s, s->held_flit);
        s->held = false;
    } else if (s->tx.there && before->tx_ready) {
        s->tx.there = false;
        s->held = s->tx.is.first && s->sent[s->tx.is.stack] == s->size.SHARE;
        if (s->held)
            s->held_flit = s->tx.is;
        else
            send(s, s->tx.is);
    }
    if (freed < STACKS)
        s->sent[freed]--;
    if (was_shown(s, a) && in->ack_ready) {
        if (a->v[0].last) {
            s->where[a->v[0].warp] = WRITTEN;
            s->back[s->n_back++] = (int)a->v[0].warp;
        }
        drop(a);
    }
    if (comes) {
        put(s, a, s->come.is);
        s->come.there = false;
    }
    const char *flit = wrong ? wrong : check_flit(s, after);
    bool due = is_shown(a, s->base.now);
    if (flit)
        return flit;
    if (after->ack_valid != due)
        return stim_complain(&s->base,
                             "a flit of an acknowledgement is %sthere",
                             due ? "not " : "");
    if (due && memcmp(after->ack_data, a->v[0].data, sizeof a->v[0].data) != 0)
        return stim_complain(&s->base, "an acknowledgement is altered");
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct broker_stim *s = (struct broker_stim *)base;
    const struct broker_in *in = in_ports;
    const struct broker_out *before = before_ports, *after = after_ports;
    bool writing = s->writes_phase != IDLE;
    const char *wrong[] = {
        watch_asks(s, in, before, after),
        watch_go(s, in, before, after, writing),
        watch_reads(s, in, before, after),
        watch_writes(s, in, before, after),
        watch_packets(s, in, before, after),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (wrong[i])
            return wrong[i];
    if (after->drop_valid != (in->inval_valid || in->fenced) ||
        after->drop_all != after->drop_valid)
        return stim_complain(base, "the cache is %s",
                             after->drop_valid ? "told to drop lines"
                                               : "not told to drop lines");
    return NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct broker_stim *s = (const struct broker_stim *)base;
    text_printf(t, "stayed\t%" PRIu64 "\n", s->stayed);
    text_printf(t, "returned\t%" PRIu64 "\n", s->returned);
    text_printf(t, "flits\t%" PRIu64 "\n", s->flits);
    text_printf(t, "conditions\t%" PRIu64 "\n", s->values);
    text_printf(t, "rows\t%" PRIu64 "\n", s->rows);
    text_printf(t, "writes\t%" PRIu64 "\n", s->writes);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class broker_stim = {
    .size = sizeof(struct broker_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
