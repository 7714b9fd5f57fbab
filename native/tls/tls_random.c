#define _GNU_SOURCE 1
#include "tls/tls_random.h"

#include <errno.h>
#include <fcntl.h>
#include <psa/crypto.h>
#include <sys/syscall.h>
#include <unistd.h>

static int device = -1; /* of a kernel before 3.17, which has no getrandom(2) */

/* Returns the number of bytes, or -1 with errno set. */
static ssize_t ask_kernel(unsigned char *bytes, size_t length) {
#ifdef SYS_getrandom
    const ssize_t count = syscall(SYS_getrandom, bytes, length, 0);
    if (count >= 0 || errno != ENOSYS)
        return count;
#endif
    return read(device, bytes, length);
}

bool tls_random_open(void) {
    unsigned char byte;
    if (device >= 0 || ask_kernel(&byte, 1) == 1)
        return true;
    device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    return device >= 0;
}

int tls_random(void *context, unsigned char *bytes, size_t length) {
    (void)context;
    while (length > 0) {
        const ssize_t count = ask_kernel(bytes, length);
        if (count <= 0 && errno != EINTR)
            return PSA_ERROR_INSUFFICIENT_ENTROPY;
        if (count <= 0)
            continue;
        bytes += count;
        length -= (size_t)count;
    }
    return 0;
}

#ifdef MBEDTLS_PSA_CRYPTO_EXTERNAL_RNG
psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context, uint8_t *output,
                                             size_t output_size, size_t *output_length) {
    (void)context;
    if (tls_random(NULL, output, output_size) != 0)
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    *output_length = output_size;
    return PSA_SUCCESS;
}
#endif
