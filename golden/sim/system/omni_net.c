/* omni_net.c - messages as packets of flits on the golden mesh.
 *
 * Requests and answers are classes of their own.  A flit's data is the address
 * of the message, which arrives with the last one; interfaces hand over the
 * flits of a class packet by packet.  What a node sends to itself passes its
 * router with --loop router; else it does not enter the mesh and is there on the
 * next cycle.
 */
#include "omni_state.h"

#include <stdlib.h>

void omni_push(struct omni_queue *q, struct omni_message *m) {
    if (q->n == q->cap) {
        uint32_t cap = q->cap ? 2 * q->cap : 16;
        struct omni_message **v = xmalloc(cap * sizeof(struct omni_message *));
        for (uint32_t i = 0; i < q->n; i++)
            v[i] = q->v[(q->head + i) % q->cap];
        free(q->v);
        *q = (struct omni_queue){.v = v, .n = q->n, .cap = cap};
    }
    q->v[(q->head + q->n++) % q->cap] = m;
}

struct omni_message *omni_pop(struct omni_queue *q) {
    struct omni_message *m = q->v[q->head];
    q->head = (q->head + 1) % q->cap;
    q->n--;
    return m;
}

struct omni_message *omni_new_message(struct omni_machine *m) {
    struct omni_message *msg = m->free_message;
    if (msg)
        m->free_message = msg->next;
    else
        msg = arena_array(&m->arena, 1, sizeof *msg);
    *msg = (struct omni_message){0};
    m->under_way++;
    return msg;
}

void omni_drop_message(struct omni_machine *m, struct omni_message *msg) {
    msg->next = m->free_message;
    m->free_message = msg;
    m->under_way--;
}

struct omni_job *omni_new_job(struct omni_machine *m) {
    struct omni_job *job = m->free_job;
    if (job)
        m->free_job = job->next;
    else
        job = arena_array(&m->arena, 1, sizeof *job);
    *job = (struct omni_job){0};
    return job;
}

void omni_drop_job(struct omni_machine *m, struct omni_job *job) {
    job->next = m->free_job;
    m->free_job = job;
}

static int class_of(enum omni_kind kind) {
    return kind >= OMNI_LINE ? NOC_ANSWER : NOC_REQUEST;
}

/* A head, and the data behind it. */
static uint32_t flits_of(const struct omni_message *m) {
    switch (m->kind) {
    case OMNI_STORE:
    case OMNI_ATOMIC:
    case OMNI_RESULT:
        return 1 + (uint32_t)__builtin_popcount(m->sectors);
    case OMNI_LINE:
        return OMNI_LINE_FLITS;
    case OMNI_COMPUTE:
    case OMNI_ANSWER:
        return m->left; /* the sender knows */
    default:
        return 1;
    }
}

static uint64_t distance(const struct omni_machine *m, int a, int b) {
    int dx = a % m->width - b % m->width, dy = a / m->width - b / m->width;
    return (uint64_t)(abs(dx) + abs(dy));
}

void omni_send(struct omni_machine *m, const struct omni_message *msg) {
    struct omni_message *own = omni_new_message(m);
    struct omni_node *n = &m->node[msg->from];
    struct omni_result *r = m->result;
    uint64_t hops = distance(m, msg->from, msg->to);

    *own = *msg;
    own->left = flits_of(msg);
    r->sent[own->kind]++;
    r->hops[own->kind] += hops;
    r->weighted[own->kind] += hops * own->left;
    if (own->to == own->from && m->settings->loop == OMNI_BYPASS) {
        omni_push(&n->here, own);
        return;
    }
    r->flits[own->kind] += own->left;
    omni_push(&n->out[class_of(own->kind)], own);
}

uint32_t omni_waiting(const struct omni_machine *m, int node, int class) {
    return m->node[node].out[class].n;
}

/* ------------------------------------------------------------------ arrival */

static void hand_over(struct omni_machine *m, struct omni_message *msg) {
    struct omni_node *n = &m->node[msg->to];
    bool operand = msg->kind == OMNI_LINE && msg->job && msg->job->kept;

    if (msg->kind == OMNI_COMPUTE)
        omni_service_take(n->service, msg->job);
    else if (operand)
        omni_service_line(n->service, msg->job);
    else if (class_of(msg->kind) == NOC_REQUEST)
        omni_memory_take(n->memory, msg);
    else
        omni_core_take(n->core, msg);
    omni_drop_message(m, msg);
}

/* A request has to wait in the mesh where a memory node has no room; a chain
 * never has, as its queue sends it on. */
static bool accepts(const struct omni_node *n, const struct omni_message *msg) {
    return class_of(msg->kind) == NOC_ANSWER || msg->kind == OMNI_COMPUTE ||
           omni_memory_room(n->memory);
}

void omni_deliver(struct omni_machine *m) {
    for (int i = 0; i < m->nodes; i++) {
        struct omni_node *n = &m->node[i];
        for (uint32_t left = n->here.n; left; left--)
            hand_over(m, omni_pop(&n->here));
        for (int class = 0; class < NOC_CLASSES; class ++) {
            const struct flit *f = net_taken(m->net, i, class);
            if (!f)
                continue;
            struct omni_message *msg =
                (struct omni_message *)(uintptr_t)f->data[0];
            bool last = f->last;
            if (!accepts(n, msg))
                continue;
            net_take(m->net, i, class);
            if (last)
                hand_over(m, msg);
        }
    }
}

/* ----------------------------------------------------------------- departure
 */

void omni_leave(struct omni_machine *m) {
    for (int i = 0; i < m->nodes; i++) {
        struct omni_node *n = &m->node[i];
        for (int class = 0; class < NOC_CLASSES; class ++) {
            struct omni_message *msg = omni_oldest(&n->out[class]);
            if (!msg || msg->ready > m->cycle ||
                !net_can_send(m->net, i, class))
                continue;
            n->flit[class] = (struct flit){.data = {(uint64_t)(uintptr_t)msg},
                                           .x = (uint16_t)(msg->to % m->width),
                                           .y = (uint16_t)(msg->to / m->width),
                                           .vc = NOC_YX,
                                           .last = msg->left == 1};
            net_send(m->net, i, class, &n->flit[class]);
            if (--msg->left == 0)
                omni_pop(&n->out[class]);
        }
    }
    net_edge(m->net);
}
