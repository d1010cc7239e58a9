/* trace.h - command traces: reading and writing, a line at a time, so that
 * length does not matter.
 *
 *   ndp        cycle,command,channel,rank,group,bank,row,column,source
 *   ramulator  clock,command,Channel,Rank,BankGroup,Bank,Row,Column,type,source
 *              of Ramulator 2.1; -1: not applicable.  Of 2.0 without that line,
 *              and without the last two
 *   dramsim3   blanks between clock, command (read, read_p, write, write_p,
 *              activate, precharge, refresh), channel, rank, group, bank, and
 * row and column in hexadecimal
 *
 * Where there is a line of column names a trace is read by these, in whatever
 * order and case; source 'nda' is the accelerator, everything else the host.
 * A command without a channel, or with -1 for it as DRAMsim3 writes at a
 * refresh, is of the one channel that the others name, 0 if none does.
 */
#ifndef NDP_DRAM_TRACE_H
#define NDP_DRAM_TRACE_H

#include "check.h"

#include <stdio.h>

enum dram_format { DRAM_NDP, DRAM_RAMULATOR, DRAM_DRAMSIM3 };

#define DRAM_FORMAT_NAMES "ndp|ramulator|dramsim3"

struct dram_trace; /* one that is read */

/* path "-": standard input.  NULL after an error in d, which like c and path
 * must outlive it. */
struct dram_trace *dram_trace_open(const char *path, const struct config *c,
                                   struct diag *d);
void dram_trace_close(struct dram_trace *t); /* NULL is allowed */

/* The next command, whose place is inside the configuration and whose cycle is
 * not before that of the last one.  False at the end, and after an error in d.
 */
bool dram_trace_next(struct dram_trace *t, struct dram_command *c);
/* An error at the line of a command. */
void dram_trace_complain(const struct dram_trace *t,
                         const struct dram_command *c, const char *message);
enum dram_format dram_trace_format(const struct dram_trace *t);

/* What comes first in a trace, and a command. */
void dram_trace_begin(FILE *out, enum dram_format f);
void dram_trace_put(FILE *out, enum dram_format f,
                    const struct dram_command *c);

#endif
