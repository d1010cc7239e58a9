/* format.h - what a kernel prints: a format and its arguments in a device's
 * memory, to text. */
#ifndef NDP_RUNTIME_FORMAT_H
#define NDP_RUNTIME_FORMAT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* width bytes at an address, until the next call; NULL: there are none. */
typedef const void *ndp_lookup(void *ctx, uint64_t address, size_t width);

/* As printf of C.  arguments: one behind the other as vprintf of CUDA has them,
 * integers of 4 or 8 bytes and doubles, each at a multiple of its size.  False:
 * some memory is not there; out has what came before. */
bool ndp_format(struct text *out, uint64_t format, uint64_t arguments,
                ndp_lookup *lookup, void *ctx);

/* The next argument, its low bytes; as_double: bits of a double. */
typedef uint64_t ndp_next_argument(void *ctx, bool as_double);

/* The same with arguments that the caller has. */
bool ndp_format_with(struct text *out, uint64_t format, ndp_next_argument *next,
                     ndp_lookup *lookup, void *ctx);

#endif
