/* tom_machine.c - links and L2, and one cycle of all.
 *
 * A cycle: answers come to the GPU, CTAs to the cores, the cores step, then
 * their controllers (each cycle another first), then the stacks.  The monitors
 * see on this edge which links move a flit in this cycle.
 */
#include "tom_state.h"

#include "base/arena.h"

#include <stdlib.h>

/* ----------------------------------------------------------------- packets */

struct tom_message tom_access(enum stream_access what, uint32_t sectors,
                              uint64_t number) {
    return (struct tom_message){.what = what == STREAM_LOAD    ? TOM_MSG_LINE
                                        : what == STREAM_STORE ? TOM_MSG_STORE
                                                               : TOM_MSG_ATOMIC,
                                .sectors =
                                    (uint32_t)__builtin_popcount(sectors),
                                .number = number};
}

struct pipe_packet tom_request(const struct tom_message *m) {
    bool data = m->what != TOM_MSG_LINE;
    return (struct pipe_packet){.kind = m->what,
                                .amount = data ? 1 + 2 * m->sectors : 1,
                                .payload = data ? 4 + 32 * m->sectors : 4,
                                .token = tom_token(m)};
}

struct pipe_packet tom_answer(const struct tom_message *m) {
    struct pipe_packet p = {.kind = m->what, .token = tom_token(m)};
    p.amount = m->what == TOM_MSG_LINE     ? CACHE_LINE / PIPE_FLIT
               : m->what == TOM_MSG_ATOMIC ? 2 * m->sectors
                                           : 1;
    p.payload = m->what == TOM_MSG_STORE ? 1 : PIPE_FLIT * p.amount;
    return p;
}

/* ---------------------------------------------------------------- building */

struct cache_config tom_l1(const struct tom_settings *s) {
    return (struct cache_config){.size = s->l1,
                                 .ways = s->ways,
                                 .mshrs = s->mshrs,
                                 .targets = 16,
                                 .hashed = true};
}

uint32_t tom_limit(const struct tom_settings *s) {
    uint32_t limit = s->limit * s->cores / s->whole;
    return limit ? limit : 1;
}

void tom_defaults(struct config *c) {
    struct diag d = {0};
    if (!config_preset(c, "tom", &d))
        BUG("the preset 'tom' cannot be read");
    diag_free(&d);
}

void tom_configure(const struct tom_settings *s, struct config *c) {
    tom_defaults(c);
    c->offload_warps = (int)s->warps;
    c->offload_mode = (int)s->mode;
    c->offload_limit = (int)tom_limit(s);
    c->offload_window = (int)s->window;
    c->offload_busy_on = (int)s->busy_on;
    c->offload_busy_off = (int)s->busy_off;
}

static struct rows *make_rows(const struct tom_settings *s) {
    uint32_t vaults = TOM_VAULTS * s->cores / s->whole;
    struct rows_config config = {.vaults = vaults ? vaults : 1,
                                 .banks = TOM_BANKS,
                                 .lines = TOM_ROW / CACHE_LINE,
                                 .queue = TOM_VAULT_QUEUE};
    return rows_create(&config);
}

static struct pipe *make_link(const struct tom_settings *s, uint32_t rate,
                              uint32_t latency) {
    struct pipe_config config = {
        .rate = pipe_flits((double)rate * s->cores / s->whole, TOM_CLOCK),
        .latency = latency,
        .backlog = TOM_BACKLOG};
    return pipe_create(&config);
}

static void make_links(struct tom_machine *m) {
    const struct tom_settings *s = m->settings;
    struct pipe_config l2 = {.rate = {.amount = 1, .time = 0, .ticks = 1},
                             .latency = TOM_LATENCY_L2};
    for (int i = 0; i < TOM_STACKS; i++) {
        m->tx[i] = make_link(s, s->link, TOM_LATENCY_LINK);
        m->rx[i] = make_link(s, s->link, TOM_LATENCY_LINK);
        for (int k = 0; k < TOM_STACKS; k++)
            if (k != i)
                m->cross[i][k] = make_link(s, s->cross, TOM_LATENCY_CROSS);
    }
    m->l2_hits = pipe_create(&l2);
}

static bool make_l2(struct tom_machine *m) {
    const struct tom_settings *s = m->settings;
    uint64_t size = (uint64_t)s->l2 * s->cores / s->whole;
    struct cache_config l2 = {.ways = 16,
                              .mshrs = 16 * s->cores,
                              .targets = s->cores + 1,
                              .hashed = true};
    l2.size = (uint32_t)(size / (16 * CACHE_LINE) * (16 * CACHE_LINE));
    if (!s->l2)
        return true;
    m->l2 = cache_create(&l2);
    m->l2_tokens = xcalloc(l2.targets, sizeof *m->l2_tokens);
    return m->l2 != NULL;
}

struct tom_machine *tom_machine_create(const struct tom_settings *s,
                                       const struct cta_reader *reader,
                                       const struct tom_map *map,
                                       struct tom_result *result) {
    struct tom_machine *m = xcalloc(1, sizeof *m);
    m->settings = s;
    m->reader = reader;
    m->map = map;
    m->limit = tom_limit(s);
    m->result = result;
    tom_configure(s, &m->config);
    m->config.offload_map_bit = (int)map->bit;
    make_links(m);
    bool ok = make_l2(m);
    for (uint32_t i = 0; i < s->cores; i++)
        m->cores[i] = tom_main_create(m, i);
    for (uint32_t i = 0; i < TOM_STACKS; i++) {
        m->stacks[i] = tom_stack_create(m, i);
        m->rows[i] = make_rows(s);
        ok = ok && tom_stack_core(m->stacks[i]);
    }
    if (ok && tom_main_core(m->cores[0]))
        return m;
    tom_machine_free(m);
    return NULL;
}

void tom_machine_free(struct tom_machine *m) {
    if (!m)
        return;
    for (uint32_t i = 0; i < TOM_MAX_CORES; i++) {
        tom_main_free(m->cores[i]);
        for (uint32_t k = 0; k < TOM_MAX_WARPS; k++)
            array_free(&m->jobs[i][k].lines);
    }
    for (uint32_t i = 0; i < TOM_STACKS; i++) {
        tom_stack_free(m->stacks[i]);
        rows_free(m->rows[i]);
        pipe_free(m->tx[i]);
        pipe_free(m->rx[i]);
        for (uint32_t k = 0; k < TOM_STACKS; k++)
            pipe_free(m->cross[i][k]);
    }
    pipe_free(m->l2_hits);
    cache_free(m->l2);
    free(m->l2_tokens);
    free(m);
}

/* ------------------------------------------------------------------- steps */

static void to_core(struct tom_machine *m, uint32_t core,
                    const struct tom_message *msg) {
    tom_main_answer(m->cores[core], msg);
}

/* A line for the L2, and for all cores whose L1 waits for it. */
static void fill_l2(struct tom_machine *m, const struct tom_message *msg) {
    uint32_t n =
        cache_fill(m->l2, m->cycle, msg->number * CACHE_LINE, m->l2_tokens);
    for (uint32_t i = 0; i < n; i++)
        to_core(m, (uint32_t)m->l2_tokens[i], msg);
}

static void arrivals(struct tom_machine *m) {
    uint64_t token;
    for (int s = 0; s < TOM_STACKS; s++)
        while (pipe_receive(m->rx[s], m->cycle, &token)) {
            struct tom_message msg = tom_message(token);
            if (m->l2 && msg.what == TOM_MSG_LINE)
                fill_l2(m, &msg);
            else
                to_core(m, msg.who, &msg);
        }
    while (pipe_receive(m->l2_hits, m->cycle, &token)) {
        struct tom_message msg = tom_message(token);
        to_core(m, msg.who, &msg);
    }
}

static void watch_links(struct tom_machine *m, uint32_t *tx, uint32_t *rx) {
    struct tom_result *r = m->result;
    *tx = *rx = 0;
    for (int s = 0; s < TOM_STACKS; s++) {
        bool t = pipe_moves(m->tx[s], m->cycle);
        bool x = pipe_moves(m->rx[s], m->cycle);
        *tx |= (uint32_t)t << s;
        *rx |= (uint32_t)x << s;
        r->tx_moves[s] += t;
        r->rx_moves[s] += x;
    }
}

static void control(struct tom_machine *m) {
    uint32_t n = m->settings->cores, tx, rx;
    watch_links(m, &tx, &rx);
    if (m->settings->ideal) /* blocks do not take them */
        tx = rx = 0;
    for (uint32_t k = 0; k < n; k++)
        tom_control_step(tom_main_control(m->cores[(m->cycle + k) % n]), tx,
                         rx);
    tom_control_busy(tom_main_control(m->cores[0]), &tx, &rx);
    for (int s = 0; s < TOM_STACKS; s++) {
        m->result->tx_busy[s] += tx >> s & 1;
        m->result->rx_busy[s] += rx >> s & 1;
    }
}

static bool is_busy(const struct tom_machine *m) {
    for (uint32_t i = 0; i < m->settings->cores; i++)
        if (!tom_main_idle(m->cores[i]))
            return true;
    return false;
}

/* CTAs to cores with room, one a core and cycle. */
static void dispatch(struct tom_machine *m, const struct tom_supply *supply,
                     struct tom_cta **next, uint32_t *turn) {
    uint32_t n = m->settings->cores, first = *turn;
    for (uint32_t k = 0; k < n && *next; k++) {
        uint32_t i = (first + k) % n;
        if (!tom_main_fits(m->cores[i], (*next)->cta))
            continue;
        tom_main_start(m->cores[i], *next);
        *next = supply->next(supply->ctx);
        *turn = (i + 1) % n;
    }
}

/* CTAs that have ended, for whoever watches the run. */
static bool go_on(const struct tom_machine *m,
                  const struct tom_supply *supply) {
    uint64_t done = 0;
    if (m->cycle % TOM_ASK_EVERY != 0)
        return true;
    for (uint32_t i = 0; i < m->settings->cores; i++)
        done += tom_main_ctas(m->cores[i]);
    return supply->go_on(supply->ctx, done);
}

bool tom_machine_launch(struct tom_machine *m, const struct tom_function *f,
                        const struct tom_supply *supply) {
    struct tom_cta *next = supply->next(supply->ctx);
    uint32_t turn = 0;
    if (m->l2)
        cache_invalidate_all(m->l2);
    for (uint32_t i = 0; i < m->settings->cores; i++)
        tom_main_kernel(m->cores[i], f);
    for (uint32_t i = 0; i < TOM_STACKS; i++)
        tom_stack_kernel(m->stacks[i]);
    while (next || is_busy(m)) {
        if (!go_on(m, supply)) {
            tom_cta_free(next);
            return false;
        }
        arrivals(m);
        if (next)
            dispatch(m, supply, &next, &turn);
        for (uint32_t i = 0; i < m->settings->cores; i++)
            tom_main_step(m->cores[(m->cycle + i) % m->settings->cores]);
        control(m);
        for (uint32_t i = 0; i < TOM_STACKS; i++)
            tom_stack_step(m->stacks[i]);
        m->cycle++;
    }
    m->result->launches++;
    return true;
}

void tom_machine_touch(struct tom_machine *m, uint32_t stack,
                       uint64_t address) {
    rows_access(m->rows[stack], tom_map_line(m->map, address));
}

/* ----------------------------------------------------------------- results */

void tom_machine_collect(struct tom_machine *m) {
    struct tom_result *r = m->result;
    r->cycles = m->cycle;
    r->limit = m->limit;
    for (uint32_t i = 0; i < m->settings->cores; i++) {
        struct core *c = tom_main_core(m->cores[i]);
        cache_stats_add(&r->l1, cache_statistics(core_cache(c)));
        r->main_instructions += core_statistics(c)->instructions;
        r->ctas += tom_main_ctas(m->cores[i]);
    }
    if (m->l2)
        cache_stats_add(&r->l2, cache_statistics(m->l2));
    for (int s = 0; s < TOM_STACKS; s++) {
        struct core *c = tom_stack_core(m->stacks[s]);
        cache_stats_add(&r->stack_l1, cache_statistics(core_cache(c)));
        r->stack_instructions += core_statistics(c)->instructions;
        r->memory_bytes[s] =
            pipe_amount(pipe_statistics(tom_stack_memory(m->stacks[s])));
        r->rows[s] = *rows_statistics(m->rows[s]);
        r->tx[s] = *pipe_statistics(m->tx[s]);
        r->rx[s] = *pipe_statistics(m->rx[s]);
        for (int t = 0; t < TOM_STACKS; t++)
            if (t != s)
                r->cross[s][t] = *pipe_statistics(m->cross[s][t]);
    }
}
