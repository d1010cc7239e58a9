/* part.c - the parts of part.h; docs/ndpcheck.md has the source of each number.
 */
#include "part.h"

#include <string.h>

#define DDR5_3200AN                                                            \
    "dram: {ranks: 1, groups: 8, banks: 4}\n"                                  \
    "timing: {bl: 8, cl: 24, cwl: 22, rcd: 24, rp: 24, ras: 52, rc: 76,\n"     \
    "  rtp: 12, wr: 48, ccds: 8, ccdl: 8, wtrs: 4, wtrl: 16, rrds: 8,\n"       \
    "  rrdl: 8, faw: 32, rtrs: 2, turn: 4, "

static const struct dram_device parts[] = {
    {.name = "ddr5_3200",
     .times = DDR5_3200AN "rfc: 472, refi: 6240}\n",
     .postponed = 4,
     .command = 2,
     .ccdl_wr = 16,
     .rp_all = 24,
     .ppd = 2},
    {.name = "ddr5_3200_fgr",
     .times = DDR5_3200AN "rfc: 256, refi: 3120}\n",
     .postponed = 8,
     .command = 2,
     .ccdl_wr = 16,
     .rp_all = 24,
     .ppd = 2,
     .refreshes = DRAM_REFRESHES_EACH_GROUP,
     .rfc_bank = 208,
     .bank_bank = 208,
     .bank_act = 48,
     .act_bank = 8},
    {.name = "lpddr4_3200",
     .times = "dram: {ranks: 1, groups: 1, banks: 8}\n"
              "timing: {bl: 8, cl: 28, cwl: 14, rcd: 29, rp: 29, ras: 68,\n"
              "  rc: 97, rtp: 12, wr: 30, ccds: 8, ccdl: 8, wtrs: 17,\n"
              "  wtrl: 17, rrds: 16, rrdl: 16, faw: 64, rtrs: 1, turn: 8,\n"
              "  rfc: 448, refi: 6246}\n",
     .postponed = 8,
     .rp_all = 34,
     .ppd = 4,
     .refreshes = DRAM_REFRESHES_ONE,
     .rfc_bank = 224,
     .bank_bank = 224,
     .bank_act = 16,
     .act_bank = 16},
    {.name = "lpddr5_6400",
     .times = "dram: {ranks: 1, groups: 4, banks: 4}\n"
              "timing: {bl: 4, cl: 20, cwl: 11, rcd: 15, rp: 15, ras: 34,\n"
              "  rc: 49, rtp: 4, wr: 28, ccds: 4, ccdl: 4, wtrs: 5,\n"
              "  wtrl: 10, rrds: 4, rrdl: 4, faw: 16, rtrs: 2, turn: 2,\n"
              "  rfc: 168, refi: 3125}\n",
     .postponed = 8,
     .rp_all = 17,
     .ppd = 2,
     .refreshes = DRAM_REFRESHES_PAIR,
     .rfc_bank = 96,
     .bank_bank = 72,
     .bank_act = 7,
     .act_bank = 4},
    {.name = "hbm2_2000",
     .times = "dram: {ranks: 1, groups: 4, banks: 4}\n"
              "timing: {bl: 2, cl: 17, cwl: 7, rcd: 6, rp: 14, ras: 28,\n"
              "  rc: 42, rtp: 5, wr: 14, ccds: 2, ccdl: 3, wtrs: 4,\n"
              "  wtrl: 9, rrds: 4, rrdl: 6, faw: 16, rtrs: 1, turn: 6,\n"
              "  rfc: 220, refi: 3900}\n",
     .postponed = 8,
     .rcd_rd = 12,
     .rp_all = 14,
     .refreshes = DRAM_REFRESHES_ONE,
     .rfc_bank = 96,
     .bank_bank = 8,
     .bank_act = 8,
     .act_bank = 4}};

const struct dram_device *dram_part_find(const char *name) {
    for (size_t i = 0; name && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

/* sets of commands, as part_rules.def writes them */
enum {
#define COMMAND(name, text, scope, doc) name = 1 << DRAM_##name,
#include "rules.def"
    REFB = 1 << DRAM_REFB,
    READS = RD | RDA,
    WRITES = WR | WRA,
    COLUMNS = READS | WRITES,
    ALL = (1 << DRAM_KINDS) - 1
};

void dram_part_rules(const struct dram_device *p, const struct config *c,
                     struct dram_rule rules[DRAM_PART_RULES]) {
#define T(param) c->timing_##param
#define P(time) p->time
#define RULE(name, from, to, scope, cycles, doc)                               \
    rules[DRAM_PART_RULE_##name] = (struct dram_rule){                         \
        #name, from, to, DRAM_##scope, 1, (cycles), #cycles, doc};
#include "part_rules.def"
#undef T
#undef P
    for (int i = 0; i < DRAM_PART_RULES; i++) {
        unsigned bank = (rules[i].from | rules[i].to) & REFB;
        if (rules[i].cycles == 0 || (!p->rfc_bank && bank == rules[i].to))
            rules[i].to = 0;
    }
}

bool dram_part_refreshes(const struct dram_device *p, int banks, int g, int b,
                         int g2, int b2) {
    enum { PAIR = 8 };
    switch (p->refreshes) {
    case DRAM_REFRESHES_ONE:
        break;
    case DRAM_REFRESHES_PAIR:
        return (g * banks + b) % PAIR == (g2 * banks + b2) % PAIR;
    case DRAM_REFRESHES_EACH_GROUP:
        return b == b2;
    }
    return g == g2 && b == b2;
}
