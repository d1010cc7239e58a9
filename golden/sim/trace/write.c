/* write.c - a stream into a file. */
#include "trace.h"

#include "base/array.h"
#include "base/bits.h"
#include "base/outfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16, RECORD = 1 << 13 };

/* What the reader will know of an instruction, by stream_insn.id. */
struct known {
    uint32_t file_id; /* plus 1; 0: not written yet */
    uint64_t base;    /* first address of its last access */
};

struct warp_state {
    uint32_t next_insn; /* file id that is expected */
    uint32_t active;
};

struct trace_writer {
    FILE *file;
    char *path;
    unsigned char *buffer;
    size_t used;
    uint64_t flushed, checksum, events;
    ARRAY(struct known) known; /* by id */
    uint32_t n_insns;
    struct warp_state warps[TRACE_MAX_WARPS];
    uint32_t cta, warp;
    bool ended, failed;
    int error;
};

static void flush_buffer(struct trace_writer *t) {
    t->checksum = fnv1a(t->checksum, t->buffer, t->used);
    if (!t->failed && fwrite(t->buffer, 1, t->used, t->file) != t->used) {
        t->failed = true;
        t->error = errno;
    }
    t->flushed += t->used;
    t->used = 0;
}

static void put_byte(struct trace_writer *t, unsigned byte) {
    t->buffer[t->used++] = (unsigned char)byte;
}

static void put(struct trace_writer *t, uint64_t v) {
    for (; v > 127; v >>= 7)
        put_byte(t, (unsigned)(v & 127) | 128);
    put_byte(t, (unsigned)v);
}

static void put_signed(struct trace_writer *t, uint64_t v) {
    put(t, v << 1 ^ (v >> 63 ? UINT64_MAX : 0));
}

static void put_fixed(struct trace_writer *t, uint64_t v, int bytes) {
    for (int i = 0; i < bytes; i++)
        put_byte(t, (unsigned)(v >> 8 * i & 255));
}

static void put_string(struct trace_writer *t, const char *s) {
    size_t n = strlen(s);
    if (n > TRACE_MAX_STRING)
        n = TRACE_MAX_STRING;
    put(t, n);
    memcpy(t->buffer + t->used, s, n);
    t->used += n;
}

struct trace_writer *trace_create(const char *path, uint64_t hash,
                                  struct diag *d) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        diag_error(d, (struct place){0}, "cannot write '%s': %s", path,
                   strerror(errno));
        return NULL;
    }
    struct trace_writer *t = xcalloc(1, sizeof *t);
    t->file = file;
    t->path = xmalloc(strlen(path) + 1);
    memcpy(t->path, path, strlen(path) + 1);
    t->buffer = xmalloc(BUFFER);
    t->checksum = FNV1A_START;
    memcpy(t->buffer, TRACE_MAGIC, 8);
    t->used = 8;
    put_fixed(t, TRACE_VERSION, 4);
    put_fixed(t, hash, 8);
    return t;
}

static void write_launch(struct trace_writer *t,
                         const struct stream_launch *l) {
    put_byte(t, TRACE_LAUNCH);
    put_string(t, l->kernel);
    for (int i = 0; i < 3; i++)
        put(t, l->grid[i]);
    for (int i = 0; i < 3; i++)
        put(t, l->block[i]);
    put(t, l->shared);
    put(t, l->registers);
    memset(t->warps, 0, sizeof t->warps);
    t->cta = t->warp = 0;
}

static struct known *describe(struct trace_writer *t,
                              const struct stream_insn *insn) {
    while ((uint32_t)t->known.n <= insn->id)
        *array_push(&t->known) = (struct known){0};
    struct known *k = &t->known.v[insn->id];
    if (k->file_id)
        return k;
    k->file_id = ++t->n_insns;
    put_byte(t, TRACE_INSTRUCTION);
    put(t, insn->function);
    put(t, insn->pc);
    put(t, insn->line);
    put_string(t, insn->opcode);
    put(t, insn->opc);
    put(t, insn->space);
    put(t, insn->access);
    put(t, insn->width);
    put(t, insn->n_dst);
    put(t, insn->n_src);
    for (int i = 0; i < insn->n_dst + insn->n_src; i++)
        put(t, insn->regs[i]);
    return k;
}

/* base relative to the last one, then a stride if one will do. */
static unsigned write_addresses(struct trace_writer *t, struct known *k,
                                const struct stream_event *e, bool dry) {
    uint32_t rest = e->mask & (e->mask - 1);
    uint64_t first = e->address[__builtin_ctz(e->mask)], at = first;
    uint64_t stride = rest ? e->address[__builtin_ctz(rest)] - first : 0;
    bool regular = true;
    for (uint32_t left = rest; left && regular; left &= left - 1) {
        uint64_t now = e->address[__builtin_ctz(left)];
        regular = now - at == stride;
        at = now;
    }
    if (dry)
        return regular ? TRACE_STRIDE : TRACE_DELTAS;
    put_signed(t, first - k->base);
    k->base = first;
    if (regular) {
        put_signed(t, stride);
        return 0;
    }
    at = first;
    for (uint32_t left = rest; left; left &= left - 1) {
        uint64_t now = e->address[__builtin_ctz(left)];
        put_signed(t, now - at);
        at = now;
    }
    return 0;
}

static bool has_texels(const struct stream_event *e) {
    return e->insn->space == PTX_SPACE_TEX && e->texel;
}

/* Each further texel by its distance from the lane's first, less that of the
 * lane before. */
static void write_texels(struct trace_writer *t, const struct stream_event *e) {
    put(t, e->texel);
    put(t, e->n_more);
    for (uint32_t k = 1; k <= e->n_more; k++) {
        uint64_t before = 0;
        for (uint32_t left = e->mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t now = stream_row(e, k)[lane] - e->address[lane];
            put_signed(t, now - before);
            before = now;
        }
    }
}

static void write_instruction(struct trace_writer *t,
                              const struct stream_event *e) {
    struct known *k = describe(t, e->insn);
    if (e->cta != t->cta) {
        put_byte(t, TRACE_CTA);
        put(t, e->cta);
        t->cta = e->cta;
        memset(t->warps, 0, sizeof t->warps);
    }
    if (e->warp >= TRACE_MAX_WARPS)
        BUG("warp %u of a CTA", e->warp);
    struct warp_state *w = &t->warps[e->warp];
    uint32_t id = k->file_id - 1;
    bool access = e->insn->access && e->mask;
    unsigned tag = TRACE_EVENT | (e->warp != t->warp ? TRACE_HAS_WARP : 0) |
                   (id != w->next_insn ? TRACE_HAS_INSN : 0) |
                   (e->active != w->active ? TRACE_HAS_ACTIVE : 0) |
                   (e->mask != e->active ? TRACE_HAS_MASK : 0) |
                   (access ? write_addresses(t, k, e, true) : 0) |
                   (access && has_texels(e) ? TRACE_TEXELS : 0);
    put_byte(t, tag);
    if (tag & TRACE_HAS_WARP)
        put(t, e->warp);
    if (tag & TRACE_HAS_INSN)
        put_signed(t, (uint64_t)id - w->next_insn);
    if (tag & TRACE_HAS_ACTIVE)
        put(t, e->active);
    if (tag & TRACE_HAS_MASK)
        put(t, e->mask ^ e->active);
    if (access)
        write_addresses(t, k, e, false);
    if (tag & TRACE_TEXELS)
        write_texels(t, e);
    t->warp = e->warp;
    w->next_insn = id + 1;
    w->active = e->active;
    t->events++;
}

void trace_write(struct trace_writer *t, const struct stream_event *e) {
    if (t->used > BUFFER - RECORD)
        flush_buffer(t);
    if (e->kind == STREAM_LAUNCH)
        write_launch(t, e->launch);
    else
        write_instruction(t, e);
}

void trace_end(struct trace_writer *t) {
    put_byte(t, TRACE_END);
    put(t, t->events);
    flush_buffer(t);
    put_fixed(t, t->checksum, 8);
    t->ended = true;
}

bool trace_finish(struct trace_writer *t, bool complete, struct diag *d) {
    if (complete && !t->ended)
        trace_end(t);
    flush_buffer(t);
    if (fclose(t->file) != 0 && !t->failed) {
        t->failed = true;
        t->error = errno;
    }
    bool ok = !t->failed;
    if (!ok) {
        diag_error(d, (struct place){0}, "cannot write '%s': %s", t->path,
                   strerror(t->error));
        outfile_remove(t->path);
    }
    array_free(&t->known);
    free(t->buffer);
    free(t->path);
    free(t);
    return ok;
}

uint64_t trace_bytes(const struct trace_writer *t) {
    return t->flushed + t->used;
}
