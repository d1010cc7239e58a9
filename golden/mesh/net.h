/* net.h - a mesh of routers and network interfaces, for whoever wants a
 * network: simulators, figures, benches.
 *
 * Equal to the golden model of the system `mesh`, cycle for cycle, and faster:
 * routers and interfaces that rest are passed over, and what is on a link is
 * handed on by its address.
 *
 * Between two edges the nodes look and ask, in any order; then comes the edge:
 *
 *     if (net_can_send(n, node, class))
 *         net_send(n, node, class, &flit);
 *     if ((f = net_taken(n, node, class)) && there is room)
 *         net_take(n, node, class);
 *     net_edge(n);
 */
#ifndef NDP_GOLDEN_NET_H
#define NDP_GOLDEN_NET_H

#include "config/config.h"
#include "router/switch.h"

struct net; /* owned by the caller, freed by net_free */

/* c must satisfy the checks of mesh. */
struct net *net_create(const struct config *c);
void net_free(struct net *n); /* NULL is allowed */

int net_nodes(const struct net *n);

/* Whether a flit can be sent on the next edge; send it.  flit: data, last,
 * where it goes (x, y) and in vc the order of dimensions (enum noc_order),
 * which all flits of a packet share.  It is read at the edge and must last
 * until then. */
bool net_can_send(const struct net *n, int node, int class);
void net_send(struct net *n, int node, int class, const struct flit *flit);

/* The flit that has come for the node, NULL if there is none: valid until the
 * edge; take it on the next edge.  side and vc mean nothing. */
const struct flit *net_taken(const struct net *n, int node, int class);
void net_take(struct net *n, int node, int class);

/* One clock edge. */
void net_edge(struct net *n);

/* Flits that have gone out of that side of the node's router. */
uint64_t net_load(const struct net *n, int node, enum noc_side side);

#endif
