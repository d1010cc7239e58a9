/* types.h - the C types of one declaration, from its .def.
 *
 * Included with DECL naming it, DECL_UPPER the same in upper case, DECL_DEF its
 * file, and DECL_IS_UNIT defined for a unit; scripts/blocks.sh writes that as
 * blocks/<name>.h:
 *
 *     #define DECL nbu
 *     #define DECL_UPPER NBU
 *     #define DECL_DEF "blocks/nbu.def"
 *     #include "iface/types.h"
 *
 * gives struct nbu_in, struct nbu_out, struct nbu_local, struct
 * nbu_<record>_fields, enum nbu_<codes>, the enumerations NBU_SET_<setting>,
 * NBU_CNT_<counter>, NBU_STA_<status>, NBU_COM_<command>, NBU_COV_<cover>,
 * NBU_REC_<record> and NBU_<instance> with
 * their numbers NBU_N_SETTINGS, NBU_N_COUNTERS, NBU_N_COVERS, NBU_N_RECORDS and
 * NBU_N_INSTANCES, and declares nbu_local() and nbu_iface.  Forgets its
 * arguments; no include guard: once a declaration.
 */
#include "decl/clear.h"
#include "decl/glue.h"

struct DECL_GLUE(DECL, _in) {
#define IN(name, width, doc) uint64_t name;
#define WIDE_IN(name, width, maxbits, doc) uint64_t name[((maxbits) + 63) / 64];
#include "decl/expand_all.h"
};

struct DECL_GLUE(DECL, _out) {
#define OUT(name, width, doc) uint64_t name;
#define WIDE_OUT(name, width, maxbits, doc)                                    \
    uint64_t name[((maxbits) + 63) / 64];
#include "decl/expand_all.h"
};

/* The derived sizes as numbers, for the golden model and the bench. */
struct DECL_GLUE(DECL, _local) {
#define LOCAL(name, expr, doc) int name;
#include "decl/expand_all.h"
};

#define FIELD(name, width, doc) uint64_t name;
#define WIDE_FIELD(name, width, maxbits, doc)                                  \
    uint64_t name[((maxbits) + 63) / 64];
#define RECORD(name, doc, ...)                                                 \
    struct DECL_GLUE(DECL, _##name##_fields) {                                 \
        __VA_ARGS__                                                            \
    };
#include "decl/expand.h"

#define CODE(name, doc) DECL_GLUE(DECL_UPPER, _##name),
#define CODES(name, doc, ...) enum DECL_GLUE(DECL, _##name) { __VA_ARGS__ };
#include "decl/expand.h"

enum DECL_GLUE(DECL, _setting) {
#define SETTING(name, width, reset, doc) DECL_GLUE(DECL_UPPER, _SET_##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_SETTINGS)
};

enum DECL_GLUE(DECL, _counter) {
#define COUNTER(name, doc) DECL_GLUE(DECL_UPPER, _CNT_##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_COUNTERS)
};

enum DECL_GLUE(DECL, _status) {
#define STATUS(name, width, doc) DECL_GLUE(DECL_UPPER, _STA_##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_STATUSES)
};

enum DECL_GLUE(DECL, _command) {
#define COMMAND(name, width, doc) DECL_GLUE(DECL_UPPER, _COM_##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_COMMANDS)
};

enum DECL_GLUE(DECL, _cover) {
#define COVER(name, doc) DECL_GLUE(DECL_UPPER, _COV_##name),
#define COVER_OF(part, name) DECL_GLUE(DECL_UPPER, _COV_##part##_##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_COVERS)
};

enum DECL_GLUE(DECL, _record) {
#define RECORD(name, doc, ...) DECL_GLUE(DECL_UPPER, _REC_##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_RECORDS)
};

enum DECL_GLUE(DECL, _instance) {
#define INSTANCE(name, block, doc) DECL_GLUE(DECL_UPPER, _##name),
#define INSTANCES(name, block, number, doc) DECL_GLUE(DECL_UPPER, _##name),
#include "decl/expand.h"
    DECL_GLUE(DECL_UPPER, _N_INSTANCES)
};

/* Evaluate the derived sizes for a configuration. */
struct DECL_GLUE(DECL, _local) DECL_GLUE(DECL, _local)(const struct config *c);

extern const struct iface DECL_GLUE(DECL, _iface);

#undef DECL
#undef DECL_UPPER
#undef DECL_DEF
#undef DECL_IS_UNIT
