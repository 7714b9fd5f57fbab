/*
 * The JS module `nound:lexer` (ts/native/lexer.ts): cuts a text into tokens by a transition table that the script has
 * made, follows it as far as the table allows, or writes what a second table makes of it. C knows no grammar here. In C
 * because in the engine each character would cost fifty times as much.
 */
#include <stdint.h>
#include <string.h>

#include "engine/runtime.h"
#include "text/string_text.h"

/* As ts/native/lexer.ts says it: the columns of a row, and the bits of an entry. */
#define COLUMNS 129
#define STATE 0x3f
#define BEGIN 0x40
#define END 0x80
enum { REFUSED, ACCEPTED, FIRST };

/* The effects: below DROP, a character to write in place of one; otherwise the upper half, with a digit's value below.
 */
enum { KEEP = 0, DROP = 0x80, DIGIT = 0x90, UNIT = 0xa0, COUNTED = 0xb0 };

/* The tokens of a text so far: an array of the engine is made of all at once, because appending to one takes longer. */
struct tokens {
    JSValue *values;
    uint32_t count, room;
};

/* Appends the token of these bytes. Returns false with an exception. */
static bool append(JSContext *context, struct tokens *tokens, const char *bytes, size_t length) {
    if (tokens->count == tokens->room) {
        uint32_t room = tokens->room ? 2 * tokens->room : 16;
        JSValue *values = js_realloc(context, tokens->values, room * sizeof *values);
        if (!values)
            return false;
        *tokens = (struct tokens){.values = values, .count = tokens->count, .room = room};
    }
    JSValue token = JS_NewStringLen(context, bytes, length);
    if (JS_IsException(token))
        return false;
    tokens->values[tokens->count++] = token;
    return true;
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

static uint32_t count_characters(const char *text, const char *end) {
    uint32_t count = 0;
    for (; text < end; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

/*
 * Walks to the end of the text, or to the first character that is refused, and sets `place`. Appends to `tokens`, which
 * may be NULL. Returns false with an exception.
 */
static bool walk(JSContext *context, struct place *place, const char *end, const uint8_t *table, size_t rows,
                 struct tokens *tokens) {
    const char *text = place->text;
    const char *begin = text;
    uint8_t state = place->state;
    for (;;) {
        const uint8_t *row = table + state * COLUMNS;
        while (text < end && row[column(*text)] == state)
            text++; /* most characters are like the one before them */
        if (text == end)
            break;
        uint8_t entry = row[column(*text)];
        if (entry & BEGIN)
            begin = text;
        if (entry & END && tokens && !append(context, tokens, begin, (size_t)(text - begin)))
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

SCRIPT_FUNCTION(lexer_tokens) {
    size_t length, rows;
    const uint8_t *table = table_of(context, argv[1], &rows);
    const char *text = table ? string_text(context, argv[0], &length) : NULL;
    if (!text)
        return JS_EXCEPTION;
    struct place place = {.text = text, .state = FIRST};
    struct tokens tokens = {0};
    bool walked = walk(context, &place, text + length, table, rows, &tokens);
    bool accepted = walked && place.text == text + length && place.state == ACCEPTED;
    JS_FreeCString(context, text);
    JSValue result = walked ? JS_UNDEFINED : JS_EXCEPTION;
    if (accepted)
        result = JS_NewArrayFrom(context, (int)tokens.count, tokens.values);
    for (uint32_t i = 0; i < tokens.count && !accepted; i++)
        JS_FreeValue(context, tokens.values[i]);
    js_free(context, tokens.values);
    return result;
}

/* Reads the state to begin in. Returns false with an exception. */
static bool read_state(JSContext *context, JSValueConst value, size_t rows, uint32_t *state) {
    if (JS_ToUint32(context, state, value) < 0)
        return false;
    if (*state != REFUSED && *state < rows)
        return true;
    JS_ThrowRangeError(context, "the table has no such state to begin in");
    return false;
}

SCRIPT_FUNCTION(lexer_follow) {
    size_t length, rows;
    uint32_t state;
    const uint8_t *table = table_of(context, argv[1], &rows);
    const char *text =
        table && read_state(context, argv[2], rows, &state) ? string_text(context, argv[0], &length) : NULL;
    if (!text)
        return JS_EXCEPTION;
    struct place place = {.text = text, .state = (uint8_t)state};
    (void)walk(context, &place, text + length, table, rows, NULL); /* without tokens, nothing can fail */
    uint32_t characters = count_characters(text, place.text);
    JS_FreeCString(context, text);
    JSValue found[] = {JS_NewUint32(context, characters), JS_NewUint32(context, place.state)};
    return JS_NewArrayFrom(context, 2, found);
}

/* Writes the bytes from `from` to `end`. Returns the place behind them. */
static char *write_bytes(char *to, const char *from, const char *end) {
    if (from == end)
        return to; /* mostly: what is dropped comes together */
    memcpy(to, from, (size_t)(end - from));
    return to + (end - from);
}

/* Writes a UTF-16 code unit in UTF-8 as the engine has it: half of a surrogate pair has three bytes, too. */
static char *write_unit(char *to, uint16_t unit) {
    if (unit < 0x80) {
        *to++ = (char)unit;
        return to;
    }
    if (unit < 0x800) {
        *to++ = (char)(0xc0 | unit >> 6);
    } else {
        *to++ = (char)(0xe0 | unit >> 12);
        *to++ = (char)(0x80 | (unit >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (unit & 0x3f));
    return to;
}

static uint32_t hexadecimal_value(char digit) {
    return ((uint32_t)digit & 0xf) + (digit > '9' ? 9 : 0);
}

/* Returns the end of the characters for which the two rows have the same as for the one in this column. */
static const char *run_end(const char *text, const char *end, const uint8_t *row, const uint8_t *effects, size_t of) {
    uint8_t entry = row[of], effect = effects[of];
    while (text < end && row[column(*text)] == entry && effects[column(*text)] == effect)
        text++; /* most characters are like the one before them */
    return text;
}

/*
 * Walks as `walk` does, from `number` on, and writes to `to`, which has room for the text and two bytes more: a code
 * unit of three bytes has as many digits, of which two may have come before the text. Returns the place behind what is
 * written.
 */
static char *rewrite(char *to, struct place *place, const char *end, const uint8_t *table, size_t rows,
                     const uint8_t *effects, uint32_t *number) {
    const char *text = place->text, *kept = text; /* all before `kept` is written or dropped */
    size_t state = place->state;
    while (text < end) {
        size_t index = state * COLUMNS + column(*text);
        size_t next = table[index] & STATE;
        if (next == REFUSED || next >= rows)
            break;
        const char *behind = character_end(text, end);
        uint8_t effect = effects[index];
        if (next == state && (effect == KEEP || effect == DROP))
            behind = run_end(behind, end, table + state * COLUMNS, effects + state * COLUMNS, index - state * COLUMNS);
        if (effect == COUNTED) {
            for (*number -= *number > 0; *number > 0 && behind < end; --*number)
                behind = character_end(behind, end);
            if (*number > 0)
                next = state;
        } else if (effect != KEEP) {
            to = write_bytes(to, kept, text);
            kept = behind;
            if (effect < DROP)
                *to++ = (char)effect;
            else if (effect >= DIGIT)
                *number = *number << 4 | hexadecimal_value(*text);
            if (effect >= UNIT) {
                to = write_unit(to, (uint16_t)*number);
                *number = 0;
            }
        }
        state = next;
        text = behind;
    }
    *place = (struct place){.text = text, .state = (uint8_t)state};
    return write_bytes(to, kept, text);
}

SCRIPT_FUNCTION(lexer_rewrite) {
    size_t length, rows, effect_rows;
    uint32_t state, number;
    const uint8_t *table = table_of(context, argv[1], &rows);
    const uint8_t *effects = table ? table_of(context, argv[2], &effect_rows) : NULL;
    if (!effects || !read_state(context, argv[3], rows, &state) || JS_ToUint32(context, &number, argv[4]) < 0)
        return JS_EXCEPTION;
    if (effect_rows != rows)
        return JS_ThrowTypeError(context, "a table of effects has as many rows as the transition table");
    const char *text = string_text(context, argv[0], &length);
    if (!text)
        return JS_EXCEPTION;
    struct place place = {.text = text, .state = (uint8_t)state};
    char *bytes = js_malloc(context, length + 2);
    JSValue written = JS_EXCEPTION;
    if (bytes) {
        const char *behind = rewrite(bytes, &place, text + length, table, rows, effects, &number);
        written = JS_NewStringLen(context, bytes, (size_t)(behind - bytes));
        js_free(context, bytes);
    }
    uint32_t characters = count_characters(text, place.text);
    JS_FreeCString(context, text);
    if (JS_IsException(written))
        return JS_EXCEPTION;
    JSValue found[] = {
        written, JS_NewUint32(context, characters), JS_NewUint32(context, place.state), JS_NewUint32(context, number)};
    return JS_NewArrayFrom(context, 4, found);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("tokens", 2, lexer_tokens),
    JS_CFUNC_DEF("follow", 3, lexer_follow),
    JS_CFUNC_DEF("rewrite", 5, lexer_rewrite),
};

const struct native_module mod_lexer = {.name = "nound:lexer", NATIVE_EXPORTS(exports)};
