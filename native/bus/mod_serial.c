/* The JS module `nound:serial` (ts/native/serial.ts): serial devices on the event loop. C moves the bytes and reads
 * none of them. */
#include <stdlib.h>
#include <string.h>

#include "bus/serial.h"
#include "bus/serial_device.h"
#include "engine/handle.h"
#include "text/text_argument.h"

/* Reads a whole number from a property. Returns false with an exception. */
static bool read_number(JSContext *context, JSValueConst object, const char *name, int64_t *number) {
    JSValue value = JS_GetPropertyStr(context, object, name);
    bool read = !JS_IsException(value) && JS_ToInt64(context, number, value) == 0;
    JS_FreeValue(context, value);
    return read;
}

/* Finds which of `choices` a property says. Returns its position, or -1 with an exception. */
static int read_choice(JSContext *context, JSValueConst object, const char *name, const char *const *choices) {
    JSValue value = JS_GetPropertyStr(context, object, name);
    const char *text = JS_IsException(value) ? NULL : JS_ToCString(context, value);
    int found = -1;
    for (int i = 0; text && found < 0 && choices[i]; i++)
        if (strcmp(choices[i], text) == 0)
            found = i;
    if (text && found < 0)
        JS_ThrowTypeError(context, "\"%.40s\" is not a %s of a serial device", text, name);
    JS_FreeCString(context, text);
    JS_FreeValue(context, value);
    return found;
}

/* Reads the settings. Returns false with an exception. */
static bool read_settings(JSContext *context, JSValueConst object, struct serial_settings *settings) {
    static const char *const parities[] = {"none", "even", "odd", NULL};
    static const char *const flow_controls[] = {"none", "hardware", NULL};
    int64_t baud_rate, data_bits, stop_bits;
    if (!read_number(context, object, "baudRate", &baud_rate) ||
        !read_number(context, object, "dataBits", &data_bits) || !read_number(context, object, "stopBits", &stop_bits))
        return false;
    int parity = read_choice(context, object, "parity", parities);
    int flow_control = parity < 0 ? -1 : read_choice(context, object, "flowControl", flow_controls);
    if (flow_control < 0)
        return false;
    if (data_bits < 5 || data_bits > 8 || stop_bits < 1 || stop_bits > 2) {
        JS_ThrowRangeError(context, "a serial device has 5 to 8 data bits and 1 or 2 stop bits");
        return false;
    }
    *settings = (struct serial_settings){
        .baud_rate = baud_rate < 0 || baud_rate > UINT32_MAX ? 0 : (uint32_t)baud_rate,
        .data_bits = (int)data_bits,
        .stop_bits = (int)stop_bits,
        .parity = (enum serial_parity)parity,
        .hardware_flow_control = flow_control == 1,
    };
    return true;
}

static JSValue open_port(JSContext *context, const char *path, JSValueConst settings_object) {
    struct serial_settings settings;
    struct failure failure;
    if (!read_settings(context, settings_object, &settings))
        return JS_EXCEPTION;
    int fd = serial_device_open(path, &settings, &failure);
    return fd >= 0 ? serial_port_new(runtime_of(context), fd, path) : failure_throw(context, &failure);
}

SCRIPT_FUNCTION(serial_open_port) {
    const char *path = text_argument(context, argv[0], "the path of a device");
    JSValue result = path ? open_port(context, path, argv[1]) : JS_EXCEPTION;
    JS_FreeCString(context, path);
    return result;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("openPort", 2, serial_open_port),
};

static void release(struct runtime *runtime) {
    struct serial *serial = runtime->serial;
    if (!serial)
        return;
    handle_close_all(runtime, HANDLE_PORT);
    JS_FreeAtoms(runtime->context, serial->on_bytes, serial->on_drain, serial->on_gone);
}

static bool open_module(struct runtime *runtime) {
    JSContext *context = runtime->context;
    struct serial *serial = runtime->serial = calloc(1, sizeof *serial);
    if (!serial)
        return false;
    serial->on_bytes = JS_NewAtom(context, "onBytes");
    serial->on_drain = JS_NewAtom(context, "onDrain");
    serial->on_gone = JS_NewAtom(context, "onGone");
    return serial_port_register(runtime);
}

const struct native_module mod_serial = {
    .name = "nound:serial", NATIVE_EXPORTS(exports), .open = open_module, .release = release};
