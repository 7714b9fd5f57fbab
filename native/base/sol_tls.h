/* SOL_TLS of <sys/socket.h>, which older headers lack: the level of setsockopt(2) for the kernel's TLS. */
#ifndef NOUND_SOL_TLS_H
#define NOUND_SOL_TLS_H

#include <sys/socket.h>

#ifndef SOL_TLS
#define SOL_TLS 282
#endif

#endif
