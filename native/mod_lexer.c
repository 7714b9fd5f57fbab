/*
 * The JS module `nound:lexer` (ts/native/lexer.ts): cuts a text into tokens by a transition table that the script has
 * made. C knows no grammar here. In C because in the engine each character would cost fifty times as much.
 */
#include <stdint.h>

#include "runtime.h"
#include "string_text.h"

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

/* Fills the array `tokens`. Returns 1 when the text is accepted, 0 when it is not, -1 with an exception. */
static int walk(JSContext *context, const char *text, size_t length, const uint8_t *table, size_t rows,
                JSValueConst tokens) {
    const char *end = text + length;
    const char *begin = text;
    uint8_t state = FIRST;
    uint32_t count = 0;
    for (;;) {
        const uint8_t *row = table + state * COLUMNS;
        while (text < end && row[column(*text)] == state)
            text++; /* most characters are like the one before them */
        if (text == end)
            return state == ACCEPTED;
        uint8_t entry = row[column(*text)];
        if (entry & BEGIN)
            begin = text;
        if (entry & END && !append(context, tokens, count++, begin, (size_t)(text - begin)))
            return -1;
        state = entry & STATE;
        if (state == REFUSED || state >= rows)
            return 0;
        do
            text++;
        while (text < end && (*text & 0xc0) == 0x80); /* the rest of a character */
    }
}

static JSValue lexer_tokens(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    size_t length, size;
    const uint8_t *table = JS_GetArrayBuffer(context, &size, argv[1]);
    if (!table)
        return JS_EXCEPTION;
    if (size <= FIRST * COLUMNS || size % COLUMNS != 0)
        return JS_ThrowTypeError(context, "a transition table has a row of 129 bytes for each state");
    const char *text = string_text(context, argv[0], &length);
    if (!text)
        return JS_EXCEPTION;
    JSValue tokens = JS_NewArray(context);
    int accepted = JS_IsException(tokens) ? -1 : walk(context, text, length, table, size / COLUMNS, tokens);
    JS_FreeCString(context, text);
    if (accepted == 1)
        return tokens;
    JS_FreeValue(context, tokens);
    return accepted == 0 ? JS_UNDEFINED : JS_EXCEPTION;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("tokens", 2, lexer_tokens),
};
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_lexer_register(struct runtime *runtime) {
    JSModuleDef *module = JS_NewCModule(runtime->context, "nound:lexer", initialize);
    return module && JS_AddModuleExportList(runtime->context, module, exports, export_count) == 0;
}
