/* wrap.h - paragraphs of text as lines of at most 80 columns. */
#ifndef NDP_GEN_WRAP_H
#define NDP_GEN_WRAP_H

#include "base/text.h"

enum { WRAP_COLUMNS = 80 };

/* Append s to out, each line with prefix in front ("// ").  Words flow within
 * a paragraph; blank lines separate paragraphs; a line that is indented deeper
 * than the text around it, or that begins with '-', '*' or '|', keeps its
 * line breaks.  The indentation that all lines share is dropped. */
void wrap_text(struct text *out, const char *prefix, const char *s);

/* The same for one run of words whose further lines are indented by hang. */
void wrap_words(struct text *out, const char *prefix, int hang, const char *s);

/* Characters in a UTF-8 string: what a column count should see. */
int text_columns(const char *s);

#endif
