/* stacks.h - what joins main cores and memory stacks with cores of their own
 * (docs/blocks/stacks.md).  For CONNECT of a system (iface/system.h).
 *
 * Stack s is node s * width of the mesh, in column 0; the last node is the host's, a
 * main core is at each of the others.  Cores are numbered main cores first, by node. */
#ifndef NDP_STACKS_H
#define NDP_STACKS_H

#include "config/config.h"

struct design;

/* The stacks stand in column 0, one in each row.  False after errors in d. */
bool stacks_check(const struct config *c, struct diag *d);

/* The mesh with a "link" at each edge that leads to a stack or away from it: to the
 * stacks, from them, then down and up column 0; and what moves on the first two kinds
 * shown to each "controller". */
void stacks_mesh(struct design *d);

/* Main core number c with its "controller" and "broker". */
void stacks_main(struct design *d, int c);

/* Stack number s with its core and "jobs". */
void stacks_stack(struct design *d, int s);

#endif
