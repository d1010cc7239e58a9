/* messages.h - the packets of a gate, laid bit by bit in the order of
 * docs/blocks/gate.md, not by the record of the declaration.
 */
#ifndef NDP_STIM_GATE_MESSAGES_H
#define NDP_STIM_GATE_MESSAGES_H

#include "blocks/gate.h"
#include "kit/compute.h"
#include "kit/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { MESSAGE_FLITS = 80, MESSAGE_BEATS = 32, MESSAGE_DATA = 256 / 64 };

enum message_kind {
    MESSAGE_LOAD,
    MESSAGE_BRING,
    MESSAGE_STORE,
    MESSAGE_RESULT,
    MESSAGE_BITS,
    MESSAGE_BACK,
    MESSAGE_COMPUTE
};

/* What is in a packet, and its flits. */
struct message {
    enum message_kind kind;
    uint64_t back, number, second, type, address, mask;
    int beats;
    uint64_t data[MESSAGE_BEATS][MESSAGE_DATA];
    int n, at; /* flits, and those that have passed */
    int shown; /* the one that was shown last */
    uint64_t flit[MESSAGE_FLITS][MESSAGE_DATA];
    int node; /* where it goes */
};

/* In order: v[head] to v[n - 1]; zero-initialise. */
struct messages {
    struct message *v;
    int head, n, cap;
};

/* Bits that are anything, of a beat. */
void message_data(const struct gate_local *l, struct rng *r, uint64_t *data);

/* Any beats, of an operand. */
void message_fill(const struct gate_local *l, struct rng *r, struct message *m);

/* Lay the flits. */
void message_lay(const struct gate_local *l, struct message *m);

/* A ComputePacket with anything in it. */
void message_compute(const struct gate_local *l, struct rng *r,
                     struct message *m);

void messages_put(struct messages *l, const struct message *m);
struct message *messages_oldest(const struct messages *l); /* NULL: none */
void messages_drop(struct messages *l);
void messages_clear(struct messages *l);
int messages_count(const struct messages *l);

#endif
