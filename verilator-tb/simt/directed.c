#include "env.h"
void simt_directed_launch(struct simt_stim *s) {
    simt_random_launch(s);
}
