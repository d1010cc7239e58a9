/* stim.c - stimulus of the packer and unpacker of ComputePackets: who has
 * chains, who takes flits, who sends packets, who takes chains.
 *
 * Both directions are held against flits that kit/compute.h lays by hand.
 *
 * random    phases with other rates and patience; fields of any value
 * directed  each pattern with and without a mask, all fields ones
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/packet.h"
#include "kit/compute.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

/* What the surroundings are like for a while. */
struct tune {
    int give, send; /* percent of the edges */
    int high, low;  /* longest times that something is taken, and not */
};

struct packet_stim {
    struct stim base;
    struct packet_local size;
    struct compute_size layout;
    struct tune tune;
    int left;
    int swept; /* chains of the directed mode */
    struct toggle send_ready, got_ready;
    bool offered;
    struct compute offer;
    struct compute_flits going; /* that must come out at send */
    uint64_t goes_to;
    struct compute_flits coming; /* that go in at come */
    struct compute came, due;
    bool due_valid; /* due must be at got */
    uint64_t packed, unpacked;
};

/* --- chains --------------------------------------------------------------- */

static void any_chain(struct packet_stim *s, struct compute *c) {
    struct rng *r = &s->base.rng;
    for (int i = 0; i < COMPUTE_FIELDS; i++)
        c->field[i] = rng_next(r) & ones(s->layout.width[i]);
    if (rng_percent(r, 90))
        c->field[COMPUTE_PATTERN] = (uint64_t)rng_range(r, 1, 9);
    if (rng_percent(r, 50))
        c->field[COMPUTE_MASK] = ones(s->layout.width[COMPUTE_MASK]);
}

/* Each pattern, whole and masked, with all ones. */
static void next_chain(struct packet_stim *s, struct compute *c) {
    for (int i = 0; i < COMPUTE_FIELDS; i++)
        c->field[i] = ones(s->layout.width[i]);
    c->field[COMPUTE_PATTERN] = (uint64_t)s->swept / 2 % 16;
    c->field[COMPUTE_MASK] ^= (uint64_t)s->swept % 2;
    s->swept++;
}

static void make_chain(struct packet_stim *s, struct compute *c) {
    if (s->base.mode->resets)
        any_chain(s, c);
    else
        next_chain(s, c);
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 1, 0}, {10, 10, 1, 0}, {100, 100, 2, 4}};
    struct packet_stim *s = (struct packet_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 300 % (sizeof script / sizeof *script)];
    s->left = 299;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 10};
    struct packet_stim *s = (struct packet_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.give = rates[rng_below(r, 4)];
    s->tune.send = rates[rng_below(r, 4)];
    s->tune.high = rng_range(r, 1, 8);
    s->tune.low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8);
    s->left = rng_range(r, 20, 200);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct packet_stim *s = (struct packet_stim *)base;
    s->size = packet_local(c);
    s->layout = (struct compute_size)COMPUTE_SIZE(s->size);
    base->reset_every = 1000;
}

static void reset(struct stim *base) {
    struct packet_stim *s = (struct packet_stim *)base;
    s->offered = s->due_valid = false;
    memset(&s->going, 0, sizeof s->going);
    memset(&s->coming, 0, sizeof s->coming);
}

#define FOR_FIELDS(do)                                                                 \
    do                                                                                 \
    (0, pattern) do(1, f) do(2, g) do(3, type) do(4, f_reversed) do(5, g_reversed) do( \
        6,                                                                             \
        fused) do(7,                                                                   \
                  core) do(8,                                                          \
                           wave) do(9,                                                 \
                                    entry) do(10,                                      \
                                              node) do(11,                             \
                                                       imm) do(12,                     \
                                                               a) do(13,               \
                                                                     b) do(14,         \
                                                                           c) do(15,   \
                                                                                 mask)

static void drive_chain(struct packet_stim *s, struct packet_in *in) {
    if (!s->offered && s->base.rst_left == 0 &&
        rng_percent(&s->base.rng, s->tune.give)) {
        make_chain(s, &s->offer);
        s->offered = true;
    }
    in->chain_valid = s->offered;
#define PUT(n, name) in->chain_##name = s->offered ? s->offer.field[n] : 0;
    FOR_FIELDS(PUT)
#undef PUT
}

static void drive_come(struct packet_stim *s, struct packet_in *in) {
    bool stands = in->come_valid && s->coming.at < s->coming.n;
    if (s->coming.at == s->coming.n && s->base.rst_left == 0) {
        make_chain(s, &s->came);
        compute_strip(&s->layout, &s->came);
        compute_lay(&s->layout, &s->came, &s->coming);
        stands = false;
    }
    in->come_valid = s->base.rst_left == 0 && s->coming.n &&
                     (stands || rng_percent(&s->base.rng, s->tune.send));
    in->come_last = in->come_valid && s->coming.at + 1 == s->coming.n;
    memset(in->come_data, 0, sizeof in->come_data);
    if (in->come_valid)
        compute_flit(&s->layout, &s->coming, in->come_data);
}

static void drive(struct stim *base, void *ports) {
    struct packet_stim *s = (struct packet_stim *)base;
    struct packet_in *in = ports;
    drive_chain(s, in);
    drive_come(s, in);
    in->send_ready =
        toggle_step(&s->send_ready, &base->rng, s->tune.high, s->tune.low);
    in->got_ready =
        toggle_step(&s->got_ready, &base->rng, s->tune.high, s->tune.low);
}

static const char *check_send(struct packet_stim *s,
                              const struct packet_out *out) {
    uint64_t data[COMPUTE_DATA];
    bool valid = s->going.at < s->going.n;
    bool last = s->going.at + 1 == s->going.n;
    if (out->send_valid != valid)
        return stim_complain(&s->base, "a flit is %sat send",
                             valid ? "not " : "");
    if (!valid)
        return NULL;
    compute_flit(&s->layout, &s->going, data);
    if (memcmp(data, out->send_data, (size_t)ceil_div(s->size.FLIT_W, 64) * 8))
        return stim_complain(&s->base,
                             "flit %d of pattern %" PRIu64 " is %016" PRIx64
                             " in its lowest bits, expected %016" PRIx64,
                             s->going.at, s->going.word[0] >> 2 & 15,
                             out->send_data[0], data[0]);
    if (out->send_last != last)
        return stim_complain(&s->base, "flit %d of %d is %sthe last",
                             s->going.at, s->going.n, last ? "not " : "");
    return out->send_node == s->goes_to
               ? NULL
               : stim_complain(&s->base,
                               "the packet goes to node %" PRIu64
                               ", not to %" PRIu64,
                               out->send_node, s->goes_to);
}

static const char *check_got(struct packet_stim *s,
                             const struct packet_out *out) {
    if (out->got_valid != s->due_valid)
        return stim_complain(&s->base, "a chain is %sat got",
                             s->due_valid ? "not " : "");
    if (!s->due_valid)
        return NULL;
#define SAME(n, name)                                                          \
    if (out->got_##name != s->due.field[n])                                    \
        return stim_complain(                                                  \
            &s->base, "a chain comes with %s %" PRIx64 ", expected %" PRIx64,  \
            #name, out->got_##name, s->due.field[n]);
    FOR_FIELDS(SAME)
#undef SAME
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct packet_stim *s = (struct packet_stim *)base;
    const struct packet_in *in = in_ports;
    const struct packet_out *before = before_ports;
    if (before->send_valid && in->send_ready)
        s->going.at++;
    if (in->chain_valid && before->chain_ready) {
        struct compute c = s->offer;
        compute_strip(&s->layout, &c);
        compute_lay(&s->layout, &c, &s->going);
        s->goes_to = c.field[COMPUTE_NODE];
        s->offered = false;
        s->packed++;
    }
    if (before->got_valid && in->got_ready) {
        s->due_valid = false;
        s->unpacked++;
    }
    if (in->come_valid && before->come_ready) {
        s->coming.at++;
        if (in->come_last) {
            s->due = s->came;
            s->due_valid = true;
        }
    }
    const char *wrong = check_send(s, after_ports);
    return wrong ? wrong : check_got(s, after_ports);
}

static void report(struct stim *base, struct text *t) {
    const struct packet_stim *s = (const struct packet_stim *)base;
    text_printf(t, "packed\t%" PRIu64 "\n", s->packed);
    text_printf(t, "unpacked\t%" PRIu64 "\n", s->unpacked);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class packet_stim = {
    .size = sizeof(struct packet_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
