/* stim.c - stimulus of a rank's accelerator: somebody who sends packets, a host
 * that uses the same rank, and the bank with the operands.
 *
 * Packets and bank are those of accelerator.h.  Commands of both go through the
 * checker of dram/check.c.
 *
 * random    operations, lengths, bounds, a host that is busy or not
 * directed  each operation with lengths about one and two batches
 */
#include "stim.h"

#include "accelerator.h"
#include "base/bits.h"
#include "blocks/nda_rank.h"
#include "iface/system.h"
#include "nda_control/host.h"

#include <inttypes.h>

enum { PATIENCE = 60000, REFRESH = 4000 };

struct tune {
    int packet, end, send, own, hold, writes, rows;
};

struct nda_rank_stim {
    struct stim base;
    size_t in[3], out[3];
    struct tune tune;
    struct rows used;
    int left;
    struct rank_host host;
    struct dram_command given;
    bool gives;
    struct accelerator accelerator;
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 25, 8, 2, 0};
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.packet = rates[rng_below(r, 4)],
                            .end = rates[rng_below(r, 4)],
                            .send = rates[rng_range(r, 1, 5)],
                            .own = rng_range(r, 0, 3) * 10,
                            .hold = rates[rng_range(r, 3, 5)],
                            .writes = rates[rng_range(r, 2, 5)],
                            .rows = rng_range(r, 1, 4)};
    s->left = rng_range(r, 1000, 6000);
    rows_draw(&s->used, r, s->accelerator.size.ROW_W);
}

static void step_directed(struct stim *base) {
    ((struct nda_rank_stim *)base)->tune =
        (struct tune){.packet = 100, .end = 100, .rows = 1};
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    struct accelerator *k = &s->accelerator;
    for (int i = 0; i < 3; i++) {
        const struct system_part *at = system_instance(base->design, i);
        s->in[i] = at->in_offset;
        s->out[i] = at->out_offset;
    }
    accelerator_open(k, base, c, -1);
    k->directed = base->mode == &directed_mode;
    rank_host_open(&s->host, &base->design->config, k->machine.GROUPS,
                   k->machine.BANKS, k->machine.OWN_BANKS);
    base->reset_every = 20000;
}

static void close(struct stim *base) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    rank_host_close(&s->host);
    accelerator_close(&s->accelerator);
}

static void reset(struct stim *base) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    rank_host_restart(&s->host);
    accelerator_reset(&s->accelerator);
    s->gives = false;
}

static void drive(struct stim *base, void *ports) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    struct nda_buffer_in *in = (void *)((char *)ports + s->in[NDA_RANK_buffer]);
    struct nda_control_in *control =
        (void *)((char *)ports + s->in[NDA_RANK_control]);
    struct rng *r = &base->rng;
    struct accelerator *k = &s->accelerator;
    int own_row = (int)(k->op.base[0] >> k->size.COL_W & ones(k->size.ROW_W));

    if (s->tune.send > 0 && rng_below(r, REFRESH) == 0)
        s->host.refreshes = true;
    accelerator_drive(k, in, s->tune.packet, s->tune.end);
    s->gives = (s->host.refreshes || rng_percent(r, s->tune.send)) &&
               rank_host_command(
                   &s->host, r,
                   &(struct rank_tune){s->tune.own, s->tune.rows, &s->used},
                   base->now + 1, own_row, &s->given);
    control->cmd_valid = s->gives;
    control->cmd_kind = s->gives ? s->given.kind : 0;
    control->cmd_group = s->gives ? (uint64_t)s->given.group : 0;
    control->cmd_bank = s->gives ? (uint64_t)s->given.bank : 0;
    control->cmd_row =
        s->gives && s->given.row > 0 ? (uint64_t)s->given.row : 0;
    control->held_all = s->host.refreshes || rng_percent(r, s->tune.hold);
    control->held_reads = rng_percent(r, s->tune.writes);
    control->held_writes = rng_percent(r, s->tune.writes);
    control->held_rows = (uint64_t)rng_percent(r, s->tune.writes) |
                         (uint64_t)rng_percent(r, s->tune.writes) << 1;
}

/* --- what must come out --------------------------------------------------- */

static const char *commands(struct nda_rank_stim *s,
                            const struct nda_control_out *out) {
    struct dram_command c = accelerator_decided(&s->accelerator, out);
    const char *wrong = NULL;
    if (s->gives) {
        wrong = rank_host_take(&s->host, &s->given);
        if (s->given.kind == DRAM_REF)
            s->host.refreshes = false;
    }
    if (!wrong && out->seen_valid && s->gives)
        wrong = "a command on an edge that is the host's";
    if (!wrong && out->seen_valid)
        wrong = rank_host_take(&s->host, &c);
    if (!wrong && !accelerator_ends_agree(&s->accelerator, out))
        wrong = "the ends are not the same";
    return wrong;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    size_t at = s->out[NDA_RANK_buffer];
    const struct nda_buffer_in *in =
        (const void *)((const char *)in_ports + s->in[NDA_RANK_buffer]);
    const struct nda_buffer_out *before =
        (const void *)((const char *)before_ports + at);
    const struct nda_buffer_out *after =
        (const void *)((const char *)after_ports + at);
    const struct nda_control_out *control =
        (const void *)((const char *)after_ports + s->out[NDA_RANK_control]);
    const struct accelerator *k = &s->accelerator;
    const char *wrong = commands(s, control);

    if (!wrong)
        wrong = accelerator_watch(&s->accelerator, in, before, after);
    if (!wrong && k->runs && base->now - k->last_event > PATIENCE)
        wrong = stim_complain(base, "nothing goes on");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct accelerator *k =
        &((const struct nda_rank_stim *)base)->accelerator;
    text_printf(t, "packets\t%" PRIu64 "\n", k->packets);
    text_printf(t, "stopped\t%" PRIu64 "\n", k->stopped);
    text_printf(t, "bursts\t%" PRIu64 "\n", k->bursts);
    text_printf(t, "masked\t%" PRIu64 "\n", k->masked);
}

const struct stim_class nda_rank_stim = {
    .size = sizeof(struct nda_rank_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
