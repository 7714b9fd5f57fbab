/* In place of the fuzzer's own main, where a program for it is only linked. */
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int main(int argc, char **argv) {
    if (LLVMFuzzerInitialize(&argc, &argv) != 0)
        return EXIT_FAILURE;
    return LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
}
