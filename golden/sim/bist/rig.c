/* rig.c - see rig.h. */
#include "rig.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/diag.h"
#include "blocks/bist.h"
#include "frame/golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fault {
    int bit;   /* of the outputs; -1: none */
    bool once; /* counts all edges, not those after reset */
    uint64_t edge;
};

struct rig {
    struct ndp_port base;
    struct flat flat;
    struct golden *bist, *block;
    struct bist_in in;          /* of bist */
    const struct bist_out *out; /* of bist */
    void *block_in;
    struct flat_row outputs; /* of the block, as the bist sees them */
    struct fault fault;
    uint64_t played; /* edges without reset, since the last or of all */
};

/* --- edges ---------------------------------------------------------------- */

static void play(struct rig *r) {
    struct flat_row stim = {{0}};
    memcpy(stim.w, r->out->stim_bits, sizeof r->out->stim_bits);
    flat_to_in(&r->flat, &stim, r->block_in);
    bool rst = r->out->stim_rst;
    flat_from_out(&r->flat, golden_cycle(r->block, rst, r->block_in),
                  &r->outputs);
    if (rst && !r->fault.once)
        r->played = 0;
    if (rst)
        return;
    if (r->fault.bit >= 0 && r->played == r->fault.edge)
        r->outputs.w[r->fault.bit / 64] ^= bit(r->fault.bit % 64);
    r->played++;
}

/* Both take what the other showed before the edge. */
static void edge(struct rig *r) {
    memcpy(r->in.resp_bits, r->outputs.w, sizeof r->in.resp_bits);
    play(r);
    r->out = golden_cycle(r->bist, false, &r->in);
}

static bool take(struct rig *r, struct ndp_access *a) {
    if (a->kind == NDP_IDLE) {
        for (uint32_t i = 0; i < a->data; i++)
            edge(r);
        return true;
    }
    r->in.wb_cyc = r->in.wb_stb = 1;
    r->in.wb_we = a->kind == NDP_WRITE;
    r->in.wb_adr = a->address;
    r->in.wb_dat_w = a->data;
    r->in.wb_sel = 15;
    edge(r);
    r->in.wb_cyc = r->in.wb_stb = 0;
    if (a->kind == NDP_READ)
        a->data = (uint32_t)r->out->wb_dat_r;
    bool acked = r->out->wb_ack;
    edge(r);
    return acked;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    for (int i = 0; i < n; i++)
        if (!take((struct rig *)port, &list[i])) {
            text_printf(why, "no acknowledge at word %u",
                        (unsigned)list[i].address);
            return false;
        }
    return true;
}

static void close(struct ndp_port *port) {
    struct rig *r = (struct rig *)port;
    golden_free(r->bist);
    golden_free(r->block);
    free(r->block_in);
    free(r);
}

static const struct ndp_port_class rig_class = {.run = run, .close = close};

/* --- a fault -------------------------------------------------------------- */

/* PORT[BIT]@N or PORT[BIT]#N */
static bool read_fault(struct fault *fault, const struct flat *f,
                       const char *text, struct text *why) {
    char name[64], how;
    int bit, end = 0;
    *fault = (struct fault){.bit = -1};
    if (!*text)
        return true;
    if (sscanf(text, "%63[^[][%d]%c%" SCNu64 "%n", name, &bit, &how,
               &fault->edge, &end) < 4 ||
        text[end] || (how != '@' && how != '#')) {
        text_printf(why, "bad fault '%s', expected PORT[BIT]@N or PORT[BIT]#N",
                    text);
        return false;
    }
    const struct design_port *p = design_port(f->design, name);
    if (!p || !flat_has(p) || p->dir != PORT_OUT || bit < 0 ||
        bit >= p->width) {
        text_printf(why, "block '%s' has no output '%s[%d]'",
                    f->design->iface->name, name, bit);
        return false;
    }
    fault->bit = flat_place(f, p) + bit;
    fault->once = how == '#';
    return true;
}

struct ndp_port *rig_open(const struct flat *f, const char *text,
                          struct text *why) {
    struct fault fault;
    struct config c = f->design->config;
    const struct golden_class *bist = golden_find("bist");
    if (!read_fault(&fault, f, text, why))
        return NULL;
    c.bist_in_bits = f->in_bits;
    c.bist_out_bits = f->out_bits;
    struct rig *r = xcalloc(1, sizeof *r);
    r->base.class = &rig_class;
    r->flat = *f;
    r->fault = fault;
    r->block_in = xcalloc(1, f->design->in_size);
    r->block =
        golden_create(golden_find(f->design->iface->name), &f->design->config);
    r->bist = golden_create(bist, &c);
    r->out = golden_cycle(r->bist, true, &r->in);
    play(r);
    return &r->base;
}
