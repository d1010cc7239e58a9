/* stim.c - stimulus of operands of chains as sectors of a memory: a gate with
 * loads and stores, shared memory with requests, a memory of bytes.
 *
 * Each operand is known lane by lane and byte by byte; from these follow the
 * sectors that must be asked for, in order, their strobes and data, and the
 * beats that the gate must be brought once the memory has answered.  Requests
 * of shared memory and their answers must pass as they are.  After each phase
 * what was begun comes to its end, first while the gate may still be held up.
 *
 * random    phases with other rates, types, masks and patience
 * directed  streams of whole operands, of narrow ones, the gate held up
 */
#include "stim.h"

#include "base/arena.h"
#include "blocks/lines.h"
#include "kit/shared.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LANES = 32, OPERANDS = 64, RING = 256, CHUNKS = 4 };
enum {
    REST = 4000
}; /* edges in which all that is under way has come to rest */

/* What the surroundings are like for a while. */
struct tune {
    int want, home; /* percent of the edges */
    int store;      /* percent of the wants */
    int whole;      /* percent of the operands with all lanes in order */
    int type;       /* of all, -1: any */
    int answer;     /* percent of the edges with an answer */
    int high, low;  /* longest times that something is taken, and not */
    bool held;      /* the gate takes nothing */
};

enum stage { RUNNING, ONE_DRAINS, ALL_DRAIN };

/* A load or store, lane by lane. */
struct operand {
    bool store;
    uint64_t address, mask;
    int type, bytes;
    uint32_t lane[LANES]; /* to be stored, or as it was loaded */
    int given;            /* beats of a store that have been taken */
    int next;             /* sector that is looked for next */
    int asked, answered;
    int brought;
};

/* An answer that the memory owes. */
struct owed {
    bool line;
    uint64_t operand; /* number */
    struct shared as;
};

struct lines_stim {
    struct stim base;
    struct lines_local size;
    struct shared_size layout; /* of shared memory, with ids of the memory */
    struct tune tune;
    enum stage stage;
    int left;
    struct toggle req_ready, bring_ready;
    uint8_t *bytes; /* the memory */
    int sectors;
    struct operand operand[OPERANDS];
    uint64_t made, asking, ended; /* operands, by number */
    bool want_there;
    bool home_there;
    struct shared home[RING];
    uint64_t home_made, home_gone;
    int passed; /* sectors that went while shared memory waited */
    struct owed owed[RING];
    uint64_t owed_made, owed_gone;
    uint64_t unanswered; /* sectors of operands */
};

static struct operand *operand(struct lines_stim *s, uint64_t number) {
    return &s->operand[number % OPERANDS];
}

/* --- phases --------------------------------------------------------------- */

static bool draining(const struct lines_stim *s) {
    return s->stage != RUNNING;
}

static bool is_held(const struct lines_stim *s) {
    return s->tune.held && s->stage != ALL_DRAIN;
}

static bool is_quiet(const struct lines_stim *s) {
    if (s->home_there || s->home_gone != s->home_made)
        return false;
    if (s->owed_gone != s->owed_made)
        return false;
    return is_held(s) || (!s->want_there && s->ended == s->made);
}

static bool phase_over(struct lines_stim *s) {
    s->left--;
    if (s->stage == RUNNING ? s->left > 0 : !is_quiet(s))
        return false;
    s->left = s->stage == ALL_DRAIN ? 0 : -1;
    s->stage = s->stage == ALL_DRAIN ? RUNNING : s->stage + 1;
    return s->stage == RUNNING;
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 0, 100, LINES_F32, 100, 1, 0, false},   /* loads, */
        {100, 0, 100, 100, LINES_U32, 100, 1, 0, false}, /* stores */
        {100, 0, 50, 100, LINES_U8, 100, 1, 0, false},
        {100, 0, 50, 100, LINES_S16, 100, 1, 0, false},
        {100, 100, 50, 50, -1, 100, 1, 0, false}, /* with shared memory */
        {100, 100, 50, 50, -1, 100, 1, 0, true},  /* the gate held up */
        {100, 0, 0, 100, LINES_U8, 100, 1, 0, true},
        {100, 100, 0, 100, LINES_F32, 100, 1, 0, true},
        {0, 100, 50, 50, -1, 100, 1, 0, false},
        {60, 60, 50, 20, -1, 40, 3, 6, false},
    };
    struct lines_stim *s = (struct lines_stim *)base;
    if (!phase_over(s))
        return;
    s->tune = script[base->now / 600 % (sizeof script / sizeof *script)];
    s->left = 400;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 15, 0};
    struct lines_stim *s = (struct lines_stim *)base;
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    s->tune.want = rates[rng_below(r, 5)];
    s->tune.home = rates[rng_below(r, 5)];
    s->tune.store = rng_range(r, 0, 100);
    s->tune.whole = rng_range(r, 0, 100);
    s->tune.type = rng_percent(r, 60) ? -1 : rng_range(r, 0, 7);
    s->tune.answer = rates[rng_below(r, 4)];
    s->tune.high = rng_range(r, 1, 8);
    s->tune.low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8);
    s->tune.held = rng_percent(r, 15);
    s->left = rng_range(r, 30, 400);
}

/* --- opening -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct lines_stim *s = (struct lines_stim *)base;
    s->size = lines_local(c);
    s->layout =
        (struct shared_size){.id = s->size.TAG_W, .sector = s->size.SECTOR};
    s->sectors = CHUNKS * s->size.CHUNK / s->size.SECTOR;
    s->bytes = xcalloc((size_t)s->sectors, (size_t)s->size.SECTOR);
    if (!s->bytes)
        abort();
    for (int i = 0; i < s->sectors * s->size.SECTOR; i++)
        s->bytes[i] = (uint8_t)rng_next(&base->rng);
    base->reset_every = 6000;
}

static void close(struct stim *base) {
    free(((struct lines_stim *)base)->bytes);
}

static void reset(struct stim *base) {
    struct lines_stim *s = (struct lines_stim *)base;
    s->asking = s->ended = s->made;
    s->want_there = s->home_there = false;
    s->home_gone = s->home_made;
    s->owed_gone = s->owed_made;
    s->passed = 0;
    s->unanswered = 0;
    s->left = 0;
    s->stage = RUNNING;
}

/* --- operands, byte by byte ----------------------------------------------- */

/* Where a byte of the address space is at its node. */
static uint64_t local_byte(const struct lines_stim *s, uint64_t address) {
    uint64_t chunk = address / (uint64_t)s->size.CHUNK;
    return chunk / (uint64_t)s->size.HOMES * (uint64_t)s->size.CHUNK +
           address % (uint64_t)s->size.CHUNK;
}

/* The byte of a lane, and the sector of the operand that it is in, counted from
 * that of lane 0. */
static int sector_of(const struct lines_stim *s, const struct operand *o,
                     int lane, int byte, int *place) {
    int at =
        (int)(o->address % (uint64_t)s->size.SECTOR) + lane * o->bytes + byte;
    *place = at % s->size.SECTOR;
    return at / s->size.SECTOR;
}

static int last_sector(const struct lines_stim *s, const struct operand *o) {
    int place;
    return sector_of(s, o, s->size.MASK_W - 1, o->bytes - 1, &place);
}

/* The sector of that number as a request; false if no lane is in it.  *beat:
 * the last one that has a lane there. */
static bool make_sector(const struct lines_stim *s, const struct operand *o,
                        int number, struct shared *a, int *beat) {
    uint64_t low = o->address & ones(32);
    uint64_t first = local_byte(s, low) / (uint64_t)s->size.SECTOR;
    bool any = false;
    memset(a, 0, sizeof *a);
    a->op = o->store;
    a->id = (uint64_t)1 << s->size.TAG_W;
    a->address = (first + (uint64_t)number) & ones(s->size.LADDR_W);
    if (o->address >> 32)
        a->address |= ones(s->size.HOME_W) << s->size.LADDR_W;
    for (int i = 0; i < s->size.MASK_W; i++)
        for (int b = 0; b < o->bytes; b++) {
            int place;
            if (!(o->mask >> i & 1) || sector_of(s, o, i, b, &place) != number)
                continue;
            any = true;
            *beat = i / s->size.ALUS;
            if (!o->store)
                continue;
            a->strobe |= (uint64_t)1 << place;
            a->bytes[place] = (uint8_t)(o->lane[i] >> 8 * b);
        }
    return any;
}

static void load_sector(const struct lines_stim *s, struct operand *o,
                        int number, const uint8_t *from) {
    for (int i = 0; i < s->size.MASK_W; i++)
        for (int b = 0; b < o->bytes; b++) {
            int place;
            if (o->mask >> i & 1 && sector_of(s, o, i, b, &place) == number)
                o->lane[i] |= (uint32_t)from[place] << 8 * b;
        }
}

/* Sectors that are asked for up to that of a beat's last byte. */
static int needed(const struct lines_stim *s, const struct operand *o,
                  int beat) {
    int place, n = 0, at;
    int last =
        sector_of(s, o, (beat + 1) * s->size.ALUS - 1, o->bytes - 1, &place);
    struct shared a;
    for (int j = 0; j <= last; j++)
        n += make_sector(s, o, j, &a, &at);
    return n;
}

/* --- what goes in --------------------------------------------------------- */

static void make_operand(struct lines_stim *s) {
    struct rng *r = &s->base.rng;
    struct operand *o = operand(s, s->made);
    uint64_t chunk = rng_below(r, (CHUNKS + 2) * (uint32_t)s->size.HOMES);
    uint64_t place = 0;
    memset(o, 0, sizeof *o);
    o->store = rng_percent(r, s->tune.store);
    o->type = s->tune.type < 0 ? rng_range(r, 0, 7) : s->tune.type;
    o->bytes = o->type == LINES_U8 || o->type == LINES_S8     ? 1
               : o->type == LINES_U16 || o->type == LINES_S16 ? 2
                                                              : 4;
    o->mask = ones(s->size.MASK_W);
    if (!rng_percent(r, s->tune.whole)) {
        place = rng_below(r, (uint32_t)s->size.CHUNK);
        if (!rng_percent(r, 10))
            place -= place % (uint64_t)o->bytes;
        if (rng_percent(r, 70))
            o->mask &= rng_next(r);
        if (rng_percent(r, 30))
            o->mask &= rng_next(r) & rng_next(r);
    }
    /* no lane beyond the chunk */
    for (int i = 0; i < s->size.MASK_W; i++)
        if (place + (uint64_t)((i + 1) * o->bytes) > (uint64_t)s->size.CHUNK)
            o->mask &= ~((uint64_t)1 << i);
    if (rng_percent(r, 4)) /* anywhere, nearly always beyond the memory */
        chunk =
            (rng_next(r) & ones(s->size.ADDR_W < 32 ? s->size.ADDR_W : 32)) /
            (uint64_t)s->size.CHUNK;
    o->address = chunk * (uint64_t)s->size.CHUNK + place;
    if (s->size.ADDR_W > 32 && rng_percent(r, 5))
        o->address |= (uint64_t)1 << rng_range(r, 32, s->size.ADDR_W - 1);
    for (int i = 0; i < s->size.MASK_W && o->store; i++)
        o->lane[i] = (uint32_t)rng_next(r);
    s->want_there = true;
}

static void drive_want(struct lines_stim *s, struct lines_in *in) {
    const struct operand *o = operand(s, s->made);
    struct rng *r = &s->base.rng;
    bool midst = s->want_there && o->given > 0;
    if (!s->want_there && !draining(s) && s->made - s->ended < OPERANDS / 2 &&
        rng_percent(r, s->tune.want))
        make_operand(s);
    /* pauses between beats, but none that stands there goes again */
    in->want_valid = s->want_there && (in->want_valid || !midst ||
                                       rng_percent(r, s->tune.want + 20));
    bool there = in->want_valid;
    in->want_store = there && o->store;
    in->want_last = there && (!o->store || o->given == s->size.BEATS - 1);
    in->want_address = there ? o->address : 0;
    in->want_type = there ? (uint64_t)o->type : 0;
    in->want_mask = there ? o->mask : 0;
    memset(in->want_data, 0, sizeof in->want_data);
    for (int i = 0; i < s->size.ALUS && there && o->store; i++)
        bits_set_lane(in->want_data, i, o->lane[o->given * s->size.ALUS + i]);
}

static void drive_home(struct lines_stim *s, struct lines_in *in) {
    struct rng *r = &s->base.rng;
    struct shared *q = &s->home[s->home_made % RING];
    if (!s->home_there && !draining(s) && rng_percent(r, s->tune.home)) {
        shared_any(r, &s->layout, q);
        q->address = rng_below(r, (uint32_t)(s->sectors + s->sectors / 2));
        if (rng_percent(r, 4))
            q->address = rng_next(r) & ones(s->size.SADDR_W);
        s->home_there = true;
    }
    struct shared a = {0};
    if (s->home_there)
        a = *q;
    in->home_valid = s->home_there;
    in->home_op = a.op;
    in->home_id = a.id;
    in->home_address = a.address;
    in->home_strobe = a.strobe;
    in->home_compare = a.compare;
    shared_to_port(&a, s->size.SECTOR, in->home_data);
}

static void drive_rsp(struct lines_stim *s, struct lines_in *in) {
    struct shared a = {0};
    int rate = draining(s) ? 100 : s->tune.answer;
    in->rsp_valid =
        s->owed_gone != s->owed_made && rng_percent(&s->base.rng, rate);
    if (in->rsp_valid)
        a = s->owed[s->owed_gone % RING].as;
    in->rsp_id = a.id;
    in->rsp_fault = a.fault;
    shared_to_port(&a, s->size.SECTOR, in->rsp_data);
}

static void drive(struct stim *base, void *ports) {
    struct lines_stim *s = (struct lines_stim *)base;
    struct lines_in *in = ports;
    struct rng *r = &base->rng;
    int high = s->tune.high, low = draining(s) ? 0 : s->tune.low;
    if (base->rst_left > 0) {
        memset(in, 0, sizeof *in);
        return;
    }
    drive_want(s, in);
    drive_home(s, in);
    drive_rsp(s, in);
    in->req_ready = toggle_step(&s->req_ready, r, high, low) &&
                    s->owed_made - s->owed_gone < RING / 2;
    in->bring_ready = toggle_step(&s->bring_ready, r, high, low) && !is_held(s);
}

/* --- what must come out --------------------------------------------------- */

static bool same_request(const struct lines_stim *s,
                         const struct lines_out *out, const struct shared *a) {
    return out->req_op == a->op && out->req_id == a->id &&
           out->req_address == a->address && out->req_strobe == a->strobe &&
           out->req_compare == a->compare &&
           shared_at_port(a, s->size.SECTOR, out->req_data);
}

/* The memory carries a request out that it takes: its answer. */
static void carry_out(struct lines_stim *s, const struct shared *a,
                      struct owed *w) {
    struct rng *r = &s->base.rng;
    w->as.id = a->id;
    w->as.fault = a->address >= (uint64_t)s->sectors;
    if (w->as.fault) { /* what comes then is not looked at */
        for (int i = 0; i < s->size.SECTOR; i++)
            w->as.bytes[i] = (uint8_t)rng_next(r);
        return;
    }
    uint8_t *at = &s->bytes[a->address * (uint64_t)s->size.SECTOR];
    if (a->op == 1)
        for (int i = 0; i < s->size.SECTOR; i++)
            if (a->strobe >> i & 1)
                at[i] = a->bytes[i];
    if (a->op != 1)
        memcpy(w->as.bytes, at, (size_t)s->size.SECTOR);
}

static const char *take_sector(struct lines_stim *s,
                               const struct lines_out *before, struct owed *w) {
    struct shared a = {0};
    int beat = 0;
    while (s->asking !=
           s->made + (s->want_there && operand(s, s->made)->given)) {
        struct operand *o = operand(s, s->asking);
        int last = last_sector(s, o);
        while (o->next <= last && !make_sector(s, o, o->next, &a, &beat))
            o->next++;
        if (o->next <= last)
            break;
        s->asking++;
    }
    struct operand *o = operand(s, s->asking);
    if (s->asking == s->made && !(s->want_there && o->given))
        return stim_complain(&s->base, "a sector that nobody wants");
    if (!same_request(s, before, &a))
        return stim_complain(&s->base,
                             "a sector is asked for as op %" PRIu64
                             " at %" PRIx64 " with strobes %" PRIx64
                             ", expected %" PRIu64 " at %" PRIx64
                             " with %" PRIx64,
                             before->req_op, before->req_address,
                             before->req_strobe, a.op, a.address, a.strobe);
    if (o->store && o->given <= beat)
        return stim_complain(&s->base, "a sector is stored too early");
    carry_out(s, &a, w);
    w->line = true;
    w->operand = s->asking;
    if (!o->store && !w->as.fault)
        load_sector(s, o, o->next, w->as.bytes);
    o->next++;
    o->asked++;
    if (++s->unanswered > (uint64_t)s->size.PLACES)
        return stim_complain(&s->base, "more sectors than places");
    if (s->home_gone != s->home_made && ++s->passed > 2)
        return stim_complain(&s->base,
                             "shared memory waits for a third sector");
    return NULL;
}

static const char *take_home(struct lines_stim *s,
                             const struct lines_out *before, struct owed *w) {
    const struct shared *q = &s->home[s->home_gone % RING];
    if (s->home_gone == s->home_made)
        return stim_complain(&s->base, "a request that nobody made");
    if (!same_request(s, before, q))
        return stim_complain(
            &s->base,
            "a request with id %" PRIx64 " of shared memory is altered", q->id);
    carry_out(s, q, w);
    s->home_gone++;
    s->passed = 0;
    return NULL;
}

static const char *watch_req(struct lines_stim *s, const struct lines_in *in,
                             const struct lines_out *before) {
    struct owed *w = &s->owed[s->owed_made % RING];
    if (!before->req_valid || !in->req_ready)
        return NULL;
    memset(w, 0, sizeof *w);
    s->owed_made++;
    if (before->req_id >> s->size.TAG_W & 1)
        return take_sector(s, before, w);
    return take_home(s, before, w);
}

static const char *watch_rsp(struct lines_stim *s, const struct lines_in *in,
                             const struct lines_out *after) {
    const struct owed *w = &s->owed[s->owed_gone % RING];
    bool back = in->rsp_valid && !w->line, line = in->rsp_valid && w->line;
    if (in->rsp_valid)
        s->owed_gone++;
    if (line) {
        operand(s, w->operand)->answered++;
        s->unanswered--;
    }
    if (after->count_fault != (line && w->as.fault))
        return stim_complain(&s->base,
                             "a sector that is%s there counts as one "
                             "that is%s",
                             w->as.fault ? " not" : "",
                             w->as.fault ? "" : " not");
    if (after->back_valid != back)
        return stim_complain(&s->base, "an answer is %sat back",
                             back ? "not " : "");
    if (back &&
        (after->back_id != w->as.id || after->back_fault != w->as.fault ||
         !shared_at_port(&w->as, s->size.SECTOR, after->back_data)))
        return stim_complain(&s->base, "an answer of shared memory is altered");
    return NULL;
}

static const char *take_beat(struct lines_stim *s,
                             const struct lines_out *before) {
    struct operand *o = operand(s, s->ended);
    int beat = o->brought;
    if (s->ended == s->made)
        return stim_complain(&s->base, "a beat that nobody wants");
    if (o->store ? o->answered < needed(s, o, s->size.BEATS - 1)
                 : o->answered < needed(s, o, beat))
        return stim_complain(&s->base, "a %s too early",
                             o->store ? "store is over" : "beat comes");
    for (int i = 0; i < s->size.ALUS; i++) {
        uint32_t want = o->store ? 0 : o->lane[beat * s->size.ALUS + i];
        if (bits_lane(before->bring_data, i) != want)
            return stim_complain(
                &s->base,
                "lane %d of %" PRIx64 " is brought as %x, expected %x",
                beat * s->size.ALUS + i, o->address,
                (unsigned)bits_lane(before->bring_data, i), (unsigned)want);
    }
    bool last = o->store || beat == s->size.BEATS - 1;
    if (before->bring_last != last)
        return stim_complain(&s->base, "beat %d is %sthe last", beat,
                             last ? "not " : "");
    o->brought++;
    s->ended += last;
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct lines_stim *s = (struct lines_stim *)base;
    const struct lines_in *in = in_ports;
    const struct lines_out *before = before_ports, *after = after_ports;
    const char *wrong = watch_req(s, in, before);
    const char *also = NULL;
    if (before->bring_valid && in->bring_ready)
        also = take_beat(s, before);
    wrong = wrong ? wrong : also;
    also = watch_rsp(s, in, after);
    wrong = wrong ? wrong : also;
    if (in->want_valid && before->want_ready) {
        struct operand *o = operand(s, s->made);
        o->given++;
        if (in->want_last) {
            s->want_there = false;
            s->made++;
        }
    }
    if (in->home_valid && before->home_ready) {
        s->home_made++;
        s->home_there = false;
    }
    if (!wrong && draining(s) && s->left < -REST)
        wrong = stim_complain(base, "operands or requests do not end");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct lines_stim *s = (const struct lines_stim *)base;
    text_printf(t, "operands\t%" PRIu64 "\n", s->ended);
    text_printf(t, "requests\t%" PRIu64 "\n", s->home_gone);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class lines_stim = {
    .size = sizeof(struct lines_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
