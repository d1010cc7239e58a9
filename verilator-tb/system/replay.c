/* replay.c - see replay.h. */
#include "replay.h"

#include "base/array.h"
#include "blocks/system.h"
#include "machine.h"
#include "ref.h"
#include "runtime/golden_port.h"
#include "runtime/runtime.h"
#include "sim/run/machine.h"

#include <inttypes.h>
#include <stdlib.h>

/* Between libndp and the golden machine: notes what passes. */
struct recorder {
    struct ndp_port base;
    struct ndp_port *machine;
    ndpDevice device;
    uint32_t end; /* of the memory that was taken */
    ARRAY(struct ndp_access) list;
};

struct replay {
    struct recorder recorder;
    uint64_t launches; /* of the description, once */
    int next;          /* of the list */
    uint32_t pause;    /* edges of it that are over */
    bool releasing;    /* the edge on which an acknowledge goes away */
    uint64_t rounds, reads;
};

/* --- recording ------------------------------------------------------------ */

static bool record(struct ndp_port *port, struct ndp_access *list, int n,
                   struct text *why) {
    struct recorder *r = (struct recorder *)port;
    if (!r->machine->class->run(r->machine, list, n, why))
        return false;
    for (int i = 0; i < n; i++)
        if (list[i].kind != NDP_IDLE || list[i].data > 0)
            *array_push(&r->list) = list[i];
    for (const struct ndp_block *b = r->device->taken; b; b = b->next)
        if (b->at + b->bytes > r->end)
            r->end = b->at + b->bytes;
    return true;
}

static void close_machine(struct ndp_port *port) {
    struct recorder *r = (struct recorder *)port;
    r->machine->class->close(r->machine);
}

static const struct ndp_port_class recorder_class = {.run = record,
                                                     .close = close_machine};

/* Cores that can take areas of CTAs, column by column, do. */
static bool run_kernels(struct replay *p, struct stim *s, ndpDevice device) {
    struct run_options ro = {.size = s->options->size, .reference = ref_find};
    struct run_machine m = {.device = device, .timeout = 600000};
    struct run_verdict v = {0};
    m.areas = ndpDeviceSetCta(device, NDP_CTA_COLUMN) == NDP_SUCCESS;
    struct run *r = run_open(s->options->run, &ro, s->diag);
    bool ok = r && run_load(r, &m) && run_on_machine(r, &m);
    if (ok) {
        run_verdict(r, &v);
        ok = v.result == RUN_RIGHT || v.result == RUN_UNCHECKED;
        if (!ok)
            diag_error(s->diag, (struct place){0},
                       "'%s' leaves a wrong result on the golden machine",
                       s->options->run);
    }
    p->launches = m.launches;
    if (r)
        run_close(r);
    return ok;
}

/* On a fresh machine whose first bytes become zero. */
static bool record_run(struct replay *p, struct stim *s, uint32_t clear) {
    struct recorder *r = &p->recorder;
    uint32_t *zeros = xcalloc(clear / 4 + 1, sizeof *zeros);
    r->list.n = 0;
    r->device = xcalloc(1, sizeof *r->device);
    r->machine = golden_port_make(&s->design->config);
    bool ok = ndp_attach(r->device, &r->base) == NDP_SUCCESS &&
              ndp_write_words(r->device, 0, zeros, clear / 4) == NDP_SUCCESS;
    if (!ok)
        diag_error(s->diag, (struct place){0}, "%s",
                   ndpGetErrorString(r->device));
    struct machine *m = (struct machine *)s;
    if (ok && m->bare && !zeroes_run(&m->zeroes, &m->core_size, r->device)) {
        diag_error(s->diag, (struct place){0},
                   "the launch that writes all registers does not end well");
        ok = false;
    }
    ok = ok && run_kernels(p, s, r->device);
    ndpDeviceClose(r->device);
    free(zeros);
    return ok;
}

/* The first run is only there to see which memory it uses. */
struct replay *replay_open(struct stim *s) {
    struct replay *p = xcalloc(1, sizeof *p);
    p->recorder.base.class = &recorder_class;
    if (record_run(p, s, 0) && record_run(p, s, p->recorder.end))
        return p;
    replay_close(p);
    return NULL;
}

void replay_close(struct replay *p) {
    array_free(&p->recorder.list);
    free(p);
}

/* --- playing -------------------------------------------------------------- */

void replay_reset(struct replay *p) {
    p->next = 0;
    p->pause = 0;
    p->releasing = false;
}

bool replay_is_over(const struct replay *p) {
    return p->next == p->recorder.list.n;
}

void replay_drive(const struct replay *p, void *ports) {
    struct system_in *in = ports;
    in->wb_cyc = in->wb_stb = 0;
    if (replay_is_over(p) || p->releasing)
        return;
    const struct ndp_access *a = &p->recorder.list.v[p->next];
    if (a->kind == NDP_IDLE)
        return;
    in->wb_cyc = in->wb_stb = 1;
    in->wb_we = a->kind == NDP_WRITE;
    in->wb_adr = a->address;
    in->wb_dat_w = a->data;
    in->wb_sel = 15;
}

static void advance(struct replay *p) {
    p->next++;
    p->pause = 0;
    p->releasing = false;
    p->rounds += replay_is_over(p);
}

const char *replay_watch(struct replay *p, struct stim *s, const void *after) {
    const struct system_out *out = after;
    if (replay_is_over(p))
        return NULL;
    const struct ndp_access *a = &p->recorder.list.v[p->next];
    if (a->kind == NDP_IDLE ? ++p->pause == a->data : p->releasing) {
        advance(p);
        return NULL;
    }
    if (a->kind == NDP_IDLE)
        return NULL;
    p->releasing = true;
    if (!out->wb_ack)
        return stim_complain(s, "no acknowledge for register %u",
                             (unsigned)a->address);
    if (a->kind == NDP_WRITE)
        return NULL;
    p->reads++;
    if (out->wb_dat_r == a->data)
        return NULL;
    return stim_complain(s, "register %u reads %x, libndp has read %x",
                         (unsigned)a->address, (unsigned)out->wb_dat_r,
                         (unsigned)a->data);
}

void replay_report(const struct replay *p, struct text *t) {
    text_printf(t, "launches\t%" PRIu64 "\n", p->launches);
    text_printf(t, "rounds\t%" PRIu64 "\n", p->rounds);
    text_printf(t, "accesses\t%d\n", p->recorder.list.n);
    text_printf(t, "read\t%" PRIu64 "\n", p->reads);
}
