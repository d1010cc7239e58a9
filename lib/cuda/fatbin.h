/* fatbin.h - PTX out of what compilers put into host objects. */
#ifndef NDP_CUDA_FATBIN_H
#define NDP_CUDA_FATBIN_H

#include <stddef.h>

/* wrapper: what __cudaRegisterFatBinary gets.  *ptx: text of *bytes bytes, or
 * NULL if it has none; *owned: that text, for free, if it had to be unpacked.
 */
/* Returns why it has none that can be read; NULL: *ptx is there. */
const char *fatbin_ptx(const void *wrapper, const char **ptx, size_t *bytes,
                       char **owned);

#endif
