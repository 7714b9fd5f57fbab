/* The JS module `nound:bus` (ts/native/bus.ts): devices on I2C and SPI buses. */
#include <stdlib.h>

#include "bus/bus_device.h"
#include "text/text_argument.h"

/* Makes the object of a device that was opened, or throws the failure. Consumes the device. */
static JSValue finish(JSContext *context, struct bus_device *device, bool opened, const struct failure *failure) {
    if (opened)
        return bus_device_new(context, device);
    free(device);
    return failure_throw(context, failure);
}

SCRIPT_FUNCTION(bus_open_i2c) {
    int64_t bus, address;
    struct failure failure = {0};
    if (JS_ToInt64(context, &bus, argv[0]) < 0 || JS_ToInt64(context, &address, argv[1]) < 0)
        return JS_EXCEPTION;
    if (bus < 0 || bus > 255)
        return JS_ThrowRangeError(context, "an I2C bus has a number from 0 to 255");
    if (address < 0x03 || address > 0x77)
        return JS_ThrowRangeError(context, "an I2C device has an address from 0x03 to 0x77");
    struct bus_device *device = calloc(1, sizeof *device);
    if (!device)
        return JS_ThrowOutOfMemory(context);
    return finish(context, device, i2c_open((int)bus, (int)address, device, &failure), &failure);
}

/* openSpi(path, mode, speed, bitsPerWord, lsbFirst) */
SCRIPT_FUNCTION(bus_open_spi) {
    int64_t mode, speed, bits;
    struct failure failure = {0};
    if (JS_ToInt64(context, &mode, argv[1]) < 0 || JS_ToInt64(context, &speed, argv[2]) < 0 ||
        JS_ToInt64(context, &bits, argv[3]) < 0)
        return JS_EXCEPTION;
    if (mode < 0 || mode > 3)
        return JS_ThrowRangeError(context, "a mode of SPI is 0, 1, 2 or 3");
    if (speed < 1 || speed > UINT32_MAX || bits < 1 || bits > 32)
        return JS_ThrowRangeError(context, "SPI has a speed of 1 to 4294967295 Hz and 1 to 32 bits per word");
    TEXT_ARGUMENT(path, context, argv[0], "the path of a device");
    if (!path)
        return JS_EXCEPTION;
    struct spi_settings settings = {.mode = (uint8_t)mode,
                                    .speed = (uint32_t)speed,
                                    .bits_per_word = (uint8_t)bits,
                                    .lsb_first = JS_ToBool(context, argv[4]) > 0};
    struct bus_device *device = calloc(1, sizeof *device);
    if (!device)
        return JS_ThrowOutOfMemory(context);
    return finish(context, device, spi_open(path, &settings, device, &failure), &failure);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("openI2c", 2, bus_open_i2c),
    JS_CFUNC_DEF("openSpi", 5, bus_open_spi),
};

const struct native_module mod_bus = {.name = "nound:bus", NATIVE_EXPORTS(exports)};
