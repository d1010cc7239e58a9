/* port.h - how libndp reaches a machine: accesses of its register port. */
#ifndef NDP_RUNTIME_PORT_H
#define NDP_RUNTIME_PORT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum ndp_access_kind {
    NDP_READ,  /* data: what was read */
    NDP_WRITE, /* the whole word */
    NDP_IDLE   /* data: so many edges without an access */
};

struct ndp_access {
    enum ndp_access_kind kind;
    uint32_t address; /* of a word */
    uint32_t data;
};

struct ndp_port;

struct ndp_port_class {
    /* Carry them out in order.  False: the machine is lost, why says how. */
    bool (*run)(struct ndp_port *p, struct ndp_access *list, int n,
                struct text *why);
    void (*close)(struct ndp_port *p);
};

struct ndp_port {
    const struct ndp_port_class *class;
};

/* A child process that has the machine: argv[0] is its program, NULL ends.  It
 * reads lines "w ADDRESS DATA", "r ADDRESS" and "i EDGES", numbers in hex, and
 * answers each r with a line of the value.  NULL: why says what is wrong. */
struct ndp_port *ndp_pipe_open(char *const argv[], struct text *why);

#endif
