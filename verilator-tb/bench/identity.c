/* identity.c - is this RTL the block and configuration we think?
 *
 * Every run starts with a few cycles of reset and then reads registers 0 to 2
 * over the Wishbone port: block id and configuration hash.  A model and an RTL
 * of two configurations would differ sooner or later in ways that tell
 * nothing, so the bench refuses to go on.
 */
#include "impl.h"

#include <string.h>

/* Edges of reset, and the edge at which a silent slave is given up. */
enum { RESET_EDGES = 4, GIVE_UP = 64 };

static int port_offset(const struct design *d, const char *name) {
    const struct design_port *p = design_port(d, name);
    if (!p)
        BUG("block '%s' has no port '%s'", d->iface->name, name);
    return (int)p->offset;
}

static uint64_t *word_at(void *ports, int offset) {
    return (uint64_t *)((char *)ports + offset);
}

static uint64_t peek(const void *ports, int offset) {
    return *(const uint64_t *)((const char *)ports + offset);
}

void identity_open(struct bench *b) {
    struct identity *id = &b->identity;
    const struct design *d = b->design;
    id->has_registers = iface_has_registers(d->iface);
    if (!id->has_registers)
        return;
    id->adr = port_offset(d, "wb_adr");
    id->cyc = port_offset(d, "wb_cyc");
    id->stb = port_offset(d, "wb_stb");
    id->dat_r = port_offset(d, "wb_dat_r");
    id->ack = port_offset(d, "wb_ack");
    id->expected[REG_ID] = iface_id(d->iface);
    id->expected[REG_HASH_LO] = (uint32_t)d->hash;
    id->expected[REG_HASH_HI] = (uint32_t)(d->hash >> 32);
}

/* The request stands until its acknowledge, and the next one follows while that
 * is still up.  The last edge shows an idle port, which the stimulus takes
 * over. */
void identity_drive(struct bench *b, bool *rst, void *in) {
    struct identity *id = &b->identity;
    *rst = b->cycle < RESET_EDGES;
    if (!id->has_registers)
        return;
    bool ask = !*rst && id->word <= REG_HASH_HI;
    *word_at(in, id->cyc) = ask;
    *word_at(in, id->stb) = ask;
    *word_at(in, id->adr) = ask ? (uint64_t)id->word : 0;
}

void identity_watch(struct bench *b, const void *after) {
    struct identity *id = &b->identity;
    if (b->cycle < RESET_EDGES)
        return;
    if (!id->has_registers || id->word > REG_HASH_HI || b->cycle >= GIVE_UP)
        id->done = true;
    else if (peek(after, id->ack))
        id->got[id->word++] = (uint32_t)peek(after, id->dat_r);
}

bool identity_answered(const struct bench *b) {
    return !b->identity.has_registers || b->identity.word > REG_HASH_HI;
}

bool identity_matches(const struct bench *b) {
    return memcmp(b->identity.got, b->identity.expected,
                  sizeof b->identity.got) == 0;
}
