/* test_ndpgen.c - the names templates see, the family of a block, and every
 * file beside the RTL.  The output folder itself is in test_outdir.c, the
 * command line in ndpgen_test.sh.
 */
#include "output/emit.h"

#include "base/arena.h"
#include "base/embed.h"
#include "output/outdir.h"
#include "output/own_names.h"
#include "base/version.h"
#include "tests/common/temp.h"

#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#include <cmocka.h>

/* --- helpers ------------------------------------------------------------- */

static struct design *make_design(const char *target, const char *preset,
                                  const char *set) {
    const struct iface *b = iface_find(target);
    struct config c;
    struct diag d = {0};
    assert_non_null(b);
    assert_true(config_preset(&c, preset, &d));
    assert_true(!set || config_set(&c, set, &d));
    assert_true(iface_check(b, &c, &d));
    diag_free(&d);
    return design_make(b, &c);
}

/* Freed by drop. */
static struct gen_job make_job(const char *preset, const char *prefix) {
    return (struct gen_job){.design = make_design("nbu", preset, NULL),
                            .prefix = prefix,
                            .command = "ndpgen --target nbu"};
}

static void drop(struct gen_job *job) {
    design_free((struct design *)(uintptr_t)job->design);
}

/* A set of templates from "name", "text", ..., NULL. */
static struct template_set make_set(const char *const *pairs) {
    struct template_set s = {0};
    for (int i = 0; pairs[i]; i += 2)
        s.n++;
    s.files = xcalloc((size_t)s.n, sizeof *s.files);
    for (int i = 0; i < s.n; i++) {
        const char *name = pairs[2 * i], *text = pairs[2 * i + 1];
        s.files[i] = (struct template_file){
            strcmp(name, "ndp_nbu.v") == 0 ? "nbu" : "common",
            name,
            {name, text, strlen(text)}};
    }
    return s;
}

/* Render; the messages, which the caller frees, are "" if all went well. */
static char *render(const char *const *pairs, const struct gen_job *job,
                    struct gen_files *f) {
    struct template_set s = make_set(pairs);
    struct diag d = {0};
    char *messages = NULL;
    size_t len = 0;
    bool ok = templates_render(&s, job, f, &d);
    assert_true(ok == (d.errors == 0));
    FILE *out = open_memstream(&messages, &len);
    assert_non_null(out);
    diag_flush(&d, out);
    fclose(out);
    diag_free(&d);
    templates_free(&s);
    return messages;
}

static const char *text_of(const struct gen_files *f, const char *path) {
    const struct gen_file *file = gen_files_find(f, path);
    if (!file)
        fail_msg("no file '%s'", path);
    return text_str(&file->text);
}

static void expect_text(const char *template, const char *expected) {
    struct gen_job job = make_job("small", "my_");
    const char *const pairs[] = {"ndp_nbu.v", template, NULL};
    struct gen_files f = {0};
    char *messages = render(pairs, &job, &f);
    assert_string_equal(messages, "");
    assert_string_equal(text_of(&f, "rtl/my_ndp_nbu.v"), expected);
    free(messages);
    gen_files_free(&f);
    drop(&job);
}

static void expect_error(const char *template, const char *expected) {
    struct gen_job job = make_job("small", "");
    const char *const pairs[] = {"ndp_nbu.v", template, "ndp_queue.v",
                                 "queue\n", NULL};
    struct gen_files f = {0};
    char *messages = render(pairs, &job, &f);
    if (strncmp(messages, expected, strlen(expected)) != 0)
        fail_msg("'%s' gave '%s', expected '%s'", template, messages, expected);
    free(messages);
    gen_files_free(&f);
    drop(&job);
}

/* All files of the real block. */
static void emit_real(const struct gen_job *job, struct gen_files *f) {
    struct template_set s;
    struct diag d = {0};
    bool ok = templates_load(&s, NULL, &d) && emit_all(job, &s, f, &d);
    diag_flush(&d, stderr);
    assert_true(ok);
    diag_free(&d);
    templates_free(&s);
}

/* One file beside the RTL of the real block. */
static void emit_output(const struct gen_job *job, const char *name,
                        struct gen_files *f) {
    struct template_set s;
    struct diag d = {0};
    bool ok = templates_load(&s, NULL, &d) &&
              templates_render_output(&s, job, name, f, &d);
    diag_flush(&d, stderr);
    assert_true(ok);
    diag_free(&d);
    templates_free(&s);
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
        n++;
    return n;
}

/* --- names --------------------------------------------------------------- */

static void shows_values(void **state) {
    (void)state;
    expect_text("${L.WARPS} ${L_doc.WARPS} ${P['nbu.warps']}\n",
                "8 warps in flight 8\n");
    expect_text("${P['nbu.policy']} ${Pname['nbu.policy']}\n", "0 annotated\n");
    expect_text("${Pname['nbu.lanes']} ${block} ${prefix} ${version}\n",
                "8 nbu my_ " NDP_VERSION "\n");
    expect_text("${#hash} ${hash == hash_hi .. hash_lo}\n", "16 true\n");
    expect_text("${regs.first_setting} ${regs.first_counter} ${regs.n}\n",
                "4 5 19\n");
    expect_text("${regs.address_bits} ${string.format('%x', regs.id)}\n",
                "5 4e445000\n");
    expect_text("${regs.at_id}${regs.at_hash_lo}${regs.at_hash_hi}"
                "${regs.at_control}\n",
                "0123\n");
}

static void shows_the_interface(void **state) {
    (void)state;
    expect_text("//% local p = iface.ports[2]\n"
                "${p.name} ${p.dir} ${p.width} ${p.width_text} ${p.group}\n",
                "issue_ready out 8 WARPS issue\n");
    expect_text("//% local s = iface.settings[1]\n"
                "${s.name} ${s.width} ${s.reset} ${s.address}\n",
                "policy 2 0 4\n");
    expect_text("//% local c = iface.counters[1]\n${c.name} ${c.address}\n",
                "accepted 5\n");
    expect_text("//% local m = iface.memories[1]\n"
                "${m.name} ${m.words} ${m.width}\n",
                "track 640 3\n");
    expect_text("${iface.name}, ${iface.title}, ${iface.covers[1].name}\n",
                "nbu, near-bank unit, policy_annotated\n");
    expect_text("//% for k in pairs(L) do\n//% if k < 'E' then\n${k}\n//% end\n"
                "//% end\n",
                "COUNTER_W\nDONE_BEATS\nDONE_W\n");
}

static void shows_the_instruction_set(void **state) {
    (void)state;
    expect_text("${isa.ops[1].name} ${isa.op.ldg_b32.code} "
                "${isa.op.ffma.text}\n",
                "nop 96 ffma\n");
    expect_text("//% for _, o in ipairs(isa.ops) do\n"
                "//% if o.pred_c then emit(o.name) end\n"
                "//% end\n",
                "sel\nvote\n");
    expect_text("${isa.op.add.bits} ${isa.op.add.bits_imm}\n",
                "00003f00feffffff ffffff00ffffffff\n");
    expect_text("${isa.specials[2].name} ${isa.classes[1].name}\n",
                "%warpid control\n");
    expect_error("${isa.op.adds}\n",
                 "ndp_nbu.v:1:10: error: unknown operation");
}

static void refuses_unknown_names(void **state) {
    (void)state;
    expect_error("${L.WARPZ}\n", "ndp_nbu.v:1:5: error: unknown derived size "
                                 "'WARPZ', did you mean 'WARPS'");
    expect_error("${P['nbu.warp']}\n",
                 "ndp_nbu.v:1:6: error: unknown "
                 "parameter of this target 'nbu.warp', did you mean");
    expect_error("${Pname.x}\n",
                 "ndp_nbu.v:1:9: error: unknown parameter of this target 'x'");
    expect_error("${regs.nn}\n", "ndp_nbu.v:1:8: error: unknown register fact");
    expect_error("${iface.port}\n", "ndp_nbu.v:1:9: error: unknown part of the "
                                    "interface 'port', did you mean 'ports'");
    expect_error("//% L.WARPS = 3\n", "ndp_nbu.v:1:5: error: derived size "
                                      "values cannot be changed");
    expect_error("${localparams('WARPS', 'WARP')}\n",
                 "ndp_nbu.v:1:25: error: unknown derived size 'WARP'");
    expect_error("${ports{reg = {'issue_redy'}}}\n",
                 "ndp_nbu.v:1:17: error: unknown output 'issue_redy', did you "
                 "mean 'issue_ready'");
    expect_error("${ports{reg = {'issue_valid'}}}\n",
                 "ndp_nbu.v:1:17: error: unknown output 'issue_valid'");
}

/* --- functions ----------------------------------------------------------- */

static void makes_small_texts(void **state) {
    (void)state;
    expect_text("${range(8)}|${range(1)}|${range('ROW_W')}\n",
                "[7:0]||[ROW_W-1:0]\n");
    expect_text("${pad('ab', 4)}|${pad('ab', -4)}|${pad('abc', 2)}|\n",
                "ab  |  ab|abc|\n");
    expect_text("${hex(8, 15)} ${hex(5, 31)} ${hex(64, -1)}\n",
                "8'h0f 5'h1f 64'hffffffffffffffff\n");
    expect_text("${clog2(1)} ${clog2(48)} ${ceil_div(7, 2)}\n", "0 6 4\n");
    expect_text("${comment('one\\n\\ntwo')}\n", "// one\n//\n// two\n");
    expect_text("${localparams('WARPS', 'ROW_W')}\n",
                "    localparam WARPS = 8;   // warps in flight\n"
                "    localparam ROW_W = 256; // bits of a register row\n");
    expect_text("${count_ports(16):match('^[^\\n]*')}\n",
                "        .count_accepted   (count_accepted),\n");
    expect_text("${count_ports(0):match('[^\\n]*$')}\n",
                "        .count_bus_stall (count_bus_stall)\n");
    expect_error("${count_ports(-1)}\n", "ndp_nbu.v:1:");
    expect_error("${range(0)}\n", "ndp_nbu.v:1:");
    expect_error("${hex(4, 16)}\n", "ndp_nbu.v:1:");
    expect_error("${ceil_div(1, 0)}\n", "ndp_nbu.v:1:");
    expect_error("${pad('x', 1e9)}\n", "ndp_nbu.v:1:");
}

static void makes_headers(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "");
    struct text expected = {0};
    struct gen_files f = {0};
    text_printf(&expected,
                "// ndp_q - a queue\n//\n"
                "// Words flow over the lines of the source until eighty "
                "columns are full, and no\n// further.\n//\n"
                "//     | kept | as is |\n//\n"
                "// ndpgen " NDP_VERSION ", configuration %016" PRIx64 "\n"
                "// ndpgen --target nbu\n"
                "// SPDX-License-Identifier: MIT\n",
                job.design->hash);
    const char *const pairs[] = {
        "ndp_nbu.v",
        "//% output 'ndp_q.v'\n"
        "${header{title = 'a queue', text = [[\n"
        "Words flow over the lines of the source until eighty columns\n"
        "are full, and no further.\n\n    | kept | as is |]]}}\n",
        NULL};
    char *messages = render(pairs, &job, &f);
    assert_string_equal(messages, "");
    assert_string_equal(text_of(&f, "rtl/ndp_q.v"), text_str(&expected));
    free(messages);
    text_free(&expected);
    gen_files_free(&f);
    drop(&job);
    expect_error("${header{title = 'a', text = 'x ${y}'}}\n",
                 "ndp_nbu.v:1:33: error: '${' within a text is not replaced");
    expect_error("${header{}}\n", "ndp_nbu.v:1:3: error: bad argument");
    expect_error("${header{title = 'a'}}\n//% output 'b.v'\n",
                 "ndp_nbu.v:2:5: error: 'output' after 'header'");
}

static void makes_port_lists(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "");
    const char *const pairs[] = {"ndp_nbu.v", "${ports{reg = {'wb_ack'}}}\n",
                                 NULL};
    struct gen_files f = {0};
    char *messages = render(pairs, &job, &f);
    assert_string_equal(messages, "");
    const char *text = text_of(&f, "rtl/ndp_nbu.v");
    int ports = 2;
    for (int i = 0; i < job.design->n_ports; i++)
        ports += job.design->ports[i].dir != PORT_GROUP;
    assert_int_equal(count(text, "    input  wire ") +
                         count(text, "    output wire ") + 1,
                     ports);
    assert_int_equal(count(text, "output reg "), 1);
    assert_non_null(strstr(text, "    input  wire         clk,"));
    assert_non_null(
        strstr(text, "\n    // issue: instructions from the front end"));
    assert_non_null(strstr(text, " wb_ack            // acknowledge, one "
                                 "cycle after the strobe\n"));
    free(messages);
    gen_files_free(&f);
    drop(&job);
}

/* --- families ------------------------------------------------------------ */

static void lists_used_before_user(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "p_");
    const char *const pairs[] = {
        "leaf.v",
        "leaf\n",
        "middle.v",
        "//% use 'leaf.v'\n//% use 'leaf.v'\nmiddle\n",
        "ndp_nbu.v",
        "//% use 'middle.v'\n//% use 'props.vh'\nroot\n",
        "ndp_unused.v",
        "${nil}\n",
        "props.vh",
        "//% use 'leaf.v'\n//% output 'formal/p.vh'\nprops\n",
        NULL};
    static const char *const order[] = {"rtl/p_leaf.v", "rtl/p_middle.v",
                                        "formal/p_p.vh", "rtl/p_ndp_nbu.v"};
    struct gen_files f = {0};
    char *messages = render(pairs, &job, &f);
    assert_string_equal(messages, "");
    assert_int_equal(f.n, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(f.files[i].path, order[i]);
    assert_int_equal(f.files[2].kind, GEN_FORMAL);
    emit_output(&job, "files.f", &f);
    emit_output(&job, "fusesoc.core", &f);
    const char *list = text_of(&f, "p_ndp_nbu.f");
    assert_non_null(strstr(list, "\nrtl/p_leaf.v\nrtl/p_middle.v\n"
                                 "rtl/p_ndp_nbu.v\n"));
    assert_null(strstr(list, "formal"));
    const char *core = text_of(&f, "p_ndp_nbu.core");
    assert_int_equal(strncmp(core, "CAPI=2:\n", 8), 0);
    assert_non_null(strstr(core, "      - formal/p_p.vh: {is_include_file"));
    free(messages);
    gen_files_free(&f);
    drop(&job);
}

/* FuseSoC leaves a core file out that YAML cannot read, and then misses the
 * core: so every target's is read, whatever its title says. */
static void core_files_are_yaml(void **state) {
    (void)state;
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++) {
        struct gen_job job = {.design = make_design(b->name, b->preset, NULL),
                              .prefix = "",
                              .command = "ndpgen --target x"};
        struct gen_files f = {0};
        struct text path = {0};
        yaml_parser_t parser;
        yaml_document_t doc;
        emit_output(&job, "fusesoc.core", &f);
        text_printf(&path, "ndp_%s.core", b->name);
        const char *core = text_of(&f, text_str(&path));
        assert_true(yaml_parser_initialize(&parser));
        yaml_parser_set_input_string(&parser, (const unsigned char *)core,
                                     strlen(core));
        assert_true(yaml_parser_load(&parser, &doc));
        assert_int_equal(yaml_document_get_root_node(&doc)->type,
                         YAML_MAPPING_NODE);
        yaml_document_delete(&doc);
        yaml_parser_delete(&parser);
        text_free(&path);
        gen_files_free(&f);
        drop(&job);
    }
}

static void names_modules_after_the_target(void **state) {
    (void)state;
    static const char *const names[][3] = {
        {"nbu", "ndp_nbu", "ndp_nbu"},
        {"nbu", "ndp_nbu_tsv", "ndp_nbu_tsv"},
        {"nbu", "ndp_queue", "ndp_nbu_common_queue"},
        {"offload", "ndp_offload_queue", "ndp_offload_queue"},
        {"offload", "ndp_queue", "ndp_offload_common_queue"},
        {"tom_corner", "ndp_offload", "ndp_tom_corner_offload"},
        {"tom_corner", "ndp_tap", "ndp_tom_corner_tap"},
        {"tom_corner", "ndp_offloads", "ndp_tom_corner_common_offloads"},
        {"tap", "ndp_tape", "ndp_tap_common_tape"},
        {"nbu", "theirs", "theirs"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text name = {0};
        own_name(names[i][0], names[i][1], &name);
        assert_string_equal(text_str(&name), names[i][2]);
        text_free(&name);
    }
    struct gen_job job = make_job("small", "p_");
    struct gen_files f = {0};
    text_add(gen_files_add(&f, GEN_RTL, "rtl/p_ndp_ram.v"),
             "module p_ndp_ram; p_ndp_ram_parts x; // ndp_ram, ndp_rams\n");
    text_add(gen_files_add(&f, GEN_FORMAL, "formal/p_ndp_ram_formal.vh"),
             "`ifdef FORMAL_NDP_RAM\n`include \"p_ndp_ram_formal.vh\"\n");
    own_names(&job, &f);
    assert_string_equal(text_of(&f, "rtl/p_ndp_nbu_common_ram.v"),
                        "module p_ndp_nbu_common_ram; p_ndp_ram_parts x; // "
                        "ndp_nbu_common_ram, ndp_rams\n");
    assert_string_equal(text_of(&f, "formal/p_ndp_nbu_common_ram_formal.vh"),
                        "`ifdef FORMAL_NDP_NBU_COMMON_RAM\n"
                        "`include \"p_ndp_nbu_common_ram_formal.vh\"\n");
    gen_files_free(&f);
    drop(&job);
}

static void refuses_bad_families(void **state) {
    (void)state;
    expect_error("//% use 'ndp_queu.v'\n",
                 "ndp_nbu.v:1:10: error: unknown template 'ndp_queu.v', did "
                 "you mean 'ndp_queue.v'");
    expect_error("//% use 'ndp_queue.v'\n//% output 'ndp_queue.v'\n",
                 "ndp_nbu.v: error: 'rtl/ndp_queue.v' is the output of");
    static const char *const names[] = {"../x.v",   "/x.v",   "a/b/x.v", ".x.v",
                                        "x y.v",    "",       "a/.v",    "-x.v",
                                        ".git/x.v", "a//x.v", "x.sh",    "x"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct text template = {0};
        text_printf(&template, "//%% output '%s'\n", names[i]);
        expect_error(text_str(&template), "ndp_nbu.v:1:");
        text_free(&template);
    }
    struct gen_job job = make_job("small", "");
    const char *const none[] = {"ndp_queue.v", "x\n", NULL};
    struct gen_files f = {0};
    char *messages = render(none, &job, &f);
    assert_string_equal(messages,
                        "error: no template 'ndp_nbu.v' for target 'nbu'\n");
    free(messages);
}

/* What ndp_nbu.v with the text root becomes, or the messages, beside fragments
 * of which some are wrong. */
static char *with_fragments(const char *root) {
    struct gen_job job = make_job("small", "my_");
    const char *const pairs[] = {
        "a.inc",
        "\n    wire ${given.who}_a;\n\n\n    wire [${L.WARPS - 1}:0] w;\n\n",
        "bad.inc",
        "one\ntwo ${L.WARPZ}\n",
        "names.inc",
        "//% output 'x.v'\n",
        "own.inc",
        "//% x = 1\n${given.a .. fragment('a.inc', {who = 'inner'})}\n"
        "//% emit(given.a)\n",
        "round.inc",
        "round\n  ${fragment 'there.inc'}\n",
        "there.inc",
        "${fragment 'round.inc'}\n",
        "ndp_nbu.v",
        root,
        "ndp_queue.v",
        "queue\n",
        "uses.inc",
        "//% use 'ndp_queue.v'\nuser\n",
        NULL};
    struct gen_files f = {0};
    char *messages = render(pairs, &job, &f);
    if (!*messages) {
        free(messages);
        messages = strdup(text_of(&f, "rtl/my_ndp_nbu.v"));
        assert_non_null(messages);
        if (strstr(root, "uses.inc"))
            assert_string_equal(f.files[0].path, "rtl/my_ndp_queue.v");
    }
    gen_files_free(&f);
    drop(&job);
    return messages;
}

static void shares_fragments(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"${fragment('a.inc', {who = 'near'})}\nend\n",
         "    wire near_a;\n\n    wire [7:0] w;\nend\n"},
        {"  ${fragment('own.inc', {a = 'x'})};\n",
         "  x    wire inner_a;\n\n      wire [7:0] w;\n  x;\n"},
        {"//% local t = fragment('a.inc', {who = 'b'})\n${#t}\n", "32\n"},
        {"${fragment 'uses.inc'}\n${fragment 'uses.inc'}\n", "user\nuser\n"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = with_fragments(texts[i][0]);
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
}

static void refuses_bad_fragments(void **state) {
    (void)state;
    static const char *const errors[][2] = {
        {"x\n ${fragment 'aa.inc'}\n",
         "ndp_nbu.v:2:14: error: unknown fragment 'aa.inc', did you mean "
         "'a.inc'"},
        {"${fragment 'ndp_queue.v'}\n",
         "ndp_nbu.v:1:13: error: unknown fragment 'ndp_queue.v'"},
        {"//% use 'a.inc'\n",
         "ndp_nbu.v:1:10: error: 'a.inc' is a fragment, expected 'fragment'"},
        {"${fragment 'round.inc'}\n",
         "there.inc:1:13: error: 'round.inc' is a fragment of itself"},
        {"${fragment 'round.inc'}\n",
         "ndp_nbu.v:1:13: error: fragment 'round.inc' has errors"},
        {"${fragment 'bad.inc'}\n",
         "bad.inc:2:9: error: unknown derived size 'WARPZ', did you mean "
         "'WARPS'"},
        {"\n${fragment 'bad.inc'}\n",
         "ndp_nbu.v:2:13: error: fragment 'bad.inc' has errors"},
        {"${fragment('a.inc', {whom = 'x'})}\n",
         "a.inc:2:18: error: unknown name given to this fragment 'who', did "
         "you mean 'whom'"},
        {"${fragment 'a.inc'}\n",
         "a.inc:2:18: error: unknown name given to this fragment 'who'"},
        {"${given.x}\n", "ndp_nbu.v:1:3: error: unknown name 'given'"},
        {"${fragment('a.inc', {who = 1})}\n",
         "ndp_nbu.v:1:22: error: 'who' given to a fragment is a number, "
         "expected text"},
        {"${fragment('a.inc', {'x'})}\n",
         "ndp_nbu.v:1:1: error: what is given to a fragment has no name"},
        {"${fragment('a.inc', 'x')}\n",
         "ndp_nbu.v:1:3: error: bad argument #2 to 'fragment'"},
        {"${fragment 'names.inc'}\n",
         "names.inc:1:5: error: 'output' in a fragment, which is no file"}};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        char *text = with_fragments(errors[i][0]);
        if (!strstr(text, errors[i][1]))
            fail_msg("'%s' gave '%s', expected '%s'", errors[i][0], text,
                     errors[i][1]);
        free(text);
    }
}

static void reports_all_templates(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "");
    const char *const pairs[] = {
        "a.v",      "${nil}\n",  "b.v",
        "${L.X}\n", "ndp_nbu.v", "//% use 'a.v'\n//% use 'b.v'\n${nil}\n",
        NULL};
    struct gen_files f = {0};
    char *messages = render(pairs, &job, &f);
    assert_non_null(strstr(messages, "a.v:1:3: error:"));
    assert_non_null(strstr(messages, "b.v:1:5: error:"));
    assert_non_null(strstr(messages, "ndp_nbu.v:3:3: error:"));
    free(messages);
    gen_files_free(&f);
    drop(&job);
}

static void write_file(const char *dir, const char *name, const char *text) {
    struct text path = {0};
    text_printf(&path, "%s/%s", dir, name);
    FILE *f = fopen(text_str(&path), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    text_free(&path);
}

static void overrides_templates(void **state) {
    (void)state;
    char dir[TEMP_MAX];
    temp_pattern(dir);
    assert_non_null(mkdtemp(dir));
    write_file(dir, "ndp_nbu.v", "mine\n");
    write_file(dir, "ndp_nbu_moves.inc", "too\n");
    write_file(dir, "notes.txt", "not a template\n");
    struct template_set built_in, s;
    struct diag d = {0};
    assert_true(templates_load(&built_in, NULL, &d));
    assert_true(templates_load(&s, dir, &d));
    assert_int_equal(s.n, built_in.n);
    int i = templates_find(&s, "ndp_nbu.v");
    assert_true(i >= 0);
    assert_string_equal(s.files[i].source.text, "mine\n");
    i = templates_find(&s, "ndp_nbu_moves.inc");
    assert_true(i >= 0);
    assert_string_equal(s.files[i].source.text, "too\n");
    assert_string_equal(s.files[i].room, "nbu");
    assert_true(templates_find(&s, "notes.txt") < 0);
    templates_free(&s);
    templates_free(&built_in);
    struct text path = {0};
    text_printf(&path, "%s/ndp_nbu.v", dir);
    assert_int_equal(remove(text_str(&path)), 0);
    text_free(&path);
    path = (struct text){0};
    text_printf(&path, "%s/ndp_nbu_moves.inc", dir);
    assert_int_equal(remove(text_str(&path)), 0);
    assert_false(templates_load(&s, dir, &d)); /* no template left */
    templates_free(&s);
    assert_false(templates_load(&s, "/nowhere", &d));
    templates_free(&s);
    assert_int_equal(d.errors, 2);
    text_free(&path);
    path = (struct text){0};
    text_printf(&path, "%s/notes.txt", dir);
    assert_int_equal(remove(text_str(&path)), 0);
    assert_int_equal(rmdir(dir), 0);
    text_free(&path);
    diag_free(&d);
}

/* --- the real block ------------------------------------------------------ */

static void check_clean(const struct gen_file *f, const char *hash) {
    const char *text = text_str(&f->text);
    assert_true(f->text.len > 0);
    assert_int_equal(f->text.data[f->text.len - 1], '\n');
    if (!strstr(text, hash))
        fail_msg("'%s' lacks the configuration hash", f->path);
    if (strstr(text, " \n") || strstr(text, "\n\n\n"))
        fail_msg("'%s' has blanks at a line end or a gap", f->path);
    if (strstr(text, "${") || strstr(text, "//%"))
        fail_msg("'%s' has template text in it", f->path);
}

static void emits_clean_files(void **state) {
    (void)state;
    static const char *const presets[] = {"mpu", "small"};
    for (int p = 0; p < 2; p++) {
        struct gen_job job = make_job(presets[p], "");
        struct gen_files f = {0}, again = {0};
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, job.design->hash);
        emit_real(&job, &f);
        emit_real(&job, &again);
        assert_int_equal(f.n, again.n);
        for (int i = 0; i < f.n; i++) {
            if (!strstr(f.files[i].path, ".md"))
                check_clean(&f.files[i], hash);
            assert_string_equal(f.files[i].path, again.files[i].path);
            assert_string_equal(text_str(&f.files[i].text),
                                text_str(&again.files[i].text));
        }
        gen_files_free(&f);
        drop(&job);
        gen_files_free(&again);
    }
}

static void prefixes_every_module(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "left_");
    struct gen_files f = {0};
    emit_real(&job, &f);
    for (int i = 0; i < f.n; i++) {
        const char *base = strrchr(f.files[i].path, '/');
        const char *text = text_str(&f.files[i].text);
        if (f.files[i].kind == GEN_OTHER)
            continue;
        assert_int_equal(strncmp(base, "/left_ndp_", 10), 0);
        assert_int_equal(count(text, "\nmodule "),
                         count(text, "\nmodule left_ndp_"));
    }
    assert_non_null(
        strstr(text_of(&f, "left_ndp_nbu.h"), "#define LEFT_NDP_NBU_WARPS 8 "));
    gen_files_free(&f);
    drop(&job);
}

static void header_has_the_map(void **state) {
    (void)state;
    struct gen_job job = make_job("mpu", "");
    struct gen_files f = {0};
    emit_output(&job, "header.h", &f);
    const char *h = text_of(&f, "ndp_nbu.h");
    assert_non_null(strstr(h, "#define NDP_NBU_CFG_WARPS 48\n"));
    assert_non_null(strstr(h, "#define NDP_NBU_CFG_POLICY_FAR 3\n"));
    assert_non_null(strstr(h, "#define NDP_NBU_CFG_REGS_COUNTER_BITS 32\n"));
    assert_non_null(strstr(h, "#define NDP_NBU_ROW_BEATS 16 "));
    assert_non_null(strstr(h, "#define NDP_NBU_ADR_POLICY 4 "));
    assert_non_null(strstr(h, "#define NDP_NBU_ADR_BUS_STALL 18 "));
    assert_non_null(strstr(h, "#define NDP_NBU_ID UINT32_C(0x4e445000)\n"));
    assert_non_null(strstr(h, "#define NDP_NBU_OPERAND_VALID_LSB 8\n"));
    assert_non_null(strstr(h, "#define NDP_NBU_TICKET_WRITTEN_LSB 8\n"));
    assert_non_null(strstr(h, "#define NDP_NBU_CLASS_INT 0 "));
    gen_files_free(&f);
    drop(&job);
}

static void testbench_has_every_port(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "");
    struct gen_files f = {0};
    emit_output(&job, "tb.v", &f);
    const char *tb = text_of(&f, "tb/ndp_nbu_tb.v");
    for (int i = 0; i < job.design->n_ports; i++) {
        const struct design_port *p = &job.design->ports[i];
        if (p->dir == PORT_GROUP)
            continue;
        struct text range = {0}, line = {0};
        if (p->width > 1)
            text_printf(&range, "[%d:0]", p->width - 1);
        text_printf(&line, "    %s %-8s %s;\n",
                    p->dir == PORT_IN ? "reg " : "wire", text_str(&range),
                    p->name);
        assert_int_equal(count(tb, text_str(&line)), 1);
        text_free(&line);
        text_printf(&line, "(%s)", p->name);
        assert_int_equal(count(tb, text_str(&line)), 1);
        text_free(&line);
        text_free(&range);
    }
    assert_non_null(strstr(tb, "\nmodule ndp_nbu_tb;\n"));
    assert_non_null(strstr(tb, "\n    ndp_nbu dut (\n        .clk "));
    gen_files_free(&f);
    drop(&job);
}

static void datasheet_is_complete(void **state) {
    (void)state;
    struct gen_job job = make_job("mpu", "");
    struct gen_files f = {0};
    emit_output(&job, "sheet.md", &f);
    const char *md = text_of(&f, "ndp_nbu.md");
    for (int i = 0; i < job.design->n_ports; i++) {
        struct text cell = {0};
        bool is_group = job.design->ports[i].dir == PORT_GROUP;
        if (is_group && !*job.design->ports[i].doc)
            continue; /* under the heading before */
        text_printf(&cell, is_group ? "### `%s`" : "| `%s` | ",
                    job.design->ports[i].name);
        if (!strstr(md, text_str(&cell)))
            fail_msg("data sheet lacks '%s'", text_str(&cell));
        text_free(&cell);
    }
    int64_t bits = design_storage(job.design);
    struct text total = {0};
    text_printf(&total, "| **all** | | | **%" PRId64 "** | |", bits);
    assert_non_null(strstr(md, text_str(&total)));
    assert_non_null(strstr(md, "| register row | "));
    assert_non_null(strstr(md, "| 17 | 18 |\n")); /* the note's 18 cycles */
    assert_non_null(strstr(md, "\n### Lookup pipeline\n"));
    assert_non_null(strstr(md, "| `nbu.policy` | annotated |"));
    text_free(&total);
    gen_files_free(&f);
    drop(&job);
}

static void config_comes_back(void **state) {
    (void)state;
    struct gen_job job = {.design = make_design("nbu", "small", "nbu.warps=5"),
                          .prefix = "",
                          .command = "ndpgen"};
    struct gen_files f = {0};
    struct diag d = {0};
    emit_real(&job, &f);
    const char *text = text_of(&f, "config.yml");
    struct source src = {"config.yml", text, strlen(text)};
    struct config back;
    config_defaults(&back);
    assert_true(config_yaml(&back, &src, &d));
    assert_int_equal(back.nbu_warps, 5);
    assert_true(iface_hash(job.design->iface, &back) == job.design->hash);
    gen_files_free(&f);
    diag_free(&d);
    drop(&job);
}

/* A parameter of another block leaves every byte as it was; one of its own
 * changes the hash. */
static void uses_its_own_parameters(void **state) {
    (void)state;
    struct gen_job job = make_job("small", ""), other = job, own = job;
    struct gen_files f = {0}, g = {0};
    other.design = make_design("nbu", "small", "emn.stages=2");
    own.design = make_design("nbu", "small", "regs.counter_bits=9");
    emit_real(&job, &f);
    emit_real(&other, &g);
    assert_int_equal(f.n, g.n);
    for (int i = 0; i < f.n; i++)
        assert_string_equal(text_str(&f.files[i].text),
                            text_str(&g.files[i].text));
    assert_true(job.design->hash == other.design->hash);
    assert_true(job.design->hash != own.design->hash);
    assert_null(strstr(text_of(&f, "config.yml"), "emn"));
    gen_files_free(&f);
    gen_files_free(&g);
    drop(&job);
    drop(&other);
    drop(&own);
}

static void manifest_tells_the_truth(void **state) {
    (void)state;
    struct gen_job job = make_job("small", "");
    struct gen_files f = {0};
    emit_real(&job, &f);
    json_t *root = json_loads(text_of(&f, OUTDIR_MANIFEST), 0, NULL);
    assert_non_null(root);
    json_t *files = json_object_get(root, "files");
    assert_int_equal(json_array_size(files), f.n - 1);
    for (size_t i = 0; i < json_array_size(files); i++) {
        json_t *entry = json_array_get(files, i);
        const char *path = json_string_value(json_object_get(entry, "path"));
        const struct gen_file *file = gen_files_find(&f, path);
        assert_non_null(file);
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64,
                 gen_fnv1a(file->text.data, file->text.len));
        assert_string_equal(json_string_value(json_object_get(entry, "hash")),
                            hash);
        assert_int_equal(json_integer_value(json_object_get(entry, "size")),
                         file->text.len);
    }
    json_t *params = json_object_get(root, "parameters");
    for (int i = 0; config_param(i); i++)
        assert_int_equal(json_object_get(params, config_param(i)->key) != NULL,
                         iface_uses(job.design->iface, config_param(i)));
    json_t *storage = json_object_get(root, "storage");
    assert_int_equal(json_integer_value(json_object_get(storage, "bits")),
                     design_storage(job.design));
    json_decref(root);
    gen_files_free(&f);
    drop(&job);
}

/* --- the papers' figures -------------------------------------------------- */

struct expected_figure {
    const char *name, *what, *unit;
    int ours, paper;
};

/* Manifest and data sheet of a block have these and no others, at the defaults:
 * numbers of the specs, written down a second time. */
static void expect_figures(const char *block, const struct expected_figure *all,
                           size_t n) {
    struct gen_job job = {.design = make_design(block, "mpu", NULL),
                          .prefix = "",
                          .command = "ndpgen"};
    struct gen_files f = {0};
    emit_real(&job, &f);
    json_t *root = json_loads(text_of(&f, OUTDIR_MANIFEST), 0, NULL);
    json_t *list = json_object_get(root, "figures");
    struct text sheet = {0}, rows = {0};
    assert_int_equal(json_array_size(list), n);
    for (size_t i = 0; i < n; i++) {
        struct json_t *o = json_array_get(list, i);
        const struct expected_figure *e = &all[i];
        const char *name, *what, *unit;
        int ours, paper;
        assert_int_equal(json_unpack(o, "{s:s, s:s, s:i, s:i, s:s !}", "name",
                                     &name, "what", &what, "ours", &ours,
                                     "paper", &paper, "unit", &unit),
                         0);
        assert_string_equal(name, e->name);
        assert_string_equal(what, e->what);
        assert_string_equal(unit, e->unit);
        assert_int_equal(ours, e->ours);
        assert_int_equal(paper, e->paper);
        text_printf(&rows, "| %s | %d | %d | %s |\n", e->what, e->ours,
                    e->paper, e->unit);
    }
    text_printf(&sheet, "ndp_%s.md", block);
    const char *md = text_of(&f, text_str(&sheet));
    if (n)
        assert_non_null(strstr(md, text_str(&rows)));
    assert_int_equal(count(md, "## Beside the paper\n"), n > 0);
    json_decref(root);
    text_free(&sheet);
    text_free(&rows);
    gen_files_free(&f);
}

#define EXPECT_FIGURES(block, ...)                                             \
    do {                                                                       \
        static const struct expected_figure all[] = {__VA_ARGS__};             \
        expect_figures(block, all, sizeof all / sizeof all[0]);                \
    } while (0)

static void papers_figures_are_beside_ours(void **state) {
    (void)state;
    EXPECT_FIGURES("offload",
                   {"entry_bits", "metadata entry", "bits", 246, 258},
                   {"entries", "metadata table", "entries", 40, 40},
                   {"table_bits", "metadata table", "bits", 9840, 10320});
    EXPECT_FIGURES(
        "analyzer", {"warp_bitmap_bits", "bitmap of a warp", "bits", 40, 40},
        {"bitmap_bits", "bitmaps of all warps", "bits", 1920, 1920},
        {"range_bits", "range of the allocation table", "bits", 97, 97},
        {"ranges_bits", "allocation table", "bits", 9700, 9700});
    EXPECT_FIGURES("prefetch",
                   {"start_bits", "start of an image", "bits", 32, 32},
                   {"size_bits", "size of an image", "bits", 22, 20},
                   {"base_bits", "base stride", "bits", 23, 12},
                   {"modified_bits", "modified stride", "bits", 23, 12},
                   {"entry_bits", "start, size and both strides of an entry",
                    "bits", 100, 76});
    EXPECT_FIGURES("emn", {"core_entries", "meet nodes of a core, as a table",
                           "entries", 64, 64});
    EXPECT_FIGURES("nbu",
                   {"cut", "wires between the dies, clock and reset apart",
                    "wires", 255, 64});
    EXPECT_FIGURES("bank", {"rows", "rows open together", "rows", 4, 4});
    expect_figures("credit", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_values),
        cmocka_unit_test(shows_the_interface),
        cmocka_unit_test(shows_the_instruction_set),
        cmocka_unit_test(refuses_unknown_names),
        cmocka_unit_test(makes_small_texts),
        cmocka_unit_test(makes_headers),
        cmocka_unit_test(makes_port_lists),
        cmocka_unit_test(lists_used_before_user),
        cmocka_unit_test(core_files_are_yaml),
        cmocka_unit_test(names_modules_after_the_target),
        cmocka_unit_test(refuses_bad_families),
        cmocka_unit_test(shares_fragments),
        cmocka_unit_test(refuses_bad_fragments),
        cmocka_unit_test(reports_all_templates),
        cmocka_unit_test(overrides_templates),
        cmocka_unit_test(emits_clean_files),
        cmocka_unit_test(prefixes_every_module),
        cmocka_unit_test(header_has_the_map),
        cmocka_unit_test(testbench_has_every_port),
        cmocka_unit_test(datasheet_is_complete),
        cmocka_unit_test(config_comes_back),
        cmocka_unit_test(uses_its_own_parameters),
        cmocka_unit_test(manifest_tells_the_truth),
        cmocka_unit_test(papers_figures_are_beside_ours),
    };
    return cmocka_run_group_tests_name("ndpgen", tests, NULL, NULL);
}
