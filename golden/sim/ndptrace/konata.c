/* konata.c - a launch as a Kanata log, which the pipeline viewer Konata opens.
 *
 * An instruction of a warp is a line.  A machine tells when it retires, so its
 * stages are: Wt, from when the one before it in its warp was through; Ex, its
 * passes; Mm, until the result of a load is there.  Threads are warps.
 */
#include "ndptrace.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdlib.h>

/* A line of the log; those of a cycle stand in the order in which they come. */
struct event {
    uint64_t cycle;
    int number, insn;
    char what; /* S: begins a stage; R: retires; I: the instruction itself */
    const char *stage;
};

struct log {
    ARRAY(struct event) events;
    ARRAY(struct retire_insn) insns;
};

static void add(struct log *log, uint64_t cycle, char what, const char *stage) {
    *array_push(&log->events) = (struct event){.cycle = cycle,
                                               .number = log->events.n,
                                               .insn = log->insns.n - 1,
                                               .what = what,
                                               .stage = stage};
}

static int by_cycle(const void *a, const void *b) {
    const struct event *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->number - y->number;
}

static void add_insn(struct log *log, const struct retire_launch *l,
                     const struct retire_insn *i, uint64_t *end) {
    const struct isa_word *word = retire_word(l->kernel, i->pc);
    uint64_t through = l->passes[i->next - 1].cycle + 1;
    uint64_t begin =
        i->what != RETIRE_START && *end < i->cycle ? *end : i->cycle;
    *array_push(&log->insns) = *i;
    add(log, begin, 'I', NULL);
    if (begin < i->cycle)
        add(log, begin, 'S', "Wt");
    add(log, i->cycle, 'S', "Ex");
    *end = through;
    if (word && isa_is_late(word->op) && i->answer > through) {
        add(log, through, 'S', "Mm");
        through = i->answer;
    }
    add(log, through, 'R', NULL);
}

static void put_insn(const struct log *log, const struct event *e,
                     const struct retire_launch *l,
                     const struct source_lines *ptx, FILE *out) {
    const struct retire_insn *i = &log->insns.v[e->insn];
    struct text word = {0}, line = {0};
    if (i->what == RETIRE_START)
        text_add(&word, "(start)");
    else
        say_word(l->kernel, i->pc, &word);
    say_line(l->kernel, i->pc, ptx, &line);
    for (char *c = line.data; c && *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    fprintf(out, "I\t%d\t%d\t%d\n", e->insn, e->insn, i->warp);
    fprintf(out, "L\t%d\t0\t%d: %s\n", e->insn, i->pc, text_str(&word));
    fprintf(out, "L\t%d\t1\twarp %d, CTA %d, lanes %08x, PTX line %s\n",
            e->insn, i->warp, i->cta, (unsigned)i->mask,
            line.len ? text_str(&line) : "not known");
    text_free(&word);
    text_free(&line);
}

void konata_write(const struct retire_trace *t, const struct retire_launch *l,
                  const struct filter *f, const struct source_lines *ptx,
                  FILE *out) {
    struct log log = {0};
    struct retire_insn i;
    uint64_t ends[RETIRE_MAX_WARPS] = {0}, now = 0;
    int retired = 0;
    for (int at = 0; retire_next(t, l, at, &i); at = i.next)
        if (filter_shows(f, &i))
            add_insn(&log, l, &i, &ends[i.warp]);
    if (log.events.n)
        qsort(log.events.v, (size_t)log.events.n, sizeof *log.events.v,
              by_cycle);
    fputs("Kanata\t0004\n", out);
    for (int n = 0; n < log.events.n; n++) {
        const struct event *e = &log.events.v[n];
        if (n == 0)
            fprintf(out, "C=\t%" PRIu64 "\n", e->cycle);
        else if (e->cycle > now)
            fprintf(out, "C\t%" PRIu64 "\n", e->cycle - now);
        now = e->cycle;
        if (e->what == 'I')
            put_insn(&log, e, l, ptx, out);
        else if (e->what == 'S')
            fprintf(out, "S\t%d\t0\t%s\n", e->insn, e->stage);
        else
            fprintf(out, "R\t%d\t%d\t0\n", e->insn, retired++);
    }
    array_free(&log.events);
    array_free(&log.insns);
}
