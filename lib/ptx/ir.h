/* ir.h - a PTX module in memory: what the reader makes and everyone else reads.
 *
 * Everything belongs to the arena that was given to ptx_read and lives until
 * that is freed.  Nothing is changed after reading.  Registers, instructions,
 * blocks and loops are named by their index in the function's arrays; the index
 * of an instruction is its pc.
 */
#ifndef NDP_PTX_IR_H
#define NDP_PTX_IR_H

#include "base/diag.h"
#include "iface/opclass.h"

#include <stdbool.h>
#include <stdint.h>

enum ptx_type {
    PTX_TYPE_NONE,
#define PTX_TYPE(id, text, bits, kind) PTX_##id,
#include "types.def"
    PTX_N_TYPES
};

enum ptx_opcode {
    PTX_OP_UNKNOWN,
#define PTX_OP(id, text, class, dst, min, max) PTX_OP_##id,
#include "opcodes.def"
    PTX_N_OPS
};

enum ptx_modifier {
    PTX_MOD_NONE,
#define PTX_MOD(id, text, group) PTX_MOD_##id,
#include "modifiers.def"
    PTX_MOD_SHAPE, /* .m16n8k16, .16x256b, .kind::f16 and their like */
    PTX_MOD_OTHER, /* not known */
    PTX_N_MODS
};

enum ptx_modifier_group {
    PTX_GROUP_NONE,
    PTX_GROUP_SPACE,
    PTX_GROUP_ROUND,
    PTX_GROUP_COMPARE,
    PTX_GROUP_OPERATION,
    PTX_GROUP_FLAG,
    PTX_GROUP_VECTOR,
    PTX_GROUP_CACHE,
    PTX_GROUP_HINT,
    PTX_GROUP_ORDER,
    PTX_GROUP_SCOPE,
    PTX_GROUP_GEOMETRY,
    PTX_GROUP_BOUNDS,
    PTX_GROUP_QUERY,
    PTX_GROUP_LAYOUT
};

enum ptx_special {
    PTX_SPECIAL_NONE,
#define PTX_SPECIAL(id, text, bits, vector) PTX_SREG_##id,
#include "specials.def"
    PTX_N_SPECIALS
};

enum ptx_space {
    PTX_SPACE_NONE, /* generic, or not a memory access */
    PTX_SPACE_REG,
    PTX_SPACE_CONST,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_LOCAL,
    PTX_SPACE_PARAM,
    PTX_SPACE_SHARED,
    PTX_SPACE_TEX /* module-level .tex of PTX 1.x */
};

/* What a register occupies in the hardware. */
enum ptx_kind { PTX_ROW, PTX_PAIR, PTX_PRED_KIND, PTX_QUAD };

struct ptx_register {
    const char *name; /* unique in the function: a second %t is "%t#2" */
    int index;        /* in ptx_function.registers */
    enum ptx_type type;
    int vector; /* 1; 2 or 4 for a register declared .v2 or .v4 */
    enum ptx_kind kind;
    int line; /* of the declaration */
};

/* A value known while reading. */
enum ptx_value_kind { PTX_VALUE_INT, PTX_VALUE_F32, PTX_VALUE_F64 };

struct ptx_value {
    enum ptx_value_kind kind;
    uint64_t bits; /* two's complement, or IEEE-754 of the kind's width */
    bool is_unsigned;
};

/* One element of an initialiser: a number, or an address. */
struct ptx_init {
    int64_t element;        /* index in the flattened array */
    const char *symbol;     /* NULL: value alone */
    bool generic;           /* generic(symbol) */
    uint64_t mask;          /* mask(symbol): selected bits; 0 none */
    struct ptx_value value; /* number, or offset from symbol */
};

enum ptx_linkage {
    PTX_LINK_NONE,
    PTX_LINK_VISIBLE,
    PTX_LINK_EXTERN,
    PTX_LINK_WEAK,
    PTX_LINK_COMMON
};

/* A variable in memory, a parameter, or a parameter of register type. */
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_linkage linkage;
    enum ptx_type type;
    int vector;       /* elements of .v2, .v4; else 1 */
    int bank;         /* of .const[n]; else 0 */
    int64_t align;    /* bytes, 0: natural */
    int64_t elements; /* 1 for a scalar; 0: size not given */
    bool is_array;
    bool is_pointer;          /* .ptr */
    enum ptx_space ptr_space; /* of .ptr */
    int64_t ptr_align;
    const struct ptx_init *init;
    int n_init;
    int line, column;
};

/* Bytes that a variable takes; 0 when its size is not given. */
int64_t ptx_variable_size(const struct ptx_variable *v);

struct ptx_function;

enum ptx_operand_kind {
    PTX_OPND_SINK,     /* _ */
    PTX_OPND_REGISTER, /* reg; second: q of p|q */
    PTX_OPND_VALUE,    /* value */
    PTX_OPND_SPECIAL,  /* special, with suffix "x", number */
    PTX_OPND_VARIABLE, /* variable + offset, as an address or a texture */
    PTX_OPND_FUNCTION, /* function */
    PTX_OPND_LABEL,    /* pc; also of .branchtargets and .callprototype */
    PTX_OPND_NAME,     /* identifier that the reader could not resolve */
    PTX_OPND_ADDRESS,  /* [items[0] + offset], further items: coordinates */
    PTX_OPND_VECTOR,   /* {items} */
    PTX_OPND_LIST      /* (items) of a call */
};

struct ptx_table;

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;       /* !p, -a */
    const char *suffix; /* component or lane selector, without dot; or NULL */
    const char *name;   /* as written, of named kinds */
    int line, column;
    int n_items;
    struct ptx_operand **items;
    const struct ptx_register *reg;
    const struct ptx_register *second;
    enum ptx_special special;
    int number; /* of %envreg3, %pm5 */
    struct ptx_value value;
    int64_t offset;
    const struct ptx_variable *variable;
    struct ptx_function *function;
    int pc;                        /* LABEL: of the instruction it stands at */
    const struct ptx_table *table; /* LABEL of a directive below; else NULL */
};

enum ptx_table_kind { PTX_BRANCHTARGETS, PTX_CALLTARGETS, PTX_CALLPROTOTYPE };

/* name: .branchtargets L1, L2; and its two relatives. */
struct ptx_table {
    enum ptx_table_kind kind;
    const char *name;
    int line, column;
    int n_targets;
    struct ptx_operand **targets; /* labels or functions */
    struct ptx_function *prototype;
};

/* Opcode with all its modifiers: shared by all instructions that write it. */
struct ptx_form {
    const char *text; /* "ld.global.f32" */
    enum ptx_opcode op;
    enum opclass opc;
    int n_dst, min, max; /* operands, as in opcodes.def */
    enum ptx_space space;
    int vector; /* elements of .v2, .v4, .v8; else 1 */
    int n_types;
    enum ptx_type types[4]; /* in order: destination first */
    int n_modifiers;
    const uint16_t *modifiers; /* enum ptx_modifier, in order, types apart */
    const char *unknown;       /* the part that is not known, or NULL */
};

struct ptx_instruction {
    const struct ptx_form *form;
    int line, column;
    const struct ptx_register *guard; /* NULL: always */
    bool guard_negated;
    bool unsupported; /* listed in ptx_function.unsupported */
    /* Not in the text: the sum of a plain operand 'register + constant' of the
     * next instruction, which has the same line and column. */
    bool added;
    int n_operands;
    int n_dst; /* leading operands that are written */
    struct ptx_operand **operands;
    /* Register indices, each once, in order of appearance.  uses includes
     * address registers and the guard. */
    int n_defs, n_uses;
    int n_sources; /* leading uses that are operands: guard not counted */
    const int *defs, *uses;
};

struct ptx_label {
    const char *name;
    int pc;
    int line;
};

/* A directive or an attribute that is not known and was passed over. */
struct ptx_passed {
    const char *word; /* with its dot */
    int line, column;
};

struct ptx_unsupported {
    const char *opcode; /* whole text as written */
    int pc;
    int line, column;
};

struct ptx_function {
    const char *name;
    bool is_entry;
    bool has_body;
    bool noreturn;
    enum ptx_linkage linkage;
    int line, column; /* of .entry or .func */
    int end_line;
    int n_params, n_returns;
    struct ptx_variable *params, *returns;
    const struct ptx_register **return_registers; /* of .reg returns */
    int n_return_registers;
    int maxntid[3], reqntid[3]; /* 0: not given */
    int minnctapersm, maxnreg;
    int n_variables; /* .shared, .local, .param of the body */
    struct ptx_variable **variables;
    /* Registers that some instruction names, by first appearance. */
    int n_registers;
    struct ptx_register **registers;
    int n_instructions;
    struct ptx_instruction *instructions;
    int n_labels;
    struct ptx_label *labels;
    int n_unsupported;
    struct ptx_unsupported *unsupported;
};

struct ptx_module {
    const struct source *source;
    const char *version; /* "7.7"; NULL when missing */
    const char *target;  /* "sm_52, debug" */
    int address_size;    /* 32 or 64 */
    int n_variables;
    struct ptx_variable **variables;
    int n_functions; /* in order; a prototype and its body are one */
    struct ptx_function **functions;
    int n_passed;
    struct ptx_passed *passed;
};

/* Names and sizes, out of the .def files. */
const char *ptx_type_text(enum ptx_type t);
int ptx_type_bits(enum ptx_type t);
char ptx_type_kind(enum ptx_type t); /* b u s f p o */
enum ptx_type ptx_type_find(const char *text, size_t len);
const char *ptx_space_text(enum ptx_space s);
const char *ptx_special_text(enum ptx_special s);
const char *ptx_modifier_text(enum ptx_modifier m);

/* First modifier of a group in f, or PTX_MOD_NONE; whether f has m. */
enum ptx_modifier ptx_modifier_of(const struct ptx_form *f,
                                  enum ptx_modifier_group g);
bool ptx_has(const struct ptx_form *f, enum ptx_modifier m);

#endif
