/* trace.c - what retires, as text (the format is in docs/runtime.md).
 *
 * The port tells of each pass; launches are told by launch.c.  The same launch
 * gives the same bytes on every port: cycles count from the edge that starts
 * the core, and nothing of the machine but its sizes is written.
 */
#include "runtime.h"

#include <string.h>

/* Edges from ndp_port_class.watch to the one after which the core runs: the
 * host port's access, and the core's own (docs/blocks/system.md). */
enum { START = 2 };

/* A relay is one edge more. */
static uint64_t start_of(const struct ndp_device *d) {
    return d->n_relays ? START + 1 : START;
}

/* --- numbers -------------------------------------------------------------- */

static void put_hex(FILE *out, uint32_t v) {
    char digits[8];
    int n = 0;
    do {
        digits[n++] = "0123456789abcdef"[v & 15];
        v >>= 4;
    } while (v);
    while (n)
        putc(digits[--n], out);
}

static void put_decimal(FILE *out, uint64_t v) {
    char digits[20];
    int n = 0;
    do {
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        putc(digits[--n], out);
    putc(' ', out);
}

/* --- a pass --------------------------------------------------------------- */

/* Values of active lanes, the lowest first; one alone if they are equal. */
static void put_values(FILE *out, uint32_t mask, const uint32_t *values) {
    uint32_t first = mask ? values[__builtin_ctz(mask)] : 0, differ = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        differ |= values[__builtin_ctz(rest)] ^ first;
    if (!mask) {
        putc('-', out);
    } else if (!differ) {
        putc('=', out);
        put_hex(out, first);
    } else {
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            if (rest != mask)
                putc(',', out);
            put_hex(out, values[__builtin_ctz(rest)]);
        }
    }
}

static uint32_t lowest_bits(uint32_t mask, const uint32_t *values) {
    uint32_t bits = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        bits |= (values[lane] & 1) << lane;
    }
    return bits;
}

static void retired(void *ctx, const struct ndp_retired *r) {
    ndpDevice d = ctx;
    FILE *out = d->trace.out;
    if (!d->trace.in_launch)
        return;
    put_decimal(out, r->edge < start_of(d) ? 0 : r->edge - start_of(d));
    put_decimal(out, r->warp);
    put_decimal(out, r->pc);
    put_decimal(out, r->pass);
    put_hex(out, r->mask);
    if (r->kind == 1) {
        fprintf(out, " r%u ", (unsigned)r->d);
        put_values(out, r->mask, r->values);
    } else if (r->kind == 2) {
        fprintf(out, " p%u ", (unsigned)r->d);
        put_hex(out, lowest_bits(r->mask, r->values));
    }
    putc('\n', out);
    d->trace.retired++;
}

/* --- a launch ------------------------------------------------------------- */

static void put_kernel(ndpDevice d, struct ndp_function *f) {
    const struct isa_image *image = f->image;
    const struct isa_kernel *k = f->kernel;
    if (f->traced_in == d->trace.number)
        return;
    f->traced_in = d->trace.number;
    f->traced_as = ++d->trace.kernels;
    fprintf(d->trace.out, "kernel %d %s entry %d words %d\n", f->traced_as,
            k->name, k->entry, k->n_words);
    for (int i = k->entry; i < k->entry + k->n_words; i++)
        fprintf(d->trace.out, "%d %016llx %d\n", i,
                (unsigned long long)image->words[i],
                image->lines ? image->lines[i] : 0);
}

ndpResult ndp_trace_launch(ndpDevice d, struct ndp_function *f,
                           const uint32_t *grid, const uint32_t *block,
                           unsigned warps, unsigned resident) {
    struct text why = {0};
    ndpResult r = NDP_SUCCESS;
    if (!d->trace.out)
        return r;
    if (d->cta != NDP_CTA_STEP)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "a trace needs CTAs by step, not areas of them");
    put_kernel(d, f);
    fprintf(d->trace.out,
            "launch %d grid %u,%u,%u block %u,%u,%u warps %u resident %u",
            f->traced_as, (unsigned)grid[0], (unsigned)grid[1],
            (unsigned)grid[2], (unsigned)block[0], (unsigned)block[1],
            (unsigned)block[2], warps, resident);
    if (d->n_relays)
        fprintf(d->trace.out, " ctas %d,%d", d->trace.core, d->cores);
    putc('\n', d->trace.out);
    d->trace.function = f;
    if (d->port->class->row)
        ndp_order_begin(d);
    d->trace.in_launch = true;
    if (!d->port->class->watch(d->port, &d->trace.watcher, &why)) {
        d->lost = true;
        r = ndp_fail(d, NDP_ERROR_DEVICE_LOST, "the device is lost: %s",
                     text_str(&why));
    }
    text_free(&why);
    return r;
}

void ndp_trace_over(ndpDevice d, ndpResult r) {
    if (!d->trace.in_launch)
        return;
    if (r == NDP_SUCCESS)
        fprintf(d->trace.out, "done\n");
    else if (r == NDP_ERROR_LAUNCH_FAILED && d->fault_core == d->trace.core)
        fprintf(d->trace.out, "fault %d warp %u word %u\n", d->fault.cause,
                d->fault.warp, d->fault.pc);
    else
        fprintf(d->trace.out, "stopped\n");
    d->trace.in_launch = false;
}

/* --- begin, end ----------------------------------------------------------- */

ndpResult ndpDeviceSetTrace(ndpDevice d, FILE *out) {
    return ndpDeviceSetTraceOf(d, 0, out);
}

ndpResult ndpDeviceSetTraceOf(ndpDevice d, int core, FILE *out) {
    struct text why = {0};
    ndpResult r = ndp_wait(d, 0);
    if (d->trace.out)
        fprintf(d->trace.out, "end %llu\n",
                (unsigned long long)d->trace.retired);
    if (d->trace.out && d->port && !d->lost &&
        !d->port->class->watch(d->port, NULL, &why))
        d->lost = true;
    ndp_order_end(d);
    d->trace = (struct ndp_trace){.number = d->trace.number + 1};
    if (r == NDP_SUCCESS && d->lost)
        r = ndp_fail(d, NDP_ERROR_DEVICE_LOST, "the device is lost: %s",
                     text_str(&why));
    text_free(&why);
    if (!out || r != NDP_SUCCESS)
        return r;
    int cores = d->n_relays ? d->n_relays : 1;
    if (core < 0 || core >= cores)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "core %d, expected 0 to %d of the device", core,
                        cores - 1);
    if (!d->port || !d->port->class->watch ||
        (d->n_relays && !d->port->any_core) ||
        (d->units.n && !d->port->class->row))
        return ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                        "the device does not tell what retires, as untimed:, "
                        "golden:, and verilator: and icarus: machines of one "
                        "core without near-bank units do");
    d->trace.out = out;
    d->trace.core = core;
    d->trace.watcher = (struct ndp_watcher){
        retired, ndp_order_started, ndp_order_entered, ndp_order_done, d, core};
    fprintf(out, "retired 1\nmachine warps %d lanes %d alus %d\n",
            d->shape.warps, d->shape.lanes, d->shape.alus);
    return NDP_SUCCESS;
}
