/* svrg.c - a step of SVRG by accelerators and a host at the same time. */
#include "svrg.h"

#include "base/bits.h"
#include "blocks/nda_buffer.h"
#include "blocks/nda_control.h"
#include "blocks/nda_launch.h"
#include "blocks/nda_pe.h"
#include "blocks/nda_rank.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "ref.h"
#include "sim/run/run.h"
#include "told.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHIPS = 8,
    LANES = 2,      /* f32 of a chip's 8 bytes */
    UNDER_WAY = 64, /* reads of a rank, and writes */
    PATIENCE = 1000000,
    MARGINS = 1, /* tags */
    GRADIENT = 2
};

/* The kernel's data, and what its reference makes of them. */
struct problem {
    int samples, features;
    float lambda;
    float *x, *label, *w, *gradient;
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
    struct problem p;
    struct nda_buffer_local l;
    size_t in_at[3], out_at[3];
    int burst; /* words of a vector in each chip */
    struct side side[TOLD_RANKS];
    struct golden *launch;
    struct nda_launch_in op;
    const struct nda_launch_out *launched;
    int next; /* operation; all of them are samples + 1 */
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

/* First burst: w, then the gradient, then the rows of x. */
static uint64_t base_w(void) {
    return 0;
}

static uint64_t base_gradient(const struct svrg *k) {
    return (uint64_t)k->burst;
}

static uint64_t base_row(const struct svrg *k, int sample) {
    return (uint64_t)(2 + sample) * (uint64_t)k->burst;
}

static uint32_t bits_of(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint64_t u) {
    uint32_t low = (uint32_t)u;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

/* Element of a vector that a chip has in a lane of a word; padded with zeros.
 */
static float element(const struct svrg *k, const float *v, int rank, int chip,
                     int word, int lane) {
    int j = ((word * k->r->ranks + rank) * CHIPS + chip) * LANES + lane;
    return j < k->p.features ? v[j] : 0;
}

static void put(struct svrg *k, uint64_t at, const float *v) {
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++)
            for (int i = 0; i < k->burst; i++) {
                uint64_t low = bits_of(element(k, v, r, c, i, 0));
                uint64_t high = bits_of(element(k, v, r, c, i, 1));
                k->side[r].chip[c].memory[at + (uint64_t)i] = high << 32 | low;
            }
}

/* --- the kernel's data ---------------------------------------------------- */

/* A run calls the reference without anything of ours. */
static struct problem *wanted;
static ref_fn *reference;

static float *copy(const float *from, int64_t n) {
    float *to = malloc((size_t)n * sizeof *to);
    if (to)
        memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static void listen(struct ref_run *r) {
    struct problem *p = wanted;
    p->samples = (int)ref_int(r, "samples");
    p->features = (int)ref_int(r, "features");
    p->lambda = ref_float(r, "lambda");
    reference(r);
    p->x = copy(ref_f32(r, "x"), (int64_t)p->samples * p->features);
    p->label = copy(ref_f32(r, "label"), p->samples);
    p->w = copy(ref_f32(r, "w"), p->features);
    p->gradient = copy(ref_f32(r, "gradient"), p->features);
}

static ref_fn *find_svrg(const char *name) {
    reference = strcmp(name, "svrg") == 0 ? ref_find(name) : NULL;
    return reference ? listen : NULL;
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

static bool read_problem(struct svrg *k) {
    struct problem *p = &k->p;
    struct run_options options = {.size = k->s->size, .reference = find_svrg};
    wanted = p;
    struct run *run = run_open(k->s->path, &options, k->s->d);
    wanted = NULL;
    if (!run)
        return false;
    run_close(run);
    if (!p->x || !p->label || !p->w || !p->gradient)
        return refuse(k,
                      "'%s' is no run of kernel svrg, expected "
                      "kernels/svrg/svrg.yml",
                      k->s->path);
    if (p->samples > 255)
        return refuse(k,
                      "'%s' has %d samples, expected 255 at most: rows of "
                      "a launch",
                      k->s->path, p->samples);
    return true;
}

/* --- parts ---------------------------------------------------------------- */

bool svrg_check(const struct config *c, struct diag *d) {
    iface_check(&nda_rank_iface, c, d);
    iface_check(&nda_launch_iface, c, d);
    return d->errors == 0;
}

static void open_chip(struct svrg *k, struct chip *c, size_t words) {
    const struct config *f = k->s->config;
    c->golden = golden_create(golden_find("nda_rank"), f);
    const struct design *d = golden_design(c->golden);
    c->in = calloc(1, d->in_size);
    c->memory = calloc(words, sizeof *c->memory);
    c->part = calloc((size_t)k->p.samples, sizeof *c->part);
    c->out = golden_cycle(c->golden, true, NULL);
    for (int i = 0; i < 3; i++) {
        k->in_at[i] = system_instance(d, i)->in_offset;
        k->out_at[i] = system_instance(d, i)->out_offset;
    }
}

static bool open_parts(struct svrg *k) {
    int over = k->r->ranks * CHIPS * LANES;
    uint64_t words;
    k->burst = (k->p.features + over - 1) / over;
    words = base_row(k, k->p.samples);
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
    k->scale = calloc((size_t)k->p.samples, sizeof *k->scale);
    told_open(&k->told, k->s->config);
    put(k, base_w(), k->p.w);
    for (int i = 0; i < k->p.samples; i++)
        put(k, base_row(k, i), k->p.x + (size_t)i * (size_t)k->p.features);
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
    if (k->told.config)
        told_close(&k->told);
    free(k->scale);
    free(k->p.x);
    free(k->p.label);
    free(k->p.w);
    free(k->p.gradient);
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
    double margin = 0, label = k->p.label[sample];
    for (int r = 0; r < k->r->ranks; r++)
        for (int c = 0; c < CHIPS; c++)
            margin += k->side[r].chip[c].part[sample];
    return (float)(-label / (k->p.samples * (1 + exp(label * margin))));
}

/* The next operation, if it may begin: the margins, then a row at a time. */
static void prepare(struct svrg *k) {
    struct nda_launch_in *op = &k->op;
    uint64_t n = (uint64_t)k->burst;
    int i = k->next - 1;

    memset(op, 0, sizeof *op);
    if (k->next > k->p.samples || (k->next && !all_ended(k, MARGINS)))
        return;
    op->op_valid = 1;
    op->op_ranks = ones(k->r->ranks);
    op->op_length = n;
    if (k->next == 0) {
        op->op_op = NDA_PE_GEMV;
        op->op_rows = (uint64_t)k->p.samples;
        op->op_tag = MARGINS;
        operand(k, 0, base_w(), n);
        operand(k, 2, base_row(k, 0), n * (uint64_t)k->p.samples);
        return;
    }
    if (i == 0)
        for (int s = 0; s < k->p.samples; s++)
            k->scale[s] = scale_of(k, s);
    op->op_op = NDA_PE_AXPBY;
    op->op_tag = GRADIENT;
    operand(k, 0, i ? base_row(k, i) : base_w(), n);
    operand(k, 1, i ? base_gradient(k) : base_row(k, 0), n);
    operand(k, 2, base_gradient(k), n);
    bits_set_lane(op->op_scalars, 0, bits_of(i ? k->scale[i] : k->p.lambda));
    bits_set_lane(op->op_scalars, 1, bits_of(i ? 1.0f : k->scale[0]));
}

/* --- a cycle -------------------------------------------------------------- */

static uint32_t draw(struct svrg *k, uint32_t below) {
    k->random ^= k->random >> 12;
    k->random ^= k->random << 25;
    k->random ^= k->random >> 27;
    return (uint32_t)((k->random * 2685821657736338717u >> 32) % below);
}

/* Runs of eight bursts or so in a row, anywhere but in the accelerators' bank.
 */
static void request(struct svrg *k) {
    struct told_request *q = &k->stream;
    const struct config *f = k->s->config;
    if ((int)draw(k, 100) >= k->s->rate)
        return;
    if (draw(k, 8) == 0 || !q->since) {
        int banks = f->dram_groups * f->dram_banks;
        int b = (int)draw(k, (uint32_t)banks - 1);
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
        s->chip[c].part[n] = float_of(buffer(k, &s->chip[c])->ended_value);
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
                            .bank = f->dram_banks - 1,
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
    struct nda_launch_in *in = &k->op;
    in->done_ready = 1;
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
    prepare(k);
    drive_launch(k, end);
    for (int r = 0; r < k->r->ranks; r++)
        drive_rank(k, r, gives && c.rank == r ? &c : NULL, taken && r == end);
    if (taken)
        take_end(k, end);
    k->r->packets += k->launched->packet_valid && k->op.packet_ready;
    k->next += k->op.op_valid && k->launched->op_ready;
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

/* A chip's parts of the margins, and its gradient, by plain loops in the order
 * of the operations; scales are the host's, of the sums of these parts. */
static void compare_chip(struct svrg *k, int rank, int chip) {
    const struct problem *p = &k->p;
    struct chip *c = &k->side[rank].chip[chip];

    for (int s = 0; s < p->samples; s++) {
        const float *row = p->x + (size_t)s * (size_t)p->features;
        float sum[LANES] = {0, 0};
        for (int i = 0; i < k->burst; i++)
            for (int h = 0; h < LANES; h++)
                sum[h] = fmaf(element(k, row, rank, chip, i, h),
                              element(k, p->w, rank, chip, i, h), sum[h]);
        compare(k, bits_of(c->part[s]), bits_of(sum[0] + sum[1]));
    }
    for (int i = 0; i < k->burst; i++) {
        uint64_t word = c->memory[base_gradient(k) + (uint64_t)i];
        for (int h = 0; h < LANES; h++) {
            float g = fmaf(k->scale[0], element(k, p->x, rank, chip, i, h),
                           p->lambda * element(k, p->w, rank, chip, i, h));
            for (int s = 1; s < p->samples; s++) {
                const float *row = p->x + (size_t)s * (size_t)p->features;
                g += k->scale[s] * element(k, row, rank, chip, i, h);
            }
            compare(k, (uint32_t)(word >> 32 * h), bits_of(g));
        }
    }
}

static float gradient(const struct svrg *k, int j) {
    int lane = j % LANES, chip = j / LANES % CHIPS;
    int rank = j / LANES / CHIPS % k->r->ranks;
    int word = j / LANES / CHIPS / k->r->ranks;
    const struct chip *c = &k->side[rank].chip[chip];
    return float_of(c->memory[base_gradient(k) + (uint64_t)word] >> 32 * lane);
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
        most = fmax(most, fabs(k->p.gradient[j]));
        off = fmax(off, fabs(gradient(k, j) - (double)k->p.gradient[j]));
    }
    k->r->worst = most > 0 ? off / most : off;
}

bool svrg_run(const struct svrg_setup *s, struct svrg_result *r) {
    struct svrg *k = calloc(1, sizeof *k);
    bool ok = false;

    if (!k)
        BUG("out of memory");
    *r = (struct svrg_result){.ranks = s->config->dram_ranks, .chips = CHIPS};
    k->s = s;
    k->r = r;
    k->l = nda_buffer_local(s->config);
    k->random = (s->seed + 1) * 0x9e3779b97f4a7c15u;
    if (read_problem(k) && open_parts(k)) {
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
