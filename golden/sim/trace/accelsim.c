/* accelsim.c - reading Accel-Sim's text traces, line by line.
 *
 * A line of a trace is
 *
 *     [x y z warp] [line] PC mask n [R..] OPCODE n [R..] width
 *         [mode addresses] [immediate]
 *
 * x y z warp stand in traces that are not grouped by blocks, and in grouped
 * ones of tracer versions before 3.  mode 0 lists an address for each lane of
 * the mask, 1 gives base and stride, 2 base and the difference from lane to
 * lane: one less than there are lanes, so none for a single lane.
 */
#include "accelsim.h"
#include "sass.h"

#include "base/bits.h"
#include "base/infile.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 1 << 14, MAX_WARPS = 2048 };

struct insn_slot {
    struct stream_insn *insn; /* NULL: empty */
};

struct reader {
    struct stream stream; /* first */
    struct diag *d;
    struct arena arena;
    const char *folder; /* of the list, with its slash */
    FILE *list;         /* NULL: a single trace, which is 'next_path' */
    int list_error;     /* of infile_open */
    const char *next_path;

    /* the trace being read */
    FILE *file;
    int file_error; /* of infile_open */
    const struct source *source;
    char line[MAX_LINE];
    uint64_t line_at, next_at; /* offsets of this line and the next */
    int line_number;
    struct stream_launch *launch;
    uint32_t n_launches, n_warps;
    uint64_t n_ctas;
    int version, lineinfo;
    bool grouped, in_block;
    bool told;    /* the launch has been passed on */
    bool pending; /* the line has not been looked at yet */
    uint32_t cta, warp;
    int64_t left; /* instructions of the warp that are still to come */

    struct insn_slot *slots;
    uint32_t n_insns, n_slots;
    bool failed;
};

static void fail(struct reader *r, const char *what) {
    if (!r->failed)
        diag_error(r->d, (struct place){r->source, r->line_number, 0, 0},
                   "byte %" PRIu64 ": %s", r->line_at, what);
    r->failed = true;
}

/* ---------------------------------------------------------------- lines */

/* The next line without its end; false at the end of the file. */
static bool read_line(struct reader *r) {
    r->line_at = r->next_at;
    if (!fgets(r->line, MAX_LINE, r->file) || ferror(r->file))
        return false;
    size_t n = strlen(r->line);
    r->next_at += n;
    r->line_number++;
    if (n == MAX_LINE - 1 && r->line[n - 1] != '\n')
        fail(r, "the line is too long for a trace");
    while (n > 0 && isspace((unsigned char)r->line[n - 1]))
        r->line[--n] = '\0';
    return !r->failed;
}

/* Numbers of a line, read from left to right. */
struct cursor {
    const char *p;
    struct reader *r;
};

static void skip_space(struct cursor *c) {
    while (isspace((unsigned char)*c->p))
        c->p++;
}

static bool at_end(struct cursor *c) {
    skip_space(c);
    return *c->p == '\0';
}

static uint64_t number(struct cursor *c, int base, const char *what) {
    char *end, text[80];
    skip_space(c);
    errno = 0;
    uint64_t v = strtoull(c->p, &end, base);
    if (end == c->p || errno == ERANGE ||
        (*end && !isspace((unsigned char)*end))) {
        snprintf(text, sizeof text, "expected %s, found '%.20s'", what,
                 *c->p ? c->p : "the end of the line");
        fail(c->r, text);
        return 0;
    }
    c->p = end;
    return v;
}

static int64_t difference(struct cursor *c, const char *what) {
    char *end, text[80];
    skip_space(c);
    errno = 0;
    int64_t v = strtoll(c->p, &end, 10);
    if (end == c->p || errno == ERANGE ||
        (*end && !isspace((unsigned char)*end))) {
        snprintf(text, sizeof text, "expected %s, found '%.20s'", what,
                 *c->p ? c->p : "the end of the line");
        fail(c->r, text);
        return 0;
    }
    c->p = end;
    return v;
}

/* --------------------------------------------------------------- headers */

static uint32_t product(struct reader *r, const uint32_t dims[3], uint64_t max,
                        const char *what) {
    uint64_t n = 1;
    for (int i = 0; i < 3 && n; i++)
        n = dims[i] > max / n ? 0 : n * dims[i];
    if (n == 0)
        fail(r, what);
    return (uint32_t)n;
}

/* -key = value */
static void read_header(struct reader *r) {
    struct stream_launch *l = r->launch;
    const char *value = strchr(r->line, '=');
    uint32_t d[3];
    if (!value) {
        fail(r, "expected '-key = value'");
        return;
    }
    value += 1 + strspn(value + 1, " ");
    bool grid = strncmp(r->line, "-grid dim", 9) == 0;
    if (strncmp(r->line, "-kernel name", 12) == 0)
        l->kernel = arena_strdup(&r->arena, value);
    else if (grid || strncmp(r->line, "-block dim", 10) == 0) {
        if (sscanf(value, "(%" SCNu32 ",%" SCNu32 ",%" SCNu32 ")", &d[0], &d[1],
                   &d[2]) != 3)
            fail(r, "expected three sizes '(x,y,z)'");
        else
            memcpy(grid ? l->grid : l->block, d, sizeof d);
    } else if (strncmp(r->line, "-shmem =", 8) == 0)
        l->shared = (uint32_t)strtoul(value, NULL, 10);
    else if (strncmp(r->line, "-nregs", 6) == 0)
        l->registers = (uint32_t)strtoul(value, NULL, 10);
    else if (strncmp(r->line, "-accelsim tracer version", 24) == 0)
        r->version = (int)strtol(value, NULL, 10);
    else if (strncmp(r->line, "-enable lineinfo", 16) == 0)
        r->lineinfo = (int)strtol(value, NULL, 10);
}

/* The header is complete: what follows is instructions. */
static void finish_header(struct reader *r) {
    struct stream_launch *l = r->launch;
    if (!l->grid[0] || !l->block[0]) {
        fail(r, "an instruction before '-grid dim' and '-block dim'");
        return;
    }
    r->n_ctas = product(r, l->grid, UINT32_MAX,
                        "the grid has no or more "
                        "than 2^32 blocks");
    uint32_t threads = product(r, l->block, (uint64_t)32 * MAX_WARPS,
                               "a block has no or too many threads");
    r->n_warps = (threads + 31) / 32;
}

/* ---------------------------------------------------------- instructions */

static uint64_t hash_insn(const struct stream_insn *s) {
    uint64_t h = FNV1A_START ^ s->pc ^ (uint64_t)s->function << 48;
    size_t n = (size_t)s->n_dst + s->n_src;
    h = fnv1a(h, s->opcode, strlen(s->opcode));
    h = fnv1a(h, s->regs, n * sizeof *s->regs);
    return h ^ h >> 32;
}

static bool same_insn(const struct stream_insn *a,
                      const struct stream_insn *b) {
    return a->pc == b->pc && a->function == b->function &&
           a->width == b->width && a->n_dst == b->n_dst &&
           a->n_src == b->n_src && strcmp(a->opcode, b->opcode) == 0 &&
           memcmp(a->regs, b->regs, sizeof a->regs) == 0;
}

static struct insn_slot *find_slot(const struct reader *r,
                                   const struct stream_insn *s) {
    uint64_t i = hash_insn(s) & (r->n_slots - 1);
    while (r->slots[i].insn && !same_insn(r->slots[i].insn, s))
        i = (i + 1) & (r->n_slots - 1);
    return &r->slots[i];
}

/* The one object for all that look like s. */
static const struct stream_insn *intern(struct reader *r,
                                        const struct stream_insn *s) {
    if (2 * (r->n_insns + 1) > r->n_slots) {
        struct insn_slot *old = r->slots;
        uint32_t n = r->n_slots;
        r->n_slots = n ? 2 * n : 1024;
        r->slots = xcalloc(r->n_slots, sizeof *r->slots);
        for (uint32_t i = 0; i < n; i++)
            if (old[i].insn)
                *find_slot(r, old[i].insn) = old[i];
        free(old);
    }
    struct insn_slot *slot = find_slot(r, s);
    if (!slot->insn) {
        slot->insn = arena_alloc(&r->arena, sizeof *s);
        *slot->insn = *s;
        slot->insn->id = r->n_insns++;
        slot->insn->opcode = arena_strdup(&r->arena, s->opcode);
    }
    return slot->insn;
}

static int read_regs(struct cursor *c, uint32_t *regs, int room) {
    uint64_t n = number(c, 10, "a number of registers");
    if (n > (uint64_t)room)
        fail(c->r, "too many registers");
    for (uint64_t i = 0; i < n && !c->r->failed; i++) {
        skip_space(c);
        if (*c->p == 'R')
            c->p++;
        else
            fail(c->r, "expected a register such as R4");
        regs[i] = (uint32_t)number(c, 10, "a register");
    }
    return c->r->failed ? 0 : (int)n;
}

static void read_addresses(struct cursor *c, struct stream_event *e) {
    uint64_t mode = number(c, 10, "an address mode");
    if (mode > 2) {
        fail(c->r, "expected address mode 0, 1 or 2");
        return;
    }
    uint64_t at = 0;
    int64_t stride = 0;
    if (mode != 0)
        at = number(c, 16, "a base address");
    if (mode == 1)
        stride = difference(c, "a stride");
    bool first = true;
    for (uint32_t left = e->mask; left && !c->r->failed; left &= left - 1) {
        if (mode == 0)
            at = number(c, 16, "an address");
        else if (!first)
            at += (uint64_t)(mode == 1 ? stride : difference(c, "a delta"));
        first = false;
        if (!stream_is_address(at) && !c->r->failed)
            fail(c->r, "an address of more than 53 bits");
        e->address[__builtin_ctz(left)] = at;
    }
}

static void read_place(struct cursor *c) {
    struct reader *r = c->r;
    uint64_t at[3], warp;
    for (int i = 0; i < 3; i++)
        at[i] = number(c, 10, "a block");
    warp = number(c, 10, "a warp");
    if (r->failed)
        return;
    const uint32_t *g = r->launch->grid;
    if (at[0] >= g[0] || at[1] >= g[1] || at[2] >= g[2] || warp >= r->n_warps)
        fail(r, "a block or warp that the launch does not have");
    r->cta = (uint32_t)((at[2] * g[1] + at[1]) * g[0] + at[0]);
    r->warp = (uint32_t)warp;
}

static void read_instruction(struct reader *r, struct stream_event *e) {
    struct cursor c = {r->line, r};
    struct stream_insn s = {.function = 0};
    char opcode[64];
    if (!r->grouped || r->version < 3)
        read_place(&c);
    if (r->lineinfo)
        s.line = (uint32_t)number(&c, 10, "a source line");
    s.pc = number(&c, 16, "a PC");
    uint64_t mask = number(&c, 16, "a mask");
    if (mask > UINT32_MAX)
        fail(r, "a mask of more than 32 lanes");
    s.n_dst = (uint8_t)read_regs(&c, s.regs, STREAM_MAX_REGS);
    skip_space(&c);
    size_t n = strcspn(c.p, " \t");
    if (r->failed)
        return;
    if (n == 0 || n >= sizeof opcode || !isalpha((unsigned char)*c.p)) {
        fail(r, "expected an opcode");
        return;
    }
    memcpy(opcode, c.p, n);
    opcode[n] = '\0';
    c.p += n;
    s.n_src =
        (uint8_t)read_regs(&c, s.regs + s.n_dst, STREAM_MAX_REGS - s.n_dst);
    uint64_t width = number(&c, 10, "a width");
    if (width > 128)
        fail(r, "a width of more than 128 bytes");
    struct sass_kind kind = sass_kind_of(opcode);
    s.opcode = opcode;
    s.opc = kind.opc;
    s.space = kind.space;
    s.width = (uint8_t)width;
    s.access = width == 0                        ? STREAM_NO_ACCESS
               : kind.access != STREAM_NO_ACCESS ? kind.access
                                                 : STREAM_LOAD;
    e->mask = e->active = (uint32_t)mask;
    e->texel = e->n_more = 0; /* a TEX has an address a lane */
    if (!r->failed && width)
        read_addresses(&c, e);
    if (!r->failed && !at_end(&c))
        difference(&c, "an immediate");
    if (!r->failed && !at_end(&c))
        fail(r, "more on the line than an instruction has");
    if (r->failed)
        return;
    s.function = r->launch->id;
    e->kind = STREAM_INSTRUCTION;
    e->launch = r->launch;
    e->insn = intern(r, &s);
    e->cta = r->cta;
    e->warp = r->warp;
}

/* ---------------------------------------------------------------- blocks */

static void begin_block(struct reader *r) {
    if (r->in_block)
        fail(r, "'#BEGIN_TB' before the '#END_TB' of the block before");
    r->in_block = r->grouped = true;
    r->left = 0;
}

static void end_block(struct reader *r) {
    if (!r->in_block)
        fail(r, "'#END_TB' without '#BEGIN_TB'");
    if (r->left > 0)
        fail(r, "a warp has fewer instructions than it says");
    r->in_block = false;
}

/* Lines of a block that are no instructions; false: it is one. */
static bool read_block_line(struct reader *r) {
    uint32_t at[3], warp;
    int64_t count;
    const uint32_t *g = r->launch->grid;
    if (strncmp(r->line, "cluster", 7) == 0)
        return true;
    if (sscanf(r->line, "thread block = %" SCNu32 ",%" SCNu32 ",%" SCNu32,
               &at[0], &at[1], &at[2]) == 3) {
        if (at[0] >= g[0] || at[1] >= g[1] || at[2] >= g[2])
            fail(r, "a block that the grid does not have");
        r->cta = (at[2] * g[1] + at[1]) * g[0] + at[0];
        return true;
    }
    if (sscanf(r->line, "warp = %" SCNu32, &warp) == 1) {
        if (r->left > 0)
            fail(r, "a warp has fewer instructions than it says");
        if (warp >= r->n_warps)
            fail(r, "a warp that the block does not have");
        r->warp = warp;
        return true;
    }
    if (sscanf(r->line, "insts = %" SCNd64, &count) == 1) {
        if (count < 0)
            fail(r, "a negative count of instructions");
        r->left = count;
        return true;
    }
    if (r->left-- <= 0)
        fail(r, "more instructions than the warp says");
    return false;
}

/* ----------------------------------------------------------------- files */

/* Of the name without what a compressor has added. */
static bool has_suffix(const char *s, const char *suffix) {
    size_t n = strlen(s), k = strlen(suffix);
    if (n > 3 && (strcmp(s + n - 3, ".xz") == 0 || !strcmp(s + n - 3, ".gz")))
        n -= 3;
    return n >= k && strncmp(s + n - k, suffix, k) == 0;
}

/* Lists begin with a copy to the device or with a trace, traces with their
 * header. */
static bool is_list(const char *path, const char *head) {
    return has_suffix(path, ".g") || has_suffix(path, "kernelslist") ||
           strncmp(head, "Memcpy", 6) == 0 || strncmp(head, "kernel-", 7) == 0;
}

bool accelsim_is(const char *path, const char *head) {
    return is_list(path, head) || has_suffix(path, ".trace") ||
           has_suffix(path, ".traceg") ||
           strncmp(head, "-kernel name", 12) == 0;
}

/* The file itself, or what a compressor has left in its place. */
static FILE *open_any(struct reader *r, const char **path) {
    static const char *const added[] = {"", ".xz", ".gz"};
    FILE *f = NULL;
    for (int i = 0; i < 3 && !f; i++) {
        struct text t = {0};
        text_printf(&t, "%s%s", *path, added[i]);
        f = infile_open(text_str(&t), &r->file_error);
        if (f)
            *path = arena_strdup(&r->arena, text_str(&t));
        text_free(&t);
        if (!f && r->file_error != ENOENT)
            break;
    }
    return f;
}

static bool open_trace(struct reader *r, const char *path) {
    r->file = open_any(r, &path);
    r->source = diag_source(r->d, path, NULL, 0);
    if (!r->file) {
        diag_error(r->d, (struct place){.source = r->source},
                   "cannot read the trace: %s", infile_error(r->file_error));
        r->failed = true;
        return false;
    }
    r->next_at = 0;
    r->line_number = 0;
    r->launch = arena_alloc(&r->arena, sizeof *r->launch);
    r->launch->id = r->n_launches++;
    r->launch->kernel = "?";
    r->version = 3;
    r->lineinfo = 0;
    r->grouped = r->in_block = r->told = r->pending = false;
    return true;
}

/* The next trace of the list: false at its end, or after an error. */
static bool next_trace(struct reader *r) {
    char entry[MAX_LINE];
    if (!r->list) {
        const char *path = r->next_path;
        r->next_path = NULL;
        return path && open_trace(r, path);
    }
    while (fgets(entry, sizeof entry, r->list)) {
        size_t n = strcspn(entry, "\r\n");
        entry[n] = '\0';
        if (n == 0 || strncmp(entry, "Memcpy", 6) == 0)
            continue;
        if (strncmp(entry, "kernel", 6) != 0) {
            diag_error(r->d, (struct place){.source = r->source},
                       "expected 'Memcpy...' or a trace such as "
                       "'kernel-1.traceg', found '%.40s'",
                       entry);
            r->failed = true;
            return false;
        }
        size_t folder = strlen(r->folder);
        char *path = arena_alloc(&r->arena, folder + n + 1);
        memcpy(path, r->folder, folder);
        memcpy(path + folder, entry, n + 1);
        return open_trace(r, path);
    }
    if (ferror(r->list))
        fail(r, infile_error(r->list_error));
    return false;
}

/* At the end of a trace. */
static void end_trace(struct reader *r) {
    if (!r->failed && ferror(r->file))
        fail(r, infile_error(r->file_error));
    else if (!r->failed && r->in_block)
        fail(r, "the trace is cut off: '#END_TB' is missing");
    else if (!r->failed && !r->told)
        fail(r, "the trace is cut off: it has no instruction");
    fclose(r->file);
    r->file = NULL;
}

/* One line: whether it made an event. */
static bool read_event(struct reader *r, struct stream_event *e) {
    if (r->line[0] == '\0')
        return false;
    if (r->line[0] == '#') {
        if (strncmp(r->line, "#BEGIN_TB", 9) == 0)
            begin_block(r);
        else if (strncmp(r->line, "#END_TB", 7) == 0)
            end_block(r);
        return false;
    }
    if (r->grouped && !r->in_block) {
        fail(r, "an instruction outside a block");
        return false;
    }
    if (r->grouped && read_block_line(r))
        return false;
    if (!r->failed)
        read_instruction(r, e);
    return !r->failed;
}

static bool in_header(const char *line) {
    return line[0] == '\0' || line[0] == '-' ||
           (line[0] == '#' && strncmp(line, "#BEGIN_TB", 9) != 0);
}

static enum stream_result next(struct stream *s, struct stream_event *e) {
    struct reader *r = (struct reader *)(void *)s;
    while (!r->failed) {
        if (!r->file && !next_trace(r))
            break;
        if (!r->pending && !read_line(r)) {
            end_trace(r);
            continue;
        }
        r->pending = false;
        if (r->told) {
            if (read_event(r, e))
                return STREAM_EVENT;
        } else if (in_header(r->line)) {
            if (r->line[0] == '-')
                read_header(r);
        } else {
            finish_header(r);
            r->told = r->pending = true;
            e->kind = STREAM_LAUNCH;
            e->launch = r->launch;
            if (!r->failed)
                return STREAM_EVENT;
        }
    }
    return r->failed ? STREAM_ERROR : STREAM_END;
}

static void close_reader(struct stream *s) {
    struct reader *r = (struct reader *)(void *)s;
    if (r->file)
        fclose(r->file);
    if (r->list)
        fclose(r->list);
    free(r->slots);
    arena_free(&r->arena);
    free(r);
}

struct stream *accelsim_open(const char *path, struct diag *d) {
    static const struct stream_ops ops = {next, close_reader};
    struct reader *r = xcalloc(1, sizeof *r);
    const char *slash = strrchr(path, '/');
    r->stream.ops = &ops;
    r->d = d;
    r->source = diag_source(d, path, NULL, 0);
    r->folder =
        arena_strndup(&r->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
    char head[16] = "";
    FILE *file = infile_open(path, &r->list_error);
    size_t n = file ? fread(head, 1, sizeof head - 1, file) : 0;
    infile_close(file);
    head[n] = '\0';
    if (!is_list(path, head)) {
        r->next_path = arena_strdup(&r->arena, path);
        return &r->stream;
    }
    r->list = infile_open(path, &r->list_error);
    if (r->list)
        return &r->stream;
    diag_error(d, (struct place){0}, "cannot read '%s': %s", path,
               infile_error(r->list_error));
    close_reader(&r->stream);
    return NULL;
}
