/* block_types.h - the C types of one block, from its .def.
 *
 * Included with BLOCK_DEF naming the file and BLOCK the block:
 *
 *     #define BLOCK nbu
 *     #define BLOCK_DEF "blocks/nbu.def"
 *     #include "blocks/block_types.h"
 *
 * gives struct nbu_in, struct nbu_out, enum nbu_cover, enum nbu_counter, enum
 * nbu_setting and struct nbu_local.  No include guard: once for each block.
 */
#include "blocks/def_clear.h"

#define BT_GLUE2(a, b) a##b
#define BT_GLUE(a, b) BT_GLUE2(a, b)

struct BT_GLUE(BLOCK, _in) {
#define IN(name, width, doc) uint64_t name;
#define WIDE_IN(name, width, maxbits, doc) uint64_t name[(maxbits) / 64];
#include "blocks/expand_all.h"
};

struct BT_GLUE(BLOCK, _out) {
#define OUT(name, width, doc) uint64_t name;
#define WIDE_OUT(name, width, maxbits, doc) uint64_t name[(maxbits) / 64];
#include "blocks/expand_all.h"
};

/* The derived sizes as numbers, for the golden model and the bench. */
struct BT_GLUE(BLOCK, _local) {
#define LOCAL(name, expr, doc) int name;
#include "blocks/expand_all.h"
};

#undef BT_GLUE
#undef BT_GLUE2
