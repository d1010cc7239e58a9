/* parse_init.c - initialisers of module variables.
 *
 * Nested braces are flattened to element indices; recursion is bounded by the
 * number of dimensions.  Names are checked once the module is complete.
 */
#include "reader.h"

#include <string.h>

/* Where an initialiser stands: dimension sizes and strides in elements. */
struct layout {
    int n_dims;
    int64_t stride[READER_MAX_DIMS + 2];
};

static void keep_init(struct reader *r, const struct ptx_init *init) {
    *array_push(&r->init_list) = *init;
}

/* symbol, with an offset; generic(symbol). */
static bool parse_address(struct reader *r, struct ptx_init *init) {
    struct token t = r->lex.tok;
    int64_t offset = 0;
    ptx_lexer_next(&r->lex);
    if (ptx_token_is(&t, TOK_NAME, "generic") && reader_accept(r, '(')) {
        init->generic = true;
        if (!reader_at_name(r, "a variable"))
            return false;
        t = r->lex.tok;
        ptx_lexer_next(&r->lex);
        if (!ptx_parse_offset(r, &offset) || !reader_expect(r, ')'))
            return false;
    }
    if (reader_accept(r, '=')) { /* sampler attribute: name = value */
        ptx_lexer_next(&r->lex);
        return true;
    }
    init->symbol = reader_text(r, &t);
    *array_push(&r->inits) =
        (struct pending_init){init->symbol, t.line, t.column};
    if (!ptx_parse_offset(r, &offset))
        return false;
    init->value = (struct ptx_value){PTX_VALUE_INT, (uint64_t)offset, false};
    return true;
}

/* One element: a constant, an address, or mask(address). */
static bool parse_element(struct reader *r, int64_t element) {
    struct ptx_init init = {.element = element};
    if (r->lex.tok.kind == TOK_NAME &&
        !ptx_token_is(&r->lex.tok, TOK_NAME, "WARP_SZ")) {
        if (!parse_address(r, &init))
            return false;
    } else {
        if (!ptx_parse_constant(r, &init.value))
            return false;
        if (reader_accept(r, '(')) {
            init.mask = init.value.bits;
            init.value.bits = 0;
            if (!reader_at_name(r, "a variable") || !parse_address(r, &init) ||
                !reader_expect(r, ')'))
                return false;
        }
    }
    keep_init(r, &init);
    return true;
}

static bool parse_list(struct reader *r, const struct layout *l, int depth,
                       int64_t base) {
    int64_t i = 0;
    ptx_lexer_next(&r->lex); /* { */
    while (!ptx_lexer_is(&r->lex, '}')) {
        bool nested = ptx_lexer_is(&r->lex, '{');
        if (nested && depth > l->n_dims) {
            reader_error(r,
                         "braces are nested deeper than the array, which "
                         "has %d dimension%s",
                         l->n_dims, l->n_dims == 1 ? "" : "s");
            return false;
        }
        uint64_t step = nested ? (uint64_t)l->stride[depth] : 1;
        int64_t at = (int64_t)((uint64_t)base + (uint64_t)i * step);
        if (!(nested ? parse_list(r, l, depth + 1, at) : parse_element(r, at)))
            return false;
        i++;
        if (!reader_accept(r, ',') && !ptx_lexer_is(&r->lex, '}'))
            return reader_expect(r, ',');
    }
    ptx_lexer_next(&r->lex);
    return true;
}

bool ptx_parse_initialiser(struct reader *r, struct ptx_variable *v,
                           const int64_t *dims, int n_dims) {
    struct layout l = {.n_dims = n_dims + (v->vector > 1)};
    int64_t stride = v->vector;
    /* stride[d]: elements that one brace at depth d + 1 spans. */
    for (int d = n_dims - 1; d >= 0; d--) {
        l.stride[d] = stride;
        stride *= dims[d] ? dims[d] : 1; /* at most 2^40 elements */
    }
    l.stride[n_dims] = l.stride[n_dims + 1] = 1;
    r->init_list.n = 0;
    bool ok = ptx_lexer_is(&r->lex, '{') ? parse_list(r, &l, 0, 0)
                                         : parse_element(r, 0);
    if (!ok)
        return false;
    v->n_init = r->init_list.n;
    v->init = array_keep(&r->init_list, r->arena);
    if (v->is_array && v->elements == 0 && v->n_init && n_dims == 1)
        v->elements = v->init[v->n_init - 1].element / v->vector + 1;
    return true;
}
