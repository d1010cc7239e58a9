/* handlers.h - what carries out each instruction, and how it is chosen.
 *
 * A select function looks at an instruction's opcode, types and modifiers and
 * returns its handler; NULL means that it has none, and then the next one is
 * asked.  It may set what, how and imm of the op, which the handler reads.
 * Where the operands go is said by the pattern of the opcode (decode.c).
 */
#ifndef NDP_EXEC_HANDLERS_H
#define NDP_EXEC_HANDLERS_H

#include "machine.h"

typedef exec_fn *select_fn(const struct ptx_form *f, struct op *op);

select_fn select_int;     /* exec_int.c: add, mul, min, and, shl, ... */
select_fn select_carry;   /* exec_carry.c: add.cc, madc, ... */
select_fn select_bits;    /* exec_bits.c: popc, bfe, prmt, lop3, dp4a, ... */
select_fn select_float;   /* exec_float.c: f32, f64 arithmetic */
select_fn select_special; /* exec_special.c: ex2, sin, rsqrt, ... */
select_fn select_half;    /* exec_half.c: f16, f16x2, bf16, bf16x2 */
select_fn select_compare; /* exec_compare.c: setp, set, selp, slct, testp */
select_fn select_cvt;     /* exec_cvt.c */
select_fn select_move;    /* exec_move.c: mov, cvta, isspacep */
select_fn select_warp;    /* exec_warp.c: vote, shfl, match, redux */

exec_fn exec_nop, exec_bra, exec_brx, exec_call, exec_ret, exec_exit;
exec_fn exec_extern, exec_printf;
exec_fn exec_barrier, exec_warp_barrier;
exec_fn exec_pack, exec_unpack;

/* exec_mem.c, exec_atom.c: op is complete but for fn. */
exec_fn *select_load(struct op *op, bool wide, bool sign);
exec_fn *select_store(const struct op *op, bool wide);
exec_fn *select_param_load(struct op *op, bool wide, bool sign);
exec_fn *select_atom(const struct ptx_form *f, struct op *op);
enum { ADDRESS_NARROW = 1 }; /* op->how of memory ops: 32-bit addresses */

/* Host memory behind an address for one lane: width bytes at w's lane.  NULL
 * after a fault.  what: "4-byte load". */
uint8_t *lane_memory(struct warp *w, const struct op *op, int lane,
                     uint64_t address, uint64_t width, bool write);

/* Whether an access to that address is one to shared memory. */
bool is_shared(const struct op *op, uint64_t address);
void lane_addresses(struct warp *w, const struct op *op);

bool sync_lanes(struct warp *w, const struct op *op);

/* exec_fixed.c: runs op->more's fixups around op->more->inner. */
exec_fn exec_fixed;

#endif
