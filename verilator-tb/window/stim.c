/* stim.c - stimulus of a host's window on the memories of all nodes: a host
 * that reads and writes words, a mesh that takes its packets and answers them.
 *
 * Each packet is held against flits that kit/shared.h lays by hand; the answers
 * are made up, and their word must be at read while its access is taken.
 *
 * random    phases with other rates, patience and distances
 * directed  words one after the other, each place of a sector
 */
#include "stim.h"

#include "blocks/window.h"
#include "kit/shared.h"
#include "kit/toggle.h"

#include <inttypes.h>

/* What the surroundings are like for a while. */
struct tune {
    int access;    /* percent of the edges */
    int high, low; /* longest times that a flit is taken, and not */
    int come;      /* percent of the edges with a flit of the answer */
    int beyond;    /* percent of the answers */
};

struct window_stim {
    struct stim base;
    struct window_local size;
    struct config config;
    struct shared_size layout;
    struct tune tune;
    int left;
    int walked; /* accesses of the directed mode */
    struct toggle send_ready;
    uint64_t here;
    struct shared_map map;
    bool offered, write;
    uint64_t word;
    uint32_t data;
    enum { NOTHING, SEND, ANSWER, END, TAKEN } at; /* of the access */
    struct shared_flits going, coming;
    uint64_t goes_to;
    bool answer_made;
    struct shared answer;
    uint64_t accesses;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    struct window_stim *s = (struct window_stim *)base;
    s->tune = (struct tune){100, 1, base->now / 500 % 2 ? 3 : 0, 100, 20};
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 50, 10};
    struct window_stim *s = (struct window_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.access = rates[rng_below(r, 4)];
    s->tune.come = rates[rng_below(r, 4)];
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 6);
    s->tune.beyond = rng_percent(r, 50) ? 0 : 30;
    s->left = rng_range(r, 50, 400);
}

/* --- what goes in --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct window_stim *s = (struct window_stim *)base;
    s->size = window_local(c);
    s->config = *c;
    s->layout = SHARED_SIZE(s->size);
    base->reset_every = 800;
}

static void reset(struct stim *base) {
    struct window_stim *s = (struct window_stim *)base;
    s->offered = s->answer_made = false;
    s->at = NOTHING;
    memset(&s->coming, 0, sizeof s->coming);
}

/* A word of any node, and the request that it becomes. */
static void offer(struct window_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t words = (uint64_t)s->size.SECTOR / 4;
    uint64_t place = rng_below(r, (uint32_t)words);
    uint64_t sector = rng_next(r) & ones(s->size.LADDR_W);
    struct shared a = {0};

    if (!s->base.mode->resets)
        place = (uint64_t)s->walked++ / 2 % words;
    uint64_t home = rng_below(r, (uint32_t)s->size.HOMES);
    s->goes_to = shared_stands(&s->config, home);
    s->write = s->base.mode->resets ? rng_percent(r, 50) : s->walked % 2;
    s->data = (uint32_t)rng_next(r);
    s->word = shared_whole(s->size.MAPPED ? &s->map : NULL, s->size.CHUNK,
                           s->size.HOMES, home, sector * words * 4) /
                  4 +
              place;
    a.op = s->write;
    a.node = s->here;
    a.address = sector;
    if (s->write) {
        a.strobe = (uint64_t)15 << 4 * place;
        for (int i = 0; i < s->size.SECTOR; i++)
            a.bytes[i] = (uint8_t)(s->data >> i % 4 * 8);
    }
    shared_lay_ask(&s->layout, &a, &s->going);
    s->offered = true;
}

static void make_answer(struct window_stim *s) {
    struct rng *r = &s->base.rng;
    shared_any_reply(r, &s->layout, s->write, &s->answer);
    s->answer.id = 0;
    s->answer.fault = rng_percent(r, s->tune.beyond);
    shared_lay_reply(&s->layout, &s->answer, !s->write, &s->coming);
    s->answer_made = true;
}

/* Another map, now and then between two accesses. */
static void drive_map(struct window_stim *s, struct window_in *in) {
    struct rng *r = &s->base.rng;

    if (!s->size.MAPPED)
        return;
    if (s->base.now == 0 || (!s->offered && rng_percent(r, 20)))
        shared_any_map(r, s->size.CHUNK, s->size.HOMES, &s->map);
    in->map_learned = s->map.learned;
    in->map_bit = (uint64_t)s->map.bit;
}

static void drive(struct stim *base, void *ports) {
    struct window_stim *s = (struct window_stim *)base;
    struct window_in *in = ports;
    struct rng *r = &base->rng;

    if (base->now == 0 || base->rst_left > 0) {
        s->here = rng_below(r, (uint32_t)s->size.NODES);
        in->at_node = s->here;
    }
    drive_map(s, in);
    if (!s->offered && base->rst_left == 0 && rng_percent(r, s->tune.access))
        offer(s);
    in->win_valid = s->offered;
    in->win_write = s->offered && s->write;
    in->win_address = s->offered ? s->word : 0;
    in->win_data = s->offered ? s->data : 0;
    in->send_req_ready =
        toggle_step(&s->send_ready, r, s->tune.high, s->tune.low);
    if (s->at == ANSWER && !s->answer_made)
        make_answer(s);
    /* flits of an answer come with gaps between them, too; each is taken */
    in->take_ans_valid =
        s->at == ANSWER && base->rst_left == 0 && rng_percent(r, s->tune.come);
    in->take_ans_last = in->take_ans_valid && s->coming.at + 1 == s->coming.n;
    memset(in->take_ans_data, 0, sizeof in->take_ans_data);
    if (in->take_ans_valid)
        shared_flit(&s->layout, &s->coming, in->take_ans_data);
}

/* --- what must come out --------------------------------------------------- */

static const char *check_flit(struct window_stim *s,
                              const struct window_out *out) {
    uint64_t flit[SHARED_WORDS], width = (uint64_t)s->size.WIDTH;
    if (out->send_req_valid != (s->at == SEND))
        return stim_complain(&s->base, "a flit is %sat send_req",
                             s->at == SEND ? "not " : "");
    if (s->at != SEND)
        return NULL;
    if (out->send_req_y * width + out->send_req_x != s->goes_to ||
        out->send_req_x >= width)
        return stim_complain(&s->base,
                             "a packet for node %" PRIu64
                             " goes to column %" PRIu64 " of row %" PRIu64,
                             s->goes_to, out->send_req_x, out->send_req_y);
    if (out->send_req_last != (s->going.at + 1 == s->going.n))
        return stim_complain(&s->base, "flit %d of %d is %sthe last",
                             s->going.at, s->going.n,
                             out->send_req_last ? "" : "not ");
    shared_flit(&s->layout, &s->going, flit);
    if (memcmp(flit, out->send_req_data, sizeof flit) != 0)
        return stim_complain(&s->base,
                             "flit %d is %016" PRIx64
                             " in its lowest bits, expected %016" PRIx64,
                             s->going.at, out->send_req_data[0], flit[0]);
    return NULL;
}

static const char *check_read(struct window_stim *s,
                              const struct window_out *out) {
    bool due = s->at == TAKEN && !s->write;
    uint32_t want = 0;
    for (int i = 0; i < 4 && due && !s->answer.fault; i++)
        want |= (uint32_t)s->answer
                    .bytes[s->word * 4 % (uint64_t)s->size.SECTOR + (uint64_t)i]
                << 8 * i;
    if (out->win_ready != (s->at == TAKEN))
        return stim_complain(&s->base, "an access is %staken",
                             s->at == TAKEN ? "not " : "");
    if (out->read_valid != due)
        return stim_complain(&s->base, "a word is %sat read",
                             due ? "not " : "");
    if (due && out->read_data != want)
        return stim_complain(&s->base,
                             "word %" PRIx64 " is read as %08x, expected %08x",
                             s->word, (unsigned)out->read_data, (unsigned)want);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct window_stim *s = (struct window_stim *)base;
    const struct window_in *in = in_ports;
    const struct window_out *before = before_ports, *after = after_ports;

    switch (s->at) {
    case NOTHING:
        if (s->offered)
            s->at = SEND;
        break;
    case SEND:
        if (in->send_req_ready && ++s->going.at == s->going.n)
            s->at = ANSWER;
        break;
    case ANSWER:
        if (in->take_ans_valid && !before->take_ans_ready)
            return stim_complain(base, "a flit of an answer is refused");
        if (in->take_ans_valid && ++s->coming.at == s->coming.n)
            s->at = END;
        break;
    case END:
        s->at = TAKEN;
        break;
    case TAKEN:
        s->at = NOTHING;
        s->offered = s->answer_made = false;
        s->accesses++;
        break;
    }
    const char *wrong = check_flit(s, after);
    return wrong ? wrong : check_read(s, after);
}

static void report(struct stim *base, struct text *t) {
    const struct window_stim *s = (const struct window_stim *)base;
    text_printf(t, "accesses\t%" PRIu64 "\n", s->accesses);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class window_stim = {
    .size = sizeof(struct window_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
