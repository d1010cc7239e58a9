/* lsu_rmw.c - golden model of the read-modify-write unit of the base die.
 *
 * Written from docs/blocks/lsu_rmw.md.  The ask that is under way keeps its
 * operands and its results apart; a sector is its bytes.
 */
#include "lsu_rmw.h"

#include "base/bits.h"
#include "blocks/lsu_rmw.h"
#include "frame/model.h"

#include <string.h>

enum { MAX_LANES = 32, MAX_BYTES = 32, WORD_BYTES = 4, ROW_WORDS = 16 };

enum state { IDLE, PICK, AWAY, LOAD, COME, EACH, STORE, KEPT, ROW };

struct ask {
    int op, bytes; /* of a load or store: how many */
    bool extend, result;
    uint64_t warp, reg, mask;
    uint32_t address[MAX_LANES], data[MAX_LANES], compare[MAX_LANES];
};

/* A row that is shown. */
struct row {
    uint64_t warp, reg, mask;
    uint64_t data[ROW_WORDS];
};

struct lsu_rmw {
    struct golden base;
    struct lsu_rmw_local l;
    enum state state;
    struct ask ask;
    uint64_t left;
    uint64_t owed; /* lanes whose request has gone to another core */
    uint32_t row[MAX_LANES];
    bool fault, bad;
    uint64_t sector; /* of the whole memory */
    uint8_t byte[MAX_BYTES];
    uint64_t changed; /* words of it */
    int count;        /* accesses that the hybrid unit has */
    bool last;        /* the last one that was chosen was an ask */
    bool own_row;     /* the row that is shown is an own one */
    bool own_first;   /* of two rows */
    int sectors;      /* that were loaded, for covers */
    struct lsu_rmw_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct lsu_rmw *)g)->l = lsu_rmw_local(c);
}

static void reset(struct golden *g) {
    struct lsu_rmw *n = (struct lsu_rmw *)g;

    n->state = IDLE;
    n->last = n->own_row = n->own_first = false;
    n->count = 0;
    n->out.tx_ready = 1;
}

/* --- addresses, of bytes -------------------------------------------------- */

static uint64_t core_of(const struct lsu_rmw *n, uint64_t byte) {
    return byte / (uint64_t)n->l.CHUNK % (uint64_t)n->l.CORES;
}

static uint64_t at_its_core(const struct lsu_rmw *n, uint64_t byte) {
    uint64_t chunk = (uint64_t)n->l.CHUNK;

    return byte / (chunk * (uint64_t)n->l.CORES) * chunk + byte % chunk;
}

static uint64_t unit_of(const struct lsu_rmw *n, uint64_t at) {
    return at / (uint64_t)n->l.LINE % (uint64_t)n->l.UNITS;
}

static uint64_t sector_of(const struct lsu_rmw *n, int lane) {
    return n->ask.address[lane] / (uint64_t)n->l.SECTOR;
}

/* --- a lane on a word ----------------------------------------------------- */

static uint32_t read_bytes(const uint8_t *b, int bytes) {
    uint32_t v = 0;

    for (int i = bytes - 1; i >= 0; i--)
        v = v << 8 | b[i];
    return v;
}

static void write_bytes(uint8_t *b, int bytes, uint32_t v) {
    for (int i = 0; i < bytes; i++)
        b[i] = (uint8_t)(v >> (8 * i));
}

/* Whether the word becomes *to, which is the lane's operand. */
static bool becomes(struct lsu_rmw *n, int op, uint32_t old, uint32_t compare,
                    uint32_t *to) {
    uint32_t d = *to;

    hit_if(n, op == LSU_RMW_ADD, LSU_RMW_COV_atomic_add);
    hit_if(n, op == LSU_RMW_MINS, LSU_RMW_COV_atomic_mins);
    hit_if(n, op == LSU_RMW_MAXS, LSU_RMW_COV_atomic_maxs);
    hit_if(n, op == LSU_RMW_MINU, LSU_RMW_COV_atomic_minu);
    hit_if(n, op == LSU_RMW_MAXU, LSU_RMW_COV_atomic_maxu);
    hit_if(n, op >= LSU_RMW_AND && op <= LSU_RMW_XOR, LSU_RMW_COV_atomic_logic);
    hit_if(n, op == LSU_RMW_EXCH, LSU_RMW_COV_atomic_exch);
    switch (op) {
    case LSU_RMW_ADD:
        *to = old + d;
        return true;
    case LSU_RMW_MINS:
        return (int32_t)old >= (int32_t)d;
    case LSU_RMW_MAXS:
        return (int32_t)old < (int32_t)d;
    case LSU_RMW_MINU:
        return old >= d;
    case LSU_RMW_MAXU:
        return old < d;
    case LSU_RMW_AND:
        *to = old & d;
        return true;
    case LSU_RMW_OR:
        *to = old | d;
        return true;
    case LSU_RMW_XOR:
        *to = old ^ d;
        return true;
    case LSU_RMW_EXCH:
        return true;
    default:
        hit_if(n, old == compare, LSU_RMW_COV_cas_same);
        hit_if(n, old != compare, LSU_RMW_COV_cas_other);
        return old == compare;
    }
}

static uint32_t load(struct lsu_rmw *n, const uint8_t *b) {
    int bits = 8 * n->ask.bytes;
    uint32_t v = read_bytes(b, n->ask.bytes);
    bool negative = n->ask.extend && v >> (bits - 1) & 1;

    hit_if(n, bits == 8, LSU_RMW_COV_load_byte);
    hit_if(n, bits == 16, LSU_RMW_COV_load_half);
    hit_if(n, bits == 32, LSU_RMW_COV_load_word);
    hit_if(n, bits < 32 && negative, LSU_RMW_COV_sign);
    return negative ? (uint32_t)(v | ~ones(bits)) : v;
}

static void carry_out(struct lsu_rmw *n, int lane) {
    const struct ask *a = &n->ask;
    int in = (int)(a->address[lane] % (uint64_t)n->l.SECTOR);
    uint64_t word = bit(in / WORD_BYTES);
    uint8_t *whole = n->byte + in / WORD_BYTES * WORD_BYTES;
    uint32_t old = read_bytes(whole, WORD_BYTES), to = a->data[lane];

    n->row[lane] = 0;
    if (n->bad)
        return;
    hit_if(n, n->changed & word, LSU_RMW_COV_chain);
    if (a->op == LSU_RMW_LOAD) {
        n->row[lane] = load(n, n->byte + in / a->bytes * a->bytes);
        return;
    }
    n->row[lane] = old;
    if (a->op == LSU_RMW_STORE) {
        hit_if(n, a->bytes == 1, LSU_RMW_COV_store_byte);
        hit_if(n, a->bytes == 2, LSU_RMW_COV_store_half);
        hit_if(n, a->bytes == 4, LSU_RMW_COV_store_word);
        write_bytes(n->byte + in / a->bytes * a->bytes, a->bytes, to);
    } else if (becomes(n, a->op, old, a->compare[lane], &to)) {
        write_bytes(whole, WORD_BYTES, to);
    } else {
        return;
    }
    n->changed |= word;
}

/* --- the gate ------------------------------------------------------------- */

static void gate(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    struct lsu_rmw_out *o = &n->out;
    bool done = in->done_valid & 1, ask = in->ask_valid & 1;
    bool access = in->access_valid & 1;
    bool free = n->state == IDLE && !o->hybrid_valid && !o->access_ready &&
                !o->ask_ready;
    bool none = n->count == 0 || (n->count == 1 && done);
    bool goes = o->hybrid_valid && in->hybrid_ready & 1;
    bool busy = o->down_valid;

    hit_if(n, o->hybrid_valid && !goes, LSU_RMW_COV_hybrid_held);
    hit_if(n, free && ask && access, LSU_RMW_COV_both);
    hit_if(n, free && ask && access && n->last, LSU_RMW_COV_ask_again);
    o->ask_ready = o->access_ready = 0;
    if (free && ask && (!access || !n->last)) {
        hit_if(n, none && busy, LSU_RMW_COV_message_first);
        if (none && !busy) {
            o->ask_ready = 1;
            n->last = true;
            hit_if(n, done, LSU_RMW_COV_at_once);
        }
    } else if (free && access) {
        o->hybrid_valid = 1;
        n->last = false;
        hit_if(n, done, LSU_RMW_COV_at_once);
    }
    if (goes) {
        o->hybrid_valid = 0;
        o->access_ready = 1;
    }
    n->count += goes - done;
}

/* --- an own access -------------------------------------------------------- */

static void take(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    static const int bytes[] = {1, 2, 4, 4};
    struct ask *a = &n->ask;

    a->op = (int)(in->ask_op & 15);
    a->bytes = bytes[in->ask_size & 3];
    a->extend = in->ask_signed & 1;
    a->warp = in->ask_warp & ones(n->l.WARP_W);
    a->reg = in->ask_reg & ones(n->l.REG_W);
    a->result = in->ask_result & 1;
    a->mask = in->ask_mask & ones(n->l.LANES);
    for (int i = 0; i < n->l.LANES; i++) {
        a->address[i] = bits_lane(in->ask_address, i);
        a->data[i] = bits_lane(in->ask_data, i);
        a->compare[i] = bits_lane(in->ask_compare, i);
    }
    n->left = a->mask;
    n->owed = 0;
    memset(n->row, 0, sizeof n->row);
    n->fault = n->bad = false;
    n->sectors = 0;
    n->state = PICK;
    hit_if(n, !a->mask, LSU_RMW_COV_nobody);
    hit_if(n, a->op > LSU_RMW_STORE && !a->result && a->mask,
           LSU_RMW_COV_no_result);
}

static int lowest(uint64_t set) {
    int i = 0;

    while (!(set >> i & 1))
        i++;
    return i;
}

static void end(struct lsu_rmw *n) {
    n->state = IDLE;
    n->out.ended_valid = 1;
    n->out.ended_warp = n->ask.warp;
    n->out.ended_fault = n->fault;
}

static uint64_t group(const struct lsu_rmw *n) {
    uint64_t lanes = 0;

    for (int i = 0; i < n->l.LANES; i++)
        if (n->left >> i & 1 && sector_of(n, i) == n->sector)
            lanes |= bit(i);
    return lanes;
}

/* Lanes that are left and whose words are other cores'. */
static uint64_t elsewhere(const struct lsu_rmw *n, uint64_t core) {
    uint64_t lanes = 0;

    for (int i = 0; i < n->l.LANES; i++)
        if (n->left >> i & 1 && core_of(n, n->ask.address[i]) != core)
            lanes |= bit(i);
    return lanes;
}

static void pick(struct lsu_rmw *n, uint64_t core) {
    const struct ask *a = &n->ask;

    if (elsewhere(n, core)) {
        n->state = AWAY;
        hit_if(n, true, LSU_RMW_COV_remote);
        return;
    }
    if (!n->left) {
        hit_if(n, a->mask && n->sectors == 0, LSU_RMW_COV_remote_all);
        hit_if(n, n->sectors == n->l.LANES, LSU_RMW_COV_each_alone);
        if (a->result && a->op != LSU_RMW_STORE && a->mask)
            n->state = ROW;
        else
            end(n);
        return;
    }
    n->sector = sector_of(n, lowest(n->left));
    n->changed = 0;
    n->sectors++;
    n->state = LOAD;
    hit_if(n, group(n) == ones(n->l.LANES), LSU_RMW_COV_one_for_all);
}

/* What a lane gets of the sector that another core has answered. */
static void result_of(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    const struct ask *a = &n->ask;
    int lane = (int)(in->answer_id & ones(n->l.LANE_W));
    int at = (int)(a->address[lane] % (uint64_t)n->l.SECTOR);
    uint8_t word[WORD_BYTES];

    n->owed &= ~bit(lane);
    if (in->answer_fault & 1) {
        n->fault = true;
        n->row[lane] = 0;
        hit_if(n, true, LSU_RMW_COV_remote_fault);
        return;
    }
    write_bytes(word, WORD_BYTES, bits_lane(in->answer_data, at / WORD_BYTES));
    n->row[lane] = a->op == LSU_RMW_LOAD
                       ? load(n, word + at % WORD_BYTES / a->bytes * a->bytes)
                       : read_bytes(word, WORD_BYTES);
}

static void go_away(struct lsu_rmw *n, const struct lsu_rmw_in *in,
                    bool away_taken) {
    uint64_t lanes = elsewhere(n, in->at_core & ones(n->l.CORE_W));

    if (!lanes && !n->owed) {
        n->state = PICK;
        return;
    }
    if (in->answer_valid & 1)
        result_of(n, in);
    if (away_taken) {
        n->left &= ~bit(lowest(lanes));
        n->owed |= bit(lowest(lanes));
    }
    hit_if(n, n->owed & (n->owed - 1), LSU_RMW_COV_remote_many);
}

static void come(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    for (int i = 0; i < n->l.WORDS; i++)
        write_bytes(n->byte + WORD_BYTES * i, WORD_BYTES,
                    bits_lane(in->answer_data, i));
    n->bad = in->answer_fault & 1;
    n->fault |= n->bad;
    n->state = EACH;
    hit_if(n, n->bad, LSU_RMW_COV_load_fault);
}

static void act(struct lsu_rmw *n) {
    uint64_t lanes = group(n);

    if (lanes) {
        carry_out(n, lowest(lanes));
        n->left &= ~bit(lowest(lanes));
        return;
    }
    n->state = n->changed ? STORE : PICK;
    hit_if(n, !n->changed && !n->bad && n->ask.op > LSU_RMW_STORE,
           LSU_RMW_COV_kept);
}

/* --- what is shown -------------------------------------------------------- */

static void show_nothing(struct lsu_rmw_out *o) {
    o->down_valid = o->down_near = o->down_store = o->down_unit = 0;
    o->down_warp = o->down_reg = o->down_id = o->down_address = 0;
    o->down_strobe = 0;
    memset(o->down_data, 0, sizeof o->down_data);
}

static void show_own(struct lsu_rmw *n, bool store) {
    struct lsu_rmw_out *o = &n->out;
    uint64_t at = at_its_core(n, n->sector * (uint64_t)n->l.SECTOR);

    o->down_valid = 1;
    o->down_store = store;
    o->down_unit = unit_of(n, at);
    o->down_address = at / WORD_BYTES;
    if (!store)
        return;
    o->down_strobe = n->changed;
    for (int i = 0; i < n->l.WORDS; i++)
        if (n->changed >> i & 1)
            bits_set_lane(o->down_data, i,
                          read_bytes(n->byte + WORD_BYTES * i, WORD_BYTES));
}

static void show_passing(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    struct lsu_rmw_out *o = &n->out;

    o->down_valid = 1;
    o->down_near = in->tx_near & 1;
    o->down_store = in->tx_store & 1;
    o->down_unit = in->tx_unit & ones(n->l.UNIT_W);
    o->down_warp = in->tx_warp & ones(n->l.WARP_W);
    o->down_reg = in->tx_reg & ones(n->l.REG_W);
    o->down_id = in->tx_id & ones(n->l.LANE_W);
    o->down_address = in->tx_address & ones(n->l.AT_W);
    o->down_strobe = in->tx_strobe & ones(n->l.WORDS);
    for (int i = 0; i < n->l.WORDS; i++)
        bits_set_lane(o->down_data, i, bits_lane(in->tx_data, i));
}

/* The request of the lowest lane whose word is another core's. */
static void show_away(struct lsu_rmw *n, uint64_t core) {
    struct lsu_rmw_out *o = &n->out;
    const struct ask *a = &n->ask;
    uint8_t data[MAX_BYTES] = {0};
    uint64_t lanes = n->state == AWAY ? elsewhere(n, core) : 0;

    o->away_valid = o->away_op = o->away_id = o->away_address = 0;
    o->away_strobe = o->away_compare = 0;
    if (lanes) {
        int lane = lowest(lanes);
        int bytes = a->op == LSU_RMW_LOAD    ? 0
                    : a->op == LSU_RMW_STORE ? a->bytes
                                             : WORD_BYTES;
        int at = (int)(a->address[lane] % (uint64_t)n->l.SECTOR);

        o->away_valid = 1;
        o->away_op = (uint64_t)a->op;
        o->away_id = (uint64_t)lane;
        o->away_address = sector_of(n, lane);
        if (bytes > 0) {
            at = at / bytes * bytes;
            o->away_strobe = ones(bytes) << at;
            write_bytes(data + at, bytes, a->data[lane]);
        }
        if (a->op == LSU_RMW_CAS)
            o->away_compare = a->compare[lane];
    }
    for (int i = 0; i < n->l.WORDS; i++)
        bits_set_lane(o->away_data, i,
                      read_bytes(data + WORD_BYTES * i, WORD_BYTES));
}

static void pass_answer(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    struct lsu_rmw_out *o = &n->out;
    bool passes = in->answer_valid & 1 && n->state == IDLE;

    o->back_valid = passes;
    o->back_id = passes ? in->answer_id & ones(n->l.LANE_W) : 0;
    o->back_fault = passes && in->answer_fault & 1;
    for (int i = 0; i < n->l.WORDS; i++)
        bits_set_lane(o->back_data, i,
                      passes ? bits_lane(in->answer_data, i) : 0);
}

static void pass_end(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    struct lsu_rmw_out *o = &n->out;
    bool passes = in->done_valid & 1;

    o->ended_valid = passes;
    o->ended_warp = passes ? in->done_warp & ones(n->l.WARP_W) : 0;
    o->ended_near = passes && in->done_near & 1;
    o->ended_fault = passes && in->done_fault & 1;
}

static void show_row(struct lsu_rmw *n, const struct row *r) {
    struct lsu_rmw_out *o = &n->out;

    o->row_valid = 1;
    o->row_warp = r->warp & ones(n->l.WARP_W);
    o->row_reg = r->reg & ones(n->l.REG_W);
    o->row_mask = r->mask & ones(n->l.LANES);
    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(o->row_row, i, bits_lane(r->data, i));
}

/* Whether the row of the access was taken. */
static bool rows(struct lsu_rmw *n, const struct lsu_rmw_in *in) {
    struct lsu_rmw_out *o = &n->out;
    bool wants = n->state == ROW;
    bool comes = (in->init_valid & 1) && !o->init_ready;
    struct row r;

    o->init_ready = 0;
    hit_if(n, o->row_valid && !(in->row_ready & 1), LSU_RMW_COV_row_held);
    hit_if(n, o->row_valid && n->own_row && comes, LSU_RMW_COV_init_waits);
    hit_if(n, o->row_valid && !n->own_row && wants, LSU_RMW_COV_row_waits);
    if (o->row_valid) {
        if (!(in->row_ready & 1))
            return false;
        o->row_valid = o->row_warp = o->row_reg = o->row_mask = 0;
        memset(o->row_row, 0, sizeof o->row_row);
        o->init_ready = !n->own_row;
        return n->own_row;
    }
    hit_if(n, wants && comes, LSU_RMW_COV_rows_meet);
    if (comes && !(wants && n->own_first)) {
        r = (struct row){in->init_warp, in->init_reg, in->init_mask, {0}};
        memcpy(r.data, in->init_row, sizeof in->init_row);
        n->own_row = false;
    } else if (wants) {
        r = (struct row){n->ask.warp, n->ask.reg, n->ask.mask, {0}};
        for (int i = 0; i < n->l.LANES; i++)
            bits_set_lane(r.data, i, n->row[i]);
        n->own_row = true;
    } else {
        return false;
    }
    show_row(n, &r);
    n->own_first = !n->own_row;
    return false;
}

/* --- edges ---------------------------------------------------------------- */

static void step(struct lsu_rmw *n, const struct lsu_rmw_in *in, bool taken,
                 bool away_taken, bool row_taken) {
    switch (n->state) {
    case IDLE:
        break;
    case PICK:
        pick(n, in->at_core & ones(n->l.CORE_W));
        break;
    case AWAY:
        go_away(n, in, away_taken);
        break;
    case LOAD:
        if (taken)
            n->state = COME;
        break;
    case COME:
        if (in->answer_valid & 1)
            come(n, in);
        break;
    case EACH:
        act(n);
        break;
    case STORE:
        if (taken)
            n->state = KEPT;
        break;
    case KEPT:
        if (in->answer_valid & 1) {
            hit_if(n, in->answer_fault & 1, LSU_RMW_COV_store_fault);
            n->fault |= in->answer_fault & 1;
            n->state = PICK;
        }
        break;
    case ROW:
        if (row_taken)
            end(n);
        break;
    }
}

static void edge(struct golden *g, const void *ports) {
    struct lsu_rmw *n = (struct lsu_rmw *)g;
    const struct lsu_rmw_in *in = ports;
    struct lsu_rmw_out *o = &n->out;
    enum state before = n->state;
    bool begins = o->ask_ready && in->ask_valid & 1;
    bool passes = o->tx_ready && in->tx_valid & 1;
    bool taken = o->down_valid && in->down_ready & 1;
    bool away_taken = o->away_valid && in->away_ready & 1;
    bool own = before == LOAD || before == STORE;

    hit_if(n, o->down_valid && !taken && own, LSU_RMW_COV_down_held);
    hit_if(n, o->down_valid && !taken && !own, LSU_RMW_COV_tx_held);
    hit_if(n, o->away_valid && !away_taken, LSU_RMW_COV_away_held);
    gate(n, in);
    pass_answer(n, in);
    pass_end(n, in);
    bool row_taken = rows(n, in);
    if (taken)
        show_nothing(o);
    step(n, in, taken, away_taken, row_taken);
    if (begins)
        take(n, in);
    if (passes)
        show_passing(n, in);
    if (n->state != before && (n->state == LOAD || n->state == STORE))
        show_own(n, n->state == STORE);
    show_away(n, in->at_core & ones(n->l.CORE_W));
    o->hold_stores =
        n->state >= LOAD && n->state <= STORE && n->ask.op != LSU_RMW_LOAD;
    o->tx_ready = n->state == IDLE && !o->down_valid;
}

const struct golden_class lsu_rmw_golden = {
    .iface = &lsu_rmw_iface,
    MODEL_STRUCT(struct lsu_rmw),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
