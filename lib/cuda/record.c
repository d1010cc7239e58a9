/* record.c - with NDP_RECORD=DIR each launch is written as a run description
 * with its PTX and the bytes of all memory before and after, which ndpsim,
 * ndprun and the tools for the papers' machines replay (docs/run.md).
 *
 * An address in the parameters becomes the buffer that it points into; one that
 * lies in memory itself stays the number it is, which no other machine has.
 */
#include "cudart.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct buffer {
    char name[16];
    const char *symbol; /* NULL: an allocation */
    ndpDevicePtr at;
    size_t bytes;
};

static struct {
    const char *dir; /* NULL: no record */
    bool looked, on;
    int number;
    struct text text; /* of the description, up to where buffers end */
    ARRAY(struct buffer) buffers;
} record;

static bool wanted(void) {
    if (!record.looked) {
        const char *dir = getenv("NDP_RECORD");
        record.looked = true;
        record.dir = dir && *dir ? dir : NULL;
        if (record.dir && mkdir(record.dir, 0777) != 0 && errno != EEXIST) {
            cu_say("cannot make '%s': %s", record.dir, strerror(errno));
            record.dir = NULL;
        }
    }
    return record.dir;
}

/* A file of the present launch. */
static void write_file(const char *name, const void *data, size_t bytes) {
    struct text path = {0};
    text_printf(&path, "%s/%s", record.dir, name);
    FILE *f = fopen(text_str(&path), "wb");
    bool ok = f && fwrite(data, 1, bytes, f) == bytes;
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok) {
        cu_say("cannot write '%s': %s", text_str(&path), strerror(errno));
        record.dir = NULL;
    }
    text_free(&path);
}

static void name_file(char *name, size_t n, const char *what,
                      const char *when) {
    snprintf(name, n, "%04d_%s%s", record.number, what, when);
}

static void dump(const struct buffer *b, const char *when) {
    char name[64];
    uint8_t *bytes = malloc(b->bytes);
    name_file(name, sizeof name, b->name, when);
    if (bytes &&
        ndpMemcpyDtoH(cu.device, bytes, b->at, b->bytes) == NDP_SUCCESS)
        write_file(name, bytes, b->bytes);
    else
        cu_say("cannot read what is to be recorded: %s",
               ndpGetErrorString(cu.device));
    free(bytes);
}

static void add_buffer(const char *symbol, ndpDevicePtr at, size_t bytes) {
    struct buffer *b = array_push(&record.buffers);
    *b = (struct buffer){.symbol = symbol, .at = at, .bytes = bytes};
    snprintf(b->name, sizeof b->name, "b%d", record.buffers.n - 1);
    dump(b, ".before");
}

static void list_buffers(ndpModule module) {
    const char *name;
    record.buffers.n = 0;
    for (int i = 0; i < cu.blocks.n; i++)
        add_buffer(NULL, cu.blocks.v[i].at, cu.blocks.v[i].bytes);
    for (int i = 0; (name = ndpModuleGlobalName(module, i)); i++) {
        ndpDevicePtr at;
        size_t bytes;
        if (ndpModuleGetGlobal(&at, &bytes, module, name) == NDP_SUCCESS &&
            bytes)
            add_buffer(name, at, bytes);
    }
}

/* "b0[16]": what an address points into; false: nothing that was given out. */
static bool put_address(struct text *t, uint64_t address) {
    for (int i = 0; i < record.buffers.n; i++) {
        const struct buffer *b = &record.buffers.v[i];
        if (b->symbol || address < b->at || address - b->at >= b->bytes)
            continue;
        text_add(t, b->name);
        if (address != b->at)
            text_printf(t, "[%llu]", (unsigned long long)(address - b->at));
        return true;
    }
    return false;
}

/* Words, and addresses between them. */
static void put_struct(struct text *t, const struct cu_kernel *k, int n,
                       const ndpArgument *a) {
    text_add(t, "  - struct: [");
    for (size_t at = 0; at < a->bytes;) {
        uint64_t value = 0;
        size_t left = a->bytes - at, width = 4;
        memcpy(&value, (const uint8_t *)a->data + at, left < 8 ? left : 8);
        text_add(t, at ? ", " : "");
        size_t before = t->len;
        text_add(t, "ptr: ");
        if (left >= 8 && at % 8 == 0 &&
            ndpFuncParamIsAddress(k->function, n, at) &&
            put_address(t, value)) {
            width = 8;
        } else {
            t->len = before;
            width = left >= 4 ? 4 : left >= 2 ? 2 : 1;
            text_printf(t, "u%zu: %llu", 8 * width,
                        (unsigned long long)value & ((1ull << 8 * width) - 1));
        }
        at += width;
    }
    text_add(t, "]\n");
}

static bool has_address(const struct cu_kernel *k, int n,
                        const ndpArgument *a) {
    for (size_t at = 0; at + 8 <= a->bytes; at += 8)
        if (ndpFuncParamIsAddress(k->function, n, at))
            return true;
    return false;
}

static void put_arguments(const struct cu_kernel *k, const ndpArgument *a,
                          int n) {
    struct text *t = &record.text;
    text_add(t, n ? "arguments:\n" : "arguments: []\n");
    for (int i = 0; i < n; i++) {
        char name[64], what[32];
        uint64_t value = 0;
        memcpy(&value, a[i].data, a[i].bytes < 8 ? a[i].bytes : 8);
        size_t before = t->len;
        text_add(t, "  - ");
        if (a[i].bytes == 8 && has_address(k, i, &a[i]) &&
            put_address(t, value)) {
            text_add(t, "\n");
            continue;
        }
        t->len = before;
        if (a[i].bytes > 8 && has_address(k, i, &a[i])) {
            put_struct(t, k, i, &a[i]);
            continue;
        }
        snprintf(what, sizeof what, "argument%d", i);
        name_file(name, sizeof name, what, "");
        write_file(name, a[i].data, a[i].bytes);
        text_printf(t, "  - file: %s\n", name);
    }
}

void cu_record_before(const struct cu_kernel *k, dim3 grid, dim3 block,
                      size_t shared, const ndpArgument *arguments, int n) {
    char name[64];
    int module = 0;
    record.on = wanted();
    if (!record.on)
        return;
    while (cu.modules.v[module] != k->module)
        module++;
    record.number++;
    snprintf(name, sizeof name, "module%d.ptx", module);
    write_file(name, k->module->ptx, strnlen(k->module->ptx, k->module->bytes));
    list_buffers(k->module->module);
    record.text.len = 0;
    text_printf(&record.text,
                "# launch %d of a CUDA program, on %s\n"
                "kernel: %s\nptx: %s\n"
                "sizes: {small: {launch: %d}, full: {launch: %d}}\n"
                "grid: [%u, %u, %u]\nblock: [%u, %u, %u]\nshared: %zu\n",
                record.number, cu.url, k->name, name, record.number,
                record.number, grid.x, grid.y, grid.z, block.x, block.y,
                block.z, shared);
    put_arguments(k, arguments, n);
}

/* What the kernel has printed holds addresses: nobody compares it. */
static void put_buffer(const struct buffer *b, bool ok) {
    struct text *t = &record.text;
    bool compare =
        ok && (!b->symbol || strcmp(b->symbol, "__ndp_print_buffer") != 0);
    text_printf(t, "  %s:\n    type: u8\n    count: %zu\n", b->name, b->bytes);
    if (b->symbol)
        text_printf(t, "    symbol: \"%s\"\n", b->symbol);
    text_printf(t, "    fill: {file: %04d_%s.before}\n", record.number,
                b->name);
    if (!compare)
        return;
    dump(b, ".after");
    text_printf(t, "    check: {file: %04d_%s.after}\n", record.number,
                b->name);
}

void cu_record_after(bool ok) {
    char name[64];
    if (!record.on || !record.dir)
        return;
    text_add(&record.text, record.buffers.n ? "buffers:\n" : "buffers: {}\n");
    if (!ok)
        cu_say("launch %d failed, its record has no contents to compare",
               record.number);
    for (int i = 0; i < record.buffers.n; i++)
        put_buffer(&record.buffers.v[i], ok);
    name_file(name, sizeof name, "launch", ".yml");
    write_file(name, text_str(&record.text), record.text.len);
}
