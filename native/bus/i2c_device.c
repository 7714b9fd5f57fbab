/* I2C by the kernel's i2c-dev (Documentation/i2c/dev-interface.rst). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "bus/bus_device.h"

static void exchange(struct bus_transfer *transfer, struct failure *failure) {
    const struct bus_device *device = transfer->device;
    struct i2c_msg messages[2];
    unsigned count = 0;
    if (transfer->sent_length > 0)
        messages[count++] = (struct i2c_msg){
            .addr = device->i2c.address, .len = (uint16_t)transfer->sent_length, .buf = transfer->sent};
    if (transfer->received_length > 0)
        messages[count++] = (struct i2c_msg){.addr = device->i2c.address,
                                             .flags = I2C_M_RD,
                                             .len = (uint16_t)transfer->received_length,
                                             .buf = transfer->received};
    struct i2c_rdwr_ioctl_data data = {.msgs = messages, .nmsgs = count};
    if (UNINTERRUPTED(ioctl(device->fd, I2C_RDWR, &data)) < 0)
        failure_note(failure, "i2c", errno, "0x%02x" AND "%s", device->i2c.address, device->path);
}

/* Notes which driver of the kernel has the address. */
static void refuse_busy(struct failure *failure, const struct bus_device *device) {
    char link[64], driver[256];
    snprintf(link, sizeof link, "/sys/bus/i2c/devices/%d-%04x/driver", device->i2c.bus, device->i2c.address);
    ssize_t length = readlink(link, driver, sizeof driver - 1);
    driver[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(driver, '/');
    failure_note(failure,
                 "i2cDriver",
                 EBUSY,
                 "0x%02x" AND "%s" AND "%.64s",
                 device->i2c.address,
                 device->path,
                 slash ? slash + 1 : driver);
}

static bool claim(struct bus_device *device, struct failure *failure) {
    unsigned long functions = 0;
    if (ioctl(device->fd, I2C_FUNCS, &functions) < 0)
        bus_refuse(failure, device->path, "i2c-", "i2c-dev", ENOTTY);
    else if (!(functions & I2C_FUNC_I2C))
        failure_note(failure, "i2cPlain", 0, "%s", device->path);
    else if (ioctl(device->fd, I2C_SLAVE, (unsigned long)device->i2c.address) == 0)
        return true;
    else if (errno == EBUSY)
        refuse_busy(failure, device);
    else
        failure_note(failure, "i2cAddress", errno, "0x%02x" AND "%s", device->i2c.address, device->path);
    return false;
}

bool i2c_open(int bus, int address, struct bus_device *device, struct failure *failure) {
    device->exchange = exchange;
    device->i2c.bus = bus;
    device->i2c.address = (uint16_t)address;
    snprintf(device->path, sizeof device->path, "/dev/i2c-%d", bus);
    snprintf(device->order, sizeof device->order, "i2c-%d", bus);
    device->fd = open(device->path, O_RDWR | O_CLOEXEC);
    if (device->fd < 0) {
        bus_refuse(failure, device->path, "i2c-", "i2c-dev", errno);
        return false;
    }
    if (claim(device, failure))
        return true;
    close(device->fd);
    return false;
}
