/* Serial devices: opened raw, with the settings of termios(3). */
#ifndef NOUND_SERIAL_DEVICE_H
#define NOUND_SERIAL_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/failure.h"

enum serial_parity { SERIAL_PARITY_NONE, SERIAL_PARITY_EVEN, SERIAL_PARITY_ODD };

struct serial_settings {
    uint32_t baud_rate; /* bits a second */
    uint32_t data_bits; /* 5 to 8 */
    uint32_t stop_bits; /* 1 or 2 */
    enum serial_parity parity;
    int flow_control; /* 1 for RTS and CTS; otherwise 0 */
    bool rs485;       /* whether RTS switches an RS-485 driver to sending */
};

/*
 * Opens a device for this program alone and drops what it had received before. Neither reading nor writing blocks;
 * reading 0 bytes says that the device is gone. Returns its descriptor, or -1 with a failure.
 */
int serial_device_open(const char *path, const struct serial_settings *settings, struct failure *failure);

/* Discards the bytes that the device has not sent yet, and closes. close(2) alone would wait for them for up to half a
 * minute. */
void serial_device_close(int fd);

#endif
