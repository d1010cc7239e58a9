/* nda_post.h - golden model of the way of packets to ranks, and of ends back.
 */
#ifndef NDP_NDA_POST_H
#define NDP_NDA_POST_H

#include "frame/golden.h"

extern const struct golden_class nda_post_golden;

#endif
