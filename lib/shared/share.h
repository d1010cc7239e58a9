/* share.h - what machines whose nodes share a memory have in common: cores
 * behind relays, and a host that reaches all memories through a window.  For
 * CONNECT of a system (iface/system.h). */
#ifndef NDP_SHARE_H
#define NDP_SHARE_H

struct design;

/* "relay" 0 to n - 1 one behind the other, "host" before them, and the core of
 * that number of the group at each: commands, what the cores show, what is
 * counted of them.  What a core does not have is zero. */
void share_relays(struct design *d, const char *group, int n);

/* What "host" says of the shape of the cores, and of so many memories together. */
void share_shape(struct design *d, int memories);

/* Core number c, -1: there is one, and its "cache": requests, the start of a launch,
 * and membars, which invalidate all lines.  simt.chains is shown; nobody computes
 * chains. */
void share_cache(struct design *d, int c);

/* What is at node n behind its "remote": "home" and "memory", and its nic. */
void share_memory(struct design *d, int n);

/* "window" between "host" and the nic of a node, which takes no requests. */
void share_window(struct design *d, int node);

/* Nobody is at the nic of a node. */
void share_nobody(struct design *d, int node);

#endif
