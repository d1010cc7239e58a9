/* sass.c - SASS opcodes by class.
 *
 * Memory instructions are listed by name; of the others the first that fits
 * decides, and what fits nothing is integer arithmetic, the most frequent.
 */
#include "sass.h"

#include <string.h>

static const struct {
    const char *name;
    struct sass_kind kind;
} memory[] = {
    {"LD", {OPC_ld_global, PTX_SPACE_NONE, STREAM_LOAD}},
    {"LDG", {OPC_ld_global, PTX_SPACE_GLOBAL, STREAM_LOAD}},
    {"LDL", {OPC_ld_global, PTX_SPACE_LOCAL, STREAM_LOAD}},
    {"LDS", {OPC_ld_shared, PTX_SPACE_SHARED, STREAM_LOAD}},
    {"LDSM", {OPC_ld_shared, PTX_SPACE_SHARED, STREAM_LOAD}},
    {"LDC", {OPC_ld_const, PTX_SPACE_CONST, STREAM_LOAD}},
    {"LDCU", {OPC_ld_const, PTX_SPACE_CONST, STREAM_LOAD}},
    {"ULDC", {OPC_ld_const, PTX_SPACE_CONST, STREAM_LOAD}},
    {"LDGSTS", {OPC_ld_global, PTX_SPACE_GLOBAL, STREAM_LOAD}},
    {"ST", {OPC_st_global, PTX_SPACE_NONE, STREAM_STORE}},
    {"STG", {OPC_st_global, PTX_SPACE_GLOBAL, STREAM_STORE}},
    {"STL", {OPC_st_global, PTX_SPACE_LOCAL, STREAM_STORE}},
    {"STS", {OPC_st_shared, PTX_SPACE_SHARED, STREAM_STORE}},
    {"ATOM", {OPC_atomic, PTX_SPACE_NONE, STREAM_ATOMIC}},
    {"ATOMG", {OPC_atomic, PTX_SPACE_GLOBAL, STREAM_ATOMIC}},
    {"ATOMS", {OPC_atomic, PTX_SPACE_SHARED, STREAM_ATOMIC}},
    {"RED", {OPC_atomic, PTX_SPACE_GLOBAL, STREAM_ATOMIC}},
    {"REDG", {OPC_atomic, PTX_SPACE_GLOBAL, STREAM_ATOMIC}},
    {"TEX", {OPC_texture, PTX_SPACE_TEX, STREAM_LOAD}},
    {"TLD", {OPC_texture, PTX_SPACE_TEX, STREAM_LOAD}},
    {"TLD4", {OPC_texture, PTX_SPACE_TEX, STREAM_LOAD}},
    {"SULD", {OPC_texture, PTX_SPACE_TEX, STREAM_LOAD}},
    {"SUST", {OPC_texture, PTX_SPACE_TEX, STREAM_STORE}},
};

static const struct {
    const char *prefix;
    enum opclass opc;
} others[] = {
    {"ISETP", OPC_setp},       {"FSETP", OPC_setp},
    {"DSETP", OPC_setp},       {"HSETP", OPC_setp},
    {"PSETP", OPC_setp},       {"PLOP3", OPC_setp},
    {"UISETP", OPC_setp},      {"UPLOP3", OPC_setp},
    {"FCHK", OPC_setp},        {"P2R", OPC_mov},
    {"R2P", OPC_setp},         {"BRA", OPC_branch},
    {"BRX", OPC_branch},       {"JMP", OPC_branch},
    {"JMX", OPC_branch},       {"EXIT", OPC_branch},
    {"RET", OPC_branch},       {"BSSY", OPC_branch},
    {"BSYNC", OPC_branch},     {"BREAK", OPC_branch},
    {"BMOV", OPC_branch},      {"SSY", OPC_branch},
    {"SYNC", OPC_branch},      {"PBK", OPC_branch},
    {"BRK", OPC_branch},       {"KILL", OPC_branch},
    {"NANOSLEEP", OPC_branch}, {"YIELD", OPC_branch},
    {"CALL", OPC_call},        {"CAL", OPC_call},
    {"BAR", OPC_barrier},      {"WARPSYNC", OPC_barrier},
    {"DEPBAR", OPC_barrier},   {"LDGDEPBAR", OPC_barrier},
    {"MEMBAR", OPC_fence},     {"ERRBAR", OPC_fence},
    {"CCTL", OPC_fence},       {"FENCE", OPC_fence},
    {"SHFL", OPC_shfl},        {"VOTE", OPC_vote},
    {"MATCH", OPC_vote},       {"REDUX", OPC_vote},
    {"MUFU", OPC_sfu},         {"F2I", OPC_cvt},
    {"I2F", OPC_cvt},          {"F2F", OPC_cvt},
    {"I2I", OPC_cvt},          {"FRND", OPC_cvt},
    {"F2FP", OPC_cvt},         {"MOV", OPC_mov},
    {"UMOV", OPC_mov},         {"SEL", OPC_mov},
    {"USEL", OPC_mov},         {"FSEL", OPC_mov},
    {"S2R", OPC_mov},          {"S2UR", OPC_mov},
    {"CS2R", OPC_mov},         {"R2UR", OPC_mov},
    {"FADD", OPC_fp},          {"FMUL", OPC_fp},
    {"FFMA", OPC_fp},          {"FMNMX", OPC_fp},
    {"FSWZADD", OPC_fp},       {"DADD", OPC_fp},
    {"DMUL", OPC_fp},          {"DFMA", OPC_fp},
    {"DMNMX", OPC_fp},         {"HADD", OPC_fp},
    {"HMUL", OPC_fp},          {"HFMA", OPC_fp},
    {"HMNMX", OPC_fp},         {"HMMA", OPC_fp},
    {"IMMA", OPC_int},         {"FSET", OPC_fp},
    {"DMMA", OPC_fp},
};

struct sass_kind sass_kind_of(const char *opcode) {
    size_t n = strcspn(opcode, ".");
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (strlen(memory[i].name) == n &&
            memcmp(memory[i].name, opcode, n) == 0)
            return memory[i].kind;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(opcode, others[i].prefix, strlen(others[i].prefix)) == 0)
            return (struct sass_kind){others[i].opc, PTX_SPACE_NONE,
                                      STREAM_NO_ACCESS};
    return (struct sass_kind){OPC_int, PTX_SPACE_NONE, STREAM_NO_ACCESS};
}
