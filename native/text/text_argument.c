#include "text/text_argument.h"

#include <string.h>

const char *text_argument(JSContext *context, JSValueConst value, const char *what) {
    size_t length;
    const char *text = JS_ToCStringLen(context, &length, value);
    if (!text || strlen(text) == length)
        return text;
    JS_FreeCString(context, text);
    JS_ThrowPlainError(context, "%s must not contain a NUL", what);
    return NULL;
}
