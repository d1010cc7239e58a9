/* check.c - a program on the executor, on the untimed machine and on devices.
 *
 * The executor runs it twice, with warps that take turns after many and after
 * few instructions: a program whose result hangs on that is the maker's fault
 * and must not be taken for the machine's.
 */
#include "private.h"

#include "codegen/codegen.h"
#include "isa/run.h"
#include "papers/tom/candidate.h"
#include "ptx/ptx.h"
#include "sim/exec/exec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 20000000, WATCHDOG = 200000, TURN = 3 };

/* One program on its way. */
struct trial {
    struct fuzz_bench *b;
    const struct fuzz_program *p;
    struct fuzz_failure *f;
    struct arena arena;
    struct diag diag;
    struct source source;
    const struct ptx_module *module;
    struct isa_image *image; /* of the last assembly */
    int registers;           /* that it is for */
    int made_for;            /* FUZZ_ON_WIDE, FUZZ_ON_BLOCKS, or another */
};

static bool fails(struct trial *t, enum fuzz_what what, int where,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static bool fails(struct trial *t, enum fuzz_what what, int where,
                  const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(t->f->text, sizeof t->f->text, fmt, args);
    va_end(args);
    t->f->what = what;
    t->f->where = where;
    return false;
}

/* The first error of the diag, without its place. */
static const char *first_error(const struct diag *d) {
    for (int i = 0; i < d->count; i++)
        if (d->messages[i].severity == DIAG_ERROR)
            return d->messages[i].text;
    return "no reason given";
}

/* Bytes that a run left, against those of the executor. */
static bool agrees(struct trial *t, int where, uint8_t *const got[]) {
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        uint32_t n = fuzz_bytes(t->p, (enum fuzz_buffer)b);
        const uint8_t *want = t->b->wanted[b];
        if (memcmp(got[b], want, n) == 0)
            continue;
        uint32_t at = 0, x, y;
        while (got[b][at] == want[at])
            at++;
        t->f->buffer = (enum fuzz_buffer)b;
        t->f->byte = at;
        memcpy(&x, want + (at & ~3u), 4);
        memcpy(&y, got[b] + (at & ~3u), 4);
        char who[64] = "";
        if (b == FUZZ_OWN && at < t->p->slot * fuzz_threads(t->p))
            snprintf(who, sizeof who, " (thread %u, byte %u of its slot)",
                     at / t->p->slot, at % t->p->slot);
        return fails(t, FUZZ_DIFFERS, where,
                     "'%s' differs at byte %u%s: wanted 0x%08" PRIx32
                     ", got 0x%08" PRIx32,
                     fuzz_buffer_names[b], at, who, x, y);
    }
    return true;
}

/* --- the executor --------------------------------------------------------- */

static bool read_module(struct trial *t, struct text *text) {
    t->source = (struct source){"fuzz.ptx", text_str(text), text->len};
    t->module = ptx_read(&t->arena, &t->source, &t->diag);
    if (t->module && !t->diag.errors)
        return true;
    return fails(t, FUZZ_REFUSED, FUZZ_ON_EXECUTOR, "%s",
                 first_error(&t->diag));
}

static void set_params(const struct trial *t, const struct ptx_function *k,
                       const uint64_t addresses[], uint8_t *params) {
    for (int i = 0; i < FUZZ_BUFFERS; i++)
        memcpy(params + exec_param_offset(k, i), &addresses[i], 8);
    for (int i = 0; i < FUZZ_PARAMS; i++)
        memcpy(params + exec_param_offset(k, FUZZ_BUFFERS + i),
               &t->p->params[i], 4);
}

static const struct ptx_function *kernel_of(const struct ptx_module *m) {
    for (int i = 0; i < m->n_functions; i++)
        if (strcmp(m->functions[i]->name, "fuzz") == 0)
            return m->functions[i];
    BUG("no kernel in a program");
}

static bool execute(struct trial *t, uint32_t turn, uint8_t *to[]) {
    struct exec_options o = {.limit = LIMIT, .turn = turn};
    struct exec *x = exec_create(t->module, &o, &t->diag);
    if (!x)
        return fails(t, FUZZ_REFUSED, FUZZ_ON_EXECUTOR, "%s",
                     first_error(&t->diag));
    uint64_t addresses[FUZZ_BUFFERS];
    void *data[FUZZ_BUFFERS];
    const struct ptx_function *k = kernel_of(t->module);
    uint8_t params[256] = {0};
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        uint32_t n = fuzz_bytes(t->p, (enum fuzz_buffer)b);
        if (!exec_buffer(x, fuzz_buffer_names[b], n, 256, &addresses[b],
                         &data[b]))
            out_of_memory();
        memcpy(data[b], t->p->data[b], n);
    }
    set_params(t, k, addresses, params);
    struct exec_launch l = {.kernel = k, .params = params};
    memcpy(l.grid, t->p->grid, sizeof l.grid);
    memcpy(l.block, t->p->block, sizeof l.block);
    enum exec_state state = EXEC_FAULT;
    struct stream_event e;
    if (exec_begin(x, &l, &t->diag))
        while ((state = exec_step(x, &e)) == EXEC_RUNNING)
            ;
    for (int b = 0; b < FUZZ_BUFFERS; b++)
        memcpy(to[b], data[b], fuzz_bytes(t->p, (enum fuzz_buffer)b));
    exec_free(x);
    if (state == EXEC_FINISHED)
        return true;
    t->f->cause = (int)state;
    return fails(t, FUZZ_STOPPED, FUZZ_ON_EXECUTOR, "%s",
                 state == EXEC_LIMIT ? "no end" : first_error(&t->diag));
}

/* Room for the program's buffers; freed by free_buffers. */
static void new_buffers(const struct fuzz_program *p, uint8_t *to[]) {
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        uint32_t n = fuzz_bytes(p, (enum fuzz_buffer)b);
        to[b] = xcalloc(n + 8, 1);
        memcpy(to[b], p->data[b], n);
    }
}

static void free_buffers(uint8_t *to[]) {
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        free(to[b]);
        to[b] = NULL;
    }
}

static bool on_executor(struct trial *t) {
    uint8_t *again[FUZZ_BUFFERS];
    free_buffers(t->b->wanted);
    new_buffers(t->p, t->b->wanted);
    if (!execute(t, 0, t->b->wanted))
        return false;
    new_buffers(t->p, again);
    bool ok = execute(t, TURN, again) && agrees(t, FUZZ_ON_EXECUTOR, again);
    free_buffers(again);
    return ok;
}

/* --- assembling ----------------------------------------------------------- */

/* The text of an image is the same image. */
static bool reads_back(struct trial *t) {
    const struct isa_image *x = t->image;
    struct text text = {0};
    isa_image_print(x, &text);
    struct source source = {"fuzz.s", text_str(&text), text.len};
    const struct isa_image *y = isa_image_parse(&t->arena, &source, &t->diag);
    bool ok = y && y->n_words == x->n_words && y->n_data == x->n_data &&
              memcmp(y->words, x->words, 8 * (size_t)x->n_words) == 0 &&
              (!x->n_data || memcmp(y->data, x->data, x->n_data) == 0);
    text_free(&text);
    return ok || fails(t, FUZZ_DIFFERS, FUZZ_ON_ASSEMBLER,
                       "what is disassembled makes another image: %s",
                       y ? "it is read" : first_error(&t->diag));
}

/* Every access pays. */
static struct ptx_candidate_options all_pay(void) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    o.miss = (struct ptx_ratio){1, 1};
    o.coal_ld = o.coal_st = (struct ptx_ratio){PTX_RATIO_MAX, 1};
    return o;
}

/* where: whether without narrowing, or with blocks. */
static bool assemble(struct trial *t, int registers, int where) {
    const struct ptx_candidate_options candidates = all_pay();
    bool special = where == FUZZ_ON_WIDE || where == FUZZ_ON_BLOCKS;
    int made_for = special ? where : FUZZ_ON_UNTIMED;
    struct code_options o = {.registers = registers,
                             .wide = where == FUZZ_ON_WIDE,
                             .blocks =
                                 where == FUZZ_ON_BLOCKS ? &candidates : NULL};
    if (t->image && t->registers == registers && t->made_for == made_for)
        return true;
    t->image = code_generate(&t->arena, t->module, NULL, &o, &t->diag);
    t->registers = registers;
    t->made_for = made_for;
    if (!t->image || t->diag.errors)
        return fails(t, FUZZ_REFUSED, FUZZ_ON_ASSEMBLER, "%s",
                     first_error(&t->diag));
    if (!reads_back(t))
        return false;
    if (t->b->tamper)
        t->b->tamper(t->image->words, t->image->n_words);
    return true;
}

/* --- the untimed machine -------------------------------------------------- */

/* Where things lie in its memory. */
enum { AREA = 1 << 24, DATA_AREA = FUZZ_BUFFERS + 1, LOCAL_AREA, AREAS };

struct areas {
    uint8_t *data[AREAS + 1]; /* by the top byte of an address */
    uint32_t bytes[AREAS + 1];
};

static uint8_t *at(const struct areas *m, uint32_t address, int bytes) {
    uint32_t area = address / AREA, offset = address % AREA;
    if (area < 1 || area > AREAS || !m->data[area] ||
        offset + (uint32_t)bytes > m->bytes[area])
        return NULL;
    return m->data[area] + offset;
}

static bool load(void *ctx, uint32_t address, int bytes, uint32_t *value) {
    const uint8_t *from = at(ctx, address, bytes);
    *value = 0;
    if (from)
        memcpy(value, from, (size_t)bytes);
    return from != NULL;
}

static bool store(void *ctx, uint32_t address, int bytes, uint32_t value) {
    uint8_t *to = at(ctx, address, bytes);
    if (to)
        memcpy(to, &value, (size_t)bytes);
    return to != NULL;
}

static void add_coverage(struct fuzz_coverage *c, const struct isa_run *r) {
    for (int op = 0; op < ISA_OPS; op++)
        for (int k = 0; k < FUZZ_MASKS; k++)
            c->executed[op][k] += r->executed[op][k];
    c->warp_instructions += r->warp_instructions;
}

static bool untimed(struct trial *t, int where, int lanes, uint8_t *to[],
                    struct isa_run *r) {
    const struct isa_kernel *k = isa_image_kernel(t->image, "fuzz");
    const uint32_t *n = t->p->block;
    uint32_t threads = n[0] * n[1] * n[2];
    struct areas m = {0};
    uint32_t *params = xcalloc((size_t)k->param_words, sizeof *params);
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        m.data[b + 1] = to[b];
        m.bytes[b + 1] = fuzz_bytes(t->p, (enum fuzz_buffer)b);
        params[k->params[b].word] = (uint32_t)(b + 1) * AREA;
    }
    for (int i = 0; i < FUZZ_PARAMS; i++)
        params[k->params[FUZZ_BUFFERS + i].word] = t->p->params[i];
    m.data[DATA_AREA] = xcalloc((size_t)t->image->n_data + 1, 1);
    m.bytes[DATA_AREA] = t->image->n_data;
    if (t->image->n_data)
        memcpy(m.data[DATA_AREA], t->image->data, t->image->n_data);
    m.bytes[LOCAL_AREA] = (threads + 31) / 32 * 32 * (uint32_t)k->local;
    m.data[LOCAL_AREA] = xcalloc((size_t)m.bytes[LOCAL_AREA] + 1, 1);
    params[ISA_WORD_DATA] = DATA_AREA * AREA;
    params[ISA_WORD_LOCAL] = LOCAL_AREA * AREA;
    params[ISA_WORD_LOCAL_BYTES] = (uint32_t)k->local;
    struct isa_memory memory = {load, store, &m};
    struct isa_away away = {.blocks = t->image->blocks,
                            .n = t->image->n_blocks,
                            .always = true,
                            .forget = true};
    struct isa_launch l = {.code = t->image->words,
                           .n_code = t->image->n_words,
                           .entry = k->entry,
                           .registers = t->registers,
                           .shared = (uint32_t)k->shared,
                           .params = params,
                           .n_params = k->param_words,
                           .lanes = lanes,
                           .limit = LIMIT,
                           .away = where == FUZZ_ON_BLOCKS ? &away : NULL};
    memcpy(l.grid, t->p->grid, sizeof l.grid);
    memcpy(l.block, t->p->block, sizeof l.block);
    bool ok = isa_execute(&l, &memory, r);
    if (t->b->coverage)
        t->b->coverage->blocks += away.went;
    free(m.data[DATA_AREA]);
    free(m.data[LOCAL_AREA]);
    free(params);
    if (ok)
        return true;
    t->f->cause = (int)r->end;
    return fails(t, FUZZ_STOPPED, where, "%s at word %d, PTX line %d",
                 isa_end_text(r->end), r->pc, t->image->lines[r->pc]);
}

/* Bytes of a device that a launch may need, areas in units of 256. */
static size_t memory_of(const struct trial *t, const struct fuzz_limits *l) {
    const struct isa_kernel *k = isa_image_kernel(t->image, "fuzz");
    size_t n = 256 + 255 + t->image->n_data +
               (size_t)l->max_threads * (size_t)k->local;
    for (int b = 0; b < FUZZ_BUFFERS; b++)
        n += (fuzz_bytes(t->p, (enum fuzz_buffer)b) + 255u) & ~255u;
    return n + 255;
}

/* With code for the registers and the lanes of limits. */
static bool on_untimed(struct trial *t, int where,
                       const struct fuzz_limits *l) {
    uint8_t *got[FUZZ_BUFFERS];
    struct isa_run r = {0};
    if (!assemble(t, l->registers, where))
        return false;
    new_buffers(t->p, got);
    bool ok = untimed(t, where, l->lanes, got, &r);
    if (ok && r.deepest > l->stack)
        ok = fails(t, FUZZ_TOO_LARGE, where, "a stack of %d", r.deepest);
    else if (ok && memory_of(t, l) > l->memory)
        ok = fails(t, FUZZ_TOO_LARGE, where, "%zu bytes", memory_of(t, l));
    else if (ok && t->image->n_words > l->code_words)
        ok = fails(t, FUZZ_TOO_LARGE, where, "%d words", t->image->n_words);
    else if (ok)
        ok = agrees(t, where, got);
    if (ok && where == FUZZ_ON_UNTIMED && t->b->coverage && t->b->only < 0)
        add_coverage(t->b->coverage, &r);
    free_buffers(got);
    return ok;
}

/* --- devices -------------------------------------------------------------- */

static bool device_fails(struct trial *t, int n, ndpResult e) {
    ndpDevice d = t->b->devices[n];
    ndpFault fault = {0};
    enum fuzz_what what = FUZZ_STOPPED;
    t->f->cause = (int)e;
    if (e == NDP_ERROR_LAUNCH_FAILED && ndpDeviceGetFault(&fault, d) == 0)
        t->f->cause = 1000 + fault.cause;
    if (e == NDP_ERROR_DEVICE_LOST)
        what = FUZZ_LOST;
    if (e == NDP_ERROR_NO_BINARY_FOR_GPU || e == NDP_ERROR_OUT_OF_MEMORY ||
        e == NDP_ERROR_LAUNCH_OUT_OF_RESOURCES)
        what = FUZZ_TOO_LARGE;
    return fails(t, what, FUZZ_ON_DEVICE + n, "%s", ndpGetErrorString(d));
}

struct on_device {
    ndpModule module;
    ndpDevicePtr at[FUZZ_BUFFERS];
};

static ndpResult launch(const struct fuzz_program *p, struct on_device *o,
                        ndpDevice d, const struct isa_image *image,
                        unsigned timeout, uint8_t *got[]) {
    char *bytes = NULL;
    size_t size = 0;
    const char *why;
    FILE *f = open_memstream(&bytes, &size);
    if (!f || !isa_image_write(image, f, &why) || fclose(f) != 0)
        BUG("cannot make an image");
    ndpResult e = ndpModuleLoadData(&o->module, d, bytes, size);
    free(bytes);
    ndpFunction kernel;
    if (!e)
        e = ndpModuleGetFunction(&kernel, o->module, "fuzz");
    for (int b = 0; b < FUZZ_BUFFERS && !e; b++) {
        uint32_t n = fuzz_bytes(p, (enum fuzz_buffer)b);
        e = ndpMemAlloc(&o->at[b], d, n);
        if (!e)
            e = ndpMemcpyHtoD(d, o->at[b], p->data[b], n);
    }
    ndpArgument arguments[FUZZ_BUFFERS + FUZZ_PARAMS];
    for (int b = 0; b < FUZZ_BUFFERS; b++)
        arguments[b] = (ndpArgument)NDP_ARG(o->at[b]);
    for (int i = 0; i < FUZZ_PARAMS; i++)
        arguments[FUZZ_BUFFERS + i] = (ndpArgument)NDP_ARG(p->params[i]);
    if (!e)
        e = ndpLaunchKernel(kernel, p->grid[0], p->grid[1], p->grid[2],
                            p->block[0], p->block[1], p->block[2], 0, arguments,
                            FUZZ_BUFFERS + FUZZ_PARAMS);
    if (!e)
        e = ndpCtxSynchronize(d, timeout);
    for (int b = 0; b < FUZZ_BUFFERS && !e; b++)
        e = ndpMemcpyDtoH(d, got[b], o->at[b],
                          fuzz_bytes(p, (enum fuzz_buffer)b));
    return e;
}

static bool on_device(struct trial *t, int n) {
    uint8_t *got[FUZZ_BUFFERS];
    struct on_device o = {0};
    ndpDevice d = t->b->devices[n];
    if (!assemble(t, t->b->limits[n].registers, FUZZ_ON_DEVICE + n))
        return false;
    new_buffers(t->p, got);
    ndpDeviceSetWatchdog(d, t->b->watchdog ? t->b->watchdog : WATCHDOG);
    ndpResult e = launch(t->p, &o, d, t->image, t->b->timeout, got);
    bool ok = e ? device_fails(t, n, e) : agrees(t, FUZZ_ON_DEVICE + n, got);
    for (int b = 0; b < FUZZ_BUFFERS; b++)
        if (o.at[b])
            ndpMemFree(d, o.at[b]);
    if (o.module)
        ndpModuleUnload(o.module);
    free_buffers(got);
    if (t->b->coverage && t->b->only < 0)
        t->b->coverage->device_launches++;
    if (!ok && t->f->what == FUZZ_LOST) { /* once more, for those to come */
        ndpDeviceClose(d);
        ndpDeviceOpen(&t->b->devices[n], t->b->urls[n]);
    }
    return ok;
}

/* --- all of them ---------------------------------------------------------- */

static bool wants(const struct fuzz_bench *b, int where) {
    return b->only < 0 || b->only == where;
}

static bool try_all(struct trial *t) {
    struct fuzz_bench *b = t->b;
    struct text text = {0};
    fuzz_text(t->p, &text);
    bool ok = read_module(t, &text) && on_executor(t);
    /* the untimed machine is as fast as nothing, and says what is too large */
    if (ok)
        ok = on_untimed(t, FUZZ_ON_UNTIMED, &b->all) ||
             (!wants(b, FUZZ_ON_UNTIMED) && t->f->what == FUZZ_DIFFERS);
    for (int n = 0; ok && n < b->n_devices; n++)
        if (wants(b, FUZZ_ON_DEVICE + n))
            ok = on_device(t, n);
    for (int where = FUZZ_ON_WIDE; ok && where <= FUZZ_ON_BLOCKS; where++)
        if (wants(b, where))
            ok = on_untimed(t, where, &b->all) || t->f->what == FUZZ_TOO_LARGE;
    text_free(&text);
    return ok;
}

bool fuzz_check(struct fuzz_bench *b, const struct fuzz_program *p,
                struct fuzz_failure *f) {
    struct trial t = {.b = b, .p = p, .f = f};
    *f = (struct fuzz_failure){0};
    bool ok = fuzz_fits(p, &b->all)
                  ? try_all(&t)
                  : fails(&t, FUZZ_TOO_LARGE, FUZZ_ON_ASSEMBLER, "its launch");
    diag_free(&t.diag);
    arena_free(&t.arena);
    if (ok)
        f->what = FUZZ_RIGHT;
    return ok || f->what == FUZZ_TOO_LARGE;
}

bool fuzz_alike(const struct fuzz_failure *a, const struct fuzz_failure *b) {
    if (a->what != b->what || a->where != b->where || a->cause != b->cause)
        return false;
    return a->what != FUZZ_REFUSED || strcmp(a->text, b->text) == 0;
}

const char *fuzz_where(const struct fuzz_bench *b, int where) {
    static const char *const names[] = {"executor", "assembler",
                                        "untimed machine",
                                        "untimed machine, code with --wide",
                                        "untimed machine, blocks elsewhere"};
    return where < FUZZ_ON_DEVICE ? names[where]
                                  : b->urls[where - FUZZ_ON_DEVICE];
}

/* --- devices of a bench --------------------------------------------------- */

static int least(int a, int b) {
    return a == 0 || b < a ? b : a;
}

static void join_limits(struct fuzz_limits *all, const struct fuzz_limits *l) {
    all->registers = least(all->registers, l->registers);
    all->code_words = least(all->code_words, l->code_words);
    all->shared_bytes = least(all->shared_bytes, l->shared_bytes);
    all->stack = least(all->stack, l->stack);
    all->lanes = least(all->lanes, l->lanes);
    all->max_threads = least(all->max_threads, l->max_threads);
    all->memory =
        all->memory && all->memory < l->memory ? all->memory : l->memory;
    all->same_lanes = all->lanes == 32;
}

static void read_limits(ndpDevice d, struct fuzz_limits *l) {
    const struct {
        ndpAttribute a;
        int *to;
    } all[] = {{NDP_ATTRIBUTE_REGISTERS, &l->registers},
               {NDP_ATTRIBUTE_CODE_WORDS, &l->code_words},
               {NDP_ATTRIBUTE_SHARED_BYTES, &l->shared_bytes},
               {NDP_ATTRIBUTE_STACK, &l->stack},
               {NDP_ATTRIBUTE_LANES, &l->lanes},
               {NDP_ATTRIBUTE_MAX_THREADS, &l->max_threads}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ndpDeviceGetAttribute(all[i].to, all[i].a, d);
    ndpDeviceTotalMem(&l->memory, d);
}

bool fuzz_open(struct fuzz_bench *b, const char *url, struct diag *d) {
    struct place at = {.source = diag_source(d, "command line", NULL, 0)};
    ndpDevice *device = &b->devices[b->n_devices];
    if (b->n_devices == FUZZ_DEVICES) {
        diag_error(d, at, "more than %d devices", FUZZ_DEVICES);
        return false;
    }
    if (ndpDeviceOpen(device, url) != NDP_SUCCESS) {
        diag_error(d, at, "%s", ndpGetErrorString(*device));
        ndpDeviceClose(*device);
        return false;
    }
    b->urls[b->n_devices] = url;
    read_limits(*device, &b->limits[b->n_devices]);
    join_limits(&b->all, &b->limits[b->n_devices]);
    b->n_devices++;
    return true;
}

void fuzz_close(struct fuzz_bench *b) {
    for (int n = 0; n < b->n_devices; n++)
        ndpDeviceClose(b->devices[n]);
    b->n_devices = 0;
    free_buffers(b->wanted);
}

struct fuzz_program *fuzz_make_fitting(struct arena *a, struct fuzz_bench *b,
                                       uint64_t seed) {
    struct fuzz_limits l = b->all;
    struct fuzz_failure f;
    struct fuzz_bench alone = *b;
    alone.n_devices = 0;
    alone.only = FUZZ_ON_UNTIMED;
    alone.coverage = NULL;
    alone.tamper = NULL;
    memset(alone.wanted, 0, sizeof alone.wanted);
    struct fuzz_program *p = NULL;
    for (int size = l.size ? l.size : 30; size > 0 && !p;
         size -= 1 + size / 4) {
        l.size = size;
        l.memory -= l.memory / 8;
        p = fuzz_make(a, seed, &l);
        if (!fuzz_check(&alone, p, &f) || f.what == FUZZ_RIGHT)
            break;
        p = NULL;
    }
    free_buffers(alone.wanted);
    return p;
}
