/* zeroes.c - see zeroes.h. */
#include "zeroes.h"

#include "base/array.h"
#include "base/text.h"
#include "blocks/host.h"

enum { PREDICATES = 7, OP_START = 3, OP_CLEAR = 8, MOST_THREADS = 1024 };

/* Each CTA waits until all others have begun, so that none gets the warps of
 * one that has ended.  A warp begins in LANES + 1 edges; a round takes 60 at
 * least, and the words behind them another 700. */
static void write_text(struct text *t, const struct simt_local *size) {
    text_printf(t,
                "movi r1, %d\nspin:\nsub r1, r1, 1\nsetgts p0, r1, 0\n"
                "@p0 bra spin, out\nout:\n",
                (int)size->WARPS / 2);
    for (int r = 0; r < (int)size->REGS; r++)
        text_printf(t, "movi r%d, 0\n", r);
    for (int p = 0; p < PREDICATES; p++)
        text_printf(t, "setne p%d, r0, 0\n", p);
    text_printf(t, "exit\n");
}

void zeroes_open(struct zeroes *z, const struct simt_local *size) {
    uint32_t lanes = (uint32_t)size->LANES, warps = (uint32_t)size->WARPS;
    uint32_t each = (warps + (uint32_t)size->CTAS - 1) / (uint32_t)size->CTAS;
    struct text t = {0};
    while (warps % each != 0)
        each++;
    z->threads = each * lanes;
    z->ctas = warps / each;
    if (z->threads > MOST_THREADS)
        BUG("a CTA of %u threads, expected %d at most", (unsigned)z->threads,
            MOST_THREADS);
    write_text(&t, size);
    simt_text(&z->launch, text_str(&t));
    text_free(&t);
}

void zeroes_close(struct zeroes *z) {
    array_free(&z->launch.code);
}

static bool load(const struct zeroes *z, const struct simt_local *size,
                 ndpDevice d) {
    const uint32_t warps = z->threads / (uint32_t)size->LANES;
    const uint32_t reg[] = {0,          z->ctas, 1,       1, z->threads, 1, 1,
                            z->threads, warps,   z->ctas, 0, 0,          0};
    bool ok = ndp_command(d, HOST_COM_op, OP_CLEAR) == NDP_SUCCESS &&
              ndp_command(d, HOST_COM_index, 0) == NDP_SUCCESS;
    for (int i = 0; ok && i < z->launch.code.n; i++) {
        uint64_t word = z->launch.code.v[i];
        ok = ndp_command(d, HOST_COM_high, (uint32_t)(word >> 32)) ==
                 NDP_SUCCESS &&
             ndp_command(d, HOST_COM_code, (uint32_t)word) == NDP_SUCCESS;
    }
    return ok && ndp_command(d, HOST_COM_index, 0) == NDP_SUCCESS &&
           ndp_commands(d, HOST_COM_set, reg, sizeof reg / sizeof reg[0]) ==
               NDP_SUCCESS &&
           ndp_command(d, HOST_COM_op, OP_START) == NDP_SUCCESS;
}

bool zeroes_run(const struct zeroes *z, const struct simt_local *size,
                ndpDevice d) {
    uint32_t core = 1;
    if (!load(z, size, d))
        return false;
    for (int tries = 0; (core & 3) < DONE && tries < 100000; tries++)
        if (ndp_status(d, HOST_STA_core, &core) != NDP_SUCCESS)
            return false;
    return (core & 3) == DONE;
}
