/* concurrent.c - host and accelerators on one memory. */
#include "concurrent.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/dram_channel.h"
#include "dram_channel/dram_channel.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAITING = 16,   /* requests before a channel's queue */
    UNDER_WAY = 64, /* reads whose data are on their way */
    RETURN = 24, /* cycles from the data bus to the core and back out: 20 ns */
    SAID = 5,    /* violations with a message */
    READ = 0,
    WRITE = 1,
    PACKET = 2,
    MIRRORED = 1, /* of dram_channel.accelerators */
    DELAY = 3     /* edges from the channel to the ends beside the memory */
};

/* What waits for a place in a channel's queue. */
struct waiting {
    struct dram_place place;
    uint8_t kind;
    int tag; /* of a packet: the rank */
    uint64_t since;
};

struct returning {
    uint64_t at;
    int tag;
};

/* What goes from the channel to the ends beside the memory on an edge. */
struct sent {
    bool host; /* a command of the host's: */
    struct dram_command command;
    struct machine_in in[CONCURRENT_RANKS];
    bool launches[CONCURRENT_RANKS]; /* a packet arrives: */
    struct near_task task[CONCURRENT_RANKS];
};

/* An accelerator's end beside the memory. */
struct end {
    struct machine machine;
    struct near near;
};

struct channel {
    struct golden *golden;
    struct dram_checker *checker;
    struct dram_channel_in in;
    const struct dram_channel_out *out;
    struct waiting waiting[WAITING];
    int first, n;
    struct waiting known[256]; /* in the queue, by id */
    uint8_t ids[256];          /* free ones */
    int n_ids;
    struct returning back[UNDER_WAY]; /* a ring, in order */
    int back_first, n_back;
    struct returning packet[UNDER_WAY]; /* the same: when a rank has it */
    int packet_first, n_packets;
    struct near near[CONCURRENT_RANKS];
    struct concurrent_rank count[CONCURRENT_RANKS];
    uint64_t bus_until[CONCURRENT_RANKS]; /* last burst of the host's end */
    uint64_t rows[CONCURRENT_RANKS]; /* banks with a row command of the host,
                                        and no burst since */
    uint64_t served_until[CONCURRENT_RANKS]; /* last beat of its bursts */
    struct end end[CONCURRENT_RANKS];        /* of mirrored accelerators */
    struct sent line[DELAY + 1];             /* by edge, a ring */
};

/* The launches of one rank. */
struct launches {
    struct channel *channel;
    struct near *near;
    int rank;
    uint64_t operation; /* the one that is being launched */
    int next;      /* burst of the vector from which its packets are to go */
    int under_way; /* packets that the rank has not got yet */
    uint64_t sent; /* packets */
    struct near_task task[NEAR_QUEUE]; /* of packets under way, a ring */
    int first;
};

struct concurrent {
    const struct concurrent_setup *s;
    struct concurrent_result *r;
    struct dram_layout l;
    struct near_job job;
    struct channel channel[CONCURRENT_CHANNELS];
    struct launches launch[CONCURRENT_CHANNELS * CONCURRENT_RANKS];
    int n_channels, n_ranks, n_launches, turn;
    int tasks;     /* packets of an operation for a rank */
    bool mirrored; /* dram_channel.accelerators */
    struct dram_rule rules[DRAM_RULES];
    uint64_t edges; /* of the channels */
    uint64_t now, latency_sum, begun, duration_sum;
    int violations_said;
};

/* --- the way to a channel ------------------------------------------------- */

static bool push(struct channel *c, const struct waiting *w) {
    if (c->n == WAITING)
        return false;
    c->waiting[(c->first + c->n++) % WAITING] = *w;
    return true;
}

static bool offer(void *ctx, uint64_t address, bool write, int tag) {
    struct concurrent *k = ctx;
    struct waiting w = {.place = dram_map_place(&k->l.map, address),
                        .kind = write ? WRITE : READ,
                        .tag = tag,
                        .since = k->now};
    return push(&k->channel[w.place.part[DRAM_CHANNEL_BITS]], &w);
}

/* Show the oldest that waits on req_*. */
static void show_request(struct channel *c) {
    if (c->in.req_valid || c->n == 0 || c->n_ids == 0)
        return;
    const struct waiting *w = &c->waiting[c->first];
    c->in.req_valid = 1;
    c->in.req_write = w->kind != READ;
    c->in.req_urgent = w->kind == PACKET;
    c->in.req_id = c->ids[--c->n_ids]; /* kept until it is taken */
    c->in.req_rank = (uint64_t)w->place.part[DRAM_RANK_BITS];
    c->in.req_group = (uint64_t)w->place.part[DRAM_GROUP_BITS];
    c->in.req_bank = (uint64_t)w->place.part[DRAM_BANK_BITS];
    c->in.req_row = (uint64_t)w->place.part[DRAM_ROW];
    c->in.req_column = (uint64_t)w->place.part[DRAM_COLUMN];
}

static void request_taken(struct channel *c) {
    c->known[c->in.req_id] = c->waiting[c->first];
    c->first = (c->first + 1) % WAITING;
    c->n--;
    c->in.req_valid = 0;
}

/* The inputs of a next<r>, as they follow each other. */
struct next {
    uint64_t valid, write, enabled, group, bank, row, column;
    uint64_t ahead, ahead_group, ahead_bank, ahead_row;
};

static void show_near(struct concurrent *k, struct channel *c, int r) {
    struct next *const at[CONCURRENT_RANKS] = {
        (void *)&c->in.next0_valid, (void *)&c->in.next1_valid,
        (void *)&c->in.next2_valid, (void *)&c->in.next3_valid};
    const struct near_burst *b = near_waiting(&c->near[r], k->now);
    *at[r] = (struct next){0};
    if (!b)
        return;
    *at[r] =
        (struct next){.valid = 1,
                      .write = b->write,
                      .enabled = b->enabled,
                      .group = (uint64_t)b->place.part[DRAM_GROUP_BITS],
                      .bank = (uint64_t)b->place.part[DRAM_BANK_BITS],
                      .row = (uint64_t)b->place.part[DRAM_ROW],
                      .column = (uint64_t)b->place.part[DRAM_COLUMN],
                      .ahead = b->ahead && k->l.map.reserved > 1,
                      .ahead_group = (uint64_t)b->then.part[DRAM_GROUP_BITS],
                      .ahead_bank = (uint64_t)b->then.part[DRAM_BANK_BITS],
                      .ahead_row = (uint64_t)b->then.part[DRAM_ROW]};
}

/* --- commands ------------------------------------------------------------- */

static void said(void *ctx, const struct dram_violation *v) {
    struct concurrent *k = ctx;
    k->r->violations++;
    if (k->violations_said++ >= SAID)
        return;
    diag_warning(
        k->s->d, (struct place){0},
        "cycle %lld: %s channel %d rank %d group %d bank %d breaks '%s'",
        (long long)v->command->cycle, dram_kind_name(v->command->kind),
        v->command->channel, v->command->rank, v->command->group,
        v->command->bank, dram_check_name(v->check));
}

static void watch(struct concurrent *k, struct channel *c,
                  const struct dram_command *command) {
    k->r->commands++;
    dram_checker_take(c->checker, command);
    if (k->s->trace)
        dram_trace_put(k->s->trace, k->s->format, command);
}

/* Idle cycles of a rank that end where a burst of the host begins. */
static void count_gap(struct concurrent_rank *n, uint64_t gap) {
    static const uint64_t most[CONCURRENT_GAPS - 1] = {9, 99, 249, 999};
    int i = 0;
    while (i < CONCURRENT_GAPS - 1 && gap > most[i])
        i++;
    n->gap[i] += gap;
    n->idle += gap;
}

static void host_burst(struct concurrent *k, struct channel *c, int rank) {
    uint64_t length = (uint64_t)k->s->config->timing_bl;
    if (k->now > c->bus_until[rank])
        count_gap(&c->count[rank], k->now - c->bus_until[rank]);
    c->bus_until[rank] = k->now + length;
    c->count[rank].host_bursts++;
}

static bool at_rest(const struct concurrent *k, const struct channel *c,
                    int rank) {
    return !c->rows[rank] && k->now >= c->served_until[rank];
}

/* A command of the host to a bank: what is under way in its rank. */
static void host_busy(struct concurrent *k, struct channel *c,
                      const struct dram_command *m) {
    const struct config *f = k->s->config;
    uint64_t bank = bit(m->group * f->dram_banks + m->bank);
    uint64_t *until = &c->served_until[m->rank];
    if (at_rest(k, c, m->rank))
        c->count[m->rank].rest += k->now - *until;
    if (m->kind == DRAM_ACT || m->kind == DRAM_PRE) {
        c->rows[m->rank] |= bank;
        return;
    }
    int latency = dram_is_read(m->kind) ? f->timing_cl : f->timing_cwl;
    uint64_t end = k->now + (uint64_t)(latency + f->timing_bl);
    c->rows[m->rank] &= ~bank;
    *until = end > *until ? end : *until;
}

/* A burst of an accelerator. */
static void near_burst(struct concurrent *k, struct channel *c, int rank) {
    c->count[rank].rest_bursts += at_rest(k, c, rank);
    near_taken(&c->near[rank], k->now);
}

/* A column command of the host. */
static void served(struct concurrent *k, struct channel *c, int id) {
    const struct config *f = k->s->config;
    struct waiting *w = &c->known[id];
    c->ids[c->n_ids++] = (uint8_t)id;
    host_burst(k, c, w->place.part[DRAM_RANK_BITS]);
    if (w->kind == READ) {
        uint64_t at = k->now + (uint64_t)(f->timing_cl + f->timing_bl);
        k->r->reads++;
        k->latency_sum += at - w->since;
        c->back[(c->back_first + c->n_back++) % UNDER_WAY] =
            (struct returning){at + RETURN, w->tag};
    } else if (w->kind == WRITE) {
        k->r->writes++;
    } else {
        uint64_t at = k->now + (uint64_t)(f->timing_cwl + f->timing_bl);
        c->packet[(c->packet_first + c->n_packets++) % UNDER_WAY] =
            (struct returning){at, w->tag};
    }
}

/* The host's command. */
static struct dram_command host_command(struct concurrent *k,
                                        const struct dram_channel_out *out,
                                        int number) {
    enum dram_kind kind = (enum dram_kind)out->cmd_kind;
    bool column = dram_is_read(kind) || dram_is_write(kind);
    bool row = column || kind == DRAM_ACT;
    return (struct dram_command){.cycle = (int64_t)k->now,
                                 .kind = kind,
                                 .channel = number,
                                 .rank = (int)out->cmd_rank,
                                 .group = (int)out->cmd_group,
                                 .bank = (int)out->cmd_bank,
                                 .row = row ? (int)out->cmd_row : -1,
                                 .column = column ? (int)out->cmd_column : -1};
}

static void look_at_host(struct concurrent *k, struct channel *c,
                         const struct dram_command *command) {
    enum dram_kind kind = command->kind;
    if (!dram_kind_of_rank(kind))
        host_busy(k, c, command);
    if (dram_is_read(kind) || dram_is_write(kind))
        served(k, c, (int)c->out->cmd_id);
}

static void look_at_near(struct concurrent *k, struct channel *c, int number,
                         int r) {
    const struct dram_channel_out *out = c->out;
    const struct dram_map *m = &k->l.map;
    int group = m->width[DRAM_GROUP_BITS], bank = m->width[DRAM_BANK_BITS];
    int row = m->width[DRAM_ROW], columns = m->width[DRAM_COLUMN];
    enum dram_kind kind = (enum dram_kind)(out->ndc_kind >> 3 * r & 7);
    bool column = dram_is_read(kind) || dram_is_write(kind);
    struct dram_command command = {
        .cycle = (int64_t)k->now,
        .kind = kind,
        .nda = true,
        .channel = number,
        .rank = r,
        .group = (int)(out->ndc_group >> r * group & ones(group)),
        .bank = (int)(out->ndc_bank >> r * bank & ones(bank)),
        .row =
            kind == DRAM_PRE ? -1 : (int)bits_get(out->ndc_row, r * row, row),
        .column = column ? (int)(out->ndc_column >> r * columns & ones(columns))
                         : -1};
    watch(k, c, &command);
}

/* --- mirrored accelerators ------------------------------------------------ */

/* What the channel shows the accelerator of rank r after an edge. */
static struct machine_in machine_sees(const struct dram_channel_out *out,
                                      int r) {
#define SEES(n)                                                                \
    if (r == n)                                                                \
    return (struct machine_in){.host = out->host##n##_valid != 0,              \
                               .kind = (enum dram_kind)out->host##n##_kind,    \
                               .group = (int)out->host##n##_group,             \
                               .bank = (int)out->host##n##_bank,               \
                               .row = (int)out->host##n##_row,                 \
                               .held = out->held##n##_all != 0,                \
                               .reads_held = out->held##n##_reads != 0,        \
                               .writes_held = out->held##n##_writes != 0,      \
                               .rows_held = (unsigned)out->held##n##_rows}
    SEES(0);
    SEES(1);
    SEES(2);
    SEES(3);
    BUG("a channel has four ranks at most");
#undef SEES
}

static struct sent *line_at(struct channel *c, uint64_t edge) {
    return &c->line[edge % (DELAY + 1)];
}

/* The end of rank r on what was sent to it on an edge. */
static void step_end(struct concurrent *k, struct channel *c, int number, int r,
                     const struct sent *s, uint64_t edge) {
    struct end *e = &c->end[r];
    const struct near_burst *b = NULL;
    const struct dram_place *p;
    enum dram_kind kind;
    if (e->near.j) {
        if (s->launches[r])
            near_launch(&e->near, s->task[r], edge);
        near_cycle(&e->near, edge);
        b = near_waiting(&e->near, edge);
    }
    if (b && !(machine_owns(&e->machine, &b->place) &&
               (!b->ahead || machine_owns(&e->machine, &b->then))))
        BUG("an operand beyond the banks of a mirrored accelerator");
    if (!machine_edge(&e->machine, edge, &s->in[r], b, &kind, &p))
        return;
    bool column = dram_is_read(kind) || dram_is_write(kind);
    struct dram_command command = {
        .cycle = (int64_t)edge,
        .kind = kind,
        .nda = true,
        .channel = number,
        .rank = r,
        .group = p->part[DRAM_GROUP_BITS],
        .bank = p->part[DRAM_BANK_BITS],
        .row = kind == DRAM_PRE ? -1 : p->part[DRAM_ROW],
        .column = column ? p->part[DRAM_COLUMN] : -1};
    watch(k, c, &command);
    if (column)
        near_taken(&e->near, edge);
}

/* What was sent to the ends of a channel on an edge is there. */
static void step_ends(struct concurrent *k, struct channel *c, int number,
                      uint64_t edge) {
    struct sent *s = line_at(c, edge);
    if (s->host)
        watch(k, c, &s->command);
    for (int r = 0; r < k->n_ranks; r++)
        step_end(k, c, number, r, s, edge);
    *s = (struct sent){0};
}

/* --- launches ------------------------------------------------------------- */

static uint64_t operations_of(const struct concurrent *k,
                              const struct launches *l) {
    return l->near->finished / (uint64_t)k->tasks;
}

/* Operations that all ranks are through with. */
static uint64_t operations_ended(const struct concurrent *k) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < k->n_launches; i++) {
        uint64_t n = operations_of(k, &k->launch[i]);
        least = n < least ? n : least;
    }
    return least;
}

static void send_packet(struct concurrent *k, struct launches *l) {
    int blocks = k->s->blocks ? k->s->blocks : k->job.bursts;
    int left = k->job.bursts - l->next;
    struct near_task t = {l->next, left < blocks ? left : blocks};
    /* control registers stand for a row of the rank's first bank */
    struct waiting w = {.kind = PACKET, .tag = l->rank, .since = k->now};
    w.place.part[DRAM_RANK_BITS] = l->rank;
    w.place.part[DRAM_ROW] = (int)ones(k->l.map.width[DRAM_ROW]);
    if (!push(l->channel, &w))
        return;
    if (l->operation == k->r->operations && l->next == 0 && !k->begun)
        k->begun = k->now + 1;
    l->task[(l->first + l->under_way++) % NEAR_QUEUE] = t;
    l->sent++;
    k->r->packets++;
    l->next += t.n;
    if (l->next == k->job.bursts) {
        l->next = 0;
        l->operation++;
    }
}

/* One packet a cycle, to the next rank in turn that may have one. */
static void launch(struct concurrent *k) {
    int n = k->n_launches;
    for (int i = 0, at = k->turn; i < n; i++, at = at + 1 < n ? at + 1 : 0) {
        struct launches *l = &k->launch[at];
        if ((int)(l->sent - l->near->finished) >= k->s->unfinished ||
            (!k->s->async && l->operation > k->r->operations))
            continue;
        k->turn = at + 1 < n ? at + 1 : 0;
        send_packet(k, l);
        return;
    }
}

static void count_operations(struct concurrent *k) {
    uint64_t ended = operations_ended(k);
    if (ended == k->r->operations)
        return;
    if (!k->s->async)
        k->duration_sum += k->now + 1 - k->begun;
    k->r->operations = ended;
    k->begun = 0;
}

static struct launches *launches_of(struct concurrent *k,
                                    const struct channel *c, int rank) {
    for (int i = 0; i < k->n_launches; i++)
        if (k->launch[i].channel == c && k->launch[i].rank == rank)
            return &k->launch[i];
    BUG("a packet for a rank without a share");
}

/* --- a cycle -------------------------------------------------------------- */

static void arrivals(struct concurrent *k, struct channel *c) {
    while (c->n_back && c->back[c->back_first].at <= k->now) {
        k->s->host->answer(k->s->host, c->back[c->back_first].tag);
        c->back_first = (c->back_first + 1) % UNDER_WAY;
        c->n_back--;
    }
    while (c->n_packets && c->packet[c->packet_first].at <= k->now) {
        struct launches *l = launches_of(k, c, c->packet[c->packet_first].tag);
        near_launch(l->near, l->task[l->first], k->now);
        line_at(c, k->now)->launches[l->rank] = true;
        line_at(c, k->now)->task[l->rank] = l->task[l->first];
        l->first = (l->first + 1) % NEAR_QUEUE;
        l->under_way--;
        c->packet_first = (c->packet_first + 1) % UNDER_WAY;
        c->n_packets--;
    }
}

static bool step_near(struct concurrent *k, struct channel *c) {
    bool ended = false;
    for (int r = 0; r < k->n_ranks; r++) {
        struct near *n = &c->near[r];
        uint64_t before = n->finished;
        if (!n->j)
            continue;
        near_cycle(n, k->now);
        ended |= n->finished != before;
        show_near(k, c, r);
    }
    return ended;
}

/* The commands of an edge, by the channel or, later, by the ends. */
static void look_at_commands(struct concurrent *k, struct channel *c,
                             int number) {
    const struct dram_channel_out *out = c->out;
    struct sent *s = line_at(c, k->now);
    s->host = out->cmd_valid != 0;
    if (s->host) {
        s->command = host_command(k, out, number);
        look_at_host(k, c, &s->command);
        if (!k->mirrored)
            watch(k, c, &s->command);
    }
    for (uint64_t left = k->mirrored ? 0 : out->ndc_valid; left;
         left &= left - 1)
        look_at_near(k, c, number, __builtin_ctzll(left));
    for (int r = 0; r < k->n_ranks && k->mirrored; r++)
        s->in[r] = machine_sees(out, r);
}

static void step_channel(struct concurrent *k, struct channel *c, int number) {
    show_request(c);
    bool taken = c->in.req_valid && c->out->req_ready;
    c->out = golden_cycle(c->golden, false, &c->in);
    if (taken)
        request_taken(c);
    look_at_commands(k, c, number);
    for (uint64_t left = c->out->nda_taken; left; left &= left - 1)
        near_burst(k, c, __builtin_ctzll(left));
    if (k->mirrored && k->now >= DELAY)
        step_ends(k, c, number, k->now - DELAY);
}

static bool is_done(const struct concurrent *k) {
    for (int i = 0; i < k->n_channels; i++) {
        const struct channel *c = &k->channel[i];
        int slots = (int)(sizeof c->ids / sizeof c->ids[0]);
        if (c->n || c->n_ids < slots || c->n_back)
            return false;
    }
    return true;
}

static void run(struct concurrent *k) {
    const struct concurrent_setup *s = k->s;
    const struct host_port port = {offer, k};
    int before = s->d->errors;
    for (k->now = 0; !s->cycles || k->now < s->cycles; k->now++) {
        bool ended = false;
        for (int i = 0; i < k->n_channels; i++)
            arrivals(k, &k->channel[i]);
        if (s->host)
            s->host->cycle(s->host, k->now, &port);
        for (int i = 0; i < k->n_channels && s->near; i++)
            ended |= step_near(k, &k->channel[i]);
        if (ended)
            count_operations(k);
        if (s->near)
            launch(k);
        for (int i = 0; i < k->n_channels; i++)
            step_channel(k, &k->channel[i], i);
        k->edges++;
        if (s->host && s->host->finished(s->host) &&
            (s->d->errors > before || !s->cycles) && is_done(k))
            break;
    }
}

/* What is still on its way to the ends. */
static void run_out(struct concurrent *k) {
    uint64_t sent = k->edges < DELAY ? k->edges : DELAY;
    for (uint64_t edge = k->edges - sent; edge < k->edges && k->mirrored;
         edge++)
        for (int i = 0; i < k->n_channels; i++)
            step_ends(k, &k->channel[i], i, edge);
}

/* A mirrored accelerator knows two banks of its rank. */
static bool can_decide(const struct concurrent *k) {
    int reserved = k->s->config->dram_map_reserved;
    if (k->mirrored && k->s->near && (reserved < 1 || reserved > MACHINE_BANKS))
        diag_error(k->s->d, (struct place){0},
                   "'dram_map.reserved' is %d, expected 1 or 2: mirrored "
                   "accelerators have one bank of a rank, or two",
                   reserved);
    return k->s->d->errors == 0;
}

/* --- begin and end -------------------------------------------------------- */

static void open_channel(struct concurrent *k, struct channel *c, int number) {
    c->golden = golden_create(&dram_channel_golden, k->s->config);
    c->out = golden_cycle(c->golden, true, NULL);
    c->checker = dram_checker_create(k->s->config, said, k);
    for (int i = 0; i < 256; i++)
        c->ids[c->n_ids++] = (uint8_t)(255 - i);
    for (int r = 0; r < k->n_ranks; r++) {
        c->count[r] = (struct concurrent_rank){.channel = number, .rank = r};
        machine_init(&c->end[r].machine, k->rules, k->s->config);
        if (!k->s->near)
            continue;
        near_init(&c->near[r], &k->job, number, r);
        if (c->near[r].part < 0)
            c->near[r].j = NULL;
        else
            k->launch[k->n_launches++] =
                (struct launches){.channel = c, .near = &c->near[r], .rank = r};
        c->end[r].near = c->near[r];
    }
}

static void close_channel(struct concurrent *k, struct channel *c) {
    struct concurrent_result *r = k->r;
    dram_checker_end(c->checker);
    for (int i = 0; i < k->n_ranks; i++) {
        if (k->now > c->bus_until[i])
            count_gap(&c->count[i], k->now - c->bus_until[i]);
        if (at_rest(k, c, i))
            c->count[i].rest += k->now - c->served_until[i];
        c->count[i].loads = c->near[i].loads;
        c->count[i].stores = c->near[i].stores;
        r->rank[r->n_ranks++] = c->count[i];
    }
    r->rows += golden_counter(c->golden, DRAM_CHANNEL_CNT_rows);
    r->conflicts += golden_counter(c->golden, DRAM_CHANNEL_CNT_conflicts);
    r->refreshes += golden_counter(c->golden, DRAM_CHANNEL_CNT_refreshes);
    dram_checker_free(c->checker);
    golden_free(c->golden);
}

bool concurrent_run(const struct concurrent_setup *s,
                    struct concurrent_result *r) {
    struct concurrent *k = xcalloc(1, sizeof *k);
    int before = s->d->errors;

    *r = (struct concurrent_result){0};
    k->s = s;
    k->r = r;
    k->n_channels = s->config->dram_channels;
    k->n_ranks = s->config->dram_ranks;
    k->mirrored = s->config->dram_channel_accelerators == MIRRORED;
    dram_rules(s->config, k->rules);
    dram_layout_make(s->config, &k->l);
    if (can_decide(k) && (!s->near || near_job_make(&k->job, &k->l, s->config,
                                                    s->op, s->bytes, s->d))) {
        int blocks = s->blocks ? s->blocks : k->job.bursts;
        k->tasks = s->near ? (k->job.bursts + blocks - 1) / blocks : 1;
        for (int i = 0; i < k->n_channels; i++)
            open_channel(k, &k->channel[i], i);
        if (s->trace)
            dram_trace_begin(s->trace, s->format);
        run(k);
        run_out(k);
        for (int i = 0; i < k->n_channels; i++)
            close_channel(k, &k->channel[i]);
        r->cycles = k->now;
        if (s->host)
            s->host->work(s->host, &r->host);
        r->read_latency =
            r->reads ? (double)k->latency_sum / (double)r->reads : 0;
        r->operation_cycles =
            r->operations && !s->async
                ? (double)k->duration_sum / (double)r->operations
                : 0;
    }
    near_job_free(&k->job);
    dram_layout_free(&k->l);
    free(k);
    return s->d->errors == before;
}
