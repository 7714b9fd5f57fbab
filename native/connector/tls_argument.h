/* The settings of TLS, as a script passes them. */
#ifndef NOUND_TLS_ARGUMENT_H
#define NOUND_TLS_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <quickjs.h>

#include "connector/connector_message.h"

/*
 * Reads the settings of each target of a plan, which has room for as many settings as targets: an array of objects, or
 * undefined for a target that is not encrypted. Equal ones are kept once. Returns false with an exception.
 */
bool tls_argument_read(JSContext *context, JSValueConst array, struct connector_plan *plan);

#endif
