/* stim.c - stimulus of the serial line as the master of a register bus: a host
 * that speaks its protocol bit by bit (host.c), and a slave with a memory.
 *
 * The host's list says what must happen next: an access with these fields, a
 * byte of an answer, a reset of the device.  Nothing else may happen, nothing
 * before the bytes that it needs have arrived, and nothing much later.  Where
 * the bridge has to fail, the host knows the edge and begins anew.
 *
 * random    batches with other clocks, other patience, other things that go
 *           wrong
 * directed  the same commands in turn, and each thing that goes wrong
 */
#include "stim.h"

#include "env.h"

#include <inttypes.h>
#include <string.h>

static void step_directed(struct stim *base) {
    ((struct uartbone_stim *)base)->directed = true;
}

static void open(struct stim *base, const struct config *c) {
    struct uartbone_stim *s = (struct uartbone_stim *)base;
    s->size = uartbone_local(c);
    s->unkept =
        time_out(s) < 128 || time_out(s) < 16 * (uint64_t)s->size.CLOCKS;
    base->reset_every = 2000 * s->size.CLOCKS;
    for (uint32_t i = 0; i < MEMORY; i++)
        s->memory[i] = (uint32_t)rng_mix(i);
}

static void reset(struct stim *base) {
    struct uartbone_stim *s = (struct uartbone_stim *)base;
    host_reset(s);
    reader_reset(&s->reader, s->size.CLOCKS);
    s->access = s->reset_shown = false;
    s->moved_at = s->came_at = base->now;
}

/* --- driving -------------------------------------------------------------- */

/* Noise where nobody looks: data without an acknowledge, one of nothing. */
static void drive_slave(struct uartbone_stim *s, struct uartbone_in *in,
                        uint32_t address) {
    struct rng *r = &s->base.rng;
    bool done = s->access && !s->stuck && s->wait-- == 0;
    in->bus_ack = done || (!s->access && rng_percent(r, s->tune.stray));
    if (done)
        in->bus_dat_r = *word_at(s->memory, address);
    else if (rng_percent(r, 10))
        in->bus_dat_r = rng_next(r) & 0xffffffff;
}

static void drive(struct stim *base, void *ports) {
    struct uartbone_stim *s = (struct uartbone_stim *)base;
    struct uartbone_in *in = ports;
    drive_slave(s, in, s->address);
    in->uart_rx = base->rst_left > 0 ? rng_percent(&base->rng, 50)
                                     : host_drive(s);
}

/* --- events --------------------------------------------------------------- */

/* The edge that is looked at; base.now has gone on. */
static uint64_t this_edge(const struct uartbone_stim *s) {
    return s->base.now - 1;
}

/* The next event of the list, if it is of that kind and may be; NULL after a
 * complaint. */
static const struct expected *next_event(struct uartbone_stim *s,
                                         const char *what) {
    const struct expected *e = expects(s);
    if (!e)
        stim_complain(&s->base, "%s that no command asked for", what);
    else if (e->needs > s->arrived)
        stim_complain(&s->base, "%s before its command has come", what);
    else
        return e;
    return NULL;
}

static void event_done(struct uartbone_stim *s) {
    s->head++;
    s->moved_at = this_edge(s);
}

/* --- the bus -------------------------------------------------------------- */

static void watch_begin(struct uartbone_stim *s,
                        const struct uartbone_out *after) {
    const struct expected *e = next_event(s, "an access");
    if (!e)
        return;
    if (e->kind != AN_ACCESS || after->bus_we != e->write ||
        after->bus_adr != e->address || after->bus_dat_w != e->data)
        stim_complain(&s->base,
                      "an access of %" PRIx64 " (we=%d, dat_w=%" PRIx64
                      ") is not what comes next",
                      after->bus_adr, (int)after->bus_we, after->bus_dat_w);
    s->access = true;
    s->address = (uint32_t)after->bus_adr;
    s->began_at = this_edge(s);
    s->wait = s->tune.late > 0 ? rng_range(&s->base.rng, 0, s->tune.late) : 0;
    s->stuck = s->never;
    s->never = false;
    if (s->stuck)
        host_stuck(s);
}

static void watch_done(struct uartbone_stim *s, const struct uartbone_in *in,
                       const struct uartbone_out *before) {
    if (before->bus_we)
        *word_at(s->memory, (uint32_t)before->bus_adr) =
            (uint32_t)before->bus_dat_w;
    else if (*word_at(s->memory, (uint32_t)before->bus_adr) !=
             (uint32_t)in->bus_dat_r)
        BUG("the slave gives another word");
    s->n_accesses++;
    event_done(s);
}

/* An access goes away though nobody has acknowledged it. */
static void watch_cut(struct uartbone_stim *s) {
    uint64_t now = this_edge(s);
    if (now == s->fails_at)
        return; /* host_fails follows */
    if (!s->stuck || s->fails_at != UINT64_MAX || s->tune.plan != PLAN_STUCK)
        stim_complain(&s->base, "an access is cut off");
    else if (now < s->came_at + time_out(s))
        stim_complain(&s->base, "an access is given up too early");
    s->n_given_up++;
    host_fails(s, SILENT);
}

static void watch_bus(struct uartbone_stim *s, const struct uartbone_in *in,
                      const struct uartbone_out *before,
                      const struct uartbone_out *after) {
    bool done = before->bus_cyc && in->bus_ack;
    if (after->bus_stb != after->bus_cyc ||
        after->bus_sel != (after->bus_cyc ? 15 : 0) ||
        (!after->bus_cyc &&
         (after->bus_we || after->bus_adr || after->bus_dat_w)))
        stim_complain(&s->base, "the bus shows half an access");
    if (done) {
        watch_done(s, in, before);
        s->access = false;
        if (after->bus_cyc)
            stim_complain(&s->base, "an access stays after its acknowledge");
    } else if (before->bus_cyc && !after->bus_cyc) {
        s->access = false;
        watch_cut(s);
    } else if (before->bus_cyc) {
        if (after->bus_we != before->bus_we ||
            after->bus_adr != before->bus_adr ||
            after->bus_dat_w != before->bus_dat_w)
            stim_complain(&s->base, "an access changes under way");
    } else if (after->bus_cyc) {
        watch_begin(s, after);
    }
}

/* --- the line, the device ------------------------------------------------- */

static void watch_line(struct uartbone_stim *s,
                       const struct uartbone_out *after) {
    const struct expected *e;
    uint8_t byte = 0;
    switch (reader_step(&s->reader, after->uart_tx, &byte)) {
    case READ_NOTHING: return;
    case READ_BEGIN:
        e = next_event(s, "a byte");
        if (!e)
            return;
        if (e->kind != A_BYTE && e->kind != ANY_BYTE)
            stim_complain(&s->base, "a byte comes out of turn");
        s->reads = *e;
        event_done(s);
        return;
    case READ_BYTE:
        s->n_answers++;
        if (s->reads.kind == A_BYTE && byte != s->reads.data)
            stim_complain(&s->base, "a byte comes as %02x, expected %02x",
                          (unsigned)byte, (unsigned)s->reads.data);
        return;
    case READ_STOP:
        stim_complain(&s->base, "a byte has a stop bit of zero");
        return;
    case READ_UNSTEADY:
        stim_complain(&s->base, "a bit does not stand for 'clocks' edges");
        return;
    }
}

enum { RESET_EDGES = 8 };

static void watch_reset(struct uartbone_stim *s,
                        const struct uartbone_out *after) {
    bool shown = s->reset_shown;
    s->reset_shown = after->device_rst;
    if (after->device_rst && !shown) {
        const struct expected *e = next_event(s, "a reset");
        s->reset_edges = 0;
        if (!e)
            return;
        if (e->kind != A_RESET)
            stim_complain(&s->base, "a reset comes out of turn");
        event_done(s);
    }
    s->reset_edges += after->device_rst;
    if ((shown && !after->device_rst && s->reset_edges != RESET_EDGES) ||
        s->reset_edges > RESET_EDGES)
        stim_complain(&s->base, "a reset takes %d edges", s->reset_edges);
}

/* --- time ----------------------------------------------------------------- */

/* Bytes that arrive on this edge are of use from the next one on. */
static void watch_arrivals(struct uartbone_stim *s) {
    uint64_t now = this_edge(s);
    while (s->coming.head != s->coming.tail &&
           s->coming.edge[s->coming.head % 4] <= now) {
        s->coming.head++;
        s->arrived++;
        s->moved_at = s->came_at = now;
    }
}

/* Edges after which what can happen must have: a byte goes out before, and the
 * queue's bytes are taken, nine edges each. */
static uint64_t patience(const struct uartbone_stim *s) {
    return (uint64_t)(10 * s->size.CLOCKS + 9 * s->size.QUEUE + 40);
}

static void watch_time(struct uartbone_stim *s) {
    const struct expected *e = expects(s);
    uint64_t now = this_edge(s), since = now - s->moved_at;
    if (s->stuck && s->fails_at == UINT64_MAX &&
        s->tune.plan == PLAN_STUCK) {
        uint64_t from = s->came_at > s->began_at ? s->came_at : s->began_at;
        if (now > from + time_out(s) + 8)
            stim_complain(&s->base, "an access is not given up");
        return;
    }
    if (e && e->needs <= s->arrived && !s->access && since > patience(s))
        stim_complain(&s->base, "nothing happens, though a command has come");
    if (s->halted && s->sent == s->stop_at &&
        since > time_out(s) + patience(s))
        host_fails(s, SILENT);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct uartbone_stim *s = (struct uartbone_stim *)base;
    const struct uartbone_out *after = after_ports;
    watch_bus(s, in_ports, before_ports, after);
    watch_line(s, after);
    watch_reset(s, after);
    watch_arrivals(s);
    if (this_edge(s) == s->fails_at) {
        if (after->bus_cyc)
            stim_complain(base, "an access outlives an error of the line");
        host_fails(s, s->fault);
    } else {
        watch_time(s);
    }
    /* nobody can say what must happen; the models are compared all the same */
    if (s->unkept)
        base->message[0] = '\0';
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    static const char *const names[PLANS] = {
        [PLAN_FRAMING] = "broken stop bits",
        [PLAN_BREAK] = "breaks",
        [PLAN_SILENCE] = "silences",
        [PLAN_STUCK] = "slaves that were waited for",
        [PLAN_CUT] = "slaves that were cut off",
        [PLAN_PUSH] = "overruns behind an answer",
        [PLAN_JAM] = "overruns behind an access",
    };
    const struct uartbone_stim *s = (const struct uartbone_stim *)base;
    text_printf(t, "commands\t%" PRIu64 "\n", s->n_commands);
    text_printf(t, "bytes\t%" PRIu64 "\n", s->n_bytes);
    text_printf(t, "answers\t%" PRIu64 "\n", s->n_answers);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->n_accesses);
    text_printf(t, "transcripts\t%" PRIu64 "\n", s->n_sums);
    for (int i = PLAN_NONE + 1; i < PLANS; i++)
        text_printf(t, "%s\t%" PRIu64 "\n", names[i], s->n_faults[i]);
}

static const struct stim_mode random_mode = {.name = "random", .resets = true};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class uartbone_stim = {
    .size = sizeof(struct uartbone_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
