/*
 * The JS module `nound:lexer` (ts/native/lexer.ts): cuts a text into tokens by a transition table that the script has
 * made, or follows it as far as the table allows. C knows no grammar here. In C because in the engine each character
 * would cost fifty times as much.
 */
#include <stdint.h>

#include "engine/runtime.h"
#include "text/string_text.h"

/* As ts/native/lexer.ts says it: the columns of a row, and the bits of an entry. */
#define COLUMNS 129
#define STATE 0x3f
#define BEGIN 0x40
#define END 0x80
enum { REFUSED, ACCEPTED, FIRST };

/* Appends the token of these bytes. Returns false with an exception. */
static bool append(JSContext *context, JSValueConst tokens, uint32_t index, const char *bytes, size_t length) {
    JSValue token = JS_NewStringLen(context, bytes, length);
    if (JS_IsException(token))
        return false;
    return JS_SetPropertyUint32(context, tokens, index, token) >= 0;
}

static size_t column(char character) {
    uint8_t byte = (uint8_t)character;
    return byte < COLUMNS - 1 ? byte : COLUMNS - 1;
}

/* A place in a text, and the state of a table there. */
struct place {
    const char *text;
    uint8_t state;
};

static const char *character_end(const char *text, const char *end) {
    do
        text++;
    while (text < end && (*text & 0xc0) == 0x80);
    return text;
}

/*
 * Walks to the end of the text, or to the first character that is refused, and sets `place`. Fills the array `tokens`
 * unless it is undefined. Returns false with an exception.
 */
static bool walk(JSContext *context, struct place *place, const char *end, const uint8_t *table, size_t rows,
                 JSValueConst tokens) {
    const char *text = place->text;
    const char *begin = text;
    uint8_t state = place->state;
    uint32_t count = 0;
    for (;;) {
        const uint8_t *row = table + state * COLUMNS;
        while (text < end && row[column(*text)] == state)
            text++; /* most characters are like the one before them */
        if (text == end)
            break;
        uint8_t entry = row[column(*text)];
        if (entry & BEGIN)
            begin = text;
        if (entry & END && !JS_IsUndefined(tokens) && !append(context, tokens, count++, begin, (size_t)(text - begin)))
            return false;
        uint8_t next = entry & STATE;
        if (next == REFUSED || next >= rows)
            break;
        state = next;
        text = character_end(text, end);
    }
    *place = (struct place){.text = text, .state = state};
    return true;
}

/* Returns the table, and how many rows it has; NULL with an exception. */
static const uint8_t *table_of(JSContext *context, JSValueConst value, size_t *rows) {
    size_t size;
    const uint8_t *table = JS_GetArrayBuffer(context, &size, value);
    if (!table)
        return NULL;
    if (size <= FIRST * COLUMNS || size % COLUMNS != 0) {
        JS_ThrowTypeError(context, "a transition table has a row of 129 bytes for each state");
        return NULL;
    }
    *rows = size / COLUMNS;
    return table;
}

static JSValue lexer_tokens(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    size_t length, rows;
    const uint8_t *table = table_of(context, argv[1], &rows);
    if (!table)
        return JS_EXCEPTION;
    const char *text = string_text(context, argv[0], &length);
    if (!text)
        return JS_EXCEPTION;
    struct place place = {.text = text, .state = FIRST};
    JSValue tokens = JS_NewArray(context);
    bool walked = !JS_IsException(tokens) && walk(context, &place, text + length, table, rows, tokens);
    bool accepted = place.text == text + length && place.state == ACCEPTED;
    JS_FreeCString(context, text);
    if (walked && accepted)
        return tokens;
    JS_FreeValue(context, tokens);
    return walked ? JS_UNDEFINED : JS_EXCEPTION;
}

static JSValue lexer_follow(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    size_t length, rows;
    uint32_t state;
    const uint8_t *table = table_of(context, argv[1], &rows);
    if (!table || JS_ToUint32(context, &state, argv[2]) < 0)
        return JS_EXCEPTION;
    if (state == REFUSED || state >= rows)
        return JS_ThrowRangeError(context, "the table has no such state to begin in");
    const char *text = string_text(context, argv[0], &length);
    if (!text)
        return JS_EXCEPTION;
    struct place place = {.text = text, .state = (uint8_t)state};
    (void)walk(context, &place, text + length, table, rows, JS_UNDEFINED); /* without tokens, nothing can fail */
    uint32_t characters = 0;
    for (const char *at = text; at < place.text; at = character_end(at, place.text))
        characters++;
    JS_FreeCString(context, text);
    JSValue found[] = {JS_NewUint32(context, characters), JS_NewUint32(context, place.state)};
    return JS_NewArrayFrom(context, 2, found);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("tokens", 2, lexer_tokens),
    JS_CFUNC_DEF("follow", 3, lexer_follow),
};
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_lexer_register(struct runtime *runtime) {
    JSModuleDef *module = JS_NewCModule(runtime->context, "nound:lexer", initialize);
    return module && JS_AddModuleExportList(runtime->context, module, exports, export_count) == 0;
}
