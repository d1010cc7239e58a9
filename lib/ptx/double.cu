/* double.cu - f64 arithmetic in integers, for machines whose lanes have none.
 *
 * ptx_inline puts a function in the place of each f64 instruction (inline_double.h).
 * Results are IEEE 754's, rounded to nearest even, and NaN is one value: the bits
 * that the executor leaves (golden/sim/exec).
 * `sh scripts/ptx.sh double` makes double.ptx of it.
 */
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned int u32;

#define FN extern "C" __device__ __noinline__
#define IN static __device__ __forceinline__

#define SIGN (1ull << 63)
#define INFINITE (0x7ffull << 52)
#define NAN_BITS 0x7ff8000000000000ull
#define FRACTION ((1ull << 52) - 1)
#define MAGNITUDE(x) ((x) & ~SIGN)

enum { BELOW = 10 }; /* bits below the last one of a result; the lowest is sticky */

/* v >> n with what falls out collected in the lowest bit. */
IN u64 sticky_shift(u64 v, int n) {
    if (n > 62)
        return v != 0;
    u64 low = v & ((1ull << n) - 1);
    return v >> n | (low != 0);
}

/* m 2^(e - 1075 - BELOW), m below 2^63, rounded. */
FN u64 ndp_double_round(u64 sign, int e, u64 m) {
    if (e <= 0) {
        m = sticky_shift(m, 1 - e);
        e = 0;
    }
    m = (m + (1u << (BELOW - 1)) - 1 + (m >> BELOW & 1)) >> BELOW;
    /* a carry into the exponent is the right one; a subnormal may become normal */
    u64 r = ((u64)(e > 0 ? e - 1 : 0) << 52) + m;
    return sign | (e >= 2047 || r >= INFINITE ? INFINITE : r);
}

/* m 2^(e - 1075 - BELOW) with m's highest bit anywhere. */
FN u64 ndp_double_pack(u64 sign, int e, u64 m) {
    int up = __clzll(m) - 1;
    if (up < 0)
        m = sticky_shift(m, 1);
    else
        m <<= up;
    return m == 0 ? sign : ndp_double_round(sign, e - up, m);
}

/* The significand with its leading one at bit 52, and the exponent. */
IN u64 normal(u64 x, int *e) {
    u64 m = x & FRACTION;
    *e = (int)(x >> 52 & 0x7ff);
    if (*e)
        return m | 1ull << 52;
    int up = __clzll(m) - 11;
    *e = 1 - up;
    return m << up;
}

FN u64 ndp_double_add(u64 a, u64 b) {
    if (MAGNITUDE(a) < MAGNITUDE(b)) {
        u64 t = a;
        a = b;
        b = t;
    }
    u64 x = MAGNITUDE(a), y = MAGNITUDE(b), minus = (a ^ b) & SIGN;
    if (x >= INFINITE)
        return x > INFINITE || (y == INFINITE && minus) ? NAN_BITS : a;
    int e = (int)(x >> 52), f = (int)(y >> 52);
    u64 m = x & FRACTION, n = y & FRACTION;
    m = (e ? m | 1ull << 52 : m) << BELOW;
    n = (f ? n | 1ull << 52 : n) << BELOW;
    e += e == 0;
    f += f == 0;
    n = sticky_shift(n, e - f);
    m = minus ? m - n : m + n;
    return m == 0 ? a & b & SIGN : ndp_double_pack(a & SIGN, e, m);
}

FN u64 ndp_double_sub(u64 a, u64 b) {
    return ndp_double_add(a, b ^ (MAGNITUDE(b) > INFINITE ? 0 : SIGN));
}

FN u64 ndp_double_mul(u64 a, u64 b) {
    u64 sign = (a ^ b) & SIGN, x = MAGNITUDE(a), y = MAGNITUDE(b);
    u64 most = x > y ? x : y, least = x > y ? y : x;
    if (most >= INFINITE)
        return most > INFINITE || least == 0 ? NAN_BITS : sign | INFINITE;
    if (least == 0)
        return sign;
    int e, f;
    u64 m = normal(x, &e) << 10, n = normal(y, &f) << 11;
    u64 high = __umul64hi(m, n), low = m * n;
    return ndp_double_pack(sign, e + f - 1022, high | (low != 0));
}

FN u64 ndp_double_fma(u64 a, u64 b, u64 c) {
    u64 sign = (a ^ b) & SIGN, x = MAGNITUDE(a), y = MAGNITUDE(b), z = MAGNITUDE(c);
    u64 most = x > y ? x : y, least = x > y ? y : x;
    if (most > INFINITE || z > INFINITE)
        return NAN_BITS;
    if (most == INFINITE)
        return least == 0 || (z == INFINITE && (c & SIGN) != sign) ? NAN_BITS
                                                                   : sign | INFINITE;
    if (z == INFINITE)
        return c;
    if (least == 0)
        return z ? c : sign & c;
    int e, f, g;
    u64 m = normal(x, &e) << 10, n = normal(y, &f) << 11;
    u64 high = __umul64hi(m, n), low = m * n;
    e += f - 1022;
    if (!(high >> 62)) {
        high = high << 1 | low >> 63;
        low <<= 1;
        e--;
    }
    if (z == 0)
        return ndp_double_round(sign, e, high | (low != 0));
    /* both have their leading one at bit 62 of the high word */
    u64 also = normal(z, &g) << BELOW, rest = 0;
    u64 other = c & SIGN;
    if (g > e || (g == e && also > high)) {
        u64 t = high, s = sign;
        int d = e;
        high = also;
        also = t;
        rest = low;
        low = 0;
        sign = other;
        other = s;
        e = g;
        g = d;
    }
    /* the smaller one, moved down: also, rest, and whether there was more */
    int d = e - g;
    u64 more = 0;
    if (d > 126) {
        rest = 1;
        also = 0;
    } else {
        if (d & 64) {
            more = rest != 0;
            rest = also;
            also = 0;
            d -= 64;
        }
        if (d) {
            more |= (rest << (64 - d)) != 0;
            rest = rest >> d | also << (64 - d);
            also >>= d;
        }
        rest |= more;
    }
    if (sign == other) {
        u64 sum = low + rest;
        high += also + (sum < low);
        low = sum;
    } else {
        u64 less = low - rest;
        high -= also + (low < rest);
        low = less;
    }
    if ((high | low) == 0)
        return 0;
    if (high == 0) {
        high = low;
        low = 0;
        e -= 64;
    }
    int up = __clzll(high) - 1;
    if (up > 0) {
        high = high << up | low >> (64 - up);
        low <<= up;
        e -= up;
    }
    return ndp_double_pack(sign, e, high | (low != 0));
}

FN u64 ndp_double_div(u64 a, u64 b) {
    u64 sign = (a ^ b) & SIGN, x = MAGNITUDE(a), y = MAGNITUDE(b);
    if (x >= INFINITE || y >= INFINITE)
        return x > INFINITE || y > INFINITE || x == y ? NAN_BITS
               : x == INFINITE                        ? sign | INFINITE
                                                      : sign;
    if (y == 0)
        return x == 0 ? NAN_BITS : sign | INFINITE;
    if (x == 0)
        return sign;
    int e, f;
    u64 m = normal(x, &e), n = normal(y, &f), q = 0;
#pragma unroll 1
    for (int i = 0; i < 57; i++) {
        bool fits = m >= n;
        q = q << 1 | fits;
        m = (fits ? m - n : m) << 1;
    }
    return ndp_double_pack(sign, e - f + 1028, q << 1 | (m != 0));
}

FN u64 ndp_double_rcp(u64 a) {
    return ndp_double_div(0x3ffull << 52, a);
}

FN u64 ndp_double_sqrt(u64 a) {
    u64 x = MAGNITUDE(a);
    if (x == 0)
        return a;
    if (x > INFINITE || (a & SIGN))
        return NAN_BITS;
    if (x == INFINITE)
        return a;
    int e;
    u64 m = normal(x, &e), root = 0, left = 0;
    e -= 1023;
    if (e & 1)
        m <<= 1;
    /* two bits of m an iteration, from bits 53 and 52 on */
    m <<= 10;
#pragma unroll 1
    for (int i = 0; i < 56; i++) {
        left = left << 2 | m >> 62;
        m <<= 2;
        u64 t = root << 2 | 1;
        bool fits = left >= t;
        left = fits ? left - t : left;
        root = root << 1 | fits;
    }
    return ndp_double_pack(0, (e >> 1) + 1029, root << 1 | (left != 0));
}

FN u64 ndp_double_min(u64 a, u64 b) {
    if (MAGNITUDE(a) > INFINITE || MAGNITUDE(b) > INFINITE)
        return MAGNITUDE(b) <= INFINITE ? b : MAGNITUDE(a) <= INFINITE ? a : NAN_BITS;
    bool less = (a & b & SIGN) ? a > b : (s64)a < (s64)b;
    return less ? a : b;
}

FN u64 ndp_double_max(u64 a, u64 b) {
    if (MAGNITUDE(a) > INFINITE || MAGNITUDE(b) > INFINITE)
        return MAGNITUDE(b) <= INFINITE ? b : MAGNITUDE(a) <= INFINITE ? a : NAN_BITS;
    bool less = (a & b & SIGN) ? a > b : (s64)a < (s64)b;
    return less ? b : a;
}

/* 1 less, 2 equal, 4 greater, 8 not comparable. */
FN u32 ndp_double_compare(u64 a, u64 b) {
    u64 x = MAGNITUDE(a), y = MAGNITUDE(b);
    if (x > INFINITE || y > INFINITE)
        return 8;
    if (a == b || (x | y) == 0)
        return 2;
    return ((a & b & SIGN) ? a > b : (s64)a < (s64)b) ? 1 : 4;
}

FN u64 ndp_double_from_u64(u64 v) {
    return ndp_double_pack(0, 1085, v);
}

FN u64 ndp_double_from_s64(u64 v) {
    u64 sign = v & SIGN;
    return ndp_double_pack(sign, 1085, sign ? 0 - v : v);
}

FN u64 ndp_double_from_f32(u32 x) {
    u64 sign = (u64)(x >> 31) << 63;
    u32 m = x & 0x7fffffu, e = x >> 23 & 255;
    if (e == 255)
        return m ? NAN_BITS : sign | INFINITE;
    if (e == 0) {
        if (m == 0)
            return sign;
        int up = __clz(m) - 8;
        m = (m << up) & 0x7fffffu;
        e = 1u - (u32)up;
    }
    return sign | (u64)(e + 896u) << 52 | (u64)m << 29;
}

FN u32 ndp_double_to_f32(u64 x) {
    u32 sign = (u32)(x >> 32) & 0x80000000u;
    u64 y = MAGNITUDE(x);
    if (y > INFINITE)
        return 0x7fffffffu;
    int e = (int)(y >> 52) - 896;
    /* 24 bits and those below them, the lowest sticky */
    u64 m = (y & FRACTION) | 1ull << 52;
    if (y >> 52 == 0 || e < -24)
        return sign;
    if (e > 254)
        return sign | 0x7f800000u;
    if (e <= 0) {
        m = sticky_shift(m, 1 - e);
        e = 0;
    }
    m = (m + (1u << 28) - 1 + (m >> 29 & 1)) >> 29;
    return sign | (((u32)(e > 0 ? e - 1 : 0) << 23) + (u32)m);
}

/* To a whole number: nearest even, towards zero, down, up. */
IN u64 whole(u64 x, int mode) {
    u64 sign = x & SIGN, y = MAGNITUDE(x);
    int e = (int)(y >> 52) - 1023;
    if (y > INFINITE)
        return NAN_BITS;
    if (e >= 52)
        return x;
    bool away = mode == 2 ? sign != 0 : mode == 3 && !sign;
    if (e < 0) {
        bool one = mode == 0 ? y > (0x3feull << 52) : away && y != 0;
        return sign | (one ? 0x3ffull << 52 : 0);
    }
    u64 below = FRACTION >> e;
    if (mode == 0)
        y += (below >> 1) + (y >> (52 - e) & 1);
    else if (away)
        y += below;
    return sign | (y & ~below);
}
FN u64 ndp_double_rni(u64 x) {
    return whole(x, 0);
}
FN u64 ndp_double_rzi(u64 x) {
    return whole(x, 1);
}
FN u64 ndp_double_rmi(u64 x) {
    return whole(x, 2);
}
FN u64 ndp_double_rpi(u64 x) {
    return whole(x, 3);
}

/* Towards zero, at most top; what lies outside of the range becomes its end, and
 * NaN 0. */
FN u64 ndp_double_to_u64(u64 x) {
    u64 y = MAGNITUDE(x);
    int e = (int)(y >> 52) - 1023;
    if (e < 0 || (x & SIGN) || y > INFINITE)
        return 0;
    u64 m = (y & FRACTION) | 1ull << 52;
    return e > 63 ? ~0ull : e > 52 ? m << (e - 52) : m >> (52 - e);
}

FN u64 ndp_double_to_s64(u64 x) {
    u64 m = ndp_double_to_u64(MAGNITUDE(x));
    if (x & SIGN)
        return m > SIGN ? SIGN : 0 - m;
    return m >= SIGN ? SIGN - 1 : m;
}

FN u32 ndp_double_to_u32(u64 x) {
    u64 m = ndp_double_to_u64(x);
    return m >> 32 ? ~0u : (u32)m;
}

FN u32 ndp_double_to_s32(u64 x) {
    u64 m = ndp_double_to_u64(MAGNITUDE(x));
    if (x & SIGN)
        return m > 0x80000000u ? 0x80000000u : 0u - (u32)m;
    return m > 0x7fffffffu ? 0x7fffffffu : (u32)m;
}
