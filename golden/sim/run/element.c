/* element.c - elements of buffers: names, sizes, reading and writing. */
#include "sim/exec/half.h"
#include "expr.h"

static const struct {
    const char *name;
    int size;
    bool is_float;
} types[ELEMENT_TYPES] = {
    {"u8", 1, false},  {"i8", 1, false},  {"u16", 2, false}, {"i16", 2, false},
    {"u32", 4, false}, {"i32", 4, false}, {"u64", 8, false}, {"i64", 8, false},
    {"f16", 2, true},  {"f32", 4, true},  {"f64", 8, true}};

const char *element_name(int type) {
    return type >= 0 && type < ELEMENT_TYPES ? types[type].name : NULL;
}

int element_size(enum element_type t) {
    return types[t].size;
}
bool element_is_float(enum element_type t) {
    return types[t].is_float;
}

static int64_t sign_extend(uint64_t v, int size) {
    int shift = 64 - 8 * size;
    return (int64_t)(v << shift) >> shift;
}

struct expr_value element_load(enum element_type t, const void *data,
                               uint64_t i) {
    uint64_t bits = 0;
    int size = types[t].size;
    bool is_signed = t == ELEMENT_I8 || t == ELEMENT_I16 || t == ELEMENT_I32 ||
                     t == ELEMENT_I64;
    memcpy(&bits, (const char *)data + i * (uint64_t)size, (size_t)size);
    if (t == ELEMENT_F64)
        return (struct expr_value){true, 0, f64_of(bits)};
    if (t == ELEMENT_F32)
        return (struct expr_value){true, 0, f32_of((u32)bits)};
    if (t == ELEMENT_F16)
        return (struct expr_value){true, 0, short_value((u32)bits, FORMAT_F16)};
    return (struct expr_value){
        false, is_signed ? sign_extend(bits, size) : (int64_t)bits, 0};
}

void element_store(enum element_type t, void *data, uint64_t i,
                   struct expr_value v) {
    int size = types[t].size;
    uint64_t bits;
    if (t == ELEMENT_F64)
        bits = f64_bits(expr_double(v));
    else if (t == ELEMENT_F32)
        bits = f32_bits((f32)expr_double(v));
    else if (t == ELEMENT_F16)
        bits = short_round(expr_double(v), FORMAT_F16, ROUND_RN, false);
    else
        bits = (uint64_t)expr_int(v);
    memcpy((char *)data + i * (uint64_t)size, &bits, (size_t)size);
}
