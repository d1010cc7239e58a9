/* config.h - the resolved configuration of a run.
 *
 * Gathered by params.def; read from a preset, then a YAML file, then
 * --set key=value, each overriding the one before.  One hash names the result.
 */
#ifndef NDP_CONFIG_H
#define NDP_CONFIG_H

#include "base/diag.h"
#include "iface/opclass.h"
#include "base/text.h"

#include <stdint.h>

/* The value of a LIST: n distinct numbers in the order given, zeros behind. */
struct int_list {
    int n;
    int v[64];
};

/* The value of a MASKS: n sets of bits in the order given, zeros behind. */
struct mask_list {
    int n;
    uint64_t v[32];
};

struct iface;

struct config {
    /* Whose derived keys have been computed, and whose machine it is: the target
     * that was chosen, else the preset's; NULL: none.  No parameter. */
    const struct iface *target;
#define INT(param, unit, min, max, dflt, doc) int OWNER_FIELD(param);
#define POW2(param, unit, min, max, dflt, doc) int OWNER_FIELD(param);
#define ENUM(param, names, dflt, doc) int OWNER_FIELD(param);
#define LIST(param, min, max, dflt, doc) struct int_list OWNER_FIELD(param);
#define SET(param, element, dflt, doc) uint32_t OWNER_FIELD(param);
#define MASKS(param, dflt, doc) struct mask_list OWNER_FIELD(param);
#include "params.def"
};

enum param_type {
    PARAM_INT,
    PARAM_POW2,
    PARAM_ENUM,
    PARAM_SET,
    PARAM_LIST,
    PARAM_MASKS
};

struct param {
    const char *key;   /* "nbu.warps" */
    const char *group; /* "nbu": the declaration that owns it */
    enum param_type type;
    const char *unit;              /* INT, POW2 */
    int min, max;                  /* INT, POW2; each number of a LIST */
    const char *names;             /* ENUM: "a|b|c" */
    const char *(*element)(int n); /* SET: name of element n */
    const char *doc;
    size_t offset; /* of the field in struct config */
};

/* The parameter table, in declaration order; NULL past the last. */
const struct param *config_param(int n);

/* The paper's sizes. */
void config_defaults(struct config *c);

/* The parameter with this key, or NULL. */
const struct param *config_find(const char *key);

/* Set c to preset name ("mpu", "small", ...): the defaults, changed by what its
 * file lists, and what the target that it names computes from that
 * (iface/derive.h).  False after an error in d, and then c is as before; so are
 * config_yaml and config_set. */
bool config_preset(struct config *c, const char *name, struct diag *d);

/* Names of the presets, NULL past the last. */
const char *config_preset_name(int n);
const char *config_preset_text(int n);
/* What it is, in a line; append to out. */
void config_preset_title(int n, struct text *out);

/* Apply a YAML text: nested mappings (nbu: {warps: 8}) or dotted keys. The key
 * 'preset' at top level applies that preset first, 'target' names the target that
 * the sizes are for.  Every bad key, type or range gives an error at its line and
 * column. */
bool config_yaml(struct config *c, const struct source *src, struct diag *d);

/* Apply one "key=value" from the command line. */
bool config_set(struct config *c, const char *assignment, struct diag *d);

/* The numbers of p, which is a LIST. */
const struct int_list *config_list(const struct config *c,
                                   const struct param *p);
/* The value of a MASKS. */
const struct mask_list *config_masks(const struct config *c,
                                     const struct param *p);

/* Chooses parameters; ctx is the caller's. */
typedef bool config_filter(const void *ctx, const struct param *p);

/* Canonical YAML of the chosen parameters, with their docs as comments. */
void config_echo(const struct config *c, config_filter *chosen, const void *ctx,
                 struct text *out);

/* Value of one parameter as the user would write it. */
void config_value(const struct config *c, const struct param *p,
                  struct text *out);

/* FNV-1a of one "key=value" line for each chosen parameter: comments do not
 * count. */
uint64_t config_hash(const struct config *c, config_filter *chosen,
                     const void *ctx);

/* Report that values do not go together.  Of the keys that the message has in
 * quotes the one that d's readers were given last is the place. */
void config_error(struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
