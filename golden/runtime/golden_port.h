/* golden_port.h - the golden machine as a device of libndp. */
#ifndef NDP_GOLDEN_PORT_H
#define NDP_GOLDEN_PORT_H

#include "iface/iface.h"
#include "runtime/port.h"

/* what: a preset, or the path of a configuration that ends in ".yml"; behind it
 * ",KEY=VALUE" for each parameter that is to be another.  NULL: why says what
 * is wrong. */
struct ndp_port *golden_port_open(const char *what, struct text *why);

/* Whether its machine has several `simt` cores, which share a launch. */
bool golden_port_shares(const struct config *c);

/* Its target: one of these; `mpu_core`, `mpu_mesh`, `banked` or `cached` if the
 * configuration keeps all rules of that machine, which no other one's does; or
 * else `system`. */
const struct iface *golden_port_iface(const struct config *c);

/* Edges from one refresh of its memory to the next, 0: it has none. */
uint32_t golden_port_refresh(const struct config *c);

/* The machine of a configuration that iface_check has found good. */
struct ndp_port *golden_port_make(const struct config *c);

/* Who looks at such a machine after each edge: the inputs that it took, and
 * outputs of all parts, as iface/system.h lays them out.  False: nothing is under way, and a pause of
 * the host may end before its time, once a command has reached every part. */
struct golden_port_looker {
    bool (*look)(void *ctx, const void *inputs, const void *outputs);
    void *ctx;
};

/* l lives as long as the port. */
void golden_port_look(struct ndp_port *p, const struct golden_port_looker *l);
const struct design *golden_port_design(const struct ndp_port *p);

/* The configuration that what describes.  False: why says what is wrong. */
bool golden_port_config(const char *what, struct config *c, struct text *why);

/* Hash of the machine that what describes.  False: why says what is wrong. */
bool golden_port_hash(const char *what, uint64_t *hash, struct text *why);

#endif
