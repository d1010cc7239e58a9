/* values.c - see values.h.
 *
 * Unlike a simulator's waveform it needs no build of its own, shows ports
 * alone, and has one column a cycle: inputs as the next edge takes them beside
 * outputs as they stand before it, so that a transfer is valid and ready in one
 * column.  10 time units are a cycle, which begins with a rising edge.
 */
#include "values.h"

#include "iface/system.h"

#include <inttypes.h>
#include <string.h>

/* The short name of a port: digits to the base 94. */
static void print_code(FILE *f, int n) {
    for (n += 2; n; n /= 94) /* 0 is the clock, 1 the reset */
        fputc('!' + n % 94, f);
}

static const char clk_code[] = "!", rst_code[] = "\"";

void values_open(FILE *f, const struct design *d) {
    fprintf(f, "$timescale 1ns $end\n$scope module %s $end\n", d->iface->name);
    fprintf(f, "$var wire 1 %s clk $end\n", clk_code);
    fprintf(f, "$var wire 1 %s rst $end\n", rst_code);
    for (int n = 0; n < d->n_ports; n++) {
        const struct design_port *p = &d->ports[n];
        if (p->dir == PORT_GROUP)
            continue;
        struct text path = {0};
        system_path(d, p, &path);
        fprintf(f, "$var wire %d ", p->width);
        print_code(f, n);
        fprintf(f, " %s $end\n", text_str(&path));
        text_free(&path);
    }
    fputs("$upscope $end\n$enddefinitions $end\n", f);
}

static void print_value(FILE *f, const struct design_port *p,
                        const uint64_t *value, int n) {
    if (p->width == 1) {
        fputc('0' + (int)(value[0] & 1), f);
    } else {
        fputc('b', f);
        for (int i = p->width - 1; i >= 0; i--)
            fputc('0' + (int)(value[i / 64] >> i % 64 & 1), f);
        fputc(' ', f);
    }
    print_code(f, n);
    fputc('\n', f);
}

static const uint64_t *port_value(const struct design_port *p, const void *in,
                                  const void *out) {
    const void *all = p->dir == PORT_IN ? in : out;
    return (const uint64_t *)((const char *)all + p->offset);
}

void values_column(FILE *f, const struct design *d, uint64_t cycle,
                   const struct values *now, const struct values *last) {
    fprintf(f, "#%" PRIu64 "\n1%s\n%d%s\n", 10 * cycle, clk_code, now->rst,
            rst_code);
    for (int n = 0; n < d->n_ports; n++) {
        const struct design_port *p = &d->ports[n];
        if (p->dir == PORT_GROUP)
            continue;
        const uint64_t *value = port_value(p, now->in, now->out);
        if (!last || memcmp(value, port_value(p, last->in, last->out),
                            (size_t)p->words * sizeof *value) != 0)
            print_value(f, p, value, n);
    }
    fprintf(f, "#%" PRIu64 "\n0%s\n", 10 * cycle + 5, clk_code);
}
