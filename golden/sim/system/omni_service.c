/* omni_service.c - a node's service queue: chains whose operands are fetched,
 * computed on, stored and answered (docs/blocks/squeue.md), with the paper's
 * ALU of 32 lanes.
 *
 * It keeps no memory of its own: an operand has come when its line has.
 */
#include "omni_state.h"

#include "base/arena.h"

#include <stdlib.h>

struct omni_service {
    struct omni_machine *m;
    int node;
    uint32_t used; /* places */
    ARRAY(struct omni_job *) ready;
    int next; /* of the ready ones */
    struct pipe *alu;
};

struct omni_service *omni_service_create(struct omni_machine *m, int node) {
    struct omni_service *s = xcalloc(1, sizeof *s);
    struct pipe_config alu = {.rate = {.amount = 1, .time = 1, .ticks = 1},
                              .latency = OMNI_ALU};
    s->m = m;
    s->node = node;
    s->alu = pipe_create(&alu);
    return s;
}

void omni_service_free(struct omni_service *s) {
    if (!s)
        return;
    array_free(&s->ready);
    pipe_free(s->alu);
    free(s);
}

/* Its loads leave; what they bring goes to the node that has the operands. */
static void load(struct omni_service *s, struct omni_job *job, int to) {
    for (uint32_t i = 0; i < job->n_loads; i++) {
        struct omni_message msg = {.kind = OMNI_LOAD,
                                   .from = s->node,
                                   .address = job->load[i].address,
                                   .job = job,
                                   .since = s->m->cycle};
        msg.to = omni_home(s->m, msg.address);
        msg.back = to;
        omni_send(s->m, &msg);
    }
}

void omni_service_take(struct omni_service *s, struct omni_job *job) {
    struct omni_result *r = s->m->result;

    job->kept = s->used < s->m->settings->places;
    if (!job->kept) {
        r->returned++;
        load(s, job, job->core);
        return;
    }
    if (++s->used > r->places_peak)
        r->places_peak = s->used;
    load(s, job, s->node);
}

void omni_service_line(struct omni_service *s, struct omni_job *job) {
    if (++job->come == job->n_loads)
        *array_push(&s->ready) = job;
}

/* What was computed is stored, and the memory acknowledges it to the core; or
 * the core is answered from here. */
static void end(struct omni_service *s, struct omni_job *job) {
    struct omni_message msg = {.from = s->node, .job = job};

    if (job->has_store) {
        msg.kind = OMNI_STORE;
        msg.address = job->store.address;
        msg.sectors = job->store.sectors;
        msg.to = omni_home(s->m, msg.address);
        msg.back = job->core;
    } else {
        msg.kind = OMNI_ANSWER;
        msg.to = job->core;
        msg.left = job->answer;
    }
    omni_send(s->m, &msg);
    s->used--;
}

void omni_service_step(struct omni_service *s, bool busy) {
    uint64_t token;

    while (pipe_receive(s->alu, s->m->cycle, &token))
        end(s, (struct omni_job *)(uintptr_t)token);
    if (busy || s->next == s->ready.n || pipe_moves(s->alu, s->m->cycle))
        return;
    struct omni_job *job = s->ready.v[s->next++];
    pipe_send(s->alu, s->m->cycle,
              &(struct pipe_packet){.amount = job->ops,
                                    .token = (uint64_t)(uintptr_t)job});
    if (s->next == s->ready.n)
        s->next = s->ready.n = 0;
}
