/* list.c - instructions in order of their cycles, with the word that they are
 * and the line of the PTX beside. */
#include "ndptrace.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 4 }; /* values of a line */

static const char *const ends[] = {"done", "fault", "stopped"};

/* --- words and lines ------------------------------------------------------ */

void say_word(const struct retire_kernel *k, int pc, struct text *out) {
    const struct isa_word *w = retire_word(k, pc);
    if (w) {
        struct isa_word plain = *w; /* hints say nothing of what it does */
        plain.place = plain.chain = 0;
        plain.mark = false;
        isa_print(&plain, out);
    } else if (pc >= k->entry && pc < k->entry + k->n_words)
        text_add(out, "(no legal word)");
    else
        text_add(out, "(beyond the kernel's words)");
}

void say_line(const struct retire_kernel *k, int pc,
              const struct source_lines *ptx, struct text *out) {
    int line = retire_line(k, pc);
    if (line)
        text_printf(out, "%d", line);
    if (line && line <= ptx->n)
        text_printf(out, "  %s", ptx->lines[line]);
}

/* --- filters -------------------------------------------------------------- */

bool filter_shows(const struct filter *f, const struct retire_insn *i) {
    return (f->warp < 0 || f->warp == i->warp) &&
           (f->cta < 0 || f->cta == i->cta) &&
           (f->lane < 0 || i->mask >> f->lane & 1) &&
           (uint64_t)i->pc >= f->pc_from && (uint64_t)i->pc <= f->pc_to &&
           i->answer >= f->from && i->cycle <= f->to;
}

/* --- text ----------------------------------------------------------------- */

static bool all_equal(const struct retire_insn *i) {
    uint32_t first = i->mask ? i->values[__builtin_ctz(i->mask)] : 0;
    for (uint32_t rest = i->mask; rest; rest &= rest - 1)
        if (i->values[__builtin_ctz(rest)] != first)
            return false;
    return true;
}

static void say_lane(const struct retire_insn *i, bool is_f32, int lane,
                     struct text *out) {
    float f;
    memcpy(&f, &i->values[lane], sizeof f);
    text_printf(out, "%x", (unsigned)i->values[lane]);
    if (is_f32 && i->kind == RETIRE_REGISTER)
        text_printf(out, " (%.9g)", (double)f);
}

/* "r3 = 0, 4, 8, c, ..."; lane -1: the first lanes. */
static void say_result(const struct retire_kernel *k,
                       const struct retire_insn *i, int lane,
                       struct text *out) {
    const struct isa_word *w = retire_word(k, i->pc);
    bool is_f32 = w && isa_info(w->op)->class == ISA_CLASS_f32;
    if (i->kind == RETIRE_NONE) {
        if (i->what == RETIRE_INSTRUCTION && w && isa_is_late(w->op))
            text_add(out, "(never came)");
        return;
    }
    text_printf(out, "%c%d = ", i->kind == RETIRE_REGISTER ? 'r' : 'p', i->d);
    if (lane >= 0) {
        say_lane(i, is_f32, lane, out);
    } else if (i->mask && all_equal(i)) {
        say_lane(i, is_f32, __builtin_ctz(i->mask), out);
    } else {
        int n = 0;
        for (uint32_t rest = i->mask; rest && n <= SHOWN; rest &= rest - 1, n++)
            if (n == SHOWN)
                text_add(out, ", ...");
            else
                text_printf(out, "%s%x", n ? ", " : "",
                            (unsigned)i->values[__builtin_ctz(rest)]);
    }
    if (i->answer != i->cycle && retire_word(k, i->pc) &&
        isa_is_late(retire_word(k, i->pc)->op))
        text_printf(out, " at %" PRIu64, i->answer);
}

static void print_insn(const struct retire_launch *l,
                       const struct retire_insn *i, const struct filter *f,
                       const struct source_lines *ptx, FILE *out) {
    struct text word = {0}, result = {0}, line = {0};
    if (i->what == RETIRE_START)
        text_add(&word, "(the warp starts)");
    else
        say_word(l->kernel, i->pc, &word);
    say_result(l->kernel, i, f->lane, &result);
    if (i->what != RETIRE_START)
        say_line(l->kernel, i->pc, ptx, &line);
    fprintf(out, "%9" PRIu64 " %4d %4d %5d %08x  %-32s %-34s %s", i->cycle,
            i->warp, i->cta, i->pc, (unsigned)i->mask, text_str(&word),
            text_str(&result), text_str(&line));
    putc('\n', out);
    text_free(&word);
    text_free(&result);
    text_free(&line);
}

void list_text(const struct retire_trace *t, const struct filter *f,
               const struct source_lines *ptx, FILE *out) {
    struct retire_insn i;
    for (int n = 0; n < t->n_launches; n++) {
        const struct retire_launch *l = &t->launches[n];
        if (f->launch >= 0 && f->launch != n)
            continue;
        fprintf(
            out, "launch %d: kernel %s, grid %ux%ux%u, block %ux%ux%u, %s\n",
            n + 1, l->kernel->name, (unsigned)l->grid[0], (unsigned)l->grid[1],
            (unsigned)l->grid[2], (unsigned)l->block[0], (unsigned)l->block[1],
            (unsigned)l->block[2], ends[l->end]);
        fprintf(out, "%9s %4s %4s %5s %-8s  %-32s %-34s %s\n", "cycle", "warp",
                "cta", "word", "lanes", "instruction", "result", "ptx");
        for (int at = 0; retire_next(t, l, at, &i); at = i.next)
            if (filter_shows(f, &i))
                print_insn(l, &i, f, ptx, out);
        if (l->end == RETIRE_FAULT)
            fprintf(out, "fault %d: warp %d, word %d\n", l->fault,
                    l->fault_warp, l->fault_pc);
    }
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *insn_json(const struct retire_launch *l,
                         const struct retire_insn *i,
                         const struct source_lines *ptx) {
    struct text word = {0};
    json_t *o = json_pack("{s:I, s:i, s:i, s:i, s:I}", "cycle",
                          (json_int_t)i->cycle, "warp", i->warp, "cta", i->cta,
                          "word", i->pc, "lanes", (json_int_t)i->mask);
    int line = retire_line(l->kernel, i->pc);
    if (i->what == RETIRE_START) {
        json_object_set_new(o, "start", json_true());
    } else {
        say_word(l->kernel, i->pc, &word);
        json_object_set_new(o, "instruction", json_string(text_str(&word)));
        json_object_set_new(o, "line", json_integer(line));
        if (line && line <= ptx->n)
            json_object_set_new(o, "ptx", json_string(ptx->lines[line]));
    }
    if (i->kind != RETIRE_NONE) {
        json_t *values = json_array();
        for (uint32_t rest = i->mask; rest; rest &= rest - 1)
            json_array_append_new(values,
                                  json_integer(i->values[__builtin_ctz(rest)]));
        json_object_set_new(
            o, i->kind == RETIRE_REGISTER ? "register" : "predicate",
            json_integer(i->d));
        json_object_set_new(o, "values", values);
        json_object_set_new(o, "answer", json_integer((json_int_t)i->answer));
    }
    text_free(&word);
    return o;
}

json_t *list_json(const struct retire_trace *t, const struct filter *f,
                  const struct source_lines *ptx) {
    struct retire_insn i;
    json_t *launches = json_array();
    for (int n = 0; n < t->n_launches; n++) {
        const struct retire_launch *l = &t->launches[n];
        if (f->launch >= 0 && f->launch != n)
            continue;
        json_t *retired = json_array();
        for (int at = 0; retire_next(t, l, at, &i); at = i.next)
            if (filter_shows(f, &i))
                json_array_append_new(retired, insn_json(l, &i, ptx));
        json_array_append_new(
            launches,
            json_pack("{s:i, s:s, s:[I,I,I], s:[I,I,I], s:s, s:o}", "launch",
                      n + 1, "kernel", l->kernel->name, "grid",
                      (json_int_t)l->grid[0], (json_int_t)l->grid[1],
                      (json_int_t)l->grid[2], "block", (json_int_t)l->block[0],
                      (json_int_t)l->block[1], (json_int_t)l->block[2], "end",
                      ends[l->end], "retired", retired));
    }
    return json_pack("{s:s, s:s, s:{s:i, s:i, s:i}, s:o}", "schema",
                     "ndptrace-1", "file", t->name, "machine", "warps",
                     t->warps, "lanes", t->lanes, "alus", t->alus, "launches",
                     launches);
}
