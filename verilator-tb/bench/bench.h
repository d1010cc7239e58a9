/* bench.h - lock-step of a golden block and its RTL.
 *
 * The bench is passive: a simulator adapter enters it once before and once
 * after every clock edge.  So one bench serves Verilator, where a C++ main
 * owns the loop, and Icarus, where the simulator does and VPI callbacks come in
 * here.  An adapter's loop is
 *
 *     in = bench_inputs(b, &rst);      drive rst and in, let the clock rise
 *     (fill bench_outputs(b) from the RTL, and bench_unknown(b) if 4-state)
 *     if (!bench_step(b)) stop         compares every bit of every output
 *
 * and then exits with bench_close(b): 0 equal, 1 a difference or a broken
 * property, 2 bad input.  in and out are the structs of blocks/<target>.h; of a
 * system those that iface/system.h describes, where the adapter drives the
 * ports and samples them and every output inside.
 */
#ifndef NDP_BENCH_H
#define NDP_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bench;
struct config;
struct design;
struct bench_block;

/* Reads the command line, which all simulators share.  NULL after an error was
 * printed or help was given; the exit status is then in *status.  blocks: the
 * table to look the target up in, ended by an entry without iface. */
struct bench *bench_open(const struct bench_block *blocks, int argc,
                         char **argv, int *status);

const struct design *bench_design(const struct bench *b);
const struct bench_block *bench_target(const struct bench *b);
uint64_t bench_seed(const struct bench *b);

/* Waveform to write and the cycle it starts at; NULL: none wanted. */
const char *bench_wave(const struct bench *b, uint64_t *from);

const void *bench_inputs(struct bench *b, bool *rst);
void *bench_outputs(struct bench *b);

/* Same shape as the outputs: a one for each bit that is X or Z.  An adapter
 * that asks for it fills it on every cycle. */
void *bench_unknown(struct bench *b);

bool bench_step(struct bench *b);

/* Prints the summary or the difference, frees b, gives the exit status. */
int bench_close(struct bench *b);

/* The table of all targets of the project (blocks.c). */
const struct bench_block *bench_blocks(void);

#ifdef __cplusplus
}
#endif

#endif
