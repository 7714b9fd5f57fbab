#include "text/utf8.h"

#include <stdint.h>
#include <string.h>

/* RFC 3629, section 4: what may follow a first byte; the bounds of the second byte rule out all that is ill-formed. */
static const struct {
    uint8_t first, last;     /* the first byte's range */
    uint8_t length;          /* of the character */
    uint8_t lowest, highest; /* the second byte's range; every further one's is 80 to BF */
} forms[] = {
    {0xc2, 0xdf, 2, 0x80, 0xbf},
    {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf},
    {0xed, 0xed, 3, 0x80, 0x9f},
    {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf},
    {0xf1, 0xf3, 4, 0x80, 0xbf},
    {0xf4, 0xf4, 4, 0x80, 0x8f},
};

size_t utf8_character(const char *text, size_t size) {
    const uint8_t *bytes = (const uint8_t *)text;
    if (size == 0)
        return 0;
    if (bytes[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (bytes[0] < forms[i].first || bytes[0] > forms[i].last)
            continue;
        if (size < forms[i].length || bytes[1] < forms[i].lowest || bytes[1] > forms[i].highest)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((bytes[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

bool utf8_is_ascii(const char *text, size_t size) {
    uint64_t bits = 0;
    size_t i = 0;
    for (; i + sizeof bits <= size; i += sizeof bits) {
        uint64_t word;
        memcpy(&word, text + i, sizeof word);
        bits |= word;
    }
    for (; i < size; i++)
        bits |= (uint8_t)text[i];
    return (bits & UINT64_C(0x8080808080808080)) == 0;
}

bool utf8_is_valid(const char *text, size_t size) {
    while (size > 0) {
        size_t length = utf8_character(text, size);
        if (length == 0)
            return false;
        text += length;
        size -= length;
    }
    return true;
}
