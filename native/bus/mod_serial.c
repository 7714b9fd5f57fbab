/* The JS module `nound:serial` (ts/native/serial.ts): serial devices on the event loop. C moves the bytes and reads
 * none of them. */
#include "bus/serial.h"
#include "bus/serial_device.h"
#include "text/settings.h"
#include "text/text_argument.h"

#define PART(member) offsetof(struct serial_settings, member)

static const struct setting settings[] = {
    {"baudRate", SETTING_NUMBER, PART(baud_rate), NULL},
    {"dataBits", SETTING_NUMBER, PART(data_bits), NULL},
    {"stopBits", SETTING_NUMBER, PART(stop_bits), NULL},
    {"parity", SETTING_WORD, PART(parity), (const char *const[]){"none", "even", "odd", NULL}},
    {"rs485", SETTING_FLAG, PART(rs485), NULL},
    {"flowControl", SETTING_WORD, PART(flow_control), (const char *const[]){"none", "hardware", NULL}},
};

/* Reads the settings. Returns false with an exception. */
static bool read_settings(JSContext *context, JSValueConst object, struct serial_settings *read) {
    if (!settings_read(context, object, settings, sizeof settings / sizeof settings[0], read))
        return false;
    if (read->data_bits >= 5 && read->data_bits <= 8 && read->stop_bits >= 1 && read->stop_bits <= 2)
        return true;
    JS_ThrowRangeError(context, "a serial device has 5 to 8 data bits and 1 or 2 stop bits");
    return false;
}

SCRIPT_FUNCTION(serial_open_port) {
    struct serial_settings wanted;
    struct failure failure;
    TEXT_ARGUMENT(path, context, argv[0], "the path of a device");
    if (!path || !read_settings(context, argv[1], &wanted))
        return JS_EXCEPTION;
    int fd = serial_device_open(path, &wanted, &failure);
    return fd >= 0 ? serial_port_new(runtime_of(context), fd, path) : failure_throw(context, &failure);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("openPort", 2, serial_open_port),
};

const struct native_module mod_serial = {.name = "nound:serial", NATIVE_EXPORTS(exports)};
