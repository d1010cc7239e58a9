/* test_exec_int.c - integer arithmetic of the executor against C's. */
#include "exec_arith.h"

/* ---------------------------------------------------------------- integers */

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

REF(r_add, a + b)
REF(r_sub, a - b)
REF(r_mul, a *b)
REF(r_mulhi_u32, (a & UINT32_MAX) * (b & UINT32_MAX) >> 32)
REF(r_mulhi_s32, ((int64_t)S32(a) * S32(b)) >> 32)
REF(r_mulhi_u64, (uwide)a *b >> 64)
REF(r_mulhi_s64, ((wide)S64(a) * S64(b)) >> 64)
REF(r_mulhi_u16, a *b >> 16)
REF(r_mulhi_s16, (S16(a) * S16(b)) >> 16)
REF(r_mulw_u32, (uint64_t)U32(a) * U32(b))
REF(r_mulw_s32, (int64_t)S32(a) * S32(b))
REF(r_mulw_u16, a *b)
REF(r_mulw_s16, S16(a) * S16(b))
REF(r_mad, a *b + c)
REF(r_madhi_u32, ((uint64_t)U32(a) * U32(b) >> 32) + c)
REF(r_madhi_s32, (((int64_t)S32(a) * S32(b)) >> 32) + (int64_t)c)
REF(r_madw_s32, (uint64_t)((int64_t)S32(a) * S32(b)) + c)
REF(r_madw_u32, (uint64_t)U32(a) * U32(b) + c)
REF(r_sad_u32, c + (U32(a) > U32(b) ? a - b : b - a))
REF(r_sad_s32, c + (S32(a) > S32(b) ? a - b : b - a))
REF(r_div_u32, U32(b) ? U32(a) / U32(b) : UINT32_MAX)
REF(r_rem_u32, U32(b) ? U32(a) % U32(b) : a)
REF(r_div_s32, S32(b) == 0 ? -1 : (int64_t)S32(a) / S32(b))
REF(r_rem_s32, S32(b) == 0 ? (int64_t)S32(a) : (int64_t)S32(a) % S32(b))
REF(r_div_u64, b ? a / b : UINT64_MAX)
REF(r_rem_s64, b == 0 ? (wide)S64(a) : (wide)S64(a) % S64(b))
REF(r_div_s64, b == 0 ? (wide)-1 : (wide)S64(a) / S64(b))
REF(r_div_s16, S16(b) == 0 ? -1 : S16(a) / S16(b))
REF(r_abs_s32, S32(a) < 0 ? 0 - a : a)
REF(r_neg, 0 - a)
REF(r_min_u32, U32(a) < U32(b) ? a : b)
REF(r_max_s32, S32(a) > S32(b) ? a : b)
REF(r_min_s64, S64(a) < S64(b) ? a : b)
REF(r_max_u64, a > b ? a : b)
REF(r_min_s16, S16(a) < S16(b) ? a : b)
REF(r_and, a &b)
REF(r_or, a | b)
REF(r_xor, a ^ b)
REF(r_not, ~a)
REF(r_cnot, a == 0)
REF(r_shl32, U32(b) > 31 ? 0 : a << U32(b))
REF(r_shl64, U32(b) > 63 ? 0 : a << U32(b))
REF(r_shl16, U32(b) > 15 ? 0 : a << U32(b))
REF(r_shr_u32, U32(b) > 31 ? 0 : U32(a) >> U32(b))
REF(r_shr_s32, (int64_t)S32(a) >> (U32(b) > 31 ? 31 : U32(b)))
REF(r_shr_s64, S64(a) >> (U32(b) > 63 ? 63 : U32(b)))
REF(r_shr_s16, S16(a) >> (U32(b) > 15 ? 15 : U32(b)))
REF(r_addsat, S32(a) + (int64_t)S32(b) > INT32_MAX   ? INT32_MAX
              : S32(a) + (int64_t)S32(b) < INT32_MIN ? INT32_MIN
                                                     : S32(a) + (int64_t)S32(b))
REF(r_mul24, (a & 0xffffff) * (b & 0xffffff))
REF(r_mul24hi_s32, ((int64_t)(S32(a << 8) >> 8) * (S32(b << 8) >> 8)) >> 16)
REF(r_popc32, __builtin_popcountll(a &UINT32_MAX))
REF(r_popc64, __builtin_popcountll(a))
REF(r_clz32, U32(a) ? __builtin_clz(U32(a)) : 32)
REF(r_clz64, a ? __builtin_clzll(a) : 64)

static uint64_t r_brev32(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t r = 0;
    (void)b;
    (void)c;
    for (int i = 0; i < 32; i++)
        r |= (a >> i & 1) << (31 - i);
    return r;
}

static uint64_t r_bfind_s32(uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    uint32_t x = S32(a) < 0 ? ~U32(a) : U32(a);
    for (int i = 31; i >= 0; i--)
        if (x >> i & 1)
            return (uint64_t)i;
    return UINT32_MAX;
}

static uint64_t r_bfind_shift(uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    for (int i = 31; i >= 0; i--)
        if (a >> i & 1)
            return (uint64_t)(31 - i);
    return UINT32_MAX;
}

/* The loops of the PTX manual. */
static uint64_t field(uint64_t a, uint64_t b, uint64_t c, int msb,
                      bool is_signed) {
    int pos = (int)(b & 255), len = (int)(c & 255);
    int top = pos + len - 1 < msb ? pos + len - 1 : msb;
    uint64_t sign = is_signed && len ? a >> top & 1 : 0, d = 0;
    for (int i = 0; i <= msb; i++)
        d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign) << i;
    return d;
}

static uint64_t r_bfe_u32(uint64_t a, uint64_t b, uint64_t c) {
    return field(a, b, c, 31, false);
}
static uint64_t r_bfe_s32(uint64_t a, uint64_t b, uint64_t c) {
    return field(a, b, c, 31, true);
}
static uint64_t r_bfe_s64(uint64_t a, uint64_t b, uint64_t c) {
    return field(a, b, c, 63, true);
}

static uint64_t r_prmt(uint64_t a, uint64_t b, uint64_t c) {
    uint8_t bytes[8];
    uint64_t d = 0;
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(a >> 8 * i);
        bytes[i + 4] = (uint8_t)(b >> 8 * i);
    }
    for (int i = 0; i < 4; i++) {
        int sel = (int)(c >> 4 * i & 15);
        uint8_t v = bytes[sel & 7];
        if (sel & 8)
            v = v & 128 ? 255 : 0;
        d |= (uint64_t)v << 8 * i;
    }
    return d;
}

REF(r_shf_l, U32(c) == 0 ? b : ((b << 32 | U32(a)) << (c & 31)) >> 32)
REF(r_shf_r, (b << 32 | U32(a)) >> (U32(c) > 32 ? 32 : U32(c)))

static uint64_t r_dp4a(uint64_t a, uint64_t b, uint64_t c) {
    int64_t sum = S32(c);
    for (int i = 0; i < 4; i++)
        sum += (int8_t)(a >> 8 * i) * (int)(uint8_t)(b >> 8 * i);
    return (uint64_t)sum;
}

static uint64_t r_dp2a(uint64_t a, uint64_t b, uint64_t c) {
    return c + (a & 0xffff) * (b >> 16 & 255) +
           (a >> 16 & 0xffff) * (b >> 24 & 255);
}

static void integers(void **state) {
    (void)state;
    static const struct operation list[] = {
        {"add.s32", "rrr", r_add, false},
        {"add.u64", "ddd", r_add, false},
        {"add.u16", "hhh", r_add, false},
        {"sub.s32", "rrr", r_sub, false},
        {"sub.s64", "ddd", r_sub, false},
        {"mul.lo.s32", "rrr", r_mul, false},
        {"mul.lo.u64", "ddd", r_mul, false},
        {"mul.lo.s16", "hhh", r_mul, false},
        {"mul.hi.u32", "rrr", r_mulhi_u32, false},
        {"mul.hi.s32", "rrr", r_mulhi_s32, false},
        {"mul.hi.u64", "ddd", r_mulhi_u64, false},
        {"mul.hi.s64", "ddd", r_mulhi_s64, false},
        {"mul.hi.u16", "hhh", r_mulhi_u16, false},
        {"mul.hi.s16", "hhh", r_mulhi_s16, false},
        {"mul.wide.u32", "drr", r_mulw_u32, false},
        {"mul.wide.s32", "drr", r_mulw_s32, false},
        {"mul.wide.u16", "rhh", r_mulw_u16, false},
        {"mul.wide.s16", "rhh", r_mulw_s16, false},
        {"mad.lo.s32", "rrrr", r_mad, false},
        {"mad.lo.u64", "dddd", r_mad, false},
        {"mad.hi.u32", "rrrr", r_madhi_u32, false},
        {"mad.hi.s32", "rrrr", r_madhi_s32, false},
        {"mad.wide.s32", "drrd", r_madw_s32, false},
        {"mad.wide.u32", "drrd", r_madw_u32, false},
        {"sad.u32", "rrrr", r_sad_u32, false},
        {"sad.s32", "rrrr", r_sad_s32, false},
        {"div.u32", "rrr", r_div_u32, false},
        {"rem.u32", "rrr", r_rem_u32, false},
        {"div.s32", "rrr", r_div_s32, false},
        {"rem.s32", "rrr", r_rem_s32, false},
        {"div.u64", "ddd", r_div_u64, false},
        {"rem.s64", "ddd", r_rem_s64, false},
        {"div.s64", "ddd", r_div_s64, false},
        {"div.s16", "hhh", r_div_s16, false},
        {"abs.s32", "rr", r_abs_s32, false},
        {"neg.s32", "rr", r_neg, false},
        {"neg.s64", "dd", r_neg, false},
        {"min.u32", "rrr", r_min_u32, false},
        {"max.s32", "rrr", r_max_s32, false},
        {"min.s64", "ddd", r_min_s64, false},
        {"max.u64", "ddd", r_max_u64, false},
        {"min.s16", "hhh", r_min_s16, false},
        {"add.sat.s32", "rrr", r_addsat, false},
        {"mul24.lo.u32", "rrr", r_mul24, false},
        {"mul24.hi.s32", "rrr", r_mul24hi_s32, false},
    };
    CHECK_ALL(list);
}

static void bits(void **state) {
    (void)state;
    static const struct operation list[] = {
        {"and.b32", "rrr", r_and, false},
        {"or.b64", "ddd", r_or, false},
        {"xor.b16", "hhh", r_xor, false},
        {"not.b32", "rr", r_not, false},
        {"not.b16", "hh", r_not, false},
        {"cnot.b32", "rr", r_cnot, false},
        {"shl.b32", "rrr", r_shl32, false},
        {"shl.b64", "ddr", r_shl64, false},
        {"shl.b16", "hhr", r_shl16, false},
        {"shr.u32", "rrr", r_shr_u32, false},
        {"shr.s32", "rrr", r_shr_s32, false},
        {"shr.s64", "ddr", r_shr_s64, false},
        {"shr.s16", "hhr", r_shr_s16, false},
        {"popc.b32", "rr", r_popc32, false},
        {"popc.b64", "rd", r_popc64, false},
        {"clz.b32", "rr", r_clz32, false},
        {"clz.b64", "rd", r_clz64, false},
        {"brev.b32", "rr", r_brev32, false},
        {"bfind.s32", "rr", r_bfind_s32, false},
        {"bfind.shiftamt.u32", "rr", r_bfind_shift, false},
        {"bfe.u32", "rrrr", r_bfe_u32, false},
        {"bfe.s32", "rrrr", r_bfe_s32, false},
        {"bfe.s64", "ddrr", r_bfe_s64, false},
        {"prmt.b32", "rrrr", r_prmt, false},
        {"shf.l.wrap.b32", "rrrr", r_shf_l, false},
        {"shf.r.clamp.b32", "rrrr", r_shf_r, false},
        {"dp4a.s32.u32", "rrrr", r_dp4a, false},
        {"dp2a.hi.u32.u32", "rrrr", r_dp2a, false},
    };
    CHECK_ALL(list);
}

/* A 128-bit sum and difference by carries, against the compiler's. */
static void carries(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD
        ".visible .entry k(.param .u64 p0) { .reg .b64 %p, %a<4>, %c<8>;\n"
        ".reg .b32 %t, %x<8>;\n"
        "ld.param.u64 %p, [p0]; mov.u32 %t, %tid.x; mul.wide.u32 %c0, %t, 96;"
        "add.u64 %p, %p, %c0; ld.global.v2.u64 {%a0, %a1}, [%p];\n"
        "ld.global.v2.u64 {%a2, %a3}, [%p+16];\n"
        "add.cc.u64 %c0, %a0, %a2; addc.u64 %c1, %a1, %a3;\n"
        "sub.cc.u64 %c2, %a0, %a2; subc.u64 %c3, %a1, %a3;\n"
        "st.global.v2.u64 [%p+32], {%c0, %c1};\n"
        "st.global.v2.u64 [%p+48], {%c2, %c3};\n"
        /* the same sum in words of 32 bits */
        "mov.b64 {%x0, %x1}, %a0; mov.b64 {%x2, %x3}, %a2;\n"
        "mov.b64 {%x4, %x5}, %a1; mov.b64 {%x6, %x7}, %a3;\n"
        "add.cc.u32 %x0, %x0, %x2; addc.cc.u32 %x1, %x1, %x3;\n"
        "addc.cc.u32 %x4, %x4, %x6; addc.u32 %x5, %x5, %x7;\n"
        "mov.b64 %c0, {%x0, %x1}; mov.b64 %c1, {%x4, %x5};\n"
        "st.global.v2.u64 [%p+64], {%c0, %c1};\n"
        /* low 128 bits of a0 * a2 + a1 */
        "mad.lo.cc.u64 %c4, %a0, %a2, %a1; madc.hi.u64 %c5, %a0, %a2, 0;\n"
        "st.global.v2.u64 [%p+80], {%c4, %c5}; ret; }\n";
    struct kit k;
    kit_open(&k, text, NULL);
    uint64_t *v = kit_buffer(&k, "v", 96 * 512);
    state_of_random = 77;
    for (int i = 0; i < 512; i++)
        for (int j = 0; j < 4; j++)
            v[12 * i + j] = value(64);
    kit_finish(&k, 1, 512);
    for (int i = 0; i < 512; i++, v += 12) {
        uwide x = (uwide)v[1] << 64 | v[0], y = (uwide)v[3] << 64 | v[2];
        uwide sum = x + y, diff = x - y, product = (uwide)v[0] * v[2] + v[1];
        assert_int_equal(v[4], (uint64_t)sum);
        assert_int_equal(v[5], (uint64_t)(sum >> 64));
        assert_int_equal(v[6], (uint64_t)diff);
        assert_int_equal(v[7], (uint64_t)(diff >> 64));
        assert_int_equal(v[8], (uint64_t)sum);
        assert_int_equal(v[9], (uint64_t)(sum >> 64));
        assert_int_equal(v[10], (uint64_t)product);
        assert_int_equal(v[11], (uint64_t)(product >> 64));
    }
    kit_close(&k);
}

/* Every truth table of lop3. */
static void logic3(void **state) {
    (void)state;
    for (unsigned table = 0; table < 256; table += 5) {
        char text[1024];
        struct kit k;
        snprintf(text, sizeof text,
                 "%s.visible .entry k(.param .u64 p) { .reg .b64 %%a; "
                 ".reg .b32 %%x<4>;\nld.param.u64 %%a, [p]; "
                 "lop3.b32 %%x0, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, %u;\n"
                 "st.global.u32 [%%a], %%x0; ret; }",
                 KIT_HEAD, table);
        kit_open(&k, text, NULL);
        uint32_t *out = kit_buffer(&k, "out", 4);
        kit_finish(&k, 1, 1);
        assert_int_equal(*out, table * 0x01010101u);
        kit_close(&k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(bits),
        cmocka_unit_test(carries),
        cmocka_unit_test(logic3),
    };
    return cmocka_run_group_tests_name("exec_int", tests, NULL, NULL);
}
