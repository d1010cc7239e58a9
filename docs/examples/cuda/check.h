/* check.h - what the examples share: an error of the runtime ends the program
 * with its place, and a verdict is printed and returned. */
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t check_error = (call);                                      \
        if (check_error != cudaSuccess) {                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,      \
                    cudaGetErrorString(check_error));                          \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

inline int verdict(const char *name, int wrong, int all) {
    printf("%s: %s, %d of %d wrong\n", name, wrong ? "wrong" : "right", wrong,
           all);
    return wrong != 0;
}
