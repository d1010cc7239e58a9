/* perfetto.c - a command trace as Chrome trace events, for Perfetto.
 *
 * A cycle is a microsecond.  A channel is a process, a bank a track: a slice
 * for each row that is open, in it one for each column command; and a track of
 * a rank for refreshes.
 */
#include "report.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

struct bank {
    bool named, open;
    int row;
    int64_t since;
};

struct view {
    FILE *out;
    const struct config *c;
    struct bank *banks; /* by track; the last one of a rank is its refreshes */
    int per_rank;
    int64_t last;
};

static int track_of(const struct view *v, int channel, int rank, int bank) {
    return (channel * v->c->dram_ranks + rank) * v->per_rank + bank;
}

static int bank_of(const struct view *v, const struct dram_command *c) {
    return c->group * v->c->dram_banks + c->bank;
}

/* Where an event stands; gives the track its name before its first one. */
static void put_place(const struct view *v, int track, const char *phase) {
    int rank = track / v->per_rank, bank = track % v->per_rank;
    int channel = rank / v->c->dram_ranks;
    if (!v->banks[track].named) {
        fprintf(v->out,
                "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,"
                "\"args\":{\"name\":\"channel %d\"}},\n",
                channel + 1, channel);
        fprintf(v->out,
                "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,"
                "\"args\":{\"name\":\"rank %d ",
                channel + 1, track + 1, rank % v->c->dram_ranks);
        if (bank == v->per_rank - 1)
            fprintf(v->out, "refresh\"}},\n");
        else
            fprintf(v->out, "group %d bank %d\"}},\n", bank / v->c->dram_banks,
                    bank % v->c->dram_banks);
        v->banks[track].named = true;
    }
    fprintf(v->out, "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d,", phase, channel + 1,
            track + 1);
}

static void close_row(const struct view *v, int track, int64_t at) {
    struct bank *b = &v->banks[track];
    if (b->open) {
        put_place(v, track, "X");
        fprintf(v->out,
                "\"name\":\"row %d\",\"cat\":\"row\",\"ts\":%" PRId64
                ",\"dur\":%" PRId64 "},\n",
                b->row, b->since, at > b->since ? at - b->since : 1);
    }
    b->open = false;
}

static void put_command(const struct view *v, int track,
                        const struct dram_command *c) {
    put_place(v, track, "X");
    fprintf(v->out,
            "\"name\":\"%s\",\"cat\":\"%s\",\"ts\":%" PRId64
            ",\"dur\":1,\"args\":{\"column\":%d,\"line\":%" PRId64 "}},\n",
            dram_kind_name(c->kind), c->nda ? "accelerator" : "host", c->cycle,
            c->column, c->line);
}

static void take(struct view *v, const struct dram_command *c) {
    int track = track_of(v, c->channel, c->rank, bank_of(v, c));
    int first = track_of(v, c->channel, c->rank, 0);
    if (c->kind == DRAM_ACT) {
        close_row(v, track, c->cycle);
        v->banks[track].open = true;
        v->banks[track].row = c->row;
        v->banks[track].since = c->cycle;
    } else if (c->kind == DRAM_PRE) {
        close_row(v, track, c->cycle);
    } else if (dram_kind_of_rank(c->kind)) { /* all banks; a refresh, too */
        for (int b = 0; b < v->per_rank - 1; b++)
            close_row(v, first + b, c->cycle);
        if (c->kind == DRAM_REF)
            put_command(v, first + v->per_rank - 1, c);
    } else {
        put_command(v, track, c);
        if (dram_closes(c->kind))
            close_row(v, track, c->cycle + 1);
    }
    v->last = c->cycle;
}

void perfetto_trace(struct dram_trace *t, const struct config *c, FILE *out) {
    struct dram_command command;
    struct view v = {
        .out = out, .c = c, .per_rank = c->dram_groups * c->dram_banks + 1};
    int tracks = c->dram_channels * c->dram_ranks * v.per_rank;
    v.banks = xcalloc((size_t)tracks, sizeof *v.banks);
    fputs("{\"otherData\":{\"a microsecond is\":\"a cycle\"},\"traceEvents\":"
          "[\n",
          out);
    while (dram_trace_next(t, &command))
        take(&v, &command);
    for (int i = 0; i < tracks; i++)
        close_row(&v, i, v.last + 1);
    fputs("{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":1,\"tid\":0,"
          "\"args\":{\"sort_index\":1}}\n]}\n",
          out);
    free(v.banks);
}
