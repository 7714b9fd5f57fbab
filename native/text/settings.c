#include "text/settings.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "text/text_argument.h"

static bool read_number(JSContext *context, JSValueConst value, const char *name, uint32_t *number) {
    double read;
    if (JS_ToFloat64(context, &read, value) < 0)
        return false;
    const bool is_number = read >= 0 && read <= INT32_MAX && read == floor(read);
    if (is_number)
        *number = (uint32_t)read;
    else
        JS_ThrowRangeError(context, "the script expects %s to be an integer of 0 to 2147483647", name);
    return is_number;
}

bool settings_read_word(JSContext *context, JSValueConst value, const char *name, const char *const *words,
                        int *place) {
    const char *text = JS_IsString(value) ? JS_ToCString(context, value) : NULL;
    for (*place = 0; text && words[*place] && strcmp(text, words[*place]) != 0;)
        ++*place;
    const bool is_known = text && words[*place];
    if (!is_known)
        JS_ThrowTypeError(context, "\"%.40s\" is not a word for %s", text ? text : "", name);
    JS_FreeCString(context, text);
    return is_known;
}

bool settings_read_text(JSContext *context, JSValueConst object, const char *name, char *text, size_t size) {
    JSValue value = JS_GetPropertyStr(context, object, name);
    const char *given = JS_IsException(value) ? NULL : text_argument(context, value, name);
    const bool fits = given && strlen(given) < size;
    if (fits)
        strcpy(text, given);
    else if (given)
        JS_ThrowRangeError(context, "%s has at most %zu bytes", name, size - 1);
    JS_FreeCString(context, given);
    JS_FreeValue(context, value);
    return fits;
}

static bool read_value(JSContext *context, JSValueConst value, const struct setting *setting, void *at) {
    switch (setting->type) {
    case SETTING_FLAG:
        *(bool *)at = JS_ToBool(context, value) > 0;
        return true;
    case SETTING_LEVEL:
        *(int *)at = JS_IsUndefined(value) ? -1 : JS_ToBool(context, value) > 0;
        return true;
    case SETTING_NUMBER:
        return read_number(context, value, setting->name, at);
    case SETTING_WORD:
        return settings_read_word(context, value, setting->name, setting->words, at);
    case SETTING_TEXT:
        *(const char **)at = JS_IsUndefined(value) ? NULL : text_argument(context, value, setting->name);
        return *(const char **)at || JS_IsUndefined(value);
    }
    return false;
}

bool settings_read(JSContext *context, JSValueConst object, const struct setting *settings, size_t count, void *into) {
    bool is_read = true;
    for (size_t i = 0; is_read && i < count; i++) {
        JSValue value = JS_GetPropertyStr(context, object, settings[i].name);
        is_read = !JS_IsException(value) && read_value(context, value, &settings[i], (char *)into + settings[i].at);
        JS_FreeValue(context, value);
    }
    return is_read;
}
