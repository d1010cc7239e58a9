/* stim.c - stimulus of the offload queue of a core: the core with its chains,
 * the lookup of meet nodes, the network, and a far service queue.
 *
 * A chain is made from a line of forms[]: letters for its instructions, and the
 * pattern that they are.  So what must become of it is known beforehand: what
 * the core is told, which loads go singly, each flit of the packet
 * (kit/compute.h), and the end that its answers bring.
 *
 * random            phases with other shares of everything
 * directed          the following, one after the other
 * full_far_queue    the service queue has no room: loads come back
 * diverged_lanes    each chain has some lanes only
 * hit_in_mid_chain  loads hit in the L1, the second ones mostly
 * no_free_entry     answers are rare
 * no_meet_node      mostly none, and LLC-Compute
 * stored_away       the paper's LLC-Compute: some stores are at another memory
 * patterns          all forms, those that are no pattern among them
 * off               no chain is taken
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/oqueue.h"
#include "kit/compute.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_OPS = 6, MOST_ENTRIES = 64, PATIENCE = 3000, DATA = COMPUTE_DATA };

/* L load, f operation, i with immediate, u of one operand, F multiply-add, h
 * comparison, k with immediate, S store, B store at the second load's address.
 */
static const struct form {
    const char *ops;
    int pattern; /* 0: none */
} forms[] = {
    {"LLfS", 1},  {"LLf", 2},   {"LS", 3},    {"LLfB", 4},  {"LuS", 4},
    {"LLh", 5},   {"Lk", 6},    {"LiS", 7},   {"LLif", 8},  {"LLF", 8},
    {"LLifS", 9}, {"LLFS", 9},  {"Lf", 0},    {"Li", 0},    {"Lu", 0},
    {"Lh", 0},    {"LLk", 0},   {"LkS", 0},   {"LLhS", 0},  {"LLiS", 0},
    {"LLuS", 0},  {"LLS", 0},   {"LL", 0},    {"LfLS", 0},  {"LSLf", 0},
    {"LSS", 0},   {"LLfSf", 0}, {"LLfff", 0}, {"LLffS", 0}, {"LLfi", 0},
    {"LLfF", 0},  {"LLFf", 0},  {"LLfh", 0},  {"LLhf", 0},  {"LLSh", 0},
    {"LLiu", 0},  {"LuiS", 0},  {"LLLfS", 0}, {"LLi", 0},   {"LiiS", 0},
};
enum { N_FORMS = sizeof forms / sizeof *forms, N_PATTERNS = 12 };

/* What the surroundings are like for a while; shares in percent. */
struct tune {
    const char *name;
    int give;           /* edges with an op, if it may come */
    int hit_first, hit; /* L1 hits of first and of other loads */
    int misfits, masked;
    int found, same;       /* meet nodes; both loads at one memory */
    int answers, far_full; /* edges with an answer; loads that come back */
    int strays;
    int mode;
    int high, low; /* longest times that something is taken, and not */
};

static const struct tune named[] = {
    {"full_far_queue", 90, 5, 5, 0, 30, 90, 30, 60, 90, 1, 2, 4, 2},
    {"diverged_lanes", 90, 5, 5, 0, 95, 90, 30, 60, 20, 1, 2, 3, 3},
    {"hit_in_mid_chain", 90, 20, 60, 0, 30, 90, 30, 60, 20, 1, 2, 2, 3},
    {"no_free_entry", 100, 2, 2, 0, 30, 98, 30, 2, 30, 0, 2, 1, 0},
    {"no_meet_node", 90, 5, 5, 0, 30, 40, 30, 60, 20, 1, 1, 4, 2},
    {"stored_away", 90, 2, 2, 0, 30, 95, 50, 60, 20, 1, 3, 2, 2},
    {"patterns", 90, 2, 2, 45, 30, 95, 30, 60, 20, 1, 2, 1, 0},
    {"off", 90, 5, 5, 0, 30, 90, 30, 60, 20, 0, 0, 1, 0},
};
enum { N_NAMED = sizeof named / sizeof *named };

struct op {
    uint64_t kind, code, type, reversed, fused, has_imm, imm, address, mem, hit;
};

struct load {
    uint64_t address, mem, second;
};

/* A packet that has left. */
struct job {
    bool waits, two, full; /* full: the loads come back */
    bool sent, back[2];    /* the packet is there; loads that came back */
    uint64_t wave, mask, kind;
};

struct oqueue_stim {
    struct stim base;
    struct oqueue_local size;
    struct compute_size layout;
    struct tune tune;
    int left;
    uint64_t core;
    /* the chain */
    const struct form *form;
    struct op op[MOST_OPS];
    int n, at; /* of its ops: all, and the next one */
    uint64_t wave, mask;
    bool offered, open; /* an op stands there; one is not answered yet */
    bool building;      /* an entry is taken */
    int entry, waited;  /* that entry; edges since the last op */
    bool asked;         /* its meet node */
    bool stands;        /* the meet node is known, and able: node */
    uint64_t node;
    struct load load[3]; /* that must go singly */
    int loads, gone;
    uint64_t load_wave, load_mask; /* of these */
    int met_in;                    /* edges until the answer; -1: none is due */
    bool busy[MOST_ENTRIES];
    /* the network */
    struct toggle load_ready, send_ready, done_ready;
    struct compute_flits going;
    uint64_t goes_to;
    int going_entry;
    /* the far queue */
    struct job job[MOST_ENTRIES];
    bool answering; /* an answer stands there */
    bool ans_free;  /* it will be taken at once */
    bool strayed;   /* one that was taken is a stray */
    bool due;       /* one that was taken ends its chain: */
    struct {
        uint64_t wave, entry, how, mask, bits;
    } end;
    uint64_t chains, packets, ends;
};

/* --- chains --------------------------------------------------------------- */

static void make_op(struct oqueue_stim *s, char letter, bool first,
                    struct op *o) {
    struct rng *r = &s->base.rng;
    const struct tune *t = &s->tune;
    static const uint64_t unary[] = {OQUEUE_NEG, OQUEUE_ABS, OQUEUE_NOT};
    memset(o, 0, sizeof *o);
    o->type = rng_below(r, 7);
    o->code = 1 + rng_below(r, 11);
    o->reversed = rng_below(r, 2);
    switch (letter) {
    case 'L':
        o->kind = OQUEUE_LOAD;
        o->hit = rng_percent(r, first ? t->hit_first : t->hit);
        break;
    case 'S':
    case 'B':
        o->kind = OQUEUE_STORE;
        break;
    case 'h':
    case 'k':
        o->kind = OQUEUE_COMPARE;
        o->code = rng_below(r, 14);
        break;
    default:
        o->kind = OQUEUE_ALU;
    }
    o->fused = letter == 'F';
    o->has_imm = letter == 'i' || letter == 'k' || letter == 'F';
    if (letter == 'u')
        o->code = unary[rng_below(r, 3)];
    o->imm = rng_next(r) & ones(32);
    o->address = rng_next(r) & ones(s->size.ADDR_W);
    o->mem = rng_below(r, (uint32_t)s->size.MEMS);
}

static void make_chain(struct oqueue_stim *s) {
    struct rng *r = &s->base.rng;
    int n = rng_percent(r, s->tune.misfits)
                ? rng_range(r, N_PATTERNS, N_FORMS - 1)
                : rng_range(r, 0, N_PATTERNS - 1);
    int loads = 0;
    s->form = &forms[n];
    s->n = (int)strlen(s->form->ops);
    s->at = 0;
    s->wave = rng_below(r, (uint32_t)s->size.WAVES);
    s->mask = rng_percent(r, s->tune.masked) ? rng_next(r) : UINT64_MAX;
    s->mask &= ones(s->size.MASK_W);
    bool same = rng_percent(r, s->tune.same);
    for (int i = 0; i < s->n; i++) {
        make_op(s, s->form->ops[i], i == 0, &s->op[i]);
        if (same)
            s->op[i].mem = s->op[0].mem;
        loads += s->op[i].kind == OQUEUE_LOAD;
        if (s->form->ops[i] == 'B')
            s->op[i].address = s->op[1].address;
        else if (s->form->ops[i] == 'S' && loads == 2 &&
                 s->op[i].address == s->op[1].address)
            s->op[i].address ^= 4;
    }
    s->chains++;
}

/* The packet, by the positions of its letters. */
static void expect_packet(struct oqueue_stim *s) {
    struct compute c = {0};
    int loads = 0;
    uint64_t *f = c.field;
    f[COMPUTE_PATTERN] = (uint64_t)s->form->pattern;
    f[COMPUTE_CORE] = s->core;
    f[COMPUTE_WAVE] = s->wave;
    f[COMPUTE_ENTRY] = (uint64_t)s->entry;
    f[COMPUTE_NODE] = s->node;
    f[COMPUTE_MASK] = s->mask;
    for (int i = 0; i < s->n; i++) {
        const struct op *o = &s->op[i];
        if (o->kind == OQUEUE_LOAD)
            f[loads++ ? COMPUTE_B : COMPUTE_A] = o->address;
        if (o->kind == OQUEUE_STORE) {
            f[COMPUTE_C] = o->address;
            continue;
        }
        f[COMPUTE_TYPE] = o->type;
        if (o->kind == OQUEUE_LOAD)
            continue;
        if (o->has_imm)
            f[COMPUTE_IMM] = o->imm;
        f[COMPUTE_G] = f[COMPUTE_F];
        f[COMPUTE_G_REVERSED] = f[COMPUTE_F_REVERSED];
        f[COMPUTE_F] = o->code;
        f[COMPUTE_F_REVERSED] = o->reversed;
        if (o->fused) {
            f[COMPUTE_FUSED] = 1;
            f[COMPUTE_F] = OQUEUE_ADD;
            f[COMPUTE_G] = OQUEUE_MUL;
            f[COMPUTE_G_REVERSED] = 0;
        }
    }
    compute_strip(&s->layout, &c);
    compute_lay(&s->layout, &c, &s->going);
    s->goes_to = s->node;
    s->going_entry = s->entry;
    static const uint64_t kinds[] = {
        0,           OQUEUE_ACK,    OQUEUE_DATA,   OQUEUE_ACK,
        OQUEUE_ACK,  OQUEUE_BITMAP, OQUEUE_BITMAP, OQUEUE_ACK,
        OQUEUE_DATA, OQUEUE_ACK};
    s->job[s->entry] =
        (struct job){.waits = true,
                     .two = loads == 2,
                     .full = rng_percent(&s->base.rng, s->tune.far_full),
                     .wave = s->wave,
                     .mask = s->mask,
                     .kind = kinds[s->form->pattern]};
}

/* --- phases --------------------------------------------------------------- */

static void use(struct oqueue_stim *s, const struct tune *t) {
    s->tune = *t;
    s->left = 400;
    if (s->base.master.setting[OQUEUE_SET_mode] != (uint32_t)t->mode)
        master_set(&s->base.master, OQUEUE_SET_mode, (uint32_t)t->mode);
}

static void step_directed(struct stim *base) {
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    if (s->left-- <= 0)
        use(s, &named[base->now / 400 % N_NAMED]);
}

static void step_named(struct stim *base) {
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    if (s->left-- > 0)
        return;
    for (int i = 0; i < N_NAMED; i++)
        if (strcmp(named[i].name, base->mode->name) == 0)
            use(s, &named[i]);
}

static void step_random(struct stim *base) {
    static const int shares[] = {0, 5, 20, 50, 95, 100};
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    struct tune t = {.give = shares[rng_range(r, 2, 5)],
                     .hit_first = shares[rng_range(r, 0, 3)],
                     .hit = shares[rng_range(r, 0, 3)],
                     .misfits = shares[rng_range(r, 0, 3)],
                     .masked = shares[rng_below(r, 6)],
                     .found = shares[rng_range(r, 2, 5)],
                     .same = shares[rng_below(r, 6)],
                     .answers = shares[rng_below(r, 6)],
                     .far_full = shares[rng_below(r, 6)],
                     .strays = rng_percent(r, 50) ? 5 : 0,
                     .mode = rng_percent(r, 70) ? 2 : rng_range(r, 0, 3),
                     .high = rng_range(r, 1, 6),
                     .low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8)};
    use(s, &t);
    s->left = rng_range(r, 50, 400);
    if (rng_percent(r, 5))
        master_clear(&base->master);
}

/* --- an edge: inputs ------------------------------------------------------ */

static void open(struct stim *base, const struct config *c) {
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    s->size = oqueue_local(c);
    s->layout = (struct compute_size)COMPUTE_SIZE(s->size);
    s->core = (uint64_t)s->size.NODES - 1;
    s->met_in = -1;
    base->reset_every = 2000;
    base->wishbone = 100;
}

static void reset(struct stim *base) {
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    s->offered = s->open = s->building = s->answering = false;
    s->strayed = s->due = s->stands = s->asked = false;
    s->n = s->at = s->loads = s->gone = 0;
    s->met_in = -1;
    s->ans_free = false;
    memset(s->busy, 0, sizeof s->busy);
    memset(s->job, 0, sizeof s->job);
    memset(&s->going, 0, sizeof s->going);
}

static void drive_op(struct oqueue_stim *s, struct oqueue_in *in) {
    if (!s->offered && !s->open && s->base.rst_left == 0 &&
        rng_percent(&s->base.rng, s->tune.give)) {
        if (s->at == s->n)
            make_chain(s);
        s->offered = true;
    }
    const struct op none = {0};
    const struct op *o = s->offered ? &s->op[s->at] : &none;
    in->at_core = s->core;
    in->op_valid = s->offered;
    in->op_tag = !s->offered ? 0 : s->at == 0 ? 1 : s->at + 1 == s->n ? 3 : 2;
    in->op_wave = s->offered ? s->wave : 0;
    in->op_mask = s->offered ? s->mask : 0;
    in->op_kind = o->kind;
    in->op_hit = o->hit;
    in->op_address = o->address;
    in->op_mem = o->mem;
    in->op_code = o->code;
    in->op_type = o->type;
    in->op_reversed = o->reversed;
    in->op_fused = o->fused;
    in->op_has_imm = o->has_imm;
    in->op_imm = o->imm;
}

static void drive_met(struct oqueue_stim *s, struct oqueue_in *in) {
    in->met_valid = s->met_in == 0;
    in->met_found = in->met_node = 0;
    if (s->met_in >= 0)
        s->met_in--;
    if (!in->met_valid)
        return;
    in->met_found = rng_percent(&s->base.rng, s->tune.found);
    if (in->met_found)
        in->met_node = rng_below(&s->base.rng, (uint32_t)s->size.NODES);
}

static void no_answer(struct oqueue_in *in) {
    in->ans_valid = in->ans_entry = in->ans_kind = in->ans_second = 0;
    in->ans_bits = 0;
}

/* To a packet that is there, or, if it is sure to be taken at once, a stray. */
static void drive_ans(struct oqueue_stim *s, struct oqueue_in *in) {
    struct rng *r = &s->base.rng;
    if (s->answering && s->base.rst_left == 0)
        return;
    no_answer(in);
    if (s->base.rst_left)
        return;
    int e = (int)rng_below(r, (uint32_t)s->size.ENTRIES);
    struct job *j = &s->job[e];
    bool stray = s->ans_free && !s->busy[e] && rng_percent(r, s->tune.strays);
    if (!stray && !(j->waits && j->sent && rng_percent(r, s->tune.answers)))
        return;
    s->answering = true;
    in->ans_valid = 1;
    in->ans_entry = (uint64_t)e;
    in->ans_bits = rng_next(r) & ones(s->size.MASK_W);
    in->ans_kind = stray ? rng_below(r, 4) : j->full ? OQUEUE_LOADED : j->kind;
    if (!stray && j->full && j->two)
        in->ans_second = j->back[0]   ? 1
                         : j->back[1] ? 0
                                      : (uint64_t)rng_below(r, 2);
}

static void drive(struct stim *base, void *ports) {
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    struct oqueue_in *in = ports;
    int high = s->tune.high, low = s->tune.low;
    drive_op(s, in);
    drive_met(s, in);
    drive_ans(s, in);
    in->load_ready = toggle_step(&s->load_ready, &base->rng, high, low);
    in->send_ready = toggle_step(&s->send_ready, &base->rng, high, low);
    in->done_ready = toggle_step(&s->done_ready, &base->rng, high, low);
}

/* --- an edge: what must come of it ---------------------------------------- */

static const char *const said_names[] = {"TAKEN", "NORMAL", "WAITS", "SINGLE"};

static void count(struct oqueue_stim *s, int counter) {
    s->base.master.count[counter]++;
}

/* All loads that were recorded, before op number n, go singly. */
static void let_go(struct oqueue_stim *s, int n) {
    s->loads = s->gone = 0;
    s->load_wave = s->wave;
    s->load_mask = s->mask;
    for (int i = 0; i < n; i++)
        if (s->op[i].kind == OQUEUE_LOAD)
            s->load[s->loads] = (struct load){s->op[i].address, s->op[i].mem,
                                              (uint64_t)s->loads},
            s->loads++;
    s->busy[s->entry] = s->building = false;
}

/* What is said at once of the op that is taken; -1: later. */
static int first_op(struct oqueue_stim *s) {
    int entry = 0;
    if (s->base.master.setting[OQUEUE_SET_mode] == 0)
        return OQUEUE_NORMAL;
    if (s->op[0].hit) {
        count(s, OQUEUE_CNT_hits);
        return OQUEUE_NORMAL;
    }
    while (entry < s->size.ENTRIES && s->busy[entry])
        entry++;
    if (entry == s->size.ENTRIES) {
        count(s, OQUEUE_CNT_full);
        return OQUEUE_NORMAL;
    }
    count(s, OQUEUE_CNT_begun);
    s->entry = entry;
    s->busy[entry] = s->building = true;
    s->asked = s->stands = false;
    return OQUEUE_TAKEN;
}

static int next_op(struct oqueue_stim *s) {
    const struct op *o = &s->op[s->at];
    int before = 0;
    for (int i = 0; i < s->at; i++)
        before += s->op[i].kind == OQUEUE_LOAD;
    if (o->kind == OQUEUE_LOAD && (o->hit || before == 2)) {
        count(s, o->hit ? OQUEUE_CNT_hits : OQUEUE_CNT_misfits);
        let_go(s, s->at);
        return OQUEUE_NORMAL;
    }
    return s->at + 1 == s->n ? -1 : OQUEUE_TAKEN;
}

/* The last op's answer has come. */
static const char *decide(struct oqueue_stim *s, uint64_t what) {
    bool waits = s->form->pattern && s->asked && s->stands;
    if (!waits && s->form->pattern && (!s->asked || s->met_in >= 0))
        return stim_complain(&s->base, "a decision without a meet node");
    if (what != (waits ? OQUEUE_WAITS : OQUEUE_SINGLE))
        return stim_complain(&s->base, "a chain '%s' gets the answer %s",
                             s->form->ops, said_names[what]);
    if (waits) {
        expect_packet(s);
        s->building = false;
        s->packets++;
        count(s, OQUEUE_CNT_packets);
        if (s->mask != ones(s->size.MASK_W))
            count(s, OQUEUE_CNT_masked);
        return NULL;
    }
    count(s, s->form->pattern ? OQUEUE_CNT_unmet : OQUEUE_CNT_misfits);
    let_go(s, s->n);
    return NULL;
}

static const char *check_said(struct oqueue_stim *s, const struct oqueue_in *in,
                              const struct oqueue_out *before,
                              const struct oqueue_out *after) {
    bool taken = in->op_valid && before->op_ready;
    if (taken) {
        if (s->gone != s->loads)
            return stim_complain(&s->base, "a chain begins before the loads of "
                                           "the last one are gone");
        int what = s->at == 0 ? first_op(s) : next_op(s);
        s->offered = false;
        s->open = what < 0;
        s->waited = 0;
        s->at = what == OQUEUE_NORMAL ? s->n : s->at + 1;
        if (what < 0 ? after->said_valid
                     : !after->said_valid || after->said_what != (uint64_t)what)
            return stim_complain(
                &s->base, "an instruction of '%s' gets the answer %s, not %s",
                s->form->ops,
                after->said_valid ? said_names[after->said_what] : "none",
                what < 0 ? "none yet" : said_names[what]);
    } else if (after->said_valid && !s->open) {
        return stim_complain(&s->base, "an answer to no instruction");
    } else if (after->said_valid) {
        s->open = false;
        const char *wrong = decide(s, after->said_what);
        if (wrong)
            return wrong;
    } else if (s->open && ++s->waited > PATIENCE) {
        return stim_complain(&s->base, "an instruction was never answered");
    }
    if (after->said_valid && after->said_wave != s->wave)
        return stim_complain(&s->base, "an answer to wavefront %" PRIu64,
                             after->said_wave);
    if (after->said_valid && after->said_what == OQUEUE_WAITS &&
        after->said_entry != (uint64_t)s->entry)
        return stim_complain(&s->base, "entry %" PRIu64 " waits, not %d",
                             after->said_entry, s->entry);
    return NULL;
}

/* The memory of the chain's last load. */
static uint64_t last_memory(const struct oqueue_stim *s) {
    uint64_t mem = 0;
    for (int i = 0; i < s->n; i++)
        if (s->op[i].kind == OQUEUE_LOAD)
            mem = s->op[i].mem;
    return mem;
}

/* All that is stored lies at the memory of the first load. */
static bool stores_there(const struct oqueue_stim *s) {
    for (int i = 0; i < s->n; i++)
        if (s->op[i].kind == OQUEUE_STORE && s->op[i].mem != s->op[0].mem)
            return false;
    return true;
}

static void take_met(struct oqueue_stim *s, const struct oqueue_in *in) {
    uint32_t mode = s->base.master.setting[OQUEUE_SET_mode];
    bool same = s->op[0].mem == last_memory(s);
    if (!in->met_valid)
        return;
    s->stands = in->met_found && (mode == 2 || (mode == 1 && same) ||
                                  (mode == 3 && same && stores_there(s)));
    s->node = in->met_node;
}

static const char *check_meet(struct oqueue_stim *s,
                              const struct oqueue_out *after) {
    uint64_t mem0 = s->op[0].mem, mem1 = last_memory(s);
    if (!after->meet_valid)
        return NULL;
    if (!s->open || s->asked || !s->form->pattern)
        return stim_complain(&s->base, "a lookup for no chain");
    if (after->meet_mem0 != mem0 || after->meet_mem1 != mem1 ||
        after->meet_core != s->core)
        return stim_complain(
            &s->base, "a lookup for the memories %" PRIu64 " and %" PRIu64,
            after->meet_mem0, after->meet_mem1);
    s->asked = true;
    s->met_in = rng_range(&s->base.rng, 0, 3);
    return NULL;
}

static const char *check_load(struct oqueue_stim *s, const struct oqueue_in *in,
                              const struct oqueue_out *before,
                              const struct oqueue_out *after) {
    s->gone += before->load_valid && in->load_ready;
    if (!after->load_valid)
        return s->gone < s->loads && before->load_valid && in->load_ready
                   ? stim_complain(&s->base, "a load does not go")
                   : NULL;
    const struct load *l = &s->load[s->gone];
    if (s->gone >= s->loads || l->address != after->load_address ||
        l->mem != after->load_mem || l->second != after->load_second ||
        after->load_wave != s->load_wave || after->load_mask != s->load_mask)
        return stim_complain(&s->base,
                             "the load of %" PRIx64 " by wavefront %" PRIu64
                             " was not to go",
                             after->load_address, after->load_wave);
    return NULL;
}

/* A flit that is taken; with the last one the packet is there. */
static void take_flit(struct oqueue_stim *s, const struct oqueue_in *in,
                      const struct oqueue_out *before) {
    struct compute_flits *f = &s->going;
    if (before->send_valid && in->send_ready && ++f->at == f->n)
        s->job[s->going_entry].sent = true;
}

static const char *check_flit(struct oqueue_stim *s,
                              const struct oqueue_out *after) {
    uint64_t data[DATA];
    const struct compute_flits *f = &s->going;
    if (after->send_valid != (f->at < f->n))
        return stim_complain(&s->base, "a flit is %sat send",
                             f->at < f->n ? "not " : "");
    if (!after->send_valid)
        return NULL;
    compute_flit(&s->layout, f, data);
    if (memcmp(data, after->send_data,
               (size_t)ceil_div(s->size.FLIT_W, 64) * sizeof *data) == 0 &&
        after->send_last == (f->at + 1 == f->n) &&
        after->send_node == s->goes_to)
        return NULL;
    return stim_complain(&s->base,
                         "flit %d of %d is %016" PRIx64
                         " in its lowest bits, expected %016" PRIx64
                         ", last %" PRIu64 ", to node %" PRIu64,
                         f->at, f->n, after->send_data[0], data[0],
                         after->send_last, after->send_node);
}

/* An answer that is taken: what it does shows on the next edge or later. */
static void take_answer(struct oqueue_stim *s, const struct oqueue_in *in) {
    struct job *j = &s->job[in->ans_entry];
    s->answering = false;
    if (!j->waits) {
        s->strayed = true;
        return;
    }
    if (in->ans_kind == OQUEUE_LOADED && j->two && !j->back[!in->ans_second]) {
        j->back[in->ans_second] = true;
        return;
    }
    s->due = true;
    s->end.wave = j->wave;
    s->end.entry = in->ans_entry;
    s->end.how = in->ans_kind;
    s->end.mask = j->mask;
    s->end.bits = in->ans_kind == OQUEUE_BITMAP ? in->ans_bits & j->mask : 0;
    j->waits = false;
}

static const char *check_done(struct oqueue_stim *s, const struct oqueue_in *in,
                              const struct oqueue_out *before,
                              const struct oqueue_out *after) {
    bool room = !before->done_valid || in->done_ready;
    if (s->strayed)
        count(s, OQUEUE_CNT_strays);
    s->strayed = false;
    if (room && after->done_valid != s->due)
        return stim_complain(&s->base, "a chain %s",
                             s->due ? "does not end" : "ends by itself");
    if (!room || !s->due)
        return NULL;
    s->due = false;
    s->busy[s->end.entry] = false;
    s->ends++;
    count(s, OQUEUE_CNT_ends);
    if (s->end.how == OQUEUE_LOADED)
        count(s, OQUEUE_CNT_locals);
    if (after->done_wave == s->end.wave && after->done_entry == s->end.entry &&
        after->done_how == s->end.how && after->done_mask == s->end.mask &&
        after->done_bits == s->end.bits)
        return NULL;
    return stim_complain(&s->base,
                         "wavefront %" PRIu64 " of entry %" PRIu64
                         " ends by %" PRIu64 ", expected wavefront %" PRIu64
                         " of entry %" PRIu64 " by %" PRIu64,
                         after->done_wave, after->done_entry, after->done_how,
                         s->end.wave, s->end.entry, s->end.how);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct oqueue_stim *s = (struct oqueue_stim *)base;
    const struct oqueue_in *in = in_ports;
    const struct oqueue_out *before = before_ports, *after = after_ports;
    const char *wrong = NULL;
    take_flit(s, in, before);
    take_met(s, in);
    /* an entry that ends on this edge is taken until the next one */
    wrong = check_said(s, in, before, after);
    if (!wrong)
        wrong = check_done(s, in, before, after);
    if (in->ans_valid && before->ans_ready)
        take_answer(s, in);
    if (!wrong)
        wrong = check_meet(s, after);
    if (!wrong)
        wrong = check_load(s, in, before, after);
    if (!wrong)
        wrong = check_flit(s, after);
    s->ans_free = after->ans_ready;
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct oqueue_stim *s = (const struct oqueue_stim *)base;
    text_printf(t, "chains\t%" PRIu64 "\n", s->chains);
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "ends\t%" PRIu64 "\n", s->ends);
}

#define NAMED(n)                                                               \
    static const struct stim_mode n##_mode = {.name = #n, .step = step_named};
NAMED(full_far_queue)
NAMED(diverged_lanes)
NAMED(hit_in_mid_chain)
NAMED(no_free_entry)
NAMED(no_meet_node)
NAMED(stored_away)
NAMED(patterns)
NAMED(off)
#undef NAMED

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode,
                                                &directed_mode,
                                                &full_far_queue_mode,
                                                &diverged_lanes_mode,
                                                &hit_in_mid_chain_mode,
                                                &no_free_entry_mode,
                                                &no_meet_node_mode,
                                                &stored_away_mode,
                                                &patterns_mode,
                                                &off_mode,
                                                NULL};

const struct stim_class oqueue_stim = {
    .size = sizeof(struct oqueue_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
