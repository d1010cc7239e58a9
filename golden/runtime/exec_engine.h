/* exec_engine.h - the executor as an engine of libndp: device exec, and the
 * fallback of machines. */
#ifndef NDP_GOLDEN_EXEC_ENGINE_H
#define NDP_GOLDEN_EXEC_ENGINE_H

#include "runtime/runtime.h"

struct ndp_engine *exec_engine_new(void);

#endif
