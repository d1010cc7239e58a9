/* bench_mesh.c - speed of the network of golden routers.
 *
 * The paper's sizes, one flit a packet to anywhere, from each node on one edge
 * in ten; half of them are answers.  Nodes take what comes at once.
 *
 *     bench_mesh [cycles]
 */
#include "tests/common/bench_speed.h"
#include "mesh/net.h"

int main(int argc, char **argv) {
    long cycles = speed_cycles(argc, argv);
    struct config c;
    uint64_t seed = 1, sent = 0, taken = 0;
    struct flit flit[64][NOC_CLASSES] = {0};

    config_defaults(&c);
    struct net *n = net_create(&c);
    double start = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        for (int at = 0; at < net_nodes(n); at++) {
            for (int class = 0; class < NOC_CLASSES; class ++)
                if (net_taken(n, at, class)) {
                    net_take(n, at, class);
                    taken++;
                }
            uint64_t r = speed_random(&seed);
            int class = r >> 40 & 1;
            if ((r & 0xffff) >= 6554 || !net_can_send(n, at, class))
                continue;
            flit[at][class] = (struct flit){.x = r >> 16 & 7,
                                            .y = r >> 24 & 7,
                                            .vc = r >> 32 & 1,
                                            .last = true};
            net_send(n, at, class, &flit[at][class]);
            sent++;
        }
        net_edge(n);
    }
    speed_report(cycles, speed_seconds() - start);
    printf("sent %llu, taken %llu, load %.3f\n", (unsigned long long)sent,
           (unsigned long long)taken,
           (double)sent / (double)cycles / net_nodes(n));
    net_free(n);
    return 0;
}
