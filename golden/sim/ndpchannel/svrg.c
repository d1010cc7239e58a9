/* svrg.c - a step of SVRG by accelerators and a host at the same time. */
#include "svrg.h"

#include "base/bits.h"
#include "blocks/nda_buffer.h"
#include "blocks/nda_control.h"
#include "blocks/nda_launch.h"
#include "blocks/nda_pe.h"
#include "blocks/nda_rank.h"
#include "concurrent/gradient.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "nda_window/packet.h"
#include "told.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHIPS = 8,
    UNDER_WAY = 64, /* reads of a rank, and writes */
    PATIENCE = 1000000,
    MARGINS = 1, /* tags */
    GRADIENT = 2
};

struct due {
    uint64_t edge;
    int at;
};

/* One chip's share of a rank: all see the same commands. */
struct chip {
    struct golden *golden;
    char *in;
    const char *out;
    uint64_t *memory;
    float *part; /* of each row's margin */
};

struct side {
    struct chip chip[CHIPS];
    struct due read[UNDER_WAY], write[UNDER_WAY];
    unsigned read_first, read_last, write_first, write_last;
    int ended[3]; /* packets, by tag */
};

struct svrg {
    const struct svrg_setup *s;
    struct svrg_result *r;
    struct gradient p;
    struct nda_buffer_local l;
    size_t in_at[3], out_at[3];
    struct side side[TOLD_RANKS];
    struct golden *launch, *window;
    struct nda_launch_in op; /* that software means; then the launch's inputs */
    const struct nda_launch_out *launched;
    struct nda_window_in window_in;
    const struct nda_window_out *windowed;
    enum { IDLE, WRITE, RING, ASK } software;
    uint32_t word[PACKET_WORDS], known[PACKET_WORDS]; /* of its packet */
    bool asked; /* the access that is answered is that of the answer */
    int next;   /* operation; all of them are samples + 1 */
    float *scale;
    struct told told;
    struct told_request stream;
    uint64_t now, random;
};

/* --- where things lie ----------------------------------------------------- */

static struct nda_buffer_in *buffer_in(const struct svrg *k, struct chip *c) {
    return (void *)(c->in + k->in_at[NDA_RANK_buffer]);
}

static struct nda_control_in *control_in(const struct svrg *k, struct chip *c) {
    return (void *)(c->in + k->in_at[NDA_RANK_control]);
}

static const struct nda_buffer_out *buffer(const struct svrg *k,
                                           const struct chip *c) {
    return (const void *)(c->out + k->out_at[NDA_RANK_buffer]);
}

static const struct nda_control_out *control(const struct svrg *k,
                                             const struct chip *c) {
    return (const void *)(c->out + k->out_at[NDA_RANK_control]);
}

/* The part of a vector that a chip has. */
static int part_of(int rank, int chip) {
    return rank * CHIPS + chip;
}

static void put(struct svrg *k, uint64_t at, const float *v) {
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++)
            for (int i = 0; i < k->p.words; i++)
                k->side[r].chip[c].memory[at + (uint64_t)i] =
                    gradient_word(&k->p, v, part_of(r, c), i);
}

/* An error without a place. */
static bool refuse(const struct svrg *k, const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diag_error(k->s->d, (struct place){0}, "%s", message);
    return false;
}

/* --- parts ---------------------------------------------------------------- */

bool svrg_check(const struct config *c, struct diag *d) {
    iface_check(&nda_rank_iface, c, d);
    iface_check(&nda_launch_iface, c, d);
    iface_check(&nda_window_iface, c, d);
    return d->errors == 0;
}

static void open_chip(struct svrg *k, struct chip *c, size_t words) {
    const struct config *f = k->s->config;
    c->golden = golden_create(golden_find("nda_rank"), f);
    const struct design *d = golden_design(c->golden);
    c->in = xcalloc(1, d->in_size);
    c->memory = xcalloc(words, sizeof *c->memory);
    c->part = xcalloc((size_t)k->p.samples, sizeof *c->part);
    c->out = golden_cycle(c->golden, true, NULL);
    for (int i = 0; i < 3; i++) {
        k->in_at[i] = system_instance(d, i)->in_offset;
        k->out_at[i] = system_instance(d, i)->out_offset;
    }
}

static bool open_parts(struct svrg *k) {
    uint64_t words;
    words = gradient_at_row(&k->p, k->p.samples);
    if (words > ones(k->l.SPOT_W))
        return refuse(k,
                      "'%s' has %" PRIu64 " bursts in each rank, expected "
                      "%" PRIu64 " at most, a bank",
                      k->s->path, words, ones(k->l.SPOT_W));
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++)
            open_chip(k, &k->side[r].chip[c], words);
    k->launch = golden_create(golden_find("nda_launch"), k->s->config);
    k->launched = golden_cycle(k->launch, true, NULL);
    k->window = golden_create(golden_find("nda_window"), k->s->config);
    k->windowed = golden_cycle(k->window, true, NULL);
    k->scale = xcalloc((size_t)k->p.samples, sizeof *k->scale);
    told_open(&k->told, k->s->config);
    put(k, gradient_at_w(), k->p.w);
    for (int i = 0; i < k->p.samples; i++)
        put(k, gradient_at_row(&k->p, i),
            k->p.x + (size_t)i * (size_t)k->p.features);
    return true;
}

static void close_parts(struct svrg *k) {
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++) {
            struct chip *chip = &k->side[r].chip[c];
            golden_free(chip->golden);
            free(chip->in);
            free(chip->memory);
            free(chip->part);
        }
    golden_free(k->launch);
    golden_free(k->window);
    if (k->told.config)
        told_close(&k->told);
    free(k->scale);
    gradient_free(&k->p);
}

/* --- the operations ------------------------------------------------------- */

static void operand(struct svrg *k, int n, uint64_t base, uint64_t bursts) {
    int w = k->l.SPOT_W;
    bits_or(k->op.op_base, n * w, w, base);
    bits_or(k->op.op_last, n * w, w, base + bursts - 1);
}

static bool all_ended(const struct svrg *k, int tag) {
    for (int r = 0; r < k->r->ranks; r++)
        if (k->side[r].ended[tag] < k->p.samples)
            return false;
    return true;
}

/* The host's part: the sum over chips and ranks, and the scale. */
static float scale_of(const struct svrg *k, int sample) {
    double margin = 0;
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++)
            margin += k->side[r].chip[c].part[sample];
    return gradient_scale(&k->p, sample, margin);
}

/* The next operation, if it may begin: the margins, then a row at a time. */
static bool prepare(struct svrg *k) {
    struct nda_launch_in *op = &k->op;
    uint64_t n = (uint64_t)k->p.words;
    int i = k->next - 1;

    memset(op, 0, sizeof *op);
    if (k->next > k->p.samples || (k->next && !all_ended(k, MARGINS)))
        return false;
    op->op_ranks = ones(k->r->ranks);
    op->op_length = n;
    if (k->next == 0) {
        op->op_op = NDA_PE_GEMV;
        op->op_rows = (uint64_t)k->p.samples;
        op->op_tag = MARGINS;
        operand(k, 0, gradient_at_w(), n);
        operand(k, 2, gradient_at_row(&k->p, 0), n * (uint64_t)k->p.samples);
        return true;
    }
    if (i == 0)
        for (int s = 0; s < k->p.samples; s++)
            k->scale[s] = scale_of(k, s);
    op->op_op = NDA_PE_AXPBY;
    op->op_tag = GRADIENT;
    operand(k, 0, i ? gradient_at_row(&k->p, i) : gradient_at_w(), n);
    operand(k, 1, i ? gradient_at_result(&k->p) : gradient_at_row(&k->p, 0), n);
    operand(k, 2, gradient_at_result(&k->p), n);
    bits_set_lane(op->op_scalars, 0,
                  gradient_bits(i ? k->scale[i] : k->p.lambda));
    bits_set_lane(op->op_scalars, 1, gradient_bits(i ? 1.0f : k->scale[0]));
    return true;
}

/* --- software ------------------------------------------------------------- */

static void access(struct svrg *k, int address, bool write, uint32_t data) {
    struct nda_window_in *in = &k->window_in;
    in->wb_cyc = in->wb_stb = 1;
    in->wb_we = write;
    in->wb_adr = (uint64_t)address;
    in->wb_dat_w = write ? data : 0;
    in->wb_sel = write ? 15 : 0;
}

static void command(struct svrg *k, int which) {
    access(k, iface_first_command(&nda_window_iface) + which, true, 0);
}

/* The answer to a launch has been read. */
static void answered(struct svrg *k, uint32_t answer) {
    if (answer != NDA_WINDOW_NONE && answer != NDA_WINDOW_FULL)
        BUG("packet of operation %d is answered %d", k->next, (int)answer);
    k->software = answer == NDA_WINDOW_NONE ? IDLE : RING;
    k->next += answer == NDA_WINDOW_NONE;
}

/* The next word of the packet that differs from what is there; false: none. */
static bool write_word(struct svrg *k) {
    for (int i = 0; i < PACKET_WORDS; i++)
        if (k->word[i] != k->known[i]) {
            k->known[i] = k->word[i];
            access(k, REG_FIRST + i, true, k->word[i]);
            return true;
        }
    return false;
}

/* Writes packets, rings, asks what became of it, takes ends: an access on every
 * second edge. */
static void drive_software(struct svrg *k) {
    memset(&k->window_in, 0, sizeof k->window_in);
    if (k->windowed->wb_ack) {
        if (k->asked)
            answered(k, (uint32_t)k->windowed->wb_dat_r);
        k->asked = false;
        return;
    }
    if (k->windowed->notice) {
        command(k, NDA_WINDOW_COM_take);
        return;
    }
    if (k->software == IDLE && prepare(k)) {
        packet_words(&k->op, k->l.SPOT_W, k->word);
        k->software = WRITE;
    }
    if (k->software == WRITE && !write_word(k))
        k->software = RING;
    if (k->software == RING) {
        command(k, NDA_WINDOW_COM_launch);
        k->software = ASK;
    } else if (k->software == ASK) {
        int first = iface_first_status(&nda_window_iface);
        access(k, first + NDA_WINDOW_STA_answer, false, 0);
        k->asked = true;
    }
}

static void drive_window(struct svrg *k) {
    const struct nda_launch_out *l = k->launched;
    struct nda_window_in *in = &k->window_in;
    in->op_ready = l->op_ready;
    in->busy = l->busy;
    in->done_valid = l->done_valid;
    in->done_rank = l->done_rank;
    in->done_tag = l->done_tag;
    in->done_final = l->done_final;
    in->done_cause = l->done_cause;
    in->done_value = l->done_value;
}

/* --- a cycle -------------------------------------------------------------- */

static uint32_t draw(struct svrg *k, uint32_t below) {
    k->random ^= k->random >> 12;
    k->random ^= k->random << 25;
    k->random ^= k->random >> 27;
    return (uint32_t)((k->random * 2685821657736338717u >> 32) % below);
}

/* Runs of eight bursts or so in a row, anywhere but in the accelerators' banks.
 */
static void request(struct svrg *k) {
    struct told_request *q = &k->stream;
    const struct config *f = k->s->config;
    if ((int)draw(k, 100) >= k->s->rate)
        return;
    if (draw(k, 8) == 0 || !q->since) {
        int banks = f->dram_groups * f->dram_banks - f->accelerator_banks;
        int b = (int)draw(k, (uint32_t)banks);
        *q = (struct told_request){.rank = (int)draw(k, (uint32_t)k->r->ranks),
                                   .group = b / f->dram_banks,
                                   .bank = b % f->dram_banks,
                                   .row = (int)draw(k, 16),
                                   .write = draw(k, 3) == 0};
    }
    q->column = (q->column + 1) & (int)ones(f->dram_column_bits);
    q->since = k->now + 1;
    struct told_request now = *q;
    now.since = k->now;
    told_request(&k->told, &now);
}

static void show_packet(struct svrg *k, struct nda_buffer_in *in, int rank) {
    const struct nda_launch_out *o = k->launched;
    in->packet_valid = o->packet_valid && (int)o->packet_rank == rank;
    in->packet_rank = o->packet_rank;
    in->packet_op = o->packet_op;
    in->packet_length = o->packet_length;
    in->packet_tag = o->packet_tag;
    in->packet_final = o->packet_final;
    memcpy(in->packet_base, o->packet_base, sizeof in->packet_base);
    memcpy(in->packet_last, o->packet_last, sizeof in->packet_last);
    memcpy(in->packet_scalars, o->packet_scalars, sizeof in->packet_scalars);
}

/* The rank whose end the launch gets: the lowest; -1: none. */
static int ending(const struct svrg *k) {
    for (int r = 0; r < k->r->ranks; r++)
        if (buffer(k, &k->side[r].chip[0])->ended_valid)
            return r;
    return -1;
}

static void take_end(struct svrg *k, int rank) {
    struct side *s = &k->side[rank];
    int tag = (int)buffer(k, &s->chip[0])->ended_tag;
    int n = s->ended[tag]++;
    for (int c = 0; c < CHIPS && tag == MARGINS; c++)
        s->chip[c].part[n] =
            gradient_float(buffer(k, &s->chip[c])->ended_value);
}

static void drive_rank(struct svrg *k, int rank, const struct dram_command *c,
                       bool ends) {
    struct side *s = &k->side[rank];
    const struct due *d = &s->read[s->read_first % UNDER_WAY];
    bool word = s->read_first != s->read_last && d->edge == k->now;
    for (int i = 0; i < CHIPS; i++) {
        struct nda_buffer_in *in = buffer_in(k, &s->chip[i]);
        struct nda_control_in *m = control_in(k, &s->chip[i]);
        show_packet(k, in, rank);
        in->ended_ready = ends;
        in->data_valid = word;
        in->data_data = word ? s->chip[i].memory[d->at] : 0;
        m->cmd_valid = c != NULL;
        m->cmd_kind = c ? (uint64_t)c->kind : 0;
        m->cmd_group = c ? (uint64_t)c->group : 0;
        m->cmd_bank = c ? (uint64_t)c->bank : 0;
        m->cmd_row = c && c->row > 0 ? (uint64_t)c->row : 0;
        m->held_all = told_holds_all(&k->told, rank);
        m->held_writes = told_holds_writes(&k->told, rank);
    }
    s->read_first += word;
}

/* What the machine has commanded, as the host's end knows it. */
static void look_at_machine(struct svrg *k, int rank) {
    const struct config *f = k->s->config;
    const struct nda_control_out *o = control(k, &k->side[rank].chip[0]);
    enum dram_kind kind = (enum dram_kind)o->seen_kind;
    bool column = dram_is_read(kind) || dram_is_write(kind);
    if (!o->seen_valid)
        return;
    told_near(&k->told, &(struct dram_command){
                            .cycle = (int64_t)k->now,
                            .kind = kind,
                            .nda = true,
                            .rank = rank,
                            .group = f->dram_groups - 1,
                            .bank = (int)o->seen_bank,
                            .row = kind == DRAM_PRE ? -1 : (int)o->seen_row,
                            .column = column ? (int)o->seen_column : -1});
}

/* The bank of a rank, chip by chip: what is written, what will be read. */
static void look_at_bank(struct svrg *k, struct side *s) {
    const struct nda_buffer_out *o = buffer(k, &s->chip[0]);
    const struct config *f = k->s->config;
    int at = (int)(o->bank_row << k->l.COL_W | o->bank_column);

    if (o->store_valid) {
        const struct due *d = &s->write[s->write_first++ % UNDER_WAY];
        for (int i = 0; i < CHIPS; i++) {
            const struct nda_buffer_out *b = buffer(k, &s->chip[i]);
            if (!b->store_mask)
                s->chip[i].memory[d->at] = b->store_data;
        }
    }
    if (!o->bank_valid)
        return;
    if (o->bank_kind == DRAM_RD) {
        uint64_t edge = k->now + (uint64_t)(f->timing_cl + f->timing_bl);
        s->read[s->read_last++ % UNDER_WAY] = (struct due){edge, at};
        k->r->near_reads++;
    } else if (o->bank_kind == DRAM_WR) {
        s->write[s->write_last++ % UNDER_WAY] = (struct due){0, at};
        k->r->near_writes++;
    }
}

static void drive_launch(struct svrg *k, int end) {
    const struct nda_window_out *w = k->windowed;
    struct nda_launch_in *in = &k->op;
    *in = (struct nda_launch_in){.op_valid = w->op_valid,
                                 .op_op = w->op_op,
                                 .op_ranks = w->op_ranks,
                                 .op_length = w->op_length,
                                 .op_grain = w->op_grain,
                                 .op_rows = w->op_rows,
                                 .op_blocking = w->op_blocking,
                                 .op_tag = w->op_tag,
                                 .done_ready = w->done_ready};
    memcpy(in->op_base, w->op_base, sizeof in->op_base);
    memcpy(in->op_last, w->op_last, sizeof in->op_last);
    memcpy(in->op_scalars, w->op_scalars, sizeof in->op_scalars);
    if (k->launched->packet_valid)
        in->packet_ready =
            buffer(k, &k->side[k->launched->packet_rank].chip[0])->packet_ready;
    if (end >= 0) {
        const struct nda_buffer_out *o = buffer(k, &k->side[end].chip[0]);
        in->ended_valid = 1;
        in->ended_rank = (uint64_t)end;
        in->ended_tag = o->ended_tag;
        in->ended_final = o->ended_final;
        in->ended_cause = o->ended_cause;
        in->ended_value = o->ended_value;
    }
}

static void edge(struct svrg *k) {
    struct dram_command c;
    int end = ending(k);
    bool taken = end >= 0 && k->launched->ended_ready;

    request(k);
    bool gives = told_command(&k->told, k->now, &c);
    drive_software(k);
    drive_window(k);
    drive_launch(k, end);
    for (int r = 0; r < k->r->ranks; r++)
        drive_rank(k, r, gives && c.rank == r ? &c : NULL, taken && r == end);
    if (taken)
        take_end(k, end);
    k->r->packets += k->launched->packet_valid && k->op.packet_ready;
    k->windowed = golden_cycle(k->window, false, &k->window_in);
    k->launched = golden_cycle(k->launch, false, &k->op);
    for (int r = 0; r < k->r->ranks; r++) {
        for (int i = 0; i < CHIPS; i++) {
            struct chip *chip = &k->side[r].chip[i];
            chip->out = golden_cycle(chip->golden, false, chip->in);
        }
        look_at_machine(k, r);
        look_at_bank(k, &k->side[r]);
    }
    k->now++;
}

/* --- what must come out --------------------------------------------------- */

static void compare(struct svrg *k, uint32_t got, uint32_t want) {
    k->r->words++;
    k->r->equal += got == want;
}

/* A chip's parts of the margins, and its gradient; scales are the host's, of
 * the sums of these parts. */
static void compare_chip(struct svrg *k, int rank, int chip) {
    struct chip *c = &k->side[rank].chip[chip];
    int part = part_of(rank, chip);

    for (int s = 0; s < k->p.samples; s++)
        compare(k, gradient_bits(c->part[s]),
                gradient_expect_margin(&k->p, part, s));
    for (int i = 0; i < k->p.words; i++) {
        uint64_t word = c->memory[gradient_at_result(&k->p) + (uint64_t)i];
        uint64_t want = gradient_expect_word(&k->p, part, i, k->scale);
        for (int h = 0; h < GRADIENT_LANES; h++)
            compare(k, (uint32_t)(word >> 32 * h), (uint32_t)(want >> 32 * h));
    }
}

static float result_of(const struct svrg *k, int j) {
    int parts = k->p.parts, lane = j % GRADIENT_LANES;
    int part = j / GRADIENT_LANES % parts, word = j / GRADIENT_LANES / parts;
    const struct chip *c = &k->side[part / CHIPS].chip[part % CHIPS];
    return gradient_float(
        c->memory[gradient_at_result(&k->p) + (uint64_t)word] >> 32 * lane);
}

static void judge(struct svrg *k) {
    double most = 0, off = 0;
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++) {
            const struct nda_buffer_out *o = buffer(k, &k->side[r].chip[c]);
            compare_chip(k, r, c);
            k->r->late += o->wrong_lost || o->wrong_late;
        }
    for (int j = 0; j < k->p.features; j++) {
        most = fmax(most, fabs(k->p.result[j]));
        off = fmax(off, fabs(result_of(k, j) - (double)k->p.result[j]));
    }
    k->r->worst = most > 0 ? off / most : off;
}

bool svrg_run(const struct svrg_setup *s, struct svrg_result *r) {
    struct svrg *k = xcalloc(1, sizeof *k);
    bool ok = false;

    *r = (struct svrg_result){.ranks = s->config->dram_ranks, .chips = CHIPS};
    k->s = s;
    k->r = r;
    k->l = nda_buffer_local(s->config);
    k->random = (s->seed + 1) * 0x9e3779b97f4a7c15u;
    if (gradient_read(&k->p, s->path, s->size, r->ranks * CHIPS, s->d) &&
        open_parts(k)) {
        r->samples = k->p.samples;
        r->features = k->p.features;
        while (!all_ended(k, GRADIENT) && k->now < PATIENCE)
            edge(k);
        ok = all_ended(k, GRADIENT) ||
             refuse(k,
                    "the host leaves the accelerators no time: '--rate' is "
                    "%d",
                    s->rate);
        r->cycles = k->now;
        r->reads = k->told.reads;
        r->writes = k->told.writes;
        r->refreshes = k->told.refreshes;
        r->read_latency =
            r->reads ? (double)k->told.latency_sum / (double)r->reads : 0;
        r->commands = k->told.commands;
        r->violations = k->told.violations;
        judge(k);
    }
    close_parts(k);
    free(k);
    return ok;
}

bool svrg_right(const struct svrg_result *r) {
    return r->words > 0 && r->equal == r->words && !r->violations && !r->late;
}

/* --- reports -------------------------------------------------------------- */

void svrg_text(const struct svrg_result *r, FILE *out) {
    fprintf(out,
            "svrg           %d samples of %d features, %d ranks of %d chips, "
            "%" PRIu64 " cycles\n",
            r->samples, r->features, r->ranks, r->chips, r->cycles);
    fprintf(out,
            "accelerators   %" PRIu64 " packets, %" PRIu64 " bursts read, "
            "%" PRIu64 " written\n",
            r->packets, r->near_reads, r->near_writes);
    fprintf(out,
            "host           %" PRIu64 " bursts read, %" PRIu64
            " written, %" PRIu64 " refreshes; %.1f cycles until a read's "
            "data\n",
            r->reads, r->writes, r->refreshes, r->read_latency);
    fprintf(out,
            "result         %d of %d words bit for bit as by plain loops; the "
            "gradient is within %.1e of double precision\n",
            r->equal, r->words, r->worst);
    fprintf(out,
            "checker        %" PRIu64 " commands, %" PRIu64 " broken rules\n",
            r->commands, r->violations);
}

void svrg_json(const struct svrg_result *r, FILE *out) {
    fprintf(out,
            "{\"schema\": \"ndpchannel-svrg-1\", \"samples\": %d, "
            "\"features\": %d, \"ranks\": %d, \"chips\": %d,\n"
            " \"cycles\": %" PRIu64 ", \"packets\": %" PRIu64
            ", \"near_reads\": %" PRIu64 ", \"near_writes\": %" PRIu64 ",\n"
            " \"host\": {\"reads\": %" PRIu64 ", \"writes\": %" PRIu64
            ", \"refreshes\": %" PRIu64 ", \"read_latency\": %.3f},\n"
            " \"words\": %d, \"equal\": %d, \"worst\": %.3e, \"late\": "
            "%" PRIu64 ", \"commands\": %" PRIu64 ", \"violations\": %" PRIu64
            "}\n",
            r->samples, r->features, r->ranks, r->chips, r->cycles, r->packets,
            r->near_reads, r->near_writes, r->reads, r->writes, r->refreshes,
            r->read_latency, r->words, r->equal, r->worst, r->late, r->commands,
            r->violations);
}
