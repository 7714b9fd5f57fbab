#include "text/string_text.h"

/*
 * Check this with each release of the engine: freeing memory that the engine itself frees would be worse than its leak.
 */
#define ENGINE_LEAKS (QJS_VERSION_MAJOR == 0 && QJS_VERSION_MINOR == 17 && QJS_VERSION_PATCH == 0)

const char *string_text(JSContext *context, JSValueConst string, size_t *length) {
    JSValue whole = JS_ToString(context, string); /* in one piece; for such a string, only the copy can fail */
    if (JS_IsException(whole))
        return NULL;
    const char *text = JS_ToCStringLen(context, length, whole);
    if (!text && ENGINE_LEAKS)
        JS_FreeValue(context, whole); /* for the engine, which has counted it once */
    JS_FreeValue(context, whole);
    return text;
}
