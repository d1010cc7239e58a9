/* each.h - lists in declarations:
 *   FOLLOW(param, root, part, ...)   a DERIVE for each part, whose key of that
 *                                    name is root's
 *   COVERS(part, cover, ...)         a COVER_OF for each
 * EACH(line, x, a, b, ...) is line(x, a) line(x, b) ..., of up to 32. */
#ifndef NDP_DECL_EACH_H
#define NDP_DECL_EACH_H

#define EACH_1(line, x, a) line(x, a)
#define EACH_2(line, x, a, ...) line(x, a) EACH_1(line, x, __VA_ARGS__)
#define EACH_3(line, x, a, ...) line(x, a) EACH_2(line, x, __VA_ARGS__)
#define EACH_4(line, x, a, ...) line(x, a) EACH_3(line, x, __VA_ARGS__)
#define EACH_5(line, x, a, ...) line(x, a) EACH_4(line, x, __VA_ARGS__)
#define EACH_6(line, x, a, ...) line(x, a) EACH_5(line, x, __VA_ARGS__)
#define EACH_7(line, x, a, ...) line(x, a) EACH_6(line, x, __VA_ARGS__)
#define EACH_8(line, x, a, ...) line(x, a) EACH_7(line, x, __VA_ARGS__)
#define EACH_9(line, x, a, ...) line(x, a) EACH_8(line, x, __VA_ARGS__)
#define EACH_10(line, x, a, ...) line(x, a) EACH_9(line, x, __VA_ARGS__)
#define EACH_11(line, x, a, ...) line(x, a) EACH_10(line, x, __VA_ARGS__)
#define EACH_12(line, x, a, ...) line(x, a) EACH_11(line, x, __VA_ARGS__)
#define EACH_13(line, x, a, ...) line(x, a) EACH_12(line, x, __VA_ARGS__)
#define EACH_14(line, x, a, ...) line(x, a) EACH_13(line, x, __VA_ARGS__)
#define EACH_15(line, x, a, ...) line(x, a) EACH_14(line, x, __VA_ARGS__)
#define EACH_16(line, x, a, ...) line(x, a) EACH_15(line, x, __VA_ARGS__)
#define EACH_17(line, x, a, ...) line(x, a) EACH_16(line, x, __VA_ARGS__)
#define EACH_18(line, x, a, ...) line(x, a) EACH_17(line, x, __VA_ARGS__)
#define EACH_19(line, x, a, ...) line(x, a) EACH_18(line, x, __VA_ARGS__)
#define EACH_20(line, x, a, ...) line(x, a) EACH_19(line, x, __VA_ARGS__)
#define EACH_21(line, x, a, ...) line(x, a) EACH_20(line, x, __VA_ARGS__)
#define EACH_22(line, x, a, ...) line(x, a) EACH_21(line, x, __VA_ARGS__)
#define EACH_23(line, x, a, ...) line(x, a) EACH_22(line, x, __VA_ARGS__)
#define EACH_24(line, x, a, ...) line(x, a) EACH_23(line, x, __VA_ARGS__)
#define EACH_25(line, x, a, ...) line(x, a) EACH_24(line, x, __VA_ARGS__)
#define EACH_26(line, x, a, ...) line(x, a) EACH_25(line, x, __VA_ARGS__)
#define EACH_27(line, x, a, ...) line(x, a) EACH_26(line, x, __VA_ARGS__)
#define EACH_28(line, x, a, ...) line(x, a) EACH_27(line, x, __VA_ARGS__)
#define EACH_29(line, x, a, ...) line(x, a) EACH_28(line, x, __VA_ARGS__)
#define EACH_30(line, x, a, ...) line(x, a) EACH_29(line, x, __VA_ARGS__)
#define EACH_31(line, x, a, ...) line(x, a) EACH_30(line, x, __VA_ARGS__)
#define EACH_32(line, x, a, ...) line(x, a) EACH_31(line, x, __VA_ARGS__)
#define EACH_OF(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14,   \
                a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26,    \
                a27, a28, a29, a30, a31, a32, each, ...)                       \
    each
#define EACH(line, x, ...)                                                     \
    EACH_OF(__VA_ARGS__, EACH_32, EACH_31, EACH_30, EACH_29, EACH_28, EACH_27, \
            EACH_26, EACH_25, EACH_24, EACH_23, EACH_22, EACH_21, EACH_20,     \
            EACH_19, EACH_18, EACH_17, EACH_16, EACH_15, EACH_14, EACH_13,     \
            EACH_12, EACH_11, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6, EACH_5, \
            EACH_4, EACH_3, EACH_2, EACH_1, none)                              \
    (line, x, __VA_ARGS__)

#define FOLLOW(param, root, ...) EACH(FOLLOW_IN, (param, root), __VA_ARGS__)
#define FOLLOW_IN(key, part) FOLLOW_KEY(part, FOLLOW_OPEN key)
#define FOLLOW_KEY(...) FOLLOW_LINE(__VA_ARGS__)
#define FOLLOW_LINE(part, param, root) DERIVE(part, param, P(root##_##param))
#define FOLLOW_OPEN(param, root) param, root
#define COVERS(part, ...) EACH(COVER_OF, part, __VA_ARGS__)

#endif
