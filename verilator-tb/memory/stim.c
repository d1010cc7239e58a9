/* stim.c - stimulus of the memory with a latency and a bandwidth: a core that
 * sends requests, and a host at the window.
 *
 * A second memory of a few sectors carries requests and words out in the order
 * in which they were taken (of one edge the request first), and knows when each
 * response has to come.  All its sectors are written before anything else, and
 * again after a reset, which may have cut a write off.
 *
 * random    phases with other rates and other ops
 * directed  streams of loads, of atomics, of words, and all of them
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/memory.h"

#include <inttypes.h>
#include <string.h>

enum { PLACES = 24, MAX_SECTOR = 32, MOST = 2048, WIDE = MAX_SECTOR / 8 };

/* What the surroundings are like for a while. */
struct tune {
    int request, window; /* percent of the cycles in which one is offered */
    int loads, stores;   /* percent of the requests; the rest are atomics */
    int beyond;          /* percent of the accesses */
};

struct expected {
    uint64_t due, id, fault, data[WIDE];
};

struct memory_stim {
    struct stim base;
    struct memory_local size;
    struct tune tune;
    int left;                /* edges of this phase */
    int written;             /* places whose write was taken since the reset */
    bool req_free, win_free; /* what was offered has been taken */
    uint8_t copy[PLACES][MAX_SECTOR];
    struct expected answer[MOST]; /* a ring */
    uint64_t asked, answered;
    uint32_t word[MOST]; /* that the host reads, a ring */
    uint64_t wanted, read;
};

static int places(const struct memory_stim *s) {
    return s->size.SECTORS < PLACES ? s->size.SECTORS : PLACES;
}

/* The sector of a place: half of them at either end of the memory. */
static uint64_t sector_of(const struct memory_stim *s, int place) {
    int half = places(s) / 2;
    return (uint64_t)(place < half ? place
                                   : s->size.SECTORS - 1 - (place - half));
}

/* NULL: none of ours. */
static uint8_t *find(struct memory_stim *s, uint64_t sector) {
    for (int i = 0; i < places(s); i++)
        if (sector_of(s, i) == sector)
            return s->copy[i];
    return NULL;
}

static uint32_t get_word(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 100, 0, 0}, /* loads alone, */
        {100, 0, 0, 0, 0},   /* atomics, */
        {0, 100, 0, 0, 10},  /* words of the host, */
        {100, 50, 40, 30, 5} /* and all of them */
    };
    struct memory_stim *s = (struct memory_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 400 % (sizeof script / sizeof *script)];
    s->left = 399;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 0};
    struct memory_stim *s = (struct memory_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.request = rates[rng_below(r, 5)];
    s->tune.window = rates[rng_below(r, 5)];
    s->tune.loads = rng_range(r, 0, 100);
    s->tune.stores = rng_range(r, 0, 100 - s->tune.loads);
    s->tune.beyond = rng_percent(r, 30) ? 10 : 0;
    s->left = rng_range(r, 20, 400);
}

/* --- what is offered ------------------------------------------------------ */

static uint32_t number(struct rng *r) {
    static const uint32_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
    return rng_percent(r, 40) ? edges[rng_below(r, 5)] : (uint32_t)rng_next(r);
}

static void random_data(struct memory_stim *s, struct memory_in *in) {
    for (int i = 0; i < s->size.SECTOR / 4; i++) {
        int shift = 32 * (i % 2);
        in->req_data[i / 2] &= ~((uint64_t)0xffffffff << shift);
        in->req_data[i / 2] |= (uint64_t)number(&s->base.rng) << shift;
    }
}

static uint64_t any_sector(struct memory_stim *s) {
    struct rng *r = &s->base.rng;
    /* one more bit of the address, of those that the memory has no use for */
    uint32_t above = (uint32_t)(s->size.SADDR_W - s->size.SECTOR_W);
    uint64_t beyond = (uint64_t)s->size.SECTORS << rng_below(r, above);
    if (rng_percent(r, s->tune.beyond))
        return (beyond + rng_below(r, 4)) & ones(s->size.SADDR_W);
    if (rng_percent(r, 50)) /* close by */
        return sector_of(s, (int)rng_below(r, 2));
    return sector_of(s, (int)rng_below(r, (uint32_t)places(s)));
}

static void fill(struct memory_stim *s, struct memory_in *in) {
    in->req_valid = 1;
    in->req_op = 1;
    in->req_address = sector_of(s, s->written);
    in->req_strobe = ones(s->size.SECTOR);
    random_data(s, in);
}

static void offer_request(struct memory_stim *s, struct memory_in *in) {
    struct rng *r = &s->base.rng;
    int kind = (int)rng_below(r, 100);
    int word = (int)rng_below(r, (uint32_t)s->size.SECTOR / 4);

    in->req_valid = 1;
    in->req_id = rng_next(r) & ones(s->size.ID_W);
    in->req_address = any_sector(s);
    in->req_compare = number(r);
    random_data(s, in);
    if (kind < s->tune.loads) {
        in->req_op = 0;
        in->req_strobe = 0;
    } else if (kind < s->tune.loads + s->tune.stores) {
        in->req_op = rng_percent(r, 95) ? 1 : (uint64_t)rng_range(r, 12, 15);
        in->req_strobe = rng_next(r) & ones(s->size.SECTOR);
    } else {
        const uint8_t *b = find(s, in->req_address);
        in->req_op = (uint64_t)rng_range(r, 2, 11);
        in->req_strobe = (uint64_t)15 << (4 * word);
        if (b && rng_percent(r, 50)) /* a cas that fits */
            in->req_compare = get_word(b + 4 * word);
    }
}

static void offer_word(struct memory_stim *s, struct memory_in *in) {
    struct rng *r = &s->base.rng;
    uint32_t words = (uint32_t)s->size.SECTOR / 4;

    in->win_valid = 1;
    in->win_write = rng_percent(r, 50);
    in->win_address = (any_sector(s) * words + rng_below(r, words)) & ones(30);
    in->win_data = number(r);
}

static void quiet_request(struct memory_stim *s, struct memory_in *in) {
    in->req_valid = 0;
    if (rng_percent(&s->base.rng, 20)) { /* noise */
        in->req_op = rng_next(&s->base.rng) & 15;
        in->req_strobe = rng_next(&s->base.rng) & ones(s->size.SECTOR);
    }
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct memory_stim *)base)->size = memory_local(c);
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct memory_stim *s = (struct memory_stim *)base;
    s->answered = s->asked;
    s->read = s->wanted;
    s->written = 0;
    s->req_free = s->win_free = true;
}

static void drive(struct stim *base, void *ports) {
    struct memory_stim *s = (struct memory_stim *)base;
    struct memory_in *in = ports;
    bool filling = s->written < places(s);

    if (base->rst_left > 0) {
        in->req_valid = in->win_valid = 0;
        return;
    }
    if (s->req_free) {
        if (filling)
            fill(s, in);
        else if (rng_percent(&base->rng, s->tune.request))
            offer_request(s, in);
        else
            quiet_request(s, in);
        s->req_free = !in->req_valid;
    }
    if (s->win_free) {
        in->win_valid = 0;
        if (!filling && rng_percent(&base->rng, s->tune.window))
            offer_word(s, in);
        s->win_free = !in->win_valid;
    }
}

/* --- what must come out --------------------------------------------------- */

static uint32_t after_atomic(int op, uint32_t old, uint32_t data,
                             uint32_t compare) {
    int64_t a = (int32_t)old, b = (int32_t)data;

    switch (op) {
    case 2:
        return (uint32_t)(a + b);
    case 3:
        return a <= b ? old : data;
    case 4:
        return a >= b ? old : data;
    case 5:
        return old <= data ? old : data;
    case 6:
        return old >= data ? old : data;
    case 7:
        return old & data;
    case 8:
        return old | data;
    case 9:
        return old ^ data;
    case 10:
        return data;
    default:
        return compare == old ? data : old;
    }
}

static void carry_out_atomic(const struct memory_in *in, uint8_t *b) {
    int at = __builtin_ctzll(in->req_strobe);
    uint32_t data = (uint32_t)(in->req_data[at / 8] >> (8 * (at % 8)));
    uint32_t now = after_atomic((int)in->req_op, get_word(b + at), data,
                                (uint32_t)in->req_compare);
    for (int i = 0; i < 4; i++)
        b[at + i] = (uint8_t)(now >> (8 * i));
}

static void carry_out(struct memory_stim *s, const struct memory_in *in) {
    struct expected *e = &s->answer[s->asked++ % MOST];
    bool there = in->req_address < (uint64_t)s->size.SECTORS;
    bool atomic = in->req_op >= 2 && in->req_op <= 11;
    uint8_t *b = there ? find(s, in->req_address) : NULL;

    memset(e, 0, sizeof *e);
    e->due = s->base.now + (uint64_t)s->size.LATENCY;
    e->id = in->req_id;
    e->fault = !there;
    for (int i = 0; i < s->size.SECTOR && b; i++) {
        bool strobe = in->req_strobe >> i & 1;
        int shift = 8 * (i % 8);
        if (in->req_op == 0 || (atomic && strobe))
            e->data[i / 8] |= (uint64_t)b[i] << shift;
        if (in->req_op == 1 && strobe)
            b[i] = (uint8_t)(in->req_data[i / 8] >> shift);
    }
    if (b && atomic)
        carry_out_atomic(in, b);
}

static void carry_out_word(struct memory_stim *s, const struct memory_in *in) {
    uint64_t words = (uint64_t)s->size.SECTOR / 4;
    uint8_t *b = find(s, in->win_address / words);

    if (b)
        b += in->win_address % words * 4;
    if (!in->win_write)
        s->word[s->wanted++ % MOST] = b ? get_word(b) : 0;
    for (int i = 0; i < 4 && b && in->win_write; i++)
        b[i] = (uint8_t)(in->win_data >> (8 * i));
}

static const char *check_answer(struct memory_stim *s,
                                const struct memory_out *out) {
    const struct expected *e = &s->answer[s->answered % MOST];
    bool due = s->answered != s->asked && e->due == s->base.now;

    if (out->rsp_valid != due)
        return stim_complain(&s->base, "a response %s",
                             due ? "is not there" : "comes for no request");
    if (!due)
        return NULL;
    s->answered++;
    if (out->rsp_id != e->id || out->rsp_fault != e->fault)
        return stim_complain(&s->base,
                             "response with id %u and fault %u, expected id "
                             "%u and fault %u",
                             (unsigned)out->rsp_id, (unsigned)out->rsp_fault,
                             (unsigned)e->id, (unsigned)e->fault);
    for (int i = 0; i < s->size.SECTOR / 4; i++) {
        uint32_t got = (uint32_t)(out->rsp_data[i / 2] >> (32 * (i % 2)));
        uint32_t want = (uint32_t)(e->data[i / 2] >> (32 * (i % 2)));
        if (got != want)
            return stim_complain(&s->base,
                                 "word %d of response %u is %08" PRIx32
                                 ", expected %08" PRIx32,
                                 i, (unsigned)e->id, got, want);
    }
    return NULL;
}

static const char *check_read(struct memory_stim *s,
                              const struct memory_out *out) {
    if (!out->read_valid)
        return NULL;
    if (s->read == s->wanted)
        return stim_complain(&s->base, "a word that nobody reads");
    uint32_t want = s->word[s->read++ % MOST];
    if (out->read_data != want)
        return stim_complain(
            &s->base, "the window reads %08" PRIx32 ", expected %08" PRIx32,
            (uint32_t)out->read_data, want);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct memory_stim *s = (struct memory_stim *)base;
    const struct memory_in *in = in_ports;
    const struct memory_out *before = before_ports, *after = after_ports;
    const char *wrong = check_answer(s, after);

    if (!wrong)
        wrong = check_read(s, after);
    if (in->req_valid && before->req_ready) {
        carry_out(s, in);
        s->written += s->written < places(s);
        s->req_free = true;
    }
    if (in->win_valid && before->win_ready) {
        carry_out_word(s, in);
        s->win_free = true;
    }
    if (!wrong && s->wanted - s->read > 2)
        wrong = stim_complain(base, "the window has lost a word");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct memory_stim *s = (const struct memory_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\nwords\t%" PRIu64 "\n", s->asked,
                s->wanted);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class memory_stim = {
    .size = sizeof(struct memory_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
