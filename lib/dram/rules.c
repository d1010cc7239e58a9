/* rules.c - the table of rules.def, with the numbers of a configuration. */
#include "rules.h"

#include <ctype.h>
#include <string.h>

/* sets of commands, as rules.def writes them */
enum {
#define COMMAND(name, text, scope, doc) name = 1 << DRAM_##name,
#include "rules.def"
    READS = RD | RDA,
    WRITES = WR | WRA,
    COLUMNS = READS | WRITES,
    ALL = (1 << DRAM_KINDS) - 1
};

/* how banks are related, likewise */
enum {
    SAME_BANK = DRAM_SAME_BANK,
    SAME_GROUP = DRAM_SAME_GROUP,
    SAME_RANK = DRAM_SAME_RANK,
    SIBLING = DRAM_SIBLING
};

void dram_rules(const struct config *c, struct dram_rule rules[DRAM_RULES]) {
#define T(param) c->timing_##param
#define RULE(name, from, to, scope, count, cycles, doc)                        \
    rules[DRAM_RULE_##name] = (struct dram_rule){                              \
        #name, from, to, DRAM_##scope, count, (cycles), #cycles, doc};
#include "rules.def"
#undef T
}

const struct dram_note *dram_note(int n) {
    static const struct dram_note notes[] = {
#define NOTE(from, to, where, reason) {from, to, where, reason},
#include "rules.def"
        {0, 0, 0, NULL}};
    return &notes[n];
}

bool dram_rule_covers(const struct dram_rule *r, enum dram_kind from,
                      enum dram_kind to, enum dram_where where) {
    static const unsigned covered[] = {
        [DRAM_BANK] = SAME_BANK,
        [DRAM_GROUP] = SAME_BANK | SAME_GROUP,
        [DRAM_RANK] = SAME_BANK | SAME_GROUP | SAME_RANK,
        [DRAM_OTHER_RANK] = SIBLING,
        [DRAM_CHANNEL] = SAME_BANK | SAME_GROUP | SAME_RANK | SIBLING};
    return r->from >> from & r->to >> to & 1 && covered[r->scope] & where;
}

static const struct {
    const char *name, *doc;
    enum dram_scope scope;
} kinds[] = {
#define COMMAND(name, text, scope, doc) {text, doc, DRAM_##scope},
#include "rules.def"
    {"REFB", "refresh single banks", DRAM_BANK},
};

const char *dram_kind_name(enum dram_kind k) {
    return kinds[k].name;
}

const char *dram_kind_doc(enum dram_kind k) {
    return kinds[k].doc;
}

bool dram_kind_of_rank(enum dram_kind k) {
    return kinds[k].scope == DRAM_RANK;
}

const char *dram_scope_name(enum dram_scope s) {
    static const char *const names[] = {"bank", "group", "rank", "other rank",
                                        "channel"};
    return names[s];
}

void dram_add_kinds(unsigned set, struct text *out) {
    static const struct {
        unsigned set;
        const char *name;
    } sets[] = {{ALL, "any"},
                {COLUMNS, "RD, RDA, WR, WRA"},
                {READS, "RD, RDA"},
                {WRITES, "WR, WRA"}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i].set == set) {
            text_add(out, sets[i].name);
            return;
        }
    const char *separator = "";
    for (int k = 0; k < DRAM_ALL_KINDS; k++)
        if (set >> k & 1) {
            text_printf(out, "%s%s", separator, kinds[k].name);
            separator = ", ";
        }
}

void dram_add_formula(const char *formula, struct text *out) {
    for (const char *p = formula; *p;) {
        if ((p[0] == 'T' || p[0] == 'P') && p[1] == '(') {
            text_addc(out, 't');
            for (p += 2; *p && *p != ')'; p++)
                text_addc(out, (char)toupper((unsigned char)*p));
            p += *p == ')';
        } else {
            text_addc(out, *p++);
        }
    }
}
