/* def_default.h - every line kind of a .def that is not yet defined does
 * nothing. */
#ifndef LOCAL
#define LOCAL(name, expr, doc)
#endif
#ifndef CHECK
#define CHECK(expr, message)
#endif
#ifndef VERIFY
#define VERIFY(function)
#endif
#ifndef GROUP
#define GROUP(name, doc)
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
#ifndef SETTING
#define SETTING(name, width, reset, doc)
#endif
#ifndef COUNTER
#define COUNTER(name, doc)
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
