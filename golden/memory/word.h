/* word.h - what an atomic makes of a word (docs/blocks/memory.md, Requests). */
#ifndef NDP_GOLDEN_MEMORY_WORD_H
#define NDP_GOLDEN_MEMORY_WORD_H

#include <stdint.h>

/* op: 2 add to 11 cas; a greater one is taken for cas. */
static inline uint32_t memory_word(int op, uint32_t old, uint32_t data,
                                   uint32_t compare) {
    switch (op) {
    case 2:
        return old + data;
    case 3:
        return (int32_t)old < (int32_t)data ? old : data;
    case 4:
        return (int32_t)old > (int32_t)data ? old : data;
    case 5:
        return old < data ? old : data;
    case 6:
        return old > data ? old : data;
    case 7:
        return old & data;
    case 8:
        return old | data;
    case 9:
        return old ^ data;
    case 10:
        return data;
    default:
        return old == compare ? data : old;
    }
}

#endif
