/* print.c - records that kernels have left in the buffer of their module
 * (include/ndp_device_print.h), printed. */
#include "cudart.h"

#include "runtime/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 8, RECORD = 3, ARGUMENT = 3 }; /* bytes, words, words */
enum { INT, LONG, FLOAT, DOUBLE };

struct reader {
    const uint32_t *arguments;
    uint32_t n, next;
    uint8_t found[8];
};

/* Formats and strings, from the device byte by byte. */
static const void *lookup(void *ctx, uint64_t address, size_t width) {
    struct reader *r = ctx;
    return ndpMemcpyDtoH(cu.device, r->found, (ndpDevicePtr)address, width) ==
                   NDP_SUCCESS
               ? r->found
               : NULL;
}

static uint64_t argument(void *ctx, bool as_double) {
    struct reader *r = ctx;
    if (r->next >= r->n)
        return 0;
    const uint32_t *a = r->arguments + ARGUMENT * r->next++;
    uint64_t bits = a[1] | (uint64_t)a[2] << 32;
    float single;
    double value;
    if (!as_double || a[0] != FLOAT)
        return bits;
    memcpy(&single, &a[1], sizeof single);
    value = (double)single;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void print(const uint32_t *words, uint32_t n) {
    struct text t = {0};
    for (uint32_t at = 0; at + RECORD <= n;) {
        uint32_t size = words[at];
        if (size < RECORD || size > n - at)
            break;
        struct reader r = {.arguments = words + at + RECORD,
                           .n = (size - RECORD) / ARGUMENT};
        uint64_t format = words[at + 1] | (uint64_t)words[at + 2] << 32;
        ndp_format_with(&t, format, argument, lookup, &r);
        at += size;
    }
    fwrite(text_str(&t), 1, t.len, stdout);
    text_free(&t);
}

bool cu_print(struct cu_module *m) {
    uint32_t head[2], none[2] = {0};
    size_t bytes;
    if (!m->print ||
        ndpModuleGetGlobal(&m->print, &bytes, m->module,
                           "__ndp_print_buffer") != NDP_SUCCESS ||
        ndpMemcpyDtoH(cu.device, head, m->print, HEAD) != NDP_SUCCESS ||
        (!head[0] && !head[1]))
        return false;
    uint32_t room = (uint32_t)(bytes - HEAD) / 4;
    uint32_t n = head[0] < room ? head[0] : room;
    uint32_t *words = xcalloc((size_t)n + 1, 4);
    if (ndpMemcpyDtoH(cu.device, words, m->print + HEAD, (size_t)n * 4) ==
        NDP_SUCCESS)
        print(words, n);
    if (head[0] > room)
        cu_say("printf in kernels: %u of %u words had no room, compile with "
               "-DNDP_PRINTF_WORDS=%u",
               (unsigned)(head[0] - room), (unsigned)head[0],
               (unsigned)head[0]);
    /* zero, so that nothing old is taken for a record */
    memset(words, 0, (size_t)n * 4);
    ndpMemcpyHtoD(cu.device, m->print + HEAD, words, (size_t)n * 4);
    ndpMemcpyHtoD(cu.device, m->print, none, HEAD);
    free(words);
    return head[1];
}
