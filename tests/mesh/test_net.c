/* test_net.c - the network for simulators is the golden model of the system,
 * cycle for cycle; and the graph of virtual channels has a circle where it must
 * have one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/mesh.h"
#include "blocks/nic.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "kit/rng.h"
#include "mesh/net.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 64 };

/* Both, and what stands at their nodes. */
struct pair {
    struct golden *system;
    struct net *net;
    struct design *d;
    int first; /* interface */
    char in[1 << 18];
    const char *out;
    struct flit offer[MOST_NODES][NOC_CLASSES];
    bool offered[MOST_NODES][NOC_CLASSES];
    struct rng rng;
    uint64_t taken;
};

static struct nic_in *in_of(struct pair *p, int node) {
    size_t at = system_instance(p->d, p->first + node)->in_offset;
    return (struct nic_in *)(void *)(p->in + at);
}

static const struct nic_out *out_of(const struct pair *p, int node) {
    size_t at = system_instance(p->d, p->first + node)->out_offset;
    return (const struct nic_out *)(const void *)(p->out + at);
}

static void offer(struct pair *p, int node, int class, int width, int height,
                  int rate) {
    struct nic_in *in = in_of(p, node);
    struct flit *f = &p->offer[node][class];
    if (!p->offered[node][class] && rng_percent(&p->rng, rate)) {
        if (f->last || f->next == NULL) { /* next: a packet has been begun */
            f->x = (uint16_t)rng_below(&p->rng, (uint32_t)width);
            f->y = (uint16_t)rng_below(&p->rng, (uint32_t)height);
            f->vc = (uint8_t)rng_below(&p->rng, 2);
        }
        f->next = f;
        f->last = rng_percent(&p->rng, 40);
        f->data[0] = rng_next(&p->rng) & 0xffffffff;
        p->offered[node][class] = true;
    }
    bool valid = p->offered[node][class];
    if (class == NOC_REQUEST) {
        in->send_req_valid = valid;
        in->send_req_x = f->x;
        in->send_req_y = f->y;
        in->send_req_order = f->vc;
        in->send_req_last = f->last;
        in->send_req_data[0] = f->data[0];
    } else {
        in->send_ans_valid = valid;
        in->send_ans_x = f->x;
        in->send_ans_y = f->y;
        in->send_ans_order = f->vc;
        in->send_ans_last = f->last;
        in->send_ans_data[0] = f->data[0];
    }
    if (valid && net_can_send(p->net, node, class)) {
        net_send(p->net, node, class, f);
        p->offered[node][class] = false;
    }
}

/* What both show at a node is the same. */
static void compare(struct pair *p, int node) {
    const struct nic_out *out = out_of(p, node);
    const struct flit *req = net_taken(p->net, node, NOC_REQUEST);
    const struct flit *ans = net_taken(p->net, node, NOC_ANSWER);
    assert_int_equal(out->send_req_ready,
                     net_can_send(p->net, node, NOC_REQUEST));
    assert_int_equal(out->send_ans_ready,
                     net_can_send(p->net, node, NOC_ANSWER));
    assert_int_equal(out->take_req_valid, req != NULL);
    assert_int_equal(out->take_ans_valid, ans != NULL);
    if (req) {
        assert_int_equal(out->take_req_data[0], req->data[0]);
        assert_int_equal(out->take_req_last, req->last);
    }
    if (ans) {
        assert_int_equal(out->take_ans_data[0], ans->data[0]);
        assert_int_equal(out->take_ans_last, ans->last);
    }
    p->taken += (req != NULL) + (ans != NULL);
}

static void take(struct pair *p, int node, int rate) {
    struct nic_in *in = in_of(p, node);
    in->take_req_ready = rng_percent(&p->rng, rate);
    in->take_ans_ready = rng_percent(&p->rng, rate);
    if (in->take_req_ready && net_taken(p->net, node, NOC_REQUEST))
        net_take(p->net, node, NOC_REQUEST);
    if (in->take_ans_ready && net_taken(p->net, node, NOC_ANSWER))
        net_take(p->net, node, NOC_ANSWER);
}

static void run_pair(const struct config *c, int edges) {
    static struct pair p;
    memset(&p, 0, sizeof p);
    rng_seed(&p.rng, 5);
    p.system = golden_create(golden_find("mesh"), c);
    p.d = design_make(&mesh_iface, c);
    assert_true(p.d->in_size <= sizeof p.in);
    p.first = system_index(p.d, "nic", 0);
    p.net = net_create(c);
    p.out = golden_cycle(p.system, true, NULL);
    int send = 0, ready = 0;
    for (int i = 0; i < edges; i++) {
        if (i % 200 == 0) {
            send = rng_percent(&p.rng, 30) ? 100 : rng_range(&p.rng, 0, 30);
            ready = rng_percent(&p.rng, 70) ? 100 : rng_range(&p.rng, 1, 90);
        }
        for (int n = 0; n < net_nodes(p.net); n++) {
            compare(&p, n);
            take(&p, n, ready);
            for (int class = 0; class < NOC_CLASSES; class ++)
                offer(&p, n, class, c->mesh_width, c->mesh_height, send);
        }
        p.out = golden_cycle(p.system, false, p.in);
        net_edge(p.net);
    }
    assert_true(p.taken > (uint64_t)edges);
    golden_free(p.system);
    net_free(p.net);
    design_free(p.d);
}

static void test_equal(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    run_pair(&c, 3000);
    c.mesh_width = 3;
    c.mesh_height = 2;
    c.noc_routes = 1;
    c.noc_lanes = 3;
    c.noc_depth = 2;
    run_pair(&c, 6000);
}

/* --- the graph of virtual channels ---------------------------------------- */

static bool is_free(struct noc n, const char *says) {
    struct text cycle = {0};
    bool free = noc_is_free(&n, &cycle);
    if (free)
        assert_string_equal(text_str(&cycle), "");
    else if (!strstr(text_str(&cycle), says))
        fail_msg("the circle is '%s', expected '%s' in it", text_str(&cycle),
                 says);
    text_free(&cycle);
    return free;
}

static void test_graph(void **state) {
    (void)state;
    struct noc both = {8, 8, {true, true}, true, true}, n = both;
    assert_true(is_free(n, ""));
    n.apart = false; /* four turns make a ring */
    assert_false(is_free(n, " > "));
    n.order[NOC_XY] = false; /* without the other order they do not */
    assert_true(is_free(n, ""));
    n = both;
    n.classes_apart = false; /* answers wait for requests that wait for them */
    assert_false(is_free(n, "out > "));
    for (int w = 2; w <= 32; w += 10)
        for (int h = 2; h <= 32; h += 15) {
            n = (struct noc){w, h, {true, true}, true, true};
            assert_true(is_free(n, ""));
        }
}

/* Every way leads there, in as many hops as there are columns and rows. */
static void test_routes(void **state) {
    (void)state;
    enum { W = 5, H = 4 };
    for (int order = 0; order < 2; order++)
        for (int from = 0; from < W * H; from++)
            for (int to = 0; to < W * H; to++) {
                int at = from, hops = 0;
                enum noc_side side;
                while ((side = noc_route(W, at, to, (enum noc_order)order)) !=
                       NOC_LOCAL) {
                    at = noc_neighbour(W, at, side);
                    assert_in_range(at, 0, W * H - 1);
                    hops++;
                }
                assert_int_equal(at, to);
                assert_int_equal(hops, abs(from % W - to % W) +
                                           abs(from / W - to / W));
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_graph),
        cmocka_unit_test(test_routes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
