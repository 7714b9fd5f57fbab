/*
 * The JS module `nound:registers` (ts/native/registers.ts): writes the numbers that are in registers between texts of
 * the script, which also says where they are. In C because in the engine each register would cost fifty times as much.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/runtime.h"
#include "text/byte_string.h"
#include "text/string_text.h"

/* As ts/native/registers.ts says it: what a place has, and the bits of its form. */
struct place {
    uint16_t before, source, at, form;
};
enum { SIGNED = 1, LONG = 2, SWAPPED = 4, LOW_FIRST = 8, DECIMALS = 4, MOST_DECIMALS = 3, TEXT = 0x40 };

#define LONGEST_NUMBER 12 /* -2147483.648 */

struct bytes {
    char *start;
    size_t length, room;
};

/* What a text is written of. */
struct writing {
    JSContext *context;
    JSValueConst others;
    struct bytes *sources;
    uint32_t source_count;
    struct bytes text;
};

/* Makes room for `length` more bytes. */
static bool reserve(struct writing *writing, size_t length) {
    struct bytes *text = &writing->text;
    if (length <= text->room - text->length)
        return true;
    size_t room = 2 * text->room + length;
    char *start = js_realloc(writing->context, text->start, room);
    if (!start)
        return false;
    text->start = start;
    text->room = room;
    return true;
}

static bool append(struct writing *writing, const char *bytes, size_t length) {
    if (!reserve(writing, length))
        return false;
    memcpy(writing->text.start + writing->text.length, bytes, length);
    writing->text.length += length;
    return true;
}

static bool append_other(struct writing *writing, uint32_t index) {
    JSContext *context = writing->context;
    size_t length;
    JSValue other = JS_GetPropertyUint32(context, writing->others, index);
    const char *bytes = string_text(context, other, &length);
    bool appended = bytes && append(writing, bytes, length);
    if (bytes)
        JS_FreeCString(context, bytes);
    JS_FreeValue(context, other);
    return appended;
}

/* Writes the number with its decimals, of which the last is not 0, from its end. Returns where it begins. */
static char *write_number(char *end, uint32_t number, unsigned decimals) {
    for (; decimals > 0 && number % 10 == 0; decimals--)
        number /= 10;
    if (decimals > 0) {
        for (; decimals > 0; decimals--, number /= 10)
            *--end = (char)('0' + number % 10);
        *--end = '.';
    }
    do
        *--end = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return end;
}

/* Returns how many bytes a number has in registers. */
static unsigned size_of(unsigned form) {
    return form & LONG ? 4 : 2;
}

static bool append_number(struct writing *writing, const char *bytes, unsigned form) {
    unsigned size = size_of(form);
    unsigned order = form / SWAPPED & (size - 1);
    uint32_t number = 0, sign = UINT32_C(1) << (8 * size - 1);
    for (unsigned i = 0; i < size; i++)
        number = number << 8 | (uint8_t)bytes[i ^ order];
    bool is_negative = form & SIGNED && number & sign;
    if (is_negative)
        number = (sign << 1) - number; /* of 32 bits, 0 less it */
    /* As many bytes as a number may have are copied, which takes no call. */
    char text[2 * LONGEST_NUMBER] = {0}, *end = text + LONGEST_NUMBER;
    char *start = write_number(end, number, form >> DECIMALS & MOST_DECIMALS);
    if (is_negative)
        *--start = '-';
    if (!reserve(writing, LONGEST_NUMBER))
        return false;
    memcpy(writing->text.start + writing->text.length, start, LONGEST_NUMBER);
    writing->text.length += (size_t)(end - start);
    return true;
}

static bool append_place(struct writing *writing, const struct place *place) {
    if (place->form & TEXT)
        return append_other(writing, place->at);
    if (place->source >= writing->source_count)
        return append_other(writing, 0);
    const struct bytes *source = &writing->sources[place->source];
    if (place->at + size_of(place->form) > source->length)
        return append_other(writing, 0);
    return append_number(writing, source->start + place->at, place->form);
}

static bool append_all(struct writing *writing, const char *texts, size_t length, const struct place *places,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (places[i].before > length) {
            JS_ThrowRangeError(writing->context, "the places are beyond the text");
            return false;
        }
        if (!append(writing, texts, places[i].before) || !append_place(writing, &places[i]))
            return false;
        texts += places[i].before;
        length -= places[i].before;
    }
    return append(writing, texts, length);
}

/* Returns false with an exception. */
static bool read_sources(struct writing *writing, JSValueConst array) {
    JSContext *context = writing->context;
    int64_t count;
    if (JS_GetLength(context, array, &count) < 0)
        return false;
    writing->sources = js_mallocz(context, ((size_t)count + 1) * sizeof *writing->sources);
    for (uint32_t i = 0; writing->sources && i < count; i++) {
        struct bytes *source = &writing->sources[i];
        JSValue string = JS_GetPropertyUint32(context, array, i);
        source->start = byte_string_read(context, string, &source->length);
        JS_FreeValue(context, string);
        if (!source->start)
            return false;
        writing->source_count++;
    }
    return writing->sources;
}

SCRIPT_FUNCTION(registers_write) {
    size_t size, length;
    const struct place *places = (const void *)JS_GetArrayBuffer(context, &size, argv[1]);
    const char *texts = places ? string_text(context, argv[0], &length) : NULL;
    if (!texts)
        return JS_EXCEPTION;
    struct writing writing = {.context = context, .others = argv[3]};
    size_t count = size / sizeof *places;
    writing.text.room = length + count * LONGEST_NUMBER + 1; /* never 0 */
    writing.text.start = js_malloc(context, writing.text.room);
    bool is_written =
        writing.text.start && read_sources(&writing, argv[2]) && append_all(&writing, texts, length, places, count);
    JSValue text = is_written ? JS_NewStringLen(context, writing.text.start, writing.text.length) : JS_EXCEPTION;
    for (uint32_t i = 0; i < writing.source_count; i++)
        free(writing.sources[i].start);
    js_free(context, writing.sources);
    js_free(context, writing.text.start);
    JS_FreeCString(context, texts);
    return text;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("write", 4, registers_write),
};

const struct native_module mod_registers = {.name = "nound:registers", NATIVE_EXPORTS(exports)};
