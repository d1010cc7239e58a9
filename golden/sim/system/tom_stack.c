/* tom_stack.c - a memory stack: its core, its memory, and its side of the
 * links (TOM, sections 4.2, 4.4.2 and 5.1).
 *
 * Blocks wait in order of arrival until a warp is free; the L1 is emptied when
 * one starts.  Each is a group of its own in the core; none has a barrier.  A
 * block is over when its last access is answered; then its live-outs and the
 * lines that it has written go back.  Accesses to other stacks take the links
 * between stacks.
 */
#include "tom_state.h"

#include "base/arena.h"

#include <stdlib.h>

struct tom_stack {
    struct tom_machine *m;
    uint32_t index;
    struct core *core;
    struct pipe *memory;
    struct tom_job **waiting; /* arrived, no warp yet; a ring */
    uint32_t head, n, cap;
};

struct core *tom_stack_core(struct tom_stack *s) {
    return s->core;
}

struct pipe *tom_stack_memory(struct tom_stack *s) {
    return s->memory;
}

/* ------------------------------------------------------- accesses of blocks */

static uint32_t stack_of(const struct tom_stack *s, uint64_t address) {
    return s->m->settings->ideal ? s->index : tom_map_stack(s->m->map, address);
}

static bool ready(void *ctx, enum stream_access what, uint64_t address) {
    struct tom_stack *s = ctx;
    if (what == STREAM_LOAD && core_holds(s->core, address))
        return true;
    uint32_t to = stack_of(s, address);
    return to == s->index ? pipe_ready(s->memory, s->m->cycle)
                          : pipe_ready(s->m->cross[s->index][to], s->m->cycle);
}

/* The job has written a line. */
static void note_line(struct tom_job *j, uint64_t line) {
    for (int i = j->lines.n; i-- > 0;)
        if (j->lines.v[i] == line)
            return;
    *array_push(&j->lines) = line;
}

static void to_memory(struct tom_stack *s, const struct tom_message *m) {
    bool twice = m->what == TOM_MSG_ATOMIC; /* there and back */
    struct pipe_packet p = {.kind = m->what,
                            .amount = (twice ? 64 : 32) * m->sectors,
                            .token = tom_token(m)};
    pipe_send(s->memory, s->m->cycle, &p);
}

static void send(void *ctx, enum stream_access what, uint64_t address,
                 uint32_t sectors, uint64_t number) {
    struct tom_stack *s = ctx;
    struct tom_message msg = tom_access(what, sectors, number);
    uint32_t to = stack_of(s, address);
    msg.from_stack = true;
    msg.who = s->index;
    tom_machine_touch(s->m, to, address);
    if (what == STREAM_STORE && !tom_coherent(s->m->settings))
        note_line(core_group(s->core, (uint32_t)number), address / CACHE_LINE);
    if (to == s->index) {
        to_memory(s, &msg);
        return;
    }
    struct pipe_packet p = tom_request(&msg);
    pipe_send(s->m->cross[s->index][to], s->m->cycle, &p);
}

static void take_answer(struct tom_stack *s, const struct tom_message *msg) {
    if (msg->what == TOM_MSG_LINE)
        core_line(s->core, s->m->cycle, msg->number);
    else if (msg->what == TOM_MSG_ATOMIC)
        core_atomic(s->core, s->m->cycle, msg->number);
    else
        core_stored(s->core, (uint32_t)msg->number);
}

/* ------------------------------------------------------------------ blocks */

void tom_stack_arrive(struct tom_stack *s, struct tom_job *j) {
    if (s->n == s->cap)
        BUG("more blocks at a stack than there are warps");
    s->waiting[(s->head + s->n++) % s->cap] = j;
}

static void spawn(struct tom_stack *s) {
    while (s->n && core_room(s->core)) {
        struct tom_job *j = s->waiting[s->head];
        s->head = (s->head + 1) % s->cap;
        s->n--;
        if (!tom_coherent(s->m->settings))
            cache_invalidate_all(core_cache(s->core));
        uint64_t set = core_launch(s->core, j, j->code, 1);
        uint32_t slot = (uint32_t)__builtin_ctzll(set);
        core_jump(s->core, slot, j->instance->begin);
        core_resume(s->core, slot, j->instance->end);
    }
}

static void acknowledge(struct tom_stack *s, const struct tom_job *j) {
    struct tom_message msg = {
        .what = TOM_MSG_ACK, .who = j->core, .number = j->slot};
    uint32_t rows = 8 * j->candidate->rows_out;
    uint32_t lines = (uint32_t)j->lines.n;
    struct pipe_packet p = {.kind = TOM_BLOCK,
                            .amount = 1 + rows + lines,
                            .payload = PIPE_FLIT * (1 + rows) + 4 * lines,
                            .token = tom_token(&msg)};
    pipe_send(s->m->rx[s->index], s->m->cycle, &p);
}

/* Blocks of which nothing is under way any more go home. */
static void go_home(struct tom_stack *s) {
    const struct tom_job *j;
    while ((j = core_leave(s->core)))
        if (s->m->settings->ideal)
            tom_control_ack(tom_main_control(s->m->cores[j->core]), j->slot);
        else
            acknowledge(s, j);
}

/* ------------------------------------------------------------ links, memory */

/* A request that a link has brought; false: it has to wait there. */
static bool take_request(struct tom_stack *s, uint64_t token) {
    struct tom_message msg = tom_message(token);
    if (msg.what == TOM_MSG_JOB) {
        tom_stack_arrive(s, &s->m->jobs[msg.who][msg.number]);
        return true;
    }
    if (!pipe_ready(s->memory, s->m->cycle))
        return false;
    to_memory(s, &msg);
    return true;
}

static void requests(struct tom_stack *s, struct pipe *l) {
    uint64_t token;
    while (pipe_peek(l, s->m->cycle, &token) && take_request(s, token))
        pipe_pop(l);
}

/* What another stack sends: requests of its core, answers to this one's. */
static void from_stack(struct tom_stack *s, struct pipe *l) {
    uint64_t token;
    while (pipe_peek(l, s->m->cycle, &token)) {
        struct tom_message msg = tom_message(token);
        if (msg.who == s->index)
            take_answer(s, &msg);
        else if (!take_request(s, token))
            return;
        pipe_pop(l);
    }
}

/* Each way out has a queue of its own, so that none of them holds up another:
 * not a saturated link what the stack's own core waits for.  Who asks has
 * bounded how much can wait there. */
static void pass_answer(struct tom_stack *s, uint64_t token) {
    struct tom_machine *m = s->m;
    struct tom_message msg = tom_message(token);
    if (msg.from_stack && msg.who == s->index) {
        take_answer(s, &msg);
        return;
    }
    struct pipe *l =
        msg.from_stack ? m->cross[s->index][msg.who] : m->rx[s->index];
    struct pipe_packet p = tom_answer(&msg);
    pipe_send(l, m->cycle, &p);
}

static void answers(struct tom_stack *s) {
    uint64_t token;
    while (pipe_receive(s->memory, s->m->cycle, &token))
        pass_answer(s, token);
}

/* ------------------------------------------------------------------- stack */

struct tom_stack *tom_stack_create(struct tom_machine *m, uint32_t index) {
    const struct tom_settings *t = m->settings;
    struct tom_stack *s = xcalloc(1, sizeof *s);
    struct core_config config = {.slots = m->limit,
                                 .interval =
                                     tom_interval(t) * t->whole / t->cores,
                                 .latency = CORE_LATENCIES,
                                 .cache = tom_l1(t),
                                 .drain = true};
    struct core_hooks hooks = {.ctx = s, .ready = ready, .send = send};
    struct pipe_config memory = {
        .rate =
            pipe_bytes((double)t->internal * t->cores / t->whole, TOM_CLOCK),
        .latency = TOM_LATENCY_DRAM,
        .depth = 1024};
    s->m = m;
    s->index = index;
    s->cap = t->cores * t->warps;
    s->waiting = xcalloc(s->cap, sizeof(struct tom_job *));
    s->memory = pipe_create(&memory);
    s->core = core_create(&config, &hooks, m->reader);
    return s;
}

void tom_stack_free(struct tom_stack *s) {
    if (!s)
        return;
    pipe_free(s->memory);
    core_free(s->core);
    free(s->waiting);
    free(s);
}

void tom_stack_kernel(struct tom_stack *s) {
    cache_invalidate_all(core_cache(s->core));
}

void tom_stack_step(struct tom_stack *s) {
    struct tom_machine *m = s->m;
    requests(s, m->tx[s->index]);
    for (uint32_t i = 0; i < TOM_STACKS; i++)
        if (i != s->index)
            from_stack(s, m->cross[i][s->index]);
    answers(s);
    spawn(s);
    if (core_wakes(s->core) <= m->cycle)
        core_step(s->core, m->cycle);
    go_home(s);
}
