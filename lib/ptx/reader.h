/* reader.h - state shared by the parse_*.c files; private to the reader. */
#ifndef NDP_PTX_READER_H
#define NDP_PTX_READER_H

#include "base/array.h"
#include "ir.h"
#include "lexer.h"
#include "names.h"

enum {
    READER_MAX_SCOPES = 256,        /* nested braces in a function */
    READER_MAX_NESTING = 200,       /* parentheses in an expression */
    READER_MAX_DIMS = 16,           /* of an array */
    READER_MAX_RANGE = 1 << 24,     /* registers of one %r<n> */
    READER_MAX_VARIABLES = 1 << 17, /* of all p<n> in memory */
    READER_SHOWN_NAME = 60          /* characters of a name in a message */
};

/* A name's printable part, for "%.*s". */
#define SHOWN(s, len)                                                          \
    ((len) > READER_SHOWN_NAME ? READER_SHOWN_NAME : (int)(len)), (s)

enum symbol_kind { SYM_REGISTER, SYM_RANGE, SYM_VARIABLE, SYM_FUNCTION };

struct symbol {
    enum symbol_kind kind;
    enum ptx_type type; /* REGISTER, RANGE */
    int vector;         /* REGISTER, RANGE */
    int64_t count;      /* RANGE */
    int id;             /* RANGE: key of its registers */
    int line, column;
    struct ptx_register *reg; /* REGISTER: made at its first use */
    struct ptx_variable *variable;
    struct ptx_function *function;
};

/* An operand whose name was not known when it was read. */
struct pending {
    struct ptx_operand *operand;
    bool lenient; /* no error when it stays unknown */
    bool label;   /* nothing but a label will do */
};

/* A name in an initialiser, checked when the module is complete. */
struct pending_init {
    const char *name;
    int line, column;
};

/* Registers of ranges: (range id, number) to register, open addressing. */
struct range_slot {
    int id;
    int number;
    struct ptx_register *reg;
};

struct reader {
    struct arena *arena;
    struct diag *diag;
    struct lexer lex;
    struct ptx_module *module;
    struct name_map names; /* struct symbol */
    struct name_map forms; /* struct ptx_form, by text */
    struct text *opcode;   /* opcode being assembled */
    bool seen_version;
    int n_ranges;

    /* the function being read */
    struct ptx_function *fn;
    struct name_map labels; /* struct ptx_label_def */
    struct name_map uses;   /* register name to how often it was made */
    struct range_slot *slots;
    int n_slots, slots_used;
    ARRAY(int) stamps; /* by register: last instruction that listed it */
    int stamp;
    /* what its body has so far */
    ARRAY(struct ptx_instruction) instructions;
    ARRAY(struct ptx_register *) registers;
    ARRAY(struct ptx_variable *) locals;
    ARRAY(struct ptx_label) label_list;
    ARRAY(struct ptx_unsupported) unsupported;
    ARRAY(struct pending) pending;
    ARRAY(int) pending_marks; /* pending.n at the opening of each scope */

    /* of what is being read */
    ARRAY(struct ptx_operand *) list; /* a stack: lists nest */
    ARRAY(int) indices;               /* defs and uses of one instruction */
    ARRAY(struct ptx_init) init_list;

    /* of the module */
    ARRAY(struct pending_init) inits;
    ARRAY(struct ptx_variable *) globals;
    ARRAY(struct ptx_function *) functions;
    ARRAY(struct ptx_passed) passed;
    const char *passed_to; /* the last of these; a header is read twice */
    int n_range_variables;
};

/* What a label stands for. */
struct label_def {
    const char *name;
    int pc;
    int line;
    struct ptx_table *table;
};

/* Errors and small steps (parse.c). */
void reader_error(struct reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
bool reader_expect(struct reader *r,
                   int punct); /* error unless it stands here */
bool reader_accept(struct reader *r, int punct); /* step over it if it does */
bool reader_accept_word(struct reader *r, const char *word); /* .word */
bool reader_at_name(struct reader *r, const char *what); /* error unless NAME */
const char *reader_text(struct reader *r, const struct token *t); /* copy */
void reader_skip(struct reader *r, int open, int close);

/* parse_expr.c */
bool ptx_parse_constant(struct reader *r, struct ptx_value *v);
bool ptx_parse_int(struct reader *r, int64_t *v);
bool ptx_parse_offset(struct reader *r, int64_t *sum); /* + n - m ... */

/* parse_decl.c */
bool ptx_parse_registers(struct reader *r);
bool ptx_parse_variables(struct reader *r, enum ptx_linkage linkage);
bool ptx_parse_initialiser(struct reader *r, struct ptx_variable *v,
                           const int64_t *dims, int n_dims); /* parse_init.c */
bool ptx_parse_params(struct reader *r, struct ptx_variable **out, int *n,
                      bool declared);
void reader_declare(struct reader *r, const char *name, size_t len,
                    struct symbol *sym);
struct ptx_register *reader_register(struct reader *r, const char *name,
                                     size_t len);
struct ptx_register *reader_like(struct reader *r,
                                 const struct ptx_register *like,
                                 const char *name); /* a new one */
struct symbol *reader_symbol(struct reader *r, const char *name, size_t len);

/* parse_body.c */
bool ptx_parse_body(struct reader *r);
void ptx_parse_loc(struct reader *r);

/* parse.c */
bool ptx_parse_file(struct reader *r);
bool ptx_parse_section(struct reader *r);
bool reader_is_module_word(const struct token *t); /* known at module scope */

/* parse_instr.c, parse_operand.c, parse_sum.c */
bool ptx_parse_instruction(struct reader *r);
bool reader_add_sums(struct reader *r, struct ptx_instruction *in);
void reader_defs_uses(struct reader *r, struct ptx_instruction *in);
bool ptx_parse_operand(struct reader *r, struct ptx_operand *o, bool labels,
                       bool lenient, int depth);
bool ptx_parse_operand_list(struct reader *r, int close, bool labels,
                            bool lenient, int depth,
                            struct ptx_operand ***items, int *n);

/* decode.c */
const struct ptx_form *reader_form(struct reader *r, const char *text,
                                   size_t len);

/* parse_unknown.c: what is not known is listed, with a warning. */
void reader_passed(struct reader *r, const struct token *t, const char *kind,
                   const char *near);
/* At the directive; near: a word that may be meant, or NULL; body: in a
 * function's body.  False after an error in what it takes with it. */
bool reader_pass_directive(struct reader *r, const char *near, bool body);
/* In a function's header: true if it stood at such a word.  */
bool reader_pass_tuning(struct reader *r);
/* Behind the attribute t of a declaration: over its (...) or its number. */
void reader_pass_attribute(struct reader *r, const struct token *t);
/* After an error in a function's header: over the function. */
void reader_pass_function(struct reader *r);
void reader_told_passed(struct reader *r); /* at the end of the module */

/* parse_func.c */
bool ptx_parse_function(struct reader *r, enum ptx_linkage linkage);
struct ptx_function *ptx_parse_prototype(struct reader *r);
void reader_resolve(struct reader *r);

#endif
