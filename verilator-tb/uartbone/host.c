/* host.c - the host: batches of commands, and what goes wrong in them.
 *
 * A batch begins with reading and clearing the bridge's faults, ends with its
 * transcript, and may have one thing planned that goes wrong.  The host keeps
 * its duties (docs/blocks/uartbone.md) but for that.
 */
#include "env.h"

#include "base/bits.h"

#include <string.h>

static const uint64_t never = UINT64_MAX;

/* Events of the longest command, and of what a batch begins with. */
enum { LONGEST = 5 * 256 + 16 };

/* Edges in which a command that waits in the queue becomes an access, at most:
 * ten bytes of nine edges, and some. */
enum { TAKEN = 112 };

/* --- what must come of it ------------------------------------------------- */

/* A CRC-32 as the standard has it, a bit at a time. */
static void stir(struct uartbone_stim *s, uint8_t byte) {
    for (int bit = 0; bit < 8; bit++) {
        bool one = (s->sum ^ (uint32_t)byte >> bit) & 1;
        s->sum = s->sum >> 1 ^ (one ? 0xedb88320u : 0);
    }
}

static void put(struct uartbone_stim *s, uint8_t byte) {
    s->buffer[s->n++] = byte;
    s->made_up++;
    stir(s, byte);
}

static void put_word(struct uartbone_stim *s, uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8)
        put(s, (uint8_t)(word >> shift));
}

static void expect(struct uartbone_stim *s, struct expected e) {
    e.needs = s->made_up;
    s->event[s->tail++ % EVENTS] = e;
}

static uint32_t bus_address(const struct uartbone_stim *s, uint32_t address) {
    return address & (uint32_t)ones(s->size.ADR_W);
}

static void expect_write(struct uartbone_stim *s, uint32_t address,
                         uint32_t word) {
    if (!(address & OWN)) {
        uint32_t at = bus_address(s, address);
        *word_at(s->shadow, at) = word;
        expect(s, (struct expected){AN_ACCESS, true, at, word, 0});
    } else if ((address & 3) == 1) {
        s->faults = 0;
        s->sum = 0xffffffff;
        s->sum_known = true;
        if (word & 1)
            expect(s, (struct expected){.kind = A_RESET});
    }
}

/* The word that a read must give; *known is false if that cannot be said. */
static uint32_t expect_word(struct uartbone_stim *s, uint32_t address,
                            bool *known) {
    *known = true;
    if (!(address & OWN)) {
        uint32_t at = bus_address(s, address);
        expect(s, (struct expected){AN_ACCESS, false, at, 0, 0});
        return *word_at(s->shadow, at);
    }
    switch (address & 3) {
    case 0: return OWN_ID;
    case 1: return (uint32_t)s->size.CLOCKS << 16 | s->faults;
    case 2: *known = s->sum_known; s->n_sums += s->sum_known; return s->sum;
    default: return 0;
    }
}

static void expect_read(struct uartbone_stim *s, uint32_t address) {
    bool known;
    uint32_t word = expect_word(s, address, &known);
    for (int shift = 24; shift >= 0; shift -= 8) {
        uint8_t byte = (uint8_t)(word >> shift);
        expect(s, (struct expected){.kind = known ? A_BYTE : ANY_BYTE,
                                    .data = byte});
        stir(s, byte);
    }
}

/* A command into the buffer, and what must follow into the list.  The data of a
 * write are random, but for a single word. */
static void command(struct uartbone_stim *s, int cmd, int length,
                    uint32_t address, uint32_t first) {
    bool reads = cmd == READ_NEXT || cmd == READ_SAME;
    bool next = cmd == WRITE_NEXT || cmd == READ_NEXT;
    put(s, (uint8_t)cmd);
    put(s, (uint8_t)length);
    put_word(s, address);
    s->n_commands++;
    if (cmd < WRITE_NEXT || cmd > READ_SAME)
        return;
    for (int i = 0; i < length; i++) {
        if (reads) {
            expect_read(s, address);
        } else {
            uint32_t word = i == 0 ? first : (uint32_t)rng_next(&s->base.rng);
            put_word(s, word);
            expect_write(s, address, word);
        }
        if (next)
            address++;
    }
}

/* --- commands ------------------------------------------------------------- */

static const uint32_t control = OWN + 1, transcript = OWN + 2;

static int random_length(struct rng *r) {
    int n = (int)rng_below(r, 1000);
    if (n < 2)
        return 255;
    if (n < 40)
        return 0;
    if (n < 100)
        return rng_range(r, 5, 20);
    return n < 550 ? 1 : rng_range(r, 2, 4);
}

/* Mostly few words, so that what was written is read; the ends of the address
 * space; bits that nobody looks at. */
static uint32_t random_address(struct rng *r) {
    uint32_t any = (uint32_t)rng_next(r);
    switch (rng_below(r, 8)) {
    case 0: return any;
    case 1: return (any & 0xc0000000) | OWN | (any & 7);
    case 2: return (any & 0xe0000000) | (OWN - 1 - (any & 1));
    case 3: return any | ~((uint32_t)OWN | 3u);
    default: return (any & ~(uint32_t)OWN & 0xfff0000f) | (any & 1) << 4;
    }
}

static void random_command(struct uartbone_stim *s) {
    struct rng *r = &s->base.rng;
    int cmd = rng_range(r, WRITE_NEXT, READ_SAME);
    if (rng_percent(r, 4))
        cmd = rng_percent(r, 50) ? (int)rng_below(r, 256)
                                 : 5 * (int)rng_below(r, 2);
    command(s, cmd, random_length(r), random_address(r),
            (uint32_t)rng_next(r));
}

/* Of directed batches: each kind in turn, so that few of them have all. */
static void directed_command(struct uartbone_stim *s) {
    static const struct {
        int cmd, length;
        uint32_t address, first;
    } script[] = {
        {WRITE_NEXT, 3, 0, 0x01020304},
        {READ_NEXT, 3, 0, 0},
        {WRITE_SAME, 2, 9, 0x80000001},
        {READ_SAME, 2, 9, 0},
        {WRITE_NEXT, 1, OWN + 1, 1},
        {READ_NEXT, 4, OWN, 0},
        {READ_NEXT, 0, 5, 0},
        {7, 9, 1, 0},
        {WRITE_NEXT, 2, OWN - 1, 0x55aa00ff},
        {READ_SAME, 1, OWN - 1, 0},
    };
    size_t n = sizeof script / sizeof *script;
    size_t i = s->n_commands % n;
    command(s, script[i].cmd, script[i].length, script[i].address,
            script[i].first);
}

/* The command in which it goes wrong. */
static void planned_command(struct uartbone_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t from = s->made_up;
    int cmd = rng_range(r, WRITE_NEXT, READ_SAME);
    int length = rng_range(r, 1, 4);
    if (s->tune.plan == PLAN_PUSH) { /* an answer that takes longer */
        cmd = rng_percent(r, 50) ? READ_NEXT : READ_SAME;
        length = (s->size.QUEUE + 2) / 3 + 4;
    }
    if (s->tune.plan == PLAN_STUCK || s->tune.plan == PLAN_CUT ||
        s->tune.plan == PLAN_JAM)
        s->never = true;
    command(s, cmd, length, rng_below(r, 16), (uint32_t)rng_next(r));
    uint64_t bytes = s->made_up - from;
    uint64_t any = from + rng_below(r, (uint32_t)bytes);
    switch (s->tune.plan) {
    case PLAN_FRAMING: s->bad_at = any; break;
    case PLAN_BREAK: s->break_at = any; break;
    case PLAN_SILENCE:
        s->stop_at = from + 1 + rng_below(r, (uint32_t)bytes - 1);
        break;
    case PLAN_PUSH:
        s->push_until = s->made_up + (uint64_t)s->size.QUEUE + 1;
        break;
    default: break;
    }
    s->n_faults[s->tune.plan]++;
}

/* --- batches -------------------------------------------------------------- */

static void no_plans(struct uartbone_stim *s) {
    s->bad_at = s->break_at = s->stop_at = s->push_until = never;
    s->fails_at = never;
    s->never = s->stuck = s->halted = s->awaiting = false;
}

static bool can_wait(const struct uartbone_stim *s) {
    return s->size.TIMEOUT_W <= 16;
}

static void directed_tune(struct uartbone_stim *s) {
    static const int skews[] = {0, 200, -200};
    s->tune = (struct tune){
        .skew = skews[s->batches % 3],
        .glitch = 20,
        .late = s->batches % 2 ? 5 : 0,
        .commands = 4,
        .plan = (enum plan)(s->batches % PLANS),
    };
}

static void random_tune(struct uartbone_stim *s) {
    struct rng *r = &s->base.rng;
    struct tune *t = &s->tune;
    *t = (struct tune){
        .skew = rng_percent(r, 30)   ? 0
                : rng_percent(r, 50) ? rng_range(r, -200, 200)
                : rng_percent(r, 50) ? 200
                                     : -200,
        .ringing = rng_percent(r, 30) ? 50 : 0,
        .glitch = rng_percent(r, 30) ? rng_range(r, 1, 30) : 0,
        .pause = rng_percent(r, 40) ? rng_range(r, 1, 30) : 0,
        .late = rng_percent(r, 40) ? 0 : rng_percent(r, 50) ? 4 : 300,
        .stray = rng_percent(r, 50) ? 10 : 0,
        .commands = rng_range(r, 1, 10),
    };
    if (rng_percent(r, 50))
        t->plan = (enum plan)rng_below(r, PLANS);
}

/* Its clock is changed while the line is at rest. */
static void begin_batch(struct uartbone_stim *s) {
    no_plans(s);
    if (s->directed)
        directed_tune(s);
    else
        random_tune(s);
    struct tune *t = &s->tune;
    if (t->plan == PLAN_SILENCE && !can_wait(s))
        t->plan = PLAN_BREAK;
    if (t->plan == PLAN_STUCK && !can_wait(s))
        t->plan = PLAN_CUT;
    /* the host notices late, and then has a byte to send */
    if ((t->plan == PLAN_CUT || t->plan == PLAN_JAM) &&
        time_out(s) < TAKEN + 12 * (uint64_t)s->size.CLOCKS)
        t->plan = PLAN_STUCK;
    uint64_t late = time_out(s) > TAKEN ? time_out(s) - TAKEN : 0;
    if ((uint64_t)t->late > late)
        t->late = (int)late;
    s->batches++;
    s->over = false;
    s->commands = t->commands;
    uint64_t period = (uint64_t)s->size.CLOCKS * CLOCK;
    s->sender.period = period + (uint64_t)((int64_t)period / 10000 * t->skew);
    s->sender.ringing = t->ringing;
    if (s->faults != 0 || rng_percent(&s->base.rng, 20))
        command(s, READ_NEXT, 1, control, 0);
    if (!s->sum_known || rng_percent(&s->base.rng, 20))
        command(s, WRITE_NEXT, 1, control, rng_below(&s->base.rng, 4));
}

/* Something to send, if its events have room. */
static void make_up(struct uartbone_stim *s) {
    if (s->tail - s->head > EVENTS - LONGEST)
        return;
    s->at = s->n = 0;
    if (s->over) {
        begin_batch(s);
    } else if (s->commands > 0) {
        s->commands--;
        if (s->directed)
            directed_command(s);
        else
            random_command(s);
    } else if (s->tune.plan != PLAN_NONE && !s->awaiting) {
        planned_command(s);
        s->awaiting = true;
    } else if (!s->awaiting) {
        command(s, READ_SAME, 1, transcript, 0);
        s->over = true;
    }
}

/* --- an edge -------------------------------------------------------------- */

static uint64_t arrival(const struct uartbone_stim *s) {
    return s->base.now + (uint64_t)sender_latency(s->size.CLOCKS);
}

static void fail_then(struct uartbone_stim *s, unsigned fault) {
    s->fails_at = arrival(s);
    s->fault = fault;
    s->halted = true;
}

static void send_byte(struct uartbone_stim *s) {
    struct rng *r = &s->base.rng;
    bool bad = s->sent == s->bad_at;
    uint8_t byte = s->at < s->n ? s->buffer[s->at] : (uint8_t)rng_below(r, 256);
    if (s->at < s->n)
        s->at++;
    else
        s->made_up++;
    sender_byte(&s->sender, r, byte, !bad);
    s->sent++;
    s->n_bytes++;
    if (bad)
        fail_then(s, FRAMING);
    else if (s->sent == s->push_until)
        fail_then(s, OVERRUN);
    else
        s->coming.edge[s->coming.tail++ % 4] = arrival(s);
}

/* A byte would wait behind one that the bridge does not take yet, and is not
 * meant to be one too many. */
static bool must_wait(const struct uartbone_stim *s) {
    const struct expected *e = expects(s);
    uint64_t most = e ? e->needs + (uint64_t)s->size.QUEUE : never;
    return s->sent >= most && s->push_until != most + 1;
}

/* Longest silence that is none. */
static int longest_pause(const struct uartbone_stim *s) {
    uint64_t byte = 11 * (uint64_t)s->size.CLOCKS + 20;
    uint64_t most = time_out(s) > byte ? time_out(s) - byte : 0;
    return (int)(most < 2000 ? most : 2000);
}

/* The line is free. */
static void next(struct uartbone_stim *s) {
    struct rng *r = &s->base.rng;
    bool pushes = s->push_until != never && s->at == s->n;
    if (s->halted)
        return;
    if (s->at == s->n && !pushes)
        make_up(s);
    if (s->sent == s->break_at) {
        fail_then(s, FRAMING);
        sender_break(&s->sender, r, rng_range(r, 84, 320));
        return;
    }
    if (s->sent == s->stop_at) {
        s->halted = true;
        return;
    }
    if ((s->at == s->n && !pushes) || must_wait(s))
        return;
    bool hurries = s->delayed || s->push_until != never;
    s->delayed = true; /* not twice, which would be longer than one may be */
    if (!hurries && rng_percent(r, s->tune.pause)) {
        s->sender.rest = rng_below(r, (uint32_t)longest_pause(s) + 1);
    } else if (!hurries && rng_percent(r, s->tune.glitch)) {
        sender_glitch(&s->sender, rng_range(r, 1, s->size.CLOCKS / 2));
    } else {
        s->delayed = false;
        send_byte(s);
    }
}

bool host_drive(struct uartbone_stim *s) {
    if (sender_free(&s->sender))
        next(s);
    return sender_level(&s->sender, &s->base.rng);
}

/* --- what went wrong ------------------------------------------------------ */

static void forget(struct uartbone_stim *s) {
    s->head = s->tail;
    s->at = s->n = 0;
    s->made_up = s->arrived = s->sent;
    s->coming.head = s->coming.tail;
    memcpy(s->shadow, s->memory, sizeof s->shadow);
    no_plans(s);
    s->over = true;
}

void host_fails(struct uartbone_stim *s, unsigned fault) {
    forget(s);
    s->faults |= fault;
    s->sum_known = false;
}

void host_stuck(struct uartbone_stim *s) {
    const struct expected *e = expects(s);
    if (s->tune.plan == PLAN_JAM) {
        s->push_until = e->needs + (uint64_t)s->size.QUEUE + 1;
    } else if (s->tune.plan == PLAN_CUT) {
        s->break_at = s->sent;
    } else {
        s->halted = true;
    }
}

void host_reset(struct uartbone_stim *s) {
    forget(s);
    s->faults = 0;
    s->sum = 0xffffffff;
    s->sum_known = true;
    sender_reset(&s->sender, s->size.CLOCKS);
}
