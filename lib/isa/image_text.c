/* image_text.c - images as text, both ways.
 *
 *     .kernel axpy entry 0 words 98 registers 13 shared 0 local 0 spilled 0
 *     .param axpy_param_0 word 4 bytes 4
 *     .block begin 13 end 40 ask 12 saves rx in r1,r5,p0 out - if r5 >= 4 signed
 *     .line 28
 *         ldp r13, 4
 *     L57:
 *         exit
 *     .symbol table const at 0 bytes 8
 *     .bytes 0001020304050607
 *     .fixup 4
 *
 * A comment runs from // to the end of its line.  The code address of a label
 * is the number of words before it; what is printed names the labels after it.
 */
#include "directives.h"

#include "base/array.h"
#include "isa.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- out ------------------------------------------------------------------ */

static void mark_targets(const struct isa_image *m, bool *is_target) {
    for (int i = 0; i < m->n_words; i++) {
        struct isa_word w;
        if (isa_decode(m->words[i], ISA_REGISTERS, &w) || w.op != ISA_bra)
            continue;
        is_target[w.target] = true;
        if (w.join != ISA_NO_JOIN)
            is_target[w.join] = true;
    }
}

static void print_code(const struct isa_image *m, struct text *out) {
    bool *is_target = xcalloc(0x10000, sizeof *is_target);
    int line = 0;
    mark_targets(m, is_target);
    for (int i = 0; i <= m->n_words; i++) {
        for (int k = 0; k < m->n_kernels; k++)
            if (m->kernels[k].entry == i) {
                text_add(out, i ? "\n" : "");
                isa_directives_print(&m->kernels[k], '\n', out);
                int n;
                const struct isa_block *b =
                    isa_image_blocks(m, &m->kernels[k], &n);
                for (int j = 0; j < n; j++)
                    isa_block_print(&b[j], '\n', out);
            }
        if (is_target[i])
            text_printf(out, "L%d:\n", i);
        if (i == m->n_words)
            break;
        if (m->lines[i] != line)
            text_printf(out, ".line %d\n", line = m->lines[i]);
        struct isa_word w;
        text_add(out, "    ");
        if (isa_decode(m->words[i], ISA_REGISTERS, &w))
            text_printf(out, ".word 0x%016" PRIx64, m->words[i]);
        else
            isa_print_labels(&w, "L", out);
        text_addc(out, '\n');
    }
    free(is_target);
}

void isa_image_print(const struct isa_image *m, struct text *out) {
    print_code(m, out);
    text_add(out, m->n_data ? "\n" : "");
    for (int i = 0; i < m->n_symbols; i++)
        text_printf(out, ".symbol %s %s at %" PRIu32 " bytes %" PRIu32 "\n",
                    m->symbols[i].name,
                    m->symbols[i].is_const ? "const" : "global",
                    m->symbols[i].at, m->symbols[i].bytes);
    for (uint32_t i = 0; i < m->n_data; i++) {
        text_add(out, i % 32 ? "" : ".bytes ");
        text_printf(out, "%02x", m->data[i]);
        text_add(out, i % 32 == 31 || i + 1 == m->n_data ? "\n" : "");
    }
    for (int i = 0; i < m->n_fixups; i++)
        text_printf(out, ".fixup %" PRIu32 "\n", m->fixups[i]);
}

/* --- in ------------------------------------------------------------------- */

struct label {
    const char *name;
    size_t len;
    uint32_t pc;
};

struct parser {
    struct arena *arena;
    const struct source *source;
    struct diag *d;
    struct isa_image *m;
    struct isa_reader kernels;
    ARRAY(struct label) labels;
    ARRAY(uint64_t) words;
    ARRAY(int) lines;
    ARRAY(uint8_t) data;
    ARRAY(struct isa_symbol) symbols;
    ARRAY(uint32_t) fixups;
    int line;      /* of the PTX */
    int at_line;   /* of the text */
    uint32_t pc;   /* in the first pass */
    bool is_first; /* only labels are taken */
};

static void wrong(struct parser *p, int column, int width, const char *what) {
    diag_error(p->d, (struct place){p->source, p->at_line, column, width}, "%s",
               what);
}

static bool find_label(void *ctx, const char *name, size_t len,
                       uint32_t *value) {
    const struct parser *p = ctx;
    for (int i = 0; i < p->labels.n; i++)
        if (p->labels.v[i].len == len &&
            memcmp(p->labels.v[i].name, name, len) == 0) {
            *value = p->labels.v[i].pc;
            return true;
        }
    return false;
}

static int nibble(char c) {
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool read_bytes(struct parser *p, const char *s) {
    for (; *s; s += 2) {
        int high = nibble(s[0]), low = high < 0 ? -1 : nibble(s[1]);
        if (low < 0)
            return false;
        *array_push(&p->data) = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* All of s as a number. */
static bool read_number(const char *s, uint64_t limit, uint64_t *v) {
    char *end;
    bool hex = strncmp(s, "0x", 2) == 0;
    if (s[0] < '0' || s[0] > '9')
        return false;
    *v = strtoull(s, &end, hex ? 16 : 10);
    return *end == '\0' && *v <= limit;
}

static bool read_symbol(struct parser *p, const char *s) {
    size_t n = strcspn(s, " ");
    const char *name = arena_strndup(p->arena, s, n);
    unsigned long at, bytes;
    char kind[8], end;
    if (n == 0 ||
        sscanf(s + n, " %7s at %lu bytes %lu%c", kind, &at, &bytes, &end) != 3)
        return false;
    *array_push(&p->symbols) = (struct isa_symbol){
        name, (uint32_t)at, (uint32_t)bytes, strcmp(kind, "const") == 0};
    return strcmp(kind, "const") == 0 || strcmp(kind, "global") == 0;
}

static void add_word(struct parser *p, uint64_t word) {
    *array_push(&p->words) = word;
    *array_push(&p->lines) = p->line;
}

static const char *read_directive(struct parser *p, const char *s) {
    uint64_t v;
    if (strncmp(s, ".line ", 6) == 0) {
        if (!read_number(s + 6, INT32_MAX, &v))
            return "expected a line's number";
        p->line = (int)v;
    } else if (strncmp(s, ".word ", 6) == 0) {
        if (!read_number(s + 6, UINT64_MAX, &v))
            return "expected a word's bits";
        add_word(p, v);
    } else if (strncmp(s, ".fixup ", 7) == 0) {
        if (!read_number(s + 7, UINT32_MAX, &v))
            return "expected a place in the data";
        *array_push(&p->fixups) = (uint32_t)v;
    } else if (strncmp(s, ".bytes ", 7) == 0) {
        if (!read_bytes(p, s + 7))
            return "expected pairs of hexadecimal digits";
    } else if (strncmp(s, ".symbol ", 8) == 0) {
        if (!read_symbol(p, s + 8))
            return "expected: NAME const|global at N bytes N";
    } else {
        return isa_directive_read(&p->kernels, s, strlen(s));
    }
    return NULL;
}

/* One line without blanks around and without comment. */
static void read_line(struct parser *p, const char *s, size_t n, int column) {
    if (n > 1 && s[n - 1] == ':') {
        uint32_t pc;
        if (p->is_first && find_label(p, s, n - 1, &pc))
            wrong(p, column, (int)n - 1, "a label that there is already");
        if (p->is_first)
            *array_push(&p->labels) = (struct label){s, n - 1, p->pc};
        return;
    }
    bool is_word = s[0] != '.' || strncmp(s, ".word ", 6) == 0;
    p->pc += is_word;
    if (p->is_first)
        return;
    if (s[0] == '.') {
        char *text = arena_strndup(p->arena, s, n);
        const char *what = read_directive(p, text);
        if (what)
            wrong(p, column, (int)n, what);
        return;
    }
    struct isa_word w;
    struct isa_error e;
    uint64_t word = 0;
    if (!isa_parse(s, n, find_label, p, &w, &e))
        wrong(p, column + e.column - 1, e.width, e.what);
    else
        isa_encode(&w, &word);
    add_word(p, word);
}

static void pass(struct parser *p, bool is_first) {
    const char *text = p->source->text, *end = text + p->source->len;
    p->is_first = is_first;
    p->pc = 0;
    p->at_line = 1;
    for (const char *s = text; s < end && !diag_full(p->d); p->at_line++) {
        const char *next = memchr(s, '\n', (size_t)(end - s));
        const char *stop = next ? next : end, *from = s;
        for (const char *c = s; c + 1 < stop; c++)
            if (c[0] == '/' && c[1] == '/')
                stop = c;
        while (from < stop && strchr(" \t\r", *from))
            from++;
        while (stop > from && strchr(" \t\r", stop[-1]))
            stop--;
        if (stop > from)
            read_line(p, from, (size_t)(stop - from), (int)(from - s) + 1);
        s = next ? next + 1 : end;
    }
}

/* What the lines say together. */
static void check(struct parser *p) {
    const struct isa_image *m = p->m;
    p->at_line = 0;
    if (p->words.n >= ISA_NO_JOIN)
        wrong(p, 0, 0, "more words than a code address can name");
    const struct isa_kernel *k = isa_directives_astray(m);
    if (k)
        diag_error(p->d, (struct place){p->source, 0, 0, 0},
                   "kernel '%s' lies outside the code", k->name);
    if (!k && !isa_blocks_in_place(m))
        wrong(p, 0, 0, "a block lies outside its kernel");
    for (int i = 0; i < m->n_symbols; i++)
        if (m->symbols[i].at > m->n_data ||
            m->symbols[i].bytes > m->n_data - m->symbols[i].at)
            wrong(p, 0, 0, "a symbol lies outside the data");
    for (int i = 0; i < m->n_fixups; i++)
        if (m->n_data < 4 || m->fixups[i] > m->n_data - 4)
            wrong(p, 0, 0, "a fixup lies outside the data");
}

static void finish(struct parser *p) {
    struct isa_image *m = p->m;
    m->n_words = p->words.n;
    m->words = array_keep(&p->words, p->arena);
    m->lines = array_keep(&p->lines, p->arena);
    m->n_data = (uint32_t)p->data.n;
    m->data = array_keep(&p->data, p->arena);
    m->n_symbols = p->symbols.n;
    m->symbols = array_keep(&p->symbols, p->arena);
    m->n_fixups = p->fixups.n;
    m->fixups = array_keep(&p->fixups, p->arena);
    isa_directives_end(&p->kernels);
    check(p);
    array_free(&p->labels);
    array_free(&p->words);
    array_free(&p->lines);
    array_free(&p->data);
    array_free(&p->symbols);
    array_free(&p->fixups);
}

struct isa_image *isa_image_parse(struct arena *a, const struct source *source,
                                  struct diag *d) {
    struct parser p = {.arena = a, .source = source, .d = d};
    int errors = d->errors;
    p.m = arena_alloc(a, sizeof *p.m);
    p.kernels = (struct isa_reader){.arena = a, .image = p.m};
    pass(&p, true);
    pass(&p, false);
    finish(&p);
    return d->errors == errors ? p.m : NULL;
}
