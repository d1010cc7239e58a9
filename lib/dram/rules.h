/* rules.h - the timing rules of DRAM commands (rules.def) as a table.
 *
 * Chopim, section III-B and Table II; the parameters are those of a
 * configuration, group 'timing'.
 */
#ifndef NDP_DRAM_RULES_H
#define NDP_DRAM_RULES_H

#include "config/config.h"

#include <stdint.h>

enum dram_kind {
#define COMMAND(name, text, scope, doc) DRAM_##name,
#include "rules.def"
    DRAM_KINDS,
    DRAM_REFB =
        DRAM_KINDS, /* a refresh of single banks, of some parts (part.h);
                               no rule of rules.def looks at it */
    DRAM_ALL_KINDS
};

enum dram_scope {
    DRAM_BANK,
    DRAM_GROUP,
    DRAM_RANK,
    DRAM_OTHER_RANK,
    DRAM_CHANNEL,
    DRAM_SCOPES
};

/* How the banks of two commands are related. */
enum dram_where {
    DRAM_SAME_BANK = 1,
    DRAM_SAME_GROUP = 2, /* and not the same bank */
    DRAM_SAME_RANK = 4,  /* and not the same bank group */
    DRAM_SIBLING = 8     /* another rank of the channel */
};

enum dram_rule_name {
#define RULE(name, from, to, scope, count, cycles, doc) DRAM_RULE_##name,
#include "rules.def"
    DRAM_RULES
};

struct dram_rule {
    const char *name;
    unsigned from, to; /* sets of commands, bit n: kind n */
    enum dram_scope scope;
    int count;           /* after the count-th last of from */
    int cycles;          /* at least; 1 or less: any two cycles will do */
    const char *formula; /* "T(cwl) + T(bl)", as declared */
    const char *doc;
};

struct dram_note {
    unsigned from, to, where;
    const char *reason;
};

/* The rules under a configuration, by enum dram_rule_name. */
void dram_rules(const struct config *c, struct dram_rule rules[DRAM_RULES]);

/* Written reasons; the end has none. */
const struct dram_note *dram_note(int n);

/* Whether a rule looks at two commands whose banks are related so. */
bool dram_rule_covers(const struct dram_rule *r, enum dram_kind from,
                      enum dram_kind to, enum dram_where where);

const char *dram_kind_name(enum dram_kind k); /* "ACT" */
const char *dram_kind_doc(enum dram_kind k);
bool dram_kind_of_rank(enum dram_kind k); /* goes to all banks of a rank */
const char *dram_scope_name(enum dram_scope s); /* "bank", "other rank" */

/* Append "ACT, PRE" for a set. */
void dram_add_kinds(unsigned set, struct text *out);

/* Append a formula as people write it: "tCWL + tBL". */
void dram_add_formula(const char *formula, struct text *out);

static inline bool dram_is_read(enum dram_kind k) {
    return k == DRAM_RD || k == DRAM_RDA;
}

static inline bool dram_is_write(enum dram_kind k) {
    return k == DRAM_WR || k == DRAM_WRA;
}

/* The row is closed once the burst is done. */
static inline bool dram_closes(enum dram_kind k) {
    return k == DRAM_RDA || k == DRAM_WRA;
}

#endif
