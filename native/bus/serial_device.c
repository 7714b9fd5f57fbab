#define _GNU_SOURCE 1
#include "bus/serial_device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const struct {
    uint32_t baud_rate;
    speed_t speed;
} speeds[] = {
    {300, B300},         {600, B600},         {1200, B1200},       {1800, B1800},       {2400, B2400},
    {4800, B4800},       {9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
    {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},   {576000, B576000},
    {921600, B921600},   {1000000, B1000000}, {1152000, B1152000}, {1500000, B1500000}, {2000000, B2000000},
    {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000},
};

/* The bits of c_cflag that the settings decide. */
#define DECIDED_FLAGS ((tcflag_t)(CSIZE | CSTOPB | PARENB | PARODD | CRTSCTS))

/* Returns false when termios(3) has no such rate. */
static bool find_speed(uint32_t baud_rate, speed_t *speed) {
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++)
        if (speeds[i].baud_rate == baud_rate) {
            *speed = speeds[i].speed;
            return true;
        }
    return false;
}

static tcflag_t control_flags(const struct serial_settings *settings) {
    static const tcflag_t sizes[] = {CS5, CS6, CS7, CS8};
    static const tcflag_t parities[] = {
        [SERIAL_PARITY_NONE] = 0, [SERIAL_PARITY_EVEN] = PARENB, [SERIAL_PARITY_ODD] = PARENB | PARODD};
    return sizes[settings->data_bits - 5] | parities[settings->parity] | (settings->stop_bits == 2 ? CSTOPB : 0) |
           (settings->flow_control == 1 ? CRTSCTS : 0);
}

/* Takes the device for this program alone: by a lock for programs that check it, and by TIOCEXCL for all others. */
static bool claim(int fd) {
    return flock(fd, LOCK_EX | LOCK_NB) == 0 && ioctl(fd, TIOCEXCL) == 0;
}

/* Returns false with errno set; EINVAL when the device has no such settings. tcsetattr(3) succeeds even if it has set
 * only a part. */
static bool apply(int fd, speed_t speed, tcflag_t flags) {
    struct termios wanted, actual;
    if (tcgetattr(fd, &wanted) < 0)
        return false;
    cfmakeraw(&wanted);
    wanted.c_cflag = (wanted.c_cflag & ~DECIDED_FLAGS) | flags | CREAD | CLOCAL;
    /* A byte with a wrong parity is dropped. */
    wanted.c_iflag |= (flags & PARENB) ? INPCK | IGNPAR : 0;
    wanted.c_cc[VMIN] = 1;
    wanted.c_cc[VTIME] = 0;
    if (cfsetispeed(&wanted, speed) < 0 || cfsetospeed(&wanted, speed) < 0)
        return false;
    if (tcsetattr(fd, TCSANOW, &wanted) < 0 || tcgetattr(fd, &actual) < 0)
        return false;
    if ((actual.c_cflag & DECIDED_FLAGS) == flags && cfgetospeed(&actual) == speed)
        return tcflush(fd, TCIFLUSH) == 0;
    errno = EINVAL;
    return false;
}

/* Lets the driver switch to sending and back (Documentation/driver-api/serial/serial-rs485.rst). Returns false with
 * errno set; EINVAL when it cannot. */
static bool switch_rs485(int fd) {
    struct serial_rs485 mode = {.flags = SER_RS485_ENABLED | SER_RS485_RTS_ON_SEND};
    if (ioctl(fd, TIOCSRS485, &mode) == 0)
        return true;
    errno = errno == ENOTTY ? EINVAL : errno;
    return false;
}

static int refuse(int fd, struct failure *failure, const char *path, const char *what, int error) {
    failure_note(failure, what, error, "%s", path);
    if (fd >= 0)
        serial_device_close(fd);
    return -1;
}

int serial_device_open(const char *path, const struct serial_settings *settings, struct failure *failure) {
    speed_t speed;
    if (!find_speed(settings->baud_rate, &speed)) {
        failure_note(failure, "serialRate", 0, "%s" AND "%u", path, (unsigned)settings->baud_rate);
        return -1;
    }
    /* Without O_NONBLOCK it would wait for a carrier; with O_NOCTTY it does not become the terminal that sends signals.
     */
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        const int error = errno;
        /* A device that this user may open, and this process may not */
        const bool is_restricted = error == EACCES && access(path, R_OK | W_OK) == 0;
        return refuse(fd, failure, path, is_restricted ? "serialReach" : "serial", error);
    }
    if (!isatty(fd))
        return refuse(fd, failure, path, "serial", errno == EINVAL ? ENOTTY : errno);
    if (!claim(fd))
        return refuse(fd, failure, path, "serial", errno);
    if (!apply(fd, speed, control_flags(settings)) || (settings->rs485 && !switch_rs485(fd)))
        return refuse(fd, failure, path, "serial", errno);
    return fd;
}

void serial_device_close(int fd) {
    (void)tcflush(fd, TCOFLUSH); /* if the device is gone, there is nothing to discard */
    (void)ioctl(fd, TIOCNXCL);
    close(fd); /* also after an error, the descriptor is free (close(2)) */
}
