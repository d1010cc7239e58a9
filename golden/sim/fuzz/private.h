/* private.h - what the files of fuzz/ share. */
#ifndef NDP_FUZZ_PRIVATE_H
#define NDP_FUZZ_PRIVATE_H

#include "fuzz.h"

/* Bytes of the areas that programs name. */
enum {
    FUZZ_IN_BYTES = 256,
    FUZZ_SCRATCH = 16, /* of a thread's slot, for its loads and stores */
    FUZZ_GROUP = 16,   /* of FUZZ_ACC, for one kind of atomic */
    FUZZ_SHARED_ACC = 32,
    FUZZ_SHARED_SLOT = 4,
    FUZZ_LOCAL = 32,
    FUZZ_TABLE = 16 /* words of the module's tables */
};

/* Groups of FUZZ_ACC and of the shared accumulators. */
enum fuzz_group {
    FUZZ_GROUP_add,
    FUZZ_GROUP_mins,
    FUZZ_GROUP_maxs,
    FUZZ_GROUP_minu,
    FUZZ_GROUP_maxu,
    FUZZ_GROUP_and,
    FUZZ_GROUP_or,
    FUZZ_GROUP_xor,
    FUZZ_GROUP_exch,
    FUZZ_GROUP_inc,
    FUZZ_GROUP_dec,
    FUZZ_GROUP_fadd,
    FUZZ_GROUPS
};

enum { FUZZ_POOLS = 5 };

/* splitmix64 */
struct fuzz_random {
    uint64_t state;
    int pool[FUZZ_POOLS]; /* registers that the program has, by fuzz_pools */
};

static inline uint64_t fuzz_next(struct fuzz_random *r) {
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 to n - 1. */
static inline int fuzz_below(struct fuzz_random *r, int n) {
    return (int)((fuzz_next(r) >> 32) * (uint64_t)n >> 32);
}

static inline bool fuzz_chance(struct fuzz_random *r, int percent) {
    return fuzz_below(r, 100) < percent;
}

/* forms.c */
struct fuzz_form {
    const char *text, *kinds;
};
extern const struct fuzz_form fuzz_forms[];
extern const int fuzz_n_forms;

/* One of the alternatives [a|b|c] each, into the arena. */
const char *fuzz_choose(struct arena *a, struct fuzz_random *r,
                        const char *text);
/* Registers of a letter's pool are named by it: 'r', 'f', 'h', 'q', 'p'; 0: it
 * has only numbers. */
char fuzz_pool(char kind);
bool fuzz_is_result(char kind);
/* May it be a number? */
bool fuzz_takes_number(char kind);
extern const char fuzz_pools[]; /* "rfhqp" */
int *fuzz_pool_size(struct fuzz_random *r, char pool);
struct fuzz_operand fuzz_random_operand(struct fuzz_random *r, char kind);
void fuzz_operand_text(const struct fuzz_operand *o, struct text *out);

/* program.c: in the order of the text, those that are not left out. */
typedef void fuzz_visit(void *ctx, struct fuzz_statement *s);
void fuzz_each(const struct fuzz_list *l, fuzz_visit *visit, void *ctx);
int fuzz_full_mask(const struct fuzz_program *p);

#endif
