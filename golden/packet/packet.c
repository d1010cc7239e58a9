/* packet.c - golden model of the packer and unpacker of ComputePackets.
 *
 * Written from docs/blocks/packet.md.
 */
#include "packet.h"

#include "base/bits.h"
#include "blocks/packet.h"
#include "flits.h"
#include "frame/model.h"

#include <string.h>

struct packet {
    struct golden base;
    struct packet_local l;
    struct flits_size size;
    struct flits going;
    int sent; /* of its flits */
    uint64_t goes_to;
    struct flits coming;
    bool whole;    /* its last flit is there */
    bool was_idle; /* before the edge on which the last chain was taken */
    struct packet_out out;
};

static const struct design_record *layout(const struct packet *n) {
    return &n->base.design->record[PACKET_REC_packet];
}

static void open(struct golden *g, const struct config *c) {
    struct packet *n = (struct packet *)g;

    n->l = packet_local(c);
    n->size = (struct flits_size){.flit = n->l.FLIT_W,
                                  .head = n->l.HEAD_FLITS,
                                  .mask = n->l.MASK_FLITS,
                                  .bits = n->l.PACKET_W,
                                  .lanes = n->l.MASK_W};
}

static bool idle(const struct packet *n) {
    return n->sent == n->going.n;
}

static void show_send(struct packet *n) {
    n->out.chain_ready = idle(n);
    n->out.send_valid = !idle(n);
    n->out.send_last = n->sent + 1 == n->going.n;
    n->out.send_node = idle(n) ? 0 : n->goes_to;
    if (idle(n))
        memset(n->out.send_data, 0, sizeof n->out.send_data);
    else
        flits_get(&n->size, &n->going, n->sent, n->out.send_data);
}

/* The fields as they came, of got. */
#define FOR_FIELDS(do)                                                         \
    do                                                                         \
    (pattern) do(f) do(g) do(type) do(f_reversed) do(g_reversed) do(fused) do( \
        core) do(wave) do(entry) do(node) do(imm) do(a) do(b) do(c)

static void show_got(struct packet *n) {
    struct packet_packet_fields r = {0};
    uint64_t words[FLITS_DATA] = {0}, mask = 0;

    if (n->whole) {
        flits_part(&n->size, &n->coming, words, &mask);
        record_unpack(layout(n), words, &r);
    }
    n->out.come_ready = !n->whole;
    n->out.got_valid = n->whole;
#define SHOW(name) n->out.got_##name = r.name;
    FOR_FIELDS(SHOW)
#undef SHOW
    n->out.got_mask = mask;
}

static void reset(struct golden *g) {
    struct packet *n = (struct packet *)g;

    n->going = n->coming = (struct flits){0};
    n->sent = 0;
    n->whole = false;
    n->was_idle = true;
    show_send(n);
    show_got(n);
}

static void pack(struct packet *n, const struct packet_in *in) {
    struct flits_chain c = {0}, all;
    uint64_t words[FLITS_DATA] = {0};
    uint64_t mask = in->chain_mask & ones(n->l.MASK_W);

#define TAKE(name) c.name = in->chain_##name;
    FOR_FIELDS(TAKE)
#undef TAKE
    c.pattern &= ones(4);
    all = c;
    flits_strip(&c);
    hit_if(n, memcmp(&all, &c, sizeof c) != 0, PACKET_COV_left_out);
    struct packet_packet_fields r = {.compute = 1,
                                     .masked = mask != ones(n->l.MASK_W)};
#define PUT(name) r.name = c.name;
    FOR_FIELDS(PUT)
#undef PUT
    record_pack(layout(n), &r, words);
    flits_join(&n->size, words, mask, &n->going);
    n->sent = 0;
    n->goes_to = in->chain_node & ones(n->l.NODE_W);
    hit_if(n, r.masked, PACKET_COV_masked);
    hit_if(n, !r.masked, PACKET_COV_whole);
    hit_if(n, !n->was_idle, PACKET_COV_back_to_back);
}

static void edge(struct golden *g, const void *ports) {
    struct packet *n = (struct packet *)g;
    const struct packet_in *in = ports;
    bool sent = n->out.send_valid && in->send_ready & 1;
    bool come = n->out.come_ready && in->come_valid & 1;
    bool was_idle = idle(n);

    hit_if(n, n->out.send_valid && !sent, PACKET_COV_refused);
    hit_if(n, n->whole && !(in->got_ready & 1), PACKET_COV_got_held);
    hit_if(n, sent && come, PACKET_COV_both);
    if (was_idle && in->chain_valid & 1)
        pack(n, in);
    n->sent += sent;
    n->was_idle = was_idle;
    if (n->whole && in->got_ready & 1) {
        n->whole = false;
        n->coming = (struct flits){0};
    } else if (come) {
        flits_set(&n->size, &n->coming, n->coming.n++, in->come_data);
        n->whole = in->come_last & 1;
        hit_if(n, n->whole && n->coming.word[0] & 2, PACKET_COV_got_masked);
        hit_if(n, n->whole && !(n->coming.word[0] & 2), PACKET_COV_got_whole);
    }
    show_send(n);
    show_got(n);
}

const struct golden_class packet_golden = {
    .iface = &packet_iface,
    MODEL_STRUCT(struct packet),
    .open = open,
    .reset = reset,
    .edge = edge,
};
