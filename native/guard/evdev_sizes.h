/* The sizes that the ioctls of input devices name: native/input/ makes these calls, and seccomp allows them. */
#ifndef NOUND_EVDEV_SIZES_H
#define NOUND_EVDEV_SIZES_H

#define EVDEV_NAME_SIZE 256 /* bytes of a device's name */
#define EVDEV_BITS_SIZE 96  /* bytes with a bit for each code: KEY_CNT / 8, the most of any type */

#endif
