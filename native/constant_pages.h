/* Constants of the program's file that are read rarely. */
#ifndef NOUND_CONSTANT_PAGES_H
#define NOUND_CONSTANT_PAGES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Keeps the kernel from mapping a constant beside others: at a page fault it maps what it has of the 64 KB around, but
 * never beyond a mapping's end, and this makes the constant a mapping of its own. Pages that hold something else stay
 * as they are.
 */
void constant_pages_set_apart(const uint8_t *bytes, size_t size);

/* Gives back the pages of a constant that nobody needs for now. The kernel reads them from the file again when somebody
 * does. */
void constant_pages_release(const uint8_t *bytes, size_t size);

#endif
