/* packet.h - a packet as software writes it (docs/blocks/nda_window.md): its
 * words, in the order of the registers, of an operation as the launch has it.
 */
#ifndef NDP_NDA_WINDOW_PACKET_H
#define NDP_NDA_WINDOW_PACKET_H

#include "base/bits.h"
#include "blocks/nda_launch.h"
#include "blocks/nda_window.h"

enum { PACKET_WORDS = NDA_WINDOW_N_SETTINGS, PACKET_BURST = 64 };

/* All operands lie in the operation's ranks. */
static inline void packet_words(const struct nda_launch_in *op, int spot_w,
                                uint32_t *word) {
    word[NDA_WINDOW_SET_what] = (uint32_t)(op->op_op | op->op_blocking << 4 |
                                           op->op_tag << 8 | op->op_rows << 16);
    word[NDA_WINDOW_SET_length] = (uint32_t)op->op_length * PACKET_BURST;
    word[NDA_WINDOW_SET_grain] = (uint32_t)op->op_grain * PACKET_BURST;
    word[NDA_WINDOW_SET_ranks] = (uint32_t)op->op_ranks * 0x1111;
    for (int k = 0; k < 4; k++) {
        uint64_t first = bits_get(op->op_base, k * spot_w, spot_w);
        uint64_t last = bits_get(op->op_last, k * spot_w, spot_w);
        word[NDA_WINDOW_SET_x + k] = (uint32_t)first * PACKET_BURST;
        word[NDA_WINDOW_SET_x_last + k] = (uint32_t)last * PACKET_BURST;
    }
    for (int i = 0; i < 3; i++)
        word[NDA_WINDOW_SET_a + i] = bits_lane(op->op_scalars, i);
}

#endif
