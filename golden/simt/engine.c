/* engine.c - the load-store engine: accesses in their order, a check each, then
 * requests, shared memory, exchange of lanes; and the answers of memory. */
#include "state.h"

#include "isa/alu.h"

#define each_lane(lane, set)                                                   \
    for (uint32_t rest_ = (set), lane;                                         \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true);               \
         rest_ &= rest_ - 1)

/* --- answers -------------------------------------------------------------- */

/* What a load makes of a word that it finds at an address. */
static uint32_t cut(const struct type *t, uint32_t word, int offset) {
    if (t->bytes == 4)
        return word;
    int width = 8 * t->bytes;
    uint32_t v = word >> 8 * (offset % 4) & (uint32_t)ones(width);
    return t->is_signed ? (uint32_t)bits_signed(v, width) : v;
}

static const struct request *answered(const struct simt *n,
                                      const struct simt_in *in) {
    if (!(in->rsp_valid & 1))
        return NULL;
    return &n->s.request[in->rsp_id & ones(n->l.ID_W)];
}

void simt_choose_engine(const struct simt *n, struct edge *e) {
    const struct request *r = answered(n, e->in);
    e->row_taken = r && r->has_ticket;
    if (r && e->in->rsp_fault & 1)
        e->fault[BY_RESPONSE] =
            (struct fault){.cause = FAULT_MEMORY,
                           .warp = r->warp,
                           .pc = r->pc,
                           .address = r->sector << n->l.SECTOR_W};
}

static void cover_order(struct simt *n, const struct request *r) {
    for (uint64_t rest = n->s.ids; rest; rest &= rest - 1)
        if (n->s.request[__builtin_ctzll(rest)].number < r->number) {
            hit_if(n, true, SIMT_COV_out_of_order);
            return;
        }
}

void simt_move_response(struct simt *n, struct edge *e) {
    const struct request *r = answered(n, e->in);
    if (!r)
        return;
    cover_order(n, r);
    n->s.ids &= ~bit((int)(e->in->rsp_id & ones(n->l.ID_W)));
    n->s.warp[r->warp].out--;
    simt_owes(n, r->warp);
    if (!r->has_ticket)
        return;
    struct ticket *t = &n->s.ticket[r->ticket];
    if (!--t->out && t->issued)
        n->s.complete |= bit(r->ticket);
    each_lane(lane, r->lanes) {
        int offset = t->offset[lane];
        uint32_t word = bits_lane(e->in->rsp_data, offset / 4);
        n->rows[r->ticket][lane] = cut(&t->type, word, offset);
    }
    hit_if(n, t->type.is_signed, SIMT_COV_sub_word);
}

/* --- requests ------------------------------------------------------------- */

static void put_data(struct simt *n, const struct buffer *b, uint32_t lane) {
    int offset = (int)(b->a[lane] & (uint32_t)(n->l.SECTOR - 1));
    int at = 8 * offset, width = 8 * b->type.bytes;
    uint64_t *word = &n->out.mem_data[at / 64];
    uint64_t strobe = ones(b->type.bytes) << offset;
    hit_if(n, n->out.mem_strobe & strobe, SIMT_COV_store_twice);
    n->out.mem_strobe |= strobe;
    *word = (*word & ~(ones(width) << at % 64)) | (b->c[lane] & ones(width))
                                                      << at % 64;
}

/* Lanes that go with the lowest one. */
static uint32_t same_sector(const struct simt *n, const struct buffer *b,
                            uint32_t todo) {
    uint32_t leader = b->a[__builtin_ctz(todo)] >> n->l.SECTOR_W;
    uint32_t lanes = 0;
    if (b->type.deed == ATOMIC || !n->l.MERGE)
        return todo & -todo;
    each_lane(lane, todo) lanes |=
        (uint32_t)(b->a[lane] >> n->l.SECTOR_W == leader) << lane;
    return lanes;
}

static void note_request(struct simt *n, struct buffer *b, int id,
                         uint32_t lanes) {
    struct core *s = &n->s;
    bool has = b->type.deed != STORE;
    s->ids |= bit(id);
    s->request[id] =
        (struct request){.warp = b->warp,
                         .has_ticket = has,
                         .ticket = b->ticket,
                         .pc = b->pc,
                         .lanes = lanes,
                         .sector = b->a[__builtin_ctz(lanes)] >> n->l.SECTOR_W,
                         .number = s->asked++};
    s->warp[b->warp].out++;
    simt_owes(n, b->warp);
    if (has)
        s->ticket[b->ticket].out++;
    each_lane(lane, has ? lanes : 0) s->ticket[b->ticket].offset[lane] =
        (uint8_t)(b->a[lane] & (uint32_t)(n->l.SECTOR - 1));
}

static void cover_request(struct simt *n, struct buffer *b, uint32_t lanes) {
    int active = __builtin_popcount(b->active);
    b->requests++;
    hit_if(n, lanes & (lanes - 1), SIMT_COV_coalesced);
    hit_if(n,
           b->type.deed != ATOMIC && active == n->l.LANES &&
               b->requests == active,
           SIMT_COV_scattered);
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    each_lane(lane, b->type.deed == ATOMIC ? n->s.engine.todo & ~lanes : 0)
        hit_if(n, b->a[lane] == b->a[first], SIMT_COV_atomic_same);
}

/* With loads shown: the first request of one, while nothing stands. */
static void show_load(struct simt *n, const struct buffer *b) {
    struct simt_out *o = &n->out;
    if (b->requests || b->type.deed != LOAD || o->offer_valid)
        return;
    o->offer_valid = 1;
    o->offer_warp = b->warp;
    o->offer_pc = b->pc;
    o->offer_a = o->mem_address << n->l.SECTOR_W;
}

/* True if one was made. */
static bool request(struct simt *n, struct buffer *b, bool was_valid) {
    struct core *s = &n->s;
    struct engine *g = &s->engine;
    struct simt_out *o = &n->out;
    if (was_valid)
        return false;
    if (s->ids == ones(n->l.REQUESTS)) {
        hit_if(n, true, SIMT_COV_no_id);
        return false;
    }
    uint32_t lanes = same_sector(n, b, g->todo);
    int id = __builtin_ctzll(~s->ids);
    o->mem_valid = 1;
    o->mem_op = b->type.mem_op;
    o->mem_id = (uint64_t)id;
    o->mem_address = b->a[__builtin_ctz(lanes)] >> n->l.SECTOR_W;
    if (b->type.deed != LOAD)
        each_lane(lane, lanes) put_data(n, b, lane);
    if (b->type.op == ISA_atg_cas)
        o->mem_compare = b->b[__builtin_ctz(lanes)];
    o->count_request = 1;
    if (n->l.SHOWS)
        show_load(n, b);
    cover_request(n, b, lanes);
    note_request(n, b, id, lanes);
    g->todo &= ~lanes;
    return true;
}

/* --- shared memory -------------------------------------------------------- */

static uint32_t pass_lanes(const struct simt *n, int pass) {
    return (uint32_t)ones(n->l.ALUS) << pass * n->l.ALUS;
}

static uint32_t *shared_word(struct simt *n, const struct buffer *b,
                             uint32_t lane) {
    uint32_t base = n->s.warp[b->warp].slot * (n->launch[REG_SHARED] / 4);
    return &n->shared[(base + (b->a[lane] >> 2)) & (uint32_t)(n->l.SHARED - 1)];
}

/* Of the pass with the lowest lane to do: the winners of its banks. */
static uint32_t winners(const struct simt *n, const struct buffer *b,
                        uint32_t candidates) {
    uint32_t banks = 0, set = 0;
    each_lane(lane, candidates) {
        uint32_t bank = b->a[lane] >> 2 & (uint32_t)(n->l.ALUS - 1);
        if (!(banks >> bank & 1))
            set |= 1u << lane;
        banks |= 1u << bank;
    }
    return set;
}

static uint32_t lowest_pass(const struct simt *n) {
    uint32_t todo = n->s.engine.todo;
    return todo & pass_lanes(n, __builtin_ctz(todo) / n->l.ALUS);
}

/* Lanes are done; conflict if others of their pass are not. */
static void shared_done(struct simt *n, uint32_t candidates, uint32_t lanes) {
    bool conflict = candidates & ~lanes;
    n->s.engine.todo &= ~lanes;
    n->out.count_conflict = conflict;
    hit_if(n, conflict, SIMT_COV_bank_conflict);
}

static void pick_words(struct simt *n, const struct buffer *b) {
    struct engine *g = &n->s.engine;
    uint32_t candidates = lowest_pass(n), won = winners(n, b, candidates);
    uint32_t lanes = won;
    each_lane(first, won) {
        uint32_t word = b->a[first] >> 2;
        for (uint32_t rest = candidates & ~won; rest; rest &= rest - 1)
            if (b->a[__builtin_ctz(rest)] >> 2 == word)
                lanes |= rest & -rest;
    }
    each_lane(lane, lanes) g->word[lane] = *shared_word(n, b, lane);
    g->picked = lanes;
    hit_if(n, lanes != won, SIMT_COV_bank_same);
    shared_done(n, candidates, lanes);
}

/* True at its end. */
static bool shared_load(struct simt *n, const struct buffer *b) {
    struct engine *g = &n->s.engine;
    bool wrote = g->picked;
    each_lane(lane, g->picked) n->rows[b->ticket][lane] =
        cut(&b->type, g->word[lane], (int)(b->a[lane] & 3));
    hit_if(n, g->picked && b->type.is_signed, SIMT_COV_sub_word);
    g->picked = 0;
    if (g->todo)
        pick_words(n, b);
    return wrote && !g->picked;
}

static bool shared_store(struct simt *n, const struct buffer *b) {
    uint32_t candidates = lowest_pass(n), lanes = winners(n, b, candidates);
    each_lane(lane, lanes) {
        int at = 8 * (int)(b->a[lane] & 3);
        uint32_t mask = (uint32_t)ones(8 * b->type.bytes) << at;
        uint32_t *word = shared_word(n, b, lane);
        *word = (*word & ~mask) | (b->c[lane] << at & mask);
    }
    shared_done(n, candidates, lanes);
    return !n->s.engine.todo;
}

static bool shared_atomic(struct simt *n, const struct buffer *b) {
    struct engine *g = &n->s.engine;
    uint32_t lane = (uint32_t)__builtin_ctz(g->todo);
    uint32_t *word = shared_word(n, b, lane);
    g->second = !g->second;
    if (g->second) {
        g->word[lane] = *word;
        return false;
    }
    n->rows[b->ticket][lane] = g->word[lane];
    *word = alu_atomic(b->type.op, g->word[lane], b->b[lane], b->c[lane]);
    each_lane(other, g->todo & ~(1u << lane))
        hit_if(n, b->a[other] == b->a[lane], SIMT_COV_atomic_same);
    hit_if(n, true, SIMT_COV_atomic_shared);
    bool conflict = lowest_pass(n) & ~(1u << lane);
    n->out.count_conflict = conflict;
    g->todo &= ~(1u << lane);
    return !g->todo;
}

/* --- between lanes -------------------------------------------------------- */

/* The lane whose value a lane of a shfl gets: PTX's rules. */
static int source_lane(const struct simt *n, const struct buffer *b, int lane) {
    int all = n->l.LANES - 1;
    int delta = (int)b->b[lane] & all, clamp = (int)b->c[lane] & all;
    int segment = (int)(b->c[lane] >> 8) & all;
    int low = lane & segment, limit = low | (clamp & ~segment);
    int from;
    switch (b->type.op) {
    case ISA_shfl_up:
        from = lane - delta;
        return from >= limit ? from : lane;
    case ISA_shfl_down:
        from = lane + delta;
        break;
    case ISA_shfl_bfly:
        from = lane ^ delta;
        break;
    default:
        from = low | (delta & ~segment);
        break;
    }
    return from <= limit ? from : lane;
}

static uint32_t crossed(const struct simt *n, const struct buffer *b,
                        uint32_t lane) {
    int from = source_lane(n, b, (int)lane);
    return b->active >> from & 1 ? b->a[from] : 0;
}

static uint32_t ballot(const struct buffer *b) {
    uint32_t set = 0;
    each_lane(lane, b->active) set |= b->c[lane] << lane;
    return set;
}

static bool cross(struct simt *n, const struct buffer *b) {
    struct engine *g = &n->s.engine;
    uint32_t lanes = b->active & pass_lanes(n, g->pass);
    uint32_t votes = b->type.deed == VOTE ? ballot(b) : 0;
    each_lane(lane, lanes) n->rows[b->ticket][lane] =
        b->type.deed == VOTE ? votes : crossed(n, b, lane);
    hit_if(n, b->type.deed == SHUFFLE, SIMT_COV_cross);
    g->pass++;
    g->todo &= ~lanes;
    return !g->todo;
}

/* --- an access ------------------------------------------------------------ */

static enum cause lane_fault(const struct simt *n, const struct buffer *b,
                             uint32_t at) {
    if (at & (b->type.bytes - 1u))
        return FAULT_MISALIGNED;
    if (b->type.space == SHARED)
        return at >= n->launch[REG_SHARED] ? FAULT_UNMAPPED : FAULT_NONE;
    uint32_t end = n->launch[REG_UNMAPPED];
    return at < 256 || (end && at >= end) ? FAULT_UNMAPPED : FAULT_NONE;
}

/* True if there is a lane to do. */
static bool check(struct simt *n, struct edge *e, const struct buffer *b) {
    struct engine *g = &n->s.engine;
    if (b->type.space != CROSS)
        each_lane(lane, b->active) {
            enum cause cause = lane_fault(n, b, b->a[lane]);
            if (!cause)
                continue;
            e->fault[BY_ENGINE] = (struct fault){.cause = (uint8_t)cause,
                                                 .warp = b->warp,
                                                 .pc = b->pc,
                                                 .address = b->a[lane]};
            return true;
        }
    if (b->type.deed != STORE)
        n->s.ticket[b->ticket].active = b->active;
    g->busy = true;
    g->todo = b->active;
    g->pass = 0;
    g->picked = 0;
    g->second = false;
    hit_if(n, !b->active, SIMT_COV_no_lanes);
    return b->active;
}

void simt_end_access(struct simt *n, struct edge *e, struct buffer *b) {
    struct core *s = &n->s;
    b->used = b->full = false;
    s->engine.busy = false;
    s->engine.older = (uint8_t)((s->engine.older + 1) % n->l.BUFFERS);
    s->warp[b->warp].acc--;
    simt_owes(n, b->warp);
    if (!b->offer && b->type.deed != STORE) {
        struct ticket *t = &s->ticket[b->ticket];
        t->issued = true;
        if (!t->out)
            s->complete |= bit(b->ticket);
    }
    e->freed = true;
}

/* The engine would write a row on this edge. */
static bool writes_row(const struct engine *g, const struct buffer *b) {
    switch (b->type.space) {
    case SHARED:
        return g->picked || g->second;
    case CROSS:
        return true;
    default:
        return false;
    }
}

/* True at its end. */
static bool work(struct simt *n, struct edge *e, struct buffer *b,
                 bool was_valid) {
    if ((e->row_taken || e->puts) && writes_row(&n->s.engine, b)) {
        hit_if(n, e->row_taken, SIMT_COV_row_taken);
        return false;
    }
    switch (b->type.space) {
    case GLOBAL:
        return request(n, b, was_valid) && !n->s.engine.todo;
    case CROSS:
        return cross(n, b);
    default:
        break;
    }
    return b->type.deed == LOAD    ? shared_load(n, b)
           : b->type.deed == STORE ? shared_store(n, b)
                                   : shared_atomic(n, b);
}

/* The request register; true if it holds on to what it has. */
static bool move_register(struct simt *n, const struct edge *e) {
    struct simt_out *o = &n->out;
    if (!o->mem_valid)
        return false;
    if (!(e->in->mem_ready & 1)) {
        hit_if(n, true, SIMT_COV_mem_refused);
        return true;
    }
    o->mem_valid = 0;
    o->mem_op = 0;
    o->mem_id = 0;
    o->mem_address = 0;
    o->mem_strobe = 0;
    o->mem_compare = 0;
    memset(o->mem_data, 0, sizeof o->mem_data);
    return false;
}

void simt_move_engine(struct simt *n, struct edge *e) {
    struct core *s = &n->s;
    bool held = move_register(n, e);
    if (n->l.OFFERS || n->l.SHOWS)
        simt_move_offer(n, e);
    struct buffer *b = &s->buffer[s->engine.older];
    if (s->state == CORE_FAULTED)
        return;
    if (b->full && b->offer) {
        simt_offer(n, e, b);
    } else if (s->engine.busy) {
        if (work(n, e, b, held))
            simt_end_access(n, e, b);
    } else if (b->full) {
        if (!check(n, e, b))
            simt_end_access(n, e, b);
    }
}
