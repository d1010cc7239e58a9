/* block_types.h - the C types of one block, from its .def.
 *
 * Included with BLOCK_DEF naming the file and BLOCK the block:
 *
 *     #define BLOCK nbu
 *     #define BLOCK_UPPER NBU
 *     #define BLOCK_DEF "blocks/nbu.def"
 *     #include "block_types.h"
 *
 * gives struct nbu_in, struct nbu_out, struct nbu_local, the enumerations
 * NBU_SET_<setting>, NBU_CNT_<counter> and NBU_COV_<cover> with their numbers
 * NBU_N_SETTINGS, NBU_N_COUNTERS and NBU_N_COVERS, and declares nbu_local() and
 * nbu_iface.  Forgets its three arguments; no include guard: once a block.
 */
#include "def_clear.h"

#define BT_GLUE2(a, b) a##b
#define BT_GLUE(a, b) BT_GLUE2(a, b)

struct BT_GLUE(BLOCK, _in) {
#define IN(name, width, doc) uint64_t name;
#define WIDE_IN(name, width, maxbits, doc) uint64_t name[(maxbits) / 64];
#include "expand_all.h"
};

struct BT_GLUE(BLOCK, _out) {
#define OUT(name, width, doc) uint64_t name;
#define WIDE_OUT(name, width, maxbits, doc) uint64_t name[(maxbits) / 64];
#include "expand_all.h"
};

/* The derived sizes as numbers, for the golden model and the bench. */
struct BT_GLUE(BLOCK, _local) {
#define LOCAL(name, expr, doc) int name;
#include "expand_all.h"
};

enum BT_GLUE(BLOCK, _setting) {
#define SETTING(name, width, reset, doc) BT_GLUE(BLOCK_UPPER, _SET_##name),
#include "expand.h"
    BT_GLUE(BLOCK_UPPER, _N_SETTINGS)
};

enum BT_GLUE(BLOCK, _counter) {
#define COUNTER(name, doc) BT_GLUE(BLOCK_UPPER, _CNT_##name),
#include "expand.h"
    BT_GLUE(BLOCK_UPPER, _N_COUNTERS)
};

enum BT_GLUE(BLOCK, _cover) {
#define COVER(name, doc) BT_GLUE(BLOCK_UPPER, _COV_##name),
#include "expand.h"
    BT_GLUE(BLOCK_UPPER, _N_COVERS)
};

/* Evaluate the derived sizes for a configuration. */
struct BT_GLUE(BLOCK, _local) BT_GLUE(BLOCK, _local)(const struct config *c);

extern const struct iface BT_GLUE(BLOCK, _iface);

#undef BT_GLUE
#undef BT_GLUE2
#undef BLOCK
#undef BLOCK_UPPER
#undef BLOCK_DEF
