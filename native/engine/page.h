/* The page that browsers get: the build makes it from ts/page. The file that defines these is generated
 * (tools/build/page.mjs). */
#ifndef NOUND_PAGE_H
#define NOUND_PAGE_H

#include <stddef.h>
#include <stdint.h>

/* The HTML document, compressed by gzip. */
extern const uint8_t nound_page[];
/* In bytes. */
extern const size_t nound_page_size;
/* Its entity tag, in quotation marks. */
extern const char nound_page_tag[];
/* Its Content-Security-Policy, which names its script and its style by their hashes. */
extern const char nound_page_policy[];

#endif
