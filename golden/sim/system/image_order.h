/* image_order.h - which SM a CTA goes to, and when.
 *
 * The baseline hands CTAs out one by one to whichever SM has room, round robin.
 * IP-NDP section 3.2 names a hardware CTA scheduler that assigns them in a
 * pattern instead, so that each SM walks a contiguous part of the image:
 * bands of rows, bands of columns, or as many tiles as there are SMs.
 */
#ifndef NDP_SYSTEM_IMAGE_ORDER_H
#define NDP_SYSTEM_IMAGE_ORDER_H

#include "cta.h"

enum cta_order { ORDER_RR, ORDER_ROW, ORDER_COLUMN, ORDER_TILE };

/* One launch's CTAs on their way to SMs; freed by cta_supply_free. */
struct cta_supply;

struct cta_supply *cta_supply_create(struct cta_reader *r, enum cta_order order,
                                     uint32_t sms);
void cta_supply_free(struct cta_supply *s);

/* Begin the next launch of the stream; NULL: there is none.  What comes back
 * is a CTA of it, to be looked at only. */
const struct cta *cta_supply_launch(struct cta_supply *s);

/* The next CTA that SM sm may run; NULL: none for it in this launch. */
const struct cta *cta_supply_peek(const struct cta_supply *s, uint32_t sm);

/* Take what peek has shown; the caller frees it. */
struct cta *cta_supply_take(struct cta_supply *s, uint32_t sm);

/* Any left in this launch, for whichever SM. */
bool cta_supply_more(const struct cta_supply *s);

#endif
