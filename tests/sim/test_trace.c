/* test_trace.c - streams in files: what is written is read back; what is cut
 * off or changed is an error with its byte; text traces of Accel-Sim in all
 * their dialects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <zlib.h>

#include "tests/common/diag_capture.h"
#include "ref.h"
#include "sim/run/run.h"
#include "tests/common/scratch.h"
#include "base/text.h"
#include "sim/trace/accelsim.h"
#include "sim/trace/dump.h"
#include "sim/trace/stats.h"
#include "sim/trace/trace.h"

/* ------------------------------------------------------------ round trip */

/* Fold all that an event says into h. */
static uint64_t fold(uint64_t h, uint64_t v) {
    return (h ^ v) * 1099511628211u + (h >> 29);
}

static uint64_t fold_text(uint64_t h, const char *s) {
    for (; *s; s++)
        h = fold(h, (unsigned char)*s);
    return h;
}

static uint64_t fold_launch(uint64_t h, const struct stream_launch *l) {
    h = fold_text(fold(h, l->id), l->kernel);
    for (int i = 0; i < 3; i++)
        h = fold(fold(h, l->grid[i]), l->block[i]);
    return fold(fold(h, l->shared), l->registers);
}

static uint64_t fold_event(uint64_t h, const struct stream_event *e) {
    const struct stream_insn *s = e->insn;
    if (e->kind == STREAM_LAUNCH)
        return fold_launch(h, e->launch);
    h = fold_text(fold(fold(h, s->pc), s->line), s->opcode);
    h = fold(fold(fold(h, s->function), s->opc), s->space);
    h = fold(fold(fold(h, s->access), s->width), s->n_dst);
    h = fold(h, s->n_src);
    for (int i = 0; i < s->n_dst + s->n_src; i++)
        h = fold(h, s->regs[i]);
    h = fold(fold(fold(fold(h, e->cta), e->warp), e->active), e->mask);
    for (int i = 0; s->access && i < STREAM_LANES; i++)
        if (e->mask >> i & 1)
            for (uint32_t k = 0; k < stream_addresses(e); k++)
                h = fold(h, stream_row(e, k)[i]);
    return s->access ? fold(h, stream_width(e)) : h;
}

static uint64_t write_run(const char *description, const char *path,
                          uint64_t *events) {
    struct diag d = {0};
    struct run *r =
        run_open(description, &(struct run_options){.reference = ref_find}, &d);
    struct stream_event e;
    uint64_t h = 0;
    if (!r)
        diag_flush(&d, stderr);
    assert_non_null(r);
    struct trace_writer *t = trace_create(path, run_ptx_hash(r), &d);
    assert_non_null(t);
    for (*events = 0; stream_next(run_stream(r), &e) == STREAM_EVENT;
         ++*events) {
        h = fold_event(h, &e);
        trace_write(t, &e);
    }
    assert_true(trace_finish(t, true, &d));
    assert_int_equal(d.errors, 0);
    run_close(r);
    diag_free(&d);
    return h;
}

static uint64_t read_back(const char *path, uint64_t *events) {
    struct diag d = {0};
    struct stream *s = trace_open_any(path, &d);
    struct stream_event e;
    enum stream_result result;
    uint64_t h = 0;
    assert_non_null(s);
    for (*events = 0; (result = stream_next(s, &e)) == STREAM_EVENT; ++*events)
        h = fold_event(h, &e);
    if (result != STREAM_END)
        diag_flush(&d, stderr);
    assert_int_equal(result, STREAM_END);
    stream_close(s);
    diag_free(&d);
    return h;
}

/* A kernel without a reference: its buffers are only stored to. */
static const char small_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".global .texref line;\n"
    ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
    ".reg .b32 %r<8>; .reg .b64 %a<4>; .reg .pred %p; .reg .f32 %f<5>;\n"
    "ld.param.u64 %a0, [p]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;\n"
    "setp.ge.u32 %p, %r1, %r0; @%p bra END;\n"
    "mul.lo.u32 %r2, %r1, %r1; and.b32 %r2, %r2, 255;\n"
    "mul.wide.u32 %a1, %r2, 4; add.u64 %a1, %a1, %a0;\n"
    "atom.global.add.u32 %r3, [%a1], %r1; bar.sync 0;\n"
    "cvt.rn.f32.u32 %f0, %r2;\n"
    "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [line, {%f0}];\n"
    "ld.global.u32 %r4, [%a1]; add.u32 %r4, %r4, 1;\n"
    "@!%p st.global.u32 [%a1], %r4;\nEND: ret;\n}\n";
static const char small_yml[] =
    "ptx: small.ptx\nsizes: {small: {n: 70}}\ngrid: [2]\nblock: [96]\n"
    "buffers: {p: {type: u32, count: 256}, l: {type: f32, count: 90}}\n"
    "textures: {l1: {data: l, width: 90, filter: linear, symbol: line}}\n"
    "arguments: [p, n]\n";

static void make_small(struct scratch *s, const char **yml,
                       const char **trace) {
    scratch_open(s);
    scratch_text(s, "small.ptx", small_ptx);
    *yml = scratch_text(s, "small.yml", small_yml);
    *trace = scratch_file(s, "small.ndpt", NULL, 0);
}

static void round_trip(void **state) {
    (void)state;
    struct scratch s;
    const char *yml, *trace;
    uint64_t written, read;
    make_small(&s, &yml, &trace);
    uint64_t h = write_run(yml, trace, &written);
    assert_true(h == read_back(trace, &read));
    assert_int_equal(written, read);
    assert_true(written > 80);
    scratch_close(&s);
}

static void round_trip_of_kernels(void **state) {
    (void)state;
    static const char *const names[] = {
        "bfs/bfs", "hist/hist",           "nw/nw",           "convsep/convsep",
        "cfd/cfd", "texresize/texresize", "texconv/texconv", "texspmv/texspmv"};
    struct scratch s;
    scratch_open(&s);
    const char *trace = scratch_file(&s, "t.ndpt", NULL, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char description[80];
        uint64_t written, read;
        snprintf(description, sizeof description, "kernels/%s.yml", names[i]);
        uint64_t h = write_run(description, trace, &written);
        assert_true(h == read_back(trace, &read));
        assert_int_equal(written, read);
    }
    scratch_close(&s);
}

/* -------------------------------------------------------------- damage */

/* Read path to its end: the result, with the message in *text (to free). */
static enum stream_result drain(const char *path, char **text) {
    struct diag d = {0};
    struct stream *s = trace_open_any(path, &d);
    struct stream_event e;
    enum stream_result result = STREAM_ERROR;
    while (s && (result = stream_next(s, &e)) == STREAM_EVENT)
        ;
    stream_close(s);
    *text = diag_captured(&d);
    diag_free(&d);
    return result;
}

static void truncated(void **state) {
    (void)state;
    struct scratch s;
    const char *yml, *trace;
    uint64_t n;
    size_t len;
    make_small(&s, &yml, &trace);
    write_run(yml, trace, &n);
    char *whole = text_read_file(trace, &len);
    assert_non_null(whole);
    const char *cut = scratch_file(&s, "cut.ndpt", whole, 0);
    for (size_t k = 8; k < len; k++) {
        char *text;
        FILE *f = fopen(cut, "wb");
        assert_int_equal(fwrite(whole, 1, k, f), k);
        fclose(f);
        assert_int_equal(drain(cut, &text), STREAM_ERROR);
        char expected[64];
        snprintf(expected, sizeof expected,
                 "byte %zu: the trace is cut off here", k);
        assert_non_null(strstr(text, expected));
        free(text);
    }
    free(whole);
    scratch_close(&s);
}

/* An address that no GPU has: sums of it and a width would come round. */
static void wild_address(void **state) {
    (void)state;
    struct scratch s;
    struct diag d = {0};
    struct stream_launch l = {
        .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct stream_insn load = {.opcode = "ld.global.f32",
                               .opc = OPC_ld_global,
                               .space = PTX_SPACE_GLOBAL,
                               .access = STREAM_LOAD,
                               .width = 4};
    struct stream_event e = {.kind = STREAM_LAUNCH, .launch = &l};
    scratch_open(&s);
    const char *path = scratch_text(&s, "wild.ndpt", "");
    for (int k = 0; k < 2; k++) {
        struct trace_writer *t = trace_create(path, 1, &d);
        char *text;
        e.kind = STREAM_LAUNCH;
        trace_write(t, &e);
        e.kind = STREAM_INSTRUCTION;
        e.insn = &load;
        e.active = e.mask = 2;
        e.address[1] = (UINT64_C(1) << STREAM_ADDRESS_BITS) - !k;
        trace_write(t, &e);
        assert_true(trace_finish(t, true, &d));
        assert_int_equal(drain(path, &text), k ? STREAM_ERROR : STREAM_END);
        assert_true(!k || strstr(text, "an address of more than 53 bits"));
        free(text);
    }
    diag_free(&d);
    scratch_close(&s);
}

static void damaged(void **state) {
    (void)state;
    struct scratch s;
    const char *yml, *trace;
    uint64_t n;
    size_t len;
    make_small(&s, &yml, &trace);
    write_run(yml, trace, &n);
    char *whole = text_read_file(trace, &len);
    const char *bad = scratch_file(&s, "bad.ndpt", whole, 0);
    for (size_t k = 0; k < len; k++)
        for (int bit = 0; bit < 8; bit += 3) {
            char *text;
            if (k >= 12 && k < 20)
                continue; /* the hash: any will do, but for the checksum */
            whole[k] ^= (char)(1 << bit);
            FILE *f = fopen(bad, "wb");
            assert_int_equal(fwrite(whole, 1, len, f), len);
            fclose(f);
            whole[k] ^= (char)(1 << bit);
            assert_int_equal(drain(bad, &text), STREAM_ERROR);
            assert_non_null(strstr(text, "error: "));
            free(text);
        }
    free(whole);
    scratch_close(&s);
}

static void no_trace(void **state) {
    (void)state;
    struct scratch s;
    char *text;
    scratch_open(&s);
    const char *path = scratch_text(&s, "x.ndpt", "hello, this is no trace");
    assert_int_equal(drain(path, &text), STREAM_ERROR);
    assert_non_null(strstr(text, "byte 0: no trace"));
    free(text);
    path = scratch_file(&s, "v.ndpt", "NDPTRACE\2\0\0\0\0\0\0\0\0\0\0\0", 20);
    assert_int_equal(drain(path, &text), STREAM_ERROR);
    assert_non_null(strstr(text, "byte 8: a trace of another version"));
    free(text);
    assert_int_equal(drain("/nonexistent/x", &text), STREAM_ERROR);
    assert_non_null(strstr(text, "cannot read '/nonexistent/x'"));
    free(text);
    scratch_close(&s);
}

/* ------------------------------------------------------------- Accel-Sim */

#define HEADER(version, lineinfo)                                              \
    "-kernel name = vecadd\n-kernel id = 1\n-grid dim = (2,1,1)\n"             \
    "-block dim = (64,1,1)\n-shmem = 128\n-nregs = 12\n"                       \
    "-binary version = 70\n-cuda stream id = 0\n"                              \
    "-accelsim tracer version = " version "\n-enable lineinfo = " lineinfo     \
    "\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode "     \
    "src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] "          \
    "immediate\n\n"

struct seen {
    int launches, events;
    struct stream_launch launch;
    struct {
        struct stream_insn insn;
        uint32_t cta, warp, mask;
        uint64_t address[STREAM_LANES];
    } e[16];
};

static enum stream_result read_all(const char *path, struct seen *seen,
                                   char **text) {
    struct diag d = {0};
    struct stream *s = trace_open_any(path, &d);
    struct stream_event e;
    enum stream_result result = STREAM_ERROR;
    *seen = (struct seen){0};
    while (s && (result = stream_next(s, &e)) == STREAM_EVENT) {
        if (e.kind == STREAM_LAUNCH) {
            seen->launches++;
            seen->launch = *e.launch;
            seen->launch.kernel = NULL;
            assert_non_null(e.launch->kernel);
        } else if (seen->events < 16) {
            int i = seen->events++;
            seen->e[i].insn = *e.insn;
            seen->e[i].insn.opcode = NULL;
            seen->e[i].cta = e.cta;
            seen->e[i].warp = e.warp;
            seen->e[i].mask = e.mask;
            memcpy(seen->e[i].address, e.address, sizeof e.address);
        }
    }
    stream_close(s);
    *text = diag_captured(&d);
    diag_free(&d);
    return result;
}

static const char grouped[] = HEADER(
    "5",
    "1") "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 4\n"
         "12 0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 40\n"
         "13 0010 0000000f 1 R2 LDG.E.SYS 1 R4 4 1 0x7f0000001000 4 16\n"
         /* one lane: base and no delta; the 24 is the immediate */
         "13 0020 00000100 1 R2 LDG.E.64.SYS 1 R4 8 2 0x7f0000002000 24\n"
         "14 0030 0000000b 0 STG.E.SYS 2 R4 R2 4 2 0x7f0000003000 -8 256 0\n"
         "\nwarp = 1\ninsts = 2\n"
         "15 0040 00000003 1 R3 LDS.U 1 R4 4 0 0x10 0x20 0\n"
         "16 0050 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";

static void check_grouped(const struct seen *s) {
    assert_int_equal(s->launches, 1);
    assert_int_equal(s->events, 6);
    assert_int_equal(s->launch.grid[0], 2);
    assert_int_equal(s->launch.block[0], 64);
    assert_int_equal(s->launch.shared, 128);
    assert_int_equal(s->launch.registers, 12);
    assert_int_equal(s->e[0].cta, 1);
    assert_int_equal(s->e[0].insn.access, STREAM_NO_ACCESS);
    assert_int_equal(s->e[0].insn.n_src, 2);
    assert_int_equal(s->e[0].insn.regs[1], 255);
    assert_int_equal(s->e[1].insn.opc, OPC_ld_global);
    assert_int_equal(s->e[1].insn.space, PTX_SPACE_GLOBAL);
    assert_true(s->e[1].address[3] == 0x7f000000100c);
    assert_true(s->e[2].address[8] == 0x7f0000002000);
    assert_int_equal(s->e[2].insn.width, 8);
    assert_int_equal(s->e[3].insn.access, STREAM_STORE);
    assert_true(s->e[3].address[0] == 0x7f0000003000);
    assert_true(s->e[3].address[1] == 0x7f0000002ff8);
    assert_true(s->e[3].address[3] == 0x7f00000030f8);
    assert_int_equal(s->e[4].warp, 1);
    assert_int_equal(s->e[4].insn.space, PTX_SPACE_SHARED);
    assert_true(s->e[4].address[1] == 0x20);
    assert_int_equal(s->e[5].insn.opc, OPC_branch);
}

static void accelsim_grouped(void **state) {
    (void)state;
    struct scratch s;
    struct seen seen;
    char *text;
    scratch_open(&s);
    const char *path = scratch_text(&s, "kernel-1.traceg", grouped);
    assert_int_equal(read_all(path, &seen, &text), STREAM_END);
    assert_string_equal(text, "");
    free(text);
    check_grouped(&seen);
    assert_int_equal(seen.e[1].insn.line, 13);
    scratch_close(&s);
}

/* Without lines and immediates, as older tracers write it. */
static void accelsim_plain(void **state) {
    (void)state;
    static const char trace[] = HEADER(
        "4",
        "0") "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 4\n"
             "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0\n"
             "0010 0000000f 1 R2 LDG.E.SYS 1 R4 4 1 0x7f0000001000 4\n"
             "0020 00000100 1 R2 LDG.E.64.SYS 1 R4 8 2 0x7f0000002000\n"
             "0030 0000000b 0 STG.E.SYS 2 R4 R2 4 2 0x7f0000003000 -8 256\n"
             "warp = 1\ninsts = 2\n"
             "0040 00000003 1 R3 LDS.U 1 R4 4 0 0x10 0x20\n"
             "0050 ffffffff 0 EXIT 0 0\n#END_TB\n";
    struct scratch s;
    struct seen seen;
    char *text;
    scratch_open(&s);
    const char *path = scratch_text(&s, "kernel-1.traceg", trace);
    assert_int_equal(read_all(path, &seen, &text), STREAM_END);
    free(text);
    check_grouped(&seen);
    assert_int_equal(seen.e[1].insn.line, 0);
    scratch_close(&s);
}

/* As the tracer writes it: block and warp on each line, warps interleaved. */
static void accelsim_raw(void **state) {
    (void)state;
    static const char trace[] = HEADER(
        "5", "0") "1 0 0 1 0000 ffffffff 1 R1 MOV 1 R2 0 0 \n"
                  "0 0 0 0 0000 ffffffff 1 R1 MOV 1 R2 0 0 \n"
                  "1 0 0 1 0010 00000001 1 R2 LDG.E 1 R4 4 2 0x1000 7 \n";
    struct scratch s;
    struct seen seen;
    char *text;
    scratch_open(&s);
    const char *path = scratch_text(&s, "kernel-1.trace", trace);
    assert_int_equal(read_all(path, &seen, &text), STREAM_END);
    free(text);
    assert_int_equal(seen.events, 3);
    assert_int_equal(seen.e[0].cta, 1);
    assert_int_equal(seen.e[0].warp, 1);
    assert_int_equal(seen.e[1].cta, 0);
    assert_true(seen.e[2].address[0] == 0x1000);
    scratch_close(&s);
}

static void accelsim_list(void **state) {
    (void)state;
    struct scratch s;
    struct seen seen;
    char *text;
    scratch_open(&s);
    scratch_text(&s, "kernel-1.traceg", grouped);
    scratch_text(&s, "kernel-2.traceg", grouped);
    const char *list =
        scratch_text(&s, "kernelslist.g",
                     "MemcpyHtoD,0x00007f0000001000,4096\nkernel-1.traceg\n\n"
                     "MemcpyDtoH,0x00007f0000001000,4096\nkernel-2.traceg\n");
    assert_int_equal(read_all(list, &seen, &text), STREAM_END);
    free(text);
    assert_int_equal(seen.launches, 2);
    assert_int_equal(seen.events, 12);
    assert_int_equal(seen.launch.id, 1);
    scratch_close(&s);
}

/* A list of the tracer itself, and traces that a compressor has renamed. */
static void accelsim_packed(void **state) {
    (void)state;
    struct scratch s;
    struct seen seen;
    char *text;
    scratch_open(&s);
    const char *packed = scratch_text(&s, "kernel-1.trace.gz", "");
    gzFile f = gzopen(packed, "wb");
    assert_int_equal(gzwrite(f, grouped, (unsigned)strlen(grouped)),
                     (int)strlen(grouped));
    gzclose(f);
    const char *list =
        scratch_text(&s, "kernelslist",
                     "MemcpyHtoD,0x00007f0000001000,4096\nkernel-1.trace\n");
    assert_int_equal(read_all(list, &seen, &text), STREAM_END);
    free(text);
    assert_int_equal(seen.launches, 1);
    assert_int_equal(seen.events, 6);
    assert_int_equal(read_all(packed, &seen, &text), STREAM_END);
    free(text);
    assert_int_equal(seen.events, 6);
    list = scratch_text(&s, "some_list", "kernel-2.trace\n");
    assert_int_equal(read_all(list, &seen, &text), STREAM_ERROR);
    assert_non_null(strstr(text, "kernel-2.trace: error: cannot read the "
                                 "trace: No such file"));
    free(text);
    scratch_close(&s);
}

static void accelsim_errors(void **state) {
    (void)state;
#define BLOCK HEADER("5", "0") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"
    static const char *const cases[][2] = {
        {BLOCK "insts = 1\n0000 ff 0 LDG 0 4 2 0x10\n#END_TB\n",
         ":18:1: error: byte 384: expected a delta, found 'the end"},
        {BLOCK "insts = 1\n0000 1 0 LDG 0 4 3 0x10 0\n#END_TB\n",
         "expected address mode 0, 1 or 2"},
        {BLOCK "insts = 1\n0000 3 0 LDG 0 4 1 0x1ffffffffffffc 4\n#END_TB\n",
         "an address of more than 53 bits"},
        {BLOCK "insts = 1\n0000 1 1 X2 LDG 0 0 0\n#END_TB\n",
         "expected a register such as R4"},
        {BLOCK "insts = 1\n0000 1 99 R2 LDG 0 0 0\n#END_TB\n",
         "too many registers"},
        {BLOCK "insts = 1\n0000 zz 0 LDG 0 0 0\n#END_TB\n",
         "expected a mask, found 'zz"},
        {BLOCK "insts = 1\n0000 1 0 LDG 0 4 2 0x10 5 6\n#END_TB\n",
         "more on the line than an instruction has"},
        {BLOCK "insts = 2\n0000 1 0 EXIT 0 0 0\n#END_TB\n",
         "a warp has fewer instructions than it says"},
        {BLOCK "insts = 0\n0000 1 0 EXIT 0 0 0\n#END_TB\n",
         "more instructions than the warp says"},
        {BLOCK "insts = 1\n0000 1 0 EXIT 0 0 0\n",
         "the trace is cut off: '#END_TB' is missing"},
        {BLOCK "warp = 2\n", "a warp that the block does not have"},
        {HEADER("5", "0"), "it has no instruction"},
        {HEADER("5", "0") "#BEGIN_TB\nthread block = 2,0,0\n",
         "a block that the grid does not have"},
        {HEADER("5", "0") "#BEGIN_TB\n#BEGIN_TB\n", "'#BEGIN_TB' before"},
        {"-kernel name = k\n-grid dim = (1,1)\n", "expected three sizes"},
        {"-kernel name = k\n#BEGIN_TB\n", "before '-grid dim' and"},
        {HEADER("5", "0") "5 0 0 0 0000 1 0 EXIT 0 0 0\n",
         "a block or warp that the launch does not have"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch s;
        struct seen seen;
        char *text;
        scratch_open(&s);
        const char *path = scratch_text(&s, "kernel-1.traceg", cases[i][0]);
        assert_int_equal(read_all(path, &seen, &text), STREAM_ERROR);
        if (!strstr(text, cases[i][1]))
            fail_msg("case %zu: %s\nexpected: %s", i, text, cases[i][1]);
        free(text);
        scratch_close(&s);
    }
}

/* Every prefix of a trace is an error or, at the end of a line outside a
 * block, an end. */
static void accelsim_cut(void **state) {
    (void)state;
    struct scratch s;
    struct seen seen;
    scratch_open(&s);
    const char *path = scratch_text(&s, "kernel-1.traceg", grouped);
    for (size_t k = 0; k < sizeof grouped - 8; k += 3) {
        char *text;
        FILE *f = fopen(path, "w");
        fwrite(grouped, 1, k, f);
        fclose(f);
        assert_int_equal(read_all(path, &seen, &text), STREAM_ERROR);
        free(text);
    }
    scratch_close(&s);
}

/* ------------------------------------------------------- statistics, text */

static void statistics(void **state) {
    (void)state;
    struct stream_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct stream_insn load = {.opcode = "ld.global.f32",
                               .opc = OPC_ld_global,
                               .space = PTX_SPACE_GLOBAL,
                               .access = STREAM_LOAD,
                               .width = 4};
    struct stream_insn branch = {.opcode = "bra", .opc = OPC_branch};
    struct stream_event e = {.kind = STREAM_INSTRUCTION,
                             .launch = &l,
                             .insn = &load,
                             .active = 0xffffffff,
                             .mask = 0xffffffff};
    struct stats st = {0};
    for (uint64_t i = 0; i < 32; i++)
        e.address[i] = 0x1000 + 4 * i;
    stats_add(&st, &e); /* one line */
    for (uint64_t i = 0; i < 32; i++)
        e.address[i] = 0x1040 + 4 * i;
    stats_add(&st, &e); /* two, one of them known */
    for (uint64_t i = 0; i < 32; i++)
        e.address[i] = 0x100000 + 4096 * i;
    stats_add(&st, &e); /* thirty-two */
    assert_int_equal(st.spaces[PTX_SPACE_GLOBAL].lines, 35);
    assert_int_equal(st.footprint_lines, 34);
    assert_int_equal(st.spaces[PTX_SPACE_GLOBAL].bytes, 3 * 128);
    assert_true(stats_line_use(&st) > 0.085 && stats_line_use(&st) < 0.086);
    e.insn = &branch;
    e.mask = 0xffff;
    stats_add(&st, &e);
    e.mask = 0;
    stats_add(&st, &e);
    assert_int_equal(st.branches, 2);
    assert_int_equal(st.divergent_branches, 1);
    assert_int_equal(st.idle, 1);
    assert_int_equal(st.warp_instructions, 5);
    assert_int_equal(st.thread_instructions, 3 * 32 + 16);
    assert_true(stats_mean_active(&st) == 32);
    stats_free(&st);
}

static void text_dump(void **state) {
    (void)state;
    struct scratch s;
    scratch_open(&s);
    const char *path = scratch_text(&s, "kernel-1.traceg", grouped);
    struct diag d = {0};
    struct stream *stream = accelsim_open(path, &d);
    struct stream_event e;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    while (stream_next(stream, &e) == STREAM_EVENT)
        dump_event(&e, out);
    fclose(out);
    assert_non_null(strstr(text, "# launch 0 kernel vecadd grid 2,1,1 block "
                                 "64,1,1 shared 128 registers 12\n"));
    assert_non_null(strstr(text, "1,0,0 0 16 13 0000000f 0000000f LDG.E.SYS "
                                 "r2 <- r4 global.4 0x7f0000001000+4*4\n"));
    assert_non_null(strstr(text, "global.4 0x7f0000003000,0x7f0000002ff8,"
                                 "0x7f00000030f8\n"));
    free(text);
    stream_close(stream);
    diag_free(&d);
    scratch_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(round_trip_of_kernels),
        cmocka_unit_test(truncated),
        cmocka_unit_test(wild_address),
        cmocka_unit_test(damaged),
        cmocka_unit_test(no_trace),
        cmocka_unit_test(accelsim_grouped),
        cmocka_unit_test(accelsim_plain),
        cmocka_unit_test(accelsim_raw),
        cmocka_unit_test(accelsim_list),
        cmocka_unit_test(accelsim_packed),
        cmocka_unit_test(accelsim_errors),
        cmocka_unit_test(accelsim_cut),
        cmocka_unit_test(statistics),
        cmocka_unit_test(text_dump),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
