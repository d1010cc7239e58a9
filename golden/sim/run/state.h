/* state.h - a run's inside; private to run_*.c. */
#ifndef NDP_RUN_STATE_H
#define NDP_RUN_STATE_H

#include "run.h"

#include "base/array.h"
#include "base/yaml.h"
#include "papers/analysis.h"

enum fill_kind {
    FILL_ZERO,
    FILL_EXPR,
    FILL_VALUES,
    FILL_RANDOM,
    FILL_SUM,
    FILL_FILE
};

struct run_fill {
    enum fill_kind kind;
    struct place at;
    struct expr *expr; /* EXPR */
    int n_values;      /* VALUES */
    struct expr **values;
    struct expr *low, *high; /* RANDOM, SUM */
    uint64_t seed;
    const char *path; /* FILE */
};

struct run_set {
    struct expr *index, *value;
    struct place at;
};

struct run_check {
    bool wanted;
    double absolute, relative;
    bool has_count;
    uint64_t first, count, outliers; /* compared: count elements from first */
    struct expr *expect;
    struct place at;
    const char *path;
};

struct run_buffer {
    const char *name;
    struct place at;
    enum element_type type;
    uint64_t count, align;
    const char *symbol;
    struct run_fill fill;
    int n_sets;
    struct run_set *sets;
    struct run_check check;
    uint64_t address;
    void *data;    /* in the executor's memory */
    void *initial; /* copy of the first contents; NULL: not needed */
    void *wanted;  /* expected contents; may be initial */
};

/* A texture: a view of a buffer, known to expressions by its handle. */
struct run_texture {
    const char *name;
    struct place at;
    const struct yaml_node *node;
    uint64_t handle;
    int buffer;
    struct texture texture;
};

enum step_kind { STEP_LAUNCH, STEP_FOR, STEP_WHILE };

enum argument_kind {
    ARGUMENT_BUFFER,
    ARGUMENT_VALUE,
    ARGUMENT_STRUCT,
    ARGUMENT_FILE
};

struct run_argument {
    enum argument_kind kind;
    struct place at;
    int buffer;
    struct expr *expr; /* the value, or the element; NULL: element 0 */
    int n_fields;      /* STRUCT */
    struct run_field *fields;
    const uint8_t *bytes; /* FILE: as many as the parameter has */
};

/* A plain field of a struct; those of inner structs, too. */
struct run_field {
    enum element_type type;
    uint64_t offset;
    struct run_argument value; /* BUFFER or VALUE */
};

/* The address of a buffer in the parameters of a launch. */
struct run_address {
    int param;
    uint64_t offset; /* from the begin of that parameter */
    int bytes;
    int buffer;
};

struct run_step {
    enum step_kind kind;
    struct place at;
    /* LAUNCH */
    const struct ptx_function *kernel;
    struct expr *grid[3], *block[3], *shared;
    struct place grid_at, block_at;
    int n_arguments;
    struct run_argument *arguments;
    /* FOR, WHILE */
    int variable; /* slot */
    struct expr *from, *to, *by;
    int buffer;
    struct expr *limit;
    int n_steps;
    struct run_step *steps;
};

/* Where the iteration stands in a list of steps. */
struct run_cursor {
    const struct run_step *steps;
    int n, next;
    const struct run_step *loop; /* whose body this is; NULL: the top */
    int64_t value, to, by;       /* FOR */
    uint64_t rounds;             /* WHILE */
};

enum { RUN_MAX_NESTING = 8 };

struct run {
    struct stream stream; /* first: run_stream gives this */
    struct arena arena;
    struct diag *d;
    struct run_options options;
    const char *path, *name, *size, *ptx_path, *reference;
    const struct source *source, *ptx_source; /* of the diag */
    struct yaml_node *tree;
    struct ptx_module *module;
    struct exec *exec;

    ARRAY(const char *) names;        /* sizes, values, loop variables, "i" */
    ARRAY(struct expr_value) scalars; /* likewise */
    int n_fixed;                      /* of these, sizes and values */
    int slot_i;
    struct run_buffer *buffers;
    struct expr_array *arrays; /* what expressions see, by buffer */
    int n_buffers;
    struct run_texture *textures;
    int n_textures;
    struct run_step *steps;
    int n_steps;
    struct run_images images;

    struct run_cursor cursor[RUN_MAX_NESTING + 1];
    int depth; /* 0: not started */
    bool ended, launched;
    bool refused; /* a launch that the description gets wrong */
    enum exec_state state;
    uint8_t *params; /* of the launch */
    ARRAY(struct run_address) addresses;
    uint64_t ctas_done, ctas_begun;
    struct run_buffer_result *results;

    /* What launches in the executor's place; NULL: the executor. */
    bool (*device)(struct run *r, const struct run_step *s,
                   const struct exec_launch *l, void *ctx);
    void *device_ctx;
};

/* read.c: the description as a tree, with its base. */
struct yaml_node *run_tree(struct run *r, const char *path);

/* kernel.c: the entry that a node names, or with NULL the only one; at: where
 * the name should be. */
const struct ptx_function *
run_find_kernel(struct run *r, const struct yaml_node *n, struct place at);

/* parse.c */
bool run_parse_sizes(struct run *r);
bool run_parse_buffers(struct run *r);
bool run_parse_steps(struct run *r); /* steps.c */
bool run_check_keys(struct run *r, const struct yaml_node *map,
                    const char *const *known, const char *what);
struct expr *run_expr(struct run *r, const struct yaml_node *n, int arrays);
int run_scalar(struct run *r, const char *name, struct expr_value v);
const char *run_relative(struct run *r, const struct yaml_node *n);
bool run_eval(struct run *r, const struct expr *e, struct place at,
              const struct expr_array *arrays, struct expr_value *v);

/* An expression that must have an integer for its value.  what: "grid", for a
 * message. */
bool run_integer(struct run *r, const struct expr *e, struct place at,
                 const char *what, int64_t *out);

/* argument.c: one for parameter p; the bytes of all of a launch. */
bool run_parse_argument(struct run *r, const struct yaml_node *n,
                        const struct ptx_variable *p, struct run_argument *a);
bool run_make_params(struct run *r, const struct run_step *s);
/* In the bytes of a parameter, move addresses of buffers by what delta gives
 * for each, to where somebody else has them. */
void run_move_addresses(const struct run *r, int param, uint8_t *bytes,
                        uint64_t (*delta)(void *ctx, int buffer), void *ctx);

bool run_parse_images(struct run *r); /* images.c, after run_fill */

/* texture.c: names, which expressions may use; what they are, once the buffers
 * are known; binding, once these have addresses. */
bool run_name_textures(struct run *r);
bool run_parse_textures(struct run *r);
bool run_bind_textures(struct run *r);

/* fill.c */
bool run_fill_buffers(struct run *r);

/* check.c: the reference has its say before the first launch. */
bool run_reference(struct run *r);

/* launch.c */
enum stream_result run_next(struct stream *s, struct stream_event *e);
/* All launches on run.device, one after another. */
void run_all(struct run *r);

#endif
