/* ndp_device_math.h - the functions under clang's device headers, which those
 * want by the names of NVIDIA's libdevice (__nv_expf).
 *
 * Elementary functions are libclc's (OpenCL's error bounds: docs/cuda.md),
 * which ndpcu links as bitcode; they take no f64 for f32.  The rest are
 * instructions, or short sequences.  What is declared by clang and not here
 * (Bessel functions, SIMD on bytes) is reported by name when a kernel calls it.
 */
#ifndef NDP_DEVICE_MATH_H
#define NDP_DEVICE_MATH_H

#define NDP_FN                                                                 \
    extern "C" __attribute__((device)) inline __attribute__((always_inline))

/* --- libclc --------------------------------------------------------------- */

#define NDP_CLC1(name, mangled)                                                \
    __attribute__((device)) float ndp_clc_##name(float) __asm__("_Z" mangled   \
                                                                "f");          \
    __attribute__((device)) double ndp_clc_##name(double) __asm__("_Z" mangled \
                                                                  "d");        \
    NDP_FN float __nv_##name##f(float a) {                                     \
        return ndp_clc_##name(a);                                              \
    }                                                                          \
    NDP_FN double __nv_##name(double a) {                                      \
        return ndp_clc_##name(a);                                              \
    }
#define NDP_CLC2(name, mangled)                                                \
    __attribute__((device)) float ndp_clc_##name(float, float) __asm__(        \
        "_Z" mangled "ff");                                                    \
    __attribute__((device)) double ndp_clc_##name(double, double) __asm__(     \
        "_Z" mangled "dd");                                                    \
    NDP_FN float __nv_##name##f(float a, float b) {                            \
        return ndp_clc_##name(a, b);                                           \
    }                                                                          \
    NDP_FN double __nv_##name(double a, double b) {                            \
        return ndp_clc_##name(a, b);                                           \
    }

NDP_CLC1(acos, "4acos")
NDP_CLC1(acosh, "5acosh")
NDP_CLC1(asin, "4asin")
NDP_CLC1(asinh, "5asinh")
NDP_CLC1(atan, "4atan")
NDP_CLC1(atanh, "5atanh")
NDP_CLC1(cbrt, "4cbrt")
NDP_CLC1(cos, "3cos")
NDP_CLC1(cosh, "4cosh")
NDP_CLC1(cospi, "5cospi")
NDP_CLC1(erf, "3erf")
NDP_CLC1(erfc, "4erfc")
NDP_CLC1(exp, "3exp")
NDP_CLC1(exp10, "5exp10")
NDP_CLC1(exp2, "4exp2")
NDP_CLC1(expm1, "5expm1")
NDP_CLC1(lgamma, "6lgamma")
NDP_CLC1(log, "3log")
NDP_CLC1(log10, "5log10")
NDP_CLC1(log1p, "5log1p")
NDP_CLC1(log2, "4log2")
NDP_CLC1(logb, "4logb")
NDP_CLC1(sin, "3sin")
NDP_CLC1(sinh, "4sinh")
NDP_CLC1(sinpi, "5sinpi")
NDP_CLC1(tan, "3tan")
NDP_CLC1(tanh, "4tanh")
NDP_CLC1(tgamma, "6tgamma")
NDP_CLC2(atan2, "5atan2")
NDP_CLC2(fmod, "4fmod")
NDP_CLC2(hypot, "5hypot")
NDP_CLC2(nextafter, "9nextafter")
NDP_CLC2(pow, "3pow")
NDP_CLC2(remainder, "9remainder")
#undef NDP_CLC1
#undef NDP_CLC2

/* --- instructions, by rounding -------------------------------------------- */

#define NDP_ROUNDED(R, r)                                                      \
    NDP_FN float __nv_fadd_##R(float a, float b) {                             \
        return __nvvm_add_##r##_f(a, b);                                       \
    }                                                                          \
    NDP_FN float __nv_fsub_##R(float a, float b) {                             \
        return __nvvm_add_##r##_f(a, -b);                                      \
    }                                                                          \
    NDP_FN float __nv_fmul_##R(float a, float b) {                             \
        return __nvvm_mul_##r##_f(a, b);                                       \
    }                                                                          \
    NDP_FN float __nv_fdiv_##R(float a, float b) {                             \
        return __nvvm_div_##r##_f(a, b);                                       \
    }                                                                          \
    NDP_FN float __nv_frcp_##R(float a) {                                      \
        return __nvvm_rcp_##r##_f(a);                                          \
    }                                                                          \
    NDP_FN float __nv_fsqrt_##R(float a) {                                     \
        return __nvvm_sqrt_##r##_f(a);                                         \
    }                                                                          \
    NDP_FN float __nv_fmaf_##R(float a, float b, float c) {                    \
        return __nvvm_fma_##r##_f(a, b, c);                                    \
    }                                                                          \
    NDP_FN float __nv_fmaf_ieee_##R(float a, float b, float c) {               \
        return __nvvm_fma_##r##_f(a, b, c);                                    \
    }                                                                          \
    NDP_FN double __nv_dadd_##R(double a, double b) {                          \
        return __nvvm_add_##r##_d(a, b);                                       \
    }                                                                          \
    NDP_FN double __nv_dsub_##R(double a, double b) {                          \
        return __nvvm_add_##r##_d(a, -b);                                      \
    }                                                                          \
    NDP_FN double __nv_dmul_##R(double a, double b) {                          \
        return __nvvm_mul_##r##_d(a, b);                                       \
    }                                                                          \
    NDP_FN double __nv_ddiv_##R(double a, double b) {                          \
        return __nvvm_div_##r##_d(a, b);                                       \
    }                                                                          \
    NDP_FN double __nv_drcp_##R(double a) {                                    \
        return __nvvm_rcp_##r##_d(a);                                          \
    }                                                                          \
    NDP_FN double __nv_dsqrt_##R(double a) {                                   \
        return __nvvm_sqrt_##r##_d(a);                                         \
    }                                                                          \
    NDP_FN double __nv_fma_##R(double a, double b, double c) {                 \
        return __nvvm_fma_##r##_d(a, b, c);                                    \
    }

#define NDP_CONVERTED(R, r)                                                    \
    NDP_FN float __nv_double2float_##R(double a) {                             \
        return __nvvm_d2f_##r(a);                                              \
    }                                                                          \
    NDP_FN int __nv_double2int_##R(double a) {                                 \
        return __nvvm_d2i_##r(a);                                              \
    }                                                                          \
    NDP_FN unsigned int __nv_double2uint_##R(double a) {                       \
        return __nvvm_d2ui_##r(a);                                             \
    }                                                                          \
    NDP_FN long long __nv_double2ll_##R(double a) {                            \
        return __nvvm_d2ll_##r(a);                                             \
    }                                                                          \
    NDP_FN unsigned long long __nv_double2ull_##R(double a) {                  \
        return __nvvm_d2ull_##r(a);                                            \
    }                                                                          \
    NDP_FN int __nv_float2int_##R(float a) {                                   \
        return __nvvm_f2i_##r(a);                                              \
    }                                                                          \
    NDP_FN unsigned int __nv_float2uint_##R(float a) {                         \
        return __nvvm_f2ui_##r(a);                                             \
    }                                                                          \
    NDP_FN long long __nv_float2ll_##R(float a) {                              \
        return __nvvm_f2ll_##r(a);                                             \
    }                                                                          \
    NDP_FN unsigned long long __nv_float2ull_##R(float a) {                    \
        return __nvvm_f2ull_##r(a);                                            \
    }                                                                          \
    NDP_FN float __nv_int2float_##R(int a) {                                   \
        return __nvvm_i2f_##r(a);                                              \
    }                                                                          \
    NDP_FN float __nv_uint2float_##R(unsigned int a) {                         \
        return __nvvm_ui2f_##r(a);                                             \
    }                                                                          \
    NDP_FN float __nv_ll2float_##R(long long a) {                              \
        return __nvvm_ll2f_##r(a);                                             \
    }                                                                          \
    NDP_FN float __nv_ull2float_##R(unsigned long long a) {                    \
        return __nvvm_ull2f_##r(a);                                            \
    }                                                                          \
    NDP_FN double __nv_ll2double_##R(long long a) {                            \
        return __nvvm_ll2d_##r(a);                                             \
    }                                                                          \
    NDP_FN double __nv_ull2double_##R(unsigned long long a) {                  \
        return __nvvm_ull2d_##r(a);                                            \
    }

NDP_ROUNDED(rn, rn)
NDP_ROUNDED(rz, rz)
NDP_ROUNDED(ru, rp)
NDP_ROUNDED(rd, rm)
NDP_CONVERTED(rn, rn)
NDP_CONVERTED(rz, rz)
NDP_CONVERTED(ru, rp)
NDP_CONVERTED(rd, rm)
#undef NDP_ROUNDED
#undef NDP_CONVERTED

NDP_FN double __nv_int2double_rn(int a) {
    return a;
}
NDP_FN double __nv_uint2double_rn(unsigned int a) {
    return a;
}
NDP_FN int __nv_double2hiint(double a) {
    return __nvvm_d2i_hi(a);
}
NDP_FN int __nv_double2loint(double a) {
    return __nvvm_d2i_lo(a);
}
NDP_FN double __nv_hiloint2double(int hi, int lo) {
    return __nvvm_lohi_i2d(lo, hi);
}
NDP_FN unsigned long long __nv_double_as_longlong(double a) {
    return (unsigned long long)__nvvm_bitcast_d2ll(a);
}
NDP_FN double __nv_longlong_as_double(long long a) {
    return __nvvm_bitcast_ll2d(a);
}
NDP_FN int __nv_float_as_int(float a) {
    return __nvvm_bitcast_f2i(a);
}
NDP_FN unsigned int __nv_float_as_uint(float a) {
    return (unsigned)__nvvm_bitcast_f2i(a);
}
NDP_FN float __nv_int_as_float(int a) {
    return __nvvm_bitcast_i2f(a);
}
NDP_FN float __nv_uint_as_float(unsigned int a) {
    return __nvvm_bitcast_i2f((int)a);
}

/* --- both widths from builtins -------------------------------------------- */

#define NDP_BOTH1(name)                                                        \
    NDP_FN float __nv_##name##f(float a) {                                     \
        return __builtin_##name##f(a);                                         \
    }                                                                          \
    NDP_FN double __nv_##name(double a) {                                      \
        return __builtin_##name(a);                                            \
    }
#define NDP_BOTH2(name)                                                        \
    NDP_FN float __nv_##name##f(float a, float b) {                            \
        return __builtin_##name##f(a, b);                                      \
    }                                                                          \
    NDP_FN double __nv_##name(double a, double b) {                            \
        return __builtin_##name(a, b);                                         \
    }
NDP_BOTH1(ceil)
NDP_BOTH1(fabs)
NDP_BOTH1(floor)
NDP_BOTH1(nearbyint)
NDP_BOTH1(rint)
NDP_BOTH1(trunc)
NDP_BOTH2(copysign)
NDP_BOTH2(fmax)
NDP_BOTH2(fmin)
#undef NDP_BOTH1
#undef NDP_BOTH2

NDP_FN float __nv_sqrtf(float a) {
    return __nvvm_sqrt_rn_f(a);
}
NDP_FN double __nv_sqrt(double a) {
    return __nvvm_sqrt_rn_d(a);
}
NDP_FN float __nv_fmaf(float a, float b, float c) {
    return __nvvm_fma_rn_f(a, b, c);
}
NDP_FN double __nv_fma(double a, double b, double c) {
    return __nvvm_fma_rn_d(a, b, c);
}
NDP_FN float __nv_rsqrtf(float a) {
    return __nvvm_rsqrt_approx_f(a);
}
NDP_FN double __nv_rsqrt(double a) {
    return 1 / __nvvm_sqrt_rn_d(a);
}
NDP_FN float __nv_frsqrt_rn(float a) {
    return __nvvm_rcp_rn_f(__nvvm_sqrt_rn_f(a));
}
NDP_FN float __nv_saturatef(float a) {
    return __nvvm_saturate_f(a);
}

/* Half away from zero. */
NDP_FN float __nv_roundf(float a) {
    float t = __builtin_truncf(a);
    float r =
        __builtin_fabsf(a - t) >= 0.5f ? t + __builtin_copysignf(1.0f, a) : t;
    return __builtin_copysignf(r, a);
}
NDP_FN double __nv_round(double a) {
    double t = __builtin_trunc(a);
    double r =
        __builtin_fabs(a - t) >= 0.5 ? t + __builtin_copysign(1.0, a) : t;
    return __builtin_copysign(r, a);
}
NDP_FN long long __nv_llrint(double a) {
    return __nvvm_d2ll_rn(a);
}
NDP_FN long long __nv_llrintf(float a) {
    return __nvvm_f2ll_rn(a);
}
NDP_FN long long __nv_llround(double a) {
    return __nvvm_d2ll_rz(__nv_round(a));
}
NDP_FN long long __nv_llroundf(float a) {
    return __nvvm_f2ll_rz(__nv_roundf(a));
}
NDP_FN float __nv_fdimf(float a, float b) {
    return a > b ? a - b : (a <= b ? 0.0f : a + b);
}
NDP_FN double __nv_fdim(double a, double b) {
    return a > b ? a - b : (a <= b ? 0.0 : a + b);
}
NDP_FN float __nv_nanf(const signed char *) {
    return __builtin_nanf("");
}
NDP_FN double __nv_nan(const signed char *) {
    return __builtin_nan("");
}

/* --- classes -------------------------------------------------------------- */

NDP_FN int __nv_isnanf(float a) {
    return a != a;
}
NDP_FN int __nv_isnand(double a) {
    return a != a;
}
NDP_FN int __nv_isinff(float a) {
    return __builtin_fabsf(a) == __builtin_inff();
}
NDP_FN int __nv_isinfd(double a) {
    return __builtin_fabs(a) == __builtin_inf();
}
NDP_FN int __nv_finitef(float a) {
    return __builtin_fabsf(a) < __builtin_inff();
}
NDP_FN int __nv_isfinited(double a) {
    return __builtin_fabs(a) < __builtin_inf();
}
NDP_FN int __nv_signbitf(float a) {
    return (int)((unsigned)__nvvm_bitcast_f2i(a) >> 31);
}
NDP_FN int __nv_signbitd(double a) {
    return (int)((unsigned)__nvvm_d2i_hi(a) >> 31);
}

/* --- exponents ------------------------------------------------------------ */

/* By two factors at most, each a power of two that can be written; a third one
 * where the result is subnormal, so that it is rounded once. */
NDP_FN float __nv_ldexpf(float a, int n) {
    if (n > 127) {
        a *= 0x1p127f;
        n -= 127;
        if (n > 127) {
            a *= 0x1p127f;
            n = n > 254 ? 127 : n - 127;
        }
    } else if (n < -126) {
        a *= 0x1p-102f;
        n += 102;
        if (n < -126) {
            a *= 0x1p-102f;
            n = n < -228 ? -126 : n + 102;
        }
    }
    return a * __nvvm_bitcast_i2f((n + 127) << 23);
}
NDP_FN double __nv_ldexp(double a, int n) {
    if (n > 1023) {
        a *= 0x1p1023;
        n -= 1023;
        if (n > 1023) {
            a *= 0x1p1023;
            n = n > 2046 ? 1023 : n - 1023;
        }
    } else if (n < -1022) {
        a *= 0x1p-969;
        n += 969;
        if (n < -1022) {
            a *= 0x1p-969;
            n = n < -1991 ? -1022 : n + 969;
        }
    }
    return a * __nvvm_bitcast_ll2d((long long)(n + 1023) << 52);
}
NDP_FN float __nv_scalbnf(float a, int n) {
    return __nv_ldexpf(a, n);
}
NDP_FN double __nv_scalbn(double a, int n) {
    return __nv_ldexp(a, n);
}

NDP_FN float __nv_frexpf(float a, int *e) {
    int bits = __nvvm_bitcast_f2i(a), shift = 0;
    *e = 0;
    if ((bits & 0x7fffffff) == 0 || (bits & 0x7f800000) == 0x7f800000)
        return a;
    if ((bits & 0x7f800000) == 0) {
        bits = __nvvm_bitcast_f2i(a * 0x1p25f);
        shift = 25;
    }
    *e = (bits >> 23 & 255) - 126 - shift;
    return __nvvm_bitcast_i2f((bits & (int)0x807fffff) | 0x3f000000);
}
NDP_FN double __nv_frexp(double a, int *e) {
    long long bits = __nvvm_bitcast_d2ll(a);
    int shift = 0;
    *e = 0;
    if ((bits & 0x7fffffffffffffffll) == 0 || (bits >> 52 & 2047) == 2047)
        return a;
    if ((bits >> 52 & 2047) == 0) {
        bits = __nvvm_bitcast_d2ll(a * 0x1p54);
        shift = 54;
    }
    *e = (int)(bits >> 52 & 2047) - 1022 - shift;
    return __nvvm_bitcast_ll2d((bits & (long long)0x800fffffffffffffull) |
                               0x3fe0000000000000ll);
}
NDP_FN int __nv_ilogbf(float a) {
    int e;
    if (a == 0 || a != a)
        return (int)0x80000000;
    if (__nv_isinff(a))
        return 0x7fffffff;
    __nv_frexpf(a, &e);
    return e - 1;
}
NDP_FN int __nv_ilogb(double a) {
    int e;
    if (a == 0 || a != a)
        return (int)0x80000000;
    if (__nv_isinfd(a))
        return 0x7fffffff;
    __nv_frexp(a, &e);
    return e - 1;
}
NDP_FN float __nv_modff(float a, float *whole) {
    *whole = __builtin_truncf(a);
    return __builtin_copysignf(__nv_isinff(a) ? 0.0f : a - *whole, a);
}
NDP_FN double __nv_modf(double a, double *whole) {
    *whole = __builtin_trunc(a);
    return __builtin_copysign(__nv_isinfd(a) ? 0.0 : a - *whole, a);
}
NDP_FN float __nv_remquof(float a, float b, int *quotient) {
    float r = __nv_remainderf(a, b);
    *quotient = (int)__nvvm_f2ll_rn((a - r) / b);
    return r;
}
NDP_FN double __nv_remquo(double a, double b, int *quotient) {
    double r = __nv_remainder(a, b);
    *quotient = (int)__nvvm_d2ll_rn((a - r) / b);
    return r;
}

/* --- made of others ------------------------------------------------------- */

NDP_FN void __nv_sincosf(float a, float *s, float *c) {
    *s = __nv_sinf(a);
    *c = __nv_cosf(a);
}
NDP_FN void __nv_sincos(double a, double *s, double *c) {
    *s = __nv_sin(a);
    *c = __nv_cos(a);
}
NDP_FN void __nv_sincospif(float a, float *s, float *c) {
    *s = __nv_sinpif(a);
    *c = __nv_cospif(a);
}
NDP_FN void __nv_sincospi(double a, double *s, double *c) {
    *s = __nv_sinpi(a);
    *c = __nv_cospi(a);
}
NDP_FN float __nv_powif(float a, int n) {
    return __nv_powf(a, (float)n);
}
NDP_FN double __nv_powi(double a, int n) {
    return __nv_pow(a, (double)n);
}
NDP_FN float __nv_rcbrtf(float a) {
    return 1 / __nv_cbrtf(a);
}
NDP_FN double __nv_rcbrt(double a) {
    return 1 / __nv_cbrt(a);
}
NDP_FN float __nv_rhypotf(float a, float b) {
    return 1 / __nv_hypotf(a, b);
}
NDP_FN double __nv_rhypot(double a, double b) {
    return 1 / __nv_hypot(a, b);
}
NDP_FN float __nv_norm3df(float a, float b, float c) {
    return __nv_hypotf(__nv_hypotf(a, b), c);
}
NDP_FN double __nv_norm3d(double a, double b, double c) {
    return __nv_hypot(__nv_hypot(a, b), c);
}
NDP_FN float __nv_norm4df(float a, float b, float c, float d) {
    return __nv_hypotf(__nv_hypotf(a, b), __nv_hypotf(c, d));
}
NDP_FN double __nv_norm4d(double a, double b, double c, double d) {
    return __nv_hypot(__nv_hypot(a, b), __nv_hypot(c, d));
}
NDP_FN float __nv_rnorm3df(float a, float b, float c) {
    return 1 / __nv_norm3df(a, b, c);
}
NDP_FN double __nv_rnorm3d(double a, double b, double c) {
    return 1 / __nv_norm3d(a, b, c);
}
NDP_FN float __nv_rnorm4df(float a, float b, float c, float d) {
    return 1 / __nv_norm4df(a, b, c, d);
}
NDP_FN double __nv_rnorm4d(double a, double b, double c, double d) {
    return 1 / __nv_norm4d(a, b, c, d);
}
NDP_FN float __nv_normcdff(float a) {
    return 0.5f * __nv_erfcf(a * -0.70710678118654752f);
}
NDP_FN double __nv_normcdf(double a) {
    return 0.5 * __nv_erfc(a * -0.70710678118654752440);
}

/* --- fast, as the instructions are ---------------------------------------- */

NDP_FN float __nv_fast_sinf(float a) {
    return __nvvm_sin_approx_f(a);
}
NDP_FN float __nv_fast_cosf(float a) {
    return __nvvm_cos_approx_f(a);
}
NDP_FN float __nv_fast_tanf(float a) {
    return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
NDP_FN void __nv_fast_sincosf(float a, float *s, float *c) {
    *s = __nvvm_sin_approx_f(a);
    *c = __nvvm_cos_approx_f(a);
}
NDP_FN float __nv_fast_expf(float a) {
    return __nvvm_ex2_approx_f(a * 1.4426950408889634f);
}
NDP_FN float __nv_fast_exp10f(float a) {
    return __nvvm_ex2_approx_f(a * 3.3219280948873623f);
}
NDP_FN float __nv_fast_log2f(float a) {
    return __nvvm_lg2_approx_f(a);
}
NDP_FN float __nv_fast_logf(float a) {
    return __nvvm_lg2_approx_f(a) * 0.69314718055994531f;
}
NDP_FN float __nv_fast_log10f(float a) {
    return __nvvm_lg2_approx_f(a) * 0.30102999566398120f;
}
NDP_FN float __nv_fast_powf(float a, float b) {
    return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
NDP_FN float __nv_fast_fdividef(float a, float b) {
    return __nvvm_div_approx_f(a, b);
}

/* --- integers ------------------------------------------------------------- */

NDP_FN int __nv_abs(int a) {
    return a < 0 ? -a : a;
}
NDP_FN long long __nv_llabs(long long a) {
    return a < 0 ? -a : a;
}
NDP_FN int __nv_max(int a, int b) {
    return a > b ? a : b;
}
NDP_FN int __nv_min(int a, int b) {
    return a < b ? a : b;
}
NDP_FN unsigned int __nv_umax(unsigned int a, unsigned int b) {
    return a > b ? a : b;
}
NDP_FN unsigned int __nv_umin(unsigned int a, unsigned int b) {
    return a < b ? a : b;
}
NDP_FN long long __nv_llmax(long long a, long long b) {
    return a > b ? a : b;
}
NDP_FN long long __nv_llmin(long long a, long long b) {
    return a < b ? a : b;
}
NDP_FN unsigned long long __nv_ullmax(unsigned long long a,
                                      unsigned long long b) {
    return a > b ? a : b;
}
NDP_FN unsigned long long __nv_ullmin(unsigned long long a,
                                      unsigned long long b) {
    return a < b ? a : b;
}
NDP_FN int __nv_brev(int a) {
    return (int)__builtin_bitreverse32((unsigned)a);
}
NDP_FN long long __nv_brevll(long long a) {
    return (long long)__builtin_bitreverse64((unsigned long long)a);
}
NDP_FN int __nv_clz(int a) {
    return a ? __builtin_clz((unsigned)a) : 32;
}
NDP_FN int __nv_clzll(long long a) {
    return a ? __builtin_clzll((unsigned long long)a) : 64;
}
NDP_FN int __nv_ffs(int a) {
    return __builtin_ffs(a);
}
NDP_FN int __nv_ffsll(long long a) {
    return __builtin_ffsll(a);
}
NDP_FN int __nv_popc(int a) {
    return __builtin_popcount((unsigned)a);
}
NDP_FN int __nv_popcll(long long a) {
    return __builtin_popcountll((unsigned long long)a);
}
NDP_FN int __nv_byte_perm(int a, int b, int s) {
    return (int)__nvvm_prmt((unsigned)a, (unsigned)b, (unsigned)s & 0x7777);
}
NDP_FN int __nv_mulhi(int a, int b) {
    return __nvvm_mulhi_i(a, b);
}
NDP_FN unsigned int __nv_umulhi(unsigned int a, unsigned int b) {
    return __nvvm_mulhi_ui(a, b);
}
NDP_FN long long __nv_mul64hi(long long a, long long b) {
    return __nvvm_mulhi_ll(a, b);
}
NDP_FN unsigned long long __nv_umul64hi(unsigned long long a,
                                        unsigned long long b) {
    return __nvvm_mulhi_ull(a, b);
}
NDP_FN int __nv_mul24(int a, int b) {
    return (a << 8 >> 8) * (b << 8 >> 8);
}
NDP_FN unsigned int __nv_umul24(unsigned int a, unsigned int b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
NDP_FN int __nv_hadd(int a, int b) {
    return (a & b) + ((a ^ b) >> 1);
}
NDP_FN int __nv_uhadd(unsigned int a, unsigned int b) {
    return (int)((a & b) + ((a ^ b) >> 1));
}
NDP_FN int __nv_rhadd(int a, int b) {
    return (a | b) - ((a ^ b) >> 1);
}
NDP_FN unsigned int __nv_urhadd(unsigned int a, unsigned int b) {
    return (a | b) - ((a ^ b) >> 1);
}
NDP_FN int __nv_sad(int a, int b, int c) {
    return (int)((unsigned)c + (a > b ? (unsigned)a - (unsigned)b
                                      : (unsigned)b - (unsigned)a));
}
NDP_FN unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) {
    return c + (a > b ? a - b : b - a);
}

#undef NDP_FN
#endif
