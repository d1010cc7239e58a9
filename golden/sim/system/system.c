/* system.c - the list of compositions. */
#include "system.h"

#include "image.h"
#include "omni.h"
#include "tom.h"

static const struct system_preset *const presets[] = {
    &image_preset, &omni_preset, &tom_preset};

enum { N_PRESETS = sizeof presets / sizeof presets[0] };

const struct system_preset *system_at(int i) {
    return i >= 0 && i < N_PRESETS ? presets[i] : NULL;
}
