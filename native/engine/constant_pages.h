/* Constants of the program's file that are read rarely. */
#ifndef NOUND_CONSTANT_PAGES_H
#define NOUND_CONSTANT_PAGES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Keeps the kernel from mapping a constant that is not needed. At a page fault, the kernel maps the cached pages of the
 * 64 KB around it, but never beyond the end of a mapping. So this function makes the constant a separate mapping. Pages
 * that also contain something else stay as they are.
 */
void constant_pages_set_apart(const uint8_t *bytes, size_t size);

/* Releases the pages of a constant that is not needed now. The kernel reads them from the file again when they are
 * needed. */
void constant_pages_release(const uint8_t *bytes, size_t size);

#endif
