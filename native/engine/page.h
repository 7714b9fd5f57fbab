/* The page that browsers get: the build makes it from ts/page. The file that defines these is generated
 * (tools/build/page.mjs). */
#ifndef NOUND_PAGE_H
#define NOUND_PAGE_H

#include <stddef.h>
#include <stdint.h>

/* The HTML document, and behind it the words of each other language as JSON; each compressed by gzip. */
extern const uint8_t nound_page[];
/* Of all of it, in bytes. */
extern const size_t nound_page_size;
/* Where each of these ends: the document, and the words in the order of nound_page_languages. */
extern const size_t nound_page_ends[];
extern const size_t nound_page_parts;
/* The languages that the page can have besides English (ISO 639-1), separated by spaces. */
extern const char nound_page_languages[];
/* Its entity tag, in quotation marks. */
extern const char nound_page_tag[];
/* Its Content-Security-Policy, which names its script and its style by their hashes. */
extern const char nound_page_policy[];

#endif
