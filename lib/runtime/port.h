/* port.h - how libndp reaches a machine: accesses of its register port. */
#ifndef NDP_RUNTIME_PORT_H
#define NDP_RUNTIME_PORT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum ndp_access_kind {
    NDP_READ,   /* data: what was read */
    NDP_WRITE,  /* the whole word */
    NDP_IDLE,   /* data: so many edges without an access */
    NDP_UNKNOWN /* a read has become that: some bits of data are not known, 0 */
};

struct ndp_access {
    enum ndp_access_kind kind;
    uint32_t address; /* of a word */
    uint32_t data;
};

/* A pass that retired: simt's retirement port (docs/blocks/simt.md). */
struct ndp_retired {
    uint64_t edge; /* so many edges after watch; this edge shows it */
    uint32_t warp, pc, pass;
    int kind; /* 0 no result, 1 register, 2 predicate */
    uint32_t mask, d;
    const uint32_t *values; /* one a lane that computes at a time */
};

/* Who wants to know.  Of a core whose instructions end in any order the port
 * tells which warps start, with the threads' places, which instructions enter,
 * with their lanes before the guard, and which are done, and on which die,
 * instead of passes. */
struct ndp_watcher {
    void (*retired)(void *ctx, const struct ndp_retired *r);
    void (*started)(void *ctx, uint64_t edge, uint32_t warp, uint32_t mask,
                    const uint32_t *lanes);
    void (*entered)(void *ctx, uint32_t warp, uint32_t pc, uint32_t mask);
    void (*done)(void *ctx, uint64_t edge, uint32_t warp, uint32_t pc,
                 bool near);
    void *ctx;
    int core; /* of a machine of several, whose passes these are */
};

struct ndp_port;

struct ndp_port_class {
    /* Carry them out in order.  False: the machine is lost, why says how. */
    bool (*run)(struct ndp_port *p, struct ndp_access *list, int n,
                struct text *why);
    /* From now on run tells what retires, before it returns the answer of an
     * access that comes later.  w lives as long as the port, or until the next
     * watch; NULL: no more.  A port that cannot has none. */
    bool (*watch)(struct ndp_port *p, const struct ndp_watcher *w,
                  struct text *why);
    void (*close)(struct ndp_port *p);
    /* Read or write words of memory from byte address at on, at once and beside
     * the register port, while nothing runs.  The machine is then as if they
     * had gone through the window, once those do for which left (n of them, all
     * false before) is true.  NULL: there is no such way. */
    void (*copy)(struct ndp_port *p, bool write, uint32_t at, uint32_t *words,
                 size_t n, bool *left);
    /* What a register of the watched core holds on a die, a word a lane; of a
     * predicate, which is numbered behind the registers, a bit a lane in the
     * first.  Of ports that tell what is done; otherwise NULL. */
    void (*row)(struct ndp_port *p, bool near, uint32_t warp, uint32_t reg,
                uint32_t *lanes);
};

struct ndp_port {
    const struct ndp_port_class *class;
    bool line_failed; /* run was false because of the line to the machine, not
                         of the machine: opened anew, it may work */
    bool any_core;    /* watch is of any core of a machine of several */
    uint64_t edges;   /* that have passed since the machine's reset */
    uint32_t refresh; /* edges from one refresh of its memory to the next; 0: it
                         has none, or edges are not counted */
};

/* A child process that has the machine: argv[0] is its program, NULL ends.  It
 * reads lines "w ADDRESS DATA", "r ADDRESS" and "i EDGES", numbers in hex, and
 * answers each r with a line of the value, "?" before it if some of its bits
 * are not known (a 4-state simulation; they are 0).  After "t 1", and until "t
 * 0", each pass that retires is a line "t EDGE WARP PC PASS KIND MASK D
 * VALUES", in place among the answers; VALUES are hex digits, 8 a lane, the
 * highest lane first.  Any other line is the last of a child that gives up, and
 * says why. NULL: why says what is wrong. */
struct ndp_port *ndp_pipe_open(char *const argv[], struct text *why);

/* Milliseconds, of the first try to open; later ones take longer.  A simulated
 * board (line_clock.h) has times of its own. */
struct ndp_serial_times {
    int silence;  /* after which the bridge has forgotten half a command */
    int patience; /* for an answer */
};

/* A machine behind the bridge of docs/blocks/uartbone.md; what: TTY or TTY@BAUD
 * (default 1000000, which the boards of
 * this project have), a pseudo-terminal as well, where the rate means nothing.
 * The device is reset.  times NULL: those for a board.  The terminal is the
 * port's alone, and as before when it is closed.  A line on which a byte is
 * lost, doubled or changed ends run with false; no value of that list is given
 * out.  NULL: why says what is wrong. */
struct ndp_port *ndp_serial_open(const char *what,
                                 const struct ndp_serial_times *times,
                                 struct text *why);

#endif
