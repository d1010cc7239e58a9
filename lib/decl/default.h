/* default.h - every line kind of a .def that is not yet defined does nothing.
 * A SIZE is an INT and a LOCAL; whoever wants neither apart gets both. */
#include "each.h"
#ifndef BLOCK
#define BLOCK(id, title, paper, preset)
#endif
#ifndef SYSTEM
#define SYSTEM(id, title, paper, preset)
#endif
#ifndef UNIT
#define UNIT(title, paper, preset)
#endif
#ifndef MACHINE_OF
#define MACHINE_OF(preset)
#endif
#ifndef INT
#define INT(param, unit, min, max, dflt, doc)
#endif
#ifndef POW2
#define POW2(param, unit, min, max, dflt, doc)
#endif
#ifndef ENUM
#define ENUM(param, names, dflt, doc)
#endif
#ifndef SET
#define SET(param, element, dflt, doc)
#endif
#ifndef LIST
#define LIST(param, min, max, dflt, doc)
#endif
#ifndef MASKS
#define MASKS(param, dflt, doc)
#endif
#ifndef SHARED
#define SHARED(group)
#endif
#ifndef LOCAL
#define LOCAL(name, expr, doc)
#endif
#ifndef SIZE
#define SIZE(param, name, what, unit, min, max, dflt, doc)                     \
    INT(param, unit, min, max, dflt, doc)                                      \
    LOCAL(name, P(OWNER_FIELD(param)), what)
#endif
#ifndef SIZE2
#define SIZE2(param, name, what, unit, min, max, dflt, doc)                    \
    POW2(param, unit, min, max, dflt, doc)                                     \
    LOCAL(name, P(OWNER_FIELD(param)), what)
#endif
#ifndef DERIVE
#define DERIVE(part, param, expr)
#endif
#ifndef CHECK
#define CHECK(expr, message)
#endif
#ifndef VERIFY
#define VERIFY(function)
#endif
#ifndef CONTAINS
#define CONTAINS(name)
#endif
#ifndef CHANNEL
#define CHANNEL(name, kind, doc)
#endif
#ifndef IN
#define IN(name, width, doc)
#endif
#ifndef OUT
#define OUT(name, width, doc)
#endif
#ifndef WIDE_IN
#define WIDE_IN(name, width, maxbits, doc)
#endif
#ifndef WIDE_OUT
#define WIDE_OUT(name, width, maxbits, doc)
#endif
#ifndef RECORD
#define RECORD(name, doc, ...)
#endif
#ifndef FIELD
#define FIELD(name, width, doc)
#endif
#ifndef WIDE_FIELD
#define WIDE_FIELD(name, width, maxbits, doc)
#endif
#ifndef CODES
#define CODES(name, doc, ...)
#endif
#ifndef CODE
#define CODE(name, doc)
#endif
#ifndef SETTING
#define SETTING(name, width, reset, doc)
#endif
#ifndef COUNTER
#define COUNTER(name, doc)
#endif
#ifndef STATUS
#define STATUS(name, width, doc)
#endif
#ifndef COMMAND
#define COMMAND(name, width, doc)
#endif
#ifndef MEMORY
#define MEMORY(name, words, bits, doc)
#endif
#ifndef FIGURE
#define FIGURE(name, what, unit, ours, paper)
#endif
#ifndef EVENT
#define EVENT(name, condition, ...)
#endif
#ifndef COVER
#define COVER(name, doc)
#endif
#ifndef COVER_OF
#define COVER_OF(part, name)
#endif
#ifndef INSTANCE
#define INSTANCE(name, block, doc)
#endif
#ifndef INSTANCES
#define INSTANCES(name, block, number, doc)
#endif
#ifndef CONNECT
#define CONNECT(...)
#endif
