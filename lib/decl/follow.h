/* follow.h - FOLLOW(param, root, part, ...): a DERIVE for each of up to eight
 * parts, whose key of that name is root's. */
#ifndef NDP_DECL_FOLLOW_H
#define NDP_DECL_FOLLOW_H

#define FOLLOW_1(param, root, a) DERIVE(a, param, P(root##_##param))
#define FOLLOW_2(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_1(param, root, __VA_ARGS__)
#define FOLLOW_3(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_2(param, root, __VA_ARGS__)
#define FOLLOW_4(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_3(param, root, __VA_ARGS__)
#define FOLLOW_5(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_4(param, root, __VA_ARGS__)
#define FOLLOW_6(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_5(param, root, __VA_ARGS__)
#define FOLLOW_7(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_6(param, root, __VA_ARGS__)
#define FOLLOW_8(param, root, a, ...)                                          \
    FOLLOW_1(param, root, a) FOLLOW_7(param, root, __VA_ARGS__)
#define FOLLOW_N(a, b, c, d, e, f, g, h, name, ...) name
#define FOLLOW(param, root, ...)                                               \
    FOLLOW_N(__VA_ARGS__, FOLLOW_8, FOLLOW_7, FOLLOW_6, FOLLOW_5, FOLLOW_4,    \
             FOLLOW_3, FOLLOW_2, FOLLOW_1, none)                               \
    (param, root, __VA_ARGS__)

#endif
