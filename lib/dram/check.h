/* check.h - the checker: watches the commands of one channel and tells of every
 * rule that one breaks.
 *
 * It keeps the last commands of each kind of each bank, bank group and rank,
 * and compares times; nothing is counted down, and no scheduler is asked.
 * Besides the rules of rules.def, by its own means:
 *
 *   data     bursts on the data bus: when each begins and ends, with the gap
 *            that two ranks or a change from read to write need
 *   closed   a column command to a bank whose row is closed
 *   row      a column command of another row than the open one
 *   open     an ACT to a bank, or a REF to a rank, with an open row
 *   refresh    more than nine average intervals without a refresh, if the trace
 *              refreshes the channel at all
 *   postponed  more than eight refreshes owed: one is due in each average
 *              interval, DDR4 lets eight be postponed, and eight be ahead
 *
 * A part (part.h) has rules beside these, and its own number for the eight.
 * Refreshes of single banks are one of their rank when each bank has had one.
 *
 * All banks are closed at first, and no refresh is owed.
 */
#ifndef NDP_DRAM_CHECK_H
#define NDP_DRAM_CHECK_H

#include "part.h"

struct dram_command {
    int64_t cycle;
    enum dram_kind kind;
    bool nda; /* the accelerator's, which uses no wire of the channel */
    int channel, rank; /* group and bank: 0 for what goes to a rank */
    int group, bank;
    int row, column; /* -1: not known, or none */
    int64_t line;    /* of the trace, for messages */
};

enum dram_check_name {
    DRAM_CHECK_data = DRAM_RULES, /* behind the rules of the table */
    DRAM_CHECK_closed,
    DRAM_CHECK_row,
    DRAM_CHECK_open,
    DRAM_CHECK_refresh,
    DRAM_CHECK_postponed, /* behind those that dram_monitor numbers */
    DRAM_CHECK_PART,      /* from here on rules of part_rules.def */
    DRAM_CHECKS = DRAM_CHECK_PART + DRAM_PART_RULES,
    DRAM_CHECKS_MONITORED = DRAM_CHECK_postponed
};

/* What must happen in time, while all others must not come too soon. */
static inline bool dram_check_is_latest(int check) {
    return check == DRAM_CHECK_refresh || check == DRAM_CHECK_postponed;
}

/* Slack: cycles beyond what a rule asks for; negative, the rule is broken. */
enum { DRAM_SLACKS = 10 };

/* What there was to a rule so far. */
struct dram_tally {
    uint64_t checked, broken;
    uint64_t slack[DRAM_SLACKS]; /* by dram_slack_name */
    int64_t least;               /* slack; of checked > 0 */
};

struct dram_violation {
    int check; /* enum dram_rule_name or dram_check_name */
    const struct dram_command *command;
    const struct dram_command *before; /* NULL: there was none */
    int64_t cycles, expected; /* between the two; -1: not a matter of time */
};

struct dram_checker;

/* The strings of a violation and its commands are good during the call. */
typedef void dram_report(void *ctx, const struct dram_violation *v);

/* For one channel; report may be NULL. */
struct dram_checker *dram_checker_create(const struct config *c,
                                         dram_report *report, void *ctx);
/* The same of a part; p, which must outlive the checker, may be NULL: DDR4.  A
 * DRAM_REFB is taken of parts alone that have refreshes of single banks. */
struct dram_checker *dram_checker_create_part(const struct config *c,
                                              const struct dram_device *p,
                                              dram_report *report, void *ctx);
void dram_checker_free(struct dram_checker *k); /* NULL is allowed */

/* The next command: cycles must not go back, and the place must be inside the
 * configuration.  True if no rule is broken. */
bool dram_checker_take(struct dram_checker *k, const struct dram_command *c);

/* The end, for refreshes that are due. */
bool dram_checker_end(struct dram_checker *k);

const struct dram_tally *dram_checker_tally(const struct dram_checker *k,
                                            int check);
const struct dram_rule *
dram_checker_rule(const struct dram_checker *k,
                  int check); /* NULL: none of the tables */
uint64_t dram_checker_commands(const struct dram_checker *k,
                               enum dram_kind kind);
/* Cycles in which the host's bursts fill the data bus. */
uint64_t dram_checker_data_cycles(const struct dram_checker *k);

const char *dram_check_name(int check);
const char *dram_check_doc(int check);
const char *dram_slack_name(int n); /* "0", "4-7" */

#endif
