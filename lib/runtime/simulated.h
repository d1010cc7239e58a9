/* simulated.h - a board that is simulated, behind a pseudo-terminal.
 *
 * The simulation is a child process (scripts/board_sim.sh) that has the board's
 * top, serial pins and all, and is told in lines what comes on them
 * (verilator-tb/board/).  Between it and a pseudo-terminal bytes are passed
 * both ways, with time standing still for nobody: whoever opens the terminal
 * cannot tell it from a board, but for its speed and its clock (line_clock.h).  The line between may be a
 * bad one.
 */
#ifndef NDP_RUNTIME_SIMULATED_H
#define NDP_RUNTIME_SIMULATED_H

#include "base/text.h"
#include "port.h"

#include <stdbool.h>
#include <stdint.h>

/* What the line does to bytes, of both directions: one in so many, at random,
 * is lost, comes twice, or has a bit flipped; 0: none. */
struct line_noise {
    uint64_t lost, twice, flipped;
    uint64_t seed;
    uint64_t unplug; /* hang up after so many bytes; 0: never */
};

struct simulated;

/* DIR/SIM/board is the program.  NULL: why says what is wrong. */
struct simulated *simulated_open(const char *sim, const char *dir,
                                 const struct line_noise *noise,
                                 struct text *why);
/* The terminal, "/dev/pts/5"; lives as long as s. */
const char *simulated_name(const struct simulated *s);
/* Pass bytes until stop (a file descriptor, -1: none) can be read or hangs up,
 * or the line is unplugged.  False: the simulation has ended, why says how. */
bool simulated_serve(struct simulated *s, int stop, struct text *why);
/* Bytes that the line has altered. */
uint64_t simulated_errors(const struct simulated *s);
void simulated_close(struct simulated *s);

/* The same served by a process of its own, as a port over its terminal
 * (ndp_serial_open).  NULL: why says what is wrong. */
struct ndp_port *ndp_simulated_open(const char *sim, const char *dir,
                                    struct text *why);

#endif
