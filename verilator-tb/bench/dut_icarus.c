/* dut_icarus.c - the RTL in Icarus Verilog, driven by the bench: a VPI module.
 *
 * ndpgen emits a wrapper ndp_<target>_tb with a reg for each input, a wire for
 * each output, and regs clk and rst.  This module finds them by the names of
 * the design's ports and moves values each cycle:
 *
 *     time 10n      inputs change, clk falls
 *     time 10n + 5  clk rises
 *     time 10n + 10 outputs are read and compared, next inputs
 *
 * Only inputs that changed are written.  X and Z are kept apart from 0 and
 * handed to the bench as unknown bits.
 */
#include "bench.h"

#include "base/bits.h"
#include "iface/design.h"
#include "kit/stim.h"

#include <stdlib.h>
#include <string.h>
#include <vpi_user.h>

enum { HALF_PERIOD = 5, MAX_WORDS = 64 };

struct pin {
    vpiHandle handle;
    const struct design_port *port;
};

struct dut {
    struct bench *bench;
    vpiHandle clk, rst;
    struct pin *in, *out;
    int n_in, n_out;
    void *last;  /* inputs as driven, to see what changes */
    bool driven; /* last is valid */
    bool last_rst;
};

static void finish(int status) {
    vpip_set_return_value(status);
    vpi_control(vpiFinish, 0);
}

static void put_scalar(vpiHandle h, bool value) {
    s_vpi_value v = {.format = vpiScalarVal};
    v.value.scalar = value ? vpi1 : vpi0;
    vpi_put_value(h, &v, NULL, vpiNoDelay);
}

static void put_words(const struct pin *p, const uint64_t *w) {
    s_vpi_vecval vec[2 * MAX_WORDS];
    s_vpi_value v = {.format = vpiVectorVal, .value.vector = vec};
    for (int i = 0; i < (p->port->width + 31) / 32; i++)
        vec[i] = (s_vpi_vecval){
            .aval = (PLI_INT32)(uint32_t)(w[i / 2] >> (i % 2 * 32)), .bval = 0};
    vpi_put_value(p->handle, &v, NULL, vpiNoDelay);
}

/* Bits above the port's width read as garbage from some versions. */
static void get_words(const struct pin *p, uint64_t *w, uint64_t *x) {
    s_vpi_value v = {.format = vpiVectorVal};
    vpi_get_value(p->handle, &v);
    memset(w, 0, (size_t)p->port->words * sizeof *w);
    memset(x, 0, (size_t)p->port->words * sizeof *x);
    for (int i = 0; i < (p->port->width + 31) / 32; i++) {
        int left = p->port->width - 32 * i;
        uint32_t mask = left < 32 ? (1u << left) - 1 : ~0u;
        uint32_t unknown = (uint32_t)v.value.vector[i].bval & mask;
        uint32_t value = (uint32_t)v.value.vector[i].aval & mask & ~unknown;
        bits_set_lane(w, i, value);
        bits_set_lane(x, i, unknown);
    }
}

static const void *at(const void *ports, const struct pin *p) {
    return (const char *)ports + p->port->offset;
}

static void *at_mutable(void *ports, const struct pin *p) {
    return (char *)ports + p->port->offset;
}

static void drive(struct dut *d) {
    bool rst;
    const void *in = bench_inputs(d->bench, &rst);
    for (int i = 0; i < d->n_in; i++) {
        const struct pin *p = &d->in[i];
        size_t size = (size_t)p->port->words * sizeof(uint64_t);
        if (d->driven && memcmp(at(in, p), at(d->last, p), size) == 0)
            continue;
        memcpy(at_mutable(d->last, p), at(in, p), size);
        put_words(p, at(in, p));
    }
    if (!d->driven || rst != d->last_rst)
        put_scalar(d->rst, rst);
    d->last_rst = rst;
    d->driven = true;
}

static void sample(struct dut *d) {
    void *out = bench_outputs(d->bench), *x = bench_unknown(d->bench);
    for (int i = 0; i < d->n_out; i++) {
        const struct pin *p = &d->out[i];
        get_words(p, at_mutable(out, p), at_mutable(x, p));
    }
}

static void call_after(struct dut *d, unsigned time,
                       PLI_INT32 (*entry)(p_cb_data)) {
    s_vpi_time delay = {.type = vpiSimTime, .low = time};
    s_cb_data cb = {.reason = cbAfterDelay,
                    .cb_rtn = entry,
                    .time = &delay,
                    .user_data = (PLI_BYTE8 *)d};
    vpiHandle h = vpi_register_cb(&cb);
    if (h)
        vpi_free_object(h);
}

static PLI_INT32 on_fall(p_cb_data cb);

static PLI_INT32 on_rise(p_cb_data cb) {
    struct dut *d = (struct dut *)cb->user_data;
    put_scalar(d->clk, true);
    call_after(d, HALF_PERIOD, on_fall);
    return 0;
}

static void dut_free(struct dut *d) {
    free(d->in);
    free(d->out);
    free(d->last);
    free(d);
}

static PLI_INT32 on_fall(p_cb_data cb) {
    struct dut *d = (struct dut *)cb->user_data;
    sample(d);
    if (!bench_step(d->bench)) {
        int status = bench_close(d->bench);
        dut_free(d);
        finish(status);
        return 0;
    }
    put_scalar(d->clk, false);
    drive(d);
    call_after(d, HALF_PERIOD, on_rise);
    return 0;
}

/* The wrapper: the only top module that has a clk. */
static vpiHandle find_top(void) {
    vpiHandle list = vpi_iterate(vpiModule, NULL), m;
    while (list && (m = vpi_scan(list)))
        if (vpi_handle_by_name("clk", m)) {
            vpi_free_object(list);
            return m;
        }
    return NULL;
}

static vpiHandle find_pin(vpiHandle top, const char *name, int width) {
    vpiHandle h = vpi_handle_by_name((PLI_BYTE8 *)(uintptr_t)name, top);
    if (!h)
        vpi_printf("error: the wrapper has no '%s'\n", name);
    else if (vpi_get(vpiSize, h) != width)
        vpi_printf("error: '%s' has %d bits, expected %d\n", name,
                   vpi_get(vpiSize, h), width);
    else
        return h;
    return NULL;
}

/* Handles of all ports; false after an error. */
static bool find_pins(struct dut *d, vpiHandle top) {
    const struct design *design = bench_design(d->bench);
    d->in = calloc((size_t)design->n_ports, sizeof *d->in);
    d->out = calloc((size_t)design->n_ports, sizeof *d->out);
    d->last = calloc(1, design->in_size);
    d->clk = find_pin(top, "clk", 1);
    d->rst = find_pin(top, "rst", 1);
    bool ok = d->in && d->out && d->last && d->clk && d->rst;
    for (int n = 0; ok && n < design->n_ports; n++) {
        const struct design_port *port = &design->ports[n];
        if (port->dir == PORT_GROUP)
            continue;
        struct pin pin = {find_pin(top, port->name, port->width), port};
        ok = pin.handle != NULL && port->words <= MAX_WORDS;
        if (port->dir == PORT_IN)
            d->in[d->n_in++] = pin;
        else
            d->out[d->n_out++] = pin;
    }
    return ok;
}

/* Values put before the simulation runs are not seen by Icarus' gates: the
 * first inputs wait for time 0. */
static PLI_INT32 on_zero(p_cb_data cb) {
    struct dut *d = (struct dut *)cb->user_data;
    put_scalar(d->clk, false);
    drive(d);
    call_after(d, HALF_PERIOD, on_rise);
    return 0;
}

static PLI_INT32 on_start(p_cb_data cb) {
    s_vpi_vlog_info info;
    int status, argc = 0;
    (void)cb;
    vpi_get_vlog_info(&info);
    char **argv = calloc((size_t)info.argc + 1, sizeof *argv);
    for (int i = 0; argv && i < info.argc; i++)
        if (info.argv[i][0] != '+') /* those are for $value$plusargs */
            argv[argc++] = info.argv[i];
    struct bench *b = bench_open(bench_blocks(), argc, argv, &status);
    if (!b) {
        finish(status);
        return 0;
    }
    struct dut *d = calloc(1, sizeof *d);
    vpiHandle top = find_top();
    if (d)
        d->bench = b;
    if (!d || !top || !find_pins(d, top)) {
        if (!top)
            vpi_printf("error: no wrapper with a 'clk' was loaded\n");
        finish(2);
        return 0;
    }
    call_after(d, 0, on_zero);
    return 0;
}

static void start(void) {
    s_cb_data cb = {.reason = cbStartOfSimulation, .cb_rtn = on_start};
    vpi_register_cb(&cb);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
