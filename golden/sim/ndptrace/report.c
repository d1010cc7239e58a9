/* report.c - where a trace parts from its reference, for a person who has to
 * find out why: the instruction, what its lanes got and should have got, and
 * what its sources were. */
#include "ndptrace.h"

#include <inttypes.h>

enum { LANES_SHOWN = 8 };

static const char *what_is_wrong(const struct retire_difference *x) {
    switch (x->kind) {
    case RETIRE_VALUE:
        return "another result";
    case RETIRE_LANES:
        return "other lanes";
    case RETIRE_DESTINATION:
        return "another destination";
    case RETIRE_PATH:
        return "another path";
    case RETIRE_MISSING:
        return "the warp ends too early";
    case RETIRE_EXTRA:
        return "the warp does not end";
    case RETIRE_END:
        return "another end of the launch";
    case RETIRE_LAUNCHES:
        return "another launch";
    case RETIRE_EQUAL:
        break;
    }
    return "equal";
}

static const struct retire_launch *
launch_of(const struct retire_trace *t, const struct retire_difference *x) {
    return x->launch < t->n_launches ? &t->launches[x->launch] : NULL;
}

/* The instruction that is to blame: where the path is wrong, the one before. */
static const struct retire_insn *blamed(const struct retire_difference *x) {
    switch (x->kind) {
    case RETIRE_VALUE:
    case RETIRE_LANES:
    case RETIRE_DESTINATION:
        return &x->here;
    case RETIRE_PATH:
    case RETIRE_MISSING:
    case RETIRE_EXTRA:
        return x->has_before ? &x->before : &x->here;
    default:
        return NULL;
    }
}

/* --- text ----------------------------------------------------------------- */

static void print_insn(const struct retire_kernel *k,
                       const struct retire_insn *i,
                       const struct source_lines *ptx, FILE *out) {
    struct text word = {0}, line = {0};
    if (i->what == RETIRE_START)
        text_add(&word, "(the warp starts)");
    else
        say_word(k, i->pc, &word);
    say_line(k, i->pc, ptx, &line);
    fprintf(out, "    %s\n", text_str(&word));
    if (line.len && i->what != RETIRE_START)
        fprintf(out, "    PTX line %s\n", text_str(&line));
    text_free(&word);
    text_free(&line);
}

/* A lane's registers and predicates that the word reads. */
static void say_sources(const struct retire_difference *x,
                        const struct isa_word *w, int lane, struct text *t) {
    const struct {
        const char *forms;
        int number;
        bool is_immediate;
    } sources[] = {
        {"amn", w->a, false}, {"bif", w->b, w->imm}, {"c", w->c, false}};
    for (int i = 0; i < 3; i++) {
        bool reads = false;
        for (const char *f = sources[i].forms; *f; f++)
            reads = reads || isa_has(w->op, *f);
        int r = sources[i].number;
        if (!reads || sources[i].is_immediate)
            continue;
        if (x->known >> r & 1)
            text_printf(t, " r%d %x", r, (unsigned)x->registers[r][lane]);
        else
            text_printf(t, " r%d ?", r);
    }
    const int predicates[3] = {isa_has(w->op, 'A') ? w->a : ISA_TRUE,
                               isa_has(w->op, 'B') ? w->b : ISA_TRUE,
                               isa_has(w->op, 'C') ? w->c : w->guard};
    for (int i = 0; i < 3; i++) {
        int p = predicates[i] & 7;
        if (p != ISA_TRUE)
            text_printf(t, " p%d %d", p, (int)(x->predicates[p] >> lane & 1));
    }
}

static void print_lanes(const struct retire_difference *x,
                        const struct retire_launch *l, int lanes, FILE *out) {
    const struct isa_word *w = x->here.what == RETIRE_START
                                   ? NULL
                                   : retire_word(l->kernel, x->here.pc);
    int n = 0;
    fprintf(out, "    lane thread      here reference   sources\n");
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        struct text t = {0};
        if (n++ == LANES_SHOWN) {
            fprintf(out, "    and %d more lanes\n", __builtin_popcount(rest));
            break;
        }
        if (w)
            say_sources(x, w, lane, &t);
        fprintf(out, "    %4d %6d  %08x  %08x %s\n", lane,
                x->warp * lanes + lane, (unsigned)x->here.values[lane],
                (unsigned)x->there.values[lane], text_str(&t));
        text_free(&t);
    }
}

static void print_path(const struct retire_difference *x,
                       const struct retire_launch *l, FILE *out) {
    struct text here = {0}, there = {0};
    const struct retire_insn *both[2] = {
        x->kind == RETIRE_MISSING ? NULL : &x->here,
        x->kind == RETIRE_EXTRA ? NULL : &x->there};
    struct text *texts[2] = {&here, &there};
    for (int i = 0; i < 2; i++) {
        if (!both[i]) {
            text_add(texts[i], "the end");
        } else if (both[i]->what == RETIRE_START) {
            text_add(texts[i], "the start of another warp");
        } else {
            text_printf(texts[i], "word %d, lanes %x: ", both[i]->pc,
                        (unsigned)both[i]->mask);
            say_word(l->kernel, both[i]->pc, texts[i]);
        }
    }
    fprintf(out, "    then here   %s\n    reference   %s\n", text_str(&here),
            text_str(&there));
    text_free(&here);
    text_free(&there);
}

static void print_place(const struct retire_trace *t,
                        const struct retire_difference *x,
                        const struct source_lines *ptx, FILE *out) {
    const struct retire_launch *l = launch_of(t, x);
    const struct retire_insn *i = blamed(x);
    if (!i)
        return;
    fprintf(out,
            "    cycle %" PRIu64 ", CTA %d, warp %d of it (%d of the machine), "
            "word %d\n",
            i == &x->before ? i->cycle : x->cycle, x->cta, x->warp, i->warp,
            i->pc);
    print_insn(l->kernel, i, ptx, out);
    if (x->kind == RETIRE_VALUE) {
        const struct isa_word *w = retire_word(l->kernel, i->pc);
        print_lanes(x, l, t->lanes, out);
        if (w && isa_info(w->op)->class == ISA_CLASS_atomic)
            fprintf(out, "    the old value of an atomic hangs on the order of "
                         "warps: --any-order passes over it\n");
    } else if (x->kind == RETIRE_LANES)
        fprintf(out, "    lanes here %08x, reference %08x\n",
                (unsigned)x->here.mask, (unsigned)x->there.mask);
    else if (x->kind == RETIRE_DESTINATION)
        fprintf(out, "    result here %s%d, reference %s%d\n",
                x->here.kind == RETIRE_NONE       ? "none "
                : x->here.kind == RETIRE_REGISTER ? "r"
                                                  : "p",
                x->here.d,
                x->there.kind == RETIRE_NONE       ? "none "
                : x->there.kind == RETIRE_REGISTER ? "r"
                                                   : "p",
                x->there.d);
    else
        print_path(x, l, out);
}

void report_text(const struct retire_trace *t,
                 const struct retire_trace *reference,
                 const struct retire_difference *x,
                 const struct source_lines *ptx, FILE *out) {
    if (x->kind == RETIRE_EQUAL) {
        fprintf(out,
                "%s and %s are equal: %d launch%s, %" PRIu64
                " instructions, %s\n",
                t->name, reference->name, t->n_launches,
                t->n_launches == 1 ? "" : "es", x->equal,
                x->same_cycles ? "each on its cycle" : "in other cycles");
        return;
    }
    const struct retire_launch *l = launch_of(t, x);
    fprintf(out, "%s differs from %s in launch %d%s%s: %s\n", t->name,
            reference->name, x->launch + 1, l ? ", kernel " : "",
            l ? l->kernel->name : "", what_is_wrong(x));
    print_place(t, x, ptx, out);
    fprintf(out, "    %" PRIu64 " instructions were equal", x->equal);
    if (x->warps)
        fprintf(out, ", %d of %d warps differ from somewhere on",
                x->warps_differ, x->warps);
    fprintf(out, "\n");
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *lanes_json(const struct retire_difference *x) {
    json_t *list = json_array();
    for (uint32_t rest = x->kind == RETIRE_VALUE ? x->lanes : 0; rest;
         rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        json_array_append_new(
            list, json_pack("{s:i, s:I, s:I}", "lane", lane, "here",
                            (json_int_t)x->here.values[lane], "reference",
                            (json_int_t)x->there.values[lane]));
    }
    return list;
}

json_t *report_json(const struct retire_trace *t,
                    const struct retire_trace *reference,
                    const struct retire_difference *x,
                    const struct source_lines *ptx) {
    json_t *o =
        json_pack("{s:s, s:s, s:s, s:b, s:s, s:I}", "schema", "ndptrace-1",
                  "file", t->name, "reference", reference->name, "equal",
                  x->kind == RETIRE_EQUAL, "difference", what_is_wrong(x),
                  "instructions_equal", (json_int_t)x->equal);
    const struct retire_launch *l = launch_of(t, x);
    const struct retire_insn *i = blamed(x);
    if (x->kind == RETIRE_EQUAL) {
        json_object_set_new(o, "same_cycles", json_boolean(x->same_cycles));
        return o;
    }
    json_object_set_new(o, "launch", json_integer(x->launch + 1));
    if (!i || !l)
        return o;
    struct text word = {0};
    int line = retire_line(l->kernel, i->pc);
    say_word(l->kernel, i->pc, &word);
    json_object_update_new(
        o, json_pack("{s:s, s:I, s:i, s:i, s:i, s:s, s:i, s:o}", "kernel",
                     l->kernel->name, "cycle",
                     (json_int_t)(i == &x->before ? i->cycle : x->cycle), "cta",
                     x->cta, "warp", x->warp, "word", i->pc, "instruction",
                     text_str(&word), "line", line, "lanes", lanes_json(x)));
    if (line && line <= ptx->n)
        json_object_set_new(o, "ptx", json_string(ptx->lines[line]));
    text_free(&word);
    return o;
}
