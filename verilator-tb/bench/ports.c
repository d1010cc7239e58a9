/* ports.c - the ports of a target as dut_verilator.cpp includes them. */
#include "impl.h"

void bench_ports(const struct design *d, struct text *t) {
    for (int n = 0; n < d->n_ports; n++) {
        const struct design_port *p = &d->ports[n];
        if (p->dir != PORT_GROUP)
            text_printf(t, "%s(%s, %zu)\n",
                        p->dir == PORT_IN ? "DRIVE" : "SAMPLE", p->name,
                        p->offset);
    }
}
