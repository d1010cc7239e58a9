/* read.c - a trace from its text, line by line (retire.h). */
#include "retire.h"

#include "base/array.h"

#include <string.h>

struct reader {
    const struct source *s;
    size_t at; /* next byte */
    struct diag *d;
    struct arena *arena;
    bool failed;
    struct retire_trace *t;
    ARRAY(struct retire_kernel *) kernels;
    ARRAY(struct retire_launch) launches;
    ARRAY(struct retire_pass) passes; /* of the launch that is read */
    ARRAY(uint32_t) values;
};

/* --- words and numbers ---------------------------------------------------- */

static void fail(struct reader *r, size_t at, size_t width, const char *what) {
    if (!r->failed)
        diag_error(r->d, place_at(r->s, at, (int)width), "%s", what);
    r->failed = true;
}

static char here(const struct reader *r) {
    return r->at < r->s->len ? r->s->text[r->at] : '\0';
}

static bool is_end(const struct reader *r) {
    return r->at >= r->s->len;
}

static size_t word_length(const struct reader *r) {
    size_t n = 0;
    while (r->at + n < r->s->len && !strchr(" \n", r->s->text[r->at + n]))
        n++;
    return n;
}

/* A line that does not end is the last one of a trace that is cut off. */
static void expected(struct reader *r, const char *what) {
    struct text t = {0};
    size_t n = word_length(r);
    if (is_end(r) || !memchr(r->s->text + r->at, '\n', r->s->len - r->at)) {
        fail(r, r->s->len, 1, "the trace is cut off here");
        return;
    }
    text_printf(&t, "expected %s, found '%.*s'", what, n < 40 ? (int)n : 40,
                r->s->text + r->at);
    fail(r, r->at, n, text_str(&t));
    text_free(&t);
}

/* The very next bytes, if they are that. */
static bool take(struct reader *r, const char *bytes) {
    size_t n = strlen(bytes);
    bool ok = !r->failed && r->s->len - r->at >= n &&
              memcmp(r->s->text + r->at, bytes, n) == 0;
    if (ok)
        r->at += n;
    return ok;
}

static void need(struct reader *r, const char *bytes) {
    if (r->failed || take(r, bytes))
        return;
    struct text t = {0};
    text_printf(&t, "'%s'", bytes);
    expected(r, bytes[0] == '\n'               ? "the end of the line"
                : bytes[0] == ' ' && !bytes[1] ? "a blank"
                                               : text_str(&t));
    text_free(&t);
}

static int digit(char c, int base) {
    int v = c >= '0' && c <= '9'   ? c - '0'
            : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                   : base;
    return v < base ? v : -1;
}

/* Of that base, at most max; 0 after an error. */
static uint64_t number(struct reader *r, int base, uint64_t max,
                       const char *what) {
    size_t from = r->at;
    uint64_t v = 0;
    if (r->failed)
        return 0;
    while (digit(here(r), base) >= 0 && r->at - from < 20) {
        uint64_t next = (uint64_t)digit(here(r), base);
        if (next > max || v > (max - next) / (uint64_t)base)
            break;
        v = v * (uint64_t)base + next;
        r->at++;
    }
    bool ends = !is_end(r) && strchr(" ,\n", here(r));
    if (r->at > from && ends)
        return v;
    r->at = from;
    expected(r, what);
    return 0;
}

static int whole(struct reader *r, int max, const char *what) {
    return (int)number(r, 10, (uint64_t)max, what);
}

/* --- head ----------------------------------------------------------------- */

static void read_head(struct reader *r) {
    if (r->s->len >= 8 && memcmp(r->s->text, "NDPTRACE", 8) == 0) {
        fail(r, 0, 8,
             "this is a stream of ndpsim (ndpsim FILE --dump - prints it), "
             "expected what ndprun --trace writes");
        return;
    }
    if (!take(r, "retired 1\n")) {
        fail(r, 0, word_length(r),
             "this is no trace of a machine, expected what ndprun --trace "
             "writes, which begins with 'retired 1'");
        return;
    }
    need(r, "machine warps ");
    r->t->warps = whole(r, RETIRE_MAX_WARPS, "a number of warps up to 64");
    need(r, " lanes ");
    r->t->lanes = whole(r, RETIRE_MAX_LANES, "a number of lanes up to 32");
    need(r, " alus ");
    size_t at = r->at;
    r->t->alus = whole(r, RETIRE_MAX_LANES, "a number of lanes up to 32");
    need(r, "\n");
    if (!r->failed && (r->t->warps == 0 || r->t->lanes == 0 ||
                       r->t->alus == 0 || r->t->lanes % r->t->alus))
        fail(r, at, 1, "the machine's sizes do not go together");
}

/* --- kernels -------------------------------------------------------------- */

static void read_word(struct reader *r, struct retire_kernel *k, int n) {
    size_t at = r->at;
    int pc = whole(r, 65535, "the number of a word");
    if (!r->failed && pc != k->entry + n) {
        r->at = at;
        expected(r, "the number of the kernel's next word");
    }
    need(r, " ");
    k->words[n] = number(r, 16, UINT64_MAX, "16 hex digits");
    need(r, " ");
    k->lines[n] = whole(r, INT32_MAX, "the number of a line");
    need(r, "\n");
    k->is_legal[n] =
        isa_decode(k->words[n], ISA_REGISTERS, &k->code[n]) == ISA_LEGAL;
}

static void read_kernel(struct reader *r) {
    struct retire_kernel *k = arena_alloc(r->arena, sizeof *k);
    size_t at = r->at;
    if (whole(r, 1000000, "the number of a kernel") != r->kernels.n + 1 &&
        !r->failed) {
        r->at = at;
        expected(r, "the number of the next kernel");
    }
    need(r, " ");
    size_t n = word_length(r);
    k->name = arena_strndup(r->arena, r->s->text + r->at, n);
    r->at += n;
    need(r, " entry ");
    k->entry = whole(r, 65535, "the number of a word");
    need(r, " words ");
    k->n_words = whole(r, 65536, "a number of words up to 65536");
    need(r, "\n");
    n = (size_t)k->n_words + 1;
    k->words = arena_array(r->arena, n, sizeof *k->words);
    k->lines = arena_array(r->arena, n, sizeof *k->lines);
    k->code = arena_array(r->arena, n, sizeof *k->code);
    k->is_legal = arena_array(r->arena, n, sizeof *k->is_legal);
    for (int i = 0; i < k->n_words && !r->failed; i++)
        read_word(r, k, i);
    *array_push(&r->kernels) = k;
}

/* --- passes --------------------------------------------------------------- */

static void read_values(struct reader *r, struct retire_pass *p) {
    int n = __builtin_popcount(p->mask);
    p->value = (uint32_t)r->values.n;
    if (n == 0) {
        need(r, "-");
        return;
    }
    p->same = take(r, "=") || n == 1;
    for (int i = 0; i < (p->same ? 1 : n) && !r->failed; i++) {
        if (i)
            need(r, ",");
        *array_push(&r->values) =
            (uint32_t)number(r, 16, UINT32_MAX, "a value of 32 bits in hex");
    }
}

static void read_result(struct reader *r, struct retire_pass *p) {
    if (take(r, " r")) {
        p->kind = RETIRE_REGISTER;
        p->d = (uint8_t)whole(r, ISA_REGISTERS - 1, "a register up to 63");
        need(r, " ");
        read_values(r, p);
    } else if (take(r, " p")) {
        p->kind = RETIRE_PREDICATE;
        p->d = (uint8_t)whole(r, ISA_TRUE, "a predicate up to 7");
        need(r, " ");
        p->value = (uint32_t)r->values.n;
        size_t at = r->at;
        uint32_t bits =
            (uint32_t)number(r, 16, UINT32_MAX, "a bit for each lane in hex");
        if (!r->failed && bits & ~p->mask) {
            r->at = at;
            expected(r, "bits of active lanes");
        }
        *array_push(&r->values) = bits;
    }
    need(r, "\n");
}

static void read_pass(struct reader *r) {
    struct retire_pass p = {.result = -1, .cta = -1};
    const struct retire_trace *t = r->t;
    size_t at = r->at;
    p.cycle = number(r, 10, UINT64_MAX, "a cycle, or the launch's end");
    if (!r->failed && r->passes.n &&
        p.cycle < r->passes.v[r->passes.n - 1].cycle) {
        r->at = at;
        expected(r, "no earlier cycle than before");
    }
    need(r, " ");
    p.warp = (uint8_t)whole(r, t->warps - 1, "a warp of the machine");
    need(r, " ");
    p.pc = (uint16_t)whole(r, 65535, "the number of a word");
    need(r, " ");
    p.pass = (uint8_t)whole(r, t->lanes / t->alus - 1, "a pass of a warp");
    need(r, " ");
    uint64_t all = ((uint64_t)1 << t->alus) - 1;
    p.mask = (uint32_t)number(r, 16, all, "a mask of lanes in hex");
    read_result(r, &p);
    *array_push(&r->passes) = p;
    r->t->retired++;
}

/* --- launches ------------------------------------------------------------- */

static void read_three(struct reader *r, uint32_t *to) {
    for (int i = 0; i < 3; i++) {
        if (i)
            need(r, ",");
        to[i] = (uint32_t)number(r, 10, UINT32_MAX, "a size");
    }
}

static void read_launch_line(struct reader *r, struct retire_launch *l) {
    size_t at = r->at;
    int n = whole(r, 1000000, "the number of a kernel");
    if (!r->failed && (n == 0 || n > r->kernels.n)) {
        r->at = at;
        expected(r, "the number of a kernel that stands above");
        return;
    }
    l->kernel = n ? r->kernels.v[n - 1] : NULL;
    need(r, " grid ");
    read_three(r, l->grid);
    need(r, " block ");
    read_three(r, l->block);
    need(r, " warps ");
    at = r->at;
    l->warps = whole(r, r->t->warps, "a number of warps that the machine has");
    need(r, " resident ");
    l->resident = whole(r, r->t->warps, "a number of resident CTAs");
    if (!r->failed && (l->warps == 0 || l->resident == 0 ||
                       l->warps * l->resident > r->t->warps)) {
        r->at = at;
        expected(r, "CTAs that the machine has room for");
    }
    if (take(r, " ctas ")) {
        l->first_cta = whole(r, 65535, "the core's first CTA");
        need(r, ",");
        l->cta_step = whole(r, 65535, "a number of cores");
    }
    if (l->cta_step == 0)
        l->cta_step = 1;
    need(r, "\n");
}

/* False: the next line is not the end of a launch. */
static bool read_end(struct reader *r, struct retire_launch *l) {
    if (take(r, "done\n")) {
        l->end = RETIRE_DONE;
    } else if (take(r, "stopped\n")) {
        l->end = RETIRE_STOPPED;
    } else if (take(r, "fault ")) {
        l->end = RETIRE_FAULT;
        l->fault = whole(r, 15, "a cause up to 15");
        need(r, " warp ");
        l->fault_warp = whole(r, r->t->warps - 1, "a warp of the machine");
        need(r, " word ");
        l->fault_pc = whole(r, 65535, "the number of a word");
        need(r, "\n");
    } else {
        return false;
    }
    return true;
}

static void read_launch(struct reader *r) {
    struct retire_launch l = {0};
    read_launch_line(r, &l);
    r->passes.n = 0;
    while (!r->failed && !read_end(r, &l))
        read_pass(r);
    if (r->failed)
        return;
    l.n = r->passes.n;
    l.passes = array_keep(&r->passes, r->arena);
    *array_push(&r->launches) = l;
}

/* --- all of it ------------------------------------------------------------ */

static void read_all(struct reader *r) {
    read_head(r);
    for (bool more = true; more && !r->failed;) {
        if (take(r, "kernel ")) {
            read_kernel(r);
        } else if (take(r, "launch ")) {
            read_launch(r);
        } else if (take(r, "end ")) {
            size_t at = r->at;
            uint64_t n = number(r, 10, UINT64_MAX, "a number of passes");
            need(r, "\n");
            if (!r->failed && (n != r->t->retired || !is_end(r)))
                fail(r, at, 1, "the trace does not end as it says");
            more = false;
        } else {
            expected(r, "'kernel', 'launch' or 'end'");
        }
    }
}

struct retire_trace *retire_read(struct arena *a, const struct source *s,
                                 struct diag *d) {
    struct reader r = {.s = s, .d = d, .arena = a};
    r.t = arena_alloc(a, sizeof *r.t);
    r.t->name = s->name;
    read_all(&r);
    if (!r.failed) {
        r.t->n_launches = r.launches.n;
        r.t->launches = array_keep(&r.launches, a);
        r.t->values = array_keep(&r.values, a);
        for (int i = 0; i < r.t->n_launches; i++)
            retire_follow(r.t, &r.t->launches[i]);
    }
    array_free(&r.kernels);
    array_free(&r.launches);
    array_free(&r.passes);
    array_free(&r.values);
    return r.failed ? NULL : r.t;
}
