#include "connector/tls_argument.h"

#include <string.h>

#include "text/settings.h"

static int digit(char character) {
    const char *digits = "0123456789abcdef", *at = character ? strchr(digits, character) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reads hashes in hexadecimal, one after another. Returns whether they are some. */
static bool read_pins(struct tls_settings *settings, const char *text) {
    const size_t length = strlen(text);
    if (length % (2 * TLS_HASH_BYTES) != 0 || length > sizeof settings->pins * 2)
        return false;
    settings->pin_count = (uint32_t)(length / (2 * TLS_HASH_BYTES));
    uint8_t *bytes = settings->pins[0];
    for (size_t i = 0; i < length; i += 2) {
        const int high = digit(text[i]), low = digit(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool read_settings(JSContext *context, JSValueConst object, struct tls_settings *settings) {
    char pins[sizeof settings->pins * 2 + 1];
    memset(settings, 0, sizeof *settings);
    if (!settings_read_text(context, object, "authorities", settings->authorities, sizeof settings->authorities) ||
        !settings_read_text(context, object, "certificate", settings->certificate, sizeof settings->certificate) ||
        !settings_read_text(context, object, "key", settings->key, sizeof settings->key) ||
        !settings_read_text(context, object, "name", settings->name, sizeof settings->name) ||
        !settings_read_text(context, object, "alpn", settings->alpn, sizeof settings->alpn - 1) ||
        !settings_read_text(context, object, "keys", pins, sizeof pins))
        return false;
    for (char *comma = settings->alpn; (comma = strchr(comma, ',')) != NULL; comma++)
        *comma = '\0';
    if (read_pins(settings, pins))
        return true;
    JS_ThrowRangeError(context, "keys are at most %d hashes of 64 hexadecimal digits", TLS_MOST_PINS);
    return false;
}

/* Returns the number of the last settings, from 1, or of equal ones before. */
static uint32_t number_of_last(struct connector_plan *plan) {
    const struct tls_settings *tls = connector_plan_tls(plan);
    const size_t last = plan->tls_count - 1;
    for (size_t i = 0; i < last; i++) {
        if (memcmp(&tls[i], &tls[last], sizeof tls[i]) != 0)
            continue;
        plan->tls_count--;
        return (uint32_t)i + 1;
    }
    return (uint32_t)plan->tls_count;
}

bool tls_argument_read(JSContext *context, JSValueConst array, struct connector_plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        JSValue value = JS_GetPropertyInt64(context, array, (int64_t)i);
        bool is_read = JS_IsUndefined(value);
        if (JS_IsObject(value) && read_settings(context, value, &connector_plan_tls(plan)[plan->tls_count])) {
            plan->tls_count++;
            plan->targets[i].tls = number_of_last(plan);
            is_read = true;
        }
        JS_FreeValue(context, value);
        if (!is_read)
            return false;
    }
    return true;
}
