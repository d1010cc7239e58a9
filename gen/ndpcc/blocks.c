/* blocks.c - the blocks of an image as JSON: ndpcc --assemble --blocks --json.
 * The schema is in docs/ndpcc.md.
 */
#include "ndpcc.h"

#include "isa/image.h"
#include "isa/isa.h"

#include <jansson.h>
#include <stdlib.h>

/* "r3", "p0", ... */
static json_t *names_json(uint64_t registers, uint8_t predicates) {
    json_t *list = json_array();
    for (int i = 0; i < ISA_REGISTERS; i++)
        if (registers >> i & 1)
            json_array_append_new(list, json_sprintf("r%d", i));
    for (int i = 0; i < ISA_TRUE; i++)
        if (predicates >> i & 1)
            json_array_append_new(list, json_sprintf("p%d", i));
    return list;
}

static json_t *condition_json(const struct isa_block *b) {
    int64_t threshold =
        b->is_signed ? (int32_t)b->threshold : (int64_t)b->threshold;
    if (b->cond_reg < 0)
        return json_null();
    return json_pack("{s:o, s:s, s:I, s:b}", "register",
                     json_sprintf("r%d", b->cond_reg), "compare",
                     b->compare == ISA_COMPARE_GE ? ">=" : "<=", "threshold",
                     (json_int_t)threshold, "signed", b->is_signed);
}

static json_t *block_json(const struct isa_block *b) {
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:b, s:b, s:o}", "begin",
                     b->begin, "end", b->end, "ask", b->ask, "in",
                     names_json(b->in, b->pred_in), "out",
                     names_json(b->out, b->pred_out), "saves_tx", b->tx,
                     "saves_rx", b->rx, "condition", condition_json(b));
}

static json_t *kernel_json(const struct isa_image *image,
                           const struct isa_kernel *k) {
    json_t *list = json_array();
    int n;
    const struct isa_block *b = isa_image_blocks(image, k, &n);
    for (int i = 0; i < n; i++)
        json_array_append_new(list, block_json(&b[i]));
    return json_pack("{s:s, s:i, s:i, s:i, s:o}", "name", k->name, "entry",
                     k->entry, "words", k->n_words, "registers", k->registers,
                     "blocks", list);
}

void ndpcc_print_blocks(const struct isa_image *image, FILE *out) {
    json_t *list = json_array();
    for (int i = 0; i < image->n_kernels; i++)
        json_array_append_new(list, kernel_json(image, &image->kernels[i]));
    json_t *all =
        json_pack("{s:s, s:o}", "schema", "ndpcc-blocks-1", "kernels", list);
    char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
    if (!text)
        BUG("out of memory for JSON");
    fprintf(out, "%s\n", text);
    free(text);
    json_decref(all);
}
