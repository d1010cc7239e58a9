/* sm.h - what joins the parts of a streaming multiprocessor (lib/shared/sm.def).
 * For CONNECT of a system (iface/system.h). */
#ifndef NDP_SM_H
#define NDP_SM_H

struct design;

/* The parts of SM number c, -1: there is one.  Commands and state of its core, and
 * "req" and "back" of its cache, are left to the system. */
void sm_links(struct design *d, int c);

#endif
