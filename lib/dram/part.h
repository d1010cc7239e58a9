/* part.h - what parts other than DDR4 ask for beside the rules of rules.def:
 * refreshes of single banks, and times that DDR4 does not tell apart.
 *
 * All times are in cycles of the command clock; 0: the part has no such rule.
 * docs/ndpcheck.md lists the sources.
 */
#ifndef NDP_DRAM_PART_H
#define NDP_DRAM_PART_H

#include "rules.h"

/* Which banks a refresh of single banks refreshes. */
enum dram_refreshed {
    DRAM_REFRESHES_ONE,        /* the one that it names (LPDDR4, HBM2) */
    DRAM_REFRESHES_PAIR,       /* of 16 also the eighth behind it (LPDDR5) */
    DRAM_REFRESHES_EACH_GROUP, /* that number in each bank group (DDR5) */
};

struct dram_device {
    const char *name;
    const char *times; /* groups dram and timing of a configuration, as YAML */
    int postponed;     /* refreshes that may be, and may be ahead */
    int command;       /* cycles of ACT, RD, RDA, WR, WRA on the command bus */
    int rcd_rd;  /* ACT to a read, where a write may come earlier (tRCDRD) */
    int ccdl_wr; /* write to write of a bank group (tCCD_L_WR) */
    int rp_all;  /* PREA to ACT and to refreshes (tRPab) */
    int ppd;     /* precharge to precharge (tPPD) */

    /* of single banks; rfc_bank 0: there are no such refreshes */
    enum dram_refreshed refreshes;
    int rfc_bank;  /* to ACT of the bank (tRFCpb, tRFCsb) */
    int bank_bank; /* to the refresh of another bank (tpbR2pbR, tRREFD) */
    int bank_act;  /* to ACT of another bank (tpbR2act, tREFSBRD) */
    int act_bank;  /* ACT of another bank to it (tRRD) */
};

/* NULL: none of that name, or name is NULL. */
const struct dram_device *dram_part_find(const char *name);

enum dram_part_rule_name {
#define RULE(name, from, to, scope, cycles, doc) DRAM_PART_RULE_##name,
#include "part_rules.def"
    DRAM_PART_RULES
};

/* Rules of the part, under the configuration that has its other times; those
 * that it does not have look at no command. */
void dram_part_rules(const struct dram_device *p, const struct config *c,
                     struct dram_rule rules[DRAM_PART_RULES]);

/* Whether a refresh of bank b of group g, in a rank of so many banks a group,
 * refreshes bank b2 of group g2. */
bool dram_part_refreshes(const struct dram_device *p, int banks, int g, int b,
                         int g2, int b2);

#endif
