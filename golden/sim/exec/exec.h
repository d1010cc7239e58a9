/* exec.h - the SIMT executor: runs the kernels of a PTX module, warp by warp.
 *
 * A functional machine: warps of 32 lanes, CTAs one after another, the warps of
 * a CTA in turn.  Lanes of a warp that part at a branch meet again at its
 * immediate post-dominator.  It has no notion of time.
 *
 *     struct exec *x = exec_create(module, NULL, &diag);
 *     exec_buffer(x, "x", bytes, 256, &address, &data);
 *     exec_begin(x, &launch, &diag);
 *     while (exec_step(x, &event) == EXEC_RUNNING)
 *         use(&event);
 *
 * What goes wrong in the kernel (an access outside any buffer, an instruction
 * that is not supported, no progress) ends the launch and is reported once, as
 *
 *     file:line:column: error: kernel 'x', block (1,0,0), thread (5,0,0),
 *     address 0x100000fa0: 4-byte load outside any buffer, ...
 */
#ifndef NDP_EXEC_H
#define NDP_EXEC_H

#include "base/diag.h"
#include "ptx/ir.h"
#include "sim/trace/stream.h"
#include "texture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exec; /* owned by the caller, freed by exec_free */

struct exec_options {
    uint64_t limit;    /* warp instructions a launch; 0: none */
    uint64_t patience; /* warp instructions without progress; 0: 2^28 */
    uint32_t turn;     /* warp instructions before the next warp; 0: 1024 */
    uint64_t memory;   /* bytes of all buffers together; 0: 2^34 */
    /* Where a variable of the module lies: its contents, which the caller keeps
     * until exec_free, and its address, below 2^32 minus 2^29.  NULL, or no
     * such function: the executor finds a place of its own. */
    void *(*place)(void *ctx, const char *name, uint64_t *address);
    void *ctx;
};

/* Why a launch ended with EXEC_FAULT. */
enum exec_fault {
    EXEC_FAULT_OTHER, /* not supported, or wrong */
    EXEC_FAULT_ADDRESS,
    EXEC_FAULT_ALIGNMENT,
    EXEC_FAULT_TRAP
};

enum exec_state {
    EXEC_IDLE, /* nothing launched */
    EXEC_RUNNING,
    EXEC_FINISHED, /* every thread has left the kernel */
    EXEC_FAULT,
    EXEC_LIMIT, /* options.limit reached */
    EXEC_STUCK  /* no warp can go on, or none changes anything */
};

/* The module must outlive the exec; options may be NULL.  NULL after an error
 * in d (module variables that do not fit). */
struct exec *exec_create(const struct ptx_module *m,
                         const struct exec_options *options, struct diag *d);
void exec_free(struct exec *x);

/* A zeroed buffer in global memory with guard gaps on both sides.  align is a
 * power of two.  *data stays valid until exec_free; the host reads and writes
 * it between launches.  name must outlive x.  False: no memory for it. */
bool exec_buffer(struct exec *x, const char *name, uint64_t size,
                 uint64_t align, uint64_t *address, void **data);

/* Memory of the caller's, size bytes at an address of its choice that overlaps
 * no other; it is the caller's until exec_unmap or exec_free.  address is a
 * multiple of 256.  name as above. */
void exec_map(struct exec *x, const char *name, uint64_t address, uint64_t size,
              void *data);
void exec_unmap(struct exec *x, uint64_t address);

/* Contents of a .global or .const variable of the module; NULL: none of that
 * name.  *address may be NULL. */
void *exec_symbol(struct exec *x, const char *name, uint64_t *size,
                  uint64_t *address);

/* A texture that a kernel fetches from by its handle, a value of 64 bits; no
 * address of a buffer is one.  Nothing is bound to it yet.  name must outlive
 * x.  exec_texture_symbol: the handle of a .texref of the module; false: there
 * is none of that name. */
uint64_t exec_texture(struct exec *x, const char *name);
bool exec_texture_symbol(struct exec *x, const char *name, uint64_t *handle);

/* Bind t, with which nothing is wrong (texture_wrong); it is copied, the memory
 * is looked at when a kernel fetches. */
void exec_texture_bind(struct exec *x, uint64_t handle,
                       const struct texture *t);

struct exec_launch {
    const struct ptx_function *kernel; /* an entry with a body */
    uint32_t grid[3], block[3];
    uint32_t shared;    /* dynamic shared memory, bytes a CTA */
    const void *params; /* laid out as exec_param_offset says; copied */
};

/* Byte offset of parameter i of kernel; of i == n_params: the total size. */
uint64_t exec_param_offset(const struct ptx_function *kernel, int i);

/* Start a launch.  False after an error in d: sizes that the machine does not
 * have.  d is kept for the messages of exec_step. */
bool exec_begin(struct exec *x, const struct exec_launch *l, struct diag *d);

/* Execute one warp instruction.  EXEC_RUNNING: e tells of it.  Any other state
 * is final for the launch and leaves e alone. */
enum exec_state exec_step(struct exec *x, struct stream_event *e);

/* The launch as events name it; and counts since exec_create. */
const struct stream_launch *exec_launched(const struct exec *x);
uint64_t exec_warp_instructions(const struct exec *x);
uint64_t exec_thread_instructions(const struct exec *x);

/* Of the present launch, after EXEC_FAULT; *address: of a memory access. */
enum exec_fault exec_fault_of(const struct exec *x, uint64_t *address);

/* What vprintf is called with: for one thread after another the format's
 * address and that of its arguments; NULL: nobody prints.  exec_memory: width
 * bytes there, as a thread of the warp that runs sees them; NULL: none. */
typedef void exec_print_fn(void *ctx, struct exec *x, uint64_t format,
                           uint64_t arguments);
void exec_on_print(struct exec *x, exec_print_fn *print, void *ctx);
const void *exec_memory(struct exec *x, uint64_t address, uint64_t width);

/* CTAs of the present launch that have finished. */
uint64_t exec_ctas_done(const struct exec *x);

#endif
