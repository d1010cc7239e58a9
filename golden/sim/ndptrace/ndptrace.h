/* ndptrace.h - the parts of the program. */
#ifndef NDP_NDPTRACE_H
#define NDP_NDPTRACE_H

#include "base/text.h"
#include "sim/retire/compare.h"

#include <jansson.h>

/* The PTX that the words come from; n 0: not given. */
struct source_lines {
    int n;
    const char **lines; /* from 1 on, without blanks at either end */
};

/* What of a trace is shown: -1, or an empty range, stands for all. */
struct filter {
    int launch, warp, cta, lane;
    uint64_t pc_from, pc_to, from, to;
};

/* list.c: whether the filter, launch apart, has the instruction. */
bool filter_shows(const struct filter *f, const struct retire_insn *i);

/* list.c: the instructions of a trace, a line each. */
void list_text(const struct retire_trace *t, const struct filter *f,
               const struct source_lines *ptx, FILE *out);
json_t *list_json(const struct retire_trace *t, const struct filter *f,
                  const struct source_lines *ptx);

/* The word as text, "beyond the kernel's words" if it is not one of them; its
 * PTX line with the text, "" if neither is known. */
void say_word(const struct retire_kernel *k, int pc, struct text *out);
void say_line(const struct retire_kernel *k, int pc,
              const struct source_lines *ptx, struct text *out);

/* perfetto.c: launches as Chrome trace events; konata.c: one launch as a Kanata
 * log. */
void perfetto_write(const struct retire_trace *t, const struct filter *f,
                    const struct source_lines *ptx, FILE *out);
void konata_write(const struct retire_trace *t, const struct retire_launch *l,
                  const struct filter *f, const struct source_lines *ptx,
                  FILE *out);

/* report.c: what retire_compare found. */
void report_text(const struct retire_trace *t,
                 const struct retire_trace *reference,
                 const struct retire_difference *x,
                 const struct source_lines *ptx, FILE *out);
json_t *report_json(const struct retire_trace *t,
                    const struct retire_trace *reference,
                    const struct retire_difference *x,
                    const struct source_lines *ptx);

#endif
