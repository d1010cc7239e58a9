/* hops.c - hops of a chain, packet by packet, as section 3.1 and Figure 3
 * of opportunistic computing count them; the rule stands in hops.h. */
#include "hops.h"

static void send_packet(struct emn_hops *h, const struct emn_mesh *m, int from,
                        int to, int weight) {
    int hops = emn_distance(m, from, to);
    h->plain += hops;
    h->weighted += weight * hops;
}

/* A load of one operand by the node that computes. */
static void load(struct emn_hops *h, const struct emn_mesh *m, int by,
                 int mem) {
    send_packet(h, m, by, mem, EMN_WEIGHT_CONTROL);
    send_packet(h, m, mem, by, EMN_WEIGHT_DATA);
}

static void store(struct emn_hops *h, const struct emn_mesh *m, int by,
                  int mem) {
    send_packet(h, m, by, mem, EMN_WEIGHT_DATA);
    send_packet(h, m, mem, by, EMN_WEIGHT_CONTROL);
}

struct emn_hops emn_hops_without(const struct emn_mesh *m,
                                 const struct emn_chain *k) {
    struct emn_hops h = {0, 0};
    load(&h, m, k->core, k->a);
    load(&h, m, k->core, k->b);
    if (k->c >= 0)
        store(&h, m, k->core, k->c);
    return h;
}

struct emn_hops emn_hops_offloaded(const struct emn_mesh *m,
                                   const struct emn_chain *k, int meet) {
    struct emn_hops h = {0, 0};
    if (meet < 0)
        return emn_hops_without(m, k);
    send_packet(&h, m, k->core, meet, EMN_WEIGHT_CONTROL);
    load(&h, m, meet, k->a);
    load(&h, m, meet, k->b);
    if (k->c >= 0)
        store(&h, m, meet, k->c);
    send_packet(&h, m, meet, k->core,
                k->c >= 0 ? EMN_WEIGHT_CONTROL : EMN_WEIGHT_DATA);
    return h;
}
