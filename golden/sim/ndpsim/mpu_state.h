/* mpu_state.h - the composition `mpu` from inside; private to mpu*.c.
 *
 * A cycle (mpu.c): what the models show since the last edge is looked at by
 * feed, pipelines and memory, which set the inputs; then every model has its
 * edge.
 */
#ifndef NDP_NDPSIM_MPU_STATE_H
#define NDP_NDPSIM_MPU_STATE_H

#include "mpu.h"

#include "base/array.h"
#include "base/bits.h"
#include "blocks/bank.h"
#include "blocks/lsu_hybrid.h"
#include "blocks/nbu.h"
#include "iface/design.h"
#include "config/config.h"
#include "frame/golden.h"
#include "papers/analysis.h"

enum {
    MPU_SLOTS = 64,
    MPU_UNITS = 4,  /* near-bank units of a core (Table II), */
    MPU_BANKS = 16, /* four banks each */
    MPU_LANES = 32,
    MPU_KINDS = 7, /* sources of beats, as docs/blocks/nbu.md numbers them */
    MPU_TAGS = 4   /* instructions of a warp after their delivery */
};

enum mpu_side { MPU_FAR, MPU_NEAR };

struct mpu_settings {
    uint32_t policy, open, tsv;
};

/* Where energy goes, the lines of Table II. */
enum mpu_part {
    MPU_DRAM_BURST,
    MPU_DRAM_ROW,
    MPU_DRAM_REFRESH,
    MPU_REGISTERS,
    MPU_COLLECTOR,
    MPU_SHARED,
    MPU_EXTENSION,
    MPU_TSV,
    MPU_PARTS
};

/* The first of the three conditions that an access lacks. */
enum mpu_lack { MPU_MASK, MPU_ROW, MPU_UNIT, MPU_LACKS };

struct mpu_result {
    struct mpu_settings settings;
    uint64_t cycles, launches, ctas, instructions;
    uint64_t packets[2];            /* executed, by side */
    uint64_t moves[2];              /* rows, by the side that they come to */
    uint64_t beats[MPU_KINDS];      /* on the wires */
    uint64_t accesses, near;        /* of rows of global memory */
    uint64_t lack[MPU_LACKS];       /* of those that do not go near */
    uint64_t transactions, latency; /* of loads: cycles from LSU to register */
    uint64_t loads;
    uint64_t rows_opened;
    uint64_t events[MPU_PARTS];
};

/* Price of an event of a part in picojoules. */
double mpu_price(const struct mpu_result *r, enum mpu_part part);

void mpu_page(const void *result, FILE *out);
void mpu_heading(FILE *out);
void mpu_row(const void *result, FILE *out);
void mpu_json(const void *result, json_t *into);

/* --- what waits for the memory ------------------------------------------- */

struct mpu_flight;

/* A row of one access: a register of all lanes. */
struct mpu_access {
    struct mpu_flight *flight;
    bool store;
    int warp, reg;
    uint32_t mask;
    uint64_t since;
    uint32_t word[MPU_LANES];
};

/* A packet between its delivery and its completion. */
struct mpu_flight {
    bool used;
    int warp;
    uint64_t tag, ticket;
    uint64_t due; /* from when on it may complete, */
    int left;     /* when none of its accesses is left */
};

/* An instruction of a warp. */
struct mpu_step {
    uint32_t pc, mask;
    int place; /* its access to global memory, of the slot's; -1: none */
    bool barrier;
};

struct mpu_place {
    uint32_t mask;
    bool load, store;
    uint8_t width;
    uint32_t byte[MPU_LANES];
};

/* A hardware warp. */
struct mpu_slot {
    ARRAY(struct mpu_step) steps;
    ARRAY(struct mpu_place) places;
    int head, part;   /* next instruction, and which of its packets */
    int row;          /* rows of its access that are issued */
    bool used, waits; /* waits: at a barrier */
    uint32_t group;   /* CTA */
    struct mpu_flight flight[MPU_TAGS];
    struct {
        const struct nbu_packet *packet; /* NULL: none */
        int tag, place, row;
    } issued; /* and not yet delivered */
};

struct mpu_memory;

struct mpu {
    const struct mpu_settings *settings;
    const struct system_job *job;
    struct config config;
    struct nbu_local size;
    struct golden *dies;
    const struct nbu_out *out;
    struct nbu_in in;
    struct mpu_result *result;
    uint64_t cycle;
    uint64_t done, done_at; /* what moved, and when */
    bool failed;

    /* feed */
    struct stream_event event;
    bool held, over;
    struct nbu_packet *packets; /* of the kernel that is launched */
    int *first;                 /* packet of instruction pc; one more */
    const struct ptx_function *function;
    int function_index;
    int warps; /* of a CTA */
    uint64_t next_warp;
    uint32_t groups;
    struct mpu_slot slot[MPU_SLOTS];
    int turn;

    /* pipelines */
    ARRAY(struct mpu_flight *) pipe[2]; /* by side */
    struct mpu_flight *offered[2];
    bool done_ready[2]; /* on the last edge */
    bool reading[2];    /* a row of a register file was asked for */

    struct mpu_memory *memory;
};

/* Feed: the stream as packets of warps.  mpu_feed takes what there is room
 * for; false after an error. */
bool mpu_feed(struct mpu *m);
bool mpu_drained(const struct mpu *m);
void mpu_issue(struct mpu *m);
void mpu_feed_free(struct mpu *m);

/* Pipelines: packets from delivery to completion, register files. */
void mpu_pipelines(struct mpu *m);

/* Memory: load-store units, extension, banks. */
struct mpu_memory *mpu_memory_create(struct mpu *m);
void mpu_memory_free(struct mpu_memory *y);
void mpu_memory_access(struct mpu_memory *y, const struct mpu_access *a);
bool mpu_memory_idle(const struct mpu_memory *y);
void mpu_memory_step(struct mpu *m);

/* One access of a flight is done. */
void mpu_access_done(struct mpu *m, const struct mpu_access *a);

#endif
