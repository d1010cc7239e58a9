/* stim.c - stimulus of what runs blocks of other cores on a stack's core: packets of
 * all nodes, the core with all registers of its warps, and the mesh.
 *
 * Blocks begin in the lowest free slot, change their registers, and end in any order.
 * What must be at each output after each edge is known here from the note: every pass
 * of a register, where a block begins, and every flit of its acknowledgement, bit by
 * bit.  Tables are loaded now and then while no block is here.
 *
 * random    phases with other rates, numbers of registers and patience
 * directed  blocks without registers, with many, all slots full, held up
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/jobs.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum {
    SLOTS = 64,
    ENTRIES = 256,
    LANES = 32,
    NUMBERS = 64 + 8, /* registers, then predicates */
    SET_WORDS = 2,
    ROW_WORDS = 16,
    FLIT_WORDS = 4,
    ENTRY_WORDS = 8,
    MARK = 12,
    MARK_BITS = 4,
    LINES_BITS = 8
};

/* What the surroundings are like for a while; percent of the edges, but live. */
struct tune {
    int come, over, seen; /* a flit, the end of a block, a pass of a register */
    int live;             /* most registers of a block, each way */
    int fenced;
    int high, low; /* longest times that something is taken, and not */
};

/* What the table says of a candidate. */
struct entry {
    bool loaded, stores;
    uint64_t in[SET_WORDS], out[SET_WORDS];
};

/* A block, from its header on. */
struct block {
    uint64_t node, warp, index, begin, end, mask;
};

enum slot { FREE, RUNS, ENDS }; /* ENDS: the core says so, or has said it */

enum come { HEAD, LOOK, NEXT, ROW, PUT, SETTLE, START };

enum done { IDLE, D_LOOK, D_HEAD, D_NEXT, ASK, WAIT, D_ROW, LINE };

struct jobs_stim {
    struct stim base;
    struct jobs_local size;
    struct tune tune;
    int left;    /* edges of this phase */
    int reloads; /* entries to be loaded before the next packet begins */
    struct entry entry[ENTRIES];

    /* the packet that the mesh has */
    bool sending; /* it has begun */
    struct block packet;
    uint64_t packet_left[SET_WORDS];
    int packet_piece; /* the next one of its row, 0: the next is a new row */
    bool flit_there, flit_last;
    uint64_t flit[FLIT_WORDS];

    /* the block that comes */
    enum come come;
    struct block block;
    int slot, number, pass, piece;
    uint64_t left_in[SET_WORDS], row[ROW_WORDS];

    enum slot state[SLOTS];
    struct block of[SLOTS];
    uint32_t file[SLOTS][NUMBERS][LANES];

    /* the one that is done */
    enum done done;
    bool over_there;
    int over, result, sent_piece, seen_pass;
    uint64_t left_out[SET_WORDS];
    bool line; /* a line is to be sent */
    bool sees; /* the core reads: */
    uint64_t sees_warp;
    int sees_number;

    struct toggle put_ready, look_ready, send_ready;
    uint64_t blocks, registers, results;
};

/* --- sets of registers ---------------------------------------------------- */

static bool is_empty(const uint64_t *set) {
    return (set[0] | set[1]) == 0;
}

/* Take the lowest out. */
static int take_lowest(uint64_t *set) {
    int n = 0;
    while (!bits_test(set, n))
        n++;
    bits_clear(set, n);
    return n;
}

/* Which of the file it is. */
static int of_file(const struct jobs_stim *s, int number) {
    return number < s->size.REGS ? number : 64 + number % 8;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 100, 0, 0, 1, 0}, /* without registers, */
        {100, 100, 100, 2, 5, 1, 0}, /* with a few, */
        {100, 0, 100, 1, 0, 1, 0},   /* until all slots are full, */
        {100, 100, 50, 9, 0, 1, 0},  /* with many */
        {60, 50, 60, 3, 20, 3, 6},   /* held up */
    };
    struct jobs_stim *s = (struct jobs_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 500 % (sizeof script / sizeof *script)];
    s->left = 499;
    s->reloads = 4;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 5};
    struct jobs_stim *s = (struct jobs_stim *)base;
    struct rng *r = &base->rng;
    struct tune *t = &s->tune;
    if (s->left-- > 0)
        return;
    t->come = rates[rng_below(r, 5)];
    t->over = rng_percent(r, 15) ? 0 : rates[rng_below(r, 5)];
    t->seen = rates[rng_below(r, 5)];
    t->live = rng_percent(r, 5) ? 2 * s->size.REGS : rng_range(r, 0, 5);
    t->fenced = rng_percent(r, 50) ? 0 : rng_range(r, 1, 40);
    t->high = rng_range(r, 1, 8);
    t->low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8);
    s->left = rng_range(r, 50, 600);
    if (rng_percent(r, 60))
        s->reloads = rng_range(r, 1, 6);
}

/* --- what goes in --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct jobs_stim *s = (struct jobs_stim *)base;
    s->size = jobs_local(c);
    s->reloads = 4;
    base->reset_every = 4000;
}

static void reset(struct stim *base) {
    struct jobs_stim *s = (struct jobs_stim *)base;
    s->come = HEAD;
    s->done = IDLE;
    s->sending = s->flit_there = s->over_there = s->sees = false;
    memset(s->state, 0, sizeof s->state);
}

static bool chance(struct jobs_stim *s, int percent) {
    return s->base.rst_left == 0 && rng_percent(&s->base.rng, percent);
}

static bool is_busy(const struct jobs_stim *s) {
    bool busy = s->come != HEAD;
    for (int i = 0; i < s->size.SLOTS; i++)
        busy |= s->state[i] != FREE;
    return busy;
}

static void any_data(struct jobs_stim *s, int bits, uint64_t *w, int words) {
    for (int i = 0; i < words; i++)
        w[i] = bits > 64 * i ? rng_next(&s->base.rng) & ones(bits - 64 * i) : 0;
}

static void any_set(struct jobs_stim *s, uint64_t *set) {
    int n = rng_range(&s->base.rng, 0, s->tune.live), all = 2 * s->size.REGS;
    set[0] = set[1] = 0;
    for (int i = 0; i < n; i++)
        bits_set(set,
                 n == all ? i : (int)rng_below(&s->base.rng, (uint32_t)all));
}

static void put_set(const uint64_t *set, int at, int bits, uint64_t *w) {
    for (int i = 0; i < bits; i++)
        if (bits_test(set, i))
            bits_set(w, at + i);
        else
            bits_clear(w, at + i);
}

static void drive_load(struct jobs_stim *s, struct jobs_in *in) {
    struct rng *r = &s->base.rng;
    int regs = 2 * s->size.REGS;
    in->load_valid = in->load_index = in->load_stores = 0;
    memset(in->load_entry, 0, sizeof in->load_entry);
    if (s->reloads == 0 || is_busy(s) || s->sending || !chance(s, 60))
        return;
    s->reloads--;
    in->load_valid = 1;
    in->load_index = rng_below(r, (uint32_t)s->size.ENTRIES);
    in->load_stores = rng_below(r, 2);
    struct entry *e = &s->entry[in->load_index];
    e->loaded = true;
    e->stores = in->load_stores;
    any_set(s, e->in);
    any_set(s, e->out);
    any_data(s, s->size.ENTRY_W, in->load_entry, ENTRY_WORDS);
    put_set(e->in, s->size.ENTRY_IN, regs, in->load_entry);
    put_set(e->out, s->size.ENTRY_IN + regs, regs, in->load_entry);
}

static void put_bits(uint64_t *w, int *at, int bits, uint64_t v) {
    bits_or(w, *at, bits, v);
    *at += bits;
}

/* The first flit of a packet, for an entry that was loaded. */
static bool begin_packet(struct jobs_stim *s) {
    struct rng *r = &s->base.rng;
    struct block *b = &s->packet;
    const struct jobs_local *z = &s->size;
    uint32_t first = rng_below(r, (uint32_t)z->ENTRIES), n = 0;
    int at = 0;

    while (n < (uint32_t)z->ENTRIES &&
           !s->entry[(first + n) % (uint32_t)z->ENTRIES].loaded)
        n++;
    if (n == (uint32_t)z->ENTRIES)
        return false;
    b->index = (first + n) % (uint32_t)z->ENTRIES;
    b->node = rng_below(r, (uint32_t)z->NODES);
    b->warp = rng_below(r, (uint32_t)z->WARPS);
    b->begin = rng_next(r) & ones(z->PC_W);
    b->end = rng_next(r) & ones(z->PC_W);
    b->mask = rng_next(r) & ones(z->THREADS);
    memcpy(s->packet_left, s->entry[b->index].in, sizeof s->packet_left);
    s->packet_piece = 0;
    s->sending = true;
    memset(s->flit, 0, sizeof s->flit);
    put_bits(s->flit, &at, MARK_BITS, MARK);
    put_bits(s->flit, &at, z->WARP_W, b->warp);
    put_bits(s->flit, &at, z->INDEX_W, b->index);
    put_bits(s->flit, &at, z->PC_W, b->begin);
    put_bits(s->flit, &at, z->PC_W, b->end);
    put_bits(s->flit, &at, z->THREADS, b->mask);
    put_bits(s->flit, &at, z->COUNT_W, rng_next(r) & ones(z->COUNT_W));
    at = MARK_BITS + z->PIECE_W;
    put_bits(s->flit, &at, z->NODE_W, b->node);
    return true;
}

static void drive_flit(struct jobs_stim *s, struct jobs_in *in) {
    if (!s->flit_there && chance(s, s->tune.come)) {
        if (s->sending) {
            if (s->packet_piece == 0)
                take_lowest(s->packet_left);
            s->packet_piece = (s->packet_piece + 1) % s->size.ROW_PIECES;
            any_data(s, MARK_BITS + s->size.PIECE_W, s->flit, FLIT_WORDS);
            s->flit[0] = (s->flit[0] & ~ones(MARK_BITS)) | MARK;
            s->flit_there = true;
        } else if (s->reloads == 0) {
            s->flit_there = begin_packet(s);
        }
        s->flit_last = s->packet_piece == 0 && is_empty(s->packet_left);
    }
    in->take_req_valid = s->flit_there;
    in->take_req_last = s->flit_there && s->flit_last;
    memset(in->take_req_data, 0, sizeof in->take_req_data);
    if (s->flit_there)
        memcpy(in->take_req_data, s->flit, sizeof s->flit);
}

/* A block ends, with other values in some of its registers. */
static void end_block(struct jobs_stim *s) {
    struct rng *r = &s->base.rng;
    int n = s->size.SLOTS, first = (int)rng_below(r, (uint32_t)n);
    for (int k = 0; k < n && !s->over_there; k++) {
        int slot = (first + k) % n;
        if (s->state[slot] != RUNS)
            continue;
        s->state[slot] = ENDS;
        s->over_there = true;
        s->over = slot;
        for (int i = 0; i < NUMBERS; i++)
            for (int lane = 0; lane < LANES && rng_percent(r, 50); lane++)
                s->file[slot][i][lane] =
                    (uint32_t)(rng_next(r) & (i < 64 ? ones(32) : 1));
    }
}

static void drive_core(struct jobs_stim *s, struct jobs_in *in) {
    int alus = s->size.ALUS;
    if (!s->over_there && s->done == IDLE && chance(s, s->tune.over))
        end_block(s);
    in->over_valid = s->over_there;
    in->over_warp = s->over_there ? (uint64_t)s->over : 0;
    memset(in->seen_data, 0, sizeof in->seen_data);
    in->seen_valid = s->sees && chance(s, s->tune.seen);
    in->seen_last = in->seen_valid && s->seen_pass == s->size.PASSES - 1;
    for (int i = 0; in->seen_valid && i < alus; i++)
        bits_set_lane(
            in->seen_data, i,
            s->file[s->sees_warp][s->sees_number][s->seen_pass * alus + i]);
    in->fenced = chance(s, s->tune.fenced);
}

static bool takes(struct jobs_stim *s, struct toggle *t) {
    return toggle_step(t, &s->base.rng, s->tune.high, s->tune.low);
}

static void drive(struct stim *base, void *ports) {
    struct jobs_stim *s = (struct jobs_stim *)base;
    struct jobs_in *in = ports;
    drive_load(s, in);
    drive_flit(s, in);
    drive_core(s, in);
    in->put_ready = takes(s, &s->put_ready);
    in->look_ready = takes(s, &s->look_ready);
    in->send_ans_ready = takes(s, &s->send_ready);
}

/* --- what must come out: blocks that come --------------------------------- */

static int lowest_free(const struct jobs_stim *s) {
    int slot = 0;
    while (slot < s->size.SLOTS && s->state[slot] != FREE)
        slot++;
    return slot < s->size.SLOTS ? slot : -1;
}

/* A pass gets to the core. */
static void write_pass(struct jobs_stim *s, const struct jobs_out *o) {
    int number = of_file(s, s->number), alus = s->size.ALUS;
    for (int i = 0; i < alus; i++) {
        int lane = s->pass * alus + i;
        if (s->block.mask >> lane & 1)
            s->file[s->slot][number][lane] = bits_lane(o->put_data, i);
    }
}

static void take_flit(struct jobs_stim *s) {
    s->flit_there = false;
    s->sending = !s->flit_last;
    if (s->come == HEAD) {
        s->block = s->packet;
        s->slot = lowest_free(s);
        s->come = LOOK;
        return;
    }
    for (int at = 0; at < s->size.PIECE_W; at += 32)
        bits_set_lane(s->row, (s->piece * s->size.PIECE_W + at) / 32,
                      (uint32_t)bits_get(s->flit, MARK_BITS + at, 32));
    if (++s->piece == s->size.ROW_PIECES) {
        s->pass = 0;
        s->come = PUT;
    }
}

/* One edge; true if the block begins on it. */
static bool step_come(struct jobs_stim *s, const struct jobs_in *in,
                      const struct jobs_out *before) {
    switch (s->come) {
    case HEAD:
    case ROW:
        if (s->flit_there && before->take_req_ready)
            take_flit(s);
        break;
    case LOOK:
        memcpy(s->left_in, s->entry[s->block.index].in, sizeof s->left_in);
        s->come = NEXT;
        break;
    case NEXT:
        s->come = is_empty(s->left_in) ? START : ROW;
        if (s->come == ROW)
            s->number = take_lowest(s->left_in);
        s->piece = 0;
        break;
    case PUT:
        if (!in->put_ready)
            break;
        write_pass(s, before);
        if (++s->pass == s->size.PASSES)
            s->come = SETTLE;
        break;
    case SETTLE:
        s->registers += in->put_ready;
        if (in->put_ready)
            s->come = NEXT;
        break;
    case START:
        s->come = HEAD;
        s->state[s->slot] = RUNS;
        s->of[s->slot] = s->block;
        s->blocks++;
        return true;
    }
    return false;
}

static const char *check_put(struct jobs_stim *s, const struct jobs_out *o) {
    uint64_t row[ROW_WORDS] = {0};
    int number = of_file(s, s->number), alus = s->size.ALUS;
    if (o->put_valid != (s->come == PUT))
        return stim_complain(&s->base, "a pass is %sthere",
                             o->put_valid ? "" : "not ");
    if (!o->put_valid)
        return NULL;
    for (int i = 0; i < alus; i++)
        bits_set_lane(row, i,
                      number < 64 ? bits_lane(s->row, s->pass * alus + i)
                                  : bits_test(s->row, s->pass * alus + i));
    if (o->put_warp != (uint64_t)s->slot || o->put_mask != s->block.mask ||
        o->put_pred != (number >= 64) || o->put_pc != 0 ||
        o->put_d != (uint64_t)(number % 64) ||
        o->put_last != (s->pass == s->size.PASSES - 1))
        return stim_complain(&s->base, "a pass is of another register");
    if (memcmp(row, o->put_data, sizeof row) != 0)
        return stim_complain(&s->base, "a pass has other values");
    return NULL;
}

static const char *watch_come(struct jobs_stim *s, const struct jobs_in *in,
                              const struct jobs_out *after, bool begins) {
    const struct block *b = &s->block;
    const char *wrong = check_put(s, after);
    bool drops = begins || in->fenced;
    if (wrong)
        return wrong;
    if (after->spawn_valid != begins)
        return stim_complain(&s->base, "a block %s",
                             begins ? "does not begin" : "begins too early");
    if (begins && after->spawn_warp != (uint64_t)s->slot)
        return stim_complain(&s->base, "a block begins in slot %u, expected %d",
                             (unsigned)after->spawn_warp, s->slot);
    if (begins && (after->spawn_pc != b->begin || after->spawn_end != b->end ||
                   after->spawn_mask != b->mask))
        return stim_complain(&s->base, "another block begins");
    if (after->drop_valid != drops || after->drop_all != drops)
        return stim_complain(&s->base, "the cache is %s",
                             drops ? "not told to drop lines"
                                   : "told to drop lines");
    if (after->chain_busy != is_busy(s))
        return stim_complain(&s->base, "the core is %s",
                             after->chain_busy ? "held" : "not held");
    return NULL;
}

/* --- what must come out: blocks that are done ----------------------------- */

/* One edge. */
static void step_done(struct jobs_stim *s, const struct jobs_in *in,
                      const struct jobs_out *before) {
    const struct block *b = &s->of[s->over];
    bool sent = in->send_ans_ready;
    switch (s->done) {
    case IDLE:
        if (s->over_there)
            s->done = D_LOOK;
        s->over_there = false;
        break;
    case D_LOOK:
        memcpy(s->left_out, s->entry[b->index].out, sizeof s->left_out);
        s->line = s->entry[b->index].stores;
        s->done = D_HEAD;
        break;
    case D_HEAD:
        if (sent)
            s->done = D_NEXT;
        break;
    case D_NEXT:
        if (!is_empty(s->left_out)) {
            s->result = take_lowest(s->left_out);
            s->done = ASK;
        } else if (s->line) {
            s->done = LINE;
        } else {
            s->state[s->over] = FREE;
            s->done = IDLE;
        }
        break;
    case ASK:
        if (!in->look_ready)
            break;
        s->done = WAIT;
        s->sees = true;
        s->seen_pass = 0;
        s->sees_warp = before->look_warp % SLOTS;
        s->sees_number = (int)(before->look_pred ? 64 + before->look_reg % 8
                                                 : before->look_reg % 64);
        break;
    case WAIT:
        s->seen_pass += in->seen_valid;
        if (in->seen_last) {
            s->sees = false;
            s->done = D_ROW;
            s->sent_piece = 0;
        }
        break;
    case D_ROW:
        if (sent && ++s->sent_piece == s->size.ROW_PIECES) {
            s->done = D_NEXT;
            s->results++;
        }
        break;
    case LINE:
        if (sent) {
            s->line = false;
            s->done = D_NEXT;
        }
        break;
    }
}

/* The piece that is to be sent. */
static void lay_piece(struct jobs_stim *s, uint64_t *piece) {
    const struct block *b = &s->of[s->over];
    uint64_t row[ROW_WORDS] = {0};
    int number = of_file(s, s->result), at = 0;
    if (s->done == D_HEAD) {
        put_bits(piece, &at, s->size.WARP_W, b->warp);
        put_bits(piece, &at, s->size.INDEX_W, b->index);
        put_bits(piece, &at, s->size.THREADS, b->mask);
        put_bits(piece, &at, LINES_BITS, s->line);
        return;
    }
    for (int i = 0; i < s->size.THREADS; i++)
        if (number >= 64)
            row[0] |= (uint64_t)s->file[s->over][number][i] << i;
        else
            bits_set_lane(row, i, s->file[s->over][number][i]);
    for (int i = 0; i < s->size.PIECE_W / 32; i++)
        bits_set_lane(
            piece, i,
            s->done == LINE
                ? (uint32_t)ones(32)
                : bits_lane(row, s->sent_piece * s->size.PIECE_W / 32 + i));
}

static const char *watch_ack(struct jobs_stim *s, const struct jobs_out *o) {
    uint64_t piece[FLIT_WORDS] = {0}, data[FLIT_WORDS] = {0};
    bool due = s->done == D_HEAD || s->done == D_ROW || s->done == LINE;
    bool more = !is_empty(s->left_out) || (s->line && s->done != LINE) ||
                (s->done == D_ROW && s->sent_piece < s->size.ROW_PIECES - 1);
    uint64_t node = s->of[s->over].node, width = (uint64_t)s->size.WIDTH;
    if (o->send_ans_valid != due)
        return stim_complain(&s->base, "a flit is %sthere", due ? "not " : "");
    if (!due)
        return NULL;
    lay_piece(s, piece);
    bits_or(data, 0, MARK_BITS, MARK);
    for (int at = 0; at < s->size.PIECE_W; at += 32)
        bits_or(data, MARK_BITS + at, 32, bits_lane(piece, at / 32));
    if (memcmp(data, o->send_ans_data, sizeof data) != 0)
        return stim_complain(&s->base, "a flit is altered, or another");
    if (o->send_ans_last == more)
        return stim_complain(&s->base, "a packet ends too %s",
                             more ? "early" : "late");
    if (o->send_ans_order != 1 || o->send_ans_x != node % width ||
        o->send_ans_y != node / width)
        return stim_complain(&s->base, "a packet goes to another node");
    return NULL;
}

static const char *watch_done(struct jobs_stim *s, const struct jobs_out *o) {
    int number = of_file(s, s->result);
    if (o->look_valid != (s->done == ASK))
        return stim_complain(&s->base, "the core is %s for a register",
                             o->look_valid ? "asked" : "not asked");
    if (o->look_valid &&
        (o->look_warp != (uint64_t)s->over || o->look_pred != (number >= 64) ||
         o->look_reg != (uint64_t)(number % 64)))
        return stim_complain(&s->base,
                             "the core is asked for another register");
    return watch_ack(s, o);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct jobs_stim *s = (struct jobs_stim *)base;
    const struct jobs_in *in = in_ports;
    const struct jobs_out *before = before_ports, *after = after_ports;
    bool takes_flit =
        s->come == ROW || (s->come == HEAD && lowest_free(s) >= 0);
    const char *wrong = NULL;

    if (before->take_req_ready != takes_flit)
        wrong = stim_complain(base, "a flit is %s",
                              takes_flit ? "refused" : "taken too early");
    if (before->over_ready != (s->done == IDLE))
        wrong =
            stim_complain(base, "the end of a block is %s",
                          before->over_ready ? "taken too early" : "refused");
    bool begins = step_come(s, in, before);
    step_done(s, in, before);
    if (!wrong)
        wrong = watch_come(s, in, after, begins);
    return wrong ? wrong : watch_done(s, after);
}

static void report(struct stim *base, struct text *t) {
    const struct jobs_stim *s = (const struct jobs_stim *)base;
    text_printf(t, "blocks\t%" PRIu64 "\n", s->blocks);
    text_printf(t, "registers\t%" PRIu64 "\n", s->registers);
    text_printf(t, "results\t%" PRIu64 "\n", s->results);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class jobs_stim = {
    .size = sizeof(struct jobs_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
