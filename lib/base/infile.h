/* infile.h - files that are read once from front to back, compressed or not.
 *
 * What begins as a file of gzip or xz does is decompressed while it is read,
 * from whatever source; several such files in a row are one text.
 */
#ifndef NDP_INFILE_H
#define NDP_INFILE_H

#include <stdio.h>

/* path "-": standard input.  *error, which must outlive the FILE, is 0, or an
 * errno with NULL.  Later an error of the compressed data is there, and like any
 * other it sets ferror, perhaps behind a line that it has cut off. */
FILE *infile_open(const char *path, int *error);
/* Whole file into memory, terminated, size in *len; NULL with *error set.  The
 * caller frees. */
char *infile_read(const char *path, size_t *len, int *error);
/* NULL is allowed; standard input stays open. */
void infile_close(FILE *f);
/* What is wrong, by what infile_open has left, or else by errno. */
const char *infile_error(int error);

#endif
