/* images.c - the images that a description names for the pattern-aware
 * prefetcher: where they lie, how large they are, how blocks walk over them.
 *
 * A driver of IP-NDP (section 3.3) knows all this when it launches a kernel; a
 * description says it under `prefetch`:
 *
 *     prefetch:
 *       parts: sms
 *       images:
 *         in: {width: width, height: height}
 */
#include "state.h"

#include <string.h>

static const char *const walks[] = {"row", "column", "tile", "repeat"};

enum { N_WALKS = sizeof walks / sizeof walks[0] };

static const char *walk_at(void *ctx, int i) {
    (void)ctx;
    return i < N_WALKS ? walks[i] : NULL;
}

/* A number from least up; *out as before if the node is not there. */
static bool number(struct run *r, const struct yaml_node *n, int64_t least,
                   uint64_t *out) {
    struct expr_value v;
    if (!n)
        return true;
    struct expr *e = run_expr(r, n, 0);
    if (!e || !run_eval(r, e, n->at, NULL, &v))
        return false;
    if (!expr_is_int(v) || expr_int(v) < least || expr_int(v) > INT32_MAX) {
        diag_error(r->d, n->at, "%.17g, expected an integer from %lld to %d",
                   expr_double(v), (long long)least, INT32_MAX);
        return false;
    }
    *out = (uint64_t)expr_int(v);
    return true;
}

/* One or two numbers; the second stays as it is if it is missing. */
static bool pair_of(struct run *r, const struct yaml_node *n, int64_t least,
                    uint64_t pair[2]) {
    if (n->kind == YAML_WORD)
        return number(r, n, least, &pair[0]);
    return number(r, n->items[0], least, &pair[0]) &&
           (n->n < 2 || number(r, n->items[1], least, &pair[1]));
}

static bool is_pair(const struct yaml_node *n) {
    return n->kind == YAML_WORD ||
           (n->kind == YAML_LIST && n->n >= 1 && n->n <= 3);
}

/* [width, height], the second 1 if it is missing. */
static bool block_of(struct run *r, const struct yaml_node *n, struct place at,
                     uint64_t block[2]) {
    block[0] = block[1] = 1;
    if (n && is_pair(n))
        return pair_of(r, n, 1, block);
    diag_error(r->d, n ? n->at : at,
               "'block' of an image must be its width and height, or "
               "stand at the top level");
    return false;
}

/* [x, y], the second 0 if it is missing. */
static bool origin_of(struct run *r, const struct yaml_node *n,
                      uint64_t origin[2]) {
    origin[0] = origin[1] = 0;
    if (!n || is_pair(n))
        return !n || pair_of(r, n, 0, origin);
    diag_error(r->d, n->at, "'origin' of an image must be its x and y");
    return false;
}

static bool walk_of(struct run *r, const struct yaml_node *n,
                    enum run_walk *walk) {
    if (!n)
        return true;
    for (int i = 0; n->kind == YAML_WORD && i < N_WALKS; i++)
        if (strcmp(n->text, walks[i]) == 0) {
            *walk = (enum run_walk)i;
            return true;
        }
    const char *near =
        n->kind == YAML_WORD ? suggest(n->text, walk_at, NULL) : NULL;
    diag_error(r->d, n->at,
               "no such walk%s%s%s, expected row, column, tile "
               "or repeat",
               near ? ", did you mean '" : "", near ? near : "",
               near ? "'" : "");
    return false;
}

static const struct run_buffer *buffer_of(struct run *r,
                                          const struct yaml_node *key) {
    for (int i = 0; i < r->n_buffers; i++)
        if (strcmp(r->buffers[i].name, key->text) == 0)
            return &r->buffers[i];
    diag_error(r->d, key->at, "no buffer '%s'", key->text);
    return NULL;
}

static bool parse_image(struct run *r, const struct yaml_node *key,
                        const struct yaml_node *n, struct run_image *image) {
    static const char *const keys[] = {"width", "height", "pitch", "block",
                                       "walk",  "origin", NULL};
    const struct run_buffer *b = buffer_of(r, key);
    const struct yaml_node *block, *width;
    if (!b || !run_check_keys(r, n, keys, "an image"))
        return false;
    if (!(width = yaml_get(n, "width"))) {
        diag_error(r->d, n->at, "image '%s' needs a 'width'", b->name);
        return false;
    }
    if (!(block = yaml_get(n, "block")))
        block = yaml_get(r->tree, "block");
    image->buffer = b->name;
    image->address = b->address;
    image->element = (uint32_t)element_size(b->type);
    if (!number(r, width, 1, &image->width))
        return false;
    image->pitch = image->width;
    if (!number(r, yaml_get(n, "pitch"), 1, &image->pitch))
        return false;
    image->height = b->count / image->pitch;
    if (!number(r, yaml_get(n, "height"), 1, &image->height) ||
        !block_of(r, block, n->at, image->block) ||
        !origin_of(r, yaml_get(n, "origin"), image->origin) ||
        !walk_of(r, yaml_get(n, "walk"), &image->walk))
        return false;
    if (image->height && image->width <= image->pitch &&
        image->height <= b->count / image->pitch)
        return true;
    diag_error(r->d, n->at,
               "image '%s' of %llu x %llu elements does not fit into its "
               "%llu elements in rows of %llu",
               b->name, (unsigned long long)image->width,
               (unsigned long long)image->height, (unsigned long long)b->count,
               (unsigned long long)image->pitch);
    return false;
}

bool run_parse_images(struct run *r) {
    static const char *const keys[] = {"parts", "images", NULL};
    const struct yaml_node *n = yaml_get(r->tree, "prefetch"), *list;
    struct run_images *all = &r->images;
    if (!n)
        return true;
    if (!run_check_keys(r, n, keys, "'prefetch'"))
        return false;
    all->divided = yaml_get(n, "parts") != NULL;
    all->parts = 1;
    if (!number(r, yaml_get(n, "parts"), 1, &all->parts))
        return false;
    list = yaml_get(n, "images");
    if (!list || list->kind != YAML_MAP || list->n == 0) {
        diag_error(r->d, list ? list->at : n->at,
                   "'images' must be a map from buffers to their sizes");
        return false;
    }
    all->images = arena_array(&r->arena, (size_t)list->n, sizeof *all->images);
    for (int i = 0; i < list->n; i++)
        if (!parse_image(r, list->keys[i], list->items[i], &all->images[i]))
            return false;
    all->n = list->n;
    return true;
}

const struct run_images *run_images(const struct run *r) {
    return r->images.n ? &r->images : NULL;
}
