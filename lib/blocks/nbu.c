/* nbu.c - tables of the near-bank unit's interface, out of nbu.def. */
#include "nbu.h"

#define BLOCK nbu
#define BLOCK_DEF "blocks/nbu.def"
#define BLOCK_TITLE "near-bank unit"
#define BLOCK_PAPER "MPU, section IV-B1"
#define BLOCK_PRESET "mpu"
#include "iface/block_table.h"
