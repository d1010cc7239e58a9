/* read.c - a file as a stream.
 *
 * Nothing in a file is believed: every number is held to its range, and the
 * first thing that does not fit ends the stream with an error that names the
 * byte.
 */
#include "accelsim.h"
#include "trace.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/infile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

struct warp_state {
    uint32_t next_insn, active;
};

struct described {
    struct stream_insn *insn;
    uint64_t base; /* first address of its last access */
};

struct reader {
    struct stream stream; /* first */
    FILE *file;
    int file_error; /* of infile_open */
    struct diag *d;
    const struct source *name;
    struct arena arena; /* of launches and instructions */
    unsigned char buffer[BUFFER];
    size_t at, have;
    uint64_t before, checksum; /* offset and checksum of the buffer's start */
    uint64_t hash, events;
    struct stream_launch *launch;
    uint32_t n_launches, n_warps;
    uint64_t n_ctas;
    ARRAY(struct described) insns; /* by id */
    struct warp_state warps[TRACE_MAX_WARPS];
    uint32_t cta, warp;
    bool failed, ended;
};

static uint64_t offset(const struct reader *r) {
    return r->before + r->at;
}

static void fail(struct reader *r, uint64_t where, const char *what) {
    if (!r->failed)
        diag_error(r->d, (struct place){.source = r->name},
                   "byte %" PRIu64 ": %s", where, what);
    r->failed = true;
}

static void sum_buffer(struct reader *r, size_t n) {
    r->checksum = fnv1a(r->checksum, r->buffer, n);
}

/* Next byte, or -1 at the end of the file. */
static int get_byte(struct reader *r) {
    if (r->at == r->have) {
        sum_buffer(r, r->have);
        r->before += r->have;
        r->at = 0;
        r->have = fread(r->buffer, 1, BUFFER, r->file);
        if (r->have == 0)
            return -1;
    }
    return r->buffer[r->at++];
}

static unsigned need_byte(struct reader *r) {
    int c = get_byte(r);
    if (c < 0)
        fail(r, offset(r),
             ferror(r->file) ? infile_error(r->file_error)
                             : "the trace is cut off here");
    return c < 0 ? 0 : (unsigned)c;
}

static uint64_t get(struct reader *r) {
    uint64_t v = 0;
    for (int shift = 0; !r->failed; shift += 7) {
        unsigned byte = need_byte(r);
        if (shift == 63 && byte > 1) {
            fail(r, offset(r) - 1, "a number has more than 64 bits");
            break;
        }
        v |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return v;
    }
    return 0;
}

static uint64_t get_signed(struct reader *r) {
    uint64_t v = get(r);
    return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

static uint64_t get_fixed(struct reader *r, int bytes) {
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint64_t)need_byte(r) << 8 * i;
    return v;
}

/* A number up to max; what: for the message. */
static uint64_t get_up_to(struct reader *r, uint64_t max, const char *what) {
    uint64_t where = offset(r), v = get(r);
    char text[80];
    if (r->failed || v <= max)
        return v;
    snprintf(text, sizeof text, "%s is %" PRIu64 ", expected at most %" PRIu64,
             what, v, max);
    fail(r, where, text);
    return 0;
}

static const char *get_string(struct reader *r) {
    uint64_t n = get_up_to(r, TRACE_MAX_STRING, "the length of a name");
    char *s = arena_alloc(&r->arena, n + 1);
    for (uint64_t i = 0; i < n && !r->failed; i++)
        s[i] = (char)need_byte(r);
    return s;
}

/* --------------------------------------------------------------- records */

static void read_launch(struct reader *r) {
    struct stream_launch *l = arena_alloc(&r->arena, sizeof *l);
    uint64_t where = offset(r), threads = 1;
    l->id = r->n_launches++;
    l->kernel = get_string(r);
    r->n_ctas = 1;
    for (int i = 0; i < 3; i++) {
        l->grid[i] = (uint32_t)get_up_to(r, INT32_MAX, "the grid");
        r->n_ctas *= l->grid[i];
        if (r->n_ctas > UINT32_MAX)
            fail(r, where, "the grid has more than 2^32 blocks");
    }
    for (int i = 0; i < 3; i++) {
        l->block[i] =
            (uint32_t)get_up_to(r, (uint64_t)32 * TRACE_MAX_WARPS, "the block");
        threads *= l->block[i];
    }
    if (threads > (uint64_t)32 * TRACE_MAX_WARPS)
        fail(r, where, "a block has too many threads");
    l->shared = (uint32_t)get_up_to(r, UINT32_MAX, "shared memory");
    l->registers = (uint32_t)get_up_to(r, UINT32_MAX, "the registers");
    r->n_warps = (uint32_t)(threads + 31) / 32;
    r->launch = l;
    memset(r->warps, 0, sizeof r->warps);
    r->cta = r->warp = 0;
}

static void read_description(struct reader *r) {
    struct stream_insn *s = arena_alloc(&r->arena, sizeof *s);
    s->id = (uint32_t)r->insns.n;
    s->function = (uint32_t)get_up_to(r, UINT32_MAX, "a function");
    s->pc = get(r);
    s->line = (uint32_t)get_up_to(r, UINT32_MAX, "a line");
    s->opcode = get_string(r);
    s->opc = (enum opclass)get_up_to(r, OPC_COUNT - 1, "a class");
    s->space = (enum ptx_space)get_up_to(r, PTX_SPACE_TEX, "a space");
    s->access =
        (enum stream_access)get_up_to(r, STREAM_ATOMIC, "an access kind");
    s->width = (uint8_t)get_up_to(r, 128, "a width");
    s->n_dst = (uint8_t)get_up_to(r, STREAM_MAX_REGS, "the destinations");
    s->n_src = (uint8_t)get_up_to(r, (uint64_t)STREAM_MAX_REGS - s->n_dst,
                                  "the sources");
    for (int i = 0; i < s->n_dst + s->n_src; i++)
        s->regs[i] = (uint32_t)get_up_to(r, UINT32_MAX, "a register");
    if (r->failed)
        return;
    *array_push(&r->insns) = (struct described){s, 0};
}

static void refuse_address(struct reader *r, uint64_t address) {
    if (!stream_is_address(address) && !r->failed)
        fail(r, offset(r), "an address of more than 53 bits");
}

static void read_addresses(struct reader *r, unsigned tag, uint32_t id,
                           struct stream_event *e) {
    uint64_t at = r->insns.v[id].base + get_signed(r);
    uint64_t stride = tag & TRACE_STRIDE ? get_signed(r) : 0;
    r->insns.v[id].base = at;
    bool first = true;
    for (uint32_t left = e->mask; left; left &= left - 1) {
        if (!first)
            at += tag & TRACE_STRIDE ? stride : get_signed(r);
        first = false;
        refuse_address(r, at);
        e->address[__builtin_ctz(left)] = at;
    }
}

static void read_texels(struct reader *r, struct stream_event *e) {
    e->texel = (uint8_t)get_up_to(r, 16, "the size of a texel");
    e->n_more = (uint8_t)get_up_to(r, STREAM_MORE, "the further texels");
    for (int k = 0; k < e->n_more; k++) {
        uint64_t distance = 0;
        for (uint32_t left = e->mask; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            distance += get_signed(r);
            e->more[k][lane] = e->address[lane] + distance;
            refuse_address(r, e->more[k][lane]);
        }
    }
}

static void read_event(struct reader *r, unsigned tag, struct stream_event *e) {
    uint64_t where = offset(r) - 1;
    if (!r->launch) {
        fail(r, where, "an instruction before the first launch");
        return;
    }
    if (tag & TRACE_HAS_WARP)
        r->warp = (uint32_t)get(r);
    if (r->warp >= r->n_warps) {
        fail(r, where, "a warp that the block does not have");
        return;
    }
    struct warp_state *w = &r->warps[r->warp];
    uint64_t id = w->next_insn;
    if (tag & TRACE_HAS_INSN)
        id += get_signed(r);
    if (id >= (uint64_t)r->insns.n) {
        fail(r, where, "an instruction that has not been described");
        return;
    }
    if (tag & TRACE_HAS_ACTIVE)
        w->active = (uint32_t)get_up_to(r, UINT32_MAX, "a mask");
    e->kind = STREAM_INSTRUCTION;
    e->launch = r->launch;
    e->insn = r->insns.v[id].insn;
    e->cta = r->cta;
    e->warp = r->warp;
    e->active = w->active;
    e->mask = w->active;
    if (tag & TRACE_HAS_MASK)
        e->mask ^= (uint32_t)get_up_to(r, UINT32_MAX, "a mask");
    bool has = tag & (TRACE_STRIDE | TRACE_DELTAS);
    if (has != (e->insn->access && e->mask) ||
        (tag & TRACE_STRIDE && tag & TRACE_DELTAS)) {
        fail(r, where,
             "addresses where there are none, or none where there "
             "must be some");
        return;
    }
    if (tag & TRACE_TEXELS && !(has && e->insn->space == PTX_SPACE_TEX)) {
        fail(r, where, "texels where no texture is fetched from");
        return;
    }
    if (has)
        read_addresses(r, tag, (uint32_t)id, e);
    e->texel = e->n_more = 0;
    if (tag & TRACE_TEXELS)
        read_texels(r, e);
    w->next_insn = (uint32_t)id + 1;
    r->events++;
}

static void read_cta(struct reader *r) {
    uint64_t where = offset(r), cta = get(r);
    if (!r->launch || cta >= r->n_ctas)
        fail(r, where, "a block that the grid does not have");
    r->cta = (uint32_t)cta;
    memset(r->warps, 0, sizeof r->warps);
}

static void read_end(struct reader *r) {
    uint64_t where = offset(r), events = get(r);
    if (r->failed)
        return;
    if (events != r->events)
        fail(r, where, "the count of events does not agree");
    sum_buffer(r, r->at);
    uint64_t sum = r->checksum;
    /* What comes now is not summed up. */
    memmove(r->buffer, r->buffer + r->at, r->have - r->at);
    r->before += r->at;
    r->have -= r->at;
    r->at = 0;
    where = offset(r);
    uint64_t stored = get_fixed(r, 8);
    if (!r->failed && stored != sum)
        fail(r, where, "the checksum does not agree, the file was changed");
    if (!r->failed && get_byte(r) >= 0)
        fail(r, offset(r) - 1, "more bytes after the end");
    r->ended = true;
}

static enum stream_result next(struct stream *s, struct stream_event *e) {
    struct reader *r = (struct reader *)(void *)s;
    while (!r->failed && !r->ended) {
        uint64_t where = offset(r);
        unsigned tag = need_byte(r);
        if (r->failed)
            break;
        if (tag >= TRACE_EVENT) {
            read_event(r, tag, e);
            if (!r->failed)
                return STREAM_EVENT;
        } else if (tag == TRACE_LAUNCH) {
            read_launch(r);
            e->kind = STREAM_LAUNCH;
            e->launch = r->launch;
            if (!r->failed)
                return STREAM_EVENT;
        } else if (tag == TRACE_INSTRUCTION) {
            read_description(r);
        } else if (tag == TRACE_CTA) {
            read_cta(r);
        } else if (tag == TRACE_END) {
            read_end(r);
        } else {
            fail(r, where, "unknown record");
        }
    }
    return r->failed ? STREAM_ERROR : STREAM_END;
}

static void close_reader(struct stream *s) {
    struct reader *r = (struct reader *)(void *)s;
    fclose(r->file);
    array_free(&r->insns);
    arena_free(&r->arena);
    free(r);
}

struct stream *trace_open(const char *path, struct diag *d) {
    static const struct stream_ops ops = {next, close_reader};
    struct reader *r = xcalloc(1, sizeof *r);
    r->stream.ops = &ops;
    r->file = infile_open(path, &r->file_error);
    if (!r->file) {
        diag_error(d, (struct place){0}, "cannot read '%s': %s", path,
                   infile_error(r->file_error));
        free(r);
        return NULL;
    }
    r->d = d;
    r->name = diag_source(d, path, NULL, 0);
    r->checksum = FNV1A_START;
    for (int i = 0; i < 8 && !r->failed; i++)
        if (need_byte(r) != (unsigned char)TRACE_MAGIC[i])
            fail(r, 0, "no trace: it does not begin with '" TRACE_MAGIC "'");
    uint64_t version = r->failed ? 0 : get_fixed(r, 4);
    if (!r->failed && version != TRACE_VERSION)
        fail(r, 8, "a trace of another version, expected version 1");
    r->hash = r->failed ? 0 : get_fixed(r, 8);
    if (!r->failed)
        return &r->stream;
    close_reader(&r->stream);
    return NULL;
}

uint64_t trace_hash(const struct stream *s) {
    return ((const struct reader *)(const void *)s)->hash;
}

/* ------------------------------------------------------------- any trace */

enum trace_kind { NO_TRACE, BINARY, ACCELSIM };

static enum trace_kind kind_of(const char *path) {
    char head[64] = "";
    int error;
    FILE *file = strcmp(path, "-") == 0 ? NULL : infile_open(path, &error);
    size_t n = file ? fread(head, 1, sizeof head - 1, file) : 0;
    infile_close(file);
    head[n] = '\0';
    if (strncmp(head, TRACE_MAGIC, 8) == 0)
        return BINARY;
    return accelsim_is(path, head) ? ACCELSIM : NO_TRACE;
}

bool trace_recognise(const char *path) {
    return kind_of(path) != NO_TRACE;
}

struct stream *trace_open_any(const char *path, struct diag *d) {
    return kind_of(path) == ACCELSIM ? accelsim_open(path, d)
                                     : trace_open(path, d);
}
