/* report.h - what ndpcheck prints: as text at once, as JSON at the end. */
#ifndef NDP_GEN_NDPCHECK_REPORT_H
#define NDP_GEN_NDPCHECK_REPORT_H

#include "dram/check.h"
#include "dram/trace.h"

#include <jansson.h>

/* All traces of a run. */
struct report_list {
    bool json, histogram;
    uint64_t limit; /* of violations to show of each trace */
    FILE *out;
    json_t *traces; /* of JSON */
    const struct config *config;
    const struct dram_device *part; /* NULL: DDR4 */
};

/* One trace; the caller sets the first three and the times. */
struct report {
    struct report_list *list;
    const char *name;
    int64_t first, last; /* cycles of the commands */
    uint64_t violations, commands[DRAM_ALL_KINDS], data_cycles;
    int channels; /* that have commands */
    struct dram_tally tally[DRAM_CHECKS];
    json_t *shown, *object; /* of JSON */
};

void report_begin(struct report_list *l, const struct config *c);
void report_trace(struct report *r, enum dram_format f);
void report_violation(struct report *r, const struct dram_violation *v);
/* What the checker of one channel has counted. */
void report_add(struct report *r, const struct dram_checker *k);
/* whole: the trace was read to its end; otherwise nothing more is told. */
void report_end(struct report *r, bool whole);
void report_finish(struct report_list *l, bool whole);

/* perfetto.c: all of a trace as Chrome trace events, nothing checked. */
void perfetto_trace(struct dram_trace *t, const struct config *c, FILE *out);

/* The rules with the numbers of a part; part: its own ones, may be NULL. */
void report_rules(const struct config *c, const struct dram_device *part,
                  bool json, FILE *out);

#endif
