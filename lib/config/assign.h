/* assign.h - what the readers of a configuration share; private to
 * config*.c and presets.c.
 *
 * Every function that takes a diag reports what is wrong, at the place given,
 * and then returns false.
 */
#ifndef NDP_CONFIG_ASSIGN_H
#define NDP_CONFIG_ASSIGN_H

#include "config.h"

/* The field of p in c: an int, or for a SET the same bits as a mask; not for a
 * LIST or MASKS. */
int config_field(const struct config *c, const struct param *p);
void config_store(struct config *c, const struct param *p, int value);
void config_store_list(struct config *c, const struct param *p,
                       const struct int_list *list);
void config_store_masks(struct config *c, const struct param *p,
                        const struct mask_list *masks);

/* A SET, LIST or MASKS, element by element. Zero-initialise to start. */
struct config_items {
    uint32_t mask;          /* SET */
    struct int_list list;   /* LIST */
    struct mask_list masks; /* MASKS */
};

/* Name n of an ENUM's "a|b|c", not terminated; *len is 0 past the last. */
const char *config_enum_name(const char *names, int n, size_t *len);

/* Store an INT, POW2 or ENUM written as word. */
bool config_assign_word(struct config *c, const struct param *p,
                        const char *word, struct place at, struct diag *d);

/* Whether p is written as a list: a SET, LIST or MASKS. */
bool config_is_list(const struct param *p);

/* Add the element written as word, a name of SET p, a number of LIST p or a
 * mask of MASKS p, 0x4080. */
bool config_add_item(struct config_items *items, const struct param *p,
                     const char *word, struct place at, struct diag *d);

/* Add the bit written as word to a mask of MASKS p, and a mask of such bits. */
bool config_add_bit(uint64_t *mask, const struct param *p, const char *word,
                    struct place at, struct diag *d);
bool config_add_mask(struct config_items *items, const struct param *p,
                     uint64_t mask, struct place at, struct diag *d);

/* Store what was added; a LIST needs a number, a MASKS nothing. */
bool config_store_items(struct config *c, const struct param *p,
                        const struct config_items *items, struct place at,
                        struct diag *d);

/* "expects a whole number, got ..." for a value that is no word at all, or one
 * in quotes: got says what stands there instead. */
void config_wrong_type(const struct param *p, const char *got, struct place at,
                       struct diag *d);

void config_unknown_key(const char *key, struct place at, struct diag *d);

/* config_preset for a name that stands at a place. */
bool config_preset_at(struct config *c, const char *name, struct place at,
                      struct diag *d);

#endif
