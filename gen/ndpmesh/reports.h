/* reports.h - the reports of the earliest-meet-node block: --print-table,
 * --hops and --picture (reports.c). */
#ifndef NDP_GEN_EMN_REPORTS_H
#define NDP_GEN_EMN_REPORTS_H

#include "blocks/blocks.h"

extern const struct gen_report emn_reports[];

#endif
