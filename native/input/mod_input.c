/* The JS module `nound:input` (ts/native/input.ts): keys, switches and axes of the kernel's input layer, and the
 * kernel's hotplug events. */
#include <errno.h>
#include <limits.h>
#include <linux/input.h>

#include "input/input.h"
#include "input/uevents.h"
#include "text/text_argument.h"

/* openDevice(device, type, code, name) */
SCRIPT_FUNCTION(input_open_device) {
    uint32_t type, number;
    struct failure failure;
    if (JS_ToUint32(context, &type, argv[1]) < 0 || JS_ToUint32(context, &number, argv[2]) < 0)
        return JS_EXCEPTION;
    if ((type != EVDEV_ANY && type != EV_KEY && type != EV_REL && type != EV_SW) || number >= KEY_CNT)
        return JS_ThrowRangeError(context, "an input is a key, an axis or a switch with a code below %d", KEY_CNT);
    TEXT_ARGUMENT(device, context, argv[0], "the name of an input device");
    TEXT_ARGUMENT(name, context, argv[3], "the name of a code");
    if (!device || !name)
        return JS_EXCEPTION;
    const struct evdev_code code = {.type = (uint16_t)type, .code = (uint16_t)number, .name = name};
    int fd = evdev_open(device, &code, &failure);
    return fd >= 0 ? input_source_new(runtime_of(context), fd, &code) : failure_throw(context, &failure);
}

SCRIPT_FUNCTION(input_open_uevents) {
    int fd = uevents_open();
    return fd >= 0 ? input_source_new(runtime_of(context), fd, NULL)
                   : failure_throw_new(context, "uevents", errno, "%s", "");
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("openDevice", 4, input_open_device),
    JS_CFUNC_DEF("openUevents", 0, input_open_uevents),
    JS_PROP_INT32_DEF("wordBits", sizeof(long) * CHAR_BIT, JS_PROP_ENUMERABLE),
};

const struct native_module mod_input = {.name = "nound:input", NATIVE_EXPORTS(exports)};
