/* reduce.h - all is in cooperative_groups.h. */
#include "../cooperative_groups.h"
