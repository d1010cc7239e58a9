/* infile.c - decompression behind a FILE (infile.h): a stream of the C library
 * whose bytes come from zlib or liblzma.
 *
 * One byte tells whether a file may be compressed, as no text and no format of
 * this project begins so; a pipe can give that back.
 */
#define _GNU_SOURCE /* fopencookie */
#include "infile.h"

#include "text.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 16, GZIP_BYTE = 0x1f, XZ_BYTE = 0xfd };
enum { GZIP_WINDOW = 15 + 16 }; /* the largest, in a gzip header */
enum { DAMAGED = EBADMSG };

/* What the cookie of such a stream is. */
struct packed {
    FILE *in;
    bool xz, ended; /* the last file is whole */
    union {
        z_stream z;
        lzma_stream lzma;
    } s;
    uint8_t block[BLOCK];
    size_t at, n; /* of the block, what is left */
    bool last;    /* nothing is behind the block */
    int *error;   /* the reader's */
};

static bool fill(struct packed *p) {
    if (p->at < p->n || p->last)
        return true;
    p->at = 0;
    p->n = fread(p->block, 1, BLOCK, p->in);
    p->last = p->n < BLOCK;
    return !ferror(p->in);
}

/* Some bytes at least, if there are any; 0, or an errno. */
static int gunzip(struct packed *p, char *to, size_t room, size_t *got) {
    z_stream *z = &p->s.z;
    z->next_out = (Bytef *)to;
    z->avail_out = (uInt)room;
    while (z->avail_out == room) {
        if (!fill(p))
            return errno ? errno : EIO;
        if (p->at == p->n)
            return p->ended ? 0 : DAMAGED;
        if (p->ended && inflateReset(z) != Z_OK)
            return DAMAGED;
        z->next_in = p->block + p->at;
        z->avail_in = (uInt)(p->n - p->at);
        int r = inflate(z, Z_NO_FLUSH);
        p->at = p->n - z->avail_in;
        p->ended = r == Z_STREAM_END;
        if (r == Z_MEM_ERROR)
            return ENOMEM;
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return DAMAGED;
    }
    *got = room - z->avail_out;
    return 0;
}

static int unxz(struct packed *p, char *to, size_t room, size_t *got) {
    lzma_stream *x = &p->s.lzma;
    x->next_out = (uint8_t *)to;
    x->avail_out = room;
    while (x->avail_out == room && !p->ended) {
        if (!fill(p))
            return errno ? errno : EIO;
        x->next_in = p->block + p->at;
        x->avail_in = p->n - p->at;
        lzma_ret r = lzma_code(x, p->last ? LZMA_FINISH : LZMA_RUN);
        p->at = p->n - x->avail_in;
        p->ended = r == LZMA_STREAM_END;
        if (r == LZMA_MEM_ERROR)
            return ENOMEM;
        if (r != LZMA_OK && r != LZMA_STREAM_END)
            return DAMAGED;
    }
    *got = room - x->avail_out;
    return 0;
}

static ssize_t read_packed(void *cookie, char *to, size_t room) {
    struct packed *p = cookie;
    size_t got = 0;
    if (room > BLOCK)
        room = BLOCK;
    int error = room == 0 ? 0 : (p->xz ? unxz : gunzip)(p, to, room, &got);
    *p->error = errno = error;
    return error ? -1 : (ssize_t)got;
}

static int close_packed(void *cookie) {
    struct packed *p = cookie;
    if (p->xz)
        lzma_end(&p->s.lzma);
    else
        inflateEnd(&p->s.z);
    infile_close(p->in);
    free(p);
    return 0;
}

static FILE *unpack(FILE *in, bool xz, int *error) {
    static const cookie_io_functions_t calls = {.read = read_packed,
                                                .close = close_packed};
    struct packed *p = calloc(1, sizeof *p);
    FILE *f = NULL;
    if (p) {
        p->in = in;
        p->xz = xz;
        p->error = error;
        bool ready = xz ? lzma_stream_decoder(&p->s.lzma, UINT64_MAX,
                                              LZMA_CONCATENATED) == LZMA_OK
                        : inflateInit2(&p->s.z, GZIP_WINDOW) == Z_OK;
        f = ready ? fopencookie(p, "r", calls) : NULL;
    }
    if (f)
        return f;
    free(p);
    infile_close(in);
    *error = ENOMEM;
    return NULL;
}

FILE *infile_open(const char *path, int *error) {
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    *error = f ? 0 : errno;
    if (!f)
        return NULL;
    int first = getc(f);
    if (first == EOF) {
        clearerr(f); /* nothing, or a folder: who reads on is told */
        return f;
    }
    ungetc(first, f);
    return first == GZIP_BYTE || first == XZ_BYTE
               ? unpack(f, first == XZ_BYTE, error)
               : f;
}

char *infile_read(const char *path, size_t *len, int *error) {
    struct text t = {0};
    FILE *f = infile_open(path, error);
    char block[1 << 14];
    size_t n;
    if (!f)
        return NULL;
    errno = 0;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        text_addn(&t, block, n);
    if (ferror(f) && *error == 0)
        *error = errno ? errno : EIO;
    infile_close(f);
    if (*error) {
        text_free(&t);
        return NULL;
    }
    text_addn(&t, "", 0);
    *len = t.len;
    return t.data;
}

void infile_close(FILE *f) {
    if (f && f != stdin)
        fclose(f);
}

const char *infile_error(int error) {
    return error == DAMAGED
               ? "what is compressed there is damaged, or was cut off"
               : strerror(error ? error : errno);
}
